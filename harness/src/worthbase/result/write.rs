//! What a write of the ledger answers.

use serde::Deserialize;

use super::Named;
use crate::worthbase::Figure;

/// `save_party`.
#[derive(Debug, Clone, Deserialize)]
pub struct SavedParty {
    /// The party.
    pub party: Named,
}

/// `save_account`.
#[derive(Debug, Clone, Deserialize)]
pub struct SavedAccount {
    /// The account.
    pub account: Named,
}

/// Net worth before and after a write, and the difference.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct NetWorthChange {
    /// Before.
    pub before: Figure,
    /// After.
    pub after: Figure,
    /// After less before.
    pub change: Figure,
    /// ISO 4217, of all three.
    pub currency: String,
}

/// The result of any write of the ledger, as far as net worth goes.
#[derive(Debug, Clone, Deserialize)]
pub struct LedgerWrite {
    /// Net worth of today around the write.
    pub net_worth: NetWorthChange,
}

/// `record`, previewed or at once, and `commit`.
#[derive(Debug, Clone, Deserialize)]
pub struct Recorded {
    /// Set by a preview.
    pub preview_id: Option<String>,
    /// When the preview ends; set by a preview.
    pub expires_at: Option<String>,
    /// Set by a commit.
    pub batch: Option<String>,
    /// New accounts and items.
    pub created: Created,
    /// Each row handed in, with its class.
    pub rows: Vec<RowVerdict>,
    /// What deserves a second look.
    pub warnings: Vec<Warning>,
    /// Exchange rates used.
    pub rates: Vec<Rate>,
    /// Net worth of today around the batch.
    pub net_worth: NetWorthChange,
}

/// New accounts and items of a batch.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Created {
    /// New accounts.
    pub accounts: Vec<CreatedThing>,
    /// New items.
    pub items: Vec<CreatedThing>,
}

/// A new account or item.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CreatedThing {
    /// The id it will have.
    pub id: String,
    /// The key it was handed in with.
    pub key: Option<String>,
    /// Its name.
    pub name: String,
}

/// What became of one row.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct RowVerdict {
    /// `transactions`, `transfers`, `valuations`, `prices` or `reconciliations`.
    pub list: String,
    /// Place in that list.
    pub index: usize,
    /// `new`, `duplicate` or `conflict`.
    pub class: String,
    /// Id of the row, or of the stored row it repeats.
    pub id: Option<String>,
    /// Its reference.
    pub external_ref: Option<String>,
    /// Where a conflict differs.
    #[serde(default)]
    pub differences: Vec<Difference>,
}

/// One field of a conflict.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Difference {
    /// Name of the field.
    pub field: String,
    /// What is stored.
    pub stored: Option<String>,
    /// What was handed in.
    pub offered: Option<String>,
}

/// A warning.
#[derive(Debug, Clone, Deserialize)]
pub struct Warning {
    /// `negative_balance`, `possible_duplicate`, `gain_changes`, …
    pub code: String,
    /// The row it is about.
    pub row: Option<RowPlace>,
    /// The sale whose gain changes.
    pub sale: Option<String>,
    /// Its gain before.
    pub before: Option<Figure>,
    /// Its gain after.
    pub after: Option<Figure>,
}

/// Where a row stands in what was handed in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RowPlace {
    /// `transactions`, `transfers`, …
    pub list: String,
    /// Place in that list.
    pub index: usize,
}

/// An exchange rate that was used.
#[derive(Debug, Clone, Deserialize)]
pub struct Rate {
    /// Currency converted.
    pub from: String,
    /// Currency converted into.
    pub to: String,
    /// Units of `to` per unit of `from`.
    pub rate: Figure,
    /// Day of publication; none for an explicit rate.
    pub rate_date: Option<String>,
    /// `ecb` or `explicit`.
    pub source: String,
    /// What was converted.
    pub amount: Option<Figure>,
    /// What it came to.
    pub base_amount: Option<Figure>,
}

/// `undo`.
#[derive(Debug, Clone, Deserialize)]
pub struct Undone {
    /// `committed` after a preview, `undone` when carried out.
    pub status: String,
    /// What goes.
    pub removed: Vec<Removed>,
    /// Warnings about gains that change.
    pub warnings: Vec<Warning>,
    /// Net worth of today around the undo.
    pub net_worth: NetWorthChange,
}

/// A record that an undo removes.
#[derive(Debug, Clone, Deserialize)]
pub struct Removed {
    /// What it is.
    pub kind: String,
    /// Its id.
    pub id: String,
}

/// `void`.
#[derive(Debug, Clone, Deserialize)]
pub struct Voided {
    /// The batch of the void itself.
    pub batch: String,
    /// Net worth of today around it.
    pub net_worth: NetWorthChange,
}

/// `reconcile`, and a reconciliation in `get_item` and `get_overview`.
#[derive(Debug, Clone, Deserialize)]
pub struct Reconciliation {
    /// Id.
    pub id: String,
    /// The batch that recorded it.
    pub batch: Option<String>,
    /// The item.
    pub item: String,
    /// The day.
    pub date: String,
    /// `units`, `value` or `cost_base`.
    pub figure: String,
    /// `match` or `mismatch`.
    pub status: String,
    /// The statement's figure.
    pub statement: Figure,
    /// The ledger's figure.
    pub calculated: Option<Figure>,
    /// Statement less calculated.
    pub difference: Option<Figure>,
}

//! A batch: the unit in which a ledger changes, is previewed, and is taken back.

use crate::changes::{Archive, GoalChange, ItemUpdate, LinkChange, LossChange};
use crate::ids::{BatchId, ItemId, RowId};
use crate::model::{Account, Date, Item, OwnerShare, Party};
use crate::rows::{Price, Reconciliation, Transaction, Transfer, Valuation};
use serde::{Deserialize, Serialize};

/// Changes that are written together or not at all. A committed batch is stored as its JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// `bat_…`.
    pub id: BatchId,
    /// In the order recorded, which decides between rows of one day.
    pub changes: Vec<Change>,
}

/// One change. Later kinds join without touching the earlier ones; an unknown kind in a stored batch is
/// an error when it is read, never skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Change {
    /// A party as it is from now on; new, or the new form of one that exists.
    Party(Party),
    /// An account as it is from now on; new, or the new form of one that exists.
    Account(Account),
    /// A new item.
    Item(Item),
    /// New values for fields of an item.
    UpdateItem(Box<ItemUpdate>),
    /// An item that leaves the balance sheet.
    Archive(Archive),
    /// A link between two items, made or taken away.
    Link(LinkChange),
    /// A goal, set, changed or archived.
    Goal(GoalChange),
    /// A tracked loss, recorded, changed or archived.
    Loss(LossChange),
    /// A new split of ownership.
    SetOwners(SetOwners),
    /// A transaction.
    Transaction(Transaction),
    /// A transfer.
    Transfer(Transfer),
    /// A valuation.
    Valuation(Valuation),
    /// A price.
    Price(Price),
    /// A reconciliation.
    Reconciliation(Reconciliation),
    /// Rows that count no more, and free their references.
    Void(Void),
}

impl Change {
    /// The list of `record` that such a change comes in.
    #[must_use]
    pub fn list(&self) -> RowList {
        match self {
            Self::Party(_) => RowList::Parties,
            Self::Account(_) => RowList::Accounts,
            Self::Item(_) => RowList::Items,
            Self::UpdateItem(_) => RowList::Updates,
            Self::Archive(_) => RowList::Archives,
            Self::Link(_) => RowList::Links,
            Self::Goal(_) => RowList::Goals,
            Self::Loss(_) => RowList::Losses,
            Self::SetOwners(_) => RowList::Owners,
            Self::Transaction(_) => RowList::Transactions,
            Self::Transfer(_) => RowList::Transfers,
            Self::Valuation(_) => RowList::Valuations,
            Self::Price(_) => RowList::Prices,
            Self::Reconciliation(_) => RowList::Reconciliations,
            Self::Void(_) => RowList::Voids,
        }
    }

    /// The date it happened on, where it has one.
    #[must_use]
    pub fn date(&self) -> Option<Date> {
        match self {
            Self::Transaction(row) => Some(row.date),
            Self::Transfer(row) => Some(row.date),
            Self::Valuation(row) => Some(row.date),
            Self::Price(row) => Some(row.date),
            Self::Reconciliation(row) => Some(row.date),
            _ => None,
        }
    }

    /// Its identity as a row, where it is one.
    #[must_use]
    pub fn row_id(&self) -> Option<RowId> {
        match self {
            Self::Transaction(row) => Some((&row.id).into()),
            Self::Transfer(row) => Some((&row.id).into()),
            Self::Valuation(row) => Some((&row.id).into()),
            Self::Price(row) => Some((&row.id).into()),
            Self::Reconciliation(row) => Some((&row.id).into()),
            _ => None,
        }
    }

    /// The id of what it names or creates, for messages.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Party(party) => party.id.to_string(),
            Self::Account(account) => account.id.to_string(),
            Self::Item(item) => item.id.to_string(),
            Self::UpdateItem(update) => update.item.to_string(),
            Self::Archive(archive) => archive.item.to_string(),
            Self::Link(link) => link.from.to_string(),
            Self::Goal(goal) => goal.goal.to_string(),
            Self::Loss(loss) => loss.loss.to_string(),
            Self::SetOwners(change) => change.item.to_string(),
            Self::Void(_) => String::new(),
            row => row.row_id().map(|id| id.to_string()).unwrap_or_default(),
        }
    }

    /// The items it touches: what is previewed and compared for staleness.
    pub fn items(&self) -> impl Iterator<Item = &ItemId> {
        let (first, second) = match self {
            Self::Item(item) => (Some(&item.id), None),
            Self::UpdateItem(update) => (Some(&update.item), None),
            Self::Archive(archive) => (Some(&archive.item), None),
            Self::Link(link) => (Some(&link.from), Some(&link.to)),
            Self::SetOwners(change) => (Some(&change.item), None),
            Self::Transaction(row) => (Some(&row.item), row.cash_item.as_ref()),
            Self::Transfer(row) => (Some(&row.from_item), Some(&row.to_item)),
            Self::Valuation(row) => (Some(&row.item), None),
            Self::Price(row) => (Some(&row.item), None),
            Self::Reconciliation(row) => (Some(&row.item), None),
            Self::Party(_) | Self::Account(_) | Self::Goal(_) | Self::Loss(_) | Self::Void(_) => {
                (None, None)
            }
        };
        first.into_iter().chain(second)
    }

    /// The name the row has where it came from.
    #[must_use]
    pub fn external_ref(&self) -> Option<&str> {
        match self {
            Self::Transaction(row) => row.external_ref.as_deref(),
            Self::Transfer(row) => row.external_ref.as_deref(),
            Self::Valuation(row) => row.external_ref.as_deref(),
            Self::Price(row) => row.external_ref.as_deref(),
            _ => None,
        }
    }
}

/// A new split of ownership for an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetOwners {
    /// The item.
    pub item: ItemId,
    /// The split; adds up to 100.
    pub owners: Vec<OwnerShare>,
    /// From when it counts. Nothing, which only a correction may say, is the whole past.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Date>,
    /// Whether it replaces every split from then on, as if it had always been so.
    #[serde(default)]
    pub correction: bool,
}

/// Rows that count no more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Void {
    /// Rows of earlier batches.
    pub rows: Vec<RowId>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The list of a batch that a row stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowList {
    /// `parties[]`.
    Parties,
    /// `accounts[]`.
    Accounts,
    /// `items[]`.
    Items,
    /// `updates[]`.
    Updates,
    /// `archives[]`.
    Archives,
    /// `links[]`.
    Links,
    /// `goals[]`.
    Goals,
    /// `losses[]`.
    Losses,
    /// `owners[]`.
    Owners,
    /// `transactions[]`.
    Transactions,
    /// `transfers[]`.
    Transfers,
    /// `valuations[]`.
    Valuations,
    /// `prices[]`.
    Prices,
    /// `reconciliations[]`.
    Reconciliations,
    /// `voids[]`.
    Voids,
}

impl RowList {
    /// The list as it stands on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Parties => "parties",
            Self::Accounts => "accounts",
            Self::Items => "items",
            Self::Updates => "updates",
            Self::Archives => "archives",
            Self::Links => "links",
            Self::Goals => "goals",
            Self::Losses => "losses",
            Self::Owners => "owners",
            Self::Transactions => "transactions",
            Self::Transfers => "transfers",
            Self::Valuations => "valuations",
            Self::Prices => "prices",
            Self::Reconciliations => "reconciliations",
            Self::Voids => "voids",
        }
    }
}

/// A row, by where it stands and what it is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowRef {
    /// The list it stands in.
    pub list: RowList,
    /// Its place in that list of the draft at hand; nothing for a row of an earlier batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// Its id.
    pub id: String,
    /// Its date, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
}

impl RowRef {
    /// A row of a stored batch.
    #[must_use]
    pub fn stored(change: &Change) -> Self {
        Self {
            list: change.list(),
            index: None,
            id: change.name(),
            date: change.date(),
        }
    }
}

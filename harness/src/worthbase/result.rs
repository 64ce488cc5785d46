//! What the tools give back: the fields that scenarios read, with the contract's names. Fields nobody reads are left out,
//! so a server may add to its results. A decimal is a [`Figure`]: a JSON number in its place is no result.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::Figure;

/// `save_workspace`.
#[derive(Debug, Clone, Deserialize)]
pub struct SavedWorkspace {
    /// Id of the workspace.
    pub workspace: String,
    /// Name, as given.
    pub name: String,
    /// ISO 4217.
    pub base_currency: String,
}

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

/// Something with an id and a name.
#[derive(Debug, Clone, Deserialize)]
pub struct Named {
    /// Id.
    pub id: String,
    /// Name, as given.
    pub name: String,
}

/// `whoami`.
#[derive(Debug, Clone, Deserialize)]
pub struct Identity {
    /// The signed-in user.
    pub user: Named,
    /// Where tools act that are called without a workspace.
    pub default_workspace: Option<String>,
    /// The user's workspaces.
    pub workspaces: Vec<OwnWorkspace>,
    /// Invites that wait for the user.
    pub invites: Vec<WaitingInvite>,
}

/// A workspace in `whoami`.
#[derive(Debug, Clone, Deserialize)]
pub struct OwnWorkspace {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// `viewer`, `editor` or `admin`.
    pub role: String,
    /// ISO 4217.
    pub base_currency: String,
    /// Whether it is paid for.
    pub subscription: Subscription,
}

/// State of a subscription.
#[derive(Debug, Clone, Deserialize)]
pub struct Subscription {
    /// `trialing`, `active`, …
    pub status: String,
}

/// An invite as the invited user sees it.
#[derive(Debug, Clone, Deserialize)]
pub struct WaitingInvite {
    /// Id.
    pub id: String,
    /// Name of the workspace.
    pub workspace_name: String,
    /// The role it gives.
    pub role: String,
    /// Who invited.
    pub invited_by: String,
}

/// `members`.
#[derive(Debug, Clone, Deserialize)]
pub struct Membership {
    /// Who belongs to the workspace.
    pub members: Vec<Member>,
    /// Who is invited and has not answered.
    pub invites: Vec<OpenInvite>,
    /// The invite just made.
    pub invite: Option<MadeInvite>,
}

/// A member as the admin sees them.
#[derive(Debug, Clone, Deserialize)]
pub struct Member {
    /// Who.
    pub user: Named,
    /// `viewer`, `editor` or `admin`.
    pub role: String,
}

/// An invite as the admin sees it.
#[derive(Debug, Clone, Deserialize)]
pub struct OpenInvite {
    /// Id.
    pub id: String,
    /// The invited address.
    pub email: String,
    /// The role it gives.
    pub role: String,
}

/// An invite just made, with the code that accepts it.
#[derive(Debug, Clone, Deserialize)]
pub struct MadeInvite {
    /// Id.
    pub id: String,
    /// Secret code.
    pub code: String,
}

/// `accept_invite`.
#[derive(Debug, Clone, Deserialize)]
pub struct Joined {
    /// The workspace joined.
    pub workspace: String,
    /// The role in it.
    pub role: String,
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
    /// The sale whose gain changes.
    pub sale: Option<String>,
    /// Its gain before.
    pub before: Option<Figure>,
    /// Its gain after.
    pub after: Option<Figure>,
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

/// `get_net_worth`, and the headline of `get_overview`.
#[derive(Debug, Clone, Deserialize)]
pub struct NetWorth {
    /// The day asked for.
    pub date: String,
    /// ISO 4217, of all figures.
    pub currency: String,
    /// What is owned.
    pub assets: Figure,
    /// What is owed, a positive figure.
    pub liabilities: Figure,
    /// Assets less liabilities.
    pub net_worth: Figure,
    /// Assets flagged investable, gross of debts.
    pub investable: Figure,
    /// Cash items.
    pub cash: Figure,
    /// Whether something held has no value.
    pub partial: bool,
    /// What has no value.
    pub missing: Vec<Flagged>,
    /// The groups, where a grouping was asked for.
    #[serde(default)]
    pub breakdown: Vec<Part>,
    /// What has an old value.
    pub stale: Vec<Flagged>,
    /// Exchange rates used.
    pub rates: Vec<Rate>,
}

/// An item named in a report.
#[derive(Debug, Clone, Deserialize)]
pub struct Flagged {
    /// Id of the item.
    pub item: String,
    /// Its name.
    pub name: String,
}

/// One group of a breakdown.
#[derive(Debug, Clone, Deserialize)]
pub struct Part {
    /// Id or label of the group; none for items without account.
    pub key: Option<String>,
    /// Its name.
    pub name: String,
    /// `asset` or `liability`.
    pub side: String,
    /// Its value; none where it is missing.
    pub value: Option<Figure>,
    /// Day of the price used.
    pub price_date: Option<String>,
    /// Day of the valuation used.
    pub value_date: Option<String>,
}

/// `get_overview`.
#[derive(Debug, Clone, Deserialize)]
pub struct Overview {
    /// Legal owners.
    pub parties: Vec<Named>,
    /// Accounts.
    pub accounts: Vec<Named>,
    /// How many items there are.
    pub item_counts: ItemCounts,
    /// Net worth of today.
    pub net_worth: NetWorth,
    /// Items with an old value.
    pub stale_items: Vec<Flagged>,
    /// Statement figures that do not match.
    pub open_mismatches: Vec<Reconciliation>,
    /// State of the price run.
    pub price_run: PriceRun,
    /// The last writes.
    pub recent_batches: Vec<WrittenBatch>,
}

/// How many items there are.
#[derive(Debug, Clone, Deserialize)]
pub struct ItemCounts {
    /// On the asset side.
    pub assets: u64,
    /// On the liability side.
    pub liabilities: u64,
}

/// State of the price run.
#[derive(Debug, Clone, Deserialize)]
pub struct PriceRun {
    /// `never`, `running`, `finished` or `failed`.
    pub status: String,
}

/// `list_batches`.
#[derive(Debug, Clone, Deserialize)]
pub struct BatchPage {
    /// Newest first.
    pub batches: Vec<WrittenBatch>,
    /// Where the next page begins.
    pub next_cursor: Option<String>,
}

/// A batch with its provenance.
#[derive(Debug, Clone, Deserialize)]
pub struct WrittenBatch {
    /// Id.
    pub id: String,
    /// When it was written, RFC 3339.
    pub created_at: String,
    /// The tool that wrote it.
    pub tool: String,
    /// The document it came from.
    pub source: Option<Value>,
    /// Who wrote it.
    pub user: Named,
    /// With which client.
    pub client: Client,
    /// `committed` or `undone`.
    pub status: String,
    /// How many rows of which class.
    pub counts: BTreeMap<String, u64>,
}

/// A client program.
#[derive(Debug, Clone, Deserialize)]
pub struct Client {
    /// Its name.
    pub name: String,
}

/// `list_items`.
#[derive(Debug, Clone, Deserialize)]
pub struct ItemPage {
    /// The items.
    pub items: Vec<Item>,
    /// Where the next page begins.
    pub next_cursor: Option<String>,
}

/// An item as `list_items` shows it.
#[derive(Debug, Clone, Deserialize)]
pub struct Item {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// What it is.
    pub kind: String,
    /// ISO 4217.
    pub currency: String,
    /// Who owns it.
    pub owners: Vec<Owner>,
    /// Free text.
    pub notes: Option<String>,
    /// Free fields.
    #[serde(default)]
    pub attributes: BTreeMap<String, String>,
    /// Position of today.
    pub position: Position,
    /// Whether its value is old.
    pub stale: bool,
}

/// A share in an item.
#[derive(Debug, Clone, Deserialize)]
pub struct Owner {
    /// Id of the party.
    pub party: String,
    /// Percent, as it was given.
    pub percent: Figure,
}

/// Position of an item at the close of today.
#[derive(Debug, Clone, Deserialize)]
pub struct Position {
    /// Units held, of a units item.
    pub units: Option<Figure>,
    /// Price of one unit.
    pub price: Option<Figure>,
    /// Day of that price.
    pub price_date: Option<String>,
    /// Value in the item's currency; the balance of a balance item.
    pub value: Option<Figure>,
    /// ISO 4217, of every figure but `value_base`.
    pub currency: String,
    /// Value in the workspace's currency.
    pub value_base: Option<Figure>,
    /// ISO 4217 of `value_base`.
    pub base_currency: String,
    /// Cost of what is held.
    pub cost_base: Option<Figure>,
    /// Value less cost.
    pub unrealised_gain: Option<Figure>,
}

/// `get_item`.
#[derive(Debug, Clone, Deserialize)]
pub struct ItemDetail {
    /// What `list_items` shows too.
    #[serde(flatten)]
    pub item: Item,
    /// Its transactions.
    pub transactions: Vec<Transaction>,
    /// Its transfers, in and out.
    pub transfers: Vec<Transfer>,
    /// Its valuations.
    pub valuations: Vec<Valuation>,
    /// Its prices.
    pub prices: Vec<Price>,
    /// Its open lots.
    pub lots: Vec<Lot>,
    /// Its sales.
    pub sales: Vec<Sale>,
    /// Statement figures checked.
    pub reconciliations: Vec<Reconciliation>,
    /// The batches that wrote on it.
    pub batches: Vec<Identified>,
}

/// Something of which only the id is read.
#[derive(Debug, Clone, Deserialize)]
pub struct Identified {
    /// Id.
    pub id: String,
}

/// A stored transaction.
#[derive(Debug, Clone, Deserialize)]
pub struct Transaction {
    /// Id.
    pub id: String,
    /// The batch that stored it.
    pub batch: String,
    /// `buy`, `deposit`, …
    #[serde(rename = "type")]
    pub kind: String,
    /// Day.
    pub date: String,
    /// Units, as given.
    pub units: Option<Figure>,
    /// Amount, as given.
    pub amount: Option<Figure>,
    /// Fees, as given.
    pub fees: Option<Figure>,
    /// ISO 4217.
    pub currency: Option<String>,
    /// Rate, as given with the row.
    pub fx_rate: Option<Figure>,
    /// Rates used for the row.
    #[serde(default)]
    pub rates: Vec<Rate>,
    /// Reference.
    pub external_ref: Option<String>,
    /// Free text.
    pub note: Option<String>,
}

/// A stored transfer.
#[derive(Debug, Clone, Deserialize)]
pub struct Transfer {
    /// Id.
    pub id: String,
    /// The batch that stored it.
    pub batch: String,
    /// Where it comes from.
    pub from_item: String,
    /// Where it goes.
    pub to_item: String,
    /// Day.
    pub date: String,
    /// Amount, as given.
    pub amount: Option<Figure>,
}

/// A stored valuation.
#[derive(Debug, Clone, Deserialize)]
pub struct Valuation {
    /// Id.
    pub id: String,
    /// The batch that stored it.
    pub batch: String,
    /// Day.
    pub date: String,
    /// Value, as given.
    pub value: Figure,
}

/// A stored price.
#[derive(Debug, Clone, Deserialize)]
pub struct Price {
    /// Id.
    pub id: String,
    /// The batch that stored it.
    pub batch: String,
    /// Day.
    pub date: String,
    /// Price of one unit, as given.
    pub price: Figure,
}

/// An open lot.
#[derive(Debug, Clone, Deserialize)]
pub struct Lot {
    /// Id.
    pub lot: String,
    /// Day of acquisition.
    pub acquired_on: String,
    /// Units left.
    pub units: Figure,
    /// Cost left.
    pub cost_base: Figure,
}

/// A sale with its gain.
#[derive(Debug, Clone, Deserialize)]
pub struct Sale {
    /// Id of the sell row.
    pub transaction: String,
    /// Day.
    pub date: String,
    /// Amount less fees.
    pub net_proceeds: Figure,
    /// Cost of what was sold.
    pub cost_base: Figure,
    /// Proceeds less cost.
    pub gain: Figure,
    /// The lots it took.
    pub lots: Vec<SoldLot>,
}

/// The part of a lot that a sale took.
#[derive(Debug, Clone, Deserialize)]
pub struct SoldLot {
    /// Day of acquisition.
    pub acquired_on: String,
    /// Units taken.
    pub units: Figure,
    /// Cost taken.
    pub cost_base: Figure,
    /// Its share of the proceeds.
    pub net_proceeds: Figure,
    /// Its share of the gain.
    pub gain: Figure,
}

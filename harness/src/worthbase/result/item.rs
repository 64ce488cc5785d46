//! What the book shows of single items.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Rate, Reconciliation};
use crate::worthbase::Figure;

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
    /// `asset` or `liability`.
    pub side: Option<String>,
    /// Label for allocation.
    pub class: Option<String>,
    /// Finer label.
    pub subtype: Option<String>,
    /// ISO 4217.
    pub currency: String,
    /// Id of the account it is kept in.
    pub account: Option<String>,
    /// When it was opened.
    pub opened_on: Option<String>,
    /// When it was closed.
    pub closed_on: Option<String>,
    /// First day on which it counts no more.
    pub archived_on: Option<String>,
    /// What it counts among.
    #[serde(default)]
    pub flags: Flags,
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

/// What an item counts among.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Flags {
    /// Investable assets.
    pub investable: Option<bool>,
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
    /// Its links, at either end.
    #[serde(default)]
    pub links: Vec<Link>,
    /// The batches that wrote on it.
    pub batches: Vec<Identified>,
}

/// A link between two items.
#[derive(Debug, Clone, Deserialize)]
pub struct Link {
    /// Where it begins: the loan, or the offset account.
    pub from: String,
    /// Where it leads.
    pub to: String,
    /// `secured_by`, `offset` or `funds`.
    pub relation: String,
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
    /// New units for `from` old ones, of a split.
    pub to: Option<Figure>,
    /// Old units of a split.
    pub from: Option<Figure>,
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
    /// Units, as given.
    pub units: Option<Figure>,
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
    pub batch: Option<String>,
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

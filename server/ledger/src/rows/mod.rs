//! The rows of a ledger: what happened, on which date, to which item.

mod reconciliation;

pub use reconciliation::{Agreement, Comparison, Figure, Reconciliation};

use crate::decimal::{self, Decimal, Exact};
use crate::ids::{ItemId, LotId, PriceId, TransactionId, TransferId, ValuationId};
use crate::model::{Currency, Date};
use serde::{Deserialize, Serialize};

/// One event on one item. Amounts are unsigned and exclude fees; the type gives the direction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transaction {
    /// `txn_…`.
    pub id: TransactionId,
    /// The item it happened to.
    pub item: ItemId,
    /// What happened.
    #[serde(rename = "type")]
    pub kind: TransactionKind,
    /// The day; the figure counts from the close of it.
    pub date: Date,
    /// How many units.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "decimal::text::optional"
    )]
    pub units: Option<Decimal>,
    /// How much money, fees not included.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "decimal::text::optional"
    )]
    pub amount: Option<Decimal>,
    /// Fees beside the amount; none when absent.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "decimal::text::optional"
    )]
    pub fees: Option<Decimal>,
    /// What amount and fees are in; the item's currency when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// Base currency per one unit of the row's currency; wins over the published rate.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "decimal::text::optional"
    )]
    pub fx_rate: Option<Decimal>,
    /// Units after a split, for [`Self::from`] units before it.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "decimal::text::optional"
    )]
    pub to: Option<Decimal>,
    /// Units before a split.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "decimal::text::optional"
    )]
    pub from: Option<Decimal>,
    /// The lots that leave, in place of first in, first out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lots: Vec<LotChoice>,
    /// When an opening lot was acquired; the row's date when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acquired_on: Option<Date>,
    /// A cash item on which the same row also posts the money.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cash_item: Option<ItemId>,
    /// The name the row has where it came from; makes imports repeatable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_ref: Option<String>,
    /// Free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Row currency to base currency, stored when the row was recorded. Absent when they are the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<AppliedRate>,
    /// Item currency to base currency, stored only when the row's currency is not the item's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_rate: Option<AppliedRate>,
}

impl Transaction {
    /// A row with nothing but its identity: what the other fields are added to.
    #[must_use]
    pub fn new(id: TransactionId, item: ItemId, kind: TransactionKind, date: Date) -> Self {
        Self {
            id,
            item,
            kind,
            date,
            units: None,
            amount: None,
            fees: None,
            currency: None,
            fx_rate: None,
            to: None,
            from: None,
            lots: Vec::new(),
            acquired_on: None,
            cash_item: None,
            external_ref: None,
            note: None,
            rate: None,
            item_rate: None,
        }
    }
}

/// What happened to an item. Which kinds of item take which type is the table of the replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TransactionKind {
    /// What was there when the record begins; for units the amount is the cost base.
    OpeningBalance,
    /// Bought.
    Buy,
    /// Money put into something valued as a whole; joins its cost base.
    Improvement,
    /// Sold.
    Sell,
    /// Units that came from outside the workspace, with their cost.
    TransferIn,
    /// Units that left the workspace; no gain.
    TransferOut,
    /// `to` units for `from` units; cost and dates stay.
    Split,
    /// Income of a holding.
    Dividend,
    /// Income of a holding; on cash money that stays inside, on a loan money owed.
    Interest,
    /// Income of a property.
    Rent,
    /// Income of a fund or trust.
    Distribution,
    /// A cost; on cash money that leaves, on a loan money owed.
    Fee,
    /// Money paid in.
    Deposit,
    /// Money paid out.
    Withdrawal,
    /// Money borrowed.
    Drawdown,
    /// Money paid back.
    Repayment,
    /// Balance corrected upwards.
    AdjustUp,
    /// Balance corrected downwards.
    AdjustDown,
}

impl TransactionKind {
    /// The type as it stands on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OpeningBalance => "opening_balance",
            Self::Buy => "buy",
            Self::Improvement => "improvement",
            Self::Sell => "sell",
            Self::TransferIn => "transfer_in",
            Self::TransferOut => "transfer_out",
            Self::Split => "split",
            Self::Dividend => "dividend",
            Self::Interest => "interest",
            Self::Rent => "rent",
            Self::Distribution => "distribution",
            Self::Fee => "fee",
            Self::Deposit => "deposit",
            Self::Withdrawal => "withdrawal",
            Self::Drawdown => "drawdown",
            Self::Repayment => "repayment",
            Self::AdjustUp => "adjust_up",
            Self::AdjustDown => "adjust_down",
        }
    }
}

/// Units to take from a named lot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LotChoice {
    /// `lot_…`.
    pub lot: LotId,
    /// How many of its units.
    #[serde(with = "decimal::text")]
    pub units: Decimal,
}

/// A rate that turned one currency into another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppliedRate {
    /// Of one unit of this.
    pub from: Currency,
    /// So many units of this.
    pub to: Currency,
    /// The factor, at most 18 places.
    pub rate: Exact,
    /// The date of the publication used; for an explicit rate the row's own date.
    pub rate_date: Date,
    /// Where it is from.
    pub source: RateOrigin,
}

/// Where a rate is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RateOrigin {
    /// A reference rate of the European Central Bank.
    Ecb,
    /// The row said so.
    Explicit,
}

/// A move between two items of the workspace: units with their lots, or money.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transfer {
    /// `txn_…`.
    pub id: TransferId,
    /// Where it leaves.
    pub from_item: ItemId,
    /// Where it arrives.
    pub to_item: ItemId,
    /// The day.
    pub date: Date,
    /// Units, when lots move.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "decimal::text::optional"
    )]
    pub units: Option<Decimal>,
    /// Money that leaves, in the currency of `from_item`.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "decimal::text::optional"
    )]
    pub amount: Option<Decimal>,
    /// Money that arrives, in the currency of `to_item`; needed when the currencies differ.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "decimal::text::optional"
    )]
    pub to_amount: Option<Decimal>,
    /// The lots that move, in place of first in, first out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lots: Vec<LotChoice>,
    /// The name the row has where it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_ref: Option<String>,
    /// Free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What something was worth as a whole on a day; on a balance item it resets the balance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Valuation {
    /// `val_…`.
    pub id: ValuationId,
    /// The item.
    pub item: ItemId,
    /// The day; counts from the close of it.
    pub date: Date,
    /// The value in the item's currency.
    #[serde(with = "decimal::text")]
    pub value: Decimal,
    /// Must be the item's currency where given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// The name the row has where it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_ref: Option<String>,
    /// Free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What one unit traded at on a day, as traded: never adjusted for a later split.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// `prc_…`.
    pub id: PriceId,
    /// The item.
    pub item: ItemId,
    /// The day.
    pub date: Date,
    /// Per unit, in the item's currency.
    #[serde(with = "decimal::text")]
    pub price: Decimal,
    /// Must be the item's currency where given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// The name the row has where it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_ref: Option<String>,
    /// Whether a person recorded it or a provider gave it.
    #[serde(default, skip_serializing_if = "PriceOrigin::is_manual")]
    pub origin: PriceOrigin,
}

/// Whether a person recorded a price or a provider gave it. A person's wins on the same date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PriceOrigin {
    /// Given by a provider.
    Fetched,
    /// Recorded in a batch.
    #[default]
    Manual,
}

impl PriceOrigin {
    fn is_manual(&self) -> bool {
        *self == Self::Manual
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_from_json_with_every_digit() {
        let text = r#"{"id":"txn_1","item":"itm_1","type":"buy","date":"2024-02-29","units":"0.00350000","amount":"300.10"}"#;
        let row: Transaction = serde_json::from_str(text).expect("a row");
        assert_eq!(serde_json::to_string(&row).expect("text"), text);
    }

    #[test]
    fn a_number_is_no_decimal() {
        let text = r#"{"id":"txn_1","item":"itm_1","type":"buy","date":"2024-02-29","units":1}"#;
        assert!(serde_json::from_str::<Transaction>(text).is_err());
        let text = r#"{"id":"rec_1","item":"itm_1","date":"2024-02-29","units":"1.500"}"#;
        let row: Reconciliation = serde_json::from_str(text).expect("a row");
        assert_eq!(serde_json::to_string(&row).expect("text"), text);
    }
}

//! The arguments of `record` as they are read: lists of rows that may refer to each other by key.

use std::collections::BTreeMap;

use proofmark_ledger::decimal::{self, Decimal};
use proofmark_ledger::model::{AccountKind, Currency, Date, ItemKind, OwnerShare};
use proofmark_ledger::rows::{Figure, LotChoice, TransactionKind};
use serde::Deserialize;
use serde_json::Value;

use super::arguments::missing;
use crate::mcp::fault::Fault;

/// The arguments of `record`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RecordArguments {
    pub source: Option<Value>,
    pub accounts: Vec<AccountRow>,
    pub items: Vec<ItemRow>,
    pub transactions: Vec<TransactionRow>,
    pub transfers: Vec<TransferRow>,
    pub valuations: Vec<ValuationRow>,
    pub prices: Vec<PriceRow>,
    pub reconciliations: Vec<ReconciliationRow>,
    pub dry_run: Option<bool>,
}

#[derive(Debug, Deserialize)]
pub(super) struct AccountRow {
    pub key: Option<String>,
    pub name: String,
    pub kind: AccountKind,
    pub institution: Option<String>,
    pub currency: Option<Currency>,
    pub party: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ItemRow {
    pub key: Option<String>,
    pub name: String,
    pub kind: ItemKind,
    pub class: Option<String>,
    pub subtype: Option<String>,
    pub account: Option<String>,
    pub currency: Option<Currency>,
    #[serde(default)]
    pub owners: Vec<OwnerShare>,
    pub symbol: Option<String>,
    pub exchange: Option<String>,
    pub coingecko_id: Option<String>,
    pub opened_on: Option<Date>,
    #[serde(default)]
    pub flags: Flags,
    pub notes: Option<String>,
    #[serde(default)]
    pub attributes: BTreeMap<String, String>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Flags {
    pub investable: Option<bool>,
}

#[derive(Debug, Deserialize)]
pub(super) struct TransactionRow {
    pub item: String,
    #[serde(rename = "type")]
    pub kind: TransactionKind,
    pub date: Date,
    #[serde(default, with = "decimal::text::optional")]
    pub units: Option<Decimal>,
    #[serde(default, with = "decimal::text::optional")]
    pub amount: Option<Decimal>,
    #[serde(default, with = "decimal::text::optional")]
    pub fees: Option<Decimal>,
    pub currency: Option<Currency>,
    #[serde(default, with = "decimal::text::optional")]
    pub fx_rate: Option<Decimal>,
    #[serde(default, with = "decimal::text::optional")]
    pub to: Option<Decimal>,
    #[serde(default, with = "decimal::text::optional")]
    pub from: Option<Decimal>,
    #[serde(default)]
    pub lots: Vec<LotChoice>,
    pub acquired_on: Option<Date>,
    pub external_ref: Option<String>,
    pub note: Option<String>,
    pub cash_item: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct TransferRow {
    pub from_item: String,
    pub to_item: String,
    pub date: Date,
    #[serde(default, with = "decimal::text::optional")]
    pub units: Option<Decimal>,
    #[serde(default, with = "decimal::text::optional")]
    pub amount: Option<Decimal>,
    #[serde(default, with = "decimal::text::optional")]
    pub to_amount: Option<Decimal>,
    #[serde(default)]
    pub lots: Vec<LotChoice>,
    pub external_ref: Option<String>,
    pub note: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ValuationRow {
    pub item: String,
    pub date: Date,
    #[serde(with = "decimal::text")]
    pub value: Decimal,
    pub currency: Option<Currency>,
    pub external_ref: Option<String>,
    pub note: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PriceRow {
    pub item: String,
    pub date: Date,
    #[serde(with = "decimal::text")]
    pub price: Decimal,
    pub currency: Option<Currency>,
    pub external_ref: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ReconciliationRow {
    pub item: String,
    pub date: Date,
    #[serde(default, with = "decimal::text::optional")]
    pub units: Option<Decimal>,
    #[serde(default, with = "decimal::text::optional")]
    pub value: Option<Decimal>,
    #[serde(default, with = "decimal::text::optional")]
    pub cost_base: Option<Decimal>,
}

impl ReconciliationRow {
    /// The one figure that is given.
    ///
    /// # Errors
    /// `invalid_input` when there is none, or more than one.
    pub(super) fn figure(&self) -> Result<Figure, Fault> {
        match (self.units, self.value, self.cost_base) {
            (Some(units), None, None) => Ok(Figure::Units(units)),
            (None, Some(value), None) => Ok(Figure::Value(value)),
            (None, None, Some(cost)) => Ok(Figure::CostBase(cost)),
            (None, None, None) => Err(missing(
                "units",
                "Give one figure: units, value or cost_base.",
            )),
            _ => Err(missing(
                "units",
                "Give exactly one figure of units, value and cost_base.",
            )),
        }
    }
}

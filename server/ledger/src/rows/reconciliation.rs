//! Rows that hold a statement's figure against the ledger, and what they said when they were recorded.

use crate::decimal::{self, Decimal, Exact};
use crate::ids::{ItemId, ReconciliationId};
use crate::model::Date;
use serde::{Deserialize, Serialize};

/// A figure that a statement prints, held against the ledger's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reconciliation {
    /// `rec_…`.
    pub id: ReconciliationId,
    /// The item.
    pub item: ItemId,
    /// The statement's date; close of the day.
    pub date: Date,
    /// The figure that the statement prints.
    #[serde(flatten)]
    pub figure: Figure,
    /// Where the figure is from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What the comparison said when it was recorded; stays as recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Comparison>,
}

/// Which figure a statement prints, and its value: `{"units": "10.5"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// Units held.
    Units(#[serde(with = "decimal::text")] Decimal),
    /// Value in the item's currency.
    Value(#[serde(with = "decimal::text")] Decimal),
    /// Cost base in the item's currency.
    CostBase(#[serde(with = "decimal::text")] Decimal),
}

impl Figure {
    /// The field it is given under.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Units(_) => "units",
            Self::Value(_) => "value",
            Self::CostBase(_) => "cost_base",
        }
    }

    /// What the statement prints.
    #[must_use]
    pub fn printed(&self) -> Decimal {
        match self {
            Self::Units(printed) | Self::Value(printed) | Self::CostBase(printed) => *printed,
        }
    }
}

/// What holding a statement's figure against the ledger gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// Whether they agree.
    pub status: Agreement,
    /// What the statement prints, as it was written.
    #[serde(with = "decimal::text")]
    pub statement: Decimal,
    /// What the ledger says.
    pub calculated: Exact,
    /// Statement less calculated.
    pub difference: Exact,
}

/// Whether a statement and the ledger agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// They do.
    Match,
    /// They do not.
    Mismatch,
}

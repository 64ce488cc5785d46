//! Why a batch is not taken, in the words of the contract.

use crate::batch::RowRef;
use crate::decimal::Overflow;
use crate::ids::BatchId;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The machine-readable reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalCode {
    /// A field is missing, out of place, or has a value it may not have.
    InvalidInput,
    /// Dated later than tomorrow.
    DateInFuture,
    /// Names something that is not there.
    NotFound,
    /// More units leave than are held.
    Oversell,
    /// Names a lot that the item does not hold at that time.
    UnknownLot,
    /// Takes more from a lot than it holds.
    LotExceeded,
    /// The named lots do not add up to the units.
    LotsDoNotAddUp,
    /// The item was sold as a whole before.
    AlreadySold,
    /// A currency that this row may not be in.
    CurrencyMismatch,
    /// No exchange rate, and none given.
    FxMissing,
    /// No price or valuation to compute with.
    PriceMissing,
    /// More digits than can be kept.
    Overflow,
    /// Ownership that does not add up to exactly 100.
    #[serde(rename = "owners_not_100")]
    OwnersNotHundred,
    /// A currency that is fixed because the item has a history.
    CurrencyLocked,
    /// A change of the past that does not call itself a correction.
    CorrectionRequired,
    /// The item is archived and takes no rows.
    ItemArchived,
    /// More of a loss is used than was lost.
    LossOverused,
    /// Another row, recorded earlier, would fail.
    WouldNotReplay,
}

impl RefusalCode {
    /// The code as it stands on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::InvalidInput => "invalid_input",
            Self::DateInFuture => "date_in_future",
            Self::NotFound => "not_found",
            Self::Oversell => "oversell",
            Self::UnknownLot => "unknown_lot",
            Self::LotExceeded => "lot_exceeded",
            Self::LotsDoNotAddUp => "lots_do_not_add_up",
            Self::AlreadySold => "already_sold",
            Self::CurrencyMismatch => "currency_mismatch",
            Self::FxMissing => "fx_missing",
            Self::PriceMissing => "price_missing",
            Self::Overflow => "overflow",
            Self::OwnersNotHundred => "owners_not_100",
            Self::CurrencyLocked => "currency_locked",
            Self::CorrectionRequired => "correction_required",
            Self::ItemArchived => "item_archived",
            Self::LossOverused => "loss_overused",
            Self::WouldNotReplay => "would_not_replay",
        }
    }
}

impl fmt::Display for RefusalCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Why a batch, an undo or a question is refused as a whole, with nothing written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Refusal {
    /// The machine-readable reason.
    pub code: RefusalCode,
    /// How to fix it.
    pub message: String,
    /// The row that fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<Box<RowRef>>,
    /// The batch that the failing row stands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<BatchId>,
    /// The field at fault, inside the row: `units`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// For [`RefusalCode::WouldNotReplay`]: what the failing row itself fails with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<RefusalCode>,
}

impl Refusal {
    /// A refusal that names no row.
    #[must_use]
    pub fn new(code: RefusalCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            row: None,
            batch: None,
            field: None,
            cause: None,
        }
    }

    /// The same, with the field at fault.
    #[must_use]
    pub fn at(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// The path to the field at fault as the caller wrote it: `transactions[3].units`.
    #[must_use]
    pub fn path(&self) -> Option<String> {
        let row = self
            .row
            .as_ref()
            .and_then(|row| Some((row.list.name(), row.index?)));
        match (row, &self.field) {
            (Some((list, index)), Some(field)) => Some(format!("{list}[{index}].{field}")),
            (Some((list, index)), None) => Some(format!("{list}[{index}]")),
            (None, field) => field.clone(),
        }
    }

    /// The refusal of a field that is missing or may not have this value.
    pub(crate) fn invalid(field: &str, message: impl Into<String>) -> Self {
        Self::new(RefusalCode::InvalidInput, message).at(field)
    }

    /// The refusal for something named that is not there.
    pub(crate) fn not_found(field: &str, id: impl fmt::Display) -> Self {
        let message = format!("{id} is not in this workspace; use an id that a read tool shows");
        Self::new(RefusalCode::NotFound, message).at(field)
    }
}

impl From<Overflow> for Refusal {
    fn from(overflow: Overflow) -> Self {
        Self::new(RefusalCode::Overflow, overflow.to_string())
    }
}

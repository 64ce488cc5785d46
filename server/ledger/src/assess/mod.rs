//! What a draft would do to a ledger, or an undo: nothing is written, everything is said.

mod checks;
mod compute;
mod imports;
mod outcome;
mod rates;
mod warnings;

pub use outcome::{ItemOutcome, Outcome};
pub use rates::RowRate;
pub use warnings::Warning;

pub(crate) use imports::repeated_reference;

use crate::batch::{Batch, Change, RowList, RowRef};
use crate::decimal::Exact;
use crate::ids::BatchId;
use crate::ledger::Ledger;
use crate::model::{Currency, Date};
use serde::{Deserialize, Serialize};

/// Changes that somebody would like to record. Keep it as it is with the preview and assess it again at
/// commit: the same draft on a changed ledger says whether the preview is stale.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// The id that the batch will have.
    pub batch: BatchId,
    /// The day on which figures before and after are compared, and which decides what is in the future.
    pub today: Date,
    /// In the order recorded. Rates and results of rows are filled in, whatever they say.
    pub changes: Vec<Change>,
}

/// What recording a draft would do.
#[derive(Debug, Clone)]
pub struct Assessment {
    /// What would be written: the draft without the rows that are known or in conflict, with rates and
    /// results filled in.
    pub batch: Batch,
    /// What became of each row of the draft, in its order. Parties, accounts and items are not rows.
    pub rows: Vec<RowVerdict>,
    /// What the user should know before it is recorded.
    pub warnings: Vec<Warning>,
    /// The exchange rates of the new rows.
    pub rates: Vec<RowRate>,
    /// Net worth on the draft's day.
    pub net_worth: NetWorthChange,
    /// The ledger with the batch.
    pub after: Ledger,
    /// What a stale preview is told by.
    pub outcome: Outcome,
}

/// What taking a batch back would do.
#[derive(Debug, Clone)]
pub struct Removal {
    /// The rows that would be gone.
    pub removed: Vec<RowRef>,
    /// What the user should know before.
    pub warnings: Vec<Warning>,
    /// Net worth on the day asked for.
    pub net_worth: NetWorthChange,
    /// The ledger without the batch.
    pub after: Ledger,
    /// What a stale preview is told by.
    pub outcome: Outcome,
}

/// What became of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowVerdict {
    /// Its list in the draft.
    pub list: RowList,
    /// Its place in that list.
    pub index: usize,
    /// New, known, or in conflict with a known one.
    pub class: RowClass,
    /// The id it would have, or, unless it is new, the id of the row that is stored.
    pub id: String,
    /// The name the row has where it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_ref: Option<String>,
    /// For a conflict: what the draft says otherwise than the stored row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
}

/// How a row stands to what is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowClass {
    /// Would be written.
    New,
    /// Same reference, same content: skipped.
    Duplicate,
    /// Same reference, other content: never written, the stored row stays.
    Conflict,
}

/// A field in which a row and its stored namesake differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The field.
    pub field: String,
    /// What is stored.
    pub stored: Option<String>,
    /// What the draft says.
    pub given: Option<String>,
}

/// Net worth on a day without and with a change, in base currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetWorthChange {
    /// Without it.
    pub before: Exact,
    /// With it.
    pub after: Exact,
    /// After less before.
    pub change: Exact,
    /// Base currency of the workspace.
    pub currency: Currency,
}

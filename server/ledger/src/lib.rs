//! The wealth ledger: batches in, figures out.
//!
//! Pure by construction: no async, no I/O, no clock, no randomness. Dates, ids and exchange rates are
//! handed in. A workspace is its list of committed batches; its state is the replay of that list, a
//! preview is the replay with one more, an undo the replay with one less, and a refusal a replay that
//! fails. Nothing is stored that a replay would not give.
//!
//! In reading order:
//!
//! 1. [`decimal`]: what a number is at the door, and [`decimal::Exact`], what figures are computed in.
//! 2. [`ids`], [`model`], [`rows`], [`changes`], [`batch`]: the words, from a party to a batch.
//! 3. [`rules`]: every choice, with its default and the defects that are its other values.
//! 4. [`fx`]: exchange rates.
//! 5. `replay`: the fold. `table` says which item takes which row, `order` what comes first inside a day,
//!    `holding` and `lots` what a row does, `ownership` who owns what.
//! 6. [`ledger`]: the result, and the questions one may ask of it; `worth` values it on a date,
//!    `reconcile` holds statements against it, `simulate` asks what a sale would bring, `reports` tells of
//!    history, performance, debts, goals and losses.
//! 7. [`assess`]: what a draft would do: known rows, rates, refusals, warnings, and the outcome that says
//!    whether a preview is stale.
//! 8. [`refusal`]: every way to say no.

pub mod assess;
pub mod batch;
pub mod changes;
pub mod decimal;
pub mod fx;
pub mod ids;
pub mod ledger;
pub mod model;
mod reconcile;
pub mod refusal;
mod replay;
mod reports;
pub mod rows;
pub mod rules;
mod simulate;
mod worth;

pub use assess::{Assessment, Draft, Outcome, Removal, RowClass, RowVerdict, Warning};
pub use batch::{Batch, Change, RowList, RowRef};
pub use ledger::Ledger;
pub use refusal::{Refusal, RefusalCode};
pub use replay::lots::Lot;
pub use replay::sale::{Sale, SoldLot};
pub use reports::{
    DebtReport, GoalReport, History, HistoryQuery, Interval, ItemPerformance, LoanReport,
    LossTotal, LossTotals, MOST_POINTS, Movement, NoReturn, OffsetBalance, Performance,
    PerformanceQuery, PropertyReport, Returns,
};
pub use rules::Rules;
pub use simulate::{PartyGain, PositionAfter, SaleQuestion, SimulatedSale};
pub use worth::{
    Breakdown, BreakdownLine, MissingFigure, MissingItem, NetWorth, NetWorthQuery, Position,
    StaleItem,
};

//! What the ledger tells beyond one day's balance sheet: points over time, returns, debts, goals, losses.

mod debts;
mod goals;
mod history;
mod losses;
mod performance;

pub use debts::{DebtReport, LoanReport, OffsetBalance, PropertyReport};
pub use goals::GoalReport;
pub use history::{History, HistoryQuery, Interval, MOST_POINTS, Movement};
pub use losses::{LossTotal, LossTotals};
pub use performance::{ItemPerformance, NoReturn, Performance, PerformanceQuery, Returns};

/// Places of a ratio: a share of progress, a simple return, a loan to value.
const RATIO_PLACES: u32 = 10;

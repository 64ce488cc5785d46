//! What comes first inside a day.

use super::table::{Effect, entry};
use crate::batch::Change;
use crate::model::{ItemKind, Measure};
use crate::rules::{BalanceValuation, Rules, WithinDay};

/// The rank of a change inside its day: lower is earlier, equal ranks keep the order recorded.
///
/// A split takes effect before anything else of its date, so the other rows are in units after it; what
/// adds comes before what takes away, so a sale may be written above the buy it needs; a valuation of a
/// balance is of the close of the day, one of something valued as a whole stands beside the day's sale.
pub(crate) fn rank(change: &Change, item: Option<ItemKind>, rules: &Rules) -> u8 {
    const CLOSE: u8 = 9;
    let effect = match change {
        Change::Transaction(row) => match item.and_then(|item| entry(item, row.kind)) {
            Some(entry) => entry.effect,
            None => return CLOSE,
        },
        Change::Transfer(_) => Effect::Beside,
        Change::Valuation(_) if item.is_some_and(|item| item.measured_by() == Measure::Value) => {
            Effect::Beside
        }
        Change::Valuation(_) if rules.worth.balance_valuation == BalanceValuation::ResetsAtOpen => {
            return 0;
        }
        _ => return CLOSE,
    };
    let [split, adds, beside, takes] = match rules.within_day {
        WithinDay::Contract => [1, 2, 3, 4],
        WithinDay::AsRecorded => [1, 1, 1, 1],
        WithinDay::RemovalsFirst => [1, 4, 3, 2],
        WithinDay::SplitsLast => [5, 2, 3, 4],
    };
    match effect {
        Effect::Split => split,
        Effect::AcquireUnits | Effect::AcquireWhole | Effect::Improve | Effect::RaiseBalance => {
            adds
        }
        Effect::Beside => beside,
        Effect::SellUnits | Effect::ReleaseUnits | Effect::SellWhole | Effect::LowerBalance => {
            takes
        }
    }
}

//! Net worth at the calendar ends of a range. Each point is the balance sheet of its day; the ledger is replayed once
//! for all of them.

use super::RATIO_PLACES;
use crate::decimal::{Exact, Overflow};
use crate::fx::RateSource;
use crate::ids::PartyId;
use crate::ledger::Ledger;
use crate::model::Date;
use crate::refusal::Refusal;
use crate::rules::{BeforeFirstRow, HistoryChange, HistoryPoints, PeriodEnds};
use crate::worth::{Breakdown, NetWorth, NetWorthQuery};
use serde::{Deserialize, Serialize};

/// The most points of one question: fifty years of months.
pub const MOST_POINTS: usize = 600;

/// The most lines that the breakdowns of one question add up to.
const MOST_LINES: usize = 200_000;

/// What is asked about the past.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryQuery {
    /// First day that may be a point.
    pub from: Date,
    /// Last day that may be a point.
    pub to: Date,
    /// Whose ends are points.
    pub interval: Interval,
    /// Only this party's part.
    pub party: Option<PartyId>,
    /// How to break each point down.
    pub by: Option<Breakdown>,
}

/// The calendar periods whose last days are points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Interval {
    /// Months.
    Month,
    /// Quarters of the calendar year.
    Quarter,
    /// Calendar years.
    Year,
}

/// Points over time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// The balance sheet of each point, oldest first.
    pub points: Vec<NetWorth>,
    /// From the first point to the last; nothing without points.
    pub change: Option<Movement>,
}

/// How much a figure moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Movement {
    /// Last less first.
    pub amount: Exact,
    /// The amount over the first, to ten places; nothing when the first is not above zero.
    pub ratio: Option<Exact>,
}

impl Ledger {
    /// The net worth at each calendar end inside a range, both of its ends included. A point before the first row is
    /// partial: nothing is known of that day.
    ///
    /// # Errors
    /// `invalid_input` for a range that runs backwards, has more than [`MOST_POINTS`] points or too long breakdowns, `not_found` for a
    /// party that is not there, `overflow`.
    pub fn history(
        &self,
        query: &HistoryQuery,
        rates: &dyn RateSource,
    ) -> Result<History, Refusal> {
        if query.from > query.to {
            let message = format!("{} comes after {}", query.from, query.to);
            return Err(Refusal::invalid("from", message));
        }
        if let Some(party) = query.party.as_ref().filter(|party| !self.has_party(party)) {
            return Err(Refusal::not_found("party", party));
        }
        let rules = self.rules().history;
        let days: Vec<Date> = ends(query, rules.ends).take(MOST_POINTS + 1).collect();
        if days.len() > MOST_POINTS {
            let message = format!("at most {MOST_POINTS} points are given at once");
            return Err(Refusal::invalid("from", message));
        }
        let first_row = self.first_row();
        let mut points = Vec::with_capacity(days.len());
        let mut lines = 0;
        for date in days {
            let of_day = NetWorthQuery {
                date,
                party: query.party.clone(),
                by: query.by,
            };
            let mut point = match rules.points {
                HistoryPoints::Replayed => self.net_worth(&of_day, rates)?,
                HistoryPoints::Remembered => self.known_by(date)?.net_worth(&of_day, rates)?,
            };
            let before = first_row.is_none_or(|first| date < first);
            point.partial |= before && rules.before_first_row == BeforeFirstRow::Partial;
            lines += point.breakdown.as_ref().map_or(0, Vec::len);
            if lines > MOST_LINES {
                let message =
                    "the breakdowns are too long: ask for fewer points, or by something coarser";
                return Err(Refusal::invalid("by", message));
            }
            points.push(point);
        }
        let first = match rules.change {
            HistoryChange::FromFirst => points.first(),
            HistoryChange::FromSecond => points.get(1).or(points.first()),
        };
        let change = match (first, points.last()) {
            (Some(first), Some(last)) => Some(movement(first.net_worth, last.net_worth)?),
            _ => None,
        };
        Ok(History { points, change })
    }
}

fn movement(first: Exact, last: Exact) -> Result<Movement, Overflow> {
    let amount = last.minus(first)?;
    let ratio = if first.is_positive() {
        Some(amount.over(first)?.rounded(RATIO_PLACES)?)
    } else {
        None
    };
    Ok(Movement { amount, ratio })
}

/// The points of a range.
fn ends(query: &HistoryQuery, rule: PeriodEnds) -> impl Iterator<Item = Date> {
    let (interval, to) = (query.interval, query.to);
    let first = match rule {
        PeriodEnds::ThirtyDays => Some(query.from),
        _ => end_of(query.from, interval),
    };
    let next = move |date: &Date| match rule {
        PeriodEnds::ThirtyDays => date.checked_add(jiff::Span::new().days(30)).ok(),
        _ => end_of(date.tomorrow().ok()?, interval),
    };
    std::iter::successors(first, next)
        .take_while(move |date| match rule {
            PeriodEnds::LastLeftOut => *date < to,
            _ => *date <= to,
        })
        .filter_map(move |date| match rule {
            PeriodEnds::DayAfter => date.tomorrow().ok(),
            _ => Some(date),
        })
}

/// The last day of the period that a day lies in.
fn end_of(date: Date, interval: Interval) -> Option<Date> {
    let month = match interval {
        Interval::Month => date.month(),
        Interval::Quarter => (date.month() - 1) / 3 * 3 + 3,
        Interval::Year => 12,
    };
    Some(Date::new(date.year(), month, 1).ok()?.last_of_month())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn points(from: Date, to: Date, interval: Interval) -> Vec<String> {
        let query = HistoryQuery {
            from,
            to,
            interval,
            party: None,
            by: None,
        };
        let days = ends(&query, PeriodEnds::Calendar);
        days.map(|day| day.to_string()).collect()
    }

    #[test]
    fn points_are_calendar_ends_inside_the_range() {
        assert_eq!(
            points(date(2024, 1, 31), date(2024, 3, 30), Interval::Month),
            ["2024-01-31", "2024-02-29"]
        );
        assert_eq!(
            points(date(2024, 1, 1), date(2024, 12, 30), Interval::Quarter),
            ["2024-03-31", "2024-06-30", "2024-09-30"]
        );
        assert_eq!(
            points(date(2022, 12, 31), date(2023, 12, 31), Interval::Year),
            ["2022-12-31", "2023-12-31"]
        );
        assert!(points(date(2023, 2, 1), date(2023, 2, 27), Interval::Month).is_empty());
    }

    #[test]
    fn the_end_of_the_calendar_is_no_panic() {
        let last = Date::MAX;
        assert_eq!(points(last, last, Interval::Month), ["9999-12-31"]);
    }
}

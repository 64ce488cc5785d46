//! How far goals are: the figure of the day, its trend over twelve months, and when that would reach the target.

use super::RATIO_PLACES;
use crate::decimal::{Exact, Overflow};
use crate::fx::RateSource;
use crate::ids::GoalId;
use crate::ledger::Ledger;
use crate::model::{Currency, Date, Goal, GoalKind, ItemKind};
use crate::refusal::Refusal;
use crate::rules::{DebtGoals, LeadsAway, Pace, TrendPeriod};
use crate::worth::NetWorthQuery;
use serde::{Deserialize, Serialize};

/// Months that a trend looks back.
const TREND_MONTHS: i32 = 12;
/// Most month ends at which the highest debt is looked for: fifty years.
const MOST_MONTHS: i32 = 600;

/// A goal on a day. Figures are in the goal's currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoalReport {
    /// `gol_…`.
    pub goal: GoalId,
    /// Currency of the target and the figures.
    pub currency: Currency,
    /// Net worth or debt of the day; nothing without an exchange rate.
    pub current: Option<Exact>,
    /// Whether the figure lacks a part.
    pub partial: bool,
    /// Share of the way: current over target, or for a debt what is paid off of its highest month end.
    pub progress: Option<Exact>,
    /// Current less the figure at the beginning of the trend; nothing without a month of complete history.
    pub trend: Option<Exact>,
    /// The day on which the trend begins: twelve months before, or the first complete point after that.
    pub trend_from: Option<Date>,
    /// The trend over its months.
    pub trend_monthly: Option<Exact>,
    /// When the trend would reach the target; nothing where it is reached, flat, or leads away.
    pub projected_date: Option<Date>,
    /// Whether it is reached.
    pub reached: bool,
    /// Whether it is reached, or projected in time; nothing without a target date or a trend.
    pub on_pace: Option<bool>,
}

/// A figure and whether it holds everything.
#[derive(Debug, Clone, Copy)]
struct Point {
    figure: Option<Exact>,
    complete: bool,
}

impl Ledger {
    /// The goals that are not archived, on a day, by id.
    ///
    /// # Errors
    /// `overflow` of a figure.
    pub fn goal_reports(
        &self,
        date: Date,
        rates: &dyn RateSource,
    ) -> Result<Vec<GoalReport>, Refusal> {
        self.goals()
            .filter(|goal| !goal.archived)
            .map(|goal| self.goal_report(goal, date, rates))
            .collect()
    }

    fn goal_report(
        &self,
        goal: &Goal,
        date: Date,
        rates: &dyn RateSource,
    ) -> Result<GoalReport, Refusal> {
        let rules = self.rules().goals;
        let now = self.point(goal, date, rates)?;
        let target = Exact::from(goal.target);
        let falls = goal.kind == GoalKind::Debt && rules.debt == DebtGoals::Downwards;
        let reached = now
            .figure
            .is_some_and(|now| if falls { now <= target } else { now >= target });
        let mut report = GoalReport {
            goal: goal.id.clone(),
            currency: goal.currency,
            current: now.figure,
            partial: !now.complete,
            progress: None,
            trend: None,
            trend_from: None,
            trend_monthly: None,
            projected_date: None,
            reached,
            on_pace: reached.then_some(true),
        };
        let Some(current) = now.figure else {
            return Ok(report);
        };
        report.progress = if falls {
            self.paid_off(goal, current, date, rates)?
        } else {
            ratio(current, target)?
        };
        if falls && reached {
            report.progress = Some(Exact::ONE);
        }
        if let Some((since, before, months)) = self.trend_start(goal, now, date, rates)? {
            let trend = current.minus(before)?;
            report.trend = Some(trend);
            report.trend_from = Some(since);
            report.trend_monthly = Some(trend.over(Exact::whole(i64::from(months)))?);
            report.projected_date = projected(
                date,
                target.minus(current)?,
                trend,
                months,
                rules.leads_away,
            )?
            .filter(|_| !reached);
        }
        report.on_pace = match (goal.by, report.trend) {
            (None, _) => None,
            (Some(_), _) if reached => Some(true),
            (Some(_), None) => None,
            (Some(by), Some(_)) => Some(match rules.pace {
                Pace::Projected => report.projected_date.is_some_and(|date| date <= by),
                Pace::HalfReached => report.progress.is_some_and(|progress| {
                    progress
                        .plus(progress)
                        .is_ok_and(|twice| twice >= Exact::ONE)
                }),
            }),
        };
        Ok(report)
    }

    /// The figure that a goal measures, in its currency.
    fn point(&self, goal: &Goal, date: Date, rates: &dyn RateSource) -> Result<Point, Refusal> {
        let (figure, partial) = match goal.kind {
            GoalKind::NetWorth => {
                let sheet = self.net_worth(&NetWorthQuery::on(date), rates)?;
                (sheet.net_worth, sheet.partial)
            }
            GoalKind::Debt => self.debt_on(date, rates)?,
        };
        let begun = self.first_row().is_some_and(|first| first <= date);
        let figure = self.in_currency(figure, self.base(), goal.currency, date, rates)?;
        Ok(Point {
            figure,
            complete: begun && !partial && figure.is_some(),
        })
    }

    /// What all loans owe in base currency, and whether a loan is missing in it.
    fn debt_on(&self, date: Date, rates: &dyn RateSource) -> Result<(Exact, bool), Refusal> {
        let (mut debt, mut partial) = (Exact::ZERO, false);
        let loans = self.book().items.iter();
        for book in loans.filter(|book| book.item.kind == ItemKind::Loan) {
            let position = self.position_of(book, date, rates)?;
            match position.value_base {
                Some(owed) => debt = debt.plus(owed)?,
                None => partial |= position.held,
            }
        }
        Ok((debt, partial))
    }

    /// How much of a debt is paid off, from its highest month end until today to the target.
    fn paid_off(
        &self,
        goal: &Goal,
        current: Exact,
        date: Date,
        rates: &dyn RateSource,
    ) -> Result<Option<Exact>, Refusal> {
        let mut highest = current;
        let first = self.first_row().unwrap_or(date);
        for months in 1..=MOST_MONTHS {
            let Ok(day) = date.checked_sub(jiff::Span::new().months(months)) else {
                break;
            };
            let end = day.last_of_month();
            if end < first {
                break;
            }
            if let Some(owed) = self.point(goal, end, rates)?.figure {
                highest = highest.max(owed);
            }
        }
        let way = highest.minus(goal.target.into())?;
        Ok(ratio(highest.minus(current)?, way)?)
    }

    /// Where a trend begins: its day, the figure then, and how many months ago that is.
    fn trend_start(
        &self,
        goal: &Goal,
        now: Point,
        date: Date,
        rates: &dyn RateSource,
    ) -> Result<Option<(Date, Exact, i32)>, Refusal> {
        let from_zero = self.rules().goals.trend == TrendPeriod::FromZero;
        if !now.complete && !from_zero {
            return Ok(None);
        }
        for months in (1..=TREND_MONTHS).rev() {
            let Ok(day) = date.checked_sub(jiff::Span::new().months(months)) else {
                continue;
            };
            let point = self.point(goal, day, rates)?;
            match point.figure {
                Some(figure) if point.complete || from_zero => {
                    return Ok(Some((day, figure, months)));
                }
                _ => {}
            }
        }
        Ok(None)
    }
}

fn ratio(part: Exact, whole: Exact) -> Result<Option<Exact>, Overflow> {
    if whole.is_zero() {
        return Ok(None);
    }
    Ok(Some(part.over(whole)?.rounded(RATIO_PLACES)?))
}

/// The day on which a trend covers the way that is left, in whole months rounded up.
fn projected(
    date: Date,
    way: Exact,
    trend: Exact,
    months: i32,
    leads_away: LeadsAway,
) -> Result<Option<Date>, Overflow> {
    if trend.is_zero() || way.is_zero() {
        return Ok(None);
    }
    let away = way.is_negative() != trend.is_negative();
    if away && leads_away == LeadsAway::NoDate {
        return Ok(None);
    }
    // The way over the monthly trend, rounded up; one division, so that 120 months stay 120.
    let exact = way.times_over(Exact::whole(i64::from(months)), trend)?;
    let whole = exact.rounded(0)?;
    let count = if whole < exact {
        whole.plus(Exact::ONE)?
    } else {
        whole
    };
    let span = count
        .to_string()
        .parse()
        .ok()
        .and_then(|months: i32| jiff::Span::new().try_months(months).ok());
    Ok(span.and_then(|span| date.checked_add(span).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn months_are_rounded_up_and_the_end_of_time_is_no_date() {
        let whole = Exact::whole;
        let on = |way, trend| {
            projected(
                date(2024, 6, 30),
                whole(way),
                whole(trend),
                12,
                LeadsAway::NoDate,
            )
        };
        assert_eq!(on(120, 12), Ok(Some(date(2034, 6, 30))));
        assert_eq!(on(121, 12), Ok(Some(date(2034, 7, 30))));
        assert_eq!(on(-36, -12), Ok(Some(date(2027, 6, 30))));
        assert_eq!(on(120, -12), Ok(None));
        assert_eq!(on(120, 0), Ok(None));
        assert_eq!(on(i64::MAX, 1), Ok(None));
    }
}

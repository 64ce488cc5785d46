//! Exchange rates: published rates against the euro, and the cross rate of two of them.

use crate::decimal::{Decimal, Exact, Overflow};
use crate::model::{Currency, Date};
use crate::rows::{AppliedRate, RateOrigin};
use crate::rules::{CrossRate, FxRules, MissingDay};
use std::collections::BTreeMap;

/// How many days back a publication may lie.
pub const LOOK_BACK_DAYS: i32 = 7;

/// Where published rates come from.
pub trait RateSource {
    /// Units of the currency per one euro, as published on exactly that date. The euro itself is not asked
    /// for.
    fn published(&self, currency: Currency, date: Date) -> Option<Exact>;

    /// The rate in force: of the last publication on or before the date, with its date.
    fn per_euro(&self, currency: Currency, date: Date) -> Option<(Exact, Date)> {
        days_back(date, LOOK_BACK_DAYS).find_map(|day| Some((self.published(currency, day)?, day)))
    }
}

/// No rate between two currencies around a date.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RateError {
    /// Not published within the look-back.
    #[error("no rate from {from} to {to} was published on {date} or in the 7 days before")]
    Missing {
        /// Of one unit of this.
        from: Currency,
        /// Into this.
        to: Currency,
        /// The date asked for.
        date: Date,
    },
    /// The cross rate does not fit.
    #[error(transparent)]
    Overflow(#[from] Overflow),
}

/// The rate from one currency to another on a date: `per_euro[to] / per_euro[from]`, both of the same
/// publication, rounded once to 18 places.
///
/// # Errors
/// [`RateError`] when neither publication of the look-back has both.
pub fn rate(
    from: Currency,
    to: Currency,
    date: Date,
    source: &dyn RateSource,
    rules: &FxRules,
) -> Result<AppliedRate, RateError> {
    let applied = |rate, rate_date| AppliedRate {
        from,
        to,
        rate,
        rate_date,
        source: RateOrigin::Ecb,
    };
    if from == to {
        return Ok(applied(Exact::ONE, date));
    }
    let quoted = |day: Date| {
        let per_euro = |currency| {
            if currency == Currency::EUR {
                Some(Exact::ONE)
            } else {
                source.published(currency, day)
            }
        };
        Some((per_euro(from)?, per_euro(to)?, day))
    };
    let found = match rules.missing_day {
        MissingDay::PreviousPublication => days_back(date, rules.look_back.days()).find_map(quoted),
        MissingDay::NextPublication => days_on(date, LOOK_BACK_DAYS).find_map(quoted),
        MissingDay::One => quoted(date).or(Some((Exact::ONE, Exact::ONE, date))),
    };
    let (from_rate, to_rate, day) = found.ok_or(RateError::Missing { from, to, date })?;
    let cross = match rules.cross_rate {
        CrossRate::ToOverFrom => to_rate.over(from_rate)?,
        CrossRate::FromOverTo => from_rate.over(to_rate)?,
    };
    Ok(applied(cross.rounded(rules.rate_places.places())?, day))
}

fn days_back(date: Date, limit: i32) -> impl Iterator<Item = Date> {
    (0..=limit).map_while(move |days| date.checked_sub(jiff::Span::new().days(days)).ok())
}

fn days_on(date: Date, limit: i32) -> impl Iterator<Item = Date> {
    (0..=limit).map_while(move |days| date.checked_add(jiff::Span::new().days(days)).ok())
}

/// The reference rates of the European Central Bank, by day.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EcbTable {
    days: BTreeMap<Date, Vec<(Currency, Decimal)>>,
}

impl EcbTable {
    /// A table from its rows: each a publication date and the units per euro it quotes. A date that comes
    /// twice keeps its last row.
    #[must_use]
    pub fn from_rows(rows: impl IntoIterator<Item = (Date, Vec<(Currency, Decimal)>)>) -> Self {
        let mut days = BTreeMap::new();
        for (date, mut quotes) in rows {
            quotes.sort_by_key(|(currency, _)| *currency);
            days.insert(date, quotes);
        }
        Self { days }
    }

    /// The date of the last publication.
    #[must_use]
    pub fn last_publication(&self) -> Option<Date> {
        self.days.last_key_value().map(|(date, _)| *date)
    }

    /// How many publications there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.days.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.days.is_empty()
    }
}

impl RateSource for EcbTable {
    fn published(&self, currency: Currency, date: Date) -> Option<Exact> {
        let quotes = self.days.get(&date)?;
        let place = quotes
            .binary_search_by_key(&currency, |(currency, _)| *currency)
            .ok()?;
        let (_, per_euro) = quotes.get(place)?;
        Some(Exact::from(*per_euro)).filter(|rate| rate.is_positive())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::FxRules;
    use jiff::civil::date;

    fn currency(code: &str) -> Currency {
        code.parse().expect("a currency")
    }

    fn table() -> EcbTable {
        let quote =
            |code: &str, rate: &str| (currency(code), crate::decimal::parse(rate).expect("a rate"));
        EcbTable::from_rows([
            (
                date(2024, 6, 27),
                vec![
                    quote("USD", "1.0696"),
                    quote("AUD", "1.6090"),
                    quote("RUB", "90"),
                ],
            ),
            (
                date(2024, 6, 28),
                vec![quote("USD", "1.0705"), quote("AUD", "1.6079")],
            ),
        ])
    }

    fn rate_on(from: &str, to: &str, on: Date) -> Result<AppliedRate, RateError> {
        rate(
            currency(from),
            currency(to),
            on,
            &table(),
            &FxRules::default(),
        )
    }

    #[test]
    fn a_sunday_uses_friday_and_says_so() {
        let applied = rate_on("USD", "AUD", date(2024, 6, 30)).expect("a rate");
        assert_eq!(applied.rate.to_string(), "1.502008407286314806");
        assert_eq!(applied.rate_date, date(2024, 6, 28));
    }

    #[test]
    fn both_sides_are_of_the_same_publication() {
        let applied = rate_on("RUB", "USD", date(2024, 6, 30)).expect("a rate");
        assert_eq!(applied.rate_date, date(2024, 6, 27));
    }

    #[test]
    fn beyond_seven_days_there_is_no_rate() {
        assert!(rate_on("USD", "EUR", date(2024, 7, 5)).is_ok());
        assert!(matches!(
            rate_on("USD", "EUR", date(2024, 7, 6)),
            Err(RateError::Missing { .. })
        ));
        assert!(matches!(
            rate_on("USD", "CHF", date(2024, 6, 28)),
            Err(RateError::Missing { .. })
        ));
    }
}

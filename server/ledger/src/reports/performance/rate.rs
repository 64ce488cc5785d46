//! The money-weighted annual return: the rate at which the flows of an owner are worth nothing together.
//!
//! The rate is looked for as `u = ln(1 + r)`, in which the present value is a sum of exponentials without poles, and
//! every root is bracketed before it is refined, so that a deep loss is solved like a small gain. This is the one
//! figure of the ledger that no decimal can hold exactly; it is computed in binary and rounded to twelve digits.

use crate::decimal::{Exact, Overflow};
use crate::model::Date;
use crate::rules::YearLength;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Rates above a thousand million are not quoted.
const HIGHEST: f64 = 1e9;
/// Below this a rate is not distinguishable from the loss of everything: `1 + r` has no digit left.
const LOWEST: f64 = -39.0;
/// Digits of a rate that are given.
const SIGNIFICANT: i32 = 12;
/// Places of a rate that binary arithmetic can answer for; what lies beyond is noise around zero.
const PLACES: i32 = 14;
/// Days of a short period are fewer.
const YEAR: i32 = 365;

/// Why there is no annual return.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoReturn {
    /// No money moved and nothing was held.
    NoFlows,
    /// Everything happened on one day.
    ZeroDuration,
    /// All flows have one sign, as when everything is lost.
    NoSignChange,
    /// No rate makes the flows worth nothing.
    NoSolution,
    /// More than one rate does.
    MultipleSolutions,
    /// The rate is too large, or too close to the loss of everything, to be quoted.
    OutOfRange,
    /// A value at the start or the end is not known.
    ValueMissing,
}

/// Whether flows span less than a year.
pub(super) fn is_short(flows: &[(Date, Exact)]) -> bool {
    let days = flows.iter().filter(|(_, amount)| !amount.is_zero());
    let (first, last) = (
        days.clone().map(|flow| flow.0).min(),
        days.map(|flow| flow.0).max(),
    );
    match (first, last) {
        (Some(first), Some(last)) => days_between(first, last) < YEAR,
        _ => false,
    }
}

/// The annual return of flows from the owner's side, of which the last stands at `end`.
pub(super) fn annual(
    flows: &[(Date, Exact)],
    end: Date,
    year: YearLength,
) -> Result<Result<Exact, NoReturn>, Overflow> {
    let moved: Vec<_> = flows
        .iter()
        .filter(|(_, amount)| !amount.is_zero())
        .collect();
    let Some((first, _)) = moved.iter().min_by_key(|(date, _)| *date) else {
        return Ok(Err(NoReturn::NoFlows));
    };
    let one_day = moved.iter().all(|(date, _)| date == first);
    let both_signs = moved.iter().any(|(_, amount)| amount.is_negative())
        && moved.iter().any(|(_, amount)| amount.is_positive());
    if one_day && (both_signs || end == *first) {
        return Ok(Err(NoReturn::ZeroDuration));
    }
    let curve = Curve::new(flows, year)?;
    if curve.sign_changes() == 0 {
        return Ok(Err(NoReturn::NoSignChange));
    }
    let roots = curve.roots();
    match (roots.inside.as_slice(), roots.beyond) {
        ([root], false) => Ok(Ok(written(*root))),
        ([], true) => Ok(Err(NoReturn::OutOfRange)),
        ([], false) => Ok(Err(NoReturn::NoSolution)),
        _ => Ok(Err(NoReturn::MultipleSolutions)),
    }
}

/// A rate between the first two: the answer of a server that does not look whether it solves anything.
pub(super) fn between(flows: &[(Date, Exact)], year: YearLength) -> Result<Exact, Overflow> {
    let roots = Curve::new(flows, year)?.roots().inside;
    let sum: f64 = roots.iter().take(2).sum();
    Ok(written(sum / 2.0))
}

fn days_between(first: Date, last: Date) -> i32 {
    first.until(last).map_or(0, |span| span.get_days())
}

/// The rate of a root, with twelve significant digits: of the rate itself, or, close to the loss of everything, of what
/// is left of one.
fn written(u: f64) -> Exact {
    let rounded = |figure: f64, most: i32| -> Exact {
        let magnitude = if figure == 0.0 {
            0.0
        } else {
            figure.abs().log10().floor()
        };
        // Between -18 and 9 for every root that is looked for.
        let places = (SIGNIFICANT - 1 - magnitude as i32).clamp(0, most) as usize;
        format!("{figure:.places$}").parse().unwrap_or_default()
    };
    let rate = u.exp_m1();
    if rate > -0.5 {
        return rounded(rate, PLACES);
    }
    rounded(u.exp(), 18).minus(Exact::ONE).unwrap_or_default()
}

/// The present value of flows as a function of `u`.
struct Curve {
    /// Years since the first flow, and the amount; summed by day, none of them zero.
    terms: Vec<(f64, f64)>,
    last: f64,
}

struct Roots {
    inside: Vec<f64>,
    /// Whether there are more outside the range that is looked at.
    beyond: bool,
}

impl Curve {
    fn new(flows: &[(Date, Exact)], year: YearLength) -> Result<Self, Overflow> {
        let mut days: BTreeMap<Date, Exact> = BTreeMap::new();
        for (date, amount) in flows {
            let sum = days.entry(*date).or_default();
            *sum = sum.plus(*amount)?;
        }
        days.retain(|_, amount| !amount.is_zero());
        let Some(first) = days.keys().next().copied() else {
            return Ok(Self {
                terms: Vec::new(),
                last: 0.0,
            });
        };
        let last = days.keys().next_back().copied().unwrap_or(first);
        let length = f64::from(match year {
            YearLength::Fixed365 => YEAR,
            YearLength::Bank360 => 360,
            YearLength::LeapAware if holds_leap_day(first, last) => 366,
            YearLength::LeapAware => YEAR,
        });
        let years = |date: Date| f64::from(days_between(first, date)) / length;
        Ok(Self {
            terms: days
                .iter()
                .map(|(date, amount)| (years(*date), amount.approximate()))
                .collect(),
            last: years(last),
        })
    }

    fn sign_changes(&self) -> usize {
        let signs = self.terms.iter().map(|(_, amount)| *amount > 0.0);
        signs
            .clone()
            .zip(signs.skip(1))
            .filter(|(one, next)| one != next)
            .count()
    }

    /// The present value and its slope at `u`, scaled by the larger end so that nothing overflows; the scale is
    /// positive, so roots and signs are those of the value itself.
    fn at(&self, u: f64) -> (f64, f64) {
        let scaled_to = if u < 0.0 { self.last } else { 0.0 };
        let (mut value, mut slope) = (0.0, 0.0);
        for (years, amount) in &self.terms {
            let term = amount * (-u * (years - scaled_to)).exp();
            value += term;
            slope -= term * (years - scaled_to);
        }
        (value, slope)
    }

    fn roots(&self) -> Roots {
        let highest = HIGHEST.ln_1p();
        let (Some((_, first)), Some((_, last))) = (self.terms.first(), self.terms.last()) else {
            return Roots {
                inside: Vec::new(),
                beyond: false,
            };
        };
        // Far out the earliest flow decides the sign on one side, the latest on the other.
        let beyond = (self.at(highest).0 > 0.0) != (*first > 0.0)
            || (self.at(LOWEST).0 > 0.0) != (*last > 0.0);
        let inside = if self.sign_changes() == 1 {
            // One change of sign has one root exactly.
            if beyond {
                Vec::new()
            } else {
                vec![self.refine(LOWEST, highest)]
            }
        } else {
            self.scan(highest)
        };
        Roots { inside, beyond }
    }

    /// Roots between the points of a grid that is fine where returns usually lie; where the value only dips towards
    /// zero between two points, the dip is searched too.
    fn scan(&self, highest: f64) -> Vec<f64> {
        let coarse = |from: f64, steps: i32, step: f64| {
            (0..steps).map(move |turn| f64::from(turn).mul_add(step, from))
        };
        let mut grid: Vec<f64> = coarse(LOWEST, 18, 2.0)
            .chain(coarse(-3.0, 120, 0.05))
            .chain(coarse(3.0, 18, 1.0))
            .filter(|u| *u < highest)
            .collect();
        grid.push(highest);
        let values: Vec<(f64, f64, f64)> = grid
            .into_iter()
            .map(|u| {
                let (value, slope) = self.at(u);
                (u, value, slope)
            })
            .collect();
        let mut roots = Vec::new();
        for pair in values.windows(2) {
            let [(from, low, fall), (to, high, rise)] = pair else {
                continue;
            };
            if *low == 0.0 {
                roots.push(*from);
            } else if (*low > 0.0) != (*high > 0.0) {
                roots.push(self.refine(*from, *to));
            } else if *low * *fall < 0.0 && *high * *rise > 0.0 {
                // Both ends lean towards zero: between them lies the point that comes closest.
                let closest = self.turning_point(*from, *to);
                if (self.at(closest).0 > 0.0) != (*low > 0.0) {
                    roots.push(self.refine(*from, closest));
                    roots.push(self.refine(closest, *to));
                }
            }
        }
        roots
    }

    /// Where the slope changes sign.
    fn turning_point(&self, mut from: f64, mut to: f64) -> f64 {
        let falling = self.at(from).1 < 0.0;
        for _ in 0..60 {
            let middle = f64::midpoint(from, to);
            if (self.at(middle).1 < 0.0) == falling {
                from = middle;
            } else {
                to = middle;
            }
        }
        f64::midpoint(from, to)
    }

    /// The root between two points of opposite sign: Newton's step where it stays inside the bracket, halving else.
    fn refine(&self, mut from: f64, mut to: f64) -> f64 {
        let positive = self.at(from).0 > 0.0;
        let mut u = f64::midpoint(from, to);
        for _ in 0..200 {
            let (value, slope) = self.at(u);
            if value == 0.0 {
                return u;
            }
            if (value > 0.0) == positive {
                from = u;
            } else {
                to = u;
            }
            let step = value / slope;
            let newton = u - step;
            let next = if newton > from && newton < to && step.abs() < (to - from) / 2.0 {
                newton
            } else {
                f64::midpoint(from, to)
            };
            if (next - u).abs() <= f64::EPSILON * u.abs().max(1e-3) {
                return next;
            }
            u = next;
        }
        u
    }
}

fn holds_leap_day(first: Date, last: Date) -> bool {
    (first.year()..=last.year())
        .any(|year| Date::new(year, 2, 29).is_ok_and(|leap| first <= leap && leap <= last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use proptest::prelude::*;

    fn solved(flows: &[(Date, &str)]) -> Result<String, NoReturn> {
        let flows: Vec<_> = flows
            .iter()
            .map(|(date, amount)| (*date, amount.parse().expect("a figure")))
            .collect();
        let end = flows.last().expect("a flow").0;
        annual(&flows, end, YearLength::Fixed365)
            .expect("no overflow")
            .map(|rate: Exact| rate.to_string())
    }

    #[test]
    fn deep_losses_are_solved() {
        let march = [(date(2020, 3, 4), "-713.07"), (date(2020, 3, 17), "555.33")];
        assert!(solved(&march).is_ok_and(|rate| rate.starts_with("-0.99910")));
        let year = [(date(2014, 2, 27), "-4000"), (date(2015, 3, 6), "2050.20")];
        assert!(solved(&year).is_ok_and(|rate| rate.starts_with("-0.48096")));
        // Everything but a thousandth in one day: no rate above -1 can be written down.
        let day = [(date(2024, 1, 1), "-1000"), (date(2024, 1, 2), "1")];
        assert_eq!(solved(&day), Err(NoReturn::OutOfRange));
    }

    #[test]
    fn nothing_gained_is_zero_and_not_noise() {
        let flows = [
            (date(2026, 1, 2), "-30250.4"),
            (date(2026, 3, 4), "3150.25"),
            (date(2026, 5, 6), "-3000"),
            (date(2026, 10, 30), "30100.15"),
        ];
        assert_eq!(solved(&flows).as_deref(), Ok("0"));
    }

    #[test]
    fn two_rates_close_together_are_two() {
        // 10 % and 11 %: (1.10 v - 1)(1 - 1.11 v) by year.
        let flows = [
            (date(2021, 1, 1), "-1000"),
            (date(2022, 1, 1), "2210"),
            (date(2023, 1, 1), "-1221"),
        ];
        assert_eq!(solved(&flows), Err(NoReturn::MultipleSolutions));
    }

    proptest! {
        #[test]
        fn a_single_deposit_gives_its_simple_return(start in 1u32..1_000_000, end in 1u32..1_000_000) {
            let flows = [
                (date(2025, 1, 1), Exact::whole(-i64::from(start))),
                (date(2026, 1, 1), Exact::whole(i64::from(end))),
            ];
            let rate = annual(&flows, date(2026, 1, 1), YearLength::Fixed365)?;
            let expected = f64::from(end) / f64::from(start) - 1.0;
            let rate = rate.map_err(|reason| TestCaseError::fail(format!("{reason:?}")))?;
            prop_assert!((rate.approximate() - expected).abs() <= 1e-9 * expected.abs().max(1.0));
        }

        #[test]
        fn what_is_given_solves_the_equation(
            amounts in prop::collection::vec((0i32..2000, -10_000i64..10_000), 2..12),
        ) {
            let flows: Vec<_> = amounts
                .iter()
                .map(|(day, amount)| (date(2020, 1, 1) + jiff::Span::new().days(*day), Exact::whole(*amount)))
                .collect();
            let end = flows.iter().map(|flow| flow.0).max().unwrap_or_default();
            let rate = annual(&flows, end, YearLength::Fixed365)?;
            // Closer to -1 a binary fraction has too few digits left to look back.
            if let Some(rate) = rate.ok().filter(|rate| rate.approximate() > -0.999_999) {
                let curve = Curve::new(&flows, YearLength::Fixed365)?;
                let u = rate.approximate().ln_1p();
                let scale: f64 = curve.terms.iter().map(|(_, amount)| amount.abs()).sum();
                let (value, slope) = curve.at(u);
                // Twelve digits of the rate leave this much of the value.
                prop_assert!(value.abs() <= 1e-9 * scale.max(slope.abs()), "{rate}: {value}");
            }
        }
    }
}

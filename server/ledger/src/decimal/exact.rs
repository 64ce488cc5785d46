//! The type figures are computed in: wide enough that a sum never loses a digit silently.

use super::Decimal;
use bnum::cast::As;
use bnum::types::{I256, I512};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;

/// A figure that needs more digits than the ledger can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the figure has more digits than can be kept; nothing was rounded away")]
pub struct Overflow;

/// A text that is no [`Exact`] figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a figure is an optional minus, digits, and at most 18 digits after a point")]
pub struct ParseExactError;

/// A signed figure with 18 places in 256 bits: about 58 digits before the point.
///
/// Sums are exact or [`Overflow`]. Products and quotients are computed in 512 bits and rounded once,
/// half-even, to 18 places. The text has no exponent, no `-0` and no trailing zeros.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Exact(I256);

/// One, in units of the last place.
const ONE: I256 = I256::parse_str_radix("1000000000000000000", 10);
const PLACES: u32 = 18;

impl Exact {
    /// Nothing.
    pub const ZERO: Self = Self(I256::ZERO);
    /// One.
    pub const ONE: Self = Self(ONE);

    /// A whole number.
    #[must_use]
    pub fn whole(number: i64) -> Self {
        Self(I256::from(number) * ONE)
    }

    /// The exact sum.
    ///
    /// # Errors
    /// [`Overflow`] when it does not fit.
    pub fn plus(self, other: Self) -> Result<Self, Overflow> {
        self.0.checked_add(other.0).map(Self).ok_or(Overflow)
    }

    /// The exact difference.
    ///
    /// # Errors
    /// [`Overflow`] when it does not fit.
    pub fn minus(self, other: Self) -> Result<Self, Overflow> {
        self.0.checked_sub(other.0).map(Self).ok_or(Overflow)
    }

    /// The product, rounded once.
    ///
    /// # Errors
    /// [`Overflow`] when it does not fit.
    pub fn times(self, other: Self) -> Result<Self, Overflow> {
        self.times_over(other, Self::ONE)
    }

    /// The quotient, rounded once.
    ///
    /// # Errors
    /// [`Overflow`] when it does not fit, or when the divisor is zero.
    pub fn over(self, divisor: Self) -> Result<Self, Overflow> {
        self.times_over(Self::ONE, divisor)
    }

    /// `self x multiplier / divisor` with a single rounding at the end.
    ///
    /// # Errors
    /// [`Overflow`] when the result does not fit, or when the divisor is zero.
    pub fn times_over(self, multiplier: Self, divisor: Self) -> Result<Self, Overflow> {
        if multiplier == divisor && !divisor.is_zero() {
            return Ok(self);
        }
        let product = wide(self.0)
            .checked_mul(wide(multiplier.0))
            .ok_or(Overflow)?;
        narrow(divide_half_even(product, wide(divisor.0)).ok_or(Overflow)?)
    }

    /// The same figure with the opposite sign.
    ///
    /// # Errors
    /// [`Overflow`] for the one figure whose opposite does not fit.
    pub fn negated(self) -> Result<Self, Overflow> {
        self.0.checked_neg().map(Self).ok_or(Overflow)
    }

    /// The figure rounded half-even to fewer places; 18 or more changes nothing.
    ///
    /// # Errors
    /// [`Overflow`] when rounding up does not fit.
    pub fn rounded(self, places: u32) -> Result<Self, Overflow> {
        let Some(dropped) = PLACES.checked_sub(places).filter(|dropped| *dropped > 0) else {
            return Ok(self);
        };
        let step = wide(I256::from(10u8).pow(dropped));
        let quotient = divide_half_even(wide(self.0), step).ok_or(Overflow)?;
        narrow(quotient.checked_mul(step).ok_or(Overflow)?)
    }

    /// The figure cut to so many significant digits, as a decimal type of that width would keep it.
    pub(crate) fn cut_to_significant(self, digits: usize) -> Self {
        let text = self.0.unsigned_abs().to_str_radix(10);
        let Some(dropped) = text
            .len()
            .checked_sub(digits)
            .filter(|dropped| *dropped > 0)
        else {
            return self;
        };
        let Some(step) = u32::try_from(dropped)
            .ok()
            .and_then(|dropped| I256::from(10u8).checked_pow(dropped))
        else {
            return self;
        };
        Self(self.0 / step * step)
    }

    /// The nearest binary fraction, for the one computation that no decimal can hold: the root of a power series.
    pub(crate) fn approximate(self) -> f64 {
        self.to_string().parse().unwrap_or(f64::NAN)
    }

    /// Whether the figure is below zero.
    #[must_use]
    pub fn is_negative(self) -> bool {
        self.0.is_negative()
    }

    /// Whether the figure is exactly zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.0 == I256::ZERO
    }

    /// Whether the figure is above zero.
    #[must_use]
    pub fn is_positive(self) -> bool {
        self.0 > I256::ZERO
    }

    /// The exact sum of many figures.
    ///
    /// # Errors
    /// [`Overflow`] when it does not fit.
    pub fn sum(figures: impl IntoIterator<Item = Self>) -> Result<Self, Overflow> {
        figures.into_iter().try_fold(Self::ZERO, Self::plus)
    }
}

impl From<Decimal> for Exact {
    /// Exact for every decimal of the grammar; digits beyond the 18th, which the grammar never lets
    /// through, are rounded half-even.
    fn from(value: Decimal) -> Self {
        let mantissa = I256::from(value.mantissa());
        let scale = value.scale();
        if scale <= PLACES {
            // 96 bits of mantissa times 60 bits of scale: far from 255.
            return Self(mantissa * I256::from(10u8).pow(PLACES - scale));
        }
        let step = wide(I256::from(10u8).pow(scale - PLACES));
        divide_half_even(wide(mantissa), step)
            .and_then(|quotient| narrow(quotient).ok())
            .unwrap_or_default()
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:0>19}", self.0.unsigned_abs().to_str_radix(10));
        let (whole, fraction) = digits.split_at(digits.len() - PLACES as usize);
        let fraction = fraction.trim_end_matches('0');
        let sign = if self.is_negative() { "-" } else { "" };
        let point = if fraction.is_empty() { "" } else { "." };
        write!(formatter, "{sign}{whole}{point}{fraction}")
    }
}

impl fmt::Debug for Exact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl FromStr for Exact {
    type Err = ParseExactError;

    fn from_str(text: &str) -> Result<Self, ParseExactError> {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(unsigned) => (true, unsigned),
            None => (false, text),
        };
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty()
            || whole.len() > 59
            || fraction.len() > PLACES as usize
            || !digits(whole)
            || !digits(fraction)
        {
            return Err(ParseExactError);
        }
        let scaled = format!("{whole}{fraction:0<18}");
        let magnitude = I256::from_str_radix(&scaled, 10).map_err(|_| ParseExactError)?;
        Ok(Self(if negative { -magnitude } else { magnitude }))
    }
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

fn wide(value: I256) -> I512 {
    value.as_()
}

fn narrow(value: I512) -> Result<Exact, Overflow> {
    if value > wide(I256::MAX) || value < wide(I256::MIN) {
        return Err(Overflow);
    }
    Ok(Exact(value.as_()))
}

/// The quotient rounded half-even; nothing for a zero divisor.
fn divide_half_even(dividend: I512, divisor: I512) -> Option<I512> {
    let quotient = dividend.checked_div(divisor)?;
    let remainder = dividend.checked_rem(divisor)?.unsigned_abs();
    let rest = divisor.unsigned_abs() - remainder;
    let away_from_zero = remainder > rest || (remainder == rest && quotient.bit(0));
    if remainder.is_zero() || !away_from_zero {
        return Some(quotient);
    }
    let step = if dividend.is_negative() == divisor.is_negative() {
        I512::ONE
    } else {
        I512::NEG_ONE
    };
    quotient.checked_add(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnum::types::I1024;
    use proptest::prelude::*;

    fn exact(text: &str) -> Exact {
        text.parse().expect("a figure")
    }

    #[test]
    fn twenty_eight_digits_and_a_tenth_of_a_cent_are_both_kept() {
        let sum = exact("99999999999999999999999999.99").plus(exact("0.001"));
        assert_eq!(
            sum.map(|sum| sum.to_string()).as_deref(),
            Ok("99999999999999999999999999.991")
        );
    }

    #[test]
    fn a_product_is_rounded_once_at_the_eighteenth_place() {
        let value = exact("123456789.123456789012345678").times(exact("43210.98765432"));
        assert_eq!(value, Ok(exact("5334689790655.678964334458118122")));
    }

    #[test]
    fn ties_go_to_the_even_digit_on_both_sides_of_zero() {
        let half = exact("0.5");
        for (figure, rounded) in [
            ("0.000000000000000001", "0"),
            ("0.000000000000000003", "0.000000000000000002"),
            ("-0.000000000000000001", "0"),
            ("-0.000000000000000003", "-0.000000000000000002"),
        ] {
            assert_eq!(exact(figure).times(half), Ok(exact(rounded)), "{figure}");
        }
        assert_eq!(exact("2.345").rounded(2), Ok(exact("2.34")));
        assert_eq!(exact("-2.355").rounded(2), Ok(exact("-2.36")));
    }

    #[test]
    fn too_large_is_said_not_cut() {
        let large = exact(&format!("5{}", "0".repeat(58)));
        assert_eq!(large.times(exact("10")), Err(Overflow));
        assert_eq!(large.plus(large), Err(Overflow));
        assert_eq!(Exact::ONE.over(Exact::ZERO), Err(Overflow));
    }

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(exact("-0.000").to_string(), "0");
        assert_eq!(
            exact("0.1")
                .minus(exact("0.1"))
                .map(|zero| zero.to_string())
                .as_deref(),
            Ok("0")
        );
    }

    /// Figures of up to 38 digits on either side of zero, in units of the last place.
    fn figure() -> impl Strategy<Value = Exact> {
        any::<i128>().prop_map(|units| Exact(I256::from(units)))
    }

    proptest! {
        #[test]
        fn sums_are_exact(a in figure(), b in figure()) {
            let expected = wide(a.0) + wide(b.0);
            prop_assert_eq!(a.plus(b).map(|sum| wide(sum.0)), Ok(expected));
            prop_assert_eq!(a.plus(b).and_then(|sum| sum.minus(b)), Ok(a));
        }

        #[test]
        fn products_and_quotients_are_off_by_at_most_half_a_unit(a in figure(), b in figure(), c in figure()) {
            prop_assume!(!c.is_zero());
            let widest = |value: I256| -> I1024 { value.as_() };
            // result x c is within |c| / 2 of a x b, all in units of the last place.
            if let Ok(result) = a.times_over(b, c) {
                let error = widest(result.0) * widest(c.0) - widest(a.0) * widest(b.0);
                prop_assert!(error.abs() * I1024::TWO <= widest(c.0).abs());
            }
        }

        #[test]
        fn text_round_trips(a in figure()) {
            prop_assert_eq!(a.to_string().parse(), Ok(a));
        }

        #[test]
        fn no_text_makes_it_panic(text in ".*") {
            if let Ok(figure) = text.parse::<Exact>() {
                prop_assert_eq!(figure.to_string().parse(), Ok(figure));
            }
        }

        #[test]
        fn rounding_is_idempotent_and_near(a in figure(), places in 0u32..18) {
            let rounded = a.rounded(places)?;
            prop_assert_eq!(rounded.rounded(places), Ok(rounded));
            let distance = (rounded.0 - a.0).abs() * I256::TWO;
            prop_assert!(distance <= I256::from(10u8).pow(18 - places));
        }
    }
}

//! Money of the cash book: a JSON number on the wire by its published contract, an exact decimal in between.

use std::str::FromStr as _;

use rust_decimal::prelude::ToPrimitive as _;
use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Serialize, Serializer};
use serde_json::Number;
use serde_json::value::RawValue;

use super::rules::Rounding;

/// Places of an amount.
const PLACES: u32 = 2;

/// Most an amount can be, in centavos: fifteen digits are what a REAL column gives back unchanged.
const LIMIT_IN_CENTAVOS: i64 = 999_999_999_999_999;

/// Why a number is no amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AmountError {
    /// The text is not a decimal.
    #[error("not a number")]
    NotANumber,
    /// A REAL column could not hold it with two places.
    #[error("too large to be kept with two places")]
    TooLarge,
}

/// An exact amount of money with its sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Amount(Decimal);

impl Amount {
    /// The amount that a JSON number means, brought to two places.
    ///
    /// The digits are those of the shortest decimal that reads back as the number's double, which is how a `Number` writes itself.
    ///
    /// # Errors
    /// When it is too large.
    pub fn from_number(number: &Number, rounding: Rounding) -> Result<Self, AmountError> {
        let text = match (rounding, number.as_f64()) {
            (Rounding::Binary, Some(value)) => format!("{value:.2}"),
            _ => number.to_string(),
        };
        Self::from_text(&text, rounding)
    }

    /// The amount that a decimal text means, with an exponent or without, brought to two places.
    ///
    /// # Errors
    /// When it is no decimal, or too large.
    pub fn from_text(text: &str, rounding: Rounding) -> Result<Self, AmountError> {
        let exact = exact(text)?;
        let strategy = match rounding {
            Rounding::None => return Self::bounded(exact),
            Rounding::HalfUp | Rounding::Binary => RoundingStrategy::MidpointAwayFromZero,
            Rounding::Bankers => RoundingStrategy::MidpointNearestEven,
        };
        Self::bounded(exact.round_dp_with_strategy(PLACES, strategy))
    }

    /// An amount as a REAL column holds it; rows of other programs may have more than two places. None for what is no finite amount.
    pub fn from_stored(value: f64) -> Option<Self> {
        let number = Number::from_f64(value)?;
        Self::from_text(&number.to_string(), Rounding::None).ok()
    }

    /// With two places, half up.
    #[must_use]
    pub fn rounded(self) -> Self {
        Self(
            self.0
                .round_dp_with_strategy(PLACES, RoundingStrategy::MidpointAwayFromZero),
        )
    }

    /// The double for a REAL column: the nearest there is, so that the shortest decimal reads back as this amount.
    pub fn to_stored(self) -> f64 {
        // A decimal always has a nearest double; parsing its text is the correctly rounded way to it.
        self.0
            .to_string()
            .parse()
            .unwrap_or_else(|_| self.0.to_f64().unwrap_or_default())
    }

    /// How many centavos, where two places are enough.
    pub fn centavos(self) -> Option<i64> {
        let centavos = self.0.checked_mul(Decimal::ONE_HUNDRED)?;
        centavos.is_integer().then(|| centavos.to_i64()).flatten()
    }

    /// Whether it is nothing.
    pub fn is_zero(self) -> bool {
        self.0.is_zero()
    }

    /// Whether it is less than nothing.
    pub fn is_negative(self) -> bool {
        self.0.is_sign_negative() && !self.0.is_zero()
    }

    /// Without its sign.
    #[must_use]
    pub fn absolute(self) -> Self {
        Self(self.0.abs())
    }

    /// With the other sign. Nothing stays nothing, without a sign.
    #[must_use]
    pub fn negated(self) -> Self {
        if self.0.is_zero() {
            self
        } else {
            Self(-self.0)
        }
    }

    /// The sum of two. Each is bounded, so the sum of as many as fit in memory is exact.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    fn bounded(exact: Decimal) -> Result<Self, AmountError> {
        if exact.abs() > Decimal::new(LIMIT_IN_CENTAVOS, PLACES) {
            return Err(AmountError::TooLarge);
        }
        Ok(Self(exact))
    }
}

/// A decimal text without loss. Digits beyond what a decimal holds are only met far behind the second place of small numbers.
fn exact(text: &str) -> Result<Decimal, AmountError> {
    if let Ok(exact) = Decimal::from_str_exact(text) {
        return Ok(exact);
    }
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (
            digits,
            exponent
                .parse::<i32>()
                .map_err(|_| AmountError::NotANumber)?,
        ),
        None => (text, 0),
    };
    // The whole mantissa must be a number before its exponent may decide anything.
    let mantissa = Decimal::from_str(digits).map_err(|_| AmountError::NotANumber)?;
    if mantissa.is_zero() || exponent < -20 {
        // Nothing, or so little that no rounding to two places sees it.
        return Ok(Decimal::ZERO);
    }
    if exponent > 20 {
        return Err(AmountError::TooLarge);
    }
    Decimal::from_scientific(text)
        .or_else(|_| Decimal::from_str(text))
        .map_err(|_| AmountError::TooLarge)
}

impl std::fmt::Display for Amount {
    /// Two places; more only where a row of another program has more.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.is_zero() {
            // Never with a sign.
            return formatter.write_str("0.00");
        }
        let shortest = self.0.normalize();
        if shortest.scale() <= PLACES {
            write!(formatter, "{shortest:.2}")
        } else {
            write!(formatter, "{shortest}")
        }
    }
}

impl Serialize for Amount {
    /// A JSON number with the digits of the decimal.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.to_string())
            .map_err(serde::ser::Error::custom)?
            .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str, rounding: Rounding) -> String {
        let number: Number = serde_json::from_str(text).unwrap();
        Amount::from_number(&number, rounding).unwrap().to_string()
    }

    #[test]
    fn half_up_goes_by_the_decimal_text() {
        for (text, expected) in [
            ("0.125", "0.13"),
            ("2.675", "2.68"),
            ("1.005", "1.01"),
            ("0.135", "0.14"),
            ("1.115", "1.12"),
            ("-1.005", "-1.01"),
            ("0.004", "0.00"),
            ("0.005", "0.01"),
            ("5e-3", "0.01"),
            ("1e-300", "0.00"),
            ("73.90", "73.90"),
            ("50", "50.00"),
            ("1e3", "1000.00"),
            ("9999999999999.99", "9999999999999.99"),
        ] {
            assert_eq!(read(text, Rounding::HalfUp), expected, "{text}");
        }
    }

    #[test]
    fn the_wrong_roundings_are_wrong() {
        assert_eq!(read("0.125", Rounding::Bankers), "0.12");
        assert_eq!(read("1.005", Rounding::Binary), "1.00");
        assert_eq!(read("2.675", Rounding::Binary), "2.67");
        assert_eq!(read("1.005", Rounding::None), "1.005");
    }

    #[test]
    fn what_a_real_column_cannot_hold_is_too_large() {
        for text in [
            "10000000000000",
            "1e16",
            "1e300",
            "18446744073709551615",
            "-1e25",
        ] {
            let number: Number = serde_json::from_str(text).unwrap();
            assert_eq!(
                Amount::from_number(&number, Rounding::HalfUp),
                Err(AmountError::TooLarge),
                "{text}"
            );
        }
        for text in ["", "abc", "1e", "1e5x", "12,50", "--1"] {
            assert_eq!(
                Amount::from_text(text, Rounding::HalfUp),
                Err(AmountError::NotANumber),
                "{text}"
            );
        }
    }

    #[test]
    fn an_amount_is_written_as_a_number() {
        let amount = Amount::from_text("73.9", Rounding::HalfUp).unwrap();
        assert_eq!(serde_json::to_string(&amount).unwrap(), "73.90");
        assert_eq!(
            serde_json::to_value(amount).unwrap(),
            serde_json::json!(73.9)
        );
        assert_eq!(amount.negated().centavos(), Some(-7390));
    }

    proptest! {
        /// The rule in words: cut the text behind the second place, and go up when the first digit cut off is at least 5.
        #[test]
        fn rounding_is_school_arithmetic_on_the_digits(whole in 0u64..1_000_000_000, fraction in "[0-9]{1,6}") {
            let mut centavos = whole * 100 + format!("{fraction:0<2}")[..2].parse::<u64>().unwrap();
            if fraction.as_bytes().get(2).is_some_and(|digit| *digit >= b'5') {
                centavos += 1;
            }
            let expected = format!("{}.{:02}", centavos / 100, centavos % 100);
            prop_assert_eq!(read(&format!("{whole}.{fraction}"), Rounding::HalfUp), expected);
        }

        #[test]
        fn what_is_stored_comes_back(centavos in -LIMIT_IN_CENTAVOS..=LIMIT_IN_CENTAVOS) {
            let amount = Amount(Decimal::new(centavos, PLACES));
            let back = Amount::from_stored(amount.to_stored()).unwrap();
            prop_assert_eq!(back, amount);
            prop_assert_eq!(back.centavos(), Some(centavos));
        }

        #[test]
        fn no_text_breaks_it(text in "[-+0-9.eE]{0,40}") {
            if let Ok(amount) = Amount::from_text(&text, Rounding::HalfUp) {
                prop_assert!(amount.absolute().to_stored() <= 1e13);
            }
        }
    }
}

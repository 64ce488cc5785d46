//! A figure as it stands on the wire: a decimal string, compared exactly and never through a float.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize};

/// A decimal with its digits as they were written.
///
/// Equality is by value (`100.00` equals `100`); [`Figure::text`] keeps the spelling for checks that ask for
/// byte-equality. A ledger's products may need 13 digits before the point and 18 after it, more than a 28-digit decimal
/// type holds, so values are compared by their normalised digits, which have no limit.
#[derive(Debug, Clone)]
pub struct Figure {
    text: String,
    value: Digits,
}

/// The value of a figure: sign, and digits without the zeros that mean nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Digits {
    negative: bool,
    whole: String,
    fraction: String,
}

/// A text that is no decimal of the output grammar: optional minus, no plus, no exponent, no leading zeros, no `-0`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no decimal of the grammar -?(0|[1-9][0-9]*)(.[0-9]+)? without -0")]
pub struct NoFigure(String);

/// The sum of figures needs more digits than exact addition here can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a sum of figures with more than 18 decimals or more than 20 digits before the point")]
pub struct TooWide;

/// Decimals kept by [`Figure::scaled`]; the ledger never writes more.
const PLACES: usize = 18;

impl Figure {
    /// Zero.
    #[must_use]
    pub fn zero() -> Self {
        Self {
            text: "0".to_owned(),
            value: Digits {
                negative: false,
                whole: "0".to_owned(),
                fraction: String::new(),
            },
        }
    }

    /// The digits exactly as they were written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads an amount as people write it, with thousands separators: `1,234.50`.
    ///
    /// # Errors
    /// A text that is no decimal once the separators are taken out.
    pub fn from_prose(text: &str) -> Result<Self, NoFigure> {
        text.replace(',', "").parse()
    }

    /// The value in units of 10^-18, for exact addition.
    ///
    /// # Errors
    /// The value needs more than 18 decimals or more than 20 digits before the point.
    pub fn scaled(&self) -> Result<i128, TooWide> {
        if self.value.fraction.len() > PLACES {
            return Err(TooWide);
        }
        let digits = format!("{}{:0<PLACES$}", self.value.whole, self.value.fraction);
        let magnitude: i128 = digits.parse().map_err(|_| TooWide)?;
        Ok(if self.value.negative {
            -magnitude
        } else {
            magnitude
        })
    }

    /// The exact sum of all `figures`.
    ///
    /// # Errors
    /// A figure or the sum is too wide for exact addition.
    pub fn sum<'a>(figures: impl IntoIterator<Item = &'a Figure>) -> Result<Self, TooWide> {
        let mut total: i128 = 0;
        for figure in figures {
            total = total.checked_add(figure.scaled()?).ok_or(TooWide)?;
        }
        Ok(Self::from_scaled(total))
    }

    /// `self - other`, exactly.
    ///
    /// # Errors
    /// A figure or the difference is too wide for exact subtraction.
    pub fn minus(&self, other: &Self) -> Result<Self, TooWide> {
        self.scaled()?
            .checked_sub(other.scaled()?)
            .map(Self::from_scaled)
            .ok_or(TooWide)
    }

    /// Whether the two figures are no further apart than `tolerance`; figures too wide to subtract must be equal.
    #[must_use]
    pub fn within(&self, other: &Self, tolerance: &Self) -> bool {
        let distance = self.minus(other).and_then(|difference| difference.scaled());
        match (distance, tolerance.scaled()) {
            (Ok(distance), Ok(tolerance)) => distance.abs() <= tolerance,
            _ => self == other,
        }
    }

    fn from_scaled(scaled: i128) -> Self {
        let digits = format!("{:0>width$}", scaled.unsigned_abs(), width = PLACES + 1);
        let (whole, fraction) = digits.split_at(digits.len() - PLACES);
        let fraction = fraction.trim_end_matches('0');
        let sign = if scaled < 0 { "-" } else { "" };
        let point = if fraction.is_empty() { "" } else { "." };
        let value = Digits {
            negative: scaled < 0,
            whole: whole.to_owned(),
            fraction: fraction.to_owned(),
        };
        Self {
            text: format!("{sign}{whole}{point}{fraction}"),
            value,
        }
    }
}

impl FromStr for Figure {
    type Err = NoFigure;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refused = || NoFigure(text.to_owned());
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (whole, fraction) = match unsigned.split_once('.') {
            Some((_, "")) => return Err(refused()),
            Some((whole, fraction)) => (whole, fraction),
            None => (unsigned, ""),
        };
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let leading_zero = whole.len() > 1 && whole.starts_with('0');
        if whole.is_empty() || leading_zero || !all_digits(whole) || !all_digits(fraction) {
            return Err(refused());
        }
        let fraction = fraction.trim_end_matches('0');
        if negative && whole == "0" && fraction.is_empty() {
            return Err(refused());
        }
        let value = Digits {
            negative,
            whole: whole.to_owned(),
            fraction: fraction.to_owned(),
        };
        Ok(Self {
            text: text.to_owned(),
            value,
        })
    }
}

impl PartialEq for Figure {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for Figure {}

impl fmt::Display for Figure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for Figure {
    /// Only a JSON string is a figure: a JSON number is refused with its own message.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl Serialize for Figure {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(text: &str) -> Figure {
        text.parse().expect("a decimal")
    }

    #[test]
    fn trailing_zeros_do_not_change_a_value_and_are_kept_in_the_text() {
        assert_eq!(figure("100.00"), figure("100"));
        assert_eq!(figure("0.00350000").text(), "0.00350000");
        assert_ne!(figure("100.01"), figure("100"));
        assert_ne!(figure("-1"), figure("1"));
    }

    #[test]
    fn a_product_wider_than_28_digits_is_compared_to_its_last_digit() {
        assert_ne!(
            figure("5334689790655.678964334458118122"),
            figure("5334689790655.678964334458118123")
        );
    }

    #[test]
    fn what_is_outside_the_grammar_is_no_figure() {
        for text in [
            "", "+1", "-0", "-0.00", "007", ".5", "5.", "1e5", "1,000", " 1", "NaN", "٣",
        ] {
            assert_eq!(
                text.parse::<Figure>(),
                Err(NoFigure(text.to_owned())),
                "{text}"
            );
        }
    }

    #[test]
    fn a_json_number_is_no_figure() {
        assert!(serde_json::from_str::<Figure>("1.5").is_err());
        assert!(serde_json::from_str::<Figure>("\"1.5\"").is_ok());
    }

    #[test]
    fn sums_and_differences_are_exact() {
        let parts = [
            figure("333300.003333"),
            figure("333300.003333"),
            figure("333400.003334"),
        ];
        assert_eq!(Figure::sum(&parts), Ok(figure("1000000.01")));
        assert_eq!(figure("0.1").minus(&figure("0.3")), Ok(figure("-0.2")));
        assert_eq!(
            figure("0.1")
                .minus(&figure("0.3"))
                .map(|figure| figure.to_string()),
            Ok("-0.2".to_owned())
        );
        assert_eq!(
            Figure::sum([&figure("0.0000000000000000001")]),
            Err(TooWide)
        );
    }

    #[test]
    fn a_tolerance_allows_exactly_itself() {
        let tolerance = figure("0.01");
        assert!(figure("1.01").within(&figure("1"), &tolerance));
        assert!(!figure("1.010000000000000001").within(&figure("1"), &tolerance));
    }

    #[test]
    fn amounts_are_read_as_people_write_them() {
        assert_eq!(Figure::from_prose("1,234,567.50"), Ok(figure("1234567.5")));
    }
}

//! Decimal strings at the door: the grammar that decides what a number is, and nothing else.
//!
//! The wire's values are [`Decimal`]s: 28 significant digits fit, and the scale is kept, so the text
//! that came in goes out again byte for byte. Their parser is never asked what is a number, because it
//! takes `+1`, `1_000` and `.5` and rounds a 29th digit away; the grammar here is, and the value is
//! then built from digits that are known to fit. Figures are computed in [`Exact`].

mod exact;
pub mod text;

pub use exact::{Exact, Overflow, ParseExactError};
pub use rust_decimal::Decimal;

/// The most digits an input may carry, leading zeros not counted.
pub const SIGNIFICANT_DIGITS: usize = 28;

/// The most digits an input may carry after the point.
pub const PLACES: usize = 18;

/// Why a text is not a decimal string of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecimalError {
    /// The text is not `^(0|[1-9][0-9]*)(\.[0-9]+)?$` in ASCII digits, whole string.
    #[error(
        "write plain digits with an optional point, such as 1234.50: no sign, no exponent, no separators, no blanks"
    )]
    NotADecimal,
    /// More than [`SIGNIFICANT_DIGITS`] digits.
    #[error("at most 28 significant digits are kept")]
    TooManyDigits,
    /// More than [`PLACES`] digits after the point.
    #[error("at most 18 digits after the point are kept")]
    TooManyPlaces,
}

/// Reads a decimal string of the contract; the scale is kept, so `0.00350000` comes back as it was.
///
/// # Errors
/// [`DecimalError`] says which limit the text breaks.
pub fn parse(text: &str) -> Result<Decimal, DecimalError> {
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
        Some(_) => return Err(DecimalError::NotADecimal),
        None => (text, ""),
    };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let leading_zero = whole.len() > 1 && whole.starts_with('0');
    if whole.is_empty() || leading_zero || !digits(whole) || !digits(fraction) {
        return Err(DecimalError::NotADecimal);
    }
    if fraction.len() > PLACES {
        return Err(DecimalError::TooManyPlaces);
    }
    let mut mantissa: i128 = 0;
    let mut significant = 0;
    for byte in whole.bytes().chain(fraction.bytes()) {
        if significant > 0 || byte != b'0' {
            significant += 1;
        }
        if significant > SIGNIFICANT_DIGITS {
            return Err(DecimalError::TooManyDigits);
        }
        mantissa = mantissa * 10 + i128::from(byte - b'0');
    }
    let scale = u32::try_from(fraction.len()).map_err(|_| DecimalError::TooManyPlaces)?;
    Decimal::try_from_i128_with_scale(mantissa, scale).map_err(|_| DecimalError::TooManyDigits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_accepted_text_comes_back_byte_for_byte() {
        for text in [
            "0",
            "0.000",
            "0.00350000",
            "100.00",
            "0.000000000000000001",
            "9999999999999999999999999999",
            "1234567890.123456789012345678",
        ] {
            assert_eq!(
                parse(text).map(|value| value.to_string()).as_deref(),
                Ok(text)
            );
        }
    }

    #[test]
    fn the_parser_of_the_decimal_type_is_not_the_grammar() {
        for text in [
            "+1", "-0", "1_000", "1e5", ".5", "5.", "007", "1.0\n", " 1", "1.2.3", "١", "",
        ] {
            assert_eq!(parse(text), Err(DecimalError::NotADecimal), "{text:?}");
        }
        assert_eq!(parse(&"1".repeat(29)), Err(DecimalError::TooManyDigits));
        assert_eq!(
            parse("0.1234567890123456789"),
            Err(DecimalError::TooManyPlaces)
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".*") {
            if let Ok(value) = parse(&text) {
                prop_assert_eq!(value.to_string(), text);
            }
        }

        #[test]
        fn what_the_grammar_allows_is_accepted(text in "(0|[1-9][0-9]{0,9})(\\.[0-9]{1,18})?") {
            prop_assert_eq!(parse(&text).map(|value| value.to_string()), Ok(text));
        }
    }
}

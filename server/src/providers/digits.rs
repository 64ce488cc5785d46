//! The digits of a JSON number as they are written: nothing stands between a provider's price and a decimal.

use proofmark_ledger::decimal::{self, Decimal};

/// Farther than this no price moves its point.
const MOST_SHIFT: u32 = 40;

/// The JSON number `text`, its point moved by `shift` places to the right, as a decimal. None for a number below zero, and for
/// one with more digits than a decimal keeps.
pub(super) fn decimal(text: &str, shift: i32) -> Option<Decimal> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let moved =
        i32::checked_add(exponent, shift).filter(|moved| moved.unsigned_abs() <= MOST_SHIFT)?;
    let point = i32::try_from(whole.len()).ok()?.checked_add(moved)?;
    let plain = match usize::try_from(point) {
        Ok(point) if point >= digits.len() => {
            format!("{digits}{}", "0".repeat(point - digits.len()))
        }
        Ok(point) if point > 0 => format!("{}.{}", &digits[..point], &digits[point..]),
        _ => format!("0.{}{digits}", "0".repeat(usize::try_from(-point).ok()?)),
    };
    let whole = plain.split('.').next().unwrap_or_default();
    let zeros = whole.len() - whole.trim_start_matches('0').len();
    let leading = if zeros == whole.len() {
        zeros.saturating_sub(1)
    } else {
        zeros
    };
    decimal::parse(&plain[leading..]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str, shift: i32) -> Option<String> {
        decimal(text, shift).map(|value| value.to_string())
    }

    #[test]
    fn digits_are_taken_as_they_stand() {
        for (text, expected) in [
            ("0.1", "0.1"),
            ("270", "270"),
            ("97.2625", "97.2625"),
            ("1.002e-05", "0.00001002"),
            ("2E-5", "0.00002"),
            ("1.5e3", "1500"),
            ("0", "0"),
            ("123456789.123456789", "123456789.123456789"),
            ("97.18250274658203", "97.18250274658203"),
        ] {
            assert_eq!(plain(text, 0).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn pence_become_pounds_by_moving_the_point() {
        assert_eq!(plain("400", -2).as_deref(), Some("4.00"));
        assert_eq!(plain("7.25", -2).as_deref(), Some("0.0725"));
        assert_eq!(plain("12345.6", -2).as_deref(), Some("123.456"));
    }

    #[test]
    fn what_no_decimal_keeps_is_none() {
        for text in [
            "-1",
            "1e-19",
            "1e99",
            "1e-2147483648",
            "NaN",
            "",
            "12345678901234567890123456789",
            ".",
            "0x1",
        ] {
            assert_eq!(plain(text, 0), None, "{text}");
        }
    }
}

//! Digits that are written as a JSON number without ever being a float.

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::mocks::answer::Answer;
use crate::mocks::breakage::Breakage;

/// A JSON number, digit for digit as it was given.
#[derive(Debug, Clone)]
pub struct Digits(Box<RawValue>);

impl Digits {
    /// Takes `text` if it is a JSON number.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let raw: Box<RawValue> = serde_json::from_str(text).ok()?;
        let number = raw
            .get()
            .starts_with(|first: char| first == '-' || first.is_ascii_digit());
        number.then_some(Self(raw))
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// The same number below zero.
    #[must_use]
    pub fn negative(&self) -> Self {
        Self::new(&format!("-{}", self.as_str().trim_start_matches('-')))
            .unwrap_or_else(|| self.clone())
    }
}

impl Serialize for Digits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// The answer with `null` or `NaN` in the place of the price that stands behind `member`, where it is broken so.
#[must_use]
pub fn without_price(
    mut answer: Answer,
    member: &str,
    price: &str,
    breakage: Option<&Breakage>,
) -> Answer {
    let instead = match breakage {
        Some(Breakage::NoPrice) => "null",
        Some(Breakage::NotANumber) => "NaN",
        _ => return answer,
    };
    let body = String::from_utf8_lossy(&answer.body);
    let (written, broken) = (
        format!("\"{member}\":{price}"),
        format!("\"{member}\":{instead}"),
    );
    answer.body = body.replace(&written, &broken).into_bytes();
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stay_as_they_are() {
        for text in ["109553.2871", "1.002e-05", "0.1000", "97.50"] {
            assert_eq!(
                serde_json::to_string(&Digits::new(text).unwrap()).unwrap(),
                text
            );
        }
        assert_eq!(Digits::new("1.50").unwrap().negative().as_str(), "-1.50");
        assert!(Digits::new("\"1\"").is_none());
        assert!(Digits::new("1,5").is_none());
    }
}

//! Why a step failed: what was expected, what came back, and how to fix it.

use std::fmt;

/// A failed expectation about the server under test. Steps return `Result<(), Failure>`.
///
/// ```
/// use proofmark::suite::Failure;
/// let failure = Failure::expected("net worth 140.25 AUD").actual("100.00 AUD").hint("replay the batch before you answer");
/// assert_eq!(failure.to_string(), "expected: net worth 140.25 AUD\nactual: 100.00 AUD\nhint: replay the batch before you answer");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    expected: String,
    actual: String,
    hint: Option<String>,
}

impl Failure {
    /// Starts a failure with what should have been seen.
    #[must_use]
    pub fn expected(expected: impl fmt::Display) -> Self {
        Self {
            expected: expected.to_string(),
            actual: String::new(),
            hint: None,
        }
    }

    /// Adds what was seen instead.
    #[must_use]
    pub fn actual(mut self, actual: impl fmt::Display) -> Self {
        self.actual = actual.to_string();
        self
    }

    /// Adds how the server's author could fix it.
    #[must_use]
    pub fn hint(mut self, hint: impl fmt::Display) -> Self {
        self.hint = Some(hint.to_string());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "expected: {}\nactual: {}",
            self.expected, self.actual
        )?;
        match &self.hint {
            Some(hint) => write!(formatter, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}

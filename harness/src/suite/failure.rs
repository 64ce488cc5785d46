//! Why a step failed: what was expected, what came back, how to fix it, and whose fault it is.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::mocks::MockError;

/// Whose fault a failure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Blame {
    /// The server under test broke a promise.
    Target,
    /// A mock, a step or the suite itself failed; nothing is known about the server.
    Harness,
}

/// A failed expectation. Steps return `Result<(), Failure>`.
///
/// ```
/// use proofmark::suite::Failure;
/// let failure = Failure::expected("net worth 140.25 AUD").actual("100.00 AUD").hint("replay the batch before you answer");
/// assert_eq!(failure.to_string(), "expected: net worth 140.25 AUD\nactual: 100.00 AUD\nhint: replay the batch before you answer");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Whose fault it is.
    pub blame: Blame,
    /// What should have been seen.
    pub expected: String,
    /// What was seen instead.
    pub actual: String,
    /// How the server's author could fix it.
    pub hint: Option<String>,
}

/// The labels that begin the parts of a written failure. Other lines of a part are indented, so that none of them can be
/// taken for a label when the text is read back.
const EXPECTED: &str = "expected: ";
const ACTUAL: &str = "actual: ";
const HINT: &str = "hint: ";
const HARNESS: &str = "fault of the harness: ";
const INDENTED: &str = "\n  ";

impl Failure {
    /// Starts a failure of the server under test with what should have been seen.
    #[must_use]
    pub fn expected(expected: impl fmt::Display) -> Self {
        Self {
            blame: Blame::Target,
            expected: expected.to_string(),
            actual: String::new(),
            hint: None,
        }
    }

    /// A failure that says nothing about the server: a mock broke, a scenario makes no sense.
    #[must_use]
    pub fn harness(message: impl fmt::Display) -> Self {
        Self {
            blame: Blame::Harness,
            expected: String::new(),
            actual: message.to_string(),
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

    /// Reads back what [`Failure`]'s `Display` wrote: a step's error reaches the suite only as the text of a panic.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        if let Some(message) = text.strip_prefix(HARNESS) {
            return Some(Self::harness(message.replace(INDENTED, "\n")));
        }
        let rest = text.strip_prefix(EXPECTED)?;
        let (expected, rest) = rest.split_once(&format!("\n{ACTUAL}"))?;
        let (actual, hint) = match rest.split_once(&format!("\n{HINT}")) {
            Some((actual, hint)) => (actual, Some(hint.replace(INDENTED, "\n"))),
            None => (rest, None),
        };
        Some(Self {
            blame: Blame::Target,
            expected: expected.replace(INDENTED, "\n"),
            actual: actual.replace(INDENTED, "\n"),
            hint,
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indented = |text: &str| text.replace('\n', INDENTED);
        if self.blame == Blame::Harness {
            return write!(formatter, "{HARNESS}{}", indented(&self.actual));
        }
        write!(
            formatter,
            "{EXPECTED}{}\n{ACTUAL}{}",
            indented(&self.expected),
            indented(&self.actual)
        )?;
        match &self.hint {
            Some(hint) => write!(formatter, "\n{HINT}{}", indented(hint)),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}

/// A mock that fails is never the server's fault.
impl From<MockError> for Failure {
    fn from(error: MockError) -> Self {
        Self::harness(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_reads_back_from_its_text() {
        let full = Failure::expected("one\nhint: two\nactual: three")
            .actual("{\n  \"a\": 1\n}")
            .hint("fix\nit");
        let bare = Failure::expected("200").actual("500");
        let ours = Failure::harness("the mock\nis down");
        for failure in [full, bare, ours] {
            assert_eq!(Failure::read(&failure.to_string()), Some(failure));
        }
    }

    #[test]
    fn any_other_panic_is_no_failure() {
        assert_eq!(Failure::read("index out of bounds"), None);
        assert_eq!(Failure::read("expected: only half"), None);
    }
}

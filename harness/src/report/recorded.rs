//! A run as its report tells it: made from an outcome, or read back from the JSON that an earlier run wrote.
//!
//! Pages are made from this alone, so the page of a run that has just ended and one made from its file are the same.

use std::{fs, io, path::Path, time::Duration};

use jiff::Timestamp;
use serde::Deserialize;

use super::json::{SCHEMA, Summary};
use crate::suite::{RequirementResult, RunOutcome, ScenarioResult, TargetSummary, Verdict};

/// A run that is over.
#[derive(Debug, Clone, Deserialize)]
pub struct RecordedRun {
    schema: String,
    /// Version of the program that ran it.
    pub proofmark: String,
    /// When it began.
    pub started: Timestamp,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// What was tested.
    pub target: TargetSummary,
    /// In one word.
    pub verdict: Verdict,
    /// How many of each.
    pub summary: Summary,
    /// By id.
    pub requirements: Vec<RequirementResult>,
    /// Each scenario in all its revisions.
    pub scenarios: Vec<ScenarioResult>,
}

/// A report that cannot be read back.
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
    /// The file cannot be read.
    #[error("the report {path} cannot be read: {reason}")]
    File {
        /// The file.
        path: String,
        /// What the operating system said.
        reason: io::Error,
    },
    /// It is not JSON, or not in the form of a report.
    #[error("{path} is no report of `proofmark run --report json=FILE`: {reason}")]
    Form {
        /// The file.
        path: String,
        /// Line and reason.
        reason: serde_json::Error,
    },
    /// It has another version.
    #[error("{path} is a report of the form \"{found}\"; this program reads \"{SCHEMA}\"")]
    Version {
        /// The file.
        path: String,
        /// What it says it is.
        found: String,
    },
}

impl RecordedRun {
    /// The run that has just ended.
    #[must_use]
    pub fn of(outcome: &RunOutcome) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            proofmark: env!("CARGO_PKG_VERSION").to_owned(),
            started: outcome.started,
            duration_ms: u64::try_from(outcome.duration.as_millis()).unwrap_or(u64::MAX),
            target: outcome.target.clone(),
            verdict: outcome.verdict,
            summary: Summary::of(outcome),
            requirements: outcome.requirements.clone(),
            scenarios: outcome.scenarios.clone(),
        }
    }

    /// The run that a file tells.
    ///
    /// # Errors
    /// When the file cannot be read, is no report, or one of another version.
    pub fn read(path: &Path) -> Result<Self, RecordedError> {
        let shown = path.display().to_string();
        let text = fs::read_to_string(path).map_err(|reason| RecordedError::File {
            path: shown.clone(),
            reason,
        })?;
        Self::parse(&text, &shown)
    }

    /// The run that a text tells; `path` is where it came from, for the errors.
    ///
    /// # Errors
    /// When it is no report, or one of another version.
    pub fn parse(text: &str, path: &str) -> Result<Self, RecordedError> {
        let run: Self = serde_json::from_str(text).map_err(|reason| RecordedError::Form {
            path: path.to_owned(),
            reason,
        })?;
        if run.schema == SCHEMA {
            Ok(run)
        } else {
            Err(RecordedError::Version {
                path: path.to_owned(),
                found: run.schema,
            })
        }
    }

    /// How long it took.
    #[must_use]
    pub fn duration(&self) -> Duration {
        Duration::from_millis(self.duration_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_report_is_refused_with_its_name() {
        let error = RecordedRun::parse("{}", "run.json").unwrap_err();
        assert!(
            error.to_string().contains("run.json is no report"),
            "{error}"
        );
    }
}

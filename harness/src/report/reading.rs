//! Reads a JSON report back, as far as comparing and badges need it. Members that are not known here are passed over.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::json::SCHEMA;
use crate::{
    catalogue::Level,
    suite::{RequirementStatus, ScenarioStatus, Verdict},
};

/// What is read of a report.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ReadReport {
    /// Version of the program that wrote it.
    pub proofmark: String,
    /// When the run began.
    pub started: String,
    /// What was tested.
    pub target: ReadTarget,
    /// In one word.
    pub verdict: Verdict,
    /// How many of each.
    pub summary: ReadSummary,
    /// Each requirement.
    pub requirements: Vec<ReadRequirement>,
    /// Each run of a scenario.
    pub scenarios: Vec<ReadScenario>,
}

/// What was tested.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ReadTarget {
    /// Its name.
    pub name: String,
    /// Its address.
    pub url: String,
}

/// How many of each.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ReadSummary {
    /// Of requirements.
    pub requirements: BTreeMap<String, u64>,
}

/// One requirement.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ReadRequirement {
    /// Its id.
    pub id: String,
    /// How binding it is.
    pub level: Level,
    /// What was known.
    pub status: RequirementStatus,
    /// The sentence itself, where the report has it.
    #[serde(default)]
    pub statement: String,
}

/// One run of a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct ReadScenario {
    /// Its id.
    pub id: String,
    /// How it ended.
    pub status: ScenarioStatus,
    /// The revision it spoke.
    #[serde(default)]
    pub revision: Option<String>,
}

/// A file that is no report of a run.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// It is something else.
    #[error("{} is no report of `proofmark run --report json=FILE`: {reason}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

impl ReadReport {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or is no report of the version that is written here.
    pub fn load(path: &Path) -> Result<Self, ReadError> {
        let other = |reason: String| ReadError::Other {
            path: path.to_owned(),
            reason,
        };
        let text = std::fs::read_to_string(path).map_err(|source| ReadError::File {
            path: path.to_owned(),
            source,
        })?;
        let value: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| other(error.to_string()))?;
        match value.get("schema").and_then(serde_json::Value::as_str) {
            Some(SCHEMA) => {}
            Some(schema) => {
                return Err(other(format!("it is of \"{schema}\", not of \"{SCHEMA}\"")));
            }
            None => return Err(other("it names no schema".to_owned())),
        }
        serde_json::from_value(value).map_err(|error| other(error.to_string()))
    }

    /// One of the counts of requirements; zero where the report does not have it.
    #[must_use]
    pub fn count(&self, name: &str) -> u64 {
        self.summary.requirements.get(name).copied().unwrap_or(0)
    }
}

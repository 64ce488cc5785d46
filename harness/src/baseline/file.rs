//! The file of a baseline: one table for each known failure.
//!
//! ```toml
//! [[known]]
//! requirement = "JWKS-010"
//! scenario = "core/keys/the-authorization-server-comes-back"
//! revisions = ["2025-06-18"]        # only there; every revision without it
//! profile = "core"                  # only there; every profile without it
//! reason = "the header is added in the next release"
//! link = "https://tracker.example/42"
//! expires = "2027-01-31"            # the last day on which the failure is accepted
//! ```

use std::path::{Path, PathBuf};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::{
    catalogue::{Catalogue, Profile},
    client::Revision,
};

/// All known failures of one target.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// In the order of the file.
    #[serde(default)]
    pub known: Vec<Known>,
}

/// One known failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The requirement that is not kept; absent for a scenario of somebody's own that proves none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requirement: Option<String>,
    /// The scenario that shows it, by its whole id.
    pub scenario: String,
    /// The revisions in which it fails; every revision when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub revisions: Vec<Revision>,
    /// The profile whose run it holds in; every profile when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Profile>,
    /// Why it fails, and why that is accepted for now.
    pub reason: String,
    /// Where somebody works on it.
    pub link: String,
    /// The last day, by the real calendar in UTC, on which the failure is accepted.
    pub expires: Date,
}

/// A baseline that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// The file cannot be read.
    #[error("cannot read the baseline {}: {source}; --write-baseline makes one", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write the baseline {}: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// It is no baseline.
    #[error("{}: {reason}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// What the parser says, with the line.
        reason: String,
    },
    /// An entry cannot be used.
    #[error("{}: entry {number} ({entry}): {reason}", path.display())]
    Entry {
        /// The file.
        path: PathBuf,
        /// Which entry, from 1.
        number: usize,
        /// The entry in words.
        entry: String,
        /// What is wrong with it, and what to do.
        reason: String,
    },
}

impl Known {
    /// The entry as messages name it.
    #[must_use]
    pub fn title(&self) -> String {
        let requirement = self
            .requirement
            .as_deref()
            .unwrap_or("no written requirement");
        if self.revisions.is_empty() {
            return format!("{requirement} in {}", self.scenario);
        }
        let revisions: Vec<String> = self.revisions.iter().map(ToString::to_string).collect();
        format!(
            "{requirement} in {} under MCP {}",
            self.scenario,
            revisions.join(", ")
        )
    }

    fn objection(&self, catalogue: &Catalogue) -> Option<String> {
        let Some(scenario) = catalogue
            .scenarios
            .iter()
            .find(|scenario| scenario.id == self.scenario)
        else {
            return Some(
                "there is no such scenario; `proofmark list scenarios` shows their ids".to_owned(),
            );
        };
        match &self.requirement {
            Some(id) if !scenario.requirements.contains(id) => {
                return Some(format!(
                    "this scenario does not prove {id}; it proves {}",
                    if scenario.requirements.is_empty() {
                        "no requirement".to_owned()
                    } else {
                        scenario.requirements.join(", ")
                    }
                ));
            }
            None if !scenario.requirements.is_empty() => {
                return Some(format!(
                    "`requirement` is missing; this scenario proves {}",
                    scenario.requirements.join(", ")
                ));
            }
            _ => {}
        }
        if self.reason.trim().is_empty() {
            return Some("`reason` is empty; say why the failure is accepted for now".to_owned());
        }
        let link = Url::parse(&self.link).ok();
        if !link.is_some_and(|link| matches!(link.scheme(), "http" | "https")) {
            return Some(
                "`link` is no web address; name the place where somebody works on it".to_owned(),
            );
        }
        None
    }
}

impl Baseline {
    /// Reads a file without looking at what its entries say.
    ///
    /// # Errors
    /// If it cannot be read, or is no baseline.
    pub fn load(path: &Path) -> Result<Self, BaselineError> {
        let text = std::fs::read_to_string(path).map_err(|source| BaselineError::Unreadable {
            path: path.to_owned(),
            source,
        })?;
        toml::from_str(&text).map_err(|error| BaselineError::Broken {
            path: path.to_owned(),
            reason: error.to_string().trim_end().to_owned(),
        })
    }

    /// Checks every entry: its scenario exists and proves its requirement, and somebody gave a reason and a link.
    ///
    /// # Errors
    /// At the first entry that cannot be used.
    pub fn check(&self, path: &Path, catalogue: &Catalogue) -> Result<(), BaselineError> {
        for (index, known) in self.known.iter().enumerate() {
            if let Some(reason) = known.objection(catalogue) {
                return Err(BaselineError::Entry {
                    path: path.to_owned(),
                    number: index + 1,
                    entry: known.title(),
                    reason,
                });
            }
        }
        Ok(())
    }

    /// The entries that can be used; an unfinished one is not in force.
    #[must_use]
    pub fn usable(&self, catalogue: &Catalogue) -> Self {
        let finished = |known: &&Known| known.objection(catalogue).is_none();
        Self {
            known: self.known.iter().filter(finished).cloned().collect(),
        }
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If the file system does not let it.
    pub fn store(&self, path: &Path) -> Result<(), BaselineError> {
        let broken = |reason: String| BaselineError::Broken {
            path: path.to_owned(),
            reason,
        };
        let body = toml::to_string(self).map_err(|error| broken(error.to_string()))?;
        let text = format!(
            "# Failures that are known and accepted until a day. Give each a reason and a link; without them the file is refused.\n\n{body}"
        );
        std::fs::write(path, text).map_err(|source| BaselineError::Unwritable {
            path: path.to_owned(),
            source,
        })
    }
}

//! The catalogue: requirements, faults and scenarios, loaded from the specification and cross-checked.
//!
//! Reading order: [`requirement`] (what is promised), [`scenario`] (what proves it), [`fault`] (what would break it),
//! [`check`] (how the three must fit together).

pub mod check;
pub mod fault;
pub mod requirement;
pub mod scenario;

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

pub use check::{Problem, Weight};
pub use fault::{Fault, Seam};
pub use requirement::{Level, Profile, Requirement, Role, Tier};
pub use scenario::{FeatureError, Scenario, Tag};

use crate::embedded::{self, Document};

/// Everything that is promised, what proves it, and what would break it.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    /// By id.
    pub requirements: BTreeMap<String, Requirement>,
    /// By id.
    pub faults: BTreeMap<String, Fault>,
    /// In the order of their files.
    pub scenarios: Vec<Scenario>,
}

/// A part of the specification that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    /// A feature file is broken.
    #[error(transparent)]
    Feature(#[from] FeatureError),
    /// A file of requirements or faults is broken; the message has line and key.
    #[error("{path}: {source}")]
    Table {
        /// Path of the file below `features/`.
        path: String,
        /// What is wrong.
        source: Box<toml::de::Error>,
    },
    /// An id stands in two files.
    #[error("{path}: {id} is already in another file")]
    Duplicate {
        /// The second file.
        path: String,
        /// The id.
        id: String,
    },
}

impl Catalogue {
    /// The catalogue that the program carries.
    ///
    /// # Errors
    /// When a file of it is broken, which the build's tests do not let happen.
    pub fn embedded() -> Result<Self, CatalogueError> {
        Self::read(
            &embedded::requirements(),
            &embedded::faults(),
            &embedded::features(),
        )
    }

    /// The requirements and faults that the program carries, with somebody's own features in place of ours.
    ///
    /// # Errors
    /// When one of the features is broken.
    pub fn with_features(features: &[Document]) -> Result<Self, CatalogueError> {
        Self::read(&embedded::requirements(), &embedded::faults(), features)
    }

    /// Reads a catalogue from its texts.
    ///
    /// # Errors
    /// At the first text that is broken, or an id that stands in two of them.
    pub fn read(
        requirements: &[Document],
        faults: &[Document],
        features: &[Document],
    ) -> Result<Self, CatalogueError> {
        let mut scenarios = Vec::new();
        for document in features {
            scenarios.extend(scenario::read(document)?);
        }
        number_namesakes(&mut scenarios);
        Ok(Self {
            requirements: tables(requirements, |requirement: &mut Requirement, id| {
                id.clone_into(&mut requirement.id);
            })?,
            faults: tables(faults, |fault: &mut Fault, id| {
                id.clone_into(&mut fault.id);
            })?,
            scenarios,
        })
    }

    /// The scenarios that prove a requirement.
    pub fn scenarios_of<'a>(&'a self, requirement: &'a str) -> impl Iterator<Item = &'a Scenario> {
        self.scenarios
            .iter()
            .filter(move |scenario| scenario.requirements.iter().any(|id| id == requirement))
    }

    /// The faults that break a requirement.
    pub fn faults_of<'a>(&'a self, requirement: &'a str) -> impl Iterator<Item = &'a Fault> {
        self.faults
            .values()
            .filter(move |fault| fault.requirements.iter().any(|id| id == requirement))
    }
}

/// Reads files that hold one table for each id.
fn tables<Row: DeserializeOwned>(
    documents: &[Document],
    name: impl Fn(&mut Row, &str),
) -> Result<BTreeMap<String, Row>, CatalogueError> {
    let mut all = BTreeMap::new();
    for document in documents {
        let rows: BTreeMap<String, Row> =
            toml::from_str(&document.text).map_err(|source| CatalogueError::Table {
                path: document.path.clone(),
                source: Box::new(source),
            })?;
        for (id, mut row) in rows {
            name(&mut row, &id);
            if all.insert(id.clone(), row).is_some() {
                return Err(CatalogueError::Duplicate {
                    path: document.path.clone(),
                    id,
                });
            }
        }
    }
    Ok(all)
}

/// Values that differ only in signs leave rows of an outline with one slug; the second is numbered 2, and so on.
fn number_namesakes(scenarios: &mut [Scenario]) {
    let mut seen = BTreeMap::<String, usize>::new();
    for scenario in scenarios {
        let count = seen.entry(scenario.id.clone()).or_default();
        *count += 1;
        if *count > 1 {
            scenario.id = format!("{}-{count}", scenario.id);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A requirement row with everything a test does not care about filled in.
    pub(crate) fn row(id: &str, level: &str, more: &str) -> String {
        format!(
            "[{id}]\nlevel = \"{level}\"\nprofile = \"worthbase\"\nrole = \"server\"\nrevisions = [\"2025-11-25\", \"2026-07-28\"]\nneeds = \"token\"\nstatement = \"It holds.\"\nsource = \"a page\"\ncheck = \"look\"\nfaults = []\n{more}\n"
        )
    }

    #[test]
    fn the_embedded_catalogue_can_be_read() {
        let catalogue = Catalogue::embedded().unwrap();
        assert_eq!(
            catalogue
                .requirements
                .values()
                .filter(|row| row.id.is_empty())
                .count(),
            0
        );
    }

    #[test]
    fn an_id_in_two_files_is_refused() {
        let text = row("A-001", "MUST", "");
        let documents = [
            Document::new("a.toml", &text),
            Document::new("b.toml", &text),
        ];
        let error = Catalogue::read(&documents, &[], &[]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "b.toml: A-001 is already in another file"
        );
    }

    #[test]
    fn an_unknown_key_is_named_with_its_line() {
        let text = row("A-001", "MUST", "colour = \"blue\"");
        let error = Catalogue::read(&[Document::new("a.toml", &text)], &[], &[]).unwrap_err();
        let message = error.to_string();
        assert!(
            message.contains("colour") && message.contains("line"),
            "{message}"
        );
    }
}

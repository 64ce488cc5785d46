//! Worked examples: books with figures that independent tools worked out, worked again through a server's tools.
//!
//! Reading order: [`case`] (what a file states), [`stage`] (a case's book in a server), [`work`] (from question to
//! answer; [`steps`], [`decimals`], [`reports`] and [`rehearsal`] for the cases that need more), [`observe`] (answers in the words of the cases),
//! [`compare`] and [`invariant`] (whether they agree).

pub mod case;
pub mod compare;
pub mod decimals;
pub mod invariant;
pub mod observe;
pub mod rehearsal;
pub mod reports;
pub mod stage;
pub mod steps;
pub mod work;

use std::sync::OnceLock;

use include_dir::{Dir, include_dir};
use serde::Deserialize;
use thiserror::Error;

use case::Case;

use crate::embedded::Document;

/// The files of the cases, one for each part of the ledger.
static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../fixtures/golden");

/// Why a case cannot be had.
#[derive(Debug, Error)]
pub enum GoldenError {
    /// A file does not state its cases in the agreed form.
    #[error("fixtures/golden/{file}: {problem}")]
    Malformed {
        /// Name of the file.
        file: String,
        /// Line and reason.
        problem: serde_json::Error,
    },
    /// No case has the name.
    #[error("no worked example is called {0:?}")]
    Unknown(String),
}

/// A file of cases with the contract that they cite.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "contract")]
    _contract: String,
    cases: Vec<Case>,
}

/// All cases of all files.
///
/// # Errors
/// A file that cannot be read.
pub fn cases() -> Result<Vec<Case>, GoldenError> {
    let mut cases = Vec::new();
    for file in FILES.files() {
        let malformed = |problem| GoldenError::Malformed {
            file: file.path().display().to_string(),
            problem,
        };
        let read: File = serde_json::from_slice(file.contents()).map_err(malformed)?;
        cases.extend(read.cases);
    }
    Ok(cases)
}

/// The files as they are written, ordered by name, for those who show them to people.
#[must_use]
pub fn documents() -> Vec<Document> {
    let mut found: Vec<Document> = FILES
        .files()
        .filter_map(|file| {
            let path = file.path().display().to_string();
            Some(Document::new(&path, file.contents_utf8()?))
        })
        .collect();
    found.sort_by(|left, right| left.path.cmp(&right.path));
    found
}

/// The case called `id`; the files are read once.
///
/// # Errors
/// A file that cannot be read, or no such case.
pub fn find(id: &str) -> Result<Case, GoldenError> {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    let known = match CASES.get() {
        Some(known) => known,
        None => {
            let read = cases()?;
            CASES.get_or_init(|| read)
        }
    };
    let found = known.iter().find(|case| case.id == id).cloned();
    found.ok_or_else(|| GoldenError::Unknown(id.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_case_is_read_and_has_a_name_of_its_own() {
        let cases = cases().unwrap();
        let names: BTreeSet<&str> = cases.iter().map(|case| case.id.as_str()).collect();
        assert_eq!(names.len(), cases.len());
        assert_eq!(cases.len(), 81);
    }

    #[test]
    fn a_name_that_nobody_has_is_refused() {
        assert!(matches!(
            find("lots-of-nothing"),
            Err(GoldenError::Unknown(_))
        ));
        assert_eq!(find("lots-fifo-fees").unwrap().tier, "C");
    }
}

//! The living specification as web pages, made from the very data that the suite runs on.
//!
//! Reading order: [`data`] (what the pages are made of), [`address`] (where everything stands), [`html`] and [`prose`]
//! (text that is safe to show), [`verdict`] and [`run`] (what a run said), [`page`] (one file for each kind of page),
//! [`search`], [`report`] (a run in one file).

pub mod address;
pub mod contract;
pub mod data;
pub mod decision;
pub mod gherkin;
pub mod html;
pub mod page;
pub mod prose;
pub mod report;
pub mod run;
pub mod schema;
pub mod search;
pub mod value;
pub mod verdict;

use std::{fs, io, path::Path};

pub use data::Specification;

use crate::{catalogue::CatalogueError, report::RecordedRun};
use page::{Context, Page};
use verdict::Verdicts;

/// The look of the site, of the report too.
pub const STYLE: &str = include_str!("assets/style.css");
/// What the pages do: search, light and dark, print.
const SCRIPT: &str = include_str!("assets/site.js");
/// The sign in the tab of the browser.
const SIGN: &str = include_str!("assets/mark.svg");

/// Pages that cannot be made or written.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// Requirements, faults or features are broken.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// A file of contracts or worked examples is broken.
    #[error("fixtures/{path}: {reason}")]
    Fixture {
        /// Path below `fixtures/`.
        path: String,
        /// Line and reason.
        reason: serde_json::Error,
    },
    /// A template could not be filled in.
    #[error("a page cannot be made: {0}")]
    Template(#[from] askama::Error),
    /// The search index could not be made.
    #[error("the search index cannot be made: {0}")]
    Index(serde_json::Error),
    /// A file or folder of the site cannot be written.
    #[error("{path} cannot be written: {reason}")]
    File {
        /// The file or folder.
        path: String,
        /// What the operating system said.
        reason: io::Error,
    },
}

impl SpecError {
    fn contract(path: &str, reason: serde_json::Error) -> Self {
        Self::Fixture {
            path: format!("contracts/{path}"),
            reason,
        }
    }

    fn decision(path: &str, reason: serde_json::Error) -> Self {
        Self::Fixture {
            path: format!("kobana/{path}"),
            reason,
        }
    }

    fn figure(path: &str, reason: serde_json::Error) -> Self {
        Self::Fixture {
            path: format!("golden/{path}"),
            reason,
        }
    }
}

/// Every file of the site.
///
/// # Errors
/// None in practice: nothing a template shows fails to be written.
pub fn pages(
    specification: &Specification,
    run: Option<&RecordedRun>,
) -> Result<Vec<Page>, SpecError> {
    let context = Context::new(specification, Verdicts::of(run));
    let mut pages = vec![
        page::home::page(&context)?,
        page::access::page(&context)?,
        page::untested::page(&context)?,
    ];
    pages.extend(page::failures::page(&context)?);
    pages.extend(page::feature::pages(&context)?);
    pages.extend(page::requirement::pages(&context)?);
    pages.extend(page::fault::pages(&context)?);
    pages.extend(page::tool::pages(&context)?);
    pages.extend(page::figure::pages(&context)?);
    let asset = |name: &str, text: &str| Page {
        path: format!("assets/{name}"),
        html: text.to_owned(),
    };
    pages.push(asset("style.css", STYLE));
    pages.push(asset("site.js", SCRIPT));
    pages.push(asset("mark.svg", SIGN));
    pages.push(asset("index.js", &search::index(specification)?));
    Ok(pages)
}

/// How much was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// Files.
    pub files: usize,
    /// Bytes.
    pub bytes: usize,
}

/// Writes the site into a folder, which is made if it is not there. Other files in it are left alone.
///
/// # Errors
/// When the file system does not let it.
pub fn write(
    folder: &Path,
    specification: &Specification,
    run: Option<&RecordedRun>,
) -> Result<Written, SpecError> {
    let mut written = Written { files: 0, bytes: 0 };
    let mut made: Option<std::path::PathBuf> = None;
    for page in pages(specification, run)? {
        let path = folder.join(&page.path);
        let parent = path.parent().unwrap_or(folder);
        if made.as_deref() != Some(parent) {
            fs::create_dir_all(parent).map_err(|reason| refused(parent, reason))?;
            made = Some(parent.to_owned());
        }
        fs::write(&path, &page.html).map_err(|reason| refused(&path, reason))?;
        written.files += 1;
        written.bytes += page.html.len();
    }
    Ok(written)
}

fn refused(path: &Path, reason: io::Error) -> SpecError {
    SpecError::File {
        path: path.display().to_string(),
        reason,
    }
}

#[cfg(test)]
mod tests;

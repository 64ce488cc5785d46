//! The page of the run: its verdict, what is not kept, and what it does not show.

use askama::Template;

use super::{Chrome, Context, Page, finish};
use crate::{
    catalogue::Level,
    spec::{SpecError, address, run::RunView},
};

/// The command that repeats a run of which only the report is known.
pub const RERUN: &str = "proofmark run";

#[derive(Template)]
#[template(path = "failures.html")]
struct Failures<'a> {
    chrome: Chrome,
    view: RunView<'a>,
}

/// The page of the run, if there is one.
///
/// # Errors
/// None in practice: nothing a template shows fails to be written.
pub fn page(context: &Context<'_>) -> Result<Option<Page>, SpecError> {
    let Some(run) = context.verdicts.run() else {
        return Ok(None);
    };
    let links = context.links("");
    let failures = Failures {
        chrome: context.chrome(address::FAILURES, "run", "The last run"),
        view: RunView::of(run, &context.verdicts, &links)?,
    };
    finish(address::FAILURES, &failures).map(Some)
}

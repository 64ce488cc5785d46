//! A run in one file, for `--report html=FILE`: the same design, with its look and its script inside.

use askama::Template;
use aws_lc_rs::digest::{SHA256, digest};
use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::{
    STYLE, SpecError, address,
    html::Html,
    prose::Prose,
    run::{Line, Links, RunView, lines},
    verdict::Verdicts,
};
use crate::{
    catalogue::{Catalogue, Level},
    report::RecordedRun,
};

/// What the page does: light and dark, and a filter over everything that was judged.
const SCRIPT: &str = include_str!("assets/report.js");

#[derive(Template)]
#[template(path = "report.html")]
struct Report<'a> {
    view: RunView<'a>,
    groups: Vec<(&'a str, Vec<Line<'a>>)>,
    style: Html,
    script: Html,
    style_hash: String,
    script_hash: String,
}

/// The report as one HTML document. `rerun` is the command that repeats the run, without filters.
///
/// # Errors
/// None in practice: nothing a template shows fails to be written.
pub fn render(run: &RecordedRun, catalogue: &Catalogue, rerun: &str) -> Result<String, SpecError> {
    let verdicts = Verdicts::of(Some(run));
    let prose = Prose::default();
    let links = Links {
        catalogue,
        root: None,
        judged: run
            .requirements
            .iter()
            .map(|result| result.id.as_str())
            .collect(),
        rerun,
        prose: &prose,
    };
    let mut groups: Vec<(&str, Vec<Line<'_>>)> = Vec::new();
    for line in lines(run, &verdicts, catalogue) {
        let prefix = address::prefix(line.id);
        match groups.last_mut().filter(|(last, _)| *last == prefix) {
            Some((_, group)) => group.push(line),
            None => groups.push((prefix, vec![line])),
        }
    }
    let report = Report {
        view: RunView::of(run, &verdicts, &links)?,
        groups,
        style: Html::new().markup(STYLE),
        script: Html::new().markup(SCRIPT),
        style_hash: hash(STYLE),
        script_hash: hash(SCRIPT),
    };
    Ok(report.render()?)
}

/// The hash by which a content security policy knows a text.
fn hash(text: &str) -> String {
    format!(
        "sha256-{}",
        STANDARD.encode(digest(&SHA256, text.as_bytes()))
    )
}

//! The worked examples: a book, a question, and the figures that independent tools gave.

use askama::Template;
use serde_json::Value;

use super::{Chip, Chrome, Context, Page, fault::title, finish};
use crate::spec::{
    SpecError, address,
    data::{FigureArea, FigureCase},
    html::Html,
    value,
};

#[derive(Template)]
#[template(path = "figures.html")]
struct Index<'a> {
    chrome: Chrome,
    total: usize,
    areas: Vec<AreaView<'a>>,
}

struct AreaView<'a> {
    title: String,
    href: String,
    cases: Vec<(&'a FigureCase, String, String)>,
}

#[derive(Template)]
#[template(path = "figure_area.html")]
struct Area<'a> {
    chrome: Chrome,
    title: String,
    cases: Vec<View<'a>>,
}

struct View<'a> {
    case: &'a FigureCase,
    oracle: String,
    given: Html,
    ask: Html,
    expect: Html,
    compare: Html,
    oracle_in_full: Html,
    covers: Vec<Html>,
    chips: Vec<Chip>,
}

/// The index and the pages of all areas.
///
/// # Errors
/// None in practice: nothing a template shows fails to be written.
pub fn pages(context: &Context<'_>) -> Result<Vec<Page>, SpecError> {
    let figures = &context.specification.figures;
    let index = Index {
        chrome: context.chrome(address::FIGURES, "figures", "Worked examples"),
        total: figures.iter().map(|area| area.cases.len()).sum(),
        areas: figures
            .iter()
            .map(|area| AreaView {
                title: title(&area.name.replace('_', " ")),
                href: address::figures(&area.name),
                cases: area
                    .cases
                    .iter()
                    .map(|case| (case, address::figure(&area.name, &case.id), oracle(case)))
                    .collect(),
            })
            .collect(),
    };
    let mut pages = vec![finish(address::FIGURES, &index)?];
    for area in figures {
        pages.push(area_page(context, area)?);
    }
    Ok(pages)
}

fn area_page(context: &Context<'_>, area: &FigureArea) -> Result<Page, SpecError> {
    let path = address::figures(&area.name);
    let title = title(&area.name.replace('_', " "));
    let chrome = context.chrome(&path, "figures", format!("Worked examples: {title}"));
    let page = Area {
        cases: area
            .cases
            .iter()
            .map(|case| view(context, case, &chrome.root))
            .collect(),
        title,
        chrome,
    };
    finish(path, &page)
}

fn view<'a>(context: &Context<'_>, case: &'a FigureCase, root: &str) -> View<'a> {
    let shown_by = context.specification.catalogue.requirements.values();
    View {
        case,
        oracle: oracle(case),
        given: value::shown(&case.given),
        ask: value::shown(&case.ask),
        expect: value::shown(&case.expect),
        compare: value::shown(&case.compare),
        oracle_in_full: value::shown(&case.oracle),
        covers: case
            .covers
            .iter()
            .map(|report| context.prose.sentence(report, root))
            .collect(),
        chips: shown_by
            .filter(|row| row.golden.contains(&case.id))
            .map(|row| context.chip(row, root))
            .collect(),
    }
}

/// The name of the tool that gave the figures.
fn oracle(case: &FigureCase) -> String {
    let text = |key: &str| case.oracle.get(key).and_then(Value::as_str);
    text("tool")
        .or_else(|| case.oracle.as_str())
        .unwrap_or("hand")
        .to_owned()
}

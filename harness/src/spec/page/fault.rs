//! The deliberate faults: an index, and one page for each area.

use askama::Template;
use serde_json::Value;

use super::{Chip, Chrome, Context, Page, finish};
use crate::{
    catalogue::Fault,
    spec::{SpecError, address, html::Html},
};

#[derive(Template)]
#[template(path = "faults.html")]
struct Index {
    chrome: Chrome,
    total: usize,
    reported: usize,
    areas: Vec<AreaView>,
}

struct AreaView {
    title: String,
    href: String,
    faults: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "fault_area.html")]
struct Area<'a> {
    chrome: Chrome,
    title: String,
    faults: Vec<View<'a>>,
}

struct View<'a> {
    row: &'a Fault,
    chips: Vec<Chip>,
    /// What is changed: lines such as `ledger.lot_order = last_in_first_out`.
    changes: Vec<String>,
    report: Option<Html>,
}

/// The index and the pages of all areas.
///
/// # Errors
/// None in practice: nothing a template shows fails to be written.
pub fn pages(context: &Context<'_>) -> Result<Vec<Page>, SpecError> {
    let specification = context.specification;
    let known = &specification.catalogue.faults;
    let areas = specification
        .fault_areas
        .iter()
        .map(|area| AreaView {
            title: title(&area.name),
            href: address::faults(&area.name),
            faults: area
                .faults
                .iter()
                .filter_map(|id| known.get(id))
                .map(|fault| (fault.title.clone(), address::fault(&area.name, &fault.id)))
                .collect(),
        })
        .collect();
    let index = Index {
        chrome: context.chrome(address::FAULTS, "faults", "Deliberate faults"),
        total: known.len(),
        reported: known
            .values()
            .filter(|fault| fault.report.is_some())
            .count(),
        areas,
    };
    let mut pages = vec![finish(address::FAULTS, &index)?];
    for area in &specification.fault_areas {
        let path = address::faults(&area.name);
        let chrome = context.chrome(&path, "faults", format!("Faults: {}", title(&area.name)));
        let page = Area {
            faults: area
                .faults
                .iter()
                .filter_map(|id| known.get(id))
                .map(|fault| view(context, fault, &chrome.root))
                .collect(),
            title: title(&area.name),
            chrome,
        };
        pages.push(finish(path, &page)?);
    }
    Ok(pages)
}

fn view<'a>(context: &Context<'_>, row: &'a Fault, root: &str) -> View<'a> {
    let mut changes = Vec::new();
    if let Some(rules) = &row.rules {
        flatten("", rules, &mut changes);
    }
    View {
        row,
        chips: context.chips(&row.requirements, root),
        changes,
        report: row
            .report
            .as_ref()
            .map(|report| context.prose.sentence(report, root)),
    }
}

/// The values of nested tables by their dotted names.
fn flatten(name: &str, value: &Value, lines: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (member, value) in members {
                let name = if name.is_empty() {
                    member.clone()
                } else {
                    format!("{name}.{member}")
                };
                flatten(&name, value, lines);
            }
        }
        Value::String(text) => lines.push(format!("{name} = {text}")),
        other => lines.push(format!("{name} = {other}")),
    }
}

/// `ledger-lots` as a title: "Ledger: lots".
pub(super) fn title(name: &str) -> String {
    let mut words = name.replacen('-', ": ", 1).replace('-', " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn changes_are_told_by_their_dotted_names() {
        let mut lines = Vec::new();
        flatten(
            "",
            &json!({"ledger": {"lot_order": "last", "n": 2}}),
            &mut lines,
        );
        assert_eq!(lines, ["ledger.lot_order = last", "ledger.n = 2"]);
        assert_eq!(title("ledger-lots"), "Ledger: lots");
        assert_eq!(title("tools"), "Tools");
    }
}

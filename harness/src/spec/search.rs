//! The index that the search of the site reads: one entry for everything that has an address.
//!
//! It is a script and no JSON file, because a page that was opened from a folder may not fetch anything. Most anchors are
//! the id or made of the title; these are left out, which makes the index half as large.

use serde_json::{Value, json};

use super::{
    SpecError, address,
    data::{FeatureFile, Specification},
};
use crate::catalogue::{Scenario, scenario::slug};

/// The name under which the script of the site finds the index.
const NAME: &str = "proofmarkIndex";
/// The anchor is the id.
const ID: u8 = 0;
/// The anchor is the slug of the title.
const TITLE: u8 = 1;
/// The anchor is that of a rule with the title.
const RULE: u8 = 2;

#[derive(Default)]
struct Index {
    pages: Vec<String>,
    entries: Vec<Value>,
}

impl Index {
    /// Adds `[kind, id, title, number of the page, anchor]`; the anchor is a text, a rule that makes it, or absent.
    fn add(&mut self, kind: &'static str, id: &str, title: &str, address: &str) {
        let (page, anchor) = match address.split_once('#') {
            Some((page, anchor)) => (page, Some(anchor)),
            None => (address, None),
        };
        // What stands on one page comes in one go.
        let number = self
            .pages
            .iter()
            .rposition(|known| known == page)
            .unwrap_or_else(|| {
                self.pages.push(page.to_owned());
                self.pages.len() - 1
            });
        let plain = title.is_ascii().then(|| slug(title));
        let made = |anchor: &str| match &plain {
            _ if anchor == id => json!(ID),
            Some(slug) if anchor == slug => json!(TITLE),
            Some(slug) if anchor.strip_prefix("rule-") == Some(slug) => json!(RULE),
            _ => json!(anchor),
        };
        self.entries.push(match anchor {
            Some(anchor) => json!([kind, id, title, number, made(anchor)]),
            None => json!([kind, id, title, number]),
        });
    }

    fn rules(&mut self, file: &FeatureFile) {
        for rule in &file.feature.rules {
            let address = format!("{}#rule-{}", address::feature(&file.path), slug(&rule.name));
            self.add("rule", "", &rule.name, &address);
        }
    }

    fn scenario(&mut self, scenario: &Scenario) {
        let proves = scenario.requirements.join(" ");
        self.add(
            "scenario",
            &proves,
            &scenario.name,
            &address::scenario(scenario),
        );
    }
}

/// The script.
///
/// # Errors
/// None in practice: texts can be written as JSON.
pub fn index(specification: &Specification) -> Result<String, SpecError> {
    let mut index = Index::default();
    for row in specification.catalogue.requirements.values() {
        index.add(
            "requirement",
            &row.id,
            &row.statement,
            &address::requirement(&row.id),
        );
    }
    for file in &specification.features {
        index.add(
            "feature",
            "",
            &file.feature.name,
            &address::feature(&file.path),
        );
        index.rules(file);
    }
    let mut last: Option<(&str, &str)> = None;
    for scenario in &specification.catalogue.scenarios {
        // Rows of an outline that differ in their values only are one entry.
        let key = (scenario.file.as_str(), scenario.name.as_str());
        if last != Some(key) {
            index.scenario(scenario);
        }
        last = Some(key);
    }
    for fault in specification.catalogue.faults.values() {
        index.add(
            "fault",
            &fault.id,
            &fault.title,
            &specification.fault_address(fault),
        );
    }
    for contract in &specification.contracts {
        for tool in &contract.tools {
            let address = address::tool(&contract.profile, &tool.name);
            index.add("tool", &tool.name, &tool.title, &address);
        }
    }
    for area in &specification.figures {
        for case in &area.cases {
            index.add(
                "figure",
                &case.id,
                &case.title,
                &address::figure(&area.name, &case.id),
            );
        }
    }
    let data = json!({"pages": index.pages, "entries": index.entries});
    let data = serde_json::to_string(&data).map_err(SpecError::Index)?;
    Ok(format!("self.{NAME}={data};\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_anchor_that_is_the_id_or_made_of_the_title_is_left_out() {
        let mut index = Index::default();
        index.add("requirement", "A-001", "It holds.", "r.html#A-001");
        index.add("scenario", "A-001", "It holds", "f.html#it-holds");
        index.add("rule", "", "It holds", "f.html#rule-it-holds");
        index.add("scenario", "", "É", "f.html#é");
        index.add("feature", "", "F", "f.html");
        let ends: Vec<String> = index
            .entries
            .iter()
            .map(|entry| {
                entry
                    .as_array()
                    .map(|entry| json!(entry[3..]).to_string())
                    .unwrap_or_default()
            })
            .collect();
        assert_eq!(ends, ["[0,0]", "[1,1]", "[1,2]", "[1,\"é\"]", "[1]"]);
    }
}

//! Nothing of the specification is missing from the site, no link of it is broken, and no text of it becomes markup.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    address,
    data::{Specification, Texts},
    page::Page,
    pages, report,
};
use crate::{catalogue::tests::row, embedded::Document, report::RecordedRun};

/// What must never be found in a page as it is written here.
const POISON: &str = "<script>alert(1)</script><img src=x onerror=alert(1)>\" onclick=\"alert(1)";

fn site() -> (Specification, BTreeMap<String, String>) {
    let specification = Specification::embedded().unwrap();
    let pages = by_path(pages(&specification, None).unwrap());
    (specification, pages)
}

fn by_path(pages: Vec<Page>) -> BTreeMap<String, String> {
    let count = pages.len();
    let by_path: BTreeMap<String, String> = pages
        .into_iter()
        .map(|page| (page.path, page.html))
        .collect();
    assert_eq!(by_path.len(), count, "two pages have one path");
    by_path
}

/// The values of an attribute in a page.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    html.split(&format!(" {attribute}=\""))
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect()
}

/// The anchors of every page.
fn anchors(pages: &BTreeMap<String, String>) -> BTreeMap<&str, BTreeSet<&str>> {
    let pages = pages.iter().filter(|(path, _)| path.ends_with(".html"));
    pages
        .map(|(path, html)| {
            let ids = values(html, "id");
            let known: BTreeSet<&str> = ids.iter().copied().collect();
            assert_eq!(known.len(), ids.len(), "{path}: an anchor stands twice");
            (path.as_str(), known)
        })
        .collect()
}

/// The links that lead nowhere.
fn broken_links(pages: &BTreeMap<String, String>) -> Vec<String> {
    let anchors = anchors(pages);
    let mut broken = Vec::new();
    for (path, html) in pages.iter().filter(|(path, _)| path.ends_with(".html")) {
        for link in values(html, "href").into_iter().chain(values(html, "src")) {
            if link.starts_with("http://") || link.starts_with("https://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() {
                path.clone()
            } else {
                resolve(path, file)
            };
            let there = pages.contains_key(&target)
                && (anchor.is_empty()
                    || anchors
                        .get(target.as_str())
                        .is_some_and(|ids| ids.contains(anchor)));
            if !there {
                broken.push(format!("{path}: {link}"));
            }
        }
    }
    broken
}

fn resolve(from: &str, to: &str) -> String {
    let mut folders: Vec<&str> = from.split('/').collect();
    folders.pop();
    for part in to.split('/') {
        if part == ".." {
            folders.pop();
        } else {
            folders.push(part);
        }
    }
    folders.join("/")
}

#[test]
fn every_feature_requirement_fault_tool_and_figure_is_on_the_site() {
    let (specification, pages) = site();
    let anchors = anchors(&pages);
    let there = |address: String| {
        let (page, anchor) = address.split_once('#').unwrap_or((&address, ""));
        let ids = anchors
            .get(page)
            .unwrap_or_else(|| panic!("{page} is missing"));
        assert!(
            anchor.is_empty() || ids.contains(anchor),
            "{address} is missing"
        );
    };
    for file in &specification.features {
        there(address::feature(&file.path));
    }
    for scenario in &specification.catalogue.scenarios {
        there(address::scenario(scenario));
    }
    for id in specification.catalogue.requirements.keys() {
        there(address::requirement(id));
    }
    for fault in specification.catalogue.faults.values() {
        there(specification.fault_address(fault));
    }
    for contract in &specification.contracts {
        for tool in &contract.tools {
            there(address::tool(&contract.profile, &tool.name));
        }
    }
    for area in &specification.figures {
        for case in &area.cases {
            there(address::figure(&area.name, &case.id));
        }
    }
    assert!(
        specification
            .contracts
            .iter()
            .any(|contract| contract.tools.len() == 30)
    );
    let index = &pages["assets/index.js"];
    for id in specification.catalogue.requirements.keys() {
        assert!(
            index.contains(&format!("\"{id}\"")),
            "search does not know {id}"
        );
    }
}

#[test]
fn every_link_leads_somewhere() {
    let (_, pages) = site();
    assert_eq!(broken_links(&pages), [""; 0]);
}

/// How fast it is written is looked at by `ci/spec_in_a_browser.sh`, where nothing else runs.
#[test]
fn the_site_is_small() {
    let (_, pages) = site();
    let bytes: usize = pages.values().map(String::len).sum();
    assert!(bytes < 5_000_000, "{bytes} bytes");
}

#[test]
fn no_template_switches_escaping_off() {
    let templates =
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/spec/templates")).unwrap();
    for template in templates {
        let path = template.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        for forbidden in [
            "|safe",
            "| safe",
            "escape=\"none\"",
            " style=\"",
            " onclick",
            "http-equiv=\"refresh\"",
        ] {
            assert!(
                !text.contains(forbidden),
                "{} has {forbidden}",
                path.display()
            );
        }
    }
}

/// A specification in which every text is hostile.
fn hostile() -> Specification {
    let quoted = serde_json::to_string(POISON).unwrap();
    let requirement = row("A-001", "MUST", &format!("notes = {quoted}"))
        .replace("\"It holds.\"", &quoted)
        .replace("\"a page\"", &quoted)
        .replace("\"look\"", &quoted);
    let fault = format!(
        "[f]\ntitle = {quoted}\nprofile = \"worthbase\"\nrequirements = [\"A-001\"]\nseam = \"wire\"\nwire = {quoted}\nreport = {quoted}\n"
    );
    let feature = format!(
        "Feature: {POISON}\n  {POISON}\n\n  Background:\n    Given {POISON}\n  @A-001\n  Rule: {POISON}\n    {POISON}\n    Scenario: {POISON}\n      Then {POISON}\n        | {POISON} |\n        | {POISON} |\n    Scenario Outline: It <x>\n      Then <x>\n      Examples: {POISON}\n        | x |\n        | {POISON} |\n"
    );
    let tool = serde_json::json!({
        "name": "t", "title": POISON, "description": POISON, "role": "viewer", "subscription": true,
        "inputSchema": {"properties": {POISON: {"type": "string", "description": POISON, "pattern": POISON},
            "e": {"enum": [POISON]}, "c": {"const": POISON}}},
    });
    let case = serde_json::json!({"cases": [{"id": "c", "title": POISON, "given": {POISON: [{POISON: POISON}]},
        "ask": {"tool": POISON}, "expect": POISON, "compare": {}, "oracle": {"tool": POISON}, "covers": [POISON], "notes": POISON}]});
    Specification::read(&Texts {
        requirements: vec![Document::new("requirements/a.toml", &requirement)],
        faults: vec![Document::new("faults/a.toml", &fault)],
        features: vec![Document::new("worthbase/f.feature", &feature)],
        contracts: vec![Document::new("worthbase/t.json", &tool.to_string())],
        figures: vec![Document::new("a.json", &case.to_string())],
        decisions: decisions(),
        about_requirements: format!("| A | {} |", POISON.replace('|', "")),
    })
    .unwrap()
}

/// A decision table whose every word is hostile.
fn decisions() -> Vec<Document> {
    let table = serde_json::json!({
        "tools": {"a_t": {"kind": POISON, "permission": null}}, "tool_order": ["a_t"],
        "scopes": [POISON], "permission_sets": {POISON: [POISON, "*"]},
        "membership_states": {POISON: {"active": true, "ws": "ok", "note": POISON}}, "http_states": {"s": {"code": POISON}},
        "counts": {"cells": 4, "rows": 2}, "rows": [[0, POISON, POISON, "1", "ok?"]],
    });
    let telling = serde_json::json!({"cells": [{"tool": POISON, "scope": POISON, "permissions": POISON,
        "state": POISON, "expect": "allowed", "catches": [POISON]}]});
    vec![
        Document::new("decision-table.json", &table.to_string()),
        Document::new("telling-cells.json", &telling.to_string()),
    ]
}

/// A run of the hostile specification in which everything failed and every word of the server is hostile.
fn hostile_run(specification: &Specification) -> RecordedRun {
    let scenario = &specification.catalogue.scenarios[0];
    let failure = serde_json::json!({"step": POISON, "blame": "target", "expected": POISON, "actual": POISON,
        "hint": POISON, "exchange": [POISON]});
    let result = |revision: &str| {
        serde_json::json!({"id": scenario.id, "profile": "worthbase", "feature": POISON, "rule": POISON,
            "name": POISON, "place": POISON, "requirements": ["A-001"], "status": "failed", "revision": revision,
            "known_failure": false, "duration_ms": 3, "failure": failure})
    };
    let run = serde_json::json!({
        "schema": "proofmark.report/1", "proofmark": "0.1.0", "started": "2026-10-30T12:00:00Z", "duration_ms": 1500,
        "target": {"kind": "url", "name": POISON, "url": POISON, "access": "url", "revisions": ["2025-11-25"]},
        "verdict": "violated",
        "summary": {"scenarios": {"total": 2, "passed": 0, "failed": 2, "not_proven": 0},
            "requirements": {"total": 1, "proven": 0, "violated": 1, "warned": 0, "not_proven": 0, "not_applicable": 0, "known_failures": 0},
            "requests": 7},
        "requirements": [
            {"id": "A-001", "level": "MUST", "profile": "worthbase", "status": "violated", "scenarios": [scenario.id],
             "statement": POISON, "source": POISON, "known_failure": false},
            {"id": "B-001", "level": "MUST", "profile": "worthbase", "status": "not_proven", "reason": POISON, "scenarios": [],
             "statement": POISON, "source": POISON, "known_failure": false}],
        "scenarios": [result("2025-11-25"), result("2026-07-28")],
    });
    RecordedRun::parse(&run.to_string(), "run.json").unwrap()
}

/// Asserts that nothing of the hostile text is markup: no element of it, and no attribute in an element of ours.
fn harmless(path: &str, html: &str) {
    for forbidden in ["<script>alert", "<img src=x"] {
        assert!(!html.contains(forbidden), "{path} has {forbidden}");
    }
    // What stands in a text or a value has its brackets escaped, so this cuts a page into its tags.
    for tag in html.split('<').filter_map(|rest| rest.split('>').next()) {
        assert!(!tag.contains("onclick=\""), "{path} has <{tag}>");
    }
}

#[test]
fn no_word_of_a_server_or_a_feature_becomes_markup() {
    let specification = hostile();
    let run = hostile_run(&specification);
    let pages = by_path(pages(&specification, Some(&run)).unwrap());
    for (path, html) in pages.iter().filter(|(path, _)| path.ends_with(".html")) {
        harmless(path, html);
    }
    for path in [
        "tools/worthbase/t.html",
        "features/worthbase/f.html",
        "requirements/a.html",
        "failures.html",
        "faults/a.html",
        "figures/a.html",
        "access.html",
    ] {
        assert!(
            pages[path].contains("alert(1)"),
            "{path} does not show the text at all"
        );
    }
    let html = report::render(&run, &specification.catalogue, "proofmark run").unwrap();
    harmless("report.html", &html);
    assert!(html.contains("alert(1)"));
}

#[test]
fn a_failure_leads_to_its_requirement_and_back() {
    let specification = hostile();
    // The second requirement of the run is none of this specification: it is named, and leads nowhere.
    let run = hostile_run(&specification);
    let pages = by_path(pages(&specification, Some(&run)).unwrap());
    assert_eq!(broken_links(&pages), [""; 0]);
    assert!(pages["failures.html"].contains("href=\"requirements/a.html#A-001\""));
    assert!(pages["requirements/a.html"].contains("href=\"../failures.html#failure-A-001\""));
    assert!(pages["requirements/a.html"].contains("also in 2026-07-28"));
    assert!(pages["index.html"].contains("One requirement is not kept."));
}

#[test]
fn the_report_stands_alone_and_begins_with_its_verdict() {
    let specification = hostile();
    let run = hostile_run(&specification);
    let html = report::render(&run, &specification.catalogue, "proofmark run --url x").unwrap();
    let place = |part: &str| {
        html.find(part)
            .unwrap_or_else(|| panic!("{part} is missing"))
    };
    assert!(place("class=\"word\"") < place("id=\"failure-A-001\""));
    assert!(place("id=\"failure-A-001\"") < place("id=\"everything\""));
    assert!(html.contains("proofmark run --url x --requirement A-001"));
    assert!(html.contains("href=\"#failure-A-001\"") && html.contains("id=\"A-001\""));
    let pages = BTreeMap::from([("report.html".to_owned(), html)]);
    assert_eq!(broken_links(&pages), [""; 0]);
    assert!(
        values(&pages["report.html"], "src").is_empty(),
        "nothing is loaded"
    );
}

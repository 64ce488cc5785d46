//! The golden cases: figures that independent tools computed, asked of the ledger itself.
//!
//! Every case of the areas below is driven; one that this crate cannot express is listed by name, so a
//! new case can neither be skipped nor forgotten.

mod batches;
mod beyond;
mod book;
mod compare;
mod defects;
mod figures;
mod reports;
mod sales;

use proofmark_ledger::Rules;
use serde_json::Value;
use std::path::PathBuf;

/// How the cases of an area are asked.
type Run = fn(&Value, &Rules) -> Result<(), String>;

/// A file under `fixtures/`.
fn fixture(path: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    std::fs::read_to_string(root.join(path)).expect("a fixture that can be read")
}

/// The cases of an area.
fn cases(area: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(&fixture(&format!("golden/{area}.json"))).expect("JSON");
    file["cases"].as_array().expect("a list of cases").clone()
}

/// Runs every case of an area and reports all that differ, not only the first.
fn prove(area: &str, run: Run) {
    let cases = cases(area);
    assert!(!cases.is_empty(), "{area} has no cases");
    let failures: Vec<_> = cases
        .iter()
        .filter_map(|case| {
            run(case, &Rules::default())
                .err()
                .map(|difference| format!("{}: {difference}", case["id"]))
        })
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} cases:\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

#[test]
fn lots() {
    prove("lots", sales::run);
}

#[test]
fn exchange_rates() {
    prove("fx", figures::exchange_rates);
}

#[test]
fn net_worth() {
    prove("networth", figures::net_worth);
}

#[test]
fn ownership() {
    prove("ownership", figures::ownership);
}

#[test]
fn reconciliations() {
    prove("reconcile", figures::reconciliations);
}

#[test]
fn decimals() {
    prove("decimals", figures::decimals);
}

#[test]
fn history() {
    prove("history", reports::history);
}

#[test]
fn performance() {
    prove("performance", reports::performance);
}

#[test]
fn debts() {
    prove("debt", reports::debts);
}

#[test]
fn goals_and_losses() {
    prove("goals_losses", reports::goals_and_losses);
}

#[test]
fn batches_previews_and_undo() {
    prove("batches", batches::run);
}

//! Every choice is wired: each value but the default changes an answer that somebody can see, here or through the tools.
//!
//! Values that no case of this crate shows must be faults in `features/faults`: the self-test of the harness breaks a server
//! with each of those and fails if no scenario notices.

use crate::book::{Book, TODAY, date, list, rates};
use crate::{Run, batches, beyond, cases, figures, reports, sales};
use proofmark_ledger::{Assessment, Change, Refusal, Rules};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

const AREAS: [(&str, Run); 11] = [
    ("lots", sales::run),
    ("fx", figures::exchange_rates),
    ("networth", figures::net_worth),
    ("ownership", figures::ownership),
    ("reconcile", figures::reconciliations),
    ("decimals", figures::decimals),
    ("batches", batches::run),
    ("history", reports::history),
    ("performance", reports::performance),
    ("debt", reports::debts),
    ("goals_losses", reports::goals_and_losses),
];

#[test]
fn every_defect_shows() {
    let cases: Vec<_> = AREAS
        .into_iter()
        .flat_map(|(area, run)| cases(area).into_iter().map(move |case| (case, run)))
        .collect();
    let expected = observed(&Rules::default());
    let defects = defects();
    assert!(
        defects.len() > 60,
        "only {} defects were found",
        defects.len()
    );
    let faults = faults();
    assert!(faults.len() > 60, "only {} faults were found", faults.len());
    let hidden: Vec<_> = defects
        .into_iter()
        .filter(|(_, rules)| {
            let caught = |(case, run): &(Value, Run)| {
                catch_unwind(AssertUnwindSafe(|| run(case, rules)))
                    .is_ok_and(|answer| answer.is_err())
            };
            observed(rules) == expected && !cases.iter().any(caught)
        })
        .map(|(name, _)| name)
        .filter(|name| !faults.contains(name))
        .collect();
    assert!(hidden.is_empty(), "no answer changes with: {hidden:#?}");
}

/// The values of this crate's choices that the self-test tries, by name: `lots.matching = average`.
fn faults() -> BTreeSet<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../features/faults");
    let files = std::fs::read_dir(folder).expect("the folder of the faults");
    files
        .flat_map(|file| {
            let text = std::fs::read_to_string(file.expect("a file").path()).expect("a text");
            let table: toml::Table = text.parse().expect("TOML");
            table.into_iter().map(|(_, fault)| fault)
        })
        .filter_map(|fault| fault.get("rules")?.get("ledger").cloned())
        .flat_map(|rules| named("", &rules))
        .collect()
}

/// The values of a tree of choices, each with the path that leads to it.
fn named(path: &str, value: &toml::Value) -> Vec<String> {
    match value {
        toml::Value::Table(table) => table
            .iter()
            .flat_map(|(name, inner)| {
                let path = if path.is_empty() {
                    name.clone()
                } else {
                    format!("{path}.{name}")
                };
                named(&path, inner)
            })
            .collect(),
        toml::Value::String(value) => vec![format!("{path} = {value}")],
        other => vec![format!("{path} = {other}")],
    }
}

/// Every value of every choice but the defaults, by name: `lots.matching = average`.
fn defects() -> Vec<(String, Rules)> {
    let mut defects = Vec::new();
    let defaults = serde_json::to_value(Rules::default()).expect("rules as JSON");
    for (area, fields) in defaults.as_object().expect("areas") {
        let paths: Vec<Vec<&str>> = match fields.as_object() {
            Some(fields) => fields
                .keys()
                .map(|field| vec![area.as_str(), field.as_str()])
                .collect(),
            None => vec![vec![area.as_str()]],
        };
        for path in paths {
            let with = |value: &str| {
                let inner = path[1..]
                    .iter()
                    .rev()
                    .fold(json!(value), |inner, name| json!({ *name: inner }));
                serde_json::from_value::<Rules>(json!({ path[0]: inner }))
            };
            // The message for a value that does not exist names those that do.
            let message = with("no such value").expect_err("an error").to_string();
            for value in message.split('`').skip(3).step_by(2) {
                let rules = with(value).expect("a value of the choice");
                if rules != Rules::default() {
                    defects.push((format!("{} = {value}", path.join(".")), rules));
                }
            }
        }
    }
    defects
}

/// Answers beyond the golden cases, to small questions.
fn observed(rules: &Rules) -> Value {
    let mut answers = Vec::new();
    for (items, transactions, more) in questions() {
        let mut book = Book::of(&json!({"base_currency": "USD", "items": items}), rules);
        // Each row comes in a batch of its own, so that a later one may run into an earlier one.
        for row in list(&transactions) {
            let changes = book.rows(&json!([row]), "transaction");
            answers.push(summary(book.write(changes)));
        }
        for (kind, rows) in more.as_object().into_iter().flatten() {
            let changes = book.rows(rows, kind);
            answers.push(summary(book.write(changes)));
        }
        let fetched = json!({
            "id": "prc_fetched", "item": "X", "date": "2024-01-05", "price": "7", "origin": "fetched",
        });
        let fetched = serde_json::from_value(fetched).expect("a price");
        let ledger = book.ledger.with_fetched_prices(vec![fetched]);
        for item in ledger.items() {
            let position = ledger.position(&item.id, date(TODAY), rates());
            answers.push(json!([position, ledger.sales(&item.id)]));
        }
    }
    answers.extend(beyond::answers(rules));
    json!(answers)
}

/// Items, transactions and other rows, each to be answered for.
fn questions() -> Vec<(Value, Value, Value)> {
    let item = |id: &str, kind: &str| json!({"id": id, "kind": kind, "currency": "USD"});
    let buy = |units: &str, amount: &str| {
        json!({"type": "buy", "item": "X", "date": "2024-01-02", "units": units, "amount": amount,
               "external_ref": "A"})
    };
    let sell_house = |day: &str| json!({"type": "sell", "item": "H", "date": day, "amount": "110"});
    let price = |price: &str| json!({"item": "X", "date": "2024-01-05", "price": price});
    let units = |printed: &str| json!({"item": "X", "date": "2024-02-02", "units": printed});
    vec![
        // Two of three units: the rest of the cost stays in the lot.
        (
            json!([item("X", "security")]),
            json!([
                buy("3", "10"),
                {"type": "sell", "item": "X", "date": "2024-01-03", "units": "2", "amount": "9"},
            ]),
            json!({"price": [price("8"), price("9")]}),
        ),
        // A second sale of a house.
        (
            json!([item("H", "property")]),
            json!([
                {"type": "buy", "item": "H", "date": "2020-01-02", "amount": "100"},
                sell_house("2021-01-02"),
                sell_house("2022-01-02"),
            ]),
            json!({}),
        ),
        // A buy that is paid from a cash item, and more than it holds.
        (
            json!([item("X", "security"), item("C", "cash")]),
            json!([
                {"type": "buy", "item": "X", "date": "2024-01-02", "units": "1", "amount": "50", "fees": "1",
                 "cash_item": "C"},
            ]),
            json!({}),
        ),
        // The same reference with the same number in other digits, and with another number.
        (
            json!([item("X", "security")]),
            json!([buy("10", "100"), buy("10.0", "100.00"), buy("10", "101")]),
            json!({}),
        ),
        // A statement that differs in the third place.
        (
            json!([item("X", "security")]),
            json!([buy("10.501", "100")]),
            json!({"reconciliation": [units("10.503")]}),
        ),
        // A row of next year.
        (
            json!([item("C", "cash")]),
            json!([{"type": "deposit", "item": "C", "date": "2027-10-30", "amount": "1"}]),
            json!({}),
        ),
    ]
}

/// What somebody who records is told.
fn summary(written: Result<Assessment, Refusal>) -> Value {
    match written {
        Ok(assessment) => {
            let results = assessment
                .batch
                .changes
                .iter()
                .filter_map(|change| match change {
                    Change::Reconciliation(row) => row.result.clone(),
                    _ => None,
                });
            json!([
                assessment.rows,
                assessment.warnings,
                results.collect::<Vec<_>>()
            ])
        }
        Err(refusal) => json!(refusal),
    }
}

//! Repeated imports, previews and undo, step by step.

use crate::book::{Book, TODAY, date, list, rates, row_id};
use crate::compare::matches;
use proofmark_ledger::batch::Void;
use proofmark_ledger::ids::{BatchId, RowId};
use proofmark_ledger::{Assessment, Change, Draft, Outcome, Refusal, RowClass, Rules};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// What the steps of a case name and come back to.
#[derive(Default)]
struct Named {
    batches: HashMap<String, BatchId>,
    previews: HashMap<String, (Draft, Outcome)>,
}

pub fn run(case: &Value, rules: &Rules) -> Result<(), String> {
    let mut book = Book::of(&case["given"], rules);
    let mut named = Named::default();
    let mut answers = Map::new();
    let mut all_duplicates = Vec::new();
    let mut last_record = None;
    for (place, step) in list(&case["given"]["steps"]).enumerate() {
        let name = step["as"].as_str().unwrap_or_default().to_owned();
        let before = format!("{:?}", book.sales());
        let answer = if let Some(rows) = step.get("record+commit") {
            let rows = book.rows(rows, "transaction");
            let written = book.write(rows);
            if let Ok(assessment) = &written {
                named.batches.insert(name, assessment.batch.id.clone());
                all_duplicates.extend(references(assessment, RowClass::Duplicate));
            }
            recorded(written)
        } else if let Some(rows) = step.get("record").or_else(|| step.get("preview")) {
            let rows = book.rows(rows, "transaction");
            let draft = book.draft(rows);
            let assessment = book
                .ledger
                .assess(&draft, rates())
                .map_err(|refusal| refusal.to_string())?;
            named
                .previews
                .insert(name, (draft.clone(), assessment.outcome.clone()));
            last_record = Some(draft);
            recorded(Ok(assessment))
        } else if let Some(preview) = step["commit"].as_str() {
            commit(&mut book, &named, preview)?
        } else if let Some(batch) = step["undo"]
            .as_str()
            .or_else(|| step["undo+commit"].as_str())
        {
            let removal = book.ledger.assess_without(
                named.batches.get(batch).ok_or("no such batch")?,
                date(TODAY),
                rates(),
            );
            match removal {
                Ok(removal) => {
                    if step.get("undo+commit").is_some() {
                        book.ledger = removal.after;
                    }
                    json!({"undone": true})
                }
                Err(refusal) => refused(&refusal),
            }
        } else if step.get("void").is_some() {
            let rows = list(&step["void"])
                .filter_map(Value::as_str)
                .map(|row| RowId::from(row_id(row)));
            let void = Change::Void(Void {
                rows: rows.collect(),
                reason: None,
            });
            recorded(book.write(vec![void]))
        } else {
            continue;
        };
        if answer["refused"] == true && before != format!("{:?}", book.sales()) {
            return Err(format!(
                "step {} was refused, and the ledger changed",
                place + 1
            ));
        }
        answers.insert(format!("step_{}", place + 1), answer);
    }
    answers.insert("duplicates".to_owned(), json!(all_duplicates));
    answers.insert("after".to_owned(), state(&book));
    if case["expect"].get("after_commit").is_some() {
        let draft = last_record.ok_or("a preview to commit")?;
        book.write(draft.changes)
            .map_err(|refusal| refusal.to_string())?;
        answers.insert("after_commit".to_owned(), state(&book));
    }
    matches(case, &case["expect"], &answers.into())
}

/// Commits a preview if the ledger still gives what it promised.
fn commit(book: &mut Book, named: &Named, preview: &str) -> Result<Value, String> {
    let (draft, promised) = named.previews.get(preview).ok_or("no such preview")?;
    let now = book
        .ledger
        .assess(draft, rates())
        .map_err(|refusal| refusal.to_string())?;
    if now.outcome != *promised {
        return Ok(json!({"refused": true, "code": "preview_stale"}));
    }
    book.ledger = now.after;
    Ok(json!({"committed": true}))
}

fn recorded(written: Result<Assessment, Refusal>) -> Value {
    match written {
        Ok(assessment) => json!({
            "new_rows": assessment.rows.iter().filter(|row| row.class == RowClass::New).count(),
            "duplicates": references(&assessment, RowClass::Duplicate),
            "conflicts": references(&assessment, RowClass::Conflict),
        }),
        Err(refusal) => refused(&refusal),
    }
}

fn refused(refusal: &Refusal) -> Value {
    let named = refusal.row.as_ref().and_then(|row| row.date);
    json!({
        "refused": true, "code": refusal.code, "ledger_unchanged": true,
        "names": named.map(|date| format!("the sale of {date}")),
    })
}

fn references(assessment: &Assessment, class: RowClass) -> Vec<String> {
    let rows = assessment.rows.iter().filter(|row| row.class == class);
    rows.filter_map(|row| row.external_ref.clone()).collect()
}

/// What is left: of the first item by bare names, of each by `item.name`.
fn state(book: &Book) -> Value {
    let mut state = Map::new();
    state.insert("transactions".to_owned(), json!(book.transaction_count()));
    let items: Vec<_> = book
        .ledger
        .items()
        .map(|item| item.id.to_string())
        .collect();
    for item in items.iter().rev() {
        let position = book.position(item);
        for field in ["units", "cost_base"] {
            state.insert(format!("{item}.{field}"), position[field].clone());
            if !position[field].is_null() {
                state.insert(field.to_owned(), position[field].clone());
            }
        }
    }
    state.into()
}

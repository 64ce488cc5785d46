//! Cases that are done one step after the other: import again, undo, void, preview and commit later.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{
    case::Row,
    observe,
    stage::{Rows, Stage},
};
use crate::{
    suite::Failure,
    worthbase::{Call, result::Recorded},
};

/// One step of a case: what is done, with which argument, and the name of what it makes.
struct Step<'a> {
    verb: &'a str,
    argument: &'a Value,
    makes: Option<&'a str>,
}

impl<'a> Step<'a> {
    fn read(step: &'a Map<String, Value>) -> Result<Self, Failure> {
        let makes = step.get("as").and_then(Value::as_str);
        let verb = step.iter().find(|(name, _)| *name != "as");
        let (verb, argument) =
            verb.ok_or_else(|| Failure::harness("a step of the example has no verb"))?;
        Ok(Self {
            verb,
            argument,
            makes,
        })
    }

    fn rows(&self) -> Result<Vec<Row>, Failure> {
        let rows = self
            .argument
            .as_array()
            .into_iter()
            .flatten()
            .map(|row| row.as_object().cloned());
        let rows: Option<Vec<Row>> = rows.collect();
        rows.ok_or_else(|| {
            Failure::harness(format!(
                "{} is no list of rows to {}",
                self.argument, self.verb
            ))
        })
    }

    fn label(&self) -> &str {
        self.argument.as_str().unwrap_or_default()
    }
}

/// What earlier steps have made, by the names of the case.
#[derive(Default)]
struct Made {
    batches: BTreeMap<String, String>,
    previews: BTreeMap<String, (Recorded, Vec<Row>)>,
}

impl Made {
    fn batch(&self, label: &str) -> Result<&str, Failure> {
        let found = self.batches.get(label).map(String::as_str);
        found.ok_or_else(|| {
            Failure::harness(format!(
                "no earlier step of the example made the batch {label}"
            ))
        })
    }
}

/// Accounts that the steps of a case ask for, with the label of the item on each: `ACC1:X`.
#[must_use]
pub fn accounts(steps: &[Map<String, Value>]) -> Vec<(String, String)> {
    let lists = steps
        .iter()
        .filter_map(|step| step.get("accounts")?.as_array());
    let pairs = lists
        .flatten()
        .filter_map(|pair| pair.as_str()?.split_once(':'));
    pairs
        .map(|(account, item)| (account.to_owned(), item.to_owned()))
        .collect()
}

/// Does every step, and shows what each answered and what the book holds in the end.
///
/// # Errors
/// The server refuses a step that the case takes for granted, or gives no answer.
pub async fn work(stage: &mut Stage, steps: &[Map<String, Value>]) -> Result<Value, Failure> {
    let mut made = Made::default();
    let mut observed = Map::new();
    for (number, step) in (1..).zip(steps) {
        let step = Step::read(step)?;
        if step.verb == "accounts" {
            continue;
        }
        let answer = take(stage, &step, &mut made).await?;
        for list in ["duplicates", "conflicts"] {
            if let Some(references) = answer.get(list) {
                observed.insert(list.to_owned(), references.clone());
            }
        }
        observed.insert(format!("step_{number}"), answer);
    }
    // A preview without a name is the last step: whatever its commit answers, the book must hold what the case says.
    if let Some((preview, rows)) = made.previews.remove("") {
        let committed = stage.commit(&preview, &rows).await?;
        observed.insert("commit".to_owned(), json!(committed.is_ok()));
        observed.insert("after_commit".to_owned(), observe::state(stage).await?);
    }
    observed.insert("after".to_owned(), observe::state(stage).await?);
    Ok(Value::Object(observed))
}

async fn take(stage: &mut Stage, step: &Step<'_>, made: &mut Made) -> Result<Value, Failure> {
    let name = step.makes.unwrap_or_default().to_owned();
    match step.verb {
        "record+commit" => {
            let recorded = stage.must_record(Rows::transactions(&step.rows()?)).await?;
            made.batches
                .extend(recorded.batch.clone().map(|batch| (name, batch)));
            Ok(observe::classes(&recorded))
        }
        "record" | "preview" => {
            let rows = step.rows()?;
            let batch = stage.batch(Rows::transactions(&rows)).await?;
            let preview: Recorded = stage.desk.send(&Call::preview(&batch)).await?.accepted()?;
            let shown = observe::classes(&preview);
            made.previews.insert(name, (preview, rows));
            Ok(shown)
        }
        "commit" => {
            let preview = made.previews.remove(step.label());
            let (preview, rows) = preview.ok_or_else(|| {
                Failure::harness(format!(
                    "no earlier step of the example made the preview {}",
                    step.label()
                ))
            })?;
            match stage.commit(&preview, &rows).await? {
                Ok(recorded) => Ok(observe::classes(&recorded)),
                Err(refusal) => {
                    Ok(json!({ "refused": true, "code": refusal.code, "committed": false }))
                }
            }
        }
        "undo" => {
            let batch = made.batch(step.label())?;
            let previewed = observe::refusal(stage, &Call::preview_undo(batch)).await?;
            let carried_out = observe::refusal(stage, &Call::undo(batch)).await?;
            // Preview and deed must agree; where they do not, the case shows both.
            if previewed == carried_out {
                Ok(carried_out)
            } else {
                Ok(json!({ "previewed": previewed, "done": carried_out }))
            }
        }
        "undo+commit" => {
            let undone: Value = stage
                .desk
                .send(&Call::undo(made.batch(step.label())?))
                .await?
                .accepted()?;
            Ok(undone)
        }
        "void" => {
            let labels = step
                .argument
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str);
            let ids: Result<Vec<String>, Failure> = labels
                .map(|label| stage.row_id(label).map(str::to_owned))
                .collect();
            observe::refusal(stage, &Call::void(&ids?, &[], &[], None)).await
        }
        other => Err(Failure::harness(format!(
            "a step of the example is called {other}, which nobody can do"
        ))),
    }
}

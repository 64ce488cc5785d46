//! Cases about decimals on the wire: strings that must be taken and come back, strings that must be refused, and sums
//! that keep every digit.

use serde_json::{Value, json};

use super::{
    case::Case,
    stage::{Rows, Stage},
};
use crate::{
    suite::Failure,
    worthbase::{Batch, Call, result::Recorded},
};

/// Day on which the deposits of these cases are made.
const DAY: &str = "2024-01-02";

/// Tries every string of a case as an amount.
///
/// # Errors
/// No answer, or the book cannot be prepared.
pub async fn strings(stage: &mut Stage, case: &Case) -> Result<Value, Failure> {
    if case.expect.get("accepted").is_some() {
        accepted(stage, case).await
    } else {
        refused(stage, case).await
    }
}

/// Each string becomes the opening balance of a cash item of its own, and is read back from the stored row.
async fn accepted(stage: &Stage, case: &Case) -> Result<Value, Failure> {
    let mut batch = Batch::new();
    for (index, string) in case.given.strings.iter().enumerate() {
        let key = format!("cash {index}");
        batch.push("items", json!({ "key": key, "name": key, "kind": "cash" }));
        batch.push(
            "transactions",
            json!({ "item": key, "type": "opening_balance", "date": DAY, "amount": string }),
        );
    }
    let answer = stage.desk.send(&Call::record_at_once(&batch)).await?;
    if answer.is_error {
        return Ok(json!({ "accepted": false, "answer": answer.body }));
    }
    let recorded: Recorded = answer.accepted()?;
    for (created, string) in recorded.created.items.iter().zip(&case.given.strings) {
        let detail = stage.desk.item(&created.id).await?;
        let stored = detail
            .transactions
            .first()
            .and_then(|row| row.amount.as_ref());
        if stored.map(|figure| figure.text()) != Some(string) {
            let shown = stored.map_or("nothing", |figure| figure.text());
            return Ok(
                json!({ "accepted": true, "echo": format!("{string:?} came back as {shown:?}") }),
            );
        }
    }
    let all = recorded.created.items.len() == case.given.strings.len();
    Ok(json!({ "accepted": all, "echo": case.expect["echo"] }))
}

/// Each string and each JSON value that is none is tried as the amount of a deposit; the first that is not refused as the
/// case says is shown. The case states the field in prose.
async fn refused(stage: &Stage, case: &Case) -> Result<Value, Failure> {
    let strings = case.given.strings.iter().map(|string| json!(string));
    for tried in strings.chain(case.given.non_strings.iter().cloned()) {
        let mut batch = Batch::new();
        batch.push(
            "items",
            json!({ "key": "cash", "name": "cash", "kind": "cash" }),
        );
        batch.push(
            "transactions",
            json!({ "item": "cash", "type": "deposit", "date": DAY, "amount": tried }),
        );
        let answer = stage.desk.send(&Call::preview(&batch)).await?;
        if !answer.is_error {
            return Ok(json!({ "refused": format!("{tried} was accepted") }));
        }
        let refusal = answer.refusal()?;
        let wanted = case.expect["code"].as_str().unwrap_or_default();
        if refusal.code != wanted {
            let code = format!("{} for {tried}", refusal.code);
            return Ok(json!({ "refused": true, "code": code, "field": case.expect["field"] }));
        }
        if refusal.field.as_deref() != Some("transactions[0].amount") {
            let field = format!("{:?} for {tried}", refusal.field);
            return Ok(json!({ "refused": true, "code": wanted, "field": field }));
        }
    }
    Ok(json!({ "refused": true, "code": case.expect["code"], "field": case.expect["field"] }))
}

/// Records the rows of a case and shows the value of its item, which is the balance of a cash item.
///
/// # Errors
/// No answer, or a label that leads nowhere.
pub async fn sum(stage: &mut Stage, case: &Case) -> Result<Value, Failure> {
    if let Err(refusal) = stage.record(Rows::of(&case.given)).await? {
        return Ok(json!({ "refused": true, "code": refusal.code }));
    }
    let Some((_, item)) = stage.items.first() else {
        return Err(Failure::harness(format!("case {} has no item", case.id)));
    };
    let position = stage.desk.item(item).await?.item.position;
    let value = position.value.map(|figure| figure.text().to_owned());
    Ok(json!({ "balance": value, "value": value }))
}

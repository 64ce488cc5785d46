//! Steps that take back what was written: undo of a batch, void of single rows.

use cucumber::{gherkin::Step, given, when};
use serde_json::json;
use ulid::Ulid;

use super::{
    book::{lines, note_down, unreadable},
    items::item_id,
    people::{Who, desk, meet},
    writing::{attempt, item_named},
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Call, Line,
        result::{Undone, Voided},
    },
};

/// A committed batch is taken back.
#[given(expr = "{person} has undone {string}")]
#[when(expr = "{person} undoes {string}")]
async fn undoes(scene: &mut Scene, who: Who, label: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = scene.writing.batch_named(&label)?;
    let answer = desk(scene, &name)?.send(&Call::undo(&batch)).await?;
    let _: Undone = answer.accepted()?;
    scene.writing.last = Some(answer);
    Ok(())
}

/// What taking a batch back would do; nothing is taken back by it.
#[when(expr = "{person} asks what undoing {string} would do")]
async fn previews_undo(scene: &mut Scene, who: Who, label: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    note_down(scene).await?;
    let batch = scene.writing.batch_named(&label)?;
    let answer = desk(scene, &name)?
        .send(&Call::preview_undo(&batch))
        .await?;
    let _: Undone = answer.accepted()?;
    scene.writing.last = Some(answer);
    Ok(())
}

/// Taking a batch back, which must be refused.
#[when(expr = "{person} tries to undo {string}")]
async fn tries_to_undo(scene: &mut Scene, who: Who, label: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = scene.writing.batch_named(&label)?;
    attempt(scene, &name, &Call::undo(&batch)).await
}

/// Taking a batch back with an argument that would force it, which must be refused.
#[when(expr = "{person} tries to force the undo of {string}")]
async fn tries_to_force_undo(scene: &mut Scene, who: Who, label: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = scene.writing.batch_named(&label)?;
    attempt(scene, &name, &Call::undo(&batch).with("force", json!(true))).await
}

/// Asking what taking a batch back would do, which must be refused already.
#[when(expr = "{person} tries to ask what undoing {string} would do")]
async fn tries_to_preview_undo(scene: &mut Scene, who: Who, label: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = scene.writing.batch_named(&label)?;
    attempt(scene, &name, &Call::preview_undo(&batch)).await
}

/// Rows of a table (`date entry item`) are taken out in one call.
#[given(expr = "{person} has voided")]
#[when(expr = "{person} voids")]
async fn voids(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = void_of(scene, &name, &lines(step)).await?;
    let answer = desk(scene, &name)?.send(&call).await?;
    let voided: Voided = answer.accepted()?;
    scene.writing.voided = Some(call);
    scene.writing.batch = Some(voided.batch);
    scene.writing.last = Some(answer);
    Ok(())
}

/// Rows of a table (`date entry item`) are to be taken out, which must be refused.
#[when(expr = "{person} tries to void")]
async fn tries_to_void(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = void_of(scene, &name, &lines(step)).await?;
    attempt(scene, &name, &call).await
}

/// Rows of a table (`date entry item`) are to be taken out together with one more id, which must be refused.
async fn tries_to_void_with(
    scene: &mut Scene,
    name: &str,
    step: &Step,
    further: String,
) -> Result<(), Failure> {
    let mut call = void_of(scene, name, &lines(step)).await?;
    let ids = call.arguments.get_mut("transactions");
    if let Some(ids) = ids.and_then(serde_json::Value::as_array_mut) {
        ids.push(json!(further));
    }
    attempt(scene, name, &call).await
}

/// Rows are to be taken out together with an id that was never given out, which must be refused.
#[when(expr = "{person} tries to void, together with a row that never was,")]
async fn tries_to_void_unknown(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    tries_to_void_with(scene, &name, step, format!("txn_{}", Ulid::new())).await
}

/// Rows are to be taken out together with one of another's book, which must be refused.
#[when(expr = "{person} tries to void, together with a row of {person}'s {string},")]
async fn tries_to_void_foreign(
    scene: &mut Scene,
    who: Who,
    other: Who,
    item: String,
    step: &Step,
) -> Result<(), Failure> {
    let other = meet(scene, &other).await?;
    let detail = item_named(scene, &other, &desk(scene, &other)?, &item).await?;
    let row = detail.transactions.first().map(|row| row.id.clone());
    let row = row.ok_or_else(|| Failure::expected("a row to name").actual("there is none"))?;
    let name = meet(scene, &who).await?;
    tries_to_void_with(scene, &name, step, row).await
}

/// Rows are to be taken out together with an item, which is no row, which must be refused.
#[when(expr = "{person} tries to void, together with the item {string} itself,")]
async fn tries_to_void_item(
    scene: &mut Scene,
    who: Who,
    item: String,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let item = item_id(scene, &name, &item)?;
    tries_to_void_with(scene, &name, step, item).await
}

/// The rows voided last are to be voided once more, which must be refused.
#[when(expr = "{person} tries to void the same rows again")]
async fn tries_to_void_again(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = scene.writing.voided.clone();
    let call = call.ok_or_else(|| Failure::harness("nothing was voided before this sentence"))?;
    attempt(scene, &name, &call).await
}

async fn void_of(scene: &Scene, name: &str, lines: &[Line]) -> Result<Call, Failure> {
    let desk = desk(scene, name)?;
    let (mut transactions, mut valuations, mut prices) = (Vec::new(), Vec::new(), Vec::new());
    for line in lines {
        let (entry, date) = (
            line.needs("entry").map_err(unreadable)?,
            line.needs("date").map_err(unreadable)?,
        );
        let item = line.needs("item").map_err(unreadable)?;
        let detail = item_named(scene, name, &desk, item).await?;
        let (list, id) = match entry {
            "valuation" => (
                &mut valuations,
                detail
                    .valuations
                    .iter()
                    .find(|row| row.date == date)
                    .map(|row| row.id.clone()),
            ),
            // Several prices may have one day; the amount tells which is meant.
            "price" => (
                &mut prices,
                detail
                    .prices
                    .iter()
                    .filter(|row| row.date == date)
                    .find(|row| {
                        let amount = line.cell("amount");
                        amount.is_none_or(|amount| row.price.text() == amount)
                    })
                    .map(|row| row.id.clone()),
            ),
            "transfer" => (
                &mut transactions,
                detail
                    .transfers
                    .iter()
                    .find(|row| row.date == date)
                    .map(|row| row.id.clone()),
            ),
            entry => {
                let kind = entry.replace(' ', "_");
                let row = detail
                    .transactions
                    .iter()
                    .find(|row| row.date == date && row.kind == kind);
                (&mut transactions, row.map(|row| row.id.clone()))
            }
        };
        let missing = || {
            Failure::expected(format!("a {entry} of {date} on {item}"))
                .actual("it is not in the book")
        };
        list.push(id.ok_or_else(missing)?);
    }
    Ok(Call::void(
        &transactions,
        &valuations,
        &prices,
        Some("recorded by mistake"),
    ))
}

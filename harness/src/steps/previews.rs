//! Steps about previews and their ids: how long they hold, where they can be committed, and what of them is known before.

use cucumber::{gherkin::Step, then, when};
use jiff::Timestamp;
use serde_json::{Value, json};
use ulid::Ulid;

use super::{
    access::masked,
    book::{before, learn_names, lines, note_down},
    items::item_id,
    people::{Who, desk, desk_without_book, meet},
    writing::{Written, attempt},
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{Answer, Batch, Call, Snapshot, result::Recorded},
};

/// What a scenario remembers about ids that were only announced.
#[derive(Debug, Default)]
pub struct Previews {
    /// Each call with an announced id and the same call with one that was never given out: name, and both answers.
    announced: Vec<(String, String, String, bool)>,
}

/// How far the end of a preview may lie from thirty minutes after it was made.
const NEARLY_SECONDS: i64 = 5;

/// The preview says when it ends: so many minutes from now, give or take five seconds.
#[then(expr = "the preview ends {int} minutes from now")]
async fn ends_in(scene: &mut Scene, minutes: i64) -> Result<(), Failure> {
    let shown = scene.writing.preview.as_ref();
    let ends = shown.and_then(|preview| preview.expires_at.clone());
    let ends: Timestamp = ends
        .and_then(|ends| ends.parse().ok())
        .ok_or_else(|| Failure::expected("an expires_at").actual("none that can be read"))?;
    let mocks = scene.environment.mocks.as_ref();
    let mocks = mocks.ok_or_else(|| Failure::harness("the target has no clock to compare with"))?;
    let now = mocks.now().await;
    let now = now.map_err(|problem| Failure::expected("a clock").actual(problem))?;
    let left = ends.as_second() - now.as_second();
    if (left - minutes * 60).abs() <= NEARLY_SECONDS {
        return Ok(());
    }
    Err(Failure::expected(format!("{minutes} minutes from {now}")).actual(ends))
}

/// The last answer hands out no preview id.
#[then("the answer is no preview")]
fn is_no_preview(scene: &mut Scene) -> Result<(), Failure> {
    let answer = scene.writing.answer()?;
    answer.is_accepted()?;
    match answer.body.get("preview_id") {
        None | Some(Value::Null) => Ok(()),
        Some(id) => Err(Failure::expected("no preview_id").actual(id)),
    }
}

/// Something that is no preview's id is committed, which must be refused. The text is sent as it stands.
#[when(expr = "{person} tries to commit the id {string}")]
async fn tries_to_commit_id(scene: &mut Scene, who: Who, id: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    attempt(scene, &name, &Call::commit(&id)).await
}

/// The last preview is committed in the first book of the scenario, which must be refused.
#[when(expr = "{person} tries to commit the preview in the first book")]
async fn tries_in_first_book(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    note_down(scene).await?;
    let first = scene.book.shelf.first().map(|book| book.workspace.clone());
    let desk = desk_without_book(scene, &name)?.in_workspace(&first.unwrap_or_default());
    let answer = desk.send(&Call::commit(&last_preview(scene))).await?;
    scene.writing.last = Some(answer);
    Ok(())
}

/// The last preview is committed without naming a book: stored where it was made, or refused.
#[when(expr = "{person} commits the preview without naming a book")]
async fn commits_without_book(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    note_down(scene).await?;
    let desk = desk_without_book(scene, &name)?;
    let answer = desk.send(&Call::commit(&last_preview(scene))).await?;
    scene.writing.last = Some(answer);
    Ok(())
}

fn last_preview(scene: &Scene) -> String {
    let last = scene.writing.preview_ids.last();
    last.cloned().unwrap_or_default()
}

/// The first book of the scenario reads as it was noted down, whatever happened in the others.
#[then("the first book has not changed")]
async fn first_unchanged(scene: &mut Scene) -> Result<(), Failure> {
    let noted = scene.book.noted.as_ref().and_then(|books| books.first());
    let noted = noted.cloned();
    let noted = noted.ok_or_else(|| Failure::harness("no book was noted down"))?;
    let first = scene.book.shelf.first().cloned();
    let first = first.ok_or_else(|| Failure::harness("no book was opened"))?;
    let desk = desk_without_book(scene, &first.keeper)?.in_workspace(&first.workspace);
    match noted.first_difference(&Snapshot::take(&desk).await?) {
        None => Ok(()),
        Some(difference) => Err(Failure::expected("the first book as before").actual(difference)),
    }
}

/// The refusal names the batch that the preview became, by its id.
#[then("the refusal names the batch that the preview became")]
fn names_batch(scene: &mut Scene) -> Result<(), Failure> {
    let refusal = scene.writing.answer()?.refusal()?;
    let batch = scene.writing.batch.clone().unwrap_or_default();
    if batch.starts_with("bat_") && refusal.details.get("batch") == Some(&json!(batch)) {
        return Ok(());
    }
    Err(Failure::expected(format!("batch {batch}")).actual(format!("{:?}", refusal.details)))
}

/// Every tool that takes an item, with a security that only a preview may have announced.
fn calls_with(item: &str, loan: &str, party: &str) -> Vec<Call> {
    let mut price = Batch::new();
    price.push(
        "prices",
        json!({ "item": item, "date": "2024-02-01", "price": "11" }),
    );
    let owners = json!([{ "party": party, "percent": "100.0" }]);
    let fields = [("notes".to_owned(), json!("seen"))].into_iter().collect();
    vec![
        Call::get_item(item),
        Call::simulate_sale(item),
        Call::reconcile(item, "2024-01-31", "units", "10"),
        Call::preview(&price),
        Call::update_item(item, fields),
        Call::set_owners(item, &owners, None, false),
        Call::link(loan, item, "funds"),
        Call::archive_item(item, None),
    ]
}

/// Every tool that takes an item is called with the one that the last preview announced, and with an id that was never
/// given out. The book holds a loan by that name.
#[when(expr = "{person} tries every tool on the announced item, beside the loan {string}")]
async fn tries_announced(scene: &mut Scene, who: Who, loan: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    note_down(scene).await?;
    let preview = scene.writing.preview.clone();
    let announced = preview.and_then(|preview| preview.created.items.first().cloned());
    let announced = announced.ok_or_else(|| {
        Failure::expected("the preview announces the item it would make").actual("none")
    })?;
    let loan = item_id(scene, &name, &loan)?;
    let party = before(scene, &name)?.parties.values().next().cloned();
    let party = party.unwrap_or_default();
    let never = format!("itm_{}", Ulid::new());
    let desk = desk(scene, &name)?;
    let mut seen = Vec::new();
    let pairs = calls_with(&announced.id, &loan, &party);
    for (call, other) in pairs.into_iter().zip(calls_with(&never, &loan, &party)) {
        let answer = desk.send(&call).await?;
        let unknown: Answer = desk.send(&other).await?;
        let refused = answer.is_error && unknown.is_error;
        let bodies = (masked(&answer, &call), masked(&unknown, &other));
        seen.push((call.tool.to_owned(), bodies.0, bodies.1, refused));
    }
    scene.previews.announced = seen;
    Ok(())
}

/// Each of those calls was refused, and in the same words as one with an id that was never given out.
#[then("each of these tools refuses it like an id that was never given out")]
fn announced_is_unknown(scene: &mut Scene) -> Result<(), Failure> {
    if scene.previews.announced.is_empty() {
        return Err(Failure::harness("no tool was tried before this sentence"));
    }
    for (tool, announced, unknown, refused) in &scene.previews.announced {
        if !refused || announced != unknown {
            return Err(Failure::expected(format!("{tool}: {unknown}")).actual(announced));
        }
    }
    Ok(())
}

/// After the commit every tool that takes an item takes this one.
#[then(expr = "every tool takes {person}'s {string}, beside the loan {string}")]
async fn tools_take(
    scene: &mut Scene,
    who: Who,
    item: String,
    loan: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let (item, loan) = (item_id(scene, &name, &item)?, item_id(scene, &name, &loan)?);
    let party = before(scene, &name)?.parties.values().next().cloned();
    let desk = desk(scene, &name)?;
    for call in calls_with(&item, &loan, &party.unwrap_or_default()) {
        desk.send(&call).await?.is_accepted()?;
    }
    Ok(())
}

/// Two items are handed in under one key, which must be refused.
#[when(expr = "{person} tries to open two items under one key")]
async fn tries_one_key(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let mut batch = Batch::new();
    for item in ["Till", "Chest"] {
        batch.push(
            "items",
            json!({ "key": "one", "name": item, "kind": "cash" }),
        );
    }
    batch.push(
        "transactions",
        json!({ "item": "one", "type": "deposit", "date": "2024-01-02", "amount": "1" }),
    );
    attempt(scene, &name, &Call::preview(&batch)).await
}

/// A number of deposits of one amount, each with a reference of its own.
#[must_use]
pub fn many_deposits(item: &str, number: usize, amount: &str) -> Batch {
    let mut batch = Batch::new();
    for place in 0..number {
        batch.push(
            "transactions",
            json!({ "item": item, "type": "deposit", "date": "2024-01-02", "amount": amount,
                "external_ref": format!("row-{place}") }),
        );
    }
    batch
}

/// So many deposits of one amount are previewed in one batch, with the references row-0, row-1 and so on.
#[when(expr = "{person} previews {int} deposits of {figure} into {string}")]
async fn previews_many(
    scene: &mut Scene,
    who: Who,
    number: usize,
    amount: Written,
    item: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = many_deposits(&item_id(scene, &name, &item)?, number, &amount.0);
    let answer = desk(scene, &name)?.send(&Call::preview(&batch)).await?;
    let shown: Recorded = answer.accepted()?;
    scene.writing.preview_ids.extend(shown.preview_id.clone());
    scene.writing.preview = Some(shown);
    scene.writing.handed_in = Some(batch);
    scene.writing.last = Some(answer);
    Ok(())
}

/// The deposits previewed last come again, the last of them with another amount.
#[when(expr = "{person} previews them again, the last of {figure}")]
async fn previews_many_changed(
    scene: &mut Scene,
    who: Who,
    amount: Written,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let known = scene.writing.handed_in.clone().unwrap_or_default();
    let mut call = Call::preview(&known);
    let rows = call.arguments.get_mut("transactions");
    if let Some(last) = rows
        .and_then(Value::as_array_mut)
        .and_then(|rows| rows.last_mut())
    {
        last["amount"] = json!(amount.0);
    }
    let answer = desk(scene, &name)?.send(&call).await?;
    let _: Recorded = answer.accepted()?;
    scene.writing.last = Some(answer);
    Ok(())
}

/// So many deposits in one batch, which must be refused.
#[when(expr = "{person} tries to preview {int} deposits of {figure} into {string}")]
async fn tries_many(
    scene: &mut Scene,
    who: Who,
    number: usize,
    amount: Written,
    item: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = many_deposits(&item_id(scene, &name, &item)?, number, &amount.0);
    attempt(scene, &name, &Call::preview(&batch)).await
}

/// A deposit is recorded with the switch `dry_run` as the JSON of the sentence, which must be refused.
#[when(expr = "{person} tries to record a deposit into {string} with dry_run {word}")]
async fn tries_switch(
    scene: &mut Scene,
    who: Who,
    item: String,
    switch: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = many_deposits(&item_id(scene, &name, &item)?, 1, "1");
    let call = Call::preview(&batch).with("dry_run", json!(switch));
    attempt(scene, &name, &call).await
}

/// Where a batch says it comes from, field by field: columns `kind name sha256 note`.
#[when(expr = "{person} records a deposit into {string} from the source")]
async fn records_from(
    scene: &mut Scene,
    who: Who,
    item: String,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = deposit_from(scene, &name, &item, step)?;
    let answer = desk(scene, &name)?.send(&call).await?;
    let recorded: Recorded = answer.accepted()?;
    learn_names(scene, &name, &recorded)?;
    scene.writing.remember_commit(answer, &recorded);
    Ok(())
}

/// A batch says where it comes from in a way that must be refused.
#[when(expr = "{person} tries to record a deposit into {string} from the source")]
async fn tries_from(scene: &mut Scene, who: Who, item: String, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = deposit_from(scene, &name, &item, step)?;
    attempt(scene, &name, &call).await
}

fn deposit_from(scene: &Scene, name: &str, item: &str, step: &Step) -> Result<Call, Failure> {
    let mut batch = many_deposits(&item_id(scene, name, item)?, 1, "1");
    for line in lines(step) {
        let source = line.arguments().map_err(super::book::unreadable)?;
        batch.set_source(Value::Object(source));
    }
    Ok(Call::record_at_once(&batch))
}

/// The last batch of the book says where it comes from, as it was given: columns `kind name sha256 note`.
#[then(expr = "{person}'s last batch comes from the source")]
async fn comes_from(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batches = desk(scene, &name)?.batches().await?;
    let shown = batches.first().and_then(|batch| batch.source.clone());
    let shown = shown.unwrap_or_default();
    for line in lines(step) {
        let given = Value::Object(line.arguments().map_err(super::book::unreadable)?);
        let same = given.as_object().is_some_and(|fields| {
            fields
                .iter()
                .all(|(field, text)| shown.get(field) == Some(text))
        });
        if !same {
            return Err(Failure::expected(given).actual(shown));
        }
    }
    Ok(())
}

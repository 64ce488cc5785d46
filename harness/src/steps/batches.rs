//! Steps that read the list of batches: page by page, by status, from an item, and against the people who wrote them.

use std::collections::BTreeMap;

use cucumber::{gherkin::Step, then, when};
use serde_json::{Value, json};

use super::{
    book::lines,
    items::item_id,
    people::{Who, desk, meet},
    reading::item_of,
    table::{Cell, compare_table},
    writing::attempt,
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{Batch, Call, result::BatchPage},
};

/// What a scenario remembers about pages of batches.
#[derive(Debug, Default)]
pub struct BatchPages {
    /// The batches that were there before the first page was read.
    before: Vec<String>,
    /// The batches that the pages showed.
    shown: Vec<String>,
}

fn page_of(cursor: Option<&str>, limit: usize) -> Call {
    let call = Call::list_batches(cursor);
    call.with("limit", json!(limit))
}

/// The list of batches is read page by page, and between two pages a deposit is recorded.
#[when(
    expr = "{person} reads the batches {int} a page, with a deposit into {string} between the pages"
)]
async fn reads_pages(
    scene: &mut Scene,
    who: Who,
    limit: usize,
    item: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let item = item_id(scene, &name, &item)?;
    let desk = desk(scene, &name)?;
    let before = desk.batches().await?;
    let mut shown = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page: BatchPage = desk
            .send(&page_of(cursor.as_deref(), limit))
            .await?
            .accepted()?;
        shown.extend(page.batches.into_iter().map(|batch| batch.id));
        let Some(next) = page.next_cursor else {
            break;
        };
        cursor = Some(next);
        let mut deposit = Batch::new();
        deposit.push(
            "transactions",
            json!({ "item": item, "type": "deposit", "date": "2024-01-02", "amount": "1" }),
        );
        desk.send(&Call::record_at_once(&deposit))
            .await?
            .is_accepted()?;
    }
    scene.batch_pages = BatchPages {
        before: before.into_iter().map(|batch| batch.id).collect(),
        shown,
    };
    Ok(())
}

/// Each batch that was there before stood on one page, and none on two.
#[then("every batch from before stood on exactly one page")]
fn on_one_page(scene: &mut Scene) -> Result<(), Failure> {
    let pages = &scene.batch_pages;
    for batch in &pages.before {
        let times = pages.shown.iter().filter(|shown| *shown == batch).count();
        if times != 1 {
            return Err(Failure::expected(format!("{batch} once")).actual(times));
        }
    }
    if pages.before.is_empty() {
        return Err(Failure::harness("there was no batch to look for"));
    }
    Ok(())
}

/// How many batches the list shows when asked for one status, each of them with that status.
#[then(expr = "{person}'s book lists {int} {word} batches when asked for those")]
async fn lists_by_status(
    scene: &mut Scene,
    who: Who,
    number: usize,
    status: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = Call::list_batches(None).with("status", json!(status));
    let page: BatchPage = desk(scene, &name)?.send(&call).await?.accepted()?;
    let right = page.batches.iter().all(|batch| batch.status == status);
    if right && page.batches.len() == number && page.next_cursor.is_none() {
        return Ok(());
    }
    let seen: Vec<&str> = page
        .batches
        .iter()
        .map(|batch| batch.status.as_str())
        .collect();
    Err(Failure::expected(format!("{number} {status} batches")).actual(format!("{seen:?}")))
}

/// The list of batches is asked for a status that there is none of, which must be refused.
#[when(expr = "{person} tries to list the batches that are {string}")]
async fn tries_status(scene: &mut Scene, who: Who, status: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = Call::list_batches(None).with("status", json!(status));
    attempt(scene, &name, &call).await
}

/// The batches that an item names, newest first, by the tool that wrote each: column `tool`.
#[then(expr = "{person}'s {string} names the batches, newest first")]
async fn item_names(scene: &mut Scene, who: Who, item: String, step: &Step) -> Result<(), Failure> {
    let named = item_of(scene, &who, &item).await?.batches;
    let name = meet(scene, &who).await?;
    let listed = desk(scene, &name)?.batches().await?;
    let tool = |id: &str| {
        let batch = listed.iter().find(|batch| batch.id == id);
        let tool = batch.map_or("not listed", |batch| batch.tool.as_str());
        if tool == "commit" { "record" } else { tool }
    };
    let seen: Vec<&str> = named.iter().map(|batch| tool(&batch.id)).collect();
    let expected = lines(step);
    let expected: Vec<&str> = expected
        .iter()
        .filter_map(|line| line.cell("tool"))
        .collect();
    if seen == expected {
        return Ok(());
    }
    Err(Failure::expected(format!("{expected:?}")).actual(format!("{seen:?}")))
}

/// Who wrote the batches, newest first: columns `tool written by`; each user has a prefixed id.
#[then(expr = "{person}'s book still names the writers")]
async fn writers_are(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batches = desk(scene, &name)?.batches().await?;
    let rows = batches.iter().map(|batch| {
        vec![
            Cell::text("batch", &batch.tool),
            Cell::text("written by", &batch.user.name),
        ]
    });
    compare_table(&lines(step), &rows.collect::<Vec<_>>())
}

/// In every answer so far one id has one name and one name of an item has one id, whatever tool showed them.
#[then("every record shown so far has the same id in every tool")]
fn same_ids(scene: &mut Scene) -> Result<(), Failure> {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for answer in scene.book.answers.all() {
        if !answer.is_error {
            gather(&answer.body, &mut names)?;
        }
    }
    let mut ids: BTreeMap<&str, &str> = BTreeMap::new();
    for (id, name) in names.iter().filter(|(id, _)| id.starts_with("itm_")) {
        if let Some(other) = ids.insert(name, id) {
            return Err(
                Failure::expected(format!("one id for {name}")).actual(format!("{other} and {id}"))
            );
        }
    }
    if ids.is_empty() {
        return Err(Failure::expected("items with ids and names").actual("none was shown"));
    }
    Ok(())
}

fn gather(value: &Value, names: &mut BTreeMap<String, String>) -> Result<(), Failure> {
    match value {
        Value::Object(members) => {
            let id = members.get("id").or_else(|| members.get("item"));
            let pair = id
                .and_then(Value::as_str)
                .zip(members.get("name").and_then(Value::as_str));
            if let Some((id, name)) = pair {
                let known = names.insert(id.to_owned(), name.to_owned());
                if known.as_ref().is_some_and(|known| known != name) {
                    return Err(Failure::expected(format!("{id} is {known:?}")).actual(name));
                }
            }
            members.values().try_for_each(|inner| gather(inner, names))
        }
        Value::Array(elements) => elements.iter().try_for_each(|inner| gather(inner, names)),
        _ => Ok(()),
    }
}

//! Steps about lists of items: filters, pages, what is stale. And what the caller's own share comes to over all workspaces.

use std::collections::{BTreeMap, BTreeSet};

use cucumber::{gherkin::Step, then, when};
use serde_json::{Value, json};
use ulid::Ulid;

use super::{
    book::lines,
    people::{Who, desk, meet},
    table::{Cell, compare_table},
    writing::Day,
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Call, Desk,
        result::{ItemPage, OwnShare},
    },
};

/// The ids of the items that a filter gives.
async fn filtered(desk: &Desk, filter: &str, value: &str) -> Result<BTreeSet<String>, Failure> {
    let call = Call::list_items(None)
        .with(filter, json!(value))
        .with("limit", json!(200));
    let page: ItemPage = desk.send(&call).await?.accepted()?;
    Ok(page.items.into_iter().map(|item| item.id).collect())
}

/// Each filter gives exactly the items that have the value asked for, and all of them together give every item.
#[then(expr = "each filter of {person}'s list gives exactly the items that fit")]
async fn filters_fit(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let desk = desk(scene, &name)?;
    let call = Call::list_items(None).with("limit", json!(200));
    let answer = desk.send(&call).await?;
    answer.is_accepted()?;
    let items = answer.body["items"].as_array().cloned().unwrap_or_default();
    let id = |item: &Value| item["id"].as_str().unwrap_or_default().to_owned();
    for filter in ["kind", "class", "account", "party"] {
        let mut fitting: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for item in &items {
            let values: Vec<&str> = match filter {
                "party" => item["owners"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(|owner| owner["party"].as_str())
                    .collect(),
                _ => item[filter]
                    .as_str()
                    .or(item[filter]["id"].as_str())
                    .into_iter()
                    .collect(),
            };
            for value in values {
                fitting
                    .entry(value.to_owned())
                    .or_default()
                    .insert(id(item));
            }
        }
        if fitting.len() < 2 {
            return Err(Failure::harness(format!(
                "the book has no two values of {filter}"
            )));
        }
        for (value, expected) in fitting {
            let seen = filtered(&desk, filter, &value).await?;
            if seen != expected {
                return Err(
                    Failure::expected(format!("{expected:?} of {filter} {value}"))
                        .actual(format!("{seen:?}")),
                );
            }
        }
    }
    Ok(())
}

/// An id that is nobody's, in a filter that takes one; the answer is kept.
#[when(expr = "{person} tries to list the items of an unknown {word}")]
async fn tries_unknown_filter(scene: &mut Scene, who: Who, filter: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let prefix = if filter == "account" { "acc" } else { "pty" };
    let call = Call::list_items(None).with(&filter, json!(format!("{prefix}_{}", Ulid::new())));
    super::writing::attempt(scene, &name, &call).await
}

/// Some cash items are opened, called by numbers.
#[when(expr = "{person} opens {int} cash items")]
async fn opens_many(scene: &mut Scene, who: Who, number: usize) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    open_numbered(&desk(scene, &name)?, 1..=number).await
}

async fn open_numbered(
    desk: &Desk,
    numbers: std::ops::RangeInclusive<usize>,
) -> Result<(), Failure> {
    let items: Vec<Value> = numbers
        .map(|number| json!({ "name": format!("Jar {number:03}"), "kind": "cash" }))
        .collect();
    let call = Call::raw("record", json!({ "items": items, "dry_run": false }));
    desk.send(&call).await?.is_accepted()
}

/// The list in pages, with a new item opened between each two: every item that was there at first comes exactly once.
#[then(expr = "{person} reads {int} items in pages of {int}, each once, while others are opened")]
async fn pages_hold(
    scene: &mut Scene,
    who: Who,
    number: usize,
    limit: usize,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let desk = desk(scene, &name)?;
    let there: BTreeSet<String> = desk
        .items()
        .await?
        .into_iter()
        .map(|item| item.id)
        .collect();
    let mut seen: Vec<String> = Vec::new();
    let mut cursor: Option<String> = None;
    let mut pages = 0;
    loop {
        let call = Call::list_items(cursor.as_deref()).with("limit", json!(limit));
        let page: ItemPage = desk.send(&call).await?.accepted()?;
        pages += 1;
        if page.items.len() > limit || pages > number {
            return Err(
                Failure::expected(format!("at most {limit} items a page, and an end"))
                    .actual(format!("{} on page {pages}", page.items.len())),
            );
        }
        seen.extend(page.items.into_iter().map(|item| item.id));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
        open_numbered(&desk, 900 + pages..=900 + pages).await?;
    }
    let different: BTreeSet<String> = seen.iter().cloned().collect();
    let lost: Vec<&String> = there.difference(&different).collect();
    if there.len() == number && lost.is_empty() && different.len() == seen.len() {
        return Ok(());
    }
    Err(
        Failure::expected(format!("{number} items, each once")).actual(format!(
            "{} of {} lost, {} read twice",
            lost.len(),
            there.len(),
            seen.len() - different.len()
        )),
    )
}

/// The overview names as stale the very items that the list flags, each with the day of its old figure: columns `item since`.
#[then(expr = "{person}'s overview and list flag as stale")]
async fn stale_alike(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let desk = desk(scene, &name)?;
    let overview = desk.send(&Call::get_overview()).await?;
    overview.is_accepted()?;
    let flagged = overview.body["stale_items"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let of_overview: Vec<Vec<Cell>> = flagged
        .iter()
        .map(|item| {
            vec![
                text(item, "item", "name"),
                text(item, "dated", "value_date"),
            ]
        })
        .collect();
    compare_table(&lines(step), &of_overview)?;
    let listed = desk.items().await?;
    let mut of_list: Vec<&str> = listed
        .iter()
        .filter(|item| item.stale)
        .map(|item| item.id.as_str())
        .collect();
    let mut ids: Vec<&str> = flagged
        .iter()
        .filter_map(|item| item["item"].as_str())
        .collect();
    of_list.sort_unstable();
    ids.sort_unstable();
    if ids == of_list {
        return Ok(());
    }
    Err(
        Failure::expected(format!("{of_list:?}, as the list flags them"))
            .actual(format!("{ids:?}")),
    )
}

fn text(item: &Value, heading: &'static str, member: &str) -> Cell {
    Cell::text(heading, item[member].as_str().unwrap_or_default())
}

/// What is somebody's own over all their workspaces on a day: columns `assets liabilities net worth currency`.
#[then(expr = "{person}'s own share of all workspaces on {day} is")]
async fn own_share(scene: &mut Scene, who: Who, day: Day, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let seen: OwnShare = desk(scene, &name)?
        .send(&Call::get_own_share(Some(&day.0)))
        .await?
        .accepted()?;
    let row = vec![
        Cell::figure("assets", Some(&seen.assets)),
        Cell::figure("liabilities", Some(&seen.liabilities)),
        Cell::figure("net worth", Some(&seen.net_worth)),
        Cell::text("currency", &seen.currency),
    ];
    compare_table(&lines(step), &[row])
}

//! `update_item`, `set_owners`, `link_items` and `archive_item`: what is known of an item beside its rows.

use proofmark_ledger::batch::SetOwners;
use proofmark_ledger::changes::{Archive, ItemUpdate, LinkChange};
use proofmark_ledger::model::{Date, OwnerShare, Relation};
use proofmark_ledger::{Change, Refusal};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::Worthbase;
use super::super::access::Desk;
use super::super::arguments::{read, text};
use super::super::currencies::check;
use super::super::rates::Rates;
use super::super::shown;
use super::parties::{apply, saved};
use super::recording::set;
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;

/// Changes the fields that are given; null takes a value away.
pub(in super::super) async fn update_item(
    server: &Worthbase,
    desk: &Desk,
    mut arguments: JsonObject,
) -> Result<Value, Fault> {
    if let Some(currency) = text(&arguments, "currency") {
        check(currency, "currency")?;
    }
    arguments.shift_remove("workspace");
    if let Some(Value::Object(mut flags)) = arguments.shift_remove("flags")
        && let Some(investable) = flags.shift_remove("investable")
    {
        arguments.insert("investable".to_owned(), investable);
    }
    let update: ItemUpdate = read(arguments)?;
    let id = update.item.clone();
    let change = Change::UpdateItem(Box::new(update));
    let written = apply(server, desk, "update_item", change, "updates[0]").await?;
    let after = &written.assessment.after;
    let rates = Rates::load(&server.bank, after, &[]).await;
    let position = after
        .position(&id, desk.visitor.today(), &*rates.table)
        .map_err(|refusal: Refusal| rates.refused(&refusal))?;
    let item = after.item(&id).ok_or_else(Fault::internal)?;
    Ok(saved(
        desk,
        "item",
        shown::item(item, &position, after),
        &written,
    ))
}

#[derive(Deserialize)]
struct Owners {
    item: String,
    owners: Vec<OwnerShare>,
    from: Option<Date>,
    #[serde(default)]
    correction: bool,
}

/// Replaces the split from a day on: from today unless a day is given; a correction without a day is of the whole past.
pub(in super::super) async fn set_owners(
    server: &Worthbase,
    desk: &Desk,
    arguments: JsonObject,
) -> Result<Value, Fault> {
    let asked: Owners = read(arguments)?;
    let change = SetOwners {
        item: asked.item.into(),
        owners: asked.owners,
        from: match (asked.from, asked.correction) {
            (None, false) => Some(desk.visitor.today()),
            (from, _) => from,
        },
        correction: asked.correction,
    };
    let (item, from) = (change.item.clone(), change.from);
    let change = Change::SetOwners(change);
    let written = apply(server, desk, "set_owners", change, "owners[0]").await?;
    let after = &written.assessment.after;
    let day = from.unwrap_or_else(|| desk.visitor.today());
    let mut answer = saved(desk, "item", json!(item), &written);
    set(
        &mut answer,
        "owners",
        json!(shown::owners(&item, day, after)),
    );
    set(
        &mut answer,
        "from",
        json!(from.map(|from| from.to_string())),
    );
    Ok(answer)
}

#[derive(Deserialize)]
struct Linked {
    from: String,
    to: String,
    relation: Relation,
    #[serde(default)]
    remove: bool,
}

/// Makes a link, or takes it away.
pub(in super::super) async fn link_items(
    server: &Worthbase,
    desk: &Desk,
    arguments: JsonObject,
) -> Result<Value, Fault> {
    let asked: Linked = read(arguments)?;
    let change = LinkChange {
        from: asked.from.as_str().into(),
        to: asked.to.as_str().into(),
        relation: asked.relation,
        remove: asked.remove,
    };
    let written = apply(server, desk, "link_items", Change::Link(change), "links[0]").await?;
    let mut answer = saved(desk, "from", json!(asked.from), &written);
    set(&mut answer, "to", json!(asked.to));
    set(&mut answer, "relation", json!(asked.relation));
    set(&mut answer, "removed", json!(asked.remove));
    Ok(answer)
}

#[derive(Deserialize)]
struct Archived {
    item: String,
    on: Option<Date>,
    reason: Option<String>,
}

/// Takes an item off the balance sheet from a day on, today unless one is given.
pub(in super::super) async fn archive_item(
    server: &Worthbase,
    desk: &Desk,
    arguments: JsonObject,
) -> Result<Value, Fault> {
    let asked: Archived = read(arguments)?;
    let on = asked.on.unwrap_or_else(|| desk.visitor.today());
    let change = Change::Archive(Archive {
        item: asked.item.as_str().into(),
        on,
        reason: asked.reason,
    });
    let written = apply(server, desk, "archive_item", change, "archives[0]").await?;
    let mut answer = saved(desk, "item", json!(asked.item), &written);
    set(&mut answer, "archived_on", json!(on.to_string()));
    Ok(answer)
}

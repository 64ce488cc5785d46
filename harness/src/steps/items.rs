//! Steps that change what is known of an item beside its rows: its fields, its owners, and whether it is archived.

use std::str::FromStr;

use cucumber::{gherkin::Step, given, then, when};
use serde_json::{Value, json};
use ulid::Ulid;

use super::{
    book::{before, lines, note_down, read_all, unreadable},
    people::{Who, desk, identity, meet},
    reading::item_of,
    table::{Cell, compare_table},
    writing::{Day, attempt},
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Answer, Call,
        journal::owners_of,
        result::{Changed, Item, ItemPage},
    },
};

/// From when a new split counts, as the end of a sentence says it.
#[derive(Debug, Clone, PartialEq, Eq, cucumber::Parameter)]
#[param(
    name = "since",
    regex = r"(?: from \d{4}-\d{2}-\d{2})?(?: as it is| as a correction| as no correction| with a correction in quotes)?"
)]
pub struct Since {
    from: Option<String>,
    correction: Option<Value>,
}

impl FromStr for Since {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let from = text.strip_prefix(" from ").and_then(|rest| rest.get(..10));
        let correction = if text.ends_with(" as a correction") {
            Some(json!(true))
        } else if text.ends_with(" as no correction") {
            Some(json!(false))
        } else if text.ends_with(" in quotes") {
            Some(json!("true"))
        } else {
            None
        };
        Ok(Self {
            from: from.map(str::to_owned),
            correction,
        })
    }
}

/// The id of an item by the name the scenario gave it; a name that no item has is sent as it stands.
///
/// # Errors
/// No book is before the person.
pub fn item_id(scene: &Scene, name: &str, item: &str) -> Result<String, Failure> {
    let known = before(scene, name)?.items.get(item).cloned();
    Ok(known.unwrap_or_else(|| item.to_owned()))
}

/// Sends a write that applies at once, which must be accepted, and keeps its batch.
///
/// # Errors
/// The server refuses, or answers without a batch.
pub async fn write(scene: &mut Scene, name: &str, call: &Call) -> Result<Answer, Failure> {
    let answer = desk(scene, name)?.send(call).await?;
    let stored: Changed = answer.accepted()?;
    scene.writing.batch = Some(stored.batch);
    scene.writing.last = Some(answer.clone());
    Ok(answer)
}

/// The last write is called by a name.
#[given(expr = "that batch is called {string}")]
#[when(expr = "that batch is called {string}")]
fn is_called(scene: &mut Scene, label: String) -> Result<(), Failure> {
    let batch = scene.writing.batch.clone();
    let batch =
        batch.ok_or_else(|| Failure::expected("a batch to name").actual("nothing was written"))?;
    scene.writing.batches.insert(label, batch);
    Ok(())
}

fn change_of(scene: &Scene, name: &str, item: &str, step: &Step) -> Result<Call, Failure> {
    let mut fields = serde_json::Map::new();
    for line in lines(step) {
        fields.extend(line.arguments().map_err(unreadable)?);
    }
    if let Some(account) = fields.get_mut("account")
        && let Some(known) = account
            .as_str()
            .and_then(|account| before(scene, name).ok()?.accounts.get(account))
    {
        *account = json!(known);
    }
    if let Some(investable) = fields.remove("investable") {
        let flag = match investable.as_str() {
            Some("yes") => json!(true),
            Some("no") => json!(false),
            _ => investable,
        };
        fields.insert("flags".to_owned(), json!({ "investable": flag }));
    }
    Ok(Call::update_item(&item_id(scene, name, item)?, fields))
}

/// An item changes in the fields of a table, one column for each: `name class subtype account currency opened on closed on
/// investable notes attributes`. `JSON null` takes a value away.
#[given(expr = "{person} has changed {string}")]
#[when(expr = "{person} changes {string}")]
async fn changes(scene: &mut Scene, who: Who, item: String, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = change_of(scene, &name, &item, step)?;
    write(scene, &name, &call).await.map(drop)
}

/// An item is to change in a way that must do nothing: refused, or accepted as the nothing it is. Without a table nothing
/// but the item is named.
#[when(expr = "{person} tries to change {string}")]
async fn tries_to_change(
    scene: &mut Scene,
    who: Who,
    item: String,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = change_of(scene, &name, &item, step)?;
    attempt(scene, &name, &call).await
}

/// A number of attributes for an item, each with a key of its own.
fn many_attributes(scene: &Scene, name: &str, item: &str, number: usize) -> Result<Call, Failure> {
    let attributes = (1..=number).map(|place| (format!("key {place}"), json!("text")));
    let fields = [("attributes".to_owned(), Value::Object(attributes.collect()))];
    Ok(Call::update_item(
        &item_id(scene, name, item)?,
        fields.into_iter().collect(),
    ))
}

/// An item gets so many attributes, in place of those it had.
#[when(expr = "{person} gives {string} {int} attributes")]
async fn gives_attributes(
    scene: &mut Scene,
    who: Who,
    item: String,
    number: usize,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = many_attributes(scene, &name, &item, number)?;
    write(scene, &name, &call).await.map(drop)
}

/// An item is to get so many attributes, which must be refused.
#[when(expr = "{person} tries to give {string} {int} attributes")]
async fn tries_to_give_attributes(
    scene: &mut Scene,
    who: Who,
    item: String,
    number: usize,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = many_attributes(scene, &name, &item, number)?;
    attempt(scene, &name, &call).await
}

fn split_of(
    scene: &Scene,
    name: &str,
    item: &str,
    owners: &str,
    since: &Since,
) -> Result<Call, Failure> {
    let owners = owners_of(owners, before(scene, name)?).map_err(unreadable)?;
    let call = Call::set_owners(
        &item_id(scene, name, item)?,
        &owners,
        since.from.as_deref(),
        false,
    );
    Ok(match &since.correction {
        Some(correction) => call.with("correction", correction.clone()),
        None => call,
    })
}

/// An item gets other owners, `Ada 70, Trust 30`: from today, ` from` a day, or ` as a correction` of the past.
#[given(expr = "{person} has split {string} into {string}{since}")]
#[when(expr = "{person} splits {string} into {string}{since}")]
async fn splits(
    scene: &mut Scene,
    who: Who,
    item: String,
    owners: String,
    since: Since,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = split_of(scene, &name, &item, &owners, &since)?;
    write(scene, &name, &call).await.map(drop)
}

/// An item is to get other owners, which must be refused.
#[when(expr = "{person} tries to split {string} into {string}{since}")]
async fn tries_to_split(
    scene: &mut Scene,
    who: Who,
    item: String,
    owners: String,
    since: Since,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = split_of(scene, &name, &item, &owners, &since)?;
    attempt(scene, &name, &call).await
}

/// An item is to be given whole to somebody who is no party of the book.
async fn to_no_party(
    scene: &mut Scene,
    name: &str,
    item: &str,
    party: &str,
) -> Result<(), Failure> {
    let owners = json!([{ "party": party, "percent": "100" }]);
    let call = Call::set_owners(&item_id(scene, name, item)?, &owners, None, false);
    attempt(scene, name, &call).await
}

/// An item is to be given to a party whose id was never given out, which must be refused.
#[when(expr = "{person} tries to give {string} to a party that never was")]
async fn tries_unknown_party(scene: &mut Scene, who: Who, item: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    to_no_party(scene, &name, &item, &format!("pty_{}", Ulid::new())).await
}

/// An item is to be given to a party of another's book, which must be refused.
#[when(expr = "{person} tries to give {string} to the party of {person}'s book")]
async fn tries_foreign_party(
    scene: &mut Scene,
    who: Who,
    item: String,
    other: Who,
) -> Result<(), Failure> {
    let other = meet(scene, &other).await?;
    let name = meet(scene, &who).await?;
    let party = before(scene, &other)?.parties.values().next().cloned();
    to_no_party(scene, &name, &item, &party.unwrap_or_default()).await
}

/// An item is to be given to a user, who is no party, which must be refused.
#[when(expr = "{person} tries to give {string} to {person} the user")]
async fn tries_user_as_party(
    scene: &mut Scene,
    who: Who,
    item: String,
    user: Who,
) -> Result<(), Failure> {
    let user = meet(scene, &user).await?;
    let user = identity(scene, &user).await?.user.id;
    let name = meet(scene, &who).await?;
    to_no_party(scene, &name, &item, &user).await
}

/// An item leaves the balance sheet today.
#[given(expr = "{person} has archived {string}")]
#[when(expr = "{person} archives {string}")]
async fn archives(scene: &mut Scene, who: Who, item: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = Call::archive_item(&item_id(scene, &name, &item)?, None);
    write(scene, &name, &call).await.map(drop)
}

/// An item leaves the balance sheet on a day.
#[given(expr = "{person} has archived {string} on {day}")]
#[when(expr = "{person} archives {string} on {day}")]
async fn archives_on(scene: &mut Scene, who: Who, item: String, day: Day) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = Call::archive_item(&item_id(scene, &name, &item)?, Some(&day.0));
    write(scene, &name, &call).await.map(drop)
}

/// What an item is, on the item itself and in the list of items: columns `name kind side class subtype account currency
/// investable opened on closed on notes archived on`; attributes as `key: value` under `attributes`.
#[then(expr = "{person}'s {string} is described as")]
async fn is_described(
    scene: &mut Scene,
    who: Who,
    item: String,
    step: &Step,
) -> Result<(), Failure> {
    let detail = item_of(scene, &who, &item).await?;
    let name = meet(scene, &who).await?;
    let listed = desk(scene, &name)?.items().await?;
    let listed = listed.into_iter().find(|one| one.id == detail.item.id);
    let listed = listed
        .ok_or_else(|| Failure::expected(format!("{item} in the list")).actual("it is not"))?;
    let accounts = &before(scene, &name)?.accounts;
    let row = |item: &Item| {
        let account = item.account.as_ref();
        let account = account.and_then(|id| accounts.iter().find(|(_, known)| *known == id));
        let attributes: Vec<String> = item
            .attributes
            .iter()
            .map(|(key, value)| format!("{key}: {value}"))
            .collect();
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        vec![
            Cell::text("name", &item.name),
            Cell::text("kind", &item.kind),
            Cell::text("side", text(&item.side)),
            Cell::text("class", text(&item.class)),
            Cell::text("subtype", text(&item.subtype)),
            Cell::text(
                "account",
                account.map_or("", |(account, _)| account.as_str()),
            ),
            Cell::text("currency", &item.currency),
            Cell::text("investable", yes_or_no(item.flags.investable)),
            Cell::text("opened on", text(&item.opened_on)),
            Cell::text("closed on", text(&item.closed_on)),
            Cell::text("notes", text(&item.notes)),
            Cell::text("archived on", text(&item.archived_on)),
            Cell::text("attributes", attributes.join(", ")),
        ]
    };
    for shown in [&detail.item, &listed] {
        compare_table(&lines(step), &[row(shown)])?;
    }
    Ok(())
}

fn yes_or_no(flag: Option<bool>) -> &'static str {
    match flag {
        Some(true) => "yes",
        Some(false) => "no",
        None => "",
    }
}

/// The items read as they were noted down, each byte of them, but for one field of one item.
#[then(expr = "nothing has changed but the {string} of {person}'s {string}")]
async fn only_field_changed(
    scene: &mut Scene,
    field: String,
    who: Who,
    item: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let id = item_id(scene, &name, &item)?;
    let field = match field.as_str() {
        "investable" => "flags".to_owned(),
        field => field.replace(' ', "_"),
    };
    let now = read_all(scene).await?;
    let noted = scene.book.noted.clone().unwrap_or_default();
    if noted.is_empty() || noted == now {
        return Err(Failure::expected("a change").actual("the book reads as it was noted down"));
    }
    for (earlier, later) in noted.iter().zip(&now) {
        let earlier = earlier.items_without(&id, &field);
        if let Some(difference) = earlier.first_difference(&later.items_without(&id, &field)) {
            return Err(
                Failure::expected(format!("only {field} of {item} changed")).actual(difference)
            );
        }
    }
    note_down(scene).await
}

/// An archived item is in the list of items only where archived ones are asked for.
#[then(expr = "{person}'s {string} is listed only among the archived items")]
async fn listed_as_archived(scene: &mut Scene, who: Who, item: String) -> Result<(), Failure> {
    let (present, all) = lists(scene, &who, &item).await?;
    if !present && all {
        return Ok(());
    }
    Err(Failure::expected("listed on request only").actual(format!(
        "listed without request: {present}, on request: {all}"
    )))
}

/// An item that is not archived is in both lists of items.
#[then(expr = "{person}'s {string} is listed")]
async fn is_listed(scene: &mut Scene, who: Who, item: String) -> Result<(), Failure> {
    match lists(scene, &who, &item).await? {
        (true, true) => Ok(()),
        seen => Err(Failure::expected("listed").actual(format!("{seen:?}"))),
    }
}

/// Whether an item is in the list of present items, and in that of all.
async fn lists(scene: &mut Scene, who: &Who, item: &str) -> Result<(bool, bool), Failure> {
    let name = meet(scene, who).await?;
    let id = item_id(scene, &name, item)?;
    let desk = desk(scene, &name)?;
    let present: ItemPage = desk.send(&Call::list_present_items()).await?.accepted()?;
    let all = desk.items().await?;
    Ok((
        present.items.iter().any(|listed| listed.id == id),
        all.iter().any(|listed| listed.id == id),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_split_is_from_a_day_and_perhaps_a_correction() {
        let since: Since = " from 2024-01-01 as a correction".parse().unwrap();
        assert_eq!(since.from.as_deref(), Some("2024-01-01"));
        assert_eq!(since.correction, Some(json!(true)));
        let since: Since = "".parse().unwrap();
        assert_eq!((since.from, since.correction), (None, None));
    }
}

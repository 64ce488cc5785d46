//! Steps about how long a text may be, and that no letter of it is exchanged for another.

use cucumber::{gherkin::Step, then, when};
use serde_json::{Value, json};

use super::{
    book::lines,
    market::texts_of,
    people::{Who, desk, identity, meet},
    writing::attempt,
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{Call, result::Recorded},
};

/// A letter that takes two bytes, so that a bound in bytes shows itself.
const LETTER: &str = "é";

/// A call that writes a text at a place, and where the place is in its arguments.
fn writing_at(place: &str, text: &str) -> Result<Call, Failure> {
    let mut item = json!({ "key": "jar", "name": "Jar", "kind": "cash" });
    let mut row = json!({ "item": "jar", "type": "deposit", "date": "2024-01-02", "amount": "1" });
    match place {
        "the name of an item" => item["name"] = json!(text),
        "the notes of an item" => item["notes"] = json!(text),
        "an attribute of an item" => item["attributes"] = json!({ "remark": text }),
        "the reference of a row" => row["external_ref"] = json!(text),
        "the note of a row" => row["note"] = json!(text),
        "the name of a party" => return Ok(Call::add_party(text, "trust")),
        "the name of the book" => return Ok(Call::rename_workspace(text)),
        other => return Err(Failure::harness(format!("no text stands in {other:?}"))),
    }
    let arguments = json!({ "items": [item], "transactions": [row], "dry_run": false });
    Ok(Call::raw("record", arguments))
}

/// A text of some letters is written at a place, and read again there.
#[when(expr = "{person} writes {int} letters as {string}")]
async fn writes_letters(
    scene: &mut Scene,
    who: Who,
    letters: usize,
    place: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = writing_at(&place, &LETTER.repeat(letters))?;
    let answer = desk(scene, &name)?.send(&call).await?;
    answer.is_accepted()?;
    scene.writing.last = Some(answer);
    Ok(())
}

/// A text that is too long is written at a place, which must be refused.
#[when(expr = "{person} tries to write {int} letters as {string}")]
async fn tries_to_write_letters(
    scene: &mut Scene,
    who: Who,
    letters: usize,
    place: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = writing_at(&place, &LETTER.repeat(letters))?;
    attempt(scene, &name, &call).await
}

/// Somewhere in what the book shows the text stands whole: that many letters in a row.
#[then(expr = "{person} reads {int} letters there")]
async fn reads_letters(scene: &mut Scene, who: Who, letters: usize) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let here = desk(scene, &name)?;
    let written = LETTER.repeat(letters);
    let mut shown = vec![here.send(&Call::get_overview()).await?];
    if let Ok(recorded) = scene.writing.answer()?.accepted::<Recorded>() {
        for item in recorded.created.items {
            shown.push(here.send(&Call::get_item(&item.id)).await?);
        }
    }
    let stands = |value: &Value| texts_in(value).iter().any(|text| **text == written);
    let own = identity(scene, &name).await?;
    let named = own.workspaces.iter().any(|own| own.name == written);
    if named || shown.iter().any(|answer| stands(&answer.body)) {
        return Ok(());
    }
    Err(
        Failure::expected(format!("a text of {letters} letters, whole"))
            .actual("it stands nowhere"),
    )
}

/// Every text in a document.
fn texts_in(document: &Value) -> Vec<&String> {
    match document {
        Value::String(text) => vec![text],
        Value::Array(elements) => elements.iter().flat_map(texts_in).collect(),
        Value::Object(members) => members.values().flat_map(texts_in).collect(),
        _ => Vec::new(),
    }
}

/// Items are opened under names in which letters are spelt in more than one way: column `name`.
#[when(expr = "{person} opens items of these names")]
async fn opens_named(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let names = texts_of(&lines(step), "name");
    let items: Vec<Value> = names
        .iter()
        .map(|name| json!({ "name": name, "kind": "cash" }))
        .collect();
    let call = Call::raw("record", json!({ "items": items, "dry_run": false }));
    desk(scene, &name)?.send(&call).await?.is_accepted()
}

/// The items of the book have these names, letter for letter: column `name`.
#[then(expr = "the items of {person}'s book have exactly these names")]
async fn items_are_named(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let mut expected = texts_of(&lines(step), "name");
    let items = desk(scene, &name)?.items().await?;
    let mut seen: Vec<String> = items.into_iter().map(|item| item.name).collect();
    expected.sort();
    seen.sort();
    if seen == expected {
        return Ok(());
    }
    Err(Failure::expected(format!("{expected:?}")).actual(format!("{seen:?}")))
}

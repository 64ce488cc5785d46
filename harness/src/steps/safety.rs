//! Steps about what may never happen to figures, ids and texts, whoever asks and whatever was written.

use std::collections::BTreeSet;

use cucumber::{gherkin::Step, then, when};
use serde_json::{Value, json};

use super::{
    book::{before, store},
    people::{Who, desk, identity, meet},
    writing::item_named,
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Batch, Call, grammar,
        result::{SavedAccount, SavedParty, SavedWorkspace, Voided},
    },
};

/// Prefixes of the ids that the tools of this profile hand out.
const PREFIXES: [&str; 14] = [
    "usr", "ws", "pty", "acc", "itm", "txn", "trf", "val", "prc", "rec", "bat", "prv", "inv", "lot",
];
/// Letters of Crockford's base 32.
const CROCKFORD: &str = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Every figure of every answer of the scenario is a decimal string of the grammar, money stands beside its currency, and
/// the text copy of an answer says the same as its structured content.
#[then("every figure shown so far is a decimal string, and money stands beside its currency")]
fn figures_are_decimals(scene: &mut Scene) -> Result<(), Failure> {
    let answers = scene.book.answers.all();
    let accepted = answers.iter().filter(|answer| !answer.is_error);
    let faults: Vec<String> = accepted.flat_map(grammar::faults_in).collect();
    match faults.first() {
        None if answers.is_empty() => Err(Failure::expected("answers to look at").actual("none")),
        None => Ok(()),
        Some(first) => Err(Failure::expected("decimal strings beside their currency")
            .actual(format!("{first} ({} in all)", faults.len()))),
    }
}

/// Every id of every answer of the scenario is a known prefix and a ULID, and no two kinds of record share one.
#[then("every id shown so far is a prefixed ULID")]
fn ids_are_ulids(scene: &mut Scene) -> Result<(), Failure> {
    let mut ids = BTreeSet::new();
    for answer in scene
        .book
        .answers
        .all()
        .iter()
        .filter(|answer| !answer.is_error)
    {
        collect_ids(&answer.body, &mut ids);
    }
    if ids.is_empty() {
        return Err(Failure::expected("ids to look at").actual("none"));
    }
    match ids.iter().find(|id| !is_prefixed_ulid(id)) {
        None => Ok(()),
        Some(wrong) => Err(Failure::expected(
            "a known prefix, `_` and 26 letters of Crockford's base 32",
        )
        .actual(wrong)),
    }
}

fn collect_ids(value: &Value, ids: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, member) in fields {
                match member {
                    Value::String(text) if name == "id" || name == "preview_id" => {
                        ids.insert(text.clone());
                    }
                    member => collect_ids(member, ids),
                }
            }
        }
        Value::Array(members) => members.iter().for_each(|member| collect_ids(member, ids)),
        _ => {}
    }
}

fn is_prefixed_ulid(id: &str) -> bool {
    id.split_once('_').is_some_and(|(prefix, ulid)| {
        PREFIXES.contains(&prefix)
            && ulid.len() == 26
            && ulid
                .chars()
                .all(|letter| CROCKFORD.contains(letter.to_ascii_uppercase()))
    })
}

/// A text is written into every field that takes one: names, notes, attributes, references, source, reason.
#[when(expr = "{person} writes this text wherever a text may stand")]
async fn writes_everywhere(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let text = written_text(step);
    let here = desk(scene, &name)?;
    let _: SavedWorkspace = here
        .send(&Call::rename_workspace(&text))
        .await?
        .accepted()?;
    let _: SavedParty = here
        .send(&Call::add_party(&text, "trust"))
        .await?
        .accepted()?;
    let account: SavedAccount = here
        .send(&Call::add_account(&text, "bank"))
        .await?
        .accepted()?;
    let parties = before(scene, &name)?.parties.clone();
    let owner = parties.values().next().cloned().unwrap_or_default();
    let mut batch = Batch::new();
    batch.set_source(json!({ "kind": "csv", "name": text, "note": text }));
    batch.push(
        "items",
        json!({ "key": "jar", "name": text, "kind": "cash", "subtype": text, "notes": text, "attributes": { "remark": text },
            "account": account.account.id, "owners": [{ "party": owner, "percent": "100" }] }),
    );
    let row = |amount: &str, reference: &str| json!({ "item": "jar", "type": "deposit", "date": "2024-01-02", "amount": amount, "external_ref": reference, "note": text });
    batch.push("transactions", row("10", &text));
    batch.push("transactions", row("5", "the row that will be voided"));
    store(scene, &name, &batch).await?;
    let detail = item_named(scene, &name, &here, &text).await?;
    let voided = detail
        .transactions
        .iter()
        .find(|row| row.external_ref.as_deref() != Some(text.as_str()));
    let rows: Vec<String> = voided.map(|row| row.id.clone()).into_iter().collect();
    let _: Voided = here
        .send(&Call::void(&rows, &[], &[], Some(&text)))
        .await?
        .accepted()?;
    Ok(())
}

/// The text under a step, as it is meant.
fn written_text(step: &Step) -> String {
    let raw = step.docstring.clone().unwrap_or_default();
    meant(raw.trim_matches('\n'))
}

/// The text as it is meant: `\u{…}` stands for a letter that cannot be seen in a feature file.
#[must_use]
pub fn meant(raw: &str) -> String {
    let mut text = String::new();
    let mut rest = raw;
    while let Some((start, tail)) = rest.split_once("\\u{") {
        let (code, after) = tail.split_once('}').unwrap_or((tail, ""));
        text.push_str(start);
        text.extend(u32::from_str_radix(code, 16).ok().and_then(char::from_u32));
        rest = after;
    }
    text.push_str(rest);
    text
}

/// The text written everywhere is shown in every place, letter for letter.
#[then(expr = "{person} reads this text in every place, letter for letter")]
async fn reads_everywhere(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let text = written_text(step);
    let here = desk(scene, &name)?;
    let overview = here.overview().await?;
    let detail = item_named(scene, &name, &here, &text).await?;
    let identity = identity(scene, &name).await?;
    let source = overview
        .recent_batches
        .iter()
        .find_map(|batch| batch.source.clone())
        .unwrap_or_default();
    let row = detail
        .transactions
        .iter()
        .find(|row| row.external_ref.as_deref() == Some(text.as_str()));
    let places = [
        (
            "workspace name",
            identity.workspaces.iter().any(|own| own.name == text),
        ),
        (
            "party name",
            overview.parties.iter().any(|party| party.name == text),
        ),
        (
            "account name",
            overview.accounts.iter().any(|account| account.name == text),
        ),
        ("item name", detail.item.name == text),
        ("notes", detail.item.notes.as_deref() == Some(text.as_str())),
        (
            "attribute",
            detail.item.attributes.get("remark") == Some(&text),
        ),
        ("reference", row.is_some()),
        (
            "note of the row",
            row.and_then(|row| row.note.as_deref()) == Some(text.as_str()),
        ),
        ("source name", source["name"] == text.as_str()),
        ("source note", source["note"] == text.as_str()),
    ];
    match places.iter().find(|(_, as_given)| !as_given) {
        None => Ok(()),
        Some((place, _)) => {
            Err(Failure::expected(format!("{text:?} as {place}")).actual("another text, or none"))
        }
    }
}

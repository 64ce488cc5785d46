//! Steps about ids and words of one book in another: every place that takes an id, and words that no answer may hold.

use std::collections::{BTreeMap, BTreeSet};

use cucumber::{gherkin::Step, given, then, when};
use serde_json::{Value, json};
use ulid::Ulid;

use super::{
    access::masked,
    book::{self, Currency, lines, note_down, unreadable},
    crossing::Cursor,
    people::{Who, desk_without_book, identity, meet},
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Answer, Call, Desk,
        places::{Ids, call_at, marked, one_of_everything, questions},
        result::Recorded,
    },
};

/// What a scenario remembers about books that must not meet.
#[derive(Debug, Default)]
pub struct Strangers {
    /// Books with one of everything, by title.
    full: BTreeMap<String, FullBook>,
    /// What became of each place that was tried.
    tried: Vec<Tried>,
    /// The ids that somebody was shown before the others came.
    pub shown: BTreeSet<String>,
    /// A cursor that somebody was given.
    pub cursor: Option<Cursor>,
}

/// A book that holds one of everything.
#[derive(Debug, Clone)]
pub struct FullBook {
    /// Who made it.
    pub keeper: String,
    /// Id of the workspace.
    pub workspace: String,
    /// One id of each kind.
    pub ids: Ids,
    /// Words and figures that stand in this book alone.
    pub words: Vec<String>,
}

/// A call that named an id which is not its caller's, beside the same call with an id that nobody was ever given.
#[derive(Debug)]
struct Tried {
    place: String,
    answer: Answer,
    masked: String,
    unknown: String,
}

/// A book of this title.
///
/// # Errors
/// The feature file speaks of a book that was not made.
pub fn full(scene: &Scene, title: &str) -> Result<FullBook, Failure> {
    let found = scene.strangers.full.get(title).cloned();
    found.ok_or_else(|| Failure::harness(format!("no book {title:?} holds one of everything")))
}

/// The desk of somebody in a book with one of everything.
///
/// # Errors
/// Nobody of this name was met, or no book has this title.
pub fn desk_in(scene: &Scene, name: &str, title: &str) -> Result<Desk, Failure> {
    let book = full(scene, title)?;
    Ok(desk_without_book(scene, name)?.in_workspace(&book.workspace))
}

/// An id in an accepted answer.
///
/// # Errors
/// The call was refused, or there is no id.
pub fn id_at(answer: &Answer, pointer: &str) -> Result<String, Failure> {
    answer.is_accepted()?;
    let id = answer.body.pointer(pointer).and_then(Value::as_str);
    id.map(str::to_owned).ok_or_else(|| {
        Failure::expected(format!("an id at {pointer} of `{}`", answer.tool)).actual(&answer.body)
    })
}

/// Somebody makes a workspace of a title that holds one of everything that has an id, under names and with an amount that
/// stand in no other book.
#[given(
    expr = "{person} keeps a book {string} in {currency} that holds one of everything, at {int} each"
)]
async fn keeps_one_of_everything(
    scene: &mut Scene,
    who: Who,
    title: String,
    currency: Currency,
    amount: u64,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    book::open(scene, &name, &title, &currency.0).await?;
    let place = book::before(scene, &name)?.clone();
    let desk = desk_without_book(scene, &name)?.in_workspace(&place.workspace);
    let mut ids = Ids::default();
    ids.keep("member", identity(scene, &name).await?.user.id);
    ids.keep(
        "party",
        place.parties.values().next().cloned().unwrap_or_default(),
    );
    let account = desk
        .send(&Call::add_account(&marked(&title, "account"), "bank"))
        .await?;
    ids.keep("account", id_at(&account, "/account/id")?);
    let everything = one_of_everything(
        &title,
        &amount.to_string(),
        ids.of("account"),
        ids.of("party"),
    );
    let recorded: Recorded = desk.send(&everything).await?.accepted()?;
    for thing in &recorded.created.items {
        let kinds = ["cash", "spare", "security", "property", "loan"];
        let kind = kinds
            .into_iter()
            .find(|kind| thing.key.as_deref() == Some(kind));
        if let Some(kind) = kind {
            ids.keep(kind, &thing.id);
        }
    }
    for (list, kind) in [
        ("transactions", "transaction"),
        ("valuations", "valuation"),
        ("prices", "price"),
    ] {
        let row = recorded.rows.iter().find(|row| row.list == list);
        ids.keep(kind, row.and_then(|row| row.id.clone()).unwrap_or_default());
    }
    let lots = desk.item(ids.of("security")).await?.lots;
    ids.keep(
        "lot",
        lots.first().map(|lot| lot.lot.clone()).unwrap_or_default(),
    );
    let deposit =
        json!([{ "item": ids.of("cash"), "type": "deposit", "date": "2024-02-01", "amount": "1" }]);
    let gift = desk
        .send(&Call::raw(
            "record",
            json!({ "transactions": deposit, "dry_run": false }),
        ))
        .await?;
    ids.keep("batch", id_at(&gift, "/batch")?);
    let goal = json!({ "name": marked(&title, "goal"), "kind": "net_worth", "target": "1000000" });
    ids.keep(
        "goal",
        id_at(&desk.send(&Call::raw("set_goal", goal)).await?, "/goal/id")?,
    );
    let loss = json!({ "party": ids.of("party"), "kind": "capital", "year": 2020, "amount": amount.to_string(), "note": marked(&title, "loss") });
    ids.keep(
        "loss",
        id_at(&desk.send(&Call::raw("set_loss", loss)).await?, "/loss/id")?,
    );
    let email = format!(
        "guest-{}@example.com",
        Ulid::new().to_string().to_lowercase()
    );
    ids.keep(
        "invite",
        id_at(
            &desk.send(&Call::invite(&email, "viewer")).await?,
            "/invite/id",
        )?,
    );
    let preview = desk
        .send(&Call::raw("record", json!({ "transactions": deposit })))
        .await?;
    ids.keep("preview", id_at(&preview, "/preview_id")?);
    let user = scene.people.person(&name)?.user.clone();
    let words = vec![marked(&title, ""), amount.to_string(), user.email, email];
    let made = FullBook {
        keeper: name,
        workspace: place.workspace,
        ids,
        words,
    };
    scene.strangers.full.insert(title, made);
    Ok(())
}

/// Calls from a desk with ids that are not its own, each beside one with an id that nobody was ever given.
async fn try_places(
    scene: &mut Scene,
    desk: &Desk,
    own: &Ids,
    theirs: &[Ids],
    step: &Step,
) -> Result<(), Failure> {
    let mut tried = Vec::new();
    for line in lines(step) {
        let place = line.needs("place").map_err(unreadable)?.to_owned();
        let no_place = || Failure::harness(format!("no tool takes an id at {place:?}"));
        for ids in theirs {
            let never = call_at(&place, own, &Ids::never_given_out()).ok_or_else(no_place)?;
            let call = call_at(&place, own, ids).ok_or_else(no_place)?;
            let unknown = desk.send(&never).await?;
            let answer = desk.send(&call).await?;
            tried.push(Tried {
                place: place.clone(),
                masked: masked(&answer, &call),
                unknown: masked(&unknown, &never),
                answer,
            });
        }
    }
    scene.strangers.tried = tried;
    Ok(())
}

/// In their own book (the second one named) somebody names ids of another book, at each place of a table.
#[when(expr = "{person} uses ids of {string} in {string} at each of these places")]
async fn uses_foreign_ids(
    scene: &mut Scene,
    who: Who,
    other: String,
    own: String,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    note_down(scene).await?;
    let (theirs, ours) = (full(scene, &other)?.ids, full(scene, &own)?.ids);
    let desk = desk_in(scene, &name, &own)?;
    try_places(scene, &desk, &ours, &[theirs], step).await
}

/// Ids next to those of another book, by number and by time.
#[when(
    expr = "{person} uses ids next to those of {string} in the same book at each of these places"
)]
async fn uses_neighbours(
    scene: &mut Scene,
    who: Who,
    title: String,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    note_down(scene).await?;
    let ids = full(scene, &title)?.ids;
    let moved =
        |by: i128| ids.each(|id| with_ulid(id, |ulid| Ulid(ulid.0.wrapping_add_signed(by))));
    let of_that_time = ids.each(|id| {
        with_ulid(id, |ulid| {
            Ulid::from_parts(ulid.timestamp_ms(), Ulid::new().random())
        })
    });
    let desk = desk_in(scene, &name, &title)?;
    try_places(
        scene,
        &desk,
        &ids,
        &[moved(1), moved(-1), of_that_time],
        step,
    )
    .await
}

/// An id with another number behind its prefix.
fn with_ulid(id: &str, change: impl Fn(Ulid) -> Ulid) -> String {
    let (prefix, number) = id.split_once('_').unwrap_or(("", id));
    match Ulid::from_string(number) {
        Ok(ulid) => format!("{prefix}_{}", change(ulid)),
        Err(_) => id.to_owned(),
    }
}

/// Ids of the own book that are of another kind than the place asks for: the right number behind another prefix, an id of a
/// row, and the workspace's own.
#[when(expr = "{person} uses ids of another kind in {string} at each of these places")]
async fn uses_other_kinds(
    scene: &mut Scene,
    who: Who,
    title: String,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    note_down(scene).await?;
    let book = full(scene, &title)?;
    let prefix = |id: &str| {
        id.split_once('_')
            .map(|(prefix, _)| prefix.to_owned())
            .unwrap_or_default()
    };
    let other_prefix = book.ids.each(|id| {
        let other = if prefix(id) == "val" { "txn" } else { "val" };
        id.replacen(&prefix(id), other, 1)
    });
    let a_row = book.ids.each(|id| {
        let row = if prefix(id) == "txn" {
            book.ids.of("cash")
        } else {
            book.ids.of("transaction")
        };
        row.to_owned()
    });
    let the_workspace = book.ids.each(|_| book.workspace.clone());
    let desk = desk_in(scene, &name, &title)?;
    try_places(
        scene,
        &desk,
        &book.ids,
        &[other_prefix, a_row, the_workspace],
        step,
    )
    .await
}

/// The same places with ids of the own book, which must be accepted, each in its turn.
#[then(expr = "{person} may use the ids of {string} at each of these places")]
async fn may_use_own_ids(
    scene: &mut Scene,
    who: Who,
    title: String,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let ids = full(scene, &title)?.ids;
    let desk = desk_in(scene, &name, &title)?;
    for line in lines(step) {
        let place = line.needs("place").map_err(unreadable)?;
        let call = call_at(place, &ids, &ids);
        let call =
            call.ok_or_else(|| Failure::harness(format!("no tool takes an id at {place:?}")))?;
        let answer = desk.send(&call).await?;
        answer
            .is_accepted()
            .map_err(|failure| failure.hint(format!("an own id at {place}")))?;
    }
    Ok(())
}

/// Every call was refused word for word like the same call with an id that was never given out.
#[then("each is refused like an id that was never given out")]
fn refused_like_unknown(scene: &mut Scene) -> Result<(), Failure> {
    each_tried(scene, |tried| {
        tried.answer.refusal()?;
        if tried.masked == tried.unknown {
            return Ok(());
        }
        Err(Failure::expected(&tried.unknown).actual(&tried.masked))
    })
}

/// Every call was refused.
#[then("each is refused")]
fn each_refused(scene: &mut Scene) -> Result<(), Failure> {
    each_tried(scene, |tried| tried.answer.refusal().map(drop))
}

fn each_tried(scene: &Scene, judge: impl Fn(&Tried) -> Result<(), Failure>) -> Result<(), Failure> {
    if scene.strangers.tried.is_empty() {
        return Err(Failure::harness("no place was tried before this sentence"));
    }
    for tried in &scene.strangers.tried {
        judge(tried).map_err(|failure| failure.hint(format!("the id at {}", tried.place)))?;
    }
    Ok(())
}

/// The first word or id of a book that stands in a text.
#[must_use]
pub fn first_word<'a>(book: &'a FullBook, text: &str) -> Option<&'a str> {
    let words = book
        .words
        .iter()
        .map(|word| word.trim())
        .chain(book.ids.all());
    words
        .into_iter()
        .find(|word| !word.is_empty() && text.contains(word))
}

/// No refusal names anything of a book: names, notes, amounts, addresses, ids that were not sent.
#[then(expr = "no refusal holds a word of {string}")]
fn refusals_hold_nothing(scene: &mut Scene, title: String) -> Result<(), Failure> {
    let book = full(scene, &title)?;
    each_tried(scene, |tried| match first_word(&book, &tried.masked) {
        None => Ok(()),
        Some(word) => {
            Err(Failure::expected(format!("a refusal without {word:?}")).actual(&tried.masked))
        }
    })
}

/// Everything that somebody can ask about their own book holds nothing of another.
#[then(expr = "nothing that {person} reads about {string} holds a word of {string}")]
async fn reads_nothing_of(
    scene: &mut Scene,
    who: Who,
    own: String,
    other: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let (ours, theirs) = (full(scene, &own)?, full(scene, &other)?);
    let desk = desk_in(scene, &name, &own)?;
    let mut calls = questions();
    calls.extend(
        ["cash", "spare", "security", "property", "loan"]
            .map(|kind| Call::get_item(ours.ids.of(kind))),
    );
    for call in calls {
        let answer = desk.send(&call).await?;
        answer.is_accepted()?;
        if let Some(word) = first_word(&theirs, &answer.text) {
            return Err(
                Failure::expected(format!("{} without {word:?} of {other:?}", call.tool))
                    .actual(&answer.text),
            );
        }
    }
    Ok(())
}

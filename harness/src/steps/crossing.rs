//! Steps about what may not cross from one book to another beside ids: cursors, and the answers of calls that meet. And
//! what an undo brings back.

use cucumber::{gherkin::Step, then, when};
use futures::future::join_all;
use serde_json::json;

use super::{
    book::{lines, note_down, unreadable},
    people::{Who, meet},
    strangers::{desk_in, first_word, full, id_at},
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Call, Desk,
        places::{Ids, call_at},
        result::{BatchPage, ItemPage, LedgerWrite},
    },
};

/// A cursor after the first items of a list.
#[derive(Debug, Clone)]
pub struct Cursor {
    text: String,
    /// Items on the pages before it.
    seen: Vec<String>,
}

/// The first page of one item, and the cursor to the next.
#[when(expr = "{person} reads one item of {string} and keeps the cursor")]
async fn keeps_cursor(scene: &mut Scene, who: Who, title: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = Call::list_items(None).with("limit", json!(1));
    let page: ItemPage = desk_in(scene, &name, &title)?
        .send(&call)
        .await?
        .accepted()?;
    let text = page
        .next_cursor
        .ok_or_else(|| Failure::expected("a cursor after one item of five").actual("none"))?;
    let seen = page.items.into_iter().map(|item| item.id).collect();
    scene.strangers.cursor = Some(Cursor { text, seen });
    Ok(())
}

fn cursor(scene: &Scene) -> Result<Cursor, Failure> {
    let kept = scene.strangers.cursor.clone();
    kept.ok_or_else(|| Failure::harness("no cursor was kept before this sentence"))
}

/// The cursor is handed to a tool where it does not belong, which must be refused.
#[when(expr = "{person} tries the cursor in {word} of {string}")]
async fn tries_cursor(
    scene: &mut Scene,
    who: Who,
    tool: String,
    title: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let text = cursor(scene)?.text;
    send_cursor(scene, &name, &tool, &title, &text).await
}

/// The cursor with one letter changed, which must be refused.
#[when(expr = "{person} tries the cursor with another letter in {word} of {string}")]
async fn tries_edited_cursor(
    scene: &mut Scene,
    who: Who,
    tool: String,
    title: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let mut letters: Vec<char> = cursor(scene)?.text.chars().collect();
    let middle = letters.len() / 2;
    if let Some(letter) = letters.get_mut(middle) {
        *letter = if *letter == 'A' { 'B' } else { 'A' };
    }
    let edited: String = letters.into_iter().collect();
    send_cursor(scene, &name, &tool, &title, &edited).await
}

async fn send_cursor(
    scene: &mut Scene,
    name: &str,
    tool: &str,
    title: &str,
    text: &str,
) -> Result<(), Failure> {
    let call = match tool {
        "list_batches" => Call::list_batches(Some(text)),
        _ => Call::list_items(Some(text)),
    };
    let call = call.with("limit", json!(1));
    note_down(scene).await?;
    let answer = desk_in(scene, name, title)?.send(&call).await?;
    scene.writing.last = Some(answer);
    Ok(())
}

/// The cursor leads its owner to the next item.
#[then(expr = "the cursor leads {person} to another item of {string}")]
async fn cursor_leads_on(scene: &mut Scene, who: Who, title: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let Cursor { text, seen } = cursor(scene)?;
    let call = Call::list_items(Some(&text)).with("limit", json!(1));
    let page: ItemPage = desk_in(scene, &name, &title)?
        .send(&call)
        .await?
        .accepted()?;
    match page.items.as_slice() {
        [item] if !seen.contains(&item.id) => Ok(()),
        other => {
            Err(Failure::expected("one item that was not seen yet").actual(format!("{other:?}")))
        }
    }
}

/// Everybody reads and writes their own book, all at once and many times; every answer must speak of its caller's book alone.
#[when(
    expr = "their keepers read and write {string} at once, {int} times over, {int} calls each time"
)]
async fn all_at_once(
    scene: &mut Scene,
    titles: String,
    rounds: usize,
    calls: usize,
) -> Result<(), Failure> {
    let mut books = Vec::new();
    for title in titles.split(", ") {
        let book = full(scene, title)?;
        let desk = desk_in(scene, &book.keeper, title)?;
        books.push((book, desk));
    }
    for round in 0..rounds {
        let mut sent = Vec::new();
        for place in 0..calls {
            let (book, desk) = &books[place % books.len()];
            let call = match (place / books.len()) % 4 {
                0 => Call::get_overview(),
                1 => Call::get_item(book.ids.of("cash")),
                2 => Call::raw(
                    "update_item",
                    json!({ "item": book.ids.of("spare"), "notes": format!("{} {round} {place}", book.words[0]) }),
                ),
                _ => Call::whoami(),
            };
            let owner = place % books.len();
            sent.push(async move { (owner, desk.send(&call).await) });
        }
        for (owner, answer) in join_all(sent).await {
            let answer = answer?;
            answer.is_accepted()?;
            let foreign = books
                .iter()
                .enumerate()
                .filter(|(place, _)| *place != owner);
            let word = foreign
                .filter_map(|(_, (book, _))| first_word(book, &answer.text))
                .next();
            if let Some(word) = word {
                return Err(Failure::expected(format!(
                    "an answer to {} without {word:?}",
                    books[owner].0.keeper
                ))
                .actual(&answer.text));
            }
        }
    }
    Ok(())
}

/// Each book holds the batches of its own keeper and no other.
#[then(expr = "each of {string} was written by its keeper alone")]
async fn written_by_keepers(scene: &mut Scene, titles: String) -> Result<(), Failure> {
    for title in titles.split(", ") {
        let book = full(scene, title)?;
        let desk = desk_in(scene, &book.keeper, title)?;
        let page: BatchPage = desk.send(&Call::list_batches(None)).await?.accepted()?;
        if let Some(batch) = page
            .batches
            .iter()
            .find(|batch| batch.user.name != book.keeper)
        {
            return Err(Failure::expected(format!("batches of {}", book.keeper))
                .actual(format!("{batch:?}")));
        }
    }
    Ok(())
}

/// One thing after another is taken away from a book and brought back by an undo, after which every figure is as before.
#[then(expr = "what {person} takes away from {string} returns with an undo")]
async fn returns_with_undo(
    scene: &mut Scene,
    who: Who,
    title: String,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let ids = full(scene, &title)?.ids;
    let desk = desk_in(scene, &name, &title)?;
    let linked = Call::raw(
        "link_items",
        json!({ "from": ids.of("loan"), "to": ids.of("property"), "relation": "secured_by" }),
    );
    desk.send(&linked).await?.is_accepted()?;
    for line in lines(step) {
        let what = line.needs("what").map_err(unreadable)?;
        let call = match what {
            "an item is archived" => {
                Call::raw("archive_item", json!({ "item": ids.of("security") }))
            }
            "a row is voided" => Call::void(&[ids.of("transaction").to_owned()], &[], &[], None),
            "a link is removed" => linked.clone().with("remove", json!(true)),
            "a goal is archived" => Call::raw(
                "set_goal",
                json!({ "goal": ids.of("goal"), "archive": true }),
            ),
            "a loss is archived" => Call::raw(
                "set_loss",
                json!({ "loss": ids.of("loss"), "archive": true }),
            ),
            other => {
                return Err(Failure::harness(format!(
                    "nothing is taken away as {other:?}"
                )));
            }
        };
        let before = everything(&desk, &ids).await?;
        let answer = desk.send(&call).await?;
        let batch = id_at(&answer, "/batch")?;
        let without = everything(&desk, &ids).await?;
        desk.send(&Call::undo(&batch)).await?.is_accepted()?;
        let after = everything(&desk, &ids).await?;
        if before == without {
            return Err(Failure::expected(format!("a change when {what}"))
                .actual("everything reads as before"));
        }
        if before != after {
            return Err(Failure::expected(format!(
                "everything as before after the undo: {before}"
            ))
            .actual(after));
        }
    }
    Ok(())
}

/// What a book shows of its items, goals and losses, without who wrote what.
async fn everything(desk: &Desk, ids: &Ids) -> Result<String, Failure> {
    let mut shown = String::new();
    let calls = [
        Call::get_net_worth(None, Some("item"), None),
        Call::raw("list_items", json!({ "include_archived": true })),
        Call::raw("get_goals", json!({})),
        Call::raw("get_losses", json!({})),
        Call::get_item(ids.of("cash")),
        Call::get_item(ids.of("loan")),
    ];
    for call in calls {
        let answer = desk.send(&call).await?;
        answer.is_accepted()?;
        let mut body = (*answer.body).clone();
        if let Some(members) = body.as_object_mut() {
            members.remove("batches");
        }
        shown.push_str(&body.to_string());
    }
    Ok(shown)
}

/// Writes at places of a table (column `place`) each report net worth before and after, with the currency.
#[then(expr = "each of these writes of {person} to {string} shows net worth before and after")]
async fn shows_net_worth(
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
        let call = call_at(place, &ids, &ids)
            .ok_or_else(|| Failure::harness(format!("no tool takes an id at {place:?}")))?;
        let write: LedgerWrite = desk.send(&call).await?.accepted()?;
        if write.net_worth.currency.is_empty() {
            return Err(
                Failure::expected(format!("a currency beside the net worth of {place}"))
                    .actual("none"),
            );
        }
    }
    Ok(())
}

/// What was undone, voided and archived can still be read: the batch as undone, the item among the archived ones.
#[then(expr = "{person} still finds in {string} what was undone and archived")]
async fn still_found(scene: &mut Scene, who: Who, title: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let ids = full(scene, &title)?.ids;
    let desk = desk_in(scene, &name, &title)?;
    let batches = desk.batches().await?;
    let undone = batches.iter().find(|batch| batch.id == ids.of("batch"));
    if undone.is_none_or(|batch| batch.status != "undone") {
        return Err(
            Failure::expected("the undone batch, listed as undone").actual(format!("{undone:?}"))
        );
    }
    if batches.iter().all(|batch| batch.tool != "void") {
        return Err(Failure::expected("the void, listed as a batch").actual("it is not listed"));
    }
    let items = desk.items().await?;
    if items.iter().all(|item| item.id != ids.of("spare")) {
        return Err(Failure::expected("the archived item among all items").actual("it is gone"));
    }
    Ok(())
}

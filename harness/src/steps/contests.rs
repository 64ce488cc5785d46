//! Steps about changes that meet on one thing: an undo and a sale, notes, roles, an invite, and readers beside writers.

use std::time::Duration;

use cucumber::{then, when};
use futures::future::{join, join_all};
use serde_json::json;

use super::{
    items::item_id,
    people::{Who, desk, further_desk, identity, meet},
    writing::Written,
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Answer, Batch, Call, Desk, Figure,
        result::{Changed, Member, Membership, Recorded},
    },
};

/// What a scenario remembers about changes that met.
#[derive(Debug, Default)]
pub struct Contests {
    /// Each batch of a contest of notes with the text it wrote.
    notes: Vec<(String, String)>,
    /// Every total that a reader saw.
    totals: Vec<Figure>,
    /// How many admins each round left.
    admins: Vec<usize>,
}

/// In each round an item of its own gets 10 units and a sale of them is previewed; then the buy is undone and the sale is
/// committed, both at once.
#[when(
    expr = "in {int} rounds {person} undoes a buy and commits the previewed sale of its units at once"
)]
async fn undo_against_sale(scene: &mut Scene, rounds: usize, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let rivals = [
        further_desk(scene, &name).await?,
        further_desk(scene, &name).await?,
    ];
    let row = |item: &str, kind: &str, date: &str| json!({ "item": item, "type": kind, "date": date, "units": "10", "amount": "100" });
    scene.people.rounds.clear();
    for round in 0..rounds {
        let mut item = Batch::new();
        item.push(
            "items",
            json!({ "key": "share", "name": format!("Share {round}"), "kind": "security" }),
        );
        let opened: Recorded = rivals[0]
            .send(&Call::record_at_once(&item))
            .await?
            .accepted()?;
        let item = opened.created.items.first().map(|item| item.id.clone());
        let item = item.unwrap_or_default();
        let mut buy = Batch::new();
        buy.push("transactions", row(&item, "buy", "2024-01-02"));
        let bought: Recorded = rivals[0]
            .send(&Call::record_at_once(&buy))
            .await?
            .accepted()?;
        let mut sale = Batch::new();
        sale.push("transactions", row(&item, "sell", "2024-02-02"));
        let preview: Recorded = rivals[1].send(&Call::preview(&sale)).await?.accepted()?;
        let undo = Call::undo(&bought.batch.unwrap_or_default());
        let commit = Call::commit(&preview.preview_id.unwrap_or_default());
        let (undone, sold) = join(rivals[0].send(&undo), rivals[1].send(&commit)).await;
        scene.people.rounds.push((item, vec![undone?, sold?]));
    }
    Ok(())
}

/// In every round one of the two was accepted and the other refused, and the item reads as the winner left it: nothing of a
/// buy that was undone, nothing left of one that was sold.
#[then(expr = "in every round one of the two is accepted, and {person}'s book holds what it left")]
async fn one_of_two(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    for (item, answers) in scene.people.rounds.clone() {
        let [undone, sold] = answers.as_slice() else {
            return Err(Failure::harness("a round of two answers"));
        };
        if undone.is_error == sold.is_error {
            return Err(Failure::expected("one of the two accepted")
                .actual(format!("{} and {}", undone.body, sold.body)));
        }
        let detail = desk(scene, &name)?.item(&item).await?;
        let rows = if undone.is_error { 2 } else { 0 };
        if detail.transactions.len() != rows {
            let expected = format!("{rows} transactions on {item}");
            return Err(Failure::expected(expected).actual(detail.transactions.len()));
        }
    }
    Ok(())
}

/// The notes of an item are changed over many connections at once, each to another text.
#[when(expr = "{person} changes the notes of {string} from {int} connections at once")]
async fn notes_at_once(
    scene: &mut Scene,
    who: Who,
    item: String,
    connections: usize,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let item = item_id(scene, &name, &item)?;
    let mut desks: Vec<Desk> = Vec::new();
    for _ in 0..connections {
        desks.push(further_desk(scene, &name).await?);
    }
    let sent = desks.iter().enumerate().map(async |(place, desk)| {
        let text = format!("text {place}");
        let fields = [("notes".to_owned(), json!(text))].into_iter().collect();
        let answer = desk.send(&Call::update_item(&item, fields)).await?;
        Ok::<(String, Answer), Failure>((text, answer))
    });
    let answers: Result<Vec<_>, Failure> = join_all(sent).await.into_iter().collect();
    let answers = answers?;
    let mut notes = Vec::new();
    for (text, answer) in &answers {
        let stored: Changed = answer.accepted()?;
        notes.push((stored.batch, text.clone()));
    }
    scene.contests.notes = notes;
    scene.people.race = answers.into_iter().map(|(_, answer)| answer).collect();
    Ok(())
}

/// Every change is a batch; the notes are those of the newest; undone one by one from the newest on, the notes go back batch
/// by batch, and at last there are none.
#[then(
    expr = "the notes of {person}'s {string} are those of the newest batch, and undo goes back through all of them"
)]
async fn notes_go_back(scene: &mut Scene, who: Who, item: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let id = item_id(scene, &name, &item)?;
    let desk = desk(scene, &name)?;
    let listed = desk.batches().await?;
    let written = scene.contests.notes.clone();
    let newest_first: Vec<(String, String)> = listed
        .iter()
        .filter_map(|batch| written.iter().find(|(id, _)| *id == batch.id).cloned())
        .collect();
    if newest_first.is_empty() || newest_first.len() != written.len() {
        let expected = format!("{} batches", written.len());
        return Err(Failure::expected(expected).actual(newest_first.len()));
    }
    for (batch, text) in newest_first {
        let notes = desk.item(&id).await?.item.notes;
        if notes.as_deref() != Some(text.as_str()) {
            return Err(Failure::expected(format!("notes {text:?} of {batch}"))
                .actual(format!("{notes:?}")));
        }
        desk.send(&Call::undo(&batch)).await?.is_accepted()?;
    }
    match desk.item(&id).await?.item.notes {
        None => Ok(()),
        Some(notes) => Err(Failure::expected("no notes any more").actual(notes)),
    }
}

/// A transfer is recorded and undone again and again, while another connection reads the net worth all the time.
#[when(
    expr = "{person} records and undoes a transfer of {figure} from {string} to {string} {int} times, while the net worth is read"
)]
async fn reads_beside(
    scene: &mut Scene,
    who: Who,
    amount: Written,
    from: String,
    to: String,
    times: usize,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let (from, to) = (item_id(scene, &name, &from)?, item_id(scene, &name, &to)?);
    let (writer, reader) = (
        further_desk(scene, &name).await?,
        further_desk(scene, &name).await?,
    );
    let mut batch = Batch::new();
    batch.push(
        "transfers",
        json!({ "from_item": from, "to_item": to, "date": "2024-01-03", "amount": amount.0 }),
    );
    let (done, mut finished) = tokio::sync::watch::channel(false);
    let writes = async {
        for _ in 0..times {
            let stored: Recorded = writer
                .send(&Call::record_at_once(&batch))
                .await?
                .accepted()?;
            let undo = Call::undo(&stored.batch.unwrap_or_default());
            writer.send(&undo).await?.is_accepted()?;
        }
        done.send_replace(true);
        Ok::<(), Failure>(())
    };
    let reads = async {
        let mut totals = Vec::new();
        while !*finished.borrow_and_update() {
            let seen = reader.net_worth(None, Some("item"), None).await?;
            let parts = Figure::sum(seen.breakdown.iter().filter_map(|part| part.value.as_ref()));
            let parts =
                parts.map_err(|problem| Failure::expected("parts that add").actual(problem))?;
            totals.extend([seen.net_worth, parts]);
        }
        Ok::<Vec<Figure>, Failure>(totals)
    };
    let patience = Duration::from_secs(60);
    let both = tokio::time::timeout(patience, join(writes, reads)).await;
    let (written, read) = both.map_err(|_| Failure::expected("an end").actual("none in 60 s"))?;
    written?;
    scene.contests.totals = read?;
    Ok(())
}

/// Every total that the reader saw, and the sum of its parts, is the same.
#[then(expr = "every net worth that was read is {figure}")]
fn same_totals(scene: &mut Scene, figure: Written) -> Result<(), Failure> {
    let totals = &scene.contests.totals;
    if totals.is_empty() {
        return Err(Failure::harness("nothing was read"));
    }
    totals
        .iter()
        .try_for_each(|total| super::reading::same("net worth", &figure.0, Some(total)))
}

/// The members of a book with the role admin.
async fn admins(desk: &Desk) -> Result<Vec<String>, Failure> {
    let members: Membership = desk.send(&Call::list_members()).await?.accepted()?;
    let admin = |member: &Member| member.role == "admin";
    let found = members.members.into_iter().filter(admin);
    Ok(found.map(|member| member.user.id).collect())
}

/// Two admins make each other viewers at the same moment, again and again; whoever is left makes the other admin anew.
#[when(expr = "in {int} rounds {person} and {person} make each other viewers at once")]
async fn demote_each_other(
    scene: &mut Scene,
    rounds: usize,
    one: Who,
    other: Who,
) -> Result<(), Failure> {
    let (one, other) = (meet(scene, &one).await?, meet(scene, &other).await?);
    let ids = [
        identity(scene, &one).await?.user.id,
        identity(scene, &other).await?.user.id,
    ];
    let desks = [desk(scene, &one)?, desk(scene, &other)?];
    let mut left = Vec::new();
    for _ in 0..rounds {
        let calls = [
            Call::set_role(&ids[1], "viewer"),
            Call::set_role(&ids[0], "viewer"),
        ];
        let (first, second) = join(desks[0].send(&calls[0]), desks[1].send(&calls[1])).await;
        let lost = [second?, first?];
        let mut found = Vec::new();
        for (desk, demotion) in desks.iter().zip(&lost) {
            // Who was made a viewer may not list the members any more.
            if demotion.is_error {
                found = admins(desk).await?;
            }
        }
        left.push(found.len());
        for (place, desk) in desks.iter().enumerate() {
            if found.contains(&ids[place]) {
                let again = Call::set_role(&ids[1 - place], "admin");
                desk.send(&again).await?.is_accepted()?;
            }
        }
    }
    scene.contests.admins = left;
    Ok(())
}

/// No round left the book without an admin.
#[then("every round left an admin")]
fn an_admin_left(scene: &mut Scene) -> Result<(), Failure> {
    let left = &scene.contests.admins;
    if !left.is_empty() && left.iter().all(|admins| *admins >= 1) {
        return Ok(());
    }
    Err(Failure::expected("an admin after every round").actual(format!("{left:?}")))
}

/// The invite made for somebody is accepted over many connections at once.
#[when(expr = "{person} accepts the invite from {int} connections at once")]
async fn accepts_at_once(scene: &mut Scene, who: Who, connections: usize) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let code = scene
        .people
        .invites
        .get(&name)
        .map(|invite| invite.code.clone());
    let call = Call::accept_invite(code.as_deref(), None);
    let mut desks: Vec<Desk> = Vec::new();
    for _ in 0..connections {
        desks.push(further_desk(scene, &name).await?);
    }
    let sent = desks.iter().map(|desk| desk.send(&call));
    let answers: Result<Vec<Answer>, Failure> = join_all(sent).await.into_iter().collect();
    scene.people.race = answers?;
    Ok(())
}

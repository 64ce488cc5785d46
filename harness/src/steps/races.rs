//! Steps about calls that meet: the same commit many times at once, and answers that got lost.

use cucumber::{gherkin::Step, given, then, when};
use futures::future::join_all;
use serde_json::json;

use super::{
    book::{batch_of, before, learn_names, lines},
    people::{Who, desk, further_desk, meet},
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Answer, Batch, Call, Desk,
        result::{Recorded, Undone},
    },
};

/// One call is sent over many connections at once.
async fn at_once(
    scene: &mut Scene,
    name: &str,
    connections: usize,
    calls: &[Call],
) -> Result<(), Failure> {
    let mut desks: Vec<Desk> = Vec::new();
    for _ in 0..connections {
        desks.push(further_desk(scene, name).await?);
    }
    let sent = desks
        .iter()
        .zip(calls.iter().cycle())
        .map(|(desk, call)| desk.send(call));
    let answers: Result<Vec<Answer>, Failure> = join_all(sent).await.into_iter().collect();
    scene.people.race = answers?;
    Ok(())
}

/// The last preview is committed from many connections at once.
#[when(expr = "{person} commits the preview from {int} connections at once")]
async fn commits_at_once(scene: &mut Scene, who: Who, connections: usize) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let id = scene
        .writing
        .preview_ids
        .last()
        .cloned()
        .unwrap_or_default();
    at_once(scene, &name, connections, &[Call::commit(&id)]).await
}

/// All previews of the scenario are committed at once, each over a connection of its own.
#[when(expr = "{person} commits all previews at once")]
async fn commits_all_at_once(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let calls: Vec<Call> = scene
        .writing
        .preview_ids
        .iter()
        .map(|id| Call::commit(id))
        .collect();
    at_once(scene, &name, calls.len(), &calls).await
}

/// A batch is undone from many connections at once.
#[when(expr = "{person} undoes {string} from {int} connections at once")]
async fn undoes_at_once(
    scene: &mut Scene,
    who: Who,
    label: String,
    connections: usize,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = scene.writing.batch_named(&label)?;
    at_once(scene, &name, connections, &[Call::undo(&batch)]).await
}

/// Prices are asked for from many connections at once.
#[when(expr = "{person} refreshes the prices from {int} connections at once")]
async fn refreshes_at_once(scene: &mut Scene, who: Who, connections: usize) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    super::prices::begin(scene).await?;
    at_once(scene, &name, connections, &[Call::refresh_prices()]).await
}

/// The same rows are previewed and committed over many connections at once; a commit may be refused as stale.
#[when(expr = "{person} imports these rows from {int} connections at once")]
async fn imports_at_once(
    scene: &mut Scene,
    who: Who,
    connections: usize,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = batch_of(scene, &name, &lines(step)).await?;
    let mut desks: Vec<Desk> = Vec::new();
    for _ in 0..connections {
        desks.push(further_desk(scene, &name).await?);
    }
    let imports = desks.iter().map(async |desk| -> Result<Answer, Failure> {
        let preview: Recorded = desk.send(&Call::preview(&batch)).await?.accepted()?;
        desk.send(&Call::commit(&preview.preview_id.unwrap_or_default()))
            .await
    });
    let answers: Result<Vec<Answer>, Failure> = join_all(imports).await.into_iter().collect();
    scene.people.race = answers?;
    Ok(())
}

/// The commit is sent and its answer is never read: the connection is dropped as soon as the request is out. Then the same
/// commit is sent again.
#[when(expr = "{person} commits the preview, loses the answer, and commits it again")]
async fn commits_twice(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let id = scene
        .writing
        .preview_ids
        .last()
        .cloned()
        .unwrap_or_default();
    let lost = further_desk(scene, &name).await?;
    let call = Call::commit(&id);
    let patience = std::time::Duration::from_millis(1);
    drop(tokio::time::timeout(patience, lost.send(&call)).await);
    let answer = desk(scene, &name)?.send(&call).await?;
    scene.people.race = vec![answer.clone()];
    scene.writing.last = Some(answer);
    Ok(())
}

/// Exactly one of the calls was accepted; the others say that it was done already, or that the ledger has changed.
#[then("exactly one of them is accepted")]
fn one_accepted(scene: &mut Scene) -> Result<(), Failure> {
    let accepted = scene
        .people
        .race
        .iter()
        .filter(|answer| !answer.is_error)
        .count();
    for answer in scene.people.race.iter().filter(|answer| answer.is_error) {
        answer.refusal()?;
    }
    if accepted == 1 {
        return Ok(());
    }
    Err(Failure::expected(format!("1 of {} accepted", scene.people.race.len())).actual(accepted))
}

/// All of the calls were accepted.
#[then("all of them are accepted")]
fn all_accepted(scene: &mut Scene) -> Result<(), Failure> {
    match scene.people.race.iter().find(|answer| answer.is_error) {
        None => Ok(()),
        Some(refused) => Err(Failure::expected("every call accepted").actual(&refused.body)),
    }
}

/// Every refused call of the race was refused with one of these codes, separated by commas.
#[then(expr = "the others are refused with {string}")]
fn others_refused(scene: &mut Scene, codes: String) -> Result<(), Failure> {
    let codes: Vec<&str> = codes.split(',').map(str::trim).collect();
    for answer in scene.people.race.iter().filter(|answer| answer.is_error) {
        let code = answer.refusal()?.code;
        if scene.environment.target.contract.is_some() && !codes.contains(&code.as_str()) {
            return Err(Failure::expected(format!("one of {codes:?}")).actual(code));
        }
    }
    Ok(())
}

/// The answer names the batch that the preview became, whether it was written now or before.
#[then("the answer names the batch that was written")]
async fn answer_names_batch(scene: &mut Scene) -> Result<(), Failure> {
    let answer = scene.writing.answer()?;
    let named = answer.body["batch"].as_str().unwrap_or_default().to_owned();
    if named.starts_with("bat_") {
        scene.writing.batch = Some(named);
        return Ok(());
    }
    Err(Failure::expected("a `bat_` id in the answer").actual(&answer.body))
}

/// The undo that was carried out says so.
#[then(expr = "one undo was carried out")]
fn one_undo(scene: &mut Scene) -> Result<(), Failure> {
    let done = scene.people.race.iter().find(|answer| !answer.is_error);
    let done: Undone = done
        .ok_or_else(|| Failure::expected("one undo").actual("none"))?
        .accepted()?;
    if done.status == "undone" {
        return Ok(());
    }
    Err(Failure::expected("undone").actual(done.status))
}

/// Previews, each of a batch of its own: a new cash account and a deposit into it.
#[given(expr = "{person} has previewed a deposit of {int} into each of {int} new accounts")]
async fn previews_apart(
    scene: &mut Scene,
    who: Who,
    amount: u32,
    accounts: usize,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    for place in 0..accounts {
        let mut batch = Batch::new();
        batch.push(
            "items",
            json!({ "key": "jar", "name": format!("Jar {place}"), "kind": "cash" }),
        );
        let deposit = json!({ "item": "jar", "type": "deposit", "date": "2024-01-02", "amount": amount.to_string() });
        batch.push("transactions", deposit);
        let preview: Recorded = desk(scene, &name)?
            .send(&Call::preview(&batch))
            .await?
            .accepted()?;
        scene.writing.preview_ids.extend(preview.preview_id);
    }
    Ok(())
}

/// In each round an item of its own gets 10 units; two sales of 6 are previewed, then both commits are sent at once.
#[when(
    expr = "in {int} rounds {person} buys {int} units and commits two previewed sales of {int} at once"
)]
async fn rival_sales(
    scene: &mut Scene,
    rounds: usize,
    who: Who,
    held: u32,
    sold: u32,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let rivals = [
        further_desk(scene, &name).await?,
        further_desk(scene, &name).await?,
    ];
    let row = |item: &str, kind: &str, date: &str, units: u32| json!({ "item": item, "type": kind, "date": date, "units": units.to_string(), "amount": "100" });
    scene.people.rounds.clear();
    for round in 0..rounds {
        let mut opening = Batch::new();
        opening.push(
            "items",
            json!({ "key": "share", "name": format!("Share {round}"), "kind": "security" }),
        );
        opening.push("transactions", row("share", "buy", "2024-01-02", held));
        let recorded: Recorded = rivals[0]
            .send(&Call::record_at_once(&opening))
            .await?
            .accepted()?;
        learn_names(scene, &name, &recorded)?;
        let item = before(scene, &name)?
            .items
            .get(&format!("Share {round}"))
            .cloned()
            .unwrap_or_default();
        let mut commits = Vec::new();
        for rival in &rivals {
            let mut sale = Batch::new();
            sale.push("transactions", row(&item, "sell", "2024-02-02", sold));
            let preview: Recorded = rival.send(&Call::preview(&sale)).await?.accepted()?;
            commits.push(Call::commit(&preview.preview_id.unwrap_or_default()));
        }
        let sent = rivals
            .iter()
            .zip(&commits)
            .map(|(rival, commit)| rival.send(commit));
        let answers: Result<Vec<Answer>, Failure> = join_all(sent).await.into_iter().collect();
        scene.people.rounds.push((item, answers?));
    }
    Ok(())
}

/// Every round had one winner, and its rival was refused with one of the codes.
#[then(expr = "in every round one sale is accepted and the other is refused with {string}")]
async fn one_winner_each(scene: &mut Scene, codes: String) -> Result<(), Failure> {
    for (_, answers) in scene.people.rounds.clone() {
        scene.people.race = answers;
        one_accepted(scene)?;
        others_refused(scene, codes.clone())?;
    }
    Ok(())
}

/// Every round left the same units.
#[then(expr = "in every round {int} units are left of {person}'s")]
async fn units_left(scene: &mut Scene, left: u32, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    for (item, _) in scene.people.rounds.clone() {
        let position = desk(scene, &name)?.item(&item).await?.item.position;
        super::reading::same("units left", &left.to_string(), position.units.as_ref())?;
    }
    Ok(())
}

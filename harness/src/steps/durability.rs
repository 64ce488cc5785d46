//! Steps about a server process that dies without warning and is started again on the same data.

use std::time::Duration;

use cucumber::{given, then, when};

use serde_json::json;

use super::{
    book::{before, open, store},
    people::{self, Who, desk, meet},
    previews::many_deposits,
    statements,
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Answer, Batch, Call, Desk, Snapshot,
        result::{Recorded, RowVerdict},
    },
};

/// What a scenario remembers about a commit around a crash.
#[derive(Debug, Default)]
pub struct Durability {
    /// The rows that the commit was to store, as its preview showed them.
    rows: Vec<RowVerdict>,
    /// The book before the commit.
    before: Option<Snapshot>,
    /// What the commit answered; nothing where the server died first.
    answer: Option<Answer>,
    /// What became of each of many crashes, with its moment in milliseconds.
    verdicts: Vec<(u64, Result<(), Failure>)>,
}

/// The server process of this scenario.
fn running(scene: &mut Scene) -> Result<&mut crate::target::Running, Failure> {
    scene
        .running
        .as_mut()
        .ok_or_else(|| Failure::harness("the scenario has no server process of its own to kill"))
}

/// Ends the server without warning, starts it again on its data, and lets everybody sign in anew.
async fn crash(scene: &mut Scene) -> Result<(), Failure> {
    kill(scene).await?;
    start_again(scene).await
}

pub(super) async fn kill(scene: &mut Scene) -> Result<(), Failure> {
    let killed = running(scene)?.kill().await;
    killed.map_err(|problem| Failure::expected("the server can be killed").actual(problem))
}

pub(super) async fn start_again(scene: &mut Scene) -> Result<(), Failure> {
    let started = running(scene)?.restart().await;
    started.map_err(|problem| {
        Failure::expected("the server starts again on the data it left behind").actual(problem)
    })?;
    people::sign_in_again(scene).await
}

/// The server dies without warning (SIGKILL) and is started again on the same data.
#[given("the server has been killed and started again")]
#[when("the server is killed and started again")]
async fn is_killed(scene: &mut Scene) -> Result<(), Failure> {
    crash(scene).await
}

/// The last preview is committed, whatever the server answers; the book before it is kept.
#[when(expr = "{person} commits the preview made before the crash")]
async fn commits_after_crash(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let preview = previewed(scene)?;
    let desk = desk(scene, &name)?;
    remember(scene, &desk, &preview).await?;
    let id = preview.preview_id.unwrap_or_default();
    scene.durability.answer = Some(desk.send(&Call::commit(&id)).await?);
    Ok(())
}

/// A statement is previewed, and the server dies some milliseconds into the commit.
#[when(
    expr = "the server is killed {int} ms into {person}'s commit of {string} to the {word} account {string} in {currency}"
)]
async fn is_killed_during_commit(
    scene: &mut Scene,
    milliseconds: u64,
    who: Who,
    file: String,
    kind: String,
    account: String,
    currency: super::book::Currency,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let preview = statements::preview(scene, &name, &file, &kind, &account, &currency.0).await?;
    crash_into(scene, &name, preview, milliseconds).await
}

/// Milliseconds into a commit at which the server dies, one for each crash: dense where a small batch is written, then wider.
const MOMENTS: [u64; 20] = [
    1, 2, 4, 6, 8, 10, 15, 20, 25, 30, 40, 50, 65, 80, 100, 125, 150, 200, 300, 500,
];

/// Twenty times a new book gets a batch of deposits, and the server dies into its commit, each time at another moment and
/// each time started again on the same data.
#[when(expr = "the server is killed at 20 moments of {person}'s commits of {int} deposits")]
async fn is_killed_again_and_again(
    scene: &mut Scene,
    who: Who,
    deposits: usize,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    scene.durability.verdicts.clear();
    for (round, milliseconds) in MOMENTS.into_iter().enumerate() {
        open(scene, &name, &format!("Book {round}"), "USD").await?;
        let mut till = Batch::new();
        till.push(
            "items",
            json!({ "key": "till", "name": "Till", "kind": "cash" }),
        );
        store(scene, &name, &till).await?;
        let till = before(scene, &name)?.items.get("Till").cloned();
        let batch = many_deposits(&till.unwrap_or_default(), deposits, "0.01");
        let preview = desk(scene, &name)?.send(&Call::preview(&batch)).await?;
        crash_into(scene, &name, preview.accepted()?, milliseconds).await?;
        let verdict = judge(scene, &name).await;
        scene.durability.verdicts.push((milliseconds, verdict));
    }
    Ok(())
}

/// After each of those crashes the book held the whole batch or nothing of it.
#[then("after each crash the book held the batch whole or not at all")]
fn whole_each_time(scene: &mut Scene) -> Result<(), Failure> {
    let verdicts = &scene.durability.verdicts;
    if verdicts.len() != MOMENTS.len() {
        return Err(Failure::harness("not every moment was tried"));
    }
    verdicts.iter().try_for_each(|(_, verdict)| verdict.clone())
}

async fn crash_into(
    scene: &mut Scene,
    name: &str,
    preview: Recorded,
    milliseconds: u64,
) -> Result<(), Failure> {
    let desk = desk(scene, name)?;
    remember(scene, &desk, &preview).await?;
    let call = Call::commit(&preview.preview_id.unwrap_or_default());
    let crash = async {
        // The point of the scenario is the moment of the crash, so this is no waiting for a condition.
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        kill(scene).await
    };
    let (answer, killed) = tokio::join!(desk.send(&call), crash);
    killed?;
    // No answer is what a crash looks like; an answer says that the commit was stored.
    scene.durability.answer = answer.ok();
    start_again(scene).await
}

async fn remember(scene: &mut Scene, desk: &Desk, preview: &Recorded) -> Result<(), Failure> {
    scene.durability.rows = preview.rows.clone();
    scene.durability.before = Some(Snapshot::take(desk).await?.figures_alone());
    Ok(())
}

fn previewed(scene: &Scene) -> Result<Recorded, Failure> {
    let preview = scene.writing.preview.clone();
    preview.ok_or_else(|| Failure::harness("nothing was previewed before this sentence"))
}

/// Either every new row of the batch is in the book and the batch is listed, or no figure differs and it is not. A commit
/// that was answered with a batch is in the book; one that was refused is not, and the refusal says why.
#[then(expr = "{person}'s book holds the batch whole or not at all")]
async fn whole_or_not_at_all(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    judge(scene, &name).await
}

async fn judge(scene: &Scene, name: &str) -> Result<(), Failure> {
    let desk = desk(scene, name)?;
    let before = scene.durability.before.clone();
    let before = before.ok_or_else(|| Failure::harness("no commit before this sentence"))?;
    let promised = match &scene.durability.answer {
        Some(answer) if answer.is_error => {
            answer.refusal()?;
            Some(false)
        }
        Some(answer) => {
            answer.accepted::<Recorded>()?;
            Some(true)
        }
        None => None,
    };
    let new = scene
        .durability
        .rows
        .iter()
        .filter(|row| row.class == "new");
    let new = new.count();
    let stored = stored_rows(&desk).await?;
    let unchanged = before.first_difference(&Snapshot::take(&desk).await?.figures_alone());
    let there = match (stored, &unchanged) {
        (0, None) => false,
        (rows, Some(_)) if rows == new => true,
        _ => {
            let seen = format!(
                "{stored} rows; {}",
                unchanged.as_deref().unwrap_or("no figure differs")
            );
            return Err(Failure::expected(format!("all {new} rows or none")).actual(seen));
        }
    };
    match promised {
        Some(promised) if promised != there => {
            let expected = if promised {
                "the batch the commit answered with"
            } else {
                "nothing, as the commit was refused"
            };
            Err(Failure::expected(expected).actual(format!("{stored} of {new} rows")))
        }
        _ => Ok(()),
    }
}

/// Transactions of all items, each once, that belong to the newest batch if that one stores rows at all.
async fn stored_rows(desk: &Desk) -> Result<usize, Failure> {
    let listed = desk.batches().await?;
    let Some(newest) = listed.first() else {
        return Ok(0);
    };
    let mut stored = 0;
    for item in desk.items().await? {
        let detail = desk.item(&item.id).await?;
        stored += detail
            .transactions
            .iter()
            .filter(|row| row.batch == newest.id)
            .count();
    }
    Ok(stored)
}

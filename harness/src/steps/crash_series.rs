//! Steps about many commits in a row during which the server dies again and again.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

use cucumber::{then, when};
use serde_json::json;

use super::{
    book::before,
    durability::{kill, start_again},
    people::{Who, desk, meet},
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{Batch, Call, Figure, journal::Names as _, result::Recorded},
};

/// The latest moment after a commit was sent at which the server dies, in microseconds: about how long one takes.
const LATEST: u64 = 8_000;

/// What a scenario remembers about its commits.
#[derive(Debug, Default)]
pub struct CrashSeries {
    /// Rows in each batch.
    rows: usize,
    /// Batches whose commit was answered.
    answered: Vec<String>,
}

/// A figure below `limit` that nobody can foresee.
fn any_below(limit: u64) -> u64 {
    RandomState::new().hash_one(limit) % limit.max(1)
}

/// Batches of deposits of 1 each are committed one after the other. Out of each equal part of them one commit, any, is cut
/// off by the death of the server, at any moment; the server is then started again on its data.
#[when(
    expr = "{person} commits {int} batches of {int} deposits to {string} while the server is killed {int} times at random moments"
)]
async fn commits_while_killed(
    scene: &mut Scene,
    who: Who,
    batches: u64,
    rows: usize,
    item: String,
    kills: u64,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let item = before(scene, &name)?.item(&item);
    let item = item.ok_or_else(|| Failure::harness("the item was not opened before"))?;
    let part = (batches / kills.max(1)).max(1);
    let mut fatal = any_below(part);
    scene.crash_series.rows = rows;
    for number in 0..batches {
        let mut batch = Batch::default();
        for row in 0..rows {
            batch.push(
                "transactions",
                json!({
                    "item": item,
                    "type": "deposit",
                    "date": "2024-01-15",
                    "amount": "1",
                    "external_ref": format!("{number}-{row}"),
                }),
            );
        }
        let desk = desk(scene, &name)?;
        let preview: Recorded = desk.send(&Call::preview(&batch)).await?.accepted()?;
        let call = Call::commit(&preview.preview_id.unwrap_or_default());
        if number != fatal {
            let recorded: Recorded = desk.send(&call).await?.accepted()?;
            scene.crash_series.answered.extend(recorded.batch);
            continue;
        }
        fatal = (number / part + 1) * part + any_below(part);
        let moment = Duration::from_micros(any_below(LATEST));
        let crash = async {
            // The point is the moment of the crash, so this is no waiting for a condition.
            tokio::time::sleep(moment).await;
            kill(scene).await
        };
        let (answer, killed) = tokio::join!(desk.send(&call), crash);
        killed?;
        // No answer is what a crash looks like; an answer says that the commit was stored.
        if let Ok(answer) = answer {
            let recorded: Recorded = answer.accepted()?;
            scene.crash_series.answered.extend(recorded.batch);
        }
        start_again(scene).await?;
    }
    Ok(())
}

/// Every batch whose commit was answered is there with all its rows, each other batch with all or none, and the balance is
/// what the rows add up to.
#[then(expr = "{person}'s {string} holds every batch that was answered for, and no batch in part")]
async fn holds_every_batch(scene: &mut Scene, who: Who, item: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let id = before(scene, &name)?.item(&item);
    let id = id.ok_or_else(|| Failure::harness("the item was not opened before"))?;
    let desk = desk(scene, &name)?;
    let detail = desk.item(&id).await?;
    let series = &scene.crash_series;
    let mut stored: BTreeMap<&str, usize> = BTreeMap::new();
    for row in &detail.transactions {
        *stored.entry(&row.batch).or_default() += 1;
    }
    if let Some(lost) = series
        .answered
        .iter()
        .find(|batch| !stored.contains_key(batch.as_str()))
    {
        return Err(Failure::expected(format!(
            "all {} batches whose commit was answered",
            series.answered.len()
        ))
        .actual(format!("{lost} is not in the book")));
    }
    if let Some((batch, rows)) = stored.iter().find(|(_, rows)| **rows != series.rows) {
        return Err(
            Failure::expected(format!("{} rows of each batch, or none", series.rows))
                .actual(format!("{rows} rows of {batch}")),
        );
    }
    let listed = desk.batches().await?;
    if let Some(missing) = stored
        .keys()
        .find(|batch| !listed.iter().any(|listed| listed.id == **batch))
    {
        return Err(
            Failure::expected("every batch with rows in the list of batches")
                .actual(format!("{missing} is not listed")),
        );
    }
    let expected: Result<Figure, _> = detail.transactions.len().to_string().parse();
    let expected = expected.map_err(Failure::harness)?;
    match detail.item.position.value {
        Some(balance) if balance == expected => Ok(()),
        other => Err(Failure::expected(format!("a balance of {expected}"))
            .actual(other.map_or_else(|| "none".to_owned(), |balance| balance.to_string()))),
    }
}

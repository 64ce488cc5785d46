//! Steps that write: preview, commit, undo, void, reconcile, and the attempts that must be refused.

use std::{collections::BTreeMap, time::Duration};

use cucumber::{gherkin::Step, given, then, when};
use serde_json::json;

use super::{
    book::{batch_of, before, learn_names, lines, note_down, unreadable},
    people::{Who, desk, meet},
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Answer, Batch, Call, Desk,
        result::{ItemDetail, Recorded},
    },
};

/// What a scenario remembers about its writes.
#[derive(Debug, Default)]
pub struct Writing {
    /// The last answer that a sentence may speak of.
    pub last: Option<Answer>,
    /// The last preview, as it was shown.
    pub preview: Option<Recorded>,
    /// Every preview id of the scenario, in order.
    pub preview_ids: Vec<String>,
    /// Previews by the name the scenario gave them.
    pub previews: BTreeMap<String, String>,
    /// The batch that the last preview held, to be handed in once more.
    pub handed_in: Option<Batch>,
    /// The last void.
    pub voided: Option<Call>,
    /// The last committed batch.
    pub batch: Option<String>,
    /// The first row that the scenario stored.
    pub first_row: Option<String>,
    /// Batches by the name the scenario gave them.
    pub batches: BTreeMap<String, String>,
}

/// A figure in a sentence, as people write it: `1,234.50`.
#[derive(Debug, Clone, cucumber::Parameter)]
#[param(name = "figure", regex = r"-?[0-9][0-9,]*(?:\.[0-9]+)?")]
pub struct Written(pub String);

impl std::str::FromStr for Written {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.replace(',', "")))
    }
}

/// A day in a sentence.
#[derive(Debug, Clone, cucumber::Parameter)]
#[param(name = "day", regex = r"\d{4}-\d{2}-\d{2}")]
pub struct Day(pub String);

impl std::str::FromStr for Day {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl Writing {
    /// Keeps a commit's answer and its batch.
    pub fn remember_commit(&mut self, answer: Answer, recorded: &Recorded) {
        self.last = Some(answer);
        self.batch.clone_from(&recorded.batch);
        let row = recorded.rows.iter().find_map(|row| row.id.clone());
        self.first_row = self.first_row.take().or(row);
    }

    /// The last answer.
    ///
    /// # Errors
    /// The feature file asks about an answer before there was one.
    pub fn answer(&self) -> Result<&Answer, Failure> {
        self.last.as_ref().ok_or_else(|| {
            Failure::expected("an answer to look at").actual("nothing was asked yet")
        })
    }

    /// The id of a batch by the name the scenario gave it.
    ///
    /// # Errors
    /// No batch has that name.
    pub fn batch_named(&self, label: &str) -> Result<String, Failure> {
        let found = self.batches.get(label).cloned();
        found.ok_or_else(|| {
            Failure::expected(format!("a batch called {label:?}")).actual("none was recorded")
        })
    }

    fn preview_named(&self, label: Option<&str>) -> Result<String, Failure> {
        let found = match label {
            Some(label) => self.previews.get(label).cloned(),
            None => self.preview_ids.last().cloned(),
        };
        found
            .ok_or_else(|| Failure::expected("a preview to commit").actual("nothing was previewed"))
    }
}

/// Notes every book down, then sends a call that must be refused; the answer is kept for the sentences that follow.
///
/// # Errors
/// There was no answer.
pub async fn attempt(scene: &mut Scene, name: &str, call: &Call) -> Result<(), Failure> {
    note_down(scene).await?;
    let answer = desk(scene, name)?.send(call).await?;
    scene.writing.last = Some(answer);
    Ok(())
}

async fn preview(scene: &mut Scene, name: &str, batch: Batch) -> Result<(), Failure> {
    let answer = desk(scene, name)?.send(&Call::preview(&batch)).await?;
    let shown: Recorded = answer.accepted()?;
    scene.writing.preview_ids.extend(shown.preview_id.clone());
    scene.writing.preview = Some(shown);
    scene.writing.handed_in = Some(batch);
    scene.writing.last = Some(answer);
    Ok(())
}

/// Rows are previewed, which must be accepted. Nothing is stored by it.
#[given(expr = "{person} has previewed")]
#[when(expr = "{person} previews")]
async fn previews(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = batch_of(scene, &name, &lines(step)).await?;
    preview(scene, &name, batch).await
}

/// Rows are previewed, and the scenario calls the preview by a name.
#[given(expr = "{person} has previewed {string}")]
#[when(expr = "{person} previews {string}")]
async fn has_previewed_as(
    scene: &mut Scene,
    who: Who,
    label: String,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = batch_of(scene, &name, &lines(step)).await?;
    preview(scene, &name, batch).await?;
    let id = scene.writing.preview_named(None)?;
    scene.writing.previews.insert(label, id);
    Ok(())
}

/// One batch is previewed a number of times.
#[when(expr = "{person} previews {int} times")]
async fn previews_often(
    scene: &mut Scene,
    who: Who,
    times: usize,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = batch_of(scene, &name, &lines(step)).await?;
    for _ in 0..times {
        preview(scene, &name, batch.clone()).await?;
    }
    Ok(())
}

/// The batch previewed last is handed in once more, as it was.
#[when(expr = "{person} previews the same batch again")]
async fn previews_again(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = scene.writing.handed_in.clone().unwrap_or_default();
    preview(scene, &name, batch).await
}

/// The batch previewed last is handed in once more, as it was, and must now be refused.
#[when(expr = "{person} tries to preview the same batch again")]
async fn tries_to_preview_again(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = scene.writing.handed_in.clone().unwrap_or_default();
    attempt(scene, &name, &Call::preview(&batch)).await
}

/// Rows are handed in that must be refused by the preview already.
#[when(expr = "{person} tries to preview")]
async fn tries_to_preview(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = batch_of(scene, &name, &lines(step)).await?;
    attempt(scene, &name, &Call::preview(&batch)).await
}

/// Items are handed in that must be refused by the preview already: columns as in a book's items.
#[when(expr = "{person} tries to open the items")]
async fn tries_to_open_items(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = items_batch(scene, &name, step)?;
    attempt(scene, &name, &Call::preview(&batch)).await
}

/// Items are previewed and committed: columns as in a book's items.
#[when(expr = "{person} opens the items")]
async fn opens_items(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = items_batch(scene, &name, step)?;
    super::book::store(scene, &name, &batch).await.map(drop)
}

fn items_batch(scene: &Scene, name: &str, step: &Step) -> Result<Batch, Failure> {
    let mut batch = Batch::new();
    let book = before(scene, name)?;
    for line in lines(step) {
        batch.open_item(&line, book).map_err(unreadable)?;
    }
    Ok(batch)
}

/// A deposit with an endless reference is handed in, which must be refused.
#[when(
    expr = "{person} tries to preview a deposit into {string} with a reference of {int} characters"
)]
async fn tries_long_reference(
    scene: &mut Scene,
    who: Who,
    item: String,
    length: usize,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let item = super::items::item_id(scene, &name, &item)?;
    let mut batch = Batch::new();
    batch.push(
        "transactions",
        json!({ "item": item, "type": "deposit", "date": "2024-01-02", "amount": "1", "external_ref": "x".repeat(length) }),
    );
    attempt(scene, &name, &Call::preview(&batch)).await
}

/// A batch without a single row is handed in.
#[when(expr = "{person} tries to preview an empty batch")]
async fn tries_to_preview_nothing(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    attempt(scene, &name, &Call::preview(&Batch::new())).await
}

/// A batch is handed in whose every list is there and empty.
#[when(expr = "{person} tries to preview a batch of empty lists")]
async fn tries_to_preview_empty_lists(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let lists = [
        "accounts",
        "items",
        "transactions",
        "transfers",
        "valuations",
        "prices",
    ];
    let call = lists
        .into_iter()
        .fold(Call::preview(&Batch::new()), |call, list| {
            call.with(list, json!([]))
        });
    attempt(scene, &name, &call).await
}

/// Items are recorded at once, which must be refused: columns as in a book's items.
#[when(expr = "{person} tries to open at once the items")]
async fn tries_to_open_at_once(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = items_batch(scene, &name, step)?;
    attempt(scene, &name, &Call::record_at_once(&batch)).await
}

/// Rows are recorded at once, without a preview.
#[when(expr = "{person} records at once")]
async fn records_at_once(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = batch_of(scene, &name, &lines(step)).await?;
    let answer = desk(scene, &name)?
        .send(&Call::record_at_once(&batch))
        .await?;
    let recorded: Recorded = answer.accepted()?;
    learn_names(scene, &name, &recorded)?;
    scene.writing.remember_commit(answer, &recorded);
    Ok(())
}

/// Rows are recorded at once, which must be refused.
#[when(expr = "{person} tries to record at once")]
async fn tries_to_record_at_once(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = batch_of(scene, &name, &lines(step)).await?;
    attempt(scene, &name, &Call::record_at_once(&batch)).await
}

async fn commit(scene: &mut Scene, name: &str, label: Option<&str>) -> Result<(), Failure> {
    let id = scene.writing.preview_named(label)?;
    let answer = desk(scene, name)?.send(&Call::commit(&id)).await?;
    let recorded: Recorded = answer.accepted()?;
    learn_names(scene, name, &recorded)?;
    scene.writing.remember_commit(answer, &recorded);
    Ok(())
}

/// The last preview is committed.
#[given(expr = "{person} has committed the preview")]
#[when(expr = "{person} commits the preview")]
async fn commits(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    commit(scene, &name, None).await
}

/// The last preview is committed, whether or not the server still takes it.
#[when(expr = "{person} commits the preview, if it still holds")]
async fn commits_if_it_holds(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let id = scene.writing.preview_named(None)?;
    let answer = desk(scene, &name)?.send(&Call::commit(&id)).await?;
    scene.writing.last = Some(answer);
    Ok(())
}

/// A commit was carried out with the very rates of its preview, or it was refused as stale.
#[then("it was committed with the rates of the preview, or refused as stale")]
fn kept_rates_or_stale(scene: &mut Scene) -> Result<(), Failure> {
    let answer = scene.writing.answer()?;
    if answer.is_error {
        let code = answer.refusal()?.code;
        return match code.as_str() {
            "preview_stale" => Ok(()),
            other => Err(Failure::expected("refused with `preview_stale`").actual(other)),
        };
    }
    let rates = |recorded: &Recorded| -> Vec<String> {
        let rates = recorded.rates.iter();
        rates
            .map(|rate| format!("{} to {}: {}", rate.from, rate.to, rate.rate))
            .collect()
    };
    let committed = rates(&answer.accepted()?);
    let previewed = scene
        .writing
        .preview
        .as_ref()
        .map(rates)
        .unwrap_or_default();
    if committed == previewed {
        return Ok(());
    }
    Err(Failure::expected(format!("{previewed:?}")).actual(format!("{committed:?}")))
}

/// A preview is committed that the scenario calls by a name.
#[when(expr = "{person} commits {string}")]
async fn commits_named(scene: &mut Scene, who: Who, label: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    commit(scene, &name, Some(&label)).await
}

/// A commit of the last preview, which must be refused.
#[when(expr = "{person} tries to commit the preview")]
async fn tries_to_commit(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let id = scene.writing.preview_named(None)?;
    attempt(scene, &name, &Call::commit(&id)).await
}

/// A commit of a preview that the scenario calls by a name, which must be refused.
#[when(expr = "{person} tries to commit {string}")]
async fn tries_to_commit_named(scene: &mut Scene, who: Who, label: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let id = scene.writing.preview_named(Some(&label))?;
    attempt(scene, &name, &Call::commit(&id)).await
}

/// A commit that hands in something beside the preview's id, which must be refused: `dry_run`, `force`, rows.
#[when(expr = "{person} tries to commit the preview with {word} beside its id")]
async fn tries_to_commit_with(
    scene: &mut Scene,
    who: Who,
    argument: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let id = scene.writing.preview_named(None)?;
    let value = if argument == "transactions" {
        json!([])
    } else {
        json!(true)
    };
    attempt(scene, &name, &Call::commit(&id).with(&argument, value)).await
}

/// A commit of an id that no preview ever had.
#[when(expr = "{person} tries to commit a preview that never was")]
async fn tries_to_commit_nothing(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    attempt(
        scene,
        &name,
        &Call::commit(&format!("prv_{}", ulid::Ulid::new())),
    )
    .await
}

/// One item in full, by the name the scenario gave it.
///
/// # Errors
/// The item is unknown, or `get_item` refused.
pub async fn item_named(
    scene: &Scene,
    name: &str,
    desk: &Desk,
    item: &str,
) -> Result<ItemDetail, Failure> {
    let id = before(scene, name)?.items.get(item).cloned();
    let id = id.ok_or_else(|| {
        Failure::expected(format!("an item called {item:?}")).actual("none was opened")
    })?;
    desk.item(&id).await
}

/// The steered clock moves on.
#[given(expr = "{int} minutes have passed")]
#[when(expr = "{int} minute(s) pass(es)")]
async fn minutes_pass(scene: &mut Scene, minutes: u64) -> Result<(), Failure> {
    let expected = || Failure::expected("a clock that can be moved");
    let mocks = scene
        .environment
        .mocks
        .as_ref()
        .ok_or_else(|| expected().actual("a target without mocks"))?;
    mocks
        .advance(Duration::from_secs(minutes * 60))
        .await
        .map_err(|problem| expected().actual(problem))?;
    Ok(())
}

/// Each of the previews has an id of its own.
#[then("every preview has an id of its own")]
fn preview_ids_differ(scene: &mut Scene) -> Result<(), Failure> {
    let ids = &scene.writing.preview_ids;
    let different: std::collections::BTreeSet<&String> = ids.iter().collect();
    if different.len() == ids.len() {
        return Ok(());
    }
    Err(
        Failure::expected(format!("{} different preview ids", ids.len()))
            .actual(format!("{} different ones", different.len())),
    )
}

//! Steps about what people track beside the balance sheet: goals, and losses carried forward.

use std::collections::BTreeMap;

use cucumber::{gherkin::Step, given, then, when};
use serde_json::{Map, Value, json};

use super::{
    book::{before, lines, unreadable},
    people::{Who, desk, meet},
    table::{Cell, compare_table},
    writing::{Day, attempt},
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Call,
        journal::sent_as,
        result::{Goal, LossTotal, SavedGoal, SavedLoss},
    },
};

/// What a scenario remembers about goals and losses.
#[derive(Debug, Default)]
pub struct Plans {
    /// Ids of goals by name.
    goals: BTreeMap<String, String>,
    /// Ids of losses by the name the scenario gave them.
    losses: BTreeMap<String, String>,
}

/// The first line of a table as arguments: a heading is the name of its argument, a cell `yes` stands for true.
fn fields(step: &Step) -> Result<Map<String, Value>, Failure> {
    let mut fields = Map::new();
    for line in lines(step).into_iter().take(1) {
        for heading in line.headings() {
            let cell = line.cell(heading).unwrap_or_default();
            let value = match (heading, cell) {
                ("archive", "yes") => json!(true),
                ("archive", _) => json!(false),
                ("year", cell) => match cell.parse::<i64>() {
                    Ok(year) => json!(year),
                    Err(_) => sent_as(cell).map_err(unreadable)?,
                },
                ("kind", cell) => json!(cell.replace(' ', "_")),
                (_, cell) => sent_as(cell).map_err(unreadable)?,
            };
            fields.insert(heading.to_owned(), value);
        }
    }
    Ok(fields)
}

/// A goal that is known by its name is changed, another one is set.
fn goal_call(scene: &Scene, goal: &str, step: &Step) -> Result<Call, Failure> {
    let mut fields = fields(step)?;
    match scene.plans.goals.get(goal) {
        Some(id) => fields.insert("goal".to_owned(), json!(id)),
        None => fields.insert("name".to_owned(), json!(goal)),
    };
    Ok(Call::set_goal(fields))
}

async fn set_goal(
    scene: &mut Scene,
    who: &Who,
    goal: &str,
    label: &str,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, who).await?;
    let call = goal_call(scene, goal, step)?;
    let answer = desk(scene, &name)?.send(&call).await?;
    let saved: SavedGoal = answer.accepted()?;
    scene.plans.goals.insert(goal.to_owned(), saved.goal.id);
    scene.writing.batches.insert(label.to_owned(), saved.batch);
    scene.writing.last = Some(answer);
    Ok(())
}

/// A goal is set, or changed where the scenario knows it: columns `kind target currency by archive`, what is not written is
/// not sent.
#[given(expr = "{person} has set the goal {string}")]
#[when(expr = "{person} sets the goal {string}")]
async fn sets_goal(scene: &mut Scene, who: Who, goal: String, step: &Step) -> Result<(), Failure> {
    set_goal(scene, &who, &goal, &goal, step).await
}

/// The same, with a name for the batch of the change, so that it can be undone.
#[given(expr = "{person} has set the goal {string} as {string}")]
#[when(expr = "{person} sets the goal {string} as {string}")]
async fn sets_goal_as(
    scene: &mut Scene,
    who: Who,
    goal: String,
    label: String,
    step: &Step,
) -> Result<(), Failure> {
    set_goal(scene, &who, &goal, &label, step).await
}

/// A goal that must be refused, set or changed.
#[when(expr = "{person} tries to set the goal {string}")]
async fn tries_to_set_goal(
    scene: &mut Scene,
    who: Who,
    goal: String,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = goal_call(scene, &goal, step)?;
    attempt(scene, &name, &call).await
}

/// The goals on a day: columns `goal kind target by current progress trend monthly projected on pace reached`; `unknown`
/// where a pace cannot be told.
#[then(expr = "{person}'s goals on {day} are")]
async fn goals_are(scene: &mut Scene, who: Who, day: Day, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let goals = desk(scene, &name)?.goals(Some(&day.0)).await?.goals;
    let yes = |told: bool| if told { "yes" } else { "no" };
    let row = |goal: &Goal| {
        vec![
            Cell::text("goal", &goal.name),
            Cell::text("kind", goal.kind.replace('_', " ")),
            Cell::spelling("target", Some(&goal.target)),
            Cell::text("by", goal.by.clone().unwrap_or_default()),
            Cell::figure("current", goal.current.as_ref()),
            Cell::figure("progress", goal.progress.as_ref()),
            Cell::figure("trend", goal.trend_12m.as_ref()),
            Cell::figure("monthly", goal.trend_monthly.as_ref()),
            Cell::text(
                "projected",
                goal.projected_date.as_deref().unwrap_or("never"),
            ),
            Cell::text("on pace", goal.on_pace.map_or("unknown", yes)),
            Cell::text("reached", yes(goal.reached)),
        ]
    };
    compare_table(&lines(step), &goals.iter().map(row).collect::<Vec<_>>())
}

/// No goal is shown.
#[then(expr = "{person} has no goal on {day}")]
async fn no_goal(scene: &mut Scene, who: Who, day: Day) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let goals = desk(scene, &name)?.goals(Some(&day.0)).await?.goals;
    if goals.is_empty() {
        return Ok(());
    }
    Err(Failure::expected("no goal").actual(format!("{goals:?}")))
}

/// A loss that is known by its name is changed, another one is tracked.
fn loss_call(scene: &Scene, name: &str, loss: &str, step: &Step) -> Result<Call, Failure> {
    let mut fields = fields(step)?;
    if let Some(Value::String(party)) = fields.get("party").cloned() {
        let known = before(scene, name)?.parties.get(&party).cloned();
        fields.insert("party".to_owned(), json!(known.unwrap_or(party)));
    }
    if let Some(id) = scene.plans.losses.get(loss) {
        fields.insert("loss".to_owned(), json!(id));
    }
    Ok(Call::set_loss(fields))
}

async fn set_loss(
    scene: &mut Scene,
    who: &Who,
    loss: &str,
    label: &str,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, who).await?;
    let call = loss_call(scene, &name, loss, step)?;
    let answer = desk(scene, &name)?.send(&call).await?;
    let saved: SavedLoss = answer.accepted()?;
    scene.plans.losses.insert(loss.to_owned(), saved.loss.id);
    scene.writing.batches.insert(label.to_owned(), saved.batch);
    scene.writing.last = Some(answer);
    Ok(())
}

/// A loss is tracked, or changed where the scenario knows it: columns `party kind year amount used note archive`, what is
/// not written is not sent.
#[given(expr = "{person} has tracked the loss {string}")]
#[when(expr = "{person} tracks the loss {string}")]
async fn tracks_loss(
    scene: &mut Scene,
    who: Who,
    loss: String,
    step: &Step,
) -> Result<(), Failure> {
    set_loss(scene, &who, &loss, &loss, step).await
}

/// The same, with a name for the batch of the change, so that it can be undone.
#[given(expr = "{person} has tracked the loss {string} as {string}")]
#[when(expr = "{person} tracks the loss {string} as {string}")]
async fn tracks_loss_as(
    scene: &mut Scene,
    who: Who,
    loss: String,
    label: String,
    step: &Step,
) -> Result<(), Failure> {
    set_loss(scene, &who, &loss, &label, step).await
}

/// A loss that must be refused, tracked or changed.
#[when(expr = "{person} tries to track the loss {string}")]
async fn tries_to_track_loss(
    scene: &mut Scene,
    who: Who,
    loss: String,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = loss_call(scene, &name, &loss, step)?;
    attempt(scene, &name, &call).await
}

/// A loss of a party of somebody else's book, which must be refused.
#[when(expr = "{person} tries to track a loss of {person}'s party {string}")]
async fn tries_foreign_party(
    scene: &mut Scene,
    who: Who,
    other: Who,
    party: String,
) -> Result<(), Failure> {
    let other = meet(scene, &other).await?;
    let id = before(scene, &other)?.parties.get(&party).cloned();
    let id = id.ok_or_else(|| Failure::harness(format!("no party {party} in {other}'s book")))?;
    let name = meet(scene, &who).await?;
    let fields = json!({ "party": id, "kind": "capital", "year": 2021, "amount": "100" });
    let fields = fields.as_object().cloned().unwrap_or_default();
    attempt(scene, &name, &Call::set_loss(fields)).await
}

/// The losses: columns `party kind year amount used left note`; no table, no loss and no total.
#[then(expr = "{person}'s losses are")]
#[then(expr = "{person}'s losses are none")]
async fn losses_are(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let seen = desk(scene, &name)?.losses().await?;
    if step.table.is_none() && !seen.totals.is_empty() {
        return Err(Failure::expected("no totals").actual(format!("{:?}", seen.totals)));
    }
    let parties = before(scene, &name)?.parties.clone();
    let rows = seen.losses.iter().map(|loss| {
        vec![
            Cell::text("party", party_named(&parties, &loss.party)),
            Cell::text("kind", &loss.kind),
            Cell::text("year", loss.year.to_string()),
            Cell::spelling("amount", Some(&loss.amount)),
            Cell::spelling("used", Some(&loss.used)),
            Cell::figure("left", Some(&loss.remaining)),
            Cell::text("note", loss.note.clone().unwrap_or_default()),
        ]
    });
    compare_table(&lines(step), &rows.collect::<Vec<_>>())
}

/// What is left by party and kind: columns `party kind amount used left`, with the kind `all` for a party's whole.
#[then(expr = "{person}'s losses come to")]
async fn losses_come_to(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let seen = desk(scene, &name)?.losses().await?;
    let parties = before(scene, &name)?.parties.clone();
    let row = |party: &str, kind: &str, total: &LossTotal| {
        vec![
            Cell::text("party", party_named(&parties, party)),
            Cell::text("kind", kind),
            Cell::figure("amount", Some(&total.amount)),
            Cell::figure("used", Some(&total.used)),
            Cell::figure("left", Some(&total.remaining)),
        ]
    };
    let mut rows = Vec::new();
    for totals in &seen.totals {
        rows.push(row(&totals.party, "all", &totals.total));
        let kinds = totals.kinds.iter();
        rows.extend(kinds.map(|kind| row(&totals.party, &kind.kind, &kind.total)));
    }
    compare_table(&lines(step), &rows)
}

fn party_named<'a>(parties: &'a BTreeMap<String, String>, id: &'a str) -> &'a str {
    let found = parties.iter().find(|(_, known)| *known == id);
    found.map_or(id, |(name, _)| name)
}

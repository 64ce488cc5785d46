//! `get_goals` and `set_goal`: what a household is on its way to.

use proofmark_ledger::changes::GoalChange;
use proofmark_ledger::model::Goal;
use proofmark_ledger::{Change, GoalReport};
use serde_json::{Value, json};

use super::super::Worthbase;
use super::super::access::Desk;
use super::super::arguments::{read, text};
use super::super::currencies::check;
use super::super::identifiers::{figure, new_id};
use super::net_worth::date;
use super::parties::{apply, saved};
use super::recording::set;
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;

/// The goals that are not archived, on a day.
pub(in super::super) async fn get_goals(
    server: &Worthbase,
    desk: &Desk,
    arguments: &JsonObject,
) -> Result<Value, Fault> {
    let day = date(arguments, desk.visitor.today())?;
    let (book, reports) = server
        .ask(desk, move |ledger, rates| ledger.goal_reports(day, rates))
        .await?;
    let goals: Vec<Value> = reports
        .iter()
        .filter_map(|report| {
            let goal = book.ledger.goals().find(|goal| goal.id == report.goal)?;
            Some(progress(goal, report))
        })
        .collect();
    Ok(json!({ "workspace": desk.workspace(), "date": day.to_string(), "goals": goals }))
}

fn progress(goal: &Goal, report: &GoalReport) -> Value {
    let mut shown = shown_goal(goal);
    if let Some(members) = shown.as_object_mut() {
        members.shift_remove("archived");
    }
    for (name, value) in [
        ("current", report.current.map(figure)),
        ("partial", Some(json!(report.partial))),
        ("progress", report.progress.map(figure)),
        ("trend_12m", report.trend.map(figure)),
        ("trend_monthly", report.trend_monthly.map(figure)),
        (
            "projected_date",
            report.projected_date.map(|date| json!(date.to_string())),
        ),
        ("reached", Some(json!(report.reached))),
        ("on_pace", report.on_pace.map(Value::Bool)),
    ] {
        set(&mut shown, name, value.unwrap_or_default());
    }
    if let Some(since) = report.trend_from {
        set(&mut shown, "trend_from", json!(since.to_string()));
    }
    shown
}

/// Creates a goal, or changes the fields that are given.
pub(in super::super) async fn set_goal(
    server: &Worthbase,
    desk: &Desk,
    mut arguments: JsonObject,
) -> Result<Value, Fault> {
    if let Some(currency) = text(&arguments, "currency") {
        check(currency, "currency")?;
    }
    let create = !arguments.contains_key("goal");
    arguments.shift_remove("workspace");
    if create {
        arguments.insert("goal".to_owned(), Value::String(new_id("gol")));
        arguments.insert("create".to_owned(), Value::Bool(true));
        arguments
            .entry("currency")
            .or_insert_with(|| json!(desk.membership.workspace.base_currency));
    }
    if let Some(archive) = arguments.shift_remove("archive") {
        arguments.insert("archived".to_owned(), archive);
    }
    let change: GoalChange = read(arguments)?;
    let id = change.goal.clone();
    let written = apply(server, desk, "set_goal", Change::Goal(change), "goals[0]").await?;
    let after = &written.assessment.after;
    let goal = after.goals().find(|goal| goal.id == id);
    let goal = goal.ok_or_else(Fault::internal)?;
    Ok(saved(desk, "goal", shown_goal(goal), &written))
}

fn shown_goal(goal: &Goal) -> Value {
    let mut shown = json!({
        "id": goal.id,
        "name": goal.name,
        "kind": goal.kind,
        "target": goal.target.to_string(),
        "currency": goal.currency,
        "archived": goal.archived,
    });
    if let Some(by) = goal.by {
        set(&mut shown, "by", json!(by.to_string()));
    }
    shown
}

//! Cases about reports: performance, history, debts, goals, losses, and sales that are only thought about.

use serde_json::{Map, Value, json};

use super::{
    case::{Case, Row, text},
    observe::{self, figure},
    stage::{Rows, Stage},
};
use crate::{
    suite::Failure,
    worthbase::{
        Call, Period, Snapshot,
        result::{Changed, History, SavedGoal, SavedLoss, SimulatedSale},
    },
};

/// The item that carries the figures of a goal.
const CARRIER: &str = "carrier";

/// A field of the question, which the case must state.
fn asked<'a>(case: &'a Case, field: &str) -> Result<&'a str, Failure> {
    text(&case.ask, field).ok_or_else(|| incomplete(case, field))
}

fn incomplete(case: &Case, field: &str) -> Failure {
    Failure::harness(format!("case {} does not state {field}", case.id))
}

/// Gains and returns of the whole book.
///
/// # Errors
/// The server refuses the rows or the question.
pub async fn performance(stage: &mut Stage, case: &Case) -> Result<Value, Failure> {
    stage.must_record(Rows::of(&case.given)).await?;
    let period = Period {
        from: text(&case.ask, "from"),
        to: asked(case, "to")?,
    };
    let total = stage.desk.performance(period, None, None).await?.total;
    Ok(json!({
        "start_value": figure(total.start_value.as_ref()), "end_value": figure(total.end_value.as_ref()),
        "money_in": total.money_in.text(), "money_out": total.money_out.text(), "income": total.income.text(),
        "gain": figure(total.gain.as_ref()), "simple_return": figure(total.simple_return.as_ref()),
        "xirr": figure(total.xirr.as_ref()), "xirr_reason": total.xirr_reason, "short_period": total.short_period,
    }))
}

/// Points over one range, or the dates of the points over each of several.
///
/// # Errors
/// The server refuses the rows or a question.
pub async fn history(stage: &mut Stage, case: &Case) -> Result<Value, Failure> {
    let rows = Rows::of(&case.given);
    if !rows.is_empty() {
        stage.must_record(rows).await?;
    }
    let Some(queries) = case.ask.get("queries").and_then(Value::as_array) else {
        let seen = points(stage, case, &case.ask).await?;
        let shown = seen.points.iter().map(|point| {
            let missing: Value = point.missing.iter().map(|item| json!(item.name)).collect();
            json!({
                "date": point.date, "net_worth": point.net_worth.text(), "partial": point.partial, "missing": missing,
            })
        });
        let change = seen.change.as_ref().map(|change| &change.amount);
        return Ok(json!({ "points": shown.collect::<Value>(), "change": figure(change) }));
    };
    let mut dates = Vec::new();
    for query in queries {
        let query = query
            .as_object()
            .ok_or_else(|| incomplete(case, "a query"))?;
        let seen = points(stage, case, query).await?;
        dates.push(
            seen.points
                .iter()
                .map(|point| json!(point.date))
                .collect::<Value>(),
        );
    }
    Ok(json!({ "dates": dates }))
}

async fn points(
    stage: &Stage,
    case: &Case,
    query: &Map<String, Value>,
) -> Result<History, Failure> {
    let field = |name: &str| text(query, name).ok_or_else(|| incomplete(case, name));
    let period = Period::between(field("from")?, field("to")?);
    stage
        .desk
        .history(period, field("interval")?, None, None)
        .await
}

/// Loans, properties and the whole debt on one day, or the balance of the only loan on each of several.
///
/// # Errors
/// The server refuses the rows, a link or the question.
pub async fn debts(stage: &mut Stage, case: &Case) -> Result<Value, Failure> {
    stage.must_record(Rows::of(&case.given)).await?;
    for link in &case.given.links {
        let (from, to, relation) = match (text(link, "loan"), text(link, "secured_by")) {
            (Some(loan), Some(property)) => (loan, property, "secured_by"),
            (Some(loan), None) => (text(link, "offset").unwrap_or_default(), loan, "offset"),
            _ => return Err(incomplete(case, "the loan of a link")),
        };
        let call = Call::link(stage.item(from)?, stage.item(to)?, relation);
        let _: Changed = stage.desk.send(&call).await?.accepted()?;
    }
    let Some(days) = case.ask.get("dates").and_then(Value::as_array) else {
        return debts_on(stage, asked(case, "date")?).await;
    };
    let mut balances = Map::new();
    for day in days.iter().filter_map(Value::as_str) {
        let loans = stage.desk.debts(Some(day)).await?.loans;
        let balance = loans.first().and_then(|loan| loan.balance.as_ref());
        balances.insert(day.to_owned(), figure(balance));
    }
    Ok(Value::Object(balances))
}

async fn debts_on(stage: &Stage, day: &str) -> Result<Value, Failure> {
    let report = stage.desk.debts(Some(day)).await?;
    let label = |id: &str| {
        let found = stage.items.iter().find(|(_, known)| known == id);
        found.map_or(id, |(label, _)| label).to_owned()
    };
    let properties = report.properties.iter().map(|property| {
        let shown = json!({
            "value": figure(property.value.as_ref()), "secured_debt": property.secured_debt.text(),
            "equity": figure(property.equity.as_ref()), "lvr": figure(property.lvr.as_ref()),
        });
        (label(&property.item), shown)
    });
    let loans = report.loans.iter().map(|loan| {
        let shown = json!({
            "balance": figure(loan.balance.as_ref()), "offset": figure(loan.offset.as_ref()),
            "net_of_offset": figure(loan.net_of_offset.as_ref()),
        });
        (label(&loan.item), shown)
    });
    Ok(json!({
        "properties": properties.collect::<Map<_, _>>(), "loans": loans.collect::<Map<_, _>>(),
        "total_debt": report.totals.total_debt.text(),
    }))
}

/// A goal on a day. Its figures are made with rows: a net worth by cash, a debt by a loan.
///
/// # Errors
/// The server refuses the rows, the goal or the question.
pub async fn goal(stage: &mut Stage, case: &Case) -> Result<Value, Failure> {
    let goal = case.given.goal.as_ref();
    let goal = goal.ok_or_else(|| incomplete(case, "its goal"))?;
    let debt = text(goal, "kind") == Some("debt");
    let currency = case.given.base_currency.as_deref().unwrap_or_default();
    let kind = if debt { "loan" } else { "cash" };
    stage.open_item(CARRIER, kind, currency).await?;
    let rows = rows_for(&case.given.figures, debt)?;
    stage.must_record(Rows::transactions(&rows)).await?;
    let mut fields = goal.clone();
    fields.insert("name".to_owned(), json!(case.title));
    let _: SavedGoal = stage.desk.send(&Call::set_goal(fields)).await?.accepted()?;
    let goals = stage.desk.goals(Some(asked(case, "date")?)).await?.goals;
    let [goal] = goals.as_slice() else {
        return Err(Failure::expected("one goal").actual(format!("{goals:?}")));
    };
    Ok(json!({
        "current": figure(goal.current.as_ref()), "progress": figure(goal.progress.as_ref()),
        "trend_12m": figure(goal.trend_12m.as_ref()), "trend_monthly": figure(goal.trend_monthly.as_ref()),
        "projected_date": goal.projected_date, "on_pace": goal.on_pace, "reached": goal.reached,
    }))
}

/// Rows after which a balance stands at each figure on its day: the first opens it, the others move it.
fn rows_for(
    figures: &std::collections::BTreeMap<String, String>,
    debt: bool,
) -> Result<Vec<Row>, Failure> {
    let unreadable = |problem: &dyn std::fmt::Display| {
        Failure::harness(format!("a figure of the example: {problem}"))
    };
    let mut before: Option<crate::worthbase::Figure> = None;
    let mut rows = Vec::new();
    for (day, balance) in figures {
        let balance: crate::worthbase::Figure = balance
            .parse()
            .map_err(|problem: crate::worthbase::figure::NoFigure| unreadable(&problem))?;
        let (kind, amount) = match &before {
            None => ("opening_balance", balance.text().to_owned()),
            Some(before) => {
                let moved = balance
                    .minus(before)
                    .map_err(|problem| unreadable(&problem))?;
                match (moved.text().strip_prefix('-'), debt) {
                    (None, false) => ("deposit", moved.text().to_owned()),
                    (None, true) => ("drawdown", moved.text().to_owned()),
                    (Some(less), false) => ("withdrawal", less.to_owned()),
                    (Some(less), true) => ("repayment", less.to_owned()),
                }
            }
        };
        let row = json!({ "type": kind, "date": day, "item": CARRIER, "amount": amount });
        rows.extend(row.as_object().cloned());
        before = Some(balance);
    }
    Ok(rows)
}

/// Losses, what is left of them by party, and the net worth beside them.
///
/// # Errors
/// The server refuses a loss or a question.
pub async fn losses(stage: &Stage, case: &Case) -> Result<Value, Failure> {
    let mut ids = Vec::new();
    for loss in &case.given.losses {
        let mut fields = loss.clone();
        fields.remove("owner");
        let owner = text(loss, "owner").unwrap_or_default();
        fields.insert("party".to_owned(), json!(stage.party(owner)?));
        let saved: SavedLoss = stage.desk.send(&Call::set_loss(fields)).await?.accepted()?;
        ids.push(saved.loss.id);
    }
    let seen = stage.desk.losses().await?;
    let remaining = ids.iter().map(|id| {
        let loss = seen.losses.iter().find(|loss| loss.id == *id);
        figure(loss.map(|loss| &loss.remaining))
    });
    let by_party = seen.totals.iter().map(|totals| {
        let label = stage.party_label(&totals.party).unwrap_or(&totals.party);
        (label.to_owned(), json!(totals.total.remaining.text()))
    });
    let net_worth = stage.desk.net_worth(None, None, None).await?.net_worth;
    Ok(json!({
        "remaining": remaining.collect::<Value>(), "by_party": by_party.collect::<Map<_, _>>(),
        "net_worth": net_worth.text(),
    }))
}

/// A sale that is only thought about, and whether it left a trace.
///
/// # Errors
/// The server refuses the rows or the question.
pub async fn simulated_sale(stage: &mut Stage, case: &Case) -> Result<Value, Failure> {
    stage.must_record(Rows::of(&case.given)).await?;
    let mut call = Call::simulate_sale(stage.item(asked(case, "item")?)?);
    for (name, value) in &case.ask {
        if !["tool", "item"].contains(&name.as_str()) {
            call = call.with(name, value.clone());
        }
    }
    let before = Snapshot::take(&stage.desk).await?;
    let sale: SimulatedSale = stage.desk.send(&call).await?.accepted()?;
    let after = Snapshot::take(&stage.desk).await?;
    let by_party = sale.parties.iter().map(|part| {
        let label = stage.party_label(&part.party).unwrap_or(&part.party);
        (label.to_owned(), json!(part.gain.text()))
    });
    let left = &sale.position_after;
    Ok(json!({
        "gross_proceeds": sale.gross_proceeds.text(), "net_proceeds": sale.net_proceeds.text(),
        "cost_base": sale.cost_base.text(), "gain": sale.gain.text(),
        "gain_by_party": by_party.collect::<Map<_, _>>(),
        "after": {
            "units": figure(left.units.as_ref()), "cost_base": left.cost_base.text(), "value": figure(left.value.as_ref()),
        },
        "ledger_unchanged": before.first_difference(&after).map_or(json!(true), |difference| json!(difference)),
    }))
}

/// A party's share on several days, after each change of owners; the whole never changes by it.
///
/// # Errors
/// The server refuses the rows, a change or a question.
pub async fn owners_over_time(stage: &mut Stage, case: &Case) -> Result<Value, Failure> {
    stage.must_record(Rows::of(&case.given)).await?;
    let party = stage.party(asked(case, "party")?)?.to_owned();
    let days: Vec<&str> = case
        .ask
        .get("dates")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let whole = observe::worth_on(stage, &days, None).await?;
    let mut observed = Map::new();
    for (number, step) in (1..).zip(&case.given.steps) {
        let owners = step.get("owners").and_then(Value::as_object);
        let owners = stage.owners(owners.ok_or_else(|| incomplete(case, "owners"))?)?;
        let item = stage.item(text(step, "item").unwrap_or_default())?;
        // Every day of an example has passed by now, so each of its changes corrects what was recorded.
        let correction = step.get("correction") == Some(&json!(true)) || step.contains_key("from");
        let call = Call::set_owners(item, &owners, text(step, "from"), correction);
        let _: Changed = stage.desk.send(&call).await?.accepted()?;
        let shares = observe::worth_on(stage, &days, Some(&party)).await?;
        observed.insert(format!("after_step_{number}"), shares);
        let now = observe::worth_on(stage, &days, None).await?;
        if now != whole {
            return Err(Failure::expected(format!("the whole stays {whole}")).actual(now));
        }
    }
    Ok(Value::Object(observed))
}

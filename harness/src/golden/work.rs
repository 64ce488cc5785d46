//! Works a case through the server's tools: gives it the book, asks the question, and returns the answer in the
//! vocabulary of the case.

use serde_json::{Map, Value, json};

use super::{
    case::{Case, Row, text},
    decimals, observe, reports,
    stage::{Rows, Stage},
    steps,
};
use crate::{
    suite::Failure,
    worthbase::{Batch, Call, Desk, result::Reconciliation},
};

/// Works `case` through the tools behind `desk`, whose book is fresh and kept in the case's base currency.
///
/// # Errors
/// The server refuses what the case takes for granted, gives no answer, or the case needs tools that are not here.
pub async fn through(desk: Desk, case: &Case) -> Result<Value, Failure> {
    let mut stage = Stage::new(desk);
    stage
        .open(&case.given, &steps::accounts(&case.given.steps))
        .await?;
    match case.area.as_str() {
        "idempotency" | "undo" | "preview" => steps::work(&mut stage, &case.given.steps).await,
        _ if !case.given.batches.is_empty() => backdated(&mut stage, &case.given.batches).await,
        _ if !case.given.strings.is_empty() => decimals::strings(&mut stage, case).await,
        "decimals" => decimals::sum(&mut stage, case).await,
        "ownership" if expects_refusal(case) => owners_refused(&stage, case).await,
        _ if expects_refusal(case) => rows_refused(&mut stage, case).await,
        "ownership" if !case.given.steps.is_empty() => {
            reports::owners_over_time(&mut stage, case).await
        }
        "performance" => reports::performance(&mut stage, case).await,
        "history" => reports::history(&mut stage, case).await,
        "debt" => reports::debts(&mut stage, case).await,
        "goals" => reports::goal(&mut stage, case).await,
        "losses" => reports::losses(&stage, case).await,
        "lots" if asked(case, "tool")? == "simulate_sale" => {
            reports::simulated_sale(&mut stage, case).await
        }
        "lots" => {
            record_in_order(&mut stage, case).await?;
            observe::holdings(&stage).await
        }
        "networth" => {
            stage.must_record(Rows::of(&case.given)).await?;
            on_days(&stage, case).await
        }
        "ownership" => {
            stage.must_record(Rows::of(&case.given)).await?;
            observe::net_worth_by_party(&stage, asked(case, "date")?).await
        }
        "reconcile" => {
            stage.must_record(Rows::of(&case.given)).await?;
            checks(&stage, case).await
        }
        "fx" if asked(case, "tool")? == "get_item" => {
            stage.must_record(Rows::of(&case.given)).await?;
            sale_in_base(&stage).await
        }
        "fx" => {
            let batch = stage.batch(Rows::of(&case.given)).await?;
            Ok(observe::rate(
                &stage.desk.send(&Call::preview(&batch)).await?.accepted()?,
            ))
        }
        other => Err(Failure::harness(format!(
            "cases of the area {other} cannot be worked here yet"
        ))),
    }
}

fn expects_refusal(case: &Case) -> bool {
    case.expect.get("refused") == Some(&json!(true))
}

fn asked<'a>(case: &'a Case, field: &str) -> Result<&'a str, Failure> {
    text(&case.ask, field).ok_or_else(|| {
        Failure::harness(format!(
            "case {} does not say what to ask: {field}",
            case.id
        ))
    })
}

/// Records the rows of a case in one batch, except that a row naming lots goes alone after those that make them.
async fn record_in_order(stage: &mut Stage, case: &Case) -> Result<(), Failure> {
    let named = case
        .given
        .rows
        .iter()
        .position(|row| row.contains_key("lots"))
        .unwrap_or(case.given.rows.len());
    let (first, rest) = case.given.rows.split_at(named);
    stage
        .must_record(Rows {
            transactions: first,
            ..Rows::of(&case.given)
        })
        .await?;
    if !rest.is_empty() {
        stage.must_record(Rows::transactions(rest)).await?;
    }
    Ok(())
}

/// The last row is the one that must be refused; those before it are the book.
async fn rows_refused(stage: &mut Stage, case: &Case) -> Result<Value, Failure> {
    let Some((last, before)) = case.given.rows.split_last() else {
        return Err(Failure::harness(format!("case {} has no row", case.id)));
    };
    let book = Rows {
        transactions: before,
        ..Rows::of(&case.given)
    };
    if !book.is_empty() {
        stage.must_record(book).await?;
    }
    let batch = stage
        .batch(Rows::transactions(std::slice::from_ref(last)))
        .await?;
    observe::refusal(stage, &Call::preview(&batch)).await
}

/// The split that must be refused is given to a new item of the first one's kind: the rule is the same wherever owners
/// are set.
async fn owners_refused(stage: &Stage, case: &Case) -> Result<Value, Failure> {
    let owners = case.ask.get("owners").and_then(Value::as_object);
    let (Some(owners), Some(item)) = (owners, case.given.items.first()) else {
        return Err(Failure::harness(format!(
            "case {} has no owners or no item",
            case.id
        )));
    };
    let mut batch = Batch::new();
    batch.push(
        "items",
        json!({ "name": "Shared", "kind": item.kind, "currency": item.currency, "owners": stage.owners(owners)? }),
    );
    observe::refusal(stage, &Call::preview(&batch)).await
}

/// Batches recorded one after the other, with the sale's gain after each and what the later preview warns about.
async fn backdated(stage: &mut Stage, batches: &[Vec<Row>]) -> Result<Value, Failure> {
    let mut observed = Map::new();
    for (number, rows) in (1..).zip(batches) {
        let batch = stage.batch(Rows::transactions(rows)).await?;
        let preview = stage.desk.send(&Call::preview(&batch)).await?.accepted()?;
        if let Some(warning) = gain_warning(stage, &preview) {
            observed.insert(format!("preview_{number}_must_warn"), json!(warning));
        }
        stage.commit(&preview, rows).await?.map_err(|refusal| {
            Failure::expected(format!("batch {number} is recorded"))
                .actual(format!("refused with {}", refusal.code))
        })?;
        let holdings = observe::holdings(stage).await?;
        let label = stage
            .items
            .first()
            .map(|(label, _)| label.as_str())
            .unwrap_or_default();
        let after = json!({ "gain": holdings["sales"][0]["gain"], "open_lots": holdings["open_lots"][label] });
        observed.insert(format!("after_batch_{number}"), after);
    }
    Ok(Value::Object(observed))
}

/// `the gain of s1 changes from 50 to 75`, of the first such warning.
fn gain_warning(stage: &Stage, preview: &crate::worthbase::result::Recorded) -> Option<String> {
    let warning = preview
        .warnings
        .iter()
        .find(|warning| warning.code == "gain_changes")?;
    let (before, after) = (warning.before.as_ref()?, warning.after.as_ref()?);
    let (_, label) = stage.sale(warning.sale.as_deref()?, "")?;
    Some(format!(
        "the gain of {label} changes from {} to {}",
        plain(before.text()),
        plain(after.text())
    ))
}

/// A figure without the zeros that mean nothing, as prose writes it.
fn plain(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

/// Net worth on the asked day, or on each of several, as figure or in full as the case expects it.
async fn on_days(stage: &Stage, case: &Case) -> Result<Value, Failure> {
    let Some(days) = case.ask.get("dates").and_then(Value::as_array) else {
        return observe::net_worth(stage, asked(case, "date")?).await;
    };
    let mut observed = Map::new();
    for day in days.iter().filter_map(Value::as_str) {
        let shown = observe::net_worth(stage, day).await?;
        let figure_alone = case.expect.get(day).is_some_and(Value::is_string);
        observed.insert(
            day.to_owned(),
            if figure_alone {
                shown["net_worth"].clone()
            } else {
                shown
            },
        );
    }
    Ok(Value::Object(observed))
}

/// The statement figures of the case, compared one after the other.
async fn checks(stage: &Stage, case: &Case) -> Result<Value, Failure> {
    let mut results = Vec::new();
    for check in case
        .ask
        .get("checks")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let field = |name: &str| check[name].as_str();
        let figure = ["units", "value", "cost_base"]
            .iter()
            .find_map(|name| Some((*name, field(name)?)));
        let (Some(item), Some(date), Some((measure, figure))) =
            (field("item"), field("date"), figure)
        else {
            return Err(Failure::harness(format!(
                "case {} has an incomplete check: {check}",
                case.id
            )));
        };
        let call = Call::reconcile(stage.item(item)?, date, measure, figure);
        let result: Reconciliation = stage.desk.send(&call).await?.accepted()?;
        let text = |figure: &Option<crate::worthbase::Figure>| {
            figure.as_ref().map(|figure| figure.text().to_owned())
        };
        results.push(json!({
            "status": result.status, "calculated": text(&result.calculated), "difference": text(&result.difference),
        }));
    }
    Ok(json!({ "results": results }))
}

/// The gain of the only sale, in the item's currency and in the base currency; cost and proceeds in base stand on the one
/// lot that it takes.
async fn sale_in_base(stage: &Stage) -> Result<Value, Failure> {
    let Some((_, item)) = stage.items.first() else {
        return Err(Failure::harness("the case has no item"));
    };
    let shown: Value = stage.desk.send(&Call::get_item(item)).await?.accepted()?;
    let sale = &shown["sales"][0];
    let lot = &sale["lots"][0];
    let currency = |name: &str| sale[name].as_str().unwrap_or("?").to_owned();
    Ok(json!({
        "gain": { currency("currency"): sale["gain"] },
        "gain_base": { currency("base_currency"): sale["gain_base"] },
        "cost_base_base": lot["cost_base_base"], "net_proceeds_base": lot["net_proceeds_base"],
    }))
}

//! What a book shows, in the vocabulary of the cases: positions, open lots, sales, net worth, and refusals.

use serde_json::{Map, Value, json};

use super::stage::Stage;
use crate::{
    suite::Failure,
    worthbase::{
        Call, Figure, Snapshot,
        result::{Flagged, NetWorth, Part, Recorded, Sale},
    },
};

/// A figure as text, a missing one as null.
#[must_use]
pub fn figure(figure: Option<&Figure>) -> Value {
    figure.map_or(Value::Null, |figure| json!(figure.text()))
}

/// Positions, open lots and sales of every item. Sales stand in the order their rows were recorded.
///
/// # Errors
/// A reading tool refused or gave no answer.
pub async fn holdings(stage: &Stage) -> Result<Value, Failure> {
    let (mut position, mut open_lots) = (Map::new(), Map::new());
    let mut sales = Vec::new();
    for (label, id) in &stage.items {
        let detail = stage.desk.item(id).await?;
        let held = &detail.item.position;
        position.insert(
            label.clone(),
            json!({
                "units": figure(held.units.as_ref()), "cost_base": figure(held.cost_base.as_ref()),
                "value": figure(held.value.as_ref()),
            }),
        );
        let lots = detail.lots.iter().map(|lot| {
            json!({
                "lot": stage.lot_label(&lot.acquired_on), "acquired_on": lot.acquired_on,
                "units": lot.units.text(), "cost_base": lot.cost_base.text(),
            })
        });
        open_lots.insert(label.clone(), lots.collect());
        sales.extend(detail.sales.iter().map(|sale| sold(stage, sale)));
    }
    sales.sort_by_key(|(place, _)| *place);
    let sales: Vec<Value> = sales.into_iter().map(|(_, sale)| sale).collect();
    Ok(json!({ "position": position, "open_lots": open_lots, "sales": sales }))
}

/// One sale with its place in the order recorded.
fn sold(stage: &Stage, sale: &Sale) -> (usize, Value) {
    let (place, label) = stage
        .sale(&sale.transaction, &sale.date)
        .unwrap_or((usize::MAX, "?"));
    let lots = sale.lots.iter().map(|lot| {
        json!({
            "lot": stage.lot_label(&lot.acquired_on), "acquired_on": lot.acquired_on, "units": lot.units.text(),
            "cost_base": lot.cost_base.text(), "net_proceeds": lot.net_proceeds.text(), "gain": lot.gain.text(),
        })
    });
    let shown = json!({
        "sale": label, "net_proceeds": sale.net_proceeds.text(), "cost_base": sale.cost_base.text(),
        "gain": sale.gain.text(), "lots": lots.collect::<Vec<_>>(),
    });
    (place, shown)
}

/// Units, cost base and number of transactions: of the first item by field name alone, of each as `X.units`.
///
/// # Errors
/// A reading tool refused or gave no answer.
pub async fn state(stage: &Stage) -> Result<Value, Failure> {
    let mut state = Map::new();
    for (label, id) in &stage.items {
        let detail = stage.desk.item(id).await?;
        let held = &detail.item.position;
        let fields = [
            ("units", figure(held.units.as_ref())),
            ("cost_base", figure(held.cost_base.as_ref())),
            ("transactions", json!(detail.transactions.len())),
        ];
        for (name, value) in fields {
            state.entry(name).or_insert_with(|| value.clone());
            state.insert(format!("{label}.{name}"), value);
        }
    }
    Ok(Value::Object(state))
}

/// Net worth on `date` with every item's part, and the days of what was used.
///
/// # Errors
/// The tool refused or gave no answer.
pub async fn net_worth(stage: &Stage, date: &str) -> Result<Value, Failure> {
    let shown = stage.desk.net_worth(Some(date), Some("item"), None).await?;
    let (mut items, mut dates_used) = (Map::new(), Map::new());
    for (label, id) in &stage.items {
        let part = shown
            .breakdown
            .iter()
            .find(|part| part.key.as_deref() == Some(id) || part.name == *label);
        items.insert(
            label.clone(),
            figure(part.and_then(|part| part.value.as_ref())),
        );
        if let Some(day) =
            part.and_then(|part| part.price_date.as_ref().or(part.value_date.as_ref()))
        {
            dates_used.insert(label.clone(), json!(day));
        }
    }
    if let Some(day) = shown.rates.iter().find_map(|rate| rate.rate_date.as_ref()) {
        dates_used.insert("fx".to_owned(), json!(day));
    }
    let mut observed = headline(&shown);
    observed.insert("items".to_owned(), Value::Object(items));
    observed.insert("dates_used".to_owned(), Value::Object(dates_used));
    observed.insert("missing".to_owned(), names(&shown.missing));
    observed.insert("stale".to_owned(), names(&shown.stale));
    Ok(Value::Object(observed))
}

/// Net worth on `date` with every party's part.
///
/// # Errors
/// The tool refused or gave no answer.
pub async fn net_worth_by_party(stage: &Stage, date: &str) -> Result<Value, Failure> {
    let shown = stage
        .desk
        .net_worth(Some(date), Some("party"), None)
        .await?;
    let label = |part: &Part| {
        let known = part.key.as_deref().and_then(|key| stage.party_label(key));
        known.unwrap_or(&part.name).to_owned()
    };
    let parts = shown
        .breakdown
        .iter()
        .map(|part| (label(part), figure(part.value.as_ref())));
    let mut observed = headline(&shown);
    observed.insert("by_party".to_owned(), Value::Object(parts.collect()));
    Ok(Value::Object(observed))
}

/// Net worth on each of several days, of one party if named.
///
/// # Errors
/// The tool refused or gave no answer.
pub async fn worth_on(stage: &Stage, days: &[&str], party: Option<&str>) -> Result<Value, Failure> {
    let mut worth = Map::new();
    for day in days {
        let shown = stage.desk.net_worth(Some(day), None, party).await?;
        worth.insert((*day).to_owned(), json!(shown.net_worth.text()));
    }
    Ok(Value::Object(worth))
}

fn headline(shown: &NetWorth) -> Map<String, Value> {
    let fields = [
        ("assets", json!(shown.assets.text())),
        ("liabilities", json!(shown.liabilities.text())),
        ("net_worth", json!(shown.net_worth.text())),
        ("cash", json!(shown.cash.text())),
        ("investable", json!(shown.investable.text())),
        ("partial", json!(shown.partial)),
    ];
    fields
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

fn names(flagged: &[Flagged]) -> Value {
    flagged.iter().map(|item| json!(item.name)).collect()
}

/// The first rate that a preview used.
#[must_use]
pub fn rate(preview: &Recorded) -> Value {
    let Some(rate) = preview.rates.first() else {
        return json!({ "fx": null });
    };
    let mut used = Map::new();
    used.insert("from".to_owned(), json!(rate.from));
    used.insert("to".to_owned(), json!(rate.to));
    used.insert("rate".to_owned(), json!(rate.rate.text()));
    used.insert("source".to_owned(), json!(rate.source));
    used.insert("rate_date".to_owned(), json!(rate.rate_date));
    json!({ "fx": used, "base_amount": figure(rate.base_amount.as_ref()) })
}

/// How many rows of a batch are new, and the references of those that are not.
#[must_use]
pub fn classes(recorded: &Recorded) -> Value {
    let of = |class: &str| {
        recorded
            .rows
            .iter()
            .filter(move |row| row.class == class)
            .collect::<Vec<_>>()
    };
    let references = |class: &str| {
        of(class)
            .into_iter()
            .map(|row| json!(row.external_ref))
            .collect::<Value>()
    };
    json!({
        "new_rows": of("new").len(), "duplicates": references("duplicate"), "conflicts": references("conflict"),
        "committed": recorded.batch.is_some(),
    })
}

/// Sends a call that should be refused, and says whether it was and whether anything that can be read has changed.
///
/// # Errors
/// No answer, or a refusal without a code and a message.
pub async fn refusal(stage: &Stage, call: &Call) -> Result<Value, Failure> {
    let before = Snapshot::take(&stage.desk).await?;
    let answer = stage.desk.send(call).await?;
    let after = Snapshot::take(&stage.desk).await?;
    let unchanged = before
        .first_difference(&after)
        .map_or(json!(true), |difference| json!(difference));
    if !answer.is_error {
        return Ok(
            json!({ "refused": false, "ledger_unchanged": unchanged, "answer": answer.body }),
        );
    }
    let refusal = answer.refusal()?;
    Ok(json!({
        "refused": true, "code": refusal.code, "field": refusal.field, "names": stage.named_in(&refusal),
        "ledger_unchanged": unchanged,
    }))
}

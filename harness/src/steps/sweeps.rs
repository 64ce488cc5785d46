//! Steps that try one value after another in every field of a kind: decimals, whole numbers, currencies. And figures that every
//! tool must show alike.

use cucumber::{gherkin::Step, then, when};
use serde_json::{Value, json};

use super::{
    book::{OpenBook, before, lines, note_down, unreadable},
    people::{Who, desk, meet},
    writing::{Day, Written},
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{Answer, Call, Figure},
};

/// Fields that take a decimal, each with the path that a refusal must name and a text that is right there.
const DECIMALS: [(&str, &str, &str); 15] = [
    ("units", "transactions[0].units", "1"),
    ("amount", "transactions[0].amount", "1"),
    ("fees", "transactions[0].fees", "1"),
    ("fx_rate", "transactions[0].fx_rate", "1"),
    ("to", "transactions[0].to", "2"),
    ("from", "transactions[0].from", "1"),
    ("transfer", "transfers[0].amount", "1"),
    ("to_amount", "transfers[0].to_amount", "1"),
    ("price", "prices[0].price", "1"),
    ("value", "valuations[0].value", "1"),
    ("check", "reconciliations[0].value", "1"),
    ("percent", "items[0].owners[0].percent", "100"),
    ("target", "target", "1"),
    ("loss", "amount", "1"),
    ("used", "used", "1"),
];

/// What a scenario remembers about its sweeps.
#[derive(Debug, Default)]
pub struct Sweeps {
    tried: Vec<Tried>,
}

/// One value in one field.
#[derive(Debug)]
struct Tried {
    /// What was sent where.
    case: String,
    /// The path that a refusal must name.
    path: String,
    answer: Answer,
}

/// A call with `value` in a field that takes a decimal. The book holds `Cash` and `Euros`, shares called `Acme` and a
/// `Home`.
fn with_decimal(book: &OpenBook, field: &str, value: Value) -> Call {
    let item = |name: &str| book.items.get(name).cloned().unwrap_or_default();
    let party = book.parties.values().next().cloned().unwrap_or_default();
    let date = "2024-06-28";
    let list = |list: &str, row: Value| Call::raw("record", json!({ list: [row] }));
    let row = |name: &str, kind: &str| json!({ "item": item(name), "type": kind, "date": date, "amount": "1" });
    let set = |mut row: Value, member: &str| {
        row[member] = value.clone();
        row
    };
    match field {
        "units" => list("transactions", set(row("Acme", "buy"), "units")),
        "amount" => list("transactions", set(row("Cash", "deposit"), "amount")),
        "fees" => {
            let mut buy = row("Acme", "buy");
            buy["units"] = json!("1");
            list("transactions", set(buy, "fees"))
        }
        "fx_rate" => list("transactions", set(row("Euros", "deposit"), "fx_rate")),
        "to" | "from" => {
            let mut split = json!({ "item": item("Acme"), "type": "split", "date": date, "to": "2", "from": "1" });
            split[field] = value.clone();
            list("transactions", split)
        }
        "transfer" | "to_amount" => {
            let member = if field == "transfer" { "amount" } else { field };
            let to = if field == "transfer" {
                "Savings"
            } else {
                "Euros"
            };
            let transfer = json!({ "from_item": item("Cash"), "to_item": item(to), "date": date, "amount": "1" });
            list("transfers", set(transfer, member))
        }
        "price" => list(
            "prices",
            set(json!({ "item": item("Acme"), "date": date }), "price"),
        ),
        "value" => list(
            "valuations",
            set(json!({ "item": item("Home"), "date": date }), "value"),
        ),
        "check" => list(
            "reconciliations",
            set(json!({ "item": item("Cash"), "date": date }), "value"),
        ),
        "percent" => list(
            "items",
            json!({ "name": "Jar", "kind": "cash", "owners": [{ "party": party, "percent": value }] }),
        ),
        "target" => Call::raw(
            "set_goal",
            json!({ "name": "Goal", "kind": "net_worth", "target": value }),
        ),
        "used" => Call::raw(
            "set_loss",
            json!({ "party": party, "kind": "capital", "year": 2021, "amount": "1", "used": value }),
        ),
        _ => Call::raw(
            "set_loss",
            json!({ "party": party, "kind": "capital", "year": 2021, "amount": value }),
        ),
    }
}

/// A value as a table writes it: JSON.
fn values(step: &Step) -> Result<Vec<Value>, Failure> {
    let lines = lines(step);
    let cells = lines
        .iter()
        .map(|line| line.needs("value").map_err(unreadable));
    cells
        .map(|cell| serde_json::from_str(cell?).map_err(Failure::harness))
        .collect()
}

/// Every value of a table (column `value`, JSON) in every field that takes a decimal.
#[when(expr = "{person} tries each of these values in every field that takes a decimal")]
async fn tries_decimals(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    note_down(scene).await?;
    let (book, desk) = (before(scene, &name)?.clone(), desk(scene, &name)?);
    let mut tried = Vec::new();
    for value in values(step)? {
        for (field, path, _) in DECIMALS {
            let answer = desk
                .send(&with_decimal(&book, field, value.clone()))
                .await?;
            tried.push(Tried {
                case: format!("{value} as {field}"),
                path: path.to_owned(),
                answer,
            });
        }
    }
    scene.sweeps.tried = tried;
    Ok(())
}

/// In each of those fields a value that is right is accepted.
#[then(expr = "{person} may write a right value in every field that takes a decimal")]
async fn may_write_decimals(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let (book, desk) = (before(scene, &name)?.clone(), desk(scene, &name)?);
    for (field, _, right) in DECIMALS {
        let answer = desk.send(&with_decimal(&book, field, json!(right))).await?;
        answer
            .is_accepted()
            .map_err(|failure| failure.hint(format!("{right} as {field}")))?;
    }
    Ok(())
}

/// A call with `value` where a whole number belongs.
fn with_integer(place: &str, party: &str, value: Value) -> Result<Call, Failure> {
    Ok(match place {
        "limit of items" => Call::list_items(None).with("limit", value),
        "limit of batches" => Call::list_batches(None).with("limit", value),
        "year of a loss" => Call::raw(
            "set_loss",
            json!({ "party": party, "kind": "capital", "year": value, "amount": "1" }),
        ),
        other => {
            return Err(Failure::harness(format!(
                "no whole number stands in {other:?}"
            )));
        }
    })
}

/// Values where whole numbers belong: columns `place` and `value` (JSON).
#[when(expr = "{person} tries each of these values where a whole number belongs")]
async fn tries_integers(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    note_down(scene).await?;
    let desk = desk(scene, &name)?;
    let party = before(scene, &name)?
        .parties
        .values()
        .next()
        .cloned()
        .unwrap_or_default();
    let mut tried = Vec::new();
    for (line, value) in lines(step).iter().zip(values(step)?) {
        let place = line.needs("place").map_err(unreadable)?;
        let path = if place.starts_with("year") {
            "year"
        } else {
            "limit"
        };
        let answer = desk
            .send(&with_integer(place, &party, value.clone())?)
            .await?;
        tried.push(Tried {
            case: format!("{value} as {place}"),
            path: path.to_owned(),
            answer,
        });
    }
    scene.sweeps.tried = tried;
    Ok(())
}

/// Values where whole numbers belong are accepted: columns as before.
#[then(expr = "{person} may write each of these values where a whole number belongs")]
async fn may_write_integers(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let desk = desk(scene, &name)?;
    let party = before(scene, &name)?
        .parties
        .values()
        .next()
        .cloned()
        .unwrap_or_default();
    for (line, value) in lines(step).iter().zip(values(step)?) {
        let place = line.needs("place").map_err(unreadable)?;
        desk.send(&with_integer(place, &party, value)?)
            .await?
            .is_accepted()?;
    }
    Ok(())
}

/// Texts that are no currency (column `value`, JSON), as the currency of an item and of a row.
#[when(expr = "{person} tries each of these as a currency")]
async fn tries_currencies(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    note_down(scene).await?;
    let (book, desk) = (before(scene, &name)?.clone(), desk(scene, &name)?);
    let mut tried = Vec::new();
    for value in values(step)? {
        for (path, call) in with_currency(&book, &value) {
            let answer = desk.send(&call).await?;
            tried.push(Tried {
                case: format!("{value} as a currency"),
                path: path.to_owned(),
                answer,
            });
        }
    }
    scene.sweeps.tried = tried;
    Ok(())
}

fn with_currency(book: &OpenBook, value: &Value) -> [(&'static str, Call); 2] {
    let cash = book.items.get("Cash").cloned().unwrap_or_default();
    let item = json!([{ "name": "Jar", "kind": "cash", "currency": value }]);
    let row = json!([{ "item": cash, "type": "deposit", "date": "2024-06-28", "amount": "1", "currency": value }]);
    [
        (
            "items[0].currency",
            Call::raw("record", json!({ "items": item })),
        ),
        (
            "transactions[0].currency",
            Call::raw("record", json!({ "transactions": row })),
        ),
    ]
}

/// A code that is right is accepted for an item and for a row.
#[then(expr = "{person} may use {string} as a currency")]
async fn may_use_currency(scene: &mut Scene, who: Who, code: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let (book, desk) = (before(scene, &name)?.clone(), desk(scene, &name)?);
    for (_, call) in with_currency(&book, &json!(code)) {
        desk.send(&call).await?.is_accepted()?;
    }
    Ok(())
}

/// Each value was refused for one reason, and the refusal names its field.
#[then(expr = "each value is refused with {string} and its field")]
fn each_value_refused(scene: &mut Scene, code: String) -> Result<(), Failure> {
    if scene.sweeps.tried.is_empty() {
        return Err(Failure::harness("no value was tried before this sentence"));
    }
    let contract = scene.environment.target.contract.is_some();
    for tried in &scene.sweeps.tried {
        let hint = |failure: Failure| failure.hint(&tried.case);
        let refusal = tried.answer.refusal().map_err(hint)?;
        let named = refusal.field.as_deref() == Some(tried.path.as_str());
        if !named || (contract && refusal.code != code) {
            return Err(hint(
                Failure::expected(format!("`{code}` at {}", tried.path)).actual(format!(
                    "`{}` at {:?}: {}",
                    refusal.code, refusal.field, refusal.message
                )),
            ));
        }
    }
    Ok(())
}

/// One item's value of a month's end in every tool that shows it.
#[then(expr = "every tool shows {person}'s {string} at {figure} on {day}")]
async fn every_tool_agrees(
    scene: &mut Scene,
    who: Who,
    item: String,
    figure: Written,
    day: Day,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let (book, desk) = (before(scene, &name)?.clone(), desk(scene, &name)?);
    let id = book.items.get(&item).cloned().unwrap_or_default();
    let first = format!("{}-01", day.0.get(..7).unwrap_or_default());
    let calls = [
        (Call::list_items(None), "items", "position/value"),
        (Call::get_item(&id), "", "position/value"),
        (
            Call::get_net_worth(Some(&day.0), Some("item"), None),
            "breakdown",
            "value",
        ),
        (
            Call::raw(
                "get_history",
                json!({ "from": first, "to": day.0, "interval": "month", "by": "item" }),
            ),
            "points/0/breakdown",
            "value",
        ),
        (
            Call::raw(
                "simulate_sale",
                json!({ "item": id, "date": day.0, "fees": "0" }),
            ),
            "",
            "gross_proceeds",
        ),
        (
            Call::raw("get_performance", json!({ "to": day.0, "item": id })),
            "items",
            "end_value",
        ),
    ];
    let expected: Figure = figure.0.parse().map_err(Failure::harness)?;
    for (call, list, member) in calls {
        let answer = desk.send(&call).await?;
        answer.is_accepted()?;
        let place = if list.is_empty() {
            Some(&*answer.body)
        } else {
            answer.body.pointer(&format!("/{list}"))
        };
        let of_item = |one: &Value| {
            ["id", "item", "key"]
                .iter()
                .any(|key| one[*key] == id.as_str() || one[*key]["id"] == id.as_str())
        };
        let one = match place {
            Some(Value::Array(elements)) => elements.iter().find(|one| of_item(one)),
            other => other,
        };
        let seen = one
            .and_then(|one| one.pointer(&format!("/{member}")))
            .and_then(Value::as_str);
        let seen_figure: Option<Figure> = seen.and_then(|text| text.parse().ok());
        if seen_figure.as_ref() != Some(&expected) {
            return Err(Failure::expected(format!("{} shows {expected}", call.tool))
                .actual(format!("{seen:?} in {}", answer.body)));
        }
    }
    Ok(())
}

/// One deposit of each amount of whole cents up to 99.99, in batches that may be recorded.
#[when(expr = "{person} records a deposit into {string} of every amount from a cent to 99.99")]
async fn deposits_every_cent(scene: &mut Scene, who: Who, item: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let id = before(scene, &name)?
        .items
        .get(&item)
        .cloned()
        .unwrap_or_default();
    let rows: Vec<Value> = (1..=9_999)
        .map(|cents| {
            let amount = format!("{}.{:02}", cents / 100, cents % 100);
            json!({ "item": id, "type": "deposit", "date": "2024-01-02", "amount": amount })
        })
        .collect();
    let call = Call::raw("record", json!({ "transactions": rows, "dry_run": false }));
    desk(scene, &name)?.send(&call).await?.is_accepted()
}

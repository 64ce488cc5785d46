//! Steps about which rows an item takes: each type on each kind, and the orders in which the rows of a day are written.

use cucumber::{gherkin::Step, then, when};
use serde_json::{Value, json};

use super::{
    book::{lines, note_down, store},
    people::{Who, desk, meet},
    reading::same,
    writing::Written,
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{Answer, Batch, Call},
};

/// What a scenario remembers about rows that were tried.
#[derive(Debug, Default)]
pub struct RowTypes {
    /// Type and kind of each row that was tried, whether it may be, and what came back.
    tried: Vec<(String, String, bool, Answer)>,
    /// The items on which the rows of a day were recorded, each in another order.
    orders: Vec<String>,
}

/// A complete row of a type: the fields that the type needs on any kind it is made for.
fn complete_row(entry: &str, kind: &str) -> Value {
    let units = kind == "security" || kind == "crypto";
    let mut row = json!({ "item": "it", "type": entry, "date": "2024-02-01" });
    let mut set = |field: &str, value: &str| row[field] = json!(value);
    match entry {
        "split" => {
            set("to", "2");
            set("from", "1");
        }
        "transfer_out" => set("units", "1"),
        "transfer_in" | "opening_balance" | "buy" | "sell" => {
            if units {
                set("units", "1");
            }
            set("amount", "100");
        }
        _ => set("amount", "100"),
    }
    row
}

/// What must be there before a row can mean anything: units to sell, a house to improve.
fn ground(entry: &str, kind: &str) -> Option<Value> {
    let mut row = match (entry, kind) {
        ("opening_balance" | "buy" | "transfer_in", _) => return None,
        (_, "security" | "crypto") => json!({ "type": "opening_balance", "units": "10" }),
        _ => json!({ "type": "opening_balance" }),
    };
    row["item"] = json!("it");
    row["date"] = json!("2024-01-01");
    row["amount"] = json!("1000");
    Some(row)
}

/// A row of each type of the table (column `type`) is previewed on a new item of each kind that stands in the headings,
/// each in a batch of its own. A `yes` says that the type is one of that kind.
#[when(expr = "{person} previews a row of each type on each kind")]
async fn previews_each_type(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    note_down(scene).await?;
    let desk = desk(scene, &name)?;
    let mut tried = Vec::new();
    for line in lines(step) {
        let entry = line.cell("type").unwrap_or_default().to_owned();
        for kind in line.headings().filter(|heading| *heading != "type") {
            let mut batch = Batch::new();
            batch.push("items", json!({ "key": "it", "name": "It", "kind": kind }));
            if let Some(ground) = ground(&entry, kind) {
                batch.push("transactions", ground);
            }
            batch.push("transactions", complete_row(&entry, kind));
            let answer = desk.send(&Call::preview(&batch)).await?;
            let may = line.cell(kind) == Some("yes");
            tried.push((entry.clone(), kind.to_owned(), may, answer));
        }
    }
    scene.row_types.tried = tried;
    Ok(())
}

/// Each type was accepted on the kinds that said `yes`, and on the others refused as no row of theirs, with the field at
/// fault.
#[then("each type is accepted on its kinds only")]
fn accepted_on_its_kinds(scene: &mut Scene) -> Result<(), Failure> {
    if scene.row_types.tried.is_empty() {
        return Err(Failure::harness("no row was tried before this sentence"));
    }
    let claims_contract = scene.environment.target.contract.is_some();
    for (entry, kind, may, answer) in &scene.row_types.tried {
        let expected = |what: &str| Failure::expected(format!("a {entry} on {kind} is {what}"));
        match (*may, answer.is_error) {
            (true, false) => {}
            (true, true) => return Err(expected("accepted").actual(&answer.body)),
            (false, false) => return Err(expected("refused").actual("it was accepted")),
            (false, true) => {
                let refusal = answer.refusal()?;
                let right = refusal.code == "invalid_input" && refusal.field.is_some();
                if claims_contract && !right {
                    let wanted = "refused with `invalid_input` and a field";
                    return Err(expected(wanted).actual(&answer.body));
                }
            }
        }
    }
    Ok(())
}

/// Every order of a few things.
fn orders<T: Clone>(things: &[T]) -> Vec<Vec<T>> {
    if things.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for place in 0..things.len() {
        let mut rest = things.to_vec();
        let first = rest.remove(place);
        for mut order in orders(&rest) {
            order.insert(0, first.clone());
            all.push(order);
        }
    }
    all
}

/// Rows of one day (`date entry units amount`; the first of them is the day before and comes first always) are recorded in
/// each of their orders, each on a new holding.
#[when(
    expr = "{person} records, after the first, these rows in each of their orders, each on a new holding"
)]
async fn records_in_each_order(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let rows: Vec<Value> = lines(step)
        .iter()
        .map(|line| {
            let cell = |heading: &str| line.cell(heading).unwrap_or_default();
            json!({ "date": cell("date"), "type": cell("entry"), "units": cell("units"), "amount": cell("amount") })
        })
        .collect();
    let (first, day) = rows
        .split_first()
        .ok_or_else(|| Failure::harness("the table has no rows"))?;
    let mut batch = Batch::new();
    let mut items = Vec::new();
    for (place, order) in orders(day).into_iter().enumerate() {
        let (key, item) = (format!("holding-{place}"), format!("Holding {place}"));
        batch.push(
            "items",
            json!({ "key": key, "name": item, "kind": "security" }),
        );
        for row in std::iter::once(first).chain(&order) {
            let mut row = row.clone();
            row["item"] = json!(key);
            batch.push("transactions", row);
        }
        items.push(item);
    }
    store(scene, &name, &batch).await?;
    scene.row_types.orders = items;
    Ok(())
}

/// Each of those holdings ended alike.
#[then(
    expr = "each of {person}'s {int} holdings has {figure} units at a cost of {figure} and gains of {figure}"
)]
async fn orders_end_alike(
    scene: &mut Scene,
    who: Who,
    number: usize,
    units: Written,
    cost: Written,
    gains: Written,
) -> Result<(), Failure> {
    let items = scene.row_types.orders.clone();
    if items.len() != number {
        return Err(Failure::expected(format!("{number} orders")).actual(items.len()));
    }
    for item in items {
        let detail = super::reading::item_of(scene, &who, &item).await?;
        let sum = crate::worthbase::Figure::sum(detail.sales.iter().map(|sale| &sale.gain));
        let sum = sum.map_err(|problem| Failure::expected("gains that add").actual(problem))?;
        let position = &detail.item.position;
        same(
            &format!("units of {item}"),
            &units.0,
            position.units.as_ref(),
        )?;
        same(
            &format!("cost of {item}"),
            &cost.0,
            position.cost_base.as_ref(),
        )?;
        same(&format!("gains of {item}"), &gains.0, Some(&sum))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_rows_have_twenty_four_orders() {
        let all: std::collections::BTreeSet<Vec<u8>> = orders(&[1, 2, 3, 4]).into_iter().collect();
        assert_eq!(all.len(), 24);
    }
}

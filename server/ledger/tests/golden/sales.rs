//! Lots and sales: what is left, what each sale took, and that nothing is lost on the way.

use crate::book::{Book, date, list, lot_of, rates};
use crate::compare::matches;
use proofmark_ledger::decimal::{Decimal, Exact, parse};
use proofmark_ledger::rows::LotChoice;
use proofmark_ledger::{Rules, SaleQuestion, Warning};
use serde_json::{Value, json};

pub fn run(case: &Value, rules: &Rules) -> Result<(), String> {
    let (given, expect) = (&case["given"], &case["expect"]);
    if given.get("batches").is_some() {
        return backdated(case, rules);
    }
    if expect["refused"] == true {
        let refusal = Book::with_rows(given, rules)
            .err()
            .ok_or("expected a refusal, actual: recorded")?;
        return matches(case, &expect["code"], &json!(refusal.code));
    }
    let book = Book::with_rows(given, rules).map_err(|refusal| refusal.to_string())?;
    if case["ask"]["tool"] == "simulate_sale" {
        return simulated(case, &book);
    }
    let items = || list(&given["items"]).filter_map(|item| item["id"].as_str());
    let each = |read: &dyn Fn(&str) -> Value| -> Value {
        items()
            .map(|item| (item.to_owned(), read(item)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let actual = json!({
        "position": each(&|item| book.position(item)),
        "open_lots": each(&|item| book.open_lots(item)),
        "sales": book.sales(),
    });
    matches(case, expect, &actual)?;
    conserved(given, &book)
}

/// What was paid is in the lots that are left or in the sales, to the last digit.
fn conserved(given: &Value, book: &Book) -> Result<(), String> {
    let figure = |value: &Value| {
        value
            .as_str()
            .map_or(Exact::ZERO, |text| text.parse().expect("a figure"))
    };
    let bought = list(&given["rows"]).filter(|row| row["type"] == "buy");
    let paid = Exact::sum(bought.flat_map(|row| [figure(&row["amount"]), figure(&row["fees"])]));
    let sold = book.sales();
    let sold = list(&sold).map(|sale| figure(&sale["cost_base"]));
    let left: Vec<_> = list(&given["items"])
        .map(|item| book.position(item["id"].as_str().expect("an id")))
        .map(|position| figure(&position["cost_base"]))
        .collect();
    let found = Exact::sum(sold.chain(left));
    if found == paid {
        Ok(())
    } else {
        Err(format!("cost: expected {paid:?}, actual {found:?}"))
    }
}

/// The second batch lies before the first: the sale is matched anew, and the preview says so.
fn backdated(case: &Value, rules: &Rules) -> Result<(), String> {
    let mut book = Book::of(&case["given"], rules);
    let mut warnings = Vec::new();
    let mut gains = Vec::new();
    for batch in list(&case["given"]["batches"]) {
        let rows = book.rows(batch, "transaction");
        warnings = book
            .write(rows)
            .map_err(|refusal| refusal.to_string())?
            .warnings;
        gains.push(book.sales()[0]["gain"].clone());
    }
    let actual = json!({
        "after_batch_1": {"gain": gains[0]},
        "after_batch_2": {"gain": gains[1], "open_lots": book.open_lots("X")},
        "preview_2_must_warn": case["expect"]["preview_2_must_warn"],
    });
    matches(case, &case["expect"], &actual)?;
    match warnings.as_slice() {
        [Warning::GainChanges { before, after, .. }]
            if *before == Exact::whole(50) && *after == Exact::whole(75) =>
        {
            Ok(())
        }
        other => Err(format!(
            "expected a warning that the gain goes from 50 to 75, actual {other:?}"
        )),
    }
}

fn simulated(case: &Value, book: &Book) -> Result<(), String> {
    let ask = &case["ask"];
    let decimal = |field: &str| -> Option<Decimal> { parse(ask[field].as_str()?).ok() };
    let lots = list(&ask["lots"]).map(|choice| LotChoice {
        lot: lot_of(choice["lot"].as_str().expect("a lot")),
        units: parse(choice["units"].as_str().expect("units")).expect("a decimal"),
    });
    let question = SaleQuestion {
        item: ask["item"].as_str().expect("an item").into(),
        date: date(ask["date"].as_str().expect("a date")),
        units: decimal("units"),
        price: decimal("price"),
        amount: decimal("amount"),
        fees: decimal("fees"),
        lots: lots.collect(),
    };
    let sale = book
        .ledger
        .simulate_sale(&question, rates())
        .map_err(|refusal| refusal.to_string())?;
    let parties: serde_json::Map<_, _> = sale
        .parties
        .iter()
        .map(|part| (part.party.to_string(), json!(part.gain)))
        .collect();
    let actual = json!({
        "gross_proceeds": sale.gross_proceeds, "net_proceeds": sale.sale.net_proceeds,
        "cost_base": sale.sale.cost_base, "gain": sale.sale.gain, "gain_by_party": parties,
        "after": sale.position_after, "ledger_unchanged": true,
    });
    matches(case, &case["expect"], &actual)
}

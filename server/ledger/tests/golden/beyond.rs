//! Small questions about items, links, owners and reports, for the choices that no golden case tells apart.

use crate::book::{Book, TODAY, date, rates};
use proofmark_ledger::{HistoryQuery, Interval, PerformanceQuery, Refusal, Rules};
use serde::Serialize;
use serde_json::{Value, json};

/// What a ledger of these rules answers.
pub fn answers(rules: &Rules) -> Vec<Value> {
    let mut answers = changes_of_items(rules);
    answers.extend(links_and_debts(rules));
    answers.extend(periods(rules));
    answers.extend(goals(rules));
    answers.extend(losses(rules));
    answers.extend(simulations(rules));
    answers.extend(foreign(rules));
    answers
}

fn said<T: Serialize>(answer: Result<T, Refusal>) -> Value {
    match answer {
        Ok(answer) => json!(answer),
        Err(refusal) => json!(refusal),
    }
}

fn book(items: Value, rules: &Rules) -> Book {
    Book::of(
        &json!({"base_currency": "USD", "parties": [{"id": "P1", "kind": "individual"}], "items": items}),
        rules,
    )
}

fn item(id: &str, kind: &str) -> Value {
    json!({"id": id, "kind": kind, "currency": "USD"})
}

fn write(book: &mut Book, change: Value) -> Value {
    said(
        book.write_json(vec![change])
            .map(|written| written.net_worth.change),
    )
}

fn row(book: &mut Book, row: Value) -> Value {
    let rows = book.rows(&json!([row]), "transaction");
    said(book.write(rows).map(|written| written.net_worth.change))
}

fn changes_of_items(rules: &Rules) -> Vec<Value> {
    let mut book = book(json!([item("X", "security"), item("C", "cash")]), rules);
    let mut answers = vec![
        write(
            &mut book,
            json!({"update_item": {"item": "C", "currency": "AUD"}}),
        ),
        write(
            &mut book,
            json!({"update_item": {"item": "C", "currency": "USD"}}),
        ),
        write(
            &mut book,
            json!({"update_item": {"item": "X", "notes": "n"}}),
        ),
        write(
            &mut book,
            json!({"update_item": {"item": "X", "name": "Y"}}),
        ),
        write(
            &mut book,
            json!({"update_item": {"item": "X", "name": "Y"}}),
        ),
        row(
            &mut book,
            json!({"type": "deposit", "item": "C", "date": "2024-01-02", "amount": "5"}),
        ),
        write(
            &mut book,
            json!({"update_item": {"item": "C", "currency": "AUD"}}),
        ),
        write(
            &mut book,
            json!({"set_owners": {
                "item": "C", "from": "2024-01-01", "owners": [{"party": "P1", "percent": "100"}],
            }}),
        ),
        write(
            &mut book,
            json!({"archive": {"item": "C", "on": "2024-06-01"}}),
        ),
        row(
            &mut book,
            json!({"type": "deposit", "item": "C", "date": "2024-07-02", "amount": "5"}),
        ),
    ];
    for day in ["2024-05-31", "2024-06-01", "2024-06-02"] {
        let query = proofmark_ledger::NetWorthQuery::on(date(day));
        let sheet = book.ledger.net_worth(&query, rates());
        answers.push(said(sheet.map(|sheet| sheet.net_worth)));
    }
    answers.push(performance(&book, None, "2024-12-31"));
    answers.push(json!(book.ledger.items().collect::<Vec<_>>()));
    answers
}

fn links_and_debts(rules: &Rules) -> Vec<Value> {
    let items = json!([
        item("H", "property"),
        item("G", "property"),
        item("L", "loan"),
        item("K", "loan"),
        item("C", "cash"),
    ]);
    let mut book = book(items, rules);
    let link = |from: &str, to: &str, relation: &str| json!({"link": {"from": from, "to": to, "relation": relation}});
    let mut answers = vec![
        row(
            &mut book,
            json!({"type": "opening_balance", "item": "L", "date": "2024-01-02", "amount": "20"}),
        ),
        row(
            &mut book,
            json!({"type": "opening_balance", "item": "C", "date": "2024-01-02", "amount": "30"}),
        ),
        row(
            &mut book,
            json!({"type": "buy", "item": "H", "date": "2024-01-02", "amount": "9"}),
        ),
        write(
            &mut book,
            json!({"valuation": {"id": "val_1", "item": "H", "date": "2024-01-02", "value": "10"}}),
        ),
        write(&mut book, link("C", "H", "secured_by")),
        write(&mut book, link("L", "H", "secured_by")),
        write(&mut book, link("C", "L", "offset")),
        write(&mut book, link("C", "K", "offset")),
        write(
            &mut book,
            json!({"link": {"from": "K", "to": "H", "relation": "funds", "remove": true}}),
        ),
    ];
    answers.push(said(book.ledger.debt_report(date(TODAY), rates())));
    let mut remove = link("L", "H", "secured_by");
    answers.push(write(&mut book, link("L", "G", "secured_by")));
    remove["link"]["remove"] = json!(true);
    answers.push(write(&mut book, remove));
    answers.push(json!(book.ledger.links().collect::<Vec<_>>()));
    answers
}

fn performance(book: &Book, from: Option<&str>, to: &str) -> Value {
    let query = PerformanceQuery {
        from: from.map(date),
        to: date(to),
        item: None,
        party: None,
    };
    said(book.ledger.performance(&query, rates()))
}

fn periods(rules: &Rules) -> Vec<Value> {
    let items = json!([item("X", "security"), item("C", "cash"), item("L", "loan")]);
    let mut book = book(items, rules);
    let rows = [
        json!({"type": "deposit", "item": "C", "date": "2024-01-01", "amount": "1000"}),
        json!({"type": "buy", "item": "X", "date": "2024-01-01", "units": "10", "amount": "500", "fees": "3",
               "cash_item": "C"}),
        json!({"type": "dividend", "item": "X", "date": "2024-06-01", "amount": "20", "fees": "1", "cash_item": "C"}),
        json!({"type": "interest", "item": "C", "date": "2024-06-01", "amount": "7"}),
        json!({"type": "drawdown", "item": "L", "date": "2024-06-01", "amount": "50"}),
    ];
    let mut answers: Vec<Value> = rows.map(|change| row(&mut book, change)).into();
    answers.push(performance(&book, None, "2024-12-31"));
    let price = json!({"price": {"id": "prc_1", "item": "X", "date": "2024-01-01", "price": "60"}});
    answers.push(write(&mut book, price));
    for (from, to) in [
        (None, "2024-12-31"),
        (Some("2024-01-01"), "2024-03-31"),
        (Some("2024-06-01"), "2025-05-31"),
    ] {
        answers.push(performance(&book, from, to));
    }
    for (from, to) in [("2023-11-30", "2024-02-29"), ("2024-01-05", "2024-04-30")] {
        let query = HistoryQuery {
            from: date(from),
            to: date(to),
            interval: Interval::Month,
            party: None,
            by: None,
        };
        answers.push(said(book.ledger.history(&query, rates())));
    }
    answers
}

fn goals(rules: &Rules) -> Vec<Value> {
    let mut book = book(json!([item("C", "cash"), item("L", "loan")]), rules);
    let goal = |id: &str, kind: &str, target: &str| {
        json!({"goal": {"goal": id, "create": true, "name": id, "kind": kind, "target": target,
               "currency": "USD", "by": "2030-01-01"}})
    };
    let mut answers = vec![
        row(
            &mut book,
            json!({"type": "deposit", "item": "C", "date": "2026-01-02", "amount": "300"}),
        ),
        row(
            &mut book,
            json!({"type": "withdrawal", "item": "C", "date": "2026-10-02", "amount": "100"}),
        ),
        write(&mut book, goal("rich", "net_worth", "1000")),
        write(&mut book, goal("free", "debt", "5")),
    ];
    answers.push(said(book.ledger.goal_reports(date(TODAY), rates())));
    answers.push(write(
        &mut book,
        json!({"goal": {"goal": "rich", "target": "1001"}}),
    ));
    answers.push(json!(book.ledger.goals().collect::<Vec<_>>()));
    answers
}

fn losses(rules: &Rules) -> Vec<Value> {
    let mut book = book(json!([item("C", "cash")]), rules);
    let mut answers = vec![
        write(
            &mut book,
            json!({"loss": {"loss": "l", "create": true, "party": "P1", "kind": "capital",
                                         "year": 2021, "amount": "300", "used": "100"}}),
        ),
        write(&mut book, json!({"loss": {"loss": "l", "used": "150"}})),
        write(&mut book, json!({"loss": {"loss": "l", "used": "300.01"}})),
        json!(book.ledger.losses().collect::<Vec<_>>()),
        write(&mut book, json!({"loss": {"loss": "l", "archived": true}})),
        json!(book.ledger.losses().collect::<Vec<_>>()),
    ];
    answers.push(json!(book.ledger.loss_totals().ok()));
    answers
}

fn simulations(rules: &Rules) -> Vec<Value> {
    let mut book = Book::of(
        &json!({"base_currency": "USD", "items": [
            {"id": "X", "kind": "security", "currency": "USD", "owners": {"P1": "60", "P2": "40"}},
        ], "parties": [{"id": "P1", "kind": "individual"}, {"id": "P2", "kind": "trust"}]}),
        rules,
    );
    let buy = |day: &str| json!({"type": "buy", "item": "X", "date": day, "units": "10", "amount": "100"});
    let price = |day: &str, price: &str| json!({"price": {"id": format!("prc_{day}"), "item": "X", "date": day, "price": price}});
    let mut answers = vec![
        row(&mut book, buy("2024-01-02")),
        row(&mut book, buy("2024-03-02")),
        write(&mut book, price("2024-01-02", "13")),
        write(&mut book, price("2024-03-02", "15")),
        write(
            &mut book,
            json!({"set_owners": {"item": "X", "from": TODAY,
            "owners": [{"party": "P2", "percent": "100"}]}}),
        ),
    ];
    let question = proofmark_ledger::SaleQuestion {
        item: "X".into(),
        date: date("2024-02-01"),
        units: None,
        price: None,
        amount: None,
        fees: proofmark_ledger::decimal::parse("3").ok(),
        lots: Vec::new(),
    };
    answers.push(said(book.ledger.simulate_sale(&question, rates())));
    answers
}

fn foreign(rules: &Rules) -> Vec<Value> {
    let items = json!([
        {"id": "E", "kind": "cash", "currency": "EUR"}, {"id": "L", "kind": "loan", "currency": "EUR"},
    ]);
    let mut book = book(items, rules);
    let mut answers = vec![
        row(
            &mut book,
            json!({"type": "deposit", "item": "E", "date": "2024-02-29", "amount": "100"}),
        ),
        row(
            &mut book,
            json!({"type": "opening_balance", "item": "L", "date": "2024-02-29", "amount": "50"}),
        ),
    ];
    answers.push(performance(&book, None, "2024-06-28"));
    answers.push(said(book.ledger.debt_report(date("2024-06-28"), rates())));
    answers
}

//! Changes beside the rows: what undoing one of several leaves in force, and what they do to returns.

use jiff::civil::date;
use proofmark_ledger::decimal::Exact;
use proofmark_ledger::fx::EcbTable;
use proofmark_ledger::{Change, Draft, Ledger, PerformanceQuery, Refusal, RefusalCode, Rules};
use serde_json::{Value, json};

/// A ledger in AUD that is written to as a server would.
struct Book {
    ledger: Ledger,
    written: usize,
}

impl Book {
    /// Two parties, cash of one, shares of both, two loans and a house.
    fn new() -> Self {
        let base = "AUD".parse().expect("a currency");
        let empty = Ledger::replay(
            base,
            Vec::<proofmark_ledger::Batch>::new(),
            &Rules::default(),
        );
        let mut book = Self {
            ledger: empty.expect("a ledger"),
            written: 0,
        };
        for party in ["a", "b"] {
            book.must(json!({"party": {"id": party, "name": party, "kind": "individual"}}));
        }
        for (id, kind, share) in [
            ("C", "cash", "100"),
            ("X", "security", "60"),
            ("L", "loan", "100"),
            ("K", "loan", "100"),
            ("H", "property", "100"),
        ] {
            let mut owners = vec![json!({"party": "a", "percent": share})];
            if share != "100" {
                owners.push(json!({"party": "b", "percent": "40"}));
            }
            book.must(json!({"item": {"id": id, "name": id, "kind": kind, "currency": "AUD", "owners": owners}}));
        }
        book
    }

    fn write(&mut self, change: Value) -> Result<String, Refusal> {
        self.written += 1;
        let batch = format!("bat_{}", self.written);
        let change: Change = serde_json::from_value(change).expect("a change");
        let draft = Draft {
            batch: batch.as_str().into(),
            today: date(2026, 10, 30),
            changes: vec![change],
        };
        self.ledger = self.ledger.assess(&draft, &EcbTable::default())?.after;
        Ok(batch)
    }

    fn must(&mut self, change: Value) -> String {
        self.write(change).expect("taken")
    }

    fn undo(&mut self, batch: &str) -> Result<(), RefusalCode> {
        self.ledger = self
            .ledger
            .without(&batch.into())
            .map_err(|refusal| refusal.cause.unwrap_or(refusal.code))?;
        Ok(())
    }
}

fn link(from: &str, to: &str, relation: &str, remove: bool) -> Value {
    json!({"link": {"from": from, "to": to, "relation": relation, "remove": remove}})
}

#[test]
fn undoing_an_older_change_leaves_a_newer_one_in_force() {
    let mut book = Book::new();
    let first = book.must(json!({"update_item": {"item": "X", "name": "First", "notes": "kept"}}));
    book.must(json!({"update_item": {"item": "X", "name": "Second"}}));
    book.undo(&first).expect("undone");
    let item = book.ledger.item(&"X".into()).expect("an item");
    assert_eq!((item.name.as_str(), &item.notes), ("Second", &None));
}

#[test]
fn an_account_offsets_one_loan_also_after_an_undo() {
    let mut book = Book::new();
    book.must(link("C", "L", "offset", false));
    let second = book.write(link("C", "K", "offset", false));
    assert_eq!(
        second.map_err(|refusal| refusal.code),
        Err(RefusalCode::InvalidInput)
    );
    let removed = book.must(link("C", "L", "offset", true));
    book.must(link("C", "K", "offset", false));
    // Without the removal the account would offset both.
    assert_eq!(book.undo(&removed), Err(RefusalCode::InvalidInput));
}

#[test]
fn what_a_change_needs_cannot_be_undone_under_it() {
    let mut book = Book::new();
    let loss = json!({"loss": {"loss": "l", "create": true, "party": "b", "kind": "capital", "year": 2020, "amount": "9"}});
    book.must(loss);
    let raised = book.must(json!({"loss": {"loss": "l", "amount": "20"}}));
    book.must(json!({"loss": {"loss": "l", "used": "15"}}));
    assert_eq!(book.undo(&raised), Err(RefusalCode::LossOverused));
    // The loss is of a party, and party b was the second batch.
    assert_eq!(book.undo("bat_2"), Err(RefusalCode::NotFound));
    book.must(link("L", "H", "secured_by", false));
    assert_eq!(book.undo("bat_7"), Err(RefusalCode::NotFound));
}

#[test]
fn money_that_a_party_pays_for_others_leaves_its_returns() {
    let mut book = Book::new();
    let row = |id: &str, kind: &str, item: &str, day: &str, more: Value| {
        let mut row = json!({"id": id, "type": kind, "item": item, "date": day});
        row.as_object_mut()
            .expect("a row")
            .extend(more.as_object().expect("fields").clone());
        json!({"transaction": row})
    };
    book.must(row(
        "txn_1",
        "deposit",
        "C",
        "2026-01-01",
        json!({"amount": "100"}),
    ));
    let buy = json!({"units": "10", "amount": "100", "cash_item": "C"});
    book.must(row("txn_2", "buy", "X", "2026-01-02", buy));
    book.must(json!({"price": {"id": "prc_1", "item": "X", "date": "2026-01-02", "price": "10"}}));
    let figures = |party: Option<&str>| {
        let query = PerformanceQuery {
            from: None,
            to: date(2026, 10, 30),
            item: None,
            party: party.map(Into::into),
        };
        let total = book
            .ledger
            .performance(&query, &EcbTable::default())
            .expect("figures")
            .total;
        [
            Some(total.money_in),
            Some(total.money_out),
            total.end_value,
            total.gain,
        ]
        .map(|figure| {
            figure
                .map(|figure: Exact| figure.to_string())
                .unwrap_or_default()
        })
    };
    // All of the money is a's, four tenths of the shares are b's.
    assert_eq!(figures(Some("a")), ["100", "40", "60", "0"]);
    assert_eq!(figures(Some("b")), ["40", "0", "40", "0"]);
    assert_eq!(figures(None), ["100", "0", "100", "0"]);
}

#[test]
fn what_one_owner_gives_another_gets_though_the_two_sides_have_different_prices() {
    let mut book = Book::new();
    book.must(
        json!({"item": {"id": "Y", "name": "Y", "kind": "security", "currency": "AUD",
        "owners": [{"party": "a", "percent": "20"}, {"party": "b", "percent": "80"}]}}),
    );
    for (item, price) in [("X", "3"), ("Y", "1")] {
        book.must(json!({"price": {"id": format!("prc_{item}"), "item": item, "date": "2024-01-02", "price": price}}));
    }
    book.must(
        json!({"transaction": {"id": "txn_1", "item": "Y", "type": "buy", "date": "2024-01-02",
        "units": "100", "amount": "100"}}),
    );
    book.must(json!({"transfer": {"id": "trf_1", "from_item": "Y", "to_item": "X", "date": "2024-02-01", "units": "50"}}));
    let gain = |party: Option<&str>| {
        let query = PerformanceQuery {
            from: None,
            to: date(2024, 12, 31),
            item: None,
            party: party.map(Into::into),
        };
        let told = book.ledger.performance(&query, &EcbTable::default());
        told.expect("a report").total.gain.expect("a gain")
    };
    // 50 units became worth 150 in place of 50. Ada holds 60 of every 100 X and 20 of every 100 Y: she got 20 from Ben.
    assert_eq!(gain(None), Exact::whole(100));
    assert_eq!(gain(Some("a")), Exact::whole(60));
    assert_eq!(gain(Some("b")), Exact::whole(40));
}

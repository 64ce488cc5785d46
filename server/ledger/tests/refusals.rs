//! Which row is blamed, with which code and which field, and what becomes of money on the way.

use jiff::civil::date;
use proofmark_ledger::fx::EcbTable;
use proofmark_ledger::{
    Assessment, Batch, Change, Draft, Ledger, Refusal, RefusalCode, RowList, Rules,
};
use serde_json::{Value, json};

/// Shares in dollars and cash in euros and dollars; the base currency is the euro.
fn opened() -> Ledger {
    let item = |id: &str, kind: &str, currency: &str| json!({"item": {"id": id, "name": id, "kind": kind, "currency": currency}});
    let changes = changes(&[
        item("X", "security", "USD"),
        item("C", "cash", "EUR"),
        item("D", "cash", "USD"),
        item("H", "property", "EUR"),
    ]);
    let batch = Batch {
        id: "bat_0".into(),
        changes,
    };
    Ledger::replay(
        "EUR".parse().expect("a currency"),
        [batch],
        &Rules::default(),
    )
    .expect("a ledger")
}

fn changes(values: &[Value]) -> Vec<Change> {
    let change = |value: &Value| serde_json::from_value(value.clone()).expect("a change");
    values.iter().map(change).collect()
}

fn row(id: &str, kind: &str, item: &str, day: &str, fields: Value) -> Value {
    let mut row = json!({"id": id, "type": kind, "item": item, "date": day});
    let fields = fields.as_object().expect("fields").clone();
    row.as_object_mut().expect("a row").extend(fields);
    json!({ "transaction": row })
}

fn buy(id: &str, units: &str) -> Value {
    row(
        id,
        "buy",
        "X",
        "2024-01-10",
        json!({"units": units, "amount": "100", "fx_rate": "0.9"}),
    )
}

fn sell(id: &str, units: &str) -> Value {
    row(
        id,
        "sell",
        "X",
        "2024-02-10",
        json!({"units": units, "amount": "150", "fx_rate": "0.8"}),
    )
}

fn assess(ledger: &Ledger, rows: &[Value]) -> Result<Assessment, Refusal> {
    let batch = format!("bat_{}", ledger.batches().len());
    let draft = Draft {
        batch: batch.into(),
        today: date(2024, 6, 30),
        changes: changes(rows),
    };
    ledger.assess(&draft, &EcbTable::default())
}

fn recorded(ledger: &Ledger, rows: &[Value]) -> Ledger {
    assess(ledger, rows)
        .expect("rows that can be recorded")
        .after
}

#[test]
fn a_row_of_the_draft_is_named_by_its_place_in_its_list() {
    let price = json!({"price": {"id": "p", "item": "X", "date": "2024-01-10", "price": "1"}});
    let refusal =
        assess(&opened(), &[price, buy("a", "1"), sell("b", "2")]).expect_err("an oversell");
    assert_eq!(refusal.code, RefusalCode::Oversell);
    assert_eq!(refusal.path().as_deref(), Some("transactions[1].units"));
}

#[test]
fn the_first_bad_row_in_the_order_of_the_draft_is_named() {
    let late = row(
        "a",
        "buy",
        "X",
        "2024-03-01",
        json!({"units": "0", "amount": "1", "fx_rate": "1"}),
    );
    let early = row(
        "b",
        "buy",
        "X",
        "2024-01-01",
        json!({"amount": "1", "fx_rate": "1"}),
    );
    let refusal = assess(&opened(), &[late, early]).expect_err("no units");
    assert_eq!(refusal.path().as_deref(), Some("transactions[0].units"));
}

#[test]
fn an_earlier_row_that_would_fail_is_named_with_its_own_code() {
    let ledger = recorded(&recorded(&opened(), &[buy("a", "2")]), &[sell("b", "2")]);
    let out = row(
        "c",
        "transfer_out",
        "X",
        "2024-01-20",
        json!({"units": "1"}),
    );
    let refusal = assess(&ledger, &[out]).expect_err("a sale without units");
    assert_eq!(
        (refusal.code, refusal.cause),
        (RefusalCode::WouldNotReplay, Some(RefusalCode::Oversell))
    );
    let row = refusal.row.expect("a row");
    assert_eq!(
        (row.list, row.id.as_str(), row.index),
        (RowList::Transactions, "b", None)
    );
    assert_eq!(refusal.batch.expect("a batch").as_str(), "bat_2");
}

#[test]
fn an_undo_that_leaves_rows_without_their_item_is_refused() {
    let ledger = recorded(&opened(), &[buy("a", "2")]);
    let refusal = ledger
        .without(&"bat_0".into())
        .expect_err("a row without an item");
    assert_eq!(
        (refusal.code, refusal.cause),
        (RefusalCode::WouldNotReplay, Some(RefusalCode::NotFound))
    );
}

#[test]
fn a_void_frees_the_reference_and_names_only_what_counts() {
    let mut first = buy("a", "2");
    first["transaction"]["external_ref"] = json!("R1");
    let ledger = recorded(&opened(), &[first]);
    let void = |id: &str| json!({"void": {"rows": [id]}});
    let refusal = assess(&ledger, &[void("zzz")]).expect_err("an unknown row");
    assert_eq!(refusal.code, RefusalCode::NotFound);
    let ledger = recorded(&ledger, &[void("a")]);
    assert_eq!(ledger.transactions_of(&"X".into()).count(), 0);
    assert!(
        assess(&ledger, &[void("a")]).is_err(),
        "a row can be voided once"
    );
    let mut again = buy("b", "3");
    again["transaction"]["external_ref"] = json!("R1");
    assert_eq!(
        recorded(&ledger, &[again])
            .transactions_of(&"X".into())
            .count(),
        1
    );
}

#[test]
fn a_cash_item_gets_the_money_fees_included_and_undo_takes_both_back() {
    let paid =
        json!({"units": "1", "amount": "50", "fees": "1.5", "cash_item": "D", "fx_rate": "0.9"});
    let ledger = recorded(&opened(), &[row("a", "buy", "X", "2024-01-10", paid)]);
    let balance = |ledger: &Ledger| {
        let position = ledger.position(&"D".into(), date(2024, 6, 30), &EcbTable::default());
        position
            .expect("a position")
            .value
            .map(|value| value.to_string())
    };
    assert_eq!(balance(&ledger).as_deref(), Some("-51.5"));
    assert_eq!(ledger.transactions_of(&"D".into()).count(), 1);
    assert_eq!(
        balance(&ledger.without(&"bat_1".into()).expect("an undo")),
        None
    );
    let wrong = json!({"units": "1", "amount": "50", "cash_item": "C", "fx_rate": "0.9"});
    let refusal =
        assess(&opened(), &[row("a", "buy", "X", "2024-01-10", wrong)]).expect_err("euros");
    assert_eq!(refusal.code, RefusalCode::CurrencyMismatch);
}

#[test]
fn a_row_in_the_base_currency_is_turned_into_the_items_by_its_own_rate() {
    let rates = EcbTable::from_rows([(
        date(2024, 1, 10),
        vec![(
            "USD".parse().expect("a currency"),
            proofmark_ledger::decimal::parse("1.25").expect("a rate"),
        )],
    )]);
    let bought = json!({"units": "1", "amount": "80", "currency": "EUR"});
    let changes = changes(&[row("a", "buy", "X", "2024-01-10", bought)]);
    let draft = Draft {
        batch: "bat_1".into(),
        today: date(2024, 6, 30),
        changes,
    };
    let ledger = opened().assess(&draft, &rates).expect("recorded").after;
    let lots = ledger.lots(&"X".into(), date(2024, 6, 30)).expect("lots");
    let costs: Vec<_> = lots
        .iter()
        .map(|lot| (lot.cost_base.to_string(), lot.cost_base_base.to_string()))
        .collect();
    assert_eq!(costs, [("100".to_owned(), "80".to_owned())]);
}

#[test]
fn a_house_is_sold_once_and_takes_no_row_afterwards() {
    let bought = row("a", "buy", "H", "2020-01-01", json!({"amount": "100"}));
    let sold = |id: &str, day: &str| row(id, "sell", "H", day, json!({"amount": "150"}));
    let ledger = recorded(&opened(), &[bought, sold("b", "2022-01-01")]);
    for refused in [
        sold("c", "2023-01-01"),
        row("d", "rent", "H", "2022-02-01", json!({"amount": "1"})),
        json!({"valuation": {"id": "e", "item": "H", "date": "2022-01-02", "value": "160"}}),
    ] {
        let refusal = assess(&ledger, &[refused]).expect_err("a sold house");
        assert_eq!(refusal.code, RefusalCode::AlreadySold);
    }
    let earlier =
        json!({"valuation": {"id": "e", "item": "H", "date": "2021-01-02", "value": "160"}});
    assert!(
        assess(&ledger, &[earlier]).is_ok(),
        "what lies before the sale may still be recorded"
    );
    let unheld = assess(&opened(), &[sold("b", "2022-01-01")]).expect_err("nothing to sell");
    assert_eq!(unheld.code, RefusalCode::Oversell);
}

#[test]
fn an_undo_never_brings_a_reference_back_that_another_row_has() {
    let order = |id: &str, amount: &str| {
        let fields = json!({"amount": amount, "external_ref": "ORD-1"});
        row(id, "deposit", "C", "2024-01-10", fields)
    };
    let batch = |id: &str, change: Value| Batch {
        id: id.into(),
        changes: changes(&[change]),
    };
    let void = json!({"void": {"rows": ["txn_1"]}});
    let replayed = |batches: Vec<Batch>| {
        let mut all: Vec<Batch> = opened()
            .batches()
            .iter()
            .map(|batch| batch.as_ref().clone())
            .collect();
        all.extend(batches);
        Ledger::replay("EUR".parse().expect("a currency"), all, &Rules::default())
            .expect("a ledger")
    };
    let first = batch("bat_1", order("txn_1", "100"));
    let voided = batch("bat_2", void);
    let again = batch("bat_3", order("txn_2", "101"));
    let refused = replayed(vec![first.clone(), voided.clone(), again])
        .without(&"bat_2".into())
        .expect_err("two rows under one reference");
    assert_eq!(refused.code, RefusalCode::WouldNotReplay);
    assert_eq!(refused.cause, Some(RefusalCode::InvalidInput));
    replayed(vec![first, voided])
        .without(&"bat_2".into())
        .expect("the reference is free");
}

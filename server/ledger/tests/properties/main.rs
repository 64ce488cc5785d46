//! What holds for any book: promises that no single example can show.

mod reports;

use jiff::civil::date;
use proofmark_ledger::decimal::{Exact, parse};
use proofmark_ledger::fx::EcbTable;
use proofmark_ledger::ids::ItemId;
use proofmark_ledger::model::Date;
use proofmark_ledger::{
    Batch, Breakdown, Change, Draft, Ledger, NetWorthQuery, Refusal, Rules, model::Side,
};
use proptest::prelude::*;
use serde_json::{Value, json};

const TODAY: Date = date(2024, 12, 31);
const ITEMS: [&str; 6] = ["X", "Y", "C", "D", "L", "H"];

/// A workspace in AUD with two owners: shares X and Y, cash in two currencies, a loan and a house.
fn opened() -> Ledger {
    let item = |id: &str, kind: &str, currency: &str| {
        let owners =
            json!([{"party": "a", "percent": "33.33"}, {"party": "b", "percent": "66.67"}]);
        json!({"item": {"id": id, "name": id, "kind": kind, "currency": currency, "owners": owners}})
    };
    let changes = [
        json!({"party": {"id": "a", "name": "Ada", "kind": "individual"}}),
        json!({"party": {"id": "b", "name": "Ben", "kind": "trust"}}),
        item("X", "security", "USD"),
        item("Y", "security", "USD"),
        item("C", "cash", "AUD"),
        item("D", "cash", "USD"),
        item("L", "loan", "AUD"),
        item("H", "property", "AUD"),
    ];
    let batch = Batch {
        id: "bat_0".into(),
        changes: changes.map(change).to_vec(),
    };
    let base = "AUD".parse().expect("a currency");
    Ledger::replay(base, [batch], &Rules::default()).expect("a workspace")
}

fn rates() -> EcbTable {
    let quote = |code: &str, rate: &str| {
        (
            code.parse().expect("a currency"),
            parse(rate).expect("a rate"),
        )
    };
    let weeks = (0..60).map(|week| date(2023, 12, 4) + jiff::Span::new().days(week * 7));
    EcbTable::from_rows(weeks.map(|day| {
        let rate = format!("1.0{}", day.day_of_year() % 90 + 10);
        (day, vec![quote("USD", &rate), quote("AUD", "1.6079")])
    }))
}

fn change(value: Value) -> Change {
    serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{value}: {error}"))
}

/// Any row, most of them sensible, with the day of the year left to choose.
fn row() -> impl Strategy<Value = Value> {
    let number = || {
        prop_oneof![
            (1u32..500).prop_map(|number| number.to_string()),
            (1u32..500, 1u64..1_000_000_000_000_000_000)
                .prop_map(|(whole, fraction)| format!("{whole}.{fraction:018}")),
            Just("0.000000000000000001".to_owned()),
        ]
    };
    let shares = || prop_oneof![Just("X"), Just("Y")];
    let cash = || prop_oneof![Just("C"), Just("D")];
    prop_oneof![
        4 => (shares(), number(), number(), number()).prop_map(|(item, units, amount, fees)| json!({
            "transaction": {"item": item, "type": "buy", "units": units, "amount": amount, "fees": fees}
        })),
        3 => (shares(), number(), number()).prop_map(|(item, units, amount)| json!({
            "transaction": {"item": item, "type": "sell", "units": units, "amount": amount, "cash_item": "D"}
        })),
        1 => (shares(), 1u8..9, 1u8..9).prop_map(|(item, to, from)| json!({
            "transaction": {"item": item, "type": "split", "to": to.to_string(), "from": from.to_string()}
        })),
        2 => (shares(), number()).prop_map(|(item, units)| {
            let to = if item == "X" { "Y" } else { "X" };
            json!({"transfer": {"from_item": item, "to_item": to, "units": units}})
        }),
        2 => (cash(), number(), any::<bool>()).prop_map(|(item, amount, paid_in)| {
            let kind = if paid_in { "deposit" } else { "withdrawal" };
            json!({"transaction": {"item": item, "type": kind, "amount": amount}})
        }),
        1 => number().prop_map(|amount| json!({
            "transfer": {"from_item": "C", "to_item": "L", "amount": amount}
        })),
        1 => (cash(), number()).prop_map(|(item, value)| json!({
            "valuation": {"item": item, "value": value}
        })),
        1 => number().prop_map(|value| json!({"valuation": {"item": "H", "value": value}})),
        1 => (number(), any::<bool>()).prop_map(|(amount, sold)| {
            let kind = if sold { "sell" } else { "buy" };
            json!({"transaction": {"item": "H", "type": kind, "amount": amount}})
        }),
        2 => (shares(), number()).prop_map(|(item, price)| json!({
            "price": {"item": item, "price": price}
        })),
    ]
}

/// Rows with a day each.
fn rows(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<(Value, u32)>> {
    prop::collection::vec((row(), 0u32..300), count)
}

/// A draft of rows, numbered so that their ids are unique.
fn draft(name: &str, rows: &[(Value, u32)]) -> Draft {
    let changes = rows.iter().enumerate().map(|(place, (row, day))| {
        let mut row = row.clone();
        let fields = row
            .as_object_mut()
            .and_then(|row| row.values_mut().next())
            .expect("a row");
        fields["id"] = json!(format!("txn_{name}_{place}_{day}"));
        fields["date"] = json!(date(2024, 1, 1) + jiff::Span::new().days(*day));
        change(row)
    });
    Draft {
        batch: format!("bat_{name}").into(),
        today: TODAY,
        changes: changes.collect(),
    }
}

/// Records rows one by one, leaving out those that are refused.
fn recorded(rows: &[(Value, u32)]) -> Ledger {
    let rates = rates();
    rows.iter()
        .enumerate()
        .fold(opened(), |ledger, (place, row)| {
            let draft = draft(&format!("r{place}"), std::slice::from_ref(row));
            ledger
                .assess(&draft, &rates)
                .map_or(ledger, |assessment| assessment.after)
        })
}

/// Everything a reader can see on some days.
fn seen(ledger: &Ledger) -> Value {
    let rates = rates();
    let days = [date(2024, 2, 1), date(2024, 6, 30), TODAY];
    let items = ITEMS.map(ItemId::from);
    let on = |day: Date| {
        let query = NetWorthQuery {
            date: day,
            party: None,
            by: Some(Breakdown::Item),
        };
        let lots = items.each_ref().map(|item| ledger.lots(item, day));
        let positions = items
            .each_ref()
            .map(|item| ledger.position(item, day, &rates));
        json!([ledger.net_worth(&query, &rates), lots, positions])
    };
    let sales = items.each_ref().map(|item| ledger.sales(item));
    json!([days.map(on), sales])
}

fn refused(refusal: &Refusal) -> Value {
    json!([
        refusal.code,
        refusal.row.as_ref().map(|row| &row.date),
        refusal.cause
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_preview_changes_nothing_and_an_undo_takes_everything_back(book in rows(0..20), more in rows(1..6)) {
        let ledger = recorded(&book);
        let before = seen(&ledger);
        if let Ok(assessment) = ledger.assess(&draft("more", &more), &rates()) {
            prop_assert_eq!(&seen(&ledger), &before);
            let undone = assessment.after.without(&"bat_more".into());
            prop_assert_eq!(undone.map(|undone| seen(&undone)), Ok(before));
        }
    }

    #[test]
    fn a_ledger_is_what_its_batches_say(book in rows(0..20)) {
        let ledger = recorded(&book);
        let text = serde_json::to_string(ledger.batches()
            .iter().map(|batch| batch.as_ref()).collect::<Vec<_>>().as_slice())?;
        let batches: Vec<Batch> = serde_json::from_str(&text)?;
        let again = Ledger::replay(ledger.base(), batches, &Rules::default());
        prop_assert_eq!(again.map(|again| seen(&again)), Ok(seen(&ledger)));
    }

    #[test]
    fn parts_add_up_to_the_whole(book in rows(0..25), day in 0u32..300) {
        let (ledger, rates) = (recorded(&book), rates());
        let on = date(2024, 1, 1) + jiff::Span::new().days(day);
        for by in [Breakdown::Class, Breakdown::Kind, Breakdown::Party, Breakdown::Account, Breakdown::Item] {
            let whole = ledger.net_worth(&NetWorthQuery { date: on, party: None, by: Some(by) }, &rates)?;
            for (side, total) in [(Side::Asset, whole.assets), (Side::Liability, whole.liabilities)] {
                let lines = whole.breakdown.iter().flatten().filter(|line| line.side == side);
                prop_assert_eq!(Exact::sum(lines.filter_map(|line| line.value)), Ok(total));
            }
            prop_assert_eq!(whole.assets.minus(whole.liabilities), Ok(whole.net_worth));
        }
        let part = |party: &str| {
            let query = NetWorthQuery { date: on, party: Some(party.into()), by: None };
            ledger.net_worth(&query, &rates).map(|part| part.net_worth)
        };
        let whole = ledger.net_worth(&NetWorthQuery::on(on), &rates)?.net_worth;
        prop_assert_eq!(part("a")?.plus(part("b")?), Ok(whole));
    }

    #[test]
    fn what_was_paid_is_held_or_sold(book in rows(0..30)) {
        let (ledger, rates) = (recorded(&book), rates());
        let mut paid = Exact::ZERO;
        let mut accounted = Exact::ZERO;
        for item in ["X", "Y"].map(ItemId::from) {
            for row in ledger.transactions_of(&item).filter(|row| row.kind.name() == "buy") {
                let amount = row.amount.map(Exact::from).unwrap_or_default();
                paid = paid.plus(amount)?.plus(row.fees.map(Exact::from).unwrap_or_default())?;
            }
            for sale in ledger.sales(&item) {
                accounted = accounted.plus(sale.cost_base)?;
                prop_assert_eq!(Exact::sum(sale.lots.iter().map(|lot| lot.gain)), Ok(sale.gain));
            }
            let position = ledger.position(&item, TODAY, &rates)?;
            let lots = ledger.lots(&item, TODAY)?;
            prop_assert_eq!(Exact::sum(lots.iter().map(|lot| lot.units)).ok(), position.units);
            accounted = accounted.plus(position.cost_base.unwrap_or_default())?;
        }
        prop_assert_eq!(accounted, paid);
    }

    #[test]
    fn the_order_recorded_matters_only_inside_a_day(book in rows(1..25)) {
        let mut book = book;
        book.sort_by_key(|(_, day)| *day);
        book.dedup_by_key(|(_, day)| *day);
        let mut reversed = draft("one", &book);
        reversed.changes.reverse();
        let rates = rates();
        let forward = opened().assess(&draft("one", &book), &rates);
        let backward = opened().assess(&reversed, &rates);
        // Equal or refused alike: the order decides only which lot is named first, and names carry no order.
        let view = |answer: Result<proofmark_ledger::Assessment, Refusal>| {
            answer.map(|assessment| seen(&assessment.after)).map_err(|refusal| refused(&refusal))
        };
        prop_assert_eq!(view(forward), view(backward));
    }

    #[test]
    fn an_unrelated_batch_leaves_a_preview_fresh(book in rows(0..15), more in rows(1..4), amount in 1u32..900) {
        let (ledger, rates) = (recorded(&book), rates());
        let preview = draft("preview", &more);
        let touches_cash = preview.changes.iter().flat_map(Change::items).any(|item| item.as_str() == "C");
        if let (Ok(promised), false) = (ledger.assess(&preview, &rates), touches_cash) {
            let deposit = json!({"transaction": {"item": "C", "type": "deposit", "amount": amount.to_string()}});
            let other = ledger.assess(&draft("other", &[(deposit, 3)]), &rates)?;
            let now = other.after.assess(&preview, &rates)?;
            prop_assert_eq!(now.outcome, promised.outcome);
        }
    }
}

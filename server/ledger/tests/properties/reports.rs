//! What holds of every report, and of every change of what is known beside the rows.

use crate::{ITEMS, TODAY, change, draft, rates, recorded, rows, seen};
use jiff::civil::date;
use proofmark_ledger::decimal::Exact;
use proofmark_ledger::model::Date;
use proofmark_ledger::{
    Draft, HistoryQuery, Interval, Ledger, NetWorthQuery, Performance, PerformanceQuery, Returns,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn day(offset: u32) -> Date {
    date(2024, 1, 1) + jiff::Span::new().days(offset)
}

fn performance(ledger: &Ledger, from: Option<Date>, to: Date, party: Option<&str>) -> Performance {
    let query = PerformanceQuery {
        from,
        to,
        item: None,
        party: party.map(Into::into),
    };
    ledger.performance(&query, &rates()).expect("a performance")
}

/// End less start, less in, plus out, plus what was paid out.
fn identity(returns: &Returns) -> Option<Exact> {
    let moved = returns
        .end_value?
        .minus(returns.start_value?)
        .and_then(|gain| gain.minus(returns.money_in))
        .and_then(|gain| gain.plus(returns.money_out))
        .and_then(|gain| gain.plus(returns.income))
        .and_then(|gain| gain.minus(returns.retained_income));
    moved.ok()
}

/// Changes that say nothing about rows.
fn changes() -> impl Strategy<Value = Value> {
    let item = || prop::sample::select(ITEMS.to_vec());
    prop_oneof![
        (item(), 0u32..300).prop_map(|(item, on)| json!({"archive": {"item": item, "on": day(on)}})),
        (item(), "[a-c]").prop_map(|(item, class)| json!({"update_item": {"item": item, "class": class}})),
        (item(), any::<bool>()).prop_map(|(item, counts)| json!({"update_item": {"item": item, "investable": counts}})),
        (item(), item(), prop::sample::select(vec!["secured_by", "offset", "funds"]), any::<bool>())
            .prop_map(|(from, to, relation, remove)| json!({
                "link": {"from": from, "to": to, "relation": relation, "remove": remove}
            })),
        (item(), 1u32..100).prop_map(|(item, percent)| json!({"set_owners": {
            "item": item, "correction": true,
            "owners": [
                {"party": "a", "percent": percent.to_string()},
                {"party": "b", "percent": (100 - percent).to_string()},
            ],
        }})),
        (0u32..3, 1u32..1000).prop_map(|(goal, target)| json!({"goal": {
            "goal": format!("gol_{goal}"), "create": true, "name": "g", "kind": "net_worth",
            "target": target.to_string(), "currency": "AUD",
        }})),
        (0u32..3, 1u32..1000).prop_map(|(loss, used)| json!({"loss": {
            "loss": format!("los_{loss}"), "create": true, "party": "a", "kind": "capital", "year": 2020,
            "amount": "500", "used": used.to_string(),
        }})),
    ]
}

/// What is known beside the rows, and every report.
fn told(ledger: &Ledger) -> Value {
    let rates = rates();
    json!([
        seen(ledger),
        ledger.items().collect::<Vec<_>>(),
        ledger.links().collect::<Vec<_>>(),
        ledger.goals().collect::<Vec<_>>(),
        ledger.losses().collect::<Vec<_>>(),
        ledger.debt_report(TODAY, &rates),
        performance(ledger, None, TODAY, None),
        ITEMS.map(|item| json!(ledger.ownership(&item.into()))),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_point_of_a_history_is_the_balance_sheet_of_its_day(book in rows(0..25)) {
        let (ledger, rates) = (recorded(&book), rates());
        let query = HistoryQuery {
            from: date(2023, 12, 1), to: TODAY, interval: Interval::Month, party: None, by: None,
        };
        let history = ledger.history(&query, &rates)?;
        prop_assert_eq!(history.points.len(), 13);
        for point in &history.points {
            let mut sheet = ledger.net_worth(&NetWorthQuery::on(point.date), &rates)?;
            sheet.partial |= ledger.first_row().is_none_or(|first| point.date < first);
            prop_assert_eq!(point, &sheet);
        }
    }

    #[test]
    fn gains_hold_their_identity_chain_and_add_up(
        book in rows(0..25),
        cut in 1u32..299,
        splits in prop::collection::vec(changes(), 0..4),
    ) {
        // Items of different owners pay each other.
        let splits = splits.iter().filter(|split| split.get("set_owners").is_some()).enumerate();
        let ledger = splits.fold(recorded(&book), |ledger, (place, split)| {
            let draft = Draft {
                batch: format!("bat_s{place}").into(), today: TODAY, changes: vec![change(split.clone())],
            };
            ledger.assess(&draft, &rates()).map(|assessment| assessment.after).unwrap_or(ledger)
        });
        let (from, to) = (day(0), TODAY);
        let whole = performance(&ledger, Some(from), to, None);
        for returns in whole.items.iter().map(|item| &item.returns).chain([&whole.total]) {
            prop_assert_eq!(returns.gain, identity(returns));
            prop_assert!(returns.xirr.is_some() != returns.xirr_reason.is_some());
        }
        let first = performance(&ledger, Some(from), day(cut), None).total;
        let second = performance(&ledger, Some(day(cut + 1)), to, None).total;
        if let (Some(one), Some(two), Some(both)) = (first.gain, second.gain, whole.total.gain) {
            prop_assert_eq!(one.plus(two)?, both);
            prop_assert_eq!(first.end_value, second.start_value);
        }
        let part = |party| performance(&ledger, Some(from), to, Some(party)).total;
        let (a, b) = (part("a"), part("b"));
        prop_assert_eq!(a.income.plus(b.income)?, whole.total.income);
        for part in [&a, &b] {
            prop_assert_eq!(part.gain, identity(part));
        }
        if let (Some(a), Some(b), Some(both)) = (a.gain, b.gain, whole.total.gain) {
            prop_assert_eq!(a.plus(b)?, both);
        }
    }

    #[test]
    fn every_change_is_taken_back_by_its_undo(
        book in rows(0..15),
        earlier in prop::collection::vec(changes(), 0..4),
        last in changes(),
    ) {
        let rates = rates();
        let write = |ledger: &Ledger, name: &str, value: &Value| {
            let draft = Draft { batch: name.into(), today: TODAY, changes: vec![change(value.clone())] };
            ledger.assess(&draft, &rates).map(|assessment| assessment.after)
        };
        let ledger = earlier.iter().enumerate().fold(recorded(&book), |ledger, (place, value)| {
            write(&ledger, &format!("bat_c{place}"), value).unwrap_or(ledger)
        });
        let before = told(&ledger);
        if let Ok(after) = write(&ledger, "bat_last", &last) {
            let undone = after.without(&"bat_last".into());
            prop_assert_eq!(undone.map(|undone| told(&undone)), Ok(before));
            // Links, goals, losses and owners move no total.
            let moves = ["archive"].iter().any(|kind| last.get(kind).is_some());
            if !moves {
                let worth = |ledger: &Ledger| ledger.net_worth(&NetWorthQuery::on(TODAY), &rates).map(|sheet| sheet.net_worth);
                prop_assert_eq!(worth(&after), worth(&ledger));
            }
        }
    }

    #[test]
    fn an_archived_item_takes_no_row_and_leaves_the_past_alone(book in rows(1..20), on in 30u32..299) {
        let (ledger, rates) = (recorded(&book), rates());
        let archive = json!({"archive": {"item": "X", "on": day(on)}});
        let archive = Draft { batch: "bat_a".into(), today: TODAY, changes: vec![change(archive)] };
        let archived = ledger.assess(&archive, &rates)?.after;
        let eve = NetWorthQuery::on(day(on - 1));
        prop_assert_eq!(archived.net_worth(&eve, &rates)?, ledger.net_worth(&eve, &rates)?);
        let buy = json!({"transaction": {"item": "X", "type": "buy", "units": "1", "amount": "1"}});
        let refused = archived.assess(&draft("late", &[(buy, 1)]), &rates).map(|_| ());
        prop_assert_eq!(refused.map_err(|refusal| refusal.code.name()), Err("item_archived"));
    }
}

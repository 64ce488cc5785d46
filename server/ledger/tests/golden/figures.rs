//! Exchange rates, net worth, ownership, reconciliation and decimals.

use crate::book::{Book, TODAY, date, list, rates};
use crate::compare::matches;
use proofmark_ledger::decimal;
use proofmark_ledger::ids::{ItemId, PartyId};
use proofmark_ledger::rows::Figure;
use proofmark_ledger::{Breakdown, NetWorth, NetWorthQuery, RefusalCode, Rules};
use serde_json::{Map, Value, json};

pub fn exchange_rates(case: &Value, rules: &Rules) -> Result<(), String> {
    let (given, expect) = (&case["given"], &case["expect"]);
    let mut book = Book::of(given, rules);
    let rows = book.rows(&given["rows"], "transaction");
    let recorded = book.write(rows);
    if expect["refused"] == true {
        let refusal = recorded
            .err()
            .ok_or("expected a refusal, actual: recorded")?;
        return matches(case, &expect["code"], &json!(refusal.code));
    }
    let recorded = recorded.map_err(|refusal| refusal.to_string())?;
    if let Some(sale) = book.ledger.sales(&ItemId::from("X")).first() {
        let actual = json!({
            "gain": {sale.currency.code(): sale.gain},
            "gain_base": {sale.base_currency.code(): sale.gain_base},
            "cost_base_base": sale.cost_base_base, "net_proceeds_base": sale.net_proceeds_base,
        });
        return matches(case, expect, &actual);
    }
    let applied = recorded
        .rates
        .first()
        .ok_or("expected a rate, actual: none")?;
    matches(
        case,
        expect,
        &json!({"fx": applied.rate, "base_amount": applied.base_amount}),
    )
}

pub fn net_worth(case: &Value, rules: &Rules) -> Result<(), String> {
    let (ask, expect) = (&case["ask"], &case["expect"]);
    let book = Book::with_rows(&case["given"], rules).map_err(|refusal| refusal.to_string())?;
    let by_item = |on: &str| {
        let query = NetWorthQuery {
            date: date(on),
            party: None,
            by: Some(Breakdown::Item),
        };
        book.ledger
            .net_worth(&query, rates())
            .map_err(|refusal| refusal.to_string())
    };
    if let Some(on) = ask["date"].as_str() {
        return matches(case, expect, &as_asked(&by_item(on)?));
    }
    for on in list(&ask["dates"]).filter_map(Value::as_str) {
        let actual = by_item(on)?;
        match &expect[on] {
            total @ Value::String(_) => matches(case, total, &json!(actual.net_worth))?,
            figures => matches(case, figures, &as_asked(&actual))?,
        }
    }
    Ok(())
}

fn as_asked(actual: &NetWorth) -> Value {
    let mut items = Map::new();
    let mut dates = Map::new();
    for line in actual.breakdown.iter().flatten() {
        let item = line.key.clone().unwrap_or_default();
        items.insert(item.clone(), json!(line.value));
        dates.insert(item, json!(line.value_date));
    }
    if let Some(applied) = actual.rates.first() {
        dates.insert("fx".to_owned(), json!(applied.rate_date));
    }
    json!({
        "assets": actual.assets, "liabilities": actual.liabilities, "net_worth": actual.net_worth,
        "cash": actual.cash, "investable": actual.investable, "partial": actual.partial,
        "missing": actual.missing.iter().map(|missing| &missing.item).collect::<Vec<_>>(),
        "stale": actual.stale.iter().map(|stale| &stale.item).collect::<Vec<_>>(),
        "items": items, "dates_used": dates,
    })
}

pub fn ownership(case: &Value, rules: &Rules) -> Result<(), String> {
    let (given, ask, expect) = (&case["given"], &case["ask"], &case["expect"]);
    let mut book = Book::with_rows(given, rules).map_err(|refusal| refusal.to_string())?;
    let figure = |book: &Book, on: &str, party: Option<PartyId>, by: Option<Breakdown>| {
        let query = NetWorthQuery {
            date: date(on),
            party,
            by,
        };
        book.ledger
            .net_worth(&query, rates())
            .map_err(|refusal| refusal.to_string())
    };
    if ask["tool"] == "set_owners" {
        let refusal = book
            .set_owners("X", ask)
            .err()
            .ok_or("expected a refusal, actual: taken")?;
        return matches(case, &expect["code"], &json!(refusal.code));
    }
    if let Some(on) = ask["date"].as_str() {
        let actual = figure(&book, on, None, Some(Breakdown::Party))?;
        let parties: Map<_, _> = actual
            .breakdown
            .iter()
            .flatten()
            .map(|line| (line.key.clone().unwrap_or_default(), json!(line.value)))
            .collect();
        return matches(
            case,
            expect,
            &json!({"by_party": parties, "net_worth": actual.net_worth}),
        );
    }
    let party = PartyId::from(ask["party"].as_str().ok_or("a party")?);
    for (place, step) in list(&given["steps"]).enumerate() {
        let item = step["item"].as_str().ok_or("an item")?;
        book.set_owners(item, step)
            .map_err(|refusal| refusal.to_string())?;
        let after = &expect[format!("after_step_{}", place + 1)];
        for on in list(&ask["dates"]).filter_map(Value::as_str) {
            let actual = figure(&book, on, Some(party.clone()), None)?.net_worth;
            matches(case, &after[on], &json!(actual))?;
            let household = figure(&book, on, None, None)?.net_worth;
            matches(case, &json!("1000"), &json!(household))?;
        }
    }
    Ok(())
}

pub fn reconciliations(case: &Value, rules: &Rules) -> Result<(), String> {
    let book = Book::with_rows(&case["given"], rules).map_err(|refusal| refusal.to_string())?;
    let mut results = Vec::new();
    for check in list(&case["ask"]["checks"]) {
        let mut fields = check.as_object().ok_or("a check")?.clone();
        let item = ItemId::from(check["item"].as_str().ok_or("an item")?);
        let on = date(check["date"].as_str().ok_or("a date")?);
        fields.retain(|name, _| name != "item" && name != "date");
        let figure: Figure =
            serde_json::from_value(fields.into()).map_err(|error| error.to_string())?;
        let result = book.ledger.compare(&item, on, &figure, rates());
        results.push(json!(result.map_err(|refusal| refusal.to_string())?));
    }
    matches(case, &case["expect"], &json!({"results": results}))
}

pub fn decimals(case: &Value, rules: &Rules) -> Result<(), String> {
    let (given, expect) = (&case["given"], &case["expect"]);
    if given.get("strings").is_some() {
        let accepted = expect["accepted"] == true;
        for text in list(&given["strings"]).filter_map(Value::as_str) {
            let echo = decimal::parse(text).map(|value| value.to_string());
            if echo.is_ok() != accepted || echo.is_ok_and(|echo| echo != text) {
                return Err(format!(
                    "{text:?}: expected accepted = {accepted}, byte for byte"
                ));
            }
        }
        let row =
            |units: &Value| json!({"id": "a", "item": "X", "date": "2024-01-01", "price": units});
        let as_price = |value| serde_json::from_value::<proofmark_ledger::rows::Price>(row(value));
        return match list(&given["non_strings"]).find(|value| as_price(value).is_ok()) {
            Some(value) => Err(format!("{value} was taken for a decimal string")),
            None => Ok(()),
        };
    }
    let book = Book::with_rows(given, rules);
    if let Err(refusal) = &book {
        let allowed = list(&expect["any_of"]).any(|allowed| allowed["code"] == refusal.code.name());
        assert_eq!(
            refusal.code,
            RefusalCode::Overflow,
            "no other refusal may come from a sum"
        );
        return if allowed {
            Ok(())
        } else {
            Err(refusal.to_string())
        };
    }
    let book = book.map_err(|refusal| refusal.to_string())?;
    let item = list(&given["items"])
        .find_map(|item| item["id"].as_str())
        .ok_or("an item")?;
    let position = book
        .ledger
        .position(&item.into(), date(TODAY), rates())
        .map_err(|no| no.to_string())?;
    let actual = json!({"balance": position.value, "value": position.value});
    match expect["any_of"].as_array() {
        Some(allowed) => {
            let met = allowed
                .iter()
                .any(|allowed| matches(case, allowed, &actual).is_ok());
            if met {
                Ok(())
            } else {
                Err(format!("expected one of {allowed:?}, actual {actual}"))
            }
        }
        None => matches(case, expect, &actual),
    }
}

//! History, performance, debts, goals and losses.

use crate::book::{Book, date, list, rates};
use crate::compare::matches;
use proofmark_ledger::{HistoryQuery, Interval, PerformanceQuery, Rules};
use serde_json::{Map, Value, json};

pub fn history(case: &Value, rules: &Rules) -> Result<(), String> {
    let (ask, expect) = (&case["ask"], &case["expect"]);
    let book = Book::with_rows(&case["given"], rules).map_err(|refusal| refusal.to_string())?;
    let asked = |ask: &Value| {
        let day = |name: &str| date(ask[name].as_str().expect("a date"));
        let query = HistoryQuery {
            from: day("from"),
            to: day("to"),
            interval: serde_json::from_value::<Interval>(ask["interval"].clone())
                .expect("an interval"),
            party: None,
            by: None,
        };
        let history = book.ledger.history(&query, rates());
        history.map_err(|refusal| refusal.to_string())
    };
    if ask.get("queries").is_some() {
        let mut dates = Vec::new();
        for query in list(&ask["queries"]) {
            let points = asked(query)?.points;
            dates.push(points.iter().map(|point| point.date).collect::<Vec<_>>());
        }
        return matches(case, expect, &json!({"dates": dates}));
    }
    let history = asked(ask)?;
    let points: Vec<Value> = history
        .points
        .iter()
        .map(|point| {
            json!({
                "date": point.date, "net_worth": point.net_worth, "partial": point.partial,
                "missing": point.missing.iter().map(|missing| &missing.item).collect::<Vec<_>>(),
            })
        })
        .collect();
    let change = history.change.map(|change| change.amount);
    matches(case, expect, &json!({"points": points, "change": change}))
}

pub fn performance(case: &Value, rules: &Rules) -> Result<(), String> {
    let (ask, mut expect) = (&case["ask"], case["expect"].clone());
    let book = Book::with_rows(&case["given"], rules).map_err(|refusal| refusal.to_string())?;
    let query = PerformanceQuery {
        from: ask["from"].as_str().map(date),
        to: date(ask["to"].as_str().ok_or("a date")?),
        item: None,
        party: None,
    };
    let performance = book.ledger.performance(&query, rates());
    let total = performance.map_err(|refusal| refusal.to_string())?.total;
    if let Some(fields) = expect.as_object_mut() {
        fields.remove("xirr_alternatives");
    }
    matches(case, &expect, &json!(total))
}

pub fn debts(case: &Value, rules: &Rules) -> Result<(), String> {
    let (given, ask, expect) = (&case["given"], &case["ask"], &case["expect"]);
    let mut book = Book::with_rows(given, rules).map_err(|refusal| refusal.to_string())?;
    for link in list(&given["links"]) {
        let link = match link["offset"].as_str() {
            Some(account) => json!({"from": account, "to": link["loan"], "relation": "offset"}),
            None => {
                json!({"from": link["loan"], "to": link["secured_by"], "relation": "secured_by"})
            }
        };
        book.write_json(vec![json!({"link": link})])
            .map_err(|refusal| refusal.to_string())?;
    }
    let report = |on: &str| {
        let report = book.ledger.debt_report(date(on), rates());
        report.map_err(|refusal| refusal.to_string())
    };
    for on in list(&ask["dates"]).filter_map(Value::as_str) {
        let balance = report(on)?.loans.first().map(|loan| loan.balance);
        matches(case, &expect[on], &json!(balance))?;
    }
    let Some(on) = ask["date"].as_str() else {
        return Ok(());
    };
    let report = report(on)?;
    let by_item = |rows: Vec<Value>| -> Map<String, Value> {
        let named = rows.into_iter().map(|row| {
            let name = row["item"].as_str().unwrap_or_default().to_owned();
            (name, row)
        });
        named.collect()
    };
    let actual = json!({
        "properties": by_item(report.properties.iter().map(|property| json!(property)).collect()),
        "loans": by_item(report.loans.iter().map(|loan| json!(loan)).collect()),
        "total_debt": report.total_debt,
    });
    matches(case, expect, &actual)
}

pub fn goals_and_losses(case: &Value, rules: &Rules) -> Result<(), String> {
    if case["area"] == "goals" {
        goals(case, rules)
    } else {
        losses(case, rules)
    }
}

/// A goal over a book that has the stated figures, made by deposits, or by what is drawn and paid back.
fn goals(case: &Value, rules: &Rules) -> Result<(), String> {
    let (given, goal) = (&case["given"], &case["given"]["goal"]);
    let debt = goal["kind"] == "debt";
    let kind = if debt { "loan" } else { "cash" };
    let items = json!([{"id": "M", "kind": kind, "currency": given["base_currency"]}]);
    let mut book = Book::of(
        &json!({"base_currency": given["base_currency"], "items": items}),
        rules,
    );
    let mut rows = Vec::new();
    let mut last = 0;
    for (day, figure) in given["figures"].as_object().into_iter().flatten() {
        let figure: i64 = figure
            .as_str()
            .and_then(|figure| figure.parse().ok())
            .ok_or("a whole figure")?;
        let (rises, falls) = if debt {
            ("drawdown", "repayment")
        } else {
            ("deposit", "withdrawal")
        };
        let kind = if figure > last { rises } else { falls };
        let amount = (figure - last).abs().to_string();
        rows.push(json!({"type": kind, "item": "M", "date": day, "amount": amount}));
        last = figure;
    }
    let rows = book.rows(&json!(rows), "transaction");
    book.write(rows).map_err(|refusal| refusal.to_string())?;
    book.write_json(vec![json!({"goal": {
        "goal": "G", "create": true, "name": "G", "kind": goal["kind"], "target": goal["target"],
        "currency": given["base_currency"], "by": goal["by"],
    }})])
    .map_err(|refusal| refusal.to_string())?;
    let on = date(case["ask"]["date"].as_str().ok_or("a date")?);
    let reports = book.ledger.goal_reports(on, rates());
    let reports = reports.map_err(|refusal| refusal.to_string())?;
    let report = reports.first().ok_or("expected a goal, actual: none")?;
    let mut actual = json!(report);
    actual["trend_12m"] = actual["trend"].clone();
    matches(case, &case["expect"], &actual)
}

fn losses(case: &Value, rules: &Rules) -> Result<(), String> {
    let given = &case["given"];
    let mut book = Book::of(given, rules);
    for (place, loss) in list(&given["losses"]).enumerate() {
        let change = json!({"loss": {
            "loss": format!("L{place}"), "create": true, "party": loss["owner"], "kind": loss["kind"],
            "year": loss["year"], "amount": loss["amount"], "used": loss["used"],
        }});
        book.write_json(vec![change])
            .map_err(|refusal| refusal.to_string())?;
    }
    let ledger = &book.ledger;
    let remaining: Vec<_> = ledger
        .open_losses()
        .map(|loss| json!(loss.remaining().ok()))
        .collect();
    let totals = ledger
        .loss_totals()
        .map_err(|overflow| overflow.to_string())?;
    let by_party: Map<String, Value> = totals
        .iter()
        .map(|totals| (totals.party.to_string(), json!(totals.total.remaining)))
        .collect();
    let sheet = ledger.net_worth(
        &proofmark_ledger::NetWorthQuery::on(date(crate::book::TODAY)),
        rates(),
    );
    let net_worth = sheet.map_err(|refusal| refusal.to_string())?.net_worth;
    let actual = json!({"remaining": remaining, "by_party": by_party, "net_worth": net_worth});
    matches(case, &case["expect"], &actual)
}

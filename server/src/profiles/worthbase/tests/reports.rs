//! Reports over time: history, performance, debts, simulated sales.

use super::*;

/// A book in AUD with shares, a house on a loan with an offset account, and dollars.
async fn book() -> (Household, HashMap<&'static str, String>) {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let batch = json!({
        "items": [
            {"key": "x", "name": "Shares", "kind": "security"},
            {"key": "house", "name": "House", "kind": "property"},
            {"key": "loan", "name": "Loan", "kind": "loan"},
            {"key": "offset", "name": "Offset", "kind": "cash"},
            {"key": "usd", "name": "Dollars", "kind": "cash", "currency": "USD"},
        ],
        "transactions": [
            {"item": "x", "type": "buy", "date": "2024-01-15", "units": "10", "amount": "1000", "fees": "5"},
            row("loan", "opening_balance", "2024-01-01", "400"),
            row("offset", "deposit", "2024-01-01", "60"),
            row("usd", "deposit", "2024-06-28", "10"),
        ],
        "valuations": [{"item": "house", "date": "2024-03-05", "value": "800"}],
        "prices": [
            {"item": "x", "date": "2024-01-15", "price": "100"},
            {"item": "x", "date": "2024-02-20", "price": "110"},
        ],
        "dry_run": false,
    });
    let written = home.ok("ada", "record", batch).await;
    let ids = written["created"]["items"].as_array().unwrap().iter();
    let id = |key: &str| {
        let item = ids.clone().find(|item| item["key"] == key).unwrap();
        text_at(item, "/id")
    };
    let keys = ["x", "house", "loan", "offset", "usd"];
    let ids = keys.map(|key| (key, id(key))).into();
    (home, ids)
}

#[tokio::test]
async fn every_point_of_a_history_is_the_balance_sheet_of_its_day() {
    let (home, _) = book().await;
    let range =
        json!({"from": "2023-12-31", "to": "2024-06-30", "interval": "month", "by": "kind"});
    let history = home.ok("ada", "get_history", range).await;
    let points = history["points"].as_array().unwrap();
    assert_eq!(points.len(), 7);
    for point in points {
        let asked = json!({"date": point["date"], "by": "kind"});
        let sheet = home.ok("ada", "get_net_worth", asked).await;
        for figure in ["assets", "liabilities", "net_worth", "missing", "breakdown"] {
            assert_eq!(
                point[figure], sheet[figure],
                "{figure} on {}",
                point["date"]
            );
        }
    }
    assert_eq!(
        (&points[0]["partial"], &points[0]["net_worth"]),
        (&json!(true), &json!("0"))
    );
    assert_eq!(points[1]["partial"], json!(false));
    // 1100 and 800 and 60 and 10 dollars, less 400.
    let worth = text_at(&points[6], "/net_worth");
    assert_eq!(worth, "1575.02008407286314806");
    assert_eq!(history["change"]["ratio"], Value::Null);
}

#[tokio::test]
async fn a_range_that_makes_no_sense_is_refused_and_an_empty_one_is_empty() {
    let (home, _) = book().await;
    for (range, field) in [
        (
            json!({"from": "2024-02-01", "to": "2024-01-01", "interval": "month"}),
            "from",
        ),
        (
            json!({"from": "1900-01-01", "to": "2100-01-01", "interval": "month"}),
            "from",
        ),
        (
            json!({"from": "2024-01-01", "to": "2024-02-01", "interval": "week"}),
            "interval",
        ),
    ] {
        let fault = home.call("ada", "get_history", range).await.unwrap_err();
        assert_eq!(
            (fault.code.as_ref(), fault.field.as_deref()),
            ("invalid_input", Some(field))
        );
    }
    let range = json!({"from": "2023-02-01", "to": "2023-02-27", "interval": "month"});
    let history = home.ok("ada", "get_history", range).await;
    assert_eq!(
        (&history["points"], &history["change"]),
        (&json!([]), &Value::Null)
    );
    let party = json!({"from": "2024-01-01", "to": "2024-02-01", "interval": "month",
                       "party": identifiers::new_id("pty")});
    assert_eq!(home.code("ada", "get_history", party).await, "not_found");
}

#[tokio::test]
async fn performance_adds_up_and_says_why_there_is_no_rate() {
    let (home, ids) = book().await;
    let period = json!({"to": "2024-06-30", "item": ids["x"]});
    let x = home.ok("ada", "get_performance", period).await;
    assert_eq!(
        x["total"],
        json!({
            "start_value": "0", "end_value": "1100", "money_in": "1005", "money_out": "0", "income": "0",
            "retained_income": "0", "gain": "95", "simple_return": "0.0945273632",
            "xirr": x["total"]["xirr"], "short_period": true, "currency": "AUD",
        })
    );
    assert!(text_at(&x, "/total/xirr").starts_with("0.21"), "{x:#}");
    let all = home
        .ok(
            "ada",
            "get_performance",
            json!({"from": "2024-01-01", "to": "2024-06-30"}),
        )
        .await;
    // The loan is no investment.
    assert_eq!(all["items"].as_array().unwrap().len(), 4);
    assert_eq!(all["total"]["start_value"], "0");
    let before = home
        .ok(
            "ada",
            "get_performance",
            json!({"to": "2024-01-20", "item": ids["usd"]}),
        )
        .await;
    assert_eq!(
        (&before["total"]["xirr"], &before["total"]["xirr_reason"]),
        (&Value::Null, &json!("no_flows"))
    );
    let debt = json!({"item": ids["loan"]});
    assert_eq!(
        home.code("ada", "get_performance", debt).await,
        "invalid_input"
    );
    let unpriced = home.item("ada", "security", "AUD").await;
    let rows = json!([units(&unpriced, "buy", "2024-02-01", "1", "9")]);
    home.ok(
        "ada",
        "record",
        json!({"transactions": rows, "dry_run": false}),
    )
    .await;
    let missing = home
        .ok("ada", "get_performance", json!({"to": "2024-06-30"}))
        .await;
    assert_eq!(
        (
            &missing["total"]["gain"],
            &missing["total"]["xirr_reason"],
            &missing["partial"]
        ),
        (&Value::Null, &json!("value_missing"), &json!(true))
    );
    assert_eq!(missing["missing"][0]["item"], json!(unpriced));
}

#[tokio::test]
async fn the_debt_report_follows_the_links_and_changes_no_net_worth() {
    let (home, ids) = book().await;
    let before = home.net_worth("ada").await;
    let link = |from: &str, to: &str, relation: &str| json!({"from": ids[from], "to": ids[to], "relation": relation});
    for one in [
        link("loan", "house", "secured_by"),
        link("offset", "loan", "offset"),
        link("loan", "x", "funds"),
    ] {
        let written = home.ok("ada", "link_items", one).await;
        assert_eq!(written["net_worth"]["change"], "0");
    }
    let report = home
        .ok("ada", "get_debt_report", json!({"date": "2024-06-30"}))
        .await;
    let loan = &report["loans"][0];
    assert_eq!(
        (&loan["balance"], &loan["offset"], &loan["net_of_offset"]),
        (&json!("400"), &json!("60"), &json!("340"))
    );
    assert_eq!(loan["funds"][0]["name"], "Shares");
    let house = &report["properties"][0];
    assert_eq!(
        (&house["secured_debt"], &house["equity"], &house["lvr"]),
        (&json!("400"), &json!("400"), &json!("0.5"))
    );
    assert_eq!(report["totals"]["total_debt"], "400");
    for (from, to, relation, code) in [
        ("usd", "house", "secured_by", "invalid_input"),
        ("house", "loan", "secured_by", "invalid_input"),
        ("loan", "loan", "funds", "invalid_input"),
        ("loan", "house", "secured_by", "invalid_input"),
    ] {
        assert_eq!(
            home.code("ada", "link_items", link(from, to, relation))
                .await,
            code,
            "{from} {to}"
        );
    }
    let item = home
        .ok("ada", "get_item", json!({"item": ids["loan"]}))
        .await;
    assert_eq!(item["links"].as_array().unwrap().len(), 3);
    let mut unlink = link("loan", "house", "secured_by");
    unlink["remove"] = json!(true);
    let removed = home.ok("ada", "link_items", unlink.clone()).await;
    assert_eq!(home.code("ada", "link_items", unlink).await, "not_found");
    let report = home
        .ok("ada", "get_debt_report", json!({"date": "2024-06-30"}))
        .await;
    assert_eq!(report["properties"][0]["lvr"], "0");
    home.ok(
        "ada",
        "undo",
        json!({"batch": removed["batch"], "dry_run": false}),
    )
    .await;
    let report = home
        .ok("ada", "get_debt_report", json!({"date": "2024-06-30"}))
        .await;
    assert_eq!(report["properties"][0]["lvr"], "0.5");
    assert_eq!(home.net_worth("ada").await, before);
}

#[tokio::test]
async fn a_simulated_sale_is_the_sale_that_would_be_and_leaves_no_trace() {
    let (home, ids) = book().await;
    let batches = home.ok("ada", "list_batches", json!({})).await;
    let asked = json!({"item": ids["x"], "date": "2024-02-10", "units": "4", "fees": "3"});
    let simulated = home.ok("ada", "simulate_sale", asked).await;
    assert_eq!(
        (
            &simulated["price"],
            &simulated["price_date"],
            &simulated["gross_proceeds"]
        ),
        (&json!("100"), &json!("2024-01-15"), &json!("400"))
    );
    assert_eq!(
        (&simulated["gain"], &simulated["position_after"]["units"]),
        (&json!("-5"), &json!("6"))
    );
    assert_eq!(simulated["parties"][0]["gain"], "-5");
    for (asked, code) in [
        (
            json!({"item": ids["x"], "units": "10.000000000000000001"}),
            "oversell",
        ),
        (
            json!({"item": ids["x"], "price": "1", "amount": "1"}),
            "invalid_input",
        ),
        (json!({"item": ids["house"], "units": "1"}), "invalid_input"),
        (json!({"item": ids["offset"]}), "invalid_input"),
        (json!({"item": identifiers::new_id("itm")}), "not_found"),
    ] {
        assert_eq!(home.code("ada", "simulate_sale", asked).await, code);
    }
    let whole = home
        .ok("ada", "simulate_sale", json!({"item": ids["house"]}))
        .await;
    assert_eq!(
        (&whole["gain"], &whole["lots"]),
        (&json!("800"), &json!([]))
    );
    assert_eq!(home.ok("ada", "list_batches", json!({})).await, batches);
    let sale = json!({"item": ids["x"], "type": "sell", "date": "2024-02-10", "units": "4", "amount": "400", "fees": "3"});
    home.ok(
        "ada",
        "record",
        json!({"transactions": [sale], "dry_run": false}),
    )
    .await;
    let item = home.ok("ada", "get_item", json!({"item": ids["x"]})).await;
    assert_eq!(item["sales"][0]["gain"], simulated["gain"]);
    assert_eq!(
        item["sales"][0]["lots"][0]["lot"],
        simulated["lots"][0]["lot"]
    );
}

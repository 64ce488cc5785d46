//! The read tools: figures, lists, pages.

use super::*;

#[tokio::test]
async fn decimals_come_back_as_they_were_given() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let coin = home.item("ada", "crypto", "AUD").await;
    let rows = json!([units(&coin, "buy", "2024-01-01", "0.00350000", "300.10")]);
    home.ok(
        "ada",
        "record",
        json!({"transactions": rows, "dry_run": false}),
    )
    .await;
    let item = home.ok("ada", "get_item", json!({"item": coin})).await;
    let stored = &item["transactions"][0];
    assert_eq!(
        (&stored["units"], &stored["amount"], &stored["currency"]),
        (&json!("0.00350000"), &json!("300.10"), &json!("AUD"))
    );
    assert_eq!(item["position"]["value"], Value::Null);
    assert_eq!(item["position"]["unrealised_gain"], Value::Null);
    let sheet = home.ok("ada", "get_net_worth", json!({})).await;
    assert_eq!(
        (&sheet["partial"], &sheet["missing"][0]["reason"]),
        (&json!(true), &json!("price"))
    );
}

#[tokio::test]
async fn the_balance_sheet_adds_up_in_every_breakdown() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let batch = json!({
        "accounts": [{"key": "bank", "name": "Bank", "kind": "bank"}],
        "items": [
            {"key": "cash", "name": "Cash", "kind": "cash", "account": "bank"},
            {"key": "home", "name": "House", "kind": "property"},
            {"key": "loan", "name": "Loan", "kind": "loan"},
            {"key": "usd", "name": "Dollars", "kind": "cash", "currency": "USD"},
        ],
        "transactions": [
            row("cash", "deposit", "2026-01-01", "100.10"),
            row("loan", "opening_balance", "2026-01-01", "300"),
            row("usd", "deposit", "2026-10-30", "12.5"),
        ],
        "valuations": [{"item": "home", "date": "2026-10-29", "value": "500"}],
        "dry_run": false,
    });
    home.ok("ada", "record", batch).await;
    for by in ["class", "kind", "party", "account", "item"] {
        let sheet = home.ok("ada", "get_net_worth", json!({"by": by})).await;
        assert_eq!(
            (&sheet["assets"], &sheet["liabilities"], &sheet["net_worth"]),
            (&json!("617.1"), &json!("300"), &json!("317.1"))
        );
        assert!(!sheet["breakdown"].as_array().unwrap().is_empty(), "{by}");
    }
    assert_eq!(
        home.ok("ada", "get_net_worth", json!({"date": "2025-12-31"}))
            .await["net_worth"],
        "0"
    );
    let all = home
        .ok("ada", "get_net_worth", json!({"workspace": "all"}))
        .await;
    assert_eq!(
        (&all["net_worth"], &all["workspaces"][0]["included"]),
        (&json!("317.1"), &json!(true))
    );
    assert_eq!(
        home.code(
            "ada",
            "get_net_worth",
            json!({"workspace": "all", "by": "item"})
        )
        .await,
        "invalid_input"
    );
    assert_eq!(
        home.code("ada", "get_overview", json!({"workspace": "all"}))
            .await,
        "invalid_input"
    );
    let overview = home.ok("ada", "get_overview", json!({})).await;
    assert_eq!(
        overview["item_counts"],
        json!({"assets": 3, "liabilities": 1, "archived": 0})
    );
    let party = text_at(&overview, "/parties/0/id");
    assert_eq!(
        home.ok("ada", "get_net_worth", json!({"party": party}))
            .await["net_worth"],
        "317.1"
    );
}

#[tokio::test]
async fn everybodys_own_share_is_added_up_in_the_defaults_currency() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let euros = home.workspace("ada", "EUR").await;
    let cash = home.item("ada", "cash", "AUD").await;
    home.ok(
        "ada",
        "record",
        json!({"transactions": [row(&cash, "deposit", "2026-10-01", "17")], "dry_run": false}),
    )
    .await;
    let items = json!([{"key": "k", "name": "Euro", "kind": "cash"}]);
    home.ok("ada", "record", json!({"workspace": euros, "items": items, "transactions": [row("k", "deposit", "2026-10-01", "10")], "dry_run": false})).await;
    let all = home
        .ok("ada", "get_net_worth", json!({"workspace": "all"}))
        .await;
    assert_eq!(
        (&all["net_worth"], &all["currency"]),
        (&json!("34"), &json!("AUD"))
    );
    home.set_subscription(&euros, "canceled");
    let part = home
        .ok("ada", "get_net_worth", json!({"workspace": "all"}))
        .await;
    assert_eq!(
        (&part["net_worth"], &part["workspaces"][1]["reason"]),
        (&json!("17"), &json!("subscription_required"))
    );
}

#[tokio::test]
async fn pages_are_disjoint_and_complete_while_others_write() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let mut written = Vec::new();
    for _ in 0..5 {
        written.push(home.item("ada", "cash", "AUD").await);
    }
    for (tool, list) in [("list_items", "items"), ("list_batches", "batches")] {
        let all = home.ok("ada", tool, json!({})).await;
        let expected: Vec<Value> = all[list]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["id"].clone())
            .collect();
        let (mut seen, mut cursor) = (Vec::new(), Value::Null);
        loop {
            let mut arguments = json!({"limit": 2});
            if !cursor.is_null() {
                arguments["cursor"] = cursor.clone();
            }
            let page = home.ok("ada", tool, arguments).await;
            seen.extend(
                page[list]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|entry| entry["id"].clone()),
            );
            home.item("ada", "cash", "AUD").await;
            cursor = page["next_cursor"].clone();
            if cursor.is_null() || seen.len() >= expected.len() {
                break;
            }
        }
        assert_eq!(seen[..expected.len()], expected[..], "{tool}");
        let foreign = home.ok("ada", tool, json!({"limit": 1})).await["next_cursor"].clone();
        home.workspace("eve", "AUD").await;
        assert_eq!(
            home.code("eve", tool, json!({"cursor": foreign})).await,
            "invalid_input"
        );
        let other = if tool == "list_items" {
            "list_batches"
        } else {
            "list_items"
        };
        assert_eq!(
            home.code("ada", other, json!({"cursor": foreign})).await,
            "invalid_input"
        );
    }
}

#[tokio::test]
async fn a_list_is_narrowed_to_what_fits() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    home.item("ada", "cash", "AUD").await;
    home.item("ada", "loan", "AUD").await;
    let cash = home.ok("ada", "list_items", json!({"kind": "cash"})).await;
    assert_eq!(
        (
            cash["items"].as_array().unwrap().len(),
            &cash["items"][0]["side"]
        ),
        (1, &json!("asset"))
    );
    assert_eq!(
        home.ok("ada", "list_items", json!({"class": "debt"})).await["items"][0]["kind"],
        "loan"
    );
    assert_eq!(
        home.code(
            "ada",
            "list_items",
            json!({"account": identifiers::new_id("acc")})
        )
        .await,
        "not_found"
    );
    assert_eq!(
        home.code(
            "ada",
            "list_items",
            json!({"party": identifiers::new_id("pty")})
        )
        .await,
        "not_found"
    );
}

#[tokio::test]
async fn the_guides_examples_preview_as_printed() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let guide = home.profile.resources()[0].text.clone();
    let examples: Vec<Value> = guide
        .split("```json\n")
        .skip(1)
        .map(|rest| serde_json::from_str(rest.split("```").next().unwrap()).unwrap())
        .collect();
    assert!(examples.len() >= 2);
    for example in examples {
        let preview = home.ok("ada", "record", example).await;
        let surprises: Vec<&Value> = preview["warnings"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|warning| warning["code"] != "possible_duplicate")
            .collect();
        assert!(surprises.is_empty(), "{surprises:?}");
        for check in preview["reconciliations"].as_array().unwrap() {
            assert_eq!(check["status"], "match", "{check}");
        }
    }
}

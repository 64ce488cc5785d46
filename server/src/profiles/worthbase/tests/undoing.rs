//! `undo`, `void` and `reconcile`: what is taken back, and what is only looked at.

use super::*;

async fn figures(home: &Household, items: &[&str]) -> Vec<Value> {
    let mut seen = vec![home.ok("ada", "get_net_worth", json!({"by": "item"})).await];
    for item in items {
        seen.push(home.ok("ada", "get_item", json!({"item": item})).await);
    }
    seen
}

#[tokio::test]
async fn undo_previews_first_and_then_gives_everything_back() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let share = home.item("ada", "security", "AUD").await;
    let before = figures(&home, &[&share]).await;
    let batch = json!({
        "items": [{"key": "gold", "name": "Gold", "kind": "other"}],
        "transactions": [units(&share, "buy", "2024-01-01", "10", "1000")],
        "prices": [{"item": share, "date": "2026-10-30", "price": "120"}],
        "valuations": [{"item": "gold", "date": "2026-10-30", "value": "300"}],
        "dry_run": false,
    });
    let written = home.ok("ada", "record", batch).await;
    let after = figures(&home, &[&share]).await;
    let preview = home
        .ok("ada", "undo", json!({"batch": written["batch"]}))
        .await;
    assert_eq!(preview["status"], "committed");
    assert_eq!(preview["removed"].as_array().unwrap().len(), 4);
    assert_eq!(
        preview["net_worth"],
        json!({"before": "1500", "after": "0", "change": "-1500", "currency": "AUD"})
    );
    assert_eq!(figures(&home, &[&share]).await, after);
    let undone = home
        .ok(
            "ada",
            "undo",
            json!({"batch": written["batch"], "dry_run": false}),
        )
        .await;
    assert_eq!(
        (&undone["net_worth"], &undone["status"]),
        (&preview["net_worth"], &json!("undone"))
    );
    assert_eq!(figures(&home, &[&share]).await, before);
    let gold = text_at(&written, "/created/items/0/id");
    assert_eq!(
        home.code("ada", "get_item", json!({"item": gold})).await,
        "not_found"
    );
    assert_eq!(
        home.code("ada", "undo", json!({"batch": written["batch"]}))
            .await,
        "already_undone"
    );
    let listed = home
        .ok("ada", "list_batches", json!({"status": "undone"}))
        .await;
    assert_eq!(listed["batches"][0]["id"], written["batch"]);
    assert_eq!(
        home.ok("ada", "list_batches", json!({"status": "committed"}))
            .await["batches"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn undo_refuses_what_a_later_row_needs_and_names_it() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let share = home.item("ada", "security", "AUD").await;
    let buy = home.ok("ada", "record", json!({"transactions": [units(&share, "buy", "2024-01-01", "10", "1000")], "dry_run": false})).await;
    let sale = home.ok("ada", "record", json!({"transactions": [units(&share, "sell", "2024-02-02", "4", "500")], "dry_run": false})).await;
    for dry_run in [true, false] {
        let fault = home
            .call(
                "ada",
                "undo",
                json!({"batch": buy["batch"], "dry_run": dry_run}),
            )
            .await
            .unwrap_err();
        assert_eq!(fault.code, "would_not_replay");
        let row = &fault.details["row"];
        assert_eq!(
            (&row["id"], &row["date"], &row["code"], &row["batch"]),
            (
                &sale["rows"][0]["id"],
                &json!("2024-02-02"),
                &json!("oversell"),
                &sale["batch"]
            )
        );
    }
    home.ok(
        "ada",
        "undo",
        json!({"batch": sale["batch"], "dry_run": false}),
    )
    .await;
    home.ok(
        "ada",
        "undo",
        json!({"batch": buy["batch"], "dry_run": false}),
    )
    .await;
    assert_eq!(
        home.ok("ada", "get_item", json!({"item": share})).await["position"]["units"],
        "0"
    );
}

#[tokio::test]
async fn unknown_and_foreign_batches_are_refused_alike() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let written = home
        .ok(
            "ada",
            "record",
            json!({"items": [{"name": "x", "kind": "cash"}], "dry_run": false}),
        )
        .await;
    home.workspace("eve", "AUD").await;
    let foreign = home
        .call("eve", "undo", json!({"batch": written["batch"]}))
        .await
        .unwrap_err();
    let unknown = home
        .call("eve", "undo", json!({"batch": identifiers::new_id("bat")}))
        .await
        .unwrap_err();
    assert_eq!(
        (foreign.body(), unknown.code.as_ref()),
        (unknown.body(), "not_found")
    );
}

#[tokio::test]
async fn void_takes_named_rows_and_can_be_undone() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let cash = home.item("ada", "cash", "AUD").await;
    let rows: Vec<Value> = ["1.00", "2.00", "4.00"]
        .iter()
        .map(|amount| row(&cash, "deposit", "2024-01-01", amount))
        .collect();
    let written = home
        .ok(
            "ada",
            "record",
            json!({"transactions": rows, "dry_run": false}),
        )
        .await;
    let before = figures(&home, &[&cash]).await;
    let row = written["rows"][1]["id"].clone();
    let missing = home
        .call(
            "ada",
            "void",
            json!({"transactions": [row, identifiers::new_id("txn")]}),
        )
        .await
        .unwrap_err();
    assert_eq!(
        (missing.code.as_ref(), missing.field.as_deref()),
        ("not_found", Some("transactions[1]"))
    );
    let voided = home
        .ok(
            "ada",
            "void",
            json!({"transactions": [row, row], "reason": "typed twice"}),
        )
        .await;
    assert_eq!(
        (&voided["net_worth"]["change"], &voided["voided"]),
        (&json!("-2"), &json!([row]))
    );
    assert_eq!(home.net_worth("ada").await, "5");
    assert_eq!(
        home.code("ada", "void", json!({"transactions": [row]}))
            .await,
        "not_found"
    );
    let preview = home
        .ok("ada", "undo", json!({"batch": voided["batch"]}))
        .await;
    assert_eq!(preview["restored"], json!([{"kind": "row", "id": row}]));
    home.ok(
        "ada",
        "undo",
        json!({"batch": voided["batch"], "dry_run": false}),
    )
    .await;
    assert_eq!(figures(&home, &[&cash]).await, before);
}

#[tokio::test]
async fn a_check_is_recorded_either_way_and_a_later_match_closes_it() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let share = home.item("ada", "security", "AUD").await;
    home.ok("ada", "record", json!({"transactions": [units(&share, "buy", "2024-01-01", "10.5", "1000")], "dry_run": false})).await;
    let wrong = home
        .ok(
            "ada",
            "reconcile",
            json!({"item": share, "date": "2024-01-31", "units": "10.623"}),
        )
        .await;
    assert_eq!(
        (&wrong["status"], &wrong["calculated"], &wrong["difference"]),
        (&json!("mismatch"), &json!("10.5"), &json!("0.123"))
    );
    let overview = home.ok("ada", "get_overview", json!({})).await;
    assert_eq!(overview["open_mismatches"][0]["id"], wrong["id"]);
    let right = home
        .ok(
            "ada",
            "reconcile",
            json!({"item": share, "date": "2024-01-31", "units": "10.50"}),
        )
        .await;
    assert_eq!(
        (&right["status"], &right["net_worth"]["change"]),
        (&json!("match"), &json!("0"))
    );
    assert_eq!(
        home.ok("ada", "get_overview", json!({})).await["open_mismatches"],
        json!([])
    );
    let item = home.ok("ada", "get_item", json!({"item": share})).await;
    assert_eq!(item["reconciliations"].as_array().unwrap().len(), 2);
    assert_eq!(item["reconciliations"][0]["batch"], wrong["batch"]);
    let both = home
        .call(
            "ada",
            "reconcile",
            json!({"item": share, "date": "2024-01-31", "units": "1", "value": "1"}),
        )
        .await
        .unwrap_err();
    assert_eq!(both.code, "invalid_input");
    let unpriced = home
        .call(
            "ada",
            "reconcile",
            json!({"item": share, "date": "2024-01-31", "value": "1"}),
        )
        .await
        .unwrap_err();
    assert_eq!(
        (unpriced.code.as_ref(), unpriced.field.as_deref()),
        ("price_missing", Some("value"))
    );
}

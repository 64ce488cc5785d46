//! Deliberate defects do what they are named after, so that the suite that looks for them has something to find.

use super::*;

/// A book with one cash item, and a batch that deposits on it.
async fn book(rules: Value) -> (Household, String, Value) {
    let home = Household::with(rules).await;
    home.workspace("ada", "AUD").await;
    let cash = home.item("ada", "cash", "AUD").await;
    let batch = json!({"transactions": [row(&cash, "deposit", "2024-01-01", "40.25")]});
    (home, cash, batch)
}

#[tokio::test]
async fn a_preview_that_writes() {
    let (home, _, batch) = book(json!({"writes": {"preview": "batch_written"}})).await;
    home.preview("ada", batch).await;
    assert_eq!(home.net_worth("ada").await, "40.25");
}

#[tokio::test]
async fn staleness_that_looks_at_the_head_alone_or_at_nothing() {
    for (staleness, stale) in [("head_moved", true), ("ignored", false)] {
        let (home, cash, batch) = book(json!({"writes": {"staleness": staleness}})).await;
        let preview = home.preview("ada", batch).await;
        home.ok(
            "ada",
            "record",
            json!({"items": [{"name": "Other", "kind": "cash"}], "dry_run": false}),
        )
        .await;
        let committed = home
            .call("ada", "commit", json!({"preview_id": preview}))
            .await;
        assert_eq!(committed.is_err(), stale, "{staleness} {cash}");
    }
}

#[tokio::test]
async fn a_preview_that_can_be_committed_twice() {
    let (home, _, batch) = book(json!({"writes": {"repeated_commit": "written_again"}})).await;
    let preview = home.preview("ada", batch).await;
    for _ in 0..2 {
        home.ok("ada", "commit", json!({"preview_id": preview}))
            .await;
    }
    assert_eq!(home.net_worth("ada").await, "80.5");
}

#[tokio::test]
async fn an_undo_that_writes_by_itself_or_takes_back_too_little() {
    let (home, _, mut batch) = book(
        json!({"writes": {"undo_default": "writes", "undo_scope": "keeps_accounts_and_items"}}),
    )
    .await;
    batch["items"] = json!([{"name": "New", "kind": "cash"}]);
    batch["dry_run"] = json!(false);
    let written = home.ok("ada", "record", batch).await;
    home.ok("ada", "undo", json!({"batch": written["batch"]}))
        .await;
    assert_eq!(home.net_worth("ada").await, "0");
    assert_eq!(
        home.ok("ada", "list_items", json!({})).await["items"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[tokio::test]
async fn ids_that_change_at_the_commit() {
    let (home, _, _) = book(json!({"writes": {"announced_ids": "made_anew"}})).await;
    let preview = home
        .ok(
            "ada",
            "record",
            json!({"items": [{"name": "New", "kind": "cash"}]}),
        )
        .await;
    let committed = home
        .ok(
            "ada",
            "commit",
            json!({"preview_id": preview["preview_id"]}),
        )
        .await;
    assert_ne!(
        committed["created"]["items"][0]["id"],
        preview["created"]["items"][0]["id"]
    );
}

#[tokio::test]
async fn doors_left_open() {
    let rules = json!({
        "access": {"viewer": "previews", "foreign_workspace": "forbidden", "subscription": "ignored"},
        "writes": {"preview_owner": "anybody"},
    });
    let (home, cash, batch) = book(rules).await;
    let workspace = text_at(
        &home.ok("ada", "whoami", json!({})).await,
        "/default_workspace",
    );
    home.workspace("eve", "AUD").await;
    assert_eq!(
        home.code("eve", "get_overview", json!({"workspace": workspace}))
            .await,
        "forbidden"
    );
    let invite = home
        .ok(
            "ada",
            "members",
            json!({"action": "invite", "email": "bob@example.test", "role": "viewer"}),
        )
        .await;
    home.ok(
        "bob",
        "accept_invite",
        json!({"code": invite["invite"]["code"]}),
    )
    .await;
    home.preview("bob", batch.clone()).await;
    home.set_subscription(&workspace, "canceled");
    home.ok("ada", "get_item", json!({"item": cash})).await;
}

#[tokio::test]
async fn answers_that_lost_something() {
    let rules = json!({
        "writes": {"provenance": "without_client", "batch_order": "oldest_first"},
        "presentation": {"fault_field": "missing"},
    });
    let home = Household::with(rules).await;
    home.workspace("ada", "AUD").await;
    let fault = home
        .call(
            "ada",
            "get_item",
            json!({"item": identifiers::new_id("itm")}),
        )
        .await
        .unwrap_err();
    assert_eq!((fault.code.as_ref(), fault.field), ("not_found", None));
}

#[tokio::test]
async fn a_simulation_that_sells() {
    let home = Household::with(json!({"writes": {"simulation": "sale_written"}})).await;
    home.workspace("ada", "AUD").await;
    let shares = home.item("ada", "security", "AUD").await;
    let rows = json!([units(&shares, "buy", "2024-01-02", "10", "100")]);
    home.ok(
        "ada",
        "record",
        json!({"transactions": rows, "dry_run": false}),
    )
    .await;
    home.ok(
        "ada",
        "simulate_sale",
        json!({"item": shares, "price": "12"}),
    )
    .await;
    let item = home.ok("ada", "get_item", json!({"item": shares})).await;
    assert_eq!(item["position"]["units"], "0");
}

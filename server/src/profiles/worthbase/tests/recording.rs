//! `record` and `commit`: previews that write nothing, commits that write what was shown, once.

use super::*;

#[tokio::test]
async fn a_preview_changes_nothing_and_its_commit_does_what_it_showed() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let cash = home.item("ada", "cash", "AUD").await;
    home.ok(
        "ada",
        "record",
        json!({"transactions": [row(&cash, "deposit", "2026-10-01", "100.00")], "dry_run": false}),
    )
    .await;
    let before = home.ok("ada", "get_overview", json!({})).await;
    let batch = json!({"transactions": [row(&cash, "deposit", "2026-10-02", "40.25")]});
    let preview = home.ok("ada", "record", batch).await;
    assert_eq!(
        preview["net_worth"],
        json!({"before": "100", "after": "140.25", "change": "40.25", "currency": "AUD"})
    );
    assert_eq!(preview["expires_at"], "2026-10-30T12:30:00Z");
    assert_eq!(preview["rows"][0]["class"], "new");
    assert_eq!(home.ok("ada", "get_overview", json!({})).await, before);
    let id = text_at(&preview, "/preview_id");
    let committed = home.ok("ada", "commit", json!({"preview_id": id})).await;
    assert_eq!(committed["rows"], preview["rows"]);
    assert_eq!(committed["net_worth"], preview["net_worth"]);
    assert_eq!(home.net_worth("ada").await, "140.25");
    let again = home
        .call("ada", "commit", json!({"preview_id": id}))
        .await
        .unwrap_err();
    assert_eq!(again.body()["code"], "already_committed");
    assert_eq!(again.body()["batch"], committed["batch"]);
    assert_eq!(home.net_worth("ada").await, "140.25");
}

#[tokio::test]
async fn announced_ids_are_unknown_until_the_commit_and_stay_the_same() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let batch = json!({
        "accounts": [{"key": "bank", "name": "Bank", "kind": "bank"}],
        "items": [{"key": "daily", "name": "Daily", "kind": "cash", "account": "bank"}],
        "transactions": [row("daily", "deposit", "2026-10-01", "5")],
    });
    let preview = home.ok("ada", "record", batch).await;
    let item = text_at(&preview, "/created/items/0/id");
    assert_eq!(preview["created"]["accounts"][0]["key"], "bank");
    assert_eq!(
        home.code("ada", "get_item", json!({"item": item})).await,
        "not_found"
    );
    home.ok(
        "ada",
        "commit",
        json!({"preview_id": preview["preview_id"]}),
    )
    .await;
    let shown = home.ok("ada", "get_item", json!({"item": item})).await;
    assert_eq!(shown["name"], "Daily");
    assert_eq!(shown["account"], preview["created"]["accounts"][0]["id"]);
    assert_eq!(shown["transactions"][0]["id"], preview["rows"][0]["id"]);
    assert_eq!(shown["batches"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_preview_is_stale_when_its_result_would_differ_and_only_then() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let share = home.item("ada", "security", "AUD").await;
    let cash = home.item("ada", "cash", "AUD").await;
    let buy = |date: &str| json!({"transactions": [units(&share, "buy", date, "10", "1000")], "dry_run": false});
    home.ok("ada", "record", buy("2024-02-01")).await;
    let sale = json!({"transactions": [units(&share, "sell", "2024-03-01", "10", "1500")]});
    let elsewhere = home.preview("ada", sale.clone()).await;
    home.ok(
        "ada",
        "record",
        json!({"transactions": [row(&cash, "deposit", "2024-01-01", "50")], "dry_run": false}),
    )
    .await;
    let (stale, other) = (home.preview("ada", sale.clone()).await, elsewhere);
    home.ok("ada", "record", buy("2024-01-01")).await;
    assert_eq!(
        home.code("ada", "commit", json!({"preview_id": stale}))
            .await,
        "preview_stale"
    );
    assert_eq!(
        home.code("ada", "commit", json!({"preview_id": other}))
            .await,
        "preview_stale"
    );
    let fresh = home.preview("ada", sale).await;
    home.ok(
        "ada",
        "record",
        json!({"transactions": [row(&cash, "deposit", "2024-01-01", "50")], "dry_run": false}),
    )
    .await;
    home.ok("ada", "commit", json!({"preview_id": fresh})).await;
}

#[tokio::test]
async fn a_preview_lives_for_thirty_minutes() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let cash = home.item("ada", "cash", "AUD").await;
    let batch = json!({"transactions": [row(&cash, "deposit", "2024-01-01", "50")]});
    let (in_time, late) = (
        home.preview("ada", batch.clone()).await,
        home.preview("ada", batch).await,
    );
    home.advance(29);
    home.ok("ada", "commit", json!({"preview_id": in_time}))
        .await;
    home.advance(2);
    assert_eq!(
        home.code("ada", "commit", json!({"preview_id": late}))
            .await,
        "preview_expired"
    );
    assert_eq!(home.net_worth("ada").await, "50");
}

#[tokio::test]
async fn a_preview_is_its_makers_in_its_workspace() {
    let home = Household::new().await;
    let first = home.workspace("ada", "AUD").await;
    let second = home.workspace("ada", "AUD").await;
    let cash = home.item("ada", "cash", "AUD").await;
    home.workspace("eve", "AUD").await;
    let preview = home
        .preview(
            "ada",
            json!({"transactions": [row(&cash, "deposit", "2024-01-01", "50")]}),
        )
        .await;
    let foreign = home
        .call("eve", "commit", json!({"preview_id": preview}))
        .await
        .unwrap_err();
    let elsewhere = home
        .call(
            "ada",
            "commit",
            json!({"preview_id": preview, "workspace": second}),
        )
        .await
        .unwrap_err();
    let unknown = home
        .call(
            "eve",
            "commit",
            json!({"preview_id": identifiers::new_id("prv")}),
        )
        .await
        .unwrap_err();
    assert_eq!(unknown.code, "preview_not_found");
    assert_eq!(
        [foreign.body(), elsewhere.body()],
        [unknown.body(), unknown.body()]
    );
    home.ok(
        "ada",
        "commit",
        json!({"preview_id": preview, "workspace": first}),
    )
    .await;
}

#[tokio::test]
async fn an_import_again_is_all_duplicates_and_another_amount_is_a_conflict() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let cash = home.item("ada", "cash", "AUD").await;
    let rows = |amount: &str| {
        let row = |index: i32, amount: &str| json!({"item": cash, "type": "deposit", "date": "2024-01-01", "amount": amount, "external_ref": format!("r{index}")});
        json!({"transactions": [row(1, amount), row(2, "20.00"), row(3, "30.00")], "dry_run": false})
    };
    let first = home.ok("ada", "record", rows("10.00")).await;
    assert_eq!(first["counts"]["new"], 3);
    let again = home.ok("ada", "record", rows("10")).await;
    assert_eq!(
        (&again["counts"]["duplicate"], &again["net_worth"]["change"]),
        (&json!(3), &json!("0"))
    );
    let changed = home.ok("ada", "record", rows("11.00")).await;
    assert_eq!(changed["rows"][0]["class"], "conflict");
    let differences = changed["rows"][0]["differences"].as_array().unwrap();
    let fields: Vec<&Value> = differences
        .iter()
        .map(|difference| &difference["field"])
        .collect();
    assert_eq!(fields, ["amount"]);
    assert_eq!(changed["warnings"][0]["code"], "conflicts_skipped");
    assert_eq!(home.net_worth("ada").await, "60");
    let listed = home.ok("ada", "list_batches", json!({})).await;
    assert_eq!(listed["batches"][0]["counts"]["conflict"], 1);
    assert_eq!(
        listed["batches"][2]["client"],
        json!({"name": "tests", "version": "1"})
    );
}

#[tokio::test]
async fn refusals_name_code_and_field_and_leave_nothing_behind() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let cash = home.item("ada", "cash", "AUD").await;
    let share = home.item("ada", "security", "AUD").await;
    let before = home.ok("ada", "get_overview", json!({})).await;
    let mut bad = row(&cash, "deposit", "2024-01-01", "1");
    bad["amount"] = json!(1.5);
    let cases = [
        (
            json!({"transactions": [row(&cash, "deposit", "2024-01-01", "1"), row(&cash, "deposit", "2024-01-01", "1e5")]}),
            "invalid_decimal",
            "transactions[1].amount",
        ),
        (
            json!({"transactions": [bad]}),
            "invalid_decimal",
            "transactions[0].amount",
        ),
        (
            json!({"transactions": [row(&cash, "deposit", "2023-02-29", "1")]}),
            "invalid_input",
            "transactions[0].date",
        ),
        (
            json!({"transactions": [row(&cash, "deposit", "2026-11-05", "1")]}),
            "date_in_future",
            "transactions[0].date",
        ),
        (
            json!({"transactions": [row(&identifiers::new_id("itm"), "deposit", "2024-01-01", "1")]}),
            "not_found",
            "transactions[0].item",
        ),
        (
            json!({"transactions": [units(&share, "sell", "2024-01-01", "1", "5")]}),
            "oversell",
            "transactions[0].units",
        ),
        (
            json!({"items": [{"name": "x", "kind": "cash"}], "dryRun": false}),
            "invalid_input",
            "dryRun",
        ),
    ];
    for (arguments, code, field) in cases {
        let fault = home
            .call("ada", "record", arguments.clone())
            .await
            .unwrap_err();
        assert_eq!(
            (fault.code.as_ref(), fault.field.as_deref()),
            (code, Some(field)),
            "{arguments}"
        );
        let mut at_once = arguments;
        at_once["dry_run"] = json!(false);
        assert_eq!(home.code("ada", "record", at_once).await, code);
    }
    assert_eq!(home.ok("ada", "get_overview", json!({})).await, before);
}

#[tokio::test]
async fn a_foreign_row_shows_the_rate_it_was_recorded_with() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let cash = home.item("ada", "cash", "AUD").await;
    let mut dollars = row(&cash, "deposit", "2024-06-30", "1000.00");
    dollars["currency"] = json!("USD");
    let preview = home
        .ok("ada", "record", json!({"transactions": [dollars]}))
        .await;
    let rate = &preview["rates"][0];
    assert_eq!(
        (&rate["rate"], &rate["rate_date"], &rate["source"]),
        (
            &json!("1.502008407286314806"),
            &json!("2024-06-28"),
            &json!("ecb")
        )
    );
    home.ok(
        "ada",
        "commit",
        json!({"preview_id": preview["preview_id"]}),
    )
    .await;
    let item = home.ok("ada", "get_item", json!({"item": cash})).await;
    assert_eq!(item["transactions"][0]["rates"][0]["rate"], rate["rate"]);
    assert_eq!(item["transactions"][0]["amount"], "1000.00");
}

#[tokio::test]
async fn without_the_rate_source_only_what_needs_a_rate_is_refused() {
    let home = Household::without_rates().await;
    home.workspace("ada", "AUD").await;
    let cash = home.item("ada", "cash", "AUD").await;
    let mut dollars = row(&cash, "deposit", "2024-06-30", "1000.00");
    dollars["currency"] = json!("USD");
    let fault = home
        .call("ada", "record", json!({"transactions": [dollars]}))
        .await
        .unwrap_err();
    assert_eq!(
        (fault.code.as_ref(), fault.field.as_deref()),
        ("provider_unavailable", Some("transactions[0].fx_rate"))
    );
    dollars["fx_rate"] = json!("1.5");
    let preview = home
        .ok("ada", "record", json!({"transactions": [dollars]}))
        .await;
    assert_eq!(
        (
            &preview["rates"][0]["source"],
            &preview["net_worth"]["change"]
        ),
        (&json!("explicit"), &json!("1500"))
    );
}

#[tokio::test]
async fn twenty_commits_at_once_write_once() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let cash = home.item("ada", "cash", "AUD").await;
    let preview = home
        .preview(
            "ada",
            json!({"transactions": [row(&cash, "deposit", "2024-01-01", "50")]}),
        )
        .await;
    let commits = (0..20).map(|_| home.call("ada", "commit", json!({"preview_id": preview})));
    let results = futures::future::join_all(commits).await;
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    for fault in results.iter().filter_map(|result| result.as_ref().err()) {
        assert_eq!(fault.code, "already_committed");
    }
    assert_eq!(home.net_worth("ada").await, "50");
}

#[tokio::test]
async fn of_two_sales_that_cannot_both_hold_one_is_committed() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let share = home.item("ada", "security", "AUD").await;
    home.ok("ada", "record", json!({"transactions": [units(&share, "buy", "2024-01-01", "10", "100")], "dry_run": false})).await;
    let sale = json!({"transactions": [units(&share, "sell", "2024-02-01", "6", "90")]});
    let (one, two) = (
        home.preview("ada", sale.clone()).await,
        home.preview("ada", sale).await,
    );
    let (first, second) = tokio::join!(
        home.call("ada", "commit", json!({"preview_id": one})),
        home.call("ada", "commit", json!({"preview_id": two}))
    );
    let refused: Vec<String> = [first, second]
        .into_iter()
        .filter_map(Result::err)
        .map(|fault| fault.code.to_string())
        .collect();
    assert_eq!(refused, ["preview_stale"]);
    let item = home.ok("ada", "get_item", json!({"item": share})).await;
    assert_eq!(item["position"]["units"], "4");
}

#[tokio::test]
async fn a_file_opened_again_commits_the_open_preview() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = StoreLocation::File(folder.path().join("book.sqlite"));
    let first = Household::opened(json!({}), file.clone()).await;
    first.workspace("ada", "AUD").await;
    let cash = first.item("ada", "cash", "AUD").await;
    let other = first.item("ada", "cash", "AUD").await;
    let done = first
        .preview(
            "ada",
            json!({"transactions": [row(&other, "deposit", "2024-01-01", "7")]}),
        )
        .await;
    let open = first
        .preview(
            "ada",
            json!({"transactions": [row(&cash, "deposit", "2024-01-01", "5"), ]}),
        )
        .await;
    first.ok("ada", "commit", json!({"preview_id": done})).await;
    drop(first);
    let second = Household::opened(json!({}), file).await;
    assert_eq!(second.net_worth("ada").await, "7");
    assert_eq!(
        second
            .code("ada", "commit", json!({"preview_id": done}))
            .await,
        "already_committed"
    );
    second
        .ok("ada", "commit", json!({"preview_id": open}))
        .await;
    assert_eq!(second.net_worth("ada").await, "12");
}

//! What is known of items, goals and losses: changed field by field, and taken back step by step.

use super::*;

async fn undo(home: &Household, written: &Value) {
    let asked = json!({"batch": written["batch"], "dry_run": false});
    home.ok("ada", "undo", asked).await;
}

#[tokio::test]
async fn an_update_changes_its_fields_and_nothing_else() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let item = home.item("ada", "security", "AUD").await;
    let other = home.item("ada", "cash", "AUD").await;
    let untouched = home.ok("ada", "get_item", json!({"item": other})).await;
    let first = json!({"item": item, "class": "alternatives", "notes": "n", "flags": {"investable": false},
                       "attributes": {"a": "1", "b": "2"}, "opened_on": "2024-01-02"});
    let written = home.ok("ada", "update_item", first).await;
    assert_eq!(
        (
            &written["item"]["class"],
            &written["item"]["flags"]["investable"]
        ),
        (&json!("alternatives"), &json!(false))
    );
    let second = json!({"item": item, "class": null, "attributes": {"a": "1"}});
    home.ok("ada", "update_item", second).await;
    let now = home.ok("ada", "get_item", json!({"item": item})).await;
    assert_eq!(
        (
            &now["class"],
            &now["notes"],
            &now["attributes"],
            &now["opened_on"]
        ),
        (
            &json!("equity"),
            &json!("n"),
            &json!({"a": "1"}),
            &json!("2024-01-02")
        )
    );
    // The older change goes, the newer one on the same fields stays in force.
    undo(&home, &written).await;
    let now = home.ok("ada", "get_item", json!({"item": item})).await;
    assert_eq!(
        (&now["class"], &now["notes"], &now["attributes"]),
        (&json!("equity"), &Value::Null, &json!({"a": "1"}))
    );
    for (asked, field) in [
        (json!({"item": item, "kind": "cash"}), "kind"),
        (json!({"item": item}), "item"),
        (json!({"item": item, "name": "security"}), "item"),
        (
            json!({"item": item, "opened_on": "2024-01-02", "closed_on": "2024-01-01"}),
            "closed_on",
        ),
        (json!({"item": item, "currency": "ZZZ"}), "currency"),
    ] {
        let fault = home
            .call("ada", "update_item", asked.clone())
            .await
            .unwrap_err();
        assert_eq!(
            (fault.code.as_ref(), fault.field.as_deref()),
            ("invalid_input", Some(field)),
            "{asked}"
        );
    }
    assert_eq!(
        home.ok("ada", "get_item", json!({"item": other})).await,
        untouched
    );
}

#[tokio::test]
async fn a_currency_is_free_while_nothing_is_recorded_in_it() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let cash = home.item("ada", "cash", "AUD").await;
    let dollars = json!({"item": cash, "currency": "USD"});
    let changed = home.ok("ada", "update_item", dollars).await;
    let deposit =
        json!({"transactions": [row(&cash, "deposit", "2024-06-28", "5")], "dry_run": false});
    let deposited = home.ok("ada", "record", deposit).await;
    let back = json!({"item": cash, "currency": "AUD"});
    let fault = home
        .call("ada", "update_item", back.clone())
        .await
        .unwrap_err();
    assert_eq!(
        (fault.code.as_ref(), fault.field.as_deref()),
        ("currency_locked", Some("currency"))
    );
    // Taking the change back would give the deposit another currency.
    let refused = home
        .call(
            "ada",
            "undo",
            json!({"batch": changed["batch"], "dry_run": false}),
        )
        .await
        .unwrap_err();
    assert_eq!(refused.code, "would_not_replay");
    assert_eq!(refused.details["row"]["code"], "currency_locked");
    undo(&home, &deposited).await;
    home.ok("ada", "update_item", back).await;
}

#[tokio::test]
async fn a_move_that_would_bring_two_rows_under_one_reference_is_refused() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let deposit = |item: &str| json!({"item": item, "type": "deposit", "date": "2024-01-02", "amount": "1", "external_ref": "A"});
    let batch = json!({
        "accounts": [{"key": "bank", "name": "Bank", "kind": "bank"}],
        "items": [
            {"key": "one", "name": "One", "kind": "cash", "account": "bank"},
            {"key": "two", "name": "Two", "kind": "cash"},
        ],
        "transactions": [deposit("one"), deposit("two")],
        "dry_run": false,
    });
    let written = home.ok("ada", "record", batch).await;
    let account = text_at(&written, "/created/accounts/0/id");
    let two = text_at(&written, "/created/items/1/id");
    let fault = home
        .call(
            "ada",
            "update_item",
            json!({"item": two, "account": account}),
        )
        .await
        .unwrap_err();
    assert_eq!(
        (fault.code.as_ref(), fault.field.as_deref()),
        ("invalid_input", Some("account"))
    );
    let nowhere = json!({"item": two, "account": identifiers::new_id("acc")});
    assert_eq!(home.code("ada", "update_item", nowhere).await, "not_found");
}

#[tokio::test]
async fn an_archived_item_counts_until_the_day_before_and_takes_no_rows() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let cash = home.item("ada", "cash", "AUD").await;
    let deposit =
        json!({"transactions": [row(&cash, "deposit", "2024-01-02", "500")], "dry_run": false});
    home.ok("ada", "record", deposit.clone()).await;
    let archived = home
        .ok(
            "ada",
            "archive_item",
            json!({"item": cash, "on": "2024-06-01", "reason": "closed"}),
        )
        .await;
    assert_eq!(archived["net_worth"]["change"], "-500");
    for (day, worth) in [("2024-05-31", "500"), ("2024-06-01", "0")] {
        let sheet = home.ok("ada", "get_net_worth", json!({"date": day})).await;
        assert_eq!(sheet["net_worth"], worth, "{day}");
    }
    assert_eq!(home.code("ada", "record", deposit).await, "item_archived");
    assert_eq!(
        home.code("ada", "archive_item", json!({"item": cash}))
            .await,
        "item_archived"
    );
    let listed = home.ok("ada", "list_items", json!({})).await;
    assert_eq!(listed["items"], json!([]));
    let all = home
        .ok("ada", "list_items", json!({"include_archived": true}))
        .await;
    assert_eq!(
        (
            &all["items"][0]["archived"],
            &all["items"][0]["archived_on"]
        ),
        (&json!(true), &json!("2024-06-01"))
    );
    let overview = home.ok("ada", "get_overview", json!({})).await;
    assert_eq!(
        overview["item_counts"],
        json!({"assets": 0, "liabilities": 0, "archived": 1})
    );
    let performance = home.ok("ada", "get_performance", json!({})).await;
    assert_eq!(
        (
            &performance["total"]["money_out"],
            &performance["total"]["gain"]
        ),
        (&json!("500"), &json!("0"))
    );
    undo(&home, &archived).await;
    assert_eq!(home.net_worth("ada").await, "500");
}

#[tokio::test]
async fn a_split_counts_from_its_day_and_the_past_needs_a_correction() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let cash = home.item("ada", "cash", "AUD").await;
    let rows = json!([row(&cash, "deposit", "2024-01-02", "1000")]);
    home.ok(
        "ada",
        "record",
        json!({"transactions": rows, "dry_run": false}),
    )
    .await;
    let own = text_at(
        &home.ok("ada", "get_overview", json!({})).await,
        "/parties/0/id",
    );
    let trust = home
        .ok(
            "ada",
            "save_party",
            json!({"name": "Trust", "kind": "trust"}),
        )
        .await;
    let trust = text_at(&trust, "/party/id");
    let split = |mine: &str, theirs: &str| json!([{"party": own, "percent": mine}, {"party": trust, "percent": theirs}]);
    let set = |more: Value, owners: Value| {
        let mut asked = json!({"item": cash, "owners": owners});
        asked
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        asked
    };
    let share = async |day: &str| {
        let sheet = home
            .ok("ada", "get_net_worth", json!({"date": day, "party": own}))
            .await;
        text_at(&sheet, "/net_worth")
    };
    let today = home
        .ok("ada", "set_owners", set(json!({}), split("40", "60")))
        .await;
    assert_eq!(today["owners"][1]["percent"], "60");
    assert_eq!(
        (share("2026-10-29").await, share("2026-10-30").await),
        ("1000".to_owned(), "400".to_owned())
    );
    for (more, owners, code, field) in [
        (
            json!({"from": "2024-01-01"}),
            split("50", "50"),
            "correction_required",
            "correction",
        ),
        (
            json!({"from": "2024-01-01", "correction": false}),
            split("50", "50"),
            "correction_required",
            "correction",
        ),
        (
            json!({"from": "2027-01-01"}),
            split("50", "50"),
            "date_in_future",
            "from",
        ),
        (json!({}), split("50", "50.01"), "owners_not_100", "owners"),
        (json!({}), split("100", "0"), "invalid_input", "owners"),
    ] {
        let fault = home
            .call("ada", "set_owners", set(more, owners))
            .await
            .unwrap_err();
        assert_eq!(
            (fault.code.as_ref(), fault.field.as_deref()),
            (code, Some(field))
        );
    }
    let corrected = set(json!({"correction": true}), split("10", "90"));
    home.ok("ada", "set_owners", corrected).await;
    assert_eq!(
        (share("2024-01-02").await, share("2026-10-30").await),
        ("100".to_owned(), "100".to_owned())
    );
    let item = home.ok("ada", "get_item", json!({"item": cash})).await;
    assert_eq!(item["ownership"].as_array().unwrap().len(), 1);
    assert_eq!(home.net_worth("ada").await, "1000");
}

#[tokio::test]
async fn a_goal_is_set_changed_archived_and_taken_back_step_by_step() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let cash = home.item("ada", "cash", "AUD").await;
    let rows = json!([
        row(&cash, "deposit", "2025-10-30", "400"),
        row(&cash, "deposit", "2026-10-30", "60"),
    ]);
    home.ok(
        "ada",
        "record",
        json!({"transactions": rows, "dry_run": false}),
    )
    .await;
    let created = home
        .ok(
            "ada",
            "set_goal",
            json!({"name": "Free", "kind": "net_worth", "target": "1000", "by": "2037-01-01"}),
        )
        .await;
    let goal = text_at(&created, "/goal/id");
    let goals = home.ok("ada", "get_goals", json!({})).await;
    let shown = &goals["goals"][0];
    assert_eq!(
        (
            &shown["current"],
            &shown["progress"],
            &shown["trend_12m"],
            &shown["trend_monthly"]
        ),
        (&json!("460"), &json!("0.46"), &json!("60"), &json!("5"))
    );
    assert_eq!(
        (
            &shown["projected_date"],
            &shown["on_pace"],
            &shown["reached"]
        ),
        (&json!("2035-10-30"), &json!(true), &json!(false))
    );
    let changed = home
        .ok(
            "ada",
            "set_goal",
            json!({"goal": goal, "target": "1060.50"}),
        )
        .await;
    assert_eq!(
        (
            &changed["goal"]["target"],
            &changed["goal"]["by"],
            &changed["goal"]["name"]
        ),
        (&json!("1060.50"), &json!("2037-01-01"), &json!("Free"))
    );
    let dateless = home
        .ok("ada", "set_goal", json!({"goal": goal, "by": null}))
        .await;
    let goals = home.ok("ada", "get_goals", json!({})).await;
    assert_eq!(goals["goals"][0]["on_pace"], Value::Null);
    let archived = home
        .ok("ada", "set_goal", json!({"goal": goal, "archive": true}))
        .await;
    assert_eq!(
        home.ok("ada", "get_goals", json!({})).await["goals"],
        json!([])
    );
    for written in [&archived, &dateless, &changed] {
        undo(&home, written).await;
    }
    let goals = home.ok("ada", "get_goals", json!({})).await;
    assert_eq!(goals["goals"][0], *shown);
    for (asked, code, field) in [
        (
            json!({"name": "G", "kind": "income", "target": "1"}),
            "invalid_input",
            "kind",
        ),
        (
            json!({"name": "G", "kind": "debt", "target": "-1"}),
            "invalid_decimal",
            "target",
        ),
        (
            json!({"name": "G", "kind": "debt", "target": "0", "by": "2030-02-30"}),
            "invalid_input",
            "by",
        ),
        (
            json!({"name": "G", "kind": "debt"}),
            "invalid_input",
            "target",
        ),
        (
            json!({"goal": identifiers::new_id("gol"), "target": "1"}),
            "not_found",
            "goal",
        ),
    ] {
        let fault = home
            .call("ada", "set_goal", asked.clone())
            .await
            .unwrap_err();
        assert_eq!(
            (fault.code.as_ref(), fault.field.as_deref()),
            (code, Some(field)),
            "{asked}"
        );
    }
    // What created it cannot go while a change of it stays.
    home.ok("ada", "set_goal", json!({"goal": goal, "target": "5"}))
        .await;
    let refused = json!({"batch": created["batch"], "dry_run": false});
    assert_eq!(home.code("ada", "undo", refused).await, "would_not_replay");
}

#[tokio::test]
async fn losses_are_kept_apart_from_the_net_worth_and_from_each_other() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let overview = home.ok("ada", "get_overview", json!({})).await;
    let party = text_at(&overview, "/parties/0/id");
    let recorded = home
        .ok("ada", "set_loss", json!({"party": party, "kind": "capital", "year": 2021, "amount": "10000", "used": "2500.25"}))
        .await;
    assert_eq!(recorded["net_worth"]["change"], "0");
    let loss = text_at(&recorded, "/loss/id");
    home.ok(
        "ada",
        "set_loss",
        json!({"party": party, "kind": "rental", "year": 2022, "amount": "4000"}),
    )
    .await;
    let losses = home.ok("ada", "get_losses", json!({})).await;
    assert_eq!(losses["losses"][0]["remaining"], "7499.75");
    assert_eq!(losses["totals"][0]["remaining"], "11499.75");
    assert_eq!(losses["totals"][0]["kinds"].as_array().unwrap().len(), 2);
    let used = home
        .ok("ada", "set_loss", json!({"loss": loss, "used": "3000"}))
        .await;
    assert_eq!(used["loss"]["remaining"], "7000");
    for (asked, code, field) in [
        (
            json!({"loss": loss, "used": "10000.01"}),
            "loss_overused",
            "used",
        ),
        (
            json!({"loss": loss, "amount": "2999"}),
            "loss_overused",
            "used",
        ),
        (json!({"loss": loss, "year": 2027}), "invalid_input", "year"),
        (json!({"loss": loss, "year": 21}), "invalid_input", "year"),
        (
            json!({"loss": loss, "year": "2021"}),
            "invalid_input",
            "year",
        ),
        (
            json!({"loss": loss, "kind": "crypto"}),
            "invalid_input",
            "kind",
        ),
        (
            json!({"loss": loss, "party": identifiers::new_id("pty")}),
            "not_found",
            "party",
        ),
    ] {
        let fault = home
            .call("ada", "set_loss", asked.clone())
            .await
            .unwrap_err();
        assert_eq!(
            (fault.code.as_ref(), fault.field.as_deref()),
            (code, Some(field)),
            "{asked}"
        );
    }
    let archived = home
        .ok("ada", "set_loss", json!({"loss": loss, "archive": true}))
        .await;
    let losses = home.ok("ada", "get_losses", json!({})).await;
    assert_eq!(losses["totals"][0]["remaining"], "4000");
    undo(&home, &archived).await;
    undo(&home, &used).await;
    let losses = home.ok("ada", "get_losses", json!({})).await;
    assert_eq!(losses["losses"][0]["remaining"], "7499.75");
    assert_eq!(home.net_worth("ada").await, "0");
}

#[tokio::test]
async fn a_viewer_reads_every_report_and_changes_nothing() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let cash = home.item("ada", "cash", "AUD").await;
    let invite = json!({"action": "invite", "email": "bob@example.test", "role": "viewer"});
    let invite = home.ok("ada", "members", invite).await;
    home.ok(
        "bob",
        "accept_invite",
        json!({"code": invite["invite"]["code"]}),
    )
    .await;
    for (tool, arguments) in [
        (
            "get_history",
            json!({"from": "2024-01-01", "to": "2024-12-31", "interval": "quarter"}),
        ),
        ("get_performance", json!({})),
        ("get_debt_report", json!({})),
        ("get_goals", json!({})),
        ("get_losses", json!({})),
    ] {
        home.ok("bob", tool, arguments).await;
    }
    let party = identifiers::new_id("pty");
    for (tool, arguments) in [
        ("update_item", json!({"item": cash, "name": "Mine"})),
        (
            "set_owners",
            json!({"item": cash, "owners": [{"party": party, "percent": "100"}]}),
        ),
        (
            "link_items",
            json!({"from": cash, "to": cash, "relation": "offset"}),
        ),
        ("archive_item", json!({"item": cash})),
        (
            "set_goal",
            json!({"name": "G", "kind": "debt", "target": "0"}),
        ),
        (
            "set_loss",
            json!({"party": party, "kind": "capital", "year": 2021, "amount": "1"}),
        ),
    ] {
        assert_eq!(
            home.code("bob", tool, arguments).await,
            "forbidden",
            "{tool}"
        );
    }
}

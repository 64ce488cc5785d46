//! Workspaces, roles, members and invites.

use super::*;

/// Makes `who` a member of ada's workspace with `role`, and gives their id.
async fn join(home: &Household, workspace: &str, who: &str, role: &str) -> String {
    let invite = home
        .ok("ada", "members", json!({"workspace": workspace, "action": "invite", "email": format!("{who}@EXAMPLE.test"), "role": role}))
        .await;
    home.ok(
        who,
        "accept_invite",
        json!({"code": invite["invite"]["code"]}),
    )
    .await;
    text_at(&home.ok(who, "whoami", json!({})).await, "/user/id")
}

#[tokio::test]
async fn whoami_shows_workspaces_and_waiting_invites_and_nobody_elses() {
    let home = Household::new().await;
    let workspace = home.workspace("ada", "AUD").await;
    home.ok(
        "ada",
        "members",
        json!({"action": "invite", "email": "bob@example.test", "role": "editor"}),
    )
    .await;
    let ada = home.ok("ada", "whoami", json!({})).await;
    assert_eq!(ada["default_workspace"], json!(workspace));
    assert_eq!(
        (
            &ada["workspaces"][0]["role"],
            &ada["workspaces"][0]["subscription"]["status"]
        ),
        (&json!("admin"), &json!("trialing"))
    );
    let bob = home.ok("bob", "whoami", json!({})).await;
    assert_eq!(
        (&bob["workspaces"], &bob["invites"][0]["workspace_name"]),
        (&json!([]), &json!("Home"))
    );
    assert_eq!(
        home.code("bob", "get_overview", json!({"workspace": workspace}))
            .await,
        "workspace_not_found"
    );
    let eve = home.ok("eve", "whoami", json!({})).await;
    assert_eq!(
        (
            &eve["workspaces"],
            &eve["invites"],
            &eve["default_workspace"]
        ),
        (&json!([]), &json!([]), &Value::Null)
    );
    assert_eq!(
        home.code("eve", "get_overview", json!({})).await,
        "workspace_not_found"
    );
}

#[tokio::test]
async fn roles_are_looked_up_at_every_call() {
    let home = Household::new().await;
    let workspace = home.workspace("ada", "AUD").await;
    let cash = home.item("ada", "cash", "AUD").await;
    let bob = join(&home, &workspace, "bob", "viewer").await;
    let deposit =
        || json!({"transactions": [row(&cash, "deposit", "2024-01-01", "1")], "dry_run": false});
    home.ok("bob", "get_overview", json!({})).await;
    assert_eq!(home.code("bob", "record", deposit()).await, "forbidden");
    home.ok(
        "ada",
        "members",
        json!({"action": "set_role", "member": bob, "role": "editor"}),
    )
    .await;
    home.ok("bob", "record", deposit()).await;
    let account = json!({"accounts": [{"name": "Bank", "kind": "bank"}]});
    assert_eq!(home.code("bob", "record", account).await, "forbidden");
    assert_eq!(
        home.code(
            "bob",
            "save_party",
            json!({"name": "Trust", "kind": "trust"})
        )
        .await,
        "forbidden"
    );
    assert_eq!(
        home.code("bob", "members", json!({"action": "list"})).await,
        "forbidden"
    );
    home.ok("ada", "members", json!({"action": "remove", "member": bob}))
        .await;
    assert_eq!(
        home.code("bob", "record", deposit()).await,
        "workspace_not_found"
    );
    assert_eq!(
        home.ok("ada", "list_batches", json!({})).await["batches"][0]["user"]["name"],
        "bob"
    );
}

#[tokio::test]
async fn a_foreign_workspace_reads_like_an_unknown_one() {
    let home = Household::new().await;
    let workspace = home.workspace("ada", "AUD").await;
    home.workspace("eve", "AUD").await;
    for tool in [
        "get_overview",
        "get_net_worth",
        "list_items",
        "list_batches",
    ] {
        let foreign = home
            .call("eve", tool, json!({"workspace": workspace}))
            .await
            .unwrap_err();
        let unknown = home
            .call("eve", tool, json!({"workspace": identifiers::new_id("ws")}))
            .await
            .unwrap_err();
        assert_eq!(
            (foreign.body(), foreign.code.as_ref()),
            (unknown.body(), "workspace_not_found")
        );
    }
}

#[tokio::test]
async fn an_invite_is_good_once_for_its_address_until_it_expires() {
    let home = Household::new().await;
    home.workspace("ada", "AUD").await;
    let invite = |who: &str| json!({"action": "invite", "email": format!("{who}@example.test"), "role": "viewer"});
    let bobs = home.ok("ada", "members", invite("bob")).await["invite"].clone();
    assert_eq!(bobs["expires_at"], "2026-11-06T12:00:00Z");
    assert!(text_at(&bobs, "/code").len() >= 22);
    let wrong = home
        .call("eve", "accept_invite", json!({"code": bobs["code"]}))
        .await
        .unwrap_err();
    assert_eq!(wrong.code, "invite_invalid");
    let accepted = home
        .ok("bob", "accept_invite", json!({"invite": bobs["id"]}))
        .await;
    assert_eq!(accepted["role"], "viewer");
    let second = home
        .call("bob", "accept_invite", json!({"code": bobs["code"]}))
        .await
        .unwrap_err();
    assert_eq!(second.body(), wrong.body());
    let revoked = home.ok("ada", "members", invite("cy")).await["invite"].clone();
    home.ok(
        "ada",
        "members",
        json!({"action": "revoke", "invite": revoked["id"]}),
    )
    .await;
    assert_eq!(
        home.code("cy", "accept_invite", json!({"code": revoked["code"]}))
            .await,
        "invite_invalid"
    );
    let unproven = home.ok("ada", "members", invite("unproven-dan")).await["invite"].clone();
    assert_eq!(
        home.code(
            "unproven-dan",
            "accept_invite",
            json!({"code": unproven["code"]})
        )
        .await,
        "invite_invalid"
    );
    let late = home.ok("ada", "members", invite("fay")).await["invite"].clone();
    home.advance(7 * 24 * 60);
    assert_eq!(
        home.code("fay", "accept_invite", json!({"code": late["code"]}))
            .await,
        "invite_invalid"
    );
    assert_eq!(
        home.code("fay", "accept_invite", json!({})).await,
        "invalid_input"
    );
    assert_eq!(
        home.ok("fay", "whoami", json!({})).await["invites"],
        json!([])
    );
}

#[tokio::test]
async fn the_last_admin_stays_and_an_invite_lowers_nobody() {
    let home = Household::new().await;
    let workspace = home.workspace("ada", "AUD").await;
    let ada = text_at(&home.ok("ada", "whoami", json!({})).await, "/user/id");
    for change in [
        json!({"action": "remove", "member": ada}),
        json!({"action": "set_role", "member": ada, "role": "viewer"}),
    ] {
        assert_eq!(home.code("ada", "members", change).await, "last_admin");
    }
    join(&home, &workspace, "ada", "viewer").await;
    let listed = home.ok("ada", "members", json!({"action": "list"})).await;
    assert_eq!(
        (
            listed["members"].as_array().unwrap().len(),
            &listed["members"][0]["role"]
        ),
        (1, &json!("admin"))
    );
    join(&home, &workspace, "bob", "admin").await;
    home.ok(
        "ada",
        "members",
        json!({"action": "set_role", "member": ada, "role": "viewer"}),
    )
    .await;
    assert_eq!(
        home.code("ada", "members", json!({"action": "list"})).await,
        "forbidden"
    );
}

#[tokio::test]
async fn a_lapsed_workspace_refuses_all_but_the_three_and_comes_back_whole() {
    let home = Household::new().await;
    let workspace = home.workspace("ada", "AUD").await;
    let cash = home.item("ada", "cash", "AUD").await;
    let preview = home
        .preview(
            "ada",
            json!({"transactions": [row(&cash, "deposit", "2024-01-01", "3")]}),
        )
        .await;
    for status in ["canceled", "past_due", "something new"] {
        home.set_subscription(&workspace, status);
        for (tool, arguments) in [
            ("get_overview", json!({})),
            ("commit", json!({"preview_id": preview})),
        ] {
            assert_eq!(
                home.code("ada", tool, arguments).await,
                "subscription_required",
                "{status}"
            );
        }
        assert_eq!(
            home.ok("ada", "whoami", json!({})).await["workspaces"][0]["subscription"]["status"],
            status
        );
        home.ok(
            "ada",
            "save_workspace",
            json!({"workspace": workspace, "name": "Hearth"}),
        )
        .await;
    }
    home.set_subscription(&workspace, "active");
    home.ok("ada", "commit", json!({"preview_id": preview}))
        .await;
    assert_eq!(
        home.ok("ada", "get_overview", json!({})).await["name"],
        "Hearth"
    );
}

#[tokio::test]
async fn workspaces_parties_and_accounts_are_saved_and_changed() {
    let home = Household::new().await;
    let workspace = home.workspace("ada", "AUD").await;
    for (field, arguments) in [
        (
            "base_currency",
            json!({"workspace": workspace, "name": "x", "base_currency": "EUR"}),
        ),
        (
            "base_currency",
            json!({"name": "x", "base_currency": "ZZZ"}),
        ),
        ("name", json!({"name": ""})),
    ] {
        let fault = home
            .call("ada", "save_workspace", arguments)
            .await
            .unwrap_err();
        assert_eq!(
            (fault.code.as_ref(), fault.field.as_deref()),
            ("invalid_input", Some(field))
        );
    }
    let party = home
        .ok(
            "ada",
            "save_party",
            json!({"name": "Trust", "kind": "trust"}),
        )
        .await;
    let renamed = home
        .ok(
            "ada",
            "save_party",
            json!({"party": party["party"]["id"], "name": "Family Trust", "kind": "trust"}),
        )
        .await;
    assert_eq!(renamed["party"]["id"], party["party"]["id"]);
    let account = home.ok("ada", "save_account", json!({"name": "Bank", "kind": "bank", "institution": "ING", "party": party["party"]["id"]})).await;
    let changed = home
        .ok(
            "ada",
            "save_account",
            json!({"account": account["account"]["id"], "name": "Giro", "kind": "bank"}),
        )
        .await;
    assert_eq!(
        (
            &changed["account"]["institution"],
            &changed["account"]["name"]
        ),
        (&json!("ING"), &json!("Giro"))
    );
    let undone = home
        .ok(
            "ada",
            "undo",
            json!({"batch": renamed["batch"], "dry_run": false}),
        )
        .await;
    assert_eq!(undone["restored"][0]["kind"], "party");
    let overview = home.ok("ada", "get_overview", json!({})).await;
    assert!(
        overview["parties"]
            .as_array()
            .unwrap()
            .iter()
            .any(|party| party["name"] == "Trust")
    );
    assert_eq!(
        home.code("ada", "undo", json!({"batch": party["batch"]}))
            .await,
        "would_not_replay"
    );
    assert_eq!(
        home.code(
            "ada",
            "save_party",
            json!({"party": identifiers::new_id("pty"), "name": "x", "kind": "trust"})
        )
        .await,
        "not_found"
    );
}

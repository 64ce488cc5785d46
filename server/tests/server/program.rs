//! The program itself: it says when it is ready, serves the wealth ledger, keeps tokens to itself, and stops when told.

use std::process::Stdio;
use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::Command;
use wiremock::matchers::{method, path, path_regex};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::support::{SIGNING, World, header, read, set, sign};

#[cfg(unix)]
#[tokio::test]
async fn the_program_serves_the_ledger_from_its_first_line_to_its_last() {
    // Only its authorization server is needed of this world.
    let world = World::start().await;
    let directory = MockServer::start().await;
    let user =
        json!({"sub": "ada", "email": "ada@example.org", "email_verified": true, "name": "Ada"});
    Mock::given(method("GET"))
        .and(path("/users/ada"))
        .respond_with(ResponseTemplate::new(200).set_body_json(user))
        .mount(&directory)
        .await;
    Mock::given(path_regex("^/workspaces/ws_"))
        .respond_with(
            ResponseTemplate::new(200).set_body_json(json!({"status": "active", "ends_on": null})),
        )
        .mount(&directory)
        .await;
    let now = json!({"now": world.clock.now().to_string()});
    Mock::given(path("/now"))
        .respond_with(ResponseTemplate::new(200).set_body_json(now))
        .mount(&directory)
        .await;

    let folder = tempfile::tempdir().unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_proofmark-server"))
        .env("PROOFMARK_ISSUER", world.authorization_server.uri())
        .env("PROOFMARK_DIRECTORY", directory.uri())
        .env("PROOFMARK_SUBSCRIPTIONS", directory.uri())
        .env("PROOFMARK_ECB", directory.uri())
        .env("PROOFMARK_CONTROL", directory.uri())
        .env("RUST_LOG", "trace")
        .arg("--store")
        .arg(folder.path().join("book.db"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(program.stdout.take().unwrap()).lines();
    let mut stderr = program.stderr.take().unwrap();
    let log = tokio::spawn(async move {
        let mut text = String::new();
        stderr.read_to_string(&mut text).await.unwrap();
        text
    });
    let ready = tokio::time::timeout(Duration::from_secs(60), stdout.next_line())
        .await
        .unwrap()
        .unwrap()
        .unwrap();
    let url = ready.strip_prefix("listening on ").unwrap().to_owned();

    let token = sign(
        &header(),
        &set(world.claims("ada"), "aud", json!(url)),
        SIGNING,
    );
    let call = |name: &str, arguments: Value| {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
        let request = world.client.post(&url).bearer_auth(&token).json(&message);
        async { read(request.send().await.unwrap()).await }
    };
    let (status, made) = call(
        "save_workspace",
        json!({"name": "Home", "base_currency": "AUD"}),
    )
    .await;
    assert_eq!(
        (status, &made["result"]["isError"]),
        (StatusCode::OK, &json!(false)),
        "{made}"
    );
    let (_, who) = call("whoami", json!({})).await;
    assert_eq!(
        who["result"]["structuredContent"]["workspaces"][0]["role"], "admin",
        "{who}"
    );
    assert_eq!(call("whoami", json!({})).await.0, StatusCode::OK);
    let refused = world
        .client
        .post(&url)
        .bearer_auth(format!("{token}x"))
        .json(&json!({}))
        .send()
        .await
        .unwrap();
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);

    let id = program.id().unwrap().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .await
            .unwrap()
            .success()
    );
    let ended = tokio::time::timeout(Duration::from_secs(60), program.wait())
        .await
        .unwrap()
        .unwrap();
    assert!(ended.success(), "{ended}");
    assert_eq!(stdout.next_line().await.unwrap(), None);
    let log = log.await.unwrap();
    assert!(!log.is_empty());
    for part in token.split('.').skip(1) {
        assert!(!log.contains(part), "a part of the token stands in the log");
    }
    for provider in [&directory, &world.authorization_server] {
        for request in provider.received_requests().await.unwrap() {
            assert!(!format!("{request:?}").contains(token.split('.').nth(2).unwrap()));
        }
    }
}

#[tokio::test]
async fn a_program_that_cannot_start_says_why_and_fails() {
    let output = Command::new(env!("CARGO_BIN_EXE_proofmark-server"))
        .args([
            "--issuer",
            "nonsense",
            "--directory",
            "http://127.0.0.1:9",
            "--subscriptions",
            "http://127.0.0.1:9",
        ])
        .output()
        .await
        .unwrap();
    assert!(!output.status.success());
    assert!(output.stdout.is_empty());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("issuer"), "{message}");
}

//! Targets that are processes of their own: the built `proofmark` program is started, killed, started again and ended.

use proofmark::mocks::{MockOptions, Mocks, TokenRecipe, User};
use proofmark::target::{Access, Kind, LaunchOptions, Launcher, Running};
use serde_json::{Value, json};

const PROGRAM: &str = env!("CARGO_BIN_EXE_proofmark");

async fn mocks() -> Mocks {
    proofmark::crypto::install();
    Mocks::start(MockOptions::default()).await.unwrap()
}

/// Calls a tool as Ada, in the stateless revision, and gives its structured result.
async fn called(mocks: &Mocks, running: &Running, tool: &str, arguments: Value) -> Value {
    let target = running.target();
    let token = mocks
        .mint(&TokenRecipe::good("ada", &target.resource))
        .await
        .unwrap();
    let request = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {
            "name": tool, "arguments": arguments,
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    });
    let answer = reqwest::Client::new()
        .post(target.endpoint.clone())
        .bearer_auth(token.expose())
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", tool)
        .json(&request)
        .send()
        .await
        .unwrap();
    let body: Value = answer.json().await.unwrap();
    body["result"]["structuredContent"].clone()
}

async fn refused(running: &Running) -> bool {
    reqwest::get(running.target().endpoint.clone())
        .await
        .is_err_and(|error| error.is_connect())
}

#[tokio::test]
async fn the_reference_server_survives_its_own_death() {
    let mocks = mocks().await;
    mocks.set_user(&User::new("ada", "Ada")).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let options = LaunchOptions {
        data: Some(folder.path().to_owned()),
        own_process: true,
        executable: Some(PROGRAM.into()),
        ..LaunchOptions::default()
    };
    let mut running = Launcher::Reference
        .start(Some(&mocks), &options)
        .await
        .unwrap();
    let endpoint = running.target().endpoint.clone();
    let saved = called(
        &mocks,
        &running,
        "save_workspace",
        json!({ "name": "Book", "base_currency": "EUR" }),
    )
    .await;
    running.kill().await.unwrap();
    assert!(refused(&running).await);

    running.restart().await.unwrap();
    assert_eq!(running.target().endpoint, endpoint);
    let known = called(&mocks, &running, "whoami", json!({})).await;
    assert_eq!(known["workspaces"][0]["id"], saved["workspace"]);
    assert!(saved["workspace"].is_string());
    running.stop().await.unwrap();
}

#[tokio::test]
async fn a_command_gets_its_values_by_placeholder_and_goes_by_the_mocks_clock() {
    let mocks = mocks().await;
    mocks.set_user(&User::new("ada", "Ada")).await.unwrap();
    let line = format!(
        "'{PROGRAM}' reference-server --port {{port}} --issuer {{issuer}} --resource {{resource}} --directory {{directory}} \
         --subscriptions {{subscriptions}} --ecb {{ecb}} --control {{control}} --store {{data}}/book.sqlite"
    );
    let launcher = Launcher::Command {
        line,
        name: Some("by command".to_owned()),
        contract: Some("worthbase/1".to_owned()),
    };
    let running = launcher
        .start(Some(&mocks), &LaunchOptions::default())
        .await
        .unwrap();
    let target = running.target();
    assert_eq!(
        (target.kind, target.access),
        (Kind::Command, Access::Control)
    );
    // The token is good at the steered clock's time only; today it expired or is not issued yet.
    let known = called(&mocks, &running, "whoami", json!({})).await;
    assert_eq!(known["user"]["email"], "ada.ada@example.com");
    let target = target.clone();
    running.stop().await.unwrap();
    assert!(
        reqwest::get(target.endpoint)
            .await
            .unwrap_err()
            .is_connect()
    );
}

#[tokio::test]
async fn dropping_a_target_ends_its_process() {
    let mocks = mocks().await;
    let options = LaunchOptions {
        own_process: true,
        executable: Some(PROGRAM.into()),
        ..LaunchOptions::default()
    };
    let running = Launcher::Reference
        .start(Some(&mocks), &options)
        .await
        .unwrap();
    let endpoint = running.target().endpoint.clone();
    drop(running);
    let gone = async {
        while reqwest::get(endpoint.clone()).await.is_ok() {
            tokio::task::yield_now().await;
        }
    };
    assert!(
        tokio::time::timeout(std::time::Duration::from_secs(10), gone)
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn a_reference_server_that_cannot_start_says_why() {
    let mocks = mocks().await;
    let options = LaunchOptions {
        own_process: true,
        executable: Some(PROGRAM.into()),
        rules: Some(json!({ "no": "rule" })),
        ..LaunchOptions::default()
    };
    let message = Launcher::Reference
        .start(Some(&mocks), &options)
        .await
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("not a value of the server's rules"),
        "{message}"
    );
}

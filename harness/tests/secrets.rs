//! No token that the suite ever sent turns up in anything it writes: reports, terminal, log.

use std::{
    process::Stdio,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    http::{HeaderMap, StatusCode},
};
use proofmark::mocks::{MockOptions, Mocks};
use tokio::{net::TcpListener, process::Command};

/// A server that repeats every credential it is sent, which puts it into every answer the suite records.
async fn parrot(heard: Arc<Mutex<Vec<String>>>) -> String {
    let router = Router::new().fallback(move |headers: HeaderMap| {
        let said: Vec<String> = headers
            .get_all("authorization")
            .iter()
            .filter_map(|line| line.to_str().ok().map(str::to_owned))
            .collect();
        heard.lock().unwrap().extend(said.clone());
        async move { (StatusCode::UNAUTHORIZED, said.join("\n")) }
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}/mcp")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_the_server_repeats_is_in_no_report_and_no_log() {
    proofmark::crypto::install();
    let heard = Arc::default();
    let url = parrot(Arc::clone(&heard)).await;
    let mocks = Mocks::start(MockOptions::default()).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("proofmark.toml");
    std::fs::write(
        &config,
        format!("[mocks]\nadmin = \"{}\"\n", mocks.addresses().admin),
    )
    .unwrap();
    let (json, junit) = (
        folder.path().join("run.json"),
        folder.path().join("run.xml"),
    );
    let output = Command::new(env!("CARGO_BIN_EXE_proofmark"))
        .args([
            "run",
            "-vvv",
            "--profile",
            "core",
            "--tags",
            "not @isolated",
        ])
        .args(["--revision", "2026-07-28", "--url", &url])
        .arg("--config")
        .arg(&config)
        .arg("--report")
        .arg(format!("json={}", json.display()))
        .arg("--report")
        .arg(format!("junit={}", junit.display()))
        .stdin(Stdio::null())
        .output()
        .await
        .unwrap();
    let written = [
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
        std::fs::read_to_string(json).unwrap(),
        std::fs::read_to_string(junit).unwrap(),
    ]
    .join("\n");
    let heard = heard.lock().unwrap();
    // The signature is the secret part; everything before it may be told.
    let signatures: Vec<&str> = heard
        .iter()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(_, token)| token.rsplit_once('.'))
        .map(|(_, signature)| signature)
        .filter(|signature| signature.len() >= 40)
        .collect();
    assert!(
        signatures.len() > 20,
        "the server heard too few tokens: {}",
        signatures.len()
    );
    let told: Vec<&&str> = signatures
        .iter()
        .filter(|signature| written.contains(**signature))
        .collect();
    assert!(told.is_empty(), "{} tokens were written down", told.len());
}

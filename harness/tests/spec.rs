//! The pages as the program writes them: of the specification alone, and of a run against a server that fails.

use std::{
    path::Path,
    process::{Command, Output},
};

use axum::Router;
use proofmark::mocks::{MockOptions, Mocks};
use tokio::net::TcpListener;

/// What a hostile server says; nothing of it may become markup.
const POISON: &str = "<script>alert(1)</script><img src=x onerror=alert(1)>";

fn proofmark(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_proofmark"))
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_site_is_written_and_says_where_it_begins() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a/site");
    let output = proofmark(&["spec", "--out", text(&out)]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("index.html"));
    assert!(read(&out.join("index.html")).contains("<h1>"));
    assert!(
        !out.join("failures.html").exists(),
        "there is no run to tell of"
    );
}

#[test]
fn results_that_are_no_report_and_a_folder_that_cannot_be_made_are_wrong_usage() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.json");
    std::fs::write(&file, "[]").unwrap();
    let out = folder.path().join("site");
    let output = proofmark(&["spec", "--out", text(&out), "--results", text(&file)]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is no report"));
    let output = proofmark(&["spec", "--out", text(&file)]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be written"));
    let output = proofmark(&["selftest", "--report", "html=x"]);
    assert_eq!(output.status.code(), Some(2));
}

/// A server that answers everybody, with words that would run as a script.
async fn wrong_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new().fallback(|| async {
        axum::Json(serde_json::json!({"jsonrpc": "2.0", "id": 1, "words": POISON,
            "result": {"tools": [{"name": "transfer", "description": POISON, "inputSchema": {"type": "object"}}]}}))
    });
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}/mcp")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_fails_is_told_in_one_file_and_on_every_page_without_its_words_becoming_markup()
{
    proofmark::crypto::install();
    let url = wrong_server().await;
    let mocks = Mocks::start(MockOptions::default()).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("proofmark.toml");
    let admin = format!("[mocks]\nadmin = \"{}\"\n", mocks.addresses().admin);
    std::fs::write(&config, admin).unwrap();
    let report = folder.path().join("report.html");
    let json = folder.path().join("run.json");
    let output = tokio::task::spawn_blocking({
        let (report, json) = (
            format!("html={}", text(&report)),
            format!("json={}", text(&json)),
        );
        move || {
            let config = text(&config);
            proofmark(&[
                "run",
                "--profile",
                "core",
                "--timeout",
                "2s",
                "--url",
                &url,
                "--config",
                config,
                "--report",
                &report,
                "--report",
                &json,
            ])
        }
    })
    .await
    .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let html = read(&report);
    assert!(
        html.contains("class=\"word\">Violated"),
        "the verdict comes first"
    );
    assert!(html.contains("id=\"failure-AUTH-CHALLENGE-001\""));
    assert!(
        html.contains("&#60;script&#62;alert(1)"),
        "the words of the server are shown"
    );

    let out = folder.path().join("site");
    let output = proofmark(&["spec", "--out", text(&out), "--results", text(&json)]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let pages = [
        html,
        read(&out.join("failures.html")),
        read(&out.join("requirements/auth-challenge.html")),
        read(&out.join("features/core/challenge.html")),
    ];
    for page in pages {
        for forbidden in ["<script>alert", "<img src=x"] {
            assert!(!page.contains(forbidden), "{forbidden}");
        }
        assert!(
            page.contains("violated") || page.contains("failed"),
            "the verdict is on the page"
        );
    }
    assert!(read(&out.join("index.html")).contains("Violated"));
}

//! The suite on programs over stdio that are wrong as a whole: it is never green, it ends by itself, it says why.
#![cfg(unix)]

use std::{
    process::Stdio,
    time::{Duration, Instant},
};

use tokio::process::Command;

/// No run of this file may take longer, whatever the program does.
const PATIENCE: Duration = Duration::from_secs(90);

/// How one run of Proofmark ended.
struct Ending {
    code: i32,
    said: String,
}

/// Runs the suite against a program, with nothing but its streams in reach.
async fn run_against(line: &str) -> Ending {
    let started = Instant::now();
    let child = Command::new(env!("CARGO_BIN_EXE_proofmark"))
        .args(["run", "--color", "never", "--timeout", "1s"])
        .args(["--stdio", line])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let output = tokio::time::timeout(PATIENCE, child.wait_with_output())
        .await
        .unwrap_or_else(|_| panic!("the run did not end within {PATIENCE:?}"))
        .unwrap();
    assert!(started.elapsed() < PATIENCE);
    Ending {
        code: output.status.code().unwrap_or(-1),
        said: String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_ends_at_once_leaves_the_run_incomplete_and_is_quoted() {
    let ending = run_against("sh -c 'echo no such database >&2; exit 3'").await;
    assert_eq!(ending.code, 3, "{}", ending.said);
    assert!(ending.said.contains("no such database"), "{}", ending.said);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_does_not_exist_leaves_the_run_incomplete() {
    let ending = run_against("no-such-program-anywhere {data}").await;
    assert_eq!(ending.code, 3, "{}", ending.said);
    assert!(
        ending.said.contains("no-such-program-anywhere"),
        "{}",
        ending.said
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_placeholder_that_does_not_exist_is_named_with_those_there_are() {
    let ending = run_against("cat {dat}").await;
    assert_eq!(ending.code, 3, "{}", ending.said);
    assert!(ending.said.contains("{data}"), "{}", ending.said);
}

/// Answers every request with the same result, after a word of greeting.
const CHATTY: &str = r#"#!/bin/sh
echo "Hello!"
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  [ -n "$id" ] && printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","tools":[]}}\n' "$id"
done
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_greets_and_offers_nothing_violates() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("chatty.sh");
    std::fs::write(&script, CHATTY).unwrap();
    let ending = run_against(&format!("sh {}", script.display())).await;
    assert_eq!(ending.code, 1, "{}", ending.said);
    for id in ["STDIO-001", "STDIO-006", "STDIO-F-002"] {
        assert!(ending.said.contains(id), "{id} in {}", ending.said);
    }
    assert!(ending.said.contains("Hello!"), "{}", ending.said);
}

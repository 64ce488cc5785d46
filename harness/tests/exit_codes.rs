//! How the program ends: one test for each exit code and each message a user can run into.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpListener,
    path::Path,
    process::{Command, Output},
    thread,
};

fn proofmark(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_proofmark"))
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

/// Asserts how the program ended, and that its words hold every one of these parts.
fn ends(output: &Output, code: i32, parts: &[&str]) {
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(output.status.code(), Some(code), "{text}");
    for part in parts {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

/// The address of something that answers 404 to everything, until the test process ends.
fn somebody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 4096];
            let read = stream.read(&mut request).unwrap_or(0);
            assert!(read < request.len(), "probes are short");
            let answer = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
            // The client may have gone away; the test that sent it says what it expected.
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    format!("http://{address}/mcp")
}

fn folder_with(feature: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("own.feature"), feature).unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn help_and_lists_end_well() {
    ends(&proofmark(&["--help"]), 0, &["Examples", "selftest"]);
    ends(&proofmark(&["list", "profiles"]), 0, &["worthbase"]);
    let steps = proofmark(&["list", "steps", "--format", "json"]);
    ends(&steps, 0, &[]);
    let steps: Vec<serde_json::Value> = serde_json::from_slice(&steps.stdout).unwrap();
    assert!(
        steps
            .iter()
            .all(|step| step["id"].is_string() && step["title"].is_string())
    );
}

#[test]
fn a_name_that_does_not_exist_is_wrong_usage_with_a_proposal() {
    ends(
        &proofmark(&["run", "--profile", "worthbasse"]),
        2,
        &["no profile \"worthbasse\"", "did you mean worthbase?"],
    );
    ends(
        &proofmark(&["run", "--requirement", "PREVIEW-999"]),
        2,
        &["no requirement \"PREVIEW-999\"", "did you mean PREVIEW-0"],
    );
    ends(
        &proofmark(&["run", "--scenario", "nobody calls a scenario this"]),
        2,
        &["no scenario", "proofmark list scenarios"],
    );
    ends(
        &proofmark(&["explain", "PREVIEW-999"]),
        2,
        &["did you mean"],
    );
    ends(
        &proofmark(&["run", "--tags", "@a and and"]),
        2,
        &["no tag expression"],
    );
    ends(&proofmark(&["run", "--url", "nonsense"]), 2, &["--url"]);
    ends(
        &proofmark(&["run", "--report", "pdf=x"]),
        2,
        &["json and junit"],
    );
}

#[test]
fn a_filter_that_matches_nothing_is_incomplete() {
    ends(
        &proofmark(&["run", "--tags", "@nobody-has-this"]),
        3,
        &["nothing matches"],
    );
}

#[test]
fn a_server_that_cannot_be_reached_is_incomplete() {
    // The listener is dropped, so the port is free and nobody listens there.
    let address = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let url = format!("http://{address}/mcp");
    ends(
        &proofmark(&["run", "--url", &url]),
        3,
        &["cannot be reached", &url],
    );
}

#[test]
fn a_command_that_dies_is_incomplete_and_its_last_words_are_shown() {
    ends(
        &proofmark(&["run", "--command", "sh -c 'echo out of coffee >&2; exit 7'"]),
        3,
        &["out of coffee"],
    );
}

#[test]
fn a_broken_configuration_is_named_with_line_and_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("proofmark.toml");
    fs::write(&file, "[target]\nurll = \"http://localhost\"\n").unwrap();
    ends(
        &proofmark(&["run", "--config", text(&file)]),
        2,
        &["proofmark.toml:2", "urll"],
    );
}

#[test]
fn an_undefined_step_is_a_fault_of_the_harness_and_is_named() {
    let folder = folder_with(
        "Feature: Mine\n  @needs-url\n  Scenario: Mine\n    Then the moon is made of cheese\n",
    );
    ends(
        &proofmark(&[
            "run",
            "--url",
            &somebody(),
            "--features",
            text(folder.path()),
        ]),
        4,
        &[
            "own.feature:4",
            "no step is defined for \"Then the moon is made of cheese\"",
        ],
    );
}

#[test]
fn a_feature_file_that_cannot_be_read_is_wrong_usage() {
    let folder = folder_with("Scenario: without a feature\n");
    ends(
        &proofmark(&["run", "--features", text(folder.path())]),
        2,
        &["own.feature"],
    );
    let empty = tempfile::tempdir().unwrap();
    ends(
        &proofmark(&["run", "--features", text(empty.path())]),
        3,
        &["no feature file"],
    );
    ends(
        &proofmark(&["run", "--features", "/does/not/exist"]),
        2,
        &["/does/not/exist"],
    );
}

#[test]
fn a_run_in_which_nothing_is_in_reach_is_never_green_and_still_reports() {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("deep/report.json");
    let features =
        folder_with("Feature: Mine\n  @needs-control\n  Scenario: Mine\n    Then it holds\n");
    let argument = format!("json={}", report.display());
    let output = proofmark(&[
        "run",
        "--url",
        &somebody(),
        "--features",
        text(features.path()),
        "--report",
        &argument,
    ]);
    ends(&output, 3, &["incomplete"]);
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
    assert_eq!(report["verdict"], "incomplete");
    assert_eq!(report["scenarios"][0]["status"], "not_proven");
}

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
        &["json, junit, markdown and html"],
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

fn json(path: &Path) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Asserts that a report keeps to the published schema.
fn keeps_to_the_schema(report: &serde_json::Value) {
    let schema =
        serde_json::from_str(include_str!("../../fixtures/contracts/report.schema.json")).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(report)
        .map(|error| format!("{error} at {}", error.instance_path()))
        .collect();
    assert_eq!(errors, [""; 0]);
}

/// One small requirement of which anything that answers HTTP can be judged.
const CHALLENGE: &str = "AUTH-CHALLENGE-001";

#[test]
fn a_run_that_proves_everything_ends_with_0_and_its_reports_agree() {
    let folder = tempfile::tempdir().unwrap();
    let (report, summary) = (folder.path().join("run.json"), folder.path().join("run.md"));
    let output = proofmark(&[
        "run",
        "--requirement",
        CHALLENGE,
        "--report",
        &format!("json={}", report.display()),
        "--report",
        &format!("markdown={}", summary.display()),
    ]);
    ends(&output, 0, &["conforms"]);
    keeps_to_the_schema(&json(&report));
    let summary = fs::read_to_string(summary).unwrap();
    assert!(summary.contains("conforms (exit 0)"), "{summary}");
    // Against itself nothing got worse, and its badge is green.
    ends(
        &proofmark(&["compare", text(&report), text(&report)]),
        0,
        &["nothing changed"],
    );
    let badge = proofmark(&["badge", text(&report), "--format", "shields"]);
    ends(&badge, 0, &["brightgreen", "1 of 1 proven"]);
    ends(&proofmark(&["badge", text(&report)]), 0, &["<svg "]);
}

#[test]
fn a_violation_ends_with_1_until_a_baseline_knows_it() {
    let folder = tempfile::tempdir().unwrap();
    let known = folder.path().join("known.toml");
    let report = folder.path().join("run.json");
    let url = somebody();
    // Without this the breach would only warn, since a server need not have any authorization.
    let declared = folder.path().join("declared.toml");
    fs::write(&declared, "[target]\nauthorization = \"oauth\"\n").unwrap();
    let config = text(&declared);
    let features = folder_with(
        "Feature: Mine\n  @needs-url @AUTH-CHALLENGE-004\n  Scenario: The way to the metadata\n    When somebody looks for the metadata in the challenge and at both well-known addresses\n    Then at least one of them leads to a document about a resource\n",
    );
    let mine = text(features.path());
    let reports = format!("json={}", report.display());
    let run = |more: &[&str]| {
        let mut words = vec!["run", "--url", &url, "--config", config];
        words.extend(["--features", mine]);
        words.extend(["--report", &reports]);
        words.extend(more);
        proofmark(&words)
    };
    let violated = run(&["--baseline", text(&known), "--write-baseline"]);
    ends(
        &violated,
        1,
        &[
            "violated: 1 requirement",
            "AUTH-CHALLENGE-004",
            "--scenario",
        ],
    );
    keeps_to_the_schema(&json(&report));

    let undeclared = proofmark(&["run", "--url", &url, "--features", mine]);
    ends(
        &undeclared,
        0,
        &["! AUTH-CHALLENGE-004", "declare `authorization`"],
    );

    // The entry waits for somebody who explains it.
    ends(
        &run(&["--baseline", text(&known)]),
        2,
        &["`reason` is empty"],
    );
    let filled = fs::read_to_string(&known)
        .unwrap()
        .replace("reason = \"\"", "reason = \"mended in March\"")
        .replace("link = \"\"", "link = \"https://tracker.example/7\"");
    fs::write(&known, &filled).unwrap();
    ends(&run(&["--baseline", text(&known)]), 0, &["known failures"]);
    let told = json(&report);
    keeps_to_the_schema(&told);
    assert_eq!(told["summary"]["requirements"]["known_failures"], 1);

    let expiry = filled
        .lines()
        .find_map(|line| line.strip_prefix("expires = "))
        .unwrap()
        .to_owned();
    fs::write(&known, filled.replace(&expiry, "\"2020-01-01\"")).unwrap();
    ends(
        &run(&["--baseline", text(&known)]),
        1,
        &["accepted until 2020-01-01", "https://tracker.example/7"],
    );
    // The reference server keeps the promise, so the entry is stale there.
    fs::write(&known, &filled).unwrap();
    let healthy = proofmark(&[
        "run",
        "--features",
        mine,
        "--baseline",
        text(&known),
        "--report",
        &format!("json={}", folder.path().join("healthy.json").display()),
    ]);
    ends(&healthy, 1, &["passed; take the entry out", "out of date"]);
    let healthy = folder.path().join("healthy.json");
    keeps_to_the_schema(&json(&healthy));
    ends(
        &proofmark(&["compare", text(&healthy), text(&report)]),
        1,
        &["proven -> violated", "something got worse"],
    );
}

#[test]
fn a_run_that_cannot_begin_writes_every_report_that_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let output = proofmark(&[
        "run",
        "--command",
        "sh -c 'echo out of coffee >&2; exit 7'",
        "--report",
        &format!("json={}", path("run.json").display()),
        "--report",
        &format!("junit={}", path("run.xml").display()),
        "--report",
        &format!("markdown={}", path("run.md").display()),
    ]);
    ends(&output, 3, &["out of coffee"]);
    let report = json(&path("run.json"));
    keeps_to_the_schema(&report);
    assert_eq!(report["verdict"], "incomplete");
    assert!(report["reason"].as_str().unwrap().contains("out of coffee"));
    let junit = fs::read_to_string(path("run.xml")).unwrap();
    assert!(junit.contains("errors=\"1\"") && junit.contains("out of coffee"));
    let summary = fs::read_to_string(path("run.md")).unwrap();
    assert!(summary.contains("incomplete (exit 3)") && summary.contains("out of coffee"));
}

#[test]
fn what_is_no_report_cannot_be_compared_or_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("other.json");
    fs::write(&file, "{\"schema\": \"proofmark.selftest/1\"}").unwrap();
    for words in [
        &["badge", text(&file)][..],
        &["compare", text(&file), text(&file)],
    ] {
        ends(
            &proofmark(words),
            2,
            &["is no report", "proofmark.selftest/1"],
        );
    }
    ends(&proofmark(&["badge", "/no/such/file"]), 2, &["cannot read"]);
    ends(
        &proofmark(&["run", "--write-baseline"]),
        2,
        &["--baseline FILE"],
    );
}

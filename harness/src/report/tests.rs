//! Every kind of report, made from one run in which everything happens that can happen.

use cucumber::{codegen::Regex, gherkin::StepType};
use futures::FutureExt as _;
use secrecy::SecretString;

use super::{Style, json, junit, markdown, terminal};
use crate::{
    catalogue::{Catalogue, tests::row},
    embedded::Document,
    suite::{
        Failure, Options, Phrase, RunOutcome, Selection, Vocabulary, run,
        tests::{Listener, stage},
    },
    target::Access,
};

/// A token that must not be found in anything that is written.
const CANARY: &str = "canary-3b9f-do-not-print.canary-payload-7c1e.canary-signature-55aa";

const FEATURE: &str = "Feature: F
  @A-001
  Scenario: It holds
    Then it holds
  @B-001
  Rule: Tokens are secret
    Scenario: It leaks
      Then the token turns up everywhere
  @C-001 @needs-control
  Scenario: Too far
    Then it holds
  @D-001
  Scenario: Odd
    Then nobody wrote this
  @E-001 @contract
  Scenario: Ours
    Then it holds
  @F-001
  Scenario: It leaks too
    Then the token turns up everywhere
";

fn vocabulary() -> Vocabulary {
    let phrase = |pattern: &str, action| {
        let regex = Regex::new(pattern).unwrap();
        Phrase::new(StepType::Then, regex, pattern.to_owned(), action)
    };
    Vocabulary::default()
        .with(phrase("^it holds$", |_, _| async {}.boxed_local()))
        .with(phrase("^the token turns up everywhere$", |scene, _| {
            async move {
                scene.recorder.hide(&SecretString::from(CANARY));
                let request = format!("POST /mcp\nAuthorization: Bearer {CANARY}");
                scene
                    .recorder
                    .keep(&request, format!("200 you sent {CANARY}"));
                let failure = Failure::expected(format!("nothing about {CANARY}"))
                    .actual(format!("an answer with {CANARY} & <more>"))
                    .hint(format!("do not repeat {CANARY}"));
                panic!("{failure}")
            }
            .boxed_local()
        }))
}

async fn everything() -> (RunOutcome, Catalogue) {
    crate::crypto::install();
    let rows: String = ["A-001", "B-001", "C-001", "D-001", "E-001"]
        .map(|id| row(id, "MUST", ""))
        .concat()
        + &row("F-001", "SHOULD", "");
    let catalogue = Catalogue::read(
        &[Document::new("requirements/a.toml", &rows)],
        &[],
        &[Document::new("worthbase/everything.feature", FEATURE)],
    )
    .unwrap();
    let listener = Listener::start().await;
    let stage = stage(&listener.address.to_string(), Access::MockAs, false);
    let outcome = run(
        &catalogue,
        &vocabulary(),
        &Selection {
            heavy: true,
            ..Selection::default()
        },
        &stage,
        &Options {
            rerun: "proofmark run --url http://localhost/mcp".to_owned(),
            ..Options::default()
        },
        &|_, _, _| (),
    )
    .await;
    (outcome, catalogue)
}

fn look(style: Style, verbose: bool) -> terminal::Look {
    terminal::Look {
        style,
        quiet: false,
        verbose,
    }
}

#[tokio::test]
async fn the_json_report_keeps_to_its_schema() {
    let (outcome, _) = everything().await;
    let schema: serde_json::Value = serde_json::from_str(include_str!(
        "../../../fixtures/contracts/report.schema.json"
    ))
    .unwrap();
    assert!(jsonschema::meta::is_valid(&schema));
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let report = serde_json::from_str(&json::render(&outcome).unwrap()).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&report)
        .map(|error| format!("{} at {}", error, error.instance_path()))
        .collect();
    assert_eq!(errors, [""; 0]);
    assert_eq!(report["verdict"], "harness_fault");
    assert_eq!(report["summary"]["requirements"]["violated"], 1);
    assert_eq!(report["summary"]["requirements"]["warned"], 1);
    assert_eq!(report["summary"]["requirements"]["not_applicable"], 1);
}

#[tokio::test]
async fn no_token_is_in_any_report() {
    let (outcome, catalogue) = everything().await;
    let artefacts = [
        json::render(&outcome).unwrap(),
        junit::render(&outcome).unwrap(),
        markdown::render(&outcome),
        terminal::render(&outcome, &catalogue, &look(Style::PLAIN, true)),
        format!("{outcome:?}"),
    ];
    for artefact in artefacts {
        for part in CANARY.split('.') {
            assert!(!artefact.contains(part), "{part} is in\n{artefact}");
        }
        assert!(
            artefact.contains("[token]"),
            "the exchange is shown redacted"
        );
    }
}

#[tokio::test]
async fn the_junit_report_tells_failures_errors_and_skipped_apart() {
    let (outcome, _) = everything().await;
    let text = junit::render(&outcome).unwrap();
    let report = quick_junit::Report::deserialize_from_str(&text).unwrap();
    assert_eq!(report.tests, outcome.scenarios.len());
    assert_eq!(report.failures, 4, "two scenarios in two revisions");
    assert_eq!(report.errors, 2, "an undefined step in two revisions");
    assert!(text.contains("&lt;more&gt;") && text.contains("worthbase/everything/it-leaks"));
}

#[tokio::test]
async fn the_terminal_report_explains_each_violation_by_requirement() {
    let (outcome, catalogue) = everything().await;
    let text = terminal::render(&outcome, &catalogue, &look(Style::PLAIN, false));
    for part in [
        "✗ B-001 MUST  It holds.",
        "source     a page",
        "scenario   worthbase/everything/it-leaks in MCP 2025-11-25 (worthbase/everything.feature:7)",
        "also in    2026-07-28",
        "expected   nothing about [token]",
        "actual     an answer with [token] & <more>",
        "fix        do not repeat [token]",
        "rerun      proofmark run --url http://localhost/mcp --requirement B-001",
        "rerun      proofmark run --url http://localhost/mcp --scenario worthbase/everything/it-leaks-too --revision 2025-11-25",
        "! F-001 SHOULD",
        "? the harness is at fault",
        "worthbase/everything.feature:14: no step is defined for \"Then nobody wrote this\"",
        "- not proven: out of reach: needs access `control`, there is `mock-as`\n    C-001",
        "- not applicable: speaks of the worthbase/1 contract, which this target does not claim\n    E-001",
        "requirements  1 proven, 1 violated, 1 warned, 2 not proven of 5 (1 not applicable)",
        "(exit 4)",
    ] {
        assert!(text.contains(part), "{part}\nis missing in\n{text}");
    }
    assert_eq!(
        text.matches("no step is defined").count(),
        1,
        "once, though it fails in two revisions\n{text}"
    );
    assert!(!text.contains('\u{1b}'));
}

#[tokio::test]
async fn a_quiet_report_is_failures_and_verdict() {
    let (outcome, catalogue) = everything().await;
    let quiet = terminal::Look {
        quiet: true,
        ..look(Style::COLORED, false)
    };
    let text = terminal::render(&outcome, &catalogue, &quiet);
    assert!(text.contains("B-001") && text.contains("verdict") && text.contains('\u{1b}'));
    assert!(!text.contains("not applicable") && !text.contains("Proofmark"));
}

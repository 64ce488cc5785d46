//! The runner on tiny features, with steps made for it and no server.

use std::{sync::Arc, time::Duration};

use cucumber::{codegen::Regex, gherkin::StepType};
use futures::FutureExt as _;

use super::*;
use crate::{
    catalogue::tests::row,
    embedded::Document,
    exit::Exit,
    target::{Access, Kind, LaunchOptions, Launcher, Target},
};

/// Something listens there, so a probe is answered; nothing else is asked of it.
pub(crate) struct Listener {
    pub(crate) address: std::net::SocketAddr,
    task: tokio::task::JoinHandle<()>,
}

impl Listener {
    pub(crate) async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let task = tokio::spawn(async move {
            axum::serve(listener, axum::Router::new()).await.unwrap();
        });
        Self { address, task }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

pub(crate) fn stage(address: &str, access: Access, contract: bool) -> Stage {
    let endpoint: url::Url = format!("http://{address}/mcp").parse().unwrap();
    Stage {
        shared: Arc::new(Environment {
            target: Target {
                kind: Kind::Url,
                name: "tiny".to_owned(),
                resource: endpoint.to_string(),
                endpoint: endpoint.clone(),
                access,
                contract: contract.then(|| "worthbase/1".to_owned()),
            },
            mocks: None,
            tokens: std::collections::BTreeMap::new(),
            facts: crate::target::Facts::default(),
            writes: true,
            request_timeout: Duration::from_secs(5),
            isolated: false,
        }),
        kobana: None,
        launcher: Launcher::Url {
            endpoint,
            name: None,
            contract: None,
        },
        launch: LaunchOptions::default(),
    }
}

fn vocabulary() -> Vocabulary {
    let phrase = |pattern: &str, action| {
        Phrase::new(
            StepType::Then,
            Regex::new(pattern).unwrap(),
            pattern.to_owned(),
            action,
        )
    };
    Vocabulary::default()
        .with(phrase("^it holds$", |_, _| async {}.boxed_local()))
        .with(phrase("^it is wrong$", |_, _| {
            async { panic!("{}", Failure::expected("one").actual("two").hint("count")) }
                .boxed_local()
        }))
        .with(phrase("^the step is broken$", |_, _| {
            async { panic!("index out of bounds") }.boxed_local()
        }))
        .with(phrase("^the revision is (.+)$", |scene, context| {
            async move {
                let wanted = context.matches[1].1.clone();
                if scene.revision.to_string() != wanted {
                    panic!("{}", Failure::expected(wanted).actual(scene.revision));
                }
            }
            .boxed_local()
        }))
        .with(phrase("^it never ends$", |_, _| {
            std::future::pending().boxed_local()
        }))
}

/// The discard port: nobody listens there.
const NOBODY: &str = "127.0.0.1:9";

async fn run_tiny(rows: &str, feature: &str, stage: &Stage, selection: Selection) -> RunOutcome {
    crate::crypto::install();
    let catalogue = Catalogue::read(
        &[Document::new("requirements/a.toml", rows)],
        &[],
        &[Document::new("worthbase/tiny.feature", feature)],
    )
    .unwrap();
    // Every scenario in every revision, no turns.
    let selection = Selection {
        heavy: true,
        ..selection
    };
    let options = Options {
        scenario_timeout: Duration::from_millis(200),
        ..Options::default()
    };
    run(
        &catalogue,
        &vocabulary(),
        &selection,
        stage,
        &options,
        &|_, _, _| (),
    )
    .await
}

async fn outcome(rows: &str, feature: &str) -> RunOutcome {
    let listener = Listener::start().await;
    let stage = stage(&listener.address.to_string(), Access::Control, true);
    run_tiny(rows, feature, &stage, Selection::default()).await
}

fn statuses(outcome: &RunOutcome) -> Vec<RequirementStatus> {
    outcome
        .requirements
        .iter()
        .map(|result| result.status)
        .collect()
}

#[tokio::test]
async fn a_requirement_is_proven_when_its_scenarios_pass_in_every_revision() {
    let feature = "Feature: F\n  @A-001\n  Scenario: S\n    Then it holds\n";
    let outcome = outcome(&row("A-001", "MUST", ""), feature).await;
    assert_eq!(Exit::from(outcome.verdict), Exit::Conforms);
    assert_eq!(statuses(&outcome), [RequirementStatus::Proven]);
    assert_eq!(
        outcome.scenario_counts().passed,
        2,
        "once for each revision"
    );
    assert_eq!(outcome.target.revisions.len(), 2);
}

#[tokio::test]
async fn one_revision_that_fails_violates_the_requirement() {
    let feature = "Feature: F\n  @A-001\n  Scenario: S\n    Then the revision is 2025-11-25\n";
    let outcome = outcome(&row("A-001", "MUST", ""), feature).await;
    assert_eq!(Exit::from(outcome.verdict), Exit::Violated);
    assert_eq!(statuses(&outcome), [RequirementStatus::Violated]);
    let counts = outcome.scenario_counts();
    assert_eq!((counts.passed, counts.failed), (1, 1));
}

#[tokio::test]
async fn a_failed_step_says_what_was_expected_and_stops_the_scenario() {
    let feature = "Feature: F\n  @A-001 @rev-2026-07-28\n  Scenario: S\n    Then it is wrong\n    Then the step is broken\n";
    let outcome = outcome(&row("A-001", "MUST", ""), feature).await;
    let failure = outcome.scenarios[0].failure.as_ref().unwrap();
    assert_eq!(failure.step, "Then it is wrong");
    assert_eq!(
        (failure.expected.as_str(), failure.actual.as_str()),
        ("one", "two")
    );
    assert_eq!(failure.hint.as_deref(), Some("count"));
}

#[tokio::test]
async fn a_should_that_is_not_kept_warns_and_fails_only_when_strict() {
    let feature = "Feature: F\n  @A-001\n  Scenario: S\n    Then it is wrong\n";
    let outcome = outcome(&row("A-001", "SHOULD", ""), feature).await;
    assert_eq!(Exit::from(outcome.verdict), Exit::Conforms);
    assert_eq!(statuses(&outcome), [RequirementStatus::Warned]);
    assert_eq!(
        verdict::violation(crate::catalogue::Level::Should, true),
        RequirementStatus::Violated
    );
}

#[tokio::test]
async fn an_undefined_step_is_a_fault_of_the_harness_with_file_and_line() {
    let feature =
        "Feature: F\n  @A-001\n  Scenario: S\n    Then it holds\n    Then nobody wrote this\n";
    let outcome = outcome(&row("A-001", "MUST", ""), feature).await;
    assert_eq!(Exit::from(outcome.verdict), Exit::HarnessFault);
    assert_eq!(statuses(&outcome), [RequirementStatus::NotProven]);
    let failure = outcome.scenarios[0].failure.as_ref().unwrap();
    assert_eq!(
        failure.actual,
        "worthbase/tiny.feature:5: no step is defined for \"Then nobody wrote this\""
    );
    assert_eq!(
        outcome.requirements[0].reason.as_deref(),
        Some("the harness is at fault at \"Then nobody wrote this\"")
    );
}

#[tokio::test]
async fn a_panic_in_a_step_never_counts_against_the_server() {
    let feature = "Feature: F\n  @A-001\n  Scenario: S\n    Then the step is broken\n  @B-001\n  Scenario: Empty\n";
    let rows = row("A-001", "MUST", "") + &row("B-001", "MUST", "");
    let outcome = outcome(&rows, feature).await;
    assert_eq!(Exit::from(outcome.verdict), Exit::HarnessFault);
    assert_eq!(
        statuses(&outcome),
        [RequirementStatus::NotProven, RequirementStatus::NotProven]
    );
}

#[tokio::test]
async fn a_run_in_which_nothing_ran_is_incomplete() {
    let listener = Listener::start().await;
    let stage = stage(&listener.address.to_string(), Access::Control, true);
    let feature = "Feature: F\n  @A-001\n  Scenario: S\n    Then it holds\n";
    let selection = Selection {
        tags: Some("@nobody".parse().unwrap()),
        ..Selection::default()
    };
    let outcome = run_tiny(&row("A-001", "MUST", ""), feature, &stage, selection).await;
    assert_eq!(Exit::from(outcome.verdict), Exit::Incomplete);
}

#[tokio::test]
async fn what_is_out_of_reach_is_not_proven_and_what_is_not_offered_does_not_apply() {
    let listener = Listener::start().await;
    let stage = stage(&listener.address.to_string(), Access::Token, false);
    let feature = "@needs-token\nFeature: F\n  @A-001\n  Scenario: S\n    Then it holds\n  @B-001 @needs-control\n  Scenario: T\n    Then it holds\n  @C-001\n  Scenario: U\n    Then it holds\n  @D-001 @contract\n  Scenario: V\n    Then it holds\n";
    let rows = [
        row("A-001", "MUST", ""),
        row("B-001", "MUST", ""),
        row("C-001", "MUST", "tier = \"X\""),
        row("D-001", "MUST", ""),
    ]
    .concat();
    let outcome = run_tiny(&rows, feature, &stage, Selection::default()).await;
    assert_eq!(Exit::from(outcome.verdict), Exit::Conforms);
    assert_eq!(
        statuses(&outcome),
        [
            RequirementStatus::Proven,
            RequirementStatus::NotProven,
            RequirementStatus::NotApplicable,
            RequirementStatus::NotApplicable
        ]
    );
    let reason = outcome.requirements[1].reason.as_ref().unwrap();
    assert!(reason.contains("needs access `control`"), "{reason}");
    assert_eq!(outcome.requirement_counts().total, 2);
}

#[tokio::test]
async fn a_part_of_the_scenarios_never_proves_the_whole_requirement() {
    let listener = Listener::start().await;
    let stage = stage(&listener.address.to_string(), Access::Control, true);
    let feature = "Feature: F\n  @A-001\n  Scenario: First\n    Then it holds\n  @A-001\n  Scenario: Second\n    Then it holds\n";
    let selection = Selection {
        scenarios: vec!["first".to_owned()],
        ..Selection::default()
    };
    let outcome = run_tiny(&row("A-001", "MUST", ""), feature, &stage, selection).await;
    assert_eq!(statuses(&outcome), [RequirementStatus::NotProven]);
    assert_eq!(
        outcome.requirements[0].reason.as_deref(),
        Some("only 1 of its 2 scenarios were chosen")
    );
    assert_eq!(Exit::from(outcome.verdict), Exit::Conforms);
}

#[tokio::test]
async fn a_scenario_that_never_ends_fails_with_the_step_it_hangs_in() {
    let feature = "Feature: F\n  @A-001 @rev-2026-07-28\n  Scenario: S\n    Then it never ends\n";
    let outcome = outcome(&row("A-001", "MUST", ""), feature).await;
    assert_eq!(Exit::from(outcome.verdict), Exit::Violated);
    let failure = outcome.scenarios[0].failure.as_ref().unwrap();
    assert!(failure.actual.contains("Then it never ends"), "{failure:?}");
}

#[tokio::test]
async fn a_target_that_is_gone_ends_the_run_without_trying_everything() {
    let mut feature = "Feature: F\n".to_owned();
    for number in 0..40 {
        feature += &format!("  @A-001\n  Scenario: S{number}\n    Then it is wrong\n");
    }
    let stage = stage(NOBODY, Access::Control, true);
    let outcome = run_tiny(
        &row("A-001", "MUST", ""),
        &feature,
        &stage,
        Selection::default(),
    )
    .await;
    let counts = outcome.scenario_counts();
    assert!(counts.not_proven > 40, "most are not tried: {counts:?}");
    assert_eq!(Exit::from(outcome.verdict), Exit::Violated);
    let reason = outcome.scenarios[79].reason.as_ref().unwrap();
    assert!(reason.contains("stopped answering"), "{reason}");
}

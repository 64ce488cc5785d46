//! The JUnit report, for everything that shows test results: one suite for each feature, one case for each run.

use quick_junit::{
    NonSuccessKind, Property, Report, SerializeError, TestCase, TestCaseStatus, TestSuite,
};

use crate::suite::{RunOutcome, ScenarioResult, ScenarioStatus, StepFailure, Verdict};

/// The report as text.
///
/// # Errors
/// None in practice: characters that XML cannot carry are left out.
pub fn render(outcome: &RunOutcome) -> Result<String, SerializeError> {
    let mut report = Report::new(format!("proofmark {}", outcome.target.name));
    report.set_time(outcome.duration);
    let mut suites: Vec<TestSuite> = Vec::new();
    for result in &outcome.scenarios {
        let name = format!("{}: {}", result.profile, result.feature);
        let case = case(outcome, result);
        match suites.iter_mut().find(|suite| suite.name.as_str() == name) {
            Some(suite) => {
                suite.add_test_case(case);
            }
            None => {
                let mut suite = TestSuite::new(name);
                suite.add_test_case(case);
                suites.push(suite);
            }
        }
    }
    report.add_test_suites(suites);
    report.add_test_suites(about_the_run(outcome));
    report.to_string()
}

/// What is wrong with the run as a whole, so that no reader of test results takes it for a good one: it could not begin,
/// it was stopped, or its baseline is out of date.
fn about_the_run(outcome: &RunOutcome) -> Option<TestSuite> {
    let mut suite = TestSuite::new("the run itself");
    let error = |name: &str, kind: &str, message: &str| {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_type(kind);
        status.set_message(message);
        TestCase::new(name, status)
    };
    let stopped = || {
        let stopped = outcome
            .scenarios
            .iter()
            .find(|result| result.status == ScenarioStatus::NotProven && result.revision.is_some());
        stopped
            .and_then(|result| result.reason.clone())
            .unwrap_or_else(|| "nothing that was chosen is in reach".to_owned())
    };
    match (outcome.verdict, &outcome.reason) {
        (Verdict::Incomplete, reason) => {
            let message = reason.clone().unwrap_or_else(stopped);
            suite.add_test_case(error("the run is complete", "incomplete", &message));
        }
        (Verdict::HarnessFault, Some(reason)) => {
            suite.add_test_case(error("the run is complete", "harness", reason));
        }
        _ => {}
    }
    let problems = outcome
        .baseline
        .iter()
        .flat_map(|compared| &compared.problems);
    for problem in problems {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_type("baseline");
        status.set_message(&problem.message);
        let case = TestCase::new(format!("baseline: {}", problem.scenario), status);
        suite.add_test_case(case);
    }
    (!suite.test_cases.is_empty()).then_some(suite)
}

fn case(outcome: &RunOutcome, result: &ScenarioResult) -> TestCase {
    let name = match result.revision {
        Some(revision) => format!("{} [{revision}]", result.name),
        None => result.name.clone(),
    };
    let mut case = TestCase::new(name, status(outcome, result));
    case.set_classname(result.id.clone());
    case.set_time(result.duration);
    for requirement in &result.requirements {
        case.add_property(Property::new("requirement", requirement.as_str()));
    }
    case
}

fn status(outcome: &RunOutcome, result: &ScenarioResult) -> TestCaseStatus {
    match (&result.status, &result.failure) {
        (ScenarioStatus::Passed, _) => TestCaseStatus::success(),
        (ScenarioStatus::NotProven, None) => {
            let mut skipped = TestCaseStatus::skipped();
            skipped.set_message(result.reason.clone().unwrap_or_default());
            skipped
        }
        (ScenarioStatus::NotProven, Some(failure)) => {
            non_success(NonSuccessKind::Error, "harness", outcome, result, failure)
        }
        (ScenarioStatus::Failed, _) if result.known_failure => {
            let mut skipped = TestCaseStatus::skipped();
            skipped.set_message("it fails, which the baseline accepts for now");
            skipped
        }
        (ScenarioStatus::Failed, Some(failure)) => non_success(
            NonSuccessKind::Failure,
            "violation",
            outcome,
            result,
            failure,
        ),
        (ScenarioStatus::Failed, None) => TestCaseStatus::non_success(NonSuccessKind::Failure),
    }
}

/// The whole failure block: what is broken and where that is written, what came instead, and how to see it again.
fn non_success(
    kind: NonSuccessKind,
    name: &str,
    outcome: &RunOutcome,
    result: &ScenarioResult,
    failure: &StepFailure,
) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(name);
    status.set_message(if failure.expected.is_empty() {
        failure.actual.clone()
    } else {
        format!("expected {}, actual {}", failure.expected, failure.actual)
    });
    let mut lines: Vec<String> = outcome
        .requirements
        .iter()
        .filter(|row| result.requirements.contains(&row.id))
        .map(|row| {
            format!(
                "{} {}: {}\nsource: {}",
                row.id, row.level, row.statement, row.source
            )
        })
        .collect();
    lines.push(format!("at: {}", failure.step));
    lines.push(format!("expected: {}", failure.expected));
    lines.push(format!("actual: {}", failure.actual));
    lines.extend(failure.hint.iter().map(|hint| format!("hint: {hint}")));
    lines.extend(failure.exchange.iter().cloned());
    lines.push(format!("rerun: {}", outcome.rerun_of(result)));
    status.set_description(lines.join("\n") + "\n");
    status
}

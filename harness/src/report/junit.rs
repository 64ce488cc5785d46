//! The JUnit report, for everything that shows test results: one suite for each feature, one case for each run.

use quick_junit::{
    NonSuccessKind, Property, Report, SerializeError, TestCase, TestCaseStatus, TestSuite,
};

use crate::suite::{RunOutcome, ScenarioResult, ScenarioStatus, StepFailure};

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
        let case = case(result);
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
    report.to_string()
}

fn case(result: &ScenarioResult) -> TestCase {
    let name = match result.revision {
        Some(revision) => format!("{} [{revision}]", result.name),
        None => result.name.clone(),
    };
    let mut case = TestCase::new(name, status(result));
    case.set_classname(result.id.clone());
    case.set_time(result.duration);
    for requirement in &result.requirements {
        case.add_property(Property::new("requirement", requirement.as_str()));
    }
    case
}

fn status(result: &ScenarioResult) -> TestCaseStatus {
    match (&result.status, &result.failure) {
        (ScenarioStatus::Passed, _) => TestCaseStatus::success(),
        (ScenarioStatus::NotProven, None) => {
            let mut skipped = TestCaseStatus::skipped();
            skipped.set_message(result.reason.clone().unwrap_or_default());
            skipped
        }
        (ScenarioStatus::NotProven, Some(failure)) => {
            non_success(NonSuccessKind::Error, "harness", failure)
        }
        (ScenarioStatus::Failed, failure) => match failure {
            Some(failure) => non_success(NonSuccessKind::Failure, "violation", failure),
            None => TestCaseStatus::non_success(NonSuccessKind::Failure),
        },
    }
}

fn non_success(kind: NonSuccessKind, name: &str, failure: &StepFailure) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(name);
    status.set_message(if failure.expected.is_empty() {
        failure.actual.clone()
    } else {
        format!("expected {}, actual {}", failure.expected, failure.actual)
    });
    let mut description = format!(
        "{}\nexpected: {}\nactual: {}\n",
        failure.step, failure.expected, failure.actual
    );
    if let Some(hint) = &failure.hint {
        description += &format!("hint: {hint}\n");
    }
    for exchange in &failure.exchange {
        description += exchange;
        description.push('\n');
    }
    status.set_description(description);
    status
}

//! The self-test told to people and to machines: which faults were noticed, by what, and what else they broke.

use std::time::Duration;

use quick_junit::{
    NonSuccessKind, Property, Report, SerializeError, TestCase, TestCaseStatus, TestSuite,
};
use serde::Serialize;

use super::Style;
use crate::saboteur::{FaultResult, FaultStatus};

/// The whole self-test: `proofmark.selftest/1`, schema in `fixtures/contracts/selftest.schema.json`.
#[derive(Debug, Clone, Serialize)]
pub struct SelftestReport {
    schema: &'static str,
    summary: Summary,
    faults: Vec<FaultResult>,
    #[serde(skip)]
    duration: Duration,
}

/// How many faults ended how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// All.
    pub total: usize,
    /// Noticed for the right reason.
    pub caught: usize,
    /// Not noticed.
    pub missed: usize,
    /// Not met by any exchange, or not to be put in.
    pub never_reached: usize,
}

impl SelftestReport {
    /// The report of these results.
    #[must_use]
    pub fn new(faults: Vec<FaultResult>, duration: Duration) -> Self {
        let count = |wanted: &[FaultStatus]| {
            faults
                .iter()
                .filter(|fault| wanted.contains(&fault.status))
                .count()
        };
        let summary = Summary {
            total: faults.len(),
            caught: count(&[FaultStatus::Caught]),
            missed: count(&[FaultStatus::Missed]),
            never_reached: count(&[FaultStatus::NeverReached, FaultStatus::Unusable]),
        };
        Self {
            schema: "proofmark.selftest/1",
            summary,
            faults,
            duration,
        }
    }

    /// How many faults ended how.
    #[must_use]
    pub fn summary(&self) -> Summary {
        self.summary
    }

    /// Every result, in the order of the catalogue.
    #[must_use]
    pub fn faults(&self) -> &[FaultResult] {
        &self.faults
    }

    /// The report as JSON.
    ///
    /// # Errors
    /// None in practice: every part of it can be written as JSON.
    pub fn json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }

    /// The report as JUnit: one case for each fault, failed where the suite did not notice it.
    ///
    /// # Errors
    /// None in practice: characters that XML cannot carry are left out.
    pub fn junit(&self) -> Result<String, SerializeError> {
        let mut suite = TestSuite::new("proofmark selftest");
        for fault in &self.faults {
            let mut case = TestCase::new(fault.id.clone(), junit_status(fault));
            case.set_classname(format!("{}", fault.profile));
            case.set_time(fault.duration);
            for requirement in &fault.requirements {
                case.add_property(Property::new("requirement", requirement.as_str()));
            }
            suite.add_test_case(case);
        }
        let mut report = Report::new("proofmark selftest");
        report.set_time(self.duration);
        report.add_test_suite(suite);
        report.to_string()
    }

    /// The report for people: one line for each fault, then what was missed, then the counts.
    #[must_use]
    pub fn terminal(&self, style: Style, quiet: bool) -> String {
        let mut text = String::new();
        let mut profile = None;
        for fault in &self.faults {
            if !quiet && profile != Some(fault.profile) {
                text += &format!("\n{}\n", style.strong(fault.profile));
                profile = Some(fault.profile);
            }
            if !quiet || fault.status != FaultStatus::Caught {
                text += &line(fault, style);
            }
        }
        let Summary {
            total,
            caught,
            missed,
            never_reached,
        } = self.summary;
        let verdict = format!(
            "{caught} of {total} faults caught, {missed} missed, {never_reached} never reached, in {:.1} s",
            self.duration.as_secs_f64()
        );
        text += &format!(
            "\n{}\n",
            if caught == total && total > 0 {
                style.good(&verdict)
            } else {
                style.bad(&verdict)
            }
        );
        text
    }
}

fn junit_status(fault: &FaultResult) -> TestCaseStatus {
    let kind = match fault.status {
        FaultStatus::Caught => return TestCaseStatus::success(),
        FaultStatus::Missed => NonSuccessKind::Failure,
        FaultStatus::NeverReached | FaultStatus::Unusable => NonSuccessKind::Error,
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(explanation(fault));
    status
}

/// What became of a fault that was not caught.
fn explanation(fault: &FaultResult) -> String {
    let requirements = fault.requirements.join(", ");
    match fault.status {
        FaultStatus::Caught => String::new(),
        FaultStatus::Missed if fault.caught_by.is_empty() && fault.also_failed.is_empty() => {
            format!("nothing failed; a scenario of {requirements} should have")
        }
        FaultStatus::Missed if fault.caught_by.is_empty() => format!(
            "only unrelated scenarios failed ({}); a scenario of {requirements} should have",
            fault.also_failed.join(", ")
        ),
        FaultStatus::Missed => format!(
            "noticed by {}, but no scenario of {} failed",
            fault.caught_by.join(", "),
            fault.unnoticed.join(", ")
        ),
        FaultStatus::NeverReached => "no exchange of the run met the fault".to_owned(),
        FaultStatus::Unusable => fault
            .problem
            .clone()
            .unwrap_or_else(|| "the faulty server could not be made".to_owned()),
    }
}

fn line(fault: &FaultResult, style: Style) -> String {
    let requirements = fault.requirements.join(" ");
    let mut text = match fault.status {
        FaultStatus::Caught => format!("  {} {}", style.good("caught"), fault.id),
        FaultStatus::Missed => format!("  {} {}", style.bad("MISSED"), fault.id),
        FaultStatus::NeverReached => format!("  {} {}", style.bad("NEVER REACHED"), fault.id),
        FaultStatus::Unusable => format!("  {} {}", style.bad("UNUSABLE"), fault.id),
    };
    text += &format!(" ({requirements}): {}\n", fault.title);
    if fault.status != FaultStatus::Caught {
        text += &format!("         {}\n", explanation(fault));
        return text;
    }
    text += &style.faint(format!("         by {}", some(&fault.caught_by)));
    text.push('\n');
    if !fault.also_failed.is_empty() {
        text += &style.faint(format!(
            "         also failed: {}",
            some(&fault.also_failed)
        ));
        text.push('\n');
    }
    text
}

/// The first few of a list, and how many more there are.
fn some(ids: &[String]) -> String {
    const SHOWN: usize = 3;
    let shown = ids
        .iter()
        .take(SHOWN)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    match ids.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Profile, Seam};

    fn result(id: &str, status: FaultStatus) -> FaultResult {
        FaultResult {
            id: id.to_owned(),
            title: "A fault".to_owned(),
            requirements: vec!["AUD-001".to_owned()],
            profile: Profile::Core,
            seam: Seam::Wire,
            status,
            caught: status == FaultStatus::Caught,
            caught_by: vec![
                "core/door/a-stranger".to_owned();
                usize::from(status == FaultStatus::Caught)
            ],
            unnoticed: Vec::new(),
            also_failed: vec!["core/other".to_owned()],
            broken: Vec::new(),
            problem: None,
            duration: Duration::ZERO,
        }
    }

    fn report() -> SelftestReport {
        SelftestReport::new(
            vec![
                result("a", FaultStatus::Caught),
                result("b", FaultStatus::Missed),
                result("c", FaultStatus::NeverReached),
            ],
            Duration::from_secs(1),
        )
    }

    #[test]
    fn the_summary_counts_every_fault_once() {
        let summary = report().summary();
        assert_eq!(
            (
                summary.total,
                summary.caught,
                summary.missed,
                summary.never_reached
            ),
            (3, 1, 1, 1)
        );
    }

    #[test]
    fn a_missed_fault_fails_in_junit_and_says_what_should_have_failed() {
        let text = report().junit().unwrap();
        assert!(text.contains("failures=\"1\""), "{text}");
        assert!(text.contains("a scenario of AUD-001 should have"), "{text}");
    }

    #[test]
    fn the_json_report_keeps_its_published_schema() {
        let schema: serde_json::Value = serde_json::from_str(include_str!(
            "../../../fixtures/contracts/selftest.schema.json"
        ))
        .unwrap();
        let document: serde_json::Value = serde_json::from_str(&report().json().unwrap()).unwrap();
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        assert_eq!(
            validator
                .iter_errors(&document)
                .map(|error| error.to_string())
                .collect::<Vec<_>>(),
            Vec::<String>::new()
        );
    }
}

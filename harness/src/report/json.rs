//! The JSON report: `proofmark.report/1`, described by `fixtures/contracts/report.schema.json`.

use serde::{Deserialize, Serialize};

use crate::baseline::Compared;
use crate::suite::{
    RequirementCounts, RequirementResult, RunOutcome, ScenarioCounts, ScenarioResult,
    TargetSummary, Verdict,
};

/// The version of the format. It changes when a reader of the old one would misread the new one.
pub const SCHEMA: &str = "proofmark.report/1";

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    proofmark: &'static str,
    started: String,
    duration_ms: u64,
    target: &'a TargetSummary,
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    rerun: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<&'a Compared>,
    summary: Summary,
    requirements: &'a [RequirementResult],
    scenarios: &'a [ScenarioResult],
}

/// How many of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Runs of scenarios.
    pub scenarios: ScenarioCounts,
    /// Requirements.
    pub requirements: RequirementCounts,
    /// Requests sent to the target.
    pub requests: u64,
}

impl Summary {
    /// Counts an outcome.
    #[must_use]
    pub fn of(outcome: &RunOutcome) -> Self {
        Self {
            scenarios: outcome.scenario_counts(),
            requirements: outcome.requirement_counts(),
            requests: outcome.requests(),
        }
    }
}

/// The report as text, indented, with a line break at its end.
///
/// # Errors
/// None in practice: every part of an outcome can be written as JSON.
pub fn render(outcome: &RunOutcome) -> Result<String, serde_json::Error> {
    let report = Report {
        schema: SCHEMA,
        proofmark: env!("CARGO_PKG_VERSION"),
        started: outcome.started.to_string(),
        duration_ms: u64::try_from(outcome.duration.as_millis()).unwrap_or(u64::MAX),
        target: &outcome.target,
        verdict: outcome.verdict,
        reason: outcome.reason.as_deref(),
        rerun: &outcome.rerun,
        baseline: outcome.baseline.as_ref(),
        summary: Summary::of(outcome),
        requirements: &outcome.requirements,
        scenarios: &outcome.scenarios,
    };
    serde_json::to_string_pretty(&report).map(|text| text + "\n")
}

//! The suite: which scenarios run, how each runs, and what a verdict is.
//!
//! Reading order: [`scene`] (what a scenario knows), [`environment`] (what surrounds it), [`vocabulary`] (what its lines
//! mean), [`selection`] (what runs), [`runner`] (how it runs), [`verdict`] (what the results say), [`outcome`] (all of
//! it as data).

pub mod breaker;
pub mod environment;
pub mod failure;
pub mod outcome;
pub mod quiet;
pub mod restoring;
pub mod runner;
pub mod scene;
pub mod selection;
pub mod verdict;
pub mod vocabulary;

use std::time::{Duration, Instant};

use jiff::Timestamp;

pub use environment::{Environment, Isolation, Stage};
pub use failure::{Blame, Failure};
pub use outcome::{
    RequirementCounts, RequirementResult, RequirementStatus, RunOutcome, ScenarioCounts,
    ScenarioResult, ScenarioStatus, StepFailure, TargetSummary, Verdict,
};
pub use runner::{Observer, Options};
pub use scene::Scene;
pub use selection::{LeftOut, Plan, PlannedRun, Reach, Selection};
pub use vocabulary::{Phrase, StepProblem, Vocabulary};

use crate::catalogue::Catalogue;

/// Runs what was selected of the catalogue on a stage, and judges it.
///
/// The future does not move between threads; block on it on the thread that calls.
pub async fn run(
    catalogue: &Catalogue,
    vocabulary: &Vocabulary,
    selection: &Selection,
    stage: &Stage,
    options: &Options,
    observer: &Observer<'_>,
) -> RunOutcome {
    let started = Timestamp::now();
    let clock = Instant::now();
    let reach = Reach::of_stage(stage);
    let plan = selection.plan(catalogue, &reach);
    let mut scenarios = runner::play(&plan.runs, stage, vocabulary, options, observer).await;
    let mut target = TargetSummary::of(&stage.shared.target);
    target.revisions = plan.runs.iter().map(|run| run.revision).collect();
    target.revisions.sort_unstable();
    target.revisions.dedup();
    scenarios.extend(
        plan.left_out
            .iter()
            .map(|(scenario, why)| runner::blank(scenario, None, why.reason())),
    );
    let requirements = verdict::judge(
        catalogue,
        selection,
        &plan,
        &reach,
        &scenarios,
        options.strict,
    );
    RunOutcome {
        started,
        duration: clock.elapsed(),
        target,
        verdict: verdict::overall(catalogue, &requirements, &scenarios, options.strict),
        requirements,
        scenarios,
        baseline: None,
        reason: None,
        rerun: options.rerun.clone(),
    }
}

/// The outcome of a run that did not come to its first scenario: everything that was chosen is not proven, for `reason`.
#[must_use]
pub fn never_begun(
    catalogue: &Catalogue,
    selection: &Selection,
    target: TargetSummary,
    verdict: Verdict,
    reason: &str,
    rerun: &str,
) -> RunOutcome {
    let plan = selection.plan(catalogue, &Reach::everything());
    let requirements = plan
        .requirements
        .iter()
        .map(|requirement| RequirementResult {
            id: requirement.id.clone(),
            level: requirement.level,
            profile: requirement.profile,
            statement: requirement.statement.clone(),
            source: requirement.source.clone(),
            status: RequirementStatus::NotProven,
            known_failure: false,
            reason: Some(reason.to_owned()),
            scenarios: Vec::new(),
        })
        .collect();
    RunOutcome {
        started: Timestamp::now(),
        duration: Duration::ZERO,
        target,
        verdict,
        requirements,
        scenarios: Vec::new(),
        baseline: None,
        reason: Some(reason.to_owned()),
        rerun: rerun.to_owned(),
    }
}

#[cfg(test)]
pub(crate) mod tests;

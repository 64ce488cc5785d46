//! Verdicts: what the results of scenarios say about each requirement, and about the run.

use super::{
    LeftOut, Reach, RequirementResult, RequirementStatus, ScenarioResult, ScenarioStatus,
    Selection, Verdict,
    selection::{Plan, is_choice_of_ours},
};
use crate::{
    catalogue::{Catalogue, Level, Requirement},
    target::Bearing,
};

/// Judges every requirement the plan speaks about.
#[must_use]
pub fn judge(
    catalogue: &Catalogue,
    selection: &Selection,
    plan: &Plan<'_>,
    reach: &Reach,
    results: &[ScenarioResult],
    strict: bool,
) -> Vec<RequirementResult> {
    plan.requirements
        .iter()
        .map(|requirement| {
            let counted = counted(requirement, results);
            let (status, reason) = status(
                catalogue,
                selection,
                plan,
                reach,
                requirement,
                &counted,
                strict,
            );
            let mut scenarios: Vec<String> =
                counted.iter().map(|result| result.id.clone()).collect();
            scenarios.dedup();
            RequirementResult {
                id: requirement.id.clone(),
                level: requirement.level,
                profile: requirement.profile,
                statement: requirement.statement.clone(),
                source: requirement.source.clone(),
                status,
                known_failure: false,
                reason,
                scenarios,
            }
        })
        .collect()
}

/// The runs that say something about a requirement: those of its scenarios, in the revisions in which it holds.
fn counted<'a>(
    requirement: &Requirement,
    results: &'a [ScenarioResult],
) -> Vec<&'a ScenarioResult> {
    results
        .iter()
        .filter(|result| result.requirements.contains(&requirement.id))
        .filter(|result| {
            result
                .revision
                .is_some_and(|revision| requirement.revisions.contains(&revision))
        })
        .collect()
}

fn status(
    catalogue: &Catalogue,
    selection: &Selection,
    plan: &Plan<'_>,
    reach: &Reach,
    requirement: &Requirement,
    counted: &[&ScenarioResult],
    strict: bool,
) -> (RequirementStatus, Option<String>) {
    if is_choice_of_ours(requirement) && !reach.contract {
        return (
            RequirementStatus::NotApplicable,
            Some(LeftOut::NoContract.reason()),
        );
    }
    let bearing = reach.facts.bearing(requirement, reach.access);
    if let Bearing::NotOffered(reason) = bearing {
        return (RequirementStatus::NotApplicable, Some(reason));
    }
    if counted
        .iter()
        .any(|result| result.status == ScenarioStatus::Failed)
    {
        return match bearing {
            // Two answers are lawful, and nobody said which one is this target's.
            Bearing::Undeclared(reason) => (RequirementStatus::Warned, Some(reason)),
            _ => (violation(requirement.level, strict), None),
        };
    }
    if let Some(unknown) = counted
        .iter()
        .find(|result| result.status == ScenarioStatus::NotProven)
    {
        return (RequirementStatus::NotProven, Some(why_unknown(unknown)));
    }
    if counted.is_empty() {
        return absent(catalogue, plan, requirement);
    }
    if let Some(reason) = partly_out_of_reach(plan, requirement) {
        return (RequirementStatus::NotProven, Some(reason));
    }
    let all = catalogue.scenarios_of(&requirement.id).count();
    let chosen = all_chosen(catalogue, plan, requirement);
    if selection.is_partial() && chosen < all {
        let reason = format!("only {chosen} of its {all} scenarios were chosen");
        return (RequirementStatus::NotProven, Some(reason));
    }
    (RequirementStatus::Proven, None)
}

/// A breach of a requirement of this level.
#[must_use]
pub fn violation(level: Level, strict: bool) -> RequirementStatus {
    match level {
        Level::Must => RequirementStatus::Violated,
        Level::Should if strict => RequirementStatus::Violated,
        Level::Should | Level::May => RequirementStatus::Warned,
    }
}

fn why_unknown(result: &ScenarioResult) -> String {
    match (&result.reason, &result.failure) {
        (Some(reason), _) => reason.clone(),
        (None, Some(failure)) => format!("the harness is at fault at \"{}\"", failure.step),
        (None, None) => "it did not run".to_owned(),
    }
}

fn absent(
    catalogue: &Catalogue,
    plan: &Plan<'_>,
    requirement: &Requirement,
) -> (RequirementStatus, Option<String>) {
    let obstacle = plan
        .left_out
        .iter()
        .find(|(scenario, _)| scenario.requirements.contains(&requirement.id))
        .map(|(_, obstacle)| obstacle);
    match obstacle {
        Some(why @ (LeftOut::NoContract | LeftOut::NotOffered(_))) => {
            (RequirementStatus::NotApplicable, Some(why.reason()))
        }
        Some(obstacle) => (RequirementStatus::NotProven, Some(obstacle.reason())),
        None if catalogue.scenarios_of(&requirement.id).next().is_none() => (
            RequirementStatus::NotProven,
            Some("no scenario proves it yet".to_owned()),
        ),
        None => (
            RequirementStatus::NotProven,
            Some("none of its scenarios was chosen".to_owned()),
        ),
    }
}

/// A requirement is not proven by those of its scenarios alone that happen to be in reach.
fn partly_out_of_reach(plan: &Plan<'_>, requirement: &Requirement) -> Option<String> {
    plan.left_out.iter().find_map(|(scenario, obstacle)| {
        let missing = matches!(obstacle, LeftOut::OutOfReach(_))
            && scenario.requirements.contains(&requirement.id);
        missing.then(|| format!("in part {}", obstacle.reason()))
    })
}

fn all_chosen(catalogue: &Catalogue, plan: &Plan<'_>, requirement: &Requirement) -> usize {
    catalogue
        .scenarios_of(&requirement.id)
        .filter(|scenario| {
            plan.runs.iter().any(|run| run.scenario.id == scenario.id)
                || plan.left_out.iter().any(|(left, _)| left.id == scenario.id)
        })
        .count()
}

/// The verdict on the run. A fault of the harness comes first, since it makes everything else doubtful; then a
/// violation; then whatever was in reach and is still not known.
#[must_use]
pub fn overall(
    catalogue: &Catalogue,
    requirements: &[RequirementResult],
    results: &[ScenarioResult],
    strict: bool,
) -> Verdict {
    let ran = |status| results.iter().any(|result| result.status == status);
    let breaks = |result: &&ScenarioResult| {
        let mut rows = result
            .requirements
            .iter()
            .filter_map(|id| catalogue.requirements.get(id))
            .peekable();
        // A scenario that is tied to no requirement stands for itself.
        if rows.peek().is_none() {
            return !result.known_failure;
        }
        rows.filter(|row| !result.known_for.contains(&row.id))
            .any(|row| {
                let judged = requirements.iter().find(|judged| judged.id == row.id);
                let status =
                    judged.map_or_else(|| violation(row.level, strict), |judged| judged.status);
                status == RequirementStatus::Violated
            })
    };
    let violated = results
        .iter()
        .filter(|result| result.status == ScenarioStatus::Failed)
        .any(|result| breaks(&result))
        || requirements
            .iter()
            .any(|result| result.status == RequirementStatus::Violated && !result.known_failure);
    // A scenario that was stopped in mid-run has a revision; one that was left out on purpose has none.
    let stopped = results
        .iter()
        .any(|result| result.status == ScenarioStatus::NotProven && result.revision.is_some());
    if results.iter().any(ScenarioResult::is_harness_fault) {
        Verdict::HarnessFault
    } else if violated {
        Verdict::Violated
    } else if stopped || !(ran(ScenarioStatus::Passed) || ran(ScenarioStatus::Failed)) {
        Verdict::Incomplete
    } else {
        Verdict::Conforms
    }
}

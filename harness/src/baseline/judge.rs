//! What a baseline does to the outcome of a run: which failures were known, and which entries are wrong by now.

use std::path::{Path, PathBuf};

use jiff::civil::Date;
use serde::Serialize;

use super::{Baseline, Known};
use crate::{
    catalogue::Catalogue,
    suite::{RequirementStatus, RunOutcome, ScenarioResult, ScenarioStatus, Verdict, verdict},
};

/// What became of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// What it knows did not fail.
    Stale,
    /// Its last day is over.
    Expired,
}

/// An entry that fails the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryProblem {
    /// The requirement of the entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requirement: Option<String>,
    /// The scenario of the entry.
    pub scenario: String,
    /// What became of it.
    pub fate: Fate,
    /// The same in words, with what to do.
    pub message: String,
}

/// How a run compares with its baseline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Compared {
    /// The file.
    pub path: PathBuf,
    /// Entries in it.
    pub entries: usize,
    /// Entries about scenarios that did not run, of which nothing was learnt.
    pub not_run: usize,
    /// Entries that fail the run.
    pub problems: Vec<EntryProblem>,
}

/// Marks the failures that are known, finds the entries that are stale or expired, and judges the run again.
///
/// An entry hides a failure only until the end of its last day. It is stale when a run it speaks about passed, even if
/// another one failed: it has to be narrowed then. Entries about scenarios that were not chosen are left alone.
pub fn apply(
    outcome: &mut RunOutcome,
    catalogue: &Catalogue,
    strict: bool,
    path: &Path,
    baseline: &Baseline,
    today: Date,
) {
    for result in &mut outcome.scenarios {
        if result.status == ScenarioStatus::Failed {
            mark(result, baseline, today);
        }
    }
    let scenarios = &outcome.scenarios;
    for requirement in &mut outcome.requirements {
        let broken = matches!(
            requirement.status,
            RequirementStatus::Violated | RequirementStatus::Warned
        );
        requirement.known_failure = broken
            && scenarios
                .iter()
                .filter(|result| result.status == ScenarioStatus::Failed)
                .filter(|result| counts(catalogue, &requirement.id, result))
                .all(|result| result.known_for.contains(&requirement.id));
    }
    let problems = baseline
        .known
        .iter()
        .filter_map(|known| problem(known, &outcome.scenarios, today))
        .collect::<Vec<_>>();
    let not_run = baseline
        .known
        .iter()
        .filter(|known| {
            !outcome
                .scenarios
                .iter()
                .any(|result| ran(result) && speaks_of(known, result))
        })
        .count();
    outcome.verdict =
        match verdict::overall(catalogue, &outcome.requirements, &outcome.scenarios, strict) {
            Verdict::HarnessFault => Verdict::HarnessFault,
            _ if !problems.is_empty() => Verdict::Violated,
            other => other,
        };
    outcome.baseline = Some(Compared {
        path: path.to_owned(),
        entries: baseline.known.len(),
        not_run,
        problems,
    });
}

fn mark(result: &mut ScenarioResult, baseline: &Baseline, today: Date) {
    let in_force: Vec<&Known> = baseline
        .known
        .iter()
        .filter(|known| !is_expired(known, today) && speaks_of(known, result))
        .collect();
    result.known_for = in_force
        .iter()
        .filter_map(|known| known.requirement.clone())
        .collect();
    let for_itself = in_force.iter().any(|known| known.requirement.is_none());
    result.known_failure = if result.requirements.is_empty() {
        for_itself
    } else {
        result
            .requirements
            .iter()
            .all(|id| result.known_for.contains(id))
    };
}

/// Whether an entry speaks of this run of a scenario.
fn speaks_of(known: &Known, result: &ScenarioResult) -> bool {
    known.scenario == result.id
        && known
            .profile
            .is_none_or(|profile| profile == result.profile)
        && (known.revisions.is_empty()
            || result
                .revision
                .is_some_and(|revision| known.revisions.contains(&revision)))
}

fn ran(result: &ScenarioResult) -> bool {
    matches!(
        result.status,
        ScenarioStatus::Passed | ScenarioStatus::Failed
    )
}

/// A run counts for a requirement only in the revisions in which the requirement holds.
fn counts(catalogue: &Catalogue, id: &str, result: &ScenarioResult) -> bool {
    result.requirements.iter().any(|other| other == id)
        && catalogue.requirements.get(id).is_none_or(|requirement| {
            result
                .revision
                .is_some_and(|revision| requirement.revisions.contains(&revision))
        })
}

fn is_expired(known: &Known, today: Date) -> bool {
    known.expires < today
}

fn problem(known: &Known, results: &[ScenarioResult], today: Date) -> Option<EntryProblem> {
    let chosen = results.iter().any(|result| result.id == known.scenario);
    let passed: Vec<String> = results
        .iter()
        .filter(|result| result.status == ScenarioStatus::Passed && speaks_of(known, result))
        .filter_map(|result| result.revision)
        .map(|revision| revision.to_string())
        .collect();
    let failed = results
        .iter()
        .any(|result| result.status == ScenarioStatus::Failed && speaks_of(known, result));
    let (fate, message) = if !passed.is_empty() && failed {
        let message = format!(
            "{} is known to fail, but passed under MCP {}; name the revisions it still fails in",
            known.title(),
            passed.join(", ")
        );
        (Fate::Stale, message)
    } else if !passed.is_empty() {
        let message = format!(
            "{} is known to fail, but passed; take the entry out",
            known.title()
        );
        (Fate::Stale, message)
    } else if chosen && is_expired(known, today) {
        let message = format!(
            "{} was accepted until {} and that day is over; mend it or agree on another day ({})",
            known.title(),
            known.expires,
            known.link
        );
        (Fate::Expired, message)
    } else {
        return None;
    };
    Some(EntryProblem {
        requirement: known.requirement.clone(),
        scenario: known.scenario.clone(),
        fate,
        message,
    })
}

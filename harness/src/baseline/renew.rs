//! Makes a baseline from a run: entries that still hold are kept as they are, those that pass go, new failures come.

use jiff::{ToSpan as _, civil::Date};

use super::{Baseline, Known};
use crate::{
    client::Revision,
    suite::{RunOutcome, ScenarioResult, ScenarioStatus},
};

/// How long a new entry holds unless somebody writes another day.
const DAYS: i64 = 90;

/// The baseline after a run. New entries have no reason and no link yet: the file is refused until somebody gives them,
/// so that nothing is accepted in silence.
#[must_use]
pub fn renewed(old: &Baseline, outcome: &RunOutcome, today: Date) -> Baseline {
    let mut known: Vec<Known> = old
        .known
        .iter()
        .filter(|entry| {
            let runs = runs_of(outcome, entry);
            runs.is_empty()
                || runs
                    .iter()
                    .any(|result| result.status == ScenarioStatus::Failed)
        })
        .cloned()
        .collect();
    for entry in &mut known {
        narrow(entry, outcome);
    }
    for result in outcome.failed() {
        let requirements: Vec<Option<&String>> = if result.requirements.is_empty() {
            vec![None]
        } else {
            result.requirements.iter().map(Some).collect()
        };
        for requirement in requirements {
            add(&mut known, outcome, result, requirement, today);
        }
    }
    Baseline { known }
}

fn add(
    known: &mut Vec<Known>,
    outcome: &RunOutcome,
    result: &ScenarioResult,
    requirement: Option<&String>,
    today: Date,
) {
    // A requirement that does not hold in this revision is not broken in it.
    let judged = requirement.is_none_or(|id| {
        outcome
            .requirements
            .iter()
            .any(|judged| judged.id == *id && judged.scenarios.contains(&result.id))
    });
    let there = known.iter().any(|entry| {
        entry.scenario == result.id
            && entry.requirement.as_ref() == requirement
            && (entry.revisions.is_empty()
                || result
                    .revision
                    .is_some_and(|revision| entry.revisions.contains(&revision)))
    });
    if !judged || there {
        return;
    }
    let mut entry = Known {
        requirement: requirement.cloned(),
        scenario: result.id.clone(),
        revisions: Vec::new(),
        profile: None,
        reason: String::new(),
        link: String::new(),
        expires: today.checked_add(DAYS.days()).unwrap_or(today),
    };
    narrow(&mut entry, outcome);
    known.push(entry);
}

/// Names the revisions it fails in, where it passed in others.
fn narrow(entry: &mut Known, outcome: &RunOutcome) {
    let runs = runs_of(outcome, entry);
    let of = |status: ScenarioStatus| -> Vec<Revision> {
        runs.iter()
            .filter(|result| result.status == status)
            .filter_map(|result| result.revision)
            .collect()
    };
    if !of(ScenarioStatus::Passed).is_empty() {
        entry.revisions = of(ScenarioStatus::Failed);
    }
}

fn runs_of<'a>(outcome: &'a RunOutcome, entry: &Known) -> Vec<&'a ScenarioResult> {
    outcome
        .scenarios
        .iter()
        .filter(|result| result.id == entry.scenario && result.status != ScenarioStatus::NotProven)
        .filter(|result| {
            entry.revisions.is_empty()
                || result
                    .revision
                    .is_some_and(|revision| entry.revisions.contains(&revision))
        })
        .collect()
}

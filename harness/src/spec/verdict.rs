//! What a run said, looked up by requirement and by scenario, and the marks that show it.

use std::collections::BTreeMap;

use super::html::Html;
use crate::{
    catalogue::Requirement,
    report::RecordedRun,
    suite::{RequirementResult, RequirementStatus, ScenarioResult, ScenarioStatus, Verdict},
};

/// How something ended: a word, a sign and a colour that always come together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// All its scenarios in reach passed.
    Proven,
    /// Every step held.
    Passed,
    /// It does not apply to the target.
    NotApplicable,
    /// Nothing is known.
    NotProven,
    /// Not kept, but no MUST.
    Warned,
    /// Not kept.
    Violated,
    /// A step did not hold.
    Failed,
}

impl Mark {
    /// The word in its colour; the look adds the sign. It is short because it stands on the site thousands of times.
    #[must_use]
    pub fn html(self) -> Html {
        Html::new().markup(match self {
            Self::Proven => "<b class=\"good\">proven</b>",
            Self::Passed => "<b class=\"good\">passed</b>",
            Self::NotApplicable => "<b class=\"quiet\">not applicable</b>",
            Self::NotProven => "<b class=\"open\">not proven</b>",
            Self::Warned => "<b class=\"warn\">warned</b>",
            Self::Violated => "<b class=\"bad\">violated</b>",
            Self::Failed => "<b class=\"bad\">failed</b>",
        })
    }
}

impl From<RequirementStatus> for Mark {
    fn from(status: RequirementStatus) -> Self {
        match status {
            RequirementStatus::Proven => Self::Proven,
            RequirementStatus::Violated => Self::Violated,
            RequirementStatus::Warned => Self::Warned,
            RequirementStatus::NotProven => Self::NotProven,
            RequirementStatus::NotApplicable => Self::NotApplicable,
        }
    }
}

impl From<ScenarioStatus> for Mark {
    fn from(status: ScenarioStatus) -> Self {
        match status {
            ScenarioStatus::Passed => Self::Passed,
            ScenarioStatus::Failed => Self::Failed,
            ScenarioStatus::NotProven => Self::NotProven,
        }
    }
}

/// A run by requirement and by scenario; empty where no run was given.
#[derive(Debug, Clone, Default)]
pub struct Verdicts<'a> {
    run: Option<&'a RecordedRun>,
    requirements: BTreeMap<&'a str, &'a RequirementResult>,
    scenarios: BTreeMap<&'a str, Vec<&'a ScenarioResult>>,
}

impl<'a> Verdicts<'a> {
    /// Sorts a run.
    #[must_use]
    pub fn of(run: Option<&'a RecordedRun>) -> Self {
        let mut verdicts = Self {
            run,
            ..Self::default()
        };
        for result in run.iter().flat_map(|run| &run.requirements) {
            verdicts.requirements.insert(&result.id, result);
        }
        for result in run.iter().flat_map(|run| &run.scenarios) {
            verdicts
                .scenarios
                .entry(&result.id)
                .or_default()
                .push(result);
        }
        verdicts
    }

    /// The run, if there is one.
    #[must_use]
    pub fn run(&self) -> Option<&'a RecordedRun> {
        self.run
    }

    /// What is known of a requirement.
    #[must_use]
    pub fn requirement(&self, id: &str) -> Option<&'a RequirementResult> {
        self.requirements.get(id).copied()
    }

    /// The mark of a requirement; none without a run.
    #[must_use]
    pub fn requirement_mark(&self, id: &str) -> Option<Mark> {
        self.run?;
        Some(
            self.requirement(id)
                .map_or(Mark::NotProven, |result| result.status.into()),
        )
    }

    /// The runs of a scenario, one for each revision.
    #[must_use]
    pub fn scenario(&self, id: &str) -> &[&'a ScenarioResult] {
        self.scenarios.get(id).map_or(&[], Vec::as_slice)
    }

    /// The mark of a scenario: that of its worst run; none without a run.
    #[must_use]
    pub fn scenario_mark(&self, id: &str) -> Option<Mark> {
        self.run?;
        let worst = self
            .scenario(id)
            .iter()
            .map(|result| Mark::from(result.status))
            .max();
        Some(worst.unwrap_or(Mark::NotProven))
    }

    /// The failed scenarios of a requirement: the first failed run of each, and the other revisions it failed in.
    #[must_use]
    pub fn failures_of(&self, requirement: &Requirement) -> Vec<(&'a ScenarioResult, Vec<String>)> {
        let counted = |result: &&ScenarioResult| {
            result.requirements.contains(&requirement.id)
                && result
                    .revision
                    .is_some_and(|revision| requirement.revisions.contains(&revision))
        };
        first_of_each(
            self.run
                .iter()
                .flat_map(|run| &run.scenarios)
                .filter(|result| result.status == ScenarioStatus::Failed)
                .filter(counted),
        )
    }

    /// The runs in which the harness was at fault, one for each step.
    #[must_use]
    pub fn harness_faults(&self) -> Vec<(&'a ScenarioResult, Vec<String>)> {
        let mut found: Vec<(&ScenarioResult, Vec<String>)> = Vec::new();
        for result in self.run.iter().flat_map(|run| &run.scenarios) {
            let Some(failure) = result
                .failure
                .as_ref()
                .filter(|_| result.is_harness_fault())
            else {
                continue;
            };
            let known = found.iter_mut().find(|(first, _)| {
                first
                    .failure
                    .as_ref()
                    .is_some_and(|known| known.step == failure.step)
            });
            match known {
                Some((_, others)) => others.push(result.id.clone()),
                None => found.push((result, Vec::new())),
            }
        }
        found
    }
}

fn first_of_each<'a>(
    results: impl Iterator<Item = &'a ScenarioResult>,
) -> Vec<(&'a ScenarioResult, Vec<String>)> {
    let mut runs: Vec<(&ScenarioResult, Vec<String>)> = Vec::new();
    for result in results {
        match runs.iter_mut().find(|(first, _)| first.id == result.id) {
            Some((_, others)) => others.extend(result.revision.map(|date| date.to_string())),
            None => runs.push((result, Vec::new())),
        }
    }
    runs
}

/// The verdict on a run in a word, a sentence and the class of its colour.
#[must_use]
pub fn told(run: &RecordedRun) -> (&'static str, String, &'static str) {
    match run.verdict {
        Verdict::Conforms => (
            "Conforms",
            "Everything in reach was proven.".to_owned(),
            "good",
        ),
        Verdict::Violated => {
            let sentence = match run.summary.requirements.violated {
                0 => "A scenario without a known requirement failed.".to_owned(),
                1 => "One requirement is not kept.".to_owned(),
                many => format!("{many} requirements are not kept."),
            };
            ("Violated", sentence, "bad")
        }
        Verdict::Incomplete => (
            "Incomplete",
            "Something in reach could not be proven.".to_owned(),
            "open",
        ),
        Verdict::HarnessFault => (
            "Harness fault",
            "The suite itself failed, so this run says nothing certain about the server."
                .to_owned(),
            "warn",
        ),
    }
}

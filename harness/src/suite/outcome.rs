//! The outcome of a run, as data: what every report is made from.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use url::Url;

use super::Blame;
use crate::{
    baseline::Compared,
    catalogue::{Level, Profile},
    client::Revision,
    exit::Exit,
    target::{Access, Kind, Target},
};

/// What the run says in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Everything in reach was proven.
    Conforms,
    /// A requirement is violated.
    Violated,
    /// Something in reach could not be proven.
    Incomplete,
    /// The harness is at fault; nothing can be said about the server.
    HarnessFault,
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Conforms => Self::Conforms,
            Verdict::Violated => Self::Violated,
            Verdict::Incomplete => Self::Incomplete,
            Verdict::HarnessFault => Self::HarnessFault,
        }
    }
}

/// What is known about one requirement after the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequirementStatus {
    /// All its scenarios in reach passed.
    Proven,
    /// A scenario of it failed.
    Violated,
    /// A scenario of it failed, but it is no MUST.
    Warned,
    /// Nothing could be shown.
    NotProven,
    /// The target declares that it does not offer this.
    NotApplicable,
}

/// One requirement after the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequirementResult {
    /// Its id.
    pub id: String,
    /// How binding it is.
    pub level: Level,
    /// Whose promise it is.
    pub profile: Profile,
    /// The sentence itself.
    pub statement: String,
    /// Where it is written.
    pub source: String,
    /// What is known.
    pub status: RequirementStatus,
    /// Whether a baseline accepts every failure of it for now.
    pub known_failure: bool,
    /// Why nothing is known, or why it does not apply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Ids of its scenarios that ran.
    pub scenarios: Vec<String>,
}

/// How one run of a scenario ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScenarioStatus {
    /// Every step held.
    Passed,
    /// The server broke a promise.
    Failed,
    /// Nothing is known: it did not run, or the harness is at fault.
    NotProven,
}

/// One scenario in one revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScenarioResult {
    /// Id of the scenario.
    pub id: String,
    /// Whose servers it speaks of.
    pub profile: Profile,
    /// Title of the feature.
    pub feature: String,
    /// The rule it stands under.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Its name.
    pub name: String,
    /// File and line.
    pub place: String,
    /// The requirements it proves.
    pub requirements: Vec<String>,
    /// How it ended.
    pub status: ScenarioStatus,
    /// Why it did not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The revision it spoke; none if it did not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<Revision>,
    /// Whether a baseline accepts its failure for all its requirements.
    pub known_failure: bool,
    /// The requirements for which a baseline accepts its failure.
    #[serde(skip)]
    pub known_for: Vec<String>,
    /// How long it took.
    #[serde(
        rename = "duration_ms",
        serialize_with = "milliseconds",
        deserialize_with = "from_milliseconds"
    )]
    pub duration: Duration,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<StepFailure>,
    /// Requests it sent.
    #[serde(default)]
    pub requests: u64,
}

/// Why a scenario failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepFailure {
    /// The step, with its keyword.
    pub step: String,
    /// Whose fault it is.
    pub blame: Blame,
    /// What should have been seen.
    pub expected: String,
    /// What was seen instead.
    pub actual: String,
    /// How to fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What was sent and received, tokens redacted.
    pub exchange: Vec<String>,
}

impl ScenarioResult {
    /// Whether the harness, not the server, is at fault.
    #[must_use]
    pub fn is_harness_fault(&self) -> bool {
        self.failure
            .as_ref()
            .is_some_and(|failure| failure.blame == Blame::Harness)
    }
}

/// The target as reports name it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetSummary {
    /// How it came to be there.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// Where MCP is spoken.
    pub url: String,
    /// How much control over it there was.
    pub access: Access,
    /// The revisions that were spoken.
    pub revisions: Vec<Revision>,
}

impl TargetSummary {
    /// The target, with no revision spoken yet.
    #[must_use]
    pub fn of(target: &Target) -> Self {
        Self {
            kind: target.kind,
            name: target.name.clone(),
            url: Self::address(&target.endpoint),
            access: target.access,
            revisions: Vec::new(),
        }
    }

    /// An address as it may be shown: what could be a credential in it is left out.
    #[must_use]
    pub fn address(endpoint: &Url) -> String {
        let mut url = endpoint.clone();
        // Addresses without a host have no credentials to remove.
        let _ = url.set_password(None);
        let _ = url.set_username("");
        url.set_query(None);
        url.to_string()
    }
}

/// Everything a run found out.
#[derive(Debug, Clone)]
pub struct RunOutcome {
    /// When it began, by the machine's own clock.
    pub started: Timestamp,
    /// How long it took.
    pub duration: Duration,
    /// What was tested.
    pub target: TargetSummary,
    /// In one word.
    pub verdict: Verdict,
    /// By id.
    pub requirements: Vec<RequirementResult>,
    /// In the order of the catalogue, each scenario in all its revisions.
    pub scenarios: Vec<ScenarioResult>,
    /// How it compares with the baseline, where there is one.
    pub baseline: Option<Compared>,
    /// Why nothing ran at all, where nothing did.
    pub reason: Option<String>,
    /// The command that repeats the run against the same target, without filters.
    pub rerun: String,
}

/// How many of each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScenarioCounts {
    /// All.
    pub total: usize,
    /// Every step held.
    pub passed: usize,
    /// The server broke a promise.
    pub failed: usize,
    /// Nothing is known.
    pub not_proven: usize,
}

/// How many of each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequirementCounts {
    /// All, those that do not apply left out.
    pub total: usize,
    /// Proven.
    pub proven: usize,
    /// Violated.
    pub violated: usize,
    /// Not kept, but no MUST.
    pub warned: usize,
    /// Nothing is known.
    pub not_proven: usize,
    /// Does not apply; outside the total.
    pub not_applicable: usize,
    /// Of the violated and warned ones: accepted by a baseline for now.
    #[serde(default)]
    pub known_failures: usize,
}

impl RunOutcome {
    /// Counts the runs of scenarios.
    #[must_use]
    pub fn scenario_counts(&self) -> ScenarioCounts {
        let mut counts = ScenarioCounts {
            total: self.scenarios.len(),
            ..ScenarioCounts::default()
        };
        for result in &self.scenarios {
            match result.status {
                ScenarioStatus::Passed => counts.passed += 1,
                ScenarioStatus::Failed => counts.failed += 1,
                ScenarioStatus::NotProven => counts.not_proven += 1,
            }
        }
        counts
    }

    /// Counts the requirements.
    #[must_use]
    pub fn requirement_counts(&self) -> RequirementCounts {
        let mut counts = RequirementCounts::default();
        for result in &self.requirements {
            counts.known_failures += usize::from(result.known_failure);
            match result.status {
                RequirementStatus::Proven => counts.proven += 1,
                RequirementStatus::Violated => counts.violated += 1,
                RequirementStatus::Warned => counts.warned += 1,
                RequirementStatus::NotProven => counts.not_proven += 1,
                RequirementStatus::NotApplicable => counts.not_applicable += 1,
            }
        }
        counts.total = self.requirements.len() - counts.not_applicable;
        counts
    }

    /// How many requests were sent to the target.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.scenarios.iter().map(|result| result.requests).sum()
    }

    /// The command that runs just this scenario again, in the revision it ran in.
    #[must_use]
    pub fn rerun_of(&self, result: &ScenarioResult) -> String {
        let mut command = format!("{} --scenario {}", self.rerun, result.id);
        if let Some(revision) = result.revision {
            command += &format!(" --revision {revision}");
        }
        command
    }

    /// The failed runs of scenarios.
    pub fn failed(&self) -> impl Iterator<Item = &ScenarioResult> {
        self.scenarios
            .iter()
            .filter(|result| result.status == ScenarioStatus::Failed)
    }
}

fn milliseconds<Serializer: serde::Serializer>(
    duration: &Duration,
    serializer: Serializer,
) -> Result<Serializer::Ok, Serializer::Error> {
    u64::try_from(duration.as_millis())
        .unwrap_or(u64::MAX)
        .serialize(serializer)
}

fn from_milliseconds<'de, Source: serde::Deserializer<'de>>(
    source: Source,
) -> Result<Duration, Source::Error> {
    u64::deserialize(source).map(Duration::from_millis)
}

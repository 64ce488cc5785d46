//! One trial: puts one fault into a server of its own, runs the suite, and says whether it noticed.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use serde::Serialize;

use super::{Defect, Sabotage};
use crate::{
    catalogue::{Catalogue, Fault, Profile, Seam},
    mocks::{MockOptions, Mocks},
    suite::{
        self, Environment, Options, RequirementStatus, RunOutcome, ScenarioStatus, Selection,
        Stage, Vocabulary,
    },
    target::{LaunchOptions, Launcher, Service},
};

/// What became of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultStatus {
    /// Of each of its requirements a scenario that proves it failed.
    Caught,
    /// Of at least one of them none did.
    Missed,
    /// No exchange of the run met the fault, so nothing is known about the suite's eyes.
    NeverReached,
    /// The faulty server could not be made.
    Unusable,
}

/// The result of one trial.
#[derive(Debug, Clone, Serialize)]
pub struct FaultResult {
    /// Id of the fault.
    pub id: String,
    /// What is wrong with the server, in one sentence.
    #[serde(skip)]
    pub title: String,
    /// The requirements it breaks.
    pub requirements: Vec<String>,
    /// Whose servers it is put into.
    pub profile: Profile,
    /// Where it is put in.
    pub seam: Seam,
    /// What became of it.
    #[serde(skip)]
    pub status: FaultStatus,
    /// Whether it was noticed for the right reason.
    pub caught: bool,
    /// Ids of the failed scenarios that prove one of its requirements.
    pub caught_by: Vec<String>,
    /// The requirements it breaks of which no scenario failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unnoticed: Vec<String>,
    /// Ids of the other failed scenarios.
    pub also_failed: Vec<String>,
    /// The requirements that the run found violated or not kept.
    #[serde(skip)]
    pub broken: Vec<String>,
    /// Why the faulty server could not be made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// How long the trial took.
    #[serde(skip)]
    pub duration: Duration,
}

/// What all trials share.
#[derive(Debug, Clone)]
pub struct Trial<'a> {
    /// Requirements, scenarios, faults.
    pub catalogue: &'a Catalogue,
    /// What the lines of scenarios mean.
    pub vocabulary: &'a Vocabulary,
    /// Which scenarios may run.
    pub selection: &'a Selection,
    /// Whether the whole selection runs, or only the features that prove one of the fault's requirements.
    pub full: bool,
    /// How they run.
    pub options: &'a Options,
    /// The longest time one request may take.
    pub request_timeout: Duration,
}

impl Trial<'_> {
    /// Runs the suite against a server with this one fault.
    ///
    /// The future does not move between threads; block on it on the thread that calls.
    pub async fn run(&self, fault: &Fault) -> FaultResult {
        let started = std::time::Instant::now();
        let mut result = match self.play(fault).await {
            Ok((outcome, reached)) => judge(fault, &outcome, reached),
            Err(problem) => FaultResult {
                problem: Some(problem),
                ..blank(fault)
            },
        };
        result.duration = started.elapsed();
        result
    }

    async fn play(&self, fault: &Fault) -> Result<(RunOutcome, bool), String> {
        let sabotage = defect(fault)?.map(Sabotage::new);
        let launch = LaunchOptions {
            rules: fault.rules.clone(),
            // The reference starts at once; a fault that keeps it silent must not hold up the trial.
            ready_within: self.request_timeout,
            sabotage: sabotage.clone(),
            service: match fault.profile {
                Profile::Kobana => Service::Kobana,
                _ => Service::Worthbase,
            },
            ..LaunchOptions::default()
        };
        let options = MockOptions {
            steady: true,
            ..MockOptions::default()
        };
        let mocks = Mocks::start(options)
            .await
            .map_err(|error| error.to_string())?;
        let running = Launcher::Reference
            .start(Some(&mocks), &launch)
            .await
            .map_err(|error| error.to_string())?;
        let shared = Arc::new(Environment {
            target: running.target().clone(),
            mocks: Some(mocks),
            tokens: std::collections::BTreeMap::new(),
            facts: crate::target::Facts::default(),
            writes: true,
            request_timeout: self.request_timeout,
            isolated: false,
        });
        let stage = Stage {
            // The one server of a trial is of the fault's profile, so whoever shares it is of that profile too.
            kobana: (fault.profile == Profile::Kobana).then(|| Arc::clone(&shared)),
            shared,
            launcher: Launcher::Reference,
            launch,
        };
        let mut selection = self.selection.clone();
        match fault.profile {
            Profile::Kobana => selection.profiles = vec![Profile::Kobana],
            _ if selection.profiles.is_empty() => {
                selection.profiles = vec![Profile::Core, Profile::Worthbase, Profile::Finanpy];
            }
            // What was chosen is what is played.
            _ => {}
        }
        if !self.full {
            selection.heavy = self.needs_heavy(fault);
            selection.scenarios = if selection.heavy {
                self.scenarios_of(fault)
            } else {
                self.features_of(fault)
            };
        }
        let outcome = suite::run(
            self.catalogue,
            self.vocabulary,
            &selection,
            &stage,
            self.options,
            &|_, _, _| {},
        )
        .await;
        running.stop().await.map_err(|error| error.to_string())?;
        let reached = sabotage.is_none_or(|sabotage| sabotage.altered() > 0);
        Ok((outcome, reached))
    }
}

impl Trial<'_> {
    /// Whether a requirement of the fault is proven by heavy scenarios alone.
    fn needs_heavy(&self, fault: &Fault) -> bool {
        fault.requirements.iter().any(|requirement| {
            let mut scenarios = self.catalogue.scenarios_of(requirement).peekable();
            scenarios.peek().is_some() && scenarios.all(|scenario| scenario.heavy)
        })
    }

    /// The scenarios of the fault's requirements alone: beside a heavy one nothing is played for company.
    fn scenarios_of(&self, fault: &Fault) -> Vec<String> {
        let scenarios = fault
            .requirements
            .iter()
            .flat_map(|requirement| self.catalogue.scenarios_of(requirement));
        scenarios.map(|scenario| scenario.id.clone()).collect()
    }

    /// The features that hold a scenario of one of the fault's requirements, as the beginnings of scenario ids. Whole
    /// features are played, so that the trial also shows what the fault breaks beside its own requirement.
    fn features_of(&self, fault: &Fault) -> Vec<String> {
        let scenarios = fault
            .requirements
            .iter()
            .flat_map(|requirement| self.catalogue.scenarios_of(requirement));
        let features: BTreeSet<String> = scenarios
            .filter_map(|scenario| scenario.id.rsplit_once('/'))
            .map(|(feature, _)| format!("{feature}/"))
            .collect();
        features.into_iter().collect()
    }
}

/// What a fault of the wire puts before the healthy server; nothing for one of the rules.
fn defect(fault: &Fault) -> Result<Option<Defect>, String> {
    match (&fault.wire, &fault.edits) {
        (Some(name), _) => Defect::named(name).map(Some),
        (None, Some(edits)) => Defect::edits(edits).map(Some),
        (None, None) => Ok(None),
    }
}

fn blank(fault: &Fault) -> FaultResult {
    FaultResult {
        id: fault.id.clone(),
        title: fault.title.clone(),
        requirements: fault.requirements.clone(),
        profile: fault.profile,
        seam: fault.seam,
        status: FaultStatus::Unusable,
        caught: false,
        caught_by: Vec::new(),
        unnoticed: Vec::new(),
        also_failed: Vec::new(),
        broken: Vec::new(),
        problem: None,
        duration: Duration::ZERO,
    }
}

/// A fault is caught only by scenarios that prove the requirements it breaks, all of them: a requirement that a fault
/// names and nothing notices would stand there for show. Anything else that fails is collateral.
fn judge(fault: &Fault, outcome: &RunOutcome, reached: bool) -> FaultResult {
    let (mut caught_by, mut also_failed) = (BTreeSet::new(), BTreeSet::new());
    let mut unnoticed = fault.requirements.clone();
    for result in &outcome.scenarios {
        if result.status != ScenarioStatus::Failed {
            continue;
        }
        unnoticed.retain(|id| !result.requirements.contains(id));
        let proves = |id: &String| fault.requirements.contains(id);
        if result.requirements.iter().any(proves) {
            caught_by.insert(result.id.clone());
        } else {
            also_failed.insert(result.id.clone());
        }
    }
    let broken = outcome
        .requirements
        .iter()
        .filter(|requirement| {
            matches!(
                requirement.status,
                RequirementStatus::Violated | RequirementStatus::Warned
            )
        })
        .map(|requirement| requirement.id.clone())
        .collect();
    let harness_fault = outcome
        .scenarios
        .iter()
        .find(|result| result.is_harness_fault());
    let status = match (unnoticed.is_empty(), reached) {
        (true, _) => FaultStatus::Caught,
        (false, false) => FaultStatus::NeverReached,
        (false, true) => FaultStatus::Missed,
    };
    FaultResult {
        status,
        caught: status == FaultStatus::Caught,
        caught_by: caught_by.into_iter().collect(),
        unnoticed,
        also_failed: also_failed.into_iter().collect(),
        broken,
        problem: harness_fault.map(|result| format!("the harness itself failed in {}", result.id)),
        ..blank(fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{embedded, suite::Verdict};

    #[test]
    fn every_wire_fault_of_the_catalogue_is_known_to_the_proxy() {
        for document in embedded::faults() {
            let table: toml::Table = document.text.parse().unwrap();
            for (id, row) in table {
                let fault: Fault = row.try_into().unwrap();
                let made = defect(&fault);
                assert!(made.is_ok(), "{id} in {}: {made:?}", document.path);
            }
        }
    }

    #[test]
    fn a_misspelled_wire_fault_is_an_error_not_a_healthy_server() {
        assert!(Defect::named("challenge-remoevd").is_err());
    }

    fn fault() -> Fault {
        Fault {
            id: "any-audience".to_owned(),
            title: String::new(),
            profile: Profile::Core,
            requirements: vec!["AUD-001".to_owned()],
            seam: Seam::Wire,
            rules: None,
            wire: Some("any-audience".to_owned()),
            edits: None,
            report: None,
        }
    }

    fn outcome(failed: &[(&str, &str)]) -> RunOutcome {
        let scenario = |(id, requirement): &(&str, &str)| suite::ScenarioResult {
            id: (*id).to_owned(),
            profile: Profile::Core,
            feature: String::new(),
            rule: None,
            name: String::new(),
            place: String::new(),
            requirements: vec![(*requirement).to_owned()],
            status: ScenarioStatus::Failed,
            reason: None,
            revision: None,
            known_failure: false,
            known_for: Vec::new(),
            duration: Duration::ZERO,
            failure: None,
            requests: 0,
        };
        RunOutcome {
            started: jiff::Timestamp::UNIX_EPOCH,
            duration: Duration::ZERO,
            target: suite::TargetSummary {
                kind: crate::target::Kind::Reference,
                name: String::new(),
                url: String::new(),
                access: crate::target::Access::Control,
                revisions: Vec::new(),
            },
            verdict: Verdict::Violated,
            requirements: Vec::new(),
            scenarios: failed.iter().map(scenario).collect(),
            baseline: None,
            reason: None,
            rerun: String::new(),
        }
    }

    #[test]
    fn a_failure_of_an_unrelated_scenario_does_not_catch_a_fault() {
        let result = judge(&fault(), &outcome(&[("core/other", "PRM-001")]), true);
        assert_eq!(result.status, FaultStatus::Missed);
        assert_eq!(result.also_failed, ["core/other"]);
    }

    #[test]
    fn a_failure_of_a_scenario_that_proves_the_requirement_catches_it() {
        let failed = [("core/audience", "AUD-001"), ("core/other", "PRM-001")];
        let result = judge(&fault(), &outcome(&failed), true);
        assert_eq!(result.status, FaultStatus::Caught);
        assert_eq!(result.caught_by, ["core/audience"]);
        assert_eq!(result.also_failed, ["core/other"]);
    }

    #[test]
    fn a_fault_is_missed_while_one_of_its_requirements_is_not_noticed() {
        let mut fault = fault();
        fault.requirements.push("AUD-002".to_owned());
        let result = judge(&fault, &outcome(&[("core/audience", "AUD-001")]), true);
        assert_eq!(result.status, FaultStatus::Missed);
        assert_eq!(result.unnoticed, ["AUD-002"]);
        assert_eq!(result.caught_by, ["core/audience"]);
    }

    #[test]
    fn a_fault_that_no_exchange_met_was_never_reached() {
        let result = judge(&fault(), &outcome(&[]), false);
        assert_eq!(result.status, FaultStatus::NeverReached);
    }
}

//! The truth table of baseline entries, and how a file is read and written.

use std::{path::Path, time::Duration};

use jiff::{Timestamp, civil::date};

use super::*;
use crate::{
    catalogue::{Catalogue, Level, Profile, tests::row},
    client::Revision,
    embedded::Document,
    suite::{
        Blame, RequirementResult, RequirementStatus, RunOutcome, ScenarioResult, ScenarioStatus,
        StepFailure, TargetSummary, Verdict, verdict,
    },
    target::{Access, Kind},
};

const FEATURE: &str = "Feature: F\n  @A-001 @B-001\n  Scenario: Both\n    Then it holds\n";
const SCENARIO: &str = "worthbase/f/both";

fn catalogue() -> Catalogue {
    let rows = row("A-001", "MUST", "") + &row("B-001", "MUST", "") + &row("C-001", "MUST", "");
    Catalogue::read(
        &[Document::new("a.toml", &rows)],
        &[],
        &[Document::new("worthbase/f.feature", FEATURE)],
    )
    .unwrap()
}

fn run_of(
    requirements: &[&str],
    status: ScenarioStatus,
    revision: Option<Revision>,
) -> ScenarioResult {
    let failure = StepFailure {
        step: "Then it holds".to_owned(),
        blame: Blame::Target,
        expected: "one".to_owned(),
        actual: "two".to_owned(),
        hint: None,
        exchange: Vec::new(),
    };
    ScenarioResult {
        id: SCENARIO.to_owned(),
        profile: Profile::Worthbase,
        feature: "F".to_owned(),
        rule: None,
        name: "Both".to_owned(),
        place: "worthbase/f.feature:3".to_owned(),
        requirements: requirements.iter().map(ToString::to_string).collect(),
        status,
        reason: None,
        revision,
        known_failure: false,
        known_for: Vec::new(),
        duration: Duration::ZERO,
        failure: (status == ScenarioStatus::Failed).then_some(failure),
        requests: 0,
    }
}

fn outcome_of(scenarios: Vec<ScenarioResult>) -> RunOutcome {
    let mut ids: Vec<&String> = scenarios
        .iter()
        .flat_map(|result| &result.requirements)
        .collect();
    ids.sort_unstable();
    ids.dedup();
    let requirements: Vec<RequirementResult> = ids
        .into_iter()
        .map(|id| {
            let any = |status| {
                scenarios.iter().any(|result: &ScenarioResult| {
                    result.status == status && result.requirements.contains(id)
                })
            };
            RequirementResult {
                id: id.clone(),
                level: Level::Must,
                profile: Profile::Worthbase,
                statement: "It holds.".to_owned(),
                source: "a page".to_owned(),
                status: if any(ScenarioStatus::Failed) {
                    RequirementStatus::Violated
                } else if any(ScenarioStatus::Passed) {
                    RequirementStatus::Proven
                } else {
                    RequirementStatus::NotProven
                },
                known_failure: false,
                reason: None,
                scenarios: vec![SCENARIO.to_owned()],
            }
        })
        .collect();
    RunOutcome {
        started: Timestamp::UNIX_EPOCH,
        duration: Duration::ZERO,
        target: TargetSummary {
            kind: Kind::Url,
            name: "tiny".to_owned(),
            url: "http://localhost/mcp".to_owned(),
            access: Access::MockAs,
            revisions: Vec::new(),
        },
        verdict: verdict::overall(&catalogue(), &requirements, &scenarios, false),
        requirements,
        scenarios,
        baseline: None,
        reason: None,
        rerun: "proofmark run".to_owned(),
    }
}

fn known(requirement: &str) -> Known {
    Known {
        requirement: Some(requirement.to_owned()),
        scenario: SCENARIO.to_owned(),
        revisions: Vec::new(),
        profile: None,
        reason: "the next release mends it".to_owned(),
        link: "https://tracker.example/1".to_owned(),
        expires: date(2026, 6, 30),
    }
}

fn judged(mut outcome: RunOutcome, entries: Vec<Known>, today: jiff::civil::Date) -> RunOutcome {
    let baseline = Baseline { known: entries };
    apply(
        &mut outcome,
        &catalogue(),
        false,
        Path::new("known.toml"),
        &baseline,
        today,
    );
    outcome
}

fn fates(outcome: &RunOutcome) -> Vec<Fate> {
    let compared = outcome.baseline.as_ref().unwrap();
    compared
        .problems
        .iter()
        .map(|problem| problem.fate)
        .collect()
}

const NOW: Option<Revision> = Some(Revision::V2026_07_28);
const BEFORE: Option<Revision> = Some(Revision::V2025_11_25);

#[test]
fn the_truth_table_of_an_entry() {
    use ScenarioStatus::{Failed, NotProven, Passed};
    let (last_day, after) = (date(2026, 6, 30), date(2026, 7, 1));
    for (status, listed, today, verdict, fate) in [
        (Failed, false, last_day, Verdict::Violated, None),
        (Failed, false, after, Verdict::Violated, None),
        (Failed, true, last_day, Verdict::Conforms, None),
        (Failed, true, after, Verdict::Violated, Some(Fate::Expired)),
        (Passed, false, last_day, Verdict::Conforms, None),
        (Passed, false, after, Verdict::Conforms, None),
        (Passed, true, last_day, Verdict::Violated, Some(Fate::Stale)),
        (Passed, true, after, Verdict::Violated, Some(Fate::Stale)),
        // What was chosen but is not in reach says nothing of the failure, but its day is over all the same.
        (NotProven, true, last_day, Verdict::Incomplete, None),
        (
            NotProven,
            true,
            after,
            Verdict::Violated,
            Some(Fate::Expired),
        ),
    ] {
        let outcome = outcome_of(vec![run_of(&["A-001"], status, NOW)]);
        let entries = if listed { vec![known("A-001")] } else { vec![] };
        let outcome = judged(outcome, entries, today);
        let row = format!("{status:?}, listed {listed}, on {today}");
        assert_eq!(outcome.verdict, verdict, "{row}");
        assert_eq!(fates(&outcome), Vec::from_iter(fate), "{row}");
        let accepted = status == Failed && listed && today == last_day;
        assert_eq!(outcome.scenarios[0].known_failure, accepted, "{row}");
        assert_eq!(outcome.requirements[0].known_failure, accepted, "{row}");
    }
}

#[test]
fn an_entry_hides_one_requirement_and_no_other_of_the_same_scenario() {
    let failed = || {
        outcome_of(vec![run_of(
            &["A-001", "B-001"],
            ScenarioStatus::Failed,
            NOW,
        )])
    };
    let today = date(2026, 6, 1);
    let outcome = judged(failed(), vec![known("A-001")], today);
    assert_eq!(outcome.verdict, Verdict::Violated);
    assert!(outcome.requirements[0].known_failure && !outcome.requirements[1].known_failure);
    assert!(!outcome.scenarios[0].known_failure);
    let outcome = judged(failed(), vec![known("A-001"), known("B-001")], today);
    assert_eq!(outcome.verdict, Verdict::Conforms);
    assert_eq!(outcome.requirement_counts().known_failures, 2);
}

#[test]
fn an_entry_holds_in_its_revisions_and_its_profile_only() {
    let runs = |before, now| {
        outcome_of(vec![
            run_of(&["A-001"], before, BEFORE),
            run_of(&["A-001"], now, NOW),
        ])
    };
    let today = date(2026, 6, 1);
    let (failed, passed) = (ScenarioStatus::Failed, ScenarioStatus::Passed);
    let narrow = || Known {
        revisions: vec![Revision::V2026_07_28],
        ..known("A-001")
    };
    let outcome = judged(runs(passed, failed), vec![narrow()], today);
    assert_eq!(outcome.verdict, Verdict::Conforms);
    let outcome = judged(runs(failed, failed), vec![narrow()], today);
    assert_eq!(outcome.verdict, Verdict::Violated);
    assert!(!outcome.requirements[0].known_failure);
    // One that speaks of both revisions has to be narrowed when one of them passes.
    let outcome = judged(runs(passed, failed), vec![known("A-001")], today);
    assert_eq!(fates(&outcome), [Fate::Stale]);
    let message = &outcome.baseline.as_ref().unwrap().problems[0].message;
    assert!(message.contains("2025-11-25"), "{message}");
    let elsewhere = Known {
        profile: Some(Profile::Core),
        ..known("A-001")
    };
    let outcome = judged(runs(passed, failed), vec![elsewhere], today);
    assert_eq!(outcome.verdict, Verdict::Violated);
    assert_eq!(outcome.baseline.unwrap().not_run, 1);
}

#[test]
fn a_harness_fault_is_never_hidden() {
    let mut result = run_of(&["A-001"], ScenarioStatus::Failed, NOW);
    if let Some(failure) = &mut result.failure {
        failure.blame = Blame::Harness;
    }
    let outcome = judged(
        outcome_of(vec![result]),
        vec![known("A-001")],
        date(2026, 6, 1),
    );
    assert_eq!(outcome.verdict, Verdict::HarnessFault);
}

#[test]
fn a_new_baseline_has_each_failure_once_and_is_refused_until_somebody_explains_it() {
    let (failed, passed) = (ScenarioStatus::Failed, ScenarioStatus::Passed);
    let outcome = outcome_of(vec![
        run_of(&["A-001", "B-001"], passed, BEFORE),
        run_of(&["A-001", "B-001"], failed, NOW),
    ]);
    let today = date(2026, 6, 1);
    let old = Baseline {
        known: vec![known("A-001")],
    };
    let new = renewed(&old, &outcome, today);
    let titles: Vec<String> = new.known.iter().map(Known::title).collect();
    assert_eq!(
        titles,
        [
            format!("A-001 in {SCENARIO} under MCP 2026-07-28"),
            format!("B-001 in {SCENARIO} under MCP 2026-07-28")
        ]
    );
    assert_eq!(new.known[0].reason, "the next release mends it");
    assert_eq!(new.known[1].expires, date(2026, 8, 30));

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("known.toml");
    new.store(&path).unwrap();
    let read = Baseline::load(&path).unwrap();
    assert_eq!(read, new);
    let refused = read.check(&path, &catalogue()).unwrap_err().to_string();
    assert!(
        refused.contains("entry 2") && refused.contains("`reason` is empty"),
        "{refused}"
    );
    assert_eq!(read.usable(&catalogue()).known.len(), 1);
}

#[test]
fn entries_that_pass_leave_a_new_baseline_and_those_that_did_not_run_stay() {
    let today = date(2026, 6, 1);
    let old = Baseline {
        known: vec![known("A-001")],
    };
    let passed = outcome_of(vec![run_of(&["A-001"], ScenarioStatus::Passed, NOW)]);
    assert_eq!(renewed(&old, &passed, today), Baseline::default());
    assert_eq!(renewed(&old, &outcome_of(vec![]), today), old);
}

#[test]
fn an_entry_that_speaks_of_nothing_is_refused() {
    let path = Path::new("known.toml");
    for (entry, part) in [
        (
            Known {
                scenario: "worthbase/f/none".to_owned(),
                ..known("A-001")
            },
            "no such scenario",
        ),
        (
            known("C-001"),
            "does not prove C-001; it proves A-001, B-001",
        ),
        (
            Known {
                requirement: None,
                ..known("A-001")
            },
            "`requirement` is missing",
        ),
        (
            Known {
                link: "ask Ann".to_owned(),
                ..known("A-001")
            },
            "no web address",
        ),
    ] {
        let baseline = Baseline { known: vec![entry] };
        let message = baseline.check(path, &catalogue()).unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    }
    let broken = "[[known]]\nscenario = \"a\"\nreson = \"typo\"\n";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("known.toml");
    std::fs::write(&file, broken).unwrap();
    let message = Baseline::load(&file).unwrap_err().to_string();
    assert!(
        message.contains("reson") && message.contains("line 3"),
        "{message}"
    );
}

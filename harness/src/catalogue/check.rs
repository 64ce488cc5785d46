//! The cross-checks: requirements, scenarios, faults and steps must fit together, or the build's tests fail.

use std::collections::{BTreeMap, BTreeSet};

use cucumber::gherkin::StepType;

use super::{Catalogue, Level, Profile, Scenario, Tag};
use crate::suite::Vocabulary;

/// Requirements that no fault breaks, and why: the proxy and the reference server speak HTTP through a library that keeps
/// them, so that a server which does not can only be had from somebody else.
const CANNOT_BE_BROKEN: [(&str, &str); 2] = [
    (
        "HTTP-028",
        "the HTTP library compares header names without regard to case",
    ),
    (
        "SEC-007",
        "the HTTP library refuses two lengths before anybody sees them",
    ),
];

/// How bad a problem of the catalogue is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// The build fails.
    Error,
    /// It is printed.
    Warning,
}

/// Something in the catalogue that does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub weight: Weight,
    /// What it is, with the place.
    pub message: String,
}

impl Problem {
    fn error(message: String) -> Self {
        Self {
            weight: Weight::Error,
            message,
        }
    }

    fn warning(message: String) -> Self {
        Self {
            weight: Weight::Warning,
            message,
        }
    }
}

/// Everything that does not fit, errors first.
#[must_use]
pub fn problems(catalogue: &Catalogue, vocabulary: &Vocabulary) -> Vec<Problem> {
    let mut found = Vec::new();
    scenario_problems(catalogue, &mut found);
    requirement_problems(catalogue, &mut found);
    fault_problems(catalogue, &mut found);
    step_problems(catalogue, vocabulary, &mut found);
    found.sort_by_key(|problem| problem.weight == Weight::Warning);
    found
}

fn scenario_problems(catalogue: &Catalogue, found: &mut Vec<Problem>) {
    let mut places: BTreeMap<&str, &Scenario> = BTreeMap::new();
    for scenario in &catalogue.scenarios {
        let place = format!("{}:{}", scenario.file, scenario.line);
        if let Some(first) = places.insert(&scenario.id, scenario) {
            found.push(Problem::error(format!(
                "{place}: the id {} is already that of {}:{}; give the scenario a name of its own",
                scenario.id, first.file, first.line
            )));
        }
        if scenario.requirements.is_empty() {
            found.push(Problem::error(format!(
                "{place}: the scenario \"{}\" proves no requirement; tag it or its rule with an id",
                scenario.name
            )));
        }
        if !scenario.steps.iter().any(|step| step.ty == StepType::Then) {
            found.push(Problem::error(format!(
                "{place}: the scenario \"{}\" looks at nothing; it needs a Then",
                scenario.name
            )));
        }
        for tag in &scenario.tags {
            match Tag::read(tag) {
                Tag::Requirement(id) if !catalogue.requirements.contains_key(id) => {
                    found.push(Problem::error(format!(
                        "{place}: unknown requirement @{id}"
                    )));
                }
                Tag::Forbidden => {
                    found.push(Problem::error(format!("{place}: @{tag} is not allowed")));
                }
                Tag::Other => found.push(Problem::error(format!("{place}: unknown tag @{tag}"))),
                _ => {}
            }
        }
        for id in &scenario.requirements {
            let Some(requirement) = catalogue.requirements.get(id) else {
                continue;
            };
            if !scenario
                .revisions
                .iter()
                .any(|revision| requirement.revisions.contains(revision))
            {
                found.push(Problem::error(format!(
                    "{place}: {id} holds in none of the revisions this scenario can run in"
                )));
            }
        }
    }
}

fn requirement_problems(catalogue: &Catalogue, found: &mut Vec<Problem>) {
    for requirement in catalogue.requirements.values() {
        let id = &requirement.id;
        let in_force =
            requirement.judges_servers() && Profile::IMPLEMENTED.contains(&requirement.profile);
        if !matches!(Tag::read(id), Tag::Requirement(_)) {
            found.push(Problem::error(format!(
                "{id}: an id is capitals, hyphens and a number of three digits"
            )));
        }
        if requirement.revisions.is_empty() {
            found.push(Problem::error(format!("{id}: holds in no revision")));
        }
        if in_force && catalogue.scenarios_of(id).next().is_none() {
            let message = format!("{id}: no scenario proves this {}", requirement.level);
            found.push(if requirement.level == Level::Must {
                Problem::error(message)
            } else {
                Problem::warning(message)
            });
        }
        if in_force && catalogue.faults_of(id).next().is_none() {
            let message = format!("{id}: no deliberate fault shows that its scenarios notice");
            let can_be_broken = !CANNOT_BE_BROKEN.iter().any(|(known, _)| known == id);
            found.push(if requirement.level == Level::Must && can_be_broken {
                Problem::error(message)
            } else {
                Problem::warning(message)
            });
        }
    }
}

fn fault_problems(catalogue: &Catalogue, found: &mut Vec<Problem>) {
    for fault in catalogue.faults.values() {
        let id = &fault.id;
        if let Some(reason) = fault.inconsistency() {
            found.push(Problem::error(format!("{id}: {reason}")));
        }
        if fault.requirements.is_empty() {
            found.push(Problem::error(format!("{id}: breaks no requirement")));
        }
        for requirement in &fault.requirements {
            if !catalogue.requirements.contains_key(requirement) {
                found.push(Problem::error(format!(
                    "{id}: unknown requirement {requirement}"
                )));
            }
        }
    }
}

fn step_problems(catalogue: &Catalogue, vocabulary: &Vocabulary, found: &mut Vec<Problem>) {
    let mut used = BTreeSet::new();
    for scenario in &catalogue.scenarios {
        for step in &scenario.steps {
            match vocabulary.meaning(step) {
                Ok(phrase) => {
                    used.insert(phrase.place());
                }
                Err(problem) => found.push(Problem::error(format!(
                    "{}:{}: {problem}",
                    scenario.file, step.position.line
                ))),
            }
        }
    }
    for phrase in vocabulary.phrases() {
        if !used.contains(&phrase.place()) {
            found.push(Problem::warning(format!(
                "{}: no scenario uses the step \"{} {}\"",
                phrase.place(),
                phrase.keyword(),
                phrase.text()
            )));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cucumber::codegen::Regex;
    use futures::FutureExt as _;

    use crate::{catalogue::tests::row, embedded::Document, suite::Phrase};

    fn vocabulary() -> Vocabulary {
        Vocabulary::default().with(Phrase::new(
            StepType::Then,
            Regex::new("^it holds$").unwrap(),
            "here".to_owned(),
            |_, _| async {}.boxed_local(),
        ))
    }

    const FAULT: &str = "[broken]\ntitle = \"It does not hold\"\nprofile = \"worthbase\"\nrequirements = [\"A-001\"]\nseam = \"wire\"\nwire = \"challenge-removed\"\n";

    fn errors(requirements: &str, feature: &str) -> Vec<String> {
        errors_with(requirements, FAULT, feature)
    }

    fn errors_with(requirements: &str, faults: &str, feature: &str) -> Vec<String> {
        let catalogue = Catalogue::read(
            &[Document::new("requirements/a.toml", requirements)],
            &[Document::new("faults/a.toml", faults)],
            &[Document::new("worthbase/f.feature", feature)],
        )
        .unwrap();
        problems(&catalogue, &vocabulary())
            .into_iter()
            .filter(|problem| problem.weight == Weight::Error)
            .map(|problem| problem.message)
            .collect()
    }

    #[test]
    fn a_fitting_catalogue_has_no_errors() {
        let feature = "Feature: F\n  @A-001\n  Scenario: S\n    Then it holds\n";
        assert_eq!(errors(&row("A-001", "MUST", ""), feature), [""; 0]);
    }

    #[test]
    fn a_must_that_no_fault_breaks_is_an_error_and_a_should_is_not() {
        let feature = "Feature: F\n  @A-001\n  Scenario: S\n    Then it holds\n";
        let found = errors_with(&row("A-001", "MUST", ""), "", feature);
        assert_eq!(
            found,
            ["A-001: no deliberate fault shows that its scenarios notice"]
        );
        assert_eq!(
            errors_with(&row("A-001", "SHOULD", ""), "", feature),
            [""; 0]
        );
    }

    #[test]
    fn every_misfit_is_named_with_its_place() {
        let feature = "Feature: F\n  @B-001 @wip @nonsense\n  Scenario: S\n    When nothing is defined\n  Scenario: S\n";
        let found = errors(&row("A-001", "MUST", ""), feature).join("\n");
        for part in [
            "worthbase/f.feature:3: unknown requirement @B-001",
            "worthbase/f.feature:3: @wip is not allowed",
            "worthbase/f.feature:3: unknown tag @nonsense",
            "looks at nothing",
            "A-001: no scenario proves this MUST",
            "worthbase/f.feature:4: no step is defined for",
        ] {
            assert!(found.contains(part), "{part} is missing in\n{found}");
        }
    }

    #[test]
    fn a_requirement_that_holds_in_no_revision_of_its_scenario_is_named() {
        let feature = "Feature: F\n  @A-001 @rev-2025-06-18\n  Scenario: S\n";
        let found = errors(&row("A-001", "MUST", ""), feature).join("\n");
        assert!(found.contains("holds in none of the revisions"), "{found}");
    }
}

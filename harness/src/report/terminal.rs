//! The report for people: by requirement, worst first, each failure with all it takes to understand it.

use std::{collections::BTreeMap, fmt::Write as _};

use super::Style;
use crate::{
    catalogue::{Catalogue, Requirement},
    exit::Exit,
    suite::{
        RequirementResult, RequirementStatus, RunOutcome, ScenarioResult, ScenarioStatus,
        StepFailure, Verdict,
    },
};

/// How many exchanges of a failed scenario are shown unless more is asked for.
const EXCHANGES_SHOWN: usize = 2;
/// How many characters of a line are shown unless more is asked for.
const CHARACTERS_SHOWN: usize = 400;
/// How many failed scenarios of one requirement are explained unless more is asked for; the others are only named.
const SCENARIOS_EXPLAINED: usize = 2;
/// Width of the labels of a failure block.
const LABEL: usize = 10;

/// How the report is to look.
#[derive(Debug, Clone, Default)]
pub struct Look {
    /// Colours or none.
    pub style: Style,
    /// Only failures and the verdict.
    pub quiet: bool,
    /// Every requirement, and every exchange in full.
    pub verbose: bool,
}

/// The report as text, with a line break at its end.
#[must_use]
pub fn render(outcome: &RunOutcome, catalogue: &Catalogue, look: &Look) -> String {
    let mut report = Report {
        outcome,
        catalogue,
        look,
        text: String::new(),
        shown: BTreeMap::new(),
    };
    if !look.quiet {
        report.header();
    }
    report.harness_faults();
    report.failures();
    report.baseline();
    if !look.quiet {
        report.without_requirement();
        if look.verbose {
            report.proven();
        }
        report.unknown(RequirementStatus::NotProven, "not proven");
        report.unknown(RequirementStatus::NotApplicable, "not applicable");
        report.counts();
    }
    report.verdict();
    report.text
}

struct Report<'a> {
    outcome: &'a RunOutcome,
    catalogue: &'a Catalogue,
    look: &'a Look,
    text: String,
    /// Failed scenarios whose block stands above already, with the requirement it stands under.
    shown: BTreeMap<&'a str, &'a str>,
}

impl<'a> Report<'a> {
    fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    fn header(&mut self) {
        let target = &self.outcome.target;
        let revisions: Vec<String> = target.revisions.iter().map(ToString::to_string).collect();
        let title = format!(
            "Proofmark {} against {}",
            env!("CARGO_PKG_VERSION"),
            target.name
        );
        self.line(self.look.style.strong(title));
        let mut details = format!("{} · access {}", target.url, target.access);
        if !revisions.is_empty() {
            let _ = write!(details, " · MCP {}", revisions.join(", "));
        }
        self.line(self.look.style.faint(details));
        self.line("");
    }

    /// One undefined step fails in every revision and every scenario that uses it; it is told once.
    fn harness_faults(&mut self) {
        let outcome = self.outcome;
        let mut by_step: Vec<(&StepFailure, Vec<&ScenarioResult>)> = Vec::new();
        for result in &outcome.scenarios {
            let Some(failure) = result
                .failure
                .as_ref()
                .filter(|_| result.is_harness_fault())
            else {
                continue;
            };
            match by_step
                .iter_mut()
                .find(|(first, _)| first.step == failure.step)
            {
                Some((_, results)) => results.push(result),
                None => by_step.push((failure, vec![result])),
            }
        }
        for (failure, results) in by_step {
            let title = self.look.style.doubtful("? the harness is at fault");
            self.line(title);
            if let Some(first) = results.first() {
                self.field("scenario", &located(first));
            }
            if results.len() > 1 {
                self.field("also in", &format!("{} more runs", results.len() - 1));
            }
            self.field("at", &failure.step);
            self.field("reason", &failure.actual);
            self.line("");
        }
    }

    fn failures(&mut self) {
        let outcome = self.outcome;
        for status in [RequirementStatus::Violated, RequirementStatus::Warned] {
            for result in &outcome.requirements {
                if result.status == status && !result.known_failure {
                    self.failure_block(result);
                }
            }
        }
    }

    fn failure_block(&mut self, result: &'a RequirementResult) {
        let Some(requirement) = self.catalogue.requirements.get(&result.id) else {
            return;
        };
        let style = self.look.style;
        let mark = if result.status == RequirementStatus::Violated {
            style.bad(format!("✗ {} {}", result.id, result.level))
        } else {
            style.doubtful(format!("! {} {}", result.id, result.level))
        };
        self.line(format!("{mark}  {}", requirement.statement));
        self.field("source", &requirement.source);
        if let Some(reason) = &result.reason {
            self.field("warning", reason);
        }
        let failures = failed_runs(self.outcome, requirement);
        let mut explained = 0;
        let mut named: Vec<String> = Vec::new();
        for (first, others) in &failures {
            if let Some(elsewhere) = self.shown.get(first.id.as_str()) {
                named.push(format!("{} (see {elsewhere})", first.id));
            } else if explained < SCENARIOS_EXPLAINED || self.look.verbose {
                self.shown.insert(&first.id, &result.id);
                self.scenario_block(first, others);
                explained += 1;
            } else {
                named.push(first.id.clone());
            }
        }
        if !named.is_empty() {
            let label = if explained > 0 { "also" } else { "scenario" };
            self.field(label, &named.join("\n"));
        }
        let command = match failures.as_slice() {
            [(only, _)] => self.outcome.rerun_of(only),
            _ => format!("{} --requirement {}", self.outcome.rerun, result.id),
        };
        self.field("rerun", &command);
        self.line("");
    }

    /// What the baseline knows in one line each, and its entries that fail the run.
    fn baseline(&mut self) {
        let outcome = self.outcome;
        let Some(compared) = &outcome.baseline else {
            return;
        };
        for problem in &compared.problems {
            let mark = self.look.style.bad("✗ baseline");
            self.line(format!("{mark}  {}", problem.message));
        }
        if self.look.quiet {
            return;
        }
        let known: Vec<&str> = outcome
            .requirements
            .iter()
            .filter(|result| result.known_failure)
            .map(|result| result.id.as_str())
            .collect();
        if !known.is_empty() {
            let heading = self.look.style.doubtful("- known failures");
            self.line(format!(
                "{heading}: accepted by {}",
                compared.path.display()
            ));
            self.line(format!("    {}", known.join(" ")));
        }
        if compared.not_run > 0 {
            self.line(format!(
                "- {} of the {} entries of the baseline speak of scenarios that did not run",
                compared.not_run, compared.entries
            ));
        }
        self.line("");
    }

    fn scenario_block(&mut self, result: &ScenarioResult, also_in: &[String]) {
        self.field("scenario", &located(result));
        if !also_in.is_empty() {
            self.field("also in", &also_in.join(", "));
        }
        if let Some(failure) = &result.failure {
            self.explanation(failure);
        }
    }

    fn explanation(&mut self, failure: &StepFailure) {
        self.field("at", &failure.step);
        self.field("expected", &failure.expected);
        self.field("actual", &failure.actual);
        let skipped = if self.look.verbose {
            0
        } else {
            failure.exchange.len().saturating_sub(EXCHANGES_SHOWN)
        };
        for exchange in failure.exchange.iter().skip(skipped) {
            let lines: Vec<String> = exchange.lines().map(|line| self.shortened(line)).collect();
            self.field("exchange", &lines.join("\n"));
        }
        if let Some(hint) = &failure.hint {
            self.field("fix", hint);
        }
    }

    fn shortened(&self, line: &str) -> String {
        match line.char_indices().nth(CHARACTERS_SHOWN) {
            Some((end, _)) if !self.look.verbose => format!("{}… (-v shows all)", &line[..end]),
            _ => line.to_owned(),
        }
    }

    /// Failed scenarios that no requirement block shows: those of somebody's own without a known requirement.
    fn without_requirement(&mut self) {
        let outcome = self.outcome;
        for result in outcome.failed() {
            let known = result
                .requirements
                .iter()
                .any(|id| self.catalogue.requirements.contains_key(id));
            if known || result.known_failure || self.shown.insert(&result.id, "").is_some() {
                continue;
            }
            let title = self.look.style.bad(format!("✗ {}", result.name));
            self.line(title);
            self.scenario_block(result, &[]);
            let command = outcome.rerun_of(result);
            self.field("rerun", &command);
            self.line("");
        }
    }

    fn proven(&mut self) {
        let outcome = self.outcome;
        for result in &outcome.requirements {
            if result.status != RequirementStatus::Proven {
                continue;
            }
            let statement = self
                .catalogue
                .requirements
                .get(&result.id)
                .map_or("", |requirement| requirement.statement.as_str());
            let mark = self
                .look
                .style
                .good(format!("✓ {} {}", result.id, result.level));
            self.line(format!("{mark}  {statement}"));
            for scenario in &result.scenarios {
                let line = self.look.style.faint(format!("    {scenario}"));
                self.line(line);
            }
        }
        self.line("");
    }

    /// Requirements of which nothing is known, by reason.
    fn unknown(&mut self, status: RequirementStatus, heading: &str) {
        let outcome = self.outcome;
        let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for result in &outcome.requirements {
            if result.status == status {
                by_reason
                    .entry(result.reason.as_deref().unwrap_or("no reason is known"))
                    .or_default()
                    .push(&result.id);
            }
        }
        for (reason, ids) in by_reason {
            let heading = self.look.style.doubtful(format!("- {heading}"));
            self.line(format!("{heading}: {reason}"));
            self.line(format!("    {}", ids.join(" ")));
        }
    }

    fn counts(&mut self) {
        let style = self.look.style;
        let requirements = self.outcome.requirement_counts();
        let scenarios = self.outcome.scenario_counts();
        let mut parts = vec![style.good(format!("{} proven", requirements.proven))];
        let count = |number: usize, word: &str| format!("{number} {word}");
        if requirements.violated > 0 {
            parts.push(style.bad(count(requirements.violated, "violated")));
        }
        for (number, word) in [
            (requirements.warned, "warned"),
            (requirements.not_proven, "not proven"),
        ] {
            if number > 0 {
                parts.push(style.doubtful(count(number, word)));
            }
        }
        let mut line = format!(
            "requirements  {} of {}",
            parts.join(", "),
            requirements.total
        );
        if requirements.known_failures > 0 {
            let _ = write!(line, " ({} known)", requirements.known_failures);
        }
        if requirements.not_applicable > 0 {
            let _ = write!(line, " ({} not applicable)", requirements.not_applicable);
        }
        self.line("");
        self.line(line);
        let distinct = distinct_scenarios(self.outcome);
        let mut line = format!(
            "scenarios     {distinct} in {} runs: {} passed",
            scenarios.total, scenarios.passed
        );
        for (number, word) in [
            (scenarios.failed, "failed"),
            (scenarios.not_proven, "not proven"),
        ] {
            if number > 0 {
                let _ = write!(line, ", {number} {word}");
            }
        }
        let seconds = self.outcome.duration.as_secs_f32();
        let _ = write!(
            line,
            "; {} requests in {seconds:.1} s",
            self.outcome.requests()
        );
        self.line(line);
    }

    fn verdict(&mut self) {
        let style = self.look.style;
        let counts = self.outcome.requirement_counts();
        let known = self.outcome.requirements.iter();
        let known = known
            .filter(|row| row.known_failure && row.status == RequirementStatus::Violated)
            .count();
        let wrong_entries = self.outcome.baseline.as_ref();
        let wrong_entries = wrong_entries.is_some_and(|compared| !compared.problems.is_empty());
        let text = match self.outcome.verdict {
            Verdict::Conforms if counts.known_failures > 0 => {
                style.good("conforms but for the failures that the baseline knows")
            }
            Verdict::Conforms => style.good("conforms: everything in reach was proven"),
            Verdict::Violated => style.bad(match counts.violated - known {
                0 if wrong_entries => "violated: the baseline is out of date".to_owned(),
                0 => "violated: a scenario of your own failed".to_owned(),
                1 => "violated: 1 requirement is not kept".to_owned(),
                many => format!("violated: {many} requirements are not kept"),
            }),
            Verdict::Incomplete => {
                style.doubtful("incomplete: something in reach could not be proven")
            }
            Verdict::HarnessFault => style.doubtful(
                "harness fault: the suite itself failed, so this run says nothing certain about the server",
            ),
        };
        let code = Exit::from(self.outcome.verdict) as u8;
        self.line(format!("verdict       {text} (exit {code})"));
    }

    /// One labelled value; the further lines of it stand under the first.
    fn field(&mut self, label: &str, value: &str) {
        let shortened: Vec<String> = value.lines().map(|line| self.shortened(line)).collect();
        let mut lines = shortened.iter();
        let label = self.look.style.faint(format!("{label:<LABEL$}"));
        let first = lines.next().map_or("", String::as_str);
        self.line(format!("    {label} {first}"));
        for line in lines {
            self.line(format!("    {:<LABEL$} {line}", ""));
        }
    }
}

/// The failed scenarios of a requirement: the first failed run of each, and the other revisions it failed in.
fn failed_runs<'a>(
    outcome: &'a RunOutcome,
    requirement: &Requirement,
) -> Vec<(&'a ScenarioResult, Vec<String>)> {
    let mut runs: Vec<(&ScenarioResult, Vec<String>)> = Vec::new();
    for result in outcome.failed() {
        let counts = result.requirements.contains(&requirement.id)
            && result
                .revision
                .is_some_and(|revision| requirement.revisions.contains(&revision));
        if !counts {
            continue;
        }
        match runs.iter_mut().find(|(first, _)| first.id == result.id) {
            Some((_, others)) => others.extend(result.revision.map(|date| date.to_string())),
            None => runs.push((result, Vec::new())),
        }
    }
    runs
}

fn located(result: &ScenarioResult) -> String {
    let revision = match result.revision {
        Some(revision) => format!(" in MCP {revision}"),
        None => String::new(),
    };
    format!("{}{revision} ({})", result.id, result.place)
}

fn distinct_scenarios(outcome: &RunOutcome) -> usize {
    let mut ids: Vec<&str> = outcome
        .scenarios
        .iter()
        .filter(|result| result.status != ScenarioStatus::NotProven || result.revision.is_some())
        .map(|result| result.id.as_str())
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids.len()
}

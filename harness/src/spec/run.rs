//! A run for people: the verdict first, then failures that explain themselves, then what is open, then everything proven.
//!
//! The same view is a page of the site and, in one file, the report of a run.

use std::collections::BTreeSet;

use askama::Template;

use super::{
    SpecError, address,
    html::Html,
    prose::Prose,
    verdict::{Mark, Verdicts, told},
};
use crate::{
    catalogue::{Catalogue, Level, Requirement},
    report::RecordedRun,
    suite::{RequirementStatus, ScenarioResult, ScenarioStatus},
};

/// Where the parts of a run lead to.
#[derive(Debug, Clone)]
pub struct Links<'a> {
    /// The requirements and scenarios of the run.
    pub catalogue: &'a Catalogue,
    /// The way to the folder of the site; none where the run is a file of its own.
    pub root: Option<&'a str>,
    /// The requirements that a file of its own lists.
    pub judged: BTreeSet<&'a str>,
    /// The command that repeats the run, without filters.
    pub rerun: &'a str,
    /// Sentences with links.
    pub prose: &'a Prose,
}

impl Links<'_> {
    /// Where a requirement stands; nowhere if this specification, or this report, does not have it.
    fn requirement(&self, id: &str) -> Option<String> {
        match self.root {
            Some(root) => self
                .catalogue
                .requirements
                .contains_key(id)
                .then(|| format!("{root}{}", address::requirement(id))),
            None => self.judged.contains(id).then(|| format!("#{id}")),
        }
    }

    fn scenario(&self, id: &str) -> Option<String> {
        let root = self.root?;
        let scenario = self
            .catalogue
            .scenarios
            .iter()
            .find(|scenario| scenario.id == id)?;
        Some(format!("{root}{}", address::scenario(scenario)))
    }
}

/// Why a scenario failed, with all it takes to understand it.
#[derive(Debug, Clone, Template)]
#[template(path = "explanation.html")]
pub struct Explanation<'a> {
    result: &'a ScenarioResult,
    also_in: String,
    exchanges: Vec<String>,
    scenario: Option<String>,
    requirements: Vec<(&'a str, String)>,
    rerun: String,
}

impl<'a> Explanation<'a> {
    /// Explains a failed run; `others` are the revisions in which the scenario failed too.
    #[must_use]
    pub fn of(result: &'a ScenarioResult, others: &[String], links: &Links<'_>) -> Self {
        Self {
            exchanges: result
                .failure
                .iter()
                .flat_map(|failure| exchanges(&failure.exchange))
                .collect(),
            ..Self::in_short(result, others, links)
        }
    }

    /// The same without what went over the wire, where a link leads to all of it.
    #[must_use]
    pub fn in_short(result: &'a ScenarioResult, others: &[String], links: &Links<'_>) -> Self {
        Self {
            result,
            also_in: others.join(", "),
            exchanges: Vec::new(),
            scenario: links.scenario(&result.id),
            requirements: result
                .requirements
                .iter()
                .filter_map(|id| Some((id.as_str(), links.requirement(id)?)))
                .collect(),
            rerun: format!("{} --scenario {}", links.rerun, result.id),
        }
    }

    /// The explanation as a piece of a page.
    ///
    /// # Errors
    /// None in practice: nothing a template shows fails to be written.
    pub fn html(&self) -> Result<Html, SpecError> {
        Ok(Html::of_template(self)?)
    }
}

/// The last exchanges, each as far as anybody reads; the JSON report has all.
fn exchanges(all: &[String]) -> Vec<String> {
    const SHOWN: usize = 6;
    const CHARACTERS: usize = 4000;
    all.iter()
        .skip(all.len().saturating_sub(SHOWN))
        .map(|exchange| match exchange.char_indices().nth(CHARACTERS) {
            Some((end, _)) => format!("{}… (the JSON report has all)", &exchange[..end]),
            None => exchange.clone(),
        })
        .collect()
}

/// A requirement that is not kept.
#[derive(Debug, Clone)]
pub struct Broken<'a> {
    /// The requirement.
    pub row: &'a Requirement,
    /// Where it stands.
    pub href: String,
    /// How bad it is.
    pub mark: Html,
    /// Where it is written, with links.
    pub source: Html,
    /// Its failed scenarios.
    pub explanations: Vec<Html>,
    /// Failed scenarios that stand explained under another requirement: their name and its id.
    pub elsewhere: Vec<(&'a str, &'a str)>,
    /// The command that runs its scenarios again.
    pub rerun: String,
}

/// Requirements of which nothing is known for one reason.
#[derive(Debug, Clone)]
pub struct Unknown<'a> {
    /// How they ended.
    pub mark: Html,
    /// Why.
    pub reason: &'a str,
    /// Why, with its code set apart.
    pub told: Html,
    /// Ids, and where they stand.
    pub ids: Vec<(&'a str, Option<String>)>,
}

/// A step at which the harness was at fault.
#[derive(Debug, Clone)]
pub struct HarnessFault<'a> {
    /// The first run it happened in.
    pub result: &'a ScenarioResult,
    /// In how many more runs it happened.
    pub more: usize,
}

/// A part of the bar of counts, in thousandths of its width.
#[derive(Debug, Clone, Copy)]
pub struct Slice {
    /// Where it begins.
    pub from: usize,
    /// How wide it is.
    pub width: usize,
    /// The class of its colour.
    pub class: &'static str,
}

/// A run for people.
#[derive(Debug, Clone)]
pub struct RunView<'a> {
    /// The run.
    pub run: &'a RecordedRun,
    /// The verdict in a word.
    pub word: &'static str,
    /// The verdict in a sentence.
    pub sentence: String,
    /// The class of its colour.
    pub class: &'static str,
    /// The revisions that were spoken.
    pub revisions: String,
    /// When it began.
    pub started: String,
    /// How long it took.
    pub seconds: String,
    /// The counts as a bar.
    pub bar: Vec<Slice>,
    /// What makes the run doubtful.
    pub harness_faults: Vec<HarnessFault<'a>>,
    /// What is not kept, MUST first.
    pub broken: Vec<Broken<'a>>,
    /// Failed scenarios without a known requirement.
    pub loose: Vec<Html>,
    /// What is not known.
    pub unknown: Vec<Unknown<'a>>,
}

impl<'a> RunView<'a> {
    /// Sorts a run for people.
    ///
    /// # Errors
    /// None in practice: nothing a template shows fails to be written.
    pub fn of(
        run: &'a RecordedRun,
        verdicts: &Verdicts<'a>,
        links: &Links<'a>,
    ) -> Result<Self, SpecError> {
        let (word, sentence, class) = told(run);
        let revisions: Vec<String> = run
            .target
            .revisions
            .iter()
            .map(ToString::to_string)
            .collect();
        Ok(Self {
            run,
            word,
            sentence,
            class,
            revisions: revisions.join(", "),
            started: run.started.strftime("%-d %B %Y, %H:%M UTC").to_string(),
            seconds: format!("{:.1} s", run.duration().as_secs_f64()),
            bar: bar(run),
            harness_faults: verdicts
                .harness_faults()
                .into_iter()
                .map(|(result, others)| HarnessFault {
                    result,
                    more: others.len(),
                })
                .collect(),
            broken: broken(run, verdicts, links)?,
            loose: loose(run, links)?,
            unknown: unknown(run, links),
        })
    }
}

fn broken<'a>(
    run: &'a RecordedRun,
    verdicts: &Verdicts<'a>,
    links: &Links<'a>,
) -> Result<Vec<Broken<'a>>, SpecError> {
    let mut found = Vec::new();
    let mut explained: Vec<(&str, &str)> = Vec::new();
    for status in [RequirementStatus::Violated, RequirementStatus::Warned] {
        for result in run
            .requirements
            .iter()
            .filter(|result| result.status == status)
        {
            let Some(row) = links.catalogue.requirements.get(&result.id) else {
                continue;
            };
            let mut explanations = Vec::new();
            let mut elsewhere = Vec::new();
            for (failed, others) in verdicts.failures_of(row) {
                match explained
                    .iter()
                    .find(|(scenario, _)| *scenario == failed.id)
                {
                    Some((_, first)) => elsewhere.push((failed.name.as_str(), *first)),
                    None => {
                        explained.push((&failed.id, &result.id));
                        // On the site all of it stands on the page of the feature.
                        let explanation = match links.scenario(&failed.id) {
                            Some(_) => Explanation::in_short(failed, &others, links),
                            None => Explanation::of(failed, &others, links),
                        };
                        explanations.push(explanation.html()?);
                    }
                }
            }
            found.push(Broken {
                row,
                href: links.requirement(&row.id).unwrap_or_default(),
                mark: Mark::from(status).html(),
                source: links.prose.source(&row.source, links.root.unwrap_or("")),
                explanations,
                elsewhere,
                rerun: format!("{} --requirement {}", links.rerun, row.id),
            });
        }
    }
    Ok(found)
}

fn loose(run: &RecordedRun, links: &Links<'_>) -> Result<Vec<Html>, SpecError> {
    let mut seen: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for result in &run.scenarios {
        let known = result
            .requirements
            .iter()
            .any(|id| links.catalogue.requirements.contains_key(id));
        if result.status == ScenarioStatus::Failed && !known && !seen.contains(&result.id.as_str())
        {
            seen.push(&result.id);
            found.push(Explanation::of(result, &[], links).html()?);
        }
    }
    Ok(found)
}

fn unknown<'a>(run: &'a RecordedRun, links: &Links<'_>) -> Vec<Unknown<'a>> {
    let mut found: Vec<(RequirementStatus, Unknown<'_>)> = Vec::new();
    for status in [
        RequirementStatus::NotProven,
        RequirementStatus::NotApplicable,
    ] {
        for result in run
            .requirements
            .iter()
            .filter(|result| result.status == status)
        {
            let reason = result.reason.as_deref().unwrap_or("no reason is known");
            let id = (result.id.as_str(), links.requirement(&result.id));
            let same = |(known, group): &&mut (RequirementStatus, Unknown<'_>)| {
                *known == status && group.reason == reason
            };
            match found.iter_mut().find(same) {
                Some((_, group)) => group.ids.push(id),
                None => found.push((
                    status,
                    Unknown {
                        mark: Mark::from(status).html(),
                        reason,
                        told: links.prose.sentence(reason, links.root.unwrap_or("")),
                        ids: vec![id],
                    },
                )),
            }
        }
    }
    found.into_iter().map(|(_, group)| group).collect()
}

/// The counts in thousandths; what there is of a kind is never too narrow to be seen.
fn bar(run: &RecordedRun) -> Vec<Slice> {
    const WHOLE: usize = 1000;
    const NARROWEST: usize = 6;
    let counts = run.summary.requirements;
    let parts = [
        (counts.violated, "bad"),
        (counts.warned, "warn"),
        (counts.not_proven, "open"),
        (counts.proven, "good"),
    ];
    let total = counts.total.max(1);
    let mut from = 0;
    let mut slices = Vec::new();
    for (count, class) in parts.into_iter().filter(|(count, _)| *count > 0) {
        let width = (count * WHOLE / total)
            .max(NARROWEST)
            .min(WHOLE - from.min(WHOLE));
        slices.push(Slice { from, width, class });
        from += width;
    }
    // Rounding leaves a little; the last part has it.
    if let Some(last) = slices.last_mut() {
        last.width = WHOLE.saturating_sub(last.from);
    }
    slices
}

/// A requirement and what is known of it, in the list of everything.
#[derive(Debug, Clone)]
pub struct Line<'a> {
    /// The requirement's id.
    pub id: &'a str,
    /// How binding it is.
    pub level: Level,
    /// The sentence.
    pub statement: &'a str,
    /// How it ended.
    pub mark: Html,
    /// Whether it stands among the failures too.
    pub failed: bool,
    /// The names of its scenarios that ran, each once.
    pub scenarios: Vec<&'a str>,
}

/// Every requirement of a run, in the order of the report.
#[must_use]
pub fn lines<'a>(
    run: &'a RecordedRun,
    verdicts: &Verdicts<'a>,
    catalogue: &'a Catalogue,
) -> Vec<Line<'a>> {
    run.requirements
        .iter()
        .map(|result| Line {
            id: &result.id,
            level: result.level,
            statement: catalogue
                .requirements
                .get(&result.id)
                .map_or("", |row| row.statement.as_str()),
            mark: Mark::from(result.status).html(),
            failed: matches!(
                result.status,
                RequirementStatus::Violated | RequirementStatus::Warned
            ),
            scenarios: result
                .scenarios
                .iter()
                .filter_map(|id| verdicts.scenario(id).first().map(|run| run.name.as_str()))
                .collect(),
        })
        .collect()
}

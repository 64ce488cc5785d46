//! A feature as prose with its tables: what it is about, its rules, and the scenarios that show them.

use std::collections::BTreeMap;

use askama::Template;
use cucumber::gherkin::{self, Examples};

use super::{Chip, Chrome, Context, Page, finish};
use crate::{
    catalogue::{Profile, Scenario, Tag, scenario::slug},
    client::Revision,
    spec::{
        SpecError, address,
        data::FeatureFile,
        gherkin::{Cell, StepView, marked, step, table},
        html::Html,
        prose::Prose,
        run::Explanation,
        verdict::Mark,
    },
    suite::ScenarioStatus,
    target::Access,
};

#[derive(Template)]
#[template(path = "feature.html")]
struct FeaturePage<'a> {
    chrome: Chrome,
    profile: String,
    name: &'a str,
    file: &'a str,
    about: Html,
    chips: Vec<Chip>,
    background: Vec<StepView>,
    scenarios: Vec<ScenarioView>,
    rules: Vec<RuleView<'a>>,
    count: usize,
    mark: Option<Html>,
}

struct RuleView<'a> {
    anchor: String,
    name: &'a str,
    about: Html,
    chips: Vec<Chip>,
    background: Vec<StepView>,
    scenarios: Vec<ScenarioView>,
    mark: Option<Html>,
}

struct ScenarioView {
    anchor: String,
    name: Html,
    about: Html,
    chips: Vec<Chip>,
    notes: Vec<String>,
    steps: Vec<StepView>,
    examples: Vec<ExamplesView>,
    mark: Option<Html>,
    failures: Vec<Html>,
}

struct ExamplesView {
    name: String,
    chips: Vec<Chip>,
    head: Vec<Html>,
    rows: Vec<ExampleRow>,
    has_marks: bool,
}

struct ExampleRow {
    anchor: String,
    cells: Vec<Cell>,
    mark: Option<Html>,
}

/// What the views of one page share.
struct Builder<'a> {
    context: &'a Context<'a>,
    file: &'a FeatureFile,
    root: String,
    /// How often a heading's anchor was used: two outlines may have one name.
    anchors: BTreeMap<String, usize>,
}

/// The pages of all features.
///
/// # Errors
/// None in practice: nothing a template shows fails to be written.
pub fn pages(context: &Context<'_>) -> Result<Vec<Page>, SpecError> {
    let files = context.specification.features.iter();
    files.map(|file| page(context, file)).collect()
}

fn page(context: &Context<'_>, file: &FeatureFile) -> Result<Page, SpecError> {
    let path = address::feature(&file.path);
    let feature = &file.feature;
    let chrome = context.chrome(&path, "features", feature.name.clone());
    let mut builder = Builder {
        context,
        file,
        root: chrome.root.clone(),
        anchors: BTreeMap::new(),
    };
    let scenarios = builder.scenarios(&feature.scenarios)?;
    let rules = feature
        .rules
        .iter()
        .map(|rule| builder.rule(rule))
        .collect::<Result<Vec<_>, _>>()?;
    let own = || {
        let all = &context.specification.catalogue.scenarios;
        all.iter().filter(|scenario| scenario.file == file.path)
    };
    let page = FeaturePage {
        profile: file.profile.to_string(),
        name: &feature.name,
        file: &file.path,
        about: Prose::markdown(
            &file.description(feature.position.line, feature.description.as_ref()),
        ),
        chips: builder.chips(&feature.tags),
        background: background(feature.background.as_ref()),
        scenarios,
        rules,
        count: own().count(),
        mark: worst(context, own()),
        chrome,
    };
    finish(path, &page)
}

fn worst<'s>(context: &Context<'_>, scenarios: impl Iterator<Item = &'s Scenario>) -> Option<Html> {
    scenarios
        .filter_map(|scenario| context.verdicts.scenario_mark(&scenario.id))
        .max()
        .map(Mark::html)
}

fn background(background: Option<&gherkin::Background>) -> Vec<StepView> {
    background
        .iter()
        .flat_map(|background| &background.steps)
        .map(step)
        .collect()
}

impl<'a> Builder<'a> {
    fn rule(&mut self, rule: &'a gherkin::Rule) -> Result<RuleView<'a>, SpecError> {
        let anchor = self.heading(&format!("rule-{}", slug(&rule.name)));
        let context = self.context;
        let file = self.file;
        let own = context
            .specification
            .catalogue
            .scenarios
            .iter()
            .filter(|scenario| {
                scenario.file == file.path && scenario.rule.as_deref() == Some(&rule.name)
            });
        Ok(RuleView {
            anchor,
            name: &rule.name,
            about: Prose::markdown(
                &file.description(rule.position.line, rule.description.as_ref()),
            ),
            chips: self.chips(&rule.tags),
            background: background(rule.background.as_ref()),
            scenarios: self.scenarios(&rule.scenarios)?,
            mark: worst(context, own),
        })
    }

    fn scenarios(
        &mut self,
        scenarios: &'a [gherkin::Scenario],
    ) -> Result<Vec<ScenarioView>, SpecError> {
        scenarios
            .iter()
            .map(|scenario| self.scenario(scenario))
            .collect()
    }

    fn scenario(&mut self, source: &'a gherkin::Scenario) -> Result<ScenarioView, SpecError> {
        let rows: Vec<&Scenario> = if source.examples.is_empty() {
            self.at(source.position.line).into_iter().collect()
        } else {
            source
                .examples
                .iter()
                .flat_map(|examples| self.rows(examples))
                .flatten()
                .collect()
        };
        let anchor = match (rows.first(), source.examples.is_empty()) {
            (Some(only), true) => address::anchor(&only.id).to_owned(),
            _ => self.heading(&format!("outline-{}", slug(&source.name))),
        };
        let mut failures = Vec::new();
        for row in &rows {
            failures.extend(self.failure(row)?);
        }
        Ok(ScenarioView {
            anchor,
            name: marked(&source.name),
            about: Prose::markdown(
                &self
                    .file
                    .description(source.position.line, source.description.as_ref()),
            ),
            chips: self.chips(&source.tags),
            notes: rows.first().map_or_else(Vec::new, |row| notes(row)),
            steps: source.steps.iter().map(step).collect(),
            examples: source
                .examples
                .iter()
                .filter_map(|examples| self.examples(examples))
                .collect(),
            mark: worst(self.context, rows.into_iter()),
            failures,
        })
    }

    fn examples(&self, examples: &Examples) -> Option<ExamplesView> {
        let shown = table(examples.table.as_ref()?);
        let scenarios = self.rows(examples).into_iter();
        Some(ExamplesView {
            name: examples.name.clone().unwrap_or_default(),
            chips: self.chips(&examples.tags),
            head: shown.head,
            rows: scenarios
                .zip(shown.rows)
                .map(|(scenario, cells)| ExampleRow {
                    anchor: scenario
                        .map_or("", |row| address::anchor(&row.id))
                        .to_owned(),
                    mark: scenario
                        .and_then(|row| self.context.verdicts.scenario_mark(&row.id))
                        .map(Mark::html),
                    cells,
                })
                .collect(),
            has_marks: self.context.verdicts.run().is_some(),
        })
    }

    /// The scenarios of the rows of an outline: each stands at the line that its row would have without comments.
    fn rows(&self, examples: &Examples) -> Vec<Option<&'a Scenario>> {
        let count = examples
            .table
            .as_ref()
            .map_or(0, |table| table.rows.len().saturating_sub(1));
        (0..count)
            .map(|row| self.at(examples.position.line + row + 2))
            .collect()
    }

    fn at(&self, line: usize) -> Option<&'a Scenario> {
        self.context
            .specification
            .scenario_at(&self.file.path, line)
    }

    fn failure(&self, scenario: &Scenario) -> Result<Option<Html>, SpecError> {
        let mut failed = self
            .context
            .verdicts
            .scenario(&scenario.id)
            .iter()
            .filter(|result| result.status == ScenarioStatus::Failed || result.is_harness_fault());
        let Some(first) = failed.next() else {
            return Ok(None);
        };
        let others: Vec<String> = failed
            .filter_map(|result| result.revision.map(|revision| revision.to_string()))
            .collect();
        let links = self.context.links(&self.root);
        Explanation::of(first, &others, &links).html().map(Some)
    }

    fn chips(&self, tags: &[String]) -> Vec<Chip> {
        let ids: Vec<String> = tags
            .iter()
            .map(|tag| tag.trim_start_matches('@'))
            .filter(|tag| matches!(Tag::read(tag), Tag::Requirement(_)))
            .map(str::to_owned)
            .collect();
        self.context.chips(&ids, &self.root)
    }

    /// An anchor that no other heading of the page has.
    fn heading(&mut self, anchor: &str) -> String {
        let times = self.anchors.entry(anchor.to_owned()).or_default();
        *times += 1;
        if *times == 1 {
            anchor.to_owned()
        } else {
            format!("{anchor}-{times}")
        }
    }
}

/// What a scenario needs that not every other does, in words.
fn notes(scenario: &Scenario) -> Vec<String> {
    let mut notes = Vec::new();
    match scenario.access {
        Access::Url => notes.push("needs only the address".to_owned()),
        Access::Token => notes.push("needs a token of the deployment".to_owned()),
        Access::Control => notes.push("needs control of clock, people and providers".to_owned()),
        Access::MockAs => {}
    }
    if scenario.process {
        notes.push("stops and starts the server".to_owned());
    } else if scenario.fresh {
        notes.push("a server that nobody has asked anything yet".to_owned());
    } else if scenario.isolated && scenario.profile != Profile::Finanpy {
        notes.push("a server of its own".to_owned());
    }
    if scenario.heavy {
        notes.push("heavy: runs with --all".to_owned());
    }
    if scenario.contract {
        notes.push("only for servers that claim our contract".to_owned());
    }
    if scenario.import {
        notes.push("needs a command that imports".to_owned());
    }
    if scenario.revisions.len() < Revision::ALL.len() {
        let revisions: Vec<String> = scenario.revisions.iter().map(ToString::to_string).collect();
        notes.push(format!("only in MCP {}", revisions.join(" and ")));
    }
    notes
}

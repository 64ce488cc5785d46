//! The pages, one file for each kind. Each is a template filled with views that are made from the specification.

pub mod access;
pub mod failures;
pub mod fault;
pub mod feature;
pub mod figure;
pub mod home;
pub mod requirement;
pub mod tool;
pub mod untested;

use std::collections::BTreeSet;

use askama::Template;

use super::{
    SpecError, address,
    data::Specification,
    html::Html,
    prose::Prose,
    run::Links,
    verdict::{Mark, Verdicts, told},
};
use crate::catalogue::{Level, Requirement, Scenario};

/// What every page is made from.
#[derive(Debug)]
pub struct Context<'a> {
    /// The specification.
    pub specification: &'a Specification,
    /// The run, if one was given.
    pub verdicts: Verdicts<'a>,
    /// Sentences with links.
    pub prose: Prose,
}

/// A finished page.
#[derive(Debug, Clone)]
pub struct Page {
    /// Where it stands, below the folder of the site.
    pub path: String,
    /// The page.
    pub html: String,
}

/// What surrounds the text of a page.
#[derive(Debug, Clone)]
pub struct Chrome {
    /// What the page is about.
    pub title: String,
    /// The entry of the navigation it belongs to.
    pub section: &'static str,
    /// The way to the folder of the site.
    pub root: String,
    /// The verdict of the run, if one was given.
    pub banner: Option<Banner>,
    /// Version of the program.
    pub version: &'static str,
}

/// The verdict of the run in one line.
#[derive(Debug, Clone)]
pub struct Banner {
    /// In a word.
    pub word: &'static str,
    /// In a sentence.
    pub sentence: String,
    /// The class of its colour.
    pub class: &'static str,
    /// What was tested.
    pub target: String,
    /// The day of the run.
    pub day: String,
}

/// A requirement as other pages name it.
#[derive(Debug, Clone)]
pub struct Chip {
    /// Its id.
    pub id: String,
    /// Where it stands.
    pub href: String,
    /// How binding it is.
    pub level: Level,
    /// The sentence, for those who point at it.
    pub statement: String,
    /// How it ended.
    pub mark: Option<Html>,
}

/// A scenario as other pages name it.
#[derive(Debug, Clone)]
pub struct ScenarioLink {
    /// Its name.
    pub name: String,
    /// The feature it stands in.
    pub feature: String,
    /// Where it stands.
    pub href: String,
    /// How it ended.
    pub mark: Option<Html>,
}

impl<'a> Context<'a> {
    /// Everything a page needs.
    #[must_use]
    pub fn new(specification: &'a Specification, verdicts: Verdicts<'a>) -> Self {
        let ids = specification.catalogue.requirements.keys().cloned();
        Self {
            specification,
            verdicts,
            prose: Prose::new(ids),
        }
    }

    /// What surrounds a page.
    #[must_use]
    pub fn chrome(&self, path: &str, section: &'static str, title: impl Into<String>) -> Chrome {
        let run = self.verdicts.run();
        Chrome {
            title: title.into(),
            section,
            root: address::root(path),
            banner: run.map(|run| {
                let (word, sentence, class) = told(run);
                Banner {
                    word,
                    sentence,
                    class,
                    target: run.target.name.clone(),
                    day: run.started.strftime("%-d %B %Y, %H:%M UTC").to_string(),
                }
            }),
            version: env!("CARGO_PKG_VERSION"),
        }
    }

    /// Where the parts of the run lead to, from a page.
    #[must_use]
    pub fn links<'s>(&'s self, root: &'s str) -> Links<'s> {
        Links {
            catalogue: &self.specification.catalogue,
            root: Some(root),
            judged: BTreeSet::new(),
            rerun: failures::RERUN,
            prose: &self.prose,
        }
    }

    /// A requirement as a page names it.
    #[must_use]
    pub fn chip(&self, requirement: &Requirement, root: &str) -> Chip {
        Chip {
            id: requirement.id.clone(),
            href: format!("{root}{}", address::requirement(&requirement.id)),
            level: requirement.level,
            statement: requirement.statement.clone(),
            mark: self
                .verdicts
                .requirement_mark(&requirement.id)
                .map(Mark::html),
        }
    }

    /// The requirements with these ids; ids that nobody knows are left out.
    #[must_use]
    pub fn chips<'i>(&self, ids: impl IntoIterator<Item = &'i String>, root: &str) -> Vec<Chip> {
        ids.into_iter()
            .filter_map(|id| self.specification.catalogue.requirements.get(id))
            .map(|requirement| self.chip(requirement, root))
            .collect()
    }

    /// A scenario as a page names it.
    #[must_use]
    pub fn scenario_link(&self, scenario: &Scenario, root: &str) -> ScenarioLink {
        ScenarioLink {
            name: scenario.name.clone(),
            feature: scenario.feature.clone(),
            href: format!("{root}{}", address::scenario(scenario)),
            mark: self.verdicts.scenario_mark(&scenario.id).map(Mark::html),
        }
    }
}

/// Fills a template in.
///
/// # Errors
/// None in practice: nothing a template shows fails to be written.
pub fn finish(path: impl Into<String>, template: &impl Template) -> Result<Page, SpecError> {
    Ok(Page {
        path: path.into(),
        html: template.render()?,
    })
}

//! The first page: whose promises there are, and every feature with the sentence it begins with.

use askama::Template;

use super::{Chrome, Context, Page, finish};
use crate::{
    catalogue::{Level, Profile},
    spec::{SpecError, address, data::FeatureFile, html::Html, prose::Prose, verdict::Mark},
};

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    chrome: Chrome,
    requirements: usize,
    scenarios: usize,
    faults: usize,
    figures: usize,
    tools: usize,
    profiles: Vec<ProfileView>,
}

struct ProfileView {
    name: String,
    title: &'static str,
    musts: usize,
    requirements: usize,
    features: Vec<FeatureView>,
}

struct FeatureView {
    href: String,
    name: String,
    summary: Html,
    scenarios: usize,
    mark: Option<Html>,
}

/// The first page.
///
/// # Errors
/// None in practice: nothing a template shows fails to be written.
pub fn page(context: &Context<'_>) -> Result<Page, SpecError> {
    let specification = context.specification;
    let home = Home {
        chrome: context.chrome(
            address::HOME,
            "features",
            "What a trustworthy finance server does",
        ),
        requirements: specification.catalogue.requirements.len(),
        scenarios: specification.catalogue.scenarios.len(),
        faults: specification.catalogue.faults.len(),
        figures: specification
            .figures
            .iter()
            .map(|area| area.cases.len())
            .sum(),
        tools: specification
            .contracts
            .iter()
            .map(|contract| contract.tools.len())
            .sum(),
        profiles: Profile::NAMED
            .into_iter()
            .map(|profile| profile_view(context, profile))
            .filter(|view| !view.features.is_empty() || view.requirements > 0)
            .collect(),
    };
    finish(address::HOME, &home)
}

fn profile_view(context: &Context<'_>, profile: Profile) -> ProfileView {
    let rows = || {
        let all = context.specification.catalogue.requirements.values();
        all.filter(move |requirement| requirement.profile == profile)
    };
    ProfileView {
        name: profile.to_string(),
        title: profile.title(),
        musts: rows()
            .filter(|requirement| requirement.level == Level::Must)
            .count(),
        requirements: rows().count(),
        features: context
            .specification
            .features
            .iter()
            .filter(|file| file.profile == profile)
            .map(|file| feature_view(context, file))
            .collect(),
    }
}

fn feature_view(context: &Context<'_>, file: &FeatureFile) -> FeatureView {
    let scenarios = || {
        let all = &context.specification.catalogue.scenarios;
        all.iter().filter(|scenario| scenario.file == file.path)
    };
    FeatureView {
        href: address::feature(&file.path),
        name: file.feature.name.clone(),
        summary: Prose::markdown(&first_sentence(&file.description(
            file.feature.position.line,
            file.feature.description.as_ref(),
        ))),
        scenarios: scenarios().count(),
        mark: scenarios()
            .filter_map(|scenario| context.verdicts.scenario_mark(&scenario.id))
            .max()
            .map(Mark::html),
    }
}

/// The first sentence of a description.
fn first_sentence(text: &str) -> String {
    let paragraph: Vec<&str> = text
        .lines()
        .map(str::trim)
        .skip_while(|line| line.is_empty())
        .take_while(|line| !line.is_empty())
        .collect();
    let paragraph = paragraph.join(" ");
    match paragraph.find(". ") {
        Some(end) => paragraph[..=end].to_owned(),
        None => paragraph,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_ends_at_its_full_stop() {
        assert_eq!(
            first_sentence("\n  One\n  two. Three.\n\n  Four."),
            "One two."
        );
        assert_eq!(first_sentence("Alone"), "Alone");
    }
}

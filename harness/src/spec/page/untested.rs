//! What no scenario shows, and why: the honest end of the specification.

use askama::Template;

use super::{Chip, Chrome, Context, Page, ScenarioLink, finish};
use crate::{
    catalogue::{Profile, Requirement, Role},
    spec::{SpecError, address, html::Html, verdict::Mark},
    suite::RequirementStatus,
};

#[derive(Template)]
#[template(path = "untested.html")]
struct Untested {
    chrome: Chrome,
    excluded: Vec<(Chip, String)>,
    unproven: Vec<Chip>,
    without_fault: Vec<(Chip, String)>,
    clients: Vec<Chip>,
    heavy: Vec<ScenarioLink>,
    unbuilt: Vec<(String, &'static str)>,
    open: Vec<(Chip, String, Html)>,
    has_run: bool,
}

/// The page.
///
/// # Errors
/// None in practice: nothing a template shows fails to be written.
pub fn page(context: &Context<'_>) -> Result<Page, SpecError> {
    let catalogue = &context.specification.catalogue;
    let chips = |wanted: &dyn Fn(&Requirement) -> bool| -> Vec<Chip> {
        let rows = catalogue.requirements.values();
        rows.filter(|row| wanted(row))
            .map(|row| context.chip(row, ""))
            .collect()
    };
    let judged = |row: &Requirement| row.judges_servers();
    let page = Untested {
        chrome: context.chrome(address::UNTESTED, "untested", "What is not tested"),
        excluded: catalogue
            .requirements
            .values()
            .filter_map(|row| Some((context.chip(row, ""), row.excluded.clone()?)))
            .collect(),
        unproven: chips(&|row| judged(row) && catalogue.scenarios_of(&row.id).next().is_none()),
        without_fault: catalogue
            .requirements
            .values()
            .filter(|row| judged(row) && catalogue.faults_of(&row.id).next().is_none())
            .map(|row| (context.chip(row, ""), row.faults.join(", ")))
            .collect(),
        clients: chips(&|row| row.role == Role::Client && row.excluded.is_none()),
        heavy: catalogue
            .scenarios
            .iter()
            .filter(|scenario| scenario.heavy)
            .map(|scenario| context.scenario_link(scenario, ""))
            .collect(),
        unbuilt: Profile::NAMED
            .into_iter()
            .filter(|profile| !Profile::IMPLEMENTED.contains(profile))
            .map(|profile| (profile.to_string(), profile.title()))
            .collect(),
        open: open(context),
        has_run: context.verdicts.run().is_some(),
    };
    finish(address::UNTESTED, &page)
}

/// What the run did not show.
fn open(context: &Context<'_>) -> Vec<(Chip, String, Html)> {
    let results = context
        .verdicts
        .run()
        .into_iter()
        .flat_map(|run| &run.requirements);
    results
        .filter(|result| {
            matches!(
                result.status,
                RequirementStatus::NotProven | RequirementStatus::NotApplicable
            )
        })
        .filter_map(|result| {
            let row = context
                .specification
                .catalogue
                .requirements
                .get(&result.id)?;
            let reason = result.reason.clone().unwrap_or_default();
            Some((
                context.chip(row, ""),
                reason,
                Mark::from(result.status).html(),
            ))
        })
        .collect()
}

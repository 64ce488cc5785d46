//! The catalogue of requirements, and one page for each prefix of their ids.

use askama::Template;

use super::{Chip, Chrome, Context, Page, ScenarioLink, finish};
use crate::{
    catalogue::{Level, Requirement, Role, Tier},
    client::Revision,
    spec::{SpecError, address, html::Html, run::Explanation, verdict::Mark},
    target::Access,
};

#[derive(Template)]
#[template(path = "requirements.html")]
struct Catalogue<'a> {
    chrome: Chrome,
    total: usize,
    groups: Vec<Group<'a>>,
}

struct Group<'a> {
    prefix: &'a str,
    title: &'a str,
    href: String,
    chips: Vec<Chip>,
}

#[derive(Template)]
#[template(path = "prefix.html")]
struct Prefix<'a> {
    chrome: Chrome,
    prefix: &'a str,
    title: &'a str,
    requirements: Vec<View<'a>>,
}

struct View<'a> {
    row: &'a Requirement,
    origin: Option<&'static str>,
    needs: &'static str,
    who: Option<&'static str>,
    /// The revisions it holds in, where these are not all.
    revisions: Option<String>,
    source: Html,
    check: Html,
    notes: Option<Html>,
    golden: Vec<(String, String)>,
    scenarios: Vec<ScenarioLink>,
    more: Vec<ScenarioLink>,
    faults: Vec<(String, String)>,
    mark: Option<Html>,
    reason: Option<&'a str>,
    failures: Vec<Html>,
}

/// How many scenarios of a requirement stand open; the others stand behind a summary.
const SHOWN: usize = 6;

/// The catalogue and the pages of all prefixes.
///
/// # Errors
/// None in practice: nothing a template shows fails to be written.
pub fn pages(context: &Context<'_>) -> Result<Vec<Page>, SpecError> {
    let prefixes = context.specification.prefixes();
    let groups: Vec<Group<'_>> = prefixes
        .iter()
        .map(|prefix| Group {
            prefix,
            title: context.specification.title(prefix),
            href: address::requirements(prefix),
            chips: rows(context, prefix)
                .map(|row| context.chip(row, ""))
                .collect(),
        })
        .collect();
    let catalogue = Catalogue {
        chrome: context.chrome(address::REQUIREMENTS, "requirements", "Requirements"),
        total: context.specification.catalogue.requirements.len(),
        groups,
    };
    let mut pages = vec![finish(address::REQUIREMENTS, &catalogue)?];
    for prefix in prefixes {
        pages.push(prefix_page(context, prefix)?);
    }
    Ok(pages)
}

fn rows<'a>(context: &'a Context<'_>, prefix: &'a str) -> impl Iterator<Item = &'a Requirement> {
    let all = context.specification.catalogue.requirements.values();
    all.filter(move |row| address::prefix(&row.id) == prefix)
}

fn prefix_page(context: &Context<'_>, prefix: &str) -> Result<Page, SpecError> {
    let path = address::requirements(prefix);
    let title = context.specification.title(prefix);
    let chrome = context.chrome(&path, "requirements", title);
    let page = Prefix {
        requirements: rows(context, prefix)
            .map(|row| view(context, row, &chrome.root))
            .collect::<Result<_, _>>()?,
        chrome,
        prefix,
        title,
    };
    finish(path, &page)
}

fn view<'a>(
    context: &'a Context<'_>,
    row: &'a Requirement,
    root: &str,
) -> Result<View<'a>, SpecError> {
    let specification = context.specification;
    let mut scenarios: Vec<ScenarioLink> = specification
        .catalogue
        .scenarios_of(&row.id)
        .map(|scenario| context.scenario_link(scenario, root))
        .collect();
    let more = if scenarios.len() > SHOWN + 2 {
        scenarios.split_off(SHOWN)
    } else {
        Vec::new()
    };
    let revisions: Vec<String> = row.revisions.iter().map(ToString::to_string).collect();
    Ok(View {
        row,
        origin: row.tier.map(origin),
        needs: needs(row.needs),
        who: (row.role == Role::Client).then_some("an OAuth client, never a server"),
        revisions: (revisions.len() < Revision::ALL.len()).then(|| revisions.join(", ")),
        source: context.prose.source(&row.source, root),
        check: context.prose.sentence(&row.check, root),
        notes: row
            .notes
            .as_ref()
            .map(|notes| context.prose.sentence(notes, root)),
        golden: row
            .golden
            .iter()
            .filter_map(|id| {
                Some((
                    id.clone(),
                    format!("{root}{}", specification.figure_address(id)?),
                ))
            })
            .collect(),
        scenarios,
        more,
        faults: specification
            .catalogue
            .faults_of(&row.id)
            .map(|fault| {
                let href = format!("{root}{}", specification.fault_address(fault));
                (fault.title.clone(), href)
            })
            .collect(),
        mark: context.verdicts.requirement_mark(&row.id).map(Mark::html),
        reason: context
            .verdicts
            .requirement(&row.id)
            .and_then(|result| result.reason.as_deref()),
        failures: context
            .verdicts
            .failures_of(row)
            .into_iter()
            .map(|(result, others)| {
                Explanation::in_short(result, &others, &context.links(root)).html()
            })
            .collect::<Result<_, _>>()?,
    })
}

fn origin(tier: Tier) -> &'static str {
    match tier {
        Tier::P => "said by the service's own page",
        Tier::C => "a convention of the field; the page is silent",
        Tier::X => "our contract's own choice, binding only for a server that claims it",
    }
}

fn needs(access: Access) -> &'static str {
    match access {
        Access::Url => "nothing but the address of the server",
        Access::Token => "a token of the deployment",
        Access::MockAs => "a server that trusts the mock authorization server",
        Access::Control => "a server whose clock, people and providers the suite steers",
    }
}

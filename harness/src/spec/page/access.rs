//! Who may do what: roles and subscriptions from the tool tables, scopes and permissions from the decision table.

use askama::Template;
use serde_json::Value;

use super::{Chrome, Context, Page, finish};
use crate::spec::{
    SpecError, address,
    contract::{Contract, Role},
    decision::{Decided, DecisionTable},
    gherkin::{Cell, cell},
    html::Html,
    value,
};

/// Prefixes of requirements about access; the features that prove them are named on the page.
const ABOUT_ACCESS: [&str; 8] = [
    "ROLE", "SCOPE", "SCOPE-K", "PERM", "WS", "WSP", "ISO", "MEMBER",
];

/// What stands in place of a scope where the token has no such claim.
const NO_SCOPE: &str = "no scope claim";

#[derive(Template)]
#[template(path = "access.html")]
struct Access<'a> {
    chrome: Chrome,
    roles: Vec<RoleTable<'a>>,
    decision: Option<DecisionView<'a>>,
    features: Vec<(String, String)>,
}

struct RoleTable<'a> {
    profile: &'a str,
    rows: Vec<RoleRow<'a>>,
}

struct RoleRow<'a> {
    name: &'a str,
    href: String,
    reads: bool,
    /// For viewers, for editors, for admins, and in a workspace without a subscription.
    allowed: [bool; 4],
}

struct DecisionView<'a> {
    cells: u64,
    callers: u64,
    /// Names of the tools for the heads of columns.
    columns: Vec<String>,
    tools: Vec<(&'a str, Vec<String>)>,
    scopes: Vec<(&'a str, Vec<Cell>)>,
    permissions: Vec<(String, String, Vec<Cell>)>,
    states: Vec<(String, Html)>,
    answers: Vec<(String, Html)>,
    telling: Vec<Telling<'a>>,
}

struct Telling<'a> {
    tool: &'a str,
    scope: &'a str,
    permissions: String,
    state: String,
    expect: String,
    allowed: bool,
    catches: String,
}

/// The page.
///
/// # Errors
/// None in practice: nothing a template shows fails to be written.
pub fn page(context: &Context<'_>) -> Result<Page, SpecError> {
    let specification = context.specification;
    let page = Access {
        chrome: context.chrome(address::ACCESS, "access", "Who may do what"),
        roles: specification
            .contracts
            .iter()
            .filter_map(role_table)
            .collect(),
        decision: specification.decisions.as_ref().map(decision),
        features: specification
            .features
            .iter()
            .filter(|file| {
                specification.catalogue.scenarios.iter().any(|scenario| {
                    let about = |id: &String| ABOUT_ACCESS.contains(&address::prefix(id));
                    scenario.file == file.path && scenario.requirements.iter().any(about)
                })
            })
            .map(|file| (file.feature.name.clone(), address::feature(&file.path)))
            .collect(),
    };
    finish(address::ACCESS, &page)
}

fn role_table(contract: &Contract) -> Option<RoleTable<'_>> {
    let rows: Vec<RoleRow<'_>> = contract
        .tools
        .iter()
        .filter_map(|tool| {
            let least = tool.role?;
            Some(RoleRow {
                name: &tool.name,
                href: address::tool(&contract.profile, &tool.name),
                reads: tool.reads(),
                allowed: [
                    least <= Role::Viewer,
                    least <= Role::Editor,
                    least <= Role::Admin,
                    tool.subscription == Some(false),
                ],
            })
        })
        .collect();
    (!rows.is_empty()).then_some(RoleTable {
        profile: &contract.profile,
        rows,
    })
}

fn decision(table: &DecisionTable) -> DecisionView<'_> {
    let shared = shared_prefix(&table.tool_order);
    let short = |name: &str| name.get(shared..).unwrap_or(name).replace('_', " ");
    DecisionView {
        cells: table.counts.cells,
        callers: table.counts.rows,
        columns: table.tool_order.iter().map(|name| short(name)).collect(),
        tools: table
            .tools
            .iter()
            .map(|(name, facts)| {
                let fact = |key: &str| facts.get(key).and_then(value::text).unwrap_or_default();
                let facts = ["kind", "resource", "permission", "workspace"];
                (name.as_str(), facts.iter().map(|key| fact(key)).collect())
            })
            .collect(),
        scopes: table
            .scopes
            .iter()
            .map(|(scope, decided)| {
                let scope = scope.as_deref().unwrap_or(NO_SCOPE);
                (scope, decided.iter().map(shown).collect())
            })
            .collect(),
        permissions: table
            .permissions
            .iter()
            .map(|(name, held, decided)| {
                let cells = decided.iter().map(shown).collect();
                (name.replace('_', " "), held.join(", "), cells)
            })
            .collect(),
        states: named(&table.membership_states),
        answers: named(&table.http_states),
        telling: table
            .telling
            .iter()
            .map(|told| Telling {
                tool: &told.tool,
                scope: told.scope.as_deref().unwrap_or(NO_SCOPE),
                permissions: told.permissions.replace('_', " "),
                state: told.state.replace('_', " "),
                expect: told.expect.replace('_', " "),
                allowed: told.expect == "allowed",
                catches: told.catches.join(", "),
            })
            .collect(),
    }
}

/// Named facts in a line each: the note, and the other facts behind it.
fn named(members: &serde_json::Map<String, Value>) -> Vec<(String, Html)> {
    members
        .iter()
        .map(|(name, facts)| {
            let note = facts.get("note").and_then(value::text);
            let others: Vec<String> = facts
                .as_object()
                .into_iter()
                .flatten()
                .filter(|(key, _)| *key != "note")
                .filter_map(|(key, fact)| {
                    Some(format!("{} {}", key.replace('_', " "), value::text(fact)?))
                })
                .collect();
            let others = others.join(", ");
            let told = match note {
                Some(note) => Html::of_text(&note)
                    .markup(" <span class=\"aside\">")
                    .text(&others)
                    .markup("</span>"),
                None => Html::of_text(&others),
            };
            (name.replace('_', " "), told)
        })
        .collect()
}

fn shown(decided: &Decided) -> Cell {
    let mut cell = cell(if decided.allowed { "yes" } else { "no" });
    if !decided.doubt.is_empty() {
        cell.text = cell.text.element("sup", decided.doubt);
    }
    cell
}

/// How many bytes all names begin with alike, up to the end of a word.
fn shared_prefix(names: &[String]) -> usize {
    let Some(first) = names.first() else {
        return 0;
    };
    let all = |prefix: &str| names.iter().all(|name| name.starts_with(prefix));
    first
        .match_indices('_')
        .map(|(place, _)| place + 1)
        .take_while(|end| all(&first[..*end]))
        .last()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_leave_out_what_all_names_begin_with() {
        let names = |names: &[&str]| {
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(shared_prefix(&names(&["a_b_c", "a_b_d"])), 4);
        assert_eq!(shared_prefix(&names(&["a_b", "c_d"])), 0);
        assert_eq!(shared_prefix(&[]), 0);
    }
}

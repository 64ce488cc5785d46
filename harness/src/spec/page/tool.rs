//! The tools of each contract, from its schemas: what a tool takes, answers and demands.

use askama::Template;
use serde_json::Value;

use super::{Chrome, Context, Page, finish};
use crate::spec::{
    SpecError, address,
    contract::{Contract, Role, Tool},
    html::Html,
    schema::{Reader, Row},
};

#[derive(Template)]
#[template(path = "tools.html")]
struct Index<'a> {
    chrome: Chrome,
    contracts: Vec<ContractView<'a>>,
}

struct ContractView<'a> {
    profile: &'a str,
    lang: &'static str,
    definitions: Option<String>,
    tools: Vec<(&'a Tool, String)>,
}

#[derive(Template)]
#[template(path = "tool.html")]
struct ToolPage<'a> {
    chrome: Chrome,
    profile: &'a str,
    lang: &'static str,
    tool: &'a Tool,
    facts: Vec<(&'static str, String)>,
    input: Vec<Row>,
    output: Vec<Row>,
}

#[derive(Template)]
#[template(path = "definitions.html")]
struct Definitions<'a> {
    chrome: Chrome,
    profile: &'a str,
    definitions: Vec<Definition<'a>>,
}

struct Definition<'a> {
    name: &'a str,
    title: String,
    kind: Html,
    about: String,
    rows: Vec<Row>,
}

/// The index, the pages of all tools and of what they share.
///
/// # Errors
/// None in practice: nothing a template shows fails to be written.
pub fn pages(context: &Context<'_>) -> Result<Vec<Page>, SpecError> {
    let contracts = &context.specification.contracts;
    let index = Index {
        chrome: context.chrome(address::TOOLS, "tools", "Tools"),
        contracts: contracts
            .iter()
            .map(|contract| ContractView {
                profile: &contract.profile,
                lang: language(contract),
                definitions: (!contract.definitions.is_empty())
                    .then(|| address::definitions(&contract.profile)),
                tools: contract
                    .tools
                    .iter()
                    .map(|tool| (tool, address::tool(&contract.profile, &tool.name)))
                    .collect(),
            })
            .collect(),
    };
    let mut pages = vec![finish(address::TOOLS, &index)?];
    for contract in contracts {
        for tool in &contract.tools {
            pages.push(tool_page(context, contract, tool)?);
        }
        if !contract.definitions.is_empty() {
            pages.push(definitions_page(context, contract)?);
        }
    }
    Ok(pages)
}

/// The language a contract speaks to models in, for those who have a page read to them.
fn language(contract: &Contract) -> &'static str {
    match contract.profile.as_str() {
        "finanpy" => "pt-BR",
        _ => "en",
    }
}

fn tool_page(context: &Context<'_>, contract: &Contract, tool: &Tool) -> Result<Page, SpecError> {
    let path = address::tool(&contract.profile, &tool.name);
    let chrome = context.chrome(&path, "tools", tool.name.clone());
    let reader = Reader {
        profile: &contract.profile,
        root: &chrome.root,
    };
    let page = ToolPage {
        profile: &contract.profile,
        lang: language(contract),
        tool,
        facts: facts(tool),
        input: reader.rows(&tool.input_schema),
        output: reader.rows(&tool.output_schema),
        chrome,
    };
    finish(path, &page)
}

fn facts(tool: &Tool) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Some(role) = tool.role {
        facts.push((
            "Who may",
            match role {
                Role::Anyone => "anybody who is signed in",
                Role::Viewer => "viewers, editors and admins",
                Role::Editor => "editors and admins",
                Role::Admin => "admins",
            }
            .to_owned(),
        ));
    }
    if let Some(subscription) = tool.subscription {
        let words = if subscription {
            "needed by the workspace"
        } else {
            "not needed"
        };
        facts.push(("Subscription", words.to_owned()));
    }
    for (key, label) in [
        ("kind", "Kind"),
        ("resource", "Resource"),
        ("permission", "Permission"),
    ] {
        if let Some(needed) = tool.axes.get(key).and_then(Value::as_str) {
            facts.push((label, needed.to_owned()));
        }
    }
    let annotations = tool.annotations;
    let hints = [
        (
            annotations.read_only_hint,
            "only reads",
            "changes something",
        ),
        (
            annotations.destructive_hint,
            "what it changes can be lost",
            "adds without losing anything",
        ),
        (
            annotations.idempotent_hint,
            "twice is as good as once",
            "twice does it twice",
        ),
        (
            annotations.open_world_hint,
            "asks somebody outside",
            "asks nobody outside",
        ),
    ];
    let hints: Vec<&str> = hints
        .into_iter()
        .filter_map(|(hint, yes, no)| hint.map(|hint| if hint { yes } else { no }))
        .collect();
    if !hints.is_empty() {
        // What only reads has nothing more to say about changes.
        let told = if tool.reads() {
            vec![hints[0], hints[hints.len() - 1]]
        } else {
            hints
        };
        facts.push(("Effect", told.join("; ")));
    }
    facts
}

fn definitions_page(context: &Context<'_>, contract: &Contract) -> Result<Page, SpecError> {
    let path = address::definitions(&contract.profile);
    let chrome = context.chrome(&path, "tools", "Shared definitions");
    let reader = Reader {
        profile: &contract.profile,
        root: &chrome.root,
    };
    let page = Definitions {
        profile: &contract.profile,
        definitions: contract
            .definitions
            .iter()
            .map(|(name, schema)| Definition {
                name,
                title: name.replace('_', " "),
                kind: reader.kind(schema),
                about: crate::spec::schema::about(schema),
                rows: reader.rows(schema),
            })
            .collect(),
        chrome,
    };
    finish(path, &page)
}

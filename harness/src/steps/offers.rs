//! Steps about everything a server offers before anything is asked: the table of tools with descriptions and schemas, the
//! guide, the prompts, the instructions. All of it is the same for everybody.

use std::collections::BTreeSet;

use cucumber::{gherkin::Step, given, then};
use serde_json::{Map, Value};

use super::{
    book::{lines, unreadable},
    guide::GUIDE,
    people::{Who, meet},
};
use crate::{
    client::Session,
    suite::{Failure, Scene},
};

/// Members of a refusal and its codes, and kinds of source: names that stand in no schema of a tool.
const OTHER_NAMES: [&str; 6] = [
    "code",
    "message",
    "field",
    "preview_stale",
    "preview_expired",
    "conversation",
];

/// Everything a server offers to read, piece by piece.
async fn everything_offered(session: &Session) -> Result<Vec<(String, String)>, Failure> {
    let expected = |what: &str| Failure::expected(what.to_owned());
    let mut offered = Vec::new();
    let tools = session.list_tools().await;
    for tool in tools.map_err(|problem| expected("the table of tools").actual(problem))? {
        offered.push((format!("the tool {}", tool.name), format!("{tool:?}")));
    }
    let guide = session.read_resource(GUIDE).await;
    let guide = guide.map_err(|problem| expected(GUIDE).actual(problem))?;
    offered.push((GUIDE.to_owned(), guide));
    for prompt in ["import_document", "monthly_update"] {
        let text = session.get_prompt(prompt, Map::new()).await;
        let text = text.map_err(|problem| expected(prompt).actual(problem))?;
        offered.push((format!("the prompt {prompt}"), text));
    }
    let instructions = session.instructions().unwrap_or_default();
    offered.push(("the instructions".to_owned(), instructions));
    Ok(offered)
}

/// Tools with descriptions and schemas, guide, prompts and instructions are read and kept.
#[given(expr = "{person} has read everything the server offers")]
async fn has_read_everything(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let session = scene.people.person(&name)?.session.clone();
    scene.guidance.offered = Some(everything_offered(&session).await?);
    Ok(())
}

/// All of it reads as it did, letter for letter, whoever reads it now.
#[then(expr = "everything the server offers {person} reads as before, letter for letter")]
async fn offers_the_same(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let session = scene.people.person(&name)?.session.clone();
    let now = everything_offered(&session).await?;
    let before = scene.guidance.offered.as_ref();
    let before = before.ok_or_else(|| Failure::harness("nothing was read before this sentence"))?;
    if now.len() != before.len() {
        return Err(Failure::expected(format!("{} texts", before.len())).actual(now.len()));
    }
    match before
        .iter()
        .zip(&now)
        .find(|(earlier, later)| earlier != later)
    {
        None => Ok(()),
        Some(((what, earlier), (_, later))) => {
            Err(Failure::expected(format!("{what}: {earlier}")).actual(later))
        }
    }
}

/// No refusal of the scenario says a text that somebody stored.
#[then("no refusal holds this text")]
fn refusals_without_text(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let text = step.docstring.clone().unwrap_or_default();
    let text = text.trim();
    let answers = scene.book.answers.all();
    let refused: Vec<_> = answers.iter().filter(|answer| answer.is_error).collect();
    if refused.is_empty() {
        return Err(Failure::harness("nothing was refused before this sentence"));
    }
    match refused.iter().find(|answer| answer.text.contains(text)) {
        None => Ok(()),
        Some(answer) => {
            Err(Failure::expected(format!("a refusal without {text:?}")).actual(&answer.text))
        }
    }
}

/// Names in backticks that look like a tool or a field: small letters and underscores.
fn names_in_backticks(text: &str) -> BTreeSet<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    let names = quoted.filter(|name| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    });
    names.collect()
}

/// Names of tools, of members and of permitted words in schemas.
fn names_in_schema(schema: &Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            for (name, member) in members {
                if name == "properties" {
                    names.extend(member.as_object().into_iter().flat_map(Map::keys).cloned());
                }
                if name == "enum" {
                    let words = member.as_array().into_iter().flatten();
                    names.extend(words.filter_map(Value::as_str).map(str::to_owned));
                }
                names_in_schema(member, names);
            }
        }
        Value::Array(elements) => elements
            .iter()
            .for_each(|element| names_in_schema(element, names)),
        _ => {}
    }
}

/// Guide, prompts, instructions and descriptions speak of tools and fields that exist.
#[then(expr = "every name in backticks that {person} is offered is a tool or a field")]
async fn names_exist(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let session = scene.people.person(&name)?.session.clone();
    let tools = session.list_tools().await;
    let tools = tools.map_err(|problem| Failure::expected("the table of tools").actual(problem))?;
    let mut known: BTreeSet<String> = OTHER_NAMES.map(str::to_owned).into();
    let mut texts = everything_offered(&session).await?;
    texts.retain(|(what, _)| !what.starts_with("the tool "));
    for tool in &tools {
        known.insert(tool.name.clone());
        names_in_schema(&tool.input_schema, &mut known);
        names_in_schema(&tool.output_schema.clone().unwrap_or_default(), &mut known);
        let description = tool.description.clone().unwrap_or_default();
        texts.push((format!("the description of {}", tool.name), description));
    }
    for (what, text) in &texts {
        // Code of another form than a name stands in fenced blocks, which have backticks of their own.
        let prose: String = text.split("```").step_by(2).collect();
        if let Some(unknown) = names_in_backticks(&prose)
            .into_iter()
            .find(|name| !known.contains(*name))
        {
            return Err(
                Failure::expected(format!("names of tools and fields in {what}"))
                    .actual(format!("`{unknown}`")),
            );
        }
    }
    Ok(())
}

/// Words that no tool may have among its arguments, at any depth: column `argument`.
#[then("no tool has an argument called")]
fn no_argument(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let forbidden: Vec<String> = lines(step)
        .iter()
        .filter_map(|line| line.cell("argument").map(str::to_owned))
        .collect();
    for tool in scene.protocol.tools.listed()? {
        let mut names = BTreeSet::new();
        names_in_schema(&tool["inputSchema"], &mut names);
        let found = names
            .iter()
            .find(|name| forbidden.iter().any(|word| name.contains(word.as_str())));
        if let Some(found) = found {
            return Err(Failure::expected(format!(
                "{} without any of {forbidden:?}",
                tool["name"]
            ))
            .actual(found));
        }
    }
    Ok(())
}

/// The tools of a list, in any order; a server may have more.
#[then("the table holds these tools")]
fn holds_tools(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let text = step.docstring.clone().unwrap_or_default();
    let expected: BTreeSet<&str> = text.split_whitespace().collect();
    let tools = scene.protocol.tools.listed()?;
    let found: BTreeSet<&str> = tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    if expected.is_subset(&found) {
        return Ok(());
    }
    let missing: Vec<_> = expected.difference(&found).collect();
    Err(Failure::expected("all tools of the page").actual(format!("{missing:?} missing")))
}

/// Every tool says whether it only reads, destroys, and reaches out; the ones that reach out are those named.
#[then("every tool says whether it destroys, and exactly these reach out into the world")]
fn reach_out(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let text = step.docstring.clone().unwrap_or_default();
    let expected: BTreeSet<&str> = text.split_whitespace().collect();
    let mut found = BTreeSet::new();
    for tool in scene.protocol.tools.listed()? {
        let name = tool["name"].as_str().unwrap_or_default();
        let hint = |hint: &str| tool["annotations"][hint].as_bool();
        let reads = hint("readOnlyHint") == Some(true);
        match (hint("openWorldHint"), hint("destructiveHint")) {
            (Some(true), destroys) if reads || destroys.is_some() => drop(found.insert(name)),
            (Some(false), destroys) if reads || destroys.is_some() => {}
            _ => {
                return Err(Failure::expected(format!(
                    "openWorldHint, and destructiveHint for a write, of {name}"
                ))
                .actual(&tool["annotations"]));
            }
        }
    }
    if found == expected {
        return Ok(());
    }
    Err(Failure::expected(format!("{expected:?} alone")).actual(format!("{found:?}")))
}

/// Each of these tools has the user's word first, by its own description or by the instructions: column `tool`.
#[then(expr = "{person} is told to have the user's word before each of")]
async fn told_to_confirm(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let session = scene.people.person(&name)?.session.clone();
    let tools = session.list_tools().await;
    let tools = tools.map_err(|problem| Failure::expected("the table of tools").actual(problem))?;
    let instructions = session.instructions().unwrap_or_default().to_lowercase();
    for line in lines(step) {
        let tool = line.needs("tool").map_err(unreadable)?;
        let described = tools.iter().find(|described| described.name == tool);
        let description = described
            .and_then(|tool| tool.description.clone())
            .unwrap_or_default()
            .to_lowercase();
        let verb = tool.split('_').next().unwrap_or(tool);
        let in_instructions = instructions
            .split('.')
            .any(|sentence| sentence.contains("confirm") && sentence.contains(verb));
        if !description.contains("confirm") && !in_instructions {
            return Err(
                Failure::expected(format!("the user's confirmation before {tool}"))
                    .actual(description),
            );
        }
    }
    Ok(())
}

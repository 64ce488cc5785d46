//! Steps about what a server offers an agent to read: the guide with its examples and aliases, and the prompts.

use std::collections::BTreeSet;

use cucumber::{gherkin::Step, then, when};
use serde_json::{Map, Value};

use super::{
    book::{lines, unreadable},
    people::{Who, desk, meet},
    schema::judge_instance,
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{Call, result::Recorded},
};

/// Where the guide is.
pub const GUIDE: &str = "guide://recording";
/// What a scenario remembers about guidance.
#[derive(Debug, Default)]
pub struct Guidance {
    /// The guide, or the prompt that was read last.
    text: String,
    /// Its media type, where it has one.
    media_type: String,
    /// Everything that was offered when somebody first looked.
    pub offered: Option<Vec<(String, String)>>,
}

/// The recording guide.
#[when(expr = "{person} reads the guide")]
async fn reads_guide(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let session = scene.people.person(&name)?.session.clone();
    let parts = session.read_contents(GUIDE).await;
    let parts = parts.map_err(|problem| Failure::expected(GUIDE).actual(problem))?;
    let texts: Vec<&str> = parts
        .iter()
        .filter_map(|part| part["text"].as_str())
        .collect();
    scene.guidance.text = texts.join("\n");
    let media_type = parts.first().and_then(|part| part["mimeType"].as_str());
    scene.guidance.media_type = media_type.unwrap_or_default().to_owned();
    Ok(())
}

async fn read_prompt(
    scene: &mut Scene,
    who: &Who,
    prompt: &str,
    description: Option<&str>,
) -> Result<(), Failure> {
    let name = meet(scene, who).await?;
    let mut arguments = Map::new();
    if let Some(description) = description {
        arguments.insert(
            "description".to_owned(),
            Value::String(description.to_owned()),
        );
    }
    let session = scene.people.person(&name)?.session.clone();
    let text = session.get_prompt(prompt, arguments).await;
    scene.guidance.text =
        text.map_err(|problem| Failure::expected(format!("the prompt {prompt}")).actual(problem))?;
    Ok(())
}

/// A prompt without any argument.
#[when(expr = "{person} asks for the prompt {word}")]
async fn asks_for_prompt(scene: &mut Scene, who: Who, prompt: String) -> Result<(), Failure> {
    read_prompt(scene, &who, &prompt, None).await
}

/// A prompt with a description of the document.
#[when(expr = "{person} asks for the prompt {word} about {string}")]
async fn asks_for_prompt_about(
    scene: &mut Scene,
    who: Who,
    prompt: String,
    description: String,
) -> Result<(), Failure> {
    read_prompt(scene, &who, &prompt, Some(&description)).await
}

/// The media type and a length below which a guide says nothing.
#[then(expr = "it is {word} of more than {int} letters")]
fn is_long(scene: &mut Scene, media_type: String, letters: usize) -> Result<(), Failure> {
    let found = scene.guidance.text.chars().count();
    let parsed = scene
        .guidance
        .media_type
        .split(';')
        .next()
        .unwrap_or_default();
    if found > letters && parsed.trim() == media_type {
        return Ok(());
    }
    Err(
        Failure::expected(format!("{media_type} of more than {letters} letters")).actual(format!(
            "{:?} of {found} letters",
            scene.guidance.media_type
        )),
    )
}

/// Headings of the Markdown that hold a word, whatever its case: column `section`.
#[then("it has a section about each of")]
fn has_sections(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let text = scene.guidance.text.to_lowercase();
    let headings: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
    for line in lines(step) {
        let word = line.needs("section").map_err(unreadable)?;
        if !headings.iter().any(|heading| heading.contains(word)) {
            return Err(Failure::expected(format!("a heading with {word:?}"))
                .actual(format!("{headings:?}")));
        }
    }
    Ok(())
}

/// The JSON blocks of the guide.
fn examples(text: &str) -> Vec<&str> {
    let blocks = text.split("```json").skip(1);
    blocks
        .filter_map(|block| block.split("```").next())
        .collect()
}

/// Worked examples with rows in them.
#[then(expr = "it holds at least {int} worked examples with rows")]
fn has_examples(scene: &mut Scene, number: usize) -> Result<(), Failure> {
    let lists = ["transactions", "transfers", "valuations", "prices"];
    let examples = examples(&scene.guidance.text);
    let with_rows = examples.iter().filter(|example| {
        let parsed: Value = serde_json::from_str(example).unwrap_or_default();
        lists
            .iter()
            .any(|list| parsed[list].as_array().is_some_and(|rows| !rows.is_empty()))
    });
    let found = with_rows.count();
    if found >= number {
        return Ok(());
    }
    Err(Failure::expected(format!("{number} worked examples with rows")).actual(found))
}

/// Column names of statements that the guide explains: columns `field alias`, both on one line.
#[then("it names these aliases")]
fn names_aliases(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    for line in lines(step) {
        let field = line.needs("field").map_err(unreadable)?;
        let alias = line.needs("alias").map_err(unreadable)?;
        let quoted = format!("`{alias}`");
        let text = &scene.guidance.text;
        if !text
            .lines()
            .any(|row| row.contains(field) && row.contains(&quoted))
        {
            return Err(
                Failure::expected(format!("a line that gives {quoted} for {field}")).actual("none"),
            );
        }
    }
    Ok(())
}

/// Each worked example keeps the schema of `record`, and the server previews it as it is printed.
#[then(expr = "{person} can preview every worked example as it is printed")]
async fn examples_preview(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let tools = scene.people.person(&name)?.session.list_tools().await;
    let tools = tools.map_err(|problem| Failure::expected("the table of tools").actual(problem))?;
    let record = tools.iter().find(|tool| tool.name == "record");
    let schema = record.map(|tool| tool.input_schema.clone());
    let schema = schema.ok_or_else(|| Failure::expected("a tool record").actual("none"))?;
    let examples = examples(&scene.guidance.text);
    if examples.is_empty() {
        return Err(Failure::expected("worked examples").actual("none"));
    }
    for example in examples {
        let arguments: Value = serde_json::from_str(example)
            .map_err(|problem| Failure::expected("an example of JSON").actual(problem))?;
        judge_instance(&schema, &arguments).map_err(|problem| {
            Failure::expected("an example that keeps the schema of record").actual(problem)
        })?;
        let _: Recorded = desk(scene, &name)?
            .send(&Call::raw("record", arguments))
            .await?
            .accepted()?;
    }
    Ok(())
}

/// Words that the text says, whatever their case, one of them for each line of a table (column `one of`, with commas between).
#[then("it says one of the words in each line")]
fn says_words(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let text = scene.guidance.text.to_lowercase();
    for line in lines(step) {
        let words = line.needs("one of").map_err(unreadable)?;
        if !words.split(", ").any(|word| text.contains(word)) {
            return Err(Failure::expected(format!("one of {words}")).actual("none of them"));
        }
    }
    Ok(())
}

/// Words that come one after another in the text, whatever their case: column `word`, with commas between those of which one is enough.
#[then("it says these words in this order")]
fn says_in_order(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let text = scene.guidance.text.to_lowercase();
    let mut from = 0;
    for line in lines(step) {
        let words = line.needs("word").map_err(unreadable)?;
        let rest = text.get(from..).unwrap_or_default();
        let found = words.split(", ").filter_map(|word| rest.find(word)).min();
        match found {
            Some(place) => from += place + 1,
            None => {
                return Err(
                    Failure::expected(format!("{words:?} after the words before it")).actual(rest),
                );
            }
        }
    }
    Ok(())
}

/// How often a text stands in the prompt.
#[then(expr = "it says {string} {int} time(s)")]
fn says_times(scene: &mut Scene, words: String, times: usize) -> Result<(), Failure> {
    let found = scene.guidance.text.matches(&words).count();
    if found == times {
        return Ok(());
    }
    Err(Failure::expected(format!("{words:?} {times} times")).actual(found))
}

/// The types of row that the guide explains are those that `record` takes, no more and no fewer.
#[then(expr = "its types of row are those that record takes from {person}")]
async fn types_agree(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let tools = scene.people.person(&name)?.session.list_tools().await;
    let tools = tools.map_err(|problem| Failure::expected("the table of tools").actual(problem))?;
    let record = tools.iter().find(|tool| tool.name == "record");
    let mut lists = Vec::new();
    enumerations(
        &record
            .map(|tool| tool.input_schema.clone())
            .unwrap_or_default(),
        &mut lists,
    );
    let taken = lists
        .into_iter()
        .find(|words| words.contains("buy") && words.contains("sell"));
    let taken = taken
        .ok_or_else(|| Failure::expected("types of row in the schema of record").actual("none"))?;
    let rows = scene
        .guidance
        .text
        .lines()
        .skip_while(|line| !line.contains("value aliases"));
    let rows = rows.skip(2).take_while(|line| line.starts_with('|'));
    let explained: BTreeSet<String> = rows
        .filter_map(|line| line.trim_matches('|').split('|').next())
        .map(|cell| cell.trim().to_owned())
        .collect();
    if explained == taken {
        return Ok(());
    }
    Err(Failure::expected(format!("{taken:?}")).actual(format!("{explained:?}")))
}

fn enumerations(schema: &Value, lists: &mut Vec<BTreeSet<String>>) {
    match schema {
        Value::Object(members) => {
            for (name, member) in members {
                if let (true, Some(words)) = (name == "enum", member.as_array()) {
                    lists.push(
                        words
                            .iter()
                            .filter_map(Value::as_str)
                            .map(str::to_owned)
                            .collect(),
                    );
                }
                enumerations(member, lists);
            }
        }
        Value::Array(elements) => elements
            .iter()
            .for_each(|element| enumerations(element, lists)),
        _ => {}
    }
}

//! Steps about what a server offers to an agent: tools with their schemas and results, resources and prompts.

use std::collections::BTreeSet;

use cucumber::gherkin::Step;
use cucumber::{then, when};
use secrecy::SecretString;
use serde_json::{Value, json};

use super::exchange::{Heard, listed, send};
use super::http::rows;
use super::schema;
use crate::client::{Message, Revision};
use crate::suite::{Failure, Scene};

/// Shortest text of a refusal that can help anybody.
const SHORTEST_HELP: usize = 11;

/// What a scenario remembers about tools, resources and prompts.
#[derive(Debug, Default)]
pub struct Tools {
    /// Everything the list method gave, all pages.
    listed: Vec<Value>,
}

impl Tools {
    /// Keeps what a list method gave.
    pub fn list(&mut self, listed: Vec<Value>) {
        self.listed = listed;
    }

    /// What was listed; never nothing.
    ///
    /// # Errors
    /// The list is empty.
    pub fn listed(&self) -> Result<&[Value], Failure> {
        if self.listed.is_empty() {
            return Err(Failure::expected("a list that is not empty").actual("nothing listed"));
        }
        Ok(&self.listed)
    }
}

/// Names of the tools that say they change nothing and that need no arguments; never none.
///
/// # Errors
/// The list cannot be read, or has no such tool.
pub async fn harmless_tools(scene: &Scene, token: &SecretString) -> Result<Vec<String>, Failure> {
    let tools = listed(scene, token, "tools/list", "tools").await?;
    let harmless = tools.iter().filter(|tool| {
        let needs_nothing = tool["inputSchema"]["required"]
            .as_array()
            .is_none_or(Vec::is_empty);
        needs_nothing && tool["annotations"]["readOnlyHint"] == json!(true)
    });
    let names: Vec<String> = harmless
        .filter_map(|tool| tool["name"].as_str().map(str::to_owned))
        .collect();
    if names.is_empty() {
        return Err(
            Failure::expected("a read-only tool that needs no arguments").actual("none listed"),
        );
    }
    Ok(names)
}

async fn as_ada(scene: &Scene, case: &str, message: &Message) -> Result<Heard, Failure> {
    let token = &scene.tokens.holder("Ada")?.token;
    send(scene, case, message, |post| post.bearer(token)).await
}

/// The whole table of tools.
#[when("Ada reads the table of tools")]
async fn reads_tools(scene: &mut Scene) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    scene.protocol.tools.listed = listed(scene, &token, "tools/list", "tools").await?;
    Ok(())
}

/// Each input is described by a valid schema of an object, and no two tools have one name.
#[then("every tool has a name of its own and a valid schema of an object for its input")]
fn input_schemas(scene: &mut Scene) -> Result<(), Failure> {
    let mut names = BTreeSet::new();
    for tool in scene.protocol.tools.listed()? {
        let name = tool["name"].as_str().unwrap_or_default();
        if name.is_empty() || !names.insert(name) {
            return Err(Failure::expected("a name of its own for every tool")
                .actual(format!("{name:?} twice or empty")));
        }
        schema::judge_schema(&tool["inputSchema"]).map_err(|problem| {
            Failure::expected(format!("a valid inputSchema of {name}")).actual(problem)
        })?;
        if tool["inputSchema"]["type"] != "object" {
            return Err(
                Failure::expected(format!("inputSchema of {name} with type object"))
                    .actual(&tool["inputSchema"]),
            );
        }
    }
    Ok(())
}

/// What is declared for results can be used to check them.
#[then("every schema for a result is valid too, and none needs a document from the network")]
fn output_schemas(scene: &mut Scene) -> Result<(), Failure> {
    for tool in scene.protocol.tools.listed()? {
        let name = &tool["name"];
        if let Some(output) = tool.get("outputSchema") {
            schema::judge_schema(output).map_err(|problem| {
                Failure::expected(format!("a valid outputSchema of {name}")).actual(problem)
            })?;
        }
        for member in ["inputSchema", "outputSchema"] {
            if let Some(reference) = schema::network_reference(&tool[member]) {
                return Err(
                    Failure::expected(format!("{member} of {name} complete in itself"))
                        .actual(reference),
                );
            }
        }
    }
    Ok(())
}

/// Names that every client can carry.
#[then("every name has 1 to 128 letters, digits, underscores, hyphens and dots")]
fn tool_names(scene: &mut Scene) -> Result<(), Failure> {
    for tool in scene.protocol.tools.listed()? {
        let name = tool["name"].as_str().unwrap_or_default();
        if !schema::is_portable_name(name) {
            return Err(Failure::expected("a name of 1 to 128 of A-Z a-z 0-9 _ - .").actual(name));
        }
    }
    Ok(())
}

/// Ten lists on connections of their own.
#[when("Ada reads the table of tools ten times")]
async fn reads_tools_often(scene: &mut Scene) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    let names = |tools: &[Value]| {
        tools
            .iter()
            .map(|tool| tool["name"].clone())
            .collect::<Vec<_>>()
    };
    let first = listed(scene, &token, "tools/list", "tools").await?;
    for _ in 1..10 {
        let again = listed(scene, &token, "tools/list", "tools").await?;
        if names(&again) != names(&first) {
            let expected = format!("the same order each time, {:?}", names(&first));
            return Err(Failure::expected(expected).actual(format!("{:?}", names(&again))));
        }
    }
    scene.protocol.tools.listed = first;
    Ok(())
}

/// The order is compared while reading; here the list must not be empty.
#[then("the tools come in the same order each time")]
fn same_order(scene: &mut Scene) -> Result<(), Failure> {
    scene.protocol.tools.listed().map(drop)
}

/// A list from its beginning, and from a place that is none.
#[when(expr = "Ada asks for the list of tools at the cursor {string}, and from its beginning")]
async fn at_cursor(scene: &mut Scene, cursor: String) -> Result<(), Failure> {
    let list = Message::request(
        scene.revision,
        json!(1),
        "tools/list",
        json!({ "cursor": cursor }),
    );
    let other = as_ada(scene, &format!("cursor {cursor:?}"), &list).await?;
    let proper = as_ada(scene, "no cursor", &Message::list_tools(scene.revision)).await?;
    scene.protocol.exchanges.others = vec![other];
    scene.protocol.exchanges.proper = Some(proper);
    Ok(())
}

/// Every call that changes nothing and needs nothing.
#[when("Ada calls every tool that changes nothing and needs no arguments")]
async fn calls_harmless(scene: &mut Scene) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    scene.protocol.tools.listed = listed(scene, &token, "tools/list", "tools").await?;
    let mut others = Vec::new();
    for name in harmless_tools(scene, &token).await? {
        others.push(
            as_ada(
                scene,
                &name,
                &Message::call(scene.revision, &name, json!({})),
            )
            .await?,
        );
    }
    scene.protocol.exchanges.others = others;
    Ok(())
}

/// The results of the calls that were not refused by the tool; never none.
fn successes(scene: &Scene) -> Result<Vec<(&Heard, Value)>, Failure> {
    let others = scene.protocol.exchanges.others()?;
    let mut successes = Vec::new();
    for heard in others {
        let result = heard
            .answer()?
            .result()
            .ok_or_else(|| heard.failure("a result"))?;
        if result["isError"] != json!(true) {
            successes.push((heard, result));
        }
    }
    if successes.is_empty() {
        return Err(others[0].failure("at least one tool that does not refuse"));
    }
    Ok(successes)
}

/// Content is a list of typed blocks, and a text block has text.
#[then("every result is a list of typed blocks")]
fn content_blocks(scene: &mut Scene) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        let result = heard
            .answer()?
            .result()
            .ok_or_else(|| heard.failure("a result"))?;
        if !schema::are_content_blocks(&result["content"]) {
            return Err(heard.failure("content as a list of typed blocks, text blocks with text"));
        }
    }
    Ok(())
}

/// A result keeps what its tool declares.
#[then("every structured result keeps the schema that its tool declares")]
fn structured_results(scene: &mut Scene) -> Result<(), Failure> {
    let mut checked = 0;
    for (heard, result) in successes(scene)? {
        let tool = scene
            .protocol
            .tools
            .listed()?
            .iter()
            .find(|tool| tool["name"] == heard.case);
        let Some(output) = tool.and_then(|tool| tool.get("outputSchema")) else {
            continue;
        };
        let structured = result
            .get("structuredContent")
            .ok_or_else(|| heard.failure("structuredContent"))?;
        schema::judge_instance(output, structured)
            .map_err(|problem| heard.failure(format!("its outputSchema: {problem}")))?;
        checked += 1;
    }
    if checked == 0 {
        return Err(
            Failure::expected("a tool that declares the schema of its result")
                .actual("none")
                .hint("a server without structured results says so in proofmark.toml: `without = [\"structured-results\"]` under [target]"),
        );
    }
    Ok(())
}

/// Clients without structured results read the same from the text.
#[then("every structured result stands in its text as well")]
fn text_copies(scene: &mut Scene) -> Result<(), Failure> {
    for (heard, result) in successes(scene)? {
        let Some(structured) = result.get("structuredContent") else {
            continue;
        };
        let blocks = result["content"].as_array().into_iter().flatten();
        let mut texts =
            blocks.filter_map(|block| serde_json::from_str::<Value>(block["text"].as_str()?).ok());
        if !texts.any(|text| text == *structured) {
            return Err(heard.failure("a text block with the same JSON"));
        }
    }
    Ok(())
}

/// Before the stateless revision a structured result is an object.
#[then("every structured result is an object")]
fn structured_objects(scene: &mut Scene) -> Result<(), Failure> {
    for (heard, result) in successes(scene)? {
        if result
            .get("structuredContent")
            .is_some_and(|structured| !structured.is_object())
        {
            return Err(heard.failure("structuredContent as an object"));
        }
    }
    Ok(())
}

/// Arguments that break a tool's own schema in exactly one way, for every property the schema describes.
#[when("Ada breaks the input of every tool in one way at a time")]
async fn breaks_inputs(scene: &mut Scene) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    let mut others = Vec::new();
    for tool in listed(scene, &token, "tools/list", "tools").await? {
        let name = tool["name"].as_str().unwrap_or_default();
        for (break_, arguments) in schema::violations(&tool["inputSchema"]) {
            let call = Message::call(scene.revision, name, arguments);
            others.push(as_ada(scene, &format!("{name} with {break_}"), &call).await?);
        }
    }
    scene.protocol.exchanges.others = others;
    Ok(())
}

/// A refusal by the tool or by the protocol; never a result, never a crash.
#[then("every call is refused")]
fn calls_are_refused(scene: &mut Scene) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        let answer = heard.answer()?;
        let by_tool = answer
            .result()
            .is_some_and(|result| result["isError"] == json!(true));
        let by_protocol = answer.error().is_some_and(|error| error.code == -32602);
        if !(by_tool || by_protocol) {
            return Err(heard.failure("refused, by the tool or with -32602"));
        }
    }
    Ok(())
}

/// A refusal by the tool, in words that help a model to do better.
#[then("every call is refused by the tool, in words that help")]
fn refused_in_words(scene: &mut Scene) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        let result = heard.answer()?.result().unwrap_or_default();
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        let lawful_before = scene.revision == Revision::V2025_06_18
            && heard
                .answer()?
                .error()
                .is_some_and(|error| error.code == -32602);
        let refused = result["isError"] == json!(true) && text.chars().count() >= SHORTEST_HELP;
        if !(refused || lawful_before) {
            return Err(heard.failure("isError with a text that says what to fix"));
        }
    }
    Ok(())
}

/// Every resource of the list, read with the token that got the list.
#[when("Ada lists the resources and reads each of them")]
async fn reads_resources(scene: &mut Scene) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    let resources = listed(scene, &token, "resources/list", "resources").await?;
    let mut others = Vec::new();
    for resource in &resources {
        let uri = resource["uri"].as_str().unwrap_or_default();
        let read = Message::request(
            scene.revision,
            json!(1),
            "resources/read",
            json!({ "uri": uri }),
        );
        others.push(as_ada(scene, uri, &read).await?);
    }
    scene.protocol.tools.listed = resources;
    scene.protocol.exchanges.others = others;
    Ok(())
}

/// What is listed can be read, and each part says which resource it is and holds text or bytes.
#[then("each of them can be read, and each part has its address and text or bytes")]
fn resources_are_readable(scene: &mut Scene) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        let result = heard
            .answer()?
            .result()
            .ok_or_else(|| heard.failure("a result"))?;
        let contents = result["contents"].as_array();
        if !contents
            .is_some_and(|parts| !parts.is_empty() && parts.iter().all(schema::is_resource_part))
        {
            return Err(heard.failure("contents, each with uri and exactly one of text and blob"));
        }
    }
    Ok(())
}

/// Addresses from a table that no resource has: one column.
#[when("Ada reads each of these addresses")]
async fn reads_addresses(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let mut others = Vec::new();
    for row in rows(step)? {
        let read = Message::request(
            scene.revision,
            json!(1),
            "resources/read",
            json!({ "uri": row[0] }),
        );
        others.push(as_ada(scene, &row[0], &read).await?);
    }
    scene.protocol.exchanges.others = others;
    Ok(())
}

/// A prompt asked for by a name nobody has.
#[when(
    "Ada asks for a prompt that does not exist, and for each prompt without an argument that it requires"
)]
async fn unknown_prompts(scene: &mut Scene) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    let get = |name: &str| {
        Message::request(
            scene.revision,
            json!(1),
            "prompts/get",
            json!({ "name": name }),
        )
    };
    let mut others = vec![as_ada(scene, "no such prompt", &get("proofmark_nothing")).await?];
    for prompt in listed(scene, &token, "prompts/list", "prompts").await? {
        let arguments = prompt["arguments"].as_array().into_iter().flatten();
        let requires = arguments
            .clone()
            .any(|argument| argument["required"] == json!(true));
        if let (true, Some(name)) = (requires, prompt["name"].as_str()) {
            others.push(as_ada(scene, &format!("{name} without its argument"), &get(name)).await?);
        }
    }
    scene.protocol.exchanges.others = others;
    Ok(())
}

/// Text that a template engine would evaluate, as every argument of every prompt.
#[when("Ada gives every prompt arguments that a template engine would evaluate")]
async fn template_arguments(scene: &mut Scene) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    let mut others = Vec::new();
    for prompt in listed(scene, &token, "prompts/list", "prompts").await? {
        let arguments = prompt["arguments"].as_array().into_iter().flatten();
        let names: Vec<&str> = arguments
            .filter_map(|argument| argument["name"].as_str())
            .collect();
        let Some(name) = prompt["name"].as_str().filter(|_| !names.is_empty()) else {
            continue;
        };
        for text in [
            "{{1327*7}}",
            "${1327*7}",
            "<%= 1327*7 %>",
            "#{1327*7}",
            "{1327*7}",
        ] {
            let arguments: serde_json::Map<_, _> = names
                .iter()
                .map(|name| ((*name).to_owned(), json!(text)))
                .collect();
            let get = Message::request(
                scene.revision,
                json!(1),
                "prompts/get",
                json!({ "name": name, "arguments": arguments }),
            );
            others.push(as_ada(scene, &format!("{name} given {text}"), &get).await?);
        }
    }
    scene.protocol.exchanges.others = others;
    Ok(())
}

/// The product of the two numbers appears nowhere: the text was taken as text, or refused.
#[then("none of them is evaluated")]
fn nothing_evaluated(scene: &mut Scene) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        let answer = heard.answer()?;
        if answer.status.is_server_error() || answer.body.contains("9289") {
            return Err(heard.failure("the text itself, or a refusal"));
        }
    }
    Ok(())
}

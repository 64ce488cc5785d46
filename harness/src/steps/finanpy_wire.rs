//! Steps about the lines between client and program: what was sent raw, what came back, what is offered.

use cucumber::{gherkin::Step, then, when};
use serde_json::Value;

use super::finanpy::{program, table};
use crate::{
    client::Line,
    finanpy::SUMMARY,
    suite::{Failure, Scene},
};

/// Sends lines that are no messages, or not good ones.
#[when("the client sends the lines")]
async fn sends_lines(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let (heading, rows) = table(step)?;
    // The first line is a line like the others.
    for line in heading.iter().chain(rows.iter().flatten()) {
        let bytes = format!("{line}\n").into_bytes();
        program(scene).await?.send_bytes(&bytes).await?;
    }
    Ok(())
}

/// Sends the beginning of a request and no line break, as a client does that dies while it writes.
#[when("the client sends half a request")]
async fn sends_half_a_request(scene: &mut Scene) -> Result<(), Failure> {
    let half = br#"{"jsonrpc":"2.0","id":7,"method":"tools/ca"#;
    program(scene).await?.send_bytes(half).await
}

/// Sends one line that is no message and very long.
#[when(regex = r"^the client sends a line of (\d+) characters$")]
async fn sends_a_long_line(scene: &mut Scene, length: usize) -> Result<(), Failure> {
    let line = format!("{}\n", "x".repeat(length));
    program(scene).await?.send_bytes(line.as_bytes()).await
}

/// Asks for tools, resources and resource templates.
#[when("the client asks what the program offers")]
async fn asks_for_the_offer(scene: &mut Scene) -> Result<(), Failure> {
    let offer = program(scene).await?.offer().await?;
    scene.cash_book.offer = Some(offer);
    Ok(())
}

/// The program lists its tools, whatever came before.
#[then("the program still answers")]
async fn still_answers(scene: &mut Scene) -> Result<(), Failure> {
    program(scene).await?.still_answers().await
}

async fn heard(scene: &mut Scene) -> Result<Vec<Line>, Failure> {
    let lines = program(scene).await?.lines()?.heard();
    if lines.is_empty() {
        return Err(Failure::expected("lines on standard output").actual("none"));
    }
    Ok(lines)
}

/// Everything on standard output so far is JSON-RPC 2.0 in UTF-8, one message a line.
#[then("every line of standard output is a protocol message")]
async fn lines_are_messages(scene: &mut Scene) -> Result<(), Failure> {
    // A scenario without one good answer may leave standard output empty.
    let lines = program(scene).await?.lines()?.heard();
    match lines.iter().find_map(Line::fault) {
        None => Ok(()),
        Some(fault) => Err(
            Failure::expected("protocol messages only on standard output")
                .actual(fault)
                .hint("print and log to standard error"),
        ),
    }
}

/// Nothing on standard output asks the client for anything.
#[then("no line of standard output is a request")]
async fn no_line_is_a_request(scene: &mut Scene) -> Result<(), Failure> {
    let lines = heard(scene).await?;
    match lines.iter().find(|line| line.is_request()) {
        None => Ok(()),
        Some(line) => Err(Failure::expected("no message with both method and id")
            .actual(String::from_utf8_lossy(&line.bytes))),
    }
}

/// Nothing was said before the client asked; the first line is the answer to that.
#[then("the first line of standard output is the answer to the first request")]
async fn first_line_is_an_answer(scene: &mut Scene) -> Result<(), Failure> {
    let lines = heard(scene).await?;
    let first = &lines[0];
    let id = first.message.as_ref().and_then(|message| message.get("id"));
    if first.fault().is_none() && !first.is_request() && id == Some(&Value::from(1)) {
        return Ok(());
    }
    Err(
        Failure::expected("the answer to request 1 as the first line")
            .actual(String::from_utf8_lossy(&first.bytes))
            .hint("announce nothing; a client asks for what it wants to know"),
    )
}

/// The names of the tools, and no other.
#[then(regex = r#"^the tools are (".+")$"#)]
fn tools_are(scene: &mut Scene, names: String) -> Result<(), Failure> {
    let found = listed(&offer(scene)?.tools, "name");
    same(&names, found)
}

/// The resources, and no other; it is not announced as a template.
#[then(regex = r#"^the one resource is "(.+)", and it is no template$"#)]
fn the_resource_is(scene: &mut Scene, uri: String) -> Result<(), Failure> {
    if uri != SUMMARY {
        return Err(Failure::harness("the page has one resource"));
    }
    let offer = offer(scene)?;
    same(&format!("\"{uri}\""), listed(&offer.resources, "uri"))?;
    match listed(&offer.templates, "uriTemplate").first() {
        None => Ok(()),
        Some(template) => Err(Failure::expected("no resource template").actual(template)),
    }
}

/// What the input schema of a tool requires, and no more.
#[then(regex = r#"^"(\w+)" requires (?:nothing|exactly (".+"))$"#)]
fn requires(scene: &mut Scene, tool: String, names: String) -> Result<(), Failure> {
    let schema = schema(scene, &tool)?;
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let found = required
        .iter()
        .filter_map(|name| name.as_str().map(str::to_owned))
        .collect();
    same(&names, found)
}

/// Arguments that the input schema of a tool has and does not require.
#[then(regex = r#"^"(\w+)" also takes (".+")$"#)]
fn also_takes(scene: &mut Scene, tool: String, names: String) -> Result<(), Failure> {
    let schema = schema(scene, &tool)?;
    for name in quoted(&names) {
        if schema["properties"].get(name).is_none() {
            return Err(
                Failure::expected(format!("{tool} to take {name}")).actual(&schema["properties"])
            );
        }
    }
    Ok(())
}

fn offer(scene: &Scene) -> Result<&crate::finanpy::Offer, Failure> {
    let offer = scene.cash_book.offer.as_ref();
    offer.ok_or_else(|| Failure::harness("nobody asked what the program offers"))
}

fn schema(scene: &Scene, tool: &str) -> Result<Value, Failure> {
    let tools = &offer(scene)?.tools;
    let found = tools.iter().find(|listed| listed["name"] == tool);
    found
        .map(|tool| tool["inputSchema"].clone())
        .ok_or_else(|| Failure::expected(format!("the tool {tool}")).actual("it is not offered"))
}

fn listed(values: &[Value], member: &str) -> Vec<String> {
    values
        .iter()
        .map(|value| value[member].as_str().unwrap_or("(nameless)").to_owned())
        .collect()
}

fn quoted(names: &str) -> Vec<&str> {
    names.split('"').skip(1).step_by(2).collect()
}

fn same(expected: &str, mut found: Vec<String>) -> Result<(), Failure> {
    let mut expected = quoted(expected);
    expected.sort_unstable();
    found.sort_unstable();
    if found == expected {
        return Ok(());
    }
    Err(Failure::expected(format!("exactly {}", expected.join(", "))).actual(found.join(", ")))
}

//! Steps about what the page of the product says of its server: name, instructions, hints, guide and prompts, and that
//! a refused or misnamed write leaves no workspace behind.

use std::collections::{BTreeMap, BTreeSet};

use cucumber::gherkin::Step;
use cucumber::{given, then, when};
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use super::exchange::{Asked, Heard, listed, message, send, send_request};
use super::http::rows;
use super::protocol::{as_ada, settle};
use super::tokens::{mint, mocks, who_am_i};
use super::tools::harmless_tools;
use crate::client::message::META_SERVER;
use crate::client::{Message, WireRequest};
use crate::mocks::{Provider, Token, TokenRecipe};
use crate::suite::{Failure, Scene};
use crate::worthbase::Call;

/// Name of the workspace that Ada makes properly.
const PROPER_NAME: &str = "Made properly";
/// Name of the workspace that must never come to be.
const OTHER_NAME: &str = "Made improperly";

/// The same person, allowed less.
#[given(expr = "Ada also holds a token of scope {string}")]
async fn narrower_token(scene: &mut Scene, scope: String) -> Result<(), Failure> {
    let subject = scene.tokens.holder("Ada")?.user.sub.clone();
    let mut recipe = TokenRecipe::good(&subject, &scene.environment.target.resource);
    recipe.scope.clone_from(&scope);
    let token = mint(scene, &recipe).await?;
    scene.tokens.add(format!("a token of scope {scope}"), token);
    Ok(())
}

/// Every call that changes nothing, with the good token and with each other one.
#[when("Ada presents each of them to every tool that changes nothing")]
async fn presents_to_tools(scene: &mut Scene) -> Result<(), Failure> {
    let good = scene.tokens.holder("Ada")?.token.clone();
    let mut others = Vec::new();
    for name in harmless_tools(scene, &good).await? {
        let call = Message::call(scene.revision, &name, json!({}));
        others.push(send(scene, &name, &call, |post| post.bearer(&good)).await?);
        for (_, token) in scene.tokens.others()? {
            others.push(send(scene, &name, &call, |post| post.bearer(token)).await?);
        }
    }
    scene.protocol.exchanges.others = others;
    Ok(())
}

/// Calls of one tool have one result, whichever token they carried.
#[then("every call has the same result with each of them")]
fn same_results(scene: &mut Scene) -> Result<(), Failure> {
    let mut results = BTreeMap::new();
    for heard in scene.protocol.exchanges.others()? {
        let result = heard
            .answer()?
            .result()
            .ok_or_else(|| heard.failure("a result"))?;
        let first = results
            .entry(heard.case.as_str())
            .or_insert_with(|| result.clone());
        if *first != result {
            return Err(heard.failure(format!("the same result as before, {first}")));
        }
    }
    Ok(())
}

/// Who the caller is: the one call that always asks the user directory.
#[when("Ada asks who she is")]
async fn asks_who_she_is(scene: &mut Scene) -> Result<(), Failure> {
    scene.protocol.exchanges.proper = Some(as_ada(scene, "whoami", &who_am_i(scene)).await?);
    Ok(())
}

/// Without this the next sentence would be true of a server that asks nobody.
#[then("the user directory was asked about her")]
async fn directory_was_asked(scene: &mut Scene) -> Result<(), Failure> {
    let subject = &scene.tokens.holder("Ada")?.user.sub;
    let requests = mocks(scene)?.requests(Provider::Directory).await?;
    if requests
        .iter()
        .any(|request| request.path.ends_with(subject))
    {
        return Ok(());
    }
    Err(
        Failure::expected(format!("a request to the user directory about {subject}"))
            .actual("none"),
    )
}

/// In no header, address or body of any request to any mock.
#[then("no service ever saw her token")]
async fn nobody_saw_the_token(scene: &mut Scene) -> Result<(), Failure> {
    let token = Token::new(scene.tokens.holder("Ada")?.token.expose_secret());
    let leaks = mocks(scene)?.leaks(&token).await?;
    match leaks.first() {
        None => Ok(()),
        Some(request) => Err(
            Failure::expected("no request that carries the client's token")
                .actual(format!(
                    "{} {} to {:?}",
                    request.method, request.path, request.provider
                ))
                .hint("ask other services with credentials of the server's own"),
        ),
    }
}

/// The name in the opening, where either era puts it.
#[then(expr = "the server calls itself {string}")]
fn server_name(scene: &mut Scene, name: String) -> Result<(), Failure> {
    let heard = scene.protocol.exchanges.proper()?;
    let result = heard.answer()?.result().unwrap_or_default();
    let info = if scene.revision.is_modern() {
        &result["_meta"][META_SERVER]
    } else {
        &result["serverInfo"]
    };
    if info["name"] == name.as_str() {
        Ok(())
    } else {
        Err(heard.failure(format!("server name {name}")))
    }
}

/// Every topic is found by one of its words: columns `topic`, and words with commas between them.
#[then("the instructions speak of each of these")]
fn instructions_cover(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let heard = scene.protocol.exchanges.proper()?;
    let instructions = heard.answer()?.result().unwrap_or_default()["instructions"].clone();
    let text = instructions.as_str().unwrap_or_default().to_lowercase();
    for row in rows(step)? {
        let mut words = row[1].split(',').map(str::trim);
        if !words.any(|word| text.contains(word)) {
            return Err(
                Failure::expected(format!("instructions that say {}", row[0])).actual(text),
            );
        }
    }
    Ok(())
}

/// Openings and calls, each on a connection of its own.
#[when(expr = "Ada opens and makes {int} calls in any order")]
async fn opens_and_calls(scene: &mut Scene, calls: usize) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    let tools = harmless_tools(scene, &token).await?;
    let mut others = Vec::new();
    for number in 0..calls {
        let name = &tools[(number * 7 + 3) % tools.len()];
        others.push(as_ada(scene, name, &Message::call(scene.revision, name, json!({}))).await?);
    }
    others.push(
        as_ada(
            scene,
            "the opening, after the calls",
            &Message::opening(scene.revision),
        )
        .await?,
    );
    settle(scene, others).await
}

/// No stream and no session, in no answer.
#[then("every answer is JSON and none issues a session id")]
fn plain_answers(scene: &mut Scene) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        let answer = heard.answer()?;
        if answer.media_type() != "application/json"
            || answer.headers.contains_key("mcp-session-id")
        {
            return Err(heard.failure("application/json without Mcp-Session-Id"));
        }
    }
    Ok(())
}

/// Tools of the page that read; a tool of the table that is not among them must not say that it only reads.
#[then("exactly these say that they change nothing")]
fn read_only_tools(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let named = step.docstring.as_deref().unwrap_or_default();
    let reading: BTreeSet<&str> = named.split_whitespace().collect();
    for tool in scene.protocol.tools.listed()? {
        let name = tool["name"].as_str().unwrap_or_default();
        let says = tool["annotations"]["readOnlyHint"] == json!(true);
        if says != reading.contains(name) {
            let expected = if says {
                "no readOnlyHint"
            } else {
                "readOnlyHint true"
            };
            return Err(
                Failure::expected(format!("{expected} on {name}")).actual(&tool["annotations"])
            );
        }
    }
    Ok(())
}

/// The guide, as the list describes it and as it is read.
#[then(expr = "{string} is among them, as {string}, and has text")]
fn guide_is_there(scene: &mut Scene, uri: String, media_type: String) -> Result<(), Failure> {
    let described = scene
        .protocol
        .tools
        .listed()?
        .iter()
        .any(|one| one["uri"] == uri.as_str() && one["mimeType"] == media_type.as_str());
    let mut read = scene
        .protocol
        .exchanges
        .others()?
        .iter()
        .filter(|heard| heard.case == uri);
    let text = read
        .next()
        .and_then(|heard| heard.answer.as_ref().ok()?.result());
    let text = text.unwrap_or_default()["contents"][0]["text"].clone();
    if described && text.as_str().is_some_and(|text| !text.is_empty()) {
        return Ok(());
    }
    Err(
        Failure::expected(format!("{uri} as {media_type} with text"))
            .actual(json!(scene.protocol.tools.listed()?)),
    )
}

/// Every prompt of the list, asked for without arguments.
#[when("Ada lists the prompts and asks for each of them")]
async fn asks_for_prompts(scene: &mut Scene) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    let prompts = listed(scene, &token, "prompts/list", "prompts").await?;
    let mut others = Vec::new();
    for prompt in &prompts {
        let name = prompt["name"].as_str().unwrap_or_default();
        let get = Message::request(
            scene.revision,
            json!(1),
            "prompts/get",
            json!({ "name": name }),
        );
        others.push(as_ada(scene, name, &get).await?);
    }
    scene.protocol.tools.list(prompts);
    settle(scene, others).await
}

/// A prompt with an argument that may be left out.
#[then(expr = "{string} is among them with an optional {string}")]
fn prompt_with_argument(scene: &mut Scene, name: String, argument: String) -> Result<(), Failure> {
    let prompts = scene.protocol.tools.listed()?;
    let found = prompts
        .iter()
        .find(|prompt| prompt["name"] == name.as_str());
    let arguments = found
        .and_then(|prompt| prompt["arguments"].as_array())
        .into_iter()
        .flatten();
    let mut named = arguments.filter(|one| one["name"] == argument.as_str());
    match named.next() {
        Some(one) if one["required"] != json!(true) => Ok(()),
        _ => Err(
            Failure::expected(format!("prompt {name} with an optional {argument}"))
                .actual(json!(prompts)),
        ),
    }
}

/// A prompt of this name.
#[then(expr = "{string} is among them")]
fn prompt_is_there(scene: &mut Scene, name: String) -> Result<(), Failure> {
    let prompts = scene.protocol.tools.listed()?;
    if prompts.iter().any(|prompt| prompt["name"] == name.as_str()) {
        return Ok(());
    }
    Err(Failure::expected(format!("prompt {name}")).actual(json!(prompts)))
}

fn make_workspace(scene: &Scene, name: &str) -> Message {
    let call = Call::create_workspace(name, Some("EUR"));
    Message::call(scene.revision, call.tool, Value::Object(call.arguments))
}

/// Makes the proper workspace after the improper attempt.
async fn settle_with_workspace(scene: &mut Scene, other: Heard) -> Result<(), Failure> {
    let proper = as_ada(
        scene,
        "the workspace made properly",
        &make_workspace(scene, PROPER_NAME),
    )
    .await?;
    scene.protocol.exchanges.others = vec![other];
    scene.protocol.exchanges.proper = Some(proper);
    Ok(())
}

/// A write with a bad token, and one with the good one.
#[when("a workspace is made with the other token, and one with hers")]
async fn made_with_other_token(scene: &mut Scene) -> Result<(), Failure> {
    let call = make_workspace(scene, OTHER_NAME);
    let (case, token) = &scene.tokens.others()?[0];
    let other = send(scene, case, &call, |post| post.bearer(token)).await?;
    settle_with_workspace(scene, other).await
}

/// A write whose header names a tool that reads.
#[when(expr = "a workspace is made under the name of {string}, and one under its own")]
async fn made_under_other_name(scene: &mut Scene, name: String) -> Result<(), Failure> {
    let call = make_workspace(scene, OTHER_NAME).with_header("Mcp-Name", &name);
    let other = as_ada(
        scene,
        &format!("save_workspace under the name {name}"),
        &call,
    )
    .await?;
    settle_with_workspace(scene, other).await
}

/// A write whose header names a method that reads.
#[when(expr = "a workspace is made as {string}, and one as the call it is")]
async fn made_as_other_method(scene: &mut Scene, method: String) -> Result<(), Failure> {
    let call = make_workspace(scene, OTHER_NAME).with_header("Mcp-Method", &method);
    let other = as_ada(scene, &format!("save_workspace as {method}"), &call).await?;
    settle_with_workspace(scene, other).await
}

/// Names of Ada's workspaces.
async fn workspace_names(scene: &Scene) -> Result<Vec<String>, Failure> {
    let heard = as_ada(scene, "whoami", &who_am_i(scene)).await?;
    let result = heard.answer()?.result().unwrap_or_default();
    let workspaces = result["structuredContent"]["workspaces"].as_array();
    let workspaces = workspaces.ok_or_else(|| heard.failure("her workspaces"))?;
    Ok(workspaces
        .iter()
        .filter_map(|one| one["name"].as_str().map(str::to_owned))
        .collect())
}

/// The positive twin and the absence of effect in one: hers is there, the other is not.
#[then("Ada has the one workspace that she made herself")]
async fn one_workspace(scene: &mut Scene) -> Result<(), Failure> {
    let names = workspace_names(scene).await?;
    if names.iter().any(|name| name == PROPER_NAME) && !names.iter().any(|name| name == OTHER_NAME)
    {
        return Ok(());
    }
    Err(
        Failure::expected(format!("{PROPER_NAME:?} and not {OTHER_NAME:?}"))
            .actual(format!("{names:?}")),
    )
}

/// A write whose only matter is its text. The text is JSON, so that it can hold what a feature file cannot.
#[when(regex = r#"^a workspace named ("[^"]*") is made$"#)]
async fn made_with_name(scene: &mut Scene, name: String) -> Result<(), Failure> {
    let name: String = serde_json::from_str(&name).map_err(Failure::harness)?;
    let made = as_ada(scene, &name, &make_workspace(scene, &name)).await?;
    scene.protocol.exchanges.proper = Some(made);
    Ok(())
}

/// Character for character.
#[then("Ada has a workspace of exactly that name")]
async fn has_that_name(scene: &mut Scene) -> Result<(), Failure> {
    let wanted = scene.protocol.exchanges.proper()?.case.clone();
    let names = workspace_names(scene).await?;
    if names.contains(&wanted) {
        Ok(())
    } else {
        Err(Failure::expected(format!("{wanted:?}")).actual(format!("{names:?}")))
    }
}

/// A text may be refused; it is never changed.
#[then("Ada has a workspace of exactly that name, or it was refused by the tool")]
async fn has_that_name_or_refusal(scene: &mut Scene) -> Result<(), Failure> {
    let made = scene.protocol.exchanges.proper()?;
    let refused = made
        .answer()?
        .result()
        .is_some_and(|result| result["isError"] == json!(true));
    if refused {
        Ok(())
    } else {
        has_that_name(scene).await
    }
}

/// Calls that keep every schema and fail for what the book holds.
#[when("Ada asks for an item, undoes a batch and commits a preview, none of which exist")]
async fn asks_for_nothing(scene: &mut Scene) -> Result<(), Failure> {
    let made = as_ada(
        scene,
        "a workspace of her own",
        &make_workspace(scene, PROPER_NAME),
    )
    .await?;
    made.answer()?
        .result()
        .ok_or_else(|| made.failure("a workspace"))?;
    let nothing = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    let calls = [
        Call::get_item(&format!("itm_{nothing}")),
        Call::undo(&format!("bat_{nothing}")),
        Call::commit(&format!("prv_{nothing}")),
    ];
    let mut others = Vec::new();
    for call in calls {
        let message = Message::call(scene.revision, call.tool, Value::Object(call.arguments));
        others.push(as_ada(scene, call.tool, &message).await?);
    }
    scene.protocol.exchanges.others = others;
    Ok(())
}

/// The credential of an interface that does not exist.
#[when("Ada's token is sent as an API key, and in the header")]
async fn as_api_key(scene: &mut Scene) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.expose_secret().to_owned();
    let list = message(scene, Asked::Tools).await?;
    let other = send(scene, "X-Api-Key", &list, |post| {
        post.header("X-Api-Key", &token)
    })
    .await?;
    settle(scene, vec![other]).await
}

/// Not there, or a page for people; never data.
#[then(expr = "nothing is served at {string} and {string}")]
async fn nothing_served(scene: &mut Scene, first: String, second: String) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    for path in [first, second] {
        let mut url = scene.environment.target.endpoint.clone();
        url.set_path(&path);
        let heard = send_request(
            scene,
            &path,
            Value::Null,
            WireRequest::get(&url).bearer(&token),
        )
        .await?;
        let answer = heard.answer()?;
        if answer.status != 404 && answer.media_type() != "text/html" {
            return Err(heard.failure("404 or a page"));
        }
    }
    Ok(())
}

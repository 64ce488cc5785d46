//! Steps about the protocol's own rules: ids, openings, results, and the errors of ill-formed messages.

use std::collections::BTreeMap;

use cucumber::gherkin::Step;
use cucumber::{then, when};
use futures::future::join_all;
use serde_json::{Value, json};

use super::exchange::{Asked, Exchanges, Heard, NO_SUCH_TOOL, message, send};
use super::http::rows;
use super::tools::Tools;
use crate::client::message::{META_SERVER, META_VERSION};
use crate::client::{Message, Revision};
use crate::suite::{Failure, Scene};

/// Features that a server declares and that have a list method.
const LISTED_FEATURES: [(&str, &str); 3] = [
    ("tools", "tools/list"),
    ("resources", "resources/list"),
    ("prompts", "prompts/list"),
];

/// What a scenario remembers about the protocol's own rules.
#[derive(Debug, Default)]
pub struct Protocol {
    /// The proper request and the others that differ from it.
    pub exchanges: Exchanges,
    /// Of [`super::tools`].
    pub tools: Tools,
}

/// Sends a message with Ada's token.
///
/// # Errors
/// She has none, or the harness cannot send.
pub async fn as_ada(scene: &Scene, case: &str, message: &Message) -> Result<Heard, Failure> {
    let token = &scene.tokens.holder("Ada")?.token;
    send(scene, case, message, |post| post.bearer(token)).await
}

/// The result of a message that must succeed.
///
/// # Errors
/// It does not.
pub async fn result_for_ada(
    scene: &Scene,
    case: &str,
    message: &Message,
) -> Result<Value, Failure> {
    let heard = as_ada(scene, case, message).await?;
    let result = heard.answer()?.result();
    result.ok_or_else(|| heard.failure("a result"))
}

/// Keeps the others, sends the list of tools as the proper request after them.
///
/// # Errors
/// As [`as_ada`].
pub async fn settle(scene: &mut Scene, others: Vec<Heard>) -> Result<(), Failure> {
    let proper = as_ada(
        scene,
        "the list of tools",
        &Message::list_tools(scene.revision),
    )
    .await?;
    scene.protocol.exchanges.others = others;
    scene.protocol.exchanges.proper = Some(proper);
    Ok(())
}

/// One request, for rules on its answer alone.
#[when(expr = "Ada asks for {asked}")]
async fn asks(scene: &mut Scene, asked: Asked) -> Result<(), Failure> {
    let request = message(scene, asked).await?;
    let proper = as_ada(scene, "the request", &request).await?;
    scene.protocol.exchanges.proper = Some(proper);
    Ok(())
}

/// A response with the id of the request, in one of the two media types, as one JSON object.
#[then("the answer is one response with the id of the request, as JSON or as a stream of events")]
fn one_response(scene: &mut Scene) -> Result<(), Failure> {
    let heard = scene.protocol.exchanges.proper()?;
    let answer = heard.answer()?;
    let response = answer.response().map_err(|error| heard.failure(error))?;
    if answer.status != 200 || !response.is_object() || response["id"] != heard.id {
        return Err(heard.failure(format!("200 and one object with id {}", heard.id)));
    }
    judge_envelope(heard)
}

/// JSON-RPC 2.0, section 5: version, id of the same type, and exactly one of result and error.
fn judge_envelope(heard: &Heard) -> Result<(), Failure> {
    let response = heard
        .answer()?
        .response()
        .map_err(|error| heard.failure(error))?;
    let one_of_two = response.get("result").is_some() != response.get("error").is_some();
    if response["jsonrpc"] == "2.0" && response["id"] == heard.id && one_of_two {
        return Ok(());
    }
    Err(heard.failure(format!(
        "jsonrpc 2.0, id {}, and either a result or an error",
        heard.id
    )))
}

/// The list of tools under ids of all permitted kinds: one column of JSON.
#[when("Ada asks for the list of tools under each of these ids")]
async fn under_ids(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let mut others = Vec::new();
    for row in rows(step)? {
        let id = serde_json::from_str(&row[0])
            .map_err(|error| Failure::expected("ids as JSON").actual(error))?;
        let list = Message::list_tools(scene.revision).with_id(id);
        others.push(as_ada(scene, &format!("id {}", row[0]), &list).await?);
    }
    settle(scene, others).await
}

/// Every answer of the others is a well-formed response under its own id.
#[then("every answer carries its own id, version 2.0, and either a result or an error")]
fn envelopes(scene: &mut Scene) -> Result<(), Failure> {
    scene
        .protocol
        .exchanges
        .others()?
        .iter()
        .try_for_each(judge_envelope)
}

/// Requests of methods from a table; the headers fit.
#[when("Ada sends a request of each of these methods, and the list of tools")]
async fn methods(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let mut others = Vec::new();
    for row in rows(step)? {
        let request = Message::request(scene.revision, json!(7), &row[0], json!({}));
        others.push(as_ada(scene, &format!("method {}", row[0]), &request).await?);
    }
    settle(scene, others).await
}

/// A call of a tool that does not exist.
#[when("Ada calls a tool that does not exist, and asks for the list of tools")]
async fn unknown_tool(scene: &mut Scene) -> Result<(), Failure> {
    let call = Message::call(scene.revision, NO_SUCH_TOOL, json!({}));
    let other = as_ada(scene, "a tool that does not exist", &call).await?;
    settle(scene, vec![other]).await
}

/// A notification that nobody knows; the list of tools is the proper request.
#[when("Ada sends an unknown notification, and asks for the list of tools")]
async fn unknown_notification(scene: &mut Scene) -> Result<(), Failure> {
    let message = Message::notification(scene.revision, "notifications/proofmark/unknown");
    let other = as_ada(scene, "an unknown notification", &message).await?;
    settle(scene, vec![other]).await
}

/// A response that answers nothing the server asked.
#[when("Ada posts a response that nobody asked for, and asks for the list of tools")]
async fn stray_response(scene: &mut Scene) -> Result<(), Failure> {
    let mut message = Message::list_tools(scene.revision);
    message.body = json!({ "jsonrpc": "2.0", "id": 9, "result": {} });
    let other = as_ada(scene, "a response that nobody asked for", &message).await?;
    settle(scene, vec![other]).await
}

/// 202 without a body, or a refusal; never an answer, since there was no question.
#[then("the other is accepted with 202 and no body, or refused, and never answered")]
fn never_answered(scene: &mut Scene) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        let answer = heard.answer()?;
        let body = answer.json().unwrap_or_default();
        let accepted = answer.status == 202 && answer.body.is_empty();
        let refused =
            answer.status.is_client_error() && body.get("result").is_none() && body["id"].is_null();
        if !(accepted || refused) {
            return Err(
                heard.failure("202 without a body, or a 4xx without a result and without an id")
            );
        }
    }
    Ok(())
}

/// A protocol error where the body is one; then it says that the text does not parse and knows no id.
#[then(
    "a protocol error among the answers says -32700, or -32600 for no body at all, and carries no id"
)]
fn parse_errors(scene: &mut Scene) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        let body = heard.answer()?.json().unwrap_or_default();
        if body.get("error").is_none() {
            continue;
        }
        let code = body["error"]["code"].as_i64();
        let empty = heard.case.ends_with("\"\"");
        let right = code == Some(-32700) || (empty && code == Some(-32600));
        if !right || !body["id"].is_null() {
            return Err(heard.failure("error -32700 without an id"));
        }
    }
    Ok(())
}

/// What an opening must give: version, capabilities, and who the server is.
#[then("the answer has a version, capabilities and the server's name and version")]
fn opening_is_complete(scene: &mut Scene) -> Result<(), Failure> {
    let heard = scene.protocol.exchanges.proper()?;
    let result = heard.answer()?.result().unwrap_or_default();
    let info = &result["serverInfo"];
    let complete = result["protocolVersion"].is_string()
        && result["capabilities"].is_object()
        && info["name"].is_string()
        && info["version"].is_string();
    if complete {
        Ok(())
    } else {
        Err(heard.failure("protocolVersion, capabilities, serverInfo with name and version"))
    }
}

/// What the stateless revision gives in its place.
#[then("the answer has a result type, the versions served, capabilities and how long it holds")]
fn discovery_is_complete(scene: &mut Scene) -> Result<(), Failure> {
    let heard = scene.protocol.exchanges.proper()?;
    let result = heard.answer()?.result().unwrap_or_default();
    let versions = result["supportedVersions"].as_array();
    let complete = result["resultType"].is_string()
        && versions
            .is_some_and(|versions| !versions.is_empty() && versions.iter().all(Value::is_string))
        && result["capabilities"].is_object()
        && holds_caching_hints(&result);
    if complete {
        Ok(())
    } else {
        Err(heard.failure("resultType, supportedVersions, capabilities, ttlMs, cacheScope"))
    }
}

/// Caching hints of the stateless revision: a time to live in milliseconds, and who may share it.
pub fn holds_caching_hints(result: &Value) -> bool {
    let scope = &result["cacheScope"];
    result["ttlMs"].as_u64().is_some() && (scope == "public" || scope == "private")
}

/// What is declared, with the answer of the list method that belongs to it.
#[when("Ada asks what the server offers, and for each list")]
async fn asks_for_everything(scene: &mut Scene) -> Result<(), Failure> {
    let opening = as_ada(scene, "the opening", &Message::opening(scene.revision)).await?;
    let mut others = Vec::new();
    for (feature, method) in LISTED_FEATURES {
        let request = Message::request(scene.revision, json!(1), method, json!({}));
        others.push(as_ada(scene, feature, &request).await?);
    }
    scene.protocol.exchanges.proper = Some(opening);
    scene.protocol.exchanges.others = others;
    Ok(())
}

/// A declared feature answers; one that is not declared is unknown, or empty.
#[then("what it declares answers, and what it does not declare offers nothing")]
fn declarations_are_true(scene: &mut Scene) -> Result<(), Failure> {
    let opening = scene.protocol.exchanges.proper()?;
    let result = opening
        .answer()?
        .result()
        .ok_or_else(|| opening.failure("a result"))?;
    for heard in scene.protocol.exchanges.others()? {
        let feature = heard.case.as_str();
        let declared = result["capabilities"][feature].is_object();
        let answer = heard.answer()?;
        let items = answer
            .result()
            .map(|result| result[feature].as_array().map_or(0, Vec::len));
        let unknown = answer.error().is_some_and(|error| error.code == -32601);
        let right = if declared {
            items.is_some()
        } else {
            unknown || items == Some(0)
        };
        if !right {
            return Err(heard.failure(if declared {
                "a list, since it is declared"
            } else {
                "nothing, since it is not declared"
            }));
        }
    }
    Ok(())
}

/// Requests of every kind a server answers with a result.
#[when("Ada asks for every list, opens, and calls a tool")]
async fn asks_all_kinds(scene: &mut Scene) -> Result<(), Failure> {
    let mut others = Vec::new();
    for asked in [
        Asked::Opening,
        Asked::Tools,
        Asked::Resources,
        Asked::Prompts,
        Asked::Call,
    ] {
        let request = message(scene, asked).await?;
        let heard = as_ada(
            scene,
            request.body["method"].as_str().unwrap_or_default(),
            &request,
        )
        .await?;
        // A feature the server does not offer has no result to judge.
        if heard
            .answer()?
            .error()
            .is_none_or(|error| error.code != -32601)
        {
            others.push(heard);
        }
    }
    settle(scene, others).await
}

/// Results of the stateless revision say whether they are the end of the matter.
#[then("every result says that it is complete")]
fn results_are_complete(scene: &mut Scene) -> Result<(), Failure> {
    judge_results(scene, "resultType \"complete\"", |result| {
        result["resultType"] == "complete"
    })
}

/// Results of the stateless revision name the server, since nothing before them did.
#[then("every result names the server and its version")]
fn results_name_the_server(scene: &mut Scene) -> Result<(), Failure> {
    judge_results(scene, "the server's name and version in _meta", |result| {
        let server = &result["_meta"][META_SERVER];
        server["name"].is_string() && server["version"].is_string()
    })
}

/// Lists, discovery and reads of the stateless revision say how long and by whom they may be kept.
#[then("every list and the opening say how long and by whom they may be kept")]
fn results_have_caching_hints(scene: &mut Scene) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        let result = heard
            .answer()?
            .result()
            .ok_or_else(|| heard.failure("a result"))?;
        if heard.case != "tools/call" && !holds_caching_hints(&result) {
            return Err(heard.failure("ttlMs and cacheScope"));
        }
    }
    Ok(())
}

fn judge_results(
    scene: &Scene,
    expected: &str,
    right: impl Fn(&Value) -> bool,
) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        let result = heard
            .answer()?
            .result()
            .ok_or_else(|| heard.failure("a result"))?;
        if !right(&result) {
            return Err(heard.failure(expected));
        }
    }
    Ok(())
}

/// Mistakes of every kind, for rules that hold for all errors.
#[when("Ada makes one mistake after another")]
async fn makes_mistakes(scene: &mut Scene) -> Result<(), Failure> {
    let revision = scene.revision;
    let request =
        |method: &str, params: Value| Message::request(revision, json!(5), method, params);
    let mut mistakes = vec![
        ("an unknown method", request("proofmark/unknown", json!({}))),
        (
            "an unknown tool",
            request(
                "tools/call",
                json!({ "name": NO_SUCH_TOOL, "arguments": {} }),
            ),
        ),
        ("a call without a name", request("tools/call", json!({}))),
        (
            "an unknown resource",
            request("resources/read", json!({ "uri": "proofmark://nowhere" })),
        ),
        (
            "an unknown prompt",
            request("prompts/get", json!({ "name": "proofmark_nothing" })),
        ),
        (
            "a wrong cursor",
            request("tools/list", json!({ "cursor": "proofmark garbage" })),
        ),
    ];
    if revision.is_modern() {
        let list = Message::list_tools(revision);
        mistakes.extend([
            ("no Mcp-Method", list.clone().without_header("Mcp-Method")),
            (
                "a wrong Mcp-Method",
                list.clone().with_header("Mcp-Method", "tools/call"),
            ),
            (
                "an unknown version",
                list.clone()
                    .with_header("MCP-Protocol-Version", "1900-01-01")
                    .with_meta(META_VERSION, json!("1900-01-01")),
            ),
            ("no version in the message", list.without_meta(META_VERSION)),
        ]);
    }
    let mut others = Vec::new();
    for (case, mistake) in mistakes {
        let heard = as_ada(scene, case, &mistake).await?;
        // A server may have no pages, and then every cursor is as good as none.
        if !(case == "a wrong cursor" && heard.answer()?.result().is_some()) {
            others.push(heard);
        }
    }
    settle(scene, others).await
}

/// JSON-RPC 2.0, section 5.1: an integer and a text.
#[then("every error has a whole number as its code and a text as its message")]
fn errors_are_well_formed(scene: &mut Scene) -> Result<(), Failure> {
    let mut seen = 0;
    for heard in scene.protocol.exchanges.others()? {
        let Ok(response) = heard.answer()?.response() else {
            continue;
        };
        let Some(error) = response.get("error") else {
            continue;
        };
        seen += 1;
        if error["code"].as_i64().is_none() || !error["message"].is_string() {
            return Err(heard.failure("an integer code and a string message"));
        }
    }
    if seen == 0 {
        Err(Failure::expected("at least one protocol error").actual("none"))
    } else {
        Ok(())
    }
}

/// The stateless revision gives these codes a meaning each, and takes two older ones away.
#[then("no error uses a code that this revision does not give it")]
fn codes_are_of_this_era(scene: &mut Scene) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        let Some(code) = heard.answer()?.error().map(|error| error.code) else {
            continue;
        };
        if !is_of_this_era(code, scene.revision) {
            return Err(heard.failure(format!("no code {code} in {}", scene.revision)));
        }
    }
    Ok(())
}

/// -32020 header mismatch, -32021 missing capability, -32022 unsupported version are all the reserved codes there are;
/// -32002 and -32042 belong to the revisions before.
fn is_of_this_era(code: i64, revision: Revision) -> bool {
    if revision.is_modern() {
        let reserved = (-32099..=-32020).contains(&code);
        !matches!(code, -32002 | -32042) && (!reserved || (-32022..=-32020).contains(&code))
    } else {
        !matches!(code, -32020 | -32021)
    }
}

/// Calls of different tools at the same moment under the same id, and each of them alone before.
#[when("Ada calls every harmless tool alone, and then all at once under one id")]
async fn calls_at_once(scene: &mut Scene) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    let names = super::tools::harmless_tools(scene, &token).await?;
    let mut alone = BTreeMap::new();
    for name in &names {
        let call = Message::call(scene.revision, name, json!({}));
        alone.insert(
            name.clone(),
            as_ada(scene, name, &call).await?.answer()?.result(),
        );
    }
    let at_once = names.iter().map(|name| {
        let scene = &*scene;
        async move { as_ada(scene, name, &Message::call(scene.revision, name, json!({}))).await }
    });
    let others = join_all(at_once)
        .await
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    for heard in &others {
        if heard.answer()?.result() != alone[&heard.case] {
            return Err(heard.failure(format!(
                "the same answer as alone, {:?}",
                alone[&heard.case]
            )));
        }
    }
    settle(scene, others).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_belong_to_their_era() {
        for (code, legacy, modern) in [
            (-32601, true, true),
            (-32002, true, false),
            (-32042, true, false),
            (-32020, false, true),
            (-32021, false, true),
            (-32022, true, true),
            (-32050, true, false),
            (-32000, true, true),
        ] {
            assert_eq!(
                is_of_this_era(code, Revision::V2025_11_25),
                legacy,
                "{code} legacy"
            );
            assert_eq!(
                is_of_this_era(code, Revision::V2026_07_28),
                modern,
                "{code} modern"
            );
        }
    }

    #[test]
    fn caching_hints_are_a_whole_number_and_one_of_two_words() {
        assert!(holds_caching_hints(
            &json!({ "ttlMs": 0, "cacheScope": "private" })
        ));
        for bad in [
            json!({ "cacheScope": "private" }),
            json!({ "ttlMs": -1, "cacheScope": "private" }),
            json!({ "ttlMs": 1.5, "cacheScope": "public" }),
            json!({ "ttlMs": 1, "cacheScope": "all" }),
        ] {
            assert!(!holds_caching_hints(&bad), "{bad}");
        }
    }
}

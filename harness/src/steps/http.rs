//! Steps about HTTP: headers, bodies, methods and connections, each request differing from the proper one in one thing.

use cucumber::gherkin::Step;
use cucumber::{then, when};
use http::Method;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use super::exchange::{Asked, message, send, send_exactly, send_request};
use super::placeholders::{self, Known};
use crate::client::{Message, RawRequest, WireRequest};
use crate::suite::{Failure, Scene};

/// Marks a table cell that stands for leaving the header out.
const ABSENT: &str = "(absent)";
/// Separates two header lines of one name in a table cell.
const AND_AGAIN: &str = " (and again) ";

/// The rows of a step's table below its heading.
pub fn rows(step: &Step) -> Result<&[Vec<String>], Failure> {
    match step.table.as_ref().map(|table| table.rows.as_slice()) {
        Some([_, rows @ ..]) if !rows.is_empty() => Ok(rows),
        _ => Err(Failure::harness(
            "no table with a heading and a row under the step",
        )),
    }
}

fn known<'a>(scene: &'a Scene, message: &'a Message) -> Known<'a> {
    Known {
        endpoint: &scene.environment.target.endpoint,
        message,
        ada: scene
            .tokens
            .holder("Ada")
            .ok()
            .map(|holder| holder.token.expose_secret()),
        ben: scene
            .tokens
            .holder("Ben")
            .ok()
            .map(|holder| holder.token.expose_secret()),
    }
}

/// Sends the message once for each row of the table, with the header of the row in the place of its own, and once as it
/// should be. With a token everything carries it in the usual place, unless a row speaks of that header itself.
async fn send_with_headers(
    scene: &mut Scene,
    asked: Asked,
    token: Option<SecretString>,
    step: &Step,
) -> Result<(), Failure> {
    let message = message(scene, asked).await?;
    let endpoint = scene.environment.target.endpoint.clone();
    let mut base = RawRequest::post(&endpoint, &message);
    if let Some(token) = &token {
        base = base.header("Authorization", format!("Bearer {}", token.expose_secret()));
    }
    let mut others = Vec::new();
    for row in rows(step)? {
        let [name, value] = row.as_slice() else {
            return Err(Failure::harness(format!(
                "not a row of header and value: {row:?}"
            )));
        };
        let mut request = base.clone().without_header(name);
        if value != ABSENT {
            for line in value.split(AND_AGAIN) {
                request = request.header(name, placeholders::fill(line, &known(scene, &message))?);
            }
        }
        others.push(
            send_exactly(
                scene,
                &format!("{name}: {value}"),
                message.body["id"].clone(),
                &request,
            )
            .await?,
        );
    }
    scene.protocol.exchanges.others = others;
    scene.protocol.exchanges.proper = Some(
        send_exactly(
            scene,
            "the request as it should be",
            message.body["id"].clone(),
            &base,
        )
        .await?,
    );
    Ok(())
}

/// With a good token: columns `header value`; `(absent)` leaves the header out, ` (and again) ` gives it two lines.
#[when(expr = "Ada asks for {asked} with each of these headers, and as it should be")]
async fn asks_with_headers(scene: &mut Scene, asked: Asked, step: &Step) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    send_with_headers(scene, asked, Some(token), step).await
}

/// The same without a token.
#[when(expr = "somebody without a token asks for {asked} with each of these headers, and plainly")]
async fn stranger_asks_with_headers(
    scene: &mut Scene,
    asked: Asked,
    step: &Step,
) -> Result<(), Failure> {
    send_with_headers(scene, asked, None, step).await
}

/// Sends each body of the table with the headers that fit it as far as it can be read, and the list of tools as it should be.
async fn send_bodies(
    scene: &mut Scene,
    token: Option<SecretString>,
    step: &Step,
) -> Result<(), Failure> {
    let proper = Message::list_tools(scene.revision);
    let credentials = |post: WireRequest| match &token {
        Some(token) => post.bearer(token),
        None => post,
    };
    let mut others = Vec::new();
    for row in rows(step)? {
        let [body] = row.as_slice() else {
            return Err(Failure::harness(format!("not a row of bodies: {row:?}")));
        };
        let bytes = placeholders::fill(body, &known(scene, &proper))?;
        let fitting = fitting_headers(scene, &bytes, &proper);
        let id = serde_json::from_slice::<Value>(&bytes).unwrap_or_default()["id"].clone();
        let request = WireRequest::post(&scene.environment.target.endpoint, &fitting).body(bytes);
        others.push(
            send_request(scene, &format!("the body {body}"), id, credentials(request)).await?,
        );
    }
    scene.protocol.exchanges.others = others;
    scene.protocol.exchanges.proper =
        Some(send(scene, "the list of tools", &proper, credentials).await?);
    Ok(())
}

/// In the stateless revision headers mirror the body; a body that names no method gets those of the list of tools, so
/// that the body is the only thing wrong.
fn fitting_headers(scene: &Scene, bytes: &[u8], proper: &Message) -> Message {
    let body: Value = serde_json::from_slice(bytes).unwrap_or_default();
    match body["method"].as_str() {
        Some(method) if !method.is_empty() => {
            let params = if body["params"].is_object() {
                body["params"].clone()
            } else {
                json!({})
            };
            Message::request(scene.revision, json!(1), method, params)
        }
        _ => proper.clone(),
    }
}

/// With a good token: one column `body`.
#[when("Ada sends each of these bodies, and the list of tools as it should be")]
async fn sends_bodies(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    send_bodies(scene, Some(token), step).await
}

/// Without a token; the proper request is none either.
#[when("somebody without a token sends each of these bodies, and the list of tools")]
async fn stranger_sends_bodies(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    send_bodies(scene, None, step).await
}

/// The endpoint asked by other methods than POST.
async fn ask_by(
    scene: &mut Scene,
    methods: &[Method],
    token: Option<SecretString>,
) -> Result<(), Failure> {
    let endpoint = scene.environment.target.endpoint.clone();
    let mut others = Vec::new();
    for method in methods {
        let mut request =
            WireRequest::new(method.clone(), &endpoint).header("Accept", "text/event-stream");
        request = request.header("MCP-Protocol-Version", scene.revision.date());
        if let Some(token) = &token {
            request = request.bearer(token);
        }
        others.push(
            send_request(
                scene,
                &format!("{method} on the endpoint"),
                Value::Null,
                request,
            )
            .await?,
        );
    }
    scene.protocol.exchanges.others = others;
    let good = scene.tokens.holder("Ada")?.token.clone();
    let proper = Message::list_tools(scene.revision);
    scene.protocol.exchanges.proper = Some(
        send(scene, "POST with a token", &proper, |post| {
            post.bearer(&good)
        })
        .await?,
    );
    Ok(())
}

/// The two methods that a careless server forgets to guard.
#[when("the endpoint is asked by GET and by DELETE without a token, and by POST with Ada's")]
async fn asked_by_other_methods(scene: &mut Scene) -> Result<(), Failure> {
    ask_by(scene, &[Method::GET, Method::DELETE], None).await
}

/// The same with a token.
#[when("Ada asks the endpoint by GET and by DELETE, and by POST")]
async fn ada_asks_by_other_methods(scene: &mut Scene) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    ask_by(scene, &[Method::GET, Method::DELETE], Some(token)).await
}

/// Only GET, which older revisions use for a stream.
#[when("Ada asks the endpoint by GET, and by POST")]
async fn ada_asks_by_get(scene: &mut Scene) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    ask_by(scene, &[Method::GET], Some(token)).await
}

/// Methods that no MCP endpoint knows.
#[when("the endpoint is asked by PUT and by PATCH with Ada's token, and by POST")]
async fn asked_by_unknown_methods(scene: &mut Scene) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    ask_by(scene, &[Method::PUT, Method::PATCH], Some(token)).await
}

/// A 405 must say what is allowed instead.
#[then(expr = "every 405 allows {string}")]
fn every_405_allows(scene: &mut Scene, method: String) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        let answer = heard.answer()?;
        let allowed = answer.header("allow").unwrap_or_default();
        let names_it = allowed
            .split(',')
            .any(|one| one.trim().eq_ignore_ascii_case(&method));
        if answer.status == 405 && !names_it {
            return Err(heard.failure(format!("an Allow header with {method}")));
        }
    }
    Ok(())
}

/// A GET is either a stream of events or no method of this server.
#[then("the other is a stream of events, or refused with 405")]
fn stream_or_405(scene: &mut Scene) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        let answer = heard.answer()?;
        if !(answer.status == 405 || (answer.status == 200 && answer.is_event_stream())) {
            return Err(heard.failure("200 with text/event-stream, or 405"));
        }
    }
    Ok(())
}

/// A preflight from a page that has no business here.
#[when(expr = "a browser asks from {string} whether it may call")]
async fn preflight(scene: &mut Scene, origin: String) -> Result<(), Failure> {
    let endpoint = scene.environment.target.endpoint.clone();
    let request = WireRequest::new(Method::OPTIONS, &endpoint)
        .header("Origin", &origin)
        .header("Access-Control-Request-Method", "POST")
        .header(
            "Access-Control-Request-Headers",
            "authorization, content-type",
        );
    let heard = send_request(scene, "the preflight", Value::Null, request).await?;
    scene.protocol.exchanges.others = vec![heard];
    Ok(())
}

/// Neither that page nor every page together with credentials.
#[then(expr = "the answer lets no page of {string} in")]
fn preflight_grants_nothing(scene: &mut Scene, origin: String) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        let answer = heard.answer()?;
        let allowed = answer
            .header("access-control-allow-origin")
            .unwrap_or_default();
        let credentials = answer.header("access-control-allow-credentials") == Some("true");
        if answer.status.is_server_error() || allowed == origin || (allowed == "*" && credentials) {
            return Err(heard.failure(format!("no grant to {origin} and no 5xx")));
        }
    }
    Ok(())
}

/// A query that means nothing, and none.
#[when(expr = "Ada asks for the list of tools with {string} in the query, and without")]
async fn with_query(scene: &mut Scene, query: String) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    let list = Message::list_tools(scene.revision);
    let (name, value) = query.split_once('=').unwrap_or((&query, ""));
    let other = send(scene, &query, &list, |post| {
        post.bearer(&token).query(name, value)
    })
    .await?;
    scene.protocol.exchanges.others = vec![other];
    scene.protocol.exchanges.proper =
        Some(send(scene, "no query", &list, |post| post.bearer(&token)).await?);
    Ok(())
}

/// A header that no answer may have.
#[then(expr = "no answer has a header {string}")]
fn no_header(scene: &mut Scene, name: String) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        if heard.answer()?.headers.contains_key(&name) {
            return Err(heard.failure(format!("no header {name}")));
        }
    }
    Ok(())
}

/// RFC 9111, sections 3 and 3.5: what lets a shared cache keep an answer to a request with credentials.
#[then("no shared cache may keep the answer")]
fn not_for_shared_caches(scene: &mut Scene) -> Result<(), Failure> {
    let heard = scene.protocol.exchanges.proper()?;
    let control = heard
        .answer()?
        .header("cache-control")
        .unwrap_or_default()
        .to_ascii_lowercase();
    let mut directives = control
        .split(',')
        .map(|one| one.split('=').next().unwrap_or_default().trim());
    match directives.find(|one| ["public", "s-maxage", "must-revalidate"].contains(one)) {
        Some(directive) => Err(heard.failure(format!("no {directive} in Cache-Control"))),
        None => Ok(()),
    }
}

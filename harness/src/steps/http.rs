//! Steps about HTTP: headers, bodies, methods and connections, each request differing from the proper one in one thing.

use cucumber::gherkin::Step;
use cucumber::{then, when};
use futures::future::join_all;
use http::Method;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use std::time::Instant;

use super::exchange::{Asked, Heard, message, send, send_exactly, send_request};
use super::placeholders::{self, Known};
use super::tokens::who_am_i;
use crate::client::{Message, RawRequest, Socket, WireRequest};
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

/// One connection: the good token, no token, the good token again.
#[when("Ada's token and then none are used on one connection, and hers again")]
async fn one_connection_two_credentials(scene: &mut Scene) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    one_connection(
        scene,
        &[("no token after a good one".to_owned(), None)],
        &token,
    )
    .await
}

/// One connection: the good token, then each of the others, the good token again.
#[when("Ada's token and then each of them are used on one connection, and hers again")]
async fn one_connection_many_tokens(scene: &mut Scene) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    let others: Vec<_> = scene
        .tokens
        .others()?
        .iter()
        .map(|(case, token)| (case.clone(), Some(token.clone())))
        .collect();
    one_connection(scene, &others, &token).await
}

async fn one_connection(
    scene: &mut Scene,
    others: &[(String, Option<SecretString>)],
    good: &SecretString,
) -> Result<(), Failure> {
    let endpoint = scene.environment.target.endpoint.clone();
    let list = Message::list_tools(scene.revision);
    let request = |token: Option<&SecretString>| {
        let plain = RawRequest::post(&endpoint, &list);
        match token {
            Some(token) => {
                plain.header("Authorization", format!("Bearer {}", token.expose_secret()))
            }
            None => plain,
        }
    };
    let mut socket = connect(scene).await?;
    let mut heard = Vec::new();
    let first = [("the good token at first".to_owned(), Some(good.clone()))];
    for (case, token) in first.iter().chain(others) {
        let started = Instant::now();
        let answer = socket.ask(&request(token.as_ref())).await;
        heard.push(Heard::new(case, json!(1), answer, started));
    }
    scene.protocol.exchanges.proper = Some(heard.remove(0));
    scene.protocol.exchanges.others = heard;
    let started = Instant::now();
    let again = socket.ask(&request(Some(good))).await;
    let again = Heard::new("the good token again", json!(1), again, started);
    if !again.answer()?.status.is_success() {
        return Err(again.failure("served on the same connection"));
    }
    Ok(())
}

/// A connection to the endpoint.
///
/// # Errors
/// The server does not accept one.
pub async fn connect(scene: &Scene) -> Result<Socket, Failure> {
    Socket::open(
        &scene.environment.target.endpoint,
        &scene.recorder,
        scene.environment.request_timeout,
    )
    .await
    .map_err(|error| Failure::expected("a connection to the endpoint").actual(error))
}

/// Who-am-I calls of two people, alternating on one connection and all at once on many.
#[when(
    expr = "Ada and Ben ask {int} times each who they are, in turn on one connection and at once on many"
)]
async fn ask_who_they_are(scene: &mut Scene, times: usize) -> Result<(), Failure> {
    let endpoint = scene.environment.target.endpoint.clone();
    let call = who_am_i(scene);
    let names = ["Ada", "Ben"];
    let mut others = Vec::new();
    let mut socket = connect(scene).await?;
    for _ in 0..times {
        for name in names {
            let token = scene.tokens.holder(name)?.token.expose_secret();
            let request = RawRequest::post(&endpoint, &call)
                .header("Authorization", format!("Bearer {token}"));
            let started = Instant::now();
            let answer = socket.ask(&request).await;
            others.push(Heard::new(name, json!(1), answer, started));
        }
    }
    let at_once = (0..times * 2).map(|number| {
        let (scene, call, name) = (&*scene, &call, names[number % 2]);
        async move {
            let token = &scene.tokens.holder(name)?.token;
            send(scene, name, call, |post| post.bearer(token)).await
        }
    });
    others.extend(
        join_all(at_once)
            .await
            .into_iter()
            .collect::<Result<Vec<_>, _>>()?,
    );
    scene.protocol.exchanges.others = others;
    Ok(())
}

/// The answer to each who-am-I call speaks of the one whose token it carried, and of nobody else.
#[then("every answer names the one who asked, and nobody else")]
fn each_is_told_their_own_name(scene: &mut Scene) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        let body = &heard.answer()?.body;
        let other = if heard.case == "Ada" { "Ben" } else { "Ada" };
        let theirs = |name: &str| -> Result<bool, Failure> {
            let user = &scene.tokens.holder(name)?.user;
            Ok(body.contains(&user.email) || body.contains(&user.sub))
        };
        if !theirs(&heard.case)? || theirs(other)? {
            return Err(heard.failure(format!("an answer about {} only", heard.case)));
        }
    }
    Ok(())
}

/// Claims about identity that come from anywhere but the token.
#[when("Ada asks who she is and claims to be Ben, in headers, in _meta and in an argument")]
async fn claims_to_be_ben(scene: &mut Scene) -> Result<(), Failure> {
    let (ada, ben) = (scene.tokens.holder("Ada")?, scene.tokens.holder("Ben")?);
    let call = who_am_i(scene);
    let with_headers = send(scene, "Ada", &call, |post| {
        let claim = &ben.user.sub;
        post.bearer(&ada.token)
            .header("X-User-Id", claim)
            .header("X-Forwarded-User", claim)
    })
    .await?;
    let in_meta = call.clone().with_meta("user", json!(ben.user.sub));
    let with_meta = send(scene, "Ada", &in_meta, |post| post.bearer(&ada.token)).await?;
    let mut argued = call.clone();
    argued.body["params"]["arguments"]["user_id"] = json!(ben.user.sub);
    let with_argument = send(scene, "Ada", &argued, |post| post.bearer(&ada.token)).await?;
    let refused = with_argument
        .answer()?
        .result()
        .is_none_or(|result| result["isError"] == json!(true));
    let mut others = vec![with_headers, with_meta];
    // An unknown argument may be refused; only an answer must be about Ada.
    if !refused {
        others.push(with_argument);
    }
    scene.protocol.exchanges.others = others;
    Ok(())
}

/// Twenty clients that stop in the middle of their request.
#[when(expr = "{int} clients stop in the middle of a request, and Ada asks for the list of tools")]
async fn half_sent(scene: &mut Scene, clients: usize) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    let endpoint = scene.environment.target.endpoint.clone();
    let list = Message::list_tools(scene.revision);
    let request = RawRequest::post(&endpoint, &list)
        .header("Authorization", format!("Bearer {}", token.expose_secret()));
    let mut stuck = Vec::new();
    for _ in 0..clients {
        let mut socket = connect(scene).await?;
        let sent = socket.send_half(&request).await;
        sent.map_err(|error| Failure::expected("half a request sent").actual(error))?;
        stuck.push(socket);
    }
    let proper = send(scene, "the list of tools meanwhile", &list, |post| {
        post.bearer(&token)
    })
    .await?;
    scene.protocol.exchanges.proper = Some(proper);
    Ok(())
}

/// A body far longer than any message, with its length declared and in chunks.
#[when(expr = "Ada sends a body of {int} megabytes, declared and in chunks, and the list of tools")]
async fn oversized_body(scene: &mut Scene, megabytes: usize) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    let list = Message::list_tools(scene.revision);
    let mut padded = list.body.clone();
    padded["params"]["padding"] = Value::String("a".repeat(megabytes * 1024 * 1024));
    let body = padded.to_string();
    let declared = send(scene, &format!("{megabytes} MB, declared"), &list, |post| {
        post.bearer(&token).body(body.clone())
    })
    .await?;
    let chunked = send(
        scene,
        &format!("{megabytes} MB, in chunks"),
        &list,
        |post| post.bearer(&token).chunked_body(body),
    )
    .await?;
    scene.protocol.exchanges.others = vec![declared, chunked];
    let proper = send(scene, "the list of tools afterwards", &list, |post| {
        post.bearer(&token)
    })
    .await?;
    scene.protocol.exchanges.proper = Some(proper);
    Ok(())
}

/// One body framed twice, so that two servers in a row could see two different requests.
#[when("a request is framed by a length and by chunks at once, and another by two unlike lengths")]
async fn framed_twice(scene: &mut Scene) -> Result<(), Failure> {
    let endpoint = scene.environment.target.endpoint.clone();
    let list = Message::list_tools(scene.revision);
    let body = list.body.to_string();
    let plain = RawRequest::post(&endpoint, &list);
    let mut both = plain.clone().header("Transfer-Encoding", "chunked");
    both.body = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len()).into_bytes();
    let two = plain.header("Content-Length", (body.len() - 1).to_string());
    let mut others = Vec::new();
    for (case, request) in [("a length and chunks", both), ("two unlike lengths", two)] {
        let mut socket = connect(scene).await?;
        let started = Instant::now();
        let answer = socket.ask(&request).await;
        let heard = Heard::new(case, json!(1), answer, started);
        if !socket.is_closed_by_server().await {
            return Err(heard.failure("the connection is closed after the answer"));
        }
        others.push(heard);
    }
    scene.protocol.exchanges.others = others;
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

/// RFC 9112, section 6.3: chunks win over a length, two unlike lengths are an error, and neither connection goes on.
#[then(
    "the first is refused with 400 or read by its chunks, the second is refused with 400, and both connections are closed"
)]
fn framing_is_safe(scene: &mut Scene) -> Result<(), Failure> {
    let [both, two] = scene.protocol.exchanges.others()? else {
        return Err(Failure::harness("no sentence before frames two requests"));
    };
    // Read by its chunks, the request is whole and without a token: the refusal of the door.
    if !matches!(both.answer()?.status.as_u16(), 400 | 401) {
        return Err(both.failure("400, or 401 as for the whole request"));
    }
    if two.answer()?.status == 400 {
        Ok(())
    } else {
        Err(two.failure("400"))
    }
}

/// Ten megabytes may be read, a hundred may not; neither is a reason to break.
#[then(
    "every other is served or refused without a server error, and a hundred megabytes are refused"
)]
fn oversized_is_harmless(scene: &mut Scene) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        // A server may close the connection instead of reading on.
        let Ok(answer) = &heard.answer else { continue };
        let served = answer.status.is_success();
        if !(served || matches!(answer.status.as_u16(), 400 | 413))
            || (served && heard.case.contains("100 MB"))
        {
            return Err(heard.failure("refused with 400 or 413, or by closing the connection"));
        }
    }
    Ok(())
}

//! Sending: one proper request, and others that differ from it in one thing only.
//!
//! Every sentence that begins with "When" in the core features leaves the same two things behind: the *proper* request
//! and its answer, which shows that the server works at all, and the *others*. The proper one is sent last, so it also
//! shows that the others did no harm. The sentences in [`super::verdicts_on_wire`] judge what came back.

use std::str::FromStr;
use std::time::{Duration, Instant};

use secrecy::SecretString;
use serde_json::{Value, json};

use crate::client::{Message, RawRequest, Socket, Wire, WireAnswer, WireError, WireRequest};
use crate::suite::{Failure, Scene};

/// Name of a tool that no server has, for calls where the tool does not matter.
pub const NO_SUCH_TOOL: &str = "proofmark_no_such_tool";

/// One request of a scenario with what came back.
#[derive(Debug)]
pub struct Heard {
    /// What made this request differ, in the words of the feature.
    pub case: String,
    /// The id the request carried; null for a notification and where the body was no request.
    pub id: Value,
    /// The answer, or why there is none.
    pub answer: Result<WireAnswer, WireError>,
    /// How long it took.
    pub took: Duration,
}

/// The exchanges a scenario is about.
#[derive(Debug, Default)]
pub struct Exchanges {
    /// The request with nothing wrong in it.
    pub proper: Option<Heard>,
    /// Those that differ from it, in the order they were sent.
    pub others: Vec<Heard>,
    /// One of each of the others, sent before them and alone.
    pub alone: Vec<Heard>,
}

impl Exchanges {
    /// The proper request.
    ///
    /// # Errors
    /// No sentence before sent one.
    pub fn proper(&self) -> Result<&Heard, Failure> {
        self.proper
            .as_ref()
            .ok_or_else(|| Failure::harness("no sentence before sends a request"))
    }

    /// The others; never none, so that nothing is judged that was not sent.
    ///
    /// # Errors
    /// No sentence before sent any.
    pub fn others(&self) -> Result<&[Heard], Failure> {
        if self.others.is_empty() {
            // The requests before are made from what the server lists; one that lists nothing leaves none to send.
            return Err(
                Failure::expected("tools, resources or versions to send requests about")
                    .actual("the server lists none")
                    .hint("list what the server offers"),
            );
        }
        Ok(&self.others)
    }
}

impl Heard {
    /// What came back for a case, and how long after `started`.
    pub fn new(
        case: impl Into<String>,
        id: Value,
        answer: Result<WireAnswer, WireError>,
        started: Instant,
    ) -> Self {
        Self {
            case: case.into(),
            id,
            answer,
            took: started.elapsed(),
        }
    }

    /// The answer.
    ///
    /// # Errors
    /// There is none; the failure says for which case.
    pub fn answer(&self) -> Result<&WireAnswer, Failure> {
        self.answer
            .as_ref()
            .map_err(|error| Failure::expected(format!("an answer to {}", self.case)).actual(error))
    }

    /// A failure about this exchange: what was expected of it, and what came back.
    pub fn failure(&self, expected: impl std::fmt::Display) -> Failure {
        let actual = match &self.answer {
            Ok(answer) => answer.summary(),
            Err(error) => error.to_string(),
        };
        let actual: String = actual.chars().take(600).collect();
        Failure::expected(format!("{}: {expected}", self.case)).actual(actual)
    }
}

/// A request as a sentence names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, cucumber::Parameter)]
#[param(
    name = "asked",
    regex = "the list of tools|the list of resources|the list of prompts|a tool call|the opening message|a notification"
)]
pub enum Asked {
    /// `tools/list`, which every tool server answers and none shows to strangers.
    Tools,
    /// `resources/list`
    Resources,
    /// `prompts/list`
    Prompts,
    /// `tools/call`
    Call,
    /// `initialize`, or `server/discover` in the stateless revision.
    Opening,
    /// A message that nobody answers.
    Notification,
}

/// Not one of the requests a sentence can name.
#[derive(Debug, thiserror::Error)]
#[error("no request is called {0:?}")]
pub struct UnknownRequest(String);

impl FromStr for Asked {
    type Err = UnknownRequest;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "the list of tools" => Ok(Self::Tools),
            "the list of resources" => Ok(Self::Resources),
            "the list of prompts" => Ok(Self::Prompts),
            "a tool call" => Ok(Self::Call),
            "the opening message" => Ok(Self::Opening),
            "a notification" => Ok(Self::Notification),
            other => Err(UnknownRequest(other.to_owned())),
        }
    }
}

/// The message a sentence asks for, in the scene's revision.
///
/// # Errors
/// A tool call needs the name of a tool, and the list of tools could not be read with the good token.
pub async fn message(scene: &Scene, asked: Asked) -> Result<Message, Failure> {
    let revision = scene.revision;
    let list = |method: &str| Message::request(revision, json!(1), method, json!({}));
    Ok(match asked {
        Asked::Tools => Message::list_tools(revision),
        Asked::Resources => list("resources/list"),
        Asked::Prompts => list("prompts/list"),
        Asked::Call => harmless_call(scene).await?,
        Asked::Opening => Message::opening(revision),
        Asked::Notification if revision.is_modern() => {
            // The stateless revision has no client notification every server knows; a vendor's own must do no harm.
            Message::notification(revision, "notifications/com.example.proofmark")
        }
        Asked::Notification => Message::notification(revision, "notifications/initialized"),
    })
}

/// A call that changes nothing: a tool marked read-only that needs no arguments, or else one that does not exist.
async fn harmless_call(scene: &Scene) -> Result<Message, Failure> {
    let Some(token) = scene.tokens.any_good() else {
        return Ok(Message::call(scene.revision, NO_SUCH_TOOL, json!({})));
    };
    let tools = listed(scene, token, "tools/list", "tools").await?;
    let harmless = tools.iter().find(|tool| {
        let needs_nothing = tool["inputSchema"]["required"]
            .as_array()
            .is_none_or(Vec::is_empty);
        needs_nothing && tool["annotations"]["readOnlyHint"] == json!(true)
    });
    let name = harmless
        .and_then(|tool| tool["name"].as_str())
        .unwrap_or(NO_SUCH_TOOL);
    Ok(Message::call(scene.revision, name, json!({})))
}

/// Everything a list method gives with a good token, all pages.
///
/// # Errors
/// A page is no result, or the pages do not end.
pub async fn listed(
    scene: &Scene,
    token: &SecretString,
    method: &str,
    member: &str,
) -> Result<Vec<Value>, Failure> {
    let mut all = Vec::new();
    let mut params = json!({});
    for _page in 0..100 {
        let page = Message::request(scene.revision, json!(1), method, params);
        let heard = send(scene, method, &page, |request| request.bearer(token)).await?;
        let result = heard
            .answer()?
            .result()
            .ok_or_else(|| heard.failure("a result"))?;
        all.extend(result[member].as_array().into_iter().flatten().cloned());
        match result["nextCursor"].as_str() {
            Some(cursor) => params = json!({ "cursor": cursor }),
            None => return Ok(all),
        }
    }
    Err(Failure::expected(format!("{method} ends")).actual("100 pages and still a nextCursor"))
}

/// Sends a message to the endpoint; `adorn` adds what the case is about.
///
/// # Errors
/// Only if the harness cannot make a client; an answer that never came is part of [`Heard`].
pub async fn send(
    scene: &Scene,
    case: &str,
    message: &Message,
    adorn: impl FnOnce(WireRequest) -> WireRequest,
) -> Result<Heard, Failure> {
    let request = adorn(WireRequest::post(
        &scene.environment.target.endpoint,
        message,
    ));
    send_request(scene, case, message.body["id"].clone(), request).await
}

/// Sends any request, to the endpoint or elsewhere.
///
/// # Errors
/// Only if the harness cannot make a client.
pub async fn send_request(
    scene: &Scene,
    case: &str,
    id: Value,
    request: WireRequest,
) -> Result<Heard, Failure> {
    let started = Instant::now();
    let answer = wire(scene)?.send(request).await;
    Ok(Heard::new(case, id, answer, started))
}

/// Sends a message byte by byte on a connection of its own, so that header names and values go out exactly as written.
/// Over TLS, which the harness does not take apart, an HTTP client sends it, as far as it will.
///
/// # Errors
/// Only if the harness cannot make a client.
pub async fn send_exactly(
    scene: &Scene,
    case: &str,
    id: Value,
    request: &RawRequest,
) -> Result<Heard, Failure> {
    let endpoint = &scene.environment.target.endpoint;
    if endpoint.scheme() != "http" {
        let mut tame = WireRequest::new(http::Method::POST, endpoint).body(request.body.clone());
        for (name, value) in &request.headers {
            if !name.eq_ignore_ascii_case("content-length") {
                tame = tame.header(name, value);
            }
        }
        return send_request(scene, case, id, tame).await;
    }
    let started = Instant::now();
    let answer =
        match Socket::open(endpoint, &scene.recorder, scene.environment.request_timeout).await {
            Ok(mut socket) => socket.ask(request).await,
            Err(error) => Err(error),
        };
    Ok(Heard::new(case, id, answer, started))
}

/// A client of this scenario on connections of its own.
///
/// # Errors
/// The harness cannot make one.
pub fn wire(scene: &Scene) -> Result<Wire, Failure> {
    Wire::new(&scene.recorder, scene.environment.request_timeout).map_err(Failure::harness)
}

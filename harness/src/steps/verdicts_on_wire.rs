//! Steps that judge what came back: statuses, challenges, protocol errors, and that nothing is given away.

use std::str::FromStr;
use std::time::Duration;

use cucumber::then;

use super::exchange::Heard;
use super::protocol::as_ada;
use super::verdicts_on_challenges::bearer_challenge;
use crate::client::{Message, WireAnswer};
use crate::suite::{Failure, Scene};

/// Statuses a sentence allows, as `401`, `400 or 401`, `400, 401 or 413`, also `a 4xx`, or `no answer` for a server that
/// closes the connection.
#[derive(Clone, Debug, PartialEq, Eq, cucumber::Parameter)]
#[param(
    name = "statuses",
    regex = "(?:[1-5][0-9][0-9]|a 4xx|no answer)(?:(?:, | or )(?:[1-5][0-9][0-9]|a 4xx|no answer))*"
)]
pub struct Statuses(Vec<String>);

/// Error codes a sentence allows, as `-32700` or `-32600 or -32602`.
#[derive(Clone, Debug, PartialEq, Eq, cucumber::Parameter)]
#[param(name = "codes", regex = "-[0-9]+(?:(?:, | or )-[0-9]+)*")]
pub struct Codes(Vec<i64>);

impl FromStr for Statuses {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(alternatives(text).map(str::to_owned).collect()))
    }
}

impl FromStr for Codes {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        alternatives(text)
            .map(str::parse)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

fn alternatives(text: &str) -> impl Iterator<Item = &str> {
    text.split(", ").flat_map(|part| part.split(" or "))
}

impl Statuses {
    fn allow(&self, status: u16) -> bool {
        let exact = status.to_string();
        let client_error = (400..500).contains(&status);
        self.0
            .iter()
            .any(|allowed| *allowed == exact || (client_error && allowed == "a 4xx"))
    }

    fn allow_silence(&self) -> bool {
        self.0.iter().any(|allowed| allowed == "no answer")
    }

    fn words(&self) -> String {
        self.0.join(" or ")
    }
}

/// A refusal: an allowed status, no result hidden in the body, no stream; a 401 with its challenge.
fn judge_refusal(heard: &Heard, statuses: &Statuses) -> Result<(), Failure> {
    let answer = match &heard.answer {
        Ok(answer) => answer,
        Err(_) if statuses.allow_silence() => return Ok(()),
        Err(_) => return Err(heard.failure(format!("refused with {}", statuses.words()))),
    };
    let status = answer.status.as_u16();
    if !statuses.allow(status) {
        return Err(heard.failure(format!("refused with {}", statuses.words())));
    }
    if answer.is_event_stream() {
        return Err(heard.failure("a refusal by status, not an event stream"));
    }
    if has_result(answer) {
        return Err(heard.failure("a refusal without a result in its body"));
    }
    if status == 401 {
        bearer_challenge(heard)?;
    }
    Ok(())
}

fn has_result(answer: &WireAnswer) -> bool {
    answer.json().is_ok_and(|body| body.get("result").is_some())
}

/// A request that was done: a result, or for a notification the empty 202.
fn judge_service(heard: &Heard) -> Result<(), Failure> {
    let answer = heard.answer()?;
    let done = match answer.status.as_u16() {
        200 => answer.has_result(),
        202 => answer.body.is_empty(),
        _ => false,
    };
    if done {
        Ok(())
    } else {
        Err(heard.failure("served"))
    }
}

/// The positive twin: the request with nothing wrong in it is done.
#[then("the proper request is served")]
#[then("the good token is accepted")]
fn proper_is_served(scene: &mut Scene) -> Result<(), Failure> {
    judge_service(scene.protocol.exchanges.proper()?)
}

/// A flood or a giant must not hold up the next one. On a busy machine everything is slow: a late answer is held against
/// the server only if a plain request right afterwards is much quicker.
#[then(expr = "the proper request was served within {int} second(s)")]
async fn served_in_time(scene: &mut Scene, seconds: u64) -> Result<(), Failure> {
    let proper = scene.protocol.exchanges.proper()?;
    judge_service(proper)?;
    if proper.took <= Duration::from_secs(seconds) {
        return Ok(());
    }
    let plain = as_ada(
        scene,
        "a plain request",
        &Message::list_tools(scene.revision),
    )
    .await?;
    if proper.took < plain.took * 3 {
        return Ok(());
    }
    Err(proper.failure(format!(
        "served within {seconds} s, not {:?}; a plain request takes {:?}",
        proper.took, plain.took
    )))
}

/// Each of the others gets one of these statuses, no result, and with a 401 a Bearer challenge.
#[then(expr = "the/every other is refused with {statuses}")]
fn others_are_refused(scene: &mut Scene, statuses: Statuses) -> Result<(), Failure> {
    let others = scene.protocol.exchanges.others()?;
    others
        .iter()
        .try_for_each(|heard| judge_refusal(heard, &statuses))
}

/// The same, and the body is a protocol error with one of these codes and the id of the request.
#[then(expr = "the/every other is refused with {statuses} and error {codes}")]
fn others_are_refused_with_error(
    scene: &mut Scene,
    statuses: Statuses,
    codes: Codes,
) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        judge_refusal(heard, &statuses)?;
        judge_error(heard, &codes)?;
        let id = heard.answer()?.response().unwrap_or_default()["id"].clone();
        if id != heard.id {
            return Err(heard.failure(format!("the error carries id {}", heard.id)));
        }
    }
    Ok(())
}

/// A protocol error with one of these codes, whatever the status.
#[then(expr = "the/every other is answered with error {codes}")]
fn others_are_errors(scene: &mut Scene, codes: Codes) -> Result<(), Failure> {
    let others = scene.protocol.exchanges.others()?;
    others
        .iter()
        .try_for_each(|heard| judge_error(heard, &codes))
}

fn judge_error(heard: &Heard, codes: &Codes) -> Result<(), Failure> {
    let answer = heard.answer()?;
    let code = answer.error().map(|error| error.code);
    match code {
        Some(code) if codes.0.contains(&code) => Ok(()),
        _ => Err(heard.failure(format!("a protocol error with code {:?}", codes.0))),
    }
}

/// Each of the others is done.
#[then(expr = "the/every other is served too")]
fn others_are_served(scene: &mut Scene) -> Result<(), Failure> {
    scene
        .protocol
        .exchanges
        .others()?
        .iter()
        .try_for_each(judge_service)
}

/// Each of the others is done, with the same result as the proper one.
#[then(expr = "the/every other is served alike")]
fn others_are_served_alike(scene: &mut Scene) -> Result<(), Failure> {
    let proper = scene.protocol.exchanges.proper()?.answer()?.result();
    for heard in scene.protocol.exchanges.others()? {
        judge_service(heard)?;
        if heard.answer()?.result() != proper {
            return Err(heard.failure("the same result as the proper request"));
        }
    }
    Ok(())
}

/// The same, where a refusal is lawful too.
#[then(expr = "the/every other is served too, or refused with {statuses}")]
fn others_are_served_or_refused(scene: &mut Scene, statuses: Statuses) -> Result<(), Failure> {
    let others = scene.protocol.exchanges.others()?;
    others
        .iter()
        .try_for_each(|heard| judge_service(heard).or_else(|_| judge_refusal(heard, &statuses)))
}

/// A result in JSON and not in a stream, or a refusal.
#[then(expr = "every other is answered in JSON, or refused with {statuses}")]
fn others_are_json_or_refused(scene: &mut Scene, statuses: Statuses) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        if heard.answer()?.media_type() == "application/json" && judge_service(heard).is_ok() {
            continue;
        }
        judge_refusal(heard, &statuses)?;
    }
    Ok(())
}

/// An answer that says nothing but that it was heard.
#[then("the other is served with an empty result")]
fn other_is_empty(scene: &mut Scene) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        let response = heard.answer()?.response().unwrap_or_default();
        if response["result"] != serde_json::json!({}) || response["id"] != heard.id {
            return Err(heard.failure(format!("an empty result with id {}", heard.id)));
        }
    }
    Ok(())
}

/// Statuses alone, whatever the body says.
#[then(expr = "the/every other has status {statuses}")]
fn others_have_status(scene: &mut Scene, statuses: Statuses) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        if !statuses.allow(heard.answer()?.status.as_u16()) {
            return Err(heard.failure(format!("status {}", statuses.words())));
        }
    }
    Ok(())
}

/// For what has no answer but the status.
#[then("the proper request is accepted with 202 and no body")]
fn proper_is_noted(scene: &mut Scene) -> Result<(), Failure> {
    let proper = scene.protocol.exchanges.proper()?;
    let answer = proper.answer()?;
    if answer.status == 202 && answer.body.is_empty() {
        Ok(())
    } else {
        Err(proper.failure("202 without a body"))
    }
}

/// Whatever the server says, it does not break.
#[then("none of the others is a server error")]
fn no_server_error(scene: &mut Scene) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        if heard.answer()?.status.is_server_error() {
            return Err(heard.failure("no 5xx"));
        }
    }
    Ok(())
}

/// What library errors and crashes look like, wherever they come from.
const INTERNAL_TRACES: [&str; 12] = [
    "-----BEGIN",
    "stack backtrace",
    "panicked at",
    "Traceback (most recent call last)",
    "node_modules/",
    ".rs:",
    ".py\", line",
    "   at ",
    "SQLSTATE",
    "sqlite error",
    "jsonwebtoken",
    "/usr/",
];

/// A refusal explains itself without showing keys, traces, paths or the libraries behind it.
#[then("no answer shows a key, a stack trace, a path or a query")]
fn nothing_internal(scene: &mut Scene) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        let Ok(answer) = &heard.answer else { continue };
        let challenge = answer.header("www-authenticate").unwrap_or_default();
        for text in [answer.body.as_str(), challenge] {
            if let Some(trace) = INTERNAL_TRACES.iter().find(|trace| text.contains(**trace)) {
                return Err(heard.failure(format!("no {trace:?} in the answer")));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, StatusCode};
    use serde_json::json;

    use super::*;

    fn heard(status: u16, challenge: Option<&str>, body: &str) -> Heard {
        let mut headers = HeaderMap::new();
        headers.insert("content-type", "application/json".parse().unwrap());
        if let Some(challenge) = challenge {
            headers.insert("www-authenticate", challenge.parse().unwrap());
        }
        let status = StatusCode::from_u16(status).unwrap();
        Heard::new(
            "a case",
            json!(1),
            Ok(WireAnswer {
                status,
                headers,
                body: body.to_owned(),
            }),
            std::time::Instant::now(),
        )
    }

    fn statuses(text: &str) -> Statuses {
        text.parse().unwrap()
    }

    const CHALLENGE: Option<&str> = Some("Bearer resource_metadata=\"https://h/x\"");

    #[test]
    fn a_refusal_needs_status_challenge_and_no_result() {
        assert!(judge_refusal(&heard(401, CHALLENGE, "{}"), &statuses("401")).is_ok());
        assert!(judge_refusal(&heard(413, None, ""), &statuses("400, 401 or 413")).is_ok());
        for (bad, why) in [
            (heard(200, CHALLENGE, "{}"), "status"),
            (heard(403, CHALLENGE, "{}"), "status"),
            (heard(401, None, "{}"), "no challenge"),
            (
                heard(401, Some("Basic realm=x"), "{}"),
                "no Bearer challenge",
            ),
            (heard(401, Some("Bearer"), "{}"), "no parameter"),
            (
                heard(401, Some("Bearer realm=\"x\" scope=\"y\""), "{}"),
                "grammar",
            ),
            (heard(401, CHALLENGE, r#"{"result":{}}"#), "result"),
        ] {
            assert!(judge_refusal(&bad, &statuses("401")).is_err(), "{why}");
        }
    }

    #[test]
    fn service_needs_a_result_or_an_empty_202() {
        assert!(judge_service(&heard(200, None, r#"{"id":1,"result":{}}"#)).is_ok());
        assert!(judge_service(&heard(202, None, "")).is_ok());
        assert!(
            judge_service(&heard(
                200,
                None,
                r#"{"id":1,"error":{"code":-1,"message":"x"}}"#
            ))
            .is_err()
        );
        assert!(judge_service(&heard(202, None, "{}")).is_err());
        assert!(judge_service(&heard(200, None, "ok")).is_err());
    }

    #[test]
    fn codes_are_compared_as_numbers() {
        let codes: Codes = "-32700 or -32600".parse().unwrap();
        assert!(
            judge_error(
                &heard(400, None, r#"{"error":{"code":-32600,"message":"x"}}"#),
                &codes
            )
            .is_ok()
        );
        assert!(
            judge_error(
                &heard(400, None, r#"{"error":{"code":-32601,"message":"x"}}"#),
                &codes
            )
            .is_err()
        );
        assert!(judge_error(&heard(400, None, ""), &codes).is_err());
    }
}

//! Steps about letters that JSON can write and many programs cannot keep.

use std::str::FromStr;

use cucumber::then;

use super::{
    people::{Who, desk, meet},
    writing::item_named,
};
use crate::{
    client::{Message, Wire, WireRequest},
    suite::{Failure, Scene},
    worthbase::Call,
};
use serde_json::json;

/// A letter that a note may hold, as JSON writes it.
#[derive(Debug, Clone, cucumber::Parameter)]
#[param(
    name = "odd_letter",
    regex = "a NUL|half a surrogate pair|an ordinary control character"
)]
pub struct OddLetter(&'static str);

impl FromStr for OddLetter {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(match text {
            "a NUL" => r"\u0000",
            "half a surrogate pair" => r"\ud800",
            _ => r"\u0007",
        }))
    }
}

/// A note with a letter that is written as a JSON escape; the note must be refused, or come back with the very letter.
/// No client library writes an unpaired surrogate, so the request is written by hand.
#[then(expr = "a note with {odd_letter} in the middle is kept or refused on {person}'s {string}")]
async fn notes_odd_letter(
    scene: &mut Scene,
    letter: OddLetter,
    who: Who,
    item: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let id = item_named(scene, &name, &desk(scene, &name)?, &item)
        .await?
        .item
        .id;
    let escape = letter.0;
    let sent = send(scene, &name, "update_item", &id, Some(escape)).await?;
    let refused = sent.1 || sent.0.contains("\"error\"");
    if refused {
        let answer = desk(scene, &name)?.send(&Call::get_item(&id)).await?;
        answer.is_accepted()?;
        return match answer.body.get("notes").and_then(|notes| notes.as_str()) {
            None | Some("") => Ok(()),
            Some(kept) => Err(
                Failure::expected("a refused note leaves the item as it was")
                    .actual(format!("a note of {} letters", kept.chars().count())),
            ),
        };
    }
    let shown = send(scene, &name, "get_item", &id, None).await?.0;
    let raw: String = format!("a{escape}b");
    let letter = serde_json::from_str::<String>(&format!("\"{raw}\"")).unwrap_or_default();
    let kept = shown.contains(&raw)
        || shown.to_lowercase().contains(&raw.to_lowercase())
        || (!letter.is_empty() && shown.contains(&letter));
    if kept {
        Ok(())
    } else {
        Err(Failure::expected(format!(
            "the note to come back as a{escape}b, or to be refused"
        ))
        .actual("it was taken, and came back as something else"))
    }
}

/// Sends a call whose note is put into the text of the message. Gives what came back, and whether it is a refusal.
async fn send(
    scene: &Scene,
    name: &str,
    tool: &str,
    item: &str,
    escape: Option<&str>,
) -> Result<(String, bool), Failure> {
    let person = scene.people.person(name)?;
    let workspace = person
        .book
        .and_then(|place| scene.book.shelf.get(place))
        .map(|book| book.workspace.clone());
    let mut arguments = json!({ "item": item, "workspace": workspace });
    if escape.is_some() {
        arguments["notes"] = json!("PLACE");
    }
    let message = Message::call(scene.revision, tool, arguments);
    let endpoint = &scene.environment.target.endpoint;
    let text = message
        .body
        .to_string()
        .replace("PLACE", &format!("a{}b", escape.unwrap_or_default()));
    let token = person
        .tokens
        .last()
        .ok_or_else(|| Failure::harness("the person has no token"))?;
    let request = WireRequest::post(endpoint, &message)
        .header("authorization", format!("Bearer {}", token.expose()))
        .body(text);
    let wire =
        Wire::new(&scene.recorder, scene.environment.request_timeout).map_err(Failure::harness)?;
    let answer = wire
        .send(request)
        .await
        .map_err(|problem| Failure::expected("an answer to an odd letter").actual(problem))?;
    if answer.status.is_server_error() {
        return Err(Failure::expected("no failure of the server").actual(answer.summary()));
    }
    let refused = answer.status.is_client_error()
        || answer
            .result()
            .is_some_and(|result| result["isError"] == json!(true));
    Ok((answer.body, refused))
}

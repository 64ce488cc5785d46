//! Steps that judge a refusal: its reason, its form, the argument and the row it names.

use cucumber::then;

use super::{
    people::{Who, desk, meet},
    writing::{Day, item_named},
};
use crate::{
    suite::{Failure, Scene},
    worthbase::Refusal,
};

/// A message this short cannot say how to fix anything.
const SHORTEST_MESSAGE: usize = 16;
/// Codes that blame the server or the moment, never the call.
const NO_REASONS: [&str; 5] = [
    "internal",
    "internal_error",
    "provider_unavailable",
    "rate_limited",
    "unknown",
];

/// The last answer as a refusal.
///
/// # Errors
/// It was accepted, or says no reason.
pub fn refusal(scene: &Scene) -> Result<Refusal, Failure> {
    scene.writing.answer()?.refusal()
}

/// The last call was refused for the named reason, with a message that says what to do. A server that does not claim our
/// contract may use a code of its own, but not one that says that the server was at fault or busy: that is no reason.
#[then(expr = "{person} is refused with {string}")]
async fn is_refused_with(scene: &mut Scene, who: Who, code: String) -> Result<(), Failure> {
    meet(scene, &who).await?;
    let refusal = refusal(scene)?;
    let expected = || Failure::expected(format!("refused with `{code}`"));
    if refusal.code != code && NO_REASONS.contains(&refusal.code.as_str()) {
        return Err(expected().actual(format!("`{}`, which is no reason of its own", refusal.code)));
    }
    let claims_contract = scene.environment.target.contract.is_some();
    if claims_contract && refusal.code != code {
        return Err(expected().actual(format!(
            "refused with `{}`: {}",
            refusal.code, refusal.message
        )));
    }
    if refusal.message.chars().count() < SHORTEST_MESSAGE || refusal.message == refusal.code {
        let hint = "say in the message how to fix the problem";
        return Err(expected()
            .actual(format!(
                "a message that helps nobody: {:?}",
                refusal.message
            ))
            .hint(hint));
    }
    if refusal.details.contains_key("preview_id") {
        return Err(expected().actual("a refusal that also hands out a preview_id"));
    }
    Ok(())
}

/// The refusal has the form that every refusal has: a code of small letters, digits and underscores, and the same body as
/// text and as structured content.
#[then("the refusal is well formed")]
fn refusal_is_well_formed(scene: &mut Scene) -> Result<(), Failure> {
    let answer = scene.writing.answer()?;
    let code = answer.refusal()?.code;
    let letters =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    if !code.starts_with(|letter: char| letter.is_ascii_lowercase()) || !code.chars().all(letters) {
        return Err(
            Failure::expected("a code of small letters, digits and underscores").actual(code),
        );
    }
    let in_text: Result<serde_json::Value, _> = serde_json::from_str(&answer.text);
    match in_text {
        Ok(body) if body["code"] == code.as_str() => Ok(()),
        _ => Err(
            Failure::expected(format!("a text block of JSON with the code {code}"))
                .actual(&answer.text),
        ),
    }
}

/// The refusal names the argument at fault by its path.
#[then(expr = "the refusal points at {string}")]
fn refusal_points_at(scene: &mut Scene, field: String) -> Result<(), Failure> {
    let refusal = refusal(scene)?;
    if refusal.field.as_deref() == Some(field.as_str()) {
        return Ok(());
    }
    Err(Failure::expected(format!("field {field:?}"))
        .actual(format!("field {:?}: {}", refusal.field, refusal.message)))
}

/// The refusal names the row that stands in the way: its id and its day.
#[then(expr = "the refusal names the {string} of {day} on {person}'s {string}")]
async fn refusal_names_row(
    scene: &mut Scene,
    entry: String,
    day: Day,
    who: Who,
    item: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let refusal = refusal(scene)?;
    let detail = item_named(scene, &name, &desk(scene, &name)?, &item).await?;
    let row = detail
        .transactions
        .iter()
        .find(|row| row.date == day.0 && row.kind == entry)
        .map(|row| row.id.clone());
    let id = row.ok_or_else(|| {
        Failure::expected(format!("a {entry} of {} on {item}", day.0)).actual("no such row")
    })?;
    let said = format!(
        "{} {}",
        refusal.message,
        serde_json::Value::Object(refusal.details)
    );
    if said.contains(&id) && said.contains(&day.0) {
        return Ok(());
    }
    let hint = "name the first row that no longer replays by its id and its date";
    Err(Failure::expected(format!("{id} of {} is named", day.0))
        .actual(said)
        .hint(hint))
}

/// The last two refusals give the same reason and point at the same argument.
#[then("both refusals say the same")]
fn refusals_alike(scene: &mut Scene) -> Result<(), Failure> {
    let answers = scene.book.answers.all();
    let refused = answers.iter().rev().filter(|answer| answer.is_error);
    let last: Vec<Refusal> = refused
        .take(2)
        .map(|answer| answer.refusal())
        .collect::<Result<_, _>>()?;
    match last.as_slice() {
        [later, earlier] if later.code == earlier.code && later.field == earlier.field => Ok(()),
        other => {
            Err(Failure::expected("two refusals with one code and field")
                .actual(format!("{other:?}")))
        }
    }
}

/// A tool has no argument of this name, so nobody is invited to use it.
#[then(expr = "the tool {word} offers {person} no argument {string}")]
async fn tool_has_no_argument(
    scene: &mut Scene,
    tool: String,
    who: Who,
    argument: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let tools = scene.people.person(&name)?.session.list_tools().await;
    let tools = tools.map_err(|problem| Failure::expected("a list of tools").actual(problem))?;
    let listed = tools.iter().find(|listed| listed.name == tool);
    let listed = listed
        .ok_or_else(|| Failure::expected(format!("a tool {tool}")).actual("it is not listed"))?;
    match listed.input_schema["properties"].get(&argument) {
        None => Ok(()),
        Some(found) => Err(Failure::expected(format!("no argument {argument}")).actual(found)),
    }
}

/// The refusal gives the reason why the row it names cannot stay, by its code.
#[then(expr = "the refusal gives the reason {string}")]
fn refusal_gives_reason(scene: &mut Scene, code: String) -> Result<(), Failure> {
    let refusal = refusal(scene)?;
    let said = format!(
        "{} {}",
        refusal.message,
        serde_json::Value::Object(refusal.details)
    );
    if said.contains(&code) {
        return Ok(());
    }
    Err(Failure::expected(format!("the reason {code}")).actual(said))
}

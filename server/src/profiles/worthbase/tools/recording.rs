//! `record`: previews a batch, or writes it at once.

use jiff::{SignedDuration, ToSpan as _};
use serde_json::{Value, json};

use super::super::Worthbase;
use super::super::access::{Desk, failed};
use super::super::arguments::read;
use super::super::draft::draft;
use super::super::identifiers::new_id;
use super::super::rows::RecordArguments;
use super::super::writing::{Intent, Promise};
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;
use crate::rules::{DryRunDefault, PreviewEffect, RepeatedKeys};
use crate::store::Preview;

/// How long an expired preview is remembered.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Previews by default.
pub(in super::super) async fn record(
    server: &Worthbase,
    desk: &Desk,
    arguments: JsonObject,
) -> Result<Value, Fault> {
    let mut arguments: RecordArguments = read(arguments)?;
    if !arguments.accounts.is_empty() && !desk.may_add_accounts {
        return Err(Fault::new(
            "forbidden",
            "Creating accounts needs the role admin in this workspace. Leave accounts out and use existing ones, or ask an admin.",
        )
        .at("accounts"));
    }
    let writes = &server.rules.writes;
    let dry_run = arguments
        .dry_run
        .unwrap_or(writes.record_default == DryRunDefault::Previews);
    let source = arguments.source.take();
    let base = desk
        .membership
        .workspace
        .base_currency
        .parse()
        .map_err(failed)?;
    let arguments = match writes.repeated_keys {
        RepeatedKeys::Refused => arguments,
        RepeatedKeys::LastCounts => with_last_keys(arguments),
    };
    let (draft, created) = draft(arguments, base, desk.visitor.today(), writes.row_limit)?;
    let intent = Intent {
        draft,
        created,
        source,
    };
    let mut answer;
    if dry_run {
        answer = preview(server, desk, &intent).await?;
        if writes.preview == PreviewEffect::BatchWritten {
            server.write(desk, "record", &intent, None).await?;
        }
    } else {
        let written = server.write(desk, "record", &intent, None).await?;
        answer = server.shown_write(desk, &intent, &written);
        set(&mut answer, "batch", json!(written.assessment.batch.id));
    }
    Ok(answer)
}

async fn preview(server: &Worthbase, desk: &Desk, intent: &Intent) -> Result<Value, Fault> {
    let assessed = server.assess(desk, &intent.draft).await?;
    let promise = Promise {
        intent: intent.clone(),
        outcome: assessed.assessment.outcome.clone(),
        rates: assessed.assessment.rates.clone(),
        head: assessed.before.head,
        prices: assessed.before.ledger.fetched_prices().count(),
    };
    let expires_at = desk
        .visitor
        .now
        .checked_add(server.rules.writes.preview_minutes.minutes())
        .map_err(failed)?;
    let kept = Preview {
        id: new_id("prv"),
        workspace: desk.workspace().to_owned(),
        person: desk.visitor.person.id.clone(),
        expires_at,
        body: serde_json::to_string(&promise).map_err(failed)?,
        batch: None,
    };
    // An expired preview is still answered as such for a while; after that it is forgotten.
    let forgotten = desk.visitor.now.checked_sub(REMEMBERED).map_err(failed)?;
    server
        .store
        .keep_preview(&kept, forgotten)
        .await
        .map_err(failed)?;
    let mut answer = server.shown_write(desk, intent, &assessed);
    set(&mut answer, "preview_id", json!(kept.id));
    set(&mut answer, "expires_at", json!(expires_at.to_string()));
    Ok(answer)
}

/// Sets a member of an answer.
pub(super) fn set(answer: &mut Value, name: &str, value: Value) {
    if let Some(members) = answer.as_object_mut() {
        members.insert(name.to_owned(), value);
    }
}

/// The arguments in which of two items with one key the first has none any more.
fn with_last_keys(mut arguments: RecordArguments) -> RecordArguments {
    let mut seen = std::collections::BTreeSet::new();
    for item in arguments.items.iter_mut().rev() {
        if item.key.clone().is_some_and(|key| !seen.insert(key)) {
            item.key = None;
        }
    }
    arguments
}

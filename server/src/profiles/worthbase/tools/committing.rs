//! `commit`: writes what a preview showed, or says why not.

use proofmark_ledger::Change;
use serde_json::{Value, json};

use super::super::Worthbase;
use super::super::access::{Desk, failed};
use super::super::arguments::text;
use super::super::identifiers::new_id;
use super::super::writing::{Promise, already_committed};
use super::recording::set;
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;
use crate::rules::{AnnouncedIds, PreviewOwner, RepeatedCommit};
use crate::store::Preview;

/// Commits a preview of the caller's own, once.
pub(in super::super) async fn commit(
    server: &Worthbase,
    desk: &Desk,
    arguments: &JsonObject,
) -> Result<Value, Fault> {
    let rules = &server.rules.writes;
    let id = text(arguments, "preview_id").unwrap_or_default();
    let preview = server
        .store
        .preview(id)
        .await
        .map_err(failed)?
        .filter(|preview| may_commit(preview, desk, rules.preview_owner))
        .ok_or_else(unknown)?;
    // A preview that became a batch long ago has kept nothing but its name.
    match (&preview.batch, rules.repeated_commit) {
        (Some(batch), RepeatedCommit::Refused) => return Err(already_committed(batch)),
        (Some(_), RepeatedCommit::Forgotten) => return Err(unknown()),
        _ => {}
    }
    let mut promise: Promise = serde_json::from_str(&preview.body).map_err(failed)?;
    let of_preview = preview.batch.is_none();
    if !of_preview {
        promise = with_new_ids(&promise)?;
    }
    if preview.expires_at <= desk.visitor.now {
        return Err(Fault::new(
            "preview_expired",
            "Previews can be committed for 30 minutes and this one is older. Nothing was written. Call record again with the same rows and show the user the new preview.",
        ));
    }
    if rules.announced_ids == AnnouncedIds::MadeAnew {
        promise = with_new_ids(&promise)?;
    }
    let promised = of_preview.then_some((id, &promise));
    let written = server
        .write(desk, "commit", &promise.intent, promised)
        .await?;
    let mut answer = server.shown_write(desk, &promise.intent, &written);
    set(&mut answer, "batch", json!(written.assessment.batch.id));
    Ok(answer)
}

fn may_commit(preview: &Preview, desk: &Desk, owner: PreviewOwner) -> bool {
    let here = preview.workspace == desk.workspace();
    match owner {
        PreviewOwner::Maker => here && preview.person == desk.visitor.person.id,
        PreviewOwner::Workspace => here,
        PreviewOwner::Anybody => true,
    }
}

fn unknown() -> Fault {
    Fault::new(
        "preview_not_found",
        "You have no preview of this id in this workspace. Call record to make one, and commit it in the same workspace.",
    )
    .at("preview_id")
}

/// The same promise under new ids: what a server does that forgets what it announced.
fn with_new_ids(promise: &Promise) -> Result<Promise, Fault> {
    let mut text = serde_json::to_string(promise).map_err(failed)?;
    let own = promise
        .intent
        .draft
        .changes
        .iter()
        .filter(|change| !matches!(change, Change::Void(_)))
        .map(Change::name);
    for id in own.chain([promise.intent.draft.batch.to_string()]) {
        if let Some((prefix, _)) = id.split_once('_') {
            text = text.replace(&id, &new_id(prefix));
        }
    }
    serde_json::from_str(&text).map_err(failed)
}

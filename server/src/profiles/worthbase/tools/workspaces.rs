//! `whoami` and `save_workspace`: the tools that work without a workspace and without a subscription.

use proofmark_ledger::Change;
use proofmark_ledger::model::{Party, PartyKind};
use serde_json::{Value, json};

use super::super::Worthbase;
use super::super::access::{Visitor, failed};
use super::super::arguments::{missing, text};
use super::super::currencies::check;
use super::super::history::Provenance;
use super::super::identifiers::new_id;
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;
use crate::providers::Subscription;
use crate::rules::WaitingInvites;
use crate::store::{EntryKind, Membership, NewEntry, NewWorkspace};

/// The base currency of a workspace that names none.
const DEFAULT_CURRENCY: &str = "EUR";

/// The caller, their workspaces and the invites that wait for them.
pub(in super::super) async fn whoami(
    server: &Worthbase,
    visitor: &Visitor,
) -> Result<Value, Fault> {
    let own = server
        .store
        .memberships(&visitor.person.id)
        .await
        .map_err(failed)?;
    let subscriptions = futures::future::join_all(
        own.iter()
            .map(|membership| server.gate.subscription(&membership.workspace.id)),
    )
    .await;
    let workspaces: Vec<Value> = own
        .iter()
        .zip(&subscriptions)
        .map(|(membership, subscription)| {
            json!({
                "id": membership.workspace.id,
                "name": membership.workspace.name,
                "role": membership.role,
                "base_currency": membership.workspace.base_currency,
                "party": membership.party,
                "subscription": shown_subscription(subscription.as_ref()),
            })
        })
        .collect();
    let waiting = match (&visitor.proven_email, server.rules.people.waiting_invites) {
        (Some(email), WaitingInvites::Shown) => {
            server.store.invites_for(email).await.map_err(failed)?
        }
        _ => Vec::new(),
    };
    let invites: Vec<Value> = waiting
        .iter()
        .filter(|invite| invite.expires_at > visitor.now)
        .map(|invite| {
            json!({
                "id": invite.id,
                "workspace_name": invite.workspace_name,
                "role": invite.role,
                "invited_by": invite.invited_by,
                "expires_at": invite.expires_at.to_string(),
            })
        })
        .collect();
    let default = server
        .gate
        .default_of(own)
        .map(|membership| membership.workspace.id);
    Ok(json!({
        "user": { "id": visitor.person.id, "email": visitor.person.email, "name": visitor.person.name },
        "default_workspace": default,
        "workspaces": workspaces,
        "invites": invites,
    }))
}

/// Creates a workspace, or renames one.
pub(in super::super) async fn save_workspace(
    server: &Worthbase,
    visitor: &Visitor,
    arguments: &JsonObject,
) -> Result<Value, Fault> {
    let name = text(arguments, "name").unwrap_or_default();
    match text(arguments, "workspace") {
        Some(workspace) => rename(server, visitor, workspace, name, arguments).await,
        None => create(server, visitor, name, text(arguments, "base_currency")).await,
    }
}

async fn rename(
    server: &Worthbase,
    visitor: &Visitor,
    workspace: &str,
    name: &str,
    arguments: &JsonObject,
) -> Result<Value, Fault> {
    let mut membership = server.gate.membership(visitor, Some(workspace)).await?;
    if membership.role != "admin" {
        return Err(Fault::new(
            "forbidden",
            format!(
                "Renaming needs the role admin in this workspace and you are {}.",
                membership.role
            ),
        ));
    }
    if arguments.contains_key("base_currency") {
        return Err(missing(
            "base_currency",
            "The base currency of a workspace is fixed when it is created. Leave it out to rename, or create another workspace.",
        ));
    }
    server
        .store
        .rename_workspace(workspace, name)
        .await
        .map_err(failed)?;
    name.clone_into(&mut membership.workspace.name);
    let subscription = server.gate.subscription(workspace).await;
    Ok(saved(&membership, subscription.as_ref()))
}

async fn create(
    server: &Worthbase,
    visitor: &Visitor,
    name: &str,
    currency: Option<&str>,
) -> Result<Value, Fault> {
    let currency = currency.unwrap_or(DEFAULT_CURRENCY);
    check(currency, "base_currency")?;
    let workspace = new_id("ws");
    // The trial comes first: a workspace that nobody could use is not created.
    let subscription = server.gate.open_trial(&workspace).await?;
    let party = Party {
        id: new_id("pty").into(),
        name: if visitor.person.name.is_empty() {
            name.to_owned()
        } else {
            visitor.person.name.clone()
        },
        kind: PartyKind::Individual,
    };
    let founding = NewEntry {
        kind: EntryKind::Founding,
        batch: new_id("bat"),
        at: visitor.now,
        provenance: serde_json::to_string(&Provenance::of(visitor, "save_workspace"))
            .map_err(failed)?,
        changes: Some(serde_json::to_string(&[Change::Party(party.clone())]).map_err(failed)?),
        preview: None,
    };
    let new = NewWorkspace {
        id: workspace,
        name: name.to_owned(),
        base_currency: currency.to_owned(),
        creator: visitor.person.id.clone(),
        party: party.id.to_string(),
        founding,
    };
    server.store.create_workspace(&new).await.map_err(failed)?;
    let membership = server.gate.membership(visitor, Some(&new.id)).await?;
    Ok(saved(&membership, Some(&subscription)))
}

fn saved(membership: &Membership, subscription: Option<&Subscription>) -> Value {
    json!({
        "workspace": membership.workspace.id,
        "name": membership.workspace.name,
        "base_currency": membership.workspace.base_currency,
        "role": membership.role,
        "party": membership.party,
        "subscription": shown_subscription(subscription),
    })
}

/// A subscription as answers show it; a directory that does not answer gives `unknown`.
pub(super) fn shown_subscription(subscription: Option<&Subscription>) -> Value {
    match subscription {
        Some(subscription) => json!({
            "status": subscription.status,
            "ends_on": subscription.ends_on.map(|date| date.to_string()),
        }),
        None => json!({ "status": "unknown", "ends_on": null }),
    }
}

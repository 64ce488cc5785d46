//! `accept_invite`: joining the workspace one was invited to.

use jiff::SignedDuration;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::super::Worthbase;
use super::super::access::{Visitor, failed};
use super::super::arguments::{missing, text};
use super::super::prices::rate_limited;
use super::workspaces::shown_subscription;
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;
use crate::rules::{InviteUses, Invitee, SecondInvite};
use crate::store::InviteError;

/// So that no code is found by trying, a person may try only so many in this time; the right one counts too, or it would
/// tell itself from the others.
const TRIES_COUNT_FOR: SignedDuration = SignedDuration::from_mins(15);

async fn limit(server: &Worthbase, visitor: &Visitor) -> Result<(), Fault> {
    let most = server.rules.people.invite_tries;
    let name = format!("accept_invite {}", visitor.person.id);
    let wait = server
        .store
        .take(&name, visitor.now, TRIES_COUNT_FOR, most)
        .await
        .map_err(failed)?;
    match wait {
        None => Ok(()),
        Some(wait) => Err(rate_limited(
            format!(
                "You can try to accept an invite {most} times in a quarter of an hour. Ask the admin to invite you again if the code does not work."
            ),
            wait,
            server.rules.prices.retry_after,
        )),
    }
}

/// Joins by code or by id. Whatever is wrong with an invite, the answer is the same.
pub(in super::super) async fn accept_invite(
    server: &Worthbase,
    visitor: &Visitor,
    arguments: &JsonObject,
) -> Result<Value, Fault> {
    let key = match (text(arguments, "code"), text(arguments, "invite")) {
        (Some(code), None) => digest(code),
        (None, Some(id)) => id.to_owned(),
        _ => {
            return Err(missing(
                "code",
                "Give either the invite's code or its id from whoami, not both.",
            ));
        }
    };
    let rules = &server.rules.people;
    limit(server, visitor).await?;
    let invite = server
        .store
        .invite(&key)
        .await
        .map_err(failed)?
        .ok_or_else(invalid)?;
    let only_open = rules.invite_uses == InviteUses::Once;
    let address_fits = match rules.invitee {
        Invitee::InvitedAddress => visitor.proven_email.as_deref() == Some(invite.email.as_str()),
        Invitee::UnprovenAddress => visitor.email == invite.email,
        Invitee::Anybody => true,
    };
    if !address_fits || (only_open && invite.state != "open") || invite.expires_at <= visitor.now {
        return Err(invalid());
    }
    let mut accepted = server
        .store
        .accept_invite(invite, &visitor.person.id, visitor.now, only_open)
        .await
        .map_err(|error| match error {
            InviteError::Gone => invalid(),
            InviteError::Store(error) => failed(error),
        })?;
    if rules.second_invite == SecondInvite::TakesRole {
        let (workspace, role) = (&accepted.invite.workspace, accepted.invite.role.clone());
        server
            .store
            .change_member(workspace, &visitor.person.id, Some(&role), false)
            .await
            .map_err(failed)?;
        accepted.role = role;
    }
    let subscription = server.gate.subscription(&accepted.invite.workspace).await;
    Ok(json!({
        "workspace": accepted.invite.workspace,
        "name": accepted.invite.workspace_name,
        "role": accepted.role,
        "invite": accepted.invite.id,
        "subscription": shown_subscription(subscription.as_ref()),
    }))
}

/// How a code is kept: as a digest, so that the store gives none away.
pub(super) fn digest(code: &str) -> String {
    Sha256::digest(code.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn invalid() -> Fault {
    Fault::new(
        "invite_invalid",
        "This invite cannot be accepted: it is unknown, used, revoked, expired, or for another e-mail address. Ask an admin of the workspace for a new one.",
    )
}

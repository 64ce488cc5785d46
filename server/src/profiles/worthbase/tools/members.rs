//! `members`: who belongs to a workspace, with which role and share, and who is invited.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::ToSpan as _;
use serde_json::{Value, json};

use super::super::Worthbase;
use super::super::access::{Desk, failed};
use super::super::arguments::{missing, not_found, text};
use super::super::cursor::random;
use super::super::identifiers::new_id;
use super::super::tools::invites::digest;
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;
use crate::rules::{Addresses, InvitedRole, LastAdmin, MemberList};
use crate::store::{Invite, Member, MemberError, NewInvite};

/// Lists, invites, changes, removes. Every answer holds the members and open invites as they are afterwards.
pub(in super::super) async fn members(
    server: &Worthbase,
    desk: &Desk,
    arguments: &JsonObject,
) -> Result<Value, Fault> {
    let workspace = desk.workspace();
    let mut invited = None;
    match text(arguments, "action").unwrap_or_default() {
        "list" => {}
        "invite" => invited = Some(invite(server, desk, arguments).await?),
        "set_role" => {
            let role = text(arguments, "role")
                .ok_or_else(|| missing("role", "set_role needs the new role."))?;
            change(server, desk, arguments, Some(role)).await?;
        }
        "remove" => change(server, desk, arguments, None).await?,
        "set_party" => set_party(server, desk, arguments).await?,
        "revoke" => {
            let id = text(arguments, "invite")
                .ok_or_else(|| missing("invite", "revoke needs the invite's id."))?;
            if !server
                .store
                .revoke_invite(workspace, id)
                .await
                .map_err(failed)?
            {
                return Err(not_found("invite"));
            }
        }
        _ => {
            return Err(missing(
                "action",
                "Use list, invite, set_role, set_party, remove or revoke.",
            ));
        }
    }
    let members = server.store.members(workspace).await.map_err(failed)?;
    let waiting = match server.rules.people.list {
        MemberList::Whole => server
            .store
            .invites_of_workspace(workspace)
            .await
            .map_err(failed)?,
        MemberList::WithoutInvites => Vec::new(),
    };
    let mut answer = json!({
        "workspace": workspace,
        "members": members.iter().map(shown_member).collect::<Vec<_>>(),
        "invites": waiting.iter().filter(|invite| invite.expires_at > desk.visitor.now).map(shown_invite).collect::<Vec<_>>(),
    });
    if let (Some(invited), Some(members)) = (invited, answer.as_object_mut()) {
        members.insert("invite".to_owned(), invited);
    }
    Ok(answer)
}

async fn invite(server: &Worthbase, desk: &Desk, arguments: &JsonObject) -> Result<Value, Fault> {
    let email = text(arguments, "email")
        .ok_or_else(|| missing("email", "invite needs the e-mail address."))?;
    let role =
        text(arguments, "role").ok_or_else(|| missing("role", "invite needs the role to give."))?;
    let code = URL_SAFE_NO_PAD.encode(random::<24>().ok_or_else(Fault::internal)?);
    let expires_at = desk
        .visitor
        .now
        .checked_add((server.rules.people.invite_days * 24).hours())
        .map_err(failed)?;
    let new = NewInvite {
        id: new_id("inv"),
        workspace: desk.workspace().to_owned(),
        email: match server.rules.people.addresses {
            Addresses::AnyCase => email.to_lowercase(),
            Addresses::ExactCase => email.to_owned(),
        },
        role: match server.rules.people.invited_role {
            InvitedRole::AsInvited => role.to_owned(),
            InvitedRole::Admin => "admin".to_owned(),
        },
        code_digest: digest(&code),
        invited_by: desk.visitor.person.id.clone(),
        expires_at,
    };
    server.store.keep_invite(&new).await.map_err(failed)?;
    Ok(json!({
        "id": new.id,
        "code": code,
        "email": new.email,
        "role": new.role,
        "expires_at": expires_at.to_string(),
    }))
}

async fn change(
    server: &Worthbase,
    desk: &Desk,
    arguments: &JsonObject,
    role: Option<&str>,
) -> Result<(), Fault> {
    let member = text(arguments, "member")
        .ok_or_else(|| missing("member", "Name the member by their id."))?;
    let keep_an_admin = server.rules.people.last_admin == LastAdmin::Kept;
    server
        .store
        .change_member(desk.workspace(), member, role, keep_an_admin)
        .await
        .map_err(|error| refused(error, "member"))
}

async fn set_party(server: &Worthbase, desk: &Desk, arguments: &JsonObject) -> Result<(), Fault> {
    let member = text(arguments, "member")
        .ok_or_else(|| missing("member", "Name the member by their id."))?;
    let party = text(arguments, "party")
        .ok_or_else(|| missing("party", "set_party needs the party's id."))?;
    let book = server.books.load(&desk.membership.workspace).await?;
    if !book
        .ledger
        .parties()
        .any(|known| known.id.as_str() == party)
    {
        return Err(not_found("party"));
    }
    server
        .store
        .tie_member(desk.workspace(), member, party)
        .await
        .map_err(|error| refused(error, "member"))
}

fn refused(error: MemberError, field: &str) -> Fault {
    match error {
        MemberError::Unknown => not_found(field),
        MemberError::LastAdmin => Fault::new(
            "last_admin",
            "This is the only admin of the workspace. Make somebody else admin first.",
        )
        .at(field),
        MemberError::Store(error) => failed(error),
    }
}

fn shown_member(member: &Member) -> Value {
    json!({
        "user": { "id": member.person.id, "name": member.person.name, "email": member.person.email },
        "role": member.role,
        "party": member.party,
        "joined_at": member.joined_at.to_string(),
    })
}

fn shown_invite(invite: &Invite) -> Value {
    json!({
        "id": invite.id,
        "email": invite.email,
        "role": invite.role,
        "invited_by": invite.invited_by,
        "expires_at": invite.expires_at.to_string(),
    })
}

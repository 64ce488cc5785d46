//! Steps about members and invites, and about what a workspace is paid for.

use cucumber::{given, then, when};
use serde_json::json;

use super::{
    book::{self, note_down},
    people::{Who, desk, identity, meet},
    tokens,
    writing::{self, Day},
};
use crate::{
    mocks::{SubscriptionStatus, people::Subscription},
    suite::{Failure, Scene},
    worthbase::{
        Answer, Call,
        result::{Joined, Membership},
    },
};

/// The email address of somebody.
fn email(scene: &Scene, name: &str) -> Result<String, Failure> {
    Ok(scene.people.person(name)?.user.email.clone())
}

/// Somebody becomes a member of another person's book, by an invite that they accept.
#[given(expr = "{person} is a/an {word} of {person}'s book")]
async fn is_a_member(
    scene: &mut Scene,
    guest: Who,
    role: String,
    host: Who,
) -> Result<(), Failure> {
    let host = meet(scene, &host).await?;
    let guest = meet(scene, &guest).await?;
    let place = scene.people.person(&host)?.book;
    let made: Membership = desk(scene, &host)?
        .send(&Call::invite(&email(scene, &guest)?, &role))
        .await?
        .accepted()?;
    let code = made.invite.map(|invite| invite.code);
    let call = Call::accept_invite(code.as_deref(), None);
    let _: Joined = desk(scene, &guest)?.send(&call).await?.accepted()?;
    if let Some(place) = place {
        scene.people.lay_before(&guest, place);
    }
    Ok(())
}

/// An admin invites somebody by e-mail. The invite is remembered under the invited person's name.
#[given(expr = "{person} has invited {person} as {word}")]
#[when(expr = "{person} invites {person} as {word}")]
async fn invites(scene: &mut Scene, host: Who, guest: Who, role: String) -> Result<(), Failure> {
    let guest = meet(scene, &guest).await?;
    let host = meet(scene, &host).await?;
    let answer = desk(scene, &host)?
        .send(&Call::invite(&email(scene, &guest)?, &role))
        .await?;
    if let Some(invite) = answer.accepted::<Membership>()?.invite {
        scene.people.invites.insert(guest, invite);
    }
    scene.writing.last = Some(answer);
    Ok(())
}

/// Somebody who may not invites somebody by e-mail, which must be refused.
#[when(expr = "{person} tries to invite {person} as {word}")]
async fn tries_to_invite(
    scene: &mut Scene,
    host: Who,
    guest: Who,
    role: String,
) -> Result<(), Failure> {
    let guest = meet(scene, &guest).await?;
    let host = meet(scene, &host).await?;
    let role = if role == "\"\"" { "" } else { &role };
    let call = Call::invite(&email(scene, &guest)?, role);
    writing::attempt(scene, &host, &call).await
}

/// The ways to name an invite when accepting it.
async fn accept(scene: &mut Scene, guest: &str, of: &str, by: &str) -> Result<Answer, Failure> {
    let invite = scene.people.invites.get(of).cloned();
    let invite = invite
        .ok_or_else(|| Failure::expected(format!("an invite for {of}")).actual("none was made"))?;
    let call = match by {
        "code" => Call::accept_invite(Some(&invite.code), None),
        "id" => Call::accept_invite(None, Some(&invite.id)),
        "both" => Call::accept_invite(Some(&invite.code), Some(&invite.id)),
        _ => Call::accept_invite(None, None),
    };
    desk(scene, guest)?.send(&call).await
}

/// Somebody accepts the invite made for them, by its code or by its id.
#[given(expr = "{person} has accepted the invite by its {word}")]
#[when(expr = "{person} accepts the invite by its {word}")]
async fn accepts(scene: &mut Scene, guest: Who, by: String) -> Result<(), Failure> {
    let guest = meet(scene, &guest).await?;
    let answer = accept(scene, &guest, &guest, &by).await?;
    let joined: Joined = answer.accepted()?;
    let place = scene
        .book
        .shelf
        .iter()
        .position(|book| book.workspace == joined.workspace);
    if let Some(place) = place {
        scene.people.lay_before(&guest, place);
    }
    scene.writing.last = Some(answer);
    Ok(())
}

/// Somebody tries to accept an invite by `code`, `id`, `both` or `neither`, which must be refused.
#[when(expr = "{person} tries to accept {person}'s invite by {word}")]
async fn tries_to_accept(
    scene: &mut Scene,
    guest: Who,
    of: Who,
    by: String,
) -> Result<(), Failure> {
    let of = meet(scene, &of).await?;
    let guest = meet(scene, &guest).await?;
    note_down(scene).await?;
    let answer = accept(scene, &guest, &of, &by).await?;
    scene.writing.last = Some(answer);
    Ok(())
}

/// An admin takes an open invite back.
#[given(expr = "{person} has revoked the invite of {person}")]
async fn revokes(scene: &mut Scene, host: Who, guest: Who) -> Result<(), Failure> {
    let guest = meet(scene, &guest).await?;
    let host = meet(scene, &host).await?;
    let invite = scene
        .people
        .invites
        .get(&guest)
        .map(|invite| invite.id.clone())
        .unwrap_or_default();
    let _: Membership = desk(scene, &host)?
        .send(&Call::revoke_invite(&invite))
        .await?
        .accepted()?;
    Ok(())
}

/// An admin gives a member another role.
#[given(expr = "{person} has made {person} a/an {word}")]
#[when(expr = "{person} makes {person} a/an {word}")]
async fn gives_role(scene: &mut Scene, host: Who, guest: Who, role: String) -> Result<(), Failure> {
    let guest = meet(scene, &guest).await?;
    let host = meet(scene, &host).await?;
    let member = identity(scene, &guest).await?.user.id;
    let _: Membership = desk(scene, &host)?
        .send(&Call::set_role(&member, &role))
        .await?
        .accepted()?;
    Ok(())
}

/// Somebody tries to give a member another role, which must be refused.
#[when(expr = "{person} tries to make {person} a/an {word}")]
async fn tries_to_give_role(
    scene: &mut Scene,
    host: Who,
    guest: Who,
    role: String,
) -> Result<(), Failure> {
    let guest = meet(scene, &guest).await?;
    let host = meet(scene, &host).await?;
    let member = identity(scene, &guest).await?.user.id;
    writing::attempt(scene, &host, &Call::set_role(&member, &role)).await
}

/// An admin removes a member.
#[given(expr = "{person} has removed {person}")]
#[when(expr = "{person} removes {person}")]
async fn removes(scene: &mut Scene, host: Who, guest: Who) -> Result<(), Failure> {
    let guest = meet(scene, &guest).await?;
    let host = meet(scene, &host).await?;
    let member = identity(scene, &guest).await?.user.id;
    let _: Membership = desk(scene, &host)?
        .send(&Call::remove_member(&member))
        .await?
        .accepted()?;
    Ok(())
}

/// Somebody tries to remove a member, which must be refused.
#[when(expr = "{person} tries to remove {person}")]
async fn tries_to_remove(scene: &mut Scene, host: Who, guest: Who) -> Result<(), Failure> {
    let guest = meet(scene, &guest).await?;
    let host = meet(scene, &host).await?;
    let member = identity(scene, &guest).await?.user.id;
    writing::attempt(scene, &host, &Call::remove_member(&member)).await
}

/// How the subscription directory says the book is paid for: trialing, active, past due, canceled or expired.
#[given(expr = "the subscription of {person}'s book is {string}")]
#[when(expr = "the subscription of {person}'s book becomes {string}")]
async fn subscription_is(scene: &mut Scene, host: Who, status: String) -> Result<(), Failure> {
    let host = meet(scene, &host).await?;
    let workspace = book::before(scene, &host)?.workspace.clone();
    let status = match status.as_str() {
        "trialing" => SubscriptionStatus::Trialing,
        "active" => SubscriptionStatus::Active,
        "past due" => SubscriptionStatus::PastDue,
        "canceled" => SubscriptionStatus::Canceled,
        _ => SubscriptionStatus::Expired,
    };
    let mocks = scene.environment.mocks.clone();
    let mocks = mocks.ok_or_else(|| {
        Failure::expected("a mock subscription directory").actual("a target without mocks")
    })?;
    let set = mocks
        .set_subscription(
            &workspace,
            Some(Subscription {
                status,
                ends_on: None,
            }),
        )
        .await;
    set.map_err(|problem| {
        Failure::expected("the mock directory keeps the subscription").actual(problem)
    })
}

/// What `whoami` says of somebody's role in the book before them.
#[then(expr = "{person} is a/an {word} of the book")]
async fn has_role(scene: &mut Scene, who: Who, role: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let workspace = book::before(scene, &name)?.workspace.clone();
    let identity = identity(scene, &name).await?;
    let found = identity
        .workspaces
        .iter()
        .find(|own| own.id == workspace)
        .map(|own| own.role.clone());
    if found.as_deref() == Some(role.as_str()) {
        return Ok(());
    }
    Err(
        Failure::expected(format!("{name} is {role} of {workspace}"))
            .actual(format!("{found:?} in {:?}", identity.workspaces)),
    )
}

/// How many invites wait for somebody, and of which role: `no invite` or `one invite as editor`.
#[then(expr = "{int} invite(s) wait(s) for {person}")]
async fn invites_wait(scene: &mut Scene, number: usize, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let waiting = identity(scene, &name).await?.invites;
    if waiting.len() == number {
        return Ok(());
    }
    Err(Failure::expected(format!("{number} invites for {name}")).actual(format!("{waiting:?}")))
}

/// The members and the open invites of the book, as its admin sees them.
#[then(expr = "{person} sees the members")]
async fn sees_members(
    scene: &mut Scene,
    who: Who,
    step: &cucumber::gherkin::Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let membership: Membership = desk(scene, &name)?
        .send(&Call::list_members())
        .await?
        .accepted()?;
    let mut seen: Vec<String> = membership
        .members
        .iter()
        .map(|member| format!("{} {} member", member.user.name, member.role))
        .collect();
    for invite in &membership.invites {
        let invited = scene
            .people
            .persons
            .iter()
            .find(|(_, person)| person.user.email == invite.email);
        let invited = invited.map_or(invite.email.as_str(), |(name, _)| name);
        seen.push(format!("{invited} {} invited", invite.role));
    }
    let lines = book::lines(step);
    let mut expected: Vec<String> = lines
        .iter()
        .map(|line| {
            ["name", "role", "state"]
                .map(|heading| line.cell(heading).unwrap_or_default())
                .join(" ")
        })
        .collect();
    seen.sort();
    expected.sort();
    if seen == expected {
        return Ok(());
    }
    Err(Failure::expected(format!("{expected:?}")).actual(format!("{seen:?}")))
}

/// Somebody accepts an invite and hands in an argument that the tool does not have, which must be refused.
#[when(expr = "{person} tries to accept {person}'s invite with the argument {string}")]
async fn tries_to_accept_with(
    scene: &mut Scene,
    guest: Who,
    of: Who,
    argument: String,
) -> Result<(), Failure> {
    let of = meet(scene, &of).await?;
    let guest = meet(scene, &guest).await?;
    let code = scene
        .people
        .invites
        .get(&of)
        .map(|invite| invite.code.clone());
    let call = Call::accept_invite(code.as_deref(), None).with(&argument, json!(true));
    writing::attempt(scene, &guest, &call).await
}

/// No person has two memberships of one book.
#[then(expr = "nobody stands twice among the members that {person} sees")]
async fn nobody_twice(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let seen: Membership = desk(scene, &name)?
        .send(&Call::list_members())
        .await?
        .accepted()?;
    let mut ids: Vec<&String> = seen.members.iter().map(|member| &member.user.id).collect();
    ids.sort();
    if ids.windows(2).all(|pair| pair[0] != pair[1]) {
        return Ok(());
    }
    Err(Failure::expected("each member once").actual(format!("{:?}", seen.members)))
}

/// An admin invites somebody, and writes their address in capital letters.
#[when(expr = "{person} invites {person} in capital letters as {word}")]
async fn invites_in_capitals(
    scene: &mut Scene,
    host: Who,
    guest: Who,
    role: String,
) -> Result<(), Failure> {
    let guest = meet(scene, &guest).await?;
    let host = meet(scene, &host).await?;
    let address = email(scene, &guest)?.to_uppercase();
    let answer = desk(scene, &host)?
        .send(&Call::invite(&address, &role))
        .await?;
    if let Some(invite) = answer.accepted::<Membership>()?.invite {
        scene.people.invites.insert(guest, invite);
    }
    Ok(())
}

/// An address that is none is invited, which must be refused.
#[when(expr = "{person} tries to invite the address {string}")]
async fn tries_to_invite_address(
    scene: &mut Scene,
    host: Who,
    address: String,
) -> Result<(), Failure> {
    let host = meet(scene, &host).await?;
    writing::attempt(scene, &host, &Call::invite(&address, "viewer")).await
}

/// The user directory says whether somebody has shown that their address is theirs.
#[given(expr = "{person} has not proven their address")]
async fn address_is_unproven(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    prove(scene, &who, false).await
}

/// From now on the address counts as proven.
#[when(expr = "{person} proves their address")]
async fn address_is_proven(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    prove(scene, &who, true).await
}

async fn prove(scene: &mut Scene, who: &Who, proven: bool) -> Result<(), Failure> {
    let name = meet(scene, who).await?;
    let mut user = scene.people.person(&name)?.user.clone();
    user.email_verified = proven;
    tokens::mocks(scene)?.set_user(&user).await?;
    Ok(())
}

/// Whatever is wrong with an invite, the refusal has one and the same body.
#[then("every refusal of an invite reads alike")]
fn refusals_alike(scene: &mut Scene) -> Result<(), Failure> {
    let answers = scene.book.answers.all();
    let mut refused = answers
        .iter()
        .filter(|answer| answer.tool == "accept_invite" && answer.is_error);
    let first = refused
        .next()
        .ok_or_else(|| Failure::harness("no invite was refused before this sentence"))?;
    match refused.find(|answer| answer.body != first.body) {
        None => Ok(()),
        Some(other) => Err(Failure::expected(&first.body).actual(&other.body)),
    }
}

/// The trial of the book before somebody ends with a day.
#[when(expr = "the trial of {person}'s book ends on {day}")]
async fn trial_ends(scene: &mut Scene, host: Who, day: Day) -> Result<(), Failure> {
    let host = meet(scene, &host).await?;
    let workspace = book::before(scene, &host)?.workspace.clone();
    let subscription = Subscription {
        status: SubscriptionStatus::Trialing,
        ends_on: Some(day.0.parse().map_err(Failure::harness)?),
    };
    let set = tokens::mocks(scene)?.set_subscription(&workspace, Some(subscription));
    set.await.map_err(Failure::from)
}

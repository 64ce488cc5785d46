//! Steps about people: who speaks, whose book is open before them, and what members may do.

use std::{collections::BTreeMap, str::FromStr, sync::Arc};

use cucumber::{given, then, when};
use secrecy::SecretString;
use ulid::Ulid;

use super::{
    book::{self, note_down},
    writing,
};
use crate::{
    client::Session,
    mocks::{SubscriptionStatus, TokenRecipe, User, people::Subscription},
    suite::{Failure, Scene},
    worthbase::{
        Answer, Call, Desk,
        result::{Identity, Joined, MadeInvite, Membership},
    },
};

/// How long a person's token lasts, in seconds of the steered clock: longer than any scenario lets pass.
const TOKEN_LIFETIME: i64 = 3 * 60 * 60;

/// A person as a sentence names them: by name, or as the one spoken of last.
#[derive(Debug, Clone, cucumber::Parameter)]
#[param(name = "person", regex = "Ada|Ben|Cleo|Dora|Emil|she|he")]
pub struct Who(String);

impl FromStr for Who {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl Who {
    /// A person by name.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self(name.to_owned())
    }
}

/// What a scenario remembers about its people.
#[derive(Debug, Default)]
pub struct People {
    persons: BTreeMap<String, Person>,
    spoken_of: Option<String>,
    invites: BTreeMap<String, MadeInvite>,
}

/// Somebody with a token and an open session.
#[derive(Debug)]
pub struct Person {
    /// What the directory says of them.
    pub user: User,
    /// Their session.
    pub session: Arc<Session>,
    /// The book before them: a place on the scene's shelf.
    pub book: Option<usize>,
}

impl People {
    /// Somebody the scenario has met.
    ///
    /// # Errors
    /// The feature file speaks of somebody nobody has met.
    pub fn person(&self, name: &str) -> Result<&Person, Failure> {
        self.persons.get(name).ok_or_else(|| {
            Failure::expected(format!("{name} was met before")).actual("an unknown person")
        })
    }

    /// Lays a book before somebody.
    pub fn lay_before(&mut self, name: &str, book: usize) {
        if let Some(person) = self.persons.get_mut(name) {
            person.book = Some(book);
        }
    }

    fn name(&self, who: &Who) -> Result<String, Failure> {
        match who.0.as_str() {
            "she" | "he" => {
                let spoken_of = self.spoken_of.clone();
                spoken_of.ok_or_else(|| {
                    Failure::expected("a sentence before that names a person").actual(&who.0)
                })
            }
            name => Ok(name.to_owned()),
        }
    }
}

/// The name of the person a sentence speaks of; a person named for the first time gets an entry in the user directory, a
/// token and a session.
///
/// # Errors
/// The mocks or the server do not let the person in.
pub async fn meet(scene: &mut Scene, who: &Who) -> Result<String, Failure> {
    let name = scene.people.name(who)?;
    if !scene.people.persons.contains_key(&name) {
        let user = User::new(&format!("{}-{}", name.to_lowercase(), Ulid::new()), &name);
        let session = sign_in(scene, &user).await?;
        scene.people.persons.insert(
            name.clone(),
            Person {
                user,
                session: Arc::new(session),
                book: None,
            },
        );
    }
    scene.people.spoken_of = Some(name.clone());
    Ok(name)
}

/// Puts `user` into the directory and opens a session with a good token of theirs.
async fn sign_in(scene: &Scene, user: &User) -> Result<Session, Failure> {
    let environment = &scene.environment;
    let mocks = environment.mocks.as_ref();
    let mocks = mocks.ok_or_else(|| {
        Failure::expected("mocks that mint tokens").actual("a target without mocks")
    })?;
    let expected = || Failure::expected(format!("{} can sign in", user.name));
    mocks
        .set_user(user)
        .await
        .map_err(|problem| expected().actual(problem))?;
    let mut recipe = TokenRecipe::good(&user.sub, environment.target.resource.as_str());
    recipe.lifetime_seconds = TOKEN_LIFETIME;
    let token = mocks
        .mint(&recipe)
        .await
        .map_err(|problem| expected().actual(problem))?;
    let token = SecretString::from(token.expose().to_owned());
    let endpoint = &environment.target.endpoint;
    let session = Session::open(
        endpoint,
        &token,
        scene.revision,
        &scene.recorder,
        environment.request_timeout,
    )
    .await;
    session.map_err(|problem| expected().actual(problem))
}

/// The desk of somebody: their session, acting in the book before them.
///
/// # Errors
/// Nobody of this name was met.
pub fn desk(scene: &Scene, name: &str) -> Result<Desk, Failure> {
    let person = scene.people.person(name)?;
    let workspace = person
        .book
        .and_then(|place| scene.book.shelf.get(place))
        .map(|book| book.workspace.clone());
    Ok(Desk::new(
        Arc::clone(&person.session),
        workspace,
        scene.book.answers.clone(),
    ))
}

/// The desk of somebody who names no workspace.
///
/// # Errors
/// Nobody of this name was met.
pub fn desk_without_book(scene: &Scene, name: &str) -> Result<Desk, Failure> {
    let person = scene.people.person(name)?;
    Ok(Desk::new(
        Arc::clone(&person.session),
        None,
        scene.book.answers.clone(),
    ))
}

/// A further desk of the same person on a connection of its own.
///
/// # Errors
/// The server does not let the person in once more.
pub async fn further_desk(scene: &Scene, name: &str) -> Result<Desk, Failure> {
    let person = scene.people.person(name)?;
    let workspace = person
        .book
        .and_then(|place| scene.book.shelf.get(place))
        .map(|book| book.workspace.clone());
    let session = sign_in(scene, &person.user).await?;
    Ok(Desk::new(
        Arc::new(session),
        workspace,
        scene.book.answers.clone(),
    ))
}

/// Everybody signs in anew, on a fresh connection: for a server that was started again.
///
/// # Errors
/// The server does not let somebody in once more.
pub async fn sign_in_again(scene: &mut Scene) -> Result<(), Failure> {
    let users: Vec<User> = scene
        .people
        .persons
        .values()
        .map(|person| person.user.clone())
        .collect();
    let names: Vec<String> = scene.people.persons.keys().cloned().collect();
    for (name, user) in names.into_iter().zip(users) {
        let session = Arc::new(sign_in(scene, &user).await?);
        if let Some(person) = scene.people.persons.get_mut(&name) {
            person.session = session;
        }
    }
    Ok(())
}

/// Who somebody is to the server, and what is theirs.
///
/// # Errors
/// `whoami` gave no answer or refused.
pub async fn identity(scene: &Scene, name: &str) -> Result<Identity, Failure> {
    desk(scene, name)?.send(&Call::whoami()).await?.accepted()
}

/// The email address of somebody.
fn email(scene: &Scene, name: &str) -> Result<String, Failure> {
    Ok(scene.people.person(name)?.user.email.clone())
}

/// Somebody exists and has a token; nothing is kept for them yet.
#[given(expr = "{person} has signed in")]
async fn has_signed_in(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    meet(scene, &who).await.map(drop)
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
    let call = Call::invite(&email(scene, &guest)?, &role);
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

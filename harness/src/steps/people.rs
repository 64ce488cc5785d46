//! The people of a scenario: who speaks, with which token and session, and whose book is open before them.

use std::{collections::BTreeMap, str::FromStr, sync::Arc};

use cucumber::given;
use secrecy::SecretString;
use serde_json::Value;
use ulid::Ulid;

use crate::{
    client::{Session, message::CLIENT_NAME},
    mocks::{Token, TokenRecipe, User, token::Alteration},
    suite::{Failure, Scene},
    worthbase::{
        Answer, Call, Desk,
        result::{Identity, MadeInvite},
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
    /// Everybody met so far, by name.
    pub persons: BTreeMap<String, Person>,
    spoken_of: Option<String>,
    /// Invites by the name of the invited person.
    pub invites: BTreeMap<String, MadeInvite>,
    /// What became of each tool that somebody tried.
    pub outcomes: BTreeMap<String, Answer>,
    /// The answer to an id of another book, ids struck out.
    pub foreign: Option<String>,
    /// The answer to an id never given out, ids struck out.
    pub unknown: Option<String>,
    /// Answers to calls that were sent at once.
    pub race: Vec<Answer>,
    /// Items of several races, with the answers of each.
    pub rounds: Vec<(String, Vec<Answer>)>,
}

/// Somebody with a token and an open session.
#[derive(Debug)]
pub struct Person {
    /// What the directory says of them.
    pub user: User,
    /// Their session.
    pub session: Arc<Session>,
    /// Every token they ever signed in with.
    pub tokens: Vec<Token>,
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
        let (session, token) = sign_in(scene, &user).await?;
        scene.people.persons.insert(
            name.clone(),
            Person {
                user,
                session: Arc::new(session),
                tokens: vec![token],
                book: None,
            },
        );
    }
    scene.people.spoken_of = Some(name.clone());
    Ok(name)
}

/// Puts `user` into the directory and opens a session with a good token of theirs.
async fn sign_in(scene: &Scene, user: &User) -> Result<(Session, Token), Failure> {
    sign_in_with(scene, user, None).await
}

/// Opens a session of `user` with the client of this name, by what it says of itself and by whom its token was issued to.
pub(super) async fn sign_in_with(
    scene: &Scene,
    user: &User,
    client: Option<&str>,
) -> Result<(Session, Token), Failure> {
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
    if let Some(client) = client {
        recipe = recipe.altered(Alteration::SetClaim {
            name: "client_id".to_owned(),
            json: Value::from(client).to_string(),
        });
    }
    let token = mocks
        .mint(&recipe)
        .await
        .map_err(|problem| expected().actual(problem))?;
    let secret = SecretString::from(token.expose().to_owned());
    let endpoint = &environment.target.endpoint;
    let session = Session::open_as(
        client.unwrap_or(CLIENT_NAME),
        endpoint,
        &secret,
        scene.revision,
        &scene.recorder,
        environment.request_timeout,
    )
    .await;
    let session = session.map_err(|problem| expected().actual(problem))?;
    Ok((session, token))
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
    let (session, _) = sign_in(scene, &person.user).await?;
    Ok(Desk::new(
        Arc::new(session),
        workspace,
        scene.book.answers.clone(),
    ))
}

/// Everybody signs in anew, on a fresh connection: for a server that was started again, or when tokens have run out.
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
        let (session, token) = sign_in(scene, &user).await?;
        if let Some(person) = scene.people.persons.get_mut(&name) {
            person.session = Arc::new(session);
            person.tokens.push(token);
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

/// Somebody exists and has a token; nothing is kept for them yet.
#[given(expr = "{person} has signed in")]
async fn has_signed_in(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    meet(scene, &who).await.map(drop)
}

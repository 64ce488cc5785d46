//! The people and the sample data of the sandbox, recorded through the public tools as any client would.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use serde_json::{Map, Value};

use crate::client::{Recorder, Revision, Session};
use crate::mocks::people::Subscription;
use crate::mocks::{Mocks, SubscriptionStatus, Token, TokenRecipe, User};
use crate::target::Target;
use crate::worthbase::desk::Answers;
use crate::worthbase::result::{Identity, Membership, Recorded, SavedWorkspace};
use crate::worthbase::{Answer, Call, Desk};

/// Name of the workspace that all three people share.
pub const HOUSEHOLD: &str = "Household";

/// Name of the workspace that the admin has alone.
const COMPANY: &str = "Company";

/// How long the printed tokens last, in seconds of the steered clock: a year.
const TOKEN_LIFETIME: i64 = 365 * 24 * 60 * 60;

/// Bound on one request while the sample data is recorded.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Somebody who can sign in.
#[derive(Debug, Clone, Copy)]
pub struct Person {
    /// Name.
    pub name: &'static str,
    /// Role in the household.
    pub role: &'static str,
    sub: &'static str,
}

/// The people of the sandbox, the admin first. Their subjects stay the same from one start to the next.
pub const PEOPLE: [Person; 3] = [
    Person {
        name: "Ada",
        role: "admin",
        sub: "sandbox-ada",
    },
    Person {
        name: "Ben",
        role: "editor",
        sub: "sandbox-ben",
    },
    Person {
        name: "Cleo",
        role: "viewer",
        sub: "sandbox-cleo",
    },
];

impl Person {
    fn user(&self) -> User {
        User::new(self.sub, self.name)
    }
}

/// Puts the people into the directory and, where the books are new, records the sample data. Mocks forget, books may be
/// kept: workspaces that are there already are only declared as paid.
///
/// # Errors
/// If the mocks or the server do not play along.
pub async fn seed(mocks: &Mocks, target: &Target) -> anyhow::Result<()> {
    for person in PEOPLE {
        mocks.set_user(&person.user()).await?;
    }
    let [admin, others @ ..] = PEOPLE;
    let desk = desk(mocks, target, &admin).await?;
    let known: Identity = accepted(&desk.send(&Call::whoami()).await?)?;
    for workspace in &known.workspaces {
        pay(mocks, &workspace.id).await?;
    }
    if known.workspaces.is_empty() {
        let household = workspace(
            mocks,
            &desk,
            HOUSEHOLD,
            "AUD",
            include_str!("../../../../fixtures/sandbox/household.json"),
        )
        .await?;
        workspace(
            mocks,
            &desk,
            COMPANY,
            "EUR",
            include_str!("../../../../fixtures/sandbox/company.json"),
        )
        .await?;
        for person in others {
            join(mocks, target, &household, &person).await?;
        }
    }
    Ok(())
}

/// A token for `person` that lasts a year of the steered clock.
///
/// # Errors
/// If the mocks cannot be reached.
pub async fn token(mocks: &Mocks, target: &Target, person: &Person) -> anyhow::Result<Token> {
    let recipe = TokenRecipe::good(person.sub, &target.resource).lifetime_seconds(TOKEN_LIFETIME);
    Ok(mocks.mint(&recipe).await?)
}

/// A session of `person`, in their default workspace.
///
/// # Errors
/// If the server does not let them in.
pub async fn desk(mocks: &Mocks, target: &Target, person: &Person) -> anyhow::Result<Desk> {
    let token = token(mocks, target, person).await?;
    let session = Session::open(
        &target.endpoint,
        token.secret(),
        Revision::V2025_11_25,
        &Recorder::default(),
        TIMEOUT,
    )
    .await
    .with_context(|| format!("{} cannot sign in", person.name))?;
    Ok(Desk::new(Arc::new(session), None, Answers::default()))
}

/// Makes a workspace, pays for it and records a batch in it.
async fn workspace(
    mocks: &Mocks,
    desk: &Desk,
    name: &str,
    currency: &str,
    batch: &str,
) -> anyhow::Result<Desk> {
    let saved: SavedWorkspace = accepted(
        &desk
            .send(&Call::create_workspace(name, Some(currency)))
            .await?,
    )?;
    pay(mocks, &saved.workspace).await?;
    let desk = desk.in_workspace(&saved.workspace);
    let arguments: Map<String, Value> =
        serde_json::from_str(batch).context("the sample data is no JSON object")?;
    let record = Call {
        tool: "record",
        arguments,
        in_workspace: true,
    };
    let preview: Recorded = accepted(&desk.send(&record).await?)?;
    let preview_id = preview.preview_id.context("a preview without its id")?;
    let _: Recorded = accepted(&desk.send(&Call::commit(&preview_id)).await?)?;
    Ok(desk)
}

/// Invites `person` into the workspace of `admin`, and accepts for them.
async fn join(mocks: &Mocks, target: &Target, admin: &Desk, person: &Person) -> anyhow::Result<()> {
    let invited: Membership = accepted(
        &admin
            .send(&Call::invite(&person.user().email, person.role))
            .await?,
    )?;
    let invite = invited.invite.context("an invitation without its code")?;
    let own = desk(mocks, target, person).await?;
    let _: Value = accepted(
        &own.send(&Call::accept_invite(Some(&invite.code), None))
            .await?,
    )?;
    Ok(())
}

async fn pay(mocks: &Mocks, workspace: &str) -> anyhow::Result<()> {
    let active = Subscription {
        status: SubscriptionStatus::Active,
        ends_on: None,
    };
    Ok(mocks.set_subscription(workspace, Some(active)).await?)
}

fn accepted<T: serde::de::DeserializeOwned>(answer: &Answer) -> anyhow::Result<T> {
    answer.accepted().map_err(anyhow::Error::from)
}

//! Puts in order again what an `@isolated` scenario may have left behind on a server that somebody else runs: the broken
//! providers of its mocks, and the pause that the server makes after an outage.

use std::time::{Duration, Instant};

use secrecy::SecretString;
use serde_json::json;
use ulid::Ulid;

use super::{Environment, Failure};
use crate::{
    client::{Message, Recorder, Revision, Wire, WireRequest},
    mocks::{Mocks, Provider, TokenRecipe, User, admin::Command},
    target::Access,
};

/// How long a server may take to notice that its providers are back.
pub const PATIENCE: Duration = Duration::from_secs(5);
/// The pause between two looks; a server that pauses itself is not to be hammered.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// Longer than a server keeps keys or pauses after an outage; the steered clock is set forward by it.
const AFTER_EVERY_PAUSE: Duration = Duration::from_secs(16 * 60);

/// Mends every provider, lets every pause of the server pass, waits until it serves a good token again, and makes the
/// mocks forget what they were asked, so that the next scenario counts its own requests only. `patience` bounds the
/// waiting; one of zero looks once.
///
/// # Errors
/// A mock that cannot be mended, or a server that stays shut although nothing is broken any more.
pub async fn restore(
    environment: &Environment,
    revision: Revision,
    patience: Duration,
) -> Result<(), Failure> {
    let Some(mocks) = &environment.mocks else {
        return Ok(());
    };
    for provider in Provider::ALL {
        mocks.mend_provider(provider).await?;
    }
    mocks.execute(Command::RestoreMetadata).await?;
    mocks
        .execute(Command::SetKeyDocument {
            json: None,
            max_age_seconds: None,
        })
        .await?;
    // A server with a clock of its own would take every token from then on for one of the future.
    if environment.target.access >= Access::Control {
        mocks.advance(AFTER_EVERY_PAUSE).await?;
    }
    let started = Instant::now();
    while !is_open(environment, mocks, revision).await? {
        if started.elapsed() >= patience {
            return Err(Failure::expected(
                "the server to serve a good token again, now that nothing is broken",
            )
            .actual(format!("still not after {} s", patience.as_secs())));
        }
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
    for provider in Provider::ALL {
        mocks.execute(Command::ForgetRequests { provider }).await?;
    }
    Ok(())
}

async fn is_open(
    environment: &Environment,
    mocks: &Mocks,
    revision: Revision,
) -> Result<bool, Failure> {
    let user = User::new(&format!("restored-{}", Ulid::new()), "Restored");
    mocks.set_user(&user).await?;
    let recipe = TokenRecipe::good(&user.sub, &environment.target.resource);
    let token = SecretString::from(mocks.mint(&recipe).await?.expose().to_owned());
    let recorder = Recorder::default();
    recorder.hide(&token);
    let wire = Wire::new(&recorder, environment.request_timeout).map_err(Failure::harness)?;
    let list = Message::request(revision, json!(1), "tools/list", json!({}));
    let answer = wire
        .send(WireRequest::post(&environment.target.endpoint, &list).bearer(&token))
        .await;
    Ok(answer.is_ok_and(|answer| answer.status.is_success()))
}

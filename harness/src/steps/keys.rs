//! Steps about the keys that tokens are checked with: how often they are fetched, and what happens when they change or
//! cannot be had. These scenarios are isolated, because they count and break what others use.

use std::str::FromStr;
use std::time::{Duration, Instant};

use cucumber::{given, then, when};
use futures::future::join_all;
use futures::{StreamExt as _, stream};

use super::exchange::{Asked, Heard, message, send};
use super::tokens::{mint, mocks};
use crate::mocks::token::Alteration;
use crate::mocks::{Breakage, Provider, TokenRecipe};
use crate::suite::{Failure, Scene};

/// A way in which a key document can be broken, as a sentence names it.
#[derive(Clone, Debug, PartialEq, Eq, cucumber::Parameter)]
#[param(
    name = "broken_keys",
    regex = "a refused connection|an error 500|a page of HTML|a document cut in the middle|an empty body|an empty list of keys|five megabytes of nonsense|an answer that takes too long"
)]
pub struct BrokenKeys(Breakage);

/// Not one of the ways a sentence can name.
#[derive(Debug, thiserror::Error)]
#[error("no way to break keys is called {0:?}")]
pub struct UnknownBreakage(String);

impl FromStr for BrokenKeys {
    type Err = UnknownBreakage;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(match text {
            "a refused connection" => Breakage::Refused,
            "an error 500" => Breakage::Status {
                code: 500,
                retry_after_seconds: None,
            },
            "a page of HTML" => Breakage::Garbage,
            "a document cut in the middle" => Breakage::Truncated,
            "an empty body" => Breakage::Empty,
            "an empty list of keys" => Breakage::Nothing,
            "five megabytes of nonsense" => Breakage::Huge,
            "an answer that takes too long" => Breakage::Slow {
                milliseconds: 20_000,
            },
            other => return Err(UnknownBreakage(other.to_owned())),
        }))
    }
}

/// How often the key set was fetched so far.
async fn fetches(scene: &Scene) -> Result<u64, Failure> {
    mocks(scene)?
        .request_count(Provider::Keys)
        .await
        .map_err(Failure::from)
}

async fn break_keys(scene: &Scene, how: Breakage) -> Result<(), Failure> {
    let mocks = mocks(scene)?;
    // A refused connection can only be had for the whole port.
    let provider = if how == Breakage::Refused {
        Provider::Authorization
    } else {
        Provider::Keys
    };
    mocks
        .break_provider(provider, how)
        .await
        .map_err(Failure::from)
}

/// From the start of the scenario: the server has no keys yet.
#[given(expr = "the authorization server answers requests for keys with {broken_keys}")]
#[when(expr = "the authorization server begins to answer requests for keys with {broken_keys}")]
async fn keys_are_broken(scene: &mut Scene, how: BrokenKeys) -> Result<(), Failure> {
    break_keys(scene, how.0).await
}

/// A client that does as it was told: it tries again until the time it was given has passed, and a little longer.
#[when(expr = "Ada tries again for as long as she was told to wait, and {int} seconds more")]
async fn tries_again(scene: &mut Scene, more: u64) -> Result<(), Failure> {
    let told = scene.protocol.exchanges.proper()?.answer()?;
    let told = told
        .header("retry-after")
        .and_then(|text| text.parse::<u64>().ok());
    let deadline = Instant::now() + Duration::from_secs(told.unwrap_or(0) + more);
    loop {
        let heard = with_good_token(scene, "the good token again").await?;
        let served = heard.answer()?.status == 200;
        scene.protocol.exchanges.proper = Some(heard);
        if served || Instant::now() > deadline {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// The end of an outage.
#[when("the authorization server works again")]
async fn keys_are_mended(scene: &mut Scene) -> Result<(), Failure> {
    for provider in [Provider::Authorization, Provider::Keys] {
        mocks(scene)?.mend_provider(provider).await?;
    }
    Ok(())
}

/// A request that makes the server fetch the keys, and must be served.
#[given("the server has checked her token once")]
async fn server_is_warm(scene: &mut Scene) -> Result<(), Failure> {
    let heard = with_good_token(scene, "a first request").await?;
    if heard.answer()?.status == 200 {
        Ok(())
    } else {
        Err(heard.failure("served"))
    }
}

async fn with_good_token(scene: &Scene, case: &str) -> Result<Heard, Failure> {
    let request = message(scene, Asked::Tools).await?;
    let token = &scene.tokens.holder("Ada")?.token;
    send(scene, case, &request, |post| post.bearer(token)).await
}

/// The good token, as a request that may fail.
#[when("Ada presents her token")]
async fn presents_her_token(scene: &mut Scene) -> Result<(), Failure> {
    let heard = with_good_token(scene, "the good token").await?;
    if heard.took > Duration::from_secs(15) {
        return Err(heard.failure("an answer within 15 s"));
    }
    scene.protocol.exchanges.others = Vec::new();
    scene.protocol.exchanges.proper = Some(heard);
    Ok(())
}

/// The good token many times in a row.
#[when(expr = "Ada presents her token {int} times in a row")]
async fn presents_in_a_row(scene: &mut Scene, times: usize) -> Result<(), Failure> {
    let mut others = Vec::new();
    for number in 1..=times {
        others.push(with_good_token(scene, &format!("request {number} of {times}")).await?);
    }
    scene.protocol.exchanges.proper = Some(with_good_token(scene, "the request after them").await?);
    scene.protocol.exchanges.others = others;
    Ok(())
}

/// The key is replaced, and tokens are signed by the new one from now on.
#[when("the authorization server takes a second key and keeps the first, and Ada gets a new token")]
async fn rotates_and_keeps(scene: &mut Scene) -> Result<(), Failure> {
    rotate(scene, true).await
}

/// The same, and the old key is withdrawn.
#[when("the authorization server replaces its key, and Ada gets a new token")]
async fn rotates_and_withdraws(scene: &mut Scene) -> Result<(), Failure> {
    rotate(scene, false).await
}

async fn rotate(scene: &mut Scene, keep_old: bool) -> Result<(), Failure> {
    let holder = scene.tokens.holder("Ada")?;
    let (subject, old) = (holder.user.sub.clone(), holder.token.clone());
    mocks(scene)?.rotate_keys(keep_old).await?;
    let new = mint(
        scene,
        &TokenRecipe::good(&subject, &scene.environment.target.resource),
    )
    .await?;
    scene
        .tokens
        .replace("Ada", new, "the token of the old key", old);
    Ok(())
}

/// Her good token ran out of time with the clock; she gets another, signed by the same key.
#[when("Ada gets a new token")]
async fn gets_a_new_token(scene: &mut Scene) -> Result<(), Failure> {
    let subject = scene.tokens.holder("Ada")?.user.sub.clone();
    let new = mint(
        scene,
        &TokenRecipe::good(&subject, &scene.environment.target.resource),
    )
    .await?;
    scene.tokens.renew("Ada", new);
    Ok(())
}

/// Tokens that each name a key nobody has, ten at a time.
#[when(expr = "{int} tokens that name unknown keys are presented")]
async fn unknown_keys(scene: &mut Scene, count: usize) -> Result<(), Failure> {
    let subject = scene.tokens.holder("Ada")?.user.sub.clone();
    let request = message(scene, Asked::Tools).await?;
    let mut tokens = Vec::new();
    for number in 0..count {
        let name = Alteration::SetHeader {
            name: "kid".to_owned(),
            json: format!("\"unknown-{number}\""),
        };
        let foreign =
            TokenRecipe::good(&subject, &scene.environment.target.resource).with("kid-unknown")?;
        tokens.push(mint(scene, &foreign.altered(name)).await?);
    }
    let started = Instant::now();
    let scene_now = &*scene;
    let presented = tokens.iter().map(|token| {
        send(scene_now, "an unknown key", &request, |post| {
            post.bearer(token)
        })
    });
    let others: Vec<Result<Heard, Failure>> = stream::iter(presented).buffered(10).collect().await;
    let others = others.into_iter().collect::<Result<Vec<_>, _>>()?;
    scene.protocol.exchanges.others = others;
    scene.tokens.presented_for = started.elapsed();
    scene.protocol.exchanges.proper = Some(with_good_token(scene, "the good token").await?);
    Ok(())
}

/// Requests that hold no token at all, or nothing that could be one.
#[when(expr = "{int} requests without a token, or with garbage for one, are sent")]
async fn garbage(scene: &mut Scene, count: usize) -> Result<(), Failure> {
    let request = message(scene, Asked::Tools).await?;
    let sent = (0..count).map(|number| {
        let (scene, request) = (&*scene, &request);
        async move {
            send(scene, "garbage", request, |post| match number % 3 {
                0 => post,
                1 => post.authorization("Bearer garbage"),
                _ => post.authorization("Bearer a.b.c"),
            })
            .await
        }
    });
    let others = join_all(sent)
        .await
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    scene.protocol.exchanges.others = others;
    Ok(())
}

/// What was fetched from the start of the scenario on.
#[then(expr = "the keys were fetched at most {int} time(s)")]
async fn fetched_at_most(scene: &mut Scene, most: u64) -> Result<(), Failure> {
    let count = fetches(scene).await?;
    if count <= most {
        return Ok(());
    }
    Err(Failure::expected(format!("at most {most} requests for the key set"))
        .actual(format!("{count}"))
        .hint("keep the keys, share one fetch between requests, and pause after a fetch that did not help"))
}

/// The same as a rate: on a slow machine the tokens take longer, and so may the fetches.
#[then(expr = "the keys were fetched at most {int} times in 10 seconds")]
async fn fetched_at_most_in_ten_seconds(scene: &mut Scene, most: u64) -> Result<(), Failure> {
    let spans = scene.tokens.presented_for.as_secs() / 10 + 1;
    fetched_at_most(scene, most * spans).await
}

/// Somebody must fetch the keys, or the count above says nothing.
#[then(expr = "the keys were fetched at least once")]
async fn fetched_at_least_once(scene: &mut Scene) -> Result<(), Failure> {
    match fetches(scene).await? {
        0 => Err(Failure::expected("at least one request for the key set").actual("none")),
        _ => Ok(()),
    }
}

/// The honest answer while keys cannot be had: try again later, not "your token is bad".
#[then("the good token is answered with 503 and when to try again")]
fn answered_503(scene: &mut Scene) -> Result<(), Failure> {
    let heard = scene.protocol.exchanges.proper()?;
    let answer = heard.answer()?;
    let later = answer.header("retry-after").unwrap_or_default();
    let says_when = later.parse::<u32>().is_ok() || later.ends_with("GMT");
    if answer.status == 503 && says_when {
        Ok(())
    } else {
        Err(heard.failure("503 with Retry-After"))
    }
}

/// Whatever is wrong with the keys, a token is not accepted for that reason.
#[then("the good token is not accepted")]
fn not_accepted(scene: &mut Scene) -> Result<(), Failure> {
    let heard = scene.protocol.exchanges.proper()?;
    let status = heard.answer()?.status;
    if status.is_client_error() || status.is_server_error() {
        Ok(())
    } else {
        Err(heard.failure("refused, best with 503"))
    }
}

/// A key document that never comes must not hold up the answer.
#[then(expr = "every answer came within {int} seconds")]
fn answered_in_time(scene: &mut Scene, seconds: u64) -> Result<(), Failure> {
    let exchanges = &scene.protocol.exchanges;
    for heard in exchanges.others()?.iter().chain(exchanges.proper.iter()) {
        if heard.answer.is_err() || heard.took > Duration::from_secs(seconds) {
            return Err(heard.failure(format!(
                "an answer within {seconds} s, not after {:?}",
                heard.took
            )));
        }
    }
    Ok(())
}

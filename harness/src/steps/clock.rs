//! Steps that move the steered clock. Tokens run out by it, so after a long time everybody signs in anew.

use std::{str::FromStr, time::Duration};

use cucumber::{given, when};
use jiff::Timestamp;

use super::people;
use super::tokens::mocks;
use crate::suite::{Failure, Scene};

/// A moment in a sentence: `2026-11-01 12:00:00 UTC`.
#[derive(Debug, Clone, cucumber::Parameter)]
#[param(name = "moment", regex = r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC")]
pub struct Moment(Timestamp);

impl FromStr for Moment {
    type Err = jiff::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let instant = text.replacen(' ', "T", 1).replace(" UTC", "Z");
        instant.parse().map(Self)
    }
}

/// The clock stands at a moment from now on; everybody signs in anew.
#[given(expr = "it is {moment}")]
#[when(expr = "it is {moment}")]
async fn it_is(scene: &mut Scene, moment: Moment) -> Result<(), Failure> {
    mocks(scene)?.set_clock(moment.0).await?;
    people::sign_in_again(scene).await
}

/// The clock moves on by some seconds.
#[when(expr = "{int} second(s) pass(es)")]
async fn seconds_pass(scene: &mut Scene, seconds: u64) -> Result<(), Failure> {
    mocks(scene)?.advance(Duration::from_secs(seconds)).await?;
    Ok(())
}

/// The clock moves on by some days; everybody signs in anew.
#[given(expr = "{int} day(s) has/have passed")]
#[when(expr = "{int} day(s) pass(es)")]
async fn days_pass(scene: &mut Scene, days: u64) -> Result<(), Failure> {
    mocks(scene)?
        .advance(Duration::from_secs(days * 24 * 60 * 60))
        .await?;
    people::sign_in_again(scene).await
}

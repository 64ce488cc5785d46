//! Steps about the secret codes of invites: that they cannot be guessed, and that nobody else is shown them.

use std::collections::BTreeSet;

use cucumber::{then, when};
use serde_json::json;
use ulid::Ulid;

use super::{
    people::{Who, desk, meet},
    writing,
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Call,
        result::{MadeInvite, Membership},
    },
};

/// Bits that nobody guesses.
const ENOUGH_BITS: f64 = 128.0;

/// What a scenario remembers about codes.
#[derive(Debug, Default)]
pub struct InviteCodes {
    codes: Vec<String>,
    refusals: Vec<String>,
}

/// Invites of people who do not exist, for a look at their codes.
#[when(expr = "{person} invites {int} people as {word}")]
async fn invites_many(
    scene: &mut Scene,
    who: Who,
    count: usize,
    role: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    for _ in 0..count {
        let email = format!("guest-{}@example.com", Ulid::new()).to_lowercase();
        let call = Call::invite(&email, &role);
        let made: Membership = desk(scene, &name)?.send(&call).await?.accepted()?;
        let code = made.invite.map(|MadeInvite { code, .. }| code);
        let code = code.ok_or_else(|| Failure::expected("an invite with a code").actual("none"))?;
        scene.invite_codes.codes.push(code);
    }
    Ok(())
}

/// The codes differ, and the letters that differ are enough for 128 bits. The alphabet is taken to be the letters that the
/// codes show, so that a code that only looks long is measured by what varies in it.
#[then("no code can be guessed")]
fn cannot_be_guessed(scene: &mut Scene) -> Result<(), Failure> {
    let codes = &scene.invite_codes.codes;
    let bits = bits_that_vary(codes);
    let distinct: BTreeSet<&String> = codes.iter().collect();
    if distinct.len() == codes.len() && bits >= ENOUGH_BITS {
        return Ok(());
    }
    Err(
        Failure::expected("codes that all differ, with at least 128 bits that vary")
            .actual(format!("about {bits:.0} bits in {} codes", codes.len())),
    )
}

/// Places that are not the same in all codes, times the bits of a letter that is drawn from those seen there.
fn bits_that_vary(codes: &[String]) -> f64 {
    let shortest = codes.iter().map(|code| code.chars().count()).min();
    let varying = |place: &usize| {
        let letters: BTreeSet<Option<char>> =
            codes.iter().map(|code| code.chars().nth(*place)).collect();
        letters.len() > 1
    };
    let places: Vec<usize> = (0..shortest.unwrap_or(0)).filter(varying).collect();
    let alphabet: BTreeSet<char> = codes
        .iter()
        .flat_map(|code| code.chars().enumerate())
        .filter(|(place, _)| places.contains(place))
        .map(|(_, letter)| letter)
        .collect();
    let count = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
    count(places.len()) * count(alphabet.len().max(1)).log2()
}

/// Codes that nobody was given are tried one after the other, each of which must be refused.
#[when(expr = "{person} tries {int} codes that were never given out")]
async fn tries_codes(scene: &mut Scene, who: Who, count: usize) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    for _ in 0..count {
        let code = format!("{}{}", Ulid::new(), Ulid::new());
        let call = Call::accept_invite(Some(&code), None);
        let answer = desk(scene, &name)?.send(&call).await?;
        scene.invite_codes.refusals.push(answer.refusal()?.code);
    }
    Ok(())
}

/// Before all those codes were tried, the person was told to wait.
#[then("the guessing is stopped with \"rate_limited\"")]
fn is_stopped(scene: &mut Scene) -> Result<(), Failure> {
    let refusals = &scene.invite_codes.refusals;
    match refusals.iter().position(|code| code == "rate_limited") {
        Some(place) if place > 0 => Ok(()),
        place => Err(
            Failure::expected("some refusals of wrong codes, and then a limit").actual(format!(
                "{} refusals, limited from number {place:?}",
                refusals.len()
            )),
        ),
    }
}

/// No code stands in what somebody is shown: who they are, the overview, the members, the batches, and a refusal.
#[then(expr = "no code is shown to {person}")]
async fn is_not_shown(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let mut codes = scene.invite_codes.codes.clone();
    codes.extend(scene.people.invites.values().map(|made| made.code.clone()));
    if codes.is_empty() {
        return Err(Failure::harness("no code was made before this sentence"));
    }
    writing::attempt(
        scene,
        &name,
        &Call::accept_invite(codes.first().map(String::as_str), Some("both")),
    )
    .await?;
    let refusal = scene.writing.last.clone();
    let mut texts: Vec<String> = refusal
        .into_iter()
        .map(|answer| answer.body.to_string())
        .collect();
    for call in [
        Call::whoami(),
        Call::get_overview(),
        Call::list_members(),
        Call::raw("list_batches", json!({})),
    ] {
        let answer = desk(scene, &name)?.send(&call).await?;
        texts.push(format!("{}{}", answer.body, answer.text));
    }
    let shown = codes
        .iter()
        .any(|code| texts.iter().any(|text| text.contains(code.as_str())));
    if shown {
        return Err(Failure::expected("answers without a code").actual("one that shows a code"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_varies_is_hard_to_guess() {
        let codes: Vec<String> = (0..64)
            .map(|number| format!("INVITE-0000000000000000000000-{number:02}"))
            .collect();
        assert!(bits_that_vary(&codes) < 8.0);
        let codes: Vec<String> = (0..64)
            .map(|_| format!("{}{}", Ulid::new(), Ulid::new()))
            .collect();
        assert!(bits_that_vary(&codes) > ENOUGH_BITS);
    }
}

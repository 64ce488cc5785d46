//! Steps that save legal owners and accounts: new ones, and changes that keep the id.

use cucumber::{gherkin::Step, given, then, when};

use super::{
    book::{before, before_mut, lines},
    items::write,
    people::{Who, desk, meet},
    table::{Cell, compare_table},
    writing::attempt,
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Call,
        result::{SavedAccount, SavedParty},
    },
};

/// A legal owner is added, and its batch is kept.
#[given(expr = "{person} has added the party {string} of kind {word}")]
#[when(expr = "{person} adds the party {string} of kind {word}")]
async fn adds_party(
    scene: &mut Scene,
    who: Who,
    party: String,
    kind: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let answer = write(scene, &name, &Call::add_party(&party, &kind)).await?;
    let saved: SavedParty = answer.accepted()?;
    let known = &mut before_mut(scene, &name)?.parties;
    known.insert(party, saved.party.id);
    Ok(())
}

/// An account is added, and its batch is kept.
#[given(expr = "{person} has added the account {string} of kind {word}")]
#[when(expr = "{person} adds the account {string} of kind {word}")]
async fn adds_account(
    scene: &mut Scene,
    who: Who,
    account: String,
    kind: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let answer = write(scene, &name, &Call::add_account(&account, &kind)).await?;
    let saved: SavedAccount = answer.accepted()?;
    let known = &mut before_mut(scene, &name)?.accounts;
    known.insert(account, saved.account.id);
    Ok(())
}

/// A legal owner gets another name or kind, and keeps its id.
#[when(expr = "{person} changes the party {string} to {string} of kind {word}")]
async fn changes_party(
    scene: &mut Scene,
    who: Who,
    party: String,
    new_name: String,
    kind: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let id = before(scene, &name)?.parties.get(&party).cloned();
    let id = id.unwrap_or_default();
    let answer = write(scene, &name, &Call::change_party(&id, &new_name, &kind)).await?;
    let saved: SavedParty = answer.accepted()?;
    if saved.party.id != id || saved.party.name != new_name {
        let expected = format!("{id} under the name {new_name}");
        return Err(Failure::expected(expected).actual(format!("{saved:?}")));
    }
    let known = &mut before_mut(scene, &name)?.parties;
    known.remove(&party);
    known.insert(new_name, id);
    Ok(())
}

/// An account gets another name or kind, and keeps its id.
#[when(expr = "{person} changes the account {string} to {string} of kind {word}")]
async fn changes_account(
    scene: &mut Scene,
    who: Who,
    account: String,
    new_name: String,
    kind: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let id = before(scene, &name)?.accounts.get(&account).cloned();
    let id = id.unwrap_or_default();
    let answer = write(scene, &name, &Call::change_account(&id, &new_name, &kind)).await?;
    let saved: SavedAccount = answer.accepted()?;
    if saved.account.id != id || saved.account.name != new_name {
        let expected = format!("{id} under the name {new_name}");
        return Err(Failure::expected(expected).actual(format!("{saved:?}")));
    }
    let known = &mut before_mut(scene, &name)?.accounts;
    known.remove(&account);
    known.insert(new_name, id);
    Ok(())
}

/// A legal owner is to be added, which must be refused.
#[when(expr = "{person} tries to add the party {string} of kind {word}")]
async fn tries_party(
    scene: &mut Scene,
    who: Who,
    party: String,
    kind: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    attempt(scene, &name, &Call::add_party(&party, &kind)).await
}

/// An account is to be added, which must be refused.
#[when(expr = "{person} tries to add the account {string} of kind {word}")]
async fn tries_account(
    scene: &mut Scene,
    who: Who,
    account: String,
    kind: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    attempt(scene, &name, &Call::add_account(&account, &kind)).await
}

/// The legal owners of a book, each once: columns `party kind`.
#[then(expr = "{person}'s overview lists the parties")]
async fn parties_are(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let parties = desk(scene, &name)?.overview().await?.parties;
    let rows = parties.into_iter().map(|party| {
        vec![
            Cell::text("party", party.name),
            Cell::text("kind", party.kind.unwrap_or_default()),
        ]
    });
    compare_table(&lines(step), &rows.collect::<Vec<_>>())
}

/// The accounts of a book, each once: columns `account kind`.
#[then(expr = "{person}'s overview lists the accounts")]
async fn accounts_are(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let accounts = desk(scene, &name)?.overview().await?.accounts;
    let rows = accounts.into_iter().map(|account| {
        vec![
            Cell::text("account", account.name),
            Cell::text("kind", account.kind.unwrap_or_default()),
        ]
    });
    compare_table(&lines(step), &rows.collect::<Vec<_>>())
}

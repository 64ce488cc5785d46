//! Steps about workspaces themselves: renaming, currency, and users who have none.

use cucumber::{gherkin::Step, then, when};
use serde_json::json;

use super::{
    book::{Currency, before, lines, note_down, read_all},
    people::{Who, desk, desk_without_book, identity, meet},
    table::{Cell, compare_table},
    writing::attempt,
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{Call, result::SavedWorkspace},
};

/// The book before somebody gets another name.
#[when(expr = "{person} renames the book to {string}")]
async fn renames(scene: &mut Scene, who: Who, title: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let workspace = before(scene, &name)?.workspace.clone();
    let saved: SavedWorkspace = desk(scene, &name)?
        .send(&Call::rename_workspace(&title))
        .await?
        .accepted()?;
    if saved.workspace == workspace && saved.name == title {
        return Ok(());
    }
    Err(Failure::expected(format!("{workspace} named {title:?}")).actual(format!("{saved:?}")))
}

/// A name that must be refused.
#[when(expr = "{person} tries to rename the book to {string}")]
async fn tries_to_rename(scene: &mut Scene, who: Who, title: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    attempt(scene, &name, &Call::rename_workspace(&title)).await
}

/// Another currency for an existing book, which must be refused.
#[when(expr = "{person} tries to rename the book to {string} in {currency}")]
async fn tries_to_change_currency(
    scene: &mut Scene,
    who: Who,
    title: String,
    currency: Currency,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    attempt(
        scene,
        &name,
        &Call::rename_workspace(&title).with("base_currency", json!(currency.0)),
    )
    .await
}

/// A new book in a currency that must be refused.
#[when(expr = "{person} tries to make a book in {currency}")]
async fn tries_to_make(scene: &mut Scene, who: Who, currency: Currency) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    attempt(
        scene,
        &name,
        &Call::create_workspace("A further book", Some(&currency.0)),
    )
    .await
}

/// The workspaces of somebody: columns `name role currency subscription`.
#[then(expr = "{person} sees the workspaces")]
async fn sees_workspaces(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let identity = identity(scene, &name).await?;
    let rows = identity.workspaces.iter().map(|own| {
        vec![
            Cell::text("name", &own.name),
            Cell::text("role", &own.role),
            Cell::text("currency", &own.base_currency),
            Cell::text("subscription", &own.subscription.status),
        ]
    });
    compare_table(&lines(step), &rows.collect::<Vec<_>>())
}

/// The default workspace of somebody is one of those that `whoami` lists.
#[then(expr = "{person}'s default workspace is one of them")]
async fn default_is_listed(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let identity = identity(scene, &name).await?;
    let listed = identity
        .workspaces
        .iter()
        .any(|own| Some(&own.id) == identity.default_workspace.as_ref());
    if listed && identity.user.name == name {
        return Ok(());
    }
    Err(
        Failure::expected(format!("{name} with a default among the workspaces"))
            .actual(format!("{identity:?}")),
    )
}

/// Somebody belongs to no workspace.
#[then(expr = "{person} sees no workspace")]
async fn sees_no_workspace(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let identity = identity(scene, &name).await?;
    if identity.workspaces.is_empty() && identity.default_workspace.is_none() {
        return Ok(());
    }
    Err(Failure::expected("no workspace and no default one").actual(format!("{identity:?}")))
}

/// Somebody who has no book asks for the overview, which must be refused.
#[when(expr = "{person} tries to read an overview without any book")]
async fn tries_without_book(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    note_down(scene).await?;
    let answer = desk_without_book(scene, &name)?
        .send(&Call::get_overview())
        .await?;
    scene.writing.last = Some(answer);
    Ok(())
}

/// The overview in one line: columns `parties accounts assets liabilities net worth stale mismatches price run batches`;
/// its recent batches are the head of the list of batches.
#[then(expr = "{person}'s overview is complete")]
async fn overview_is(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let here = desk(scene, &name)?;
    let overview = here.overview().await?;
    let batches = here.batches().await?;
    let same = overview
        .recent_batches
        .iter()
        .zip(&batches)
        .all(|(recent, listed)| recent.id == listed.id);
    if !same || overview.recent_batches.is_empty() {
        let actual = format!("{:?} and {batches:?}", overview.recent_batches);
        return Err(
            Failure::expected("recent batches that head the list of batches").actual(actual),
        );
    }
    let names = |names: Vec<&str>| names.join(", ");
    let items = here.items().await?;
    let item = |id: &str| {
        items
            .iter()
            .find(|item| item.id == id)
            .map_or("", |item| item.name.as_str())
    };
    let row = vec![
        Cell::text(
            "parties",
            names(
                overview
                    .parties
                    .iter()
                    .map(|party| party.name.as_str())
                    .collect(),
            ),
        ),
        Cell::text(
            "accounts",
            names(
                overview
                    .accounts
                    .iter()
                    .map(|account| account.name.as_str())
                    .collect(),
            ),
        ),
        Cell::text("assets", overview.item_counts.assets.to_string()),
        Cell::text("liabilities", overview.item_counts.liabilities.to_string()),
        Cell::figure("net worth", Some(&overview.net_worth.net_worth)),
        Cell::text(
            "stale",
            names(
                overview
                    .stale_items
                    .iter()
                    .map(|stale| stale.name.as_str())
                    .collect(),
            ),
        ),
        Cell::text(
            "mismatches",
            names(
                overview
                    .open_mismatches
                    .iter()
                    .map(|check| item(&check.item))
                    .collect(),
            ),
        ),
        Cell::text("price run", overview.price_run.status),
        Cell::text("batches", overview.recent_batches.len().to_string()),
    ];
    compare_table(&lines(step), &[row])
}

/// Calls that name no workspace act in the book that lies before somebody.
#[then(expr = "{person}'s default workspace is the book before them")]
async fn default_is_before(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let workspace = before(scene, &name)?.workspace.clone();
    let default = identity(scene, &name).await?.default_workspace;
    if default.as_ref() == Some(&workspace) {
        return Ok(());
    }
    Err(
        Failure::expected(format!("the default workspace {workspace}"))
            .actual(format!("{default:?}")),
    )
}

/// Calls that name no workspace act in the book of a title, as they did before another was made.
#[then(expr = "{person}'s default workspace is the one named {string}")]
async fn default_is_named(scene: &mut Scene, who: Who, title: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let identity = identity(scene, &name).await?;
    let default = identity
        .workspaces
        .iter()
        .find(|own| Some(&own.id) == identity.default_workspace.as_ref());
    match default {
        Some(own) if own.name == title => Ok(()),
        other => Err(
            Failure::expected(format!("the default workspace {title:?}"))
                .actual(format!("{other:?}")),
        ),
    }
}

/// The book before somebody has changed since it was noted down, and no other has.
#[then(expr = "only the book before {person} has changed")]
async fn only_this_changed(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let place = scene.people.person(&name)?.book;
    let noted = scene.book.noted.clone().unwrap_or_default();
    let now = read_all(scene).await?;
    for (number, (earlier, later)) in noted.iter().zip(&now).enumerate() {
        let difference = earlier.first_difference(later);
        match (Some(number) == place, difference) {
            (true, None) => {
                return Err(
                    Failure::expected("a book that has changed").actual("it reads as before")
                );
            }
            (false, Some(difference)) => {
                return Err(Failure::expected("every other book as before").actual(difference));
            }
            _ => {}
        }
    }
    Ok(())
}

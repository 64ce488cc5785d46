//! Steps about net worth over all of somebody's workspaces: their own share of each and in total; and about questions
//! about net worth that are refused.

use cucumber::{gherkin::Step, given, then, when};
use serde_json::json;

use super::{
    book::{before, lines},
    people::{Who, desk, desk_without_book, identity, meet},
    reading::same,
    table::{Cell, compare_table},
    writing::{Day, Written, attempt},
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Call,
        result::{Membership, OwnShare},
    },
};

/// An admin ties a member of the book to a party of it: that party is the member's own share.
#[given(expr = "{person} has tied {person} to the party {string}")]
async fn ties(scene: &mut Scene, host: Who, member: Who, party: String) -> Result<(), Failure> {
    let member = meet(scene, &member).await?;
    let member = identity(scene, &member).await?.user.id;
    let host = meet(scene, &host).await?;
    let party = before(scene, &host)?
        .parties
        .get(&party)
        .cloned()
        .unwrap_or(party);
    let _: Membership = desk(scene, &host)?
        .send(&Call::set_party(&member, &party))
        .await?
        .accepted()?;
    Ok(())
}

async fn own_share(scene: &mut Scene, who: &Who, day: &Day) -> Result<OwnShare, Failure> {
    let name = meet(scene, who).await?;
    desk_without_book(scene, &name)?
        .send(&Call::get_own_share(Some(&day.0)))
        .await?
        .accepted()
}

/// Somebody's own share of all their books together: columns `assets liabilities net worth currency partial`.
#[then(expr = "{person}'s share of all books on {day} is")]
async fn share_of_all(scene: &mut Scene, who: Who, day: Day, step: &Step) -> Result<(), Failure> {
    let seen = own_share(scene, &who, &day).await?;
    let row = vec![
        Cell::figure("assets", Some(&seen.assets)),
        Cell::figure("liabilities", Some(&seen.liabilities)),
        Cell::figure("net worth", Some(&seen.net_worth)),
        Cell::text("currency", &seen.currency),
        Cell::text("partial", if seen.partial { "yes" } else { "no" }),
    ];
    compare_table(&lines(step), &[row])
}

/// What each book adds to that share, in its own currency: columns `book included net worth currency`.
#[then(expr = "{person}'s share of all books on {day} comes from")]
async fn share_comes_from(
    scene: &mut Scene,
    who: Who,
    day: Day,
    step: &Step,
) -> Result<(), Failure> {
    let seen = own_share(scene, &who, &day).await?;
    let rows = seen.workspaces.iter().map(|one| {
        let figures = one.net_worth.as_ref();
        let currency = figures.map(|figures| figures.currency.clone());
        vec![
            Cell::text("book", &one.name),
            Cell::text("included", if one.included { "yes" } else { "no" }),
            Cell::figure("net worth", figures.map(|figures| &figures.net_worth)),
            Cell::text("currency", currency.unwrap_or_default()),
        ]
    });
    compare_table(&lines(step), &rows.collect::<Vec<_>>())
}

/// The rates that the share of all books used: columns `from to date rate`.
#[then(expr = "{person}'s share of all books on {day} used the rates")]
async fn share_rates(scene: &mut Scene, who: Who, day: Day, step: &Step) -> Result<(), Failure> {
    let seen = own_share(scene, &who, &day).await?;
    let rows = seen.rates.iter().map(|rate| {
        vec![
            Cell::text("from", &rate.from),
            Cell::text("to", &rate.to),
            Cell::text("date", rate.rate_date.clone().unwrap_or_default()),
            Cell::figure("rate", Some(&rate.rate)),
        ]
    });
    compare_table(&lines(step), &rows.collect::<Vec<_>>())
}

/// Net worth without a date is that of a day.
#[then(expr = "{person}'s net worth without a date is {figure}, of {day}")]
async fn without_a_date(
    scene: &mut Scene,
    who: Who,
    figure: Written,
    day: Day,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let seen = desk(scene, &name)?.net_worth(None, None, None).await?;
    if seen.date != day.0 {
        return Err(Failure::expected(format!("figures of {}", day.0)).actual(seen.date));
    }
    same("net worth", &figure.0, Some(&seen.net_worth))
}

/// A question about net worth that must be refused: the argument `date`, `by` or `party` is sent as it stands.
#[when(expr = "{person} tries to read the net worth with the {word} {string}")]
async fn tries_to_read(
    scene: &mut Scene,
    who: Who,
    argument: String,
    value: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = Call::get_net_worth(None, None, None).with(&argument, json!(value));
    attempt(scene, &name, &call).await
}

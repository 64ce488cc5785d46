//! Steps that read the book and compare figures, exactly and as decimals.

use cucumber::{gherkin::Step, then};

use super::{
    book::{Currency, before, lines},
    people::{Who, desk, meet},
    table::{Cell, agrees, compare_table},
    writing::{Day, Written, item_named},
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Figure,
        result::{ItemDetail, NetWorth, Owner, Part},
    },
};

/// What a scenario remembers about figures it asked for: nothing; every sentence asks anew.
#[derive(Debug, Default)]
pub struct Reading {}

/// Fails unless `seen` is the written figure.
///
/// # Errors
/// It is another one, or missing.
pub fn same(what: &str, written: &str, seen: Option<&Figure>) -> Result<(), Failure> {
    match seen {
        Some(figure) if agrees(written, figure)? => Ok(()),
        Some(figure) => Err(Failure::expected(format!("{what} {written}")).actual(figure)),
        None => Err(Failure::expected(format!("{what} {written}")).actual("none")),
    }
}

async fn net_worth_of(
    scene: &mut Scene,
    who: &Who,
    date: Option<&str>,
    by: Option<&str>,
) -> Result<NetWorth, Failure> {
    let name = meet(scene, who).await?;
    desk(scene, &name)?.net_worth(date, by, None).await
}

/// Net worth of today.
#[then(expr = "{person}'s net worth is {figure} {currency}")]
async fn net_worth_today(
    scene: &mut Scene,
    who: Who,
    figure: Written,
    currency: Currency,
) -> Result<(), Failure> {
    let seen = net_worth_of(scene, &who, None, None).await?;
    same("currency", &currency.0, None).or_else(|failure| {
        if seen.currency == currency.0 {
            Ok(())
        } else {
            Err(failure)
        }
    })?;
    same("net worth", &figure.0, Some(&seen.net_worth))
}

/// Net worth at the close of a day.
#[then(expr = "{person}'s net worth on {day} is {figure} {currency}")]
async fn net_worth_on(
    scene: &mut Scene,
    who: Who,
    day: Day,
    figure: Written,
    currency: Currency,
) -> Result<(), Failure> {
    let seen = net_worth_of(scene, &who, Some(&day.0), None).await?;
    if seen.date != day.0 || seen.currency != currency.0 {
        return Err(Failure::expected(format!("{} in {}", day.0, currency.0))
            .actual(format!("{} in {}", seen.date, seen.currency)));
    }
    same("net worth", &figure.0, Some(&seen.net_worth))
}

/// The headline at the close of a day: columns `assets liabilities net worth investable cash partial`.
#[then(expr = "{person}'s figures on {day} are")]
async fn figures_on(scene: &mut Scene, who: Who, day: Day, step: &Step) -> Result<(), Failure> {
    let seen = net_worth_of(scene, &who, Some(&day.0), None).await?;
    if seen.date != day.0 {
        return Err(Failure::expected(format!("figures of {}", day.0))
            .actual(format!("figures of {}", seen.date)));
    }
    compare_table(&lines(step), &[headline(&seen)])
}

/// One party's share at the close of a day: columns as in the headline.
#[then(expr = "the share of {string} in {person}'s book on {day} is")]
async fn share_on(
    scene: &mut Scene,
    party: String,
    who: Who,
    day: Day,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let id = before(scene, &name)?
        .parties
        .get(&party)
        .cloned()
        .unwrap_or(party);
    let seen = desk(scene, &name)?
        .net_worth(Some(&day.0), None, Some(&id))
        .await?;
    compare_table(&lines(step), &[headline(&seen)])
}

fn headline(seen: &NetWorth) -> Vec<Cell> {
    vec![
        Cell::figure("assets", Some(&seen.assets)),
        Cell::figure("liabilities", Some(&seen.liabilities)),
        Cell::figure("net worth", Some(&seen.net_worth)),
        Cell::figure("investable", Some(&seen.investable)),
        Cell::figure("cash", Some(&seen.cash)),
        Cell::text("partial", if seen.partial { "yes" } else { "no" }),
    ]
}

/// The groups of a breakdown: columns `name side value price date value date`.
#[then(expr = "{person}'s breakdown by {word} on {day} is")]
async fn breakdown_on(
    scene: &mut Scene,
    who: Who,
    by: String,
    day: Day,
    step: &Step,
) -> Result<(), Failure> {
    let seen = net_worth_of(scene, &who, Some(&day.0), Some(&by)).await?;
    let rows = seen.breakdown.iter().map(|part| {
        vec![
            Cell::text(
                "name",
                if part.key.is_none() {
                    "(none)"
                } else {
                    &part.name
                },
            ),
            Cell::text("side", &part.side),
            Cell::figure("value", part.value.as_ref()),
            Cell::text("price date", part.price_date.clone().unwrap_or_default()),
            Cell::text("value date", part.value_date.clone().unwrap_or_default()),
        ]
    });
    compare_table(&lines(step), &rows.collect::<Vec<_>>())
}

/// By class, kind, party, account and item the groups add up, to the last digit, to assets and to liabilities.
#[then(expr = "every breakdown of {person}'s book on {day} adds up")]
async fn breakdowns_add_up(scene: &mut Scene, who: Who, day: Day) -> Result<(), Failure> {
    for by in ["class", "kind", "party", "account", "item"] {
        let seen = net_worth_of(scene, &who, Some(&day.0), Some(by)).await?;
        let wide = |problem| Failure::expected("figures that can be added").actual(problem);
        for (side, total) in [("asset", &seen.assets), ("liability", &seen.liabilities)] {
            let parts = seen
                .breakdown
                .iter()
                .filter(|part: &&Part| part.side == side);
            let sum = Figure::sum(parts.filter_map(|part| part.value.as_ref())).map_err(wide)?;
            if sum != *total {
                return Err(
                    Failure::expected(format!("{side} by {by} add up to {total}")).actual(sum),
                );
            }
        }
        if seen.breakdown.is_empty() {
            return Err(Failure::expected(format!("a breakdown by {by}")).actual("nothing"));
        }
        let difference = seen.assets.minus(&seen.liabilities).map_err(wide)?;
        if difference != seen.net_worth {
            return Err(
                Failure::expected(format!("assets less liabilities: {difference}"))
                    .actual(&seen.net_worth),
            );
        }
    }
    Ok(())
}

/// The shares of all parties add up to the whole, in assets, liabilities and net worth.
#[then(expr = "the shares of all parties in {person}'s book on {day} add up to the whole")]
async fn shares_add_up(scene: &mut Scene, who: Who, day: Day) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let whole = net_worth_of(scene, &who, Some(&day.0), None).await?;
    let mut shares = Vec::new();
    for party in before(scene, &name)?.parties.clone().values() {
        shares.push(
            desk(scene, &name)?
                .net_worth(Some(&day.0), None, Some(party))
                .await?,
        );
    }
    let wide = |problem| Failure::expected("figures that can be added").actual(problem);
    /// One of the totals of a net worth.
    type Total = fn(&NetWorth) -> &Figure;
    let totals: [(&str, &Figure, Total); 3] = [
        ("assets", &whole.assets, |share| &share.assets),
        ("liabilities", &whole.liabilities, |share| {
            &share.liabilities
        }),
        ("net worth", &whole.net_worth, |share| &share.net_worth),
    ];
    for (what, total, of) in totals {
        let sum = Figure::sum(shares.iter().map(of)).map_err(wide)?;
        if sum != *total {
            return Err(Failure::expected(format!("{what} of all parties: {total}")).actual(sum));
        }
    }
    Ok(())
}

/// An item has no value on a day: it is named, its value is null, and the total says that it is partial.
#[then(expr = "{string} is missing from {person}'s net worth on {day}")]
async fn is_missing(scene: &mut Scene, item: String, who: Who, day: Day) -> Result<(), Failure> {
    let seen = net_worth_of(scene, &who, Some(&day.0), Some("item")).await?;
    let named = seen.missing.iter().any(|missing| missing.name == item);
    let part = seen.breakdown.iter().find(|part| part.name == item);
    if named && seen.partial && part.is_some_and(|part| part.value.is_none()) {
        return Ok(());
    }
    let actual = format!(
        "partial {}, missing {:?}, {part:?}",
        seen.partial, seen.missing
    );
    Err(Failure::expected(format!(
        "{item} without value, named as missing, in a partial total"
    ))
    .actual(actual))
}

/// Nothing is missing on a day.
#[then(expr = "nothing is missing from {person}'s net worth on {day}")]
async fn nothing_missing(scene: &mut Scene, who: Who, day: Day) -> Result<(), Failure> {
    let seen = net_worth_of(scene, &who, Some(&day.0), None).await?;
    if !seen.partial && seen.missing.is_empty() {
        return Ok(());
    }
    Err(Failure::expected("a complete total").actual(format!(
        "partial {}, missing {:?}",
        seen.partial, seen.missing
    )))
}

/// What an item is worth at the close of a day, in the currency of the book.
#[then(expr = "{person}'s {string} is worth {figure} on {day}")]
async fn is_worth(
    scene: &mut Scene,
    who: Who,
    item: String,
    figure: Written,
    day: Day,
) -> Result<(), Failure> {
    let seen = net_worth_of(scene, &who, Some(&day.0), Some("item")).await?;
    let part = seen.breakdown.iter().find(|part| part.name == item);
    same(
        &format!("value of {item}"),
        &figure.0,
        part.and_then(|part| part.value.as_ref()),
    )
}

/// Stale items of a day, flagged and still counted.
#[then(expr = "{string} is flagged as stale in {person}'s net worth on {day}")]
async fn is_stale(scene: &mut Scene, item: String, who: Who, day: Day) -> Result<(), Failure> {
    let seen = net_worth_of(scene, &who, Some(&day.0), None).await?;
    if seen.stale.iter().any(|stale| stale.name == item) {
        return Ok(());
    }
    Err(Failure::expected(format!("{item} among the stale items"))
        .actual(format!("{:?}", seen.stale)))
}

/// The rates used in a report: columns `from to date`.
#[then(expr = "{person}'s net worth on {day} used the rates")]
async fn report_rates(scene: &mut Scene, who: Who, day: Day, step: &Step) -> Result<(), Failure> {
    let seen = net_worth_of(scene, &who, Some(&day.0), None).await?;
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

/// The item as the book shows it today.
///
/// # Errors
/// The item is unknown, or `get_item` refused.
pub async fn item_of(scene: &mut Scene, who: &Who, item: &str) -> Result<ItemDetail, Failure> {
    let name = meet(scene, who).await?;
    item_named(scene, &name, &desk(scene, &name)?, item).await
}

/// Units held and what they cost.
#[then(expr = "{person}'s {string} holds {figure} units at a cost of {figure} {currency}")]
async fn holds_units(
    scene: &mut Scene,
    who: Who,
    item: String,
    units: Written,
    cost: Written,
    currency: Currency,
) -> Result<(), Failure> {
    let position = item_of(scene, &who, &item).await?.item.position;
    if position.currency != currency.0 {
        return Err(Failure::expected(&currency.0).actual(position.currency));
    }
    same("units", &units.0, position.units.as_ref())?;
    same("cost base", &cost.0, position.cost_base.as_ref())
}

/// The balance of cash or of a loan.
#[then(expr = "the balance of {person}'s {string} is {figure} {currency}")]
async fn balance_is(
    scene: &mut Scene,
    who: Who,
    item: String,
    figure: Written,
    currency: Currency,
) -> Result<(), Failure> {
    let position = item_of(scene, &who, &item).await?.item.position;
    if position.currency != currency.0 {
        return Err(Failure::expected(&currency.0).actual(position.currency));
    }
    same("balance", &figure.0, position.value.as_ref())
}

/// Positions of today as the list of items shows them: columns `item kind units price value cost base unrealised gain
/// currency value in base base currency stale`.
#[then(expr = "{person}'s list of items shows")]
async fn list_shows(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let rows = desk(scene, &name)?.items().await?.into_iter().map(|item| {
        let position = &item.position;
        vec![
            Cell::text("item", &item.name),
            Cell::text("kind", &item.kind),
            Cell::figure("units", position.units.as_ref()),
            Cell::figure("price", position.price.as_ref()),
            Cell::figure("value", position.value.as_ref()),
            Cell::figure("cost base", position.cost_base.as_ref()),
            Cell::figure("unrealised gain", position.unrealised_gain.as_ref()),
            Cell::text("currency", &position.currency),
            Cell::figure("value in base", position.value_base.as_ref()),
            Cell::text("base currency", &position.base_currency),
            Cell::text(
                "price date",
                position.price_date.clone().unwrap_or_default(),
            ),
            Cell::text("notes", item.notes.clone().unwrap_or_default()),
            Cell::text("stale", if item.stale { "yes" } else { "no" }),
        ]
    });
    compare_table(&lines(step), &rows.collect::<Vec<_>>())
}

/// Who owns an item, each percentage as it was given, on the item itself and in the list of items: columns `party percent`.
#[then(expr = "{person}'s {string} is owned by")]
async fn owned_by(scene: &mut Scene, who: Who, item: String, step: &Step) -> Result<(), Failure> {
    let detail = item_of(scene, &who, &item).await?;
    let name = meet(scene, &who).await?;
    let parties = before(scene, &name)?.parties.clone();
    let row = |owner: &Owner| {
        let known = parties.iter().find(|(_, id)| **id == owner.party);
        let party = known.map_or(owner.party.as_str(), |(name, _)| name);
        vec![
            Cell::text("party", party),
            Cell::spelling("percent", Some(&owner.percent)),
        ]
    };
    let listed = desk(scene, &name)?
        .items()
        .await?
        .into_iter()
        .find(|listed| listed.id == detail.item.id);
    let listed = listed.map(|listed| listed.owners).unwrap_or_default();
    for owners in [&detail.item.owners, &listed] {
        compare_table(&lines(step), &owners.iter().map(row).collect::<Vec<_>>())?;
    }
    Ok(())
}

/// An item is in no list and in no figure.
#[then(expr = "{person}'s book shows no {string}")]
async fn shows_no_item(scene: &mut Scene, who: Who, item: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let items = desk(scene, &name)?.items().await?;
    match items.iter().find(|listed| listed.name == item) {
        None => Ok(()),
        Some(found) => Err(Failure::expected(format!("no item called {item:?}")).actual(&found.id)),
    }
}

/// How many accounts and items the overview counts.
#[then(expr = "{person}'s overview counts {int} account(s) and {int} item(s)")]
async fn overview_counts(
    scene: &mut Scene,
    who: Who,
    accounts: usize,
    items: u64,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let overview = desk(scene, &name)?.overview().await?;
    let counted = overview.item_counts.assets + overview.item_counts.liabilities;
    if overview.accounts.len() == accounts && counted == items {
        return Ok(());
    }
    let actual = format!("{} accounts, {counted} items", overview.accounts.len());
    Err(Failure::expected(format!("{accounts} accounts, {items} items")).actual(actual))
}

/// The headline of the overview is the net worth of today.
#[then(expr = "the headline of {person}'s overview is the net worth of today")]
async fn headline_is_net_worth(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let overview = desk(scene, &name)?.overview().await?.net_worth;
    let report = desk(scene, &name)?.net_worth(None, None, None).await?;
    let figures = |seen: &NetWorth| {
        let values = [
            &seen.assets,
            &seen.liabilities,
            &seen.net_worth,
            &seen.investable,
            &seen.cash,
        ];
        (
            values.map(Clone::clone),
            seen.currency.clone(),
            seen.date.clone(),
            seen.partial,
        )
    };
    if figures(&overview) == figures(&report) {
        return Ok(());
    }
    Err(Failure::expected(format!("{report:?}")).actual(format!("{overview:?}")))
}

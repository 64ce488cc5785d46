//! Steps that read what a period brought: money in and out, income, gain and returns, by item and in total.

use cucumber::{gherkin::Step, then};

use super::{
    book::{OpenBook, before, lines},
    people::{Who, desk, meet},
    table::{Cell, compare_table},
    writing::Day,
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Figure, Line, Period,
        result::{Performance, Returns},
    },
};

/// The name the scenario gave an item, or its id.
#[must_use]
pub fn name_of_item<'a>(book: &'a OpenBook, id: &'a str) -> &'a str {
    let found = book.items.iter().find(|(_, known)| *known == id);
    found.map_or(id, |(name, _)| name)
}

/// The figures of a period, under the headings `start end money in money out income gain simple return annual return
/// reason short`.
fn cells(returns: &Returns) -> Vec<Cell> {
    let short = match returns.short_period {
        Some(true) => "yes",
        Some(false) => "no",
        None => "",
    };
    vec![
        Cell::figure("start", returns.start_value.as_ref()),
        Cell::figure("end", returns.end_value.as_ref()),
        Cell::figure("money in", Some(&returns.money_in)),
        Cell::figure("money out", Some(&returns.money_out)),
        Cell::figure("income", Some(&returns.income)),
        Cell::figure("gain", returns.gain.as_ref()),
        Cell::figure("simple return", returns.simple_return.as_ref()),
        Cell::figure("annual return", returns.xirr.as_ref()),
        Cell::text("reason", returns.xirr_reason.clone().unwrap_or_default()),
        Cell::text("short", short),
    ]
}

async fn performance(
    scene: &mut Scene,
    who: &Who,
    period: Period<'_>,
    item: Option<&str>,
    party: Option<&str>,
) -> Result<Performance, Failure> {
    let name = meet(scene, who).await?;
    let book = before(scene, &name)?;
    let item = item.map(|item| book.items.get(item).map_or(item, String::as_str));
    let party = party.map(|party| book.parties.get(party).map_or(party, String::as_str));
    desk(scene, &name)?.performance(period, item, party).await
}

fn compare_items(
    scene: &Scene,
    name: &str,
    expected: &[Line],
    seen: &Performance,
) -> Result<(), Failure> {
    let book = before(scene, name)?;
    let rows = seen.items.iter().map(|one| {
        let mut row = vec![Cell::text("item", name_of_item(book, &one.item))];
        row.extend(cells(&one.returns));
        row
    });
    compare_table(expected, &rows.collect::<Vec<_>>())
}

/// What the whole book brought from its first row to a day: columns `start end money in money out income gain simple
/// return annual return reason short`.
#[then(expr = "{person}'s performance until {day} is")]
async fn total_until(scene: &mut Scene, who: Who, to: Day, step: &Step) -> Result<(), Failure> {
    let seen = performance(scene, &who, Period::until(&to.0), None, None).await?;
    compare_table(&lines(step), &[cells(&seen.total)])
}

/// What the whole book brought between two days, both inside: columns as for a period until a day.
#[then(expr = "{person}'s performance from {day} to {day} is")]
async fn total_between(
    scene: &mut Scene,
    who: Who,
    from: Day,
    to: Day,
    step: &Step,
) -> Result<(), Failure> {
    let period = Period::between(&from.0, &to.0);
    let seen = performance(scene, &who, period, None, None).await?;
    compare_table(&lines(step), &[cells(&seen.total)])
}

/// What each item brought from its first row to a day: the column `item` and those of the whole.
#[then(expr = "{person}'s performance by item until {day} is")]
async fn items_until(scene: &mut Scene, who: Who, to: Day, step: &Step) -> Result<(), Failure> {
    let seen = performance(scene, &who, Period::until(&to.0), None, None).await?;
    let name = meet(scene, &who).await?;
    compare_items(scene, &name, &lines(step), &seen)
}

/// What one item alone brought between two days; it may have nothing to tell.
#[then(expr = "the performance of {person}'s {string} from {day} to {day} is")]
async fn item_between(
    scene: &mut Scene,
    who: Who,
    item: String,
    from: Day,
    to: Day,
    step: &Step,
) -> Result<(), Failure> {
    let period = Period::between(&from.0, &to.0);
    let seen = performance(scene, &who, period, Some(&item), None).await?;
    let alone = [cells(&seen.total)];
    compare_table(&lines(step), &alone)?;
    let rows: Vec<_> = seen.items.iter().map(|one| cells(&one.returns)).collect();
    compare_table(&lines(step), &rows)
}

/// One owner's part of what the book brought: columns as for the whole.
#[then(expr = "the performance of the share of {string} in {person}'s book until {day} is")]
async fn share_until(
    scene: &mut Scene,
    party: String,
    who: Who,
    to: Day,
    step: &Step,
) -> Result<(), Failure> {
    let seen = performance(scene, &who, Period::until(&to.0), None, Some(&party)).await?;
    compare_table(&lines(step), &[cells(&seen.total)])
}

/// Start, end, money in, money out, income and gain of the items add up, to the last digit, to those of the whole.
#[then(expr = "the items of {person}'s performance from {day} to {day} add up to the whole")]
async fn items_add_up(scene: &mut Scene, who: Who, from: Day, to: Day) -> Result<(), Failure> {
    let period = Period::between(&from.0, &to.0);
    let seen = performance(scene, &who, period, None, None).await?;
    if seen.items.len() < 2 {
        return Err(Failure::expected("at least two items").actual(format!("{:?}", seen.items)));
    }
    /// One money figure of a period.
    type Money = fn(&Returns) -> Option<&Figure>;
    let columns: [(&str, Money); 6] = [
        ("start", |returns| returns.start_value.as_ref()),
        ("end", |returns| returns.end_value.as_ref()),
        ("money in", |returns| Some(&returns.money_in)),
        ("money out", |returns| Some(&returns.money_out)),
        ("income", |returns| Some(&returns.income)),
        ("gain", |returns| returns.gain.as_ref()),
    ];
    for (what, of) in columns {
        let parts: Option<Vec<&Figure>> = seen.items.iter().map(|one| of(&one.returns)).collect();
        let sum = parts.map(Figure::sum).transpose();
        let sum =
            sum.map_err(|problem| Failure::expected("figures that can be added").actual(problem))?;
        if sum.as_ref() != of(&seen.total) {
            let expected = format!("{what} of all items: {sum:?}");
            return Err(Failure::expected(expected).actual(format!("{:?}", of(&seen.total))));
        }
    }
    Ok(())
}

/// An item without a value at one of the ends is named, and the whole says that it is partial.
#[then(expr = "{string} is missing from {person}'s performance until {day}")]
async fn is_missing(scene: &mut Scene, item: String, who: Who, to: Day) -> Result<(), Failure> {
    let seen = performance(scene, &who, Period::until(&to.0), None, None).await?;
    let named = seen.missing.iter().any(|missing| missing.name == item);
    if named && seen.partial {
        return Ok(());
    }
    let actual = format!("partial {}, missing {:?}", seen.partial, seen.missing);
    Err(Failure::expected(format!("{item} named in a partial whole")).actual(actual))
}

//! Steps that read net worth over time: its points, how far it moved, and what each point is made of.

use cucumber::{gherkin::Step, then, when};
use serde_json::json;

use super::{
    book::{before, lines},
    people::{Who, desk, meet},
    table::{Cell, compare_table},
    writing::{Day, attempt},
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Call, Figure, Period,
        result::{History, Part, Point},
    },
};

/// What a point can be broken down by.
const GROUPS: [&str; 5] = ["class", "kind", "party", "account", "item"];

async fn history(
    scene: &mut Scene,
    who: &Who,
    period: Period<'_>,
    interval: &str,
    by: Option<&str>,
) -> Result<History, Failure> {
    let name = meet(scene, who).await?;
    desk(scene, &name)?
        .history(period, interval, by, None)
        .await
}

fn rows(seen: &History) -> Vec<Vec<Cell>> {
    let row = |point: &Point| {
        let mut missing: Vec<&str> = point
            .missing
            .iter()
            .map(|item| item.name.as_str())
            .collect();
        missing.sort_unstable();
        vec![
            Cell::text("date", &point.date),
            Cell::figure("assets", Some(&point.assets)),
            Cell::figure("liabilities", Some(&point.liabilities)),
            Cell::figure("net worth", Some(&point.net_worth)),
            Cell::text("partial", if point.partial { "yes" } else { "no" }),
            Cell::text("missing", missing.join(", ")),
        ]
    };
    seen.points.iter().map(row).collect()
}

/// That points stand from the oldest to the newest.
fn in_order(seen: &History) -> Result<(), Failure> {
    let dates: Vec<&str> = seen
        .points
        .iter()
        .map(|point| point.date.as_str())
        .collect();
    if dates.windows(2).all(|pair| pair[0] < pair[1]) {
        return Ok(());
    }
    Err(Failure::expected("points from the oldest to the newest").actual(format!("{dates:?}")))
}

/// The points at month, quarter or year ends, oldest first: columns `date assets liabilities net worth partial missing`.
#[then(expr = "{person}'s history at {word} ends from {day} to {day} shows")]
async fn points_are(
    scene: &mut Scene,
    who: Who,
    interval: String,
    from: Day,
    to: Day,
    step: &Step,
) -> Result<(), Failure> {
    let seen = history(
        scene,
        &who,
        Period::between(&from.0, &to.0),
        &interval,
        None,
    )
    .await?;
    in_order(&seen)?;
    compare_table(&lines(step), &rows(&seen))
}

/// The points of one owner's share: columns as for the whole.
#[then(
    expr = "the history of the share of {string} in {person}'s book at {word} ends from {day} to {day} shows"
)]
async fn points_of_share(
    scene: &mut Scene,
    party: String,
    who: Who,
    interval: String,
    from: Day,
    to: Day,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let id = before(scene, &name)?
        .parties
        .get(&party)
        .cloned()
        .unwrap_or(party);
    let period = Period::between(&from.0, &to.0);
    let seen = desk(scene, &name)?
        .history(period, &interval, None, Some(&id))
        .await?;
    compare_table(&lines(step), &rows(&seen))
}

/// How far net worth moved from the first point to the last: columns `change ratio`.
#[then(expr = "{person}'s net worth at {word} ends from {day} to {day} moved by")]
async fn moved_by(
    scene: &mut Scene,
    who: Who,
    interval: String,
    from: Day,
    to: Day,
    step: &Step,
) -> Result<(), Failure> {
    let seen = history(
        scene,
        &who,
        Period::between(&from.0, &to.0),
        &interval,
        None,
    )
    .await?;
    let row = seen.change.as_ref().map(|change| {
        vec![
            Cell::figure("change", Some(&change.amount)),
            Cell::figure("ratio", change.ratio.as_ref()),
        ]
    });
    compare_table(&lines(step), row.as_slice())
}

/// There is no point in the range, and so no change.
#[then(expr = "{person}'s history at {word} ends from {day} to {day} has no point and no change")]
async fn no_point(
    scene: &mut Scene,
    who: Who,
    interval: String,
    from: Day,
    to: Day,
) -> Result<(), Failure> {
    let seen = history(
        scene,
        &who,
        Period::between(&from.0, &to.0),
        &interval,
        None,
    )
    .await?;
    if seen.points.is_empty() && seen.change.is_none() {
        return Ok(());
    }
    Err(Failure::expected("no point and no change").actual(format!("{seen:?}")))
}

/// Each point, by each of the groups, is what the net worth of its day says, group by group.
#[then(
    expr = "each point of {person}'s history at {word} ends from {day} to {day} is the net worth of its day"
)]
async fn points_are_net_worth(
    scene: &mut Scene,
    who: Who,
    interval: String,
    from: Day,
    to: Day,
) -> Result<(), Failure> {
    for by in GROUPS {
        let period = Period::between(&from.0, &to.0);
        let seen = history(scene, &who, period, &interval, Some(by)).await?;
        if seen.points.is_empty() {
            return Err(Failure::expected("points to compare").actual("none"));
        }
        let name = meet(scene, &who).await?;
        for point in &seen.points {
            let day = desk(scene, &name)?
                .net_worth(Some(&point.date), Some(by), None)
                .await?;
            let of_day = (
                &day.assets,
                &day.liabilities,
                &day.net_worth,
                groups(&day.breakdown),
            );
            let of_point = (
                &point.assets,
                &point.liabilities,
                &point.net_worth,
                groups(&point.breakdown),
            );
            if of_day != of_point || of_day.3.is_empty() {
                let expected = format!("the point of {} by {by} as {of_day:?}", point.date);
                return Err(Failure::expected(expected).actual(format!("{of_point:?}")));
            }
        }
    }
    Ok(())
}

/// The groups of a breakdown in one order.
fn groups(breakdown: &[Part]) -> Vec<(String, String, Option<Figure>)> {
    let group = |part: &Part| {
        let key = part.key.clone().unwrap_or_default();
        (key, part.side.clone(), part.value.clone())
    };
    let mut groups: Vec<_> = breakdown.iter().map(group).collect();
    groups.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
    groups
}

/// By class, kind, party, account and item the groups of each point add up, to the last digit, to its assets and its
/// liabilities.
#[then(expr = "every breakdown of {person}'s history at {word} ends from {day} to {day} adds up")]
async fn breakdowns_add_up(
    scene: &mut Scene,
    who: Who,
    interval: String,
    from: Day,
    to: Day,
) -> Result<(), Failure> {
    let wide = |problem| Failure::expected("figures that can be added").actual(problem);
    for by in GROUPS {
        let period = Period::between(&from.0, &to.0);
        let seen = history(scene, &who, period, &interval, Some(by)).await?;
        for point in &seen.points {
            let sides = [("asset", &point.assets), ("liability", &point.liabilities)];
            for (side, total) in sides {
                let parts = point.breakdown.iter().filter(|part| part.side == side);
                let sum =
                    Figure::sum(parts.filter_map(|part| part.value.as_ref())).map_err(wide)?;
                if sum != *total {
                    let expected = format!("{side} by {by} on {} add up to {total}", point.date);
                    return Err(Failure::expected(expected).actual(sum));
                }
            }
        }
        if seen.points.is_empty() || seen.points.iter().all(|point| point.breakdown.is_empty()) {
            return Err(Failure::expected(format!("breakdowns by {by}")).actual("nothing"));
        }
    }
    Ok(())
}

/// A history that must be refused: the dates and the interval are sent as they stand.
#[when(expr = "{person} tries to read a history at {string} ends from {string} to {string}")]
async fn tries_to_read(
    scene: &mut Scene,
    who: Who,
    interval: String,
    from: String,
    to: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = Call::get_history(Period::between(&from, &to), &interval, None, None);
    attempt(scene, &name, &call).await
}

/// A history broken down by something that must be refused.
#[when(expr = "{person} tries to read a history by {string}")]
async fn tries_to_read_by(scene: &mut Scene, who: Who, by: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let period = Period::between("2024-01-01", "2024-12-31");
    let call = Call::get_history(period, "year", None, None).with("by", json!(by));
    attempt(scene, &name, &call).await
}

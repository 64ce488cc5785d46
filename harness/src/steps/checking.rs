//! Steps that compare a statement with the book and read what was recorded of it.

use cucumber::{gherkin::Step, then, when};
use serde_json::json;

use super::{
    book::{before, lines, note_down, read_all},
    people::{Who, desk, meet},
    reading::{item_of, same},
    table::{Cell, compare_table},
    writing::{Day, Written, attempt},
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{Call, result::Reconciliation},
};

/// A statement's figure is compared with the book's: `units`, `value` or `cost base`.
#[when(expr = "{person} checks the {string} of {string} on {day} against {figure}")]
async fn checks(
    scene: &mut Scene,
    who: Who,
    measure: String,
    item: String,
    day: Day,
    figure: Written,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    note_down(scene).await?;
    let id = before(scene, &name)?
        .items
        .get(&item)
        .cloned()
        .unwrap_or(item);
    let call = Call::reconcile(&id, &day.0, &measure.replace(' ', "_"), &figure.0);
    let answer = desk(scene, &name)?.send(&call).await?;
    let recorded: Reconciliation = answer.accepted()?;
    scene.writing.batch = recorded.batch;
    scene.writing.last = Some(answer);
    Ok(())
}

/// A statement's figure is to be compared in a way that must be refused.
#[when(expr = "{person} tries to check the {string} of {string} on {day} against {figure}")]
async fn tries_to_check(
    scene: &mut Scene,
    who: Who,
    measure: String,
    item: String,
    day: Day,
    figure: Written,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let id = before(scene, &name)?
        .items
        .get(&item)
        .cloned()
        .unwrap_or(item);
    let mut measures = measure.split(" and ");
    let first = measures.next().unwrap_or_default().replace(' ', "_");
    let mut call = Call::reconcile(&id, &day.0, &first, &figure.0);
    for further in measures {
        call = call.with(&further.replace(' ', "_"), json!(figure.0));
    }
    attempt(scene, &name, &call).await
}

/// A check that brings no figure at all, which must be refused.
#[when(expr = "{person} tries to check nothing of {string} on {day}")]
async fn tries_to_check_nothing(
    scene: &mut Scene,
    who: Who,
    item: String,
    day: Day,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let id = before(scene, &name)?
        .items
        .get(&item)
        .cloned()
        .unwrap_or(item);
    let mut call = Call::reconcile(&id, &day.0, "units", "1");
    call.arguments.remove("units");
    attempt(scene, &name, &call).await
}

/// Every figure is as noted down, once the checks themselves and who wrote them are set aside.
#[then("every figure is as noted down but for the check")]
async fn figures_but_checks(scene: &mut Scene) -> Result<(), Failure> {
    let now = read_all(scene).await?;
    let noted = scene.book.noted.clone().unwrap_or_default();
    for (earlier, later) in noted.iter().zip(&now) {
        if let Some(difference) = earlier
            .without_checks()
            .first_difference(&later.without_checks())
        {
            return Err(Failure::expected("every figure as before the check").actual(difference));
        }
    }
    if noted.len() == now.len() {
        Ok(())
    } else {
        Err(Failure::expected("a book that was noted down").actual("none was"))
    }
}

/// The last check, by the tool itself: its verdict, and the statement's figure less the book's.
#[then(expr = "the check is a {word} with a difference of {figure}")]
fn check_is(scene: &mut Scene, verdict: String, difference: Written) -> Result<(), Failure> {
    let check: Reconciliation = scene.writing.answer()?.accepted()?;
    if check.status != verdict {
        return Err(Failure::expected(verdict).actual(format!("{check:?}")));
    }
    same("difference", &difference.0, check.difference.as_ref())
}

/// The checks that stand on an item: columns `date figure statement calculated status`.
#[then(expr = "{person}'s {string} shows the checks")]
async fn checks_are(scene: &mut Scene, who: Who, item: String, step: &Step) -> Result<(), Failure> {
    let detail = item_of(scene, &who, &item).await?;
    let rows = detail.reconciliations.iter().map(|check| {
        vec![
            Cell::text("date", &check.date),
            Cell::text("figure", check.figure.replace('_', " ")),
            Cell::figure("statement", Some(&check.statement)),
            Cell::figure("calculated", check.calculated.as_ref()),
            Cell::text("status", &check.status),
        ]
    });
    compare_table(&lines(step), &rows.collect::<Vec<_>>())
}

/// The mismatches that are open, in the overview: columns `item date figure statement calculated`; no table, none open.
#[then(expr = "{person}'s overview lists the open mismatches")]
#[then(expr = "{person}'s overview lists no open mismatch")]
async fn mismatches_are(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let open = desk(scene, &name)?.overview().await?.open_mismatches;
    let items = before(scene, &name)?.items.clone();
    let rows = open.iter().map(|check| {
        let item = items
            .iter()
            .find(|(_, id)| **id == check.item)
            .map_or(check.item.as_str(), |(name, _)| name);
        vec![
            Cell::text("item", item),
            Cell::text("date", &check.date),
            Cell::text("figure", check.figure.replace('_', " ")),
            Cell::figure("statement", Some(&check.statement)),
            Cell::figure("calculated", check.calculated.as_ref()),
        ]
    });
    compare_table(&lines(step), &rows.collect::<Vec<_>>())
}

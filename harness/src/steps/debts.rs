//! Steps about debts: links between loans, what secures them and what offsets them, and the debt report.

use cucumber::{gherkin::Step, then};

use super::{
    book::{OpenBook, before, lines},
    people::{Who, desk, meet},
    performance::name_of_item,
    reading::same,
    table::{Cell, compare_table},
    writing::{Day, Written},
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{Figure, result::DebtReport},
};

async fn debts(scene: &mut Scene, who: &Who, day: &str) -> Result<(OpenBook, DebtReport), Failure> {
    let name = meet(scene, who).await?;
    let report = desk(scene, &name)?.debts(Some(day)).await?;
    Ok((before(scene, &name)?.clone(), report))
}

/// Names of linked items in one cell, by alphabet.
fn named<'a>(book: &'a OpenBook, ids: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<&str> = ids.map(|id| name_of_item(book, id)).collect();
    names.sort_unstable();
    names.join(", ")
}

/// Every loan: columns `loan balance currency offsets offset net of offset secured by funds in base base currency`.
#[then(expr = "{person}'s loans on {day} are")]
async fn loans_are(scene: &mut Scene, who: Who, day: Day, step: &Step) -> Result<(), Failure> {
    let (book, report) = debts(scene, &who, &day.0).await?;
    let rows = report.loans.iter().map(|loan| {
        vec![
            Cell::text("loan", name_of_item(&book, &loan.item)),
            Cell::figure("balance", loan.balance.as_ref()),
            Cell::text("currency", &loan.currency),
            Cell::text(
                "offsets",
                named(
                    &book,
                    loan.offsets.iter().map(|offset| offset.item.as_str()),
                ),
            ),
            Cell::figure("offset", loan.offset.as_ref()),
            Cell::figure("net of offset", loan.net_of_offset.as_ref()),
            Cell::text(
                "secured by",
                named(&book, loan.secured_by.iter().map(|link| link.item.as_str())),
            ),
            Cell::text(
                "funds",
                named(&book, loan.funds.iter().map(|link| link.item.as_str())),
            ),
            Cell::figure("in base", loan.value_base.as_ref()),
            Cell::text("base currency", &loan.base_currency),
        ]
    });
    compare_table(&lines(step), &rows.collect::<Vec<_>>())
}

/// No loan is listed.
#[then(expr = "{person} has no loan on {day}")]
async fn no_loan(scene: &mut Scene, who: Who, day: Day) -> Result<(), Failure> {
    let (_, report) = debts(scene, &who, &day.0).await?;
    if report.loans.is_empty() {
        return Ok(());
    }
    Err(Failure::expected("no loan").actual(format!("{:?}", report.loans)))
}

/// Every property: columns `property value currency in base secured debt equity LVR`.
#[then(expr = "{person}'s properties on {day} are")]
async fn properties_are(scene: &mut Scene, who: Who, day: Day, step: &Step) -> Result<(), Failure> {
    let (book, report) = debts(scene, &who, &day.0).await?;
    let rows = report.properties.iter().map(|property| {
        vec![
            Cell::text("property", name_of_item(&book, &property.item)),
            Cell::figure("value", property.value.as_ref()),
            Cell::text("currency", &property.currency),
            Cell::figure("in base", property.value_base.as_ref()),
            Cell::figure("secured debt", Some(&property.secured_debt)),
            Cell::figure("equity", property.equity.as_ref()),
            Cell::figure("LVR", property.lvr.as_ref()),
        ]
    });
    compare_table(&lines(step), &rows.collect::<Vec<_>>())
}

/// What all loans together owe, each counted once.
#[then(expr = "{person}'s total debt on {day} is {figure}")]
async fn total_debt_is(
    scene: &mut Scene,
    who: Who,
    day: Day,
    figure: Written,
) -> Result<(), Failure> {
    let (_, report) = debts(scene, &who, &day.0).await?;
    same("total debt", &figure.0, Some(&report.totals.total_debt))
}

/// The whole debt of the report is the part of the liabilities that the loans are.
#[then(expr = "{person}'s total debt on {day} is what the loans are in the net worth")]
async fn total_debt_in_net_worth(scene: &mut Scene, who: Who, day: Day) -> Result<(), Failure> {
    let (_, report) = debts(scene, &who, &day.0).await?;
    let name = meet(scene, &who).await?;
    let by_kind = desk(scene, &name)?
        .net_worth(Some(&day.0), Some("kind"), None)
        .await?;
    let loans = by_kind
        .breakdown
        .iter()
        .filter(|part| part.side == "liability" && part.key.as_deref() == Some("loan"));
    let sum = Figure::sum(loans.filter_map(|part| part.value.as_ref()))
        .map_err(|problem| Failure::expected("figures that can be added").actual(problem))?;
    let total = report.totals;
    if sum == total.total_debt && total.currency == by_kind.currency {
        return Ok(());
    }
    Err(
        Failure::expected(format!("a total debt of {sum} {}", by_kind.currency))
            .actual(format!("{} {}", total.total_debt, total.currency)),
    )
}

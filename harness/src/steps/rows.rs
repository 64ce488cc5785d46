//! Steps that read what stands on an item: transactions, lots, sales, checks, and the batches that wrote them.

use cucumber::{gherkin::Step, then};

use super::{
    book::lines,
    people::{Who, desk, identity, meet},
    reading::{item_of, same},
    table::{Cell, compare_table},
    writing::{Day, Written},
};
use crate::{
    client::message::CLIENT_NAME,
    mocks::token::recipe::GOOD_CLIENT,
    suite::{Failure, Scene},
    worthbase::Figure,
};

/// How many transactions an item has.
#[then(expr = "{person}'s {string} has {int} transaction(s)")]
async fn has_transactions(
    scene: &mut Scene,
    who: Who,
    item: String,
    number: usize,
) -> Result<(), Failure> {
    let transactions = item_of(scene, &who, &item).await?.transactions;
    if transactions.len() == number {
        return Ok(());
    }
    Err(
        Failure::expected(format!("{number} transactions on {item}"))
            .actual(format!("{transactions:?}")),
    )
}

/// The transactions of an item, stored figures digit for digit: columns `date entry units amount fees currency rate
/// reference note`.
#[then(expr = "{person}'s {string} has the transactions")]
async fn transactions_are(
    scene: &mut Scene,
    who: Who,
    item: String,
    step: &Step,
) -> Result<(), Failure> {
    let detail = item_of(scene, &who, &item).await?;
    let rows = detail.transactions.iter().map(|row| {
        vec![
            Cell::text("date", &row.date),
            Cell::text("entry", row.kind.replace('_', " ")),
            Cell::spelling("units", row.units.as_ref()),
            Cell::spelling("amount", row.amount.as_ref()),
            Cell::spelling("fees", row.fees.as_ref()),
            Cell::text("currency", row.currency.clone().unwrap_or_default()),
            Cell::spelling("rate", row.fx_rate.as_ref()),
            Cell::text("reference", row.external_ref.clone().unwrap_or_default()),
            Cell::text("note", row.note.clone().unwrap_or_default()),
        ]
    });
    compare_table(&lines(step), &rows.collect::<Vec<_>>())
}

/// The rates stored with the transactions of an item: columns `from to rate date source`.
#[then(expr = "{person}'s {string} keeps the rates")]
async fn rates_are_kept(
    scene: &mut Scene,
    who: Who,
    item: String,
    step: &Step,
) -> Result<(), Failure> {
    let detail = item_of(scene, &who, &item).await?;
    let rows = detail
        .transactions
        .iter()
        .flat_map(|row| &row.rates)
        .map(|rate| {
            vec![
                Cell::text("from", &rate.from),
                Cell::text("to", &rate.to),
                Cell::figure("rate", Some(&rate.rate)),
                Cell::text("date", rate.rate_date.clone().unwrap_or_default()),
                Cell::text("source", &rate.source),
            ]
        });
    compare_table(&lines(step), &rows.collect::<Vec<_>>())
}

/// How many transfers, valuations, prices and checks an item has: columns `transfers valuations prices checks`.
#[then(expr = "{person}'s {string} has")]
async fn has_rows(scene: &mut Scene, who: Who, item: String, step: &Step) -> Result<(), Failure> {
    let detail = item_of(scene, &who, &item).await?;
    let row = vec![
        Cell::text("transactions", detail.transactions.len().to_string()),
        Cell::text("transfers", detail.transfers.len().to_string()),
        Cell::text("valuations", detail.valuations.len().to_string()),
        Cell::text("prices", detail.prices.len().to_string()),
        Cell::text("checks", detail.reconciliations.len().to_string()),
    ];
    compare_table(&lines(step), &[row])
}

/// Every row of the items was stored by the last batch.
#[then(expr = "every row of {person}'s {string} belongs to that one batch")]
async fn rows_of_one_batch(scene: &mut Scene, who: Who, item: String) -> Result<(), Failure> {
    let detail = item_of(scene, &who, &item).await?;
    let batch = scene.writing.batch.clone().unwrap_or_default();
    let mut batches: Vec<String> = detail
        .transactions
        .iter()
        .map(|row| row.batch.clone())
        .collect();
    batches.extend(detail.transfers.iter().map(|row| row.batch.clone()));
    batches.extend(detail.valuations.iter().map(|row| row.batch.clone()));
    batches.extend(detail.prices.iter().filter_map(|row| row.batch.clone()));
    batches.extend(
        detail
            .reconciliations
            .iter()
            .filter_map(|row| row.batch.clone()),
    );
    if batch.starts_with("bat_")
        && !batches.is_empty()
        && batches.iter().all(|other| *other == batch)
    {
        return Ok(());
    }
    Err(Failure::expected(format!("rows of {batch} alone")).actual(format!("rows of {batches:?}")))
}

/// A transfer stands on both its items under one id and one batch.
#[then(expr = "{person}'s {string} and {string} show the same transfer")]
async fn same_transfer(
    scene: &mut Scene,
    who: Who,
    from: String,
    to: String,
) -> Result<(), Failure> {
    let (from, to) = (
        item_of(scene, &who, &from).await?,
        item_of(scene, &who, &to).await?,
    );
    let ids = |detail: &crate::worthbase::result::ItemDetail| -> Vec<(String, String)> {
        detail
            .transfers
            .iter()
            .map(|transfer| (transfer.id.clone(), transfer.batch.clone()))
            .collect()
    };
    if ids(&from).len() == 1 && ids(&from) == ids(&to) {
        return Ok(());
    }
    Err(
        Failure::expected("one transfer under one id on both items").actual(format!(
            "{:?} and {:?}",
            ids(&from),
            ids(&to)
        )),
    )
}

/// The open lots of an item: columns `acquired on units cost base`.
#[then(expr = "{person}'s {string} has the open lots")]
async fn open_lots_are(
    scene: &mut Scene,
    who: Who,
    item: String,
    step: &Step,
) -> Result<(), Failure> {
    let detail = item_of(scene, &who, &item).await?;
    let rows = detail.lots.iter().map(|lot| {
        vec![
            Cell::text("acquired on", &lot.acquired_on),
            Cell::figure("units", Some(&lot.units)),
            Cell::figure("cost base", Some(&lot.cost_base)),
        ]
    });
    compare_table(&lines(step), &rows.collect::<Vec<_>>())
}

/// Nothing of an item is left.
#[then(expr = "{person}'s {string} has no open lots")]
async fn no_open_lots(scene: &mut Scene, who: Who, item: String) -> Result<(), Failure> {
    let lots = item_of(scene, &who, &item).await?.lots;
    if lots.is_empty() {
        return Ok(());
    }
    Err(Failure::expected("no open lot").actual(format!("{lots:?}")))
}

/// The sales of an item: columns `date net proceeds cost base gain`.
#[then(expr = "{person}'s {string} has the sales")]
async fn sales_are(scene: &mut Scene, who: Who, item: String, step: &Step) -> Result<(), Failure> {
    let detail = item_of(scene, &who, &item).await?;
    let rows = detail.sales.iter().map(|sale| {
        vec![
            Cell::text("date", &sale.date),
            Cell::figure("net proceeds", Some(&sale.net_proceeds)),
            Cell::figure("cost base", Some(&sale.cost_base)),
            Cell::figure("gain", Some(&sale.gain)),
        ]
    });
    compare_table(&lines(step), &rows.collect::<Vec<_>>())
}

/// The lots that a sale took: columns `acquired on units cost base net proceeds gain`.
#[then(expr = "the sale of {person}'s {string} on {day} took the lots")]
async fn sale_took(
    scene: &mut Scene,
    who: Who,
    item: String,
    day: Day,
    step: &Step,
) -> Result<(), Failure> {
    let detail = item_of(scene, &who, &item).await?;
    let taken = detail
        .sales
        .iter()
        .filter(|sale| sale.date == day.0)
        .flat_map(|sale| &sale.lots);
    let rows = taken.map(|lot| {
        vec![
            Cell::text("acquired on", &lot.acquired_on),
            Cell::figure("units", Some(&lot.units)),
            Cell::figure("cost base", Some(&lot.cost_base)),
            Cell::figure("net proceeds", Some(&lot.net_proceeds)),
            Cell::figure("gain", Some(&lot.gain)),
        ]
    });
    compare_table(&lines(step), &rows.collect::<Vec<_>>())
}

/// What was paid equals the cost of what was sold and of what is left, to the last digit, and the lots make up the
/// position.
#[then(expr = "the cost of {person}'s {string} adds up to the {figure} paid")]
async fn cost_adds_up(
    scene: &mut Scene,
    who: Who,
    item: String,
    paid: Written,
) -> Result<(), Failure> {
    let detail = item_of(scene, &who, &item).await?;
    let wide = |problem| Failure::expected("figures that can be added").actual(problem);
    let sold = detail.sales.iter().map(|sale| &sale.cost_base);
    let left = detail.lots.iter().map(|lot| &lot.cost_base);
    let total = Figure::sum(sold.chain(left)).map_err(wide)?;
    same("cost sold and cost left", &paid.0, Some(&total))?;
    let position = &detail.item.position;
    let lots = Figure::sum(detail.lots.iter().map(|lot| &lot.units)).map_err(wide)?;
    same(
        "units of the position",
        lots.text(),
        position.units.as_ref(),
    )?;
    let cost = Figure::sum(detail.lots.iter().map(|lot| &lot.cost_base)).map_err(wide)?;
    same(
        "cost base of the position",
        cost.text(),
        position.cost_base.as_ref(),
    )
}

/// The batches of the book, newest first and in this order: columns `tool status source written by new duplicate
/// conflict`.
#[then(expr = "{person}'s book lists the batches, newest first")]
async fn batches_are(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batches = desk(scene, &name)?.batches().await?;
    let lines = lines(step);
    if batches.len() != lines.len() {
        let seen: Vec<&str> = batches.iter().map(|batch| batch.tool.as_str()).collect();
        return Err(
            Failure::expected(format!("{} batches", lines.len())).actual(format!("{seen:?}"))
        );
    }
    for (line, batch) in lines.iter().zip(&batches) {
        let source = batch
            .source
            .as_ref()
            .and_then(|source| source["name"].as_str())
            .unwrap_or_default();
        let count = |class: &str| {
            batch
                .counts
                .get(class)
                .copied()
                .unwrap_or_default()
                .to_string()
        };
        let row = vec![
            Cell::text("tool", recording_tool(&batch.tool)),
            Cell::text("status", &batch.status),
            Cell::text("source", source),
            Cell::text("written by", &batch.user.name),
            Cell::text("client", client_in_words(&batch.client.name)),
            Cell::text("new", count("new")),
            Cell::text("duplicate", count("duplicate")),
            Cell::text("conflict", count("conflict")),
        ];
        compare_table(std::slice::from_ref(line), &[row])?;
    }
    let times: Vec<&String> = batches.iter().map(|batch| &batch.created_at).collect();
    if times.windows(2).all(|pair| pair[0] >= pair[1]) {
        return Ok(());
    }
    Err(Failure::expected("times from newest to oldest").actual(format!("{times:?}")))
}

/// A batch of `record` may name the tool that previewed it or the one that wrote it: the page does not say which.
fn recording_tool(tool: &str) -> &str {
    if tool == "commit" { "record" } else { tool }
}

/// The harness is known by what it says of itself, or by the client that its token was issued to.
fn client_in_words(name: &str) -> &str {
    if name == CLIENT_NAME || name == GOOD_CLIENT {
        "this client"
    } else {
        name
    }
}

/// The last batch stands once in the list, written by the person with this harness as client.
#[then(expr = "the batch is listed once, as written by {person}")]
async fn batch_listed_once(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = scene.writing.batch.clone().unwrap_or_default();
    let user = identity(scene, &name).await?.user;
    let batches = desk(scene, &name)?.batches().await?;
    let listed: Vec<_> = batches.iter().filter(|listed| listed.id == batch).collect();
    match listed.as_slice() {
        [one] if one.user.id == user.id && one.user.name == name && one.status == "committed" => {
            Ok(())
        }
        other => {
            Err(Failure::expected(format!("{batch} once, by {name}")).actual(format!("{other:?}")))
        }
    }
}

/// The gains of all sales of an item, added up.
#[then(expr = "the gains of {person}'s {string} add up to {figure}")]
async fn gains_add_up(
    scene: &mut Scene,
    who: Who,
    item: String,
    total: Written,
) -> Result<(), Failure> {
    let detail = item_of(scene, &who, &item).await?;
    let wide = |problem| Failure::expected("figures that can be added").actual(problem);
    let sum = Figure::sum(detail.sales.iter().map(|sale| &sale.gain)).map_err(wide)?;
    same("gains in all", &total.0, Some(&sum))
}

/// How many batches the book lists.
#[then(expr = "{person}'s book lists {int} batch(es)")]
async fn lists_batches(scene: &mut Scene, who: Who, number: usize) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batches = desk(scene, &name)?.batches().await?;
    if batches.len() == number {
        return Ok(());
    }
    Err(Failure::expected(format!("{number} batches")).actual(batches.len()))
}

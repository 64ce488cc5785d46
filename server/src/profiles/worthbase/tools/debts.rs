//! `get_debt_report`: loans, what secures and offsets them, and what that leaves of each property.

use proofmark_ledger::ids::ItemId;
use proofmark_ledger::model::{Currency, Date};
use proofmark_ledger::{LoanReport, PropertyReport};
use serde_json::{Value, json};

use super::super::Worthbase;
use super::super::access::Desk;
use super::super::history::Book;
use super::super::identifiers::figure;
use super::super::shown::{applied_rate, item_name};
use super::net_worth::date;
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;

/// At the close of a day, by the links of today.
pub(in super::super) async fn get_debt_report(
    server: &Worthbase,
    desk: &Desk,
    arguments: &JsonObject,
) -> Result<Value, Fault> {
    let day = date(arguments, desk.visitor.today())?;
    let (book, report) = server
        .ask(desk, move |ledger, rates| ledger.debt_report(day, rates))
        .await?;
    let base = report.currency;
    let loans: Vec<Value> = report
        .loans
        .iter()
        .map(|one| loan(one, day, base, &book))
        .collect();
    let properties: Vec<Value> = report
        .properties
        .iter()
        .map(|one| property(one, base, &book))
        .collect();
    Ok(json!({
        "workspace": desk.workspace(),
        "date": day.to_string(),
        "currency": base,
        "loans": loans,
        "properties": properties,
        "totals": { "total_debt": figure(report.total_debt), "currency": base },
        "partial": report.partial,
        "rates": report.rates.iter().map(applied_rate).collect::<Vec<_>>(),
    }))
}

fn loan(loan: &LoanReport, day: Date, base: Currency, book: &Book) -> Value {
    let linked = |items: &[ItemId]| -> Vec<Value> {
        let shown = items.iter().map(|item| {
            let archive = book.ledger.archive_of(item);
            json!({
                "item": item,
                "name": item_name(item, book),
                "archived": archive.is_some_and(|archive| archive.on <= day),
            })
        });
        shown.collect()
    };
    let offsets: Vec<Value> = loan
        .offsets
        .iter()
        .map(|offset| {
            json!({
                "item": offset.item,
                "name": item_name(&offset.item, book),
                "balance": figure(offset.balance),
                "currency": offset.currency,
            })
        })
        .collect();
    json!({
        "item": loan.item,
        "name": item_name(&loan.item, book),
        "balance": loan.balance.map(figure),
        "currency": loan.currency,
        "offsets": offsets,
        "offset": loan.offset.map(figure),
        "net_of_offset": loan.net_of_offset.map(figure),
        "secured_by": linked(&loan.secured_by),
        "funds": linked(&loan.funds),
        "value_base": loan.value_base.map(figure),
        "base_currency": base,
    })
}

fn property(property: &PropertyReport, base: Currency, book: &Book) -> Value {
    json!({
        "item": property.item,
        "name": item_name(&property.item, book),
        "value": property.value.map(figure),
        "currency": property.currency,
        "value_base": property.value_base.map(figure),
        "secured_debt": figure(property.secured_debt),
        "equity": property.equity.map(figure),
        "lvr": property.lvr.map(figure),
        "base_currency": base,
    })
}

//! `get_history`: the balance sheet at calendar ends, and how far it moved.

use proofmark_ledger::model::{Currency, Date};
use proofmark_ledger::{Breakdown, HistoryQuery, Interval, Movement, NetWorth};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::Worthbase;
use super::super::access::Desk;
use super::super::arguments::read;
use super::super::history::Book;
use super::super::identifiers::figure;
use super::super::shown::{self, plain};
use super::recording::set;
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;

#[derive(Deserialize)]
struct Asked {
    from: Date,
    to: Date,
    interval: Interval,
    by: Option<Breakdown>,
    party: Option<String>,
}

/// Points between two dates; each is what `get_net_worth` says of its day.
pub(in super::super) async fn get_history(
    server: &Worthbase,
    desk: &Desk,
    arguments: JsonObject,
) -> Result<Value, Fault> {
    let asked: Asked = read(arguments)?;
    let query = HistoryQuery {
        from: asked.from,
        to: asked.to,
        interval: asked.interval,
        party: asked.party.as_deref().map(Into::into),
        by: asked.by,
    };
    let (book, history) = server
        .ask(desk, move |ledger, rates| ledger.history(&query, rates))
        .await?;
    let base = book.ledger.base();
    let points: Vec<Value> = history
        .points
        .iter()
        .map(|sheet| point(sheet, &book))
        .collect();
    let mut answer = json!({
        "workspace": desk.workspace(),
        "currency": base,
        "interval": asked.interval,
        "points": points,
        "change": history.change.as_ref().map(|change| movement(change, base)),
    });
    if let Some(party) = asked.party {
        set(&mut answer, "party", json!(party));
    }
    Ok(answer)
}

fn point(sheet: &NetWorth, book: &Book) -> Value {
    let mut shown = json!({
        "date": sheet.date.to_string(),
        "currency": sheet.currency,
        "assets": figure(sheet.assets),
        "liabilities": figure(sheet.liabilities),
        "net_worth": figure(sheet.net_worth),
        "partial": sheet.partial,
        "missing": shown::missing(&sheet.missing, book),
    });
    if let Some(lines) = &sheet.breakdown {
        set(&mut shown, "breakdown", plain(lines));
    }
    shown
}

fn movement(change: &Movement, currency: Currency) -> Value {
    json!({
        "amount": figure(change.amount),
        "ratio": change.ratio.map(figure),
        "currency": currency,
    })
}

//! `get_performance`: gains and returns over a period.

use proofmark_ledger::model::{Currency, Date};
use proofmark_ledger::{PerformanceQuery, Returns};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::Worthbase;
use super::super::access::Desk;
use super::super::arguments::read;
use super::super::identifiers::figure;
use super::super::shown::{self, applied_rate};
use super::recording::set;
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;

#[derive(Deserialize)]
struct Asked {
    from: Option<Date>,
    to: Option<Date>,
    item: Option<String>,
    party: Option<String>,
}

/// Until today, from the first row, unless the caller says otherwise.
pub(in super::super) async fn get_performance(
    server: &Worthbase,
    desk: &Desk,
    arguments: JsonObject,
) -> Result<Value, Fault> {
    let asked: Asked = read(arguments)?;
    let query = PerformanceQuery {
        from: asked.from,
        to: asked.to.unwrap_or_else(|| desk.visitor.today()),
        item: asked.item.map(Into::into),
        party: asked.party.as_deref().map(Into::into),
    };
    let (book, performance) = server
        .ask(desk, move |ledger, rates| ledger.performance(&query, rates))
        .await?;
    let base = performance.currency;
    let items: Vec<Value> = performance
        .items
        .iter()
        .map(|item| {
            let mut shown = returns(&item.returns, base);
            set(&mut shown, "item", json!(item.item));
            set(
                &mut shown,
                "name",
                json!(shown::item_name(&item.item, &book)),
            );
            shown
        })
        .collect();
    let mut answer = json!({
        "workspace": desk.workspace(),
        "from": performance.from.map(|date| date.to_string()),
        "to": performance.to.to_string(),
        "currency": base,
        "items": items,
        "total": returns(&performance.total, base),
        "partial": performance.partial,
        "missing": shown::missing(&performance.missing, &book),
        "rates": performance.rates.iter().map(applied_rate).collect::<Vec<_>>(),
    });
    if let Some(party) = asked.party {
        set(&mut answer, "party", json!(party));
    }
    Ok(answer)
}

fn returns(returns: &Returns, currency: Currency) -> Value {
    let mut shown = json!({
        "start_value": returns.start_value.map(figure),
        "end_value": returns.end_value.map(figure),
        "money_in": figure(returns.money_in),
        "money_out": figure(returns.money_out),
        "income": figure(returns.income),
        "retained_income": figure(returns.retained_income),
        "gain": returns.gain.map(figure),
        "simple_return": returns.simple_return.map(figure),
        "xirr": returns.xirr.map(figure),
        "short_period": returns.short_period,
        "currency": currency,
    });
    if let Some(reason) = returns.xirr_reason {
        set(&mut shown, "xirr_reason", json!(reason));
    }
    shown
}

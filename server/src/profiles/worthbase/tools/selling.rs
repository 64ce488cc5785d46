//! `simulate_sale`: what a sale would bring, without one.

use proofmark_ledger::decimal::{self, Decimal, Exact};
use proofmark_ledger::model::Date;
use proofmark_ledger::rows::{LotChoice, Transaction, TransactionKind};
use proofmark_ledger::{Change, SaleQuestion, SimulatedSale, SoldLot};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::Worthbase;
use super::super::access::Desk;
use super::super::arguments::read;
use super::super::history::Book;
use super::super::identifiers::{figure, new_id};
use super::super::shown::{applied_rate, party_name, without_nulls};
use super::parties::apply;
use super::recording::set;
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;
use crate::rules::SimulationEffect;

#[derive(Deserialize)]
struct Asked {
    item: String,
    date: Option<Date>,
    #[serde(default, with = "decimal::text::optional")]
    units: Option<Decimal>,
    #[serde(default, with = "decimal::text::optional")]
    price: Option<Decimal>,
    #[serde(default, with = "decimal::text::optional")]
    amount: Option<Decimal>,
    #[serde(default, with = "decimal::text::optional")]
    fees: Option<Decimal>,
    #[serde(default)]
    lots: Vec<LotChoice>,
}

/// All units, today, first in first out, at the latest price, without fees, unless the caller says otherwise.
pub(in super::super) async fn simulate_sale(
    server: &Worthbase,
    desk: &Desk,
    arguments: JsonObject,
) -> Result<Value, Fault> {
    let asked: Asked = read(arguments)?;
    let fees = asked
        .fees
        .map_or_else(|| "0".to_owned(), |fees| fees.to_string());
    let question = SaleQuestion {
        item: asked.item.into(),
        date: asked.date.unwrap_or_else(|| desk.visitor.today()),
        units: asked.units,
        price: asked.price,
        amount: asked.amount,
        fees: asked.fees,
        lots: asked.lots,
    };
    let item = question.item.clone();
    let (day, lots) = (question.date, question.lots.clone());
    let (book, simulated) = server
        .ask(desk, move |ledger, rates| {
            ledger.simulate_sale(&question, rates)
        })
        .await?;
    if server.rules.writes.simulation == SimulationEffect::SaleWritten {
        let row = Transaction {
            units: simulated.sale.units.and_then(written),
            amount: written(simulated.gross_proceeds),
            fees: asked.fees,
            lots,
            ..Transaction::new(
                new_id("txn").into(),
                item.clone(),
                TransactionKind::Sell,
                day,
            )
        };
        let change = Change::Transaction(row);
        apply(server, desk, "simulate_sale", change, "transactions[0]").await?;
    }
    let mut answer = shown(&simulated, &book);
    set(&mut answer, "workspace", json!(desk.workspace()));
    set(&mut answer, "item", json!(item));
    set(&mut answer, "fees", json!(fees));
    Ok(answer)
}

/// A figure as a row has it.
fn written(figure: Exact) -> Option<Decimal> {
    decimal::parse(&figure.to_string()).ok()
}

fn shown(simulated: &SimulatedSale, book: &Book) -> Value {
    let sale = &simulated.sale;
    // Figures in base currency exist where the day has a rate.
    let in_base = simulated.rate.is_some() || sale.currency == sale.base_currency;
    let base = |value| in_base.then(|| figure(value));
    let lot = |lot: &SoldLot| {
        without_nulls(json!({
            "lot": lot.lot,
            "acquired_on": lot.acquired_on.to_string(),
            "units": figure(lot.units),
            "cost_base": figure(lot.cost_base),
            "net_proceeds": figure(lot.net_proceeds),
            "gain": figure(lot.gain),
            "currency": sale.currency,
            "net_proceeds_base": base(lot.net_proceeds_base),
            "cost_base_base": base(lot.cost_base_base),
            "gain_base": base(lot.gain_base),
            "base_currency": lot.base_currency,
        }))
    };
    let parties: Vec<Value> = simulated
        .parties
        .iter()
        .map(|part| {
            json!({
                "party": part.party,
                "name": party_name(&part.party, &book.ledger),
                "gain": figure(part.gain),
                "currency": sale.currency,
            })
        })
        .collect();
    let after = &simulated.position_after;
    let mut position = json!({
        "cost_base": figure(after.cost_base),
        "value": after.value.map(figure),
        "currency": after.currency,
    });
    if let Some(units) = after.units {
        set(&mut position, "units", figure(units));
    }
    let rates: Vec<Value> = simulated.rate.iter().map(applied_rate).collect();
    without_nulls(json!({
        "date": sale.date.to_string(),
        "units": sale.units.map(figure),
        "price": simulated.price.map(figure),
        "price_date": simulated.price_date.map(|date| date.to_string()),
        "currency": sale.currency,
        "base_currency": sale.base_currency,
        "gross_proceeds": figure(simulated.gross_proceeds),
        "net_proceeds": figure(sale.net_proceeds),
        "cost_base": figure(sale.cost_base),
        "gain": figure(sale.gain),
        "net_proceeds_base": base(sale.net_proceeds_base),
        "cost_base_base": base(sale.cost_base_base),
        "gain_base": base(sale.gain_base),
        "lots": sale.lots.iter().map(lot).collect::<Vec<_>>(),
        "parties": parties,
        "position_after": position,
        "rates": rates,
    }))
}

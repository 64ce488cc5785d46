//! Sales of a case that are thought about before they are made: what is simulated must be what happens.

use serde_json::Value;

use super::{
    case::{Case, Row, text},
    stage::{Rows, Stage},
};
use crate::{
    suite::Failure,
    worthbase::{
        Call, Desk, Figure,
        result::{Position, Sale, SimulatedSale, SoldLot},
    },
};

/// A sale before and after it was made.
#[derive(Debug)]
pub struct Rehearsed {
    /// What the simulation said.
    pub simulated: SimulatedSale,
    /// What the book shows of the sale.
    pub happened: Sale,
    /// What the book holds after it.
    pub left: Position,
}

/// Records the book of `case` without its sales, then simulates and makes each sale, in the order of their days.
///
/// # Errors
/// The server refuses a row or a simulation.
pub async fn rehearse(desk: Desk, case: &Case) -> Result<Vec<Rehearsed>, Failure> {
    let mut stage = Stage::new(desk);
    stage.open(&case.given, &[]).await?;
    let is_sale = |row: &&Row| text(row, "type") == Some("sell");
    let (mut sales, others): (Vec<&Row>, Vec<&Row>) = case.given.rows.iter().partition(is_sale);
    let others: Vec<Row> = others.into_iter().cloned().collect();
    let book = Rows {
        transactions: &others,
        ..Rows::of(&case.given)
    };
    stage.must_record(book).await?;
    sales.sort_by_key(|row| text(row, "date"));
    let mut rehearsed = Vec::new();
    for row in sales {
        rehearsed.push(one(&mut stage, row).await?);
    }
    Ok(rehearsed)
}

async fn one(stage: &mut Stage, row: &Row) -> Result<Rehearsed, Failure> {
    let item = stage
        .item(text(row, "item").unwrap_or_default())?
        .to_owned();
    let sent = stage.sent(row).await?;
    let mut call = Call::simulate_sale(&item);
    for field in ["date", "units", "amount", "fees", "lots"] {
        if let Some(value) = sent.get(field).filter(|value| !Value::is_null(value)) {
            call = call.with(field, value.clone());
        }
    }
    let simulated: SimulatedSale = stage.desk.send(&call).await?.accepted()?;
    let recorded = stage
        .must_record(Rows::transactions(std::slice::from_ref(row)))
        .await?;
    let id = recorded.rows.first().and_then(|row| row.id.clone());
    let detail = stage.desk.item(&item).await?;
    let of_row = |sale: &&Sale| Some(&sale.transaction) == id.as_ref();
    let of_day = |sale: &&Sale| text(row, "date") == Some(&sale.date);
    let happened = detail.sales.iter().find(of_row);
    let happened = happened.or_else(|| detail.sales.iter().rfind(of_day));
    let happened = happened.cloned().ok_or_else(|| {
        Failure::expected("the sale among the sales of its item")
            .actual(format!("{:?}", detail.sales))
    })?;
    Ok(Rehearsed {
        simulated,
        happened,
        left: detail.item.position,
    })
}

impl Rehearsed {
    /// That the sale came out as it was simulated: proceeds, cost, gain, lots, what is left; and that the owners' parts of
    /// the simulated gain are the gain.
    ///
    /// # Errors
    /// The first figure that differs.
    pub fn came_out(&self) -> Result<(), Failure> {
        let (simulated, happened) = (&self.simulated, &self.happened);
        let figures = [
            (
                "net proceeds",
                &simulated.net_proceeds,
                &happened.net_proceeds,
            ),
            ("cost base", &simulated.cost_base, &happened.cost_base),
            ("gain", &simulated.gain, &happened.gain),
        ];
        for (what, expected, actual) in figures {
            same(what, Some(expected), Some(actual))?;
        }
        let lots = |lots: &[SoldLot]| {
            let shown = lots.iter().map(|lot| {
                let figures = [&lot.units, &lot.cost_base, &lot.net_proceeds, &lot.gain];
                (lot.acquired_on.clone(), figures.map(Clone::clone))
            });
            shown.collect::<Vec<_>>()
        };
        if simulated.lots.is_empty() || lots(&simulated.lots) != lots(&happened.lots) {
            let expected = format!("the simulated lots {:?}", simulated.lots);
            return Err(Failure::expected(expected).actual(format!("{:?}", happened.lots)));
        }
        let after = &simulated.position_after;
        same("units left", after.units.as_ref(), self.left.units.as_ref())?;
        same(
            "cost left",
            Some(&after.cost_base),
            self.left.cost_base.as_ref(),
        )?;
        let wide = |problem| Failure::expected("figures that can be added").actual(problem);
        let parts = Figure::sum(simulated.parties.iter().map(|part| &part.gain)).map_err(wide)?;
        same("the owners' parts", Some(&happened.gain), Some(&parts))
    }
}

fn same(what: &str, expected: Option<&Figure>, actual: Option<&Figure>) -> Result<(), Failure> {
    if expected.is_some() && expected == actual {
        return Ok(());
    }
    let shown = |figure: Option<&Figure>| figure.map_or("none".to_owned(), ToString::to_string);
    Err(
        Failure::expected(format!("{what} as simulated: {}", shown(expected)))
            .actual(shown(actual)),
    )
}

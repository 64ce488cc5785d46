//! Steps about sales that somebody only thinks about: what they would bring, and that they leave no trace.

use cucumber::{gherkin::Step, then, when};
use serde_json::json;

use super::{
    book::{before, learn_lots, lines, note_down, unreadable},
    people::{Who, desk, meet},
    table::{Cell, compare_table},
    tokens::mocks,
    writing::attempt,
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Call, Figure, Line,
        journal::lots_of,
        result::{SimulatedSale, SoldLot},
    },
};

/// What a scenario remembers about a sale that was thought about.
#[derive(Debug, Default)]
pub struct Selling {
    simulated: Option<SimulatedSale>,
}

impl Selling {
    fn simulated(&self) -> Result<&SimulatedSale, Failure> {
        let simulated = self.simulated.as_ref();
        simulated.ok_or_else(|| Failure::harness("no sale was simulated before this sentence"))
    }
}

/// The question: the columns `date units price amount fees lots`, all of them optional.
async fn question(scene: &mut Scene, name: &str, item: &str, step: &Step) -> Result<Call, Failure> {
    let id = before(scene, name)?
        .items
        .get(item)
        .cloned()
        .unwrap_or_else(|| item.to_owned());
    let mut call = Call::simulate_sale(&id);
    let Some(line) = lines(step).into_iter().next() else {
        return Ok(call);
    };
    for field in ["date", "units", "price", "amount", "fees", "percent"] {
        if let Some(cell) = line.cell(field) {
            call = call.with(field, json!(cell));
        }
    }
    if let Some(lots) = line.cell("lots") {
        let named = [["item", "lots"], [item, lots]].map(|row| row.map(str::to_owned).to_vec());
        learn_lots(scene, name, &Line::read_table(&named)).await?;
        let lots = lots_of(lots, item, before(scene, name)?).map_err(unreadable)?;
        call = call.with("lots", lots);
    }
    Ok(call)
}

/// What a sale would bring: columns `date units price amount fees lots`; what is not written is left to the server.
#[when(expr = "{person} asks what a sale of {string} would bring")]
async fn asks_what(scene: &mut Scene, who: Who, item: String, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = question(scene, &name, &item, step).await?;
    note_down(scene).await?;
    let answer = desk(scene, &name)?.send(&call).await?;
    scene.selling.simulated = Some(answer.accepted()?);
    scene.writing.last = Some(answer);
    Ok(())
}

/// A question about a sale that must be refused: columns as for one that is answered.
#[when(expr = "{person} tries to ask what a sale of {string} would bring")]
async fn tries_to_ask(
    scene: &mut Scene,
    who: Who,
    item: String,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = question(scene, &name, &item, step).await?;
    attempt(scene, &name, &call).await
}

/// What the sale would bring: columns `date units price price date fees gross proceeds net proceeds cost base gain
/// currency gain in base base currency`.
#[then("the sale would bring")]
fn would_bring(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let sale = scene.selling.simulated()?;
    let row = vec![
        Cell::text("date", &sale.date),
        Cell::figure("units", sale.units.as_ref()),
        Cell::figure("price", sale.price.as_ref()),
        Cell::text("price date", sale.price_date.clone().unwrap_or_default()),
        Cell::figure("fees", sale.fees.as_ref()),
        Cell::figure("gross proceeds", Some(&sale.gross_proceeds)),
        Cell::figure("net proceeds", Some(&sale.net_proceeds)),
        Cell::figure("cost base", Some(&sale.cost_base)),
        Cell::figure("gain", Some(&sale.gain)),
        Cell::text("currency", &sale.currency),
        Cell::figure("gain in base", sale.gain_base.as_ref()),
        Cell::text(
            "base currency",
            sale.base_currency.clone().unwrap_or_default(),
        ),
    ];
    compare_table(&lines(step), &[row])
}

/// The sale would be made on the day that it is.
#[then("the sale would be of today")]
async fn would_be_of_today(scene: &mut Scene) -> Result<(), Failure> {
    let today = mocks(scene)?.now().await?.to_zoned(jiff::tz::TimeZone::UTC);
    let today = today.date().to_string();
    let date = &scene.selling.simulated()?.date;
    if *date == today {
        return Ok(());
    }
    Err(Failure::expected(format!("a sale of {today}")).actual(date))
}

/// The lots it would take: columns `acquired on units cost base net proceeds gain`.
#[then("the sale would take the lots")]
fn would_take(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let row = |lot: &SoldLot| {
        vec![
            Cell::text("acquired on", &lot.acquired_on),
            Cell::figure("units", Some(&lot.units)),
            Cell::figure("cost base", Some(&lot.cost_base)),
            Cell::figure("net proceeds", Some(&lot.net_proceeds)),
            Cell::figure("gain", Some(&lot.gain)),
        ]
    };
    let rows: Vec<_> = scene.selling.simulated()?.lots.iter().map(row).collect();
    compare_table(&lines(step), &rows)
}

/// Whose the gain would be: columns `party gain`; the parts add up to the gain to the last digit.
#[then(expr = "the gain of {person}'s sale would be shared as")]
async fn would_be_shared(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let parties = before(scene, &name)?.parties.clone();
    let sale = scene.selling.simulated()?;
    let rows = sale.parties.iter().map(|part| {
        let known = parties.iter().find(|(_, id)| **id == part.party);
        let party = known.map_or(part.party.as_str(), |(name, _)| name);
        vec![
            Cell::text("party", party),
            Cell::figure("gain", Some(&part.gain)),
        ]
    });
    compare_table(&lines(step), &rows.collect::<Vec<_>>())?;
    let sum = Figure::sum(sale.parties.iter().map(|part| &part.gain))
        .map_err(|problem| Failure::expected("figures that can be added").actual(problem))?;
    if sum == sale.gain {
        return Ok(());
    }
    Err(Failure::expected(format!("parts that add up to {}", sale.gain)).actual(sum))
}

/// What it would leave: columns `units cost base value`.
#[then("the sale would leave")]
fn would_leave(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let left = &scene.selling.simulated()?.position_after;
    let row = vec![
        Cell::figure("units", left.units.as_ref()),
        Cell::figure("cost base", Some(&left.cost_base)),
        Cell::figure("value", left.value.as_ref()),
    ];
    compare_table(&lines(step), &[row])
}

/// Nothing in any answer of the scenario, and no argument or result of any tool, speaks of tax.
#[then(expr = "nothing that {person} was shown or may ask for is a tax")]
async fn no_tax(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let tools = scene.people.person(&name)?.session.list_tools().await;
    let tools = tools.map_err(|problem| Failure::expected("a list of tools").actual(problem))?;
    let mut keys = Vec::new();
    for answer in scene.book.answers.all() {
        collect_keys(&answer.body, answer.tool, &mut keys);
    }
    for tool in &tools {
        collect_keys(&tool.input_schema, &tool.name, &mut keys);
        if let Some(output) = &tool.output_schema {
            collect_keys(output, &tool.name, &mut keys);
        }
    }
    let taxing = |key: &&String| {
        key.split(['_', ' ', '.'])
            .any(|word| ["tax", "taxes", "taxable", "discount", "cgt"].contains(&word))
    };
    match keys.iter().find(taxing) {
        None if !keys.is_empty() => Ok(()),
        None => Err(Failure::harness("nothing was shown in this scenario")),
        Some(key) => Err(Failure::expected("no figure of any tax").actual(key)),
    }
}

/// The names of all members in a document, each behind the tool it belongs to.
fn collect_keys(value: &serde_json::Value, tool: &str, keys: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(members) => {
            for (key, member) in members {
                keys.push(format!("{tool} {key}").to_lowercase());
                collect_keys(member, tool, keys);
            }
        }
        serde_json::Value::Array(elements) => {
            elements
                .iter()
                .for_each(|element| collect_keys(element, tool, keys));
        }
        _ => {}
    }
}

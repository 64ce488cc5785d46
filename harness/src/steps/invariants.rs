//! Steps about what holds in every book, whatever was recorded in it: figures that meet agree to the last digit.

use std::collections::BTreeMap;

use cucumber::{then, when};
use serde_json::Value;

use super::{
    book::{before, note_down},
    people::{Who, desk, meet},
    writing::Day,
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Call, Figure, Period,
        result::{ItemDetail, Transaction},
    },
};

fn wide(problem: impl std::fmt::Display) -> Failure {
    Failure::expected("figures that can be added").actual(problem)
}

fn equal(what: &str, expected: &Figure, actual: &Figure) -> Result<(), Failure> {
    if expected == actual {
        return Ok(());
    }
    Err(Failure::expected(format!("{what}: {expected}")).actual(actual))
}

/// Every item of the book in full.
async fn items(scene: &mut Scene, who: &Who) -> Result<Vec<ItemDetail>, Failure> {
    let name = meet(scene, who).await?;
    let desk = desk(scene, &name)?;
    let mut details = Vec::new();
    for item in desk.items().await? {
        details.push(desk.item(&item.id).await?);
    }
    if details.is_empty() {
        return Err(Failure::expected("items in the book").actual("none"));
    }
    Ok(details)
}

/// Net worth is assets less liabilities, in every answer of the scenario that has the three.
#[then("net worth was assets less liabilities in every answer")]
fn assets_less_liabilities(scene: &mut Scene) -> Result<(), Failure> {
    let mut looked_at = 0;
    for answer in scene.book.answers.all() {
        visit(&answer.body, &mut |members| {
            let figure = |name: &str| members.get(name)?.as_str()?.parse::<Figure>().ok();
            let (Some(assets), Some(liabilities), Some(worth)) =
                (figure("assets"), figure("liabilities"), figure("net_worth"))
            else {
                return Ok(());
            };
            looked_at += 1;
            let difference = assets.minus(&liabilities).map_err(wide)?;
            equal(
                &format!("assets less liabilities in {}", answer.tool),
                &difference,
                &worth,
            )
        })?;
    }
    if looked_at == 0 {
        return Err(Failure::harness("no answer showed a net worth"));
    }
    Ok(())
}

fn visit(
    value: &Value,
    check: &mut impl FnMut(&serde_json::Map<String, Value>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    match value {
        Value::Object(members) => {
            check(members)?;
            members
                .values()
                .try_for_each(|member| visit(member, &mut *check))
        }
        Value::Array(elements) => elements
            .iter()
            .try_for_each(|element| visit(element, &mut *check)),
        _ => Ok(()),
    }
}

/// Value less cost is the unrealised gain; proceeds less cost are the gain of each sale and of each lot that it took.
#[then(expr = "every gain in {person}'s book is what it brought less what it cost")]
async fn gains_agree(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    for detail in items(scene, &who).await? {
        let position = &detail.item.position;
        if let (Some(value), Some(cost), Some(gain)) = (
            &position.value,
            &position.cost_base,
            &position.unrealised_gain,
        ) {
            equal("value less cost", &value.minus(cost).map_err(wide)?, gain)?;
        }
        for sale in &detail.sales {
            let gain = sale.net_proceeds.minus(&sale.cost_base).map_err(wide)?;
            equal("proceeds less cost", &gain, &sale.gain)?;
            for lot in &sale.lots {
                let gain = lot.net_proceeds.minus(&lot.cost_base).map_err(wide)?;
                equal("proceeds of a lot less its cost", &gain, &lot.gain)?;
            }
            if !sale.lots.is_empty() {
                let sum = Figure::sum(sale.lots.iter().map(|lot| &lot.gain)).map_err(wide)?;
                equal("the gains of its lots", &sum, &sale.gain)?;
            }
        }
    }
    Ok(())
}

/// The cost of what was bought is the cost of what was sold and of what is left, over the whole book, because a transfer
/// takes cost from one item to another; and the lots of each item make up its position.
#[then(expr = "no cost was lost in {person}'s book, and its lots are its positions")]
async fn cost_is_conserved(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let mut bought = Vec::new();
    let mut kept = Vec::new();
    for detail in items(scene, &who).await? {
        let position = &detail.item.position;
        if position.units.is_none() {
            continue;
        }
        for row in &detail.transactions {
            if ["buy", "opening_balance", "transfer_in"].contains(&row.kind.as_str()) {
                bought.extend(row.amount.clone());
                bought.extend(row.fees.clone());
            }
        }
        kept.extend(detail.sales.iter().map(|sale| sale.cost_base.clone()));
        kept.extend(detail.lots.iter().map(|lot| lot.cost_base.clone()));
        let units = Figure::sum(detail.lots.iter().map(|lot| &lot.units)).map_err(wide)?;
        let cost = Figure::sum(detail.lots.iter().map(|lot| &lot.cost_base)).map_err(wide)?;
        let held = position.units.clone().unwrap_or_else(Figure::zero);
        equal("units of the open lots", &units, &held)?;
        let costs = position.cost_base.clone().unwrap_or_else(Figure::zero);
        equal("cost of the open lots", &cost, &costs)?;
    }
    if bought.is_empty() {
        return Err(Failure::expected("something that was bought").actual("nothing"));
    }
    let (bought, kept) = (
        Figure::sum(&bought).map_err(wide)?,
        Figure::sum(&kept).map_err(wide)?,
    );
    equal("cost sold and cost left", &bought, &kept)
}

/// Units follow from the rows: what came in less what went out, by the days of the rows, splits first.
#[then(expr = "the units of every item in {person}'s book follow from its rows")]
async fn units_follow(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let mut looked_at = 0;
    for detail in items(scene, &who).await? {
        let Some(held) = detail.item.position.units.clone() else {
            continue;
        };
        looked_at += 1;
        let mut days: BTreeMap<(&str, bool), Vec<&Transaction>> = BTreeMap::new();
        for row in &detail.transactions {
            let split = row.kind == "split";
            days.entry((&row.date, !split)).or_default().push(row);
        }
        let mut moves: Vec<(&str, bool, i128)> = Vec::new();
        for transfer in &detail.transfers {
            let Some(units) = &transfer.units else {
                continue;
            };
            let units = units.scaled().map_err(wide)?;
            let comes = transfer.to_item == detail.item.id;
            moves.push((&transfer.date, true, if comes { units } else { -units }));
        }
        let mut units: i128 = 0;
        let mut days: Vec<((&str, bool), Vec<&Transaction>)> = days.into_iter().collect();
        for (date, after, _) in &moves {
            if !days.iter().any(|(key, _)| *key == (*date, *after)) {
                days.push(((*date, *after), Vec::new()));
            }
        }
        days.sort_by_key(|(key, _)| *key);
        for ((date, after), rows) in days {
            for row in rows {
                let amount = match &row.units {
                    Some(units) => units.scaled().map_err(wide)?,
                    None => 0,
                };
                match row.kind.as_str() {
                    "buy" | "opening_balance" | "transfer_in" => units += amount,
                    "sell" | "transfer_out" => units -= amount,
                    "split" => units = split(units, row)?,
                    _ => {}
                }
            }
            if after {
                let moved = moves.iter().filter(|(day, ..)| *day == date);
                units += moved.map(|(_, _, moved)| moved).sum::<i128>();
            }
        }
        if held.scaled().map_err(wide)? != units {
            let expected = format!("{} in units of 10^-18 of {}", units, detail.item.name);
            return Err(Failure::expected(expected).actual(held));
        }
    }
    if looked_at == 0 {
        return Err(Failure::expected("items with units").actual("none"));
    }
    Ok(())
}

fn split(units: i128, row: &Transaction) -> Result<i128, Failure> {
    let ratio = row.to.as_ref().zip(row.from.as_ref());
    let (to, from) = ratio.ok_or_else(|| {
        Failure::expected("the ratio of a split in its row").actual(format!("{row:?}"))
    })?;
    let whole = |figure: &Figure| {
        figure
            .text()
            .parse::<i128>()
            .map_err(|problem| Failure::expected("a split in whole numbers").actual(problem))
    };
    let (to, from) = (whole(to)?, whole(from)?);
    Ok(units * to / from.max(1))
}

/// The book lists one batch for each write that was accepted: reads, previews and changes of the workspace itself are none.
#[then(expr = "{person}'s book lists a batch for each write and no other")]
async fn batch_for_each_write(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let listed = desk(scene, &name)?.batches().await?.len();
    let writing = [
        "record",
        "commit",
        "reconcile",
        "update_item",
        "set_owners",
        "link_items",
        "archive_item",
        "void",
        "set_goal",
        "set_loss",
        "save_party",
        "save_account",
    ];
    let answers = scene.book.answers.all();
    let writes = answers.iter().filter(|answer| {
        !answer.is_error
            && writing.contains(&answer.tool)
            && answer.body.get("preview_id").is_none_or(Value::is_null)
    });
    let writes = writes.count();
    if writes == listed && writes > 0 {
        return Ok(());
    }
    Err(Failure::expected(format!("{writes} batches")).actual(listed))
}

/// The shares of all parties add up to the whole: gains of every period so far, and what is left of losses.
#[then(expr = "gains and losses of all parties in {person}'s book until {day} add up to the whole")]
async fn parties_add_up(scene: &mut Scene, who: Who, to: Day) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let desk = desk(scene, &name)?;
    let parties = before(scene, &name)?.parties.clone();
    let whole = desk
        .performance(Period::until(&to.0), None, None)
        .await?
        .total;
    let (mut gains, mut money) = (Vec::new(), Vec::new());
    for party in parties.values() {
        let share = desk
            .performance(Period::until(&to.0), None, Some(party))
            .await?
            .total;
        gains.extend(share.gain);
        money.push(share.money_in);
    }
    equal(
        "money put in by all parties",
        &Figure::sum(&money).map_err(wide)?,
        &whole.money_in,
    )?;
    if let Some(gain) = &whole.gain {
        equal(
            "gains of all parties",
            &Figure::sum(&gains).map_err(wide)?,
            gain,
        )?;
    }
    let losses = desk.losses().await?;
    let left = Figure::sum(losses.losses.iter().map(|loss| &loss.remaining)).map_err(wide)?;
    let totals = losses.totals.iter().map(|totals| &totals.total.remaining);
    equal(
        "what is left of all losses",
        &left,
        &Figure::sum(totals).map_err(wide)?,
    )
}

/// Every reading tool is asked twice, with several arguments; both answers must be the same, byte for byte. The book is
/// noted down before, so that it can be compared afterwards.
#[when(expr = "{person} asks every reading tool twice")]
async fn asks_twice(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    note_down(scene).await?;
    let desk = desk(scene, &name)?;
    let item = desk.items().await?.into_iter().find(|item| {
        // Something that can be sold, so that a sale can be thought about.
        item.position.units.is_some() && item.position.price.is_some()
    });
    let item = item.map(|item| item.id).ok_or_else(|| {
        Failure::expected("an item with units and a price").actual("none in the book")
    })?;
    let year = Period::between("2024-01-01", "2024-12-31");
    let questions = [
        Call::whoami(),
        Call::get_overview(),
        Call::get_net_worth(None, None, None),
        Call::get_net_worth(Some("2024-06-30"), Some("party"), None),
        Call::get_history(year, "month", Some("item"), None),
        Call::get_history(year, "quarter", None, None),
        Call::list_items(None),
        Call::get_item(&item),
        Call::get_performance(Period::until("2024-12-31"), None, None),
        Call::get_performance(year, Some(&item), None),
        Call::get_debt_report(None),
        Call::get_debt_report(Some("2024-06-30")),
        Call::get_goals(None),
        Call::get_losses(),
        Call::simulate_sale(&item),
        Call::list_batches(None),
        Call::search_instruments("Acme"),
    ];
    for question in questions {
        let first = desk.send(&question).await?;
        let second = desk.send(&question).await?;
        first.is_accepted()?;
        if first.text != second.text || first.body != second.body {
            let expected = format!("the same answer of {} twice: {}", question.tool, first.text);
            return Err(Failure::expected(expected).actual(&second.text));
        }
    }
    Ok(())
}

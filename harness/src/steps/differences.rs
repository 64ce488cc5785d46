//! Steps about what every write says of the net worth: the difference that it makes, whichever tool it is.

use cucumber::{gherkin::Step, then, when};
use serde_json::{Value, json};

use super::{
    book::{before, lines},
    people::{Who, desk, meet},
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Batch, Call, Desk, Figure,
        result::{Changed, LedgerWrite, NetWorthChange, Recorded},
    },
};

/// What a scenario remembers about writes: the tool, the net worth read before and after it, and what it said.
#[derive(Debug, Default)]
pub struct Differences(Vec<(String, Figure, Figure, NetWorthChange)>);

/// Somebody writes once with each tool of a table (`tool`); around each the net worth of today is read.
#[when(expr = "{person} writes once with each of the tools")]
async fn writes_once(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let here = desk(scene, &name)?;
    for line in lines(step) {
        let tool = line.cell("tool").unwrap_or_default().to_owned();
        let call = writing_call(scene, &name, &here, &tool).await?;
        let before = here.net_worth(None, None, None).await?.net_worth;
        let answer = here.send(&call).await?;
        let after = here.net_worth(None, None, None).await?.net_worth;
        if tool == "undo" {
            let said: LedgerWrite = answer.accepted()?;
            let heard = (tool, before, after, said.net_worth);
            scene.differences.0.push(heard);
            continue;
        }
        let written: Changed = answer.accepted()?;
        scene.writing.batches.insert(tool.clone(), written.batch);
        let heard = (tool, before, after, written.net_worth);
        scene.differences.0.push(heard);
    }
    Ok(())
}

/// What each of these writes said of the net worth is what was read around it: before, after, and the difference.
#[then("each write said how far it moved the net worth of today")]
fn said_how_far(scene: &mut Scene) -> Result<(), Failure> {
    let heard = &scene.differences.0;
    if heard.is_empty() {
        return Err(Failure::harness("nothing was written before this sentence"));
    }
    for (tool, before, after, said) in heard {
        let difference = after
            .minus(before)
            .map_err(|problem| Failure::expected("figures that can be added").actual(problem))?;
        if said.before != *before || said.after != *after || said.change != difference {
            let expected = format!("{tool}: from {before} to {after}, by {difference}");
            return Err(Failure::expected(expected).actual(format!("{said:?}")));
        }
    }
    Ok(())
}

/// One accepted call of a writing tool on the items Cash, Acme and Home.
async fn writing_call(scene: &Scene, name: &str, here: &Desk, tool: &str) -> Result<Call, Failure> {
    let book = before(scene, name)?;
    let item = |item: &str| {
        let id = book.items.get(item).cloned();
        id.ok_or_else(|| Failure::harness(format!("the book holds no {item}")))
    };
    let mut batch = Batch::new();
    let deposit = |amount: &str| -> Result<Value, Failure> {
        Ok(
            json!({ "item": item("Cash")?, "type": "deposit", "date": "2024-07-01", "amount": amount }),
        )
    };
    Ok(match tool {
        "record" => {
            batch.push("transactions", deposit("40.25")?);
            Call::record_at_once(&batch)
        }
        "commit" => {
            batch.push("transactions", deposit("59.75")?);
            let preview: Recorded = here.send(&Call::preview(&batch)).await?.accepted()?;
            Call::commit(&preview.preview_id.unwrap_or_default())
        }
        "undo" => Call::undo(&scene.writing.batch_named("record")?),
        "void" => {
            let detail = here.item(&item("Acme")?).await?;
            let last = detail.prices.last().map(|price| price.id.clone());
            Call::void(&[], &[], &last.into_iter().collect::<Vec<_>>(), None)
        }
        "reconcile" => Call::reconcile(&item("Cash")?, "2024-07-31", "value", "1"),
        "archive_item" => Call::archive_item(&item("Home")?, None),
        "set_goal" => {
            let goal = json!({ "name": "A boat", "kind": "net_worth", "target": "100" });
            Call::set_goal(goal.as_object().cloned().unwrap_or_default())
        }
        "save_party" => Call::add_party("Firm", "company"),
        "save_account" => Call::add_account("Bank", "bank"),
        other => return Err(Failure::harness(format!("no call is known for {other}"))),
    })
}

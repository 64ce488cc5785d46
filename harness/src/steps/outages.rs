//! Steps about calls while a directory is out of order, and about every tool of a workspace at once.

use cucumber::{gherkin::Step, then, when};
use futures::future::join_all;

use super::{
    access::sample_call,
    book::{lines, note_down, unreadable},
    market::{Outage, Service},
    people::{Who, desk, meet},
    tokens::mocks,
};
use crate::{
    suite::{Failure, Scene},
    worthbase::Answer,
};

/// Tools that act in a workspace, each with a call that is right.
const TOOLS: [&str; 13] = [
    "get_overview",
    "get_net_worth",
    "list_items",
    "get_item",
    "list_batches",
    "record",
    "record at once",
    "commit",
    "undo",
    "reconcile",
    "save_party",
    "save_account",
    "members",
];

async fn try_every_tool(scene: &Scene, name: &str) -> Result<Vec<Answer>, Failure> {
    let desk = desk(scene, name)?;
    let mut calls = Vec::new();
    for tool in TOOLS {
        calls.push(sample_call(scene, name, tool)?);
    }
    let answers = join_all(calls.iter().map(|call| desk.send(call))).await;
    answers.into_iter().collect()
}

/// Every tool of the workspace is called, all at once, with arguments that are right; all must be refused.
#[when(expr = "{person} tries every tool of the book")]
async fn tries_every_tool(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    scene.people.race = try_every_tool(scene, &name).await?;
    Ok(())
}

/// The same while a service answers in each of some ways (column `answer`); it is mended afterwards.
#[when(expr = "{person} tries every tool of the book while {service} answers with each of")]
async fn tries_through_outages(
    scene: &mut Scene,
    who: Who,
    service: Service,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    note_down(scene).await?;
    let mut answers = Vec::new();
    for line in lines(step) {
        let case = line.needs("answer").map_err(unreadable)?;
        let how: Outage = case.parse().map_err(Failure::harness)?;
        mocks(scene)?.break_provider(service.0, how.0).await?;
        answers.extend(try_every_tool(scene, &name).await?);
        mocks(scene)?.mend_provider(service.0).await?;
    }
    scene.people.race = answers;
    Ok(())
}

/// Every call was refused for one reason. A server that does not claim our contract may use a code of its own.
#[then(expr = "every one of them is refused with {string}")]
fn all_refused(scene: &mut Scene, code: String) -> Result<(), Failure> {
    if scene.people.race.is_empty() {
        return Err(Failure::harness("no call was tried before this sentence"));
    }
    for answer in &scene.people.race {
        let refusal = answer.refusal()?;
        if scene.environment.target.contract.is_some() && refusal.code != code {
            return Err(
                Failure::expected(format!("`{}` refused with `{code}`", answer.tool))
                    .actual(format!("`{}`: {}", refusal.code, refusal.message)),
            );
        }
    }
    Ok(())
}

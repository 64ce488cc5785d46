//! Steps about worked examples: a case's book is built with the server's tools and its question asked.

use cucumber::{given, then, when};
use serde_json::Value;

use super::{
    book::open,
    people::{Who, desk, meet},
};
use crate::{
    golden::{
        self,
        case::Case,
        compare::{self, Disagreement},
        invariant::Broken,
        rehearsal::{self, Rehearsed},
        work,
    },
    suite::{Failure, Scene},
};

/// What a scenario remembers about its worked example.
#[derive(Debug, Default)]
pub struct WorkedExamples {
    case: Option<Case>,
    shown: Option<Value>,
    rehearsed: Vec<Rehearsed>,
}

/// Base currency of a case that states none, because none of its figures depends on it.
const ANY_CURRENCY: &str = "USD";

/// An empty book is opened in the base currency of a case.
#[given(expr = "{person} keeps the book of the worked example {string}")]
async fn keeps_the_book_of(scene: &mut Scene, who: Who, id: String) -> Result<(), Failure> {
    let case = golden::find(&id);
    let case = case
        .map_err(|problem| Failure::expected(format!("a worked example {id}")).actual(problem))?;
    let name = meet(scene, &who).await?;
    let currency = case.given.base_currency.as_deref().unwrap_or(ANY_CURRENCY);
    open(scene, &name, &format!("{name}'s book of {id}"), currency).await?;
    scene.worked_examples.case = Some(case);
    Ok(())
}

/// The rows of the case are recorded and its question is asked, all through the tools.
#[when(expr = "{person} works it through with the server's tools")]
async fn works_it_through(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let case = current(scene)?;
    let shown = work::through(desk(scene, &name)?, &case).await?;
    scene.worked_examples.shown = Some(shown);
    Ok(())
}

/// The book of the case is recorded without its sales; each sale is then simulated before it is made.
#[when(expr = "{person} simulates each of its sales before making it")]
async fn rehearses_sales(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let case = current(scene)?;
    scene.worked_examples.rehearsed = rehearsal::rehearse(desk(scene, &name)?, &case).await?;
    Ok(())
}

/// Proceeds, cost, gain, lots and what is left: every figure as it was simulated.
#[then("each sale came out as it was simulated")]
fn came_out_as_simulated(scene: &mut Scene) -> Result<(), Failure> {
    let rehearsed = &scene.worked_examples.rehearsed;
    if rehearsed.is_empty() {
        return Err(Failure::harness("the worked example has no sale"));
    }
    rehearsed.iter().try_for_each(Rehearsed::came_out)
}

/// What the server shows is what the independent tools of the case have worked out.
#[then("the server shows what the example says")]
fn shows_what_it_says(scene: &mut Scene) -> Result<(), Failure> {
    let case = current(scene)?;
    let nothing = Value::Null;
    let shown = scene.worked_examples.shown.as_ref().unwrap_or(&nothing);
    let contract = scene.environment.target.contract.is_some();
    match compare::agrees(&case, shown, contract) {
        Ok(()) => Ok(()),
        Err(Disagreement::Invariant(unknown @ Broken::Unknown { .. })) => {
            Err(Failure::harness(unknown))
        }
        Err(problem) => {
            let expected = format!("{}: {}", case.title, case.expect);
            Err(Failure::expected(expected).actual(shown).hint(problem))
        }
    }
}

fn current(scene: &Scene) -> Result<Case, Failure> {
    let case = scene.worked_examples.case.clone();
    case.ok_or_else(|| Failure::harness("no worked example before this sentence"))
}

//! Steps about price runs: asked for or daily, how they end, what a book shows of it, and how often one may ask.

use std::time::{Duration, Instant};

use cucumber::{gherkin::Step, given, then, when};
use jiff::Timestamp;

use super::{
    book::{before, lines, unreadable},
    market::{Outage, Service},
    people::{Who, desk, meet},
    reading::{item_of, same},
    refusals::refusal,
    table::{Cell, compare_table},
    tokens::mocks,
    writing::{Day, Written, attempt},
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Call,
        result::{ItemDetail, PriceRun, StartedRun},
    },
};

/// How long a run may take before it counts as one that never ends.
const PATIENCE: Duration = Duration::from_secs(25);
/// Between two looks at a run.
const LOOK: Duration = Duration::from_millis(20);
/// How far a wait that a server tells may be from the right one, in seconds.
const NEARLY: u64 = 2;
/// From one run to the next that may be asked for.
const BETWEEN_RUNS: Duration = Duration::from_secs(15 * 60);

/// What a scenario remembers about price runs.
#[derive(Debug, Default)]
pub struct Pricing {
    /// Time of the steered clock when a run was last asked for or came due.
    since: Option<Timestamp>,
    /// How long the answer to the last request for a run took.
    answered_in: Option<Duration>,
    /// What came of a series of runs.
    rounds: Vec<Round>,
    /// The wording of the last search.
    pub search: Vec<String>,
    /// How many of these searches were answered.
    pub answered: Vec<String>,
    /// How many searches were answered before one was refused.
    pub searches_answered: usize,
}

/// One run of a series.
#[derive(Debug)]
struct Round {
    /// How the market answered.
    case: String,
    run: PriceRun,
    /// Every item of the book afterwards.
    items: Vec<ItemDetail>,
}

/// Notes that a run is about to be asked for.
///
/// # Errors
/// The mocks cannot be reached.
pub async fn begin(scene: &mut Scene) -> Result<(), Failure> {
    scene.pricing.since = Some(mocks(scene)?.now().await?);
    Ok(())
}

async fn refresh(scene: &mut Scene, name: &str) -> Result<(), Failure> {
    begin(scene).await?;
    let sent = Instant::now();
    let answer = desk(scene, name)?.send(&Call::refresh_prices()).await?;
    scene.pricing.answered_in = Some(sent.elapsed());
    let started: StartedRun = answer.accepted()?;
    scene.writing.last = Some(answer);
    if started.status == "started" {
        return Ok(());
    }
    Err(Failure::expected("a run with the status started").actual(started.status))
}

/// The run that began when the scenario asked for it, once it has ended.
async fn ended(scene: &Scene, name: &str) -> Result<PriceRun, Failure> {
    let desk = desk(scene, name)?;
    let since = scene.pricing.since;
    let asked = Instant::now();
    loop {
        let run = desk.overview().await?.price_run;
        let began = run.started_at.as_deref().and_then(|at| at.parse().ok());
        let is_it = began.is_some_and(|began: Timestamp| Some(began) >= since);
        if is_it && run.status != "running" {
            return Ok(run);
        }
        if asked.elapsed() > PATIENCE {
            return Err(
                Failure::expected("a price run that comes to an end").actual(format!("{run:?}"))
            );
        }
        // The run goes on in the background and nothing tells when it has ended, so it is looked at again.
        tokio::time::sleep(LOOK).await;
    }
}

/// Prices are asked for; the run goes on in the background.
#[when(expr = "{person} refreshes the prices")]
async fn refreshes(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    refresh(scene, &name).await
}

/// Prices were asked for, and the run has ended, however it went.
#[given(expr = "{person} has had the prices refreshed")]
#[when(expr = "{person} has the prices refreshed")]
async fn has_refreshed(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    refresh(scene, &name).await?;
    ended(scene, &name).await.map(drop)
}

/// Prices are asked for, which must be refused.
#[when(expr = "{person} tries to refresh the prices")]
async fn tries_to_refresh(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    attempt(scene, &name, &Call::refresh_prices()).await
}

/// The answer came while the run was still going on.
#[then(expr = "the refresh was answered within {int} second(s)")]
fn answered_at_once(scene: &mut Scene, seconds: u64) -> Result<(), Failure> {
    match scene.pricing.answered_in {
        Some(time) if time <= Duration::from_secs(seconds) => Ok(()),
        time => Err(Failure::expected(format!("an answer within {seconds} s"))
            .actual(format!("{time:?}"))
            .hint("fetch the prices in the background")),
    }
}

/// The overview shows the run while it goes on.
#[then(expr = "the overview of {person}'s book shows a price run that is {word}")]
async fn run_is(scene: &mut Scene, who: Who, status: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let run = desk(scene, &name)?.overview().await?.price_run;
    if run.status == status {
        return Ok(());
    }
    Err(Failure::expected(format!("a price run that is {status}")).actual(format!("{run:?}")))
}

/// The run comes to an end, and nothing went wrong in it.
#[then(expr = "the price run of {person}'s book ends without errors")]
async fn ends_well(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    judge_run(scene, &name, &ended(scene, &name).await?, &[])
}

/// The run comes to an end and names the items that got no price, with commas between them, and no others.
#[then(expr = "the price run of {person}'s book ends with errors about {string} alone")]
async fn ends_with_errors(scene: &mut Scene, who: Who, items: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let items: Vec<&str> = items.split(", ").collect();
    judge_run(scene, &name, &ended(scene, &name).await?, &items)
}

/// Since a day passed a run has begun that nobody asked for; it comes to an end, and nothing went wrong in it.
#[then(expr = "a price run of {person}'s book that nobody asked for ends without errors")]
async fn begins_by_itself(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    begin(scene).await?;
    judge_run(scene, &name, &ended(scene, &name).await?, &[])
}

/// A run that has ended: one error for each of `items`, by its id or its name.
fn judge_run(scene: &Scene, name: &str, run: &PriceRun, items: &[&str]) -> Result<(), Failure> {
    let book = before(scene, name)?;
    let named = |error: &String, item: &str| {
        error.contains(item) || book.items.get(item).is_some_and(|id| error.contains(id))
    };
    let fits = run.errors.len() == items.len()
        && items
            .iter()
            .all(|item| run.errors.iter().any(|error| named(error, item)));
    if run.status == "finished" && fits {
        return Ok(());
    }
    Err(Failure::expected(format!(
        "a run that finished, with errors about {items:?} alone"
    ))
    .actual(format!("{run:?}")))
}

/// The prices of an item as the book shows them: columns `date price`.
#[then(expr = "{person}'s {string} has the prices")]
async fn has_prices(scene: &mut Scene, who: Who, item: String, step: &Step) -> Result<(), Failure> {
    let detail = item_of(scene, &who, &item).await?;
    compare_table(&lines(step), &prices_of(&detail))
}

/// The price that counts for an item today, with its day.
#[then(expr = "{person}'s {string} is priced at {figure} on {day}")]
async fn is_priced_at(
    scene: &mut Scene,
    who: Who,
    item: String,
    figure: Written,
    day: Day,
) -> Result<(), Failure> {
    let position = item_of(scene, &who, &item).await?.item.position;
    if position.price_date.as_deref() != Some(day.0.as_str()) {
        return Err(Failure::expected(format!("a price of {}", day.0))
            .actual(format!("a price of {:?}", position.price_date)));
    }
    same(
        &format!("price of {item}"),
        &figure.0,
        position.price.as_ref(),
    )
}

fn prices_of(detail: &ItemDetail) -> Vec<Vec<Cell>> {
    let row = |price: &crate::worthbase::result::Price| {
        vec![
            Cell::text("date", &price.date),
            Cell::spelling("price", Some(&price.price)),
        ]
    };
    detail.prices.iter().map(row).collect()
}

/// One run for each way a service can answer (column `answer`), a quarter of an hour apart; the service is mended afterwards.
#[when(expr = "{person} has the prices refreshed while {service} answers with each of")]
async fn refreshes_through_outages(
    scene: &mut Scene,
    who: Who,
    service: Service,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let mut rounds = Vec::new();
    for line in lines(step) {
        let case = line.needs("answer").map_err(unreadable)?.to_owned();
        let how: Outage = case.parse().map_err(Failure::harness)?;
        mocks(scene)?.break_provider(service.0, how.0).await?;
        refresh(scene, &name).await?;
        let run = ended(scene, &name).await?;
        let desk = desk(scene, &name)?;
        let mut items = Vec::new();
        for item in before(scene, &name)?.items.clone().values() {
            items.push(desk.item(item).await?);
        }
        rounds.push(Round { case, run, items });
        mocks(scene)?.mend_provider(service.0).await?;
        mocks(scene)?.advance(BETWEEN_RUNS).await?;
    }
    scene.pricing.rounds = rounds;
    Ok(())
}

/// Each run of the series ended and named the items that got no price, and no others.
#[then(expr = "each run of {person}'s book ended with errors about {string} alone")]
async fn each_run_ended(scene: &mut Scene, who: Who, items: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let items: Vec<&str> = items.split(", ").collect();
    for round in &scene.pricing.rounds {
        let judged = judge_run(scene, &name, &round.run, &items);
        judged
            .map_err(|failure| failure.hint(format!("the market answered with {}", round.case)))?;
    }
    Ok(())
}

/// The prices of one item after each run of the series: columns `date price`.
#[then(expr = "after each run {person}'s {string} had the prices")]
async fn had_prices(scene: &mut Scene, who: Who, item: String, step: &Step) -> Result<(), Failure> {
    meet(scene, &who).await?;
    if scene.pricing.rounds.is_empty() {
        return Err(Failure::harness("no run before this sentence"));
    }
    for round in &scene.pricing.rounds {
        let detail = round.items.iter().find(|detail| detail.item.name == item);
        let seen = detail.map(prices_of).unwrap_or_default();
        compare_table(&lines(step), &seen)
            .map_err(|failure| failure.hint(format!("the market answered with {}", round.case)))?;
    }
    Ok(())
}

/// A refusal of what was used too often says how long to wait, to within two seconds.
#[then(expr = "{person} is told to wait {int} seconds")]
async fn told_to_wait(scene: &mut Scene, who: Who, seconds: u64) -> Result<(), Failure> {
    meet(scene, &who).await?;
    let told = refusal(scene)?.details.get("retry_after_seconds").cloned();
    let wait = told.as_ref().and_then(serde_json::Value::as_u64);
    if wait.is_some_and(|wait| wait.abs_diff(seconds) <= NEARLY) {
        return Ok(());
    }
    Err(Failure::expected(format!("retry_after_seconds of {seconds}")).actual(format!("{told:?}")))
}

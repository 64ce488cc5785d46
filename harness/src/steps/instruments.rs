//! Steps about the search for instruments: what it finds, how often one may search, and what reaches the market.

use cucumber::{gherkin::Step, then, when};
use serde_json::Value;

use super::{
    book::lines,
    market::{searched_texts, texts_of},
    people::{Who, desk, meet},
    table::{Cell, compare_table},
    writing::attempt,
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Call,
        result::{FoundInstruments, Instrument},
    },
};

/// A limit higher than this is none.
const MOST_SEARCHES: usize = 200;

/// Instruments are searched by name or code.
#[when(expr = "{person} searches the market for {string}")]
async fn searches(scene: &mut Scene, who: Who, query: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let answer = desk(scene, &name)?
        .send(&Call::search_instruments(&query))
        .await?;
    answer.is_accepted()?;
    scene.writing.last = Some(answer);
    Ok(())
}

/// A search that must be refused.
#[when(expr = "{person} tries to search the market for {string}")]
async fn tries_to_search(scene: &mut Scene, who: Who, query: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    attempt(scene, &name, &Call::search_instruments(&query)).await
}

/// One search after another, until one is refused; the refusal is the last answer.
#[when(expr = "{person} searches the market until it is enough")]
async fn searches_until_refused(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let desk = desk(scene, &name)?;
    for answered in 0..MOST_SEARCHES {
        let answer = desk.send(&Call::search_instruments("Apple")).await?;
        if answer.is_error {
            scene.pricing.searches_answered = answered;
            scene.writing.last = Some(answer);
            return Ok(());
        }
    }
    Err(Failure::expected("a search that is refused at some time")
        .actual(format!("{MOST_SEARCHES} searches were answered")))
}

/// How many searches were answered before one was refused.
#[then(regex = r"^(\d+) of (?:her|his) searches were answered$")]
fn searches_answered(scene: &mut Scene, expected: usize) -> Result<(), Failure> {
    let answered = scene.pricing.searches_answered;
    if answered == expected {
        Ok(())
    } else {
        Err(Failure::expected(format!("{expected} searches that are answered")).actual(answered))
    }
}

/// What the last search found: columns `kind name symbol exchange coin`.
#[then(expr = "{person} finds")]
async fn finds(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    meet(scene, &who).await?;
    let found: FoundInstruments = scene.writing.answer()?.accepted()?;
    let row = |one: &Instrument| {
        vec![
            Cell::text("kind", &one.kind),
            Cell::text("name", &one.name),
            Cell::text("symbol", one.symbol.clone().unwrap_or_default()),
            Cell::text("exchange", one.exchange.clone().unwrap_or_default()),
            Cell::text("coin", one.coingecko_id.clone().unwrap_or_default()),
        ]
    };
    compare_table(
        &lines(step),
        &found.results.iter().map(row).collect::<Vec<_>>(),
    )
}

/// What the last search found is named in these very words (column `name`), and the words stand nowhere else in the answer.
#[then(expr = "{person} finds these names, and their words nowhere else")]
async fn finds_names(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    meet(scene, &who).await?;
    let expected = texts_of(&lines(step), "name");
    let answer = scene.writing.answer()?;
    let found: FoundInstruments = answer.accepted()?;
    let names: Vec<&String> = found.results.iter().map(|one| &one.name).collect();
    let mut rest = (*answer.body).clone();
    for one in rest["results"].as_array_mut().into_iter().flatten() {
        if let Some(members) = one.as_object_mut() {
            members.remove("name");
        }
    }
    match expected
        .iter()
        .find(|name| !names.contains(name) || says(&rest, name))
    {
        None if names.len() == expected.len() => Ok(()),
        _ => Err(Failure::expected(format!("{expected:?} as names alone")).actual(&answer.body)),
    }
}

/// Whether a text stands anywhere in a document, alone or among other words.
fn says(document: &Value, words: &str) -> bool {
    match document {
        Value::String(text) => text.contains(words),
        Value::Array(elements) => elements.iter().any(|element| says(element, words)),
        Value::Object(members) => members.values().any(|member| says(member, words)),
        _ => false,
    }
}

/// Texts that are no plain names (column `text`) are searched for, one after another; each may be refused.
#[when(expr = "{person} searches the market for each of these texts")]
async fn searches_each(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let mut texts = texts_of(&lines(step), "text");
    texts.push("a".repeat(10_000));
    let desk = desk(scene, &name)?;
    scene.pricing.answered.clear();
    for text in &texts {
        let answer = desk.send(&Call::search_instruments(text)).await?;
        if !answer.is_error {
            scene.pricing.answered.push(text.clone());
        }
    }
    scene.pricing.search = texts;
    Ok(())
}

/// Each search that was answered reached the market letter for letter as one parameter, one that was refused did not reach
/// it, and nothing else did.
#[then("each of these texts reached the market as one parameter, or was refused")]
async fn reached_the_market(scene: &mut Scene) -> Result<(), Failure> {
    let reached = searched_texts(scene).await?;
    let pricing = &scene.pricing;
    let missing = pricing
        .answered
        .iter()
        .find(|text| !reached.iter().any(|(_, seen)| seen == *text));
    let foreign = reached
        .iter()
        .find(|(_, seen)| !pricing.search.contains(seen));
    match (missing, foreign) {
        (None, None) if !pricing.answered.is_empty() => Ok(()),
        (Some(text), _) => Err(Failure::expected(format!("a search for {text:?}"))
            .actual(format!("searches for {reached:?}"))),
        (_, foreign) => Err(
            Failure::expected(format!("searches for {:?} alone", pricing.search))
                .actual(format!("{foreign:?}")),
        ),
    }
}

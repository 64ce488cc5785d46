//! Steps that register transactions in Ana's cash book, and what the answers must say.

use std::time::Duration;

use cucumber::{gherkin::Step, then, when};
use serde_json::Value;

use super::finanpy::{Told, program, table, two_programs};
use crate::{
    client::patience::{WAITS, patiently},
    finanpy::{
        Entry, Filters, Reply,
        answer::{CODES, Registered, figure},
        entry::{REQUIRED, value_of},
    },
    suite::{Failure, Scene},
};

async fn register(scene: &mut Scene, entry: Entry) -> Result<(), Failure> {
    let reply = program(scene).await?.register(&entry).await?;
    scene.cash_book.hear(Some(entry), reply);
    Ok(())
}

/// Registers the rows of a table, one after the other; an empty cell is a field left out.
#[when("Ana registers")]
async fn registers(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let (heading, rows) = table(step)?;
    for row in rows {
        register(scene, Entry::of_row(&heading, &row)?).await?;
    }
    Ok(())
}

/// Registers the page's Uber ride (despesa, 73.90, transporte, "Uber", 2026-06-23), some of its fields with other values.
#[when(
    regex = r"^Ana registers the Uber ride(?: with ((?:type|amount|category|description|date|identifier) .+))?$"
)]
async fn registers_the_ride(scene: &mut Scene, fields: String) -> Result<(), Failure> {
    register(scene, Entry::uber_ride().with(&fields)?).await
}

/// Registers the Uber ride with one field left out.
#[when(regex = r"^Ana registers the Uber ride without (\w+)$")]
async fn registers_without(scene: &mut Scene, field: String) -> Result<(), Failure> {
    let mut entry = Entry::uber_ride();
    entry.leave_out(&field);
    register(scene, entry).await
}

/// Registers the Uber ride four times, each time without another required field.
#[when("Ana registers the Uber ride without each of its required fields")]
async fn registers_without_each(scene: &mut Scene) -> Result<(), Failure> {
    for field in REQUIRED {
        registers_without(scene, field.to_owned()).await?;
    }
    Ok(())
}

/// Registers the Uber ride once for each row; the column is the field, the cells are JSON.
#[when("Ana registers the Uber ride with each")]
async fn registers_with_each(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let (heading, rows) = table(step)?;
    for row in rows {
        let mut entry = Entry::uber_ride();
        for (field, cell) in heading.iter().zip(&row) {
            entry.set(field, value_of(cell)?);
        }
        register(scene, entry).await?;
    }
    Ok(())
}

/// Registers the Uber ride with a long text.
#[when(
    regex = r#"^Ana registers the Uber ride with (\d+) times "(.+)" as (category|description)$"#
)]
async fn registers_a_long_text(
    scene: &mut Scene,
    times: usize,
    text: String,
    field: String,
) -> Result<(), Failure> {
    let mut entry = Entry::uber_ride();
    entry.set(&field, Value::String(text.repeat(times)));
    register(scene, entry).await
}

/// Registers the Uber ride with an amount that no JSON library would write.
#[when(regex = r"^Ana registers the Uber ride with the raw text (\S+) as amount$")]
async fn registers_raw(scene: &mut Scene, amount: String) -> Result<(), Failure> {
    let entry = Entry::uber_ride();
    program(scene).await?.register_raw(&entry, &amount).await
}

/// Sends many registrations at once, each with an amount and a text of its own.
#[when(regex = r"^the client registers (\d+) transactions without waiting for an answer$")]
async fn registers_at_once(scene: &mut Scene, count: u32) -> Result<(), Failure> {
    let entries: Vec<Entry> = (0..count)
        .map(|number| Entry::numbered("nº", number))
        .collect();
    let replies = program(scene).await?.register_at_once(&entries).await?;
    for (entry, reply) in entries.into_iter().zip(replies) {
        scene.cash_book.hear(Some(entry), reply);
    }
    Ok(())
}

/// Two programs on one database are asked at the same moment for the same identifier; a busy database is asked again.
#[when(regex = r"^two programs register one identifier at the same moment, (\d+) times over$")]
async fn race_for_an_identifier(scene: &mut Scene, rounds: u32) -> Result<(), Failure> {
    for round in 0..rounds {
        let mut entries = ["primeiro", "segundo"].map(|series| Entry::numbered(series, round));
        for entry in &mut entries {
            entry.set("identifier", Value::String(format!("race-{round}")));
        }
        let (first, second) = two_programs(scene).await?;
        let (one, other) = tokio::join!(
            persistently(async || first.register(&entries[0]).await),
            persistently(async || second.register(&entries[1]).await)
        );
        let [ours, theirs] = entries;
        scene.cash_book.hear(Some(ours), one?);
        scene.cash_book.hear(Some(theirs), other?);
    }
    Ok(())
}

/// Two programs on one database register different things side by side; a busy database is asked again.
#[when(regex = r"^two programs register (\d+) transactions each at the same time$")]
async fn register_side_by_side(scene: &mut Scene, count: u32) -> Result<(), Failure> {
    let (first, second) = two_programs(scene).await?;
    let series = async |program: &mut crate::finanpy::Program, name: &str| {
        let mut told = Vec::new();
        for number in 0..count {
            let entry = Entry::numbered(name, number);
            let reply = persistently(async || program.register(&entry).await).await?;
            told.push((entry, reply));
        }
        Ok::<_, Failure>(told)
    };
    let (one, other) = tokio::join!(series(first, "primeiro"), series(second, "segundo"));
    for (entry, reply) in one?.into_iter().chain(other?) {
        scene.cash_book.hear(Some(entry), reply);
    }
    Ok(())
}

/// Calls as a client does that obeys DB_BUSY.
async fn persistently(call: impl AsyncFnMut() -> Result<Reply, Failure>) -> Result<Reply, Failure> {
    let wait = async |pause| {
        tokio::time::sleep(pause).await;
        Ok(())
    };
    Ok(patiently(call, Reply::is_busy, wait).await?.answer)
}

/// Registers the Uber ride through the client that obeys DB_BUSY. Its waits are noted down instead of waited.
#[when(regex = r"^a patient client registers the Uber ride(?: with (.+))?$")]
async fn patient_client(scene: &mut Scene, fields: String) -> Result<(), Failure> {
    let entry = Entry::uber_ride().with(&fields)?;
    let mut lock = scene.cash_book.lock.take();
    let goes_after = scene.cash_book.lock_goes_after;
    let mut waits = 0;
    let program = program(scene).await?;
    let patient = patiently(
        async || program.register(&entry).await,
        Reply::is_busy,
        async |_| {
            waits += 1;
            match lock.take_if(|_| Some(waits) == goes_after) {
                Some(lock) => lock.release().await.map_err(Failure::harness),
                None => Ok(()),
            }
        },
    )
    .await?;
    scene.cash_book.lock = lock;
    scene.cash_book.waited = Some(patient.waited);
    scene.cash_book.hear(Some(entry), patient.answer);
    Ok(())
}

/// What a patient client waited, in milliseconds and in this order.
#[then(regex = r"^the client has (?:not waited|waited ((?:\d+(?:, | and )?)+) ms)$")]
fn has_waited(scene: &mut Scene, milliseconds: String) -> Result<(), Failure> {
    let expected: Vec<Duration> = numbers(&milliseconds)
        .map(|text| text.parse().map(Duration::from_millis))
        .collect::<Result<_, _>>()
        .map_err(Failure::harness)?;
    let waited = scene.cash_book.waited.clone().unwrap_or_default();
    if !WAITS.starts_with(&expected) {
        return Err(Failure::harness("the page says 200, 400 and 800 ms"));
    }
    if waited == expected {
        return Ok(());
    }
    Err(Failure::expected(format!("waits of {expected:?}")).actual(format!("{waited:?}")))
}

fn numbers(list: &str) -> impl Iterator<Item = &str> {
    list.split(", ")
        .flat_map(|part| part.split(" and "))
        .filter(|part| !part.is_empty())
}

/// The last answer says that the transaction is in the book, in every detail of the page.
#[then(regex = r"^it is registered as (receita|despesa) (\S+) on (\d{4}-\d{2}-\d{2})$")]
fn is_registered(
    scene: &mut Scene,
    kind: String,
    amount: String,
    date: String,
) -> Result<(), Failure> {
    let told = scene.cash_book.last()?;
    let registered = told.reply.registered()?;
    let found = (registered.kind, registered.amount, registered.date);
    let amount = figure(&amount).ok_or_else(|| Failure::harness("no amount"))?;
    if found == (kind.clone(), amount, date.clone()) {
        return Ok(());
    }
    Err(
        Failure::expected(format!("\"normalizado\" with {kind} {amount} on {date}"))
            .actual(told.reply.shown()),
    )
}

/// The answers since the last look say, in order, these amounts without a sign.
#[then(regex = r"^they are registered with the amounts (.+)$")]
fn are_registered_with(scene: &mut Scene, amounts: String) -> Result<(), Failure> {
    let told = scene.cash_book.each()?;
    let expected: Vec<&str> = numbers(&amounts).collect();
    if expected.len() != told.len() {
        return Err(Failure::harness(
            "as many amounts as registrations are needed",
        ));
    }
    for (told, text) in told.iter().zip(expected) {
        let registered = told.reply.registered()?;
        if Some(registered.amount) != figure(text) {
            let asked = told.entry.as_ref().map(Entry::arguments);
            return Err(
                Failure::expected(format!("\"normalizado\" with the amount {text}"))
                    .actual(format!(
                        "{} for {}",
                        registered.amount,
                        asked.unwrap_or_default()
                    ))
                    .hint("round half up on the decimal text, not on the binary value"),
            );
        }
    }
    Ok(())
}

/// Every answer since the last look says that its transaction is in the book.
#[then("each is registered")]
fn each_is_registered(scene: &mut Scene) -> Result<(), Failure> {
    for told in scene.cash_book.each()? {
        told.reply.registered()?;
    }
    Ok(())
}

/// The last answer is a refusal with this code of the page.
#[then(regex = r"^Ana is refused with ([A-Z_]+)$")]
fn is_refused(scene: &mut Scene, code: String) -> Result<(), Failure> {
    known(&code)?;
    scene.cash_book.last()?.reply.refused_with(&code)
}

/// Every answer since the last look is a refusal with this code of the page.
#[then(regex = r"^each is refused with ([A-Z_]+)$")]
fn each_is_refused(scene: &mut Scene, code: String) -> Result<(), Failure> {
    known(&code)?;
    for told in scene.cash_book.each()? {
        told.reply.refused_with(&code).map_err(|failure| {
            let asked = told
                .entry
                .as_ref()
                .map(Entry::arguments)
                .unwrap_or_default();
            let actual = format!("{} for {asked}", failure.actual);
            failure.actual(actual)
        })?;
    }
    Ok(())
}

fn known(code: &str) -> Result<(), Failure> {
    if CODES.contains(&code) {
        return Ok(());
    }
    Err(Failure::harness(format!("the page has no code {code}")))
}

/// Every answer since the last look says which required field is missing.
#[then("each is refused with MISSING_FIELD, naming the field")]
fn each_names_the_field(scene: &mut Scene) -> Result<(), Failure> {
    for Told { entry, reply } in scene.cash_book.each()? {
        reply.refused_with("MISSING_FIELD")?;
        let missing = entry.as_ref().map(Entry::missing).unwrap_or_default();
        let named = missing.iter().all(|field| reply.shown().contains(field));
        if !named {
            return Err(
                Failure::expected(format!("the answer to name {}", missing.join(", ")))
                    .actual(reply.shown()),
            );
        }
    }
    Ok(())
}

/// The last answer is the page's refusal of a duplicate: which transaction it is, and a message.
#[then(regex = r#"^Ana is refused as a duplicate of "(.+)"$"#)]
async fn is_a_duplicate(scene: &mut Scene, identifier: String) -> Result<(), Failure> {
    let told = scene.cash_book.last()?;
    let existing = existing_id(&told.reply)?;
    let rows = program(scene)
        .await?
        .list(&Filters::default())
        .await?
        .rows()?;
    let first = rows
        .iter()
        .find(|row| row.text("identifier") == Some(&identifier))
        .map(|row| row.id);
    if first == Some(existing) {
        return Ok(());
    }
    Err(
        Failure::expected(format!("the id of \"{identifier}\", {first:?}"))
            .actual(told.reply.shown()),
    )
}

/// The id that a refusal as a duplicate points to.
fn existing_id(reply: &Reply) -> Result<i64, Failure> {
    reply.refused_with("DUPLICATE")?;
    let wrong = |expected: &str| Failure::expected(expected).actual(reply.shown());
    let body = reply.body().ok_or_else(|| wrong("the refusal as JSON"))?;
    if body["sucesso"] != false {
        return Err(wrong("\"sucesso\": false"));
    }
    if body["mensagem"].as_str().is_none_or(str::is_empty) {
        return Err(wrong("a text as \"mensagem\""));
    }
    body["id_existente"]
        .as_i64()
        .ok_or_else(|| wrong("a whole number as \"id_existente\""))
}

/// In every round of a race one call was accepted, and the other was told whose duplicate it is.
#[then("of each two calls one is registered and the other is a duplicate of it")]
fn one_of_two(scene: &mut Scene) -> Result<(), Failure> {
    let told = scene.cash_book.each()?;
    for pair in told.chunks(2) {
        let accepted: Vec<Registered> = pair
            .iter()
            .filter_map(|told| told.reply.registered().ok())
            .collect();
        let refused: Vec<i64> = pair
            .iter()
            .filter_map(|told| existing_id(&told.reply).ok())
            .collect();
        let fits =
            matches!((accepted.as_slice(), refused.as_slice()), ([one], [id]) if one.id == *id);
        if !fits {
            let shown: Vec<String> = pair.iter().map(|told| told.reply.shown()).collect();
            return Err(
                Failure::expected("one success, and one DUPLICATE that names its id")
                    .actual(shown.join("\n"))
                    .hint("let the database decide: a unique identifier and INSERT OR IGNORE"),
            );
        }
    }
    Ok(())
}

/// Every answer to a call that did not wait is about that call and no other.
#[then("every answer belongs to its request")]
fn belongs_to_its_request(scene: &mut Scene) -> Result<(), Failure> {
    for Told { entry, reply } in scene.cash_book.each()? {
        let asked = entry.map(|entry| entry.arguments()).unwrap_or_default();
        let amount = figure(&asked["amount"].to_string());
        if Some(reply.registered()?.amount) != amount {
            return Err(Failure::expected(format!("the answer to {asked}")).actual(reply.shown()));
        }
    }
    Ok(())
}

/// Every answer of the scenario that is a refusal is JSON with the code of its row, in order, and no traceback.
#[then("the refusals are JSON with the codes")]
fn refusals_are_json(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let (_, rows) = table(step)?;
    let told = scene.cash_book.each()?;
    if rows.len() != told.len() {
        return Err(Failure::harness("as many codes as calls are needed"));
    }
    for (told, row) in told.iter().zip(rows) {
        let answer = told.reply.tool()?;
        let wrong = |expected: String| Failure::expected(expected).actual(told.reply.shown());
        if answer.text.contains("Traceback") {
            return Err(wrong("no traceback in the answer".to_owned()));
        }
        let body = told.reply.body().unwrap_or_default();
        let code = row.first().map_or("", String::as_str);
        if body["code"] != code {
            return Err(wrong(format!("JSON with the code {code}")));
        }
        if !answer.is_error && body["sucesso"] != false {
            return Err(wrong("isError, or \"sucesso\": false".to_owned()));
        }
    }
    Ok(())
}

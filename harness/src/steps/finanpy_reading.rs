//! Steps that read Ana's cash book: the list, the summary, and the texts that were written.

use std::collections::BTreeMap;

use cucumber::{gherkin::Step, then, when};
use rust_decimal::Decimal;
use serde_json::Value;

use super::finanpy::{program, table};
use crate::{
    finanpy::{Filters, Reply, Row, Summary, answer::figure, entry::value_of},
    suite::{Failure, Scene},
};

async fn list(scene: &mut Scene, filters: &Filters) -> Result<(), Failure> {
    let reply = program(scene).await?.list(filters).await?;
    scene.cash_book.hear(None, reply);
    Ok(())
}

/// Everything in the book.
async fn whole_book(scene: &mut Scene) -> Result<Vec<Row>, Failure> {
    program(scene)
        .await?
        .list(&Filters::default())
        .await?
        .rows()
}

/// Lists transactions, with filters or all of them.
#[when(regex = r"^Ana lists the transactions(?: with ((?:period|category|type) .+))?$")]
async fn lists(scene: &mut Scene, filters: String) -> Result<(), Failure> {
    list(scene, &Filters::of(&filters)?).await
}

/// Lists once for each row; the column is the filter, the cells are JSON.
#[when("Ana lists the transactions with each")]
async fn lists_with_each(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let (heading, rows) = table(step)?;
    let name = heading.first().cloned().unwrap_or_default();
    for cell in rows.iter().flatten() {
        list(scene, &Filters::one(&name, value_of(cell)?)).await?;
    }
    Ok(())
}

/// Reads the summary of the month.
#[when("Ana reads the summary")]
async fn reads_the_summary(scene: &mut Scene) -> Result<(), Failure> {
    let text = program(scene).await?.summary().await?;
    scene.cash_book.summaries.push(Summary::read(&text)?);
    Ok(())
}

/// The whole book is these rows and no other, in any order; columns that are not in the table do not count.
#[then("the book holds")]
async fn book_holds(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let rows = whole_book(scene).await?;
    compare(step, &rows)
}

/// The book is these rows and no other, or there is nothing in it.
#[then("the book holds the good rows, or none")]
async fn book_holds_or_is_empty(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let rows = whole_book(scene).await?;
    if rows.is_empty() {
        return Ok(());
    }
    compare(step, &rows)
}

/// The last list is these rows and no other, in any order; columns that are not in the table do not count.
#[then("the list shows")]
fn list_shows(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let rows = scene.cash_book.last()?.reply.rows()?;
    compare(step, &rows)
}

/// The last list is the transactions with these identifiers and no other.
#[then(regex = r#"^the list shows the identifiers (".+")$"#)]
fn list_shows_identifiers(scene: &mut Scene, identifiers: String) -> Result<(), Failure> {
    let rows = scene.cash_book.last()?.reply.rows()?;
    let mut expected: Vec<&str> = identifiers.split('"').skip(1).step_by(2).collect();
    let mut found: Vec<&str> = rows
        .iter()
        .map(|row| row.text("identifier").unwrap_or("(none)"))
        .collect();
    expected.sort_unstable();
    found.sort_unstable();
    if found == expected {
        return Ok(());
    }
    Err(Failure::expected(expected.join(", ")).actual(found.join(", ")))
}

/// The last list has no rows and is no error.
#[then("the list is empty")]
fn list_is_empty(scene: &mut Scene) -> Result<(), Failure> {
    empty(&scene.cash_book.last()?.reply)
}

/// Every list since the last look has no rows and is no error.
#[then("each list is empty")]
fn each_list_is_empty(scene: &mut Scene) -> Result<(), Failure> {
    scene
        .cash_book
        .each()?
        .iter()
        .try_for_each(|told| empty(&told.reply))
}

fn empty(reply: &Reply) -> Result<(), Failure> {
    if reply.rows()?.is_empty() {
        return Ok(());
    }
    Err(Failure::expected("an empty list").actual(reply.shown()))
}

/// Nothing was ever stored.
#[then("the book is empty")]
async fn book_is_empty(scene: &mut Scene) -> Result<(), Failure> {
    let rows = whole_book(scene).await?;
    if rows.is_empty() {
        return Ok(());
    }
    Err(Failure::expected("an empty book").actual(shown(&rows)))
}

/// How many transactions there are.
#[then(regex = r"^the book holds (\d+) transactions$")]
async fn book_holds_so_many(scene: &mut Scene, count: usize) -> Result<(), Failure> {
    let rows = whole_book(scene).await?;
    if rows.len() == count {
        return Ok(());
    }
    Err(Failure::expected(format!("{count} transactions")).actual(format!("{}", rows.len())))
}

/// The sum of the last list, with signs.
#[then(regex = r"^the listed amounts add up to (\S+)$")]
fn amounts_add_up(scene: &mut Scene, sum: String) -> Result<(), Failure> {
    let rows = scene.cash_book.last()?.reply.rows()?;
    let found: Decimal = rows.iter().filter_map(Row::amount).sum();
    if Some(found.normalize()) == figure(&sum) {
        return Ok(());
    }
    Err(Failure::expected(sum).actual(found))
}

/// Every row of the last list has the fields of the page and no other, each of its kind.
#[then("every row has exactly the fields of the page")]
fn rows_have_the_fields(scene: &mut Scene) -> Result<(), Failure> {
    let rows = scene.cash_book.last()?.reply.rows()?;
    if rows.is_empty() {
        return Err(Failure::expected("rows to look at").actual("an empty list"));
    }
    match rows.iter().find_map(Row::fault) {
        None => Ok(()),
        Some(fault) => Err(Failure::expected(
            "id, identifier, type, amount (a number), category, description and date (YYYY-MM-DD)",
        )
        .actual(fault)),
    }
}

/// The text block of the last answer is the bare list of the page.
#[then("the text of the answer is a list")]
fn text_is_a_list(scene: &mut Scene) -> Result<(), Failure> {
    scene.cash_book.last()?.reply.rows().map(drop)
}

/// Structured content is an object before 2026-07-28; from then on any JSON is allowed there. Whatever form it has, it
/// holds the rows of the text.
#[then("structured content, where there is any, says the same in the form of its revision")]
async fn structured_says_the_same(scene: &mut Scene) -> Result<(), Failure> {
    let modern = program(scene).await?.revision().is_modern();
    let reply = scene.cash_book.last()?.reply;
    let Some(structured) = reply.tool()?.structured.clone() else {
        return Ok(());
    };
    let list = reply.body().unwrap_or_default();
    let wraps = structured
        .as_object()
        .is_some_and(|members| members.values().any(|member| *member == list));
    if wraps || modern && structured == list {
        return Ok(());
    }
    let form = if modern {
        "the list, or an object around it"
    } else {
        "an object around the list"
    };
    Err(Failure::expected(format!("structured content that is {form}")).actual(structured))
}

/// The last summary, figure by figure; the table is the whole of the expenses by category.
#[then(
    regex = r"^the summary of (\d{4}-\d{2}) shows income (\S+), expense (\S+) and balance (\S+)$"
)]
fn summary_shows(
    scene: &mut Scene,
    step: &Step,
    period: String,
    income: String,
    expense: String,
    balance: String,
) -> Result<(), Failure> {
    let (_, rows) = table(step)?;
    let wanted = |text: &str| {
        figure(text).ok_or_else(|| Failure::harness(format!("\"{text}\" is no figure")))
    };
    let mut by_category = BTreeMap::new();
    for row in rows {
        if let [category, expense] = row.as_slice() {
            by_category.insert(category.clone(), wanted(expense)?);
        }
    }
    let expected = Summary {
        period,
        income: wanted(&income)?,
        expense: wanted(&expense)?,
        balance: wanted(&balance)?,
        by_category,
    };
    match scene.cash_book.summaries.last() {
        Some(found) if *found == expected => Ok(()),
        Some(found) => Err(Failure::expected(format!("{expected:?}")).actual(format!("{found:?}"))),
        None => Err(Failure::harness("no summary was read")),
    }
}

/// Category, description and identifier of every registered transaction stand in the book letter by letter.
#[then("every text is in the book as Ana gave it")]
async fn texts_are_kept(scene: &mut Scene) -> Result<(), Failure> {
    let told = scene.cash_book.told.clone();
    for told in &told {
        told.reply.registered()?;
    }
    let rows = whole_book(scene).await?;
    for entry in told.iter().filter_map(|told| told.entry.as_ref()) {
        let given =
            ["category", "description", "identifier"].map(|field| (field, entry.text(field)));
        let kept = rows.iter().any(|row| {
            given
                .iter()
                .all(|(field, text)| text.is_none() || row.text(field) == *text)
        });
        if !kept {
            let expected: String = entry.arguments().to_string().chars().take(400).collect();
            return Err(Failure::expected(expected).actual(shown(&rows)));
        }
    }
    Ok(())
}

fn compare(step: &Step, rows: &[Row]) -> Result<(), Failure> {
    let (heading, expected) = table(step)?;
    let mut left: Vec<&Row> = rows.iter().collect();
    for line in &expected {
        let place = left.iter().position(|row| {
            heading
                .iter()
                .zip(line)
                .all(|(name, cell)| agrees(row, name, cell))
        });
        match place {
            Some(place) => drop(left.remove(place)),
            None => return Err(Failure::expected(line.join(" | ")).actual(shown(rows))),
        }
    }
    if left.is_empty() {
        return Ok(());
    }
    Err(Failure::expected(format!("{} rows and no other", expected.len())).actual(shown(rows)))
}

/// Whether a member of the row is what the cell says. Where no identifier was given, the page leaves open whether there is
/// one.
fn agrees(row: &Row, name: &str, cell: &str) -> bool {
    match name {
        "amount" => row.amount().is_some() && row.amount() == figure(cell),
        "identifier" if cell.is_empty() || cell == "*" => true,
        _ => row.text(name) == Some(cell),
    }
}

fn shown(rows: &[Row]) -> String {
    let lines: Vec<String> = rows
        .iter()
        .take(20)
        .map(|row| {
            Value::Object(row.members.clone())
                .to_string()
                .chars()
                .take(300)
                .collect()
        })
        .collect();
    match lines.len() {
        0 => "nothing".to_owned(),
        _ => lines.join("\n"),
    }
}

//! Steps that import a Nubank statement with the target's own import command.

use std::io::Write as _;
use std::time::Duration;

use cucumber::{gherkin::Step, given, then, when};

use super::finanpy::{program, table};
use crate::{
    agent,
    finanpy::Filters,
    suite::{Failure, Scene},
    target::Imported,
};

/// Where the statements of this profile lie among the embedded ones.
const FOLDER: &str = "finanpy";

/// The months of a statement that is made for its length, and the year in which they begin.
const MONTHS: u32 = 50;
const FIRST_YEAR: u32 = 2020;

async fn import(scene: &mut Scene, name: &str, content: &[u8]) -> Result<Imported, Failure> {
    let place = scene.cash_book.place()?;
    let file = place.elsewhere.path().join(name);
    std::fs::write(&file, content).map_err(Failure::harness)?;
    let now = place.time.clock().now();
    let imported = place
        .program
        .import(&file, now)
        .await
        .map_err(|error| Failure::expected("the statement to be imported").actual(error))?;
    let imported = imported.ok_or_else(|| Failure::harness("this target has no import command"))?;
    scene
        .recorder
        .keep(format!("import {name}"), &imported.said);
    scene.cash_book.imported = Some(imported.clone());
    Ok(imported)
}

async fn import_fixture(scene: &mut Scene, name: &str) -> Result<(), Failure> {
    let content = agent::statement_file(&format!("{FOLDER}/{name}"))
        .ok_or_else(|| Failure::harness(format!("there is no statement {name}")))?;
    import(scene, name, content).await.map(drop)
}

/// Imports a statement of `fixtures/statements/finanpy`, before the scenario begins.
#[given(regex = r#"^Ana has imported "(.+)"$"#)]
async fn has_imported(scene: &mut Scene, name: String) -> Result<(), Failure> {
    import_fixture(scene, &name).await
}

/// Imports a statement of `fixtures/statements/finanpy`.
#[when(regex = r#"^Ana imports "(.+)"$"#)]
async fn imports(scene: &mut Scene, name: String) -> Result<(), Failure> {
    import_fixture(scene, &name).await
}

/// Imports a statement of fifty months that is made for it, and the same again; neither may take longer than this.
#[when(regex = r"^Ana imports a statement of (\d+) rows twice, each within (\d+) seconds$")]
async fn imports_a_long_one(scene: &mut Scene, rows: u32, seconds: u64) -> Result<(), Failure> {
    let mut content = b"Data,Valor,Identificador,Descri\xc3\xa7\xc3\xa3o\n".to_vec();
    for row in 0..rows {
        let (day, month, cents) = (row % 28 + 1, row % MONTHS, row % 100);
        let (year, month) = (FIRST_YEAR + month / 12, month % 12 + 1);
        writeln!(
            content,
            "{day:02}/{month:02}/{year},-{}.{cents:02},row-{row},Linha {row}",
            row % 900 + 1
        )
        .map_err(Failure::harness)?;
    }
    for _ in 0..2 {
        let imported = import(scene, "long.csv", &content).await?;
        if imported.took > Duration::from_secs(seconds) {
            return Err(Failure::expected(format!("{rows} rows within {seconds} s"))
                .actual(format!("{} s", imported.took.as_secs()))
                .hint("write in one database transaction"));
        }
    }
    Ok(())
}

/// The months of a long statement, listed one by one, hold this many transactions together. All at once would be one answer of
/// many megabytes, which the page advises against.
#[then(regex = r"^the months of the statement hold (\d+) transactions$")]
async fn months_hold(scene: &mut Scene, count: usize) -> Result<(), Failure> {
    let mut found = 0;
    for month in 0..MONTHS {
        let period = format!("{}-{:02}", FIRST_YEAR + month / 12, month % 12 + 1);
        let filters = Filters::one("period", serde_json::Value::String(period));
        found += program(scene).await?.list(&filters).await?.rows()?.len();
    }
    if found == count {
        return Ok(());
    }
    Err(Failure::expected(format!("{count} transactions")).actual(found))
}

/// The import says of every broken row that it was left out, by the number of its line (the header counted or not) or by
/// its identifier. An import that stores nothing at all may say so instead.
#[then("the import tells of every broken row")]
fn tells_of_broken_rows(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let (_, rows) = table(step)?;
    let imported = scene.cash_book.imported.as_ref();
    let imported = imported.ok_or_else(|| Failure::harness("nothing was imported"))?;
    let numbers: Vec<&str> = imported
        .said
        .split(|character: char| !character.is_ascii_digit())
        .collect();
    for row in rows {
        let [line, identifier] = row.as_slice() else {
            return Err(Failure::harness("a broken row is a line and an identifier"));
        };
        let line: u32 = line.parse().map_err(Failure::harness)?;
        let named = [line, line - 1]
            .iter()
            .any(|line| numbers.contains(&line.to_string().as_str()));
        let known_by_name = !identifier.is_empty() && imported.said.contains(identifier);
        if !named && !known_by_name && imported.success {
            return Err(
                Failure::expected(format!("word of line {line}, {identifier}"))
                    .actual(imported.said.trim()),
            );
        }
    }
    Ok(())
}

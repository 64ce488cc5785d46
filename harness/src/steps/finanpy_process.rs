//! Steps about the program as a process and its database as a file: how it ends, what it leaves, who else holds it.

use std::time::Duration;

use cucumber::{gherkin::Step, given, then, when};

use super::finanpy::{program, table};
use crate::{
    finanpy::Place,
    suite::{Failure, Scene},
    target::{
        database::{self, DatabaseLock, StoredRow},
        local::DATABASE,
        process_table,
    },
};

/// How long a program may take to end once its client is gone.
const END: Duration = Duration::from_secs(5);

/// Closes the program's standard input, as a client does that goes away.
#[when("the client closes standard input")]
async fn closes_input(scene: &mut Scene) -> Result<(), Failure> {
    program(scene).await?.lines()?.close();
    Ok(())
}

/// The program has ended within five seconds, without an error. One that has said nothing yet may still be starting, and gets
/// the time for that as well.
#[then("the program has ended by itself")]
async fn has_ended(scene: &mut Scene) -> Result<(), Failure> {
    let program = program(scene).await?;
    let limit = if program.lines()?.heard().is_empty() {
        program.ready_within() + END
    } else {
        END
    };
    let process = program
        .process()
        .ok_or_else(|| Failure::harness("a real client keeps the process to itself"))?;
    let status = process.ends_within(limit).await.map_err(Failure::harness)?;
    let expected = || {
        Failure::expected(format!(
            "the program to end within {} s of its client, with code 0",
            limit.as_secs()
        ))
    };
    match status {
        Some(status) if status.success() => {
            // What it said last may still be on its way.
            program.lines()?.silent_within(END).await;
            scene.cash_book.ended = Some(status);
            Ok(())
        }
        Some(status) => Err(expected().actual(status)),
        None => Err(expected()
            .actual("it still runs")
            .hint("end when reading standard input gives nothing more")),
    }
}

/// No process that was started for this data folder is left, whatever group it is in.
#[then("no process of it is left")]
fn nothing_is_left(scene: &mut Scene) -> Result<(), Failure> {
    let place = scene.cash_book.place()?;
    let left = process_table::family(place.program.data()).map_err(Failure::harness)?;
    if left.is_empty() {
        return Ok(());
    }
    Err(Failure::expected("no process left behind").actual(format!("processes {left:?}")))
}

/// No process that was started for this data folder listens on a TCP port.
#[then("the program listens on no port")]
fn listens_nowhere(scene: &mut Scene) -> Result<(), Failure> {
    let place = scene.cash_book.place()?;
    let family = process_table::family(place.program.data()).map_err(Failure::harness)?;
    if family.is_empty() {
        return Err(Failure::harness("the running program is not to be seen"));
    }
    let ports = process_table::listening(&family).map_err(Failure::harness)?;
    if ports.is_empty() {
        return Ok(());
    }
    Err(Failure::expected("no listening port").actual(format!("ports {ports:?}")))
}

/// Another program can lock the database.
#[then("the database is free")]
async fn database_is_free(scene: &mut Scene) -> Result<(), Failure> {
    let file = scene.cash_book.place()?.program.database();
    let taken = DatabaseLock::take(&file).await;
    let lock =
        taken.map_err(|error| Failure::expected("a database without a lock").actual(error))?;
    lock.release().await.map_err(Failure::harness)
}

async fn lock(scene: &mut Scene) -> Result<(), Failure> {
    let file = scene.cash_book.place()?.program.database();
    let lock = DatabaseLock::take(&file).await;
    let lock = lock.map_err(|error| Failure::expected("a database to lock").actual(error))?;
    scene.cash_book.lock = Some(lock);
    Ok(())
}

/// Another program holds an exclusive lock on the database until it lets go.
#[given("another program holds the database")]
async fn database_is_held(scene: &mut Scene) -> Result<(), Failure> {
    lock(scene).await
}

/// Another program holds an exclusive lock on the database, and lets go while a patient client waits for the second time.
#[given("another program holds the database until the client has waited twice")]
async fn database_is_held_for_a_while(scene: &mut Scene) -> Result<(), Failure> {
    scene.cash_book.lock_goes_after = Some(2);
    lock(scene).await
}

/// The other program lets go of the database, with nothing changed in it.
#[when("the other program lets go of the database")]
async fn database_is_let_go(scene: &mut Scene) -> Result<(), Failure> {
    match scene.cash_book.lock.take() {
        Some(lock) => lock.release().await.map_err(Failure::harness),
        None => Err(Failure::harness("nobody holds the database")),
    }
}

/// A database that the page's own scripts made, before this program is started for the first time.
#[given("a finance.db from before holds")]
async fn database_from_before(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let (heading, rows) = table(step)?;
    let file = scene.cash_book.place()?.program.database();
    let rows: Vec<StoredRow> = rows
        .iter()
        .map(|row| stored(&heading, row))
        .collect::<Result<_, _>>()?;
    database::make(&file, &rows).await.map_err(Failure::harness)
}

fn stored(heading: &[String], row: &[String]) -> Result<StoredRow, Failure> {
    let cell = |name: &str| {
        let found = heading.iter().zip(row).find(|(column, _)| *column == name);
        found.map(|(_, cell)| cell.clone()).unwrap_or_default()
    };
    Ok(StoredRow {
        identifier: Some(cell("identifier")).filter(|text| !text.is_empty()),
        kind: cell("type"),
        amount: cell("amount").parse().map_err(Failure::harness)?,
        category: cell("category"),
        description: cell("description"),
        date: cell("date"),
    })
}

/// The database is in the folder that was asked for, and the folder that the program was started from stayed empty.
#[then("finance.db lies in the data folder and nowhere else")]
fn database_is_in_place(scene: &mut Scene) -> Result<(), Failure> {
    let place = scene.cash_book.place()?;
    if !place.program.database().is_file() {
        return Err(Failure::expected(format!("{DATABASE} in the data folder"))
            .actual(contents(place, true)?)
            .hint("the data folder is what the command was given as {data}"));
    }
    let strays = contents(place, false)?;
    if strays.is_empty() {
        return Ok(());
    }
    Err(Failure::expected("nothing in the folder the program was started from").actual(strays))
}

fn contents(place: &Place, of_data: bool) -> Result<String, Failure> {
    let folder = if of_data {
        &place.data
    } else {
        &place.elsewhere
    };
    let entries = std::fs::read_dir(folder.path()).map_err(Failure::harness)?;
    let names: Vec<String> = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    Ok(names.join(", "))
}

/// A new database has mode 0600, whatever the user's own mask.
#[cfg(unix)]
#[then("finance.db is readable and writable by its owner only")]
fn database_is_private(scene: &mut Scene) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt as _;
    let file = scene.cash_book.place()?.program.database();
    let mode = std::fs::metadata(&file)
        .map_err(|error| Failure::expected("a database file").actual(error))?
        .permissions()
        .mode();
    if mode & 0o777 == 0o600 {
        return Ok(());
    }
    Err(Failure::expected("mode 600").actual(format!("mode {:o}", mode & 0o777)))
}

/// Elsewhere there are no modes to look at.
#[cfg(not(unix))]
#[then("finance.db is readable and writable by its owner only")]
fn database_is_private(_scene: &mut Scene) -> Result<(), Failure> {
    Err(Failure::harness("this system has no file modes to look at"))
}

fn database_bytes(scene: &mut Scene) -> Result<Vec<u8>, Failure> {
    let file = scene.cash_book.place()?.program.database();
    std::fs::read(file).map_err(|error| Failure::expected("a database file").actual(error))
}

/// Notes the database file down, byte by byte.
#[given("the database file has been looked at")]
fn note_the_file(scene: &mut Scene) -> Result<(), Failure> {
    scene.cash_book.noted = Some(database_bytes(scene)?);
    Ok(())
}

/// The database file is what it was, byte by byte.
#[then("the database file is unchanged")]
fn file_is_unchanged(scene: &mut Scene) -> Result<(), Failure> {
    let now = database_bytes(scene)?;
    match &scene.cash_book.noted {
        Some(noted) if *noted == now => Ok(()),
        Some(noted) => Err(
            Failure::expected(format!("the {} bytes as they were", noted.len()))
                .actual("other bytes")
                .hint("reading the summary must not write"),
        ),
        None => Err(Failure::harness("nobody looked at the file before")),
    }
}

/// Standard error, where logs go, does not hold a text.
#[then(regex = r#"^standard error does not say "(.+)"$"#)]
async fn errors_do_not_say(scene: &mut Scene, text: String) -> Result<(), Failure> {
    let errors = program(scene).await?.lines()?.errors();
    match errors.lines().find(|line| line.contains(&text)) {
        None => Ok(()),
        Some(line) => Err(Failure::expected("no description in the log").actual(line)),
    }
}

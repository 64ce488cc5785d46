//! Steps about Ana's cash book: when it is, how its program runs, what was registered before, and what it has answered.

use cucumber::{gherkin::Step, given, when};
use jiff::civil::DateTime;
use jiff::tz::Offset;

use crate::{
    finanpy::{Entry, Place, Program, Reply, Summary, program::Offer},
    suite::{Failure, Scene},
    target::{Imported, database::DatabaseLock},
};

/// São Paulo has kept this offset all year since 2019; the scenarios speak of no day before that.
const SAO_PAULO: i8 = -3;

/// What a scenario knows about the cash book.
#[derive(Debug, Default)]
pub struct CashBook {
    place: Option<Place>,
    program: Option<Program>,
    second: Option<Program>,
    real_client: bool,
    /// What was answered, oldest first.
    pub told: Vec<Told>,
    /// How many of them a sentence has looked at.
    looked_at: usize,
    /// The summaries that were read.
    pub summaries: Vec<Summary>,
    /// What the program offers.
    pub offer: Option<Offer>,
    /// The lock of another program.
    pub lock: Option<DatabaseLock>,
    /// After how many waits of a patient client the lock goes.
    pub lock_goes_after: Option<usize>,
    /// How long a patient client waited.
    pub waited: Option<Vec<std::time::Duration>>,
    /// The database file as it was.
    pub noted: Option<Vec<u8>>,
    /// How the last import ended.
    pub imported: Option<Imported>,
    /// How the program ended.
    pub ended: Option<std::process::ExitStatus>,
}

/// An answer, and what was asked.
#[derive(Debug, Clone)]
pub struct Told {
    /// What was to be registered; none for a list.
    pub entry: Option<Entry>,
    /// What came back.
    pub reply: Reply,
}

impl CashBook {
    /// Moves in: everything happens in `place` from now on.
    pub fn settle(&mut self, place: Place) {
        self.place = Some(place);
    }

    /// Ends whatever runs, children included.
    pub async fn end(&mut self) {
        self.lock = None;
        for program in [self.program.take(), self.second.take()]
            .into_iter()
            .flatten()
        {
            program.end().await;
        }
        self.place = None;
    }

    /// Where the programs of the scenario run.
    ///
    /// # Errors
    /// The scenario stands outside the folder of this profile.
    pub fn place(&mut self) -> Result<&mut Place, Failure> {
        self.place.as_mut().ok_or_else(|| {
            Failure::harness(
                "steps about the cash book work in features of the finanpy profile only",
            )
        })
    }

    /// Keeps an answer for the sentences that look at it.
    pub fn hear(&mut self, entry: Option<Entry>, reply: Reply) {
        self.told.push(Told { entry, reply });
    }

    /// The answers that no sentence has looked at, which this one does.
    ///
    /// # Errors
    /// There are none.
    pub fn each(&mut self) -> Result<Vec<Told>, Failure> {
        let fresh = self.told[self.looked_at.min(self.told.len())..].to_vec();
        self.looked_at = self.told.len();
        if fresh.is_empty() {
            return Err(Failure::harness(
                "nothing was asked since the last answer was looked at",
            ));
        }
        Ok(fresh)
    }

    /// The last answer, which this sentence looks at.
    ///
    /// # Errors
    /// There is none.
    pub fn last(&mut self) -> Result<Told, Failure> {
        self.looked_at = self.told.len();
        let last = self.told.last().cloned();
        last.ok_or_else(|| Failure::harness("nothing was asked"))
    }
}

/// The program Ana speaks to, started with the first sentence that needs it.
///
/// # Errors
/// It cannot be started.
pub async fn program(scene: &mut Scene) -> Result<&mut Program, Failure> {
    if scene.cash_book.program.is_none() {
        let (revision, recorder) = (scene.revision, scene.recorder.clone());
        let patience = scene.environment.request_timeout;
        let real = scene.cash_book.real_client;
        let place = scene.cash_book.place()?;
        let program = if real {
            place
                .start_with_real_client(revision, &recorder, patience)
                .await?
        } else {
            place.start(revision, &recorder, patience).await?
        };
        scene.cash_book.program = Some(program);
    }
    let program = scene.cash_book.program.as_mut();
    program.ok_or_else(|| Failure::harness("no program runs"))
}

/// Both programs of a scenario that has two on one database.
///
/// # Errors
/// One of them cannot be started.
pub async fn two_programs(scene: &mut Scene) -> Result<(&mut Program, &mut Program), Failure> {
    program(scene).await?.open().await?;
    let (revision, recorder) = (scene.revision, scene.recorder.clone());
    let patience = scene.environment.request_timeout;
    if scene.cash_book.second.is_none() {
        let place = scene.cash_book.place()?;
        let mut second = place.start(revision, &recorder, patience).await?;
        second.open().await?;
        scene.cash_book.second = Some(second);
    }
    match (&mut scene.cash_book.program, &mut scene.cash_book.second) {
        (Some(first), Some(second)) => Ok((first, second)),
        _ => Err(Failure::harness("two programs do not run")),
    }
}

/// Ends the program and forgets it, so that the next sentence starts a new one.
pub async fn end_program(scene: &mut Scene) {
    if let Some(program) = scene.cash_book.program.take() {
        program.end().await;
    }
}

/// The heading and the rows of a table.
///
/// # Errors
/// The step has none.
pub fn table(step: &Step) -> Result<(Vec<String>, Vec<Vec<String>>), Failure> {
    let rows = step.table.as_ref().map(|table| table.rows.clone());
    let mut rows = rows
        .unwrap_or_default()
        .into_iter()
        // A line break inside a text cannot stand in a cell.
        .map(|row| {
            row.into_iter()
                .map(|cell| cell.replace('⏎', "\n"))
                .collect::<Vec<String>>()
        });
    match rows.next() {
        Some(heading) => Ok((heading, rows.collect())),
        None => Err(Failure::harness("the step needs a table")),
    }
}

/// Sets the clock. The program is started after that, since one that takes a fixed time from `{now}` cannot follow.
#[given(regex = r"^it is (\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}) in São Paulo$")]
async fn it_is(scene: &mut Scene, day: String, time: String) -> Result<(), Failure> {
    let wrong = |error: jiff::Error| Failure::harness(format!("{day} {time}: {error}"));
    let local: DateTime = format!("{day}T{time}:00").parse().map_err(wrong)?;
    let now = Offset::constant(SAO_PAULO)
        .to_timestamp(local)
        .map_err(wrong)?;
    end_program(scene).await;
    scene.cash_book.place()?.time.clock().set(now);
    Ok(())
}

/// Starts the program with a time zone or locale of the machine's own, which must not matter.
#[given(regex = r"^the program runs with (TZ|LANG)=(\S+)$")]
fn runs_with(scene: &mut Scene, name: String, value: String) -> Result<(), Failure> {
    let program = &mut scene.cash_book.place()?.program;
    program.set_variable(&name, &value);
    if name == "LANG" {
        program.set_variable("LC_ALL", &value);
    }
    Ok(())
}

/// Turns every log on that a program of some kind is known to listen to.
#[given("the program logs all it can")]
fn logs_all(scene: &mut Scene) -> Result<(), Failure> {
    let program = &mut scene.cash_book.place()?.program;
    for (name, value) in [
        ("LOG_LEVEL", "DEBUG"),
        ("DEBUG", "*"),
        ("RUST_LOG", "debug"),
        ("PROOFMARK_LOG", "debug"),
        ("FASTMCP_LOG_LEVEL", "DEBUG"),
        ("FASTMCP_SERVER_LOG_LEVEL", "DEBUG"),
        ("MCP_LOG_LEVEL", "DEBUG"),
    ] {
        program.set_variable(name, value);
    }
    Ok(())
}

/// Starts the program from a folder that is neither its own nor that of the data.
#[given("the program is started from another folder")]
fn from_another_folder(scene: &mut Scene) -> Result<(), Failure> {
    let place = scene.cash_book.place()?;
    let folder = place.elsewhere.path().to_owned();
    place.program.start_in(folder);
    Ok(())
}

/// Speaks through the client library that agents use, instead of raw lines.
#[given("Ana speaks through a real client")]
fn real_client(scene: &mut Scene) {
    scene.cash_book.real_client = true;
}

/// The program runs, and nobody has said anything.
#[given("the program runs")]
async fn runs(scene: &mut Scene) -> Result<(), Failure> {
    program(scene).await.map(drop)
}

/// Opens the conversation: a handshake, or `server/discover` in the stateless revision.
#[given("the client has opened the conversation")]
async fn has_opened(scene: &mut Scene) -> Result<(), Failure> {
    program(scene).await?.open().await
}

/// Opens the conversation: a handshake, or `server/discover` in the stateless revision.
#[when("the client opens the conversation")]
async fn opens(scene: &mut Scene) -> Result<(), Failure> {
    program(scene).await?.open().await
}

/// Ends the program and starts it again on the same data.
#[when("the program is started again")]
async fn started_again(scene: &mut Scene) -> Result<(), Failure> {
    end_program(scene).await;
    program(scene).await?.open().await
}

/// Transactions that are in the book before the scenario begins.
#[given("Ana has registered")]
async fn has_registered(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let (heading, rows) = table(step)?;
    for row in rows {
        let entry = Entry::of_row(&heading, &row)?;
        program(scene).await?.register(&entry).await?.registered()?;
    }
    Ok(())
}

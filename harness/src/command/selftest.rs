//! Breaks a healthy target in every named way and shows that the suite notices.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::Context as _;

use super::{Refusal, Voice, run::profile};
use crate::{
    catalogue::{Catalogue, Fault, Profile},
    client::Revision,
    exit::Exit,
    report::{Destination, Kind, Progress, printing::print, selftest::SelftestReport},
    saboteur::{FaultResult, Trial},
    suite::{Options, Selection, Vocabulary},
};

/// Options of the command.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  proofmark selftest --fault lots-average-cost --report json=selftest.json"
)]
pub struct Arguments {
    /// Only the faults of this profile (repeatable)
    #[arg(long = "profile", value_name = "NAME")]
    profiles: Vec<String>,
    /// Only this fault (repeatable)
    #[arg(long = "fault", value_name = "ID")]
    faults: Vec<String>,
    /// Revisions of MCP to speak (repeatable; default: all that a requirement needs, scenarios by turns)
    #[arg(long = "revision", value_name = "DATE")]
    revisions: Vec<Revision>,
    /// Run the whole suite against every fault, in every revision, not only the features that should notice
    #[arg(long)]
    full: bool,
    /// Write a report: junit=FILE or json=FILE; `-` is the standard output
    #[arg(long = "report", value_name = "KIND=PATH")]
    reports: Vec<Destination>,
    /// Faulty servers at a time
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
}

/// The longest time one request to a faulty server may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// Runs the command to its end.
///
/// # Errors
/// Whatever keeps it from starting; the message is shown to the user and the program ends with [`Exit::Usage`].
pub fn run(arguments: &Arguments, voice: Voice) -> anyhow::Result<Exit> {
    let mut wanted = arguments.reports.iter();
    if wanted.any(|destination| destination.kind == Kind::Markdown) {
        return Err(no_markdown().into());
    }
    let catalogue = Catalogue::embedded()?;
    let vocabulary = Vocabulary::of_the_harness();
    if arguments
        .reports
        .iter()
        .any(|report| report.kind == Kind::Html)
    {
        return Err(no_page().into());
    }
    let faults = chosen(&catalogue, arguments)?;
    let selection = Selection {
        revisions: arguments.revisions.clone(),
        brief: !arguments.full,
        ..Selection::default()
    };
    let options = Options::default();
    let trial = Trial {
        catalogue: &catalogue,
        vocabulary: &vocabulary,
        selection: &selection,
        full: arguments.full,
        options: &options,
        request_timeout: REQUEST_TIMEOUT,
    };
    let started = Instant::now();
    let results = try_all(&trial, &faults, arguments.jobs, voice.quiet)?;
    let report = SelftestReport::new(results, started.elapsed());
    let only_machines = arguments
        .reports
        .iter()
        .any(Destination::is_standard_output);
    if !only_machines {
        print(report.terminal(voice.style(), voice.quiet))?;
    }
    for destination in &arguments.reports {
        let text = match destination.kind {
            Kind::Json => report.json()?,
            Kind::Junit => report.junit()?,
            Kind::Markdown => return Err(no_markdown().into()),
            Kind::Html => return Err(no_page().into()),
        };
        destination.write_text(&text)?;
    }
    Ok(verdict(&report))
}

fn no_markdown() -> Refusal {
    Refusal::usage("the self-test writes junit and json; markdown is for `proofmark run`")
}

/// The page for people is about a run; a self-test is many of them.
fn no_page() -> Refusal {
    Refusal::usage("a self-test has no html report; there are json and junit")
}

/// All caught is the only good end; a fault that could not be tried leaves the self-test incomplete.
fn verdict(report: &SelftestReport) -> Exit {
    let summary = report.summary();
    if report.faults().iter().any(|fault| fault.problem.is_some()) {
        Exit::HarnessFault
    } else if summary.missed > 0 {
        Exit::Violated
    } else if summary.never_reached > 0 {
        Exit::Incomplete
    } else {
        Exit::Conforms
    }
}

/// The faults that the user named, or all of them.
fn chosen<'a>(catalogue: &'a Catalogue, arguments: &Arguments) -> Result<Vec<&'a Fault>, Refusal> {
    for id in &arguments.faults {
        if !catalogue.faults.contains_key(id) {
            let known = catalogue.faults.keys().map(String::as_str);
            return Err(Refusal::unknown(
                "fault",
                id,
                known,
                "proofmark list faults",
            ));
        }
    }
    let profiles = arguments
        .profiles
        .iter()
        .map(|name| profile(name))
        .collect::<Result<Vec<Profile>, Refusal>>()?;
    let chosen: Vec<&Fault> = catalogue
        .faults
        .values()
        .filter(|fault| arguments.faults.is_empty() || arguments.faults.contains(&fault.id))
        .filter(|fault| profiles.is_empty() || profiles.contains(&fault.profile))
        .collect();
    if chosen.is_empty() {
        return Err(Refusal::incomplete(
            "nothing matches: no fault was chosen, so nothing was shown; `proofmark list faults` shows them all",
        ));
    }
    Ok(chosen)
}

/// Tries every fault, several side by side: a trial stays on its thread, with a runtime of its own.
fn try_all(
    trial: &Trial<'_>,
    faults: &[&Fault],
    jobs: usize,
    quiet: bool,
) -> anyhow::Result<Vec<FaultResult>> {
    let progress = Progress::start(!quiet, "breaking servers");
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results: Mutex<Vec<(usize, FaultResult)>> = Mutex::default();
    let work = || -> std::io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(fault) = faults.get(place) else {
                return Ok(());
            };
            let result = runtime.block_on(trial.run(fault));
            let count = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress.step(count, faults.len(), &result.id);
            results
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push((place, result));
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.clamp(1, faults.len()))
            .map(|_| scope.spawn(work))
            .collect();
        workers
            .into_iter()
            .map(|worker| match worker.join() {
                Ok(ended) => ended.context("a trial could not get a runtime"),
                Err(_) => anyhow::bail!("a trial panicked"),
            })
            .collect::<anyhow::Result<Vec<()>>>()
    })?;
    progress.end();
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(place, _)| *place);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

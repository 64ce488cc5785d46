//! Runs the suite against a target and reports.

use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use clap::Args;
use cucumber::gherkin::tagexpr::TagOperation;
use tokio_util::sync::CancellationToken;

use super::{Refusal, Voice, refusal::exit_of, stage::TargetArguments};
use crate::{
    baseline::{self, Baseline},
    catalogue::{Catalogue, Profile},
    client::Revision,
    config::Config,
    embedded,
    exit::Exit,
    report::{Destination, Progress, Style, printing::print, terminal},
    suite::{
        self, Options, Plan, Reach, RunOutcome, ScenarioResult, Selection, Verdict, Vocabulary,
        selection,
    },
};

/// One scenario may take this many times the longest request.
const REQUESTS_IN_A_SCENARIO: u32 = 6;
/// Scenarios at a time: they wait for the server most of the time, so more than there are processors.
const JOBS: usize = 16;

/// Options of the command.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  proofmark run --profile core --tags 'not @isolated'\n  proofmark run --url http://127.0.0.1:8080/mcp --report html=report.html\n  proofmark run --stdio 'python mcp_server.py {data}'\n  proofmark run --requirement PREVIEW-001 -v\n  proofmark run --baseline known.toml --write-baseline\n\nExit codes: 0 conforms, 1 a requirement is violated, 2 wrong usage, 3 incomplete, 4 the harness is at fault"
)]
pub struct Arguments {
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    target: TargetArguments,
    /// Your own feature files in place of ours, with the same steps
    #[arg(long, value_name = "FOLDER", help_heading = "What runs")]
    features: Option<PathBuf>,
    /// A requirement that is no MUST fails too
    #[arg(long)]
    strict: bool,
    /// Known failures, each with a reason, a link and a last day; one that passes or is out of date fails the run
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write the failures of this run into the baseline; the run itself is judged by the baseline as it was
    #[arg(long)]
    write_baseline: bool,
    /// Write a report: html=FILE for people, junit=FILE, json=FILE or markdown=FILE; `-` is the standard output
    #[arg(long = "report", value_name = "KIND=PATH")]
    reports: Vec<Destination>,
    /// Scenarios at a time
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// End at the first failure
    #[arg(long)]
    fail_fast: bool,
}

/// Which scenarios run.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "What runs")]
pub struct Choice {
    /// Whose promises: core, worthbase, kobana, finanpy (repeatable; default: all that the target can serve)
    #[arg(long = "profile", value_name = "NAME")]
    profiles: Vec<String>,
    /// Only the scenarios of this requirement (repeatable)
    #[arg(long = "requirement", value_name = "ID")]
    requirements: Vec<String>,
    /// Only scenarios with this id, or with this text in id or name (repeatable)
    #[arg(long = "scenario", value_name = "TEXT")]
    scenarios: Vec<String>,
    /// Only scenarios whose tags fit, such as '@isolated and not @heavy'
    #[arg(long, value_name = "EXPRESSION")]
    tags: Option<String>,
    /// Revisions of MCP to speak (repeatable; default: all for the protocol, one each for scenarios about the domain)
    #[arg(long = "revision", value_name = "DATE")]
    revisions: Vec<Revision>,
    /// Also the heavy scenarios, and every scenario in every revision
    #[arg(long)]
    all: bool,
}

impl Choice {
    /// This choice, and where it says nothing, that of the file.
    #[must_use]
    fn or(&self, config: &Config) -> Self {
        let mut choice = self.clone();
        if choice.profiles.is_empty() {
            choice.profiles.clone_from(&config.run.profiles);
        }
        if choice.revisions.is_empty() {
            choice.revisions.clone_from(&config.run.revisions);
        }
        choice.tags = choice.tags.or_else(|| config.run.tags.clone());
        choice
    }

    /// Checks every name the user gave against the catalogue.
    ///
    /// # Errors
    /// [`Refusal`] with exit 2 at the first name that does not exist, with those that look like it.
    pub fn resolve(&self, catalogue: &Catalogue) -> Result<Selection, Refusal> {
        let profiles = self
            .profiles
            .iter()
            .map(|name| profile(name))
            .collect::<Result<_, _>>()?;
        for id in &self.requirements {
            if !catalogue.requirements.contains_key(id) {
                let known = catalogue.requirements.keys().map(String::as_str);
                return Err(Refusal::unknown(
                    "requirement",
                    id,
                    known,
                    "proofmark list requirements",
                ));
            }
        }
        for text in &self.scenarios {
            let mut all = catalogue.scenarios.iter();
            if !all.any(|scenario| selection::names(text, scenario)) {
                let known = catalogue
                    .scenarios
                    .iter()
                    .map(|scenario| scenario.id.as_str());
                return Err(Refusal::unknown(
                    "scenario",
                    text,
                    known,
                    "proofmark list scenarios",
                ));
            }
        }
        let tags = self
            .tags
            .as_deref()
            .map(|text| {
                text.parse::<TagOperation>().map_err(|_| {
                    Refusal::usage(format!(
                        "\"{text}\" is no tag expression; write for instance '@isolated and not @heavy'"
                    ))
                })
            })
            .transpose()?;
        Ok(Selection {
            profiles,
            requirements: self.requirements.clone(),
            scenarios: self.scenarios.clone(),
            tags,
            revisions: self.revisions.clone(),
            heavy: self.all,
            brief: false,
        })
    }
}

/// Reads the name of a profile.
///
/// # Errors
/// [`Refusal`] with exit 2 when there is no such profile.
pub fn profile(name: &str) -> Result<Profile, Refusal> {
    name.parse().map_err(|()| {
        let known: Vec<String> = Profile::NAMED.iter().map(ToString::to_string).collect();
        Refusal::unknown(
            "profile",
            name,
            known.iter().map(String::as_str),
            "proofmark list profiles",
        )
    })
}

/// Runs the command to its end. A run that does not come to its first scenario, for whatever reason but wrong usage,
/// writes the reports all the same, so that a CI job shows why.
///
/// # Errors
/// Whatever keeps the run from starting; see [`super::refusal::exit_of`] for how the program then ends.
pub async fn run(arguments: Arguments, voice: Voice) -> anyhow::Result<Exit> {
    let order = Order::read(&arguments)?;
    let outcome = match order.play(&arguments, voice).await {
        Ok(outcome) => outcome,
        Err(error) => {
            order.report_what_never_began(&arguments, &error)?;
            return Err(error);
        }
    };
    for destination in &arguments.reports {
        destination.write(&outcome, &order.catalogue, &order.rerun)?;
    }
    tell(&outcome, &order.catalogue, &arguments, voice)?;
    Ok(outcome.verdict.into())
}

/// Everything the user asked for, read and checked before anything is started.
struct Order {
    catalogue: Catalogue,
    config: Config,
    selection: Selection,
    baseline: Option<(PathBuf, Baseline)>,
    strict: bool,
    rerun: String,
}

impl Order {
    fn read(arguments: &Arguments) -> anyhow::Result<Self> {
        let catalogue = match &arguments.features {
            Some(folder) => own_features(folder)?,
            None => Catalogue::embedded()?,
        };
        let config = arguments.target.config()?;
        let selection = arguments.choice.or(&config).resolve(&catalogue)?;
        let baseline = arguments.baseline.clone();
        let baseline = baseline.or_else(|| config.run.baseline.clone());
        let baseline = match baseline {
            Some(path) => {
                let known = baseline_in(&path, arguments.write_baseline, &catalogue)?;
                Some((path, known))
            }
            None if arguments.write_baseline => {
                return Err(Refusal::usage(
                    "--write-baseline needs a file: name it with --baseline FILE",
                )
                .into());
            }
            None => None,
        };
        let mut rerun = arguments.target.rerun();
        if let Some(folder) = &arguments.features {
            let folder = folder.display().to_string();
            rerun = format!("{rerun} --features {}", shell_words::quote(&folder));
        }
        Ok(Self {
            strict: arguments.strict || config.run.strict,
            catalogue,
            config,
            selection,
            baseline,
            rerun,
        })
    }

    async fn play(&self, arguments: &Arguments, voice: Voice) -> anyhow::Result<RunOutcome> {
        refuse_an_empty_choice(&self.selection, &self.catalogue)?;
        let (stage, running) = arguments.target.set_up(&self.config).await?;
        let interrupt = CancellationToken::new();
        let listener = tokio::spawn(interrupt_at_ctrl_c(interrupt.clone()));
        let jobs = arguments.jobs.or(self.config.run.jobs);
        let options = Options {
            jobs: jobs.map_or(JOBS, NonZeroUsize::get),
            threads: std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
            scenario_timeout: stage.shared.request_timeout * REQUESTS_IN_A_SCENARIO,
            fail_fast: arguments.fail_fast,
            strict: self.strict,
            rerun: self.rerun.clone(),
            interrupt: interrupt.clone(),
        };
        let progress = Progress::start(!voice.quiet, "starting");
        let vocabulary = Vocabulary::of_the_harness();
        let observer =
            |done, total, result: &ScenarioResult| progress.step(done, total, &result.name);
        let mut outcome = suite::run(
            &self.catalogue,
            &vocabulary,
            &self.selection,
            &stage,
            &options,
            &observer,
        )
        .await;
        listener.abort();
        progress.end();
        // The run is judged already; what a server does while it is stopped changes no verdict.
        if let Err(error) = running.stop().await {
            tracing::warn!(%error, "the target did not stop in good order");
        }
        if interrupt.is_cancelled() {
            return Err(Refusal::incomplete("interrupted; nothing was judged").into());
        }
        self.compare_with_baseline(&mut outcome, arguments.write_baseline)?;
        Ok(outcome)
    }

    /// Judges the run by the baseline as it was, and then writes a new one where that was asked for.
    fn compare_with_baseline(&self, outcome: &mut RunOutcome, write: bool) -> anyhow::Result<()> {
        let Some((path, known)) = &self.baseline else {
            return Ok(());
        };
        // Not the steered clock: what people agreed on ends by their own calendar.
        let today = jiff::Timestamp::now()
            .to_zoned(jiff::tz::TimeZone::UTC)
            .date();
        let in_force = if write {
            known.usable(&self.catalogue)
        } else {
            known.clone()
        };
        baseline::apply(
            outcome,
            &self.catalogue,
            self.strict,
            path,
            &in_force,
            today,
        );
        if write {
            baseline::renewed(known, outcome, today).store(path)?;
        }
        Ok(())
    }

    fn report_what_never_began(
        &self,
        arguments: &Arguments,
        error: &anyhow::Error,
    ) -> anyhow::Result<()> {
        let verdict = match exit_of(error) {
            Exit::Incomplete => Verdict::Incomplete,
            Exit::HarnessFault => Verdict::HarnessFault,
            Exit::Conforms | Exit::Violated | Exit::Usage => return Ok(()),
        };
        let outcome = suite::never_begun(
            &self.catalogue,
            &self.selection,
            arguments.target.summary(&self.config),
            verdict,
            &format!("{error:#}"),
            &self.rerun,
        );
        for destination in &arguments.reports {
            destination.write(&outcome, &self.catalogue, &self.rerun)?;
        }
        Ok(())
    }
}

/// The known failures in a file. One that is to be written need not be there yet, nor be filled in.
fn baseline_in(path: &Path, write: bool, catalogue: &Catalogue) -> anyhow::Result<Baseline> {
    if write && !path.exists() {
        return Ok(Baseline::default());
    }
    let known = Baseline::load(path)?;
    if !write {
        known.check(path, catalogue)?;
    }
    Ok(known)
}

/// A run that was interrupted gives up what is being played, which ends every server that was started for it.
async fn interrupt_at_ctrl_c(interrupt: CancellationToken) {
    if tokio::signal::ctrl_c().await.is_ok() {
        interrupt.cancel();
    }
}

fn own_features(folder: &Path) -> anyhow::Result<Catalogue> {
    let features = embedded::features_in(folder)
        .map_err(|error| Refusal::usage(format!("the folder {}: {error}", folder.display())))?;
    if features.is_empty() {
        let message = format!("the folder {} holds no feature file", folder.display());
        return Err(Refusal::incomplete(message).into());
    }
    let mut catalogue = Catalogue::with_features(&features)?;
    // Somebody's own features are not expected to prove our whole catalogue.
    let named: Vec<String> = catalogue
        .scenarios
        .iter()
        .flat_map(|scenario| scenario.requirements.clone())
        .collect();
    catalogue.requirements.retain(|id, _| named.contains(id));
    Ok(catalogue)
}

/// A filter that matches nothing is told at once, whatever the target may be.
fn refuse_an_empty_choice(selection: &Selection, catalogue: &Catalogue) -> Result<(), Refusal> {
    let plan: Plan<'_> = selection.plan(catalogue, &Reach::everything());
    if plan.runs.is_empty() && plan.left_out.is_empty() {
        return Err(Refusal::incomplete(
            "nothing matches: no scenario was chosen, so nothing can be proven; `proofmark list scenarios` shows them all",
        ));
    }
    Ok(())
}

/// Prints the report for people: to the standard output, or beside it when a report for machines has it.
fn tell(
    outcome: &RunOutcome,
    catalogue: &Catalogue,
    arguments: &Arguments,
    voice: Voice,
) -> std::io::Result<()> {
    let taken = arguments
        .reports
        .iter()
        .any(Destination::is_standard_output);
    let style = if taken {
        Style::choose(voice.color, &std::io::stderr())
    } else {
        voice.style()
    };
    let look = terminal::Look {
        style,
        quiet: voice.quiet,
        verbose: voice.verbose > 0,
    };
    let text = terminal::render(outcome, catalogue, &look);
    if taken {
        eprint!("{text}");
        Ok(())
    } else {
        print(text)
    }
}

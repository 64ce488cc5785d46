//! The command line: one file for each command.

pub mod badge;
pub mod compare;
pub mod explain;
pub mod import;
pub mod init;
pub mod list;
pub mod mocks;
pub mod reference_server;
pub mod refusal;
pub mod run;
pub mod selftest;
pub mod serve;
pub mod spec;
pub mod stage;

use std::ffi::OsString;

use clap::{Args, Parser, Subcommand};
use tracing_subscriber::EnvFilter;

pub use refusal::Refusal;

use crate::{
    exit::Exit,
    report::{ColorChoice, Style},
};

/// Proves that a finance MCP server keeps its written promises.
///
/// Alone it runs the whole suite against the reference server that it brings along.
#[derive(Debug, Parser)]
#[command(name = "proofmark", version, arg_required_else_help = false)]
#[command(
    after_help = "Examples:\n  proofmark\n  proofmark run --url https://example.org/mcp\n  proofmark explain PREVIEW-001"
)]
struct CommandLine {
    #[command(flatten)]
    voice: Voice,
    #[command(subcommand)]
    command: Option<Command>,
}

/// How the program speaks to people.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct Voice {
    /// Colours
    #[arg(long, global = true, value_enum, default_value_t)]
    pub color: ColorChoice,
    /// Only failures and the verdict
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Everything that was found out; twice also shows the log of the built-in server and mocks
    #[arg(long, short, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

impl Voice {
    /// The style of the standard output.
    #[must_use]
    pub fn style(&self) -> Style {
        Style::choose(self.color, &std::io::stdout())
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the suite against a server and report by requirement
    Run(Box<run::Arguments>),
    /// List requirements, scenarios, faults, steps or profiles
    List(list::Arguments),
    /// Explain one requirement, scenario or fault
    Explain(explain::Arguments),
    /// Start a sandbox: the reference server with everything around it
    Serve(serve::Arguments),
    /// Import a Nubank statement into the cash book
    Import(import::Arguments),
    /// Break a healthy server in every named way and show that the suite notices
    Selftest(Box<selftest::Arguments>),
    /// Write proofmark.toml and a CI workflow for your server
    Init(init::Arguments),
    /// Start the mocks alone, for a server that is configured to trust them
    Mocks(mocks::Arguments),
    /// Show what got better and what got worse between two runs
    Compare(compare::Arguments),
    /// Make a badge from the report of a run
    Badge(badge::Arguments),
    /// Write the living specification as web pages
    Spec(spec::Arguments),
    /// The reference server in a process of its own
    #[command(hide = true)]
    ReferenceServer(Box<reference_server::Arguments>),
}

/// Runs the program with the arguments it was started with, and says how it ends.
#[must_use]
pub fn main() -> Exit {
    run_with(std::env::args_os())
}

/// Runs the program with these arguments, the first of which is its own name.
pub fn run_with(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let command_line = match parse(arguments.into_iter().collect()) {
        Ok(command_line) => command_line,
        Err(error) => {
            // Help and version are printed to the standard output, everything else to the error stream.
            let exit = if error.use_stderr() {
                Exit::Usage
            } else {
                Exit::Conforms
            };
            return match error.print() {
                Ok(()) => exit,
                Err(_) => Exit::Usage,
            };
        }
    };
    let voice = command_line.voice;
    match start(command_line) {
        Ok(exit) => exit,
        Err(error) => {
            let style = Style::choose(voice.color, &std::io::stderr());
            eprintln!("{} {error:#}", style.bad("error:"));
            refusal::exit_of(&error)
        }
    }
}

/// Without a command, `run` is meant.
fn parse(mut arguments: Vec<OsString>) -> Result<CommandLine, clap::Error> {
    let command_line = CommandLine::try_parse_from(&arguments)?;
    if command_line.command.is_some() {
        return Ok(command_line);
    }
    arguments.push("run".into());
    CommandLine::try_parse_from(&arguments)
}

fn start(command_line: CommandLine) -> anyhow::Result<Exit> {
    let voice = command_line.voice;
    crate::crypto::install();
    if !command_line.keeps_its_own_log() {
        log(voice);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    // The suite's own future stays on this thread; servers and mocks are spread over the others.
    runtime.block_on(async {
        match command_line.command {
            None => anyhow::bail!("no command was given"),
            Some(Command::Run(arguments)) => run::run(*arguments, voice).await,
            Some(Command::List(arguments)) => list::run(&arguments, voice),
            Some(Command::Explain(arguments)) => explain::run(&arguments, voice),
            Some(Command::Serve(arguments)) => serve::run(arguments).await,
            Some(Command::Import(arguments)) => import::run(arguments).await,
            Some(Command::Selftest(arguments)) => selftest::run(&arguments, voice),
            Some(Command::Init(arguments)) => init::run(arguments),
            Some(Command::Mocks(arguments)) => mocks::run(arguments).await,
            Some(Command::Compare(arguments)) => compare::run(&arguments, voice),
            Some(Command::Badge(arguments)) => badge::run(&arguments),
            Some(Command::Spec(arguments)) => spec::run(&arguments, voice),
            Some(Command::ReferenceServer(arguments)) => reference_server::run(*arguments).await,
        }
    })
}

impl CommandLine {
    /// The cash book over stdio has a log of its own, because its standard output belongs to the protocol.
    fn keeps_its_own_log(&self) -> bool {
        match &self.command {
            Some(Command::ReferenceServer(arguments)) => arguments.is_stdio(),
            Some(Command::Serve(arguments)) => arguments.is_stdio(),
            _ => false,
        }
    }
}

/// The log of the built-in server and the mocks; silent unless it is asked for, since the report says what matters.
fn log(voice: Voice) {
    let level = match voice.verbose {
        0 | 1 => "off",
        2 => "info",
        _ => "debug",
    };
    let filter = EnvFilter::try_from_env("PROOFMARK_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    // A second run in one process keeps the first log.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .try_init();
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(Into::into).collect()
    }

    #[test]
    fn the_command_line_is_consistent() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn alone_it_runs_everything() {
        let command_line = parse(words("proofmark --color never")).unwrap();
        assert!(matches!(command_line.command, Some(Command::Run(_))));
        assert_eq!(command_line.voice.color, ColorChoice::Never);
    }

    #[test]
    fn an_unknown_flag_is_wrong_usage() {
        assert_eq!(run_with(words("proofmark run --colour")), Exit::Usage);
    }
}

//! The reference server as a program of its own.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use proofmark_server::command_line::{self, Arguments, DESKTOP_CLIENT_OF_SERVER, ImportArguments};

/// Proofmark's reference server: a finance MCP server that keeps every promise.
#[derive(Debug, Parser)]
#[command(
    version,
    subcommand_negates_reqs = true,
    args_conflicts_with_subcommands = true
)]
#[command(after_help = DESKTOP_CLIENT_OF_SERVER)]
struct Program {
    #[command(subcommand)]
    command: Option<Command>,
    // Optional as a whole, since a command can do without what serving needs.
    #[command(flatten)]
    arguments: Option<Arguments>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Import a Nubank statement into the cash book
    Import(ImportArguments),
}

#[tokio::main]
async fn main() -> ExitCode {
    proofmark_server::crypto::install();
    match run(Program::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(program: Program) -> anyhow::Result<()> {
    match (program.command, program.arguments) {
        (Some(Command::Import(arguments)), _) => command_line::run_import(arguments).await,
        (None, Some(arguments)) => command_line::run(arguments).await,
        (None, None) => anyhow::bail!("nothing to do; --help says what there is"),
    }
}

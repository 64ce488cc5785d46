//! Runs the reference server in a process of its own, for scenarios that kill it, and its cash book for people.

use std::path::PathBuf;

use proofmark_server::command_line;

pub use proofmark_server::command_line::{DESKTOP_CLIENT, ImportArguments};

use super::Refusal;
use crate::exit::Exit;

/// Options of the command: those of the reference server itself.
#[derive(Debug, clap::Args)]
// Both structs are called `Arguments`, which clap would take for one group.
#[group(id = "reference_server")]
pub struct Arguments {
    #[command(flatten)]
    server: command_line::Arguments,
}

impl Arguments {
    /// Whether it serves the cash book on the standard streams.
    #[must_use]
    pub fn is_stdio(&self) -> bool {
        self.server.stdio
    }
}

/// Runs the command to its end.
///
/// # Errors
/// Whatever keeps it from starting; the message is shown to the user and the program ends with [`Exit::Usage`].
pub async fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    command_line::run(arguments.server).await?;
    Ok(Exit::Conforms)
}

/// Serves the cash book on the standard streams, with its database in `data`, until stdin ends.
///
/// # Errors
/// When the folder or the database cannot be used.
pub async fn serve_cash_book(data: Option<PathBuf>) -> anyhow::Result<Exit> {
    command_line::serve_cash_book(command_line::CashBook {
        data,
        ..command_line::CashBook::default()
    })
    .await?;
    Ok(Exit::Conforms)
}

/// Imports a statement into the cash book and prints what became of it.
///
/// # Errors
/// A [`Refusal`] when the file or the database cannot be used.
pub async fn import(arguments: ImportArguments) -> anyhow::Result<Exit> {
    command_line::run_import(arguments)
        .await
        .map_err(|error| Refusal::usage(format!("{error:#}")))?;
    Ok(Exit::Conforms)
}

//! Runs the reference server in a process of its own, for scenarios that kill it.

use crate::exit::Exit;

/// Options of the command.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Runs the command to its end.
///
/// # Errors
/// Whatever keeps it from starting; the message is shown to the user and the program ends with [`Exit::Usage`].
pub async fn run(_arguments: Arguments) -> anyhow::Result<Exit> {
    anyhow::bail!("not available yet")
}

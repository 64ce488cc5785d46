//! A sandbox: the reference server with its mocks, for developers of clients.

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

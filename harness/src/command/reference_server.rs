//! Runs the reference server in a process of its own, for scenarios that kill it.

use crate::exit::Exit;

/// Options of the command: those of the reference server itself.
#[derive(Debug, clap::Args)]
// Both structs are called `Arguments`, which clap would take for one group.
#[group(id = "reference_server")]
pub struct Arguments {
    #[command(flatten)]
    server: proofmark_server::command_line::Arguments,
}

/// Runs the command to its end.
///
/// # Errors
/// Whatever keeps it from starting; the message is shown to the user and the program ends with [`Exit::Usage`].
pub async fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    proofmark_server::command_line::run(arguments.server).await?;
    Ok(Exit::Conforms)
}

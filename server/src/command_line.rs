//! The reference server's command line, also used by `proofmark reference-server`.

/// Options of the reference server; each can also come from the environment.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Runs the server until it is told to stop.
///
/// # Errors
/// When it cannot start.
pub async fn run(_arguments: Arguments) -> anyhow::Result<()> {
    Ok(())
}

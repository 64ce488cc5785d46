//! Imports a statement into the cash book's database.

use super::reference_server;
use crate::exit::Exit;

pub use reference_server::ImportArguments as Arguments;

/// Runs the command to its end.
///
/// # Errors
/// When the file or the database cannot be used; the message is shown to the user and the program ends with [`Exit::Usage`].
pub async fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    reference_server::import(arguments).await
}

//! Shows what got better and what got worse from one run to another.

use std::path::PathBuf;

use clap::Args;

use super::{Voice, list::Format};
use crate::{
    exit::Exit,
    report::{comparison, printing::print, reading::ReadReport},
};

/// Options of the command.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  proofmark compare last-release.json today.json\n\nExit codes: 0 nothing got worse, 1 something got worse, 2 a file is no report"
)]
pub struct Arguments {
    /// The earlier report, of `proofmark run --report json=FILE`
    #[arg(value_name = "BEFORE")]
    before: PathBuf,
    /// The later one
    #[arg(value_name = "AFTER")]
    after: PathBuf,
    /// For people or for machines
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command to its end.
///
/// # Errors
/// When a file is no report of a run (exit 2).
pub fn run(arguments: &Arguments, voice: Voice) -> anyhow::Result<Exit> {
    let before = ReadReport::load(&arguments.before)?;
    let after = ReadReport::load(&arguments.after)?;
    let comparison = comparison::compare(&before, &after);
    match arguments.format {
        Format::Text => print(comparison.render(&before, &after, voice.style()))?,
        Format::Json => print(serde_json::to_string_pretty(&comparison)? + "\n")?,
    }
    Ok(if comparison.is_worse() {
        Exit::Violated
    } else {
        Exit::Conforms
    })
}

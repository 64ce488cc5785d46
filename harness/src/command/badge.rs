//! Makes a badge from the report of a run.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::{
    exit::Exit,
    report::{badge::Badge, printing::print, reading::ReadReport},
};

/// Options of the command.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  proofmark badge run.json > badge.svg\n  proofmark badge run.json --format shields > badge.json"
)]
pub struct Arguments {
    /// A report of `proofmark run --report json=FILE`
    #[arg(value_name = "RUN.json")]
    report: PathBuf,
    /// A picture, or the endpoint document of shields.io
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A picture
    #[default]
    Svg,
    /// The endpoint document of shields.io
    Shields,
}

/// Runs the command to its end; the badge goes to the standard output.
///
/// # Errors
/// When the file is no report of a run (exit 2).
pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let badge = Badge::of(&ReadReport::load(&arguments.report)?);
    match arguments.format {
        Format::Svg => print(badge.svg())?,
        Format::Shields => print(serde_json::to_string_pretty(&badge.shields())? + "\n")?,
    }
    Ok(Exit::Conforms)
}

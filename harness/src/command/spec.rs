//! Writes the living specification as web pages.

use std::path::PathBuf;

use clap::Args;

use super::Voice;
use crate::{
    exit::Exit,
    report::{RecordedRun, printing::print},
    spec::{self, Specification},
};

/// Options of the command.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  proofmark spec --out site\n  proofmark run --report json=run.json; proofmark spec --out site --results run.json\n\nOpen site/index.html in a browser; no server is needed."
)]
pub struct Arguments {
    /// The folder the pages go to; it is made if it is not there
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// The JSON report of a run, whose verdicts are shown on every page
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
}

/// Runs the command to its end.
///
/// # Errors
/// When the results are no report, or the pages cannot be written.
pub fn run(arguments: &Arguments, voice: Voice) -> anyhow::Result<Exit> {
    let results = arguments
        .results
        .as_deref()
        .map(RecordedRun::read)
        .transpose()
        .map_err(|error| super::Refusal::usage(error.to_string()))?;
    let specification = Specification::embedded()?;
    let written = spec::write(&arguments.out, &specification, results.as_ref())?;
    if !voice.quiet {
        let first = arguments.out.join(spec::address::HOME);
        #[allow(clippy::cast_precision_loss, reason = "shown with one digit")]
        let megabytes = written.bytes as f64 / 1_000_000.0;
        print(format!(
            "{} files, {megabytes:.1} MB; open {}\n",
            written.files,
            first.display()
        ))?;
    }
    Ok(Exit::Conforms)
}

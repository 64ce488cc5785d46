//! The cash book's part of the command line: serving on the standard streams, and importing a statement.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use jiff::Timestamp;
use tracing_subscriber::EnvFilter;
use url::Url;

use crate::clock::Clock;
use crate::profiles::finanpy::{FinanpyParts, FinanpyRules, LogStream, Progress, Report, import};

/// How long the control clock may take.
const CLOCK_TIME: Duration = Duration::from_secs(5);

/// What a desktop client's configuration needs, for the help of `serve --stdio`.
pub const DESKTOP_CLIENT: &str = r#"The cash book in a desktop client (claude_desktop_config.json):
  {
    "mcpServers": {
      "finanpy": {
        "command": "/absolute/path/to/proofmark",
        "args": ["serve", "--stdio", "--data", "/absolute/path/to/folder"]
      }
    }
  }
Use absolute paths: the client chooses the working directory. The folder holds finance.db,
which is made at the first start."#;

/// The same for the reference server as a program of its own.
pub const DESKTOP_CLIENT_OF_SERVER: &str = r#"The cash book in a desktop client (claude_desktop_config.json):
  {
    "mcpServers": {
      "finanpy": {
        "command": "/absolute/path/to/proofmark-server",
        "args": ["--stdio", "--data", "/absolute/path/to/folder"]
      }
    }
  }
Use absolute paths: the client chooses the working directory. The folder holds finance.db,
which is made at the first start."#;

/// How the cash book is served on the standard streams.
#[derive(Debug, Clone, Default)]
pub struct CashBook {
    /// The folder of `finance.db`; the program's own where there is none.
    pub data: Option<PathBuf>,
    /// Where the time is read, `GET URL/now`.
    pub control: Option<Url>,
    /// The time, where it stands still.
    pub now: Option<Timestamp>,
    /// The choices.
    pub rules: FinanpyRules,
}

/// Options of the import of a statement.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  proofmark import extrato_nubank_05_2026.csv --data ~/finance\n\nKnown rows are skipped, so the same file can be imported again. Broken rows are named, the rest is imported."
)]
// Every command's options are called `Arguments` or the like, which clap would take for one group.
#[group(id = "import")]
pub struct ImportArguments {
    /// The statement: CSV with the columns Data, Valor, Identificador, Descrição
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Folder of finance.db [default: the program's own]
    #[arg(long, env = "PROOFMARK_DATA", value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// How the result is written
    #[arg(long, value_enum, default_value_t)]
    pub format: ImportFormat,
    /// Other choices than the correct ones, as a JSON object or the path of a file with one; for testing test suites
    #[arg(long, value_name = "JSON|FILE")]
    pub rules: Option<String>,
}

/// How the result of an import is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ImportFormat {
    /// For people.
    #[default]
    Text,
    /// `{"imported", "known", "broken": [{"line", "reason"}]}`.
    Json,
}

/// Serves the cash book on the standard streams until stdin ends. Stdout carries nothing but the protocol.
///
/// # Errors
/// When the folder or the database cannot be used, or a stream fails.
pub async fn serve(book: CashBook) -> anyhow::Result<()> {
    log(book.rules.process.log);
    let clock = match (&book.control, book.now) {
        (Some(control), _) => {
            crate::crypto::install();
            Clock::control(control, CLOCK_TIME)
        }
        (None, Some(now)) => Clock::steered(now).0,
        (None, None) => Clock::System,
    };
    let parts = FinanpyParts {
        folder: folder(book.data)?,
        clock,
        rules: book.rules,
    };
    Ok(crate::stdio::serve(parts).await?)
}

/// Imports a statement and prints what became of it on stdout.
///
/// # Errors
/// When the file or the database cannot be used. Rows that cannot be read are no error.
pub async fn run_import(arguments: ImportArguments) -> anyhow::Result<()> {
    let rules = arguments
        .rules
        .as_deref()
        .map(super::rules)
        .transpose()?
        .unwrap_or_default();
    let folder = folder(arguments.data)?;
    let mut line = ProgressLine::new();
    let report = import(&arguments.file, &folder, &rules.finanpy, |progress| {
        line.show(progress);
    })
    .await;
    line.clear();
    let report = report?;
    let text = match arguments.format {
        ImportFormat::Text => in_words(&report),
        ImportFormat::Json => serde_json::to_string(&report)? + "\n",
    };
    io::stdout()
        .write_all(text.as_bytes())
        .context("cannot print the result")
}

fn in_words(report: &Report) -> String {
    let mut text = format!(
        "{} imported, {} known and skipped, {} broken\n",
        report.imported,
        report.known,
        report.broken.len()
    );
    for broken in &report.broken {
        text.push_str(&format!("  line {}: {}\n", broken.line, broken.reason));
    }
    text
}

/// The named folder, made where it is missing, or the program's own.
fn folder(named: Option<PathBuf>) -> anyhow::Result<PathBuf> {
    match named {
        Some(folder) => {
            std::fs::create_dir_all(&folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
            Ok(folder)
        }
        None => {
            let program = std::env::current_exe()
                .context("cannot find the program's own folder; use --data")?;
            let folder = program
                .parent()
                .context("the program has no folder; use --data")?;
            Ok(folder.to_owned())
        }
    }
}

/// Warnings and errors by default; `RUST_LOG` chooses otherwise. The protocol library and the database stay at warnings whatever it
/// says: below that they write down whole messages, with what people wrote.
fn log(stream: LogStream) {
    let level = match stream {
        LogStream::Stderr => "warn",
        LogStream::Stdout => "info",
    };
    let mut filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level));
    for quiet in ["rmcp=warn", "sqlx=warn"] {
        if let Ok(directive) = quiet.parse() {
            filter = filter.add_directive(directive);
        }
    }
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter);
    // Err means that the program that embeds this one has its own log.
    let _ = match stream {
        LogStream::Stderr => subscriber.with_writer(io::stderr).try_init(),
        LogStream::Stdout => subscriber.with_writer(io::stdout).try_init(),
    };
}

/// One line on a terminal that says how far the import is, written over again and again.
struct ProgressLine {
    terminal: bool,
    shown: bool,
}

impl ProgressLine {
    fn new() -> Self {
        Self {
            terminal: io::stderr().is_terminal(),
            shown: false,
        }
    }

    fn show(&mut self, progress: Progress) {
        if !self.terminal {
            return;
        }
        let percent = progress.read.saturating_mul(100) / progress.total.max(1);
        self.shown = true;
        // Nothing depends on whether somebody sees it.
        let _ = write!(
            io::stderr(),
            "\r{} rows, {} %",
            progress.rows,
            percent.min(100)
        );
    }

    fn clear(&mut self) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profiles::finanpy::BrokenLine;

    #[test]
    fn a_report_is_counts_and_lines() {
        let report = Report {
            imported: 12,
            known: 3,
            broken: vec![BrokenLine {
                line: 7,
                reason: "Valor is zero".to_owned(),
            }],
        };
        assert_eq!(
            in_words(&report),
            "12 imported, 3 known and skipped, 1 broken\n  line 7: Valor is zero\n"
        );
        assert_eq!(
            serde_json::to_string(&report).unwrap(),
            r#"{"imported":12,"known":3,"broken":[{"line":7,"reason":"Valor is zero"}]}"#
        );
    }

    #[test]
    fn the_configuration_of_a_desktop_client_is_json() {
        for text in [DESKTOP_CLIENT, DESKTOP_CLIENT_OF_SERVER] {
            let block = &text[text.find('{').unwrap()..=text.rfind('}').unwrap()];
            let block: serde_json::Value = serde_json::from_str(block).unwrap();
            let args = &block["mcpServers"]["finanpy"]["args"];
            assert!(
                args.as_array()
                    .unwrap()
                    .iter()
                    .any(|word| word == "--stdio")
            );
        }
    }
}

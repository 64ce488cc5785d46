//! The import of a Nubank statement: every row that can be read is kept once, every other is named with its line and the reason.
//!
//! The file is read twice, once to learn its encoding and once for its rows, in pieces of bounded size; rows are kept a chunk at a time,
//! so that other programs get their turn at the database. An import that is broken off can simply be started again.

mod encoding;
mod record;
mod row;

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::rules::{BrokenRow, FinanpyRules};
use super::store::{ChunkCounts, FILE, NewRow, Store, StoreError};
use super::{OpenError, open_store};
use record::{Piece, Records};
use row::Columns;

/// How many rows are kept in one transaction.
const CHUNK: usize = 2_000;
/// What is waited before the database is tried again, as the page asks of every client.
const RETRIES: [Duration; 3] = [
    Duration::from_millis(200),
    Duration::from_millis(400),
    Duration::from_millis(800),
];

/// Why a statement was not imported, or not to its end. What was kept before stays.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file cannot be read.
    #[error("cannot read {file}")]
    File {
        /// The file.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// The first line does not name the columns.
    #[error(
        "{file} is no Nubank statement: its first line must name the columns Data, Valor, Identificador and Descrição"
    )]
    Header {
        /// The file.
        file: String,
    },
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Another process held the database all the time.
    #[error(
        "the database is held by another process (DB_BUSY) after {imported} rows were imported; start the import again, known rows are skipped"
    )]
    Busy {
        /// New rows so far.
        imported: u64,
    },
    /// The database failed.
    #[error("the database failed after {imported} rows were imported: {problem}")]
    Database {
        /// New rows so far.
        imported: u64,
        /// What is wrong.
        problem: String,
    },
}

/// What became of a statement.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// New rows.
    pub imported: u64,
    /// Rows that were there already, or came before in the same file.
    pub known: u64,
    /// Rows that could not be read, in the order of the file.
    pub broken: Vec<BrokenLine>,
}

/// A row that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BrokenLine {
    /// The line it begins on, counted from 1.
    pub line: u64,
    /// What is wrong with it. It never quotes the description.
    pub reason: String,
}

/// How far an import is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read.
    pub read: u64,
    /// Bytes of the file.
    pub total: u64,
    /// Rows looked at.
    pub rows: u64,
}

/// Imports `file` into `finance.db` of `folder` and calls `progress` after every chunk.
///
/// # Errors
/// When the file or the database cannot be used. Rows that cannot be read are no error.
pub async fn import(
    file: &Path,
    folder: &Path,
    rules: &FinanpyRules,
    mut progress: impl FnMut(Progress),
) -> Result<Report, ImportError> {
    let unreadable = |source| ImportError::File {
        file: file.display().to_string(),
        source,
    };
    let opened = File::open(file).map_err(unreadable)?;
    let total = opened.metadata().map_err(unreadable)?.len();
    let text = encoding::decoded(opened, rules.import.encoding).map_err(unreadable)?;
    let mut records = Records::new(BufReader::new(text));
    let header = match records.next().map_err(unreadable)? {
        Some(Piece::Record { fields, .. }) => Columns::find(&fields),
        _ => None,
    };
    let Some(columns) = header else {
        return Err(ImportError::Header {
            file: file.display().to_string(),
        });
    };
    let store = open_store(folder.join(FILE), &rules.process).await?;
    let mut keeping = Keeping {
        store: &store,
        rules,
        chunk: Vec::new(),
        identifiers: HashSet::new(),
        report: Report::default(),
    };
    let mut rows = 0;
    while let Some(piece) = records.next().map_err(unreadable)? {
        rows += 1;
        if !keeping.take(piece, &columns) {
            break;
        }
        if keeping.chunk.len() >= CHUNK {
            keeping.keep().await?;
            progress(Progress {
                read: records.read(),
                total,
                rows,
            });
        }
    }
    keeping.keep().await?;
    let report = keeping.report;
    store.close().await;
    Ok(report)
}

/// The rows between the file and the database.
struct Keeping<'a> {
    store: &'a Store,
    rules: &'a FinanpyRules,
    chunk: Vec<NewRow>,
    /// The identifiers of the chunk.
    identifiers: HashSet<String>,
    report: Report,
}

impl Keeping<'_> {
    /// Takes one piece of the file; false when nothing more is wanted.
    fn take(&mut self, piece: Piece, columns: &Columns) -> bool {
        let (line, read) = match piece {
            Piece::Record { line, fields } => (line, columns.read(&fields, &self.rules.import)),
            Piece::Broken { line, reason } => (line, Err(reason.to_owned())),
        };
        match (read, self.rules.import.broken) {
            (Ok(row), _) => {
                let fresh = row
                    .identifier
                    .as_ref()
                    .is_none_or(|identifier| self.identifiers.insert(identifier.clone()));
                if fresh {
                    self.chunk.push(row);
                } else {
                    self.report.known += 1;
                }
                true
            }
            (Err(reason), BrokenRow::Reported | BrokenRow::StoredAnyway) => {
                self.report.broken.push(BrokenLine { line, reason });
                true
            }
            (Err(_), BrokenRow::EndsImport) => false,
        }
    }

    /// Keeps the chunk, and tries again while another process holds the database.
    async fn keep(&mut self) -> Result<(), ImportError> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        let mut waits = RETRIES.into_iter();
        let counts = loop {
            let tried = self
                .store
                .add_chunk(&self.chunk, self.rules.import.known)
                .await;
            match (tried, waits.next()) {
                (Ok(counts), _) => break counts,
                (Err(StoreError::Busy), Some(wait)) => tokio::time::sleep(wait).await,
                (Err(StoreError::Busy), None) => {
                    return Err(ImportError::Busy {
                        imported: self.report.imported,
                    });
                }
                (Err(error), _) => {
                    return Err(ImportError::Database {
                        imported: self.report.imported,
                        problem: error.to_string(),
                    });
                }
            }
        };
        let ChunkCounts { imported, known } = counts;
        self.report.imported += imported;
        self.report.known += known;
        self.chunk.clear();
        self.identifiers.clear();
        Ok(())
    }
}

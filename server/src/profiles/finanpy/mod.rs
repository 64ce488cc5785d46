//! The cash book profile: two tools and a resource over one table in a SQLite file, for one person on one machine.
//!
//! Names, codes and texts are those of the published page, in its language. Its money is a JSON number by that contract; inside it is
//! an exact decimal, rounded half up on the digits and never on the binary value.

mod amount;
mod calendar;
mod contract;
mod handler;
mod import;
mod listing;
mod refusal;
mod registering;
mod rules;
mod store;
mod summary;

use std::path::PathBuf;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::OnceCell;

use crate::clock::Clock;
use crate::mcp::JsonObject;
use amount::Amount;
use refusal::Refusal;
use registering::Unfit;
use store::{Added, NewRow, Store, StoreError};
use summary::Summary;

pub(crate) use contract::WRAPPER;
pub(crate) use handler::Server;
pub use import::{BrokenLine, ImportError, Progress, Report, import};
pub use rules::*;
pub use store::FILE;

/// What the cash book is opened with.
#[derive(Debug, Clone)]
pub struct FinanpyParts {
    /// The folder of `finance.db`.
    pub folder: PathBuf,
    /// The time.
    pub clock: Clock,
    /// The choices.
    pub rules: FinanpyRules,
}

/// Why the cash book could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file cannot be used.
    #[error("cannot open {}: {problem}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A contract file is broken.
    #[error("a contract file is broken")]
    Contract(#[from] serde_json::Error),
}

/// The open cash book.
#[derive(Debug)]
pub struct Finanpy {
    store: Store,
    clock: Clock,
    rules: FinanpyRules,
    /// What a defective rule remembers.
    first_summary: OnceCell<String>,
}

/// The answer to a tool call: the text with the digits of the decimals, and the same as a value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    /// JSON.
    pub text: String,
    /// The same.
    pub value: Value,
}

/// Why a call got no answer of its tool.
#[derive(Debug, PartialEq)]
pub(crate) enum Unanswered {
    /// Refused, in the page's words.
    Refused(Refusal),
    /// An error of the protocol; only a defective rule answers so.
    Protocol(String),
}

impl From<Refusal> for Unanswered {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Unfit> for Unanswered {
    fn from(unfit: Unfit) -> Self {
        match unfit {
            Unfit::Refused(refusal) => Self::Refused(refusal),
            Unfit::Protocol(text) => Self::Protocol(text),
        }
    }
}

impl Finanpy {
    /// Opens `finance.db` in the folder, making it where it is missing.
    ///
    /// # Errors
    /// When the file cannot be made, or holds another table of that name. A file that another process holds is no error.
    pub async fn open(parts: FinanpyParts) -> Result<Self, OpenError> {
        let rules = parts.rules;
        let folder = match rules.process.data_folder {
            DataFolder::AsNamed => parts.folder,
            DataFolder::WorkingDirectory => PathBuf::from("."),
        };
        let store = open_store(folder.join(FILE), &rules.process).await?;
        Ok(Self {
            store,
            clock: parts.clock,
            rules,
            first_summary: OnceCell::new(),
        })
    }

    /// `registrar_transacao`.
    pub(crate) async fn register(&self, arguments: &JsonObject) -> Result<Answer, Unanswered> {
        let rules = &self.rules.registering;
        let entry = registering::check(arguments, self.now().await?, rules)?;
        if self.rules.process.logged_texts == LoggedTexts::Descriptions {
            tracing::warn!(description = entry.row.description, "new transaction");
        }
        match self
            .store
            .add(&entry.row, rules.duplicate, rules.texts)
            .await
        {
            Ok(Added::Stored(id)) => answer(&entry.kept(id, rules)),
            Ok(Added::Known(id)) => answer(&registering::duplicate(id, rules.existing_id)),
            Err(error) => Err(self.unavailable(&error).into()),
        }
    }

    /// `listar_transacoes`.
    pub(crate) async fn list(&self, arguments: &JsonObject) -> Result<Answer, Unanswered> {
        let filter = listing::check(arguments, &self.rules.listing)?;
        let rows = self
            .store
            .rows(&filter)
            .await
            .map_err(|error| self.unavailable(&error))?;
        answer(&listing::answer(rows, &self.rules.listing)?)
    }

    /// `resumo_financeiro_atual`, as JSON.
    pub(crate) async fn summary(&self) -> Result<String, Refusal> {
        match self.rules.summary.snapshot {
            Snapshot::Fresh => self.fresh_summary().await,
            Snapshot::Cached => self
                .first_summary
                .get_or_try_init(|| self.fresh_summary())
                .await
                .cloned(),
        }
    }

    async fn fresh_summary(&self) -> Result<String, Refusal> {
        let rules = &self.rules.summary;
        let now = self.now().await?;
        let today = match rules.month {
            SummaryMonth::SaoPaulo => calendar::date_in_sao_paulo(now),
            SummaryMonth::Utc => calendar::date_in_utc(now),
        };
        let month = calendar::month(today);
        let filter = store::Filter {
            period: (rules.rows == SummaryRows::CurrentMonth).then(|| month.clone()),
            ..store::Filter::default()
        };
        let rows = self
            .store
            .rows(&filter)
            .await
            .map_err(|error| self.unavailable(&error))?;
        if rules.effect == SummaryEffect::Writes {
            let trace = NewRow {
                identifier: None,
                kind: registering::INCOME.to_owned(),
                amount: Amount::default(),
                category: registering::UNCATEGORIZED.to_owned(),
                description: String::new(),
                date: today.to_string(),
            };
            self.store
                .add(
                    &trace,
                    DuplicateIdentifier::default(),
                    TextPassing::default(),
                )
                .await
                .map_err(|error| self.unavailable(&error))?;
        }
        if rows.is_empty() && rules.empty_month == EmptyMonth::Refusal {
            return Err(Refusal::internal());
        }
        serde_json::to_string(&Summary::of(month, &rows, rules)).map_err(|error| {
            tracing::error!(%error, "the summary could not be written");
            Refusal::internal()
        })
    }

    /// Lets go of the file.
    pub(crate) async fn close(&self) {
        self.store.close().await;
    }

    async fn now(&self) -> Result<Timestamp, Refusal> {
        self.clock.now().await.map_err(|error| {
            tracing::error!(%error, "the time could not be told");
            Refusal::internal()
        })
    }

    /// The refusal for a database that gave no answer.
    fn unavailable(&self, error: &StoreError) -> Refusal {
        match (error, self.rules.process.busy) {
            (StoreError::Busy, BusyDatabase::DbBusy | BusyDatabase::Waits) => Refusal::busy(),
            _ => {
                tracing::error!(%error, "the database failed");
                Refusal::internal()
            }
        }
    }
}

async fn open_store(file: PathBuf, rules: &ProcessRules) -> Result<Store, OpenError> {
    Store::open(&file, rules.file_mode, rules.busy)
        .await
        .map_err(|error| OpenError::File {
            problem: error.to_string(),
            file,
        })
}

fn answer(body: &impl Serialize) -> Result<Answer, Unanswered> {
    let written = serde_json::to_string(body).and_then(|text| {
        let value = serde_json::from_str(&text)?;
        Ok((text, value))
    });
    match written {
        Ok((text, value)) => Ok(Answer { text, value }),
        Err(error) => {
            tracing::error!(%error, "an answer could not be written");
            Err(Refusal::internal().into())
        }
    }
}

#[cfg(test)]
mod tests;

//! The few questions a profile asks of its database: SQLite in a file or in memory.
//!
//! Writes take the database's write lock first (`BEGIN IMMEDIATE`), so what they read is what they change, also when another
//! process works on the same file. A process that dies in the middle leaves a whole transaction or nothing.

mod invites;
mod limits;
mod log;
mod members;
mod people;
mod previews;
mod prices;

use std::str::FromStr;
use std::time::Duration;

use jiff::Timestamp;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Sqlite, SqlitePool, Transaction};

pub use invites::{Accepted, Invite, InviteError, NewInvite};
pub use log::{AppendError, Entry, EntryKind, NewEntry};
pub use members::{Member, MemberError};
pub use people::{Membership, NewWorkspace, Person, Workspace};
pub use previews::Preview;
pub use prices::{FetchedPrice, NewPrice, PriceRun};

use crate::StoreLocation;

/// The version that `schema.sql` and what follows it add up to.
const SCHEMA_VERSION: i64 = 2;

/// How long a write waits for another process to finish its own.
const BUSY_TIMEOUT: Duration = Duration::from_secs(15);

/// Why the store gave no answer. The cause goes to the log only: it may name files and statements.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database refused or failed.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    /// The file was written by a later version.
    #[error("the file has schema version {found}, this server knows {SCHEMA_VERSION}")]
    SchemaVersion {
        /// The version found in the file.
        found: i64,
    },
    /// A column that only this server writes does not hold what it wrote.
    #[error("unreadable column {column}: {problem}")]
    Unreadable {
        /// The column.
        column: &'static str,
        /// What is wrong with it.
        problem: String,
    },
}

/// An open store. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Store {
    pool: SqlitePool,
}

impl Store {
    /// Opens the store at `location` and lays its tables out if they are missing.
    ///
    /// # Errors
    /// When the file cannot be opened or was written by a later version.
    pub async fn open(location: &StoreLocation) -> Result<Self, StoreError> {
        let pool = match location {
            // One connection that is never given up: the data lives and dies with it.
            StoreLocation::Memory => {
                SqlitePoolOptions::new()
                    .max_connections(1)
                    .min_connections(1)
                    .idle_timeout(None)
                    .max_lifetime(None)
                    .test_before_acquire(false)
                    .acquire_timeout(BUSY_TIMEOUT)
                    .connect_with(SqliteConnectOptions::from_str("sqlite::memory:")?)
                    .await?
            }
            StoreLocation::File(path) => {
                let options = SqliteConnectOptions::new()
                    .filename(path)
                    .create_if_missing(true)
                    .journal_mode(SqliteJournalMode::Wal)
                    .synchronous(SqliteSynchronous::Full)
                    .foreign_keys(true)
                    .busy_timeout(BUSY_TIMEOUT);
                SqlitePoolOptions::new()
                    .max_connections(4)
                    // A file does not hang up; asking it whether it is still there would double every question.
                    .test_before_acquire(false)
                    .acquire_timeout(BUSY_TIMEOUT)
                    .connect_with(options)
                    .await?
            }
        };
        let store = Self { pool };
        store.lay_out().await?;
        Ok(store)
    }

    async fn lay_out(&self) -> Result<(), StoreError> {
        let mut transaction = self.write().await?;
        let (found,): (i64,) = sqlx::query_as("PRAGMA user_version")
            .fetch_one(&mut *transaction)
            .await?;
        match found {
            0 | 1 => {
                if found == 0 {
                    sqlx::raw_sql(include_str!("schema.sql"))
                        .execute(&mut *transaction)
                        .await?;
                }
                sqlx::raw_sql(include_str!("schema_2.sql"))
                    .execute(&mut *transaction)
                    .await?;
            }
            SCHEMA_VERSION => {}
            found => return Err(StoreError::SchemaVersion { found }),
        }
        Ok(transaction.commit().await?)
    }

    /// The key called `name`: `fresh` if there was none, else the one that was kept first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn key(&self, name: &str, fresh: &[u8]) -> Result<Vec<u8>, StoreError> {
        let mut transaction = self.write().await?;
        sqlx::query("INSERT INTO keys (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING")
            .bind(name)
            .bind(fresh)
            .execute(&mut *transaction)
            .await?;
        let (value,): (Vec<u8>,) = sqlx::query_as("SELECT value FROM keys WHERE name = ?1")
            .bind(name)
            .fetch_one(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(value)
    }

    /// A transaction that holds the write lock from its first statement on; dropping it takes everything back.
    async fn write(&self) -> Result<Transaction<'static, Sqlite>, StoreError> {
        Ok(self.pool.begin_with("BEGIN IMMEDIATE").await?)
    }
}

/// An instant as the store writes it.
fn instant(column: &'static str, text: &str) -> Result<Timestamp, StoreError> {
    text.parse()
        .map_err(|error: jiff::Error| StoreError::Unreadable {
            column,
            problem: error.to_string(),
        })
}

#[cfg(test)]
mod tests;

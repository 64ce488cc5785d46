//! The cash book's file as another program on the same machine sees it: locked by it, or made by it long ago.
//!
//! Everything else is observed through the protocol. These two cannot be: the page speaks of another process that holds the
//! database, and of a `finance.db` that its own scripts made, so here, and only here, the harness opens the file itself.

use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode};
use sqlx::{Connection as _, Executor as _};

/// The table of the page, in the words of its own scripts.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS transactions (id INTEGER PRIMARY KEY AUTOINCREMENT, \
    identifier TEXT UNIQUE, type TEXT, amount REAL, category TEXT DEFAULT 'sem categoria', description TEXT, date TEXT)";

/// How long the lock is tried for: the program may be in the middle of a write.
const PATIENCE: Duration = Duration::from_secs(5);

/// The file could not be used as another program would.
#[derive(Debug, thiserror::Error)]
#[error("{doing} {file}: {source}")]
pub struct DatabaseError {
    doing: &'static str,
    file: String,
    source: sqlx::Error,
}

/// An exclusive lock on the whole database, until it is released or dropped.
#[derive(Debug)]
pub struct DatabaseLock {
    connection: SqliteConnection,
    file: String,
}

/// A transaction as the table keeps it: the amount carries its sign.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredRow {
    /// What it is known by outside.
    pub identifier: Option<String>,
    /// `receita` or `despesa`.
    pub kind: String,
    /// Below zero for an expense.
    pub amount: f64,
    /// Category.
    pub category: String,
    /// Description.
    pub description: String,
    /// `YYYY-MM-DD`.
    pub date: String,
}

impl DatabaseLock {
    /// Locks the database that is there, against readers and writers.
    ///
    /// # Errors
    /// If there is no such file, or somebody else holds it for longer than five seconds.
    pub async fn take(file: &Path) -> Result<Self, DatabaseError> {
        let failed = |source| DatabaseError {
            doing: "locking",
            file: file.display().to_string(),
            source,
        };
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(false)
            .busy_timeout(PATIENCE);
        let mut connection = SqliteConnection::connect_with(&options)
            .await
            .map_err(failed)?;
        connection
            .execute("BEGIN EXCLUSIVE")
            .await
            .map_err(failed)?;
        Ok(Self {
            connection,
            file: file.display().to_string(),
        })
    }

    /// Lets go of the database, with nothing changed in it.
    ///
    /// # Errors
    /// If SQLite does not let it.
    pub async fn release(mut self) -> Result<(), DatabaseError> {
        let failed = |source| DatabaseError {
            doing: "unlocking",
            file: self.file.clone(),
            source,
        };
        self.connection.execute("ROLLBACK").await.map_err(failed)?;
        self.connection.close().await.map_err(failed)
    }
}

/// Makes a database as the page's own scripts do, with these rows.
///
/// # Errors
/// If SQLite does not let it.
pub async fn make(file: &Path, rows: &[StoredRow]) -> Result<(), DatabaseError> {
    let failed = |source| DatabaseError {
        doing: "making",
        file: file.display().to_string(),
        source,
    };
    let options = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        // What Python's sqlite3 leaves in place.
        .journal_mode(SqliteJournalMode::Delete);
    let mut connection = SqliteConnection::connect_with(&options)
        .await
        .map_err(failed)?;
    connection.execute(TABLE).await.map_err(failed)?;
    for row in rows {
        sqlx::query(
            "INSERT INTO transactions (identifier, type, amount, category, description, date) \
             VALUES (?, ?, ?, ?, ?, ?)",
        )
        .bind(&row.identifier)
        .bind(&row.kind)
        .bind(row.amount)
        .bind(&row.category)
        .bind(&row.description)
        .bind(&row.date)
        .execute(&mut connection)
        .await
        .map_err(failed)?;
    }
    connection.close().await.map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> StoredRow {
        StoredRow {
            identifier: None,
            kind: "despesa".to_owned(),
            amount: -1.0,
            category: "teste".to_owned(),
            description: "x".to_owned(),
            date: "2026-06-01".to_owned(),
        }
    }

    async fn reads(file: &Path) -> Result<i64, sqlx::Error> {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .busy_timeout(Duration::ZERO);
        let mut connection = SqliteConnection::connect_with(&options).await?;
        sqlx::query_scalar("SELECT count(*) FROM transactions")
            .fetch_one(&mut connection)
            .await
    }

    #[tokio::test]
    async fn a_lock_keeps_readers_out_until_it_is_released() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("finance.db");
        make(&file, &[row()]).await.unwrap();
        assert_eq!(reads(&file).await.unwrap(), 1);
        let lock = DatabaseLock::take(&file).await.unwrap();
        let refused = reads(&file).await.unwrap_err().to_string();
        assert!(refused.contains("locked"), "{refused}");
        lock.release().await.unwrap();
        assert_eq!(reads(&file).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn a_file_that_is_not_there_is_not_made_by_locking_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("finance.db");
        let error = DatabaseLock::take(&file).await.unwrap_err().to_string();
        assert!(error.contains("finance.db"), "{error}");
        assert!(!file.exists());
    }
}

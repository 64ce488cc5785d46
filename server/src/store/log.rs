//! The append-only log of a workspace: batches, and the undos that mark them.

use jiff::Timestamp;

use super::{Store, StoreError, instant};

/// What a log entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// What the workspace began with; number 0, not a write of anybody's and never undone.
    Founding,
    /// A batch.
    Batch,
    /// The undoing of the batch it names.
    Undo,
}

impl EntryKind {
    fn name(self) -> &'static str {
        match self {
            Self::Founding => "founding",
            Self::Batch => "batch",
            Self::Undo => "undo",
        }
    }

    fn parse(name: &str) -> Result<Self, StoreError> {
        match name {
            "founding" => Ok(Self::Founding),
            "batch" => Ok(Self::Batch),
            "undo" => Ok(Self::Undo),
            other => Err(StoreError::Unreadable {
                column: "log.kind",
                problem: other.to_owned(),
            }),
        }
    }
}

/// An entry as it stands in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its place; the head of the workspace when it was the last.
    pub number: i64,
    /// What it is.
    pub kind: EntryKind,
    /// The batch it holds or undoes.
    pub batch: String,
    /// When it was written.
    pub at: Timestamp,
    /// Who wrote it from what, as JSON.
    pub provenance: String,
    /// The batch's changes, as JSON; an undo has none.
    pub changes: Option<String>,
}

/// An entry to append.
#[derive(Debug, Clone)]
pub struct NewEntry {
    /// What it is.
    pub kind: EntryKind,
    /// The batch it holds or undoes.
    pub batch: String,
    /// When.
    pub at: Timestamp,
    /// Who wrote it from what, as JSON.
    pub provenance: String,
    /// The batch's changes, as JSON.
    pub changes: Option<String>,
    /// The preview that this entry commits; it is marked in the same transaction.
    pub preview: Option<String>,
}

/// Why an entry was not appended. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// Another entry came first: what was computed on the old head must be computed again.
    #[error("the head has moved")]
    HeadMoved,
    /// The preview was committed before, as this batch.
    #[error("the preview was committed as {0}")]
    AlreadyCommitted(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for AppendError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

type EntryRow = (i64, String, String, String, String, Option<String>);

impl Store {
    /// The id and name of the workspace whose log holds `text`, whoever belongs to it. A correct server never asks this.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn holder_of(&self, text: &str) -> Result<Option<(String, String)>, StoreError> {
        let row = sqlx::query_as(
            "SELECT w.id, w.name FROM log l JOIN workspaces w ON w.id = l.workspace
             WHERE l.batch = ?1 OR instr(l.changes, ?1) > 0 LIMIT 1",
        )
        .bind(text)
        .fetch_optional(&self.pool)
        .await?;
        Ok(row)
    }

    /// An id of `length` letters in any log that begins with `beginning`. A correct server never asks this.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn id_like(
        &self,
        beginning: &str,
        length: usize,
    ) -> Result<Option<String>, StoreError> {
        let row: Option<(String,)> = sqlx::query_as(
            "SELECT substr(changes, instr(changes, ?1), ?2) FROM log WHERE instr(changes, ?1) > 0 LIMIT 1",
        )
        .bind(beginning)
        .bind(i64::try_from(length).unwrap_or(i64::MAX))
        .fetch_optional(&self.pool)
        .await?;
        Ok(row.map(|(id,)| id))
    }
    /// The entries of `workspace` after number `after` (-1 for all), oldest first.
    ///
    /// # Errors
    /// When the database fails or holds what this server did not write.
    pub async fn entries_after(
        &self,
        workspace: &str,
        after: i64,
    ) -> Result<Vec<Entry>, StoreError> {
        let rows: Vec<EntryRow> = sqlx::query_as(
            "SELECT number, kind, batch, at, provenance, changes FROM log WHERE workspace = ?1 AND number > ?2 ORDER BY number",
        )
        .bind(workspace)
        .bind(after)
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter()
            .map(|(number, kind, batch, at, provenance, changes)| {
                Ok(Entry {
                    number,
                    kind: EntryKind::parse(&kind)?,
                    batch,
                    at: instant("log.at", &at)?,
                    provenance,
                    changes,
                })
            })
            .collect()
    }

    /// Appends `entry` if the head of `workspace` is still `head`, and returns the new head.
    ///
    /// # Errors
    /// [`AppendError::HeadMoved`] when something else was written since, [`AppendError::AlreadyCommitted`] when the entry's preview
    /// has become a batch, or when the database fails. Nothing is written then.
    pub async fn append(
        &self,
        workspace: &str,
        head: i64,
        entry: &NewEntry,
    ) -> Result<i64, AppendError> {
        let mut transaction = self.write().await?;
        if let Some(preview) = &entry.preview {
            let (committed,): (Option<String>,) =
                sqlx::query_as("SELECT batch FROM previews WHERE id = ?1")
                    .bind(preview)
                    .fetch_one(&mut *transaction)
                    .await?;
            if let Some(batch) = committed {
                return Err(AppendError::AlreadyCommitted(batch));
            }
        }
        let number = head + 1;
        let moved = sqlx::query("UPDATE workspaces SET head = ?1 WHERE id = ?2 AND head = ?3")
            .bind(number)
            .bind(workspace)
            .bind(head)
            .execute(&mut *transaction)
            .await?;
        if moved.rows_affected() != 1 {
            return Err(AppendError::HeadMoved);
        }
        sqlx::query(
            "INSERT INTO log (workspace, number, kind, batch, at, provenance, changes) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )
        .bind(workspace)
        .bind(number)
        .bind(entry.kind.name())
        .bind(&entry.batch)
        .bind(entry.at.to_string())
        .bind(&entry.provenance)
        .bind(&entry.changes)
        .execute(&mut *transaction)
        .await?;
        if let Some(preview) = &entry.preview {
            sqlx::query("UPDATE previews SET batch = ?1 WHERE id = ?2")
                .bind(&entry.batch)
                .bind(preview)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(number)
    }
}

//! Previews: what was shown to somebody, so that exactly that can be committed.

use jiff::Timestamp;

use super::{Store, StoreError, instant};

/// A stored preview.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// `prv_…`.
    pub id: String,
    /// The workspace it was made in.
    pub workspace: String,
    /// Who made it.
    pub person: String,
    /// From when on it can no longer be committed.
    pub expires_at: Timestamp,
    /// What is to be committed and what was shown, as JSON.
    pub body: String,
    /// The batch it has become.
    pub batch: Option<String>,
}

type PreviewRow = (String, String, String, String, String, Option<String>);

impl Store {
    /// Keeps `preview`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn keep_preview(&self, preview: &Preview) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO previews (id, workspace, person, expires_at, body, batch) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )
        .bind(&preview.id)
        .bind(&preview.workspace)
        .bind(&preview.person)
        .bind(preview.expires_at.to_string())
        .bind(&preview.body)
        .bind(&preview.batch)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// The preview called `id`.
    ///
    /// # Errors
    /// When the database fails or holds what this server did not write.
    pub async fn preview(&self, id: &str) -> Result<Option<Preview>, StoreError> {
        let row: Option<PreviewRow> = sqlx::query_as(
            "SELECT id, workspace, person, expires_at, body, batch FROM previews WHERE id = ?1",
        )
        .bind(id)
        .fetch_optional(&self.pool)
        .await?;
        row.map(|(id, workspace, person, expires_at, body, batch)| {
            Ok(Preview {
                id,
                workspace,
                person,
                expires_at: instant("previews.expires_at", &expires_at)?,
                body,
                batch,
            })
        })
        .transpose()
    }
}

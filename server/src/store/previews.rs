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
    /// Keeps `preview`, and forgets what expired before `forgotten`: previews that became nothing go, those that became a batch
    /// keep only its name.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn keep_preview(
        &self,
        preview: &Preview,
        forgotten: Timestamp,
    ) -> Result<(), StoreError> {
        let mut transaction = self.write().await?;
        sqlx::query("DELETE FROM previews WHERE batch IS NULL AND expires_at < ?1")
            .bind(forgotten.to_string())
            .execute(&mut *transaction)
            .await?;
        sqlx::query(
            "UPDATE previews SET body = '' WHERE batch IS NOT NULL AND expires_at < ?1 AND body <> ''",
        )
        .bind(forgotten.to_string())
        .execute(&mut *transaction)
        .await?;
        sqlx::query(
            "INSERT INTO previews (id, workspace, person, expires_at, body, batch) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )
        .bind(&preview.id)
        .bind(&preview.workspace)
        .bind(&preview.person)
        .bind(preview.expires_at.to_string())
        .bind(&preview.body)
        .bind(&preview.batch)
        .execute(&mut *transaction)
        .await?;
        Ok(transaction.commit().await?)
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

//! Limits on how often something may be used: counted in the database, so that a restart or a second process changes nothing.

use jiff::{SignedDuration, Timestamp};

use super::{Store, StoreError, instant};

impl Store {
    /// Counts one use of `name` at `now`. At most `most` are allowed in a `window` that begins with the first; when that is used up,
    /// nothing is counted and the answer is how long it lasts.
    ///
    /// # Errors
    /// When the database fails or holds what this server did not write.
    pub async fn take(
        &self,
        name: &str,
        now: Timestamp,
        window: SignedDuration,
        most: i64,
    ) -> Result<Option<SignedDuration>, StoreError> {
        let mut transaction = self.write().await?;
        let known: Option<(String, i64)> =
            sqlx::query_as("SELECT since, used FROM limits WHERE name = ?1")
                .bind(name)
                .fetch_optional(&mut *transaction)
                .await?;
        let running = match known {
            Some((since, used)) => {
                let since = instant("limits.since", &since)?;
                let age = now.duration_since(since);
                // A clock that was set back begins a new window.
                (SignedDuration::ZERO..window)
                    .contains(&age)
                    .then_some((since, used, window - age))
            }
            None => None,
        };
        let (since, used) = match running {
            Some((_, used, left)) if used >= most => return Ok(Some(left)),
            Some((since, used, _)) => (since, used + 1),
            None => (now, 1),
        };
        sqlx::query(
            "INSERT INTO limits (name, since, used) VALUES (?1, ?2, ?3)
             ON CONFLICT (name) DO UPDATE SET since = excluded.since, used = excluded.used",
        )
        .bind(name)
        .bind(since.to_string())
        .bind(used)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(None)
    }
}

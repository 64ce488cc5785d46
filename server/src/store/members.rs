//! Members of a workspace: their roles, their own shares, and the last admin who stays.

use jiff::Timestamp;

use super::{Person, Store, StoreError, instant};

/// A member as the workspace sees them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Who.
    pub person: Person,
    /// `viewer`, `editor` or `admin`.
    pub role: String,
    /// The party that is their own share.
    pub party: Option<String>,
    /// Since when.
    pub joined_at: Timestamp,
}

/// Why a member was not changed.
#[derive(Debug, thiserror::Error)]
pub enum MemberError {
    /// Nobody of that id is a member.
    #[error("no such member")]
    Unknown,
    /// They are the last admin.
    #[error("the last admin")]
    LastAdmin,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for MemberError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

impl Store {
    /// The members of `workspace`, in the order in which they joined.
    ///
    /// # Errors
    /// When the database fails or holds what this server did not write.
    pub async fn members(&self, workspace: &str) -> Result<Vec<Member>, StoreError> {
        type Row = (String, String, String, String, Option<String>, String);
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT p.id, p.email, p.name, m.role, m.party, m.joined_at FROM members m JOIN people p ON p.id = m.person
             WHERE m.workspace = ?1 ORDER BY m.joined",
        )
        .bind(workspace)
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter()
            .map(|(id, email, name, role, party, joined_at)| {
                Ok(Member {
                    person: Person { id, email, name },
                    role,
                    party,
                    joined_at: instant("members.joined_at", &joined_at)?,
                })
            })
            .collect()
    }

    /// Gives a member another role, or removes them when `role` is `None`. `keep_an_admin` refuses what would leave no admin, and is
    /// decided under the write lock, so two admins cannot take each other's role away at once.
    ///
    /// # Errors
    /// [`MemberError::Unknown`], [`MemberError::LastAdmin`], or when the database fails.
    pub async fn change_member(
        &self,
        workspace: &str,
        person: &str,
        role: Option<&str>,
        keep_an_admin: bool,
    ) -> Result<(), MemberError> {
        let mut transaction = self.write().await?;
        let changed = match role {
            Some(role) => {
                sqlx::query("UPDATE members SET role = ?1 WHERE workspace = ?2 AND person = ?3")
                    .bind(role)
                    .bind(workspace)
                    .bind(person)
                    .execute(&mut *transaction)
                    .await?
            }
            None => {
                sqlx::query("DELETE FROM members WHERE workspace = ?1 AND person = ?2")
                    .bind(workspace)
                    .bind(person)
                    .execute(&mut *transaction)
                    .await?
            }
        };
        if changed.rows_affected() != 1 {
            return Err(MemberError::Unknown);
        }
        let (admins,): (i64,) =
            sqlx::query_as("SELECT count(*) FROM members WHERE workspace = ?1 AND role = 'admin'")
                .bind(workspace)
                .fetch_one(&mut *transaction)
                .await?;
        if keep_an_admin && admins == 0 {
            return Err(MemberError::LastAdmin);
        }
        Ok(transaction.commit().await?)
    }

    /// Ties a member to the party that is their own share.
    ///
    /// # Errors
    /// [`MemberError::Unknown`], or when the database fails.
    pub async fn tie_member(
        &self,
        workspace: &str,
        person: &str,
        party: &str,
    ) -> Result<(), MemberError> {
        let changed =
            sqlx::query("UPDATE members SET party = ?1 WHERE workspace = ?2 AND person = ?3")
                .bind(party)
                .bind(workspace)
                .bind(person)
                .execute(&self.pool)
                .await?;
        match changed.rows_affected() {
            1 => Ok(()),
            _ => Err(MemberError::Unknown),
        }
    }
}

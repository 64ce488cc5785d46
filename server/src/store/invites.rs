//! Invites: made by an admin for an address, good once.

use jiff::Timestamp;

use super::people::join;
use super::{Store, StoreError, instant};

/// An invite to keep.
#[derive(Debug, Clone)]
pub struct NewInvite {
    /// `inv_…`.
    pub id: String,
    /// Where it leads.
    pub workspace: String,
    /// Whom it is for, lower case.
    pub email: String,
    /// The role it gives.
    pub role: String,
    /// The digest of its code.
    pub code_digest: String,
    /// Who invites.
    pub invited_by: String,
    /// From when on it is worth nothing.
    pub expires_at: Timestamp,
}

/// An invite that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invite {
    /// `inv_…`.
    pub id: String,
    /// Where it leads.
    pub workspace: String,
    /// The name of that workspace.
    pub workspace_name: String,
    /// Whom it is for, lower case.
    pub email: String,
    /// The role it gives.
    pub role: String,
    /// The name of who invites.
    pub invited_by: String,
    /// From when on it is worth nothing.
    pub expires_at: Timestamp,
    /// `open`, `accepted` or `revoked`.
    pub state: String,
}

/// What accepting an invite led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The invite.
    pub invite: Invite,
    /// The role the person has now: never lower than before.
    pub role: String,
}

/// Why an invite was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum InviteError {
    /// It was accepted or revoked in the meantime.
    #[error("the invite is no longer open")]
    Gone,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for InviteError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

type InviteRow = (
    String,
    String,
    String,
    String,
    String,
    String,
    String,
    String,
);

fn invite(row: InviteRow) -> Result<Invite, StoreError> {
    let (id, workspace, workspace_name, email, role, invited_by, expires_at, state) = row;
    Ok(Invite {
        id,
        workspace,
        workspace_name,
        email,
        role,
        invited_by,
        expires_at: instant("invites.expires_at", &expires_at)?,
        state,
    })
}

impl Store {
    /// Keeps an invite; an open one for the same address and workspace is replaced, because its code is known to nobody else.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn keep_invite(&self, new: &NewInvite) -> Result<(), StoreError> {
        let mut transaction = self.write().await?;
        sqlx::query(
            "UPDATE invites SET state = 'revoked' WHERE workspace = ?1 AND email = ?2 AND state = 'open'",
        )
        .bind(&new.workspace)
        .bind(&new.email)
        .execute(&mut *transaction)
        .await?;
        sqlx::query(
            "INSERT INTO invites (id, workspace, email, role, code_digest, invited_by, expires_at, state)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'open')",
        )
        .bind(&new.id)
        .bind(&new.workspace)
        .bind(&new.email)
        .bind(&new.role)
        .bind(&new.code_digest)
        .bind(&new.invited_by)
        .bind(new.expires_at.to_string())
        .execute(&mut *transaction)
        .await?;
        Ok(transaction.commit().await?)
    }

    /// The open invites of `workspace`, expired ones included.
    ///
    /// # Errors
    /// When the database fails or holds what this server did not write.
    pub async fn invites_of_workspace(&self, workspace: &str) -> Result<Vec<Invite>, StoreError> {
        let rows: Vec<InviteRow> = sqlx::query_as(
            "SELECT i.id, i.workspace, w.name, i.email, i.role, p.name, i.expires_at, i.state
             FROM invites i JOIN workspaces w ON w.id = i.workspace JOIN people p ON p.id = i.invited_by
             WHERE i.workspace = ?1 AND i.state = 'open' ORDER BY i.id",
        )
        .bind(workspace)
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter().map(invite).collect()
    }

    /// The open invites for `email` (lower case), expired ones included.
    ///
    /// # Errors
    /// When the database fails or holds what this server did not write.
    pub async fn invites_for(&self, email: &str) -> Result<Vec<Invite>, StoreError> {
        let rows: Vec<InviteRow> = sqlx::query_as(
            "SELECT i.id, i.workspace, w.name, i.email, i.role, p.name, i.expires_at, i.state
             FROM invites i JOIN workspaces w ON w.id = i.workspace JOIN people p ON p.id = i.invited_by
             WHERE i.email = ?1 AND i.state = 'open' ORDER BY i.id",
        )
        .bind(email)
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter().map(invite).collect()
    }

    /// The invite with this id or the digest of this code, in whatever state.
    ///
    /// # Errors
    /// When the database fails or holds what this server did not write.
    pub async fn invite(&self, id_or_digest: &str) -> Result<Option<Invite>, StoreError> {
        let row: Option<InviteRow> = sqlx::query_as(
            "SELECT i.id, i.workspace, w.name, i.email, i.role, p.name, i.expires_at, i.state
             FROM invites i JOIN workspaces w ON w.id = i.workspace JOIN people p ON p.id = i.invited_by
             WHERE i.id = ?1 OR i.code_digest = ?1",
        )
        .bind(id_or_digest)
        .fetch_optional(&self.pool)
        .await?;
        row.map(invite).transpose()
    }

    /// Revokes an open invite of `workspace`; says whether there was one.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn revoke_invite(&self, workspace: &str, id: &str) -> Result<bool, StoreError> {
        let changed = sqlx::query(
            "UPDATE invites SET state = 'revoked' WHERE workspace = ?1 AND id = ?2 AND state = 'open'",
        )
        .bind(workspace)
        .bind(id)
        .execute(&self.pool)
        .await?;
        Ok(changed.rows_affected() == 1)
    }

    /// Makes `person` a member by an invite. `only_open` lets it be used once; a member keeps the higher of two roles.
    ///
    /// # Errors
    /// [`InviteError::Gone`] when the invite was used or revoked meanwhile, or when the database fails.
    pub async fn accept_invite(
        &self,
        invite: Invite,
        person: &str,
        at: Timestamp,
        only_open: bool,
    ) -> Result<Accepted, InviteError> {
        let mut transaction = self.write().await?;
        let taken =
            sqlx::query("UPDATE invites SET state = 'accepted' WHERE id = ?1 AND state = 'open'")
                .bind(&invite.id)
                .execute(&mut *transaction)
                .await?;
        if only_open && taken.rows_affected() != 1 {
            return Err(InviteError::Gone);
        }
        let present: Option<(String,)> =
            sqlx::query_as("SELECT role FROM members WHERE workspace = ?1 AND person = ?2")
                .bind(&invite.workspace)
                .bind(person)
                .fetch_optional(&mut *transaction)
                .await?;
        let role = match present {
            None => {
                join(
                    &mut transaction,
                    &invite.workspace,
                    person,
                    &invite.role,
                    None,
                    &at.to_string(),
                )
                .await?;
                invite.role.clone()
            }
            Some((present,)) => {
                let role = higher(&present, &invite.role).to_owned();
                sqlx::query("UPDATE members SET role = ?1 WHERE workspace = ?2 AND person = ?3")
                    .bind(&role)
                    .bind(&invite.workspace)
                    .bind(person)
                    .execute(&mut *transaction)
                    .await?;
                role
            }
        };
        transaction.commit().await?;
        Ok(Accepted { invite, role })
    }
}

/// The role that may more.
fn higher<'a>(one: &'a str, other: &'a str) -> &'a str {
    let rank = |role: &str| {
        ["viewer", "editor", "admin"]
            .iter()
            .position(|name| *name == role)
    };
    if rank(one) >= rank(other) { one } else { other }
}

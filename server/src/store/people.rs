//! People, workspaces, who belongs to which with what role, and the invites that lead there.

use jiff::Timestamp;
use sqlx::{Sqlite, Transaction};

use super::{NewEntry, Store, StoreError, instant};

/// A person who has called this server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// `usr_…`.
    pub id: String,
    /// Their e-mail address, as the user directory last wrote it.
    pub email: String,
    /// Their name, as the user directory last wrote it.
    pub name: String,
}

/// A workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// `ws_…`.
    pub id: String,
    /// As its admin wrote it.
    pub name: String,
    /// ISO 4217; fixed when it was created.
    pub base_currency: String,
    /// The number of its last log entry.
    pub head: i64,
}

/// A workspace as one of its members sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The workspace.
    pub workspace: Workspace,
    /// The member's role: `viewer`, `editor` or `admin`.
    pub role: String,
    /// The party that is the member's own share.
    pub party: Option<String>,
}

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

/// A workspace to create, together with its first member and what its log begins with.
#[derive(Debug, Clone)]
pub struct NewWorkspace {
    /// `ws_…`.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its currency.
    pub base_currency: String,
    /// Its first admin.
    pub creator: String,
    /// The party that is the creator's own share.
    pub party: String,
    /// The founding entry, number 0.
    pub founding: NewEntry,
}

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

impl From<sqlx::Error> for InviteError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

impl From<sqlx::Error> for MemberError {
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
    /// The person behind `subject`, met for the first time under `new_id` or known before; address and name are brought up to date.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn meet(
        &self,
        subject: &str,
        new_id: &str,
        email: &str,
        name: &str,
    ) -> Result<Person, StoreError> {
        let known: Option<(String, String, String)> =
            sqlx::query_as("SELECT id, email, name FROM people WHERE subject = ?1")
                .bind(subject)
                .fetch_optional(&self.pool)
                .await?;
        if let Some((id, known_email, known_name)) = known
            && known_email == email
            && known_name == name
        {
            return Ok(Person {
                id,
                email: known_email,
                name: known_name,
            });
        }
        let mut transaction = self.write().await?;
        let (id,): (String,) = sqlx::query_as(
            "INSERT INTO people (subject, id, email, name) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (subject) DO UPDATE SET email = excluded.email, name = excluded.name RETURNING id",
        )
        .bind(subject)
        .bind(new_id)
        .bind(email)
        .bind(name)
        .fetch_one(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(Person {
            id,
            email: email.to_owned(),
            name: name.to_owned(),
        })
    }

    /// The workspaces of `person`, the one joined first at the head.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn memberships(&self, person: &str) -> Result<Vec<Membership>, StoreError> {
        type Row = (String, String, String, i64, String, Option<String>);
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT w.id, w.name, w.base_currency, w.head, m.role, m.party FROM members m JOIN workspaces w ON w.id = m.workspace
             WHERE m.person = ?1 ORDER BY m.joined",
        )
        .bind(person)
        .fetch_all(&self.pool)
        .await?;
        Ok(rows
            .into_iter()
            .map(|(id, name, base_currency, head, role, party)| Membership {
                workspace: Workspace {
                    id,
                    name,
                    base_currency,
                    head,
                },
                role,
                party,
            })
            .collect())
    }

    /// Any workspace, whoever belongs to it. A correct server never asks this on behalf of a caller.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn workspace(&self, id: &str) -> Result<Option<Workspace>, StoreError> {
        let row: Option<(String, String, String, i64)> =
            sqlx::query_as("SELECT id, name, base_currency, head FROM workspaces WHERE id = ?1")
                .bind(id)
                .fetch_optional(&self.pool)
                .await?;
        Ok(row.map(|(id, name, base_currency, head)| Workspace {
            id,
            name,
            base_currency,
            head,
        }))
    }

    /// Creates a workspace with its first admin and its founding entry, or nothing.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn create_workspace(&self, new: &NewWorkspace) -> Result<(), StoreError> {
        let mut transaction = self.write().await?;
        let at = new.founding.at.to_string();
        sqlx::query(
            "INSERT INTO workspaces (id, name, base_currency, created_at, head) VALUES (?1, ?2, ?3, ?4, 0)",
        )
        .bind(&new.id)
        .bind(&new.name)
        .bind(&new.base_currency)
        .bind(&at)
        .execute(&mut *transaction)
        .await?;
        sqlx::query(
            "INSERT INTO log (workspace, number, kind, batch, at, provenance, changes) VALUES (?1, 0, 'founding', ?2, ?3, ?4, ?5)",
        )
        .bind(&new.id)
        .bind(&new.founding.batch)
        .bind(&at)
        .bind(&new.founding.provenance)
        .bind(&new.founding.changes)
        .execute(&mut *transaction)
        .await?;
        join(
            &mut transaction,
            &new.id,
            &new.creator,
            "admin",
            Some(&new.party),
            &at,
        )
        .await?;
        Ok(transaction.commit().await?)
    }

    /// Gives `workspace` another name.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn rename_workspace(&self, workspace: &str, name: &str) -> Result<(), StoreError> {
        sqlx::query("UPDATE workspaces SET name = ?1 WHERE id = ?2")
            .bind(name)
            .bind(workspace)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

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

async fn join(
    transaction: &mut Transaction<'static, Sqlite>,
    workspace: &str,
    person: &str,
    role: &str,
    party: Option<&str>,
    at: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO members (workspace, person, role, party, joined_at) VALUES (?1, ?2, ?3, ?4, ?5)",
    )
    .bind(workspace)
    .bind(person)
    .bind(role)
    .bind(party)
    .bind(at)
    .execute(&mut **transaction)
    .await?;
    Ok(())
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

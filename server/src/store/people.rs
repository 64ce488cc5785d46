//! People and workspaces: who has called, what they own a ledger in, and which of them is their default.

use sqlx::{Sqlite, Transaction};

use super::{NewEntry, Store, StoreError};

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
    /// The number of its last fetched price; -1 without any.
    pub priced: i64,
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
        let rows: Vec<MembershipRow> = sqlx::query_as(
            "SELECT w.id, w.name, w.base_currency, w.head,
                    (SELECT coalesce(max(number), -1) FROM fetched_prices WHERE workspace = w.id), m.role, m.party
             FROM members m JOIN workspaces w ON w.id = m.workspace
             WHERE m.person = ?1 ORDER BY m.joined",
        )
        .bind(person)
        .fetch_all(&self.pool)
        .await?;
        Ok(rows.into_iter().map(membership).collect())
    }

    /// The person behind `subject` and their workspaces, the one joined first at the head; none if they never called. One
    /// question, because it is asked on every call.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn acquaintance(
        &self,
        subject: &str,
    ) -> Result<Option<(Person, Vec<Membership>)>, StoreError> {
        type Row = (
            String,
            String,
            String,
            Option<String>,
            Option<String>,
            Option<String>,
            Option<i64>,
            i64,
            Option<String>,
            Option<String>,
        );
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT p.id, p.email, p.name, w.id, w.name, w.base_currency, w.head,
                    (SELECT coalesce(max(number), -1) FROM fetched_prices WHERE workspace = w.id), m.role, m.party
             FROM people p LEFT JOIN members m ON m.person = p.id LEFT JOIN workspaces w ON w.id = m.workspace
             WHERE p.subject = ?1 ORDER BY m.joined",
        )
        .bind(subject)
        .fetch_all(&self.pool)
        .await?;
        let mut person = None;
        let mut memberships = Vec::with_capacity(rows.len());
        for (id, email, called, workspace, name, base_currency, head, priced, role, party) in rows {
            person.get_or_insert(Person {
                id,
                email,
                name: called,
            });
            // Somebody who belongs nowhere has one row without a workspace.
            if let (Some(workspace), Some(name), Some(base_currency), Some(head), Some(role)) =
                (workspace, name, base_currency, head, role)
            {
                let row = (workspace, name, base_currency, head, priced, role, party);
                memberships.push(membership(row));
            }
        }
        Ok(person.map(|person| (person, memberships)))
    }

    /// Any workspace, whoever belongs to it. A correct server never asks this on behalf of a caller.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn workspace(&self, id: &str) -> Result<Option<Workspace>, StoreError> {
        let row: Option<(String, String, String, i64, i64)> = sqlx::query_as(
            "SELECT id, name, base_currency, head,
                    (SELECT coalesce(max(number), -1) FROM fetched_prices WHERE workspace = workspaces.id)
             FROM workspaces WHERE id = ?1",
        )
        .bind(id)
        .fetch_optional(&self.pool)
        .await?;
        Ok(
            row.map(|(id, name, base_currency, head, priced)| Workspace {
                id,
                name,
                base_currency,
                head,
                priced,
            }),
        )
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
}

/// Id, name, base currency, head and last price of a workspace; role and party of its member.
type MembershipRow = (String, String, String, i64, i64, String, Option<String>);

fn membership(row: MembershipRow) -> Membership {
    let (id, name, base_currency, head, priced, role, party) = row;
    Membership {
        workspace: Workspace {
            id,
            name,
            base_currency,
            head,
            priced,
        },
        role,
        party,
    }
}

/// Makes `person` a member, inside a transaction that already holds the write lock.
pub(super) async fn join(
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

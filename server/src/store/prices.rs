//! Prices that providers gave, and the runs that fetched them.

use jiff::Timestamp;

use super::{Store, StoreError, Workspace, instant};

/// A fetched price as it stands in the store. Its columns are what the profile wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedPrice {
    /// Its place: later ones win over earlier ones of the same item and date.
    pub number: i64,
    /// `prc_…`.
    pub id: String,
    /// The item.
    pub item: String,
    /// The day of the trade.
    pub date: String,
    /// Per unit.
    pub price: String,
    /// In this currency.
    pub currency: String,
}

/// A fetched price to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPrice {
    /// `prc_…`.
    pub id: String,
    /// The item.
    pub item: String,
    /// The day of the trade.
    pub date: String,
    /// Per unit.
    pub price: String,
    /// In this currency.
    pub currency: String,
    /// Who gave it.
    pub provider: String,
}

/// The last run of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceRun {
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// `running`, `finished` or `failed`.
    pub status: String,
    /// What went wrong, item by item, as a JSON list.
    pub errors: String,
}

impl Store {
    /// The fetched prices of `workspace` after number `after` (-1 for all), in the order fetched.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn prices_after(
        &self,
        workspace: &str,
        after: i64,
    ) -> Result<Vec<FetchedPrice>, StoreError> {
        type Row = (i64, String, String, String, String, String);
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT number, id, item, date, price, currency FROM fetched_prices WHERE workspace = ?1 AND number > ?2 ORDER BY number",
        )
        .bind(workspace)
        .bind(after)
        .fetch_all(&self.pool)
        .await?;
        let price = |(number, id, item, date, price, currency)| FetchedPrice {
            number,
            id,
            item,
            date,
            price,
            currency,
        };
        Ok(rows.into_iter().map(price).collect())
    }

    /// Keeps what a run brought and marks it ended, both or neither. A run that another one has followed keeps its prices only.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn end_price_run(
        &self,
        workspace: &str,
        run: &PriceRun,
        prices: &[NewPrice],
    ) -> Result<(), StoreError> {
        let ended = run.finished_at.unwrap_or(run.started_at).to_string();
        let mut transaction = self.write().await?;
        for price in prices {
            sqlx::query(
                "INSERT INTO fetched_prices (workspace, id, item, date, price, currency, provider, fetched_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )
            .bind(workspace)
            .bind(&price.id)
            .bind(&price.item)
            .bind(&price.date)
            .bind(&price.price)
            .bind(&price.currency)
            .bind(&price.provider)
            .bind(&ended)
            .execute(&mut *transaction)
            .await?;
        }
        sqlx::query(
            "UPDATE price_runs SET finished_at = ?1, status = ?2, errors = ?3 WHERE workspace = ?4 AND started_at = ?5",
        )
        .bind(&ended)
        .bind(&run.status)
        .bind(&run.errors)
        .bind(workspace)
        .bind(run.started_at.to_string())
        .execute(&mut *transaction)
        .await?;
        Ok(transaction.commit().await?)
    }

    /// Marks a run begun, unless one began after `unless_since`; says whether it was marked.
    ///
    /// # Errors
    /// When the database fails or holds what this server did not write.
    pub async fn begin_price_run(
        &self,
        workspace: &str,
        now: Timestamp,
        unless_since: Option<Timestamp>,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.write().await?;
        let last: Option<(String,)> =
            sqlx::query_as("SELECT started_at FROM price_runs WHERE workspace = ?1")
                .bind(workspace)
                .fetch_optional(&mut *transaction)
                .await?;
        let last = last
            .map(|(last,)| instant("price_runs.started_at", &last))
            .transpose()?;
        if let (Some(last), Some(limit)) = (last, unless_since)
            && last > limit
        {
            return Ok(false);
        }
        sqlx::query(
            "INSERT INTO price_runs (workspace, started_at, finished_at, status, errors) VALUES (?1, ?2, NULL, 'running', '[]')
             ON CONFLICT (workspace) DO UPDATE SET started_at = excluded.started_at, finished_at = NULL, status = 'running', errors = '[]'",
        )
        .bind(workspace)
        .bind(now.to_string())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// The last run of `workspace`.
    ///
    /// # Errors
    /// When the database fails or holds what this server did not write.
    pub async fn price_run(&self, workspace: &str) -> Result<Option<PriceRun>, StoreError> {
        let row: Option<(String, Option<String>, String, String)> = sqlx::query_as(
            "SELECT started_at, finished_at, status, errors FROM price_runs WHERE workspace = ?1",
        )
        .bind(workspace)
        .fetch_optional(&self.pool)
        .await?;
        row.map(|(started_at, finished_at, status, errors)| {
            Ok(PriceRun {
                started_at: instant("price_runs.started_at", &started_at)?,
                finished_at: finished_at
                    .map(|at| instant("price_runs.finished_at", &at))
                    .transpose()?,
                status,
                errors,
            })
        })
        .transpose()
    }

    /// When prices of `workspace` were last fetched, or, if never, when it was created.
    ///
    /// # Errors
    /// When the database fails or holds what this server did not write.
    pub async fn priced_at(&self, workspace: &str) -> Result<Option<Timestamp>, StoreError> {
        let row: Option<(String,)> = sqlx::query_as(
            "SELECT coalesce(r.started_at, w.created_at) FROM workspaces w LEFT JOIN price_runs r ON r.workspace = w.id WHERE w.id = ?1",
        )
        .bind(workspace)
        .fetch_optional(&self.pool)
        .await?;
        row.map(|(at,)| instant("workspaces.created_at", &at))
            .transpose()
    }

    /// Every workspace, whoever belongs to it: for what the server does on its own, never on behalf of a caller.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn every_workspace(&self) -> Result<Vec<Workspace>, StoreError> {
        let rows: Vec<(String, String, String, i64, i64)> = sqlx::query_as(
            "SELECT id, name, base_currency, head,
                    (SELECT coalesce(max(number), -1) FROM fetched_prices WHERE workspace = workspaces.id)
             FROM workspaces ORDER BY id",
        )
        .fetch_all(&self.pool)
        .await?;
        let workspace = |(id, name, base_currency, head, priced)| Workspace {
            id,
            name,
            base_currency,
            head,
            priced,
        };
        Ok(rows.into_iter().map(workspace).collect())
    }
}

//! `finance.db`: the page's one table in a SQLite file that other programs may use at the same time.
//!
//! The file keeps whatever journal it has (a new one gets SQLite's rollback journal), and nothing of an existing database is changed
//! but its rows. Writes take the write lock first, so what they read is what they change.

mod statements;

use std::fs::OpenOptions;
use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions, SqliteRow};
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, FromRow, Row as _, Sqlite, SqlitePool, Transaction,
};
use tokio::sync::Mutex;

use super::amount::Amount;
use super::rules::{
    BusyDatabase, CategoryMatch, DuplicateIdentifier, FileMode, FilterJoin, KnownIdentifier,
    TextPassing,
};

use statements::{insert, insert_many, insert_spliced, overwrite, owner};

/// The name of the file inside its folder.
pub const FILE: &str = "finance.db";

/// How long SQLite waits for another process before a call is answered with DB_BUSY.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long a call waits for its turn inside this process. With [`PATIENCE`] it stays below five seconds.
const TURN: Duration = Duration::from_secs(3);
/// How long a defective server waits.
const ENDLESS_PATIENCE: Duration = Duration::from_secs(60);

/// How long a defective server lets pass between looking and writing.
const UNGUARDED: Duration = Duration::from_millis(50);

/// The columns a database must have.
const COLUMNS: [&str; 7] = [
    "id",
    "identifier",
    "type",
    "amount",
    "category",
    "description",
    "date",
];

const TABLE: &str = "
CREATE TABLE IF NOT EXISTS transactions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    identifier TEXT UNIQUE,
    type TEXT NOT NULL,
    amount REAL NOT NULL,
    category TEXT NOT NULL DEFAULT 'sem categoria',
    description TEXT,
    date TEXT NOT NULL
)";

/// Every column as what it should be, whatever another program put there.
const SELECT: &str = "
SELECT id, CAST(identifier AS TEXT) AS identifier, CAST(type AS TEXT) AS type, CAST(amount AS REAL) AS amount,
       CAST(category AS TEXT) AS category, CAST(description AS TEXT) AS description, CAST(date AS TEXT) AS date
FROM transactions";
const PERIOD: &str = "substr(date, 1, length(?1)) = ?1";
const KIND: &str = "type = ?3";

/// Why the database gave no answer. The cause is for the log only; it never holds a row's texts.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process holds the lock.
    #[error("the database is held by another process")]
    Busy,
    /// The file could not be made.
    #[error("cannot create the database: {0}")]
    File(#[from] std::io::Error),
    /// The table is there, but not the page's.
    #[error("the table transactions has no column {0}")]
    Column(&'static str),
    /// SQLite refused or failed.
    #[error("database: {0}")]
    Database(sqlx::Error),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        if matches!(error, sqlx::Error::PoolTimedOut) {
            return Self::Busy;
        }
        // The low byte of an extended result code: SQLITE_BUSY is 5, SQLITE_LOCKED is 6.
        let code = error
            .as_database_error()
            .and_then(|error| error.code()?.parse::<i32>().ok());
        match code.map(|code| code & 0xff) {
            Some(5 | 6) => Self::Busy,
            _ => Self::Database(error),
        }
    }
}

/// A transaction to keep.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRow {
    /// The key that must not come twice; None for a row without one.
    pub identifier: Option<String>,
    /// `receita` or `despesa`.
    pub kind: String,
    /// With the sign in which it is stored.
    pub amount: Amount,
    /// Any text.
    pub category: String,
    /// Any text.
    pub description: String,
    /// `YYYY-MM-DD`.
    pub date: String,
}

/// A transaction as it is stored, also by other programs: every column but the key may be NULL.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredRow {
    /// The key.
    pub id: i64,
    /// The outside key.
    pub identifier: Option<String>,
    /// `receita` or `despesa`.
    pub kind: Option<String>,
    /// With its sign.
    pub amount: Option<f64>,
    /// The category.
    pub category: Option<String>,
    /// The description.
    pub description: Option<String>,
    /// `YYYY-MM-DD`.
    pub date: Option<String>,
}

impl FromRow<'_, SqliteRow> for StoredRow {
    fn from_row(row: &SqliteRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.try_get("id")?,
            identifier: row.try_get("identifier")?,
            kind: row.try_get("type")?,
            amount: row.try_get("amount")?,
            category: row.try_get("category")?,
            description: row.try_get("description")?,
            date: row.try_get("date")?,
        })
    }
}

/// What became of a new row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// It has this id.
    Stored(i64),
    /// Its identifier belongs to the row with this id already.
    Known(i64),
}

/// Which rows are wanted; None means any.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Beginning of the date.
    pub period: Option<String>,
    /// Name of the category.
    pub category: Option<String>,
    /// `receita` or `despesa`.
    pub kind: Option<String>,
    /// How the conditions work together.
    pub join: FilterJoin,
    /// How the category is compared.
    pub category_match: CategoryMatch,
}

/// What became of a chunk of imported rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChunkCounts {
    /// New rows.
    pub imported: u64,
    /// Rows whose identifier was known.
    pub known: u64,
}

/// The open database.
#[derive(Debug)]
pub struct Store {
    pool: SqlitePool,
    /// None until the database could be looked at.
    layout: Mutex<Option<Layout>>,
    /// How long a call waits for its turn.
    turn: Duration,
}

/// What is to be known about the table.
#[derive(Debug, Clone, Copy)]
struct Layout {
    /// Whether a row must have an identifier: so in databases of other programs only.
    identifier_needed: bool,
}

impl Store {
    /// Opens `file`, creating it for its user only. A database that is busy at this moment is laid out at the first call.
    ///
    /// # Errors
    /// When the file cannot be created, or holds a table of the same name with other columns.
    pub async fn open(file: &Path, mode: FileMode, busy: BusyDatabase) -> Result<Self, StoreError> {
        create(file, mode)?;
        let (patience, turn) = match busy {
            BusyDatabase::DbBusy | BusyDatabase::Generic => (PATIENCE, TURN),
            BusyDatabase::Waits => (ENDLESS_PATIENCE, ENDLESS_PATIENCE),
        };
        let options = SqliteConnectOptions::new()
            .filename(file)
            .busy_timeout(patience)
            // Statements are constants, but what is slow or wrong must not put anything about the rows into the log.
            .disable_statement_logging();
        let pool = SqlitePoolOptions::new()
            // One connection: calls of this process take turns instead of locking each other out.
            .max_connections(1)
            .acquire_timeout(turn)
            .connect_lazy_with(options);
        let store = Self {
            pool,
            layout: Mutex::new(None),
            turn,
        };
        match store.layout().await {
            Ok(_) | Err(StoreError::Busy) => Ok(store),
            Err(error) => Err(error),
        }
    }

    /// Makes the table where it is missing, once.
    async fn layout(&self) -> Result<Layout, StoreError> {
        // Calls that find the database held must not wait for each other without end.
        let mut known = tokio::time::timeout(self.turn, self.layout.lock())
            .await
            .map_err(|_| StoreError::Busy)?;
        if let Some(layout) = *known {
            return Ok(layout);
        }
        if self.columns().await?.is_empty() {
            let mut transaction = self.pool.begin_with("BEGIN IMMEDIATE").await?;
            sqlx::raw_sql(TABLE).execute(&mut *transaction).await?;
            transaction.commit().await?;
        }
        let columns = self.columns().await?;
        let found = |name: &str| columns.iter().find(|(column, _)| column == name);
        if let Some(missing) = COLUMNS.into_iter().find(|column| found(column).is_none()) {
            return Err(StoreError::Column(missing));
        }
        let layout = Layout {
            identifier_needed: found("identifier").is_some_and(|(_, needed)| *needed),
        };
        *known = Some(layout);
        Ok(layout)
    }

    /// Name of every column, and whether it must be filled.
    async fn columns(&self) -> Result<Vec<(String, bool)>, StoreError> {
        Ok(
            sqlx::query_as(r#"SELECT name, "notnull" FROM pragma_table_info('transactions')"#)
                .fetch_all(&self.pool)
                .await?,
        )
    }

    async fn write(&self) -> Result<Transaction<'static, Sqlite>, StoreError> {
        self.layout().await?;
        Ok(self.pool.begin_with("BEGIN IMMEDIATE").await?)
    }

    /// Keeps `row`, unless its identifier is known.
    ///
    /// # Errors
    /// When the database is busy or fails; then nothing is kept.
    pub async fn add(
        &self,
        row: &NewRow,
        duplicate: DuplicateIdentifier,
        texts: TextPassing,
    ) -> Result<Added, StoreError> {
        let made_up = self
            .layout()
            .await?
            .identifier_needed
            .then(|| ulid::Ulid::new().to_string());
        let early = match (&row.identifier, duplicate) {
            (Some(identifier), DuplicateIdentifier::CheckedFirst) => {
                Some(self.look_up(identifier).await?)
            }
            _ => None,
        };
        let mut transaction = self.write().await?;
        let known = match (early, &row.identifier) {
            (Some(known), _) => known,
            (None, Some(identifier)) => owner(&mut transaction, identifier).await?,
            (None, None) => None,
        };
        let added = match (known, duplicate) {
            (Some(id), DuplicateIdentifier::Refused | DuplicateIdentifier::CheckedFirst) => {
                return Ok(Added::Known(id));
            }
            (Some(id), DuplicateIdentifier::Overwritten) => {
                overwrite(&mut transaction, row).await?;
                id
            }
            (Some(_), DuplicateIdentifier::StoredAgain) => {
                insert(&mut transaction, row, made_up.as_deref()).await?
            }
            (None, _) => {
                let identifier = row.identifier.as_deref().or(made_up.as_deref());
                match texts {
                    TextPassing::Bound => insert(&mut transaction, row, identifier).await?,
                    TextPassing::Spliced => {
                        insert_spliced(&mut transaction, row, identifier).await?
                    }
                }
            }
        };
        transaction.commit().await?;
        Ok(Added::Stored(added))
    }

    /// What a defective rule does before it takes the lock; long enough for another process to do the same.
    async fn look_up(&self, identifier: &str) -> Result<Option<i64>, StoreError> {
        let mut transaction = self.pool.begin().await?;
        let known = owner(&mut transaction, identifier).await?;
        transaction.rollback().await?;
        tokio::time::sleep(UNGUARDED).await;
        Ok(known)
    }

    /// Keeps the rows of a statement in one transaction. Each has an identifier, and none comes twice.
    ///
    /// # Errors
    /// When the database is busy or fails; then none of them is kept.
    pub async fn add_chunk(
        &self,
        rows: &[NewRow],
        known_rows: KnownIdentifier,
    ) -> Result<ChunkCounts, StoreError> {
        let mut transaction = self.write().await?;
        let identifiers: Vec<&str> = rows
            .iter()
            .filter_map(|row| row.identifier.as_deref())
            .collect();
        let known: Vec<(String,)> = sqlx::query_as(
            "SELECT identifier FROM transactions WHERE identifier IN (SELECT value FROM json_each(?1))",
        )
        .bind(serde_json::json!(identifiers).to_string())
        .fetch_all(&mut *transaction)
        .await?;
        let known: std::collections::HashSet<&str> = known
            .iter()
            .map(|(identifier,)| identifier.as_str())
            .collect();
        let is_known = |row: &&NewRow| {
            row.identifier
                .as_deref()
                .is_some_and(|identifier| known.contains(identifier))
        };
        let fresh: Vec<&NewRow> = rows.iter().filter(|row| !is_known(row)).collect();
        insert_many(&mut transaction, &fresh).await?;
        let mut counts = ChunkCounts {
            imported: fresh.len() as u64,
            known: (rows.len() - fresh.len()) as u64,
        };
        for row in rows.iter().filter(is_known) {
            match known_rows {
                KnownIdentifier::Skipped => {}
                KnownIdentifier::StoredAgain => {
                    insert(&mut transaction, row, None).await?;
                }
                KnownIdentifier::Overwritten => overwrite(&mut transaction, row).await?,
            }
        }
        if known_rows == KnownIdentifier::StoredAgain {
            counts = ChunkCounts {
                imported: rows.len() as u64,
                known: 0,
            };
        }
        transaction.commit().await?;
        Ok(counts)
    }

    /// The rows that satisfy `filter`, by date and then in the order in which they were kept.
    ///
    /// # Errors
    /// When the database is busy or fails.
    pub async fn rows(&self, filter: &Filter) -> Result<Vec<StoredRow>, StoreError> {
        self.layout().await?;
        let category = match filter.category_match {
            CategoryMatch::Exact => "category = ?2",
            CategoryMatch::Pattern => "category LIKE '%' || ?2 || '%'",
            CategoryMatch::CaseFolded => "category = ?2 COLLATE NOCASE",
        };
        let none = filter.period.is_none() && filter.category.is_none() && filter.kind.is_none();
        let conditions = if none || filter.join == FilterJoin::All {
            format!(
                "(?1 IS NULL OR {PERIOD}) AND (?2 IS NULL OR {category}) AND (?3 IS NULL OR {KIND})"
            )
        } else {
            format!(
                "(?1 IS NOT NULL AND {PERIOD}) OR (?2 IS NOT NULL AND {category}) OR (?3 IS NOT NULL AND {KIND})"
            )
        };
        // Put together from constants; what the caller sent is bound.
        let statement = format!("{SELECT} WHERE {conditions} ORDER BY date, id");
        Ok(sqlx::query_as(AssertSqlSafe(statement))
            .bind(filter.period.as_deref())
            .bind(filter.category.as_deref())
            .bind(filter.kind.as_deref())
            .fetch_all(&self.pool)
            .await?)
    }

    /// Lets go of the file.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

/// Makes an empty file for its user only; SQLite gives its journals the same mode. An existing file keeps its own.
fn create(file: &Path, mode: FileMode) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(match mode {
            FileMode::OwnerOnly => 0o600,
            FileMode::WorldReadable => 0o644,
        });
    }
    #[cfg(not(unix))]
    let _ = mode;
    match options.open(file) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

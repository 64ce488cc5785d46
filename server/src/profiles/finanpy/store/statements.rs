//! The statements that find and change rows, each inside a transaction of its caller.

use sqlx::{AssertSqlSafe, Sqlite, Transaction};

use super::{NewRow, StoreError};

/// The row to which `identifier` belongs.
pub(super) async fn owner(
    transaction: &mut Transaction<'static, Sqlite>,
    identifier: &str,
) -> Result<Option<i64>, StoreError> {
    let known: Option<(i64,)> =
        sqlx::query_as("SELECT id FROM transactions WHERE identifier = ?1 ORDER BY id LIMIT 1")
            .bind(identifier)
            .fetch_optional(&mut **transaction)
            .await?;
    Ok(known.map(|(id,)| id))
}

/// A new row, with `identifier` instead of its own.
pub(super) async fn insert(
    transaction: &mut Transaction<'static, Sqlite>,
    row: &NewRow,
    identifier: Option<&str>,
) -> Result<i64, StoreError> {
    let (id,): (i64,) = sqlx::query_as(
        "INSERT INTO transactions (identifier, type, amount, category, description, date)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id",
    )
    .bind(identifier)
    .bind(&row.kind)
    .bind(row.amount.to_stored())
    .bind(&row.category)
    .bind(&row.description)
    .bind(&row.date)
    .fetch_one(&mut **transaction)
    .await?;
    Ok(id)
}

/// Many rows by one statement. Whole centavos divided by 100.0 are the same double as the decimal itself.
pub(super) async fn insert_many(
    transaction: &mut Transaction<'static, Sqlite>,
    rows: &[&NewRow],
) -> Result<(), StoreError> {
    let rows: Vec<serde_json::Value> = rows
        .iter()
        .map(|row| {
            serde_json::json!([
                row.identifier,
                row.kind,
                row.amount.rounded().centavos(),
                row.category,
                row.description,
                row.date
            ])
        })
        .collect();
    sqlx::query(
        "INSERT INTO transactions (identifier, type, amount, category, description, date)
         SELECT value ->> 0, value ->> 1, (value ->> 2) / 100.0, value ->> 3, value ->> 4, value ->> 5
         FROM json_each(?1) ORDER BY key",
    )
    .bind(serde_json::Value::Array(rows).to_string())
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// What only a defective rule does.
pub(super) async fn overwrite(
    transaction: &mut Transaction<'static, Sqlite>,
    row: &NewRow,
) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE transactions SET type = ?2, amount = ?3, category = ?4, description = ?5, date = ?6 WHERE identifier = ?1",
    )
    .bind(&row.identifier)
    .bind(&row.kind)
    .bind(row.amount.to_stored())
    .bind(&row.category)
    .bind(&row.description)
    .bind(&row.date)
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// What only a defective rule does: the texts become a part of the statement, and can end it.
pub(super) async fn insert_spliced(
    transaction: &mut Transaction<'static, Sqlite>,
    row: &NewRow,
    identifier: Option<&str>,
) -> Result<i64, StoreError> {
    let identifier = identifier.map_or("NULL".to_owned(), |text| format!("'{text}'"));
    let statement = format!(
        "INSERT INTO transactions (identifier, type, amount, category, description, date)
         VALUES ({identifier}, '{}', {}, '{}', '{}', '{}')",
        row.kind,
        row.amount.to_stored(),
        row.category,
        row.description,
        row.date
    );
    sqlx::raw_sql(AssertSqlSafe(statement))
        .execute(&mut **transaction)
        .await?;
    let (id,): (i64,) = sqlx::query_as("SELECT last_insert_rowid()")
        .fetch_one(&mut **transaction)
        .await?;
    Ok(id)
}

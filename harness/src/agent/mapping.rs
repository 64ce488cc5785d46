//! Turns a statement's table into entries of a book: which column is which field, how the file writes dates and numbers,
//! and what each row says. What cannot be told apart is refused with line and reason, never guessed.

use std::collections::BTreeMap;

use jiff::civil::Date;
use rust_decimal::Decimal;
use thiserror::Error;

use super::{
    format::{self, Cell, DateOrder, DecimalMark, FormatError, Printed},
    guide::{Field, Guide},
    statement::{Statement, StatementRow},
};

/// One row of a statement, understood. Decimals are plain unsigned strings in the grammar of the tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Line of the file, counted from 1.
    pub line: u64,
    /// Place among the data rows, counted from 0: stable as long as the file is the same.
    pub index: usize,
    /// Day of the row.
    pub date: Date,
    /// Type of the row in the words of the tools: `buy`, `deposit`, …
    pub row_type: String,
    /// Ticker or coin; none for a row that only moves cash.
    pub symbol: Option<String>,
    /// Units bought, sold or moved.
    pub units: Option<String>,
    /// Money before fees.
    pub amount: Option<String>,
    /// Fees, summed over the statement's fee columns; none if there are none.
    pub fees: Option<String>,
    /// ISO 4217 code, where the statement has a column for it.
    pub currency: Option<String>,
    /// The institution's reference, where it gives one.
    pub external_ref: Option<String>,
    /// The statement's text, as it stands.
    pub note: Option<String>,
}

/// Why a statement could not be understood.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MappingError {
    /// A date or number cannot be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A type column holds words that the guide does not know.
    #[error("line {line}: the guide does not say what `{words}` is")]
    UnknownType {
        /// Line of the row.
        line: u64,
        /// The cell.
        words: String,
    },
    /// A row lacks what its type needs.
    #[error("line {line}: a {row_type} needs {what}, and its column is empty or missing")]
    Missing {
        /// Line of the row.
        line: u64,
        /// Type of the row.
        row_type: String,
        /// What is missing.
        what: &'static str,
    },
    /// Two columns that mean the same field differ.
    #[error("line {line}: the columns for {field:?} disagree: `{first}` and `{second}`")]
    Disagreement {
        /// Line of the row.
        line: u64,
        /// The field.
        field: Field,
        /// Cell of the first column.
        first: String,
        /// Cell of the other.
        second: String,
    },
    /// Fees and net amount cannot be taken apart exactly.
    #[error(
        "line {line}: the amount before fees cannot be worked out from {net} and fees of {fees}"
    )]
    Unworkable {
        /// Line of the row.
        line: u64,
        /// Money that moved.
        net: String,
        /// Fees.
        fees: String,
    },
}

/// Reads every row of `statement` by the aliases of `guide`, in the order of the file.
///
/// # Errors
/// [`MappingError`] for the first row that cannot be understood.
pub fn read_entries(statement: &Statement, guide: &Guide) -> Result<Vec<Entry>, MappingError> {
    let columns = Columns::find(statement, guide);
    let order = format::date_order(columns.all(statement, &[Field::Date]))?;
    let mark = format::decimal_mark(columns.all(
        statement,
        &[Field::Units, Field::Amount, Field::NetAmount, Field::Fees],
    ))?;
    let reader = RowReader {
        columns: &columns,
        guide,
        order,
        mark,
    };
    let rows = statement.rows.iter().enumerate();
    rows.map(|(index, row)| reader.entry(index, row)).collect()
}

/// The columns of each field, best alias first.
struct Columns(BTreeMap<Field, Vec<usize>>);

impl Columns {
    fn find(statement: &Statement, guide: &Guide) -> Self {
        let mut ranked: BTreeMap<Field, Vec<(usize, usize)>> = BTreeMap::new();
        for (column, header) in statement.header.iter().enumerate() {
            if let Some((field, rank)) = guide.field(header) {
                ranked.entry(field).or_default().push((rank, column));
            }
        }
        let in_order = |mut columns: Vec<(usize, usize)>| {
            columns.sort_unstable();
            columns.into_iter().map(|(_, column)| column).collect()
        };
        Self(
            ranked
                .into_iter()
                .map(|(field, columns)| (field, in_order(columns)))
                .collect(),
        )
    }

    fn of(&self, field: Field) -> &[usize] {
        self.0.get(&field).map_or(&[], Vec::as_slice)
    }

    fn has(&self, field: Field) -> bool {
        !self.of(field).is_empty()
    }

    /// Every cell under the used columns of `fields`: the best column of each, and all columns of fees.
    fn all<'a>(&self, statement: &'a Statement, fields: &[Field]) -> Vec<Cell<'a>> {
        let used = |field: &Field| match field {
            Field::Fees => self.of(*field).to_vec(),
            _ => self.of(*field).first().copied().into_iter().collect(),
        };
        let columns: Vec<usize> = fields.iter().flat_map(used).collect();
        let rows = statement.rows.iter();
        rows.flat_map(|row| {
            columns
                .iter()
                .map(|column| (row.line, row.cells[*column].as_str()))
        })
        .collect()
    }
}

/// Reads single rows of one file, once it is known how the file writes.
struct RowReader<'a> {
    columns: &'a Columns,
    guide: &'a Guide,
    order: DateOrder,
    mark: DecimalMark,
}

impl RowReader<'_> {
    fn entry(&self, index: usize, row: &StatementRow) -> Result<Entry, MappingError> {
        let date_cell = self.text(row, Field::Date).unwrap_or_default();
        let date = format::date((row.line, &date_cell), self.order)?;
        let gross = self.number(row, Field::Amount)?;
        let net = self.number(row, Field::NetAmount)?;
        let row_type = self.row_type(row, gross.as_ref().or(net.as_ref()))?;
        let units = self
            .number(row, Field::Units)?
            .filter(|units| !units.is_zero());
        let fees = self.fees(row)?;
        let amount = match (gross, net) {
            (Some(gross), _) => Some(gross.digits),
            (None, Some(net)) => Some(before_fees(row.line, &row_type, &net.digits, fees)?),
            (None, None) => None,
        };
        let entry = Entry {
            line: row.line,
            index,
            date,
            symbol: self.text(row, Field::Symbol),
            units: units.map(|units| units.digits),
            // The cost of units that leave by transfer is the book's to say; the statement's figure is a market value.
            amount: amount.filter(|_| row_type != "transfer_out"),
            fees: (!fees.is_zero()).then(|| fees.to_string()),
            currency: self.agreed(row, Field::Currency)?,
            external_ref: self.text(row, Field::ExternalRef),
            note: self
                .text(row, Field::Note)
                .or_else(|| self.text(row, Field::Type)),
            row_type,
        };
        complete(entry)
    }

    /// The words of the type column decide: of several, the first that the guide knows. Where a statement holds no units
    /// it is an account's statement, and its sign tells money in from money out: it decides where the words are unknown
    /// or say the opposite, as with a direct debit that was paid back.
    fn row_type(
        &self,
        row: &StatementRow,
        money: Option<&Printed>,
    ) -> Result<String, MappingError> {
        let columns = self.columns.of(Field::Type).iter();
        let mut words = columns.map(|column| row.cells[*column].as_str());
        let known = words.find_map(|words| self.guide.row_type(words));
        let holds_units = self.columns.has(Field::Units);
        match (known, money) {
            (Some(known), _) if holds_units => Ok(known.to_owned()),
            (Some(known), Some(money)) if takes_money_out(known) == Some(money.negative) => {
                Ok(known.to_owned())
            }
            (_, Some(money)) if !holds_units => Ok(if money.negative {
                "withdrawal"
            } else {
                "deposit"
            }
            .to_owned()),
            _ => Err(MappingError::UnknownType {
                line: row.line,
                words: self.text(row, Field::Type).unwrap_or_default(),
            }),
        }
    }

    /// The cell under the best column of `field`; none if it is blank.
    fn text(&self, row: &StatementRow, field: Field) -> Option<String> {
        let column = self.columns.of(field).first()?;
        Some(row.cells[*column].clone()).filter(|cell| !cell.is_empty())
    }

    /// As [`Self::text`], but all columns of the field must say the same.
    fn agreed(&self, row: &StatementRow, field: Field) -> Result<Option<String>, MappingError> {
        let first = self.text(row, field);
        for column in self.columns.of(field) {
            let second = &row.cells[*column];
            if let Some(first) = &first
                && first != second
            {
                return Err(MappingError::Disagreement {
                    line: row.line,
                    field,
                    first: first.clone(),
                    second: second.clone(),
                });
            }
        }
        Ok(first)
    }

    fn number(&self, row: &StatementRow, field: Field) -> Result<Option<Printed>, MappingError> {
        let Some(cell) = self.text(row, field) else {
            return Ok(None);
        };
        Ok(Some(format::number((row.line, &cell), self.mark)?))
    }

    fn fees(&self, row: &StatementRow) -> Result<Decimal, MappingError> {
        let mut total = Decimal::ZERO;
        for column in self.columns.of(Field::Fees) {
            let cell = &row.cells[*column];
            if cell.is_empty() {
                continue;
            }
            let fee = format::number((row.line, cell), self.mark)?;
            let unworkable = || MappingError::Unworkable {
                line: row.line,
                net: String::new(),
                fees: fee.digits.clone(),
            };
            let fee = exact(&fee.digits).ok_or_else(unworkable)?;
            total = total.checked_add(fee).ok_or_else(unworkable)?;
        }
        Ok(total)
    }
}

/// Whether a type of row of a cash item lowers its balance; `None` for types that cash does not take.
fn takes_money_out(row_type: &str) -> Option<bool> {
    match row_type {
        "deposit" | "interest" => Some(false),
        "withdrawal" | "fee" => Some(true),
        _ => None,
    }
}

/// The statement's money before fees: a purchase's money out holds the fees, all other money came in after them.
fn before_fees(
    line: u64,
    row_type: &str,
    net: &str,
    fees: Decimal,
) -> Result<String, MappingError> {
    if fees.is_zero() {
        return Ok(net.to_owned());
    }
    let gross = exact(net).and_then(|net| match row_type {
        "buy" | "improvement" => net.checked_sub(fees),
        _ => net.checked_add(fees),
    });
    match gross {
        Some(gross) if !gross.is_sign_negative() => Ok(gross.to_string()),
        _ => Err(MappingError::Unworkable {
            line,
            net: net.to_owned(),
            fees: fees.to_string(),
        }),
    }
}

/// A decimal with every digit kept, or nothing where it has too many.
fn exact(digits: &str) -> Option<Decimal> {
    Decimal::from_str_exact(digits).ok()
}

/// Checks that a row holds what the tools ask of its type.
fn complete(entry: Entry) -> Result<Entry, MappingError> {
    let missing = |what| MappingError::Missing {
        line: entry.line,
        row_type: entry.row_type.clone(),
        what,
    };
    let moves_units = matches!(
        entry.row_type.as_str(),
        "buy" | "sell" | "transfer_in" | "transfer_out"
    );
    if moves_units && entry.symbol.is_none() {
        return Err(missing("a symbol"));
    }
    if moves_units && entry.units.is_none() {
        return Err(missing("units"));
    }
    if entry.row_type != "transfer_out" && entry.amount.is_none() {
        return Err(missing("an amount"));
    }
    Ok(entry)
}

#[cfg(test)]
mod tests;

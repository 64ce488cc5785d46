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
mod tests {
    use super::*;
    use crate::agent::{guide::tests::GUIDE, statement};

    fn entries(text: &str) -> Result<Vec<Entry>, MappingError> {
        let guide = Guide::read(GUIDE).unwrap();
        let statement =
            statement::read(text.as_bytes(), &|cells| guide.header_score(cells)).unwrap();
        read_entries(&statement, &guide)
    }

    #[test]
    fn a_purchase_is_recorded_before_fees_and_fee_columns_are_added_up() {
        let entries = entries(
            "Run Date,Action,Symbol,Quantity,Commission ($),Fees ($),Amount ($),Settlement Date\n\
             01/31/2024,YOU BOUGHT APPLE (AAPL),AAPL,10,4.95,0.05,\"-1,005.00\",02/02/2024\n\
             02/01/2024,YOU SOLD APPLE (AAPL),AAPL,-5,4.95,,595.05,02/05/2024\n",
        )
        .unwrap();
        assert_eq!(entries[0].date, jiff::civil::date(2024, 1, 31));
        assert_eq!(entries[0].row_type, "buy");
        assert_eq!(entries[0].amount.as_deref(), Some("1000.00"));
        assert_eq!(entries[0].fees.as_deref(), Some("5.00"));
        assert_eq!(entries[1].amount.as_deref(), Some("600.00"));
        assert_eq!(entries[1].units.as_deref(), Some("5"));
    }

    #[test]
    fn the_sign_tells_money_in_from_money_out_where_a_statement_has_no_units() {
        let entries = entries(
            "Datum;Vorgang;Betrag\n31.01.2024;Lastschrift;-1.045,90\n31.01.2024;Gutschrift;12,00\n",
        )
        .unwrap();
        assert_eq!(entries[0].row_type, "withdrawal");
        assert_eq!(entries[0].amount.as_deref(), Some("1045.90"));
        assert_eq!(entries[0].note.as_deref(), Some("Lastschrift"));
        assert_eq!(entries[1].row_type, "deposit");
        assert_eq!((entries[1].index, entries[1].line), (1, 3));
    }

    #[test]
    fn units_sent_away_carry_no_amount() {
        let entries =
            entries("Datum,Action,Symbol,Quantity,Subtotal\n2024-01-31,Send,ETH,-0.5,$900.00\n")
                .unwrap();
        assert_eq!(entries[0].amount, None);
        assert_eq!(entries[0].units.as_deref(), Some("0.5"));
    }

    #[test]
    fn words_that_the_guide_does_not_know_are_named_with_their_line() {
        assert_eq!(
            entries("Datum,Action,Symbol,Quantity,Subtotal\n2024-01-31,Airdrop,ETH,1,1.00\n"),
            Err(MappingError::UnknownType {
                line: 2,
                words: "Airdrop".to_owned()
            })
        );
    }

    #[test]
    fn what_a_row_needs_and_lacks_is_named_with_its_line() {
        let missing = |line, row_type: &str, what| {
            Err(MappingError::Missing {
                line,
                row_type: row_type.to_owned(),
                what,
            })
        };
        let head = "Datum,Action,Symbol,Quantity,Subtotal\n2024-01-31,Buy,ETH,1,1.00\n";
        assert_eq!(
            entries(&format!("{head}2024-02-01,Buy,ETH,,5.00\n")),
            missing(3, "buy", "units")
        );
        assert_eq!(
            entries(&format!("{head}2024-02-01,Sell,,1,5.00\n")),
            missing(3, "sell", "a symbol")
        );
        assert_eq!(
            entries(&format!("{head}2024-02-01,Sell,ETH,1,\n")),
            missing(3, "sell", "an amount")
        );
    }

    #[test]
    fn a_bad_cell_is_named_with_its_line() {
        assert_eq!(
            entries("Datum;Betrag\n31.01.2024;1,50\n30.02.2024;2,50\n"),
            Err(MappingError::Format(FormatError::NotADate {
                line: 3,
                cell: "30.02.2024".to_owned()
            }))
        );
        assert_eq!(
            entries("Datum;Betrag\n31.01.2024;1,50\n01.02.2024;zwei\n"),
            Err(MappingError::Format(FormatError::NotANumber {
                line: 3,
                cell: "zwei".to_owned()
            }))
        );
    }

    #[test]
    fn two_currency_columns_must_agree() {
        assert_eq!(
            entries("Datum;Betrag;Währung;Währung\n31.01.2024;1,50;EUR;EUR\n").unwrap()[0]
                .currency
                .as_deref(),
            Some("EUR")
        );
        assert!(matches!(
            entries("Datum;Betrag;Währung;Währung\n31.01.2024;1,50;EUR;USD\n"),
            Err(MappingError::Disagreement { line: 2, .. })
        ));
    }

    #[test]
    fn fees_greater_than_the_money_that_moved_cannot_be_taken_apart() {
        let result = entries(
            "Datum,Action,Symbol,Quantity,Fees ($),Amount ($)\n2024-01-31,Buy,ETH,1,7.00,-5.00\n",
        );
        assert_eq!(
            result,
            Err(MappingError::Unworkable {
                line: 2,
                net: "5.00".to_owned(),
                fees: "7.00".to_owned()
            })
        );
    }

    /// Entries of a statement that comes with the harness.
    fn entries_of(file: &str) -> Vec<Entry> {
        let guide = Guide::read(GUIDE).unwrap();
        let bytes = crate::agent::statement_file(file).unwrap();
        let statement = statement::read(bytes, &|cells| guide.header_score(cells)).unwrap();
        read_entries(&statement, &guide).unwrap()
    }

    /// Money that came in less money that went out, over the rows that move an account's money.
    fn balance(entries: &[Entry]) -> Decimal {
        let signed = entries.iter().map(|entry| {
            let amount = entry.amount.as_deref().and_then(exact).unwrap();
            if takes_money_out(&entry.row_type) == Some(true) {
                -amount
            } else {
                amount
            }
        });
        signed.sum()
    }

    #[test]
    fn account_statements_add_up_to_the_change_that_the_bank_prints() {
        let german = entries_of("german-bank-2024-h1.csv");
        assert_eq!(german.len(), 40);
        assert_eq!(balance(&german).to_string(), "12828.96");
        assert!(
            german
                .iter()
                .any(|entry| entry.note.as_deref() == Some("Miete Wohnung 3. OG, Königstraße 17"))
        );
        let nubank = entries_of("nubank-2026-05.csv");
        assert_eq!(nubank.len(), 48);
        assert_eq!(balance(&nubank).to_string(), "-3655.32");
        assert!(nubank.iter().all(|entry| entry.external_ref.is_some()));
    }

    #[test]
    fn a_brokers_history_is_read_whole_between_preamble_and_disclaimer() {
        let entries = entries_of("us-broker-history-2024.csv");
        let of = |row_type: &str| {
            entries
                .iter()
                .filter(|entry| entry.row_type == row_type)
                .count()
        };
        assert_eq!(entries.len(), 25);
        assert_eq!(
            (
                of("buy"),
                of("sell"),
                of("dividend"),
                of("deposit"),
                of("withdrawal")
            ),
            (10, 4, 8, 2, 1)
        );
        let sale = entries
            .iter()
            .find(|entry| entry.row_type == "sell" && entry.symbol.as_deref() == Some("AAPL"));
        assert_eq!(
            sale.and_then(|sale| sale.amount.as_deref()),
            Some("5909.40")
        );
        assert_eq!(sale.and_then(|sale| sale.fees.as_deref()), Some("5.12"));
    }

    #[test]
    fn an_exchanges_thousand_rows_keep_all_18_decimals() {
        let entries = entries_of("crypto-exchange-1000.csv");
        assert_eq!(entries.len(), 1000);
        let last = entries
            .iter()
            .find(|entry| entry.symbol.as_deref() == Some("LINK") && entry.row_type == "buy");
        assert_eq!(
            last.and_then(|buy| buy.units.as_deref()),
            Some("8.206986104290082800")
        );
        assert_eq!(last.and_then(|buy| buy.amount.as_deref()), Some("91.44999"));
    }

    #[test]
    fn a_direct_debit_paid_back_is_money_in_whatever_its_name() {
        let entries =
            entries("Datum;Vorgang;Betrag\n31.01.2024;Fee;-1,50\n31.01.2024;Fee;1,50\n").unwrap();
        assert_eq!(entries[0].row_type, "fee");
        assert_eq!(entries[1].row_type, "deposit");
    }
}

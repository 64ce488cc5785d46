//! What the server's own guide says about statements: which column names mean which field, and which words mean which
//! type of row. Read at run time from the Markdown of `guide://recording`; no alias is written down in the harness.

use std::collections::BTreeMap;

use thiserror::Error;

/// What a column of a statement holds, under the names that the guide uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// Day of the trade or booking.
    Date,
    /// What happened, in the statement's words.
    Type,
    /// Ticker or coin.
    Symbol,
    /// Name of the instrument.
    Name,
    /// Number of units.
    Units,
    /// Price of one unit.
    Price,
    /// Money before fees.
    Amount,
    /// Money that moved, after fees.
    NetAmount,
    /// A fee; several columns may be one, such as commission and exchange fee.
    Fees,
    /// ISO 4217 code of the money.
    Currency,
    /// The institution's own stable reference of the row.
    ExternalRef,
    /// Free text.
    Note,
}

impl Field {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "date" => Self::Date,
            "type" => Self::Type,
            "symbol" => Self::Symbol,
            "name" => Self::Name,
            "units" => Self::Units,
            "price" => Self::Price,
            "amount" => Self::Amount,
            "net_amount" => Self::NetAmount,
            "fees" => Self::Fees,
            "currency" => Self::Currency,
            "external_ref" => Self::ExternalRef,
            "note" => Self::Note,
            _ => return None,
        })
    }
}

/// The alias tables of the guide.
#[derive(Debug, Clone, Default)]
pub struct Guide {
    /// Normalised column name to its field and its place in the list of aliases, the first being the best.
    headers: BTreeMap<String, (Field, usize)>,
    /// Normalised words of a statement to the type of row.
    words: BTreeMap<String, String>,
}

/// The guide does not say what an importer must know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum GuideError {
    /// There is no table `| field | header aliases |` that names a date and an amount.
    #[error(
        "the guide holds no table `| field | header aliases |` with aliases for date and amount"
    )]
    NoHeaderAliases,
}

impl Guide {
    /// Reads the alias tables: a table whose second heading says `header aliases` maps column names, one whose second
    /// heading says `value aliases` maps the words of a type column. Aliases stand in backticks.
    ///
    /// # Errors
    /// [`GuideError`] if an importer could not even find date and amount with it.
    pub fn read(markdown: &str) -> Result<Self, GuideError> {
        let mut guide = Self::default();
        let mut table = Table::Other;
        for line in markdown.lines().map(str::trim) {
            let Some(row) = line.strip_prefix('|').and_then(|row| row.strip_suffix('|')) else {
                table = Table::Other;
                continue;
            };
            // An alias may hold a pipe only if escaped, which no export's column name needs.
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let [first, second, ..] = cells.as_slice() else {
                continue;
            };
            let heading = second.to_lowercase();
            if heading.contains("header aliases") {
                table = Table::Headers;
            } else if heading.contains("value aliases") {
                table = Table::Words;
            } else {
                guide.learn(table, first.trim_matches('`'), &quoted(second));
            }
        }
        let knows = |field| guide.headers.values().any(|(known, _)| *known == field);
        if knows(Field::Date) && knows(Field::Amount) {
            Ok(guide)
        } else {
            Err(GuideError::NoHeaderAliases)
        }
    }

    fn learn(&mut self, table: Table, meaning: &str, aliases: &[String]) {
        match table {
            Table::Headers => {
                let Some(field) = Field::named(meaning) else {
                    return;
                };
                for (rank, alias) in aliases.iter().enumerate() {
                    self.headers.entry(normal(alias)).or_insert((field, rank));
                }
            }
            Table::Words => {
                for alias in aliases {
                    self.words
                        .entry(normal(alias))
                        .or_insert_with(|| meaning.to_owned());
                }
            }
            Table::Other => {}
        }
    }

    /// The field that a column name means and how good the alias is, 0 being the best.
    #[must_use]
    pub fn field(&self, header: &str) -> Option<(Field, usize)> {
        self.headers.get(&normal(header)).copied()
    }

    /// How many different fields a line of cells names, or 0 where it cannot head a statement: that needs a date and
    /// either money or units.
    #[must_use]
    pub fn header_score(&self, cells: &[String]) -> usize {
        let mut fields: Vec<Field> = cells
            .iter()
            .filter_map(|cell| Some(self.field(cell)?.0))
            .collect();
        fields.sort_unstable();
        fields.dedup();
        let has = |field| fields.contains(&field);
        let heads =
            has(Field::Date) && (has(Field::Amount) || has(Field::NetAmount) || has(Field::Units));
        if heads { fields.len() } else { 0 }
    }

    /// The type of row that the words of a type column mean: the longest alias that the cell is or begins with, since
    /// brokers write the security into the same cell (`YOU BOUGHT APPLE INC (AAPL)`).
    #[must_use]
    pub fn row_type(&self, cell: &str) -> Option<&str> {
        let cell = normal(cell);
        let begins = |alias: &str| {
            cell.strip_prefix(alias)
                .is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
        };
        let fitting = self.words.iter().filter(|(alias, _)| begins(alias));
        fitting
            .max_by_key(|(alias, _)| alias.len())
            .map(|(_, meaning)| meaning.as_str())
    }
}

/// Which table of the guide a line stands in.
#[derive(Clone, Copy)]
enum Table {
    Headers,
    Words,
    Other,
}

/// The texts in backticks of one cell; without any, the cell's parts between commas.
fn quoted(cell: &str) -> Vec<String> {
    let in_backticks: Vec<String> = cell
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect();
    let texts = if in_backticks.is_empty() {
        cell.split(',').map(str::to_owned).collect()
    } else {
        in_backticks
    };
    texts
        .into_iter()
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
        .collect()
}

/// Case and the amount of blank space carry no meaning in a heading.
fn normal(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A small guide in the shape of the real one.
    pub(in crate::agent) const GUIDE: &str = "# Recording\n\n\
        | field | header aliases |\n|---|---|\n\
        | `date` | `Trade Date`, `Run Date`, `Datum`, `Settlement Date`, `Buchung`, `Data`, `Timestamp` |\n\
        | `type` | `Type`, `Action`, `Vorgang`, `Transaction Type`, `Buchungstext` |\n\
        | `symbol` | `Symbol`, `Asset` |\n\
        | `units` | `Quantity`, `Quantity Transacted` |\n\
        | `amount` | `Subtotal`, `Betrag`, `Valor` |\n\
        | `net_amount` | `Amount ($)` |\n\
        | `fees` | `Commission ($)`, `Fees ($)`, `Fees and/or Spread` |\n\
        | `currency` | `Währung`, `Price Currency` |\n\
        | `external_ref` | `Order Id`, `ID`, `Identificador` |\n\
        | `note` | `Memo`, `Verwendungszweck`, `Descrição`, `Notes` |\n\
        | `brokerage_house` | `House` |\n\n\
        Words.\n\n\
        | type | value aliases |\n|---|---|\n\
        | `buy` | `You bought`, `Buy`, `Reinvestment` |\n| `sell` | `You sold`, `Sell` |\n\
        | `dividend` | `Dividend received` |\n| `interest` | `Interest` |\n\
        | `transfer_in` | `Receive` |\n| `transfer_out` | `Send` |\n\
        | `deposit` | `Funds received`, `Electronic Funds Transfer Received` |\n\
        | `withdrawal` | `Electronic Funds Transfer Paid` |\n| `fee` | `Fee`, `Entgelt` |\n\n\
        | other | table |\n|---|---|\n| `date` | `Nonsense` |\n";

    #[test]
    fn column_names_are_known_in_any_case_and_ranked_as_the_guide_lists_them() {
        let guide = Guide::read(GUIDE).unwrap();
        assert_eq!(guide.field("trade  DATE"), Some((Field::Date, 0)));
        assert_eq!(guide.field("Settlement Date"), Some((Field::Date, 3)));
        assert_eq!(guide.field("WÄHRUNG"), Some((Field::Currency, 0)));
        assert_eq!(guide.field("Nonsense"), None);
        assert_eq!(guide.field("House"), None);
    }

    #[test]
    fn words_of_a_type_column_may_go_on_after_the_alias_but_not_inside_a_word() {
        let guide = Guide::read(GUIDE).unwrap();
        assert_eq!(guide.row_type("YOU BOUGHT APPLE INC (AAPL)"), Some("buy"));
        assert_eq!(guide.row_type("Sell"), Some("sell"));
        assert_eq!(guide.row_type("Seller's fee"), None);
        assert_eq!(guide.row_type("Buyback"), None);
    }

    #[test]
    fn a_line_is_a_header_only_with_a_date_and_a_figure() {
        let guide = Guide::read(GUIDE).unwrap();
        let cells = |line: &str| line.split(';').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(
            guide.header_score(&cells("Datum;Betrag;Währung;Währung")),
            3
        );
        assert_eq!(guide.header_score(&cells("Datum;Memo")), 0);
        assert_eq!(guide.header_score(&cells("Betrag;Währung")), 0);
    }

    #[test]
    fn a_guide_without_aliases_is_of_no_use() {
        assert_eq!(
            Guide::read("# Nothing here").unwrap_err(),
            GuideError::NoHeaderAliases
        );
    }
}

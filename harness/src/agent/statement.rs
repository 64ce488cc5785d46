//! Reads an exported statement: bytes as a bank, broker or exchange wrote them in, a table of text cells out.
//!
//! Nothing here knows what a column means: which line is the header is decided by a caller that knows the
//! server's own aliases. Figures and dates stay text; `mapping` reads them.

use csv::{ReaderBuilder, StringRecord};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// The cell separators that exports use.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// A statement as a table. `rows` are in the order of the file, the first being index 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// SHA-256 of the file's bytes, 64 lowercase hexadecimal digits.
    pub sha256: String,
    /// Name of the character encoding that the bytes were read with, such as `windows-1252`.
    pub encoding: &'static str,
    /// Cell separator of the file.
    pub delimiter: char,
    /// Column names, trimmed, as the file spells them.
    pub header: Vec<String>,
    /// The data rows; every one has exactly as many cells as the header.
    pub rows: Vec<StatementRow>,
}

/// One data row of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementRow {
    /// Line of the file on which the row begins, counted from 1.
    pub line: u64,
    /// The cells, trimmed.
    pub cells: Vec<String>,
}

/// Why a file is not a readable statement. Every message names the line where there is one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StatementError {
    /// The file holds no byte, or only blank lines.
    #[error("the file is empty")]
    Empty,
    /// The bytes are not text: a spreadsheet, a PDF or an archive was handed in instead of an export as text.
    #[error("the file is not text (byte {byte:#04x} at offset {offset}); export it as CSV")]
    NotText {
        /// The byte that no text file holds.
        byte: u8,
        /// Where it stands, counted from 0.
        offset: usize,
    },
    /// No line names columns that the guide knows.
    #[error(
        "no header line: no line names a date and an amount or units in words the guide knows; the first line is `{first_line}`"
    )]
    NoHeader {
        /// First non-blank line, so that the reader sees what was tried.
        first_line: String,
    },
    /// There is a header and nothing below it.
    #[error("line {header_line} names the columns, but no row follows")]
    NoRows {
        /// Line of the header, counted from 1.
        header_line: u64,
    },
    /// A row has more or fewer cells than the header.
    #[error("line {line}: {found} cells where the header has {expected}")]
    Ragged {
        /// Line of the row, counted from 1.
        line: u64,
        /// Cells of the header.
        expected: usize,
        /// Cells of the row.
        found: usize,
    },
    /// A quoted cell is opened and never closed, so everything after it would be swallowed.
    #[error("line {line}: a quoted cell is opened and never closed")]
    UnclosedQuote {
        /// Line on which the row with the open quote begins.
        line: u64,
    },
}

/// One record of the file before anyone knows what it is: where it begins, and its trimmed cells.
struct Record {
    /// Offset of its first byte.
    start: usize,
    line: u64,
    cells: Vec<String>,
}

/// Reads `bytes` as a statement. `header_score` says how many different fields a line of cells names, or 0 if the
/// line cannot be the header; the first line with the best score, over all separators, is taken.
///
/// # Errors
/// [`StatementError`] with the line and the reason.
pub fn read(
    bytes: &[u8],
    header_score: &dyn Fn(&[String]) -> usize,
) -> Result<Statement, StatementError> {
    let (text, encoding) = decode(bytes)?;
    let first_line = text.lines().map(str::trim).find(|line| !line.is_empty());
    let Some(first_line) = first_line else {
        return Err(StatementError::Empty);
    };

    let mut best: Option<(usize, u8, usize, Vec<Record>)> = None;
    for delimiter in DELIMITERS {
        let records = split(&text, delimiter);
        for (position, record) in records.iter().enumerate() {
            let score = header_score(&record.cells);
            if score > best.as_ref().map_or(0, |(found, ..)| *found) {
                best = Some((score, delimiter, position, Vec::new()));
            }
        }
        if let Some((_, chosen, _, kept)) = &mut best
            && *chosen == delimiter
        {
            *kept = records;
        }
    }
    let Some((_, delimiter, position, mut records)) = best else {
        return Err(StatementError::NoHeader {
            first_line: first_line.chars().take(120).collect(),
        });
    };

    if let Some(line) = unclosed_quote(&text, &records) {
        return Err(StatementError::UnclosedQuote { line });
    }
    let below = records.split_off(position + 1);
    let header = records.pop().map(|record| (record.line, record.cells));
    let (header_line, header) = header.unwrap_or_default();
    Ok(Statement {
        sha256: sha256(bytes),
        encoding: encoding.name(),
        delimiter: char::from(delimiter),
        rows: table(header_line, header.len(), below)?,
        header,
    })
}

/// SHA-256 of `bytes` as 64 lowercase hexadecimal digits, the form that `source.sha256` takes.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Byte order mark first, then UTF-8 where the bytes are valid UTF-8, else Windows-1252: a text in a legacy
/// encoding with any umlaut is practically never valid UTF-8, so the order decides safely.
fn decode(bytes: &[u8]) -> Result<(String, &'static Encoding), StatementError> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let (text, _) = encoding.decode_without_bom_handling(&bytes[mark..]);
        return Ok((text.into_owned(), encoding));
    }
    let control = bytes
        .iter()
        .position(|byte| *byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c));
    if let Some(offset) = control {
        return Err(StatementError::NotText {
            byte: bytes[offset],
            offset,
        });
    }
    let encoding = if std::str::from_utf8(bytes).is_ok() {
        UTF_8
    } else {
        WINDOWS_1252
    };
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    Ok((text.into_owned(), encoding))
}

/// All records of `text` under one separator; blank lines are no records.
fn split(text: &str, delimiter: u8) -> Vec<Record> {
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let ends: Vec<usize> = text.match_indices('\n').map(|(end, _)| end).collect();
    let mut records = Vec::new();
    let mut record = StringRecord::new();
    // Reading text from memory fails only on bytes that are no UTF-8, which a `str` cannot hold.
    while let Ok(true) = reader.read_record(&mut record) {
        let start = begin(text, record.position());
        let cells = record.iter().map(|cell| cell.trim().to_owned()).collect();
        // The number of line ends before a record fits into 64 bits wherever the file fits into memory.
        let line = 1 + ends.partition_point(|end| *end < start) as u64;
        records.push(Record { start, line, cells });
    }
    records
}

/// Where a record begins: the reader gives the place where it began to read, which may be the rest of a line end or a
/// blank line before the record.
fn begin(text: &str, position: Option<&csv::Position>) -> usize {
    let place = position.and_then(|position| usize::try_from(position.byte()).ok());
    let place = place.unwrap_or_default();
    let rest = text.get(place..).unwrap_or_default();
    place + (rest.len() - rest.trim_start_matches(['\r', '\n']).len())
}

/// A quote that is never closed swallows the rest of the file into the last record: its source text then holds an odd
/// number of quotes.
fn unclosed_quote(text: &str, records: &[Record]) -> Option<u64> {
    let last = records.last()?;
    let quotes = text.get(last.start..)?.matches('"').count();
    (quotes % 2 == 1).then_some(last.line)
}

/// The rows between the header and the footer. A footer is prose of one cell per line after the last full row; any other
/// line that does not fit the header is an error, because a row cut off by a broken download must never be skipped.
fn table(
    header_line: u64,
    width: usize,
    below: Vec<Record>,
) -> Result<Vec<StatementRow>, StatementError> {
    let full = |record: &Record| record.cells.len() == width && !blank(record);
    let Some(last) = below.iter().rposition(full) else {
        return match below.iter().find(|record| record.cells.len() > 1) {
            Some(record) => Err(ragged(record, width)),
            None => Err(StatementError::NoRows { header_line }),
        };
    };
    let mut rows = Vec::with_capacity(last + 1);
    for (position, record) in below.into_iter().enumerate() {
        let footer = position > last && record.cells.len() == 1;
        if blank(&record) || footer {
            continue;
        }
        if record.cells.len() != width {
            return Err(ragged(&record, width));
        }
        rows.push(StatementRow {
            line: record.line,
            cells: record.cells,
        });
    }
    Ok(rows)
}

fn ragged(record: &Record, width: usize) -> StatementError {
    StatementError::Ragged {
        line: record.line,
        expected: width,
        found: record.cells.len(),
    }
}

fn blank(record: &Record) -> bool {
    record.cells.iter().all(String::is_empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Knows three column names, as a guide would.
    fn score(cells: &[String]) -> usize {
        let known = ["date", "amount", "größe"];
        let found = cells
            .iter()
            .filter(|cell| known.contains(&cell.to_lowercase().as_str()))
            .count();
        if found >= 2 { found } else { 0 }
    }

    fn read_text(text: &str) -> Result<Statement, StatementError> {
        read(text.as_bytes(), &score)
    }

    #[test]
    fn preamble_and_footer_are_left_out_and_lines_are_counted_from_the_file() {
        let statement = read_text(
            "\n\nMy bank, Köln\n\nDate,Text,Amount\n2024-01-02,\"a, b\",1\n2024-01-03,c,2\n\n\"Prose, with\na second line\"\nDownloaded today\n",
        )
        .unwrap();
        assert_eq!(statement.header, ["Date", "Text", "Amount"]);
        assert_eq!(statement.rows.len(), 2);
        assert_eq!(statement.rows[0].line, 6);
        assert_eq!(statement.rows[0].cells, ["2024-01-02", "a, b", "1"]);
        assert_eq!(statement.rows[1].line, 7);
    }

    #[test]
    fn lines_are_counted_alike_with_either_line_end() {
        let text = "Prose\n\nDate,Amount\n\n1,\"2\n3\"\n4,5\n";
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            let lines: Vec<u64> = read_text(&text)
                .unwrap()
                .rows
                .iter()
                .map(|row| row.line)
                .collect();
            assert_eq!(lines, [5, 7], "{text:?}");
        }
    }

    #[test]
    fn a_quoted_cell_may_hold_a_line_break_and_a_doubled_quote() {
        let statement =
            read_text("Date;Amount;Note\n1.2.24;5;\"two\nlines \"\"x\"\"\"\n2.2.24;6;-\n").unwrap();
        assert_eq!(statement.delimiter, ';');
        assert_eq!(statement.rows[0].cells[2], "two\nlines \"x\"");
        assert_eq!(statement.rows[1].line, 4);
    }

    #[test]
    fn windows_1252_is_read_where_the_bytes_are_no_utf_8() {
        let mut bytes = b"Date;Gr".to_vec();
        bytes.extend([0xf6, 0xdf]);
        bytes.extend(b"e\n1;2\n");
        let statement = read(&bytes, &score).unwrap();
        assert_eq!(statement.encoding, "windows-1252");
        assert_eq!(statement.header[1], "Größe");
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_column() {
        let statement = read(b"\xef\xbb\xbfDate,Amount\n1,2\n", &score).unwrap();
        assert_eq!(statement.encoding, "UTF-8");
        assert_eq!(statement.header[0], "Date");
    }

    #[test]
    fn the_digest_is_of_the_bytes_as_they_came() {
        assert_eq!(
            sha256(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn a_row_cut_off_at_the_end_is_an_error_and_no_footer() {
        assert_eq!(
            read_text("Date,Text,Amount\n1,a,2\n2,b"),
            Err(StatementError::Ragged {
                line: 3,
                expected: 3,
                found: 2
            })
        );
    }

    #[test]
    fn a_short_line_between_rows_is_an_error() {
        assert_eq!(
            read_text("Date,Text,Amount\n1,a,2\noops\n2,b,3\n"),
            Err(StatementError::Ragged {
                line: 3,
                expected: 3,
                found: 1
            })
        );
    }

    #[test]
    fn an_unclosed_quote_is_named_by_the_line_that_opens_it() {
        assert_eq!(
            read_text("Date,Amount\n1,2\n3,\"4\n5,6\n"),
            Err(StatementError::UnclosedQuote { line: 3 })
        );
    }

    #[test]
    fn files_that_are_no_statement_say_why() {
        assert_eq!(read_text(" \n\n"), Err(StatementError::Empty));
        assert_eq!(
            read(b"PK\x03\x04", &score),
            Err(StatementError::NotText { byte: 3, offset: 2 })
        );
        assert_eq!(
            read_text("Dear customer,\nyour account is fine.\n"),
            Err(StatementError::NoHeader {
                first_line: "Dear customer,".to_owned()
            })
        );
        assert_eq!(
            read_text("x\nDate,Amount\n\nthe end\n"),
            Err(StatementError::NoRows { header_line: 2 })
        );
    }
}

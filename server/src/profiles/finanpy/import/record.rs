//! Records of a comma-separated text, one at a time: quoted fields may hold commas and line breaks, and a quote that is never closed
//! costs its own line only.

use std::collections::VecDeque;
use std::io::{self, BufRead};

/// Longest record that is read, in bytes.
const RECORD_LIMIT: usize = 64 * 1024;
/// Most lines that one record may span.
const LINES_LIMIT: usize = 100;

/// One piece of the text.
#[derive(Debug, PartialEq, Eq)]
pub enum Piece {
    /// A record.
    Record {
        /// The line it begins on, counted from 1.
        line: u64,
        /// Its fields, without the quotes around them.
        fields: Vec<String>,
    },
    /// A line that belongs to no record.
    Broken {
        /// The line, counted from 1.
        line: u64,
        /// What is wrong with it.
        reason: &'static str,
    },
}

/// Reads records. Blank lines are none.
pub struct Records<R> {
    reader: R,
    /// Lines that were read for a record which did not end.
    waiting: VecDeque<Line>,
    /// The number of the last line that was read from the text.
    line: u64,
    read: u64,
}

struct Line {
    number: u64,
    /// Without the line break, and cut off when it is too long.
    text: Vec<u8>,
    too_long: bool,
}

/// How a quoted field stands at the end of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quoting {
    Closed,
    Open,
}

impl<R: BufRead> Records<R> {
    /// Reads from the beginning of a text.
    pub fn new(reader: R) -> Self {
        Self {
            reader,
            waiting: VecDeque::new(),
            line: 0,
            read: 0,
        }
    }

    /// How many bytes were read.
    pub fn read(&self) -> u64 {
        self.read
    }

    /// The next piece, or none at the end.
    ///
    /// # Errors
    /// When the text cannot be read.
    pub fn next(&mut self) -> io::Result<Option<Piece>> {
        loop {
            let Some(first) = self.next_line()? else {
                return Ok(None);
            };
            if first.too_long {
                return Ok(Some(Piece::Broken {
                    line: first.number,
                    reason: "the line is too long",
                }));
            }
            if !first.text.trim_ascii().is_empty() {
                return self.record(first).map(Some);
            }
        }
    }

    /// The record that begins with `first`. If its quotes do not close within bounds, the lines after the first are read anew.
    fn record(&mut self, first: Line) -> io::Result<Piece> {
        let number = first.number;
        let mut quoting = after(&first.text, Quoting::Closed);
        let mut text = first.text;
        let mut taken: Vec<Line> = Vec::new();
        while quoting == Quoting::Open {
            let next = self.next_line()?;
            let fits = |line: &Line| {
                !line.too_long
                    && text.len() + line.text.len() < RECORD_LIMIT
                    && taken.len() < LINES_LIMIT
            };
            match next {
                Some(line) if fits(&line) => {
                    text.push(b'\n');
                    text.extend_from_slice(&line.text);
                    quoting = after(&line.text, Quoting::Open);
                    taken.push(line);
                }
                last => {
                    for line in taken.into_iter().chain(last).rev() {
                        self.waiting.push_front(line);
                    }
                    return Ok(Piece::Broken {
                        line: number,
                        reason: "a quote is opened and never closed",
                    });
                }
            }
        }
        Ok(match String::from_utf8(text) {
            Ok(text) => Piece::Record {
                line: number,
                fields: fields(&text),
            },
            Err(_) => Piece::Broken {
                line: number,
                reason: "the line cannot be read",
            },
        })
    }

    fn next_line(&mut self) -> io::Result<Option<Line>> {
        if let Some(line) = self.waiting.pop_front() {
            return Ok(Some(line));
        }
        let mut text = Vec::new();
        let mut too_long = false;
        loop {
            let available = self.reader.fill_buf()?;
            if available.is_empty() {
                if text.is_empty() && !too_long {
                    return Ok(None);
                }
                break;
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            too_long = too_long || text.len() + part.len() > RECORD_LIMIT;
            if !too_long {
                text.extend_from_slice(part);
            }
            let consumed = end.map_or(available.len(), |end| end + 1);
            self.reader.consume(consumed);
            self.read += consumed as u64;
            if end.is_some() {
                break;
            }
        }
        if text.last() == Some(&b'\r') {
            text.pop();
        }
        self.line += 1;
        Ok(Some(Line {
            number: self.line,
            text,
            too_long,
        }))
    }
}

/// How quoting stands behind a line. A quote opens a field only at its beginning; elsewhere it is a character like any other.
fn after(line: &[u8], before: Quoting) -> Quoting {
    let mut open = before == Quoting::Open;
    let mut at_start = !open;
    let mut bytes = line.iter().peekable();
    while let Some(byte) = bytes.next() {
        match (open, byte) {
            // A doubled quote is one inside the field.
            (true, b'"') if bytes.peek() == Some(&&b'"') => {
                bytes.next();
            }
            (true, b'"') => open = false,
            (true, _) => {}
            (false, b'"') if at_start => {
                open = true;
                at_start = false;
            }
            (false, byte) => at_start = *byte == b',',
        }
    }
    if open { Quoting::Open } else { Quoting::Closed }
}

/// The fields of a record whose quotes are closed, by the same rules as [`after`].
fn fields(record: &str) -> Vec<String> {
    let mut fields = Vec::new();
    let mut field = String::new();
    let (mut open, mut at_start) = (false, true);
    let mut characters = record.chars().peekable();
    while let Some(character) = characters.next() {
        match (open, character) {
            (true, '"') if characters.next_if_eq(&'"').is_some() => field.push('"'),
            (true, '"') => open = false,
            (false, '"') if at_start => open = true,
            (false, ',') => fields.push(std::mem::take(&mut field)),
            (_, character) => field.push(character),
        }
        at_start = !open && character == ',';
    }
    fields.push(field);
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<Piece> {
        let mut records = Records::new(text.as_bytes());
        std::iter::from_fn(|| records.next().unwrap()).collect()
    }

    fn record(line: u64, fields: &[&str]) -> Piece {
        Piece::Record {
            line,
            fields: fields.iter().map(|field| (*field).to_owned()).collect(),
        }
    }

    #[test]
    fn quoted_fields_may_hold_commas_quotes_and_lines() {
        assert_eq!(
            pieces(
                "a,b\r\n\r\n\"x, \"\"y\"\"\",\"two\nlines\"\nTV 42\" LG,z\n,\"q\",\"\",\"a\"b\"c,\n"
            ),
            [
                record(1, &["a", "b"]),
                record(3, &["x, \"y\"", "two\nlines"]),
                record(5, &["TV 42\" LG", "z"]),
                record(6, &["", "q", "", "ab\"c", ""]),
            ]
        );
    }

    #[test]
    fn a_quote_that_stays_open_costs_its_own_line_only() {
        let rest: String = (0..200).map(|number| format!("{number},z\n")).collect();
        let pieces = pieces(&format!("a,\"open\n{rest}"));
        assert_eq!(
            pieces[0],
            Piece::Broken {
                line: 1,
                reason: "a quote is opened and never closed"
            }
        );
        assert_eq!(pieces.len(), 201);
        assert_eq!(pieces[200], record(201, &["199", "z"]));
    }

    proptest::proptest! {
        /// Whatever a writer of the format puts into fields is read back.
        #[test]
        fn what_was_written_is_read_back(rows in proptest::collection::vec(proptest::collection::vec("[a,\" \nç]{0,6}", 2..5), 1..6)) {
            let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
            for row in &rows {
                writer.write_record(row).unwrap();
            }
            let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
            let read: Vec<Vec<String>> = pieces(&text)
                .into_iter()
                .map(|piece| match piece {
                    Piece::Record { fields, .. } => fields,
                    Piece::Broken { reason, .. } => panic!("{reason}"),
                })
                .collect();
            proptest::prop_assert_eq!(read, rows);
        }
    }

    #[test]
    fn a_line_too_long_is_skipped() {
        let long = "x".repeat(RECORD_LIMIT + 1);
        let pieces = pieces(&format!("a\n{long}\nb"));
        assert_eq!(pieces[0], record(1, &["a"]));
        assert!(matches!(pieces[1], Piece::Broken { line: 2, .. }));
        assert_eq!(pieces[2], record(3, &["b"]));
    }
}

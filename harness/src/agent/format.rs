//! Works out how one file writes its dates and numbers, from all of its cells at once, and reads them without guessing.

use jiff::civil::Date;
use thiserror::Error;

/// Order of the parts of a date that does not begin with the year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateOrder {
    /// `31/05/2026`, `31.05.2026`.
    DayFirst,
    /// `05/31/2026`.
    MonthFirst,
}

/// The character before the fraction of a number; the other of point and comma groups thousands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecimalMark {
    /// `1,234.56`
    Point,
    /// `1.234,56`
    Comma,
}

/// A number as the statement prints it: its sign, and its digits as a plain decimal string without sign or grouping,
/// with every trailing zero kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// Whether a minus (leading, trailing or as brackets) stands with it.
    pub negative: bool,
    /// Plain digits with an optional fraction, in the grammar that the tools take.
    pub digits: String,
}

impl Printed {
    /// Whether every digit is a zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.digits.bytes().all(|byte| matches!(byte, b'0' | b'.'))
    }
}

/// Why cells could not be read. `line` counts from 1 in the file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FormatError {
    /// No cell shows whether day or month comes first.
    #[error(
        "every date, such as `{example}`, can be read as day first or as month first; say which it is"
    )]
    AmbiguousDates {
        /// One of the cells.
        example: String,
    },
    /// One cell can only be day first and another only month first.
    #[error("line {line}: `{cell}` contradicts the order of day and month in the rows before it")]
    MixedDates {
        /// Line of the contradicting row.
        line: u64,
        /// The cell.
        cell: String,
    },
    /// A cell is no date, or one that the calendar does not have.
    #[error("line {line}: `{cell}` is not a date")]
    NotADate {
        /// Line of the row.
        line: u64,
        /// The cell.
        cell: String,
    },
    /// No cell shows which of point and comma is the decimal mark.
    #[error(
        "every number, such as `{example}`, can be read with or without a fraction; say which mark is the decimal one"
    )]
    AmbiguousNumbers {
        /// One of the cells.
        example: String,
    },
    /// One cell can only have a decimal point and another only a decimal comma.
    #[error("line {line}: `{cell}` contradicts the decimal mark of the rows before it")]
    MixedNumbers {
        /// Line of the contradicting row.
        line: u64,
        /// The cell.
        cell: String,
    },
    /// A cell is no number.
    #[error("line {line}: `{cell}` is not a number")]
    NotANumber {
        /// Line of the row.
        line: u64,
        /// The cell.
        cell: String,
    },
}

/// A cell with the line it stands on.
pub type Cell<'a> = (u64, &'a str);

/// Finds the order of day and month from a whole column. Blank cells say nothing.
///
/// # Errors
/// [`FormatError`] if the column contradicts itself or leaves the order open.
pub fn date_order<'a>(cells: impl IntoIterator<Item = Cell<'a>>) -> Result<DateOrder, FormatError> {
    let mut order = None;
    let mut open = None;
    for (line, cell) in cells {
        if cell.is_empty() {
            continue;
        }
        let shown = match date_parts(cell) {
            None => return Err(not_a_date(line, cell)),
            Some(([first, ..], _)) if first > 999 => continue,
            Some((_, '.')) => DateOrder::DayFirst,
            Some(([first, second, _], _)) if first > 12 && second <= 12 => DateOrder::DayFirst,
            Some(([first, second, _], _)) if second > 12 && first <= 12 => DateOrder::MonthFirst,
            Some(([first, second, _], _)) if first == second => continue,
            Some(([first, second, _], _)) if first > 12 && second > 12 => {
                return Err(not_a_date(line, cell));
            }
            Some(_) => {
                open.get_or_insert(cell);
                continue;
            }
        };
        if order.is_some_and(|known| known != shown) {
            return Err(FormatError::MixedDates {
                line,
                cell: cell.to_owned(),
            });
        }
        order = Some(shown);
    }
    match (order, open) {
        (None, Some(example)) => Err(FormatError::AmbiguousDates {
            example: example.to_owned(),
        }),
        // No cell depends on the order then, or one has shown it.
        (order, _) => Ok(order.unwrap_or(DateOrder::DayFirst)),
    }
}

/// Reads one date; a time of day after it is dropped, since a ledger's rows carry calendar dates.
///
/// # Errors
/// [`FormatError::NotADate`].
pub fn date((line, cell): Cell<'_>, order: DateOrder) -> Result<Date, FormatError> {
    let ([first, second, third], _) = date_parts(cell).ok_or_else(|| not_a_date(line, cell))?;
    let (year, month, day) = match order {
        _ if first > 999 => (first, second, third),
        DateOrder::DayFirst => (third, second, first),
        DateOrder::MonthFirst => (third, first, second),
    };
    let narrow = |part: i16| i8::try_from(part).ok();
    narrow(month)
        .zip(narrow(day))
        .and_then(|(month, day)| Date::new(year, month, day).ok())
        .ok_or_else(|| not_a_date(line, cell))
}

fn not_a_date(line: u64, cell: &str) -> FormatError {
    FormatError::NotADate {
        line,
        cell: cell.to_owned(),
    }
}

/// The three numbers of a date and the mark between them. The year has four digits, first or last.
fn date_parts(cell: &str) -> Option<([i16; 3], char)> {
    let day = cell.split([' ', 'T']).next().unwrap_or_default();
    let mark = day.chars().find(|character| !character.is_ascii_digit())?;
    if !matches!(mark, '-' | '/' | '.') {
        return None;
    }
    let texts: Vec<&str> = day.split(mark).collect();
    let [first, second, third] = texts.as_slice() else {
        return None;
    };
    let lengths = [first.len(), second.len(), third.len()];
    let plain = matches!(lengths, [4, 1..=2, 1..=2] | [1..=2, 1..=2, 4]);
    let number = |text: &str| {
        (plain && text.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| text.parse::<i16>().ok())
            .flatten()
    };
    Some(([number(first)?, number(second)?, number(third)?], mark))
}

/// Finds the decimal mark from all numbers of a file. Blank cells say nothing.
///
/// # Errors
/// [`FormatError`] if the cells contradict each other or leave the mark open.
pub fn decimal_mark<'a>(
    cells: impl IntoIterator<Item = Cell<'a>>,
) -> Result<DecimalMark, FormatError> {
    let mut mark = None;
    let mut open = None;
    for (line, cell) in cells {
        if cell.is_empty() {
            continue;
        }
        let (_, body) = strip(cell).ok_or_else(|| not_a_number(line, cell))?;
        let shown = match evidence(&body) {
            Evidence::Shows(shown) => shown,
            Evidence::None => continue,
            Evidence::Open => {
                open.get_or_insert(cell);
                continue;
            }
            Evidence::Broken => return Err(not_a_number(line, cell)),
        };
        if mark.is_some_and(|known| known != shown) {
            return Err(FormatError::MixedNumbers {
                line,
                cell: cell.to_owned(),
            });
        }
        mark = Some(shown);
    }
    match (mark, open) {
        (None, Some(example)) => Err(FormatError::AmbiguousNumbers {
            example: example.to_owned(),
        }),
        (mark, _) => Ok(mark.unwrap_or(DecimalMark::Point)),
    }
}

/// Reads one number.
///
/// # Errors
/// [`FormatError::NotANumber`].
pub fn number((line, cell): Cell<'_>, mark: DecimalMark) -> Result<Printed, FormatError> {
    let refuse = || not_a_number(line, cell);
    let (negative, body) = strip(cell).ok_or_else(refuse)?;
    let (point, grouping) = match mark {
        DecimalMark::Point => ('.', ','),
        DecimalMark::Comma => (',', '.'),
    };
    let (whole, fraction) = match body.split_once(point) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (body.as_str(), None),
    };
    let groups: Vec<&str> = whole.split(grouping).collect();
    let grouped = groups.len() == 1
        || (matches!(groups[0].len(), 1..=3) && groups[1..].iter().all(|group| group.len() == 3));
    let digits = groups.concat();
    let plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !grouped || !plain(&digits) || !fraction.is_none_or(plain) {
        return Err(refuse());
    }
    let whole = match digits.trim_start_matches('0') {
        "" => "0",
        trimmed => trimmed,
    };
    Ok(Printed {
        negative,
        digits: match fraction {
            Some(fraction) => format!("{whole}.{fraction}"),
            None => whole.to_owned(),
        },
    })
}

fn not_a_number(line: u64, cell: &str) -> FormatError {
    FormatError::NotANumber {
        line,
        cell: cell.to_owned(),
    }
}

/// Takes sign, currency and blanks off a number: `-$1,234.56`, `(12.00)`, `12,00-`, `R$ 5`, `EUR 5`.
/// Apostrophes and blanks group thousands in some countries and carry nothing else.
fn strip(cell: &str) -> Option<(bool, String)> {
    let bracketed = cell.starts_with('(') && cell.ends_with(')');
    let mut negative = bracketed;
    let mut body = String::with_capacity(cell.len());
    let mut ended = false;
    for character in cell.chars() {
        match character {
            // A letter between digits is an exponent or a typing error, never a currency.
            '0'..='9' | '.' | ',' if ended => return None,
            '0'..='9' | '.' | ',' => body.push(character),
            '-' | '\u{2212}' if !negative => negative = true,
            '+' if body.is_empty() => {}
            '(' | ')' if bracketed => {}
            '$' | '€' | '£' | '¥' | '\'' | '\u{2019}' | ' ' | '\u{a0}' | '\u{202f}' => {}
            letter if letter.is_ascii_uppercase() => ended = !body.is_empty(),
            _ => return None,
        }
    }
    (!body.is_empty()).then_some((negative, body))
}

/// What one number says about the decimal mark.
enum Evidence {
    Shows(DecimalMark),
    /// Nothing: there is neither point nor comma.
    None,
    /// `1,234`: either mark is possible.
    Open,
    /// No reading is possible.
    Broken,
}

fn evidence(body: &str) -> Evidence {
    let points = body.matches('.').count();
    let commas = body.matches(',').count();
    let last = body.rfind(['.', ',']);
    let Some(last) = last else {
        return Evidence::None;
    };
    let last_is_point = body[last..].starts_with('.');
    let (same, other) = if last_is_point {
        (points, commas)
    } else {
        (commas, points)
    };
    let as_decimal = if last_is_point {
        DecimalMark::Point
    } else {
        DecimalMark::Comma
    };
    let as_grouping = if last_is_point {
        DecimalMark::Comma
    } else {
        DecimalMark::Point
    };
    match (same, other) {
        (1, 1..) => Evidence::Shows(as_decimal),
        (2.., 0) => Evidence::Shows(as_grouping),
        (1, 0) => {
            let before = &body[..last];
            let after = &body[last + 1..];
            let cannot_group = after.len() != 3
                || before.len() > 3
                || before.is_empty()
                || before.starts_with('0');
            if cannot_group {
                Evidence::Shows(as_decimal)
            } else {
                Evidence::Open
            }
        }
        _ => Evidence::Broken,
    }
}

#[cfg(test)]
mod tests;

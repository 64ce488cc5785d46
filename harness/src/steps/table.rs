//! Tables of the features beside what a server showed: figures by value, stored figures digit for digit, texts as they stand.

use crate::{
    suite::Failure,
    worthbase::{Figure, Line},
};

/// One cell of what was seen, under the heading a table may use for it.
#[derive(Debug, Clone)]
pub struct Cell {
    heading: &'static str,
    seen: Seen,
}

#[derive(Debug, Clone)]
enum Seen {
    Text(String),
    Figure(Option<Figure>),
    Spelling(Option<Figure>),
}

impl Cell {
    /// A text, compared as it stands.
    #[must_use]
    pub fn text(heading: &'static str, seen: impl Into<String>) -> Self {
        Self {
            heading,
            seen: Seen::Text(seen.into()),
        }
    }

    /// A figure, compared by value; an empty cell, or `none`, expects none.
    #[must_use]
    pub fn figure(heading: &'static str, seen: Option<&Figure>) -> Self {
        Self {
            heading,
            seen: Seen::Figure(seen.cloned()),
        }
    }

    /// A figure that was stored as given, compared digit for digit; an empty cell, or `none`, expects none.
    #[must_use]
    pub fn spelling(heading: &'static str, seen: Option<&Figure>) -> Self {
        Self {
            heading,
            seen: Seen::Spelling(seen.cloned()),
        }
    }

    fn agrees_with(&self, expected: &str) -> Result<bool, Failure> {
        match &self.seen {
            Seen::Text(text) => Ok(text == expected),
            Seen::Figure(None) | Seen::Spelling(None) => {
                Ok(expected.is_empty() || expected == NONE)
            }
            Seen::Figure(Some(_)) if expected.is_empty() || expected == NONE => Ok(false),
            Seen::Figure(Some(figure)) => agrees(expected, figure),
            Seen::Spelling(Some(figure)) => Ok(figure.text() == expected),
        }
    }

    fn shown(&self) -> &str {
        match &self.seen {
            Seen::Text(text) => text,
            Seen::Figure(figure) | Seen::Spelling(figure) => {
                figure.as_ref().map_or("", Figure::text)
            }
        }
    }
}

/// A cell that says that there is no figure, for columns in which nothing else stands.
const NONE: &str = "none";

/// How far a figure may lie from one written with `≈`.
const ABOUT: &str = "0.000001";

/// Whether a figure is the one written in the feature. `≈ 1502.008407` means: no more than 0.000001 from it, for figures
/// that hang on how a server rounds its rates.
///
/// # Errors
/// The feature's figure is no decimal.
pub fn agrees(written: &str, figure: &Figure) -> Result<bool, Failure> {
    let (about, digits) = match written.strip_prefix("≈ ") {
        Some(digits) => (true, digits),
        None => (false, written),
    };
    let written = Figure::from_prose(digits);
    let written = written
        .map_err(|problem| Failure::expected("a figure in the feature file").actual(problem))?;
    let distance = if about {
        ABOUT.parse()
    } else {
        Ok(Figure::zero())
    };
    Ok(distance.is_ok_and(|distance| figure.within(&written, &distance)))
}

/// Compares a table with what was seen, row by row in any order; only the columns that the table has count.
///
/// # Errors
/// A row of the table was not seen, a row was seen that the table does not have, or a column is unknown.
pub fn compare_table(expected: &[Line], seen: &[Vec<Cell>]) -> Result<(), Failure> {
    let mut left: Vec<&Vec<Cell>> = seen.iter().collect();
    for line in expected {
        let mut found = None;
        for (place, row) in left.iter().enumerate() {
            if row_agrees(line, expected, row)? {
                found = Some(place);
                break;
            }
        }
        match found {
            Some(place) => drop(left.remove(place)),
            None => return Err(Failure::expected(show_line(line)).actual(show_rows(seen))),
        }
    }
    if left.is_empty() {
        return Ok(());
    }
    Err(
        Failure::expected(format!("{} row(s) and no other", expected.len()))
            .actual(show_rows(seen)),
    )
}

fn row_agrees(line: &Line, all: &[Line], row: &[Cell]) -> Result<bool, Failure> {
    for heading in all.iter().flat_map(Line::headings) {
        let cell = row.iter().find(|cell| cell.heading == heading);
        let cell =
            cell.ok_or_else(|| Failure::expected("a column this step knows").actual(heading))?;
        if !cell.agrees_with(line.cell(heading).unwrap_or_default())? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn show_line(line: &Line) -> String {
    let cells: Vec<String> = line
        .headings()
        .map(|heading| format!("{heading} {}", line.cell(heading).unwrap_or_default()))
        .collect();
    cells.join(", ")
}

fn show_rows(rows: &[Vec<Cell>]) -> String {
    let show = |row: &Vec<Cell>| {
        let cells: Vec<String> = row
            .iter()
            .map(|cell| format!("{} {}", cell.heading, cell.shown()))
            .collect();
        cells.join(", ")
    };
    if rows.is_empty() {
        "nothing".to_owned()
    } else {
        rows.iter().map(show).collect::<Vec<_>>().join(" | ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&[&str]]) -> Vec<Line> {
        let rows: Vec<Vec<String>> = rows
            .iter()
            .map(|row| row.iter().map(|cell| (*cell).to_owned()).collect())
            .collect();
        Line::read_table(&rows)
    }

    fn lot(day: &str, units: &str) -> Vec<Cell> {
        vec![
            Cell::text("acquired on", day),
            Cell::figure("units", units.parse().ok().as_ref()),
        ]
    }

    #[test]
    fn rows_are_found_in_any_order_and_figures_by_value() {
        let expected = table(&[
            &["acquired on", "units"],
            &["2024-02-01", "10"],
            &["2024-01-01", "5.50"],
        ]);
        assert_eq!(
            compare_table(
                &expected,
                &[lot("2024-01-01", "5.5"), lot("2024-02-01", "10.0")]
            ),
            Ok(())
        );
    }

    #[test]
    fn a_wrong_figure_a_missing_row_and_a_row_too_many_are_found() {
        let expected = table(&[&["acquired on", "units"], &["2024-01-01", "5"]]);
        assert!(compare_table(&expected, &[lot("2024-01-01", "5.000000000000000001")]).is_err());
        assert!(compare_table(&expected, &[]).is_err());
        assert!(
            compare_table(&expected, &[lot("2024-01-01", "5"), lot("2024-01-01", "5")]).is_err()
        );
    }

    #[test]
    fn none_is_written_where_no_figure_may_stand() {
        let expected = table(&[&["value"], &["none"]]);
        let seen = |figure: Option<&str>| {
            let figure = figure.and_then(|text| text.parse().ok());
            vec![vec![Cell::figure("value", figure.as_ref())]]
        };
        assert_eq!(compare_table(&expected, &seen(None)), Ok(()));
        assert!(compare_table(&expected, &seen(Some("0"))).is_err());
    }

    #[test]
    fn a_column_nobody_knows_is_a_fault_of_the_feature() {
        let expected = table(&[&["colour"], &["red"]]);
        assert!(compare_table(&expected, &[lot("2024-01-01", "5")]).is_err());
    }

    #[test]
    fn a_stored_figure_is_compared_digit_for_digit() {
        let expected = table(&[&["percent"], &["33.330"]]);
        let seen = |text: &str| vec![Cell::spelling("percent", text.parse().ok().as_ref())];
        assert_eq!(compare_table(&expected, &[seen("33.330")]), Ok(()));
        assert!(compare_table(&expected, &[seen("33.33")]).is_err());
    }

    #[test]
    fn about_means_no_further_than_a_millionth() {
        let figure: Figure = "1502.008407286314806".parse().expect("a decimal");
        assert_eq!(agrees("≈ 1502.008407", &figure), Ok(true));
        assert_eq!(agrees("≈ 1502.008409", &figure), Ok(false));
        assert_eq!(agrees("1502.008407", &figure), Ok(false));
        assert_eq!(agrees("1,502.008407286314806", &figure), Ok(true));
    }
}

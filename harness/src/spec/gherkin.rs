//! Gherkin for people: steps with their tables, in which figures stand right and a yes is told from a no.

use cucumber::gherkin::{Step, Table};

use super::{html::Html, value::is_number};

/// A step as a page shows it.
#[derive(Debug, Clone)]
pub struct StepView {
    /// `Given`, `When`, `Then`, `And`, `But`.
    pub keyword: String,
    /// Whether it goes on with what the step before began.
    pub goes_on: bool,
    /// What it says, with placeholders and quoted words set apart.
    pub text: Html,
    /// Its table.
    pub table: Option<TableView>,
    /// Its literal text.
    pub literal: Option<String>,
}

/// A table as a page shows it.
#[derive(Debug, Clone)]
pub struct TableView {
    /// The first row.
    pub head: Vec<Html>,
    /// The others.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell.
#[derive(Debug, Clone)]
pub struct Cell {
    /// What stands in it.
    pub text: Html,
    /// `number`, `yes`, `no`, or nothing.
    pub class: &'static str,
}

/// A step for a page.
#[must_use]
pub fn step(step: &Step) -> StepView {
    let keyword = step.keyword.trim().to_owned();
    StepView {
        goes_on: !matches!(keyword.as_str(), "Given" | "When" | "Then"),
        keyword,
        text: marked(&step.value),
        table: step.table.as_ref().map(table),
        literal: step
            .docstring
            .as_ref()
            .map(|text| text.trim_matches('\n').to_owned()),
    }
}

/// A table for a page.
#[must_use]
pub fn table(table: &Table) -> TableView {
    let mut rows = table.rows.iter();
    let head = rows
        .next()
        .map(|row| row.iter().map(|cell| marked(cell)).collect());
    TableView {
        head: head.unwrap_or_default(),
        rows: rows
            .map(|row| row.iter().map(|text| cell(text)).collect())
            .collect(),
    }
}

/// A cell for a page.
#[must_use]
pub fn cell(text: &str) -> Cell {
    let class = match text {
        "yes" | "allowed" => "yes",
        "no" | "refused" => "no",
        _ if is_number(text) => "number",
        _ => "",
    };
    Cell {
        text: marked(text),
        class,
    }
}

/// A text in which `<placeholders>` and "quoted words" are set apart.
#[must_use]
pub fn marked(text: &str) -> Html {
    let mut html = Html::new();
    let mut rest = text;
    while let Some(start) = rest.find(['<', '"']) {
        let (before, from) = rest.split_at(start);
        let (closing, element) = if from.starts_with('<') {
            ('>', "var")
        } else {
            ('"', "q")
        };
        let Some(length) = from.get(1..).and_then(|inner| inner.find(closing)) else {
            break;
        };
        html.push_text(before);
        let inner = from.get(1..=length).unwrap_or_default();
        html = html.element(element, inner);
        rest = from.get(length + 2..).unwrap_or_default();
    }
    html.push_text(rest);
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_and_quoted_words_are_set_apart_and_escaped() {
        for (text, html) in [
            ("a <b c> d", "a <var>b c</var> d"),
            ("says \"<b>\" twice", "says <q>&#60;b&#62;</q> twice"),
            ("1 < 2", "1 &#60; 2"),
            ("an \"open end", "an &#34;open end"),
            ("\"ü\"", "<q>ü</q>"),
        ] {
            assert_eq!(marked(text).as_str(), html);
        }
    }
}

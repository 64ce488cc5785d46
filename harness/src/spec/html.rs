//! Text that is HTML already, kept apart by its type from text that still has to be escaped.
//!
//! Templates escape everything but this type, and none of them uses the filter `safe`. So this file and the three that
//! build an [`Html`] by hand ([`super::prose`], [`super::value`], [`super::schema`]) are all that has to be read to know
//! that no text of a server or a feature can become markup.

use std::fmt;

use askama::{
    Template,
    filters::{Escaper as _, HtmlSafe},
};

/// A piece of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Html(String);

impl HtmlSafe for Html {}

impl fmt::Display for Html {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Html {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A text, escaped.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        Self::new().text(text)
    }

    /// A template, filled in.
    ///
    /// # Errors
    /// None in practice: nothing a template shows fails to be written.
    pub fn of_template(template: &impl Template) -> Result<Self, askama::Error> {
        template.render().map(Self)
    }

    /// Adds a text, escaped.
    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        self.push_text(text);
        self
    }

    /// Adds markup that stands in the code of the program.
    #[must_use]
    pub fn markup(mut self, markup: &'static str) -> Self {
        self.0.push_str(markup);
        self
    }

    /// Adds a link with a text, both escaped.
    #[must_use]
    pub fn link(mut self, address: &str, text: &str) -> Self {
        self.push_markup("<a href=\"");
        self.push_text(address);
        self.push_markup("\">");
        self.push_text(text);
        self.push_markup("</a>");
        self
    }

    /// Adds a text in an element without attributes.
    #[must_use]
    pub fn element(mut self, name: &'static str, text: &str) -> Self {
        self.push_markup("<");
        self.push_markup(name);
        self.push_markup(">");
        self.push_text(text);
        self.push_markup("</");
        self.push_markup(name);
        self.push_markup(">");
        self
    }

    /// Adds another piece.
    #[must_use]
    pub fn piece(mut self, piece: &Self) -> Self {
        self.0.push_str(&piece.0);
        self
    }

    /// Adds a text, escaped.
    pub fn push_text(&mut self, text: &str) {
        // Writing to a string does not fail.
        let _ = askama::filters::Html.write_escaped_str(&mut self.0, text);
    }

    /// Adds markup that stands in the code of the program.
    pub fn push_markup(&mut self, markup: &'static str) {
        self.0.push_str(markup);
    }

    /// Takes what the Markdown library wrote; raw HTML was made text before.
    pub(super) fn of_markdown(rendered: String) -> Self {
        Self(rendered)
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The markup as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_in_elements_and_attributes() {
        let html = Html::new()
            .link("javascript:\"<x>\"", "<script>alert(1)</script>")
            .element("code", "a & b");
        for forbidden in ["<script", "\"<x>", "a & b"] {
            assert!(!html.as_str().contains(forbidden), "{html}");
        }
    }
}

//! Colours of the terminal, and when there are none.

use std::{env, fmt, io::IsTerminal};

/// What the user wants of colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ColorChoice {
    /// Colours on a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Colours everywhere.
    Always,
    /// No colours.
    Never,
}

/// Paints words, or leaves them as they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    colored: bool,
}

impl Style {
    /// No colours at all.
    pub const PLAIN: Self = Self { colored: false };
    /// Colours, wherever it is written to.
    pub const COLORED: Self = Self { colored: true };

    /// The style for a stream.
    #[must_use]
    pub fn choose(choice: ColorChoice, stream: &impl IsTerminal) -> Self {
        let colored = match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                let dumb = env::var_os("TERM").is_some_and(|value| value == "dumb");
                !unwanted && !dumb && stream.is_terminal()
            }
        };
        Self { colored }
    }

    /// Something that held.
    #[must_use]
    pub fn good(self, text: impl fmt::Display) -> String {
        self.paint("32", text)
    }

    /// Something that did not.
    #[must_use]
    pub fn bad(self, text: impl fmt::Display) -> String {
        self.paint("1;31", text)
    }

    /// Something to look at.
    #[must_use]
    pub fn doubtful(self, text: impl fmt::Display) -> String {
        self.paint("33", text)
    }

    /// A heading.
    #[must_use]
    pub fn strong(self, text: impl fmt::Display) -> String {
        self.paint("1", text)
    }

    /// Something less important.
    #[must_use]
    pub fn faint(self, text: impl fmt::Display) -> String {
        self.paint("2", text)
    }

    fn paint(self, code: &str, text: impl fmt::Display) -> String {
        if self.colored {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_beats_what_the_stream_is() {
        let stream = std::io::stderr();
        assert_eq!(Style::choose(ColorChoice::Always, &stream), Style::COLORED);
        assert_eq!(Style::choose(ColorChoice::Never, &stream), Style::PLAIN);
    }

    #[test]
    fn a_plain_style_changes_nothing() {
        assert_eq!(Style::PLAIN.bad("text"), "text");
        assert_eq!(Style::COLORED.good("text"), "\u{1b}[32mtext\u{1b}[0m");
    }
}

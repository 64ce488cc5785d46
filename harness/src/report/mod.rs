//! Reports: one outcome told to people (terminal) and to machines (JUnit, JSON, Markdown).
//!
//! Every report is made from [`crate::suite::RunOutcome`] alone, whose texts hold no token: they are redacted when a
//! scenario ends, before anything is written.

pub mod badge;
pub mod comparison;
pub mod file;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod printing;
pub mod progress;
pub mod reading;
pub mod recorded;
pub mod selftest;
pub mod style;
pub mod terminal;

pub use file::{Destination, Kind, ReportError};
pub use progress::Progress;
pub use recorded::{RecordedError, RecordedRun};
pub use style::{ColorChoice, Style};

#[cfg(test)]
mod tests;

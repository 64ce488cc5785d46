//! The command line: one file for each command.

pub mod explain;
pub mod list;
pub mod reference_server;
pub mod run;
pub mod selftest;
pub mod serve;

use crate::exit::Exit;

/// Runs the program and says how it ends.
#[must_use]
pub fn main() -> Exit {
    Exit::Usage
}

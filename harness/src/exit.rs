//! The exit codes: one enum, so that a script can rely on what each number means.

use std::process::ExitCode;

/// How the program ends. The numbers are part of the public interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// Everything in reach was proven.
    Conforms = 0,
    /// A requirement is violated.
    Violated = 1,
    /// Wrong usage or configuration: an unknown flag, profile, requirement or scenario, a broken `proofmark.toml`.
    Usage = 2,
    /// Something in reach could not be proven: nothing selected, target not reachable or not startable.
    Incomplete = 3,
    /// The harness or one of its mocks is at fault; an undefined step is this.
    HarnessFault = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

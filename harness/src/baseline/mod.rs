//! The baseline: failures that are known and accepted for a while, so that a new one is seen among them.
//!
//! Reading order: [`file`] (how one is written), [`judge`] (what it does to the outcome of a run), [`renew`] (how
//! `--write-baseline` makes one from a run). An entry hides one failure of one requirement in one scenario and nothing
//! else; one that hides nothing any more, or whose time has come, fails the run.

pub mod file;
pub mod judge;
pub mod renew;

pub use file::{Baseline, BaselineError, Known};
pub use judge::{Compared, EntryProblem, Fate, apply};
pub use renew::renewed;

#[cfg(test)]
mod tests;

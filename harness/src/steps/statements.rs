//! Steps about statement files and their import.

/// What a scenario remembers about statement files and their import.
#[derive(Debug, Default)]
pub struct Statements {}

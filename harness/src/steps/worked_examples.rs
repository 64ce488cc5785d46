//! Steps about golden figures.

/// What a scenario remembers about golden figures.
#[derive(Debug, Default)]
pub struct WorkedExamples {}

//! Steps about the protocol's own rules.

/// What a scenario remembers about the protocol's own rules.
#[derive(Debug, Default)]
pub struct Protocol {}

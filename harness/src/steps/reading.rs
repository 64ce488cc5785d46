//! Steps about figures asked for and compared.

/// What a scenario remembers about figures asked for and compared.
#[derive(Debug, Default)]
pub struct Reading {}

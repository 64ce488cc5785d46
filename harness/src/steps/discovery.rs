//! Steps about metadata and challenges.

/// What a scenario remembers about metadata and challenges.
#[derive(Debug, Default)]
pub struct Discovery {}

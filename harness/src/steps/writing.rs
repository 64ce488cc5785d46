//! Steps about previews, commits and undo.

/// What a scenario remembers about previews, commits and undo.
#[derive(Debug, Default)]
pub struct Writing {}

//! Steps about a server that is killed and started again.

/// What a scenario remembers about a server that is killed and started again.
#[derive(Debug, Default)]
pub struct Durability {}

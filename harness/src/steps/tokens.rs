//! Steps about tokens and who may call.

/// What a scenario remembers about tokens and who may call.
#[derive(Debug, Default)]
pub struct Tokens {}

//! Steps about members and roles.

/// What a scenario remembers about members and roles.
#[derive(Debug, Default)]
pub struct People {}

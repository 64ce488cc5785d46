//! Steps about a person's book: parties, accounts, items.

/// What a scenario remembers about a person's book: parties, accounts, items.
#[derive(Debug, Default)]
pub struct Book {}

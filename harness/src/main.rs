//! Command line of Proofmark.
fn main() {}

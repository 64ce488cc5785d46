//! Command line of the reference server.
fn main() {}

//! The configuration file of a target, `proofmark.toml`.

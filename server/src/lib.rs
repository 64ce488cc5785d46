//! Proofmark reference server.

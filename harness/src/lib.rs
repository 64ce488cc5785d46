//! Proofmark conformance harness.

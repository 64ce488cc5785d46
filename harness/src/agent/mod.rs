//! The harness in the place of the AI agent that imports documents: it reads a file as a bank or broker exports it, maps it
//! with the aliases of the server's own guide, and records it.
//!
//! Reading order: [`statement`] (bytes to a table), [`guide`] (what the server says columns and words mean), [`format`]
//! (how a file writes dates and numbers), [`mapping`] (table to entries).

pub mod format;
pub mod guide;

pub mod mapping;
pub mod statement;

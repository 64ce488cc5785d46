//! The harness in the place of the AI agent that imports documents: it reads a file as a bank or broker exports it, maps it
//! with the aliases of the server's own guide, and records it.
//!
//! Reading order: [`statement`] (bytes to a table), [`guide`] (what the server says columns and words mean), [`format`]
//! (how a file writes dates and numbers), [`mapping`] (table to entries), [`import`] (entries to a batch).

pub mod format;
pub mod guide;
pub mod import;
pub mod mapping;
pub mod statement;

use include_dir::{Dir, include_dir};

/// Statements in the formats that people export.
static STATEMENTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../fixtures/statements");

/// The bytes of a statement file that comes with the harness; none has another name.
#[must_use]
pub fn statement_file(name: &str) -> Option<&'static [u8]> {
    STATEMENTS.get_file(name).map(include_dir::File::contents)
}

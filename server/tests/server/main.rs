//! The server over its real HTTP interface, with a small profile of its own: door, discovery, protocol.

mod discovery;
mod keys;
mod program;
mod protocol;
mod support;
mod tokens;

//! The mock authorization server: metadata, key set, and the mint that signs whatever a recipe asks for.
//!
//! An axum application behind a gate. Login and consent are not played yet: their endpoints say so with 501.

pub mod keys;
mod members;
pub mod metadata;
pub mod mint;
mod server;

pub use keys::KeyRing;
pub use server::AuthorizationServer;

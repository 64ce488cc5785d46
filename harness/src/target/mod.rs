//! The server under test: built in, a command to start, or a URL.

/// The server under test, as steps see it.
#[derive(Debug, Clone)]
pub struct Target {
    /// The MCP endpoint.
    pub endpoint: url::Url,
}

/// A target that was started for one scenario alone.
#[derive(Debug)]
pub struct Running;

//! How a server is spoken to: an MCP session, and the raw wire for what a client library hides.

/// A published revision of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Revision {
    /// 2025-06-18
    V2025_06_18,
    /// 2025-11-25
    V2025_11_25,
    /// 2026-07-28
    V2026_07_28,
}

/// Every exchange of one scenario, with tokens redacted when they are written down.
#[derive(Debug, Clone, Default)]
pub struct Recorder;

impl Recorder {
    /// The exchanges so far, one line each.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        Vec::new()
    }

    /// How many requests were sent.
    #[must_use]
    pub fn requests(&self) -> u64 {
        0
    }
}

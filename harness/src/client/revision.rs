//! The MCP revisions the harness speaks, and which of the two eras each belongs to.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A published revision of the Model Context Protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Revision {
    /// 2025-06-18: `initialize` handshake, the `MCP-Protocol-Version` header is new.
    #[serde(rename = "2025-06-18")]
    V2025_06_18,
    /// 2025-11-25: the last revision with a handshake.
    #[serde(rename = "2025-11-25")]
    V2025_11_25,
    /// 2026-07-28: stateless; every request carries its own version and capabilities in `_meta`.
    #[serde(rename = "2026-07-28")]
    V2026_07_28,
}

/// A date that names no revision the harness speaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no MCP revision the harness speaks: use 2025-06-18, 2025-11-25 or 2026-07-28")]
pub struct UnknownRevision(String);

impl Revision {
    /// Every revision, oldest first: the suite runs once for each.
    pub const ALL: [Revision; 3] = [
        Revision::V2025_06_18,
        Revision::V2025_11_25,
        Revision::V2026_07_28,
    ];

    /// Whether requests stand alone (no `initialize`, `_meta` and mirrored headers instead).
    pub fn is_modern(self) -> bool {
        self >= Revision::V2026_07_28
    }

    /// The date that names the revision on the wire.
    pub fn date(self) -> &'static str {
        match self {
            Revision::V2025_06_18 => "2025-06-18",
            Revision::V2025_11_25 => "2025-11-25",
            Revision::V2026_07_28 => "2026-07-28",
        }
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.date())
    }
}

impl FromStr for Revision {
    type Err = UnknownRevision;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Revision::ALL
            .into_iter()
            .find(|revision| revision.date() == text)
            .ok_or_else(|| UnknownRevision(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_reads_back_from_its_date() {
        for revision in Revision::ALL {
            assert_eq!(revision.to_string().parse(), Ok(revision));
        }
    }

    #[test]
    fn only_the_newest_revision_is_stateless() {
        assert_eq!(Revision::ALL.map(Revision::is_modern), [false, false, true]);
    }

    #[test]
    fn an_unknown_date_names_the_known_ones() {
        let refusal = "2024-11-05".parse::<Revision>().unwrap_err().to_string();
        assert!(refusal.contains("2024-11-05") && refusal.contains("2026-07-28"));
    }
}

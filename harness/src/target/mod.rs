//! The server under test: built in, a command to start, or an address.

pub mod database;
mod disk;
pub mod error;
pub mod facts;
pub mod launcher;
pub mod local;
mod output;
mod placeholders;
mod process;
pub mod process_table;
mod reference;
mod replicas;
pub mod tokens;

use std::fmt;

use serde::{Deserialize, Serialize};
use url::Url;

pub use error::TargetError;
pub use facts::{Authorization, Bearing, Facts, Part};
pub use launcher::{LaunchOptions, Launcher, Running};
pub use local::{Imported, LocalProcess, LocalProgram};
pub use tokens::{TokenArgument, TokenError, TokenRole, TokenSource};

/// How the target came to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The reference server that Proofmark brings along.
    Reference,
    /// A server that runs already.
    Url,
    /// A command that Proofmark starts and ends.
    Command,
    /// A command that speaks over its standard streams, started anew for each scenario.
    Stdio,
}

/// How much control over the target there is, from least to most. Each level includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// Its address only.
    Url,
    /// Tokens that somebody brought.
    Token,
    /// It trusts the mock authorization server, so any token can be minted.
    MockAs,
    /// It takes its time and its providers from the mocks as well.
    Control,
}

impl fmt::Display for Access {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Url => "url",
            Self::Token => "token",
            Self::MockAs => "mock-as",
            Self::Control => "control",
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Reference => "reference",
            Self::Url => "url",
            Self::Command => "command",
            Self::Stdio => "stdio",
        })
    }
}

/// Which of the reference server's services is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Service {
    /// The ledger of personal wealth, at `/mcp`.
    #[default]
    Worthbase,
    /// Company payables, at the root.
    Kobana,
}

/// A server under test that can be talked to.
#[derive(Debug, Clone)]
pub struct Target {
    /// How it came to be there.
    pub kind: Kind,
    /// Name for reports.
    pub name: String,
    /// Where MCP is spoken; `stdio:` and the program for one that has no address.
    pub endpoint: Url,
    /// Canonical address of the resource: what a good token's audience is.
    pub resource: String,
    /// How much control over it there is.
    pub access: Access,
    /// The contract it claims to keep, such as `worthbase/1`; rows of tier X apply only then.
    pub contract: Option<String>,
}

#[cfg(test)]
mod tests;

//! Starts a server under test, as often as scenarios need one of their own.

use std::path::PathBuf;
use std::time::Duration;

use url::Url;

use super::{Target, TargetError};
use crate::mocks::Mocks;

/// How a target is started; kept for the whole run, because isolated scenarios start their own.
#[derive(Debug, Clone)]
pub enum Launcher {
    /// The reference server that Proofmark brings along.
    Reference,
    /// A server that runs already; starting only checks that it answers.
    Url {
        /// Where MCP is spoken.
        endpoint: Url,
        /// Name for reports.
        name: Option<String>,
        /// The contract it claims.
        contract: Option<String>,
    },
    /// A command, with placeholders such as `{port}`.
    Command {
        /// The command line.
        line: String,
        /// Name for reports.
        name: Option<String>,
        /// The contract it claims.
        contract: Option<String>,
    },
}

/// What one start of a target is to be like.
#[derive(Debug, Clone)]
pub struct LaunchOptions {
    /// Folder that outlives a restart; without it the reference server keeps its store in memory and a command gets a
    /// temporary folder.
    pub data: Option<PathBuf>,
    /// The reference server's `Rules` as JSON; the correct ones without it.
    pub rules: Option<serde_json::Value>,
    /// Whether the reference server runs as a process of its own, so that it can be killed.
    pub own_process: bool,
    /// The `proofmark` executable to run for that; this one without it.
    pub executable: Option<PathBuf>,
    /// Bound on the server's calls to providers.
    pub upstream_timeout: Duration,
    /// How long a command may take until its port answers.
    pub ready_within: Duration,
    /// Port to listen on; any free one without it.
    pub port: Option<u16>,
}

impl Default for LaunchOptions {
    fn default() -> Self {
        Self {
            data: None,
            rules: None,
            own_process: false,
            executable: None,
            upstream_timeout: Duration::from_millis(500),
            ready_within: Duration::from_secs(30),
            port: None,
        }
    }
}

impl Launcher {
    /// Starts the target and waits until it answers.
    ///
    /// # Errors
    /// If it cannot be started or reached; see [`TargetError`].
    pub async fn start(
        &self,
        _mocks: Option<&Mocks>,
        _options: &LaunchOptions,
    ) -> Result<Running, TargetError> {
        Err(TargetError::Reference("not started".to_owned()))
    }
}

/// A target that was started, until it is stopped or dropped.
#[derive(Debug)]
pub struct Running {
    target: Target,
}

impl Running {
    /// How to talk to it.
    #[must_use]
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Ends it in good order, with all its children; a target that was not started here is left alone.
    ///
    /// # Errors
    /// If the operating system does not let it.
    pub async fn stop(self) -> Result<(), TargetError> {
        Ok(())
    }

    /// Ends it without warning (SIGKILL), as a crash would.
    ///
    /// # Errors
    /// If it is no process of its own.
    pub async fn kill(&mut self) -> Result<(), TargetError> {
        Err(TargetError::NotOurs("killed"))
    }

    /// Starts it again after [`Running::kill`], on the same port and the same data folder.
    ///
    /// # Errors
    /// If it does not come back.
    pub async fn restart(&mut self) -> Result<(), TargetError> {
        Err(TargetError::NotOurs("restarted"))
    }
}

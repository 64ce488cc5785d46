//! Why a server under test could not be had. The run is then incomplete (exit 3), never passed.

use std::time::Duration;

use thiserror::Error;

/// The target could not be started or reached.
#[derive(Debug, Error)]
pub enum TargetError {
    /// Nobody listens at the address.
    #[error(
        "the server under test at {endpoint} cannot be reached: {reason}; check the address and that the server runs"
    )]
    Unreachable {
        /// The address.
        endpoint: String,
        /// What the operating system said.
        reason: String,
    },
    /// The command could not be run at all.
    #[error("the command `{command}` cannot be started: {reason}")]
    CommandNotStarted {
        /// The command with its placeholders filled in.
        command: String,
        /// What the operating system said.
        reason: String,
    },
    /// The command ended before its port answered.
    #[error(
        "the command `{command}` ended with {status} before its port answered; its last output:\n{output}"
    )]
    CommandDied {
        /// The command with its placeholders filled in.
        command: String,
        /// Exit status in words.
        status: String,
        /// The last lines it wrote.
        output: String,
    },
    /// The command runs but its port stayed silent.
    #[error("the command `{command}` did not answer on port {port} within {}s; its last output:\n{output}", waited.as_secs())]
    NotReady {
        /// The command with its placeholders filled in.
        command: String,
        /// The port it was told to use.
        port: u16,
        /// How long it was waited for.
        waited: Duration,
        /// The last lines it wrote.
        output: String,
    },
    /// The command line holds a quotation that does not end, or nothing.
    #[error("the command `{command}` cannot be read: {reason}")]
    CommandMalformed {
        /// As it was given.
        command: String,
        /// What is wrong.
        reason: String,
    },
    /// A placeholder that does not exist.
    #[error("the command names {{{name}}}, which is no placeholder; there are {known}")]
    UnknownPlaceholder {
        /// The name between the braces.
        name: String,
        /// Those that exist.
        known: String,
    },
    /// The built-in reference server did not start.
    #[error("the reference server did not start: {0}")]
    Reference(String),
    /// The target needs mocks, and there are none.
    #[error("a {0} target needs Proofmark's mocks, which are not running")]
    MocksMissing(super::Kind),
    /// A running server that was not started here cannot be stopped or killed here.
    #[error("this target was not started by Proofmark, so it cannot be {0} by it")]
    NotOurs(&'static str),
    /// The reference server runs in this process, which would die with it.
    #[error(
        "the reference server runs inside Proofmark here and cannot be {0}; start it as a process of its own"
    )]
    SameProcess(&'static str),
    /// Something of the operating system failed: a port, a folder, a signal.
    #[error("{doing}: {source}")]
    System {
        /// What was being done.
        doing: &'static str,
        /// What the operating system said.
        source: std::io::Error,
    },
}

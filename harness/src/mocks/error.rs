//! What can go wrong while the mocks are started, steered or asked; always a fault of the harness, never of the target.

use thiserror::Error;

/// A mock could not do what it was asked to do.
#[derive(Debug, Error)]
pub enum MockError {
    /// A mock could not listen on its port.
    #[error("the {mock} mock cannot listen on port {port}: {source}")]
    Listen {
        /// Which mock, in words.
        mock: &'static str,
        /// The port asked for; 0 means any free one.
        port: u16,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The key material in `fixtures/keys` or an instrument list in `fixtures/providers` could not be read.
    #[error("the fixture {name} is unusable: {reason}")]
    Fixture {
        /// File name inside `fixtures/`.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A token recipe asks for something the mint cannot do.
    #[error("this token cannot be minted: {0}")]
    Mint(String),
    /// No defect of this name stands in the token catalogue.
    #[error("no token defect is called \"{0}\"; `fixtures/tokens/variations.toml` lists them all")]
    UnknownDefect(String),
    /// A command does not fit the mock it names.
    #[error("the mocks refuse this command: {0}")]
    Refused(String),
    /// The admin interface of another process did not answer.
    #[error(
        "the mocks' admin interface at {admin} does not answer: {reason}; is `proofmark serve` still running?"
    )]
    Unreachable {
        /// Address of the admin interface.
        admin: String,
        /// What the HTTP client said.
        reason: String,
    },
    /// The admin interface answered, but not with what the command promises.
    #[error("the mocks' admin interface gave an unexpected answer: {0}")]
    UnexpectedAnswer(String),
}

//! What surrounds a scenario: the server under test and the mocks it trusts.

use std::time::Duration;

use crate::{mocks::Mocks, target::Target};

/// The server under test and its surroundings, shared by all scenarios or made for one `@isolated` scenario.
#[derive(Debug)]
pub struct Environment {
    /// The server under test.
    pub target: Target,
    /// The mocks the server trusts; none when the access is `url` or `token`.
    pub mocks: Option<Mocks>,
    /// The longest time one request may take.
    pub request_timeout: Duration,
    /// Whether this was made for one scenario alone, which may then move the clock, break a provider or stop the server.
    pub isolated: bool,
}

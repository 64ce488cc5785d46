//! Starts and holds all mocks of one environment.

use serde::{Deserialize, Serialize};
use url::Url;

use super::clock::MockClock;
use super::error::MockError;

/// Where each mock listens. All of it is plain HTTP on loopback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Addresses {
    /// Issuer of the tokens; without a slash at its end when used as the `iss` claim, see [`Addresses::issuer_text`].
    pub issuer: Url,
    /// Key set of the issuer.
    pub jwks_uri: Url,
    /// User directory.
    pub directory: Url,
    /// Subscription directory.
    pub subscriptions: Url,
    /// Yahoo Finance.
    pub yahoo: Url,
    /// CoinGecko.
    pub coingecko: Url,
    /// European Central Bank.
    pub ecb: Url,
    /// Control, version 1: `GET {control}/now`.
    pub control: Url,
    /// Admin interface: `POST` an [`super::admin::Command`].
    pub admin: Url,
}

impl Addresses {
    /// The issuer exactly as tokens and metadata spell it: without a trailing slash.
    #[must_use]
    pub fn issuer_text(&self) -> &str {
        self.issuer.as_str().trim_end_matches('/')
    }
}

/// How a set of mocks is started.
#[derive(Debug, Clone, Default)]
pub struct MockOptions {
    /// The clock everything goes by.
    pub clock: MockClock,
    /// First of the ports to use, one after the other; any free ports without it.
    pub first_port: Option<u16>,
}

/// All mocks of one environment, listening until dropped.
#[derive(Debug)]
pub struct MockSet {
    addresses: Addresses,
}

impl MockSet {
    /// Starts every mock on loopback.
    ///
    /// # Errors
    /// If a port cannot be had or a fixture is unusable.
    pub async fn start(_options: MockOptions) -> Result<Self, MockError> {
        Err(MockError::Refused("not started".to_owned()))
    }

    /// Where the mocks listen.
    #[must_use]
    pub fn addresses(&self) -> &Addresses {
        &self.addresses
    }
}

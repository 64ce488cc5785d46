//! Everything a server is started with.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use url::Url;

use crate::clock::Clock;
use crate::rules::Rules;

/// Where the store lives.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum StoreLocation {
    /// In memory, gone when the server stops.
    #[default]
    Memory,
    /// In a SQLite file, which is made when it is missing.
    File(PathBuf),
}

/// How to start a server. Addresses are base addresses without a final slash that matters.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where to listen; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The canonical address of the MCP endpoint, which tokens must name as audience; `http://{address}/mcp` when absent.
    pub resource: Option<Url>,
    /// The authorization server, exactly as its tokens and metadata write it.
    pub issuer: String,
    /// Its keys; taken from its metadata when absent.
    pub jwks_uri: Option<Url>,
    /// The user directory.
    pub directory: Url,
    /// The subscription directory.
    pub subscriptions: Url,
    /// Yahoo Finance.
    pub yahoo: Url,
    /// CoinGecko.
    pub coingecko: Url,
    /// The European Central Bank.
    pub ecb: Url,
    /// The bank of the payables profile, which is started with [`crate::start_kobana`].
    pub bank: Option<Url>,
    /// Where batches are kept.
    pub store: StoreLocation,
    /// The time.
    pub clock: Clock,
    /// How long a provider may take.
    pub upstream_timeout: Duration,
    /// The server's choices.
    pub rules: Rules,
}

impl Settings {
    /// Settings for a server on a free loopback port, with every provider at its own address and everything else at its default.
    pub fn new(issuer: impl Into<String>, providers: ProviderAddresses) -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            resource: None,
            issuer: issuer.into(),
            jwks_uri: None,
            directory: providers.directory,
            subscriptions: providers.subscriptions,
            yahoo: providers.yahoo,
            coingecko: providers.coingecko,
            ecb: providers.ecb,
            bank: None,
            store: StoreLocation::Memory,
            clock: Clock::System,
            upstream_timeout: Duration::from_secs(5),
            rules: Rules::default(),
        }
    }
}

/// The base addresses of the services the server asks.
#[derive(Debug, Clone)]
pub struct ProviderAddresses {
    /// The user directory.
    pub directory: Url,
    /// The subscription directory.
    pub subscriptions: Url,
    /// Yahoo Finance.
    pub yahoo: Url,
    /// CoinGecko.
    pub coingecko: Url,
    /// The European Central Bank.
    pub ecb: Url,
}

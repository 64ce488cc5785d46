//! The services the server asks over HTTP: user directory, subscription directory, exchange rates, prices. Every call is bounded in time and size and fails closed.

use std::time::Duration;

use url::Url;

mod bank;
mod coingecko;
mod digits;
mod members;
mod quotes;
mod rates;
mod subscriptions;
mod users;
mod yahoo;

pub use bank::{Bank, Order};
pub use coingecko::{CoinGecko, CoinPrices, MOST_COINS, is_coin_id, quote as quote_of_coin};
pub use members::{
    ChannelState, Channels, McpChannels, Member, MemberDirectory, Membership, MembershipState,
    Organization, Workspace,
};
pub use quotes::{Listing, Quote, QuoteReading};
pub use rates::EuropeanCentralBank;
pub use subscriptions::{Subscription, SubscriptionDirectory, SubscriptionStatus};
pub use users::{User, UserDirectory};
pub use yahoo::YahooFinance;

use crate::mcp::fault::Fault;

/// Why a provider gave no usable answer.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// No connection, or no complete answer within the timeout.
    #[error("no answer: {0}")]
    Unreachable(String),
    /// An answer with a status that means no success.
    #[error("status {0}")]
    Status(u16),
    /// More bytes than the provider's real answers ever have.
    #[error("the answer is larger than {0} bytes")]
    TooLarge(usize),
    /// An answer that is not in the provider's format.
    #[error("unreadable answer: {0}")]
    Unreadable(String),
}

impl ProviderError {
    /// The tool error that tells the caller which provider failed; the cause goes to the log only, because it may hold addresses.
    pub fn into_fault(self, provider: &str) -> Fault {
        tracing::warn!(provider, error = %self, "a provider gave no usable answer");
        Fault::new(
            "provider_unavailable",
            format!("The {provider} did not give a usable answer, so nothing was read or written. Try again in a minute."),
        )
        .with("provider", provider)
    }
}

/// `base` with `segments` appended to its path, each percent-encoded, so that an id never changes the path it stands in.
pub(crate) fn join(base: &Url, segments: &[&str]) -> Url {
    let mut url = base.clone();
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
    url
}

/// The body of a 200 answer to `GET url`, read within `timeout` and up to `limit` bytes.
pub(crate) async fn fetch(
    client: &reqwest::Client,
    url: Url,
    timeout: Duration,
    limit: usize,
) -> Result<Vec<u8>, ProviderError> {
    send(client.get(url), timeout, limit).await
}

/// Sends `request` and reads the body of a success answer, within `timeout` for the whole exchange and up to `limit` bytes.
pub(crate) async fn send(
    request: reqwest::RequestBuilder,
    timeout: Duration,
    limit: usize,
) -> Result<Vec<u8>, ProviderError> {
    exchange(request, timeout, limit)
        .await
        .map(|(_, body)| body)
}

/// Like [`send`], with the answer's headers.
pub(crate) async fn exchange(
    request: reqwest::RequestBuilder,
    timeout: Duration,
    limit: usize,
) -> Result<(http::HeaderMap, Vec<u8>), ProviderError> {
    let unreachable =
        |error: reqwest::Error| ProviderError::Unreachable(error.without_url().to_string());
    let mut answer = request.timeout(timeout).send().await.map_err(unreachable)?;
    if !answer.status().is_success() {
        return Err(ProviderError::Status(answer.status().as_u16()));
    }
    let headers = std::mem::take(answer.headers_mut());
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(unreachable)? {
        if body.len() + chunk.len() > limit {
            return Err(ProviderError::TooLarge(limit));
        }
        body.extend_from_slice(&chunk);
    }
    Ok((headers, body))
}

/// A client for providers: it follows no redirect, because an answer from elsewhere is not the provider's.
pub(crate) fn client() -> Result<reqwest::Client, reqwest::Error> {
    crate::crypto::http_client()
        .user_agent(concat!("proofmark-server/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_with_slashes_stays_one_segment() {
        let base = Url::parse("http://127.0.0.1:9/base/").unwrap();
        assert_eq!(
            join(&base, &["users", "a/../b?c"]).as_str(),
            "http://127.0.0.1:9/base/users/a%2F..%2Fb%3Fc"
        );
    }
}

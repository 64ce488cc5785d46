//! What the mocks were asked: bounded, searchable, and never printed with a credential in it.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::breakage::Provider;
use super::token::Token;

/// Requests kept for each provider; older ones are dropped, but stay counted.
const KEPT: usize = 4096;

/// Bytes kept of one request for the search for leaked tokens.
const SEARCHED: usize = 64 * 1024;

/// One request that reached a mock. Header values and bodies stay inside the mock, where only a search sees them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedRequest {
    /// Who was asked; for the authorization server the part of it.
    pub provider: Provider,
    /// `GET`, `PUT`, …
    pub method: String,
    /// Path without the query, as it was sent.
    pub path: String,
    /// Query without the question mark, if there was one.
    pub query: Option<String>,
    /// Whether an `Authorization` header came with it; its value is not kept here.
    pub authorization: bool,
    /// Time of the steered clock when it arrived.
    pub at: Timestamp,
}

/// All requests of one set of mocks.
#[derive(Debug, Default)]
pub struct RequestLog {
    logs: Mutex<HashMap<Provider, Log>>,
}

#[derive(Default)]
struct Log {
    count: u64,
    kept: VecDeque<Kept>,
}

/// Shows how much there is, never what: the texts hold credentials.
impl std::fmt::Debug for Log {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Log({} requests)", self.count)
    }
}

struct Kept {
    request: RecordedRequest,
    /// Request line, headers and the beginning of the body.
    text: Vec<u8>,
}

impl RequestLog {
    /// Keeps `request`, with everything it said as `text` for later searches.
    pub fn keep(&self, request: RecordedRequest, mut text: Vec<u8>) {
        text.truncate(SEARCHED);
        let mut logs = self.lock();
        let log = logs.entry(request.provider).or_default();
        log.count += 1;
        log.kept.push_back(Kept { request, text });
        if log.kept.len() > KEPT {
            log.kept.pop_front();
        }
    }

    /// How often `provider` was asked.
    #[must_use]
    pub fn count(&self, provider: Provider) -> u64 {
        let logs = self.lock();
        provider
            .parts()
            .iter()
            .filter_map(|part| logs.get(part))
            .map(|log| log.count)
            .sum()
    }

    /// What `provider` was asked, oldest first.
    #[must_use]
    pub fn requests(&self, provider: Provider) -> Vec<RecordedRequest> {
        let logs = self.lock();
        let parts = provider.parts().iter().filter_map(|part| logs.get(part));
        parts
            .flat_map(|log| log.kept.iter().map(|kept| kept.request.clone()))
            .collect()
    }

    /// Forgets what `provider` was asked.
    pub fn forget(&self, provider: Provider) {
        let mut logs = self.lock();
        for part in provider.parts() {
            logs.remove(part);
        }
    }

    /// Requests to any provider in which `token` turned up.
    #[must_use]
    pub fn leaks(&self, token: &Token) -> Vec<RecordedRequest> {
        let wanted = token.expose().as_bytes();
        if wanted.is_empty() {
            return Vec::new();
        }
        let logs = self.lock();
        let all = logs.values().flat_map(|log| &log.kept);
        all.filter(|kept| {
            kept.text
                .windows(wanted.len())
                .any(|window| window == wanted)
        })
        .map(|kept| kept.request.clone())
        .collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Provider, Log>> {
        // A log is only appended to: what a panic elsewhere leaves behind is whole.
        self.logs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(provider: Provider) -> RecordedRequest {
        RecordedRequest {
            provider,
            method: "GET".to_owned(),
            path: "/".to_owned(),
            query: None,
            authorization: false,
            at: Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn the_authorization_server_counts_all_its_parts() {
        let log = RequestLog::default();
        log.keep(request(Provider::Keys), Vec::new());
        log.keep(request(Provider::Metadata), Vec::new());
        log.keep(request(Provider::Yahoo), Vec::new());
        assert_eq!(log.count(Provider::Authorization), 2);
        log.forget(Provider::Keys);
        assert_eq!(log.count(Provider::Authorization), 1);
    }

    #[test]
    fn counts_beyond_what_it_keeps() {
        let log = RequestLog::default();
        for _ in 0..KEPT + 3 {
            log.keep(request(Provider::Ecb), Vec::new());
        }
        assert_eq!(log.count(Provider::Ecb), KEPT as u64 + 3);
        assert_eq!(log.requests(Provider::Ecb).len(), KEPT);
    }

    #[test]
    fn finds_a_leaked_token_and_prints_none() {
        let log = RequestLog::default();
        log.keep(
            request(Provider::Yahoo),
            b"GET /?key=abc.def.ghi HTTP/1.1".to_vec(),
        );
        assert_eq!(log.leaks(&Token::new("abc.def.ghi")).len(), 1);
        assert!(log.leaks(&Token::new("abc.def.xyz")).is_empty());
        assert!(!format!("{log:?}").contains("abc.def"));
    }
}

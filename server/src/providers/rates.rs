//! Reference rates of the European Central Bank: the whole history as one CSV, kept for a day.

use std::time::Duration;

use url::Url;

/// The bank's rates.
#[derive(Debug)]
pub struct EuropeanCentralBank {
    base: Url,
    client: reqwest::Client,
    timeout: Duration,
}

impl EuropeanCentralBank {
    /// The bank at `base`, each fetch bounded by `timeout`.
    pub fn new(base: Url, client: reqwest::Client, timeout: Duration) -> Self {
        Self {
            base,
            client,
            timeout,
        }
    }
}

//! The bank that pays and charges: `POST {bank}/dispatches` and `POST {bank}/charges`.

use std::time::Duration;

use serde::Serialize;
use url::Url;

use super::ProviderError;

/// Longest answer of the bank that is read, in bytes.
const ANSWER_LIMIT: usize = 64 * 1024;

/// Money that is to be moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Order {
    /// Id of the payable or receivable; the bank carries out one order of each id.
    pub id: String,
    /// Id of its workspace.
    pub workspace_id: String,
    /// Amount in BRL, a decimal string.
    pub amount: String,
}

/// The bank.
#[derive(Debug, Clone)]
pub struct Bank {
    base: Url,
    client: reqwest::Client,
    timeout: Duration,
}

impl Bank {
    /// A bank at `base`, each order bounded by `timeout`.
    pub fn new(base: Url, client: reqwest::Client, timeout: Duration) -> Self {
        Self {
            base,
            client,
            timeout,
        }
    }

    /// Has a payable paid.
    ///
    /// # Errors
    /// When the bank does not accept the order in time.
    pub async fn dispatch(&self, order: &Order) -> Result<(), ProviderError> {
        self.order("dispatches", order).await
    }

    /// Has a receivable charged.
    ///
    /// # Errors
    /// When the bank does not accept the order in time.
    pub async fn charge(&self, order: &Order) -> Result<(), ProviderError> {
        self.order("charges", order).await
    }

    async fn order(&self, kind: &str, order: &Order) -> Result<(), ProviderError> {
        let url = super::join(&self.base, &[kind]);
        let request = self.client.post(url).json(order);
        super::send(request, self.timeout, ANSWER_LIMIT)
            .await
            .map(drop)
    }
}

//! Whether a workspace is paid for: `GET` and `PUT {subscriptions}/workspaces/{id}`.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;
use url::Url;

use super::ProviderError;

/// Longest answer of the subscription directory that is read, in bytes.
const ANSWER_LIMIT: usize = 64 * 1024;

/// The state of a subscription. A word this server does not know opens nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubscriptionStatus {
    /// In its trial.
    Trialing,
    /// Paid.
    Active,
    /// A payment failed.
    PastDue,
    /// Ended by the customer.
    Canceled,
    /// Ended by time.
    Expired,
    /// There is none.
    None,
    /// Any other word, kept as it came.
    #[serde(untagged)]
    Other(String),
}

/// A workspace's subscription.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subscription {
    /// Its state.
    pub status: SubscriptionStatus,
    /// The last day it covers, where one is set.
    #[serde(default)]
    pub ends_on: Option<jiff::civil::Date>,
}

impl Subscription {
    /// A workspace nobody ever opened a trial for.
    pub fn absent() -> Self {
        Self {
            status: SubscriptionStatus::None,
            ends_on: None,
        }
    }

    /// Whether the workspace may be read and changed: only a trial or a paid subscription opens it.
    pub fn is_open(&self) -> bool {
        matches!(
            self.status,
            SubscriptionStatus::Trialing | SubscriptionStatus::Active
        )
    }
}

/// The subscription directory.
#[derive(Debug, Clone)]
pub struct SubscriptionDirectory {
    base: Url,
    client: reqwest::Client,
    timeout: Duration,
}

impl SubscriptionDirectory {
    /// A directory at `base`, each question bounded by `timeout`.
    pub fn new(base: Url, client: reqwest::Client, timeout: Duration) -> Self {
        Self {
            base,
            client,
            timeout,
        }
    }

    /// The subscription of `workspace`; a workspace the directory does not know (404) has none.
    ///
    /// # Errors
    /// When the directory does not answer in its format and in time.
    pub async fn status(&self, workspace: &str) -> Result<Subscription, ProviderError> {
        let url = super::join(&self.base, &["workspaces", workspace]);
        match super::fetch(&self.client, url, self.timeout, ANSWER_LIMIT).await {
            Err(ProviderError::Status(404)) => Ok(Subscription::absent()),
            answer => read(&answer?),
        }
    }

    /// Opens the trial of a new `workspace` and returns its subscription.
    ///
    /// # Errors
    /// When the directory does not answer in its format and in time; the caller must then not create the workspace.
    pub async fn open_trial(&self, workspace: &str) -> Result<Subscription, ProviderError> {
        let url = super::join(&self.base, &["workspaces", workspace]);
        let request = self.client.put(url).json(&json!({ "status": "trialing" }));
        read(&super::send(request, self.timeout, ANSWER_LIMIT).await?)
    }
}

fn read(body: &[u8]) -> Result<Subscription, ProviderError> {
    serde_json::from_slice(body).map_err(|error| ProviderError::Unreadable(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_trial_or_a_paid_subscription_opens_a_workspace() {
        for (status, open) in [
            ("trialing", true),
            ("active", true),
            ("past_due", false),
            ("expired", false),
            ("Active ", false),
        ] {
            let subscription = read(
                json!({ "status": status, "ends_on": null })
                    .to_string()
                    .as_bytes(),
            )
            .unwrap();
            assert_eq!(subscription.is_open(), open, "{status}");
        }
    }
}

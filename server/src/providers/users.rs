//! Who a token's subject is: `GET {directory}/users/{sub}`.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use url::Url;

use super::ProviderError;

/// Longest answer of the user directory that is read, in bytes.
const ANSWER_LIMIT: usize = 64 * 1024;

/// A person as the directory knows them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// The subject of the person's tokens.
    pub sub: String,
    /// Their e-mail address; invitations are matched with it.
    pub email: String,
    /// Whether the address was proven to be theirs. An unproven one accepts no invitation.
    #[serde(default)]
    pub email_verified: bool,
    /// The name to show.
    #[serde(default)]
    pub name: String,
}

/// The user directory.
#[derive(Debug, Clone)]
pub struct UserDirectory {
    base: Url,
    client: reqwest::Client,
    timeout: Duration,
}

impl UserDirectory {
    /// A directory at `base`, each question bounded by `timeout`.
    pub fn new(base: Url, client: reqwest::Client, timeout: Duration) -> Self {
        Self {
            base,
            client,
            timeout,
        }
    }

    /// The person behind `sub`; `None` when the directory knows nobody of that name (404).
    ///
    /// # Errors
    /// When the directory does not answer, or answers about somebody else.
    pub async fn lookup(&self, sub: &str) -> Result<Option<User>, ProviderError> {
        let url = super::join(&self.base, &["users", sub]);
        let body = match super::fetch(&self.client, url, self.timeout, ANSWER_LIMIT).await {
            Err(ProviderError::Status(404)) => return Ok(None),
            answer => answer?,
        };
        let user: User = serde_json::from_slice(&body)
            .map_err(|error| ProviderError::Unreadable(error.to_string()))?;
        if user.sub != sub {
            return Err(ProviderError::Unreadable(
                "the answer is about another subject".to_owned(),
            ));
        }
        Ok(Some(user))
    }
}

//! What a token is to say: a good one for somebody and some resource, and the list of alterations.

use serde::{Deserialize, Serialize};

use super::Alteration;
use crate::mocks::MockError;

/// The scope of a good token.
pub const GOOD_SCOPE: &str = "openid profile email offline_access";

/// The client a good token was issued to.
pub const GOOD_CLIENT: &str = "proofmark-client";

/// How long a good token is valid, in seconds.
pub const GOOD_LIFETIME: i64 = 300;

/// A token to mint. Without alterations it is good: RS256 under the published key, `typ` `at+jwt`, and the claims
/// `iss aud exp iat sub client_id jti scope`, its times taken from the mock clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenRecipe {
    /// `sub`.
    pub subject: String,
    /// `aud`: the canonical address of the resource the token is for.
    pub audience: String,
    /// `client_id`.
    #[serde(default = "good_client")]
    pub client: String,
    /// `scope`, space-separated.
    #[serde(default = "good_scope")]
    pub scope: String,
    /// Seconds from the mock clock's now to `exp`.
    #[serde(default = "good_lifetime")]
    pub lifetime_seconds: i64,
    /// What is changed, in this order.
    #[serde(default)]
    pub alterations: Vec<Alteration>,
}

impl TokenRecipe {
    /// A good token for `subject` at the resource `audience`.
    #[must_use]
    pub fn good(subject: &str, audience: &str) -> Self {
        Self {
            subject: subject.to_owned(),
            audience: audience.to_owned(),
            client: good_client(),
            scope: good_scope(),
            lifetime_seconds: GOOD_LIFETIME,
            alterations: Vec::new(),
        }
    }

    /// The same token with one more thing changed.
    #[must_use]
    pub fn altered(mut self, alteration: Alteration) -> Self {
        self.alterations.push(alteration);
        self
    }

    /// The same token with the defect or variation that the catalogue names, by its slug or by its sentence.
    ///
    /// # Errors
    /// If the catalogue has none of this name.
    pub fn with(mut self, name: &str) -> Result<Self, MockError> {
        self.alterations
            .extend_from_slice(&super::variation(name)?.alterations);
        Ok(self)
    }

    /// The same token with another scope, space-separated.
    #[must_use]
    pub fn scope(mut self, scope: &str) -> Self {
        self.scope = scope.to_owned();
        self
    }

    /// The same token, issued to another client.
    #[must_use]
    pub fn client(mut self, client: &str) -> Self {
        self.client = client.to_owned();
        self
    }

    /// The same token with another lifetime from the mock clock's now, in seconds.
    #[must_use]
    pub fn lifetime_seconds(mut self, seconds: i64) -> Self {
        self.lifetime_seconds = seconds;
        self
    }
}

fn good_client() -> String {
    GOOD_CLIENT.to_owned()
}

fn good_scope() -> String {
    GOOD_SCOPE.to_owned()
}

fn good_lifetime() -> i64 {
    GOOD_LIFETIME
}

//! The configured authorization server: its metadata and its published key set, and no other address ever.

use std::time::Duration;

use serde_json::Value;
use url::Url;

use crate::providers::ProviderError;

/// Longest metadata document that is read, in bytes.
const METADATA_LIMIT: usize = 256 * 1024;
/// Longest key set that is read, in bytes.
const KEY_SET_LIMIT: usize = 256 * 1024;

/// A fetched key set and how long it may be kept.
pub struct FetchedKeys {
    /// The document's bytes.
    pub body: Vec<u8>,
    /// What its `Cache-Control` allows.
    pub max_age: Option<Duration>,
}

/// The authorization server whose tokens are accepted.
#[derive(Debug)]
pub struct AuthorizationServer {
    issuer: String,
    metadata: Vec<Url>,
    jwks_uri: Option<Url>,
    client: reqwest::Client,
    timeout: Duration,
}

impl AuthorizationServer {
    /// The server called `issuer`; keys come from `jwks_uri`, or from the address its metadata names.
    ///
    /// # Errors
    /// When the issuer is no http or https address.
    pub fn new(
        issuer: String,
        jwks_uri: Option<Url>,
        client: reqwest::Client,
        timeout: Duration,
    ) -> Result<Self, &'static str> {
        let base = Url::parse(&issuer).map_err(|_| "the issuer is not an absolute address")?;
        if !matches!(base.scheme(), "http" | "https")
            || base.query().is_some()
            || base.fragment().is_some()
        {
            return Err("the issuer must be an http or https address without query and fragment");
        }
        let path = base.path().trim_end_matches('/').to_owned();
        let mut oauth = base.clone();
        oauth.set_path(&format!("/.well-known/oauth-authorization-server{path}"));
        let mut openid = base;
        openid.set_path(&format!("{path}/.well-known/openid-configuration"));
        Ok(Self {
            issuer,
            metadata: vec![oauth, openid],
            jwks_uri,
            client,
            timeout,
        })
    }

    /// The issuer, exactly as configured.
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// Its metadata (RFC 8414), byte for byte and parsed. A document that names another issuer is not its metadata.
    ///
    /// # Errors
    /// When it does not answer, or answers something else.
    pub async fn metadata(&self) -> Result<(Vec<u8>, Value), ProviderError> {
        let mut failure = ProviderError::Unreadable("no metadata".to_owned());
        for url in &self.metadata {
            match crate::providers::fetch(&self.client, url.clone(), self.timeout, METADATA_LIMIT)
                .await
            {
                Ok(body) => {
                    let document: Value = serde_json::from_slice(&body)
                        .map_err(|error| ProviderError::Unreadable(error.to_string()))?;
                    if document.get("issuer").and_then(Value::as_str) != Some(self.issuer.as_str())
                    {
                        return Err(ProviderError::Unreadable(
                            "the metadata names another issuer".to_owned(),
                        ));
                    }
                    return Ok((body, document));
                }
                // Only "there is no such document" leads to the next place; an outage is an outage.
                Err(error @ ProviderError::Status(404)) => failure = error,
                Err(error) => return Err(error),
            }
        }
        Err(failure)
    }

    /// Its published keys.
    ///
    /// # Errors
    /// When it does not answer 200 in time and within 256 KiB, or its metadata names no key address.
    pub async fn keys(&self) -> Result<FetchedKeys, ProviderError> {
        let url = match &self.jwks_uri {
            Some(url) => url.clone(),
            None => self
                .metadata()
                .await?
                .1
                .get("jwks_uri")
                .and_then(Value::as_str)
                .and_then(|text| Url::parse(text).ok())
                .filter(|url| matches!(url.scheme(), "http" | "https"))
                .ok_or_else(|| {
                    ProviderError::Unreadable("the metadata has no jwks_uri".to_owned())
                })?,
        };
        let (headers, body) =
            crate::providers::exchange(self.client.get(url), self.timeout, KEY_SET_LIMIT).await?;
        let max_age = headers
            .get(http::header::CACHE_CONTROL)
            .and_then(|value| value.to_str().ok())
            .and_then(|text| {
                text.split(',')
                    .find_map(|directive| directive.trim().strip_prefix("max-age=")?.parse().ok())
            })
            .map(Duration::from_secs);
        Ok(FetchedKeys { body, max_age })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_well_known_part_stands_between_host_and_path() {
        crate::crypto::install();
        let server = |issuer: &str| {
            AuthorizationServer::new(
                issuer.to_owned(),
                None,
                reqwest::Client::new(),
                Duration::from_secs(1),
            )
        };
        let places = |issuer: &str| {
            server(issuer)
                .unwrap()
                .metadata
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            places("https://a.example/tenant"),
            [
                "https://a.example/.well-known/oauth-authorization-server/tenant",
                "https://a.example/tenant/.well-known/openid-configuration"
            ]
        );
        assert_eq!(
            places("https://a.example")[0],
            "https://a.example/.well-known/oauth-authorization-server"
        );
        for issuer in ["a.example", "file:///etc", "https://a.example?x=1"] {
            assert!(server(issuer).is_err(), "{issuer}");
        }
    }
}

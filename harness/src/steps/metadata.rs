//! The rules on metadata documents as plain comparisons, each with its positive and negative example.

use std::str::FromStr;

use serde_json::Value;
use url::Url;

/// A rule on one member of a metadata document. Its sentence in a feature is the whole step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, cucumber::Parameter)]
#[param(
    name = "metadata_rule",
    regex = "it names at least one authorization server by an https address|its resource is an https address without a fragment|its resource has no slash at the end that the endpoint lacks|it accepts tokens in the header and never in the query|no member of it is empty|it contains no secret|it names exactly one authorization server|it offers the scopes openid, profile, email and offline_access|it says that clients may identify themselves by a metadata document|it offers PKCE with S256|it has https addresses only"
)]
pub enum Rule {
    /// RFC 9728, section 2, `authorization_servers`; RFC 8414, section 2, `issuer`.
    AuthorizationServers,
    /// RFC 9728, section 1.2.
    ResourceAddress,
    /// MCP authorization, canonical server URI.
    NoTrailingSlash,
    /// RFC 6750, section 2.3; RFC 9728, section 2, `bearer_methods_supported`.
    HeaderMethod,
    /// RFC 9728, section 3.2.
    NothingEmpty,
    /// A public document.
    NoSecret,
    /// Worthbase: one authorization server.
    OneAuthorizationServer,
    /// Worthbase: the scopes its page lists.
    IdentityScopes,
    /// Client ID metadata documents.
    ClientMetadata,
    /// RFC 8414, section 2, `code_challenge_methods_supported`.
    Pkce,
    /// Every endpoint of an authorization server.
    HttpsEndpoints,
}

/// Not the sentence of any rule.
#[derive(Debug, thiserror::Error)]
#[error("no rule on metadata reads {0:?}")]
pub struct UnknownRule(String);

impl FromStr for Rule {
    type Err = UnknownRule;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "it names at least one authorization server by an https address" => {
                Self::AuthorizationServers
            }
            "its resource is an https address without a fragment" => Self::ResourceAddress,
            "its resource has no slash at the end that the endpoint lacks" => Self::NoTrailingSlash,
            "it accepts tokens in the header and never in the query" => Self::HeaderMethod,
            "no member of it is empty" => Self::NothingEmpty,
            "it contains no secret" => Self::NoSecret,
            "it names exactly one authorization server" => Self::OneAuthorizationServer,
            "it offers the scopes openid, profile, email and offline_access" => {
                Self::IdentityScopes
            }
            "it says that clients may identify themselves by a metadata document" => {
                Self::ClientMetadata
            }
            "it offers PKCE with S256" => Self::Pkce,
            "it has https addresses only" => Self::HttpsEndpoints,
            other => return Err(UnknownRule(other.to_owned())),
        })
    }
}

impl Rule {
    /// Whether `document` keeps this rule; `endpoint` is the address clients use.
    ///
    /// # Errors
    /// What the document should say instead.
    pub fn check(self, document: &Value, endpoint: &Url) -> Result<(), String> {
        let kept = match self {
            Self::AuthorizationServers => names_authorization_servers(document),
            Self::ResourceAddress => {
                let resource = document["resource"]
                    .as_str()
                    .and_then(|text| Url::parse(text).ok());
                resource.is_some_and(|url| is_https_or_loopback(&url) && url.fragment().is_none())
            }
            Self::NoTrailingSlash => {
                let resource = document["resource"].as_str();
                resource.is_some_and(|text| !text.ends_with('/') || endpoint.path().ends_with('/'))
            }
            Self::HeaderMethod => match document.get("bearer_methods_supported") {
                None => true,
                Some(methods) => list_has(methods, "header") && !list_has(methods, "query"),
            },
            Self::NothingEmpty => {
                let mut members = document.as_object().into_iter().flatten();
                // An empty list of methods is the rule of another sentence.
                members.all(|(name, value)| {
                    name == "bearer_methods_supported"
                        || !(value.is_null() || value.as_array().is_some_and(Vec::is_empty))
                })
            }
            Self::NoSecret => !holds_a_secret(document),
            Self::OneAuthorizationServer => document["authorization_servers"]
                .as_array()
                .is_some_and(|servers| servers.len() == 1),
            Self::IdentityScopes => {
                let wanted = ["openid", "profile", "email", "offline_access"];
                let scopes = &document["scopes_supported"];
                wanted.iter().all(|scope| list_has(scopes, scope))
                    && scopes
                        .as_array()
                        .is_some_and(|scopes| scopes.len() == wanted.len())
            }
            Self::ClientMetadata => {
                document["client_id_metadata_document_supported"] == Value::Bool(true)
            }
            Self::Pkce => list_has(&document["code_challenge_methods_supported"], "S256"),
            Self::HttpsEndpoints => has_https_endpoints(document),
        };
        if kept {
            Ok(())
        } else {
            Err(self.demand().to_owned())
        }
    }

    fn demand(self) -> &'static str {
        match self {
            Self::AuthorizationServers => {
                "authorization_servers with at least one https address without query and fragment"
            }
            Self::ResourceAddress => "resource as an https address without a fragment",
            Self::NoTrailingSlash => "resource without a slash at its end",
            Self::HeaderMethod => {
                "bearer_methods_supported absent, or with \"header\" and without \"query\""
            }
            Self::NothingEmpty => "no member that is null or an empty list",
            Self::NoSecret => "no member that is or holds a secret",
            Self::OneAuthorizationServer => "authorization_servers with exactly one entry",
            Self::IdentityScopes => "scopes_supported openid, profile, email, offline_access",
            Self::ClientMetadata => "client_id_metadata_document_supported true",
            Self::Pkce => "code_challenge_methods_supported with S256",
            Self::HttpsEndpoints => "https for every endpoint and for jwks_uri",
        }
    }
}

/// https, or plain http on a loopback address, where tests run.
pub fn is_https_or_loopback(url: &Url) -> bool {
    let loopback = match url.host() {
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost",
        None => false,
    };
    match url.scheme() {
        "https" => url.host().is_some(),
        "http" => loopback,
        _ => false,
    }
}

/// Character for character, but an endpoint without a path may be named with or without the slash (RFC 9728, section 3.3).
pub fn is_same_resource(resource: &str, endpoint: &Url) -> bool {
    let endpoint_text = endpoint.as_str();
    resource == endpoint_text
        || (endpoint.path() == "/" && resource == endpoint_text.trim_end_matches('/'))
}

/// The document without the signed copy of itself, which may differ at every fetch.
pub fn without_signature(mut document: Value) -> Value {
    if let Some(members) = document.as_object_mut() {
        members.shift_remove("signed_metadata");
    }
    document
}

/// Whether a member of authorization server metadata is an address that clients go to.
pub fn is_address(name: &str) -> bool {
    name.ends_with("_endpoint") || name == "jwks_uri"
}

/// Where a client looks for the metadata of an issuer, in the order of the specification: RFC 8414, then OpenID with the
/// path inserted, then OpenID with the path first.
pub fn authorization_server_addresses(issuer: &str) -> Vec<Url> {
    let Ok(url) = Url::parse(issuer) else {
        return Vec::new();
    };
    let path = url.path().trim_end_matches('/').to_owned();
    let paths = [
        format!("/.well-known/oauth-authorization-server{path}"),
        format!("/.well-known/openid-configuration{path}"),
        format!("{path}/.well-known/openid-configuration"),
    ];
    paths
        .iter()
        .map(|path| {
            let mut address = url.clone();
            address.set_path(path);
            address
        })
        .collect()
}

fn names_authorization_servers(document: &Value) -> bool {
    let servers = document["authorization_servers"].as_array();
    servers.is_some_and(|servers| {
        !servers.is_empty()
            && servers.iter().all(|server| {
                let url = server.as_str().and_then(|text| Url::parse(text).ok());
                url.is_some_and(|url| {
                    is_https_or_loopback(&url) && url.query().is_none() && url.fragment().is_none()
                })
            })
    })
}

fn has_https_endpoints(document: &Value) -> bool {
    let members = document.as_object().into_iter().flatten();
    let mut addresses = members.filter(|(name, _)| is_address(name)).peekable();
    addresses.peek().is_some()
        && addresses.all(|(_, value)| {
            let url = value.as_str().and_then(|text| Url::parse(text).ok());
            url.is_some_and(|url| is_https_or_loopback(&url))
        })
}

fn list_has(list: &Value, wanted: &str) -> bool {
    list.as_array()
        .is_some_and(|list| list.iter().any(|one| one.as_str() == Some(wanted)))
}

/// Names that only private material has. A bare `d` is the private part of a key.
fn holds_a_secret(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.iter().any(|(name, value)| {
            let name = name.to_ascii_lowercase();
            let secret = ["secret", "password", "private"]
                .iter()
                .any(|word| name.contains(word));
            // Lists of methods such as `client_secret_basic` are values, not names.
            secret || name == "d" || holds_a_secret(value)
        }),
        Value::Array(values) => values.iter().any(holds_a_secret),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn endpoint() -> Url {
        "https://h.example/mcp".parse().unwrap()
    }

    /// Every rule with a document that keeps it and one that does not.
    #[test]
    fn every_rule_knows_good_from_bad() {
        let cases = [
            (
                Rule::AuthorizationServers,
                json!({"authorization_servers": ["https://a.example"]}),
                json!({"authorization_servers": ["http://a.example"]}),
            ),
            (
                Rule::AuthorizationServers,
                json!({"authorization_servers": ["http://127.0.0.1:1"]}),
                json!({"authorization_servers": []}),
            ),
            (
                Rule::ResourceAddress,
                json!({"resource": "https://h.example/mcp"}),
                json!({"resource": "https://h.example/mcp#x"}),
            ),
            (
                Rule::ResourceAddress,
                json!({"resource": "http://localhost:1/mcp"}),
                json!({"resource": "/mcp"}),
            ),
            (
                Rule::NoTrailingSlash,
                json!({"resource": "https://h.example/mcp"}),
                json!({"resource": "https://h.example/mcp/"}),
            ),
            (
                Rule::HeaderMethod,
                json!({}),
                json!({"bearer_methods_supported": ["header", "query"]}),
            ),
            (
                Rule::HeaderMethod,
                json!({"bearer_methods_supported": ["header"]}),
                json!({"bearer_methods_supported": []}),
            ),
            (
                Rule::NothingEmpty,
                json!({"a": [1], "bearer_methods_supported": []}),
                json!({"scopes_supported": []}),
            ),
            (Rule::NothingEmpty, json!({"a": "x"}), json!({"a": null})),
            (
                Rule::NoSecret,
                json!({"token_endpoint_auth_methods_supported": ["client_secret_basic"]}),
                json!({"jwks": {"keys": [{"d": "x"}]}}),
            ),
            (Rule::NoSecret, json!({}), json!({"client_secret": "x"})),
            (
                Rule::OneAuthorizationServer,
                json!({"authorization_servers": ["a"]}),
                json!({"authorization_servers": ["a", "b"]}),
            ),
            (
                Rule::IdentityScopes,
                json!({"scopes_supported": ["email", "openid", "profile", "offline_access"]}),
                json!({"scopes_supported": ["openid", "profile", "email"]}),
            ),
            (
                Rule::ClientMetadata,
                json!({"client_id_metadata_document_supported": true}),
                json!({"client_id_metadata_document_supported": "true"}),
            ),
            (
                Rule::Pkce,
                json!({"code_challenge_methods_supported": ["plain", "S256"]}),
                json!({"code_challenge_methods_supported": ["plain"]}),
            ),
            (
                Rule::HttpsEndpoints,
                json!({"token_endpoint": "https://a.example/token"}),
                json!({"token_endpoint": "http://a.example/token"}),
            ),
            (
                Rule::HttpsEndpoints,
                json!({"jwks_uri": "http://127.0.0.1/jwks"}),
                json!({}),
            ),
        ];
        for (rule, good, bad) in cases {
            assert_eq!(rule.check(&good, &endpoint()), Ok(()), "{rule:?} {good}");
            assert!(rule.check(&bad, &endpoint()).is_err(), "{rule:?} {bad}");
        }
    }

    #[test]
    fn a_resource_is_compared_character_for_character() {
        assert!(is_same_resource("https://h.example/mcp", &endpoint()));
        for other in [
            "https://h.example/mcp/",
            "https://h.example",
            "https://H.example/mcp",
            "https://h.example/mcp?x",
        ] {
            assert!(!is_same_resource(other, &endpoint()), "{other}");
        }
        let root: Url = "https://h.example".parse().unwrap();
        assert!(
            is_same_resource("https://h.example", &root)
                && is_same_resource("https://h.example/", &root)
        );
    }

    #[test]
    fn an_issuer_with_a_path_is_looked_up_with_the_path_inserted_first() {
        let addresses = authorization_server_addresses("https://a.example/tenant");
        let addresses: Vec<_> = addresses.iter().map(Url::as_str).collect();
        assert_eq!(
            addresses,
            [
                "https://a.example/.well-known/oauth-authorization-server/tenant",
                "https://a.example/.well-known/openid-configuration/tenant",
                "https://a.example/tenant/.well-known/openid-configuration",
            ]
        );
    }
}

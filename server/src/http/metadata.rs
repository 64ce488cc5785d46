//! The two metadata documents a client discovers the authorization server by.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use http::header::{ALLOW, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use serde_json::{Value, json};
use tokio::sync::Mutex;
use url::Url;

use super::answers;
use crate::auth::{AuthorizationServer, DoorRules, ResourceMetadata, ServerMetadata};

/// Where the protected resource metadata is found (RFC 9728), before the resource's own path.
pub const PROTECTED_RESOURCE: &str = "/.well-known/oauth-protected-resource";
/// Where the authorization server's metadata is passed through.
pub const AUTHORIZATION_SERVER: &str = "/.well-known/oauth-authorization-server";
/// How long a copy of the authorization server's metadata is served without asking again.
const COPY_AGE: Duration = Duration::from_secs(10);
/// The scopes a client may ask for; they identify the person and limit nothing.
const SCOPES: [&str; 4] = ["openid", "profile", "email", "offline_access"];

/// The address of `resource`'s metadata with the resource's path inserted.
pub fn address(resource: &Url) -> String {
    let path = resource.path().trim_end_matches('/');
    format!(
        "{}{PROTECTED_RESOURCE}{path}",
        resource.origin().ascii_serialization()
    )
}

/// The protected resource metadata.
pub fn protected_resource(resource: &Url, issuer: &str, rules: &DoorRules) -> Value {
    let named = match rules.resource_metadata {
        ResourceMetadata::OriginAsResource => resource.origin().ascii_serialization(),
        ResourceMetadata::SlashAppended => format!("{resource}/"),
        _ => resource.to_string(),
    };
    let mut document = json!({ "resource": named });
    if rules.resource_metadata != ResourceMetadata::WithoutServers {
        document["authorization_servers"] = json!([issuer]);
    }
    if rules.resource_metadata != ResourceMetadata::WithoutScopes {
        document["scopes_supported"] = json!(SCOPES);
    }
    document["bearer_methods_supported"] = json!(["header"]);
    document
}

/// Serves a fixed document.
pub async fn document(State(document): State<Arc<Value>>) -> Response {
    answers::json(StatusCode::OK, &document)
}

/// Refuses other methods than GET and HEAD.
pub async fn only_get() -> Response {
    let mut response = answers::refusal(
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        "Only GET and HEAD are served here.",
    );
    response
        .headers_mut()
        .insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
    response
}

/// The authorization server's metadata and its last good copy.
pub struct PassThrough {
    server: Arc<AuthorizationServer>,
    origin: String,
    rules: Arc<DoorRules>,
    copy: Mutex<Option<(Instant, Vec<u8>)>>,
}

impl PassThrough {
    /// Passes on the metadata of `server`. `origin` is this server's own.
    pub fn new(server: Arc<AuthorizationServer>, origin: String, rules: Arc<DoorRules>) -> Self {
        Self {
            server,
            origin,
            rules,
            copy: Mutex::default(),
        }
    }

    /// The document as the authorization server wrote it, at most ten seconds old; in an outage the last one that was seen.
    ///
    /// One request fetches, the others wait for it: an unauthenticated address must not multiply traffic.
    async fn answer(&self) -> Response {
        let mut copy = self.copy.lock().await;
        if let Some((fetched, body)) = copy.as_ref()
            && fetched.elapsed() < COPY_AGE
        {
            return self.found(body);
        }
        match self.server.metadata().await {
            Ok((body, _)) => {
                let response = self.found(&body);
                *copy = Some((Instant::now(), body));
                response
            }
            Err(error) => {
                tracing::warn!(%error, "the authorization server's metadata could not be fetched");
                match (copy.as_ref(), self.rules.server_metadata) {
                    (_, ServerMetadata::EmptyOnOutage) => answers::json(StatusCode::OK, &json!({})),
                    (Some((_, body)), _) => self.found(body),
                    (None, _) => outage(),
                }
            }
        }
    }

    fn found(&self, body: &[u8]) -> Response {
        if self.rules.server_metadata == ServerMetadata::IssuerRewritten
            && let Ok(mut document) = serde_json::from_slice::<Value>(body)
        {
            document["issuer"] = json!(self.origin);
            return answers::json(StatusCode::OK, &document);
        }
        answers::json_bytes(StatusCode::OK, body.to_vec())
    }
}

/// Serves the authorization server's metadata. Path and query of the request go nowhere.
pub async fn pass_through(State(pass_through): State<Arc<PassThrough>>) -> Response<Body> {
    pass_through.answer().await
}

fn outage() -> Response {
    let mut response = answers::refusal(
        StatusCode::SERVICE_UNAVAILABLE,
        "authorization_server_unavailable",
        "The authorization server's metadata cannot be had at the moment. Try again shortly.",
    );
    response
        .headers_mut()
        .insert(RETRY_AFTER, HeaderValue::from_static("5"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_names_the_resource_its_server_and_the_scopes() {
        let resource = Url::parse("https://h.example/mcp").unwrap();
        assert_eq!(
            address(&resource),
            "https://h.example/.well-known/oauth-protected-resource/mcp"
        );
        assert_eq!(
            protected_resource(&resource, "https://as.example", &DoorRules::default()),
            json!({
                "resource": "https://h.example/mcp",
                "authorization_servers": ["https://as.example"],
                "scopes_supported": ["openid", "profile", "email", "offline_access"],
                "bearer_methods_supported": ["header"]
            })
        );
    }
}

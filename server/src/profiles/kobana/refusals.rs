//! What is refused over HTTP, and how: always `{"error": {"code", "message"}}` in JSON.

use std::sync::Arc;

use axum::response::Response;
use http::header::{CACHE_CONTROL, HOST, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde_json::json;

use crate::http::answers;

use super::rules::{Challenge, KeyOutage, KobanaRules, RateLimit, RefusalBody};

/// Writes refusals.
pub(super) struct Refuser {
    /// The address of the resource's metadata, from configuration.
    pub metadata: String,
    /// The choices.
    pub rules: Arc<KobanaRules>,
}

impl Refuser {
    /// A refusal with a status and a code.
    pub(super) fn refuse(
        &self,
        status: StatusCode,
        code: &str,
        message: &str,
        _headers: &HeaderMap,
    ) -> Response {
        let mut response = match self.rules.front.body {
            RefusalBody::CodeAndMessage => answers::json(
                status,
                &json!({ "error": { "code": code, "message": message } }),
            ),
            RefusalBody::Flat => {
                answers::json(status, &json!({ "error": code, "message": message }))
            }
            RefusalBody::OtherCode => answers::json(
                status,
                &json!({ "error": { "code": "ERROR", "message": message } }),
            ),
            RefusalBody::Page => {
                let page = format!("<!doctype html><title>{code}</title><p>{message}");
                let mut response = answers::json_bytes(status, page.into_bytes());
                response.headers_mut().insert(
                    http::header::CONTENT_TYPE,
                    HeaderValue::from_static("text/html; charset=utf-8"),
                );
                response
            }
        };
        response
            .headers_mut()
            .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }

    /// The refusal of a request without an acceptable token; `sent` says whether it had one.
    pub(super) fn unauthorized(&self, sent: bool, headers: &HeaderMap) -> Response {
        let mut response = self.refuse(
            StatusCode::UNAUTHORIZED,
            "UNAUTHORIZED",
            "Send a valid access token for this server in the Authorization header, and nowhere else.",
            headers,
        );
        let form = self.rules.front.challenge;
        if form == Challenge::OnlyWhenMissing && sent {
            return response;
        }
        let realm = match form {
            Challenge::OtherRealm => "mcp",
            _ => "kobana-finance-mcp",
        };
        let metadata = match (form, headers.get(HOST).and_then(|host| host.to_str().ok())) {
            (Challenge::FollowsHost, Some(host)) => {
                let claimed = headers
                    .get("x-forwarded-host")
                    .and_then(|name| name.to_str().ok());
                format!(
                    "http://{}/.well-known/oauth-protected-resource",
                    claimed.unwrap_or(host)
                )
            }
            _ => self.metadata.clone(),
        };
        let mut challenge = format!("Bearer realm=\"{realm}\"");
        if form != Challenge::WithoutError {
            challenge.push_str(", error=\"invalid_token\"");
        }
        if form != Challenge::WithoutMetadata {
            challenge.push_str(&format!(", resource_metadata=\"{metadata}\""));
        }
        if let Ok(value) = HeaderValue::from_str(&challenge) {
            response.headers_mut().insert(WWW_AUTHENTICATE, value);
        }
        response
    }

    /// The refusal of a request beyond the limit.
    pub(super) fn too_many(&self, seconds: i64, headers: &HeaderMap) -> Response {
        let limit = self.rules.front.limit;
        let status = match limit {
            RateLimit::ServerError => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::TOO_MANY_REQUESTS,
        };
        let text = "Too many requests. Wait as long as Retry-After says.";
        let mut response = self.refuse(status, "RATE_LIMITED", text, headers);
        if limit != RateLimit::WithoutRetryAfter {
            response
                .headers_mut()
                .insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }

    /// The refusal of a request whose token cannot be judged at the moment.
    pub(super) fn unavailable(&self, seconds: i64, headers: &HeaderMap) -> Response {
        let outage = self.rules.front.key_outage;
        if outage == KeyOutage::Unauthorized {
            return self.unauthorized(true, headers);
        }
        let mut response = self.refuse(
            StatusCode::SERVICE_UNAVAILABLE,
            "SERVICE_UNAVAILABLE",
            "Access tokens cannot be checked at the moment. The token may be good: try again after Retry-After.",
            headers,
        );
        if outage != KeyOutage::WithoutRetryAfter {
            response
                .headers_mut()
                .insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

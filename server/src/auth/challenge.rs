//! What a refused request is told: status, `WWW-Authenticate`, and a body that says the same to everybody.

use axum::body::Body;
use http::header::{CACHE_CONTROL, HOST, LOCATION, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use serde_json::json;

use super::choices::{ChallengeForm, RefusalStatus};
use super::rules::DoorRules;
use crate::http::answers;

/// Why a request is refused, as far as the caller may know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// No token was sent.
    Missing,
    /// A token was sent and is not acceptable.
    InvalidToken,
    /// Several credentials were sent, and none is picked.
    InvalidRequest,
}

impl Cause {
    fn code(self) -> &'static str {
        match self {
            Self::Missing => "unauthorized",
            Self::InvalidToken => "invalid_token",
            Self::InvalidRequest => "invalid_request",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Missing => {
                "Send an access token of the authorization server in the Authorization header."
            }
            Self::InvalidToken => {
                "The access token is not valid for this resource. Get a new one and try again."
            }
            Self::InvalidRequest => "Send exactly one credential, in one Authorization header.",
        }
    }
}

/// The refusal of a request.
///
/// `metadata` is the address of the protected resource metadata, from configuration. `headers` and `echo` are used only by rules
/// that are defects.
pub fn refuse(
    cause: Cause,
    metadata: &str,
    rules: &DoorRules,
    headers: &HeaderMap,
    echo: Option<&str>,
) -> Response<Body> {
    let status = match rules.refusal {
        RefusalStatus::Unauthorized if cause == Cause::InvalidRequest => StatusCode::BAD_REQUEST,
        RefusalStatus::Unauthorized => StatusCode::UNAUTHORIZED,
        RefusalStatus::Forbidden => StatusCode::FORBIDDEN,
        RefusalStatus::BadRequest => StatusCode::BAD_REQUEST,
        RefusalStatus::Ok => {
            return answers::json(
                StatusCode::OK,
                &json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32001, "message": cause.description()}}),
            );
        }
        RefusalStatus::Redirect => {
            let mut response = answers::json(StatusCode::FOUND, &json!({}));
            response
                .headers_mut()
                .insert(LOCATION, HeaderValue::from_static("/login"));
            return response;
        }
    };
    let mut response = answers::json(
        status,
        &json!({"error": cause.code(), "error_description": cause.description()}),
    );
    response
        .headers_mut()
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(challenge) = challenge(cause, metadata, rules.challenge, headers, echo) {
        response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
    }
    response
}

fn challenge(
    cause: Cause,
    metadata: &str,
    form: ChallengeForm,
    headers: &HeaderMap,
    echo: Option<&str>,
) -> Option<HeaderValue> {
    let missing = cause == Cause::Missing;
    if form == ChallengeForm::Absent || (form == ChallengeForm::OnlyWhenMissing && !missing) {
        return None;
    }
    let mut parameters = Vec::new();
    let with_error = match form {
        ChallengeForm::ErrorAlways => true,
        ChallengeForm::ErrorNever => false,
        _ => !missing,
    };
    if with_error {
        let (code, description) = if missing {
            ("invalid_token", cause.description())
        } else {
            (cause.code(), cause.description())
        };
        parameters.push(format!("error=\"{code}\""));
        match (form, echo) {
            (ChallengeForm::EchoesToken, Some(text)) => {
                parameters.push(format!("error_description=\"unknown key {text}\""))
            }
            _ => parameters.push(format!("error_description=\"{description}\"")),
        }
    }
    let address = match form {
        ChallengeForm::FollowsHost => forwarded(metadata, headers),
        _ => metadata.to_owned(),
    };
    if form != ChallengeForm::WithoutMetadata {
        parameters.push(format!("resource_metadata=\"{address}\""));
    }
    let text = if parameters.is_empty() {
        "Bearer realm=\"mcp\"".to_owned()
    } else {
        format!("Bearer {}", parameters.join(", "))
    };
    // Only an echoed token can hold bytes that a header cannot; then the rest of the refusal still stands.
    HeaderValue::from_bytes(text.as_bytes()).ok()
}

/// `metadata` with the host that the request claims.
fn forwarded(metadata: &str, headers: &HeaderMap) -> String {
    let claimed = ["x-forwarded-host", HOST.as_str()]
        .iter()
        .find_map(|name| headers.get(*name)?.to_str().ok())
        .unwrap_or_default();
    match url::Url::parse(metadata) {
        Ok(address) => format!("{}://{claimed}{}", address.scheme(), address.path()),
        Err(_) => metadata.to_owned(),
    }
}

/// The answer when the keys to judge a token cannot be had: no fault of the caller, and it passes.
pub fn unavailable(seconds: u64) -> Response<Body> {
    let mut response = answers::json(
        StatusCode::SERVICE_UNAVAILABLE,
        &json!({
            "error": "temporarily_unavailable",
            "error_description": "Access tokens cannot be checked at the moment. Try again shortly."
        }),
    );
    response
        .headers_mut()
        .insert(RETRY_AFTER, HeaderValue::from(seconds));
    response
        .headers_mut()
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    const METADATA: &str = "https://h.example/.well-known/oauth-protected-resource/mcp";

    fn header(cause: Cause, form: ChallengeForm) -> Option<String> {
        let rules = DoorRules {
            challenge: form,
            ..DoorRules::default()
        };
        let response = refuse(
            cause,
            METADATA,
            &rules,
            &HeaderMap::new(),
            Some("a\", scope=\"x"),
        );
        response
            .headers()
            .get(WWW_AUTHENTICATE)
            .map(|value| value.to_str().unwrap().to_owned())
    }

    #[test]
    fn only_a_token_that_was_sent_brings_an_error_code() {
        assert_eq!(
            header(Cause::Missing, ChallengeForm::Correct).unwrap(),
            format!("Bearer resource_metadata=\"{METADATA}\"")
        );
        let challenge = header(Cause::InvalidToken, ChallengeForm::Correct).unwrap();
        assert!(
            challenge.starts_with("Bearer error=\"invalid_token\", error_description=\""),
            "{challenge}"
        );
        assert!(
            challenge.ends_with(&format!("resource_metadata=\"{METADATA}\"")),
            "{challenge}"
        );
        assert!(!challenge.contains("scope"), "{challenge}");
    }

    #[test]
    fn several_credentials_are_a_bad_request() {
        let response = refuse(
            Cause::InvalidRequest,
            METADATA,
            &DoorRules::default(),
            &HeaderMap::new(),
            None,
        );
        assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    }
}

//! What a posted message must be before the protocol library sees it, and every refusal of that library turned into JSON.

use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use futures::StreamExt;
use http::header::{ACCEPT, ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use serde_json::error::Category;
use serde_json::{Value, json};

use super::answers::{json as json_answer, protocol_error};
use crate::auth::{DuplicateMembers, strict_json};
use crate::mcp::REVISIONS;
use crate::mcp::message::{self, INVALID_REQUEST, PARSE_ERROR};

/// Longest message that is read, in bytes.
pub const BODY_LIMIT: usize = 4 * 1024 * 1024;
/// The code of a version that is not served.
const UNSUPPORTED_VERSION: i32 = -32022;
/// How long a message may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(30);
/// Longest refusal of the protocol library that is turned into JSON, in bytes.
const REFUSAL_LIMIT: usize = 64 * 1024;

/// How a header is refused that names a revision which is not served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VersionRefusal {
    /// As an invalid request, which every revision knows.
    InvalidRequest,
    /// With the code of the newest revision and the list of those that are served.
    Named,
}

/// Lets one well-formed JSON-RPC message pass and answers everything else itself. Runs behind the door.
pub async fn check(
    State(versions): State<VersionRefusal>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match accept(request, versions).await {
        Ok(request) => in_json(next.run(request).await).await,
        Err(refusal) => *refusal,
    };
    response
        .headers_mut()
        .entry(CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}

async fn accept(request: Request, versions: VersionRefusal) -> Result<Request, Box<Response>> {
    let refuse =
        |status, message: &str| Box::new(protocol_error(status, INVALID_REQUEST, message, None));
    if request.method() != Method::POST {
        let mut response = refuse(
            StatusCode::METHOD_NOT_ALLOWED,
            "Only POST is served here: one JSON-RPC message per request.",
        );
        response
            .headers_mut()
            .insert(ALLOW, HeaderValue::from_static("POST"));
        return Err(response);
    }
    if !is_json(request.headers()) {
        return Err(refuse(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "The Content-Type must be application/json.",
        ));
    }
    if !accepts_json(request.headers()) {
        return Err(refuse(
            StatusCode::NOT_ACCEPTABLE,
            "Answers are application/json; the Accept header must allow it.",
        ));
    }
    let (mut parts, body) = request.into_parts();
    let body = read(&parts.headers, body).await?;
    let message = strict_json::parse(&body, DuplicateMembers::Refused).map_err(|error| {
        Box::new(match error.classify() {
            Category::Data => protocol_error(
                StatusCode::BAD_REQUEST,
                INVALID_REQUEST,
                "The message has a member twice, or nests too deeply.",
                None,
            ),
            _ => protocol_error(
                StatusCode::BAD_REQUEST,
                PARSE_ERROR,
                "The body is not JSON in UTF-8.",
                None,
            ),
        })
    })?;
    check_message(&message)?;
    check_revision(&parts.headers, &message, versions)?;
    // Whoever accepts JSON is served JSON; the library insists on both forms although it then sends this one.
    parts.headers.insert(
        ACCEPT,
        HeaderValue::from_static("application/json, text/event-stream"),
    );
    Ok(Request::from_parts(parts, Body::from(body)))
}

fn is_json(headers: &HeaderMap) -> bool {
    headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|text| {
            text.split(';')
                .next()
                .unwrap_or_default()
                .trim()
                .eq_ignore_ascii_case("application/json")
        })
}

/// Whether an `Accept` header allows JSON; without one everything is allowed.
fn accepts_json(headers: &HeaderMap) -> bool {
    let mut lines = headers.get_all(ACCEPT).iter().peekable();
    lines.peek().is_none()
        || lines
            .filter_map(|line| line.to_str().ok())
            .flat_map(|line| line.split(','))
            .any(|range| {
                let mut parts = range.split(';').map(str::trim);
                let named = parts.next().unwrap_or_default();
                let refused = parts.any(|parameter| {
                    parameter
                        .strip_prefix("q=")
                        .or(parameter.strip_prefix("Q="))
                        .is_some_and(|weight| weight.parse() == Ok(0.0))
                });
                !refused
                    && ["application/json", "application/*", "*/*"]
                        .iter()
                        .any(|name| named.eq_ignore_ascii_case(name))
            })
}

/// The whole body, bounded in size and time.
async fn read(headers: &HeaderMap, body: Body) -> Result<Bytes, Box<Response>> {
    let refuse =
        |status, message: &str| Box::new(protocol_error(status, INVALID_REQUEST, message, None));
    let too_large = || {
        refuse(
            StatusCode::PAYLOAD_TOO_LARGE,
            "The message is larger than 4 MiB. Send fewer rows at once.",
        )
    };
    let declared = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if declared.is_some_and(|length| length > BODY_LIMIT) {
        return Err(too_large());
    }
    let collect = async {
        let mut stream = body.into_data_stream();
        let mut collected = Vec::with_capacity(declared.unwrap_or(0));
        while let Some(chunk) = stream.next().await {
            let chunk = chunk.map_err(|_| {
                refuse(
                    StatusCode::BAD_REQUEST,
                    "The body ended before it was complete.",
                )
            })?;
            if collected.len() + chunk.len() > BODY_LIMIT {
                return Err(too_large());
            }
            collected.extend_from_slice(&chunk);
        }
        Ok(Bytes::from(collected))
    };
    tokio::time::timeout(BODY_TIME, collect)
        .await
        .unwrap_or_else(|_| {
            Err(refuse(
                StatusCode::REQUEST_TIMEOUT,
                "The body did not arrive within 30 seconds.",
            ))
        })
}

/// One JSON-RPC 2.0 request, notification or response.
fn check_message(message: &Value) -> Result<(), Box<Response>> {
    message::check(message).map_err(|wrong| {
        Box::new(protocol_error(
            StatusCode::BAD_REQUEST,
            wrong.code,
            wrong.text,
            wrong.id.as_ref(),
        ))
    })
}

/// A version header must name a revision that is served. Messages that name their revision inside are judged by the protocol
/// library, which compares both; so is `initialize`, which negotiates.
fn check_revision(
    headers: &HeaderMap,
    message: &Value,
    versions: VersionRefusal,
) -> Result<(), Box<Response>> {
    let mut lines = headers.get_all("mcp-protocol-version").iter();
    let Some(line) = lines.next() else {
        return Ok(());
    };
    let id = message.get("id");
    let refuse = |text: &str| {
        Err(Box::new(protocol_error(
            StatusCode::BAD_REQUEST,
            INVALID_REQUEST,
            text,
            id,
        )))
    };
    if lines.any(|other| other != line) {
        return refuse("Several MCP-Protocol-Version headers name different revisions.");
    }
    let named_inside = message
        .pointer("/params/_meta/io.modelcontextprotocol~1protocolVersion")
        .is_some();
    let negotiated = message
        .get("method")
        .is_some_and(|method| method == "initialize");
    let served = line
        .to_str()
        .is_ok_and(|name| REVISIONS.iter().any(|revision| revision.as_str() == name));
    if named_inside || negotiated || served {
        return Ok(());
    }
    let names: Vec<_> = REVISIONS
        .iter()
        .map(rmcp::model::ProtocolVersion::as_str)
        .collect();
    if versions == VersionRefusal::Named {
        let error = json!({
            "code": UNSUPPORTED_VERSION,
            "message": "Unsupported protocol version.",
            "data": { "supported": names, "requested": line.to_str().unwrap_or_default() },
        });
        return Err(Box::new(json_answer(
            StatusCode::BAD_REQUEST,
            &json!({ "jsonrpc": "2.0", "id": id, "error": error }),
        )));
    }
    refuse(&format!(
        "The MCP-Protocol-Version header must name a revision that is served: {}.",
        names.join(", ")
    ))
}

/// The library's plain-text refusals as JSON-RPC errors; every other answer as it is.
async fn in_json(response: Response) -> Response {
    let json = response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|text| text.starts_with("application/json"));
    if json || !(response.status().is_client_error() || response.status().is_server_error()) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let text = to_bytes(body, REFUSAL_LIMIT).await.unwrap_or_default();
    // What goes wrong inside is for the log; only refusals of the caller's message are theirs to read.
    let message = if parts.status.is_server_error() {
        tracing::error!(status = parts.status.as_u16(), text = %String::from_utf8_lossy(&text), "the protocol library failed");
        "Something failed inside the server.".to_owned()
    } else {
        String::from_utf8_lossy(&text).into_owned()
    };
    let code = if parts.status.is_server_error() {
        -32603
    } else {
        INVALID_REQUEST
    };
    let mut answer = protocol_error(parts.status, code, &message, None);
    if let Some(allow) = parts.headers.get(ALLOW) {
        answer.headers_mut().insert(ALLOW, allow.clone());
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(message: &Value) -> bool {
        check_message(message).is_ok()
    }

    #[test]
    fn requests_notifications_and_responses_pass() {
        for id in [
            json!(1),
            json!(0),
            json!(-5),
            json!(""),
            json!("ü"),
            json!(9007199254740991i64),
        ] {
            assert!(
                accepted(&json!({"jsonrpc": "2.0", "id": id, "method": "ping"})),
                "{id}"
            );
        }
        assert!(accepted(
            &json!({"jsonrpc": "2.0", "method": "notifications/initialized"})
        ));
        assert!(accepted(&json!({"jsonrpc": "2.0", "id": 9, "result": {}})));
    }

    #[test]
    fn what_is_no_message_is_refused() {
        for message in [
            json!(7),
            json!(null),
            json!([]),
            json!({}),
            json!({"jsonrpc": "1.0", "id": 1, "method": "ping"}),
            json!({"jsonrpc": "2.0", "id": null, "method": "ping"}),
            json!({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}),
            json!({"jsonrpc": "2.0", "id": {}, "method": "ping"}),
            json!({"jsonrpc": "2.0", "id": 1, "method": 5}),
            json!({"jsonrpc": "2.0", "id": 1, "method": ""}),
            json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": "x"}),
            json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"_meta": "x"}}),
            json!({"jsonrpc": "2.0", "id": 1}),
        ] {
            assert!(!accepted(&message), "{message}");
        }
    }

    #[test]
    fn accept_decides_only_whether_json_will_do() {
        for (line, expected) in [
            ("application/json, text/event-stream", true),
            ("text/event-stream;q=0.5, APPLICATION/JSON;q=0.9", true),
            ("*/*", true),
            ("text/html", false),
            ("application/json;q=0", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, HeaderValue::from_static(line));
            assert_eq!(accepts_json(&headers), expected, "{line}");
        }
        assert!(accepts_json(&HeaderMap::new()));
    }
}

//! Answers in JSON, the only form in which this server refuses anything.

use axum::body::Body;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, Response, StatusCode};
use serde_json::{Value, json};

/// An answer with a JSON body.
pub fn json(status: StatusCode, body: &Value) -> Response<Body> {
    json_bytes(status, body.to_string().into_bytes())
}

/// An answer whose body is already JSON.
pub fn json_bytes(status: StatusCode, body: Vec<u8>) -> Response<Body> {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// A refusal outside the protocol: `{"error", "message"}`.
pub fn refusal(status: StatusCode, error: &str, message: &str) -> Response<Body> {
    json(status, &json!({"error": error, "message": message}))
}

/// A JSON-RPC error with an HTTP status of its own. `id` is the request's where it could be read, else null.
pub fn protocol_error(
    status: StatusCode,
    code: i32,
    message: &str,
    id: Option<&Value>,
) -> Response<Body> {
    json(
        status,
        &json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}),
    )
}

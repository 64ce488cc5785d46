//! What a JSON value must be to count as one message of the protocol, whichever way it came.

use serde_json::Value;

/// JSON-RPC: the text is not JSON.
pub(crate) const PARSE_ERROR: i32 = -32700;
/// JSON-RPC: the value is no message.
pub(crate) const INVALID_REQUEST: i32 = -32600;
const INVALID_PARAMS: i32 = -32602;

/// Why a value is no message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Malformed {
    /// The code of JSON-RPC.
    pub code: i32,
    /// What is wrong.
    pub text: &'static str,
    /// The request's id, where it can be read.
    pub id: Option<Value>,
}

/// Whether `message` is one JSON-RPC 2.0 request, notification or response.
///
/// # Errors
/// When it is not, with the answer it deserves.
pub(crate) fn check(message: &Value) -> Result<(), Malformed> {
    let id = message
        .get("id")
        .filter(|id| id.is_string() || id.is_i64() || id.is_u64());
    let wrong = |code, text| Malformed {
        code,
        text,
        id: id.cloned(),
    };
    let invalid = |text| wrong(INVALID_REQUEST, text);
    let Some(members) = message.as_object() else {
        return Err(invalid(if message.is_array() {
            "Batches are not served; send one message at a time."
        } else {
            "A message is a JSON object."
        }));
    };
    if members.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid("The member `jsonrpc` must be \"2.0\"."));
    }
    if members.contains_key("id") && id.is_none() {
        return Err(invalid("The member `id` must be a string or an integer."));
    }
    match members.get("method") {
        Some(Value::String(method)) if !method.is_empty() => {}
        None if id.is_some() && members.contains_key("result") != members.contains_key("error") => {
            return Ok(());
        }
        _ => return Err(invalid("The member `method` must be a non-empty string.")),
    }
    match members.get("params") {
        None => Ok(()),
        Some(Value::Object(params)) if params.get("_meta").is_none_or(Value::is_object) => Ok(()),
        Some(Value::Object(_)) => Err(wrong(
            INVALID_PARAMS,
            "The member `params._meta` must be an object.",
        )),
        Some(_) => Err(invalid("The member `params` must be an object.")),
    }
}

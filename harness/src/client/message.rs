//! Ready-made protocol messages: a body and the headers its revision demands beside it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use super::Revision;

/// Name under which the harness introduces itself.
pub const CLIENT_NAME: &str = "proofmark";

/// Media types a client of Streamable HTTP must list.
pub const ACCEPT_BOTH: &str = "application/json, text/event-stream";

/// `_meta` key of the revision a stateless request speaks.
pub const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// `_meta` key of the capabilities a stateless client declares.
pub const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// `_meta` key of the name and version of a stateless client.
pub const META_CLIENT: &str = "io.modelcontextprotocol/clientInfo";
/// `_meta` key of the name and version of the server in a stateless result.
pub const META_SERVER: &str = "io.modelcontextprotocol/serverInfo";

/// One JSON-RPC message with the HTTP headers that belong to it. Both parts are open, so that a check can spoil one of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The JSON-RPC message.
    pub body: Value,
    /// Headers in the order they are sent, names as the specification writes them.
    pub headers: Vec<(String, String)>,
}

impl Message {
    /// A request of `method` with `params`, complete for `revision`: `_meta` and mirrored headers for the stateless one,
    /// the version header for the others (but not on `initialize`, which negotiates it).
    pub fn request(revision: Revision, id: Value, method: &str, params: Value) -> Self {
        let params = if revision.is_modern() {
            with_meta(revision, params)
        } else {
            params
        };
        let mut body = json!({ "jsonrpc": "2.0", "id": id, "method": method });
        if params.as_object().is_none_or(|members| !members.is_empty()) {
            body["params"] = params;
        }
        let mut headers = common_headers();
        if method != "initialize" {
            headers.push(("MCP-Protocol-Version".to_owned(), revision.to_string()));
        }
        if revision.is_modern() {
            headers.extend(mirrored_headers(&body));
        }
        Message { body, headers }
    }

    /// The opening request of a revision with a handshake.
    pub fn initialize(revision: Revision) -> Self {
        Self::initialize_with(revision.date())
    }

    /// The opening request with any text as the version asked for.
    pub fn initialize_with(version: &str) -> Self {
        let params = json!({
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": { "name": CLIENT_NAME, "version": env!("CARGO_PKG_VERSION") },
        });
        Message {
            body: json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }),
            headers: common_headers(),
        }
    }

    /// What a client asks first: `initialize`, or `server/discover` in the stateless revision.
    pub fn opening(revision: Revision) -> Self {
        if revision.is_modern() {
            Self::request(revision, json!(1), "server/discover", json!({}))
        } else {
            Self::initialize(revision)
        }
    }

    /// The cheapest request every tool server answers: the list of its tools.
    pub fn list_tools(revision: Revision) -> Self {
        Self::request(revision, json!(1), "tools/list", json!({}))
    }

    /// A call of `tool` with `arguments`.
    pub fn call(revision: Revision, tool: &str, arguments: Value) -> Self {
        let params = json!({ "name": tool, "arguments": arguments });
        Self::request(revision, json!(1), "tools/call", params)
    }

    /// A message without id, which nobody answers.
    pub fn notification(revision: Revision, method: &str) -> Self {
        let mut message = Self::request(revision, Value::Null, method, json!({}));
        if let Some(members) = message.body.as_object_mut() {
            members.shift_remove("id");
        }
        message
    }

    /// The same message under another id.
    pub fn with_id(mut self, id: Value) -> Self {
        self.body["id"] = id;
        self
    }

    /// The same message with `name` set to exactly one value, whatever it had before.
    pub fn with_header(self, name: &str, value: &str) -> Self {
        let mut message = self.without_header(name);
        message.headers.push((name.to_owned(), value.to_owned()));
        message
    }

    /// The same message without the header `name`.
    pub fn without_header(mut self, name: &str) -> Self {
        self.headers
            .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    /// The same message with one member of `params._meta` set.
    pub fn with_meta(mut self, key: &str, value: Value) -> Self {
        self.body["params"]["_meta"][key] = value;
        self
    }

    /// The same message without one member of `params._meta`.
    pub fn without_meta(mut self, key: &str) -> Self {
        if let Some(meta) = self.body["params"]["_meta"].as_object_mut() {
            meta.shift_remove(key);
        }
        self
    }
}

/// A header value wrapped as the stateless revision wraps text that a header cannot carry.
pub fn base64_wrapped(text: &str) -> String {
    format!("=?base64?{}?=", STANDARD.encode(text))
}

fn common_headers() -> Vec<(String, String)> {
    vec![
        ("Content-Type".to_owned(), "application/json".to_owned()),
        ("Accept".to_owned(), ACCEPT_BOTH.to_owned()),
    ]
}

/// `Mcp-Method`, and `Mcp-Name` where the method names a tool, a prompt or a resource.
fn mirrored_headers(body: &Value) -> Vec<(String, String)> {
    let method = body["method"].as_str().unwrap_or_default();
    let named_by = match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" => Some("uri"),
        _ => None,
    };
    let name = named_by.and_then(|member| body["params"][member].as_str());
    let mut headers = vec![("Mcp-Method".to_owned(), header_text(method))];
    headers.extend(name.map(|name| ("Mcp-Name".to_owned(), header_text(name))));
    headers
}

/// Plain where a header can carry the text, wrapped otherwise.
fn header_text(text: &str) -> String {
    let plain = text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
        && text.trim() == text
        && !text.starts_with("=?base64?");
    if plain {
        text.to_owned()
    } else {
        base64_wrapped(text)
    }
}

/// `params` with the `_meta` every stateless request carries; params that are no object stay as they are.
fn with_meta(revision: Revision, mut params: Value) -> Value {
    if let Some(members) = params.as_object_mut() {
        let meta = members
            .entry("_meta")
            .or_insert_with(|| Value::Object(Map::new()));
        meta[META_VERSION] = json!(revision);
        meta[META_CAPABILITIES] = json!({});
        meta[META_CLIENT] = json!({ "name": CLIENT_NAME, "version": env!("CARGO_PKG_VERSION") });
    }
    params
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header<'a>(message: &'a Message, name: &str) -> Option<&'a str> {
        let found = message
            .headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    #[test]
    fn a_stateless_call_mirrors_method_and_name_and_carries_its_version() {
        let call = Message::call(Revision::V2026_07_28, "whoami", json!({}));
        assert_eq!(header(&call, "mcp-method"), Some("tools/call"));
        assert_eq!(header(&call, "mcp-name"), Some("whoami"));
        assert_eq!(header(&call, "mcp-protocol-version"), Some("2026-07-28"));
        assert_eq!(call.body["params"]["_meta"][META_VERSION], "2026-07-28");
        assert_eq!(call.body["params"]["_meta"][META_CAPABILITIES], json!({}));
    }

    #[test]
    fn a_handshake_request_has_the_version_header_only() {
        let call = Message::call(Revision::V2025_06_18, "whoami", json!({}));
        assert_eq!(header(&call, "mcp-protocol-version"), Some("2025-06-18"));
        assert_eq!(header(&call, "mcp-method"), None);
        assert_eq!(
            call.body["params"],
            json!({ "name": "whoami", "arguments": {} })
        );
        let opening = Message::opening(Revision::V2025_06_18);
        assert_eq!(header(&opening, "mcp-protocol-version"), None);
    }

    #[test]
    fn a_name_that_no_header_can_carry_is_wrapped() {
        let call = Message::call(Revision::V2026_07_28, "größe", json!({}));
        assert_eq!(header(&call, "mcp-name"), Some("=?base64?Z3LDtsOfZQ==?="));
    }

    #[test]
    fn a_notification_has_no_id() {
        let message = Message::notification(Revision::V2025_11_25, "notifications/initialized");
        assert_eq!(
            message.body,
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })
        );
    }
}

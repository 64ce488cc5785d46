//! One request and its answer as the proxy holds them while a fault is applied.

use axum::body::Bytes;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use serde_json::{Map, Value};

/// A request on its way to the healthy server.
#[derive(Debug, Clone)]
pub struct Request {
    /// HTTP method.
    pub method: Method,
    /// Path and query as the client sent them.
    pub uri: Uri,
    /// All header lines, repeated ones included.
    pub headers: HeaderMap,
    /// The whole body.
    pub body: Bytes,
}

impl Request {
    /// The body as JSON, where it is JSON.
    #[must_use]
    pub fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// Replaces the body by a JSON document.
    pub fn set_json(&mut self, document: &Value) {
        self.body = Bytes::from(document.to_string());
        self.headers.remove(header::CONTENT_LENGTH);
    }

    /// The JSON-RPC method of the message, where there is one.
    #[must_use]
    pub fn rpc_method(&self) -> Option<String> {
        self.json()?.get("method")?.as_str().map(str::to_owned)
    }

    /// The tool that the message calls, where it calls one.
    #[must_use]
    pub fn tool(&self) -> Option<String> {
        let message = self.json()?;
        (message.get("method")?.as_str()? == "tools/call").then_some(())?;
        message.pointer("/params/name")?.as_str().map(str::to_owned)
    }

    /// Changes the arguments of a tool call. Returns whether they are others now.
    pub fn edit_arguments(&mut self, edit: impl Fn(&mut Value)) -> bool {
        let Some(mut message) = self.json().filter(|_| self.tool().is_some()) else {
            return false;
        };
        let before = message["params"]["arguments"].clone();
        edit(&mut message["params"]["arguments"]);
        if message["params"]["arguments"] == before {
            return false;
        }
        self.set_json(&message);
        true
    }

    /// The bearer token of the first `Authorization` line, where there is one.
    #[must_use]
    pub fn bearer(&self) -> Option<&str> {
        let line = self.headers.get(header::AUTHORIZATION)?.to_str().ok()?;
        let (scheme, token) = line.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then_some(token)
    }

    /// Replaces every `Authorization` line by one bearer token.
    pub fn set_bearer(&mut self, token: &str) {
        if let Ok(mut line) = HeaderValue::from_str(&format!("Bearer {token}")) {
            line.set_sensitive(true);
            self.headers.insert(header::AUTHORIZATION, line);
        }
    }
}

/// An answer on its way back to the client.
#[derive(Debug, Clone)]
pub struct Answer {
    /// HTTP status.
    pub status: StatusCode,
    /// All header lines.
    pub headers: HeaderMap,
    /// The whole body.
    pub body: Bytes,
}

impl Answer {
    /// The body as JSON, where it is JSON.
    #[must_use]
    pub fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// Replaces the body by a JSON document.
    pub fn set_json(&mut self, document: &Value) {
        self.body = Bytes::from(document.to_string());
        self.headers.remove(header::CONTENT_LENGTH);
    }

    /// Applies `edit` to the JSON document of the body. Returns whether `edit` changed anything.
    pub fn edit_json(&mut self, edit: impl FnOnce(&mut Value)) -> bool {
        let Some(before) = self.json() else {
            return false;
        };
        let mut after = before.clone();
        edit(&mut after);
        let changed = before != after;
        if changed {
            self.set_json(&after);
        }
        changed
    }

    /// Applies `edit` to the `result` member of a JSON-RPC answer. Returns whether it changed.
    pub fn edit_result(&mut self, edit: impl FnOnce(&mut Map<String, Value>)) -> bool {
        self.edit_json(|document| {
            if let Some(result) = document.get_mut("result").and_then(Value::as_object_mut) {
                edit(result);
            }
        })
    }

    /// Applies `edit` to what a tool said, in its structured content and its text copy alike.
    pub fn edit_tool_result(&mut self, edit: impl Fn(&mut Value)) -> bool {
        self.edit_result(|result| {
            if let Some(structured) = result.get_mut("structuredContent") {
                edit(structured);
            }
            edit_text_copy(result, &edit);
        })
    }

    /// Applies `edit` to the text copy alone, so that it differs from the structured content.
    pub fn edit_text_copy(&mut self, edit: impl Fn(&mut Value)) -> bool {
        self.edit_result(|result| edit_text_copy(result, &edit))
    }
}

/// Applies `edit` to every text block of a tool result that holds a JSON document.
fn edit_text_copy(result: &mut Map<String, Value>, edit: &impl Fn(&mut Value)) {
    let Some(blocks) = result.get_mut("content").and_then(Value::as_array_mut) else {
        return;
    };
    for block in blocks {
        let Some(text) = block.get("text").and_then(Value::as_str) else {
            continue;
        };
        let Ok(mut document) = serde_json::from_str::<Value>(text) else {
            continue;
        };
        edit(&mut document);
        block["text"] = Value::String(document.to_string());
    }
}

/// Calls `visit` on every object of a document, outermost first.
pub fn each_object(document: &mut Value, visit: &impl Fn(&mut Map<String, Value>)) {
    match document {
        Value::Object(members) => {
            visit(members);
            members
                .values_mut()
                .for_each(|member| each_object(member, visit));
        }
        Value::Array(elements) => elements
            .iter_mut()
            .for_each(|element| each_object(element, visit)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn tool_answer() -> Answer {
        let said = json!({"amount": "1.50", "currency": "AUD"});
        Answer {
            status: StatusCode::OK,
            headers: HeaderMap::new(),
            body: Bytes::from(
                json!({"jsonrpc": "2.0", "id": 1, "result": {
                    "structuredContent": said,
                    "content": [{"type": "text", "text": said.to_string()}]
                }})
                .to_string(),
            ),
        }
    }

    #[test]
    fn an_edit_of_a_tool_result_reaches_both_copies() {
        let mut answer = tool_answer();
        assert!(answer.edit_tool_result(|said| said["amount"] = json!("2.00")));
        let document = answer.json().unwrap();
        assert_eq!(
            document["result"]["structuredContent"]["amount"],
            json!("2.00")
        );
        let text = document["result"]["content"][0]["text"].as_str().unwrap();
        assert_eq!(
            serde_json::from_str::<Value>(text).unwrap()["amount"],
            json!("2.00")
        );
    }

    #[test]
    fn an_edit_of_the_text_copy_leaves_the_structured_content() {
        let mut answer = tool_answer();
        assert!(answer.edit_text_copy(|said| said["amount"] = json!("2.00")));
        let document = answer.json().unwrap();
        assert_eq!(
            document["result"]["structuredContent"]["amount"],
            json!("1.50")
        );
    }

    #[test]
    fn an_edit_that_finds_nothing_reports_no_change() {
        let mut answer = tool_answer();
        assert!(!answer.edit_tool_result(|_| {}));
    }
}

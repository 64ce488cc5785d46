//! A refusal of a tool: machine-readable code, a message that says how to fix it, and the input at fault.

use std::borrow::Cow;

use rmcp::model::CallToolResult;
use serde::Serialize;
use serde_json::{Map, Value};

/// A tool error. On the wire: `{"code", "message", "field"?, …details}`, as structured content and as text, with `isError`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fault {
    /// Machine-readable, lower case with underscores, stable per cause.
    pub code: Cow<'static, str>,
    /// What to do about it, for the agent and the person behind it. Never another tenant's data, a token, SQL or a path.
    pub message: String,
    /// The path of the argument at fault, such as `transactions[3].units`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Further members of the body.
    #[serde(flatten)]
    pub details: Box<Map<String, Value>>,
}

impl Fault {
    /// A refusal with `code` that tells the caller `message`.
    pub fn new(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
            field: None,
            details: Box::default(),
        }
    }

    /// The refusal of an internal failure. The cause belongs into the log, not into the answer.
    pub fn internal() -> Self {
        Self::new(
            "internal",
            "Something failed inside the server and nothing was written. Try again; if it stays, report the time of the call.",
        )
    }

    /// Names the argument at fault.
    #[must_use]
    pub fn at(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// Adds a member to the body. `code`, `message` and `field` cannot be overwritten.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        if !matches!(name, "code" | "message" | "field") {
            self.details.insert(name.to_owned(), value.into());
        }
        self
    }

    /// The JSON body.
    pub fn body(&self) -> Value {
        let mut body = Map::new();
        body.insert("code".to_owned(), Value::from(self.code.as_ref()));
        body.insert("message".to_owned(), Value::from(self.message.as_str()));
        if let Some(field) = &self.field {
            body.insert("field".to_owned(), Value::from(field.as_str()));
        }
        body.extend(
            self.details
                .iter()
                .map(|(name, value)| (name.clone(), value.clone())),
        );
        Value::Object(body)
    }

    /// The tool result that carries the refusal.
    pub fn into_result(self) -> CallToolResult {
        CallToolResult::structured_error(self.body())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_body_has_code_message_field_and_details_in_this_order() {
        let fault = Fault::new("oversell", "Sell at most what is held.")
            .at("transactions[0].units")
            .with("held", "1.5")
            .with("code", "other");
        let body = json!({"code": "oversell", "message": "Sell at most what is held.", "field": "transactions[0].units", "held": "1.5"});
        assert_eq!(fault.body().to_string(), body.to_string());
        assert_eq!(serde_json::to_value(&fault).unwrap(), body);
        let result = fault.into_result();
        assert_eq!(result.is_error, Some(true));
        assert_eq!(result.structured_content, Some(body));
    }
}

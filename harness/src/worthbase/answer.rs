//! What came back from a tool: an accepted call with its result, or a refusal with its reason.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::suite::Failure;

/// The answer to one tool call.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The tool that was called.
    pub tool: &'static str,
    /// Whether the tool refused.
    pub is_error: bool,
    /// The JSON body: the structured content, or the parsed text where there is none.
    pub body: Arc<Value>,
    /// The text content, as it came.
    pub text: Arc<str>,
    /// The structured content, where the server sent one.
    pub structured: Option<Arc<Value>>,
}

/// Why a call was refused.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// Machine-readable reason.
    pub code: String,
    /// How to fix the problem.
    pub message: String,
    /// Path to the argument at fault, where one is: `transactions[3].units`.
    pub field: Option<String>,
    /// Everything else the body says.
    pub details: Map<String, Value>,
}

impl Answer {
    /// The result of an accepted call.
    ///
    /// # Errors
    /// The call was refused, or a field that the contract promises is missing or has another shape.
    pub fn accepted<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        self.is_accepted()?;
        T::deserialize(&*self.body).map_err(|problem| {
            Failure::expected(format!(
                "a result of `{}` in the shape of the contract",
                self.tool
            ))
            .actual(format!("{problem} in {}", self.body))
        })
    }

    /// That the call was accepted, whatever its result.
    ///
    /// # Errors
    /// It was refused.
    pub fn is_accepted(&self) -> Result<(), Failure> {
        if self.is_error {
            return Err(Failure::expected(format!("`{}` is accepted", self.tool))
                .actual(format!("refused: {}", self.body)));
        }
        Ok(())
    }

    /// The reason of a refused call.
    ///
    /// # Errors
    /// The call was accepted, or the body holds no `code` and `message`.
    pub fn refusal(&self) -> Result<Refusal, Failure> {
        let expected = || {
            Failure::expected(format!(
                "`{}` is refused with a code and a message",
                self.tool
            ))
        };
        if !self.is_error {
            return Err(expected().actual(format!("accepted: {}", self.body)));
        }
        let mut details = self.body.as_object().cloned().unwrap_or_default();
        let mut take = |name: &str| match details.remove(name) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        match (take("code"), take("message"), take("field")) {
            (Some(code), Some(message), field) => Ok(Refusal {
                code,
                message,
                field,
                details,
            }),
            _ => Err(expected().actual(&self.body)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer(is_error: bool, body: Value) -> Answer {
        Answer {
            tool: "record",
            is_error,
            text: body.to_string().into(),
            structured: Some(Arc::new(body.clone())),
            body: Arc::new(body),
        }
    }

    #[test]
    fn a_refusal_is_never_read_as_a_result_nor_a_result_as_a_refusal() {
        let refused = answer(
            true,
            json!({ "code": "oversell", "message": "only 10 units are held", "field": "transactions[0].units" }),
        );
        assert!(refused.accepted::<Value>().is_err());
        assert_eq!(
            refused.refusal().map(|refusal| refusal.code),
            Ok("oversell".to_owned())
        );
        let accepted = answer(
            false,
            json!({ "code": "oversell", "message": "not an error" }),
        );
        assert!(accepted.refusal().is_err());
        assert!(accepted.accepted::<Value>().is_ok());
    }

    #[test]
    fn a_refusal_without_a_code_is_no_refusal() {
        assert!(
            answer(true, json!({ "message": "something went wrong" }))
                .refusal()
                .is_err()
        );
        assert!(
            answer(true, json!("something went wrong"))
                .refusal()
                .is_err()
        );
    }
}

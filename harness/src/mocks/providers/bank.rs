//! The bank: `POST /dispatches` and `POST /charges`. What it was asked stands in the record of requests.

use serde_json::json;

use crate::mocks::answer::{Answer, Question};

/// Accepts every order.
#[must_use]
pub fn answer(question: &Question) -> Answer {
    match (question.method.as_str(), question.path.as_str()) {
        ("POST", "/dispatches" | "/charges") => Answer::json(201, &json!({ "status": "accepted" })),
        _ => Answer::not_found(),
    }
}

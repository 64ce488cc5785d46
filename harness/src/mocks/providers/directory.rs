//! The user directory: `GET /users/{sub}`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::mocks::answer::{Answer, Question};
use crate::mocks::breakage::Breakage;
use crate::mocks::people::User;

/// The users by their `sub`.
#[derive(Debug, Clone, Default)]
pub struct Users(Arc<Mutex<HashMap<String, User>>>);

impl Users {
    /// Puts a user in, or changes one.
    pub fn set(&self, user: User) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(user.sub.clone(), user);
    }

    /// Takes a user out.
    pub fn remove(&self, sub: &str) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(sub);
    }

    /// Answers a request.
    #[must_use]
    pub fn answer(&self, question: &Question, breakage: Option<&Breakage>) -> Answer {
        let Some(sub) = question.segment_after("/users/") else {
            return Answer::not_found();
        };
        if question.method != "GET" {
            return Answer::json(405, &serde_json::json!({ "error": "method_not_allowed" }));
        }
        if breakage == Some(&Breakage::Nothing) {
            return Answer::json(200, &serde_json::json!({}));
        }
        match self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&sub)
        {
            Some(user) => Answer::json(200, user),
            None => Answer::not_found(),
        }
    }
}

//! The subscription directory: `GET /workspaces/{id}`, and `PUT`, which opens the trial of a new workspace.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use serde_json::json;

use crate::mocks::answer::{Answer, Question};
use crate::mocks::breakage::Breakage;
use crate::mocks::people::{Subscription, SubscriptionStatus};

/// Length of a trial in days.
const TRIAL_DAYS: i32 = 14;

/// The subscriptions by workspace.
#[derive(Debug, Clone, Default)]
pub struct Subscriptions(Arc<Mutex<HashMap<String, Subscription>>>);

impl Subscriptions {
    /// Says how a workspace is paid for; none makes the directory forget it.
    pub fn set(&self, workspace: &str, subscription: Option<Subscription>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match subscription {
            Some(subscription) => known.insert(workspace.to_owned(), subscription),
            None => known.remove(workspace),
        };
    }

    /// Answers a request at `now`. A workspace whose trial nobody opened is unknown.
    #[must_use]
    pub fn answer(
        &self,
        question: &Question,
        breakage: Option<&Breakage>,
        now: Timestamp,
    ) -> Answer {
        let Some(workspace) = question.segment_after("/workspaces/") else {
            return Answer::not_found();
        };
        if breakage == Some(&Breakage::Nothing) {
            return Answer::json(200, &json!({}));
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match (question.method.as_str(), known.get(&workspace)) {
            ("GET", None) => Answer::not_found(),
            ("GET" | "PUT", Some(subscription)) => Answer::json(200, subscription),
            ("PUT", None) => {
                let trial = Subscription {
                    status: SubscriptionStatus::Trialing,
                    ends_on: trial_end(now),
                };
                let answer = Answer::json(201, &trial);
                known.insert(workspace, trial);
                answer
            }
            _ => Answer::json(405, &json!({ "error": "method_not_allowed" })),
        }
    }
}

fn trial_end(now: Timestamp) -> Option<Date> {
    now.to_zoned(TimeZone::UTC)
        .date()
        .checked_add(Span::new().days(TRIAL_DAYS))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(method: &str) -> Question {
        Question {
            method: method.to_owned(),
            path: "/workspaces/ws_1".to_owned(),
            query: None,
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    #[test]
    fn a_workspace_is_unknown_until_its_trial_is_opened() {
        let directory = Subscriptions::default();
        let now: Timestamp = "2026-10-30T12:00:00Z".parse().unwrap();
        assert_eq!(directory.answer(&question("GET"), None, now).status, 404);
        assert_eq!(directory.answer(&question("PUT"), None, now).status, 201);
        let answer = directory.answer(&question("GET"), None, now);
        assert_eq!(
            answer.body,
            br#"{"status":"trialing","ends_on":"2026-11-13"}"#
        );
    }

    #[test]
    fn opening_a_trial_again_changes_nothing() {
        let directory = Subscriptions::default();
        let now = Timestamp::UNIX_EPOCH;
        let expired = Subscription {
            status: SubscriptionStatus::Expired,
            ends_on: None,
        };
        directory.set("ws_1", Some(expired));
        let answer = directory.answer(&question("PUT"), None, now);
        assert_eq!(answer.body, br#"{"status":"expired","ends_on":null}"#);
    }
}

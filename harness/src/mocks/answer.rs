//! Requests and answers as all mocks see them, and what a breakage does to an answer on its way out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;

use super::breakage::{Breakage, Provider};
use super::clock::MockClock;
use super::record::{RecordedRequest, RequestLog};

/// Size of a [`Breakage::Huge`] answer in bytes.
const HUGE: usize = 5 * 1024 * 1024;

/// A request to a mock.
#[derive(Debug, Clone)]
pub struct Question {
    /// `GET`, `PUT`, …
    pub method: String,
    /// Path without the query, percent-encoded as it was sent.
    pub path: String,
    /// Query without the question mark.
    pub query: Option<String>,
    /// Headers, in the order in which they came.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The whole body.
    pub body: Vec<u8>,
}

impl Question {
    /// The first value of a query parameter, decoded.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<String> {
        let query = self.query.as_deref()?.as_bytes();
        url::form_urlencoded::parse(query)
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned())
    }

    /// The one segment after `prefix` (which ends with a slash), decoded; none if the path is any other.
    #[must_use]
    pub fn segment_after(&self, prefix: &str) -> Option<String> {
        let rest = self.path.strip_prefix(prefix)?;
        if rest.is_empty() || rest.contains('/') {
            return None;
        }
        // `+` means itself in a path, unlike in a form, which is what the decoder at hand is made for.
        let form = rest
            .replace('+', "%2B")
            .replace('&', "%26")
            .replace('=', "%3D");
        url::form_urlencoded::parse(form.as_bytes())
            .next()
            .map(|(segment, _)| segment.into_owned())
    }

    fn has_authorization(&self) -> bool {
        self.headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("authorization"))
    }

    /// Everything that was said, for the search for leaked tokens.
    fn text(&self) -> Vec<u8> {
        let mut text = format!(
            "{} {}?{}\n",
            self.method,
            self.path,
            self.query.as_deref().unwrap_or_default()
        )
        .into_bytes();
        for (name, value) in &self.headers {
            text.extend_from_slice(name.as_bytes());
            text.extend_from_slice(b": ");
            text.extend_from_slice(value);
            text.push(b'\n');
        }
        text.extend_from_slice(&self.body);
        text
    }
}

/// What a mock says to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// `Content-Type`.
    pub content_type: &'static str,
    /// Further headers.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// Wait before it is sent.
    pub delay: Duration,
}

impl Answer {
    /// An answer whose body is `body` as JSON.
    #[must_use]
    pub fn json(status: u16, body: &impl Serialize) -> Self {
        match serde_json::to_vec(body) {
            Ok(body) => Self::text(status, "application/json", body),
            Err(error) => Self::text(500, "text/plain", error.to_string()),
        }
    }

    /// An answer of any kind of text.
    #[must_use]
    pub fn text(status: u16, content_type: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            content_type,
            headers: Vec::new(),
            body: body.into(),
            delay: Duration::ZERO,
        }
    }

    /// 404 in JSON.
    #[must_use]
    pub fn not_found() -> Self {
        Self::json(404, &serde_json::json!({ "error": "not_found" }))
    }

    /// The answer as it leaves a mock that is broken.
    #[must_use]
    fn spoiled(mut self, breakage: &Breakage) -> Self {
        match breakage {
            Breakage::Slow { milliseconds } => {
                self.delay = Duration::from_millis(*milliseconds);
                self
            }
            Breakage::Status {
                code,
                retry_after_seconds,
            } => {
                let mut answer = Self::json(*code, &serde_json::json!({ "error": "unavailable" }));
                answer.headers.extend(
                    retry_after_seconds.map(|seconds| ("retry-after", seconds.to_string())),
                );
                answer
            }
            Breakage::Empty => {
                self.body.clear();
                self
            }
            Breakage::Garbage => Self::text(
                200,
                "text/html",
                "<!doctype html><title>Sorry</title><p>Something went wrong.",
            ),
            Breakage::Truncated => {
                self.body.truncate(self.body.len() / 2);
                self
            }
            Breakage::Null => Self::json(200, &serde_json::Value::Null),
            Breakage::Huge => Self::text(200, self.content_type, vec![b' '; HUGE]),
            // Refusal is the gate's business; the others change what the mock finds, not how it says it.
            Breakage::Refused
            | Breakage::Nothing
            | Breakage::WrongCurrency
            | Breakage::Negative
            | Breakage::Restated
            | Breakage::NoPrice
            | Breakage::NotANumber
            | Breakage::AnotherInstrument => self,
        }
    }
}

/// What all mocks of one set share: the time, the log, and who is broken.
#[derive(Debug, Clone, Default)]
pub struct Common {
    /// The time.
    pub clock: MockClock,
    /// What was asked.
    pub log: Arc<RequestLog>,
    breakages: Arc<Mutex<HashMap<Provider, Breakage>>>,
}

impl Common {
    /// A set that goes by `clock`.
    #[must_use]
    pub fn new(clock: MockClock) -> Self {
        Self {
            clock,
            ..Self::default()
        }
    }

    /// How `provider` is broken at the moment: as itself, or as part of the authorization server.
    #[must_use]
    pub fn breakage(&self, provider: Provider) -> Option<Breakage> {
        let breakages = self
            .breakages
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let whole = Provider::ALL
            .iter()
            .filter(|whole| whole.parts().contains(&provider));
        breakages
            .get(&provider)
            .or_else(|| whole.filter_map(|whole| breakages.get(whole)).next())
            .cloned()
    }

    /// Breaks `provider`, or mends it.
    pub fn set_breakage(&self, provider: Provider, breakage: Option<Breakage>) {
        let mut breakages = self
            .breakages
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        match breakage {
            Some(breakage) => breakages.insert(provider, breakage),
            None => breakages.remove(&provider),
        };
    }

    /// Records `question`, lets `find` answer it (told how the provider is broken), and spoils what it says.
    pub fn answer(
        &self,
        provider: Provider,
        question: &Question,
        find: impl FnOnce(&Question, Option<&Breakage>) -> Answer,
    ) -> Answer {
        let request = RecordedRequest {
            provider,
            method: question.method.clone(),
            path: question.path.clone(),
            query: question.query.clone(),
            authorization: question.has_authorization(),
            at: self.clock.now(),
        };
        self.log.keep(request, question.text());
        let breakage = self.breakage(provider);
        let answer = find(question, breakage.as_ref());
        match &breakage {
            Some(breakage) => answer.spoiled(breakage),
            None => answer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(path: &str) -> Question {
        Question {
            method: "GET".to_owned(),
            path: path.to_owned(),
            query: None,
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    #[test]
    fn a_segment_is_decoded_and_stays_one() {
        assert_eq!(
            question("/users/a%2Fb+c")
                .segment_after("/users/")
                .as_deref(),
            Some("a/b+c")
        );
        assert_eq!(question("/users/a/b").segment_after("/users/"), None);
        assert_eq!(question("/users/").segment_after("/users/"), None);
    }

    #[test]
    fn a_broken_authorization_server_breaks_its_parts() {
        let common = Common::default();
        common.set_breakage(Provider::Authorization, Some(Breakage::Garbage));
        assert_eq!(common.breakage(Provider::Keys), Some(Breakage::Garbage));
        assert_eq!(common.breakage(Provider::Yahoo), None);
        common.set_breakage(Provider::Keys, Some(Breakage::Empty));
        assert_eq!(common.breakage(Provider::Keys), Some(Breakage::Empty));
    }

    #[test]
    fn a_spoiled_answer_is_recorded_all_the_same() {
        let common = Common::default();
        common.set_breakage(
            Provider::Ecb,
            Some(Breakage::Status {
                code: 429,
                retry_after_seconds: Some(7),
            }),
        );
        let answer = common.answer(Provider::Ecb, &question("/rates"), |_, _| {
            Answer::text(200, "text/csv", "Date")
        });
        assert_eq!(answer.status, 429);
        assert_eq!(answer.headers, [("retry-after", "7".to_owned())]);
        assert_eq!(common.log.count(Provider::Ecb), 1);
    }
}

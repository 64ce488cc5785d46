//! Time as the server sees it: the system's, one steered by a test in this process, or one read from a control address.

use std::sync::{Arc, RwLock};
use std::time::Duration;

use jiff::Timestamp;
use serde::Deserialize;
use url::Url;

/// Longest answer of a control address that is read, in bytes; the real one has about forty.
const CONTROL_ANSWER_LIMIT: usize = 4096;

/// Why the time could not be told.
#[derive(Debug, thiserror::Error)]
pub enum ClockError {
    /// The control address did not answer with 200 in time.
    #[error("the control clock did not answer: {0}")]
    Unreachable(String),
    /// The control address answered something that is not `{"now": "…Z"}`.
    #[error("the control clock's answer is not an object with the member `now`: {0}")]
    Unreadable(String),
}

/// Where the server reads the time.
#[derive(Debug, Clone, Default)]
pub enum Clock {
    /// The system's clock.
    #[default]
    System,
    /// A clock that a test in the same process sets.
    Steered(Arc<SteeredClock>),
    /// `GET {control}/now`, asked whenever the time is needed.
    Control(ControlClock),
}

impl Clock {
    /// A clock that starts at `start` and moves only when it is told to.
    pub fn steered(start: Timestamp) -> (Self, Arc<SteeredClock>) {
        let clock = Arc::new(SteeredClock::new(start));
        (Self::Steered(Arc::clone(&clock)), clock)
    }

    /// A clock that asks `GET {control}/now` and waits at most `timeout` for the answer.
    pub fn control(control: &Url, timeout: Duration) -> Self {
        Self::Control(ControlClock::new(control, timeout))
    }

    /// The present instant.
    ///
    /// # Errors
    /// Only a control clock fails: when its address does not answer, or answers something else.
    pub async fn now(&self) -> Result<Timestamp, ClockError> {
        match self {
            Self::System => Ok(Timestamp::now()),
            Self::Steered(clock) => Ok(clock.now()),
            Self::Control(clock) => clock.now().await,
        }
    }
}

/// A clock that stands still until it is set.
#[derive(Debug)]
pub struct SteeredClock {
    instant: RwLock<Timestamp>,
}

impl SteeredClock {
    /// A clock that shows `start`.
    pub fn new(start: Timestamp) -> Self {
        Self {
            instant: RwLock::new(start),
        }
    }

    /// Moves the clock to `instant`, forwards or backwards.
    pub fn set(&self, instant: Timestamp) {
        *self
            .instant
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner) = instant;
    }

    /// What the clock shows.
    pub fn now(&self) -> Timestamp {
        *self
            .instant
            .read()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// A clock behind an HTTP address (control version 1).
#[derive(Debug, Clone)]
pub struct ControlClock {
    now: Url,
    client: reqwest::Client,
    timeout: Duration,
}

/// `{"now": "2026-01-31T12:00:00Z"}`.
#[derive(Deserialize)]
struct ControlAnswer {
    now: Timestamp,
}

/// A control address is on loopback as a rule, where nothing is encrypted.
fn client(control: &Url) -> reqwest::Client {
    let builder = if control.scheme() == "http" {
        crate::crypto::plain_http_client()
    } else {
        crate::crypto::http_client()
    };
    // A client that cannot be made says so when the time is asked for; a plain one says the same.
    builder.build().unwrap_or_default()
}

impl ControlClock {
    fn new(control: &Url, timeout: Duration) -> Self {
        Self {
            now: crate::providers::join(control, &["now"]),
            client: client(control),
            timeout,
        }
    }

    async fn now(&self) -> Result<Timestamp, ClockError> {
        let body = crate::providers::fetch(
            &self.client,
            self.now.clone(),
            self.timeout,
            CONTROL_ANSWER_LIMIT,
        )
        .await
        .map_err(|error| ClockError::Unreachable(error.to_string()))?;
        serde_json::from_slice::<ControlAnswer>(&body)
            .map(|answer| answer.now)
            .map_err(|error| ClockError::Unreadable(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_steered_clock_shows_what_it_was_set_to() {
        let start: Timestamp = "2026-01-31T12:00:00Z".parse().unwrap();
        let later: Timestamp = "2026-03-01T00:00:00Z".parse().unwrap();
        let (clock, steering) = Clock::steered(start);
        assert_eq!(clock.now().await.unwrap(), start);
        steering.set(later);
        assert_eq!(clock.now().await.unwrap(), later);
    }
}

//! A steered clock and nothing else: control version 1 for a program that leans on no provider, so that a scenario over
//! standard streams need not start a whole set of mocks.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use url::Url;

use super::clock::MockClock;
use super::error::MockError;

const MOCK: &str = "timekeeper";

/// A clock that answers `GET {address}/now` until dropped.
#[derive(Debug)]
pub struct Timekeeper {
    clock: MockClock,
    address: Url,
    serving: JoinHandle<()>,
}

impl Timekeeper {
    /// Starts one on any free loopback port, standing where every clock of the harness starts.
    ///
    /// # Errors
    /// If a port cannot be had.
    pub async fn start() -> Result<Self, MockError> {
        let refused = |source| MockError::Listen {
            mock: MOCK,
            port: 0,
            source,
        };
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let address = Url::parse(&format!("http://{address}"))
            .map_err(|error| MockError::Refused(error.to_string()))?;
        let clock = MockClock::default();
        let router = Router::new()
            .route("/now", get(now))
            .with_state(clock.clone());
        let serving = tokio::spawn(async move {
            // Serving ends only when the task is aborted.
            let _ = axum::serve(listener, router).await;
        });
        Ok(Self {
            clock,
            address,
            serving,
        })
    }

    /// The address a program asks for the time: `GET {address}/now`.
    #[must_use]
    pub fn address(&self) -> &Url {
        &self.address
    }

    /// The clock, to read and to move.
    #[must_use]
    pub fn clock(&self) -> &MockClock {
        &self.clock
    }
}

impl Drop for Timekeeper {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn now(State(clock): State<MockClock>) -> Response {
    Json(json!({ "now": clock.now() })).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn tells_the_time_its_clock_was_moved_to() {
        crate::crypto::install();
        let timekeeper = Timekeeper::start().await.unwrap();
        timekeeper
            .clock()
            .set("2026-06-23T12:00:00Z".parse().unwrap());
        let address = timekeeper.address().join("now").unwrap();
        let client = crate::crypto::http_client().no_proxy().build().unwrap();
        let answer = client.get(address).send().await.unwrap();
        let told: serde_json::Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        assert_eq!(told, json!({ "now": "2026-06-23T12:00:00Z" }));
    }
}

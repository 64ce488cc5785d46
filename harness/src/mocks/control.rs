//! Control version 1 (`GET /now`), the admin interface (`POST /admin`) and the address nobody may ask (`/stray/…`), on one
//! loopback port that is not the authorization server's.

use std::sync::{Arc, Weak};

use axum::extract::{DefaultBodyLimit, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Json, Router};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use url::Url;

use super::admin::Command;
use super::answer::{Answer, Common, Question};
use super::authorization::keys::{KeyName, unpublished_certificate};
use super::breakage::Provider;
use super::error::MockError;
use super::set::MockSet;

/// Longest order that is read, in bytes: room for a token recipe with large texts.
const ORDER_LIMIT: usize = 4 * 1024 * 1024;

const MOCK: &str = "control";

/// A bound port whose routes are served once the set of mocks exists.
#[derive(Debug)]
pub struct Bound {
    listener: TcpListener,
    /// Base address.
    pub url: Url,
}

impl Bound {
    /// Takes loopback `port`, 0 for any free one.
    ///
    /// # Errors
    /// If the port cannot be had.
    pub async fn take(port: u16) -> Result<Self, MockError> {
        let refused = |source| MockError::Listen {
            mock: MOCK,
            port,
            source,
        };
        let listener = TcpListener::bind(("127.0.0.1", port))
            .await
            .map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let url = Url::parse(&format!("http://{address}"))
            .map_err(|error| MockError::Refused(error.to_string()))?;
        Ok(Self { listener, url })
    }

    /// Serves the orders to `set` until the task is aborted. Once the set is gone, orders are refused.
    #[must_use]
    pub fn serve(self, common: Common, set: Weak<MockSet>) -> JoinHandle<()> {
        let router = Router::new()
            .route("/now", get(now))
            .route("/stray/{*path}", any(stray))
            .with_state(common)
            .merge(Router::new().route("/admin", post(admin)).with_state(set))
            .layer(DefaultBodyLimit::max(ORDER_LIMIT));
        tokio::spawn(async move {
            // Serving ends only when the task is aborted.
            let _ = axum::serve(self.listener, router).await;
        })
    }
}

async fn now(State(common): State<Common>) -> Response {
    Answer::json(200, &json!({ "now": common.clock.now() })).into_response()
}

async fn admin(
    State(set): State<Weak<MockSet>>,
    order: Result<Json<Command>, axum::extract::rejection::JsonRejection>,
) -> Response {
    let Some(set): Option<Arc<MockSet>> = set.upgrade() else {
        return Answer::json(503, &json!({ "error": "the mocks are being stopped" }))
            .into_response();
    };
    let answer = match order {
        // A rejection quotes names of fields, never values, so no token gets into it.
        Err(rejection) => Answer::json(400, &json!({ "error": rejection.body_text() })),
        Ok(Json(command)) => match set.execute(command).await {
            Ok(value) => Answer::json(200, &value),
            Err(error) => Answer::json(422, &json!({ "error": error.to_string() })),
        },
    };
    answer.into_response()
}

/// Serves the attacker's key set and certificate, so that a server that comes here would be fooled, and records it.
async fn stray(State(common): State<Common>, request: Request) -> Response {
    let question = Question {
        method: request.method().to_string(),
        path: request.uri().path().to_owned(),
        query: request.uri().query().map(str::to_owned),
        headers: request
            .headers()
            .iter()
            .map(|(name, value)| (name.to_string(), value.as_bytes().to_vec()))
            .collect(),
        body: Vec::new(),
    };
    let answer = common.answer(Provider::Stray, &question, |question, _| {
        if question.path.ends_with("/certificate") {
            let pem = format!(
                "-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n",
                unpublished_certificate()
            );
            return Answer::text(200, "application/x-pem-file", pem);
        }
        // Under both names, so that a token with a known key name would verify as well.
        let under = |kid: String| {
            KeyName::Unpublished.public().map(|mut key| {
                key["kid"] = json!(kid);
                key
            })
        };
        match (
            under(KeyName::Unpublished.kid()),
            under(KeyName::Signing.kid()),
        ) {
            (Ok(own), Ok(borrowed)) => Answer::json(200, &json!({ "keys": [own, borrowed] })),
            _ => Answer::not_found(),
        }
    });
    answer.into_response()
}

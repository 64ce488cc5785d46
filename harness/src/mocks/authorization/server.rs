//! The running authorization server: routes, recording and breakage.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use url::Url;

use super::keys::KeyRing;
use super::metadata::{Amendments, KEYS_PATH, OAUTH_PATH, OPENID_PATH};
use crate::mocks::MockError;
use crate::mocks::answer::{Answer, Common, Question};
use crate::mocks::breakage::{Breakage, Provider};
use crate::mocks::gate::Gate;
use crate::mocks::played::loopback;

/// Longest request body that is read, in bytes.
const BODY_LIMIT: usize = 1024 * 1024;

const MOCK: &str = "authorization server";

/// The authorization server, listening until dropped.
#[derive(Debug)]
pub struct AuthorizationServer {
    gate: Gate,
    issuer: Url,
    keys: Arc<KeyRing>,
    amendments: Arc<Amendments>,
    task: JoinHandle<()>,
}

#[derive(Clone)]
struct Application {
    common: Common,
    issuer: Arc<str>,
    keys: Arc<KeyRing>,
    amendments: Arc<Amendments>,
}

impl AuthorizationServer {
    /// Starts it on loopback `port`, 0 for any free one.
    ///
    /// # Errors
    /// If a port cannot be had.
    pub async fn start(port: u16, common: Common) -> Result<Self, MockError> {
        let refused = |source| MockError::Listen {
            mock: MOCK,
            port: 0,
            source,
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.map_err(refused)?;
        let gate = Gate::open(MOCK, port, listener.local_addr().map_err(refused)?).await?;
        let issuer = loopback(gate.address())?;
        let keys = Arc::new(KeyRing::default());
        let amendments = Arc::new(Amendments::default());
        let application = Application {
            common,
            issuer: issuer.as_str().trim_end_matches('/').into(),
            keys: Arc::clone(&keys),
            amendments: Arc::clone(&amendments),
        };
        let router = Router::new()
            .route(OAUTH_PATH, any(metadata))
            .route(OPENID_PATH, any(metadata))
            .route(KEYS_PATH, any(key_set))
            .fallback(anything_else)
            .with_state(application);
        let task = tokio::spawn(async move {
            // Serving ends only when the task is aborted.
            let _ = axum::serve(listener, router).await;
        });
        Ok(Self {
            gate,
            issuer,
            keys,
            amendments,
            task,
        })
    }

    /// The door in front of it.
    #[must_use]
    pub fn gate(&self) -> &Gate {
        &self.gate
    }

    /// Its identifier.
    #[must_use]
    pub fn issuer(&self) -> &Url {
        &self.issuer
    }

    /// Its keys.
    #[must_use]
    pub fn keys(&self) -> &KeyRing {
        &self.keys
    }

    /// What is changed about its metadata.
    #[must_use]
    pub fn amendments(&self) -> &Amendments {
        &self.amendments
    }
}

impl Drop for AuthorizationServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn metadata(State(application): State<Application>, request: Request) -> Response {
    respond(
        &application,
        Provider::Metadata,
        request,
        |question, breakage| {
            if question.method != "GET" {
                return Answer::json(405, &json!({ "error": "method_not_allowed" }));
            }
            match breakage {
                Some(Breakage::Nothing) => Answer::json(200, &json!({})),
                _ => Answer::json(200, &application.amendments.document(&application.issuer)),
            }
        },
    )
    .await
}

async fn key_set(State(application): State<Application>, request: Request) -> Response {
    respond(
        &application,
        Provider::Keys,
        request,
        |question, breakage| {
            if question.method != "GET" {
                return Answer::json(405, &json!({ "error": "method_not_allowed" }));
            }
            if breakage == Some(&Breakage::Nothing) {
                return Answer::json(200, &json!({ "keys": [] }));
            }
            match application.keys.document() {
                Ok(document) => {
                    let mut answer = Answer::json(200, &document);
                    if let Some(seconds) = application.keys.max_age_seconds() {
                        answer
                            .headers
                            .push(("cache-control", format!("max-age={seconds}")));
                    }
                    answer
                }
                Err(error) => Answer::json(500, &json!({ "error": error.to_string() })),
            }
        },
    )
    .await
}

async fn anything_else(State(application): State<Application>, request: Request) -> Response {
    respond(&application, Provider::Authorization, request, |question, _| {
        match question.path.as_str() {
            "/authorize" | "/token" | "/register" => Answer::json(
                501,
                &json!({ "error": "temporarily_unavailable", "error_description": "This mock mints tokens; it has no login yet." }),
            ),
            _ => Answer::not_found(),
        }
    })
    .await
}

async fn respond(
    application: &Application,
    provider: Provider,
    request: Request,
    find: impl FnOnce(&Question, Option<&Breakage>) -> Answer,
) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, BODY_LIMIT)
        .await
        .unwrap_or_else(|_| Bytes::new());
    let question = Question {
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        query: parts.uri.query().map(str::to_owned),
        headers: parts
            .headers
            .iter()
            .map(|(name, value)| (name.to_string(), value.as_bytes().to_vec()))
            .collect(),
        body: body.to_vec(),
    };
    let answer = application.common.answer(provider, &question, find);
    tokio::time::sleep(answer.delay).await;
    answer.into_response()
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let status = http::StatusCode::from_u16(self.status)
            .unwrap_or(http::StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (
            status,
            [(http::header::CONTENT_TYPE, self.content_type)],
            self.body,
        )
            .into_response();
        for (name, value) in self.headers {
            if let Ok(value) = http::HeaderValue::from_str(&value) {
                response.headers_mut().insert(name, value);
            }
        }
        response
    }
}

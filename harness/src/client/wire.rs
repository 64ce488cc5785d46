//! Raw HTTP with control over every header and byte, for what a client library hides or refuses to send.

use std::sync::LazyLock;
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, Method};
use reqwest::redirect::Policy;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::{Message, Recorder, WireAnswer};

/// Longest body read from a server; what comes after it is cut.
const LONGEST_BODY_BYTES: usize = 8 * 1024 * 1024;

/// A client that follows no redirect, uses no proxy, keeps no cookie, adds no header of its own, and opens a connection
/// for every request, so that no request can inherit anything from another.
#[derive(Clone, Debug)]
pub struct Wire {
    client: reqwest::Client,
    recorder: Recorder,
    timeout: Duration,
}

/// One request, built part by part. Headers are appended, so the same name may stand twice.
#[derive(Clone, Debug)]
pub struct WireRequest {
    method: Method,
    url: Url,
    headers: HeaderMap,
    body: WireBody,
    problem: Option<String>,
}

#[derive(Clone, Debug)]
enum WireBody {
    /// Sent with its length declared.
    Declared(Vec<u8>),
    /// Sent in chunks without a length.
    Chunked(Vec<u8>),
}

/// Why there is no answer. None of them says that the target is wrong: a step decides that.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// HTTP itself cannot carry what the request wants to say, for instance a line break in a header.
    #[error("this request cannot be sent over HTTP: {0}")]
    Unsendable(String),
    /// Nobody answered in time.
    #[error("no answer to {method} {url} within {seconds} s")]
    Timeout {
        /// Method of the request.
        method: Method,
        /// URL of the request.
        url: Url,
        /// How long was waited.
        seconds: f32,
    },
    /// The connection was refused, reset or closed before an answer.
    #[error("no answer to {method} {url}: {reason}")]
    Connection {
        /// Method of the request.
        method: Method,
        /// URL of the request.
        url: Url,
        /// What the network said.
        reason: String,
    },
    /// The client could not be made.
    #[error("the HTTP client could not be made: {0}")]
    Client(String),
}

/// The one client of all raw exchanges: making one reads the machine's certificates, which takes longer than hundreds
/// of requests. It keeps no connection open between requests, so that none inherits anything from another.
fn http_client() -> Result<reqwest::Client, String> {
    static CLIENT: LazyLock<Result<reqwest::Client, String>> = LazyLock::new(|| {
        crate::crypto::http_client()
            .redirect(Policy::none())
            .no_proxy()
            .pool_max_idle_per_host(0)
            .build()
            .map_err(|error| error.to_string())
    });
    CLIENT.clone()
}

impl Wire {
    /// A wire on connections of its own. Every exchange goes to `recorder`; `timeout` bounds a whole exchange.
    ///
    /// # Errors
    /// [`WireError::Client`] if no TLS provider is installed.
    pub fn new(recorder: &Recorder, timeout: Duration) -> Result<Self, WireError> {
        Ok(Wire {
            client: http_client().map_err(WireError::Client)?,
            recorder: recorder.clone(),
            timeout,
        })
    }

    /// Sends the request and reads the answer.
    ///
    /// # Errors
    /// [`WireError`] if there is no answer. An answer of any status is `Ok`.
    pub async fn send(&self, request: WireRequest) -> Result<WireAnswer, WireError> {
        let line = request.summary();
        let answer = self.exchange(request).await;
        match &answer {
            Ok(answer) => self.recorder.keep(line, answer.summary()),
            Err(error) => {
                self.recorder.keep(line, error.to_string());
                if matches!(error, WireError::Timeout { .. }) {
                    self.recorder.note_silence();
                }
            }
        }
        answer
    }

    async fn exchange(&self, request: WireRequest) -> Result<WireAnswer, WireError> {
        if let Some(problem) = request.problem {
            return Err(WireError::Unsendable(problem));
        }
        let (method, url) = (request.method.clone(), request.url.clone());
        let started = std::time::Instant::now();
        let failed = |error: reqwest::Error| failure(&method, &url, started.elapsed(), &error);
        let body = match request.body {
            WireBody::Declared(bytes) => reqwest::Body::from(bytes),
            WireBody::Chunked(bytes) => in_chunks(bytes),
        };
        let mut response = self
            .client
            .request(request.method, request.url)
            .headers(request.headers)
            .timeout(self.timeout)
            .body(body)
            .send()
            .await
            .map_err(failed)?;
        let (status, headers) = (response.status(), response.headers().clone());
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(failed)? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() >= LONGEST_BODY_BYTES {
                bytes.truncate(LONGEST_BODY_BYTES);
                break;
            }
        }
        let body = String::from_utf8_lossy(&bytes).into_owned();
        Ok(WireAnswer {
            status,
            headers,
            body,
        })
    }
}

impl WireRequest {
    /// A request without headers and body.
    pub fn new(method: Method, url: &Url) -> Self {
        WireRequest {
            method,
            url: url.clone(),
            headers: HeaderMap::new(),
            body: WireBody::Declared(Vec::new()),
            problem: None,
        }
    }

    /// A GET without headers.
    pub fn get(url: &Url) -> Self {
        Self::new(Method::GET, url)
    }

    /// A POST of a protocol message with the headers that belong to it, and no credentials.
    pub fn post(url: &Url, message: &Message) -> Self {
        let mut request = Self::new(Method::POST, url);
        for (name, value) in &message.headers {
            request = request.header(name, value);
        }
        request.body(message.body.to_string())
    }

    /// Adds a header line; a name may be added twice. What no header can carry is refused when the request is sent.
    pub fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        let parsed = HeaderName::try_from(name);
        match (parsed, HeaderValue::from_bytes(value.as_ref())) {
            (Ok(name), Ok(value)) => {
                self.headers.append(name, value);
            }
            _ => self.problem = Some(format!("header {name:?}")),
        }
        self
    }

    /// Removes every line of a header.
    pub fn without_header(mut self, name: &str) -> Self {
        self.headers.remove(name);
        self
    }

    /// Adds `Authorization: Bearer` with this token.
    pub fn bearer(self, token: &SecretString) -> Self {
        self.authorization(format!("Bearer {}", token.expose_secret()))
    }

    /// Adds an `Authorization` line with any value.
    pub fn authorization(self, value: impl AsRef<[u8]>) -> Self {
        self.header("Authorization", value)
    }

    /// Adds a parameter to the query of the URL.
    pub fn query(mut self, name: &str, value: &str) -> Self {
        self.url.query_pairs_mut().append_pair(name, value);
        self
    }

    /// Sets the body, its length declared.
    pub fn body(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.body = WireBody::Declared(bytes.into());
        self
    }

    /// Sets the body, sent in chunks without a declared length.
    pub fn chunked_body(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.body = WireBody::Chunked(bytes.into());
        self
    }

    /// The request in one line for a failure block. The credentials are never part of it.
    fn summary(&self) -> String {
        let mut text = format!("{} {}", self.method, self.url);
        for (name, value) in &self.headers {
            let value = String::from_utf8_lossy(value.as_bytes());
            let shown = match name.as_str() {
                "accept" | "content-type" => continue,
                "authorization" => credentials_summary(&value),
                _ => value.chars().take(200).collect(),
            };
            text.push_str(&format!(" {name}: {shown}"));
        }
        let (WireBody::Declared(bytes) | WireBody::Chunked(bytes)) = &self.body;
        if !bytes.is_empty() {
            text.push(' ');
            text.push_str(&String::from_utf8_lossy(&bytes[..bytes.len().min(4_096)]));
        }
        text
    }
}

/// The scheme and the length: enough to see which request it was, nothing to use.
fn credentials_summary(value: &str) -> String {
    match value.split_once(' ') {
        Some((scheme, credentials)) if scheme.len() <= 10 => {
            format!("{scheme} [{} characters]", credentials.chars().count())
        }
        _ => format!("[{} characters]", value.chars().count()),
    }
}

fn in_chunks(bytes: Vec<u8>) -> reqwest::Body {
    let chunks: Vec<Result<Vec<u8>, std::io::Error>> = bytes
        .chunks(64 * 1024)
        .map(|chunk| Ok(chunk.to_vec()))
        .collect();
    reqwest::Body::wrap_stream(futures::stream::iter(chunks))
}

fn failure(method: &Method, url: &Url, waited: Duration, error: &reqwest::Error) -> WireError {
    let (method, url) = (method.clone(), url.clone());
    if error.is_timeout() {
        return WireError::Timeout {
            method,
            url,
            seconds: waited.as_secs_f32(),
        };
    }
    if error.is_builder() {
        return WireError::Unsendable(error.to_string());
    }
    // The useful words ("connection refused") stand in the innermost cause.
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    WireError::Connection {
        method,
        url,
        reason: cause.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url() -> Url {
        "http://127.0.0.1:9/mcp".parse().unwrap()
    }

    #[test]
    fn a_summary_shows_the_scheme_and_never_the_credentials() {
        let request = WireRequest::get(&url())
            .bearer(&SecretString::from("top-secret-canary"))
            .authorization("no-scheme-canary")
            .header("Origin", "https://evil.example");
        let summary = request.summary();
        assert!(summary.contains("Bearer [17 characters]") && summary.contains("evil.example"));
        assert!(!summary.contains("canary"));
    }

    #[test]
    fn a_header_may_stand_twice() {
        let request = WireRequest::get(&url())
            .header("X-A", "1")
            .header("x-a", "2");
        assert_eq!(request.headers.get_all("x-a").iter().count(), 2);
    }

    #[tokio::test]
    async fn what_no_header_can_carry_is_refused_before_it_is_sent() {
        crate::crypto::install();
        let wire = Wire::new(&Recorder::default(), Duration::from_secs(1)).unwrap();
        let answer = wire
            .send(WireRequest::get(&url()).header("X-A", "a\r\nb"))
            .await;
        assert!(matches!(answer, Err(WireError::Unsendable(_))));
    }

    #[tokio::test]
    async fn a_closed_port_is_a_connection_error_and_is_recorded() {
        crate::crypto::install();
        let recorder = Recorder::default();
        let wire = Wire::new(&recorder, Duration::from_secs(5)).unwrap();
        let answer = wire.send(WireRequest::get(&url())).await;
        assert!(
            matches!(answer, Err(WireError::Connection { .. })),
            "{answer:?}"
        );
        assert_eq!(recorder.requests(), 1);
    }
}

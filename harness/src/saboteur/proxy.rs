//! The reverse proxy itself: binds a port, forwards every exchange, applies one fault on the way.

use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::State,
    response::{IntoResponse, Response},
};
use http::{HeaderName, StatusCode, header};
use tokio::{net::TcpListener, task::JoinHandle};
use url::Url;

use super::{
    Sabotage,
    exchange::{Answer, Request},
    fault::Context,
};

/// The largest body that the proxy holds; larger ones are answered 413, as a healthy server would.
const BODY_LIMIT: usize = 16 * 1024 * 1024;

/// How long the healthy server may take for one exchange.
const UPSTREAM_TIMEOUT: Duration = Duration::from_secs(20);

/// A port of the loopback interface on which a proxy will stand.
///
/// It is bound before the healthy server starts, because that server must name the proxy's address
/// as its own resource identifier.
#[derive(Debug)]
pub struct Seat {
    listener: TcpListener,
    address: SocketAddr,
}

impl Seat {
    /// Binds a free loopback port.
    ///
    /// # Errors
    /// The operating system's refusal to bind.
    pub async fn bind() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// The address that clients will speak to.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Starts forwarding to `upstream` (any URL of the healthy server; its path is ignored), or to several servers in turn,
    /// a request each.
    ///
    /// # Errors
    /// The HTTP client could not be built.
    pub fn stand_before(
        self,
        upstream: &[&Url],
        sabotage: &Sabotage,
        context: Context,
    ) -> Result<Saboteur, reqwest::Error> {
        let client = crate::crypto::http_client()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(UPSTREAM_TIMEOUT)
            .no_proxy()
            // An idle connection would keep the healthy server from stopping.
            .pool_max_idle_per_host(0)
            .build()?;
        let origin = |upstream: &&Url| {
            let mut origin = (*upstream).clone();
            origin.set_path("/");
            origin
        };
        let state = Arc::new(Proxy {
            client,
            origins: upstream.iter().map(origin).collect(),
            turn: AtomicUsize::new(0),
            sabotage: sabotage.clone(),
            context,
        });
        let router = Router::new().fallback(forward).with_state(state);
        let task = tokio::spawn(async move {
            if let Err(error) = axum::serve(self.listener, router).await {
                tracing::error!(%error, "the proxy stopped");
            }
        });
        Ok(Saboteur {
            address: self.address,
            task,
        })
    }
}

/// A proxy at work. It stops when it is dropped.
#[derive(Debug)]
pub struct Saboteur {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl Saboteur {
    /// The address that clients speak to.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Saboteur {
    fn drop(&mut self) {
        self.task.abort();
    }
}

struct Proxy {
    client: reqwest::Client,
    origins: Vec<Url>,
    turn: AtomicUsize,
    sabotage: Sabotage,
    context: Context,
}

async fn forward(State(proxy): State<Arc<Proxy>>, incoming: axum::extract::Request) -> Response {
    let (parts, body) = incoming.into_parts();
    let Ok(body) = to_bytes(body, BODY_LIMIT).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let sent = Request {
        method: parts.method,
        uri: parts.uri,
        headers: parts.headers,
        body,
    };
    let mut request = sent.clone();
    let fault = &proxy.sabotage.defect;
    let mut changed = fault.on_request(&mut request, &proxy.context).await;
    let mut answer = match proxy.pass(&request).await {
        Ok(answer) => answer,
        Err(error) => {
            tracing::debug!(%error, "the healthy server did not answer the proxy");
            return StatusCode::BAD_GATEWAY.into_response();
        }
    };
    changed |= fault.on_answer(&sent, &request, &mut answer);
    if let Some(follow_up) = fault.follow_up(&sent, &answer) {
        // The client never sees this exchange: the defect acts behind its back.
        changed |= proxy.pass(&follow_up).await.is_ok();
    }
    if changed {
        proxy.sabotage.count();
    }
    let mut response = Response::new(Body::from(answer.body));
    *response.status_mut() = answer.status;
    *response.headers_mut() = answer.headers;
    response
}

impl Proxy {
    /// Sends one request to the healthy server and reads its whole answer.
    async fn pass(&self, request: &Request) -> Result<Answer, reqwest::Error> {
        let turn = self.turn.fetch_add(1, Ordering::Relaxed) % self.origins.len().max(1);
        let mut target = self.origins[turn].clone();
        target.set_path(request.uri.path());
        target.set_query(request.uri.query());
        let mut headers = request.headers.clone();
        for name in HOP_BY_HOP {
            headers.remove(name);
        }
        let answer = self
            .client
            .request(request.method.clone(), target)
            .headers(headers)
            .body(request.body.clone())
            .send()
            .await?;
        let status = answer.status();
        let mut headers = answer.headers().clone();
        for name in HOP_BY_HOP {
            headers.remove(name);
        }
        let body = answer.bytes().await?;
        Ok(Answer {
            status,
            headers,
            body,
        })
    }
}

/// Fields that belong to one connection, not to the message (RFC 9110 section 7.6.1), and the
/// length, which each side computes anew.
const HOP_BY_HOP: [HeaderName; 5] = [
    header::CONNECTION,
    header::TRANSFER_ENCODING,
    header::CONTENT_LENGTH,
    header::UPGRADE,
    header::TE,
];

//! A provider played by wiremock, behind a gate where it may have to refuse connections.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;

use url::Url;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate};

use super::answer::{Answer, Common, Question};
use super::breakage::{Breakage, Provider};
use super::error::MockError;
use super::gate::Gate;

/// How a provider finds its answers.
pub type Find = Arc<dyn Fn(&Question, Option<&Breakage>) -> Answer + Send + Sync>;

/// A running provider.
pub struct Played {
    mock: &'static str,
    gate: Option<Gate>,
    // Listens as long as it is held.
    server: Option<MockServer>,
}

impl std::fmt::Debug for Played {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Played({})", self.mock)
    }
}

impl Played {
    /// Plays `provider` on loopback `port` (0 for any free one), `gated` or not, answering whatever is asked with `find`.
    ///
    /// # Errors
    /// If a port cannot be had.
    pub async fn start(
        provider: Provider,
        port: u16,
        gated: bool,
        common: Common,
        find: Find,
    ) -> Result<Self, MockError> {
        let mock = provider.title();
        // Bound here, because wiremock would panic where a port cannot be had.
        let behind = if gated { 0 } else { port };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, behind)).map_err(|source| {
            MockError::Listen {
                mock,
                port: behind,
                source,
            }
        })?;
        let server = MockServer::builder()
            .listener(listener)
            .disable_request_recording()
            .start()
            .await;
        Mock::given(any())
            .respond_with(Answering {
                provider,
                common,
                find,
            })
            .mount(&server)
            .await;
        let gate = match gated {
            true => Some(Gate::open(mock, port, *server.address()).await?),
            false => None,
        };
        Ok(Self {
            mock,
            gate,
            server: Some(server),
        })
    }

    /// The door in front of it, where there is one.
    #[must_use]
    pub fn gate(&self) -> Option<&Gate> {
        self.gate.as_ref()
    }

    /// Where it listens.
    ///
    /// # Errors
    /// Never for a loopback address; typed because an address is parsed.
    pub fn url(&self) -> Result<Url, MockError> {
        let address = match (&self.gate, &self.server) {
            (Some(gate), _) => gate.address(),
            (None, Some(server)) => *server.address(),
            (None, None) => return Err(MockError::Refused("the mock has ended".to_owned())),
        };
        loopback(address)
    }
}

impl Drop for Played {
    fn drop(&mut self) {
        // A wiremock server that is dropped blocks on a lock of the runtime. Inside a task that has used up its turn, that
        // lock is never granted, so the server ends on a thread of its own.
        let server = self.server.take();
        std::thread::spawn(move || drop(server));
    }
}

/// An address on this machine as a URL.
///
/// # Errors
/// Never for a loopback address; typed because an address is parsed.
pub fn loopback(address: SocketAddr) -> Result<Url, MockError> {
    Url::parse(&format!("http://{address}")).map_err(|error| MockError::Refused(error.to_string()))
}

struct Answering {
    provider: Provider,
    common: Common,
    find: Find,
}

impl Respond for Answering {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let question = Question {
            method: request.method.to_string(),
            path: request.url.path().to_owned(),
            query: request.url.query().map(str::to_owned),
            headers: request
                .headers
                .iter()
                .map(|(name, value)| (name.to_string(), value.as_bytes().to_vec()))
                .collect(),
            body: request.body.clone(),
        };
        let answer = self
            .common
            .answer(self.provider, &question, |question, breakage| {
                (self.find)(question, breakage)
            });
        let template =
            ResponseTemplate::new(answer.status).set_body_raw(answer.body, answer.content_type);
        let template = answer
            .headers
            .into_iter()
            .fold(template, |template, (name, value)| {
                template.insert_header(name, value.as_str())
            });
        template.set_delay(answer.delay)
    }
}

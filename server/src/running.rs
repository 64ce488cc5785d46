//! A server that runs in this process: bound, reachable, and stopped on request.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use url::Url;

use crate::auth::AuthorizationServer;
use crate::http::{ENDPOINT, Front, router};
use crate::mcp::Profile;
use crate::profiles::kobana::{Kobana, KobanaFront};
use crate::profiles::worthbase::{OpenError, Worthbase, WorthbaseParts};
use crate::providers::{
    Bank, CoinGecko, EuropeanCentralBank, MemberDirectory, SubscriptionDirectory, UserDirectory,
    YahooFinance,
};
use crate::settings::Settings;

/// How long a stopping server waits for requests that are under way.
const GRACE: Duration = Duration::from_secs(5);

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address could not be bound.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address that was asked for.
        address: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// A setting that cannot be used.
    #[error("{0}")]
    Setting(String),
    /// The profile could not be opened.
    #[error("cannot open the profile: {0}")]
    Profile(#[from] OpenError),
    /// The HTTP client could not be built.
    #[error("cannot build the HTTP client: {0}")]
    Client(#[from] reqwest::Error),
}

/// A running server. It stops when it is told to, or when this value is dropped.
#[derive(Debug)]
pub struct RunningServer {
    endpoint: Url,
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinHandle<()>,
}

impl RunningServer {
    /// The canonical address of the MCP endpoint: the resource that tokens must name.
    pub fn url(&self) -> &Url {
        &self.endpoint
    }

    /// The socket it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops listening, lets requests under way end (at most five seconds), and returns when all is quiet.
    pub async fn stop(mut self) {
        if let Some(stop) = self.stop.take() {
            // An error means that the server has already ended.
            let _ = stop.send(());
        }
        if tokio::time::timeout(GRACE, &mut self.serving)
            .await
            .is_err()
        {
            self.serving.abort();
        }
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Starts the worthbase profile.
///
/// # Errors
/// When the address cannot be bound, a setting cannot be used, or the store cannot be opened. The authorization server and the
/// providers need not be reachable yet.
pub async fn start(settings: Settings) -> Result<RunningServer, StartError> {
    crate::crypto::install();
    let client = crate::providers::client()?;
    let timeout = settings.upstream_timeout;
    let parts = WorthbaseParts {
        store: settings.store.clone(),
        users: UserDirectory::new(settings.directory.clone(), client.clone(), timeout),
        subscriptions: SubscriptionDirectory::new(
            settings.subscriptions.clone(),
            client.clone(),
            timeout,
        ),
        rates: Arc::new(EuropeanCentralBank::new(
            settings.ecb.clone(),
            client.clone(),
            timeout,
            settings.clock.clone(),
        )),
        yahoo: YahooFinance::new(settings.yahoo.clone(), client.clone(), timeout),
        coingecko: CoinGecko::new(settings.coingecko.clone(), client.clone(), timeout),
        clock: settings.clock.clone(),
        rules: settings.rules.clone(),
    };
    let profile = Worthbase::open(parts).await?;
    serve(settings, profile, client).await
}

/// Starts a server in front of any profile. The store and the provider addresses of the settings are not used: the profile brings
/// what it needs.
///
/// # Errors
/// When the address cannot be bound or a setting cannot be used.
pub async fn start_profile(
    settings: Settings,
    profile: Arc<dyn Profile>,
) -> Result<RunningServer, StartError> {
    crate::crypto::install();
    let client = crate::providers::client()?;
    serve(settings, profile, client).await
}

async fn serve(
    settings: Settings,
    profile: Arc<dyn Profile>,
    client: reqwest::Client,
) -> Result<RunningServer, StartError> {
    let Ground {
        listener,
        address,
        resource,
        authorization_server,
    } = Ground::prepare(&settings, ENDPOINT, client).await?;
    let router = router(Front {
        address,
        resource: resource.clone(),
        authorization_server,
        profile,
        clock: settings.clock,
        rules: Arc::new(settings.rules.door),
    });
    Ok(listen(listener, resource, address, router))
}

/// Starts the payables profile at the root of its own address and waits until it listens.
///
/// # Errors
/// When no bank is set, the address cannot be had, or the settings contradict themselves.
pub async fn start_kobana(settings: Settings) -> Result<RunningServer, StartError> {
    crate::crypto::install();
    let client = crate::providers::client()?;
    let bank = settings
        .bank
        .clone()
        .ok_or_else(|| StartError::Setting("the payables profile needs a bank".to_owned()))?;
    let timeout = settings.upstream_timeout;
    let kobana = Kobana::open(
        Bank::new(bank, client.clone(), timeout),
        Arc::new(settings.rules.kobana.clone()),
    )
    .map_err(|error| StartError::Setting(error.to_string()))?;
    let directory = MemberDirectory::new(settings.directory.clone(), client.clone(), timeout);
    let Ground {
        listener,
        address,
        resource,
        authorization_server,
    } = Ground::prepare(&settings, "/", client).await?;
    let front = KobanaFront {
        address,
        resource: resource.clone(),
        authorization_server,
        directory,
        clock: settings.clock,
        door: Arc::new(settings.rules.door),
    };
    let router = crate::profiles::kobana::router(front, kobana);
    Ok(listen(listener, resource, address, router))
}

/// What every profile stands on: a socket, its own address, and whose tokens it accepts.
struct Ground {
    listener: TcpListener,
    address: SocketAddr,
    resource: Url,
    authorization_server: Arc<AuthorizationServer>,
}

impl Ground {
    async fn prepare(
        settings: &Settings,
        path: &str,
        client: reqwest::Client,
    ) -> Result<Self, StartError> {
        let refused = |source| StartError::Listen {
            address: settings.listen,
            source,
        };
        let listener = TcpListener::bind(settings.listen).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let resource = match settings.resource.clone() {
            Some(resource) => resource,
            None => {
                // Nobody can call "every address"; this machine's own clients can call loopback.
                let host = match address.ip() {
                    IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
                    IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
                    ip => ip,
                };
                let authority = SocketAddr::new(host, address.port());
                Url::parse(&format!("http://{authority}{path}")).map_err(|error| {
                    StartError::Setting(format!("no address for {authority}: {error}"))
                })?
            }
        };
        if resource.host_str().is_none()
            || resource.fragment().is_some()
            || resource.query().is_some()
        {
            return Err(StartError::Setting(format!(
                "{resource} is not the address of a resource: it needs a host, and no query or fragment"
            )));
        }
        let authorization_server = AuthorizationServer::new(
            settings.issuer.clone(),
            settings.jwks_uri.clone(),
            client,
            settings.upstream_timeout,
        )
        .map_err(|problem| StartError::Setting(problem.to_owned()))?;
        Ok(Self {
            listener,
            address,
            resource,
            authorization_server: Arc::new(authorization_server),
        })
    }
}

/// Serves until it is told to stop.
fn listen(
    listener: TcpListener,
    resource: Url,
    address: SocketAddr,
    router: axum::Router,
) -> RunningServer {
    let (stop, stopped) = oneshot::channel();
    let serving = tokio::spawn(async move {
        let stopped = async {
            // A dropped sender stops the server as well.
            let _ = stopped.await;
        };
        if let Err(error) = axum::serve(listener, router)
            .with_graceful_shutdown(stopped)
            .await
        {
            tracing::error!(%error, "the server ended");
        }
    });
    RunningServer {
        endpoint: resource,
        address,
        stop: Some(stop),
        serving,
    }
}

//! Starts a server under test, as often as scenarios need one of their own.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;
use tokio::net::TcpStream;
use url::Url;

use super::placeholders::{self, Placeholders};
use super::process::{Plan, Process, free_port};
use super::reference::{self, InProcess};
use super::{Access, Kind, Service, Target, TargetError};
use crate::mocks::{MockClock, Mocks};
use crate::saboteur::{Context, Forge, Sabotage, Saboteur, Seat};

/// How long a connection to a server that runs elsewhere may take.
const REACH: Duration = Duration::from_secs(5);

/// How a target is started; kept for the whole run, because isolated scenarios start their own.
#[derive(Debug, Clone)]
pub enum Launcher {
    /// The reference server that Proofmark brings along.
    Reference,
    /// A server that runs already; starting only checks that it answers.
    Url {
        /// Where MCP is spoken.
        endpoint: Url,
        /// Name for reports.
        name: Option<String>,
        /// The contract it claims.
        contract: Option<String>,
    },
    /// A command, with placeholders such as `{port}`.
    Command {
        /// The command line.
        line: String,
        /// Name for reports.
        name: Option<String>,
        /// The contract it claims.
        contract: Option<String>,
    },
    /// A command that speaks over its standard streams, with placeholders such as `{data}`.
    Stdio {
        /// The command line.
        line: String,
        /// The command line that imports the statement `{file}`.
        import: Option<String>,
        /// Name for reports.
        name: Option<String>,
        /// The contract it claims.
        contract: Option<String>,
    },
}

/// What one start of a target is to be like.
#[derive(Debug, Clone)]
pub struct LaunchOptions {
    /// Folder that outlives a restart; without it the reference server keeps its store in memory and a command gets a
    /// temporary folder.
    pub data: Option<PathBuf>,
    /// The reference server's `Rules` as JSON; the correct ones without it.
    pub rules: Option<serde_json::Value>,
    /// Whether the reference server runs as a process of its own, so that it can be killed.
    pub own_process: bool,
    /// Whether the target is two processes on one store behind one address.
    pub two_processes: bool,
    /// Whether the process shall see failing writes, not end, when its disk is filled; see [`Running::fill_disk`].
    pub outlives_full_disk: bool,
    /// The `proofmark` executable to run for that; this one without it.
    pub executable: Option<PathBuf>,
    /// Bound on the server's calls to providers.
    pub upstream_timeout: Duration,
    /// How long a command may take until its port answers.
    pub ready_within: Duration,
    /// Port to listen on; any free one without it.
    pub port: Option<u16>,
    /// How much control over the target there is, where somebody said so; found out otherwise.
    pub access: Option<Access>,
    /// Whether the target goes by the machine's own clock, so that its mocks have to run with that one.
    pub real_time: bool,
    /// What the server takes for its own address, where that is not where it listens.
    pub resource: Option<Url>,
    /// Which service the reference server offers.
    pub service: Service,
    /// A fault to put before the server, on the wire.
    pub sabotage: Option<Sabotage>,
}

impl Default for LaunchOptions {
    fn default() -> Self {
        Self {
            data: None,
            rules: None,
            own_process: false,
            two_processes: false,
            outlives_full_disk: false,
            executable: None,
            // Ample for a busy machine: the mocks answer from the same one, and their silence would be a false alarm.
            upstream_timeout: Duration::from_secs(5),
            ready_within: Duration::from_secs(30),
            port: None,
            access: None,
            real_time: false,
            resource: None,
            service: Service::default(),
            sabotage: None,
        }
    }
}

impl LaunchOptions {
    /// The clock that mocks for such a target go by.
    #[must_use]
    pub fn clock(&self) -> MockClock {
        if self.real_time {
            MockClock::running()
        } else {
            MockClock::default()
        }
    }
}

impl Launcher {
    /// How the target comes to be there.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Reference => Kind::Reference,
            Self::Url { .. } => Kind::Url,
            Self::Command { .. } => Kind::Command,
            Self::Stdio { .. } => Kind::Stdio,
        }
    }

    /// Whether the target goes by the machine's own clock: a command that is not handed the address of the steered one,
    /// unless somebody said that it takes it from its environment.
    #[must_use]
    pub fn goes_by_real_time(&self, access: Option<Access>) -> bool {
        matches!(self, Self::Command { line, .. } if !line.contains("{control}"))
            && access != Some(Access::Control)
    }

    /// The name that somebody gave the target.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        match self {
            Self::Reference => None,
            Self::Url { name, .. } | Self::Command { name, .. } | Self::Stdio { name, .. } => {
                name.clone()
            }
        }
    }

    /// Starts the target and waits until it answers.
    ///
    /// # Errors
    /// If it cannot be started or reached; see [`TargetError`].
    pub async fn start(
        &self,
        mocks: Option<&Mocks>,
        options: &LaunchOptions,
    ) -> Result<Running, TargetError> {
        match &options.sabotage {
            None => self.start_healthy(mocks, options).await,
            Some(sabotage) => self.start_behind(sabotage, mocks, options).await,
        }
    }

    /// Starts the target behind a proxy that breaks it: the proxy is bound first, because the server has to call
    /// itself by the proxy's address.
    async fn start_behind(
        &self,
        sabotage: &Sabotage,
        mocks: Option<&Mocks>,
        options: &LaunchOptions,
    ) -> Result<Running, TargetError> {
        let seat = Seat::bind().await.map_err(|source| TargetError::System {
            doing: "binding a port for the proxy",
            source,
        })?;
        let mut address = endpoint(seat.address().port())?;
        if options.service == Service::Kobana {
            address.set_path("/");
        }
        let healthy = LaunchOptions {
            resource: Some(address.clone()),
            ..options.clone()
        };
        let mut running = self.start_healthy(mocks, &healthy).await?;
        let context = Context {
            forge: mocks.map(|mocks| Forge::new(mocks.clone(), address.to_string())),
        };
        let proxy = seat
            .stand_before(&[&running.target.endpoint], sabotage, context)
            .map_err(|error| TargetError::Reference(error.to_string()))?;
        running.target.resource = address.to_string();
        running.target.endpoint = address;
        running.proxies.push(proxy);
        Ok(running)
    }

    pub(super) async fn start_healthy(
        &self,
        mocks: Option<&Mocks>,
        options: &LaunchOptions,
    ) -> Result<Running, TargetError> {
        if options.two_processes {
            return Box::pin(self.start_twice(mocks, options)).await;
        }
        match self {
            Self::Reference => {
                start_reference(
                    mocks.ok_or(TargetError::MocksMissing(Kind::Reference))?,
                    options,
                )
                .await
            }
            Self::Url {
                endpoint,
                name,
                contract,
            } => {
                reach(endpoint).await?;
                let access = options.access.unwrap_or(if mocks.is_some() {
                    Access::MockAs
                } else {
                    Access::Url
                });
                let target = Target {
                    kind: Kind::Url,
                    name: name
                        .clone()
                        .unwrap_or_else(|| endpoint.host_str().unwrap_or("server").to_owned()),
                    endpoint: endpoint.clone(),
                    resource: endpoint.to_string(),
                    access,
                    contract: contract.clone(),
                };
                Ok(Running {
                    target,
                    server: Server::Elsewhere,
                    proxies: Vec::new(),
                    beside: None,
                    _folder: None,
                })
            }
            Self::Command {
                line,
                name,
                contract,
            } => {
                let mocks = mocks.ok_or(TargetError::MocksMissing(Kind::Command))?;
                start_command(line, name.as_deref(), contract.as_deref(), mocks, options).await
            }
            // Every scenario starts its own; see `Launcher::local`.
            Self::Stdio { .. } => Ok(Running {
                target: self.local_target(options)?,
                server: Server::Elsewhere,
                proxies: Vec::new(),
                beside: None,
                _folder: None,
            }),
        }
    }
}

async fn start_reference(mocks: &Mocks, options: &LaunchOptions) -> Result<Running, TargetError> {
    let (endpoint, server, folder) = if options.own_process {
        let (data, folder) = data_folder(options)?;
        let executable = executable(options)?;
        let port = port(options).await?;
        let placeholders = placeholders(port, mocks, &data, options);
        let process = Process::start(reference::plan(
            &executable,
            port,
            &data,
            &placeholders,
            options,
        ))
        .await?;
        (endpoint(port)?, Server::Process(process), folder)
    } else {
        let server = InProcess::start(mocks, options).await?;
        (server.endpoint(), Server::InProcess(server), None)
    };
    let target = Target {
        kind: Kind::Reference,
        name: "Proofmark reference server".to_owned(),
        resource: match options.service {
            Service::Worthbase => endpoint.to_string(),
            // The origin itself is the resource, without a slash.
            Service::Kobana => endpoint.as_str().trim_end_matches('/').to_owned(),
        },
        endpoint,
        access: options.access.unwrap_or(Access::Control),
        contract: Some(reference::CONTRACT.to_owned()),
    };
    Ok(Running {
        target,
        server,
        proxies: Vec::new(),
        beside: None,
        _folder: folder,
    })
}

/// The `proofmark` program that runs the reference server: the one asked for, or this one.
///
/// # Errors
/// If the operating system does not tell which program this is.
pub(super) fn executable(options: &LaunchOptions) -> Result<PathBuf, TargetError> {
    match &options.executable {
        Some(executable) => Ok(executable.clone()),
        None => std::env::current_exe().map_err(|source| TargetError::System {
            doing: "finding Proofmark's own program",
            source,
        }),
    }
}

async fn start_command(
    line: &str,
    name: Option<&str>,
    contract: Option<&str>,
    mocks: &Mocks,
    options: &LaunchOptions,
) -> Result<Running, TargetError> {
    let malformed = |reason: String| TargetError::CommandMalformed {
        command: line.to_owned(),
        reason,
    };
    let words = shell_words::split(line).map_err(|error| malformed(error.to_string()))?;
    let program = words
        .first()
        .cloned()
        .ok_or_else(|| malformed("it is empty".to_owned()))?;
    let (data, folder) = data_folder(options)?;
    let port = port(options).await?;
    let placeholders = placeholders(port, mocks, &data, options);
    let plan = Plan {
        words: words
            .iter()
            .map(|word| placeholders.fill(word))
            .collect::<Result<_, _>>()?,
        environment: placeholders
            .environment()
            .map(|(name, value)| (name, value.to_owned()))
            .collect(),
        port,
        ready_within: options.ready_within,
        outlives_full_disk: options.outlives_full_disk,
    };
    let process = Process::start(plan).await?;
    // A command that is handed the control address is taken to use it; one that reads it from its environment says so in
    // `proofmark.toml` or with `--access`.
    let controlled = line.contains("{control}");
    let access = options.access.unwrap_or(if controlled {
        Access::Control
    } else {
        Access::MockAs
    });
    let endpoint = endpoint(port)?;
    let target = Target {
        kind: Kind::Command,
        name: name.map_or(program, str::to_owned),
        resource: endpoint.to_string(),
        endpoint,
        access,
        contract: contract.map(str::to_owned),
    };
    Ok(Running {
        target,
        server: Server::Process(process),
        proxies: Vec::new(),
        beside: None,
        _folder: folder,
    })
}

/// The data folder: the one asked for, made if it is missing, or a temporary one that lives as long as the target.
pub(super) fn data_folder(
    options: &LaunchOptions,
) -> Result<(PathBuf, Option<TempDir>), TargetError> {
    let failed = |source| TargetError::System {
        doing: "making the data folder",
        source,
    };
    match &options.data {
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(failed)?;
            Ok((folder.clone(), None))
        }
        None => {
            let folder = TempDir::with_prefix("proofmark-").map_err(failed)?;
            Ok((folder.path().to_owned(), Some(folder)))
        }
    }
}

/// What a server that is started as a process is told.
fn placeholders(port: u16, mocks: &Mocks, data: &Path, options: &LaunchOptions) -> Placeholders {
    let placeholders = Placeholders::new(port, mocks.addresses(), data, options.upstream_timeout);
    match &options.resource {
        Some(resource) => placeholders.with_resource(resource),
        None => placeholders,
    }
}

async fn port(options: &LaunchOptions) -> Result<u16, TargetError> {
    match options.port {
        Some(port) if port != 0 => Ok(port),
        _ => free_port().await,
    }
}

pub(super) fn endpoint(port: u16) -> Result<Url, TargetError> {
    Url::parse(&placeholders::resource(port))
        .map_err(|error| TargetError::Reference(error.to_string()))
}

/// Sees whether anybody listens at the address.
async fn reach(endpoint: &Url) -> Result<(), TargetError> {
    let unreachable = |reason: String| TargetError::Unreachable {
        endpoint: endpoint.to_string(),
        reason,
    };
    let host = endpoint
        .host_str()
        .ok_or_else(|| unreachable("it names no host".to_owned()))?;
    // The brackets of an IPv6 address belong to the URL, not to the address.
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let port = endpoint
        .port_or_known_default()
        .ok_or_else(|| unreachable("it names no port".to_owned()))?;
    match tokio::time::timeout(REACH, TcpStream::connect((host, port))).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(unreachable(error.to_string())),
        Err(_) => Err(unreachable(format!(
            "no connection within {} s",
            REACH.as_secs()
        ))),
    }
}

/// A target that was started, until it is stopped or dropped.
#[derive(Debug)]
pub struct Running {
    target: Target,
    server: Server,
    // A second service of the same server; stops when the target is gone.
    beside: Option<Box<Running>>,
    // They stop when the target is gone.
    proxies: Vec<Saboteur>,
    // Removed when the target is gone.
    _folder: Option<TempDir>,
}

#[derive(Debug)]
enum Server {
    Elsewhere,
    InProcess(InProcess),
    Process(Process),
    Pair(Box<(Running, Running)>),
}

impl Running {
    /// How to talk to it.
    #[must_use]
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Keeps another service of the same server, which ends with this one.
    pub fn stand_beside(&mut self, other: Self) {
        self.beside = Some(Box::new(other));
    }

    /// Ends it in good order, with all its children; a target that was not started here is left alone.
    ///
    /// # Errors
    /// If the operating system does not let it.
    pub async fn stop(self) -> Result<(), TargetError> {
        if let Some(beside) = self.beside {
            Box::pin(beside.stop()).await?;
        }
        match self.server {
            Server::Elsewhere => Ok(()),
            Server::InProcess(server) => {
                server.stop().await;
                Ok(())
            }
            Server::Process(process) => process.stop().await,
            Server::Pair(pair) => {
                let (first, second) = *pair;
                Box::pin(first.stop()).await?;
                Box::pin(second.stop()).await
            }
        }
    }

    /// This target and another of the same kind on the same store, as one behind `address`.
    pub(super) fn joined_by(
        self,
        second: Self,
        address: Url,
        proxy: Saboteur,
        folder: Option<TempDir>,
    ) -> Self {
        Self {
            target: Target {
                resource: address.to_string(),
                endpoint: address,
                ..self.target.clone()
            },
            server: Server::Pair(Box::new((self, second))),
            beside: None,
            proxies: vec![proxy],
            _folder: folder,
        }
    }

    /// Lets the server write no byte more to any file, or lets it write again.
    ///
    /// # Errors
    /// It is no process of its own, or the system cannot do this.
    pub fn fill_disk(&mut self, full: bool) -> Result<(), TargetError> {
        match &mut self.server {
            Server::Elsewhere => Err(TargetError::NotOurs("left without a disk")),
            Server::InProcess(_) | Server::Pair(_) => {
                Err(TargetError::SameProcess("left without a disk"))
            }
            Server::Process(process) => process.fill_disk(full),
        }
    }

    /// Ends it without warning (SIGKILL), as a crash would.
    ///
    /// # Errors
    /// If it is no process of its own.
    pub async fn kill(&mut self) -> Result<(), TargetError> {
        match &mut self.server {
            Server::Elsewhere => Err(TargetError::NotOurs("killed")),
            Server::InProcess(_) | Server::Pair(_) => Err(TargetError::SameProcess("killed")),
            Server::Process(process) => process.kill().await,
        }
    }

    /// Starts it again after [`Running::kill`], on the same port and the same data folder.
    ///
    /// # Errors
    /// If it does not come back, or is no process of its own.
    pub async fn restart(&mut self) -> Result<(), TargetError> {
        match &mut self.server {
            Server::Elsewhere => Err(TargetError::NotOurs("restarted")),
            Server::InProcess(_) | Server::Pair(_) => Err(TargetError::SameProcess("restarted")),
            Server::Process(process) => process.restart().await,
        }
    }
}

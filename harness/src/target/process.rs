//! A server as a process group of its own: started, waited for, ended with all its children, killed, started again.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;

use super::TargetError;
use super::disk;
use super::output::Output;

/// Pause between two attempts to reach the port.
const POLL: Duration = Duration::from_millis(20);

/// How long a server may take to end in good order before it is killed.
const GRACE: Duration = Duration::from_secs(5);

/// How to start a process, as often as needed.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Program and arguments, placeholders filled in.
    pub words: Vec<String>,
    /// Environment variables on top of those of this process.
    pub environment: Vec<(String, String)>,
    /// The loopback port that says that it is ready.
    pub port: u16,
    /// How long that may take.
    pub ready_within: Duration,
    /// Whether a write that fails because of [`super::disk::fill`] is an error for it, not its end.
    pub outlives_full_disk: bool,
}

impl Plan {
    /// The command as it is shown in errors.
    #[must_use]
    pub fn shown(&self) -> String {
        shell_words::join(&self.words)
    }
}

/// A running process with its children.
#[derive(Debug)]
pub struct Process {
    plan: Plan,
    child: Box<dyn ChildWrapper>,
    output: Output,
    ended: bool,
}

impl Process {
    /// Starts the process and waits until its port accepts a connection.
    ///
    /// # Errors
    /// If it cannot be started, ends before it is ready, or does not get ready in time.
    pub async fn start(plan: Plan) -> Result<Self, TargetError> {
        let (child, output) = spawn(&plan)?;
        let mut process = Self {
            plan,
            child,
            output,
            ended: false,
        };
        process.wait_until_ready().await?;
        Ok(process)
    }

    /// Ends the whole group in good order, and without mercy when it takes too long.
    ///
    /// # Errors
    /// If the operating system does not let it.
    pub async fn stop(mut self) -> Result<(), TargetError> {
        self.ask_to_end();
        // Whether it ends by itself or not, what is left of the group is killed next.
        let _ = tokio::time::timeout(GRACE, self.child.wait()).await;
        self.kill().await
    }

    /// Kills the whole group (SIGKILL) and waits until it is gone.
    ///
    /// # Errors
    /// If the operating system does not let it.
    pub async fn kill(&mut self) -> Result<(), TargetError> {
        // An error means that nobody of the group is left, which is what is wanted.
        let _ = self.child.start_kill();
        let waited = self.child.wait().await;
        self.ended = true;
        waited.map(drop).map_err(|source| TargetError::System {
            doing: "waiting for the killed server",
            source,
        })
    }

    /// Starts it again as it was started before, on the same port; one that still runs is killed first.
    ///
    /// # Errors
    /// As [`Process::start`].
    pub async fn restart(&mut self) -> Result<(), TargetError> {
        if !self.ended {
            self.kill().await?;
        }
        let (child, output) = spawn(&self.plan)?;
        self.child = child;
        self.output = output;
        self.ended = false;
        self.wait_until_ready().await
    }

    /// Lets the process write no byte more to any file, or lets it write again.
    ///
    /// # Errors
    /// If it is gone, or the system cannot do this.
    pub fn fill_disk(&mut self, full: bool) -> Result<(), TargetError> {
        let gone = || std::io::Error::new(std::io::ErrorKind::NotFound, "the process is gone");
        let process = self.child.id().ok_or_else(gone);
        process
            .and_then(|process| disk::fill(process, full))
            .map_err(|source| TargetError::System {
                doing: "steering the server's disk",
                source,
            })
    }

    #[cfg(unix)]
    fn ask_to_end(&mut self) {
        /// `SIGTERM` has this number on every Unix.
        const TERMINATE: i32 = 15;
        // An error means that it has ended already.
        let _ = self.child.signal(TERMINATE);
    }

    #[cfg(not(unix))]
    fn ask_to_end(&mut self) {
        let _ = self.child.start_kill();
    }

    async fn wait_until_ready(&mut self) -> Result<(), TargetError> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.plan.port));
        let started = Instant::now();
        loop {
            if let Some(status) = self.exit_status()? {
                return Err(self.died(status).await);
            }
            if TcpStream::connect(address).await.is_ok() {
                // A port that answers says nothing if the server is gone and somebody else holds it.
                return match self.exit_status()? {
                    Some(status) => Err(self.died(status).await),
                    None => Ok(()),
                };
            }
            if started.elapsed() >= self.plan.ready_within {
                let error = TargetError::NotReady {
                    command: self.plan.shown(),
                    port: self.plan.port,
                    waited: self.plan.ready_within,
                    output: self.output.last(),
                };
                self.kill().await?;
                return Err(error);
            }
            tokio::time::sleep(POLL).await;
        }
    }

    fn exit_status(&mut self) -> Result<Option<ExitStatus>, TargetError> {
        self.child.try_wait().map_err(|source| TargetError::System {
            doing: "asking whether the server runs",
            source,
        })
    }

    async fn died(&mut self, status: ExitStatus) -> TargetError {
        self.ended = true;
        TargetError::CommandDied {
            command: self.plan.shown(),
            status: status.to_string(),
            output: self.output.of_the_dead().await,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.ended {
            // The group as a whole: killing on drop alone would leave the children of a shell behind.
            let _ = self.child.start_kill();
        }
    }
}

fn spawn(plan: &Plan) -> Result<(Box<dyn ChildWrapper>, Output), TargetError> {
    let words = if plan.outlives_full_disk {
        disk::outliving_a_full_disk(&plan.words)
    } else {
        plan.words.clone()
    };
    let Some((program, arguments)) = words.split_first() else {
        return Err(TargetError::CommandMalformed {
            command: String::new(),
            reason: "it is empty".to_owned(),
        });
    };
    let mut command = Command::new(program);
    command
        .args(arguments)
        .envs(plan.environment.iter().map(|(name, value)| (name, value)));
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut wrapped = CommandWrap::from(command);
    wrapped.wrap(KillOnDrop);
    #[cfg(unix)]
    wrapped.wrap(process_wrap::tokio::ProcessGroup::leader());
    let mut child = wrapped
        .spawn()
        .map_err(|error| TargetError::CommandNotStarted {
            command: plan.shown(),
            reason: error.to_string(),
        })?;
    let mut output = Output::default();
    if let Some(pipe) = child.stdout().take() {
        output.follow(pipe);
    }
    if let Some(pipe) = child.stderr().take() {
        output.follow(pipe);
    }
    Ok((child, output))
}

/// Ports that systems do not give out by themselves (Linux gives from 32768 on): nobody is given such a port in the moment
/// between the end of the server that was on it and its next start.
const PORTS: std::ops::Range<u16> = 20_000..32_000;

/// A loopback port that is free at this moment, and another one each time.
///
/// # Errors
/// If the operating system has none.
pub async fn free_port() -> Result<u16, TargetError> {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let failed = |source| TargetError::System {
        doing: "looking for a free port",
        source,
    };
    // Two runs at once begin at different places.
    let begin = std::process::id() as usize * 97;
    for _ in PORTS {
        let place = begin.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % PORTS.len();
        let port = PORTS.clone().nth(place).unwrap_or(PORTS.start);
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.is_ok() {
            return Ok(port);
        }
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .await
        .map_err(failed)?;
    Ok(listener.local_addr().map_err(failed)?.port())
}

//! A sandbox: the reference server with its mocks, for developers of clients.

mod announcement;
mod seed;

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use tempfile::TempDir;

use super::Refusal;
use crate::config::{Config, MocksConfig, TargetConfig};
use crate::exit::Exit;
use crate::mocks::{MockOptions, Mocks};
use crate::target::{Access, LaunchOptions, Launcher, Running};

/// First line of every file that `serve` writes, by which it knows that it may write over it.
pub(super) const MARK: &str =
    "# Written by `proofmark serve`: it names mocks that end with that process.";

/// Options of the command.
#[derive(Debug, Args)]
#[command(
    after_help = format!("Examples:\n  proofmark serve --port 4100\n  proofmark serve --data ~/sandbox --config sandbox.toml\n  proofmark run --url http://127.0.0.1:4100/mcp --config sandbox.toml   (in another terminal)\n  proofmark serve --stdio --data ~/finance   (started by a client)\n\n{}", super::reference_server::DESKTOP_CLIENT)
)]
pub struct Arguments {
    /// Serve the local cash book (finanpy) on the standard streams instead, for a client that starts it; --data is then the folder of finance.db
    #[arg(long, conflicts_with_all = ["port", "mocks_port", "config"])]
    stdio: bool,
    /// Port of the server [default: any free one]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// First of eight ports in a row for the mocks [default: any free ones]
    #[arg(long, value_name = "PORT")]
    mocks_port: Option<u16>,
    /// Folder that keeps the books from one start to the next [default: memory only]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Where to write the proofmark.toml that lets `proofmark run` drive the mocks [default: in a temporary folder]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Arguments {
    /// Whether it serves the cash book on the standard streams.
    #[must_use]
    pub fn is_stdio(&self) -> bool {
        self.stdio
    }
}

/// Runs the command until it gets SIGINT or SIGTERM.
///
/// # Errors
/// Whatever keeps it from starting, as a [`Refusal`], a target error or a mock error.
pub async fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    if arguments.stdio {
        return super::reference_server::serve_cash_book(arguments.data).await;
    }
    let sandbox = Sandbox::start(&arguments).await?;
    announcement::print(&sandbox.announcement().await?);
    asked_to_stop().await.context("cannot listen for signals")?;
    sandbox.running.stop().await?;
    Ok(Exit::Conforms)
}

/// Everything that runs while the sandbox is open.
struct Sandbox {
    mocks: Mocks,
    running: Running,
    config: PathBuf,
    // Removed in the end.
    _folder: Option<TempDir>,
}

impl Sandbox {
    async fn start(arguments: &Arguments) -> anyhow::Result<Self> {
        if let Some(config) = &arguments.config {
            may_write(config)?;
        }
        if let Some(folder) = &arguments.data {
            std::fs::create_dir_all(folder).map_err(|error| {
                Refusal::usage(format!(
                    "cannot make the folder {}: {error}",
                    folder.display()
                ))
            })?;
        }
        let options = MockOptions {
            first_port: arguments.mocks_port,
            ..MockOptions::default()
        };
        let mocks = Mocks::start(options)
            .await
            .context("the mocks did not start")?;
        let launch = LaunchOptions {
            data: arguments.data.clone(),
            port: arguments.port,
            ..LaunchOptions::default()
        };
        let running = Launcher::Reference.start(Some(&mocks), &launch).await?;
        seed::seed(&mocks, running.target())
            .await
            .context("the sample data could not be recorded")?;
        let (config, folder) = match &arguments.config {
            Some(config) => (config.clone(), None),
            None => {
                let folder = TempDir::with_prefix("proofmark-serve-")
                    .context("cannot make a temporary folder")?;
                (folder.path().join("proofmark.toml"), Some(folder))
            }
        };
        write_config(&config, &mocks, &running)?;
        Ok(Self {
            mocks,
            running,
            config,
            _folder: folder,
        })
    }

    async fn announcement(&self) -> anyhow::Result<announcement::Announcement> {
        let target = self.running.target();
        let mut people = Vec::new();
        for person in seed::PEOPLE {
            let token = seed::token(&self.mocks, target, &person).await?;
            people.push((person, token));
        }
        Ok(announcement::Announcement {
            endpoint: target.endpoint.clone(),
            addresses: self.mocks.addresses().clone(),
            now: self.mocks.now().await?,
            config: self.config.clone(),
            people,
        })
    }
}

/// Checks that writing `config` would destroy nothing that somebody wrote by hand.
pub(super) fn may_write(config: &Path) -> Result<(), Refusal> {
    match std::fs::read_to_string(config) {
        Ok(text) if text.starts_with(MARK) => Ok(()),
        Ok(_) => Err(Refusal::usage(format!(
            "{} exists and was not written by `proofmark serve`; name another file with --config",
            config.display()
        ))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Refusal::usage(format!(
            "cannot write {}: {error}",
            config.display()
        ))),
    }
}

fn write_config(path: &Path, mocks: &Mocks, running: &Running) -> anyhow::Result<()> {
    let target = running.target();
    let config = Config {
        target: TargetConfig {
            name: Some("proofmark serve".to_owned()),
            url: Some(target.endpoint.clone()),
            contract: target.contract.clone(),
            access: Some(Access::Control),
            ..TargetConfig::default()
        },
        mocks: MocksConfig {
            admin: Some(mocks.addresses().admin.clone()),
        },
        ..Config::default()
    };
    let text = format!("{MARK}\n\n{}", toml::to_string(&config)?);
    std::fs::write(path, text)
        .map_err(|error| Refusal::usage(format!("cannot write {}: {error}", path.display())).into())
}

#[cfg(unix)]
pub(super) async fn asked_to_stop() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminate.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
pub(super) async fn asked_to_stop() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worthbase::{Call, result::Identity};

    fn arguments(folder: &Path) -> Arguments {
        Arguments {
            stdio: false,
            port: None,
            mocks_port: None,
            data: Some(folder.to_owned()),
            config: Some(folder.join("sandbox.toml")),
        }
    }

    async fn identity(sandbox: &Sandbox, index: usize) -> Identity {
        let desk = seed::desk(
            &sandbox.mocks,
            sandbox.running.target(),
            &seed::PEOPLE[index],
        )
        .await
        .unwrap();
        desk.send(&Call::whoami())
            .await
            .unwrap()
            .accepted()
            .unwrap()
    }

    #[tokio::test]
    async fn a_sandbox_has_people_in_every_role_and_keeps_its_books() {
        crate::crypto::install();
        let folder = tempfile::tempdir().unwrap();
        let first = Sandbox::start(&arguments(folder.path())).await.unwrap();
        let ada = identity(&first, 0).await;
        assert_eq!(ada.workspaces.len(), 2);
        for (index, role) in ["admin", "editor", "viewer"].into_iter().enumerate() {
            let identity = identity(&first, index).await;
            assert!(
                identity
                    .workspaces
                    .iter()
                    .any(|workspace| workspace.role == role),
                "{role}"
            );
        }
        first.running.stop().await.unwrap();

        // The file it wrote itself may be written over, and the books are there already.
        let second = Sandbox::start(&arguments(folder.path())).await.unwrap();
        let again = identity(&second, 0).await;
        let ids = |identity: &Identity| {
            identity
                .workspaces
                .iter()
                .map(|known| known.id.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(ids(&again), ids(&ada));
        assert!(
            again
                .workspaces
                .iter()
                .all(|workspace| workspace.subscription.status == "active")
        );
        let desk = seed::desk(&second.mocks, second.running.target(), &seed::PEOPLE[0])
            .await
            .unwrap();
        let items = desk
            .in_workspace(&ada.workspaces[0].id)
            .items()
            .await
            .unwrap();
        assert_eq!(items.len(), 5);
    }

    #[tokio::test]
    async fn the_file_it_writes_leads_another_process_to_target_and_mocks() {
        crate::crypto::install();
        let folder = tempfile::tempdir().unwrap();
        let sandbox = Sandbox::start(&arguments(folder.path())).await.unwrap();
        let config = Config::load(&sandbox.config).unwrap();
        let mocks = Mocks::connect(config.mocks.admin.clone().unwrap())
            .await
            .unwrap();
        assert_eq!(mocks.addresses(), sandbox.mocks.addresses());
        let options = LaunchOptions {
            access: config.target.access,
            ..LaunchOptions::default()
        };
        let running = config
            .launcher()
            .start(Some(&mocks), &options)
            .await
            .unwrap();
        assert_eq!(running.target().endpoint, sandbox.running.target().endpoint);
        assert_eq!(running.target().access, Access::Control);
        let shown = sandbox.announcement().await.unwrap().to_string();
        assert!(shown.contains("claude mcp add --transport http"), "{shown}");
        let written = std::fs::read_to_string(&sandbox.config).unwrap();
        assert!(!written.contains("eyJ"), "no token belongs into the file");
    }

    #[test]
    fn a_file_somebody_wrote_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("proofmark.toml");
        std::fs::write(&file, "[target]\nurl = \"http://h/mcp\"\n").unwrap();
        let refusal = may_write(&file).unwrap_err().to_string();
        assert!(refusal.contains("--config"), "{refusal}");
    }
}

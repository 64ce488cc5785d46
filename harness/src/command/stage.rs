//! The target on the command line, and how the stage for a run against it is set up.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Duration};

use anyhow::Context as _;
use clap::Args;
use secrecy::SecretString;
use url::Url;

use super::Refusal;
use crate::{
    config::{Config, Span},
    finanpy,
    mocks::{MockOptions, Mocks},
    suite::{Environment, Stage, TargetSummary, breaker::probe},
    target::{
        Access, Authorization, Kind, LaunchOptions, Launcher, Running, Service, TokenArgument,
        TokenRole,
    },
};

/// The longest time one request may take unless something else is asked for.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// What is tested, and how much control over it there is.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "What is tested")]
pub struct TargetArguments {
    /// The server that Proofmark brings along (the default)
    #[arg(long, value_name = "reference", value_parser = ["reference"], conflicts_with_all = ["url", "command", "stdio"])]
    pub target: Option<String>,
    /// A server that runs already: the address where it speaks MCP
    #[arg(long, value_name = "URL", conflicts_with_all = ["command", "stdio"], value_parser = web_address)]
    pub url: Option<Url>,
    /// A command that starts a server; may use {port} {issuer} {jwks_uri} {resource} {directory} {subscriptions} {yahoo} {coingecko} {ecb} {bank} {control} {data}
    #[arg(long, value_name = "COMMAND", conflicts_with = "stdio")]
    pub command: Option<String>,
    /// A command that starts a program which speaks over stdio, anew for each scenario; may use {data} {control} {now}
    #[arg(long, value_name = "COMMAND")]
    pub stdio: Option<String>,
    /// How that program imports a statement; may use {file} and the same
    #[arg(long, value_name = "COMMAND")]
    pub import: Option<String>,
    /// What the target declares, `proofmark.toml`; the command line wins over it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// A token for it: ROLE=env:NAME, ROLE=cmd:COMMAND, ROLE=file:PATH or ROLE=TOKEN, where ROLE is user or other (repeatable; without ROLE= it is the user's)
    #[arg(long = "token", value_name = "ROLE=SOURCE")]
    pub tokens: Vec<TokenArgument>,
    /// Scenarios that write may run on a server in use
    #[arg(long)]
    pub allow_writes: bool,
    /// How much control over the target there is; found out by itself where it can be
    #[arg(long, value_name = "LEVEL", value_parser = access)]
    pub access: Option<Access>,
    /// The longest time one request may take, such as 10s or 500ms
    #[arg(long, value_name = "DURATION")]
    pub timeout: Option<Span>,
}

fn access(text: &str) -> Result<Access, String> {
    [Access::Url, Access::Token, Access::MockAs, Access::Control]
        .into_iter()
        .find(|access| access.to_string() == text)
        .ok_or_else(|| "use url, token, mock-as or control".to_owned())
}

pub(super) fn web_address(text: &str) -> Result<Url, String> {
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(url),
        Ok(_) => Err("a server speaks http or https".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

impl TargetArguments {
    /// What `--config` says; nothing without it.
    ///
    /// # Errors
    /// When the file is broken (exit 2); the message names line and key.
    pub fn config(&self) -> anyhow::Result<Config> {
        match &self.config {
            Some(path) => Ok(Config::load(path)?),
            None => Ok(Config::default()),
        }
    }

    /// The command that repeats a run against this target.
    #[must_use]
    pub fn rerun(&self) -> String {
        let mut words = vec!["proofmark".to_owned(), "run".to_owned()];
        if let Some(url) = &self.url {
            words.extend(["--url".to_owned(), TargetSummary::address(url)]);
        }
        if let Some(command) = &self.command {
            words.extend(["--command".to_owned(), command.clone()]);
        }
        if let Some(stdio) = &self.stdio {
            words.extend(["--stdio".to_owned(), stdio.clone()]);
        }
        if let Some(import) = &self.import {
            words.extend(["--import".to_owned(), import.clone()]);
        }
        for token in &self.tokens {
            let role = match token.role {
                TokenRole::User => "user",
                TokenRole::Other => "other",
            };
            words.extend(["--token".to_owned(), format!("{role}={}", token.source)]);
        }
        if self.allow_writes {
            words.push("--allow-writes".to_owned());
        }
        if let Some(config) = &self.config {
            words.extend(["--config".to_owned(), config.display().to_string()]);
        }
        if let Some(access) = self.access {
            words.extend(["--access".to_owned(), access.to_string()]);
        }
        shell_words::join(words)
    }

    /// The longest time one request may take.
    #[must_use]
    pub fn request_timeout(&self, config: &Config) -> Duration {
        self.timeout
            .or(config.run.timeout)
            .map_or(REQUEST_TIMEOUT, |span| span.0)
    }

    /// How the target is started: as the command line says, and where it says nothing, as the file does.
    #[must_use]
    pub fn launcher(&self, config: &Config) -> Launcher {
        let name = config.target.name.clone();
        let contract = config.target.contract.clone();
        let import = self.import.clone().or_else(|| config.target.import.clone());
        if let Some(line) = &self.stdio {
            return Launcher::Stdio {
                line: line.clone(),
                import,
                name,
                contract,
            };
        }
        match (&self.url, &self.command, &self.target) {
            (Some(endpoint), _, _) => Launcher::Url {
                endpoint: endpoint.clone(),
                name,
                contract,
            },
            (None, Some(line), _) => Launcher::Command {
                line: line.clone(),
                name,
                contract,
            },
            (None, None, Some(_)) => Launcher::Reference,
            (None, None, None) => match config.launcher() {
                Launcher::Stdio {
                    line,
                    name,
                    contract,
                    ..
                } => Launcher::Stdio {
                    line,
                    import,
                    name,
                    contract,
                },
                other => other,
            },
        }
    }

    /// The target as reports name it before it is started.
    #[must_use]
    pub fn summary(&self, config: &Config) -> TargetSummary {
        let launcher = self.launcher(config);
        let access = self.access.or(config.target.access);
        TargetSummary {
            kind: launcher.kind(),
            name: launcher.name().unwrap_or_else(|| "the target".to_owned()),
            url: match &launcher {
                Launcher::Url { endpoint, .. } => TargetSummary::address(endpoint),
                _ => String::new(),
            },
            access: access.unwrap_or(Access::Url),
            revisions: Vec::new(),
        }
    }

    /// Starts mocks and target, and checks that the target answers.
    ///
    /// # Errors
    /// When a mock does not start or answer (exit 4), the target does not start or answer (exit 3), or more control is
    /// claimed than there can be (exit 2).
    pub async fn set_up(&self, config: &Config) -> anyhow::Result<(Stage, Running)> {
        let launcher = self.launcher(config);
        let elsewhere = matches!(launcher, Launcher::Url { .. });
        let access = self.access.or(config.target.access);
        let mut launch = LaunchOptions {
            real_time: launcher.goes_by_real_time(access),
            ..LaunchOptions::default()
        };
        let mocks = match (&config.mocks.admin, elsewhere) {
            (Some(admin), true) => Some(Mocks::connect(admin.clone()).await?),
            (_, true) => None,
            (_, false) => Some(
                Mocks::start(MockOptions {
                    clock: launch.clock(),
                    ..MockOptions::default()
                })
                .await
                .context("the mocks did not start")?,
            ),
        };
        let facts = config.target.facts();
        let tokens = self.fetched_tokens(config).await?;
        let has_token = tokens.contains_key(&TokenRole::User)
            || facts.authorization == Some(Authorization::None);
        let found_out = (elsewhere && mocks.is_none() && has_token).then_some(Access::Token);
        let access = access.or(found_out);
        if access == Some(Access::Token) && elsewhere && !has_token {
            return Err(Refusal::usage(
                "the access `token` needs a token: bring one with --token env:NAME",
            )
            .into());
        }
        if access.is_some_and(|access| access > Access::Token) && mocks.is_none() {
            return Err(Refusal::usage(
                "the access mock-as or control needs mocks that the target trusts: start them with `proofmark serve` and name them with --config",
            )
            .into());
        }
        launch.access = access;
        let mut running = launcher.start(mocks.as_ref(), &launch).await?;
        let kobana = match launcher {
            Launcher::Reference => {
                let launch = LaunchOptions {
                    service: Service::Kobana,
                    ..launch.clone()
                };
                let beside = launcher.start(mocks.as_ref(), &launch).await?;
                let target = beside.target().clone();
                running.stand_beside(beside);
                Some(target)
            }
            _ => None,
        };
        let target = running.target().clone();
        if target.kind != Kind::Stdio {
            probe(&target).await.map_err(|reason| {
                Refusal::incomplete(format!(
                    "the server under test at {} does not answer: {reason}; check the address and that the server runs",
                    TargetSummary::address(&target.endpoint)
                ))
            })?;
        }
        let environment = |target| {
            Arc::new(Environment {
                target,
                mocks: mocks.clone(),
                tokens: tokens.clone(),
                facts: facts.clone(),
                writes: self.allow_writes,
                request_timeout: self.request_timeout(config),
                isolated: false,
            })
        };
        let stage = Stage {
            shared: environment(target),
            kobana: kobana.map(environment),
            launcher,
            launch,
        };
        if stage.shared.target.kind == Kind::Stdio {
            try_program(&stage).await?;
        }
        Ok((stage, running))
    }
}

impl TargetArguments {
    /// The tokens that were brought; the command line wins over the file.
    async fn fetched_tokens(
        &self,
        config: &Config,
    ) -> Result<BTreeMap<TokenRole, SecretString>, Refusal> {
        let mut sources = config.tokens.clone();
        for token in &self.tokens {
            sources.insert(token.role, token.source.clone());
        }
        let mut tokens = BTreeMap::new();
        for (role, source) in sources {
            let token = source.fetch().await.map_err(Refusal::usage)?;
            tokens.insert(role, token);
        }
        Ok(tokens)
    }
}

/// Starts the program once, so that one that cannot be started is told once and not for every scenario.
async fn try_program(stage: &Stage) -> anyhow::Result<()> {
    let place = stage.place().await.map_err(|failure| {
        Refusal::incomplete(format!("the program cannot be tried: {}", failure.actual))
    })?;
    finanpy::program::probe(&place, stage.shared.request_timeout)
        .await
        .map_err(|reason| {
            Refusal::incomplete(format!(
                "the program under test does not answer: {reason}; check the command after --stdio"
            ))
        })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_command_to_repeat_a_run_names_the_target_without_credentials() {
        let arguments = TargetArguments {
            url: Some("http://ada:secret@127.0.0.1:9/mcp".parse().unwrap()),
            ..TargetArguments::default()
        };
        assert_eq!(
            arguments.rerun(),
            "proofmark run --url http://127.0.0.1:9/mcp"
        );
    }

    #[test]
    fn the_command_line_wins_over_the_file() {
        let text = "[target]\nurl = \"http://127.0.0.1:1/mcp\"\nname = \"mine\"\n[run]\ntimeout = \"2s\"\n";
        let config = Config::parse(Path::new("proofmark.toml"), text).unwrap();
        let silent = TargetArguments::default();
        assert!(matches!(silent.launcher(&config), Launcher::Url { .. }));
        assert_eq!(silent.request_timeout(&config), Duration::from_secs(2));
        let outspoken = TargetArguments {
            command: Some("server {port}".to_owned()),
            timeout: Some(Span(Duration::from_millis(7))),
            ..TargetArguments::default()
        };
        assert!(matches!(
            outspoken.launcher(&config),
            Launcher::Command { name: Some(name), .. } if name == "mine"
        ));
        assert_eq!(outspoken.request_timeout(&config), Duration::from_millis(7));
    }

    #[test]
    fn only_web_addresses_are_targets() {
        assert!(web_address("https://example.org/mcp").is_ok());
        for wrong in ["example.org", "file:///etc/passwd", "localhost:80/mcp"] {
            assert!(web_address(wrong).is_err(), "{wrong}");
        }
    }
}

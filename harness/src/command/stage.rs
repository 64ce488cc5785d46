//! The target on the command line, and how the stage for a run against it is set up.

use std::{path::PathBuf, sync::Arc, time::Duration};

use anyhow::Context as _;
use clap::Args;
use url::Url;

use super::Refusal;
use crate::{
    mocks::{MockOptions, Mocks},
    suite::{Environment, Stage, TargetSummary},
    target::{Access, Kind, LaunchOptions, Launcher, Running},
};

/// What is tested, and how much control over it there is.
#[derive(Debug, Clone, Default, Args)]
pub struct TargetArguments {
    /// The server that Proofmark brings along (the default)
    #[arg(long, value_name = "reference", value_parser = ["reference"], conflicts_with_all = ["url", "command"])]
    pub target: Option<String>,
    /// A server that runs already: the address where it speaks MCP
    #[arg(long, value_name = "URL", conflicts_with = "command")]
    pub url: Option<Url>,
    /// A command that starts a server; may use {port} {issuer} {jwks_uri} {resource} {directory} {subscriptions} {yahoo} {coingecko} {ecb} {control} {data}
    #[arg(long, value_name = "COMMAND")]
    pub command: Option<String>,
    /// What the target declares; written by `proofmark serve`. The command line wins over it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// How much control over the target there is; found out by itself where it can be
    #[arg(long, value_name = "LEVEL", value_parser = access)]
    pub access: Option<Access>,
    /// The longest time one request may take
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = duration)]
    pub timeout: Duration,
}

fn access(text: &str) -> Result<Access, String> {
    [Access::Url, Access::Token, Access::MockAs, Access::Control]
        .into_iter()
        .find(|access| access.to_string() == text)
        .ok_or_else(|| "use url, token, mock-as or control".to_owned())
}

/// Reads `10s`, `500ms` or `2m`.
fn duration(text: &str) -> Result<Duration, String> {
    let error = || format!("\"{text}\" is no duration; write 10s, 500ms or 2m");
    let unit_start = text
        .find(|character: char| !character.is_ascii_digit())
        .ok_or_else(error)?;
    let (number, unit) = text.split_at(unit_start);
    let number: u64 = number.parse().map_err(|_| error())?;
    let duration = match unit {
        "ms" => Duration::from_millis(number),
        "s" => Duration::from_secs(number),
        "m" => Duration::from_secs(number.saturating_mul(60)),
        _ => return Err(error()),
    };
    if duration.is_zero() {
        return Err("a timeout of nothing lets nothing answer".to_owned());
    }
    Ok(duration)
}

impl TargetArguments {
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
        if let Some(config) = &self.config {
            words.extend(["--config".to_owned(), config.display().to_string()]);
        }
        if let Some(access) = self.access {
            words.extend(["--access".to_owned(), access.to_string()]);
        }
        shell_words::join(words)
    }

    /// How the target is started.
    fn launcher(&self) -> Launcher {
        match (&self.url, &self.command) {
            (Some(endpoint), _) => Launcher::Url {
                endpoint: endpoint.clone(),
                name: None,
                contract: None,
            },
            (None, Some(line)) => Launcher::Command {
                line: line.clone(),
                name: None,
                contract: None,
            },
            (None, None) => Launcher::Reference,
        }
    }

    /// Starts mocks and target, and checks that the target answers.
    ///
    /// # Errors
    /// When a mock does not start (exit 4), or the target does not start or answer (exit 3).
    pub async fn set_up(&self) -> anyhow::Result<(Stage, Running)> {
        let launcher = self.launcher();
        let mocks = match launcher {
            Launcher::Url { .. } => None,
            _ => Some(
                Mocks::start(MockOptions::default())
                    .await
                    .context("the mocks did not start")?,
            ),
        };
        let launch = LaunchOptions::default();
        let running = launcher.start(mocks.as_ref(), &launch).await?;
        let mut target = running.target().clone();
        if let Some(access) = self.access {
            if access > Access::Token && mocks.is_none() {
                return Err(Refusal::usage(format!(
                    "--access {access} needs mocks that the target trusts; start them with `proofmark serve` and name them with --config"
                ))
                .into());
            }
            target.access = access;
        }
        crate::suite::breaker::probe(&target)
            .await
            .map_err(|reason| {
                Refusal::incomplete(format!(
                    "the server under test at {} does not answer: {reason}; check the address and that the server runs",
                    TargetSummary::address(&target.endpoint)
                ))
            })?;
        let isolated_launch = LaunchOptions {
            own_process: target.kind == Kind::Command,
            ..launch
        };
        let stage = Stage {
            shared: Arc::new(Environment {
                target,
                mocks,
                request_timeout: self.timeout,
                isolated: false,
            }),
            launcher,
            launch: isolated_launch,
        };
        Ok((stage, running))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_has_a_unit() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        for wrong in ["10", "s", "-1s", "1h", "", "0s", "99999999999999999999s"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

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
}

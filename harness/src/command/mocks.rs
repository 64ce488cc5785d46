//! Starts the mocks alone and keeps them up, for a server that is configured to trust them.

use std::{io::Write as _, path::PathBuf};

use anyhow::Context as _;
use clap::Args;
use url::Url;

use super::{Refusal, serve};
use crate::{
    config::{Config, MocksConfig, TargetConfig},
    exit::Exit,
    mocks::{Addresses, MockClock, MockOptions, Mocks},
    target::Access,
};

/// Options of the command.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  proofmark mocks --port 4200 --url http://127.0.0.1:8080/mcp --config proofmark.toml\n  (start your server with the issuer and the key set that are printed, then in another terminal)\n  proofmark run --config proofmark.toml"
)]
pub struct Arguments {
    /// First of seven ports in a row [default: any free ones]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// The address of the server that trusts the mocks; tokens are made out for it
    #[arg(long, value_name = "URL")]
    url: Option<Url>,
    /// Where to write the proofmark.toml that lets `proofmark run` drive the mocks
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The time stands still at 2026-10-30T12:00:00Z, for a server that asks {control}/now for it
    #[arg(long)]
    steered_clock: bool,
}

/// Runs the command until it gets SIGINT or SIGTERM.
///
/// # Errors
/// When a mock does not start, or the file cannot be written.
pub async fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    if let Some(path) = &arguments.config {
        serve::may_write(path)?;
    }
    let clock = if arguments.steered_clock {
        MockClock::default()
    } else {
        MockClock::running()
    };
    let mocks = Mocks::start(MockOptions {
        clock,
        first_port: arguments.port,
        ..MockOptions::default()
    })
    .await
    .context("the mocks did not start")?;
    let text = config_text(&arguments, mocks.addresses())?;
    if let Some(path) = &arguments.config {
        std::fs::write(path, &text)
            .map_err(|error| Refusal::usage(format!("cannot write {}: {error}", path.display())))?;
    }
    announce(&arguments, mocks.addresses());
    serve::asked_to_stop()
        .await
        .context("cannot listen for signals")?;
    Ok(Exit::Conforms)
}

fn config_text(arguments: &Arguments, addresses: &Addresses) -> anyhow::Result<String> {
    let config = Config {
        target: TargetConfig {
            url: arguments.url.clone(),
            access: Some(if arguments.steered_clock {
                Access::Control
            } else {
                Access::MockAs
            }),
            ..TargetConfig::default()
        },
        mocks: MocksConfig {
            admin: Some(addresses.admin.clone()),
        },
        ..Config::default()
    };
    Ok(format!("{}\n\n{}", serve::MARK, toml::to_string(&config)?))
}

/// Says where everything is. Whoever started the mocks may have closed the output; they are up all the same.
fn announce(arguments: &Arguments, addresses: &Addresses) {
    let mut text = format!(
        "issuer         {}\nJWKS           {}\ndirectory      {}\nsubscriptions  {}\nYahoo Finance  {}\nCoinGecko      {}\nECB            {}\ncontrol        {}\nadmin          {}\n",
        addresses.issuer_text(),
        addresses.jwks_uri,
        addresses.directory,
        addresses.subscriptions,
        addresses.yahoo,
        addresses.coingecko,
        addresses.ecb,
        addresses.control,
        addresses.admin,
    );
    text += match (&arguments.config, &arguments.url) {
        (Some(config), Some(_)) => {
            format!(
                "\nRun the suite:\n  proofmark run --config {}\n",
                config.display()
            )
        }
        (Some(config), None) => format!(
            "\nRun the suite:\n  proofmark run --url ADDRESS --config {}\n",
            config.display()
        ),
        (None, _) => {
            "\n--config FILE writes what `proofmark run` needs to drive them.\n".to_owned()
        }
    }
    .as_str();
    let mut stdout = std::io::stdout();
    let _ = writeln!(stdout, "{text}\nStop with Ctrl-C.").and_then(|()| stdout.flush());
}

//! The reference server's command line, also used by `proofmark reference-server`.

mod cash_book;

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use jiff::Timestamp;
use tracing_subscriber::EnvFilter;
use url::Url;

use crate::clock::Clock;
use crate::rules::Rules;
use crate::settings::{Settings, StoreLocation};

pub use cash_book::{
    CashBook, DESKTOP_CLIENT, DESKTOP_CLIENT_OF_SERVER, ImportArguments, ImportFormat, run_import,
    serve as serve_cash_book,
};

/// Options of the reference server. Each that has an environment variable can come from there; the command line wins.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Address to listen on
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub listen: IpAddr,
    /// Port to listen on; 0 takes a free one
    #[arg(long, env = "PROOFMARK_PORT", default_value_t = 0)]
    pub port: u16,
    /// Serve the cash book (finanpy) on the standard streams instead of the wealth ledger on a port
    #[arg(long)]
    pub stdio: bool,
    /// With --stdio: folder of finance.db [default: the program's own]
    #[arg(long, env = "PROOFMARK_DATA", value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// With --stdio: a time that stands still, where no control address is given
    #[arg(long, env = "PROOFMARK_NOW", value_name = "TIME")]
    pub now: Option<Timestamp>,
    /// Issuer of the access tokens, exactly as they write it
    #[arg(
        long,
        env = "PROOFMARK_ISSUER",
        value_name = "URL",
        required_unless_present = "stdio"
    )]
    pub issuer: Option<String>,
    /// Where the issuer's keys are [default: what its metadata says]
    #[arg(long, env = "PROOFMARK_JWKS_URI", value_name = "URL")]
    pub jwks_uri: Option<Url>,
    /// Address of the MCP endpoint as clients know it, which tokens must name as audience [default: http://IP:PORT/mcp]
    #[arg(long, env = "PROOFMARK_RESOURCE", value_name = "URL")]
    pub resource: Option<Url>,
    /// User directory
    #[arg(
        long,
        env = "PROOFMARK_DIRECTORY",
        value_name = "URL",
        required_unless_present = "stdio"
    )]
    pub directory: Option<Url>,
    /// Subscription directory
    #[arg(
        long,
        env = "PROOFMARK_SUBSCRIPTIONS",
        value_name = "URL",
        required_unless_present = "stdio"
    )]
    pub subscriptions: Option<Url>,
    /// Yahoo Finance
    #[arg(
        long,
        env = "PROOFMARK_YAHOO",
        value_name = "URL",
        default_value = "https://query1.finance.yahoo.com"
    )]
    pub yahoo: Url,
    /// CoinGecko
    #[arg(
        long,
        env = "PROOFMARK_COINGECKO",
        value_name = "URL",
        default_value = "https://api.coingecko.com"
    )]
    pub coingecko: Url,
    /// European Central Bank
    #[arg(
        long,
        env = "PROOFMARK_ECB",
        value_name = "URL",
        default_value = "https://www.ecb.europa.eu"
    )]
    pub ecb: Url,
    /// Where to read the time, `GET URL/now` [default: the system's clock]
    #[arg(long, env = "PROOFMARK_CONTROL", value_name = "URL")]
    pub control: Option<Url>,
    /// How long a call to a provider may take, such as `300ms` or `5s`
    #[arg(long, env = "PROOFMARK_UPSTREAM_TIMEOUT", value_name = "DURATION", default_value = "5s", value_parser = duration)]
    pub upstream_timeout: Duration,
    /// SQLite file to keep everything in [default: memory only]
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
    /// Other choices than the correct ones, as a JSON object or the path of a file with one; for testing test suites
    #[arg(long, value_name = "JSON|FILE")]
    pub rules: Option<String>,
}

impl Arguments {
    /// The settings that these options mean.
    ///
    /// # Errors
    /// When the rules cannot be read, or an address is missing that only the cash book can do without.
    pub fn settings(self) -> anyhow::Result<Settings> {
        let clock = match &self.control {
            Some(control) => {
                crate::crypto::install();
                Clock::control(control, self.upstream_timeout)
            }
            None => Clock::System,
        };
        Ok(Settings {
            listen: SocketAddr::new(self.listen, self.port),
            resource: self.resource,
            issuer: self.issuer.context("--issuer is missing")?,
            jwks_uri: self.jwks_uri,
            directory: self.directory.context("--directory is missing")?,
            subscriptions: self.subscriptions.context("--subscriptions is missing")?,
            yahoo: self.yahoo,
            coingecko: self.coingecko,
            ecb: self.ecb,
            bank: None,
            store: self
                .store
                .map_or(StoreLocation::Memory, StoreLocation::File),
            clock,
            upstream_timeout: self.upstream_timeout,
            rules: self
                .rules
                .as_deref()
                .map(rules)
                .transpose()?
                .unwrap_or_default(),
        })
    }
}

/// Runs the server until it gets SIGINT or SIGTERM. When it is ready it prints `listening on URL` on stdout; everything else goes to
/// stderr. With `--stdio` it serves the cash book until stdin ends, and prints nothing.
///
/// # Errors
/// When an option cannot be used or the server cannot start.
pub async fn run(arguments: Arguments) -> anyhow::Result<()> {
    if arguments.stdio {
        let rules = arguments.rules.as_deref().map(rules).transpose()?;
        return serve_cash_book(CashBook {
            data: arguments.data,
            control: arguments.control,
            now: arguments.now,
            rules: rules.unwrap_or_default().finanpy,
        })
        .await;
    }
    log_to_stderr();
    let server = crate::start(arguments.settings()?).await?;
    let mut stdout = std::io::stdout();
    // Whoever started the server may not read its output; that is no reason not to serve.
    let _ = writeln!(stdout, "listening on {}", server.url()).and_then(|()| stdout.flush());
    asked_to_stop().await.context("cannot listen for signals")?;
    server.stop().await;
    Ok(())
}

/// Warnings and errors by default; `RUST_LOG` chooses otherwise. A second call changes nothing.
fn log_to_stderr() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
    // Err means that the program that embeds this one has its own log.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .try_init();
}

#[cfg(unix)]
async fn asked_to_stop() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminate.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
async fn asked_to_stop() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}

fn rules(text: &str) -> anyhow::Result<Rules> {
    let json = if text.trim_start().starts_with('{') {
        text.to_owned()
    } else {
        std::fs::read_to_string(text)
            .with_context(|| format!("--rules: cannot read the file {text}"))?
    };
    serde_json::from_str(&json).context("--rules: not a value of the server's rules")
}

fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let number: u64 = digits
        .parse()
        .map_err(|_| "write a whole number and a unit, such as 300ms or 5s".to_owned())?;
    match &text[digits.len()..] {
        "ms" => Ok(Duration::from_millis(number)),
        "s" => Ok(Duration::from_secs(number)),
        unit => Err(format!("unknown unit {unit:?}: use ms or s")),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Program {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn settings(more: &[&str]) -> anyhow::Result<Settings> {
        let needed = [
            "server",
            "--issuer",
            "http://127.0.0.1:1",
            "--directory",
            "http://127.0.0.1:2",
            "--subscriptions",
            "http://127.0.0.1:3",
        ];
        Program::try_parse_from(needed.iter().chain(more))?
            .arguments
            .settings()
    }

    #[test]
    fn options_become_settings() {
        let settings = settings(&[
            "--port",
            "8080",
            "--store",
            "book.db",
            "--upstream-timeout",
            "300ms",
            "--rules",
            r#"{"door": {"audience": "prefix"}}"#,
        ])
        .unwrap();
        assert_eq!(settings.listen.to_string(), "127.0.0.1:8080");
        // The issuer keeps its exact form: no slash is added.
        assert_eq!(settings.issuer, "http://127.0.0.1:1");
        assert_eq!(settings.store, StoreLocation::File("book.db".into()));
        assert_eq!(settings.upstream_timeout, Duration::from_millis(300));
        assert_ne!(settings.rules, Rules::default());
    }

    #[test]
    fn unusable_options_are_refused() {
        for more in [
            &["--upstream-timeout", "5"][..],
            &["--rules", r#"{"dor": {}}"#],
            &["--rules", "no-such-file.json"],
            &["--ecb", "x"],
        ] {
            assert!(settings(more).is_err(), "{more:?}");
        }
    }
}

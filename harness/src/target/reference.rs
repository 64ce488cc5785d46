//! The built-in reference server, the one place of the harness that knows the server crate: here in this process, or as a
//! plan for a process of our own executable that a scenario can kill.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

use proofmark_server::clock::Clock;
use proofmark_server::{ProviderAddresses, RunningServer, Settings, StoreLocation};

use url::Url;

use super::placeholders::Placeholders;
use super::process::Plan;
use super::{LaunchOptions, Service, TargetError};
use crate::mocks::Mocks;

/// The contract the reference server claims.
pub const CONTRACT: &str = "worthbase/1";

/// File of the store inside the data folder.
const STORE: &str = "worthbase.sqlite";

/// The reference server in this process.
#[derive(Debug)]
pub struct InProcess(RunningServer);

impl InProcess {
    /// Starts it and waits until it listens. It goes by the mocks' clock: from memory where they live in this process, by
    /// asking their control address otherwise.
    ///
    /// # Errors
    /// If the rules cannot be read, the port cannot be had or the store cannot be opened.
    pub async fn start(mocks: &Mocks, options: &LaunchOptions) -> Result<Self, TargetError> {
        let addresses = mocks.addresses();
        let providers = ProviderAddresses {
            directory: addresses.directory.clone(),
            subscriptions: addresses.subscriptions.clone(),
            yahoo: addresses.yahoo.clone(),
            coingecko: addresses.coingecko.clone(),
            ecb: addresses.ecb.clone(),
        };
        let mut settings = Settings::new(addresses.issuer_text(), providers);
        settings.listen = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port.unwrap_or(0)));
        settings.store = options
            .data
            .as_ref()
            .map_or(StoreLocation::Memory, |folder| {
                StoreLocation::File(folder.join(STORE))
            });
        settings.resource.clone_from(&options.resource);
        settings.clock = clock(mocks, options);
        settings.upstream_timeout = options.upstream_timeout;
        if let Some(rules) = &options.rules {
            settings.rules = serde_json::from_value(rules.clone()).map_err(|error| {
                TargetError::Reference(format!("its rules cannot be read: {error}"))
            })?;
        }
        settings.bank = Some(addresses.bank.clone());
        let started = match options.service {
            Service::Worthbase => proofmark_server::start(settings).await,
            Service::Kobana => proofmark_server::start_kobana(settings).await,
        };
        let server = started.map_err(|error| TargetError::Reference(error.to_string()))?;
        Ok(Self(server))
    }

    /// Where it is reached, whatever it takes for its own address.
    #[must_use]
    pub fn endpoint(&self) -> Url {
        let mut endpoint = self.0.url().clone();
        // An address of this machine takes any port.
        let _ = endpoint.set_ip_host(self.0.address().ip());
        let _ = endpoint.set_port(Some(self.0.address().port()));
        endpoint
    }

    /// Ends it.
    pub async fn stop(self) {
        self.0.stop().await;
    }
}

fn clock(mocks: &Mocks, options: &LaunchOptions) -> Clock {
    let Some(local) = mocks.local_clock() else {
        return Clock::control(&mocks.addresses().control, options.upstream_timeout);
    };
    let (clock, steering) = Clock::steered(local.now());
    // The mocks may outlive many servers; a server that is gone must not be kept in memory by the clock it followed.
    let steering = Arc::downgrade(&steering);
    local.watch(move |now| {
        if let Some(steering) = steering.upgrade() {
            steering.set(now);
        }
    });
    clock
}

/// How to start the reference cash book over stdio from `executable` (a `proofmark` program), and how to import a statement
/// into it.
#[must_use]
pub fn local_words(executable: &Path, options: &LaunchOptions) -> (Vec<String>, Vec<String>) {
    let words = |line: &[&str]| -> Vec<String> {
        std::iter::once(executable.display().to_string())
            .chain(line.iter().map(|word| (*word).to_owned()))
            .collect()
    };
    let mut start = words(&["reference-server", "--stdio", "--data", "{data}"]);
    let mut import = words(&["import", "{file}", "--data", "{data}"]);
    if let Some(rules) = &options.rules {
        for line in [&mut start, &mut import] {
            line.extend(["--rules".to_owned(), rules.to_string()]);
        }
    }
    (start, import)
}

/// How to start the reference server as a process of `executable` (a `proofmark` program) with its store in `data`.
#[must_use]
pub fn plan(
    executable: &Path,
    port: u16,
    data: &Path,
    placeholders: &Placeholders,
    options: &LaunchOptions,
) -> Plan {
    let mut words = vec![
        executable.display().to_string(),
        "reference-server".to_owned(),
        "--store".to_owned(),
        data.join(STORE).display().to_string(),
    ];
    if let Some(rules) = &options.rules {
        words.extend(["--rules".to_owned(), rules.to_string()]);
    }
    // It finds the keys through the issuer's metadata, as it does in this process.
    let environment = placeholders
        .environment()
        .filter(|(name, _)| name != "PROOFMARK_JWKS_URI")
        .map(|(name, value)| (name, value.to_owned()))
        .collect();
    Plan {
        words,
        environment,
        port,
        ready_within: options.ready_within,
        outlives_full_disk: options.outlives_full_disk,
    }
}

//! What surrounds a scenario: the server under test and the mocks it trusts, shared or made for it alone.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use secrecy::SecretString;

use crate::{
    catalogue::{Profile, Scenario},
    finanpy::Place,
    mocks::{MockOptions, Mocks, Timekeeper},
    suite::Failure,
    target::{Facts, Kind, LaunchOptions, Launcher, Running, Service, Target, TokenRole},
};

/// How long the server of an `@impatient` scenario waits for a provider. Ample for a mock on the same machine, and short
/// enough for a scenario that waits until several providers have not answered.
const IMPATIENCE: Duration = Duration::from_secs(1);

/// The server under test and its surroundings, shared by all scenarios or made for one `@isolated` scenario.
#[derive(Debug, Clone)]
pub struct Environment {
    /// The server under test.
    pub target: Target,
    /// The mocks the server trusts; none when the access is `url` or `token`.
    pub mocks: Option<Mocks>,
    /// Tokens that somebody brought, by whose they are.
    pub tokens: BTreeMap<TokenRole, SecretString>,
    /// What the target declares about itself.
    pub facts: Facts,
    /// Whether scenarios may write to a server that somebody else runs.
    pub writes: bool,
    /// The longest time one request may take.
    pub request_timeout: Duration,
    /// Whether this was made for one scenario alone, which may then move the clock, break a provider or stop the server.
    pub isolated: bool,
}

/// The stage a run is played on: the shared environment, and how an `@isolated` scenario gets one of its own.
#[derive(Debug)]
pub struct Stage {
    /// What all other scenarios share.
    pub shared: Arc<Environment>,
    /// The payables service, where the target is the built-in server and so offers it beside the other.
    pub kobana: Option<Arc<Environment>>,
    /// How the target is started.
    pub launcher: Launcher,
    /// What a target started for one scenario is like; the deliberate rules of a fault, for instance.
    pub launch: LaunchOptions,
}

/// What was made for one scenario; dropping it ends it.
#[derive(Debug)]
pub struct Isolation {
    /// The surroundings.
    pub environment: Arc<Environment>,
    /// The server, if it was started for the scenario.
    pub running: Option<Running>,
}

impl Stage {
    /// Makes a place for the programs of one scenario over stdio: an empty data folder and a clock of its own.
    ///
    /// # Errors
    /// When a mock or a folder cannot be had (a fault of the harness), or the target has no such program.
    pub async fn place(&self) -> Result<Place, Failure> {
        let folder = || tempfile::TempDir::with_prefix("proofmark-").map_err(Failure::harness);
        let (data, elsewhere) = (folder()?, folder()?);
        let time = Timekeeper::start().await?;
        let program = self
            .launcher
            .local(time.address(), data.path(), &self.launch)
            .map_err(|error| Failure::expected("a program to start").actual(error))?
            .ok_or_else(|| Failure::harness("this target does not speak over stdio"))?;
        Ok(Place {
            program,
            time,
            data,
            elsewhere,
        })
    }

    /// Whether there can be another shared server like this one, with mocks of its own: only for the built-in server.
    #[must_use]
    pub fn can_be_repeated(&self) -> bool {
        matches!(self.launcher, Launcher::Reference) && !self.launch.own_process
    }

    /// A stage like this one, whose shared server and mocks are new and driven by the runtime of the caller.
    ///
    /// # Errors
    /// When a mock (a fault of the harness) or the server (its own fault) does not start.
    pub async fn repeated(&self) -> Result<(Self, Vec<Running>), Failure> {
        let (environment, running) = self.surroundings(&self.launch, true).await?;
        let mut all = vec![running];
        let mut kobana = None;
        if self.kobana.is_some() {
            let launch = self.launch_of(Profile::Kobana);
            let (environment, running) = self.surroundings(&launch, true).await?;
            kobana = Some(Arc::new(environment));
            all.push(running);
        }
        let stage = Self {
            shared: Arc::new(environment),
            kobana,
            launcher: self.launcher.clone(),
            launch: self.launch.clone(),
        };
        Ok((stage, all))
    }

    /// What scenarios of a profile share.
    #[must_use]
    pub fn shared_by(&self, profile: Profile) -> &Arc<Environment> {
        match (profile, &self.kobana) {
            (Profile::Kobana, Some(kobana)) => kobana,
            _ => &self.shared,
        }
    }

    /// How a server for scenarios of a profile is started.
    fn launch_of(&self, profile: Profile) -> LaunchOptions {
        LaunchOptions {
            service: match profile {
                Profile::Kobana => Service::Kobana,
                _ => Service::Worthbase,
            },
            port: None,
            ..self.launch.clone()
        }
    }

    /// New mocks, `steady` where nobody may have one refuse connections, and a new server that trusts them.
    async fn surroundings(
        &self,
        launch: &LaunchOptions,
        steady: bool,
    ) -> Result<(Environment, Running), Failure> {
        let mocks = Mocks::start(MockOptions {
            clock: launch.clock(),
            steady,
            ..MockOptions::default()
        })
        .await?;
        let running = self
            .launcher
            .start(Some(&mocks), launch)
            .await
            .map_err(|error| Failure::expected("a server to start").actual(error))?;
        let environment = Environment {
            target: running.target().clone(),
            mocks: Some(mocks),
            tokens: BTreeMap::new(),
            facts: self.shared.facts.clone(),
            writes: self.shared.writes,
            request_timeout: self.shared.request_timeout,
            isolated: false,
        };
        Ok((environment, running))
    }

    /// Makes surroundings for one scenario: mocks and a server of its own, or, for a server that somebody else runs, the
    /// shared ones, which nobody else uses meanwhile. What the scenario needs of them, its tags say.
    ///
    /// # Errors
    /// When a mock (a fault of the harness) or the server (its own fault) does not start.
    pub async fn isolate(&self, scenario: &Scenario) -> Result<Isolation, Failure> {
        if self.shared.target.kind == Kind::Url {
            return Ok(Isolation {
                environment: Arc::new(Environment {
                    isolated: true,
                    ..(*self.shared).clone()
                }),
                running: None,
            });
        }
        let launch = LaunchOptions {
            own_process: self.launch.own_process || scenario.process,
            two_processes: scenario.two_processes,
            outlives_full_disk: scenario.process,
            upstream_timeout: if scenario.impatient {
                IMPATIENCE.min(self.launch.upstream_timeout)
            } else {
                self.launch.upstream_timeout
            },
            ..self.launch_of(scenario.profile)
        };
        let (environment, running) = self.surroundings(&launch, false).await?;
        Ok(Isolation {
            environment: Arc::new(Environment {
                isolated: true,
                ..environment
            }),
            running: Some(running),
        })
    }
}

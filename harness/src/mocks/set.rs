//! Starts and holds all mocks of one environment, and carries out the orders given to them.

use std::sync::{Arc, Mutex, PoisonError};

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use url::Url;

use super::admin::Command;
use super::answer::Common;
use super::authorization::mint::mint;
use super::authorization::{AuthorizationServer, metadata};
use super::breakage::{Breakage, Provider};
use super::clock::MockClock;
use super::control;
use super::error::MockError;
use super::gate::Gate;
use super::played::{Find, Played};
use super::providers::directory::Users;
use super::providers::instruments::Market;
use super::providers::members::Members;
use super::providers::subscriptions::Subscriptions;
use super::providers::{bank, coingecko, ecb, yahoo};
use super::token::template::{Surroundings, fill};
use super::token::{Token, TokenRecipe};

/// Where each mock listens. All of it is plain HTTP on loopback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Addresses {
    /// Issuer of the tokens; for how tokens spell it see [`Addresses::issuer_text`].
    pub issuer: Url,
    /// Key set of the issuer.
    pub jwks_uri: Url,
    /// User directory.
    pub directory: Url,
    /// Subscription directory.
    pub subscriptions: Url,
    /// Yahoo Finance.
    pub yahoo: Url,
    /// CoinGecko.
    pub coingecko: Url,
    /// European Central Bank.
    pub ecb: Url,
    /// The bank.
    pub bank: Url,
    /// Control, version 1: `GET {control}/now`.
    pub control: Url,
    /// Admin interface: `POST` a [`Command`].
    pub admin: Url,
}

impl Addresses {
    /// The issuer exactly as tokens and metadata spell it: without a trailing slash.
    #[must_use]
    pub fn issuer_text(&self) -> &str {
        self.issuer.as_str().trim_end_matches('/')
    }
}

/// How a set of mocks is started.
#[derive(Debug, Clone, Default)]
pub struct MockOptions {
    /// The clock everything goes by.
    pub clock: MockClock,
    /// First of the eight ports to use, one after the other, for control, issuer, directory, subscriptions, Yahoo Finance,
    /// CoinGecko, the European Central Bank and the bank; any free ones without it.
    pub first_port: Option<u16>,
    /// Whether nobody will have a provider refuse connections; providers then answer without a gate before them.
    pub steady: bool,
}

/// All mocks of one environment, listening until dropped.
#[derive(Debug)]
pub struct MockSet {
    common: Common,
    addresses: Addresses,
    stray: String,
    authorization: AuthorizationServer,
    directory: Played,
    subscription_directory: Played,
    yahoo: Played,
    coingecko: Played,
    ecb: Played,
    bank: Played,
    users: Users,
    members: Members,
    subscriptions: Subscriptions,
    market: Market,
    control: Mutex<Option<JoinHandle<()>>>,
}

impl MockSet {
    /// Starts every mock on loopback.
    ///
    /// # Errors
    /// If a port cannot be had or a fixture is unusable.
    pub async fn start(options: MockOptions) -> Result<Arc<Self>, MockError> {
        let port = |offset: u16| match options.first_port {
            Some(first) => first.checked_add(offset).ok_or_else(|| {
                MockError::Refused(format!(
                    "port {first} leaves no room for eight mocks after it"
                ))
            }),
            None => Ok(0),
        };
        let common = Common::new(options.clock);
        let clock = common.clock.clone();
        let (users, members, subscriptions, market) = (
            Users::default(),
            Members::default(),
            Subscriptions::default(),
            Market::from_fixture()?,
        );

        let bound = control::Bound::take(port(0)?).await?;
        let authorization = AuthorizationServer::start(port(1)?, common.clone()).await?;
        let gated = !options.steady;
        let play =
            |provider, port, find: Find| Played::start(provider, port, gated, common.clone(), find);
        let (found, belonging) = (users.clone(), members.clone());
        let directory = play(
            Provider::Directory,
            port(2)?,
            Arc::new(
                move |question, breakage| match Members::is_asked(question) {
                    true => belonging.answer(question, breakage),
                    false => found.answer(question, breakage),
                },
            ),
        );
        let (found, time) = (subscriptions.clone(), clock.clone());
        let subscription_directory = play(
            Provider::Subscriptions,
            port(3)?,
            Arc::new(move |question, breakage| found.answer(question, breakage, time.now())),
        );
        let (found, time) = (market.clone(), clock.clone());
        let yahoo = play(
            Provider::Yahoo,
            port(4)?,
            Arc::new(move |question, breakage| {
                yahoo::answer(&found, question, breakage, time.now())
            }),
        );
        let (found, time) = (market.clone(), clock.clone());
        let coingecko = play(
            Provider::Coingecko,
            port(5)?,
            Arc::new(move |question, breakage| {
                coingecko::answer(&found, question, breakage, time.now())
            }),
        );
        let time = clock.clone();
        let ecb = play(
            Provider::Ecb,
            port(6)?,
            Arc::new(move |question, breakage| ecb::answer(question, breakage, time.now())),
        );
        let bank = play(
            Provider::Bank,
            port(7)?,
            Arc::new(|question, _| bank::answer(question)),
        );
        let (directory, subscription_directory, yahoo, coingecko, ecb, bank) = tokio::try_join!(
            directory,
            subscription_directory,
            yahoo,
            coingecko,
            ecb,
            bank
        )?;

        let addresses = Addresses {
            issuer: authorization.issuer().clone(),
            jwks_uri: below(authorization.issuer(), metadata::KEYS_PATH)?,
            directory: directory.url()?,
            subscriptions: subscription_directory.url()?,
            yahoo: yahoo.url()?,
            coingecko: coingecko.url()?,
            ecb: ecb.url()?,
            bank: bank.url()?,
            control: bound.url.clone(),
            admin: below(&bound.url, "/admin")?,
        };
        let set = Arc::new(Self {
            stray: below(&bound.url, "/stray")?.to_string(),
            common: common.clone(),
            addresses,
            authorization,
            directory,
            subscription_directory,
            yahoo,
            coingecko,
            ecb,
            bank,
            users,
            members,
            subscriptions,
            market,
            control: Mutex::new(None),
        });
        let task = bound.serve(common, Arc::downgrade(&set));
        *set.control.lock().unwrap_or_else(PoisonError::into_inner) = Some(task);
        Ok(set)
    }

    /// Where the mocks listen.
    #[must_use]
    pub fn addresses(&self) -> &Addresses {
        &self.addresses
    }

    /// The clock everything goes by, for servers in this process that follow it without asking over HTTP.
    #[must_use]
    pub fn clock(&self) -> &MockClock {
        &self.common.clock
    }

    /// Carries out one order; the answer's shape stands with each [`Command`].
    ///
    /// # Errors
    /// If the order does not fit the mock it names.
    pub async fn execute(&self, command: Command) -> Result<Value, MockError> {
        let done = || Ok(json!({}));
        match command {
            Command::Addresses => Ok(json!(self.addresses)),
            Command::Mint { recipe } => Ok(json!({ "token": self.mint(&recipe)? })),
            Command::SetUser { user } => {
                self.users.set(user);
                done()
            }
            Command::RemoveUser { sub } => {
                self.users.remove(&sub);
                done()
            }
            Command::SetOrganization { organization } => {
                self.members.set_organization(organization);
                done()
            }
            Command::SetMember {
                organization,
                subject,
                member,
            } => match self.members.set_member(&organization, &subject, member) {
                true => done(),
                false => Err(MockError::Refused(format!(
                    "the directory knows no organisation {organization}"
                ))),
            },
            Command::SetSubscription {
                workspace,
                subscription,
            } => {
                self.subscriptions.set(&workspace, subscription);
                done()
            }
            Command::SetSecurity { security } => {
                self.market.set_security(security)?;
                done()
            }
            Command::SetCoin { coin } => {
                self.market.set_coin(coin)?;
                done()
            }
            Command::Now => Ok(json!({ "now": self.clock().now() })),
            Command::SetClock { to } => {
                self.clock().set(to);
                Ok(json!({ "now": to }))
            }
            Command::AdvanceClock { seconds } => {
                let now = self.clock().advance(SignedDuration::from_secs(seconds));
                Ok(json!({ "now": now.map_err(|error| MockError::Refused(error.to_string()))? }))
            }
            Command::Break { provider, breakage } => {
                self.break_provider(provider, breakage).await?;
                done()
            }
            Command::Mend { provider } => {
                self.mend_provider(provider).await?;
                done()
            }
            Command::Requests { provider } => {
                let log = &self.common.log;
                Ok(json!({ "count": log.count(provider), "requests": log.requests(provider) }))
            }
            Command::ForgetRequests { provider } => {
                self.common.log.forget(provider);
                done()
            }
            Command::Leaks { token } => Ok(json!({ "requests": self.common.log.leaks(&token) })),
            Command::RotateKeys { keep_old } => {
                Ok(json!({ "kid": self.authorization.keys().rotate(keep_old).kid() }))
            }
            Command::SetKeyDocument {
                json,
                max_age_seconds,
            } => {
                let document = json.map(|text| self.filled(&text)).transpose()?;
                self.authorization
                    .keys()
                    .replace_document(document, max_age_seconds);
                done()
            }
            Command::SetMetadata { member, json } => {
                let value = json.map(|text| self.filled(&text)).transpose()?;
                self.authorization.amendments().set(member, value);
                done()
            }
            Command::RestoreMetadata => {
                self.authorization.amendments().clear();
                done()
            }
        }
    }

    fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            now: self.clock().now(),
            issuer: self.addresses.issuer_text(),
            stray: &self.stray,
        }
    }

    fn mint(&self, recipe: &TokenRecipe) -> Result<Token, MockError> {
        mint(
            recipe,
            self.authorization.keys().signing(),
            &self.surroundings(),
        )
    }

    /// JSON text with placeholders as a value.
    fn filled(&self, text: &str) -> Result<Value, MockError> {
        let nobody = TokenRecipe::good("", "");
        let filled = fill(text, &nobody, &self.surroundings())?;
        serde_json::from_str(&filled)
            .map_err(|error| MockError::Refused(format!("{error} in {filled}")))
    }

    fn gate(&self, provider: Provider) -> Option<&Gate> {
        match provider {
            Provider::Authorization => Some(self.authorization.gate()),
            Provider::Directory => self.directory.gate(),
            Provider::Subscriptions => self.subscription_directory.gate(),
            Provider::Yahoo => self.yahoo.gate(),
            Provider::Coingecko => self.coingecko.gate(),
            Provider::Ecb => self.ecb.gate(),
            Provider::Bank => self.bank.gate(),
            // Parts of a port cannot refuse a connection on their own, and the stray address must always answer.
            Provider::Metadata | Provider::Keys | Provider::Stray => None,
        }
    }

    /// Whether the provider has a port of its own, with or without a gate.
    fn is_played(&self, provider: Provider) -> bool {
        !matches!(
            provider,
            Provider::Authorization | Provider::Metadata | Provider::Keys | Provider::Stray
        )
    }

    async fn break_provider(
        &self,
        provider: Provider,
        breakage: Breakage,
    ) -> Result<(), MockError> {
        match (&breakage, self.gate(provider)) {
            (Breakage::Refused, Some(gate)) => gate.refuse().await,
            (Breakage::Refused, None) if self.is_played(provider) => {
                return Err(MockError::Refused(format!(
                    "these mocks are shared and the {} always answers; a scenario that breaks it is isolated",
                    provider.title()
                )));
            }
            (Breakage::Refused, None) => {
                return Err(MockError::Refused(format!(
                    "the {} shares its port and cannot refuse connections by itself; break the authorization server",
                    provider.title()
                )));
            }
            (_, Some(gate)) => gate.admit().await?,
            (_, None) => {}
        }
        self.common.set_breakage(provider, Some(breakage));
        Ok(())
    }

    async fn mend_provider(&self, provider: Provider) -> Result<(), MockError> {
        self.common.set_breakage(provider, None);
        match self.gate(provider) {
            Some(gate) => gate.admit().await,
            None => Ok(()),
        }
    }
}

impl Drop for MockSet {
    fn drop(&mut self) {
        let control = self
            .control
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(task) = control.take() {
            task.abort();
        }
    }
}

fn below(base: &Url, path: &str) -> Result<Url, MockError> {
    base.join(path)
        .map_err(|error| MockError::Refused(error.to_string()))
}

#[cfg(test)]
#[path = "set_tests.rs"]
mod tests;

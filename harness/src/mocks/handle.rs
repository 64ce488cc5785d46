//! The handle that steps hold: the same orders to mocks in this process and to mocks in another.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;
use url::Url;

use super::admin::Command;
use super::breakage::{Breakage, Provider};
use super::clock::MockClock;
use super::error::MockError;
use super::people::{Subscription, User};
use super::record::RecordedRequest;
use super::set::{Addresses, MockOptions, MockSet};
use super::token::{Token, TokenRecipe};

/// How long an order to another process may take.
const ORDER_TIMEOUT: Duration = Duration::from_secs(10);

/// Mocks to steer. Clones steer the same mocks.
#[derive(Debug, Clone)]
pub enum Mocks {
    /// In this process.
    Local(Arc<MockSet>),
    /// In a process that offers the admin interface.
    Remote(Arc<Remote>),
}

/// Mocks in another process.
#[derive(Debug, Clone)]
pub struct Remote {
    admin: Url,
    addresses: Addresses,
    client: reqwest::Client,
}

impl Mocks {
    /// Starts mocks in this process.
    ///
    /// # Errors
    /// See [`MockSet::start`].
    pub async fn start(options: MockOptions) -> Result<Self, MockError> {
        Ok(Self::Local(MockSet::start(options).await?))
    }

    /// Takes over mocks that another process started, by the address of their admin interface.
    ///
    /// # Errors
    /// If nothing answers there.
    pub async fn connect(admin: Url) -> Result<Self, MockError> {
        crate::crypto::install();
        let client = crate::crypto::http_client()
            .timeout(ORDER_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| unreachable(&admin, &error))?;
        let answer = post(&client, &admin, &Command::Addresses).await?;
        let addresses = serde_json::from_value(answer)
            .map_err(|error| MockError::UnexpectedAnswer(error.to_string()))?;
        Ok(Self::Remote(Arc::new(Remote {
            admin,
            addresses,
            client,
        })))
    }

    /// Where the mocks listen.
    #[must_use]
    pub fn addresses(&self) -> &Addresses {
        match self {
            Self::Local(set) => set.addresses(),
            Self::Remote(remote) => &remote.addresses,
        }
    }

    /// Carries out one order; everything else here is a typed form of it.
    ///
    /// # Errors
    /// If the mocks refuse the order or cannot be reached.
    pub async fn execute(&self, command: Command) -> Result<Value, MockError> {
        match self {
            Self::Local(set) => set.execute(command).await,
            Self::Remote(remote) => post(&remote.client, &remote.admin, &command).await,
        }
    }

    /// The clock, where the mocks live in this process.
    #[must_use]
    pub fn local_clock(&self) -> Option<&MockClock> {
        match self {
            Self::Local(set) => Some(set.clock()),
            Self::Remote(_) => None,
        }
    }

    /// Makes a token.
    ///
    /// # Errors
    /// If the recipe asks for something the mint cannot do.
    pub async fn mint(&self, recipe: &TokenRecipe) -> Result<Token, MockError> {
        let answer = self
            .execute(Command::Mint {
                recipe: recipe.clone(),
            })
            .await?;
        match answer.get("token").and_then(Value::as_str) {
            Some(text) => Ok(Token::new(text)),
            None => Err(MockError::UnexpectedAnswer(
                "a minted token without its text".to_owned(),
            )),
        }
    }

    /// Puts a user into the directory, or changes one.
    ///
    /// # Errors
    /// If the mocks cannot be reached.
    pub async fn set_user(&self, user: &User) -> Result<(), MockError> {
        self.execute(Command::SetUser { user: user.clone() })
            .await
            .map(drop)
    }

    /// Takes a user out of the directory.
    ///
    /// # Errors
    /// If the mocks cannot be reached.
    pub async fn remove_user(&self, sub: &str) -> Result<(), MockError> {
        self.execute(Command::RemoveUser {
            sub: sub.to_owned(),
        })
        .await
        .map(drop)
    }

    /// Says how a workspace is paid for; none makes the directory forget it.
    ///
    /// # Errors
    /// If the mocks cannot be reached.
    pub async fn set_subscription(
        &self,
        workspace: &str,
        subscription: Option<Subscription>,
    ) -> Result<(), MockError> {
        self.execute(Command::SetSubscription {
            workspace: workspace.to_owned(),
            subscription,
        })
        .await
        .map(drop)
    }

    /// The time of the steered clock.
    ///
    /// # Errors
    /// If the mocks cannot be reached.
    pub async fn now(&self) -> Result<Timestamp, MockError> {
        time_in(&self.execute(Command::Now).await?)
    }

    /// Moves the clock to a time.
    ///
    /// # Errors
    /// If the mocks cannot be reached.
    pub async fn set_clock(&self, to: Timestamp) -> Result<(), MockError> {
        self.execute(Command::SetClock { to }).await.map(drop)
    }

    /// Moves the clock forward, in whole seconds, and gives the new time.
    ///
    /// # Errors
    /// If the mocks cannot be reached or the time cannot be told.
    pub async fn advance(&self, by: Duration) -> Result<Timestamp, MockError> {
        let seconds = i64::try_from(by.as_secs())
            .map_err(|_| MockError::Refused("the clock cannot be moved that far".to_owned()))?;
        time_in(&self.execute(Command::AdvanceClock { seconds }).await?)
    }

    /// Breaks a provider until it is mended.
    ///
    /// # Errors
    /// If this provider cannot be broken in this way.
    pub async fn break_provider(
        &self,
        provider: Provider,
        breakage: Breakage,
    ) -> Result<(), MockError> {
        self.execute(Command::Break { provider, breakage })
            .await
            .map(drop)
    }

    /// Makes a provider whole again.
    ///
    /// # Errors
    /// If its port cannot be had again.
    pub async fn mend_provider(&self, provider: Provider) -> Result<(), MockError> {
        self.execute(Command::Mend { provider }).await.map(drop)
    }

    /// What a provider was asked, oldest first; the oldest are dropped beyond a bound, see [`Mocks::request_count`].
    ///
    /// # Errors
    /// If the mocks cannot be reached.
    pub async fn requests(&self, provider: Provider) -> Result<Vec<RecordedRequest>, MockError> {
        requests_in(self.execute(Command::Requests { provider }).await?)
    }

    /// How often a provider was asked.
    ///
    /// # Errors
    /// If the mocks cannot be reached.
    pub async fn request_count(&self, provider: Provider) -> Result<u64, MockError> {
        let answer = self.execute(Command::Requests { provider }).await?;
        answer["count"]
            .as_u64()
            .ok_or_else(|| MockError::UnexpectedAnswer("requests without a count".to_owned()))
    }

    /// Requests to any provider in which this token turned up; a server that forwards none has none.
    ///
    /// # Errors
    /// If the mocks cannot be reached.
    pub async fn leaks(&self, token: &Token) -> Result<Vec<RecordedRequest>, MockError> {
        requests_in(
            self.execute(Command::Leaks {
                token: token.clone(),
            })
            .await?,
        )
    }

    /// Publishes a second key and signs with it from now on.
    ///
    /// # Errors
    /// If the mocks cannot be reached.
    pub async fn rotate_keys(&self, keep_old: bool) -> Result<(), MockError> {
        self.execute(Command::RotateKeys { keep_old })
            .await
            .map(drop)
    }
}

fn time_in(answer: &Value) -> Result<Timestamp, MockError> {
    answer["now"]
        .as_str()
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| MockError::UnexpectedAnswer(format!("a time was expected, not {answer}")))
}

fn requests_in(mut answer: Value) -> Result<Vec<RecordedRequest>, MockError> {
    serde_json::from_value(answer["requests"].take())
        .map_err(|error| MockError::UnexpectedAnswer(error.to_string()))
}

/// Gives an order over HTTP.
async fn post(
    client: &reqwest::Client,
    admin: &Url,
    command: &Command,
) -> Result<Value, MockError> {
    let answer = client
        .post(admin.clone())
        .json(command)
        .send()
        .await
        .map_err(|error| unreachable(admin, &error))?;
    let refused = !answer.status().is_success();
    // Neither the order nor the answer goes into an error message: both may hold a token.
    let body: Value = answer.json().await.map_err(|_| {
        MockError::UnexpectedAnswer(
            "it is no JSON; is this really Proofmark's admin interface?".to_owned(),
        )
    })?;
    match body["error"].as_str() {
        Some(error) if refused => Err(MockError::Refused(error.to_owned())),
        _ if refused => Err(MockError::UnexpectedAnswer(
            "an error without a message".to_owned(),
        )),
        _ => Ok(body),
    }
}

fn unreachable(admin: &Url, error: &reqwest::Error) -> MockError {
    MockError::Unreachable {
        admin: admin.to_string(),
        reason: innermost(error),
    }
}

/// The last cause of an error, which says most.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

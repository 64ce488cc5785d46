//! The admin interface: every command the mocks obey, in memory and over HTTP alike.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::breakage::{Breakage, Provider};
use super::people::{Subscription, User};
use super::providers::instruments::{Coin, Security};
use super::providers::members::{Member, Organization};
use super::token::{Token, TokenRecipe};

/// One order to the mocks. As JSON: `{"command": "advance_clock", "seconds": 60}`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Where the mocks listen. Answer: [`super::Addresses`].
    Addresses,
    /// Makes a token. Answer: `{"token": "…"}`.
    Mint {
        /// What it is to say.
        recipe: TokenRecipe,
    },
    /// Puts a user into the directory, or changes one.
    SetUser {
        /// The user.
        user: User,
    },
    /// Takes a user out of the directory.
    RemoveUser {
        /// Their `sub`.
        sub: String,
    },
    /// Puts an organisation into the member directory, or changes one; its members stay.
    SetOrganization {
        /// The organisation.
        organization: Organization,
    },
    /// Says what a person is in an organisation.
    SetMember {
        /// Id of the organisation, which must be there.
        organization: String,
        /// The `sub` of the person.
        subject: String,
        /// What they are; none makes them no member.
        member: Option<Member>,
    },
    /// Says how a workspace is paid for, whether or not anybody opened its trial.
    SetSubscription {
        /// Id of the workspace.
        workspace: String,
        /// How it is paid for; none makes the directory forget the workspace.
        subscription: Option<Subscription>,
    },
    /// Lists a security at Yahoo Finance, or replaces the one of its symbol.
    SetSecurity {
        /// The security with its prices.
        security: Security,
    },
    /// Lists a coin at CoinGecko, or replaces the one of its id.
    SetCoin {
        /// The coin with its prices.
        coin: Coin,
    },
    /// The time. Answer: `{"now": "…Z"}`.
    Now,
    /// Moves the clock to a time. Answer: `{"now": "…Z"}`.
    SetClock {
        /// The time.
        to: Timestamp,
    },
    /// Moves the clock by some seconds, which may be negative. Answer: `{"now": "…Z"}`.
    AdvanceClock {
        /// How many.
        seconds: i64,
    },
    /// Breaks a provider until it is mended; a second order replaces the first.
    Break {
        /// Which.
        provider: Provider,
        /// How.
        breakage: Breakage,
    },
    /// Makes a provider whole again.
    Mend {
        /// Which.
        provider: Provider,
    },
    /// What a provider was asked since it started or was made to forget, oldest first.
    /// Answer: `{"count": 0, "requests": [RecordedRequest]}`; `count` goes on beyond what is kept.
    Requests {
        /// Which.
        provider: Provider,
    },
    /// Makes a provider forget what it was asked.
    ForgetRequests {
        /// Which.
        provider: Provider,
    },
    /// Where a token turned up: requests to any provider whose path, query, headers or body hold it.
    /// Answer: `{"requests": [RecordedRequest]}`.
    Leaks {
        /// The token looked for.
        token: Token,
    },
    /// Publishes a second key and signs with it from now on. Answer: `{"kid": "…"}`.
    RotateKeys {
        /// Whether the old key stays in the key set.
        keep_old: bool,
    },
    /// Serves another key document than the published keys; placeholders as in recipes, such as `{jwk:ec}`.
    SetKeyDocument {
        /// The document as JSON text; none serves the published keys again.
        json: Option<String>,
        /// `max-age` of its `Cache-Control` header; none sends no such header.
        max_age_seconds: Option<u32>,
    },
    /// Changes a member of the authorization server's metadata; placeholders as in recipes.
    SetMetadata {
        /// The member.
        member: String,
        /// Its value as JSON text; none leaves it out.
        json: Option<String>,
    },
    /// Serves the true metadata again.
    RestoreMetadata,
}

//! The named ways in which a provider can be broken, and which providers there are to break.

use serde::{Deserialize, Serialize};

/// One thing the mocks play, as a command names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provider {
    /// The authorization server as a whole: its one port.
    Authorization,
    /// Only its metadata documents.
    Metadata,
    /// Only its key set.
    Keys,
    /// The user directory.
    Directory,
    /// The subscription directory.
    Subscriptions,
    /// Yahoo Finance.
    Yahoo,
    /// CoinGecko.
    Coingecko,
    /// The European Central Bank's rates.
    Ecb,
    /// The bank that pays and charges.
    Bank,
    /// Where a token's own headers may point a careless server; nothing may ever ask here.
    Stray,
}

impl Provider {
    /// All of them, in the order in which they are told to people.
    pub const ALL: [Self; 10] = [
        Self::Authorization,
        Self::Metadata,
        Self::Keys,
        Self::Directory,
        Self::Subscriptions,
        Self::Yahoo,
        Self::Coingecko,
        Self::Ecb,
        Self::Bank,
        Self::Stray,
    ];

    /// What this provider is made of, as far as requests are recorded and broken separately.
    #[must_use]
    pub fn parts(self) -> &'static [Self] {
        match self {
            Self::Authorization => &[Self::Authorization, Self::Metadata, Self::Keys],
            Self::Metadata => &[Self::Metadata],
            Self::Keys => &[Self::Keys],
            Self::Directory => &[Self::Directory],
            Self::Subscriptions => &[Self::Subscriptions],
            Self::Yahoo => &[Self::Yahoo],
            Self::Coingecko => &[Self::Coingecko],
            Self::Ecb => &[Self::Ecb],
            Self::Bank => &[Self::Bank],
            Self::Stray => &[Self::Stray],
        }
    }

    /// What it is called in a sentence.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Authorization => "authorization server",
            Self::Metadata => "authorization server metadata",
            Self::Keys => "key set",
            Self::Directory => "user directory",
            Self::Subscriptions => "subscription directory",
            Self::Yahoo => "Yahoo Finance",
            Self::Coingecko => "CoinGecko",
            Self::Ecb => "European Central Bank",
            Self::Bank => "bank",
            Self::Stray => "stray address",
        }
    }
}

/// How a provider misbehaves until it is mended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case", deny_unknown_fields)]
pub enum Breakage {
    /// Nobody listens: the connection is refused. Open connections are cut.
    Refused,
    /// The right answer, but only after this many milliseconds.
    Slow {
        /// Wait before the answer starts.
        milliseconds: u64,
    },
    /// Another HTTP status with a short JSON body, such as 429 or 500.
    Status {
        /// The status.
        code: u16,
        /// Value of a `Retry-After` header.
        retry_after_seconds: Option<u32>,
    },
    /// 200 with a body of no bytes.
    Empty,
    /// 200 with an HTML page where data belongs.
    Garbage,
    /// The right answer, cut in the middle.
    Truncated,
    /// The right shape holding nothing: no keys, no quotes, no rates.
    Nothing,
    /// 200 with five megabytes of nonsense.
    Huge,
    /// A price in another currency than the instrument's (prices only).
    WrongCurrency,
    /// A price below zero (prices and rates only).
    Negative,
    /// Other rates than were published at first (rates only).
    Restated,
    /// 200 with the JSON value `null`.
    Null,
    /// The right answer with `null` where its price belongs (prices only).
    NoPrice,
    /// The right answer with `NaN` where its price belongs, as careless programs write it (prices only).
    NotANumber,
    /// The right answer to a question about another instrument (prices only).
    AnotherInstrument,
}

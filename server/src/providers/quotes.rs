//! What price providers have in common: a price with its currency and day, and what a search finds.

use proofmark_ledger::decimal::Decimal;
use proofmark_ledger::model::{Currency, Date};

/// A price, and when it was traded where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// What one unit traded at, in [`Quote::currency`], never in its minor unit.
    pub price: Decimal,
    /// In which currency.
    pub currency: Currency,
    /// The day of the trade, by the clock of the exchange.
    pub traded_on: Date,
}

/// How a quote is read. The default is right; every other value is a defect that a server may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QuoteReading {
    /// Takes pence for pounds.
    pub minor_units_as_major: bool,
    /// Reads digits through a binary fraction.
    pub through_float: bool,
}

/// Something that has a price, as a search finds it. Its texts are the provider's: data, nothing more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Its full name.
    pub name: String,
    /// Its ticker.
    pub symbol: Option<String>,
    /// Where it trades.
    pub exchange: Option<String>,
    /// Its id at CoinGecko.
    pub coingecko_id: Option<String>,
}

//! The securities and coins of `fixtures/providers/instruments.json`, and those that commands add.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::number::Digits;
use crate::mocks::MockError;

/// A security as Yahoo Finance knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Security {
    /// Symbol, with the suffix of its exchange.
    pub symbol: String,
    /// Full name.
    pub name: String,
    /// Code of the exchange, such as `NMS`.
    pub exchange: String,
    /// Name of the exchange.
    pub exchange_name: String,
    /// Currency of its prices.
    pub currency: String,
    /// `EQUITY`, `ETF`, …
    pub kind: String,
    /// IANA name of the exchange's time zone.
    pub timezone: String,
    /// Closing prices as JSON numbers in text, oldest first.
    pub closes: Vec<(Date, String)>,
}

/// A coin as CoinGecko knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coin {
    /// CoinGecko's id.
    pub id: String,
    /// Symbol in small letters.
    pub symbol: String,
    /// Full name.
    pub name: String,
    /// Place by market value.
    pub rank: u32,
    /// Price by currency in small letters, as JSON numbers in text.
    pub prices: BTreeMap<String, String>,
}

/// Everything that has a price.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instruments {
    /// Listed securities.
    pub securities: Vec<Security>,
    /// Coins.
    pub coins: Vec<Coin>,
}

/// The market that the price mocks share.
#[derive(Debug, Clone, Default)]
pub struct Market(Arc<Mutex<Instruments>>);

impl Market {
    /// The instruments of the fixture.
    ///
    /// # Errors
    /// If the fixture does not parse.
    pub fn from_fixture() -> Result<Self, MockError> {
        let text = include_str!("../../../../fixtures/providers/instruments.json");
        let instruments = serde_json::from_str(text).map_err(|error| MockError::Fixture {
            name: "providers/instruments.json".to_owned(),
            reason: error.to_string(),
        })?;
        Ok(Self(Arc::new(Mutex::new(instruments))))
    }

    /// Adds a security, or replaces the one of this symbol.
    ///
    /// # Errors
    /// If a price is not a JSON number.
    pub fn set_security(&self, security: Security) -> Result<(), MockError> {
        check(security.closes.iter().map(|(_, price)| price))?;
        let mut instruments = self.lock();
        instruments
            .securities
            .retain(|known| known.symbol != security.symbol);
        instruments.securities.push(security);
        Ok(())
    }

    /// Adds a coin, or replaces the one of this id.
    ///
    /// # Errors
    /// If a price is not a JSON number.
    pub fn set_coin(&self, coin: Coin) -> Result<(), MockError> {
        check(coin.prices.values())?;
        let mut instruments = self.lock();
        instruments.coins.retain(|known| known.id != coin.id);
        instruments.coins.push(coin);
        Ok(())
    }

    /// The security of this symbol, in whichever letters.
    #[must_use]
    pub fn security(&self, symbol: &str) -> Option<Security> {
        self.lock()
            .securities
            .iter()
            .find(|known| known.symbol.eq_ignore_ascii_case(symbol))
            .cloned()
    }

    /// Securities whose symbol or name holds `query`.
    #[must_use]
    pub fn find_securities(&self, query: &str) -> Vec<Security> {
        let query = query.to_lowercase();
        let matches = |security: &&Security| holds(&query, &[&security.symbol, &security.name]);
        self.lock()
            .securities
            .iter()
            .filter(matches)
            .cloned()
            .collect()
    }

    /// The coin of this id.
    #[must_use]
    pub fn coin(&self, id: &str) -> Option<Coin> {
        self.lock()
            .coins
            .iter()
            .find(|known| known.id == id)
            .cloned()
    }

    /// Coins whose id, symbol or name holds `query`.
    #[must_use]
    pub fn find_coins(&self, query: &str) -> Vec<Coin> {
        let query = query.to_lowercase();
        let matches = |coin: &&Coin| holds(&query, &[&coin.id, &coin.symbol, &coin.name]);
        self.lock().coins.iter().filter(matches).cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, Instruments> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn holds(query: &str, texts: &[&String]) -> bool {
    !query.is_empty() && texts.iter().any(|text| text.to_lowercase().contains(query))
}

fn check<'a>(prices: impl IntoIterator<Item = &'a String>) -> Result<(), MockError> {
    match prices
        .into_iter()
        .find(|price| Digits::new(price).is_none())
    {
        Some(price) => Err(MockError::Refused(format!(
            "the price \"{price}\" is no JSON number"
        ))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fixture_parses_and_all_its_prices_are_numbers() {
        let market = Market::from_fixture().unwrap();
        let instruments = market.lock().clone();
        assert!(!instruments.securities.is_empty() && !instruments.coins.is_empty());
        for security in &instruments.securities {
            check(security.closes.iter().map(|(_, price)| price)).unwrap();
            assert!(
                security.closes.is_sorted_by_key(|(date, _)| *date),
                "{}",
                security.symbol
            );
        }
        for coin in &instruments.coins {
            check(coin.prices.values()).unwrap();
        }
    }

    #[test]
    fn an_empty_query_finds_nothing() {
        let market = Market::from_fixture().unwrap();
        assert!(market.find_securities("").is_empty());
        assert_eq!(market.find_securities("apple").len(), 1);
        assert_eq!(market.find_coins("BTC").len(), 1);
    }
}

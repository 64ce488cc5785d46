//! CoinGecko: last prices of coins, `/api/v3/simple/price`, and a search by name or code, `/api/v3/search`.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::Offset;
use proofmark_ledger::model::Currency;
use serde::Deserialize;
use serde_json::value::RawValue;
use url::Url;

use super::{Listing, ProviderError, Quote, QuoteReading, digits};

/// Longest answer that is read, in bytes; a hundred coins in ten currencies have about twenty thousand.
const ANSWER_LIMIT: usize = 1024 * 1024;
/// Most coins of one question.
pub const MOST_COINS: usize = 100;
/// Most listings of one search.
const MOST_LISTINGS: usize = 20;

/// Prices of coins as the service gave them: by id, then by currency in small letters.
pub type CoinPrices = BTreeMap<String, BTreeMap<String, Box<RawValue>>>;

/// The service.
#[derive(Debug, Clone)]
pub struct CoinGecko {
    base: Url,
    client: reqwest::Client,
    timeout: Duration,
}

#[derive(Deserialize)]
struct SearchAnswer {
    #[serde(default)]
    coins: Vec<FoundCoin>,
}

#[derive(Deserialize)]
struct FoundCoin {
    id: String,
    name: Option<String>,
    symbol: Option<String>,
}

impl CoinGecko {
    /// The service at `base`, each question bounded by `timeout`.
    pub fn new(base: Url, client: reqwest::Client, timeout: Duration) -> Self {
        Self {
            base,
            client,
            timeout,
        }
    }

    /// The last prices of at most [`MOST_COINS`] coins in these currencies; what it does not know is left out.
    ///
    /// # Errors
    /// When the service does not answer in its format and in time.
    pub async fn prices(
        &self,
        ids: &[&str],
        currencies: &[Currency],
    ) -> Result<CoinPrices, ProviderError> {
        let url = super::join(&self.base, &["api", "v3", "simple", "price"]);
        let currencies: Vec<String> = currencies
            .iter()
            .map(|currency| currency.code().to_lowercase())
            .collect();
        let request = self.client.get(url).query(&[
            ("ids", ids.join(",").as_str()),
            ("vs_currencies", currencies.join(",").as_str()),
            ("include_last_updated_at", "true"),
        ]);
        let body = super::send(request, self.timeout, ANSWER_LIMIT).await?;
        serde_json::from_slice(&body).map_err(|error| ProviderError::Unreadable(error.to_string()))
    }

    /// Coins whose name or code fits `query`.
    ///
    /// # Errors
    /// When the service does not answer in its format and in time.
    pub async fn search(&self, query: &str) -> Result<Vec<Listing>, ProviderError> {
        let url = super::join(&self.base, &["api", "v3", "search"]);
        let request = self.client.get(url).query(&[("query", query)]);
        let body = super::send(request, self.timeout, ANSWER_LIMIT).await?;
        let answer: SearchAnswer = serde_json::from_slice(&body)
            .map_err(|error| ProviderError::Unreadable(error.to_string()))?;
        let coins = answer.coins.into_iter().filter(|coin| !coin.id.is_empty());
        Ok(coins.take(MOST_LISTINGS).map(listing).collect())
    }
}

/// Whether a text can be the id of a coin: one that cannot would ask for something else.
pub fn is_coin_id(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    !text.is_empty() && text.len() <= 100 && text.bytes().all(allowed)
}

/// The quote of one coin in one currency.
///
/// # Errors
/// When the answer has none for it, or none above zero.
pub fn quote(
    prices: &CoinPrices,
    id: &str,
    currency: Currency,
    reading: QuoteReading,
) -> Result<Quote, ProviderError> {
    let unusable = |problem: &str| ProviderError::Unreadable(problem.to_owned());
    let of_coin = prices
        .get(id)
        .ok_or_else(|| unusable("the coin is not known"))?;
    let number = of_coin
        .get(&currency.code().to_lowercase())
        .ok_or_else(|| unusable("no price in the item's currency"))?
        .get();
    let number = if reading.through_float {
        number
            .parse::<f32>()
            .map(|float| f64::from(float).to_string())
            .unwrap_or_default()
    } else {
        number.to_owned()
    };
    let price = digits::decimal(&number, 0)
        .filter(|price| !price.is_zero())
        .ok_or_else(|| unusable("no price above zero"))?;
    let updated = of_coin
        .get("last_updated_at")
        .and_then(|time| time.get().parse().ok())
        .and_then(|seconds| Timestamp::from_second(seconds).ok())
        .ok_or_else(|| unusable("no time of the price"))?;
    Ok(Quote {
        price,
        currency,
        traded_on: Offset::UTC.to_datetime(updated).date(),
    })
}

fn listing(coin: FoundCoin) -> Listing {
    Listing {
        name: coin
            .name
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| coin.id.clone()),
        symbol: coin.symbol,
        exchange: None,
        coingecko_id: Some(coin.id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, currency: &str) -> Result<Quote, ProviderError> {
        let prices: CoinPrices = serde_json::from_str(text).unwrap();
        quote(
            &prices,
            "shiba-inu",
            currency.parse().unwrap(),
            QuoteReading::default(),
        )
    }

    #[test]
    fn small_prices_keep_their_digits() {
        let text = r#"{"shiba-inu":{"usd":1.002e-05,"last_updated_at":1793361600}}"#;
        let quote = read(text, "USD").unwrap();
        assert_eq!(quote.price.to_string(), "0.00001002");
        assert_eq!(quote.traded_on.to_string(), "2026-10-30");
    }

    #[test]
    fn another_currency_or_coin_or_sign_is_an_error() {
        for text in [
            "{}",
            r#"{"bitcoin":{"usd":1,"last_updated_at":1}}"#,
            r#"{"shiba-inu":{"xag":1,"last_updated_at":1}}"#,
            r#"{"shiba-inu":{"usd":-1,"last_updated_at":1}}"#,
            r#"{"shiba-inu":{"usd":0,"last_updated_at":1}}"#,
            r#"{"shiba-inu":{"usd":null,"last_updated_at":1}}"#,
            r#"{"shiba-inu":{"usd":1}}"#,
        ] {
            assert!(read(text, "USD").is_err(), "{text}");
        }
    }

    #[test]
    fn an_id_asks_for_one_coin() {
        assert!(is_coin_id("shiba-inu"));
        for text in ["", "a,b", "a&b", "a b", "a/b", "ü"] {
            assert!(!is_coin_id(text), "{text}");
        }
    }
}

//! Yahoo Finance: the last price of a listed security, `/v8/finance/chart/{symbol}`, and a search by name or code, `/v1/finance/search`.

use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::Offset;
use proofmark_ledger::model::Currency;
use serde::Deserialize;
use serde_json::value::RawValue;
use url::Url;

use crate::rules::SearchText;

use super::{Listing, ProviderError, Quote, QuoteReading, digits};

/// Longest answer that is read, in bytes; a chart of five days has about three thousand.
const ANSWER_LIMIT: usize = 1024 * 1024;
/// Most listings of one search.
const MOST_LISTINGS: usize = 20;
/// What counts as a listed security.
const SECURITIES: [&str; 4] = ["EQUITY", "ETF", "MUTUALFUND", "BOND"];

/// The service.
#[derive(Debug, Clone)]
pub struct YahooFinance {
    base: Url,
    client: reqwest::Client,
    timeout: Duration,
}

#[derive(Deserialize)]
struct ChartAnswer<'a> {
    #[serde(borrow)]
    chart: ChartResult<'a>,
}

#[derive(Deserialize)]
struct ChartResult<'a> {
    #[serde(borrow)]
    result: Option<Vec<Chart<'a>>>,
}

#[derive(Deserialize)]
struct Chart<'a> {
    #[serde(borrow)]
    meta: Meta<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Meta<'a> {
    currency: Option<String>,
    symbol: String,
    regular_market_time: Option<i64>,
    gmtoffset: Option<i32>,
    #[serde(borrow)]
    regular_market_price: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct SearchAnswer {
    #[serde(default)]
    quotes: Vec<FoundQuote>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FoundQuote {
    symbol: Option<String>,
    shortname: Option<String>,
    longname: Option<String>,
    exchange: Option<String>,
    exch_disp: Option<String>,
    quote_type: Option<String>,
}

impl YahooFinance {
    /// The service at `base`, each question bounded by `timeout`.
    pub fn new(base: Url, client: reqwest::Client, timeout: Duration) -> Self {
        Self {
            base,
            client,
            timeout,
        }
    }

    /// The last price of `symbol`.
    ///
    /// # Errors
    /// When the service does not answer in its format and in time, answers about another symbol, or gives no price above zero.
    pub async fn quote(&self, symbol: &str, reading: QuoteReading) -> Result<Quote, ProviderError> {
        let url = super::join(&self.base, &["v8", "finance", "chart", symbol]);
        let request = self
            .client
            .get(url)
            .query(&[("range", "5d"), ("interval", "1d")]);
        read_quote(
            &super::send(request, self.timeout, ANSWER_LIMIT).await?,
            symbol,
            reading,
        )
    }

    /// Listed securities whose name or code fits `query`.
    ///
    /// # Errors
    /// When the service does not answer in its format and in time.
    pub async fn search(
        &self,
        query: &str,
        text: SearchText,
    ) -> Result<Vec<Listing>, ProviderError> {
        let mut url = super::join(&self.base, &["v1", "finance", "search"]);
        let fixed = [("quotesCount", "20"), ("newsCount", "0")];
        let request = match text {
            SearchText::Encoded => self.client.get(url).query(&[("q", query)]).query(&fixed),
            SearchText::AsTyped => {
                url.set_query(Some(&format!("q={query}")));
                self.client.get(url).query(&fixed)
            }
        };
        let body = super::send(request, self.timeout, ANSWER_LIMIT).await?;
        let answer: SearchAnswer = serde_json::from_slice(&body)
            .map_err(|error| ProviderError::Unreadable(error.to_string()))?;
        let listed = answer.quotes.into_iter().filter_map(listing);
        Ok(listed.take(MOST_LISTINGS).collect())
    }
}

fn read_quote(body: &[u8], symbol: &str, reading: QuoteReading) -> Result<Quote, ProviderError> {
    let unusable = |problem: &str| ProviderError::Unreadable(problem.to_owned());
    let answer: ChartAnswer<'_> = serde_json::from_slice(body)
        .map_err(|error| ProviderError::Unreadable(error.to_string()))?;
    let chart = answer
        .chart
        .result
        .and_then(|charts| charts.into_iter().next());
    let meta = chart.ok_or_else(|| unusable("no chart"))?.meta;
    if !meta.symbol.eq_ignore_ascii_case(symbol) {
        return Err(unusable("the answer is about another symbol"));
    }
    let quoted = meta.currency.ok_or_else(|| unusable("no currency"))?;
    let (currency, shift) = major(&quoted).ok_or_else(|| unusable("an unknown currency"))?;
    let shift = if reading.minor_units_as_major {
        0
    } else {
        shift
    };
    let number = meta
        .regular_market_price
        .ok_or_else(|| unusable("no price"))?
        .get();
    let number = if reading.through_float {
        number
            .parse::<f32>()
            .map(|float| f64::from(float).to_string())
            .unwrap_or_default()
    } else {
        number.to_owned()
    };
    let price = digits::decimal(&number, shift)
        .filter(|price| !price.is_zero())
        .ok_or_else(|| unusable("no price above zero"))?;
    let time = meta
        .regular_market_time
        .ok_or_else(|| unusable("no time of trade"))?;
    let traded = Timestamp::from_second(time).map_err(|_| unusable("no time of trade"))?;
    let offset = Offset::from_seconds(meta.gmtoffset.unwrap_or(0))
        .map_err(|_| unusable("no such offset from UTC"))?;
    Ok(Quote {
        price,
        currency,
        traded_on: offset.to_datetime(traded).date(),
    })
}

/// The currency that prices are quoted in, and how far the point moves to get there from a minor unit: London quotes pence,
/// Johannesburg cents, Tel Aviv agorot.
fn major(quoted: &str) -> Option<(Currency, i32)> {
    let (code, shift) = match quoted {
        "GBp" | "GBX" => ("GBP", -2),
        "ZAc" | "ZAC" => ("ZAR", -2),
        "ILA" => ("ILS", -2),
        code => (code, 0),
    };
    Some((code.parse().ok()?, shift))
}

fn listing(found: FoundQuote) -> Option<Listing> {
    let listed = found
        .quote_type
        .is_some_and(|kind| SECURITIES.contains(&kind.as_str()));
    let symbol = found.symbol.filter(|symbol| listed && !symbol.is_empty())?;
    Some(Listing {
        name: found
            .longname
            .or(found.shortname)
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| symbol.clone()),
        symbol: Some(symbol),
        exchange: found.exch_disp.or(found.exchange),
        coingecko_id: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answer(currency: &str, price: &str, time: i64, offset: i32) -> String {
        format!(
            r#"{{"chart":{{"result":[{{"meta":{{"currency":"{currency}","symbol":"VUSA.L","regularMarketTime":{time},"gmtoffset":{offset},"regularMarketPrice":{price}}}}}],"error":null}}}}"#
        )
    }

    fn read(text: &str) -> Result<Quote, ProviderError> {
        read_quote(text.as_bytes(), "VUSA.L", QuoteReading::default())
    }

    #[test]
    fn a_price_keeps_its_digits_and_the_exchanges_day() {
        // 23:30 UTC on Friday is Saturday in Sydney and still Friday in New York.
        let late = 1_793_403_000;
        let quote = read(&answer("GBP", "97.2625", late, 39_600)).unwrap();
        assert_eq!(
            (quote.price.to_string().as_str(), quote.currency.code()),
            ("97.2625", "GBP")
        );
        assert_eq!(quote.traded_on.to_string(), "2026-10-31");
        assert_eq!(
            read(&answer("GBP", "97.2625", late, -14_400))
                .unwrap()
                .traded_on
                .to_string(),
            "2026-10-30"
        );
    }

    #[test]
    fn pence_are_not_pounds() {
        let quote = read(&answer("GBp", "400", 0, 0)).unwrap();
        assert_eq!(
            (quote.price.to_string().as_str(), quote.currency.code()),
            ("4.00", "GBP")
        );
    }

    #[test]
    fn nonsense_is_an_error_and_no_price() {
        let texts = [
            String::new(),
            "<html>".to_owned(),
            "{}".to_owned(),
            r#"{"chart":{"result":null,"error":{"code":"Not Found"}}}"#.to_owned(),
            r#"{"chart":{"result":[]}}"#.to_owned(),
            answer("GBP", "-97.2", 0, 0),
            answer("GBP", "0", 0, 0),
            answer("GBP", "null", 0, 0),
            answer("GBP", "\"97\"", 0, 0),
            answer("POUNDS", "97", 0, 0),
            answer("GBP", "1e-30", 0, 0),
            answer("GBP", "97", 0, 0).replace("VUSA.L", "OTHER"),
            answer("GBP", "97", i64::MAX, 0),
            answer("GBP", "97", 0, i32::MAX),
        ];
        for text in texts {
            assert!(read(&text).is_err(), "{text}");
        }
    }

    #[test]
    fn only_listed_securities_are_found() {
        let found = |kind: &str, symbol: &str| {
            let quote = json!({"symbol": symbol, "shortname": "Short", "exchange": "NMS", "exchDisp": "NASDAQ", "quoteType": kind});
            listing(serde_json::from_value(quote).unwrap())
        };
        let apple = found("EQUITY", "AAPL").unwrap();
        assert_eq!(
            (
                apple.symbol.as_deref(),
                apple.exchange.as_deref(),
                apple.name.as_str()
            ),
            (Some("AAPL"), Some("NASDAQ"), "Short")
        );
        assert_eq!(found("CRYPTOCURRENCY", "BTC-USD"), None);
        assert_eq!(found("ETF", ""), None);
    }
}

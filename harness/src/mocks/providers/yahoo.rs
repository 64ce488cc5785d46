//! Yahoo Finance: `/v8/finance/chart/{symbol}` and `/v1/finance/search`.

use jiff::civil::{Date, time};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use serde::Serialize;
use serde_json::{Value, json};

use super::instruments::{Market, Security};
use super::number::{Digits, without_price};
use crate::mocks::answer::{Answer, Question};
use crate::mocks::breakage::Breakage;

/// Hour of the exchange's day at which its daily price is dated.
const OPENING_HOUR: i8 = 10;

/// Answers a request at `now`. Prices after the clock's day are not known yet.
#[must_use]
pub fn answer(
    market: &Market,
    question: &Question,
    breakage: Option<&Breakage>,
    now: Timestamp,
) -> Answer {
    if question.method != "GET" {
        return Answer::text(404, "text/plain", "Not Found");
    }
    if let Some(symbol) = question.segment_after("/v8/finance/chart/") {
        return chart(market, &symbol, question, breakage, now);
    }
    match question.path.as_str() {
        "/v1/finance/search" => search(market, question, breakage),
        _ => Answer::text(404, "text/plain", "Not Found"),
    }
}

/// The answer's own shape. Typed, because a price that passes through a `serde_json::Value` would become a float.
#[derive(Serialize)]
struct Chart {
    meta: Meta,
    timestamp: Vec<i64>,
    indicators: Indicators,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Meta {
    currency: String,
    symbol: String,
    exchange_name: String,
    full_exchange_name: String,
    instrument_type: String,
    regular_market_time: i64,
    gmtoffset: i32,
    timezone: String,
    exchange_timezone_name: String,
    regular_market_price: Digits,
    long_name: String,
    short_name: String,
    chart_previous_close: Digits,
    price_hint: u8,
    data_granularity: &'static str,
    range: String,
    valid_ranges: [&'static str; 11],
}

#[derive(Serialize)]
struct Indicators {
    quote: [Quote; 1],
    adjclose: [Adjusted; 1],
}

#[derive(Serialize)]
struct Quote {
    open: Vec<Digits>,
    high: Vec<Digits>,
    low: Vec<Digits>,
    close: Vec<Digits>,
    volume: Vec<u64>,
}

#[derive(Serialize)]
struct Adjusted {
    adjclose: Vec<Digits>,
}

#[derive(Serialize)]
struct ChartAnswer {
    chart: ChartResult,
}

#[derive(Serialize)]
struct ChartResult {
    result: Option<[Chart; 1]>,
    error: Option<Value>,
}

fn chart(
    market: &Market,
    symbol: &str,
    question: &Question,
    breakage: Option<&Breakage>,
    now: Timestamp,
) -> Answer {
    let today = now.to_zoned(TimeZone::UTC).date();
    let Some(security) = market
        .security(symbol)
        .filter(|_| breakage != Some(&Breakage::Nothing))
    else {
        return nothing_found();
    };
    let known: Vec<(Date, Digits)> = security
        .closes
        .iter()
        .filter(|(date, _)| *date <= today)
        .filter_map(|(date, price)| Digits::new(price).map(|price| (*date, price)))
        .map(|(date, price)| {
            (
                date,
                if breakage == Some(&Breakage::Negative) {
                    price.negative()
                } else {
                    price
                },
            )
        })
        .collect();
    let Some((last_day, last_price)) = known.last().cloned() else {
        return nothing_found();
    };
    let (from, to) = period(question, today).unwrap_or((last_day, last_day));
    let shown: Vec<&(Date, Digits)> = known
        .iter()
        .filter(|(date, _)| *date >= from && *date <= to)
        .collect();
    let before = known
        .iter()
        .rev()
        .find(|(date, _)| *date < from)
        .or(known.first());
    let price = last_price.as_str().to_owned();
    let closes: Vec<Digits> = shown.iter().map(|(_, price)| price.clone()).collect();
    let (market_time, offset) = dated(&security, last_day);
    let result = Chart {
        meta: Meta {
            currency: match breakage {
                Some(Breakage::WrongCurrency) => other_than(&security.currency).to_owned(),
                _ => security.currency.clone(),
            },
            symbol: match breakage {
                Some(Breakage::AnotherInstrument) => format!("NOT-{}", security.symbol),
                _ => security.symbol.clone(),
            },
            exchange_name: security.exchange.clone(),
            full_exchange_name: security.exchange_name.clone(),
            instrument_type: security.kind.clone(),
            regular_market_time: market_time,
            gmtoffset: offset,
            timezone: security.timezone.clone(),
            exchange_timezone_name: security.timezone.clone(),
            chart_previous_close: before
                .map_or_else(|| last_price.clone(), |(_, price)| price.clone()),
            regular_market_price: last_price,
            long_name: security.name.clone(),
            short_name: security.name.clone(),
            price_hint: 2,
            data_granularity: "1d",
            range: question.parameter("range").unwrap_or_default(),
            valid_ranges: [
                "1d", "5d", "1mo", "3mo", "6mo", "1y", "2y", "5y", "10y", "ytd", "max",
            ],
        },
        timestamp: shown
            .iter()
            .map(|(date, _)| dated(&security, *date).0)
            .collect(),
        indicators: Indicators {
            quote: [Quote {
                open: closes.clone(),
                high: closes.clone(),
                low: closes.clone(),
                close: closes.clone(),
                volume: vec![0; closes.len()],
            }],
            adjclose: [Adjusted { adjclose: closes }],
        },
    };
    let answer = Answer::json(
        200,
        &ChartAnswer {
            chart: ChartResult {
                result: Some([result]),
                error: None,
            },
        },
    );
    without_price(answer, "regularMarketPrice", &price, breakage)
}

fn nothing_found() -> Answer {
    let error =
        json!({ "code": "Not Found", "description": "No data found, symbol may be delisted" });
    Answer::json(
        404,
        &ChartAnswer {
            chart: ChartResult {
                result: None,
                error: Some(error),
            },
        },
    )
}

/// The days asked for: `period1` and `period2` in seconds, or a `range`; none asks for the last day alone.
fn period(question: &Question, today: Date) -> Option<(Date, Date)> {
    let day = |name| {
        let seconds = question.parameter(name)?.parse().ok()?;
        Some(
            Timestamp::from_second(seconds)
                .ok()?
                .to_zoned(TimeZone::UTC)
                .date(),
        )
    };
    if let Some(from) = day("period1") {
        return Some((from, day("period2").unwrap_or(today)));
    }
    let span = match question.parameter("range")?.as_str() {
        "5d" => Span::new().days(6),
        "1mo" => Span::new().months(1),
        "3mo" => Span::new().months(3),
        "6mo" => Span::new().months(6),
        "1y" => Span::new().years(1),
        "2y" => Span::new().years(2),
        "5y" => Span::new().years(5),
        "10y" | "max" => Span::new().years(10),
        "ytd" => return Some((Date::new(today.year(), 1, 1).ok()?, today)),
        _ => return None,
    };
    Some((today.checked_sub(span).ok()?, today))
}

/// The instant a day's price is dated with, in seconds, and the exchange's offset from UTC then, in seconds.
fn dated(security: &Security, date: Date) -> (i64, i32) {
    // Without the system's time zone data a day is dated in UTC, which is still that day.
    let zone = TimeZone::get(&security.timezone).unwrap_or(TimeZone::UTC);
    match date.to_datetime(time(OPENING_HOUR, 0, 0, 0)).to_zoned(zone) {
        Ok(zoned) => (zoned.timestamp().as_second(), zoned.offset().seconds()),
        Err(_) => (0, 0),
    }
}

fn other_than(currency: &str) -> &'static str {
    if currency == "USD" { "EUR" } else { "USD" }
}

fn search(market: &Market, question: &Question, breakage: Option<&Breakage>) -> Answer {
    let found = match breakage {
        Some(Breakage::Nothing) => Vec::new(),
        _ => market.find_securities(&question.parameter("q").unwrap_or_default()),
    };
    let quotes: Vec<Value> = found
        .into_iter()
        .map(|security| {
            json!({
                "exchange": security.exchange,
                "shortname": security.name,
                "quoteType": security.kind,
                "symbol": security.symbol,
                "index": "quotes",
                "typeDisp": if security.kind == "ETF" { "ETF" } else { "Equity" },
                "longname": security.name,
                "exchDisp": security.exchange_name,
                "isYahooFinance": true,
            })
        })
        .collect();
    Answer::json(
        200,
        &json!({ "explains": [], "count": quotes.len(), "quotes": quotes, "news": [], "nav": [], "lists": [] }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(path: &str, query: Option<&str>, breakage: Option<&Breakage>) -> (u16, String) {
        let question = Question {
            method: "GET".to_owned(),
            path: path.to_owned(),
            query: query.map(str::to_owned),
            headers: Vec::new(),
            body: Vec::new(),
        };
        let now = "2026-10-30T12:00:00Z".parse().unwrap();
        let answer = answer(&Market::from_fixture().unwrap(), &question, breakage, now);
        (answer.status, String::from_utf8(answer.body).unwrap())
    }

    #[test]
    fn a_chart_names_currency_price_and_days() {
        let (status, body) = asked(
            "/v8/finance/chart/VUSA.L",
            Some("range=5d&interval=1d"),
            None,
        );
        assert_eq!(status, 200);
        assert!(body.contains(r#""regularMarketPrice":97.2625"#), "{body}");
        assert!(
            body.contains(r#""close":[97.1825,97.5,97.895,97.4,97.2625]"#),
            "{body}"
        );
        assert!(body.contains(r#""currency":"GBP""#));
        let value: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(
            value["chart"]["result"][0]["timestamp"]
                .as_array()
                .unwrap()
                .len(),
            5
        );
        assert_eq!(value["chart"]["error"], Value::Null);
    }

    #[test]
    fn an_unknown_symbol_is_not_found_in_the_services_words() {
        let (status, body) = asked("/v8/finance/chart/NOPE", None, None);
        assert_eq!(status, 404);
        assert!(
            body.contains(r#""description":"No data found, symbol may be delisted""#),
            "{body}"
        );
    }

    #[test]
    fn breakages_change_what_is_found() {
        let path = "/v8/finance/chart/AAPL";
        assert!(
            asked(path, None, Some(&Breakage::WrongCurrency))
                .1
                .contains(r#""currency":"EUR""#)
        );
        assert!(
            asked(path, None, Some(&Breakage::Negative))
                .1
                .contains(r#""regularMarketPrice":-270.37"#)
        );
        assert_eq!(asked(path, None, Some(&Breakage::Nothing)).0, 404);
        for (breakage, shown) in [
            (Breakage::NoPrice, r#""regularMarketPrice":null"#),
            (Breakage::NotANumber, r#""regularMarketPrice":NaN"#),
            (Breakage::AnotherInstrument, r#""symbol":"NOT-AAPL""#),
        ] {
            assert!(
                asked(path, None, Some(&breakage)).1.contains(shown),
                "{shown}"
            );
        }
    }

    #[test]
    fn search_answers_in_the_services_shape() {
        let (_, body) = asked("/v1/finance/search", Some("q=petrobras"), None);
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(body["count"], 1);
        assert_eq!(body["quotes"][0]["symbol"], "PETR4.SA");
    }
}

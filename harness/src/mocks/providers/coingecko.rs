//! CoinGecko: `/api/v3/simple/price` and `/api/v3/search`.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::instruments::Market;
use super::number::{Digits, without_price};
use crate::mocks::answer::{Answer, Question};
use crate::mocks::breakage::Breakage;

/// Answers a request at `now`.
#[must_use]
pub fn answer(
    market: &Market,
    question: &Question,
    breakage: Option<&Breakage>,
    now: Timestamp,
) -> Answer {
    match (question.method.as_str(), question.path.as_str()) {
        ("GET", "/api/v3/simple/price") => simple_price(market, question, breakage, now),
        ("GET", "/api/v3/search") => search(market, question, breakage),
        _ => Answer::json(
            404,
            &json!({ "error": "Incorrect path. Please check https://docs.coingecko.com/" }),
        ),
    }
}

fn simple_price(
    market: &Market,
    question: &Question,
    breakage: Option<&Breakage>,
    now: Timestamp,
) -> Answer {
    let (Some(ids), Some(currencies)) = (
        question.parameter("ids"),
        question.parameter("vs_currencies"),
    ) else {
        let missing = if question.parameter("vs_currencies").is_none() {
            "vs_currencies"
        } else {
            "ids"
        };
        return Answer::json(
            422,
            &json!({ "error": format!("Missing parameter {missing}") }),
        );
    };
    if breakage == Some(&Breakage::Nothing) {
        return Answer::json(200, &json!({}));
    }
    let with_time = question
        .parameter("include_last_updated_at")
        .is_some_and(|value| value == "true");
    let mut answer: BTreeMap<String, BTreeMap<String, Digits>> = BTreeMap::new();
    let mut written: Vec<(String, String)> = Vec::new();
    for coin in ids.split(',').filter_map(|id| market.coin(id.trim())) {
        let mut prices = BTreeMap::new();
        for currency in currencies
            .split(',')
            .map(|currency| currency.trim().to_lowercase())
        {
            let price = coin
                .prices
                .get(&currency)
                .and_then(|price| Digits::new(price));
            if let Some(price) = price {
                written.push((currency.clone(), price.as_str().to_owned()));
                match breakage {
                    Some(Breakage::Negative) => prices.insert(currency, price.negative()),
                    // The service ignores a currency it does not know; a broken one answers with another.
                    Some(Breakage::WrongCurrency) => prices.insert("xag".to_owned(), price),
                    _ => prices.insert(currency, price),
                };
            }
        }
        if with_time && !prices.is_empty() {
            prices.extend(
                Digits::new(&now.as_second().to_string())
                    .map(|time| ("last_updated_at".to_owned(), time)),
            );
        }
        let id = match breakage {
            Some(Breakage::AnotherInstrument) => format!("not-{}", coin.id),
            _ => coin.id,
        };
        answer.insert(id, prices);
    }
    let answer = Answer::json(200, &answer);
    written.iter().fold(answer, |answer, (currency, price)| {
        without_price(answer, currency, price, breakage)
    })
}

fn search(market: &Market, question: &Question, breakage: Option<&Breakage>) -> Answer {
    let found = match breakage {
        Some(Breakage::Nothing) => Vec::new(),
        _ => market.find_coins(&question.parameter("query").unwrap_or_default()),
    };
    let coins: Vec<Value> = found
        .into_iter()
        .map(|coin| {
            json!({
                "id": coin.id,
                "name": coin.name,
                "api_symbol": coin.id,
                "symbol": coin.symbol.to_uppercase(),
                "market_cap_rank": coin.rank,
                "thumb": format!("https://coin-images.coingecko.com/coins/images/{}/thumb/{}.png", coin.rank, coin.id),
                "large": format!("https://coin-images.coingecko.com/coins/images/{}/large/{}.png", coin.rank, coin.id),
            })
        })
        .collect();
    Answer::json(
        200,
        &json!({ "coins": coins, "exchanges": [], "icos": [], "categories": [], "nfts": [] }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(path: &str, query: &str, breakage: Option<&Breakage>) -> (u16, String) {
        let question = Question {
            method: "GET".to_owned(),
            path: path.to_owned(),
            query: Some(query.to_owned()),
            headers: Vec::new(),
            body: Vec::new(),
        };
        let answer = answer(
            &Market::from_fixture().unwrap(),
            &question,
            breakage,
            Timestamp::UNIX_EPOCH,
        );
        (answer.status, String::from_utf8(answer.body).unwrap())
    }

    #[test]
    fn prices_keep_their_digits_and_unknown_ids_are_left_out() {
        let path = "/api/v3/simple/price";
        let query =
            "ids=bitcoin,nothing,shiba-inu&vs_currencies=usd,xyz&include_last_updated_at=true";
        let (status, body) = asked(path, query, None);
        assert_eq!(status, 200);
        assert_eq!(
            body,
            r#"{"bitcoin":{"last_updated_at":0,"usd":109553.2871},"shiba-inu":{"last_updated_at":0,"usd":1.002e-05}}"#
        );
        assert_eq!(
            asked(
                path,
                "ids=bitcoin&vs_currencies=usd",
                Some(&Breakage::Negative)
            )
            .1,
            r#"{"bitcoin":{"usd":-109553.2871}}"#
        );
        assert_eq!(asked(path, "ids=bitcoin", None).0, 422);
    }

    #[test]
    fn search_answers_in_the_services_shape() {
        let (_, body) = asked("/api/v3/search", "query=eth", None);
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(body["coins"][0]["id"], "ethereum");
        assert_eq!(body["coins"][0]["symbol"], "ETH");
    }
}

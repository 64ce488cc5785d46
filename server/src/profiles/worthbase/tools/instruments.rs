//! `search_instruments` and `refresh_prices`: the two tools that reach out to price providers.

use jiff::SignedDuration;
use serde_json::{Map, Value, json};

use super::super::Worthbase;
use super::super::access::{Desk, failed};
use super::super::arguments::text;
use super::super::prices::rate_limited;
use super::recording::{record, set};
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;
use crate::providers::{Listing, ProviderError};
use crate::rules::{Listings, SearchEffect, SearchLimit};

/// Longest text of a provider that is passed on, in characters; as long as a name.
const LONGEST: usize = 200;

/// Securities and coins by name or code.
pub(in super::super) async fn search_instruments(
    server: &Worthbase,
    desk: &Desk,
    arguments: &JsonObject,
) -> Result<Value, Fault> {
    limit(server, desk).await?;
    let query = text(arguments, "query").unwrap_or_default();
    let kind = text(arguments, "kind");
    let market = server.prices.market();
    let rules = &server.rules.prices;
    let (securities, coins) = tokio::join!(
        async {
            match kind {
                Some("crypto") => None,
                _ => Some(market.yahoo.search(query, rules.search_text).await),
            }
        },
        async {
            match kind {
                Some("security") => None,
                _ => Some(market.coingecko.search(query).await),
            }
        },
    );
    let mut results = Vec::new();
    let mut unavailable = Vec::new();
    let mut last_failure = None;
    let asked = [
        ("security", "Yahoo Finance", securities),
        ("crypto", "CoinGecko", coins),
    ];
    for (kind, provider, found) in asked {
        match found {
            Some(Ok(found)) => results.push(
                found
                    .into_iter()
                    .map(|one| shown(kind, one, rules.listings))
                    .collect::<Vec<_>>(),
            ),
            Some(Err(error)) => {
                unavailable.push(provider);
                last_failure = Some(failure(error, provider));
            }
            None => {}
        }
    }
    match last_failure {
        Some(failure) if results.is_empty() => Err(failure),
        _ => {
            let results = results.concat();
            if rules.search_effect == SearchEffect::ItemWritten
                && let Some(first) = results.first()
            {
                keep(server, desk, first).await?;
            }
            let mut answer = json!({ "workspace": desk.workspace(), "results": results, "unavailable": unavailable });
            if rules.listings == Listings::NamesInMessage {
                let names: Vec<&str> = results
                    .iter()
                    .filter_map(|one| one["name"].as_str())
                    .collect();
                set(
                    &mut answer,
                    "message",
                    json!(format!("Found {}.", names.join(", "))),
                );
            }
            Ok(answer)
        }
    }
}

fn failure(error: ProviderError, provider: &str) -> Fault {
    error.into_fault(provider)
}

/// Thirty searches a minute, for each person.
async fn limit(server: &Worthbase, desk: &Desk) -> Result<(), Fault> {
    let rules = &server.rules.prices;
    let who = match rules.search_limit {
        SearchLimit::Person => &desk.visitor.person.id,
        SearchLimit::Workspace => &desk.membership.workspace.id,
        SearchLimit::None => return Ok(()),
    };
    let name = format!("search_instruments {who}");
    let window = SignedDuration::from_mins(1);
    let wait = server
        .store
        .take(&name, desk.visitor.now, window, rules.searches_per_minute)
        .await
        .map_err(failed)?;
    match wait {
        None => Ok(()),
        Some(wait) => {
            let message = format!(
                "You can search {} times a minute. Wait, or record the item without a symbol and add it later.",
                rules.searches_per_minute
            );
            Err(rate_limited(message, wait, rules.retry_after))
        }
    }
}

/// A provider's texts go out as data, short enough for a name.
fn shown(kind: &str, found: Listing, listings: Listings) -> Value {
    let unless = |defect, value: Option<String>| value.filter(|_| listings != defect);
    let exchange = unless(Listings::WithoutExchange, found.exchange);
    let coin = unless(Listings::WithoutCoinId, found.coingecko_id);
    let short = |text: String| Value::String(text.chars().take(LONGEST).collect());
    let mut shown = Map::new();
    shown.insert("kind".to_owned(), json!(kind));
    shown.insert("name".to_owned(), short(found.name));
    for (name, value) in [
        ("symbol", found.symbol),
        ("exchange", exchange),
        ("coingecko_id", coin),
    ] {
        if let Some(value) = value {
            shown.insert(name.to_owned(), short(value));
        }
    }
    Value::Object(shown)
}

/// The defect of a search that writes: an item for what was found.
async fn keep(server: &Worthbase, desk: &Desk, found: &Value) -> Result<(), Fault> {
    let arguments =
        json!({ "items": [{ "name": found["name"], "kind": found["kind"] }], "dry_run": false });
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    Box::pin(record(server, desk, arguments)).await.map(drop)
}

/// Starts a run and answers at once.
pub(in super::super) async fn refresh_prices(
    server: &Worthbase,
    desk: &Desk,
) -> Result<Value, Fault> {
    let started = server.prices.refresh(desk).await?;
    let mut answer = json!({ "workspace": desk.workspace(), "status": "started" });
    set(&mut answer, "started_at", json!(started.to_string()));
    Ok(answer)
}

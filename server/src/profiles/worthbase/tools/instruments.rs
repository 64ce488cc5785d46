//! `search_instruments` and `refresh_prices`: the two tools that reach out to price providers.

use jiff::SignedDuration;
use serde_json::{Map, Value, json};

use super::super::Worthbase;
use super::super::access::{Desk, failed};
use super::super::arguments::text;
use super::super::prices::rate_limited;
use super::recording::set;
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;
use crate::providers::{Listing, ProviderError};
use crate::rules::SearchLimit;

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
    let (securities, coins) = tokio::join!(
        async {
            match kind {
                Some("crypto") => None,
                _ => Some(market.yahoo.search(query).await),
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
                    .map(|one| shown(kind, one))
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
        _ => Ok(json!({
            "workspace": desk.workspace(),
            "results": results.concat(),
            "unavailable": unavailable,
        })),
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
fn shown(kind: &str, found: Listing) -> Value {
    let short = |text: String| Value::String(text.chars().take(LONGEST).collect());
    let mut shown = Map::new();
    shown.insert("kind".to_owned(), json!(kind));
    shown.insert("name".to_owned(), short(found.name));
    for (name, value) in [
        ("symbol", found.symbol),
        ("exchange", found.exchange),
        ("coingecko_id", found.coingecko_id),
    ] {
        if let Some(value) = value {
            shown.insert(name.to_owned(), short(value));
        }
    }
    Value::Object(shown)
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

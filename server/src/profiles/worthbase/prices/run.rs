//! One run: which items want a price, what the providers say, and what of it is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::future::BoxFuture;
use futures::{FutureExt as _, StreamExt as _};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;
use proofmark_ledger::Ledger;
use proofmark_ledger::decimal::Exact;
use proofmark_ledger::fx::EcbTable;
use proofmark_ledger::ids::ItemId;
use proofmark_ledger::model::{Currency, Item, ItemKind};

use super::Market;
use crate::mcp::fault::Fault;
use crate::profiles::worthbase::identifiers::new_id;
use crate::providers::{
    CoinPrices, MOST_COINS, ProviderError, Quote, QuoteReading, is_coin_id, quote_of_coin,
};
use crate::rules::{
    FetchedItems, MinorUnits, OneFailure, PriceRules, ProviderDigits, ProviderOutage,
    QuoteCurrency, QuoteDate,
};
use crate::store::{NewPrice, PriceRun, Workspace};

/// How many questions to one provider are under way at once.
const AT_ONCE: usize = 4;
/// How many answers in a row may fail to come before a provider is asked nothing more in this run.
const PATIENCE: usize = 8;
/// How many items without a price are named.
const MOST_NAMED: usize = 100;
/// How long a run may take, whatever the providers do.
const LONGEST: Duration = Duration::from_secs(300);

/// An item that wants a price.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wanted {
    item: ItemId,
    currency: Currency,
    instrument: Instrument,
}

/// What a provider knows it by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Instrument {
    Symbol(String),
    Coin(String),
}

/// Why an item got no price, in words of this server: a provider's text goes nowhere.
type Trouble = String;

/// Fetches the prices of `workspace` for the run that began at `started`, and marks it ended.
pub(super) async fn fetch(market: Arc<Market>, workspace: Workspace, started: Timestamp) {
    let fetched = tokio::time::timeout(LONGEST, prices(&market, &workspace, started)).await;
    let (status, errors, prices) = match fetched {
        Ok(Ok((prices, errors))) => ("finished", errors, prices),
        Ok(Err(fault)) => {
            tracing::warn!(code = %fault.code, "a price run failed");
            (
                "failed",
                vec!["The run failed inside the server. No price was changed.".to_owned()],
                Vec::new(),
            )
        }
        Err(_) => (
            "failed",
            vec!["The providers took too long. No price was changed.".to_owned()],
            Vec::new(),
        ),
    };
    let run = PriceRun {
        started_at: started,
        finished_at: Some(market.clock.now().await.unwrap_or(started)),
        status: status.to_owned(),
        errors: serde_json::to_string(&errors).unwrap_or_else(|_| "[]".to_owned()),
    };
    if let Err(error) = market
        .store
        .end_price_run(&workspace.id, &run, &prices)
        .await
    {
        tracing::error!(%error, "a price run could not be stored");
    }
}

/// Whether anything in a workspace wants a price.
pub(super) async fn wants_prices(
    market: &Market,
    workspace: &Workspace,
    today: Date,
) -> Result<bool, Fault> {
    let book = market.books.load_latest(workspace).await?;
    Ok(!wanted(&book.ledger, today, market.rules.prices.fetched_items).is_empty())
}

async fn prices(
    market: &Market,
    workspace: &Workspace,
    started: Timestamp,
) -> Result<(Vec<NewPrice>, Vec<Trouble>), Fault> {
    let today = Offset::UTC.to_datetime(started).date();
    let book = market.books.load_latest(workspace).await?;
    let wanted = wanted(&book.ledger, today, market.rules.prices.fetched_items);
    let quotes = quotes(market, &wanted).await;
    let rules = &market.rules.prices;
    // What is kept is compared with what is known when the answers are in, not before.
    let book = market.books.load_latest(workspace).await?;
    let (mut prices, mut errors) = (Vec::new(), Vec::new());
    for one in &wanted {
        let quote = quotes.get(&(one.instrument.clone(), one.currency));
        let checked = match quote {
            Some(Ok(quote)) => checked(quote, one, today, rules),
            Some(Err(trouble)) => Err(trouble.clone()),
            None => Err("it was not asked for".to_owned()),
        };
        match (checked, rules.outage) {
            (Ok(quote), _) => {
                if !is_known(&book.ledger, one, &quote) {
                    prices.push(kept(one, &quote));
                }
            }
            (Err(trouble), outage) => {
                errors.push(format!(
                    "{}: {trouble}. Its price stays as it was.",
                    one.item
                ));
                if outage == ProviderOutage::Zero {
                    let nothing = Quote {
                        price: Default::default(),
                        currency: one.currency,
                        traded_on: today,
                    };
                    prices.push(kept(one, &nothing));
                }
            }
        }
    }
    if !errors.is_empty() && rules.one_failure == OneFailure::FailsAll {
        prices.clear();
    }
    let unnamed = errors.len().saturating_sub(MOST_NAMED);
    if unnamed > 0 {
        errors.truncate(MOST_NAMED);
        errors.push(format!("{unnamed} more items got no price."));
    }
    Ok((prices, errors))
}

/// The held items that a provider can price: not archived, not sold out, with a symbol or an id.
fn wanted(ledger: &Ledger, today: Date, which: FetchedItems) -> Vec<Wanted> {
    let held = |item: &Item| {
        if which == FetchedItems::Every {
            return true;
        }
        if ledger.archive_of(&item.id).is_some() {
            return false;
        }
        // Units need no exchange rate.
        let position = ledger.position(&item.id, today, &EcbTable::default());
        position.is_ok_and(|position| position.units.is_some_and(Exact::is_positive))
    };
    ledger
        .items()
        .filter_map(|item| {
            let instrument = match item.kind {
                ItemKind::Security => Instrument::Symbol(item.symbol.clone()?),
                ItemKind::Crypto => Instrument::Coin(item.coingecko_id.clone()?),
                _ => return None,
            };
            held(item).then(|| Wanted {
                item: item.id.clone(),
                currency: item.currency,
                instrument,
            })
        })
        .collect()
}

type Quotes = BTreeMap<(Instrument, Currency), Result<Quote, Trouble>>;

/// What the providers say, each symbol asked for once and coins together.
async fn quotes(market: &Market, wanted: &[Wanted]) -> Quotes {
    let reading = reading(&market.rules.prices);
    let mut symbols: BTreeMap<&str, BTreeSet<Currency>> = BTreeMap::new();
    let mut coins: BTreeMap<&str, BTreeSet<Currency>> = BTreeMap::new();
    for one in wanted {
        let (list, name) = match &one.instrument {
            Instrument::Symbol(symbol) => (&mut symbols, symbol),
            Instrument::Coin(id) => (&mut coins, id),
        };
        list.entry(name).or_default().insert(one.currency);
    }
    let (listed, priced) = tokio::join!(
        listed_quotes(
            market,
            symbols.keys().map(ToString::to_string).collect(),
            reading
        ),
        coin_quotes(market, &coins, reading),
    );
    let mut quotes = priced;
    for (symbol, quote) in listed {
        for currency in symbols.get(symbol.as_str()).into_iter().flatten() {
            quotes.insert(
                (Instrument::Symbol(symbol.clone()), *currency),
                quote.clone(),
            );
        }
    }
    quotes
}

/// What Yahoo Finance says of each symbol, a few at once.
async fn listed_quotes(
    market: &Market,
    symbols: Vec<String>,
    reading: QuoteReading,
) -> Vec<(String, Result<Quote, Trouble>)> {
    let silent = Arc::new(AtomicUsize::new(0));
    let asked = symbols.into_iter().map(|symbol| {
        let (yahoo, silent) = (market.yahoo.clone(), Arc::clone(&silent));
        async move {
            let quote = if silent.load(Ordering::Relaxed) < PATIENCE {
                yahoo.quote(&symbol, reading).await
            } else {
                Err(ProviderError::Unreachable("given up".to_owned()))
            };
            match &quote {
                Err(ProviderError::Unreachable(_)) => silent.fetch_add(1, Ordering::Relaxed),
                _ => silent.swap(0, Ordering::Relaxed),
            };
            let quote = quote.map_err(|error| trouble("Yahoo Finance", &error));
            (symbol, quote)
        }
        .boxed()
    });
    let asked: Vec<BoxFuture<'static, _>> = asked.collect();
    let answers = futures::stream::iter(asked).buffer_unordered(AT_ONCE);
    answers.collect().await
}

async fn coin_quotes(
    market: &Market,
    coins: &BTreeMap<&str, BTreeSet<Currency>>,
    reading: QuoteReading,
) -> Quotes {
    let mut quotes = Quotes::new();
    let mut ids = Vec::new();
    for (id, currencies) in coins {
        if is_coin_id(id) {
            ids.push(*id);
            continue;
        }
        for currency in currencies {
            let trouble = "its coingecko_id is no id of a coin".to_owned();
            quotes.insert(
                (Instrument::Coin((*id).to_owned()), *currency),
                Err(trouble),
            );
        }
    }
    for some in ids.chunks(MOST_COINS) {
        let currencies: BTreeSet<Currency> = some
            .iter()
            .filter_map(|id| coins.get(id))
            .flatten()
            .copied()
            .collect();
        let currencies: Vec<Currency> = currencies.into_iter().collect();
        let answer: Result<CoinPrices, ProviderError> =
            market.coingecko.prices(some, &currencies).await;
        for id in some {
            for currency in coins.get(id).into_iter().flatten() {
                let quote = match &answer {
                    Ok(prices) => quote_of_coin(prices, id, *currency, reading)
                        .map_err(|error| trouble("CoinGecko", &error)),
                    Err(error) => Err(trouble("CoinGecko", error)),
                };
                quotes.insert((Instrument::Coin((*id).to_owned()), *currency), quote);
            }
        }
    }
    quotes
}

fn reading(rules: &PriceRules) -> QuoteReading {
    QuoteReading {
        minor_units_as_major: rules.minor_units == MinorUnits::TakenForMajor,
        through_float: rules.digits == ProviderDigits::ThroughFloat,
    }
}

/// What went wrong with a provider; the cause goes to the log, because it may hold addresses or the provider's own words.
fn trouble(provider: &str, error: &ProviderError) -> Trouble {
    tracing::warn!(provider, %error, "a provider gave no usable price");
    match error {
        ProviderError::Unreachable(_) => format!("{provider} did not answer in time"),
        ProviderError::Status(404) => format!("{provider} does not know it"),
        ProviderError::Status(status) => format!("{provider} answered with status {status}"),
        ProviderError::TooLarge(_) | ProviderError::Unreadable(_) => {
            format!("{provider} gave no usable price")
        }
    }
}

/// A quote that may be kept for an item: in its currency, and not of a day to come.
fn checked(
    quote: &Quote,
    wanted: &Wanted,
    today: Date,
    rules: &PriceRules,
) -> Result<Quote, Trouble> {
    if quote.currency != wanted.currency && rules.currency == QuoteCurrency::Checked {
        return Err(format!(
            "it is priced in {}, the item is in {}",
            quote.currency, wanted.currency
        ));
    }
    if quote.traded_on > today.tomorrow().unwrap_or(today) {
        return Err("its price is dated in the future".to_owned());
    }
    Ok(match rules.date {
        QuoteDate::OfTheTrade => quote.clone(),
        QuoteDate::Today => Quote {
            traded_on: today,
            ..quote.clone()
        },
    })
}

/// Whether the last fetched price of that day says the same.
fn is_known(ledger: &Ledger, wanted: &Wanted, quote: &Quote) -> bool {
    let last = ledger
        .fetched_prices()
        .filter(|price| price.item == wanted.item && price.date == quote.traded_on)
        .last();
    last.is_some_and(|price| price.price == quote.price)
}

fn kept(wanted: &Wanted, quote: &Quote) -> NewPrice {
    NewPrice {
        id: new_id("prc"),
        item: wanted.item.to_string(),
        date: quote.traded_on.to_string(),
        price: quote.price.to_string(),
        currency: wanted.currency.to_string(),
        provider: match wanted.instrument {
            Instrument::Symbol(_) => "yahoo".to_owned(),
            Instrument::Coin(_) => "coingecko".to_owned(),
        },
    }
}

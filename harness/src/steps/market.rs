//! Steps about the services behind the server: what the market lists and says, how a service fails, and what it was asked.

use std::{collections::BTreeMap, str::FromStr};

use cucumber::{gherkin::Step, given, then, when};
use jiff::civil::Date;

use super::{
    book::{lines, unreadable},
    people::{Who, meet},
    safety::meant,
    tokens::mocks,
};
use crate::{
    mocks::{
        Breakage, Provider, RecordedRequest,
        admin::Command,
        providers::instruments::{Coin, Security},
    },
    suite::{Failure, Scene},
    worthbase::Line,
};

/// Longer than any server waits for a service.
const TOO_LONG: u64 = 20_000;
/// Where prices of securities and of coins are asked for.
const CHART: &str = "/v8/finance/chart/";
const COIN_PRICES: &str = "/api/v3/simple/price";

/// A service that the server leans on, as a sentence names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, cucumber::Parameter)]
#[param(
    name = "service",
    regex = "Yahoo Finance|CoinGecko|the European Central Bank|the user directory|the subscription directory"
)]
pub struct Service(pub Provider);

/// Not one of the words that the sentences know.
#[derive(Debug, thiserror::Error)]
#[error("nothing is called {0:?}")]
pub struct UnknownWord(String);

impl FromStr for Service {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(match text {
            "Yahoo Finance" => Provider::Yahoo,
            "CoinGecko" => Provider::Coingecko,
            "the European Central Bank" => Provider::Ecb,
            "the user directory" => Provider::Directory,
            "the subscription directory" => Provider::Subscriptions,
            other => return Err(UnknownWord(other.to_owned())),
        }))
    }
}

/// How a service answers while it is out of order, as a sentence names it.
#[derive(Debug, Clone, PartialEq, Eq, cucumber::Parameter)]
#[param(name = "outage", regex = "[a-z][a-z0-9 A-Z,]*")]
pub struct Outage(pub Breakage);

impl FromStr for Outage {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let status = |code| Breakage::Status {
            code,
            retry_after_seconds: None,
        };
        Ok(Self(match text {
            "a refused connection" => Breakage::Refused,
            "an error 404" => status(404),
            "an error 429" => status(429),
            "an error 500" => status(500),
            "a page of HTML" => Breakage::Garbage,
            "a document cut in the middle" => Breakage::Truncated,
            "an empty body" => Breakage::Empty,
            "an empty document" => Breakage::Nothing,
            "restated rates" => Breakage::Restated,
            "a bare null" => Breakage::Null,
            "five megabytes of nonsense" => Breakage::Huge,
            "an answer that takes too long" => Breakage::Slow {
                milliseconds: TOO_LONG,
            },
            "an answer after two seconds" => Breakage::Slow {
                milliseconds: 2_000,
            },
            "a figure below zero" => Breakage::Negative,
            "a price in another currency" => Breakage::WrongCurrency,
            "a null for a price" => Breakage::NoPrice,
            "a price that is no number" => Breakage::NotANumber,
            "the price of another instrument" => Breakage::AnotherInstrument,
            other => return Err(UnknownWord(other.to_owned())),
        }))
    }
}

/// A service is out of order from now on, in one way.
#[given(expr = "{service} answers with {outage}")]
#[when(expr = "{service} begins to answer with {outage}")]
async fn answers_with(scene: &mut Scene, service: Service, how: Outage) -> Result<(), Failure> {
    let broken = mocks(scene)?.break_provider(service.0, how.0).await;
    broken.map_err(Failure::from)
}

/// A service is in order again.
#[when(expr = "{service} works again")]
async fn works_again(scene: &mut Scene, service: Service) -> Result<(), Failure> {
    let mended = mocks(scene)?.mend_provider(service.0).await;
    mended.map_err(Failure::from)
}

/// `10.5 on 2026-10-29, 11 on 2026-10-30`.
fn closes(cell: &str) -> Option<Vec<(Date, String)>> {
    let close = |part: &str| {
        let (price, day) = part.trim().split_once(" on ")?;
        Some((day.parse().ok()?, price.to_owned()))
    };
    cell.split(',').map(close).collect()
}

/// `0.1 USD, 0.2 EUR`.
fn coin_prices(cell: &str) -> Option<BTreeMap<String, String>> {
    let price = |part: &str| {
        let (price, currency) = part.trim().split_once(' ')?;
        Some((currency.to_lowercase(), price.to_owned()))
    };
    cell.split(',').map(price).collect()
}

fn unreadable_cell(cell: &str) -> Failure {
    Failure::harness(format!("the prices {cell:?} cannot be read"))
}

/// The stock market lists securities: columns `symbol name exchange currency closes`, and `time zone` for one that is not
/// in London.
#[given("the stock market lists")]
#[when("the stock market lists")]
async fn lists_securities(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    for line in lines(step) {
        let cell = |heading: &str, otherwise: &str| meant(line.cell(heading).unwrap_or(otherwise));
        let symbol = line.needs("symbol").map_err(unreadable)?;
        let written = cell("closes", "");
        let security = Security {
            symbol: symbol.to_owned(),
            name: cell("name", symbol),
            exchange: cell("exchange", "LSE"),
            exchange_name: cell("exchange", "LSE"),
            currency: cell("currency", "USD"),
            kind: "EQUITY".to_owned(),
            timezone: cell("time zone", "Europe/London"),
            closes: closes(&written).ok_or_else(|| unreadable_cell(&written))?,
        };
        mocks(scene)?
            .execute(Command::SetSecurity { security })
            .await?;
    }
    Ok(())
}

/// The market of coins lists coins: columns `coin symbol name prices`.
#[given("the coin market lists")]
async fn lists_coins(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    for line in lines(step) {
        let id = line.needs("coin").map_err(unreadable)?;
        let written = line.needs("prices").map_err(unreadable)?;
        let coin = Coin {
            id: id.to_owned(),
            symbol: meant(line.cell("symbol").unwrap_or(id)),
            name: meant(line.cell("name").unwrap_or(id)),
            rank: 1000,
            prices: coin_prices(written).ok_or_else(|| unreadable_cell(written))?,
        };
        mocks(scene)?.execute(Command::SetCoin { coin }).await?;
    }
    Ok(())
}

/// What one request asked prices for: a symbol, or ids of coins. Nothing for any other question.
fn asked_for(request: &RecordedRequest) -> Vec<String> {
    let decoded = |text: &str| {
        let form = text.replace('+', "%2B");
        let mut pairs = url::form_urlencoded::parse(form.as_bytes());
        pairs.next().map(|(name, _)| name.into_owned())
    };
    if let Some(symbol) = request.path.strip_prefix(CHART) {
        return decoded(symbol).into_iter().collect();
    }
    if request.path != COIN_PRICES {
        return Vec::new();
    }
    let query = request.query.as_deref().unwrap_or_default();
    let ids = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "ids");
    ids.map(|(_, ids)| ids.split(',').map(str::to_owned).collect())
        .unwrap_or_default()
}

/// For which instruments a service was asked for a price since the scenario began, each once: names with commas between.
#[then(expr = "{service} was asked once for each of {string} and for nothing else")]
async fn was_asked_for(scene: &mut Scene, service: Service, names: String) -> Result<(), Failure> {
    let requests = mocks(scene)?.requests(service.0).await?;
    let mut seen: Vec<String> = requests.iter().flat_map(asked_for).collect();
    let mut expected: Vec<String> = names.split(", ").map(str::to_owned).collect();
    seen.sort();
    expected.sort();
    if seen == expected {
        return Ok(());
    }
    Err(
        Failure::expected(format!("prices of {expected:?}, each asked for once"))
            .actual(format!("{seen:?}")),
    )
}

/// In no header, address or body of any request to any service.
#[then(expr = "no service ever saw a token of {person}")]
async fn nobody_saw_a_token(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    for token in scene.people.person(&name)?.tokens.clone() {
        if let Some(request) = mocks(scene)?.leaks(&token).await?.first() {
            let told = format!(
                "{} {} to {:?}",
                request.method, request.path, request.provider
            );
            return Err(
                Failure::expected(format!("no request that carries a token of {name}"))
                    .actual(told)
                    .hint("ask other services with credentials of the server's own"),
            );
        }
    }
    Ok(())
}

/// Everything that was asked about instruments by name: the queries of searches, or the fault that they show.
///
/// # Errors
/// A search went to another place, or its text did not arrive as one parameter.
pub async fn searched_texts(scene: &Scene) -> Result<Vec<(Provider, String)>, Failure> {
    let mut texts = Vec::new();
    for (provider, path, parameter) in [
        (Provider::Yahoo, "/v1/finance/search", "q"),
        (Provider::Coingecko, "/api/v3/search", "query"),
    ] {
        for request in mocks(scene)?.requests(provider).await? {
            let query = request.query.clone().unwrap_or_default();
            let pairs: Vec<(String, String)> = url::form_urlencoded::parse(query.as_bytes())
                .into_owned()
                .collect();
            let mut names: Vec<&String> = pairs.iter().map(|(name, _)| name).collect();
            names.sort();
            let twice = names.windows(2).any(|pair| pair[0] == pair[1]);
            let text = pairs.iter().find(|(name, _)| name == parameter);
            match text {
                Some((_, text)) if request.path == path && !twice => {
                    texts.push((provider, text.clone()));
                }
                _ => {
                    return Err(Failure::expected(format!(
                        "a search at {path} with one parameter `{parameter}`"
                    ))
                    .actual(format!("{} {}?{query}", request.method, request.path))
                    .hint("encode what people type before it becomes part of an address"));
                }
            }
        }
    }
    Ok(texts)
}

/// The texts of a table of one column.
#[must_use]
pub fn texts_of(lines: &[Line], heading: &str) -> Vec<String> {
    let cells = lines.iter().filter_map(|line| line.cell(heading));
    cells.map(meant).collect()
}

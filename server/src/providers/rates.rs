//! Reference rates of the European Central Bank: the whole history as one CSV, fetched at most once a day.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use proofmark_ledger::decimal::{self, Decimal};
use proofmark_ledger::fx::EcbTable;
use proofmark_ledger::model::{Currency, Date};
use tokio::sync::Mutex;
use url::Url;

use super::ProviderError;
use crate::clock::Clock;

/// Longest history that is read, in bytes; the real one has about 2 MB and grows by 300 bytes a day.
const HISTORY_LIMIT: usize = 16 * 1024 * 1024;
/// How long a history counts as today's, by the server's clock.
const AGE: SignedDuration = SignedDuration::from_hours(24);

/// The bank's rates.
#[derive(Debug)]
pub struct EuropeanCentralBank {
    history: Url,
    client: reqwest::Client,
    timeout: Duration,
    clock: Clock,
    fetched: Mutex<Option<Fetched>>,
}

#[derive(Debug)]
struct Fetched {
    at: Timestamp,
    table: Arc<EcbTable>,
}

impl EuropeanCentralBank {
    /// The bank at `base`, each fetch bounded by `timeout`; `clock` says when a day has passed.
    pub fn new(base: Url, client: reqwest::Client, timeout: Duration, clock: Clock) -> Self {
        let history = super::join(&base, &["stats", "eurofxref", "eurofxref-hist.csv"]);
        Self {
            history,
            client,
            timeout,
            clock,
            fetched: Mutex::default(),
        }
    }

    /// Every published rate. One call fetches, the others wait for it.
    ///
    /// # Errors
    /// When a day has passed since the last fetch and the bank does not answer in its format and in time. An older table is not
    /// used then: it may lack the very publication that the figure needs.
    pub async fn table(&self) -> Result<Arc<EcbTable>, ProviderError> {
        let now = self
            .clock
            .now()
            .await
            .map_err(|error| ProviderError::Unreachable(error.to_string()))?;
        let mut fetched = self.fetched.lock().await;
        if let Some(known) = fetched.as_ref()
            && (SignedDuration::ZERO..AGE).contains(&now.duration_since(known.at))
        {
            return Ok(Arc::clone(&known.table));
        }
        let body = super::fetch(
            &self.client,
            self.history.clone(),
            self.timeout,
            HISTORY_LIMIT,
        )
        .await?;
        // Seven thousand days are too much work for a thread that others wait on.
        let table = tokio::task::spawn_blocking(move || parse(&body))
            .await
            .map_err(|error| ProviderError::Unreadable(error.to_string()))??;
        let table = Arc::new(table);
        *fetched = Some(Fetched {
            at: now,
            table: Arc::clone(&table),
        });
        Ok(table)
    }
}

/// Reads `eurofxref-hist.csv`: a header `Date,USD,JPY,…`, then a row per publication with the units per euro, `N/A` or nothing where
/// a currency was not quoted. Figures are read as text, never through a float.
fn parse(body: &[u8]) -> Result<EcbTable, ProviderError> {
    let unreadable = |problem: String| ProviderError::Unreadable(problem);
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(body);
    let header = reader
        .headers()
        .map_err(|error| unreadable(error.to_string()))?;
    if header.get(0) != Some("Date") {
        return Err(unreadable("the first column is not Date".to_owned()));
    }
    let currencies: Vec<Option<Currency>> = header
        .iter()
        .skip(1)
        .map(|code| code.parse().ok())
        .collect();
    let mut rows: Vec<(Date, Vec<(Currency, Decimal)>)> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| unreadable(error.to_string()))?;
        let date = record.get(0).unwrap_or_default();
        let day: Date = date
            .parse()
            .map_err(|_| unreadable(format!("{date:.20} is not a date")))?;
        let mut quotes = Vec::with_capacity(currencies.len());
        for (currency, figure) in currencies.iter().zip(record.iter().skip(1)) {
            let (Some(currency), false) = (currency, matches!(figure, "" | "N/A")) else {
                continue;
            };
            let rate = decimal::parse(figure)
                .map_err(|_| unreadable(format!("{figure:.20} on {date} is not a rate")))?;
            quotes.push((*currency, rate));
        }
        rows.push((day, quotes));
    }
    if rows.is_empty() {
        return Err(unreadable("no publication".to_owned()));
    }
    Ok(EcbTable::from_rows(rows))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proofmark_ledger::fx::RateSource;
    use wiremock::matchers::path;
    use wiremock::{Mock, MockServer, ResponseTemplate};

    use super::*;

    const HISTORY: &str =
        "Date,USD,JPY,CYP,\n2024-06-28,1.0705,171.94,N/A,\n2024-06-27,1.0696,171.95,,\n";

    fn figure(table: &EcbTable, code: &str, day: Date) -> Option<String> {
        table
            .published(code.parse().unwrap(), day)
            .map(|rate| rate.to_string())
    }

    #[test]
    fn rates_keep_their_digits_and_gaps_stay_gaps() {
        let table = parse(HISTORY.as_bytes()).unwrap();
        assert_eq!(
            figure(&table, "USD", date(2024, 6, 28)).as_deref(),
            Some("1.0705")
        );
        assert_eq!(
            figure(&table, "JPY", date(2024, 6, 27)).as_deref(),
            Some("171.95")
        );
        assert_eq!(figure(&table, "CYP", date(2024, 6, 28)), None);
        assert_eq!(figure(&table, "USD", date(2024, 6, 29)), None);
    }

    #[test]
    fn another_format_is_an_error_and_no_empty_table() {
        for text in [
            "",
            "<html></html>",
            "Date,USD\n",
            "Date,USD\nyesterday,1.1\n",
            "Date,USD\n2024-06-28,1e3\n",
        ] {
            assert!(parse(text.as_bytes()).is_err(), "{text:?}");
        }
    }

    #[tokio::test]
    async fn the_history_is_fetched_once_a_day_and_an_outage_is_an_error() {
        crate::crypto::install();
        let bank = MockServer::start().await;
        let answer = Mock::given(path("/stats/eurofxref/eurofxref-hist.csv"))
            .respond_with(ResponseTemplate::new(200).set_body_string(HISTORY))
            .mount_as_scoped(&bank)
            .await;
        let start: Timestamp = "2024-06-28T17:00:00Z".parse().unwrap();
        let (clock, steering) = Clock::steered(start);
        let base = bank.uri().parse().unwrap();
        let rates =
            EuropeanCentralBank::new(base, reqwest::Client::new(), Duration::from_secs(5), clock);
        for hours in [0, 1, 23] {
            steering.set(start + SignedDuration::from_hours(hours));
            assert_eq!(rates.table().await.unwrap().len(), 2);
        }
        assert_eq!(answer.received_requests().await.len(), 1);
        steering.set(start + SignedDuration::from_hours(24));
        assert!(rates.table().await.is_ok());
        assert_eq!(answer.received_requests().await.len(), 2);
        drop(answer);
        steering.set(start + SignedDuration::from_hours(48));
        assert!(matches!(
            rates.table().await,
            Err(ProviderError::Status(404))
        ));
    }
}

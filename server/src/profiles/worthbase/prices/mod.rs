//! Prices from providers: fetched in the background when somebody asks, and once a day unasked.
//!
//! A fetched price is no batch: it stands beside the log, wins over nothing that a person recorded for the same day, and can be
//! voided like any price. A run that finds a provider down or talking nonsense changes no price and says so.

mod daily;
mod run;

use std::sync::{Arc, Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::access::{Desk, Gate, failed};
use super::history::Books;
use crate::clock::Clock;
use crate::mcp::fault::Fault;
use crate::providers::{CoinGecko, YahooFinance};
use crate::rules::{DailyRun, RefreshAnswer, RefreshLimit, RetryAfter, Rules};
use crate::store::{PriceRun, Store, Workspace};
use daily::Daily;

/// A run that has not ended after this is taken for interrupted.
const LONGEST_RUN: SignedDuration = SignedDuration::from_mins(10);

/// Everything a run needs; it outlives the call that started it.
#[derive(Debug)]
pub(super) struct Market {
    pub store: Store,
    pub books: Arc<Books>,
    pub gate: Arc<Gate>,
    pub yahoo: YahooFinance,
    pub coingecko: CoinGecko,
    pub clock: Clock,
    pub rules: Arc<Rules>,
}

/// Starts runs and tells how they went.
#[derive(Debug)]
pub(super) struct Prices {
    market: Arc<Market>,
    daily: Arc<Daily>,
    /// Runs under way. They end with the server.
    running: Mutex<JoinSet<()>>,
}

impl Prices {
    /// Prices fetched by `market`, with a watch that looks for workspaces whose daily run is due.
    pub(super) fn new(market: Market) -> Self {
        let market = Arc::new(market);
        let daily = Arc::new(Daily::default());
        let prices = Self {
            market: Arc::clone(&market),
            daily: Arc::clone(&daily),
            running: Mutex::default(),
        };
        if prices.market.rules.prices.daily != DailyRun::Never {
            prices.spawn(daily::watch(market, daily));
        }
        prices
    }

    /// The services, for a search.
    pub(super) fn market(&self) -> &Market {
        &self.market
    }

    fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        // Runs that have ended are let go.
        while running.try_join_next().is_some() {}
        running.spawn(work);
    }

    /// Starts a run that somebody asks for, unless one was asked for within the last quarter of an hour.
    pub(super) async fn refresh(&self, desk: &Desk) -> Result<Timestamp, Fault> {
        let rules = &self.market.rules.prices;
        let now = desk.visitor.now;
        let name = match rules.refresh_limit {
            RefreshLimit::Workspace => Some(limit_of(desk.workspace())),
            RefreshLimit::Person => Some(limit_of(&desk.visitor.person.id)),
            RefreshLimit::Server => Some(limit_of("server")),
            RefreshLimit::None => None,
        };
        if let Some(name) = name {
            let window = SignedDuration::from_mins(rules.refresh_minutes);
            let wait = self
                .market
                .store
                .take(&name, now, window, 1)
                .await
                .map_err(failed)?;
            if let Some(wait) = wait {
                let message = format!(
                    "Prices are fetched at most once in {} minutes per workspace, and a run was asked for just now. get_overview shows how it went.",
                    rules.refresh_minutes
                );
                return Err(rate_limited(message, wait, rules.retry_after));
            }
        }
        let workspace = desk.membership.workspace.clone();
        self.market
            .store
            .begin_price_run(&workspace.id, now, None)
            .await
            .map_err(failed)?;
        let work = run::fetch(Arc::clone(&self.market), workspace, now);
        match rules.refresh_answer {
            RefreshAnswer::AtOnce => self.spawn(work),
            RefreshAnswer::WhenDone => work.await,
        }
        Ok(now)
    }

    /// Starts the daily run of a workspace that is being used, if it is due. Costs nothing where it is not.
    pub(super) fn keep_fresh(&self, desk: &Desk) {
        let now = desk.visitor.now;
        if self.market.rules.prices.daily == DailyRun::Never
            || !self.daily.may_be_due(desk.workspace(), now)
        {
            return;
        }
        let (market, daily) = (Arc::clone(&self.market), Arc::clone(&self.daily));
        let workspace = desk.membership.workspace.clone();
        self.spawn(async move { daily::run_if_due(&market, &daily, workspace, now).await });
    }

    /// How the last run of a workspace went, as the overview shows it.
    pub(super) async fn shown_run(
        &self,
        workspace: &Workspace,
        now: Timestamp,
    ) -> Result<Value, Fault> {
        let run = self
            .market
            .store
            .price_run(&workspace.id)
            .await
            .map_err(failed)?;
        let Some(run) = run else {
            return Ok(
                json!({ "status": "never", "started_at": null, "finished_at": null, "errors": [] }),
            );
        };
        shown(&run, now)
    }
}

fn limit_of(of: &str) -> String {
    format!("refresh_prices {of}")
}

/// A run that a dead process left behind is shown as failed, not as running for ever.
fn shown(run: &PriceRun, now: Timestamp) -> Result<Value, Fault> {
    let errors: Value = serde_json::from_str(&run.errors).map_err(failed)?;
    if run.status == "running" && now.duration_since(run.started_at) > LONGEST_RUN {
        return Ok(json!({
            "status": "failed",
            "started_at": run.started_at.to_string(),
            "finished_at": null,
            "errors": ["The run was interrupted. No price was changed; call refresh_prices again."],
        }));
    }
    Ok(json!({
        "status": run.status,
        "started_at": run.started_at.to_string(),
        "finished_at": run.finished_at.map(|at| at.to_string()),
        "errors": errors,
    }))
}

/// The refusal of what was used too often; `wait` says for how much longer.
pub(super) fn rate_limited(
    message: impl Into<String>,
    wait: SignedDuration,
    rule: RetryAfter,
) -> Fault {
    // A part of a second is a second: a caller that waits as long as it is told is never early.
    let seconds = match rule {
        RetryAfter::Computed => wait.as_secs() + i64::from(wait.subsec_nanos() > 0),
        RetryAfter::Constant => 60,
    };
    Fault::new("rate_limited", message).with("retry_after_seconds", seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_run_that_never_ended_is_not_running_for_ever() {
        let run = PriceRun {
            started_at: at("2026-10-30T12:00:00Z"),
            finished_at: None,
            status: "running".to_owned(),
            errors: "[]".to_owned(),
        };
        let status = |now: &str| shown(&run, at(now)).unwrap()["status"].clone();
        assert_eq!(status("2026-10-30T12:09:59Z"), "running");
        assert_eq!(status("2026-10-30T12:10:01Z"), "failed");
    }

    #[test]
    fn a_part_of_a_second_is_waited_for_too() {
        let wait = SignedDuration::from_millis(59_001);
        let seconds =
            |rule| rate_limited("Wait.", wait, rule).details["retry_after_seconds"].clone();
        assert_eq!(seconds(RetryAfter::Computed), 60);
        assert_eq!(
            rate_limited("Wait.", SignedDuration::from_secs(59), RetryAfter::Computed).details["retry_after_seconds"],
            59
        );
    }
}

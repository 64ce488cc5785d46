//! The run that nobody asks for: once a day for every paid workspace that holds something with a price.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use super::{Market, limit_of, run};
use crate::rules::DailyRun;
use crate::store::Workspace;

/// How old prices become before they are fetched unasked, by the server's clock.
const AGE: SignedDuration = SignedDuration::from_hours(24);
/// How often the watch looks for workspaces that nobody is using.
const LOOK: Duration = Duration::from_secs(60);

/// When each workspace may be due again. Derived from the store: losing it costs a look, nothing else.
#[derive(Debug, Default)]
pub(super) struct Daily {
    next: Mutex<HashMap<String, Timestamp>>,
}

impl Daily {
    /// Whether the daily run of a workspace may be due; a workspace that is being looked at is not due again meanwhile.
    pub(super) fn may_be_due(&self, workspace: &str, now: Timestamp) -> bool {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        if next.get(workspace).is_some_and(|next| now < *next) {
            return false;
        }
        // Who looks is alone with it; a minute later somebody else may try.
        next.insert(
            workspace.to_owned(),
            later(now, SignedDuration::from_mins(1)),
        );
        true
    }

    fn not_before(&self, workspace: &str, then: Timestamp) {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        next.insert(workspace.to_owned(), then);
    }
}

fn later(at: Timestamp, by: SignedDuration) -> Timestamp {
    at.checked_add(by).unwrap_or(at)
}

/// Looks for due workspaces for as long as the server runs.
pub(super) async fn watch(market: Arc<Market>, daily: Arc<Daily>) {
    let mut looks = tokio::time::interval(LOOK);
    // The first tick comes at once; a server that has just started has nothing to catch up on that a call would not.
    looks.tick().await;
    loop {
        looks.tick().await;
        let (Ok(now), Ok(workspaces)) = (
            market.clock.now().await,
            market.store.every_workspace().await,
        ) else {
            continue;
        };
        for workspace in workspaces {
            if daily.may_be_due(&workspace.id, now) {
                run_if_due(&market, &daily, workspace, now).await;
            }
        }
    }
}

/// Runs for a workspace whose prices are a day old.
pub(super) async fn run_if_due(
    market: &Arc<Market>,
    daily: &Daily,
    workspace: Workspace,
    now: Timestamp,
) {
    let last = match market.store.priced_at(&workspace.id).await {
        Ok(Some(last)) => last,
        Ok(None) => return,
        Err(error) => {
            tracing::warn!(%error, "a daily price run could not be looked up");
            return;
        }
    };
    let due = later(last, AGE);
    if now < due {
        daily.not_before(&workspace.id, due);
        return;
    }
    let today = Offset::UTC.to_datetime(now).date();
    let wanted = run::wants_prices(market, &workspace, today)
        .await
        .unwrap_or(false);
    let paid = market.gate.is_open(&workspace.id).await.unwrap_or(false);
    if !wanted || !paid {
        return;
    }
    if market.rules.prices.daily == DailyRun::UsesUpTheLimit {
        let window = SignedDuration::from_mins(market.rules.prices.refresh_minutes);
        let _ = market
            .store
            .take(&limit_of(&workspace.id), now, window, 1)
            .await;
    }
    // Of several processes on one file only the first begins.
    let since = later(now, -AGE);
    match market
        .store
        .begin_price_run(&workspace.id, now, Some(since))
        .await
    {
        Ok(true) => {
            daily.not_before(&workspace.id, later(now, AGE));
            run::fetch(Arc::clone(market), workspace, now).await;
        }
        Ok(false) => daily.not_before(&workspace.id, later(now, SignedDuration::from_hours(1))),
        Err(error) => tracing::warn!(%error, "a daily price run could not begin"),
    }
}

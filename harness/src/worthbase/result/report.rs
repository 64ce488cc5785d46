//! What the reports of a whole book show.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::{Named, Rate, Reconciliation};
use crate::worthbase::Figure;

/// `get_net_worth`, and the headline of `get_overview`.
#[derive(Debug, Clone, Deserialize)]
pub struct NetWorth {
    /// The day asked for.
    pub date: String,
    /// ISO 4217, of all figures.
    pub currency: String,
    /// What is owned.
    pub assets: Figure,
    /// What is owed, a positive figure.
    pub liabilities: Figure,
    /// Assets less liabilities.
    pub net_worth: Figure,
    /// Assets flagged investable, gross of debts.
    pub investable: Figure,
    /// Cash items.
    pub cash: Figure,
    /// Whether something held has no value.
    pub partial: bool,
    /// What has no value.
    pub missing: Vec<Flagged>,
    /// The groups, where a grouping was asked for.
    #[serde(default)]
    pub breakdown: Vec<Part>,
    /// What has an old value.
    pub stale: Vec<Flagged>,
    /// Exchange rates used.
    pub rates: Vec<Rate>,
}

/// An item named in a report.
#[derive(Debug, Clone, Deserialize)]
pub struct Flagged {
    /// Id of the item.
    pub item: String,
    /// Its name.
    pub name: String,
}

/// One group of a breakdown.
#[derive(Debug, Clone, Deserialize)]
pub struct Part {
    /// Id or label of the group; none for items without account.
    pub key: Option<String>,
    /// Its name.
    pub name: String,
    /// `asset` or `liability`.
    pub side: String,
    /// Its value; none where it is missing.
    pub value: Option<Figure>,
    /// Day of the price used.
    pub price_date: Option<String>,
    /// Day of the valuation used.
    pub value_date: Option<String>,
}

/// `get_overview`.
#[derive(Debug, Clone, Deserialize)]
pub struct Overview {
    /// Legal owners.
    pub parties: Vec<Named>,
    /// Accounts.
    pub accounts: Vec<Named>,
    /// How many items there are.
    pub item_counts: ItemCounts,
    /// Net worth of today.
    pub net_worth: NetWorth,
    /// Items with an old value.
    pub stale_items: Vec<Flagged>,
    /// Statement figures that do not match.
    pub open_mismatches: Vec<Reconciliation>,
    /// State of the price run.
    pub price_run: PriceRun,
    /// The last writes.
    pub recent_batches: Vec<WrittenBatch>,
}

/// How many items there are.
#[derive(Debug, Clone, Deserialize)]
pub struct ItemCounts {
    /// On the asset side.
    pub assets: u64,
    /// On the liability side.
    pub liabilities: u64,
}

/// State of the price run.
#[derive(Debug, Clone, Deserialize)]
pub struct PriceRun {
    /// `never`, `running`, `finished` or `failed`.
    pub status: String,
    /// When the last run began.
    #[serde(default)]
    pub started_at: Option<String>,
    /// What went wrong, item by item.
    #[serde(default)]
    pub errors: Vec<String>,
}

/// `refresh_prices`.
#[derive(Debug, Clone, Deserialize)]
pub struct StartedRun {
    /// `started`.
    pub status: String,
}

/// `search_instruments`.
#[derive(Debug, Clone, Deserialize)]
pub struct FoundInstruments {
    /// What fits the query.
    pub results: Vec<Instrument>,
}

/// A security or a coin that was found.
#[derive(Debug, Clone, Deserialize)]
pub struct Instrument {
    /// `security` or `crypto`.
    pub kind: String,
    /// Its name, in the words of the market.
    pub name: String,
    /// Its code.
    pub symbol: Option<String>,
    /// Where it is listed.
    pub exchange: Option<String>,
    /// A coin's id.
    pub coingecko_id: Option<String>,
}

/// `list_batches`.
#[derive(Debug, Clone, Deserialize)]
pub struct BatchPage {
    /// Newest first.
    pub batches: Vec<WrittenBatch>,
    /// Where the next page begins.
    pub next_cursor: Option<String>,
}

/// A batch with its provenance.
#[derive(Debug, Clone, Deserialize)]
pub struct WrittenBatch {
    /// Id.
    pub id: String,
    /// When it was written, RFC 3339.
    pub created_at: String,
    /// The tool that wrote it.
    pub tool: String,
    /// The document it came from.
    pub source: Option<Value>,
    /// Who wrote it.
    pub user: Named,
    /// With which client.
    pub client: Client,
    /// `committed` or `undone`.
    pub status: String,
    /// How many rows of which class.
    pub counts: BTreeMap<String, u64>,
}

/// A client program.
#[derive(Debug, Clone, Deserialize)]
pub struct Client {
    /// Its name.
    pub name: String,
}

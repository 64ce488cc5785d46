//! A golden case as its file states it: what a book is given, what is asked, and the figures other tools worked out.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

/// One worked example. The format is described in the files' own contract, section "Golden files".
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Unique name, such as `lots-fifo-fees`.
    pub id: String,
    /// Part of the ledger it belongs to.
    pub area: String,
    /// `P` said by the published page, `C` convention, `X` a choice of the contract.
    pub tier: String,
    /// Whether it belongs to the first set to hold.
    pub core: bool,
    /// What it shows, in one line.
    pub title: String,
    /// The book.
    pub given: Given,
    /// The question: at least `tool`.
    pub ask: Map<String, Value>,
    /// The answer, in the vocabulary of the file.
    pub expect: Value,
    /// How figures are compared: `default`, tolerances by path, `invariant`.
    pub compare: BTreeMap<String, Value>,
    /// Which independent tool gave the figures.
    #[serde(default)]
    pub oracle: Value,
    /// Reports of real defects that it would catch.
    #[serde(default)]
    pub covers: Vec<String>,
    /// Anything else to know.
    #[serde(default)]
    pub notes: String,
}

/// The book of a case. Rows name items, parties and lots by labels of the case.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Given {
    /// ISO 4217.
    pub base_currency: Option<String>,
    /// Legal owners.
    #[serde(default)]
    pub parties: Vec<Party>,
    /// What is owned and owed.
    #[serde(default)]
    pub items: Vec<Item>,
    /// Transactions, in the order recorded.
    #[serde(default)]
    pub rows: Vec<Row>,
    /// Transfers between items.
    #[serde(default)]
    pub transfers: Vec<Row>,
    /// Valuations.
    #[serde(default)]
    pub valuations: Vec<Row>,
    /// Prices.
    #[serde(default)]
    pub prices: Vec<Row>,
    /// Transactions recorded one batch after the other.
    #[serde(default)]
    pub batches: Vec<Vec<Row>>,
    /// Links: `loan` with `secured_by`, or `offset` with `loan`.
    #[serde(default)]
    pub links: Vec<Row>,
    /// A goal, as `set_goal` takes it.
    pub goal: Option<Row>,
    /// What the goal measures, by day; made with rows.
    #[serde(default)]
    pub figures: BTreeMap<String, String>,
    /// Losses carried forward, with the label of their owner.
    #[serde(default)]
    pub losses: Vec<Row>,
    /// What is done, one step after the other.
    #[serde(default)]
    pub steps: Vec<Map<String, Value>>,
    /// Decimal strings to be tried.
    #[serde(default)]
    pub strings: Vec<String>,
    /// JSON values that are no strings, to be tried in place of one.
    #[serde(default)]
    pub non_strings: Vec<Value>,
}

/// A row: the fields of the tools, with `ref` as a label that is not sent.
pub type Row = Map<String, Value>;

/// An owner of a case.
#[derive(Debug, Clone, Deserialize)]
pub struct Party {
    /// Label.
    pub id: String,
    /// `individual`, `company`, …
    pub kind: String,
}

/// An item of a case.
#[derive(Debug, Clone, Deserialize)]
pub struct Item {
    /// Label.
    pub id: String,
    /// What it is.
    pub kind: String,
    /// ISO 4217.
    pub currency: String,
    /// Party to percent; the book's only party where it is empty.
    #[serde(default)]
    pub owners: Map<String, Value>,
}

/// The text of a field of a row.
#[must_use]
pub fn text<'a>(row: &'a Row, field: &str) -> Option<&'a str> {
    row.get(field).and_then(Value::as_str)
}

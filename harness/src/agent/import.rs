//! The agent's work on one document: a batch of rows with stable references, previewed, and committed on confirmation.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use thiserror::Error;

use super::{
    guide::{Guide, GuideError},
    mapping::{self, Entry, MappingError},
    statement::{self, StatementError},
};
use crate::{
    suite::Failure,
    worthbase::{Batch, Desk},
};

/// Where the server keeps its guide.
pub const GUIDE: &str = "guide://recording";

/// What the account's holder knows and the file does not say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Name in the book.
    pub name: String,
    /// `brokerage`, `bank` or `exchange`.
    pub kind: String,
    /// ISO 4217 code of the account's money.
    pub currency: String,
}

impl Account {
    /// What kind of item a symbol of this account is.
    fn instrument_kind(&self) -> &'static str {
        if self.kind == "exchange" {
            "crypto"
        } else {
            "security"
        }
    }

    /// A broker settles trades on the account's cash; an exchange's statement shows coins only.
    fn settles_in_cash(&self) -> bool {
        self.kind == "brokerage"
    }

    /// Name of the item that holds the account's money.
    #[must_use]
    pub fn cash_item(&self) -> String {
        format!("{} cash", self.name)
    }
}

/// A document handed to the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// File name.
    pub name: String,
    /// The bytes as exported.
    pub bytes: Vec<u8>,
    /// SHA-256 of the document that this one corrects. A corrected copy is another file but the same document, so rows
    /// without a reference of their own keep being named after the original.
    pub corrects: Option<String>,
}

/// Why the agent could not make a batch of a document.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ImportError {
    /// The guide is of no use.
    #[error("{GUIDE}: {0}")]
    Guide(#[from] GuideError),
    /// The file is no readable statement.
    #[error("{0}")]
    Statement(#[from] StatementError),
    /// A row cannot be understood.
    #[error("{0}")]
    Mapping(#[from] MappingError),
}

/// What the book holds already, so that a second import refers to it instead of creating it again: names to ids.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// Accounts.
    pub accounts: BTreeMap<String, String>,
    /// Items by name; an instrument's name is its symbol.
    pub items: BTreeMap<String, String>,
}

impl Known {
    /// Asks the book.
    ///
    /// # Errors
    /// A reading tool refused or gave no answer.
    pub async fn ask(desk: &Desk) -> Result<Self, Failure> {
        let accounts = desk.overview().await?.accounts.into_iter();
        let items = desk.items().await?.into_iter();
        Ok(Self {
            accounts: accounts.map(|account| (account.name, account.id)).collect(),
            items: items.map(|item| (item.name, item.id)).collect(),
        })
    }
}

/// Makes the batch that records `document` on `account`: rows in order of time, each with a reference that is the same
/// however often the document is imported.
///
/// # Errors
/// [`ImportError`] with line and reason.
pub fn batch_of(
    document: &Document,
    account: &Account,
    guide: &Guide,
    known: &Known,
) -> Result<Batch, ImportError> {
    let statement = statement::read(&document.bytes, &|cells| guide.header_score(cells))?;
    let mut entries = mapping::read_entries(&statement, guide)?;
    // Exports list the newest row first or last; rows of one day must be recorded in the order they happened.
    if entries.first().map(|entry| entry.date) > entries.last().map(|entry| entry.date) {
        entries.reverse();
    }
    entries.sort_by_key(|entry| entry.date);

    let digest = document.corrects.as_deref().unwrap_or(&statement.sha256);
    let mut rows = Rows {
        account,
        known,
        batch: Batch::new(),
        opened: BTreeMap::new(),
    };
    rows.batch
        .set_source(json!({ "kind": "csv", "name": document.name, "sha256": statement.sha256 }));
    for entry in &entries {
        rows.add(entry, digest);
    }
    Ok(rows.batch)
}

/// The rows of one batch under construction.
struct Rows<'a> {
    account: &'a Account,
    known: &'a Known,
    batch: Batch,
    /// Names of what this batch opens, with the keys that its rows use.
    opened: BTreeMap<String, String>,
}

impl Rows<'_> {
    fn add(&mut self, entry: &Entry, digest: &str) {
        let external_ref = match &entry.external_ref {
            Some(reference) => reference.clone(),
            None => format!("{digest}:{}", entry.index),
        };
        let (item, cash_item) = match &entry.symbol {
            Some(symbol) => {
                let item = self.item(symbol, self.account.instrument_kind());
                let moves_money =
                    !matches!(entry.row_type.as_str(), "transfer_in" | "transfer_out");
                let cash = (moves_money && self.account.settles_in_cash()).then(|| self.cash());
                (item, cash)
            }
            None => (self.cash(), None),
        };
        let optional = [
            ("units", &entry.units),
            ("amount", &entry.amount),
            ("fees", &entry.fees),
            ("currency", &entry.currency),
            ("note", &entry.note),
            ("cash_item", &cash_item),
        ];
        let mut row = Map::new();
        row.insert("item".to_owned(), json!(item));
        row.insert("type".to_owned(), json!(entry.row_type));
        row.insert("date".to_owned(), json!(entry.date.to_string()));
        for (name, value) in optional {
            if let Some(value) = value {
                row.insert(name.to_owned(), json!(value));
            }
        }
        row.insert("external_ref".to_owned(), json!(external_ref));
        self.batch.push("transactions", Value::Object(row));
    }

    fn cash(&mut self) -> String {
        self.item(&self.account.cash_item(), "cash")
    }

    /// The id of an item of the book, or the key under which this batch opens it.
    fn item(&mut self, name: &str, kind: &str) -> String {
        if let Some(known) = self.known.items.get(name).or_else(|| self.opened.get(name)) {
            return known.clone();
        }
        let account = self.account();
        let key = format!("item {name}");
        let mut item = json!({
            "key": key, "name": name, "kind": kind, "account": account, "currency": self.account.currency,
        });
        if kind != "cash" {
            item["symbol"] = json!(name);
        }
        self.batch.push("items", item);
        self.opened.insert(name.to_owned(), key.clone());
        key
    }

    fn account(&mut self) -> String {
        let Account {
            name,
            kind,
            currency,
        } = self.account;
        if let Some(known) = self.known.accounts.get(name) {
            return known.clone();
        }
        let key = format!("account {name}");
        if !self.opened.contains_key(&key) {
            self.batch.push(
                "accounts",
                json!({ "key": key, "name": name, "kind": kind, "currency": currency }),
            );
            self.opened.insert(key.clone(), key.clone());
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::guide::tests::GUIDE as ALIASES;

    const TRADES: &str = "Run Date,Action,Symbol,Quantity,Amount ($)\n\
        02/13/2024,YOU SOLD A,A,-1,15.00\n\
        01/13/2024,YOU BOUGHT B,B,2,-20.00\n\
        01/13/2024,YOU BOUGHT A,A,1,-10.00\n\
        01/02/2024,FUNDS RECEIVED,,,100.00\n";

    fn broker() -> Account {
        Account {
            name: "Broker".to_owned(),
            kind: "brokerage".to_owned(),
            currency: "USD".to_owned(),
        }
    }

    fn document(text: &str) -> Document {
        Document {
            name: "trades.csv".to_owned(),
            bytes: text.as_bytes().to_vec(),
            corrects: None,
        }
    }

    fn arguments(document: &Document, known: &Known) -> Value {
        let guide = Guide::read(ALIASES).unwrap();
        batch_of(document, &broker(), &guide, known)
            .unwrap()
            .arguments()
    }

    #[test]
    fn rows_stand_in_order_of_time_and_keep_the_place_they_had_in_the_file() {
        let arguments = arguments(&document(TRADES), &Known::default());
        let digest = statement::sha256(TRADES.as_bytes());
        let rows: Vec<(&str, &str)> = arguments["transactions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| {
                (
                    row["item"].as_str().unwrap(),
                    row["external_ref"].as_str().unwrap(),
                )
            })
            .collect();
        let reference = |index: usize| format!("{digest}:{index}");
        assert_eq!(
            rows,
            [
                ("item Broker cash", reference(3).as_str()),
                ("item A", reference(2).as_str()),
                ("item B", reference(1).as_str()),
                ("item A", reference(0).as_str()),
            ]
        );
        assert_eq!(arguments["source"]["sha256"], json!(digest));
    }

    #[test]
    fn account_and_items_are_opened_once_and_trades_settle_in_cash() {
        let arguments = arguments(&document(TRADES), &Known::default());
        assert_eq!(arguments["accounts"].as_array().unwrap().len(), 1);
        assert_eq!(arguments["items"].as_array().unwrap().len(), 3);
        assert_eq!(
            arguments["transactions"][1]["cash_item"],
            json!("item Broker cash")
        );
        assert_eq!(arguments["transactions"][0].get("cash_item"), None);
    }

    #[test]
    fn what_the_book_holds_is_referred_to_by_id() {
        let known = Known {
            accounts: BTreeMap::from([("Broker".to_owned(), "acc_1".to_owned())]),
            items: BTreeMap::from([("A".to_owned(), "itm_a".to_owned())]),
        };
        let arguments = arguments(&document(TRADES), &known);
        assert_eq!(arguments.get("accounts"), None);
        assert_eq!(arguments["transactions"][1]["item"], json!("itm_a"));
        assert_eq!(arguments["items"][0]["account"], json!("acc_1"));
    }

    #[test]
    fn a_corrected_copy_keeps_the_references_of_the_original() {
        let corrected = Document {
            bytes: TRADES.replace("15.00", "16.00").into_bytes(),
            corrects: Some(statement::sha256(TRADES.as_bytes())),
            ..document(TRADES)
        };
        let (first, second) = (
            arguments(&document(TRADES), &Known::default()),
            arguments(&corrected, &Known::default()),
        );
        assert_eq!(
            first["transactions"][3]["external_ref"],
            second["transactions"][3]["external_ref"]
        );
        assert_ne!(
            first["transactions"][3]["amount"],
            second["transactions"][3]["amount"]
        );
        assert_ne!(first["source"]["sha256"], second["source"]["sha256"]);
    }

    #[test]
    fn the_institutions_own_reference_wins() {
        let text = "Trade Date,Subtotal,Order Id\n2024-01-31,5.00,ORD-7\n";
        assert_eq!(
            arguments(&document(text), &Known::default())["transactions"][0]["external_ref"],
            json!("ORD-7")
        );
    }

    #[test]
    fn a_broken_file_says_line_and_reason() {
        let guide = Guide::read(ALIASES).unwrap();
        let broken = document(&TRADES.replace(",-20.00", ",twenty"));
        let refused = batch_of(&broken, &broker(), &guide, &Known::default())
            .map(|_| ())
            .unwrap_err();
        assert_eq!(refused.to_string(), "line 3: `twenty` is not a number");
    }
}

//! Puts the book of a case into a server with the server's own tools, and remembers what became of the case's labels.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::case::{Given, Row, text};
use crate::{
    suite::Failure,
    worthbase::{
        Batch, Call, Desk, Refusal,
        result::{Recorded, SavedParty},
    },
};

/// Types of rows that make a lot.
const ACQUIRING: [&str; 3] = ["buy", "opening_balance", "transfer_in"];

/// The rows of one batch of a case.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rows<'a> {
    /// Transactions.
    pub transactions: &'a [Row],
    /// Transfers.
    pub transfers: &'a [Row],
    /// Valuations.
    pub valuations: &'a [Row],
    /// Prices.
    pub prices: &'a [Row],
}

impl<'a> Rows<'a> {
    /// Transactions alone.
    #[must_use]
    pub fn transactions(transactions: &'a [Row]) -> Self {
        Self {
            transactions,
            ..Self::default()
        }
    }

    /// Everything a case gives.
    #[must_use]
    pub fn of(given: &'a Given) -> Self {
        Self {
            transactions: &given.rows,
            transfers: &given.transfers,
            valuations: &given.valuations,
            prices: &given.prices,
        }
    }

    /// Whether there is anything to record.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        [
            self.transactions,
            self.transfers,
            self.valuations,
            self.prices,
        ]
        .iter()
        .all(|rows| rows.is_empty())
    }
}

/// A transaction of the case that a batch has stored.
#[derive(Debug, Clone)]
struct Stored {
    label: Option<String>,
    id: Option<String>,
    kind: String,
    date: String,
}

/// A book in a server, with the labels of one case.
#[derive(Debug)]
pub struct Stage {
    /// Where the tools are called.
    pub desk: Desk,
    /// Labels of items in the order of the case, with their ids.
    pub items: Vec<(String, String)>,
    parties: BTreeMap<String, String>,
    stored: Vec<Stored>,
}

impl Stage {
    /// A stage on which nothing stands yet.
    #[must_use]
    pub fn new(desk: Desk) -> Self {
        Self {
            desk,
            items: Vec::new(),
            parties: BTreeMap::new(),
            stored: Vec::new(),
        }
    }

    /// Makes parties, accounts and items; nothing is recorded on them. `accounts` are pairs of account and item label.
    ///
    /// # Errors
    /// The server refuses, or the case names a party it does not define.
    pub async fn open(
        &mut self,
        given: &Given,
        accounts: &[(String, String)],
    ) -> Result<(), Failure> {
        for party in &given.parties {
            let saved: SavedParty = self
                .desk
                .send(&Call::add_party(&party.id, &party.kind))
                .await?
                .accepted()?;
            self.parties.insert(party.id.clone(), saved.party.id);
        }
        if given.items.is_empty() {
            return Ok(());
        }
        let mut batch = Batch::new();
        for (account, _) in accounts {
            batch.push(
                "accounts",
                json!({ "key": account, "name": account, "kind": "brokerage" }),
            );
        }
        for item in &given.items {
            let mut row = json!({ "key": item.id, "name": item.id, "kind": item.kind, "currency": item.currency });
            if !item.owners.is_empty() {
                row["owners"] = self.owners(&item.owners)?;
            }
            if let Some((account, _)) = accounts.iter().find(|(_, label)| *label == item.id) {
                row["account"] = json!(account);
            }
            batch.push("items", row);
        }
        let recorded: Recorded = self
            .desk
            .send(&Call::record_at_once(&batch))
            .await?
            .accepted()?;
        for item in &given.items {
            let created = recorded
                .created
                .items
                .iter()
                .find(|created| created.name == item.id);
            let id = created.map(|created| created.id.clone());
            let id = id.ok_or_else(|| {
                Failure::expected(format!("item {} in `created`", item.id)).actual("not there")
            })?;
            self.items.push((item.id.clone(), id));
        }
        Ok(())
    }

    /// Opens one more item, under its label.
    ///
    /// # Errors
    /// The server refuses.
    pub async fn open_item(
        &mut self,
        label: &str,
        kind: &str,
        currency: &str,
    ) -> Result<(), Failure> {
        let item = json!({ "id": label, "kind": kind, "currency": currency });
        let item = serde_json::from_value(item).map_err(Failure::harness)?;
        let given = Given {
            items: vec![item],
            ..Given::default()
        };
        self.open(&given, &[]).await
    }

    /// The id of a party.
    ///
    /// # Errors
    /// A label without a party.
    pub fn party(&self, label: &str) -> Result<&str, Failure> {
        let found = self.parties.get(label).map(String::as_str);
        found.ok_or_else(|| unknown("party", label))
    }

    /// Owners by label as the tools take them.
    ///
    /// # Errors
    /// A label without a party.
    pub fn owners(&self, owners: &Map<String, Value>) -> Result<Value, Failure> {
        let share = |(label, percent): (&String, &Value)| {
            let party = self
                .parties
                .get(label)
                .ok_or_else(|| unknown("party", label))?;
            Ok(json!({ "party": party, "percent": percent }))
        };
        owners
            .iter()
            .map(share)
            .collect::<Result<Vec<_>, _>>()
            .map(Value::Array)
    }

    /// The label of a party.
    #[must_use]
    pub fn party_label(&self, id: &str) -> Option<&str> {
        self.parties
            .iter()
            .find(|(_, known)| *known == id)
            .map(|(label, _)| label.as_str())
    }

    /// The id of an item.
    ///
    /// # Errors
    /// A label without an item.
    pub fn item(&self, label: &str) -> Result<&str, Failure> {
        let found = self.items.iter().find(|(known, _)| known == label);
        found
            .map(|(_, id)| id.as_str())
            .ok_or_else(|| unknown("item", label))
    }

    /// Rows of the case as one batch for the tools.
    ///
    /// # Errors
    /// A label that leads nowhere, or the server refuses a question on the way.
    pub async fn batch(&self, rows: Rows<'_>) -> Result<Batch, Failure> {
        let lists = [
            ("transactions", rows.transactions),
            ("transfers", rows.transfers),
            ("valuations", rows.valuations),
            ("prices", rows.prices),
        ];
        let mut batch = Batch::new();
        for (list, rows) in lists {
            for row in rows {
                batch.push(list, self.sent(row).await?);
            }
        }
        Ok(batch)
    }

    /// A row as the tools take it.
    ///
    /// # Errors
    /// A label that leads nowhere, or the server refuses a question on the way.
    pub async fn sent(&self, row: &Row) -> Result<Value, Failure> {
        let mut sent = row.clone();
        sent.remove("ref");
        for field in ["item", "from_item", "to_item"] {
            if let Some(label) = text(row, field) {
                sent.insert(field.to_owned(), json!(self.item(label)?));
            }
        }
        if let Some(choices) = row.get("lots").and_then(Value::as_array) {
            let open = self
                .desk
                .item(self.item(text(row, "item").unwrap_or_default())?)
                .await?
                .lots;
            let mut chosen = Vec::new();
            for choice in choices {
                let label = choice["lot"].as_str().unwrap_or_default();
                let lot = open
                    .iter()
                    .find(|lot| self.lot_label(&lot.acquired_on) == Some(label));
                let lot = lot.ok_or_else(|| unknown("lot", label))?;
                chosen.push(json!({ "lot": lot.lot, "units": choice["units"] }));
            }
            sent.insert("lots".to_owned(), Value::Array(chosen));
        }
        Ok(Value::Object(sent))
    }

    /// Previews and commits rows, and remembers them.
    ///
    /// # Errors
    /// A label that leads nowhere, or no answer. A refusal is no error here.
    pub async fn record(&mut self, rows: Rows<'_>) -> Result<Result<Recorded, Refusal>, Failure> {
        let batch = self.batch(rows).await?;
        let preview = self.desk.send(&Call::preview(&batch)).await?;
        if preview.is_error {
            return preview.refusal().map(Err);
        }
        self.commit(&preview.accepted()?, rows.transactions).await
    }

    /// Commits a preview of `transactions` and remembers them.
    ///
    /// # Errors
    /// The preview has no id, or no answer. A refusal is no error here.
    pub async fn commit(
        &mut self,
        preview: &Recorded,
        transactions: &[Row],
    ) -> Result<Result<Recorded, Refusal>, Failure> {
        let expected = || Failure::expected("a preview_id in the preview");
        let id = preview
            .preview_id
            .as_deref()
            .ok_or_else(|| expected().actual("none"))?;
        let answer = self.desk.send(&Call::commit(id)).await?;
        if answer.is_error {
            return answer.refusal().map(Err);
        }
        let recorded: Recorded = answer.accepted()?;
        for (index, row) in transactions.iter().enumerate() {
            let verdict = recorded
                .rows
                .iter()
                .find(|verdict| verdict.list == "transactions" && verdict.index == index);
            self.stored.push(Stored {
                label: text(row, "ref").map(str::to_owned),
                id: verdict.and_then(|verdict| verdict.id.clone()),
                kind: text(row, "type").unwrap_or_default().to_owned(),
                date: text(row, "date").unwrap_or_default().to_owned(),
            });
        }
        Ok(Ok(recorded))
    }

    /// Records rows that the case takes for granted.
    ///
    /// # Errors
    /// The server refuses them.
    pub async fn must_record(&mut self, rows: Rows<'_>) -> Result<Recorded, Failure> {
        let recorded = self.record(rows).await?;
        recorded.map_err(|refusal| {
            let actual = format!("refused with {}: {}", refusal.code, refusal.message);
            Failure::expected("the rows of the example are recorded").actual(actual)
        })
    }

    /// Label of the row that made a lot; the cases give each lot of an item its own day.
    #[must_use]
    pub fn lot_label(&self, acquired_on: &str) -> Option<&str> {
        let made =
            |row: &&Stored| row.date == acquired_on && ACQUIRING.contains(&row.kind.as_str());
        self.stored
            .iter()
            .find(made)
            .and_then(|row| row.label.as_deref())
    }

    /// Place in the order recorded, and label, of the row with `id`; where ids are not given, of the sale of that day.
    #[must_use]
    pub fn sale(&self, id: &str, date: &str) -> Option<(usize, &str)> {
        let by_id = self
            .stored
            .iter()
            .position(|row| row.id.as_deref() == Some(id));
        let by_day = || {
            self.stored
                .iter()
                .position(|row| row.kind == "sell" && row.date == date)
        };
        let place = by_id.or_else(by_day)?;
        Some((place, self.stored[place].label.as_deref()?))
    }

    /// The id of the row with `label`.
    ///
    /// # Errors
    /// No such row, or the server gave no id for it.
    pub fn row_id(&self, label: &str) -> Result<&str, Failure> {
        let row = self
            .stored
            .iter()
            .find(|row| row.label.as_deref() == Some(label));
        row.and_then(|row| row.id.as_deref())
            .ok_or_else(|| unknown("row", label))
    }

    /// The stored row that a refusal names, as people say it: `the sale of 2024-02-02`.
    #[must_use]
    pub fn named_in(&self, refusal: &Refusal) -> Option<String> {
        let details = format!(
            "{} {}",
            Value::Object(refusal.details.clone()),
            refusal.message
        );
        let by_id = self
            .stored
            .iter()
            .find(|row| row.id.as_deref().is_some_and(|id| details.contains(id)));
        let row = by_id.or_else(|| self.stored.iter().find(|row| details.contains(&row.date)))?;
        let noun = if row.kind == "sell" {
            "sale"
        } else {
            row.kind.as_str()
        };
        Some(format!("the {noun} of {}", row.date))
    }
}

fn unknown(what: &str, label: &str) -> Failure {
    Failure::harness(format!(
        "the example names {what} {label}, which its book does not hold"
    ))
}

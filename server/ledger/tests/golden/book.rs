//! A workspace put together from what a golden case gives, and written to as a server would.

use proofmark_ledger::batch::SetOwners;
use proofmark_ledger::decimal::parse;
use proofmark_ledger::fx::EcbTable;
use proofmark_ledger::ids::{BatchId, ItemId, LotId, TransactionId};
use proofmark_ledger::model::{Date, OwnerShare, parse_date};
use proofmark_ledger::{Assessment, Change, Draft, Ledger, Refusal, Rules};
use serde_json::{Value, json};
use std::sync::OnceLock;

/// The day on which the cases are asked.
pub const TODAY: &str = "2026-10-30";

/// The published rates, read once.
pub fn rates() -> &'static EcbTable {
    static TABLE: OnceLock<EcbTable> = OnceLock::new();
    TABLE.get_or_init(|| {
        let text = crate::fixture("rates/eurofxref-hist.csv");
        let mut lines = text.lines();
        let currencies: Vec<_> = lines.next().expect("a header").split(',').skip(1).collect();
        EcbTable::from_rows(lines.map(|line| {
            let mut cells = line.split(',');
            let date = parse_date(cells.next().unwrap_or_default()).expect("a date");
            let quotes = currencies
                .iter()
                .zip(cells)
                .filter_map(|(currency, rate)| Some((currency.parse().ok()?, parse(rate).ok()?)));
            (date, quotes.collect())
        }))
    })
}

pub fn date(text: &str) -> Date {
    parse_date(text).expect("a date")
}

/// A ledger that is written to batch by batch.
pub struct Book {
    pub ledger: Ledger,
    batches: usize,
    rows: usize,
}

impl Book {
    /// The parties, accounts and items of a case, and nothing recorded yet.
    pub fn of(given: &Value, rules: &Rules) -> Self {
        let base = given["base_currency"]
            .as_str()
            .unwrap_or("USD")
            .parse()
            .expect("a currency");
        let ledger = Ledger::replay(base, Vec::<proofmark_ledger::Batch>::new(), rules);
        let mut book = Self {
            ledger: ledger.expect("an empty ledger"),
            batches: 0,
            rows: 0,
        };
        let mut changes = Vec::new();
        for party in list(&given["parties"]) {
            changes.push(
                json!({"party": {"id": party["id"], "name": party["id"], "kind": party["kind"]}}),
            );
        }
        let accounts = given["steps"].as_array().into_iter().flatten();
        let pairs: Vec<_> = accounts
            .filter_map(|step| step["accounts"].as_array())
            .flatten()
            .filter_map(|pair| pair.as_str()?.split_once(':'))
            .collect();
        for (account, _) in &pairs {
            changes.push(json!({"account": {"id": account, "name": account, "kind": "brokerage"}}));
        }
        for item in list(&given["items"]) {
            let owners = item["owners"].as_object().into_iter().flatten();
            let owners: Vec<_> = owners
                .map(|(party, percent)| json!({"party": party, "percent": percent}))
                .collect();
            let account = pairs
                .iter()
                .find(|(_, of)| item["id"] == *of)
                .map(|(account, _)| account);
            changes.push(json!({"item": {
                "id": item["id"], "name": item["id"], "kind": item["kind"],
                "currency": item["currency"], "owners": owners, "account": account,
            }}));
        }
        let changes = changes.into_iter().map(change).collect();
        book.write(changes)
            .expect("the things of the case can be recorded");
        book
    }

    /// The same with the rows, transfers, prices and valuations of the case, in one batch.
    pub fn with_rows(given: &Value, rules: &Rules) -> Result<Self, Refusal> {
        let mut book = Self::of(given, rules);
        let mut changes = book.rows(&given["rows"], "transaction");
        changes.extend(book.rows(&given["transfers"], "transfer"));
        changes.extend(book.rows(&given["prices"], "price"));
        changes.extend(book.rows(&given["valuations"], "valuation"));
        book.write(changes)?;
        Ok(book)
    }

    /// Rows of a case as changes; a row is called after its `ref`, a lot after the row that made it.
    pub fn rows(&mut self, rows: &Value, list_name: &str) -> Vec<Change> {
        let mut changes = Vec::new();
        for row in list(rows) {
            self.rows += 1;
            let mut row = row.clone();
            let fields = row.as_object_mut().expect("a row");
            let name = match fields.shift_remove("ref") {
                Some(name) => name.as_str().expect("a name").to_owned(),
                None => format!("row{}", self.rows),
            };
            fields.insert("id".to_owned(), json!(row_id(&name)));
            for choice in fields
                .get_mut("lots")
                .and_then(Value::as_array_mut)
                .into_iter()
                .flatten()
            {
                choice["lot"] = json!(lot_of(choice["lot"].as_str().expect("a lot")).as_str());
            }
            changes.push(change(json!({ list_name: row })));
        }
        changes
    }

    pub fn draft(&mut self, changes: Vec<Change>) -> Draft {
        self.batches += 1;
        let batch = BatchId::from(format!("bat_{}", self.batches));
        Draft {
            batch,
            today: date(TODAY),
            changes,
        }
    }

    /// Records and keeps.
    pub fn write(&mut self, changes: Vec<Change>) -> Result<Assessment, Refusal> {
        let draft = self.draft(changes);
        let assessment = self.ledger.assess(&draft, rates())?;
        self.ledger = assessment.after.clone();
        Ok(assessment)
    }

    /// Records changes that are written as JSON.
    pub fn write_json(&mut self, changes: Vec<Value>) -> Result<Assessment, Refusal> {
        self.write(changes.into_iter().map(change).collect())
    }

    pub fn set_owners(&mut self, item: &str, step: &Value) -> Result<Assessment, Refusal> {
        let owners = step["owners"]
            .as_object()
            .expect("owners")
            .iter()
            .map(|(party, percent)| {
                let percent = parse(percent.as_str().expect("a percentage")).expect("a decimal");
                OwnerShare {
                    party: party.as_str().into(),
                    percent,
                }
            });
        let change = SetOwners {
            item: item.into(),
            owners: owners.collect(),
            from: step["from"].as_str().map(date),
            correction: step["correction"].as_bool().unwrap_or(false),
        };
        // A new split is set on the day from which it counts.
        let today = change.from.filter(|_| !change.correction);
        let mut draft = self.draft(vec![Change::SetOwners(change)]);
        draft.today = today.unwrap_or(draft.today);
        let assessment = self.ledger.assess(&draft, rates())?;
        self.ledger = assessment.after.clone();
        Ok(assessment)
    }

    /// `{units, cost_base}` of an item today, as a reader sees it.
    pub fn position(&self, item: &str) -> Value {
        let position = self
            .ledger
            .position(&item.into(), date(TODAY), rates())
            .expect("a position");
        json!({"units": position.units, "cost_base": position.cost_base})
    }

    /// The lots of an item today.
    pub fn open_lots(&self, item: &str) -> Value {
        let lots = self.ledger.lots(&item.into(), date(TODAY)).expect("lots");
        json!(
            lots.iter()
                .map(|lot| json!({
                    "lot": name_of(lot.lot.as_str()), "acquired_on": lot.acquired_on,
                    "units": lot.units, "cost_base": lot.cost_base,
                }))
                .collect::<Vec<_>>()
        )
    }

    /// Every sale of the workspace, by date.
    pub fn sales(&self) -> Value {
        let items: Vec<ItemId> = self.ledger.items().map(|item| item.id.clone()).collect();
        let sales = items.iter().flat_map(|item| self.ledger.sales(item)).map(|sale| json!({
            "sale": name_of(sale.transaction.as_str()), "net_proceeds": sale.net_proceeds,
            "cost_base": sale.cost_base, "gain": sale.gain,
            "lots": sale.lots.iter().map(|lot| json!({
                "lot": name_of(lot.lot.as_str()), "acquired_on": lot.acquired_on, "units": lot.units,
                "cost_base": lot.cost_base, "net_proceeds": lot.net_proceeds, "gain": lot.gain,
            })).collect::<Vec<_>>(),
        }));
        json!(sales.collect::<Vec<_>>())
    }

    pub fn transaction_count(&self) -> usize {
        self.ledger
            .items()
            .map(|item| self.ledger.transactions_of(&item.id).count())
            .sum()
    }
}

pub fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

pub fn lot_of(row: &str) -> LotId {
    LotId::made_by(&TransactionId::from(row_id(row)))
}

pub fn row_id(name: &str) -> String {
    format!("txn_{name}")
}

fn name_of(id: &str) -> &str {
    id.split_once('_').map_or(id, |(_, name)| name)
}

fn change(value: Value) -> Change {
    serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{value}: {error}"))
}

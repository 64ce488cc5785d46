//! A table of rows, as an accountant writes them, becomes the arguments of one `record`.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// One line of a table: the heading of each column with the cell below it. Empty cells count as not written.
///
/// A cell is sent as it stands, a JSON string. A cell that begins with `JSON ` is sent as the JSON value after it, for
/// lines that must be refused: `JSON 1.5`, `JSON null`, `JSON "1.0\n"`.
#[derive(Debug, Clone, Default)]
pub struct Line {
    cells: BTreeMap<String, String>,
}

/// A batch to be recorded, in the lists of `record`.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    source: Option<Value>,
    lists: BTreeMap<&'static str, Vec<Value>>,
    /// Name of an item or account of this batch to the key its rows use.
    keys: BTreeMap<String, String>,
}

/// Where the names of a table lead: ids of what the book holds already.
pub trait Names {
    /// The id of an item.
    fn item(&self, name: &str) -> Option<String>;
    /// The id of an account.
    fn account(&self, name: &str) -> Option<String>;
    /// The id of a party.
    fn party(&self, name: &str) -> Option<String>;
    /// The id of the lot of `item` that was acquired on `day`.
    fn lot(&self, item: &str, day: &str) -> Option<String>;
}

/// A table that cannot be read as rows: the feature file is at fault, not the server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableProblem {
    /// A column that no row knows.
    #[error("no row has a column {0:?}")]
    UnknownColumn(String),
    /// A cell that every row of this kind needs.
    #[error("the line has no {0:?}")]
    MissingCell(&'static str),
    /// A cell that cannot be read.
    #[error("{cell:?} under {column:?} cannot be read")]
    Unreadable {
        /// Heading.
        column: &'static str,
        /// Cell.
        cell: String,
    },
}

/// Headings of a table of rows, with the argument each fills. Headings with a rule of their own are not among them.
const TRANSACTION_COLUMNS: [(&str, &str); 12] = [
    ("date", "date"),
    ("units", "units"),
    ("amount", "amount"),
    ("fees", "fees"),
    ("currency", "currency"),
    ("rate", "fx_rate"),
    ("to", "to"),
    ("from", "from"),
    ("acquired on", "acquired_on"),
    ("reference", "external_ref"),
    ("note", "note"),
    ("extra", "extra"),
];
const TRANSFER_COLUMNS: [(&str, &str); 6] = [
    ("date", "date"),
    ("units", "units"),
    ("amount", "amount"),
    ("to amount", "to_amount"),
    ("reference", "external_ref"),
    ("extra", "extra"),
];
const ITEM_COLUMNS: [(&str, &str); 11] = [
    ("item", "name"),
    ("kind", "kind"),
    ("class", "class"),
    ("subtype", "subtype"),
    ("currency", "currency"),
    ("symbol", "symbol"),
    ("exchange", "exchange"),
    ("coin", "coingecko_id"),
    ("opened on", "opened_on"),
    ("notes", "notes"),
    ("extra", "extra"),
];

impl Line {
    /// Reads a table with headings in its first row.
    #[must_use]
    pub fn read_table(rows: &[Vec<String>]) -> Vec<Self> {
        let Some((headings, lines)) = rows.split_first() else {
            return Vec::new();
        };
        let line = |cells: &Vec<String>| {
            let written = headings
                .iter()
                .zip(cells)
                .filter(|(_, cell)| !cell.is_empty());
            Self {
                cells: written
                    .map(|(heading, cell)| (heading.clone(), cell.clone()))
                    .collect(),
            }
        };
        lines.iter().map(line).collect()
    }

    /// The cell under `heading`, if something is written there.
    #[must_use]
    pub fn cell(&self, heading: &str) -> Option<&str> {
        self.cells.get(heading).map(String::as_str)
    }

    /// The cell under `heading`.
    ///
    /// # Errors
    /// Nothing is written there.
    pub fn needs(&self, heading: &'static str) -> Result<&str, TableProblem> {
        self.cell(heading).ok_or(TableProblem::MissingCell(heading))
    }

    /// Every cell as the argument that its heading names, with its JSON value: `opened on` is `opened_on`.
    ///
    /// # Errors
    /// A cell cannot be read.
    pub fn arguments(&self) -> Result<Map<String, Value>, TableProblem> {
        let argument =
            |(heading, cell): (&String, &String)| Ok((heading.replace(' ', "_"), sent_as(cell)?));
        self.cells.iter().map(argument).collect()
    }

    /// All headings with a cell below.
    pub fn headings(&self) -> impl Iterator<Item = &str> {
        self.cells.keys().map(String::as_str)
    }

    fn fields(&self, columns: &[(&str, &str)]) -> Result<Map<String, Value>, TableProblem> {
        let mut fields = Map::new();
        for (heading, argument) in columns {
            if let Some(cell) = self.cell(heading) {
                fields.insert((*argument).to_owned(), sent_as(cell)?);
            }
        }
        Ok(fields)
    }
}

/// The JSON value that a cell stands for.
///
/// # Errors
/// What follows `JSON ` is none.
pub fn sent_as(cell: &str) -> Result<Value, TableProblem> {
    match cell.strip_prefix("JSON ") {
        Some(json) => serde_json::from_str(json).map_err(|_| TableProblem::Unreadable {
            column: "JSON",
            cell: cell.to_owned(),
        }),
        None => Ok(Value::String(cell.to_owned())),
    }
}

impl Batch {
    /// An empty batch.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What `record` takes.
    #[must_use]
    pub fn arguments(&self) -> Value {
        let mut arguments = Map::new();
        if let Some(source) = &self.source {
            arguments.insert("source".to_owned(), source.clone());
        }
        for (list, rows) in &self.lists {
            arguments.insert((*list).to_owned(), Value::Array(rows.clone()));
        }
        Value::Object(arguments)
    }

    /// Says which document or conversation the batch comes from.
    pub fn set_source(&mut self, source: Value) {
        self.source = Some(source);
    }

    /// How many rows stand in `list` (`transactions`, `prices`, …).
    #[must_use]
    pub fn length(&self, list: &str) -> usize {
        self.lists.get(list).map_or(0, Vec::len)
    }

    /// Names of the items this batch opens, with their keys.
    pub fn keys(&self) -> impl Iterator<Item = (&str, &str)> {
        self.keys
            .iter()
            .map(|(name, key)| (name.as_str(), key.as_str()))
    }

    /// Adds a row as it stands.
    pub fn push(&mut self, list: &'static str, row: Value) {
        self.lists.entry(list).or_default().push(row);
    }

    /// Opens an account of `kind`; rows and items of this batch may name it.
    pub fn open_account(&mut self, name: &str, kind: &str) {
        let key = self.new_key(name);
        self.push(
            "accounts",
            json!({ "key": key, "name": name, "kind": kind }),
        );
    }

    /// Opens an item: columns `item kind class subtype currency symbol exchange coin opened on notes account owners
    /// investable`.
    ///
    /// # Errors
    /// The line cannot be read as an item.
    pub fn open_item(&mut self, line: &Line, names: &dyn Names) -> Result<(), TableProblem> {
        check_columns(
            line,
            &ITEM_COLUMNS,
            &["account", "owners", "investable", "attributes"],
        )?;
        let name = line.needs("item")?.to_owned();
        let mut item = line.fields(&ITEM_COLUMNS)?;
        item.insert("key".to_owned(), json!(self.new_key(&name)));
        if let Some(account) = line.cell("account") {
            item.insert(
                "account".to_owned(),
                json!(self.id_or_key(account, names.account(account))),
            );
        }
        if let Some(owners) = line.cell("owners") {
            item.insert("owners".to_owned(), owners_of(owners, names)?);
        }
        if let Some(investable) = line.cell("investable") {
            item.insert(
                "flags".to_owned(),
                json!({ "investable": investable == "yes" }),
            );
        }
        if let Some(attributes) = line.cell("attributes") {
            item.insert("attributes".to_owned(), sent_as(attributes)?);
        }
        self.push("items", Value::Object(item));
        Ok(())
    }

    /// Adds one line of a journal: `date entry item …`, where the entry is the type of a transaction, `transfer`,
    /// `valuation`, `price` or `check`.
    ///
    /// # Errors
    /// The line cannot be read as a row.
    pub fn add_line(&mut self, line: &Line, names: &dyn Names) -> Result<(), TableProblem> {
        let own_rules = [
            "entry",
            "item",
            "to item",
            "cash item",
            "lots",
            "to amount",
            "cost base",
        ];
        check_columns(line, &TRANSACTION_COLUMNS, &own_rules)?;
        match line.needs("entry")? {
            "transfer" => self.add_transfer(line, names),
            "valuation" => self.add_measure(line, names, "valuations", "value"),
            "price" => self.add_measure(line, names, "prices", "price"),
            "check" => self.add_check(line, names),
            entry => self.add_transaction(entry, line, names),
        }
    }

    fn add_transaction(
        &mut self,
        entry: &str,
        line: &Line,
        names: &dyn Names,
    ) -> Result<(), TableProblem> {
        let name = line.needs("item")?;
        let mut row = Map::new();
        row.insert(
            "item".to_owned(),
            json!(self.id_or_key(name, names.item(name))),
        );
        row.insert("type".to_owned(), json!(entry.replace(' ', "_")));
        row.extend(line.fields(&TRANSACTION_COLUMNS)?);
        if let Some(cash) = line.cell("cash item") {
            row.insert(
                "cash_item".to_owned(),
                json!(self.id_or_key(cash, names.item(cash))),
            );
        }
        if let Some(lots) = line.cell("lots") {
            row.insert("lots".to_owned(), lots_of(lots, name, names)?);
        }
        self.push("transactions", Value::Object(row));
        Ok(())
    }

    fn add_transfer(&mut self, line: &Line, names: &dyn Names) -> Result<(), TableProblem> {
        let (from, to) = (line.needs("item")?, line.needs("to item")?);
        let mut row = Map::new();
        row.insert(
            "from_item".to_owned(),
            json!(self.id_or_key(from, names.item(from))),
        );
        row.insert(
            "to_item".to_owned(),
            json!(self.id_or_key(to, names.item(to))),
        );
        row.extend(line.fields(&TRANSFER_COLUMNS)?);
        if let Some(lots) = line.cell("lots") {
            row.insert("lots".to_owned(), lots_of(lots, from, names)?);
        }
        self.push("transfers", Value::Object(row));
        Ok(())
    }

    /// A valuation or a price: the column `amount` holds the value or the price.
    fn add_measure(
        &mut self,
        line: &Line,
        names: &dyn Names,
        list: &'static str,
        argument: &str,
    ) -> Result<(), TableProblem> {
        let name = line.needs("item")?;
        let columns = [
            ("date", "date"),
            ("amount", argument),
            ("currency", "currency"),
            ("reference", "external_ref"),
        ];
        let mut row = line.fields(&columns)?;
        row.insert(
            "item".to_owned(),
            json!(self.id_or_key(name, names.item(name))),
        );
        self.push(list, Value::Object(row));
        Ok(())
    }

    fn add_check(&mut self, line: &Line, names: &dyn Names) -> Result<(), TableProblem> {
        let name = line.needs("item")?;
        let columns = [
            ("date", "date"),
            ("units", "units"),
            ("amount", "value"),
            ("cost base", "cost_base"),
        ];
        let mut row = line.fields(&columns)?;
        row.insert(
            "item".to_owned(),
            json!(self.id_or_key(name, names.item(name))),
        );
        self.push("reconciliations", Value::Object(row));
        Ok(())
    }

    fn new_key(&mut self, name: &str) -> String {
        let key = format!("key-{}", self.keys.len() + 1);
        self.keys.insert(name.to_owned(), key.clone());
        key
    }

    /// The key of a thing this batch opens, else its id in the book, else the name itself: for names nobody knows.
    fn id_or_key(&self, name: &str, id: Option<String>) -> String {
        self.keys
            .get(name)
            .cloned()
            .or(id)
            .unwrap_or_else(|| name.to_owned())
    }
}

fn check_columns(
    line: &Line,
    columns: &[(&str, &str)],
    own_rules: &[&str],
) -> Result<(), TableProblem> {
    let known = |heading: &str| {
        own_rules.contains(&heading) || columns.iter().any(|(known, _)| *known == heading)
    };
    match line.headings().find(|heading| !known(heading)) {
        Some(unknown) => Err(TableProblem::UnknownColumn(unknown.to_owned())),
        None => Ok(()),
    }
}

/// `Ada 50, Trust 50`: the last word of each share is the percentage, written as it is sent.
///
/// # Errors
/// The cell is no list of parties and percentages.
pub fn owners_of(cell: &str, names: &dyn Names) -> Result<Value, TableProblem> {
    if cell.starts_with("JSON ") {
        return sent_as(cell);
    }
    let share = |part: &str| {
        let (party, percent) = part.trim().rsplit_once(' ')?;
        Some(
            json!({ "party": names.party(party).unwrap_or_else(|| party.to_owned()), "percent": percent }),
        )
    };
    let shares: Option<Vec<Value>> = cell.split(',').map(share).collect();
    shares
        .map(Value::Array)
        .ok_or_else(|| TableProblem::Unreadable {
            column: "owners",
            cell: cell.to_owned(),
        })
}

/// `10 of 2007-07-01, 5 of 2012-07-01`: units of the lots acquired on those days. What is no known day is sent as an id.
///
/// # Errors
/// The cell is no list of units and lots.
pub fn lots_of(cell: &str, item: &str, names: &dyn Names) -> Result<Value, TableProblem> {
    let choice = |part: &str| {
        let (units, lot) = part.trim().split_once(" of ")?;
        Some(
            json!({ "lot": names.lot(item, lot).unwrap_or_else(|| lot.to_owned()), "units": units }),
        )
    };
    let choices: Option<Vec<Value>> = cell.split(',').map(choice).collect();
    choices
        .map(Value::Array)
        .ok_or_else(|| TableProblem::Unreadable {
            column: "lots",
            cell: cell.to_owned(),
        })
}

//! A household's book of any length, the same each time, as batches for the ledger.

use jiff::Span;
use jiff::civil::date;
use proofmark_ledger::model::Date;
use proofmark_ledger::{Batch, Change};
use serde_json::{Value, json};

/// The first day of every book.
pub const FIRST: Date = date(2015, 1, 1);
/// The last day of every book: ten years, so 120 month ends.
pub const LAST: Date = date(2024, 12, 31);
/// Rows in one batch, as a client that imports a long statement sends them.
const ROWS_IN_BATCH: usize = 1000;
/// Securities in the book; money is on as many accounts as there are fives of them.
const SECURITIES: usize = 25;
const ACCOUNTS: usize = SECURITIES / 5;

/// A row of the book, before either program's spelling.
#[derive(Debug, Clone, Copy)]
pub enum Row {
    Deposit {
        account: usize,
        cents: u64,
    },
    Withdrawal {
        account: usize,
        cents: u64,
    },
    Buy {
        security: usize,
        units: u64,
        cents: u64,
    },
    Sell {
        security: usize,
        units: u64,
        cents: u64,
    },
    Price {
        security: usize,
        cents: u64,
    },
}

/// Figures that look random and are not: the multiplier and increment are Knuth's for 64 bits.
struct Figures(u64);

impl Figures {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// The rows, oldest first, spread evenly over ten years. Nothing is sold that is not held.
pub fn rows(count: usize) -> impl Iterator<Item = (Date, Row)> {
    let days = LAST.since(FIRST).map_or(0, |span| span.get_days()) as usize + 1;
    let mut figures = Figures(2024);
    let mut held = [0_u64; SECURITIES];
    (0..count).map(move |place| {
        let day = i64::try_from(place * days / count).unwrap_or_default();
        let security = place % SECURITIES;
        let cents = 9_000 + figures.below(2_000) + 500 * security as u64;
        let units = 1 + figures.below(20);
        let row = match figures.below(20) {
            // Everything has a price before anything else is said of it.
            _ if place < SECURITIES => Row::Price { security, cents },
            0..=3 => Row::Deposit {
                account: place % ACCOUNTS,
                cents: 100_000 + figures.below(100_000),
            },
            4 | 5 => Row::Withdrawal {
                account: place % ACCOUNTS,
                cents: 10_000 + figures.below(10_000),
            },
            6..=12 => {
                held[security] += units;
                Row::Buy {
                    security,
                    units,
                    cents: units * cents,
                }
            }
            13..=16 if held[security] >= units => {
                held[security] -= units;
                Row::Sell {
                    security,
                    units,
                    cents: units * cents,
                }
            }
            _ => Row::Price { security, cents },
        };
        (FIRST + Span::new().days(day), row)
    })
}

/// Hundredths as a decimal string.
pub fn money(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

/// The book as batches: one that opens it, then its rows.
///
/// # Panics
/// Never: the changes are written here.
#[must_use]
pub fn batches(count: usize) -> Vec<Batch> {
    let owners = json!([{"party": "a", "percent": "50"}, {"party": "b", "percent": "50"}]);
    let item = |id: String, kind: &str| json!({"item": {"id": id, "name": id, "kind": kind, "currency": "USD", "owners": owners}});
    let mut opening = vec![
        json!({"party": {"id": "a", "name": "Ada", "kind": "individual"}}),
        json!({"party": {"id": "b", "name": "Ben", "kind": "individual"}}),
    ];
    opening.extend((0..ACCOUNTS).map(|account| item(format!("C{account}"), "cash")));
    opening.extend((0..SECURITIES).map(|security| item(format!("S{security}"), "security")));
    let rows: Vec<Value> = rows(count)
        .enumerate()
        .map(|(place, (date, row))| spoken(place, date, row))
        .collect();
    std::iter::once(opening.as_slice())
        .chain(rows.chunks(ROWS_IN_BATCH))
        .enumerate()
        .map(|(number, changes)| Batch {
            id: format!("bat_{number}").as_str().into(),
            changes: changes.iter().cloned().map(change).collect(),
        })
        .collect()
}

fn change(value: Value) -> Change {
    serde_json::from_value(value).expect("a change of this book")
}

fn spoken(place: usize, date: Date, row: Row) -> Value {
    let transaction = |item: String, kind: &str, rest: Value| {
        let mut row =
            json!({"id": format!("txn_{place}"), "item": item, "type": kind, "date": date});
        if let (Some(row), Value::Object(rest)) = (row.as_object_mut(), rest) {
            row.extend(rest);
        }
        json!({ "transaction": row })
    };
    let trade = |security, kind, units: u64, cents| {
        let figures = json!({"units": units.to_string(), "amount": money(cents)});
        transaction(format!("S{security}"), kind, figures)
    };
    match row {
        Row::Deposit { account, cents } => {
            let figures = json!({"amount": money(cents)});
            transaction(format!("C{account}"), "deposit", figures)
        }
        Row::Withdrawal { account, cents } => {
            let figures = json!({"amount": money(cents)});
            transaction(format!("C{account}"), "withdrawal", figures)
        }
        Row::Buy {
            security,
            units,
            cents,
        } => trade(security, "buy", units, cents),
        Row::Sell {
            security,
            units,
            cents,
        } => trade(security, "sell", units, cents),
        Row::Price { security, cents } => json!({"price": {
            "id": format!("prc_{place}"), "item": format!("S{security}"), "date": date, "price": money(cents),
        }}),
    }
}

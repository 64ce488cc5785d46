//! The same book as a journal of hledger.

use std::fmt::Write as _;

use crate::book::{Row, money, rows};

/// The book of `count` rows: what is worth something under `assets`, the other side of every row under `equity`.
#[must_use]
pub fn journal(count: usize) -> String {
    let mut journal = String::new();
    for (date, row) in rows(count) {
        let name = |security: usize| {
            // A commodity without quotes has no digits in its name.
            char::from(b'A' + u8::try_from(security).unwrap_or_default())
        };
        let written = match row {
            Row::Deposit { account, cents } => writeln!(
                journal,
                "{date} deposit\n    assets:cash{account}  {} USD\n    equity:outside\n",
                money(cents)
            ),
            Row::Withdrawal { account, cents } => writeln!(
                journal,
                "{date} withdrawal\n    assets:cash{account}  -{} USD\n    equity:outside\n",
                money(cents)
            ),
            Row::Buy {
                security,
                units,
                cents,
            } => writeln!(
                journal,
                "{date} buy\n    assets:broker  {units} S{} @@ {} USD\n    equity:trades\n",
                name(security),
                money(cents)
            ),
            Row::Sell {
                security,
                units,
                cents,
            } => writeln!(
                journal,
                "{date} sell\n    assets:broker  -{units} S{} @@ {} USD\n    equity:trades\n",
                name(security),
                money(cents)
            ),
            Row::Price { security, cents } => writeln!(
                journal,
                "P {date} S{} {} USD\n",
                name(security),
                money(cents)
            ),
        };
        written.expect("a string takes every text");
    }
    journal
}

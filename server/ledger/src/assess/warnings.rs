//! What a user should know before a change is recorded or taken back.

use super::outcome::Observed;
use crate::batch::RowRef;
use crate::decimal::Exact;
use crate::ids::{ItemId, TransactionId};
use crate::ledger::Ledger;
use crate::model::{Date, Measure};
use crate::replay::ItemBook;
use crate::rules::{GainChanges, NegativeBalance};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Something that is taken, and ought to be known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Warning {
    /// A balance of cash, or of a debt, goes below zero.
    NegativeBalance {
        /// The item.
        item: ItemId,
        /// First day on which it does.
        date: Date,
        /// The balance at the close of that day.
        balance: Exact,
    },
    /// A row without a reference looks just like one that is recorded.
    PossibleDuplicate {
        /// The row.
        row: RowRef,
        /// The id of the row it looks like.
        same_as: String,
    },
    /// The realised gain of a sale recorded earlier changes.
    GainChanges {
        /// The sale.
        sale: TransactionId,
        /// Its item.
        item: ItemId,
        /// Its date.
        date: Date,
        /// The gain so far, in the item's currency.
        before: Exact,
        /// The gain from then on.
        after: Exact,
    },
}

impl Warning {
    /// The machine-readable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NegativeBalance { .. } => "negative_balance",
            Self::PossibleDuplicate { .. } => "possible_duplicate",
            Self::GainChanges { .. } => "gain_changes",
        }
    }

    /// The row of the draft it is about, where it is about one.
    #[must_use]
    pub fn row(&self) -> Option<&RowRef> {
        match self {
            Self::PossibleDuplicate { row, .. } => Some(row),
            _ => None,
        }
    }

    /// The same for a reader.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::NegativeBalance {
                item,
                date,
                balance,
            } => {
                format!("the balance of {item} is {balance} on {date}")
            }
            Self::PossibleDuplicate { same_as, .. } => {
                format!("the row looks just like {same_as}; give external_ref to tell rows apart")
            }
            Self::GainChanges {
                sale,
                date,
                before,
                after,
                ..
            } => {
                format!("the gain of the sale {sale} of {date} changes from {before} to {after}")
            }
        }
    }
}

impl Observed<'_> {
    /// Gains of earlier sales that change, and balances that go below zero where they did not before.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        let rules = self.after.rules().changes;
        let mut warnings = Vec::new();
        if rules.negative_balance == NegativeBalance::Warned {
            warnings.extend(
                self.touched
                    .iter()
                    .filter_map(|item| self.negative_balance(item)),
            );
        }
        if rules.gain_changes == GainChanges::Warned {
            warnings.extend(gain_changes(self.before, self.after));
        }
        warnings
    }

    fn negative_balance(&self, item: &ItemId) -> Option<Warning> {
        let book = self.after.book().item(item)?;
        if book.item.kind.measured_by() != Measure::Balance {
            return None;
        }
        let earlier = self.before.book().item(item);
        let was_negative = |date: Date| {
            let balance =
                |book: &ItemBook| Some(book.holding.close_on(date)?.quantity.is_negative());
            earlier.and_then(balance).unwrap_or(false)
        };
        let mut closes = book.holding.closes().iter();
        let close =
            closes.find(|close| close.quantity.is_negative() && !was_negative(close.date))?;
        Some(Warning::NegativeBalance {
            item: item.clone(),
            date: close.date,
            balance: close.quantity,
        })
    }
}

fn gain_changes(before: &Ledger, after: &Ledger) -> Vec<Warning> {
    let mut changes = Vec::new();
    for book in &before.book().items {
        let now: HashMap<_, _> = after
            .sales(&book.item.id)
            .iter()
            .map(|sale| (&sale.transaction, sale.gain))
            .collect();
        for sale in book.holding.sales() {
            match now.get(&sale.transaction) {
                Some(gain) if *gain != sale.gain => changes.push(Warning::GainChanges {
                    sale: sale.transaction.clone(),
                    item: book.item.id.clone(),
                    date: sale.date,
                    before: sale.gain,
                    after: *gain,
                }),
                _ => {}
            }
        }
    }
    changes
}

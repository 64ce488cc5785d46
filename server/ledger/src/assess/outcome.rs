//! What a preview promised, small enough to keep and to compare: another outcome at commit is stale.

use super::{RowClass, RowVerdict};
use crate::batch::RowList;
use crate::decimal::Exact;
use crate::fx::RateSource;
use crate::ids::{ItemId, TransactionId};
use crate::ledger::Ledger;
use crate::model::{Date, Measure};
use crate::refusal::Refusal;
use crate::rules::OutcomeScope;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What staleness compares: each row's class, what is created, realised gains and positions of the items
/// touched, and how much the rows of the ledger move the net worth. An unrelated batch moves before and
/// after alike and shows nowhere here; nor does a price fetched meanwhile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The class of each row of the draft.
    pub rows: Vec<(RowList, usize, RowClass)>,
    /// Parties, accounts and items that the batch creates.
    pub created: Vec<String>,
    /// Realised gain of every sale of the items touched.
    pub gains: BTreeMap<TransactionId, Exact>,
    /// The items touched, on the draft's day.
    pub items: BTreeMap<ItemId, ItemOutcome>,
    /// How much the rows of the ledger move the net worth, fetched prices left out.
    pub net_worth_change: Exact,
    /// Only where the rules say that anything at all makes a preview stale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub net_worth: Option<Exact>,
}

/// What an item holds, whatever its price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemOutcome {
    /// Units, balance, or value of the whole.
    pub quantity: Option<Exact>,
    /// Cost base in the item's currency.
    pub cost_base: Option<Exact>,
}

/// What a change is compared by.
pub(super) struct Observed<'a> {
    pub before: &'a Ledger,
    pub after: &'a Ledger,
    pub touched: BTreeSet<ItemId>,
    pub today: Date,
    pub rates: &'a dyn RateSource,
}

impl Observed<'_> {
    pub(super) fn outcome(
        &self,
        verdicts: &[RowVerdict],
        created: Vec<String>,
    ) -> Result<Outcome, Refusal> {
        let scope = self.after.rules().changes.outcome;
        let mut outcome = Outcome {
            rows: verdicts
                .iter()
                .map(|row| (row.list, row.index, row.class))
                .collect(),
            created,
            gains: BTreeMap::new(),
            items: BTreeMap::new(),
            net_worth_change: Exact::ZERO,
            net_worth: None,
        };
        if scope == OutcomeScope::ClassesOnly {
            return Ok(outcome);
        }
        for item in &self.touched {
            for sale in self.after.sales(item) {
                outcome.gains.insert(sale.transaction.clone(), sale.gain);
            }
            if let Some(book) = self.after.book().item(item) {
                let position = self.after.position_of(book, self.today, self.rates)?;
                let quantity = match book.item.kind.measured_by() {
                    Measure::Units => position.units,
                    Measure::Balance | Measure::Value => position.value,
                };
                let holding = ItemOutcome {
                    quantity,
                    cost_base: position.cost_base,
                };
                outcome.items.insert(item.clone(), holding);
            }
        }
        let by_rows = |ledger: &Ledger| ledger.rows_only().net_worth_on(self.today, self.rates);
        let after = by_rows(self.after)?;
        outcome.net_worth_change = after.minus(by_rows(self.before)?)?;
        outcome.net_worth = (scope == OutcomeScope::WholeWorkspace).then_some(after);
        Ok(outcome)
    }
}

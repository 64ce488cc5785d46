//! What is left of tracked losses, by party and kind. No net worth knows of them.

use crate::decimal::{Exact, Overflow};
use crate::ids::PartyId;
use crate::ledger::Ledger;
use crate::model::{Loss, LossKind};
use crate::rules::ArchivedLosses;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a party has lost, used and left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LossTotals {
    /// Whose.
    pub party: PartyId,
    /// Of all kinds together.
    pub total: LossTotal,
    /// Of each kind that there is.
    pub kinds: BTreeMap<LossKind, LossTotal>,
}

/// Lost, used, left; in base currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LossTotal {
    /// Lost.
    pub amount: Exact,
    /// Used.
    pub used: Exact,
    /// Left.
    pub remaining: Exact,
}

impl LossTotal {
    fn with(self, loss: &Loss) -> Result<Self, Overflow> {
        Ok(Self {
            amount: self.amount.plus(loss.amount.into())?,
            used: self.used.plus(loss.used.into())?,
            remaining: self.remaining.plus(loss.remaining()?)?,
        })
    }
}

impl Loss {
    /// What is left of it.
    ///
    /// # Errors
    /// [`Overflow`] when it does not fit.
    pub fn remaining(&self) -> Result<Exact, Overflow> {
        Exact::from(self.amount).minus(self.used.into())
    }
}

impl Ledger {
    /// The losses that are not archived, by id.
    pub fn open_losses(&self) -> impl Iterator<Item = &Loss> {
        self.losses().filter(|loss| !loss.archived)
    }

    /// What is left of the losses that are not archived, by party.
    ///
    /// # Errors
    /// [`Overflow`] of a sum.
    pub fn loss_totals(&self) -> Result<Vec<LossTotals>, Overflow> {
        let archived_too = self.rules().losses.archived == ArchivedLosses::InTotals;
        let mut parties: BTreeMap<&PartyId, LossTotals> = BTreeMap::new();
        for loss in self.losses().filter(|loss| !loss.archived || archived_too) {
            let totals = parties.entry(&loss.party).or_insert_with(|| LossTotals {
                party: loss.party.clone(),
                total: LossTotal::default(),
                kinds: BTreeMap::new(),
            });
            totals.total = totals.total.with(loss)?;
            let of_kind = totals.kinds.entry(loss.kind).or_default();
            *of_kind = of_kind.with(loss)?;
        }
        Ok(parties.into_values().collect())
    }
}

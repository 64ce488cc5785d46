//! How a draft is assessed: checked row by row, freed of what is known, then replayed.

use super::checks::Checks;
use super::imports::{Classified, Imports};
use super::outcome::Observed;
use super::rates::{self, RowRate};
use super::{Assessment, Draft, NetWorthChange, Removal, RowClass, RowVerdict, Warning};
use crate::batch::{Batch, Change, RowList, RowRef, Void};
use crate::decimal::{Decimal, Exact};
use crate::fx::RateSource;
use crate::ids::{BatchId, ItemId, PartyId, RowId};
use crate::ledger::{Ledger, would_not_replay};
use crate::model::{Date, Item, OwnerShare};
use crate::refusal::Refusal;
use std::collections::{BTreeSet, HashMap};

impl Ledger {
    /// What recording a draft would do. Nothing is written: the ledger is only read.
    ///
    /// # Errors
    /// The first row of the draft that cannot be taken, with its place in the draft; or `would_not_replay`
    /// with the first row recorded earlier that would fail.
    pub fn assess(&self, draft: &Draft, rates: &dyn RateSource) -> Result<Assessment, Refusal> {
        let prepared = Preparation::new(self, draft, rates)?;
        let Preparation {
            mut batch,
            rows,
            mut warnings,
            rates: row_rates,
        } = prepared;
        let after = self
            .and(batch.clone())
            .map_err(|refusal| own_or_earlier(refusal, draft))?;
        let after = match reconciled(&after, &mut batch, rates) {
            Ok(false) => after,
            Ok(true) => after.with_last_batch(batch.clone()),
            Err(refusal) => return Err(own_or_earlier(refusal, draft)),
        };
        let touched = self.touched_by(&batch.changes);
        let observed = Observed {
            before: self,
            after: &after,
            touched,
            today: draft.today,
            rates,
        };
        warnings.extend(observed.warnings());
        let outcome = observed.outcome(&rows, created(&batch))?;
        let net_worth = self.net_worth_change(&after, draft.today, rates)?;
        Ok(Assessment {
            batch,
            rows,
            warnings,
            rates: row_rates,
            net_worth,
            after,
            outcome,
        })
    }

    /// What taking a batch back would do. Nothing is written.
    ///
    /// # Errors
    /// `not_found` when there is no such batch, `would_not_replay` with the first row that would fail.
    pub fn assess_without(
        &self,
        batch: &BatchId,
        today: Date,
        rates: &dyn RateSource,
    ) -> Result<Removal, Refusal> {
        let after = self.without(batch)?;
        let changes = self.batches().iter().filter(|kept| kept.id == *batch);
        let changes: Vec<_> = changes.flat_map(|batch| &batch.changes).cloned().collect();
        let touched = self.touched_by(&changes);
        let observed = Observed {
            before: self,
            after: &after,
            touched,
            today,
            rates,
        };
        let warnings = observed.warnings();
        let outcome = observed.outcome(&[], Vec::new())?;
        let net_worth = self.net_worth_change(&after, today, rates)?;
        let removed = changes.iter().map(RowRef::stored).collect();
        Ok(Removal {
            removed,
            warnings,
            net_worth,
            after,
            outcome,
        })
    }

    fn net_worth_change(
        &self,
        after: &Self,
        today: Date,
        rates: &dyn RateSource,
    ) -> Result<NetWorthChange, Refusal> {
        let before = self.net_worth_on(today, rates)?;
        let after = after.net_worth_on(today, rates)?;
        Ok(NetWorthChange {
            before,
            after,
            change: after.minus(before)?,
            currency: self.base(),
        })
    }

    /// The items that changes are about, those of voided rows included.
    fn touched_by(&self, changes: &[Change]) -> BTreeSet<ItemId> {
        let mut touched: BTreeSet<_> = changes.iter().flat_map(Change::items).cloned().collect();
        let voided: BTreeSet<_> = changes.iter().flat_map(voided).collect();
        if !voided.is_empty() {
            let stored = self.batches().iter().flat_map(|batch| &batch.changes);
            let rows = stored.filter(|row| row.row_id().is_some_and(|id| voided.contains(&id)));
            touched.extend(rows.flat_map(Change::items).cloned());
        }
        touched
    }
}

/// A draft on its way to a batch.
struct Preparation {
    batch: Batch,
    rows: Vec<RowVerdict>,
    warnings: Vec<Warning>,
    rates: Vec<RowRate>,
}

impl Preparation {
    fn new(ledger: &Ledger, draft: &Draft, source: &dyn RateSource) -> Result<Self, Refusal> {
        let checks = Checks::new(ledger, draft);
        let mut imports = Imports::new(ledger, &draft.changes);
        let mut parties: BTreeSet<_> = ledger.parties().map(|party| party.id.clone()).collect();
        let mut prepared = Self {
            batch: Batch {
                id: draft.batch.clone(),
                changes: Vec::new(),
            },
            rows: Vec::new(),
            warnings: Vec::new(),
            rates: Vec::new(),
        };
        for (row, change) in numbered(&draft.changes) {
            let own = |refusal: Refusal| own(refusal, row.clone(), &draft.batch);
            checks.check(change).map_err(own)?;
            let classified = imports.classify(change);
            if change.row_id().is_some() {
                prepared.rows.push(verdict(&row, change, &classified));
            }
            if let Some(same_as) = classified.looks_like {
                prepared.warnings.push(Warning::PossibleDuplicate {
                    row: row.clone(),
                    same_as,
                });
            }
            if !classified.written {
                continue;
            }
            checks.not_archived(change).map_err(own)?;
            if classified.class == RowClass::Conflict {
                let rows = classified
                    .stored
                    .and_then(Change::row_id)
                    .into_iter()
                    .collect();
                prepared
                    .batch
                    .changes
                    .push(Change::Void(Void { rows, reason: None }));
            }
            let mut change = change.clone();
            match &mut change {
                Change::Party(party) => {
                    parties.insert(party.id.clone());
                }
                Change::Item(item) => default_owner(item, &parties).map_err(own)?,
                Change::Transaction(transaction) => {
                    let item = checks.item(&transaction.item, "item").map_err(own)?;
                    rates::attach(transaction, item, ledger.base(), source, ledger.rules())
                        .map_err(own)?;
                    if let (Some(rate), Some(amount)) = (&transaction.rate, transaction.amount) {
                        let amount = Exact::from(amount);
                        let base_amount = amount.times(rate.rate).map_err(|no| own(no.into()))?;
                        let rate = rate.clone();
                        prepared.rates.push(RowRate {
                            row: row.clone(),
                            rate,
                            amount,
                            base_amount,
                        });
                    }
                }
                _ => {}
            }
            prepared.batch.changes.push(change);
        }
        Ok(prepared)
    }
}

/// The only party of the workspace owns what names no owner.
fn default_owner(item: &mut Item, parties: &BTreeSet<PartyId>) -> Result<(), Refusal> {
    if !item.owners.is_empty() {
        return Ok(());
    }
    let mut parties = parties.iter();
    match (parties.next(), parties.next()) {
        (Some(party), None) => {
            item.owners = vec![OwnerShare {
                party: party.clone(),
                percent: Decimal::ONE_HUNDRED,
            }];
            Ok(())
        }
        (None, _) => Ok(()),
        _ => Err(Refusal::invalid(
            "owners",
            "say who owns it: the workspace has more than one party",
        )),
    }
}

fn verdict(row: &RowRef, change: &Change, classified: &Classified<'_>) -> RowVerdict {
    let stored = classified
        .stored
        .filter(|_| classified.class != RowClass::New);
    RowVerdict {
        list: row.list,
        index: row.index.unwrap_or_default(),
        class: classified.class,
        id: stored.map_or_else(|| change.name(), Change::name),
        external_ref: change.external_ref().map(str::to_owned),
        differences: classified.differences.clone(),
    }
}

/// The changes of a draft with their place in the list that each stands in.
fn numbered(changes: &[Change]) -> impl Iterator<Item = (RowRef, &Change)> {
    let mut counts: HashMap<RowList, usize> = HashMap::new();
    changes.iter().map(move |change| {
        let count = counts.entry(change.list()).or_default();
        let row = RowRef {
            index: Some(*count),
            ..RowRef::stored(change)
        };
        *count += 1;
        (row, change)
    })
}

/// Stores with each reconciliation of the batch what it says of the ledger with the batch; whether there
/// was any.
fn reconciled(after: &Ledger, batch: &mut Batch, rates: &dyn RateSource) -> Result<bool, Refusal> {
    let mut any = false;
    for change in &mut batch.changes {
        let place = RowRef::stored(change);
        if let Change::Reconciliation(row) = change {
            let result = after.compare(&row.item, row.date, &row.figure, rates);
            row.result = Some(result.map_err(|refusal| own(refusal, place, &batch.id))?);
            any = true;
        }
    }
    Ok(any)
}

fn own(mut refusal: Refusal, row: RowRef, batch: &BatchId) -> Refusal {
    refusal.row = Some(Box::new(row));
    refusal.batch = Some(batch.clone());
    refusal
}

/// A failing row of the draft keeps its own code and is named by its place in the draft; one recorded
/// earlier is the reason why the draft would not replay.
fn own_or_earlier(refusal: Refusal, draft: &Draft) -> Refusal {
    if refusal.batch.as_ref() != Some(&draft.batch) {
        return would_not_replay(refusal);
    }
    let failing = refusal.row.as_ref();
    let found = numbered(&draft.changes).find(|(row, _)| {
        failing.is_some_and(|failing| failing.list == row.list && failing.id == row.id)
    });
    match found {
        Some((row, _)) => Refusal {
            row: Some(Box::new(row)),
            ..refusal
        },
        None => refusal,
    }
}

fn created(batch: &Batch) -> Vec<String> {
    let creates =
        |change: &&Change| change.row_id().is_none() && !matches!(change, Change::Void(_));
    batch
        .changes
        .iter()
        .filter(creates)
        .map(Change::name)
        .collect()
}

fn voided(change: &Change) -> &[RowId] {
    match change {
        Change::Void(void) => &void.rows,
        _ => &[],
    }
}

//! The replay: from the batches of a workspace to what it holds, or to the first row that fails.

pub(crate) mod declare;
pub(crate) mod holding;
pub(crate) mod lots;
pub(crate) mod money;
mod order;
pub(crate) mod ownership;
pub(crate) mod sale;
pub(crate) mod steps;
pub(crate) mod table;

use crate::batch::{Batch, Change, RowRef};
use crate::changes::Archive;
use crate::decimal::Exact;
use crate::ids::{AccountId, GoalId, ItemId, LossId, PartyId, RowId};
use crate::model::{Account, Currency, Date, Goal, Item, Link, Loss, OwnershipPeriod, Party};
use crate::refusal::{Refusal, RefusalCode};
use crate::rows::PriceOrigin;
use crate::rules::{Rules, SameDayPrice, VoidedTransfers};
use holding::Holding;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Where a change stands: its batch, and its place in the batch.
pub(crate) type Place = (usize, usize);

/// What the batches of a workspace add up to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Book {
    pub parties: BTreeMap<PartyId, Party>,
    pub accounts: BTreeMap<AccountId, Account>,
    pub items: Vec<ItemBook>,
    index: BTreeMap<ItemId, usize>,
    pub voided: BTreeSet<RowId>,
    pub links: BTreeSet<Link>,
    pub goals: BTreeMap<GoalId, Goal>,
    pub losses: BTreeMap<LossId, Loss>,
}

/// What the batches say about one item. Row lists are in the order in which they take effect.
#[derive(Debug, Clone)]
pub(crate) struct ItemBook {
    pub item: Item,
    /// When it left the balance sheet, if it did.
    pub archived: Option<Archive>,
    pub ownership: Vec<OwnershipPeriod>,
    pub holding: Holding,
    pub transactions: Vec<Place>,
    pub transfers: Vec<Place>,
    pub valuations: Vec<Place>,
    pub price_rows: Vec<Place>,
    pub reconciliations: Vec<Place>,
    /// By date; the last of a date is the one that counts.
    pub prices: Vec<Quote>,
    /// Valuations by date, the last of a date counts. For items valued as a whole.
    pub values: Vec<Quote>,
}

/// A figure that holds from a date on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quote {
    pub date: Date,
    /// What decides between two of one date: the larger counts.
    pub strength: (u8, i64),
    pub figure: Exact,
    /// Whether a provider gave it: the second input of a ledger, beside its rows.
    pub fetched: bool,
}

impl ItemBook {
    fn new(item: Item) -> Self {
        let ownership = match item.owners.as_slice() {
            [] => Vec::new(),
            owners => vec![OwnershipPeriod {
                from: None,
                owners: owners.to_vec(),
            }],
        };
        Self {
            item,
            archived: None,
            ownership,
            holding: Holding::default(),
            transactions: Vec::new(),
            transfers: Vec::new(),
            valuations: Vec::new(),
            price_rows: Vec::new(),
            reconciliations: Vec::new(),
            prices: Vec::new(),
            values: Vec::new(),
        }
    }
}

impl ItemBook {
    /// The date of the first row that says something about what is held.
    pub(crate) fn first_row(&self) -> Option<Date> {
        let moved = self.holding.closes().first().map(|close| close.date);
        let valued = self.values.first().map(|quote| quote.date);
        moved.into_iter().chain(valued).min()
    }

    /// Whether anything was ever recorded on it, whatever became of it.
    pub(crate) fn has_history(&self) -> bool {
        let lists = [
            &self.transactions,
            &self.transfers,
            &self.valuations,
            &self.price_rows,
            &self.reconciliations,
        ];
        lists.iter().any(|rows| !rows.is_empty()) || !self.prices.is_empty()
    }
}

impl Quote {
    /// A price and how strong it is among those of its date.
    pub(crate) fn price(
        date: Date,
        figure: Exact,
        origin: PriceOrigin,
        recorded: u64,
        rules: &Rules,
    ) -> Self {
        let recorded = i64::try_from(recorded).unwrap_or(i64::MAX);
        let strength = match (rules.worth.same_day_price, origin) {
            (SameDayPrice::ManualThenLater, PriceOrigin::Manual) => (1, recorded),
            (SameDayPrice::ManualThenLater, PriceOrigin::Fetched) => (0, recorded),
            (SameDayPrice::Earlier, _) => (0, -recorded),
            (SameDayPrice::FetchedFirst, PriceOrigin::Manual) => (0, recorded),
            (SameDayPrice::FetchedFirst, PriceOrigin::Fetched) => (1, recorded),
        };
        Self {
            date,
            strength,
            figure,
            fetched: origin == PriceOrigin::Fetched,
        }
    }
}

/// How a replay is done.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Scope {
    /// Only rows dated on or before it.
    pub until: Option<Date>,
    /// Leave a failing row out instead of refusing: the deliberate defect of an undo that does not look.
    pub drop_failing: bool,
}

impl Book {
    pub(crate) fn place_of(&self, item: &ItemId) -> Option<usize> {
        self.index.get(item).copied()
    }

    pub(crate) fn item(&self, item: &ItemId) -> Option<&ItemBook> {
        self.items.get(self.place_of(item)?)
    }

    /// The date of the first row of the workspace that says something about what is held.
    pub(crate) fn first_row(&self) -> Option<Date> {
        self.items.iter().filter_map(ItemBook::first_row).min()
    }

    /// Replays batches in the order given.
    ///
    /// # Errors
    /// The first row that fails, in the order in which rows take effect, with its batch.
    pub(crate) fn replay(
        base: Currency,
        batches: &[Arc<Batch>],
        rules: &Rules,
        scope: Scope,
    ) -> Result<Self, Refusal> {
        let mut book = Self::default();
        let mut dated: Vec<(Place, u64)> = Vec::new();
        let mut recorded = 0;
        book.voided = batches
            .iter()
            .flat_map(|batch| &batch.changes)
            .flat_map(voided_rows)
            .cloned()
            .collect();
        for (batch_place, batch) in batches.iter().enumerate() {
            for (place, change) in batch.changes.iter().enumerate() {
                recorded += 1;
                if let Some(date) = change.date() {
                    let voided = change.row_id().is_some_and(|id| book.voided.contains(&id));
                    let still_arrives = matches!(change, Change::Transfer(_))
                        && rules.changes.voided_transfers == VoidedTransfers::StillArrives;
                    if (!voided || still_arrives) && scope.until.is_none_or(|until| date <= until) {
                        dated.push(((batch_place, place), recorded));
                    }
                    continue;
                }
                match book.declare(change, rules) {
                    Err(refusal) if !scope.drop_failing => {
                        return Err(blame(refusal, batch, change));
                    }
                    _ => {}
                }
            }
        }
        let change_at = |place: Place| {
            Some((
                batches.get(place.0)?,
                batches.get(place.0)?.changes.get(place.1)?,
            ))
        };
        dated.sort_by_cached_key(|(place, recorded)| {
            let change = change_at(*place).map(|(_, change)| change);
            let kind = change
                .and_then(|change| change.items().next())
                .and_then(|item| book.item(item))
                .map(|book| book.item.kind);
            let rank = change.map_or(0, |change| order::rank(change, kind, rules));
            (change.and_then(Change::date), rank, *recorded)
        });
        for (place, recorded) in dated {
            let Some((batch, change)) = change_at(place) else {
                continue;
            };
            match book.take_effect(change, place, recorded, base, rules) {
                Err(refusal) if !scope.drop_failing => return Err(blame(refusal, batch, change)),
                _ => {}
            }
        }
        book.settle()?;
        Ok(book)
    }

    /// What can be said only when every row is in.
    fn settle(&mut self) -> Result<(), Refusal> {
        for book in &mut self.items {
            if book.holding.is_short() {
                let message = format!("more units of {} leave than ever arrive", book.item.id);
                return Err(Refusal::new(RefusalCode::Oversell, message).at("units"));
            }
            book.prices
                .sort_by_key(|quote| (quote.date, quote.strength));
            book.values
                .sort_by_key(|quote| (quote.date, quote.strength));
        }
        Ok(())
    }
}

fn voided_rows(change: &Change) -> &[RowId] {
    match change {
        Change::Void(void) => &void.rows,
        _ => &[],
    }
}

fn blame(mut refusal: Refusal, batch: &Batch, change: &Change) -> Refusal {
    refusal.row = Some(Box::new(RowRef::stored(change)));
    refusal.batch = Some(batch.id.clone());
    refusal
}

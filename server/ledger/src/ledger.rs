//! The ledger of a workspace: its batches, what they add up to, and the questions one may ask.

use crate::assess::repeated_reference;
use crate::batch::{Batch, Change, RowRef};
use crate::changes::Archive;
use crate::fx::RateSource;
use crate::ids::{BatchId, ItemId};
use crate::model::{
    Account, Currency, Date, Goal, Item, Link, Loss, OwnerShare, OwnershipPeriod, Party,
};
use crate::refusal::{Refusal, RefusalCode};
use crate::replay::lots::Lot;
use crate::replay::sale::Sale;
use crate::replay::{Book, Place, Quote, Scope, ownership};
use crate::rows::{Price, Reconciliation, Transaction, Transfer, Valuation};
use crate::rules::{LotsOfNewOwners, RestoredReferences, Rules, TakenBack};
use crate::worth::NetWorthQuery;
use std::borrow::Cow;
use std::sync::Arc;

/// The state of a workspace: the replay of its active batches. A value; nothing in it ever changes.
#[derive(Debug, Clone)]
pub struct Ledger {
    base: Currency,
    rules: Rules,
    batches: Vec<Arc<Batch>>,
    fetched: Arc<Vec<Price>>,
    book: Book,
}

impl Ledger {
    /// Replays the active batches of a workspace, in the order committed.
    ///
    /// # Errors
    /// The first row that fails, in the order in which rows take effect, with its batch.
    pub fn replay<B: Into<Arc<Batch>>>(
        base: Currency,
        batches: impl IntoIterator<Item = B>,
        rules: &Rules,
    ) -> Result<Self, Refusal> {
        let batches = batches.into_iter().map(Into::into).collect();
        Self::replayed(base, batches, rules, Scope::default())
    }

    fn replayed(
        base: Currency,
        batches: Vec<Arc<Batch>>,
        rules: &Rules,
        scope: Scope,
    ) -> Result<Self, Refusal> {
        let book = Book::replay(base, &batches, rules, scope)?;
        Ok(Self {
            base,
            rules: *rules,
            batches,
            fetched: Arc::default(),
            book,
        })
    }

    /// The same ledger with prices that a provider gave: its second input. They are no rows of a batch, and
    /// a price of an item that is not there is left out.
    #[must_use]
    pub fn with_fetched_prices(self, prices: Vec<Price>) -> Self {
        self.with_shared_prices(Arc::new(prices))
    }

    pub(crate) fn with_shared_prices(mut self, prices: Arc<Vec<Price>>) -> Self {
        for (recorded, price) in (0..).zip(prices.iter()) {
            // A fetched price can be voided like any row.
            if self.book.voided.contains(&(&price.id).into()) {
                continue;
            }
            let place = self.book.place_of(&price.item);
            let Some(book) = place.and_then(|place| self.book.items.get_mut(place)) else {
                continue;
            };
            let quote = Quote::price(
                price.date,
                price.price.into(),
                price.origin,
                recorded,
                &self.rules,
            );
            book.prices.push(quote);
        }
        for book in &mut self.book.items {
            book.prices
                .sort_by_key(|quote| (quote.date, quote.strength));
        }
        self.fetched = prices;
        self
    }

    /// The ledger with further batches, and the same fetched prices.
    pub(crate) fn and(&self, batch: Batch) -> Result<Self, Refusal> {
        let mut batches = self.batches.clone();
        let voids = batch
            .changes
            .iter()
            .any(|change| matches!(change, Change::Void(_)));
        batches.push(Arc::new(batch));
        self.again(batches, voids)
    }

    /// The ledger as it would be without one of its batches.
    ///
    /// # Errors
    /// `not_found` when there is no such batch, `would_not_replay` with the first row that fails.
    pub fn without(&self, batch: &BatchId) -> Result<Self, Refusal> {
        let batches: Vec<_> = self
            .batches
            .iter()
            .filter(|kept| kept.id != *batch)
            .cloned()
            .collect();
        if batches.len() == self.batches.len() {
            return Err(Refusal::not_found("batch", batch));
        }
        let after = self.again(batches, true).map_err(would_not_replay)?;
        self.check_currencies(&after)?;
        let removed = self.batches.iter().filter(|gone| gone.id == *batch);
        self.check_references(removed.flat_map(|batch| &batch.changes), &after)?;
        Ok(after)
    }

    /// Refuses to bring back a reference that another row has by now: two rows would be one import.
    fn check_references<'a>(
        &self,
        mut removed: impl Iterator<Item = &'a Change>,
        after: &Self,
    ) -> Result<(), Refusal> {
        let may_repeat = removed.any(|change| match change {
            Change::Void(_) => true,
            Change::UpdateItem(update) => update.account.is_some(),
            _ => false,
        });
        if !may_repeat || self.rules.imports.restored == RestoredReferences::Taken {
            return Ok(());
        }
        let Some((batch, change)) = repeated_reference(self, after) else {
            return Ok(());
        };
        let reference = change.external_ref().unwrap_or_default();
        let message = format!("two rows would have the reference {reference}");
        let mut refusal = Refusal::invalid("external_ref", message);
        refusal.row = Some(Box::new(RowRef::stored(change)));
        refusal.batch = Some(batch.id.clone());
        Err(would_not_replay(refusal))
    }

    /// Refuses to give an item with a history another currency: its rows would mean something else.
    fn check_currencies(&self, after: &Self) -> Result<(), Refusal> {
        let changed = after.book.items.iter().find(|book| {
            let before = self.item(&book.item.id).map(|item| item.currency);
            before.is_some_and(|before| before != book.item.currency) && book.has_history()
        });
        let Some(book) = changed else {
            return Ok(());
        };
        let places = [&book.transactions, &book.transfers, &book.valuations];
        let first = places.into_iter().chain([&book.price_rows]).flatten().min();
        let row = first.and_then(|(batch, place)| {
            let batch = after.batches.get(*batch)?;
            Some((batch, batch.changes.get(*place)?))
        });
        let message = format!(
            "{} has rows in the currency that it has now",
            book.item.name
        );
        let mut refusal = Refusal::new(RefusalCode::CurrencyLocked, message).at("currency");
        if let Some((batch, change)) = row {
            refusal.row = Some(Box::new(RowRef::stored(change)));
            refusal.batch = Some(batch.id.clone());
        }
        Err(would_not_replay(refusal))
    }

    fn again(&self, batches: Vec<Arc<Batch>>, takes_back: bool) -> Result<Self, Refusal> {
        let drop_failing = takes_back && self.rules.changes.taken_back == TakenBack::Dropped;
        let scope = Scope {
            until: None,
            drop_failing,
        };
        let ledger = Self::replayed(self.base, batches, &self.rules, scope)?;
        Ok(ledger.with_shared_prices(Arc::clone(&self.fetched)))
    }

    /// The ledger as its batches alone make it, without fetched prices.
    pub(crate) fn rows_only(&self) -> Cow<'_, Self> {
        if self.fetched.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut ledger = self.clone();
        ledger.fetched = Arc::default();
        for book in &mut ledger.book.items {
            book.prices.retain(|quote| !quote.fetched);
        }
        Cow::Owned(ledger)
    }

    /// Puts a batch in the place of the last one; for filling in what was computed after its replay.
    pub(crate) fn with_last_batch(mut self, batch: Batch) -> Self {
        if let Some(last) = self.batches.last_mut() {
            *last = Arc::new(batch);
        }
        self
    }

    pub(crate) fn book(&self) -> &Book {
        &self.book
    }

    /// Base currency of the workspace.
    #[must_use]
    pub fn base(&self) -> Currency {
        self.base
    }

    /// The choices it is computed by.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The active batches, in the order committed.
    #[must_use]
    pub fn batches(&self) -> &[Arc<Batch>] {
        &self.batches
    }

    /// The parties, by id.
    pub fn parties(&self) -> impl Iterator<Item = &Party> {
        self.book.parties.values()
    }

    /// The accounts, by id.
    pub fn accounts(&self) -> impl Iterator<Item = &Account> {
        self.book.accounts.values()
    }

    /// The items, in the order recorded.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.book.items.iter().map(|book| &book.item)
    }

    /// One item.
    #[must_use]
    pub fn item(&self, item: &ItemId) -> Option<&Item> {
        self.book.item(item).map(|book| &book.item)
    }

    /// Who owned an item from when on; empty for an item that is not there.
    #[must_use]
    pub fn ownership(&self, item: &ItemId) -> &[OwnershipPeriod] {
        self.book
            .item(item)
            .map_or(&[], |book| book.ownership.as_slice())
    }

    /// Who owned an item on a date.
    #[must_use]
    pub fn owners_on(&self, item: &ItemId, date: Date) -> &[OwnerShare] {
        ownership::on(self.ownership(item), date)
    }

    fn rows<'a, 'p>(
        &'a self,
        places: &'p [Place],
    ) -> impl Iterator<Item = &'a Change> + use<'a, 'p> {
        places
            .iter()
            .filter_map(move |(batch, place)| self.batches.get(*batch)?.changes.get(*place))
    }

    fn places<'a>(
        &'a self,
        item: &ItemId,
        of: impl Fn(&'a crate::replay::ItemBook) -> &'a Vec<Place>,
    ) -> &'a [Place] {
        self.book.item(item).map_or(&[], |book| of(book).as_slice())
    }

    /// The transactions on an item, and those that post money on it, in the order in which they take effect.
    pub fn transactions_of(&self, item: &ItemId) -> impl Iterator<Item = &Transaction> {
        self.rows(self.places(item, |book| &book.transactions))
            .filter_map(|change| match change {
                Change::Transaction(row) => Some(row),
                _ => None,
            })
    }

    /// The transfers that an item is a side of, in the order in which they take effect.
    pub fn transfers_of(&self, item: &ItemId) -> impl Iterator<Item = &Transfer> {
        self.rows(self.places(item, |book| &book.transfers))
            .filter_map(|change| match change {
                Change::Transfer(row) => Some(row),
                _ => None,
            })
    }

    /// The valuations of an item, by date.
    pub fn valuations_of(&self, item: &ItemId) -> impl Iterator<Item = &Valuation> {
        self.rows(self.places(item, |book| &book.valuations))
            .filter_map(|change| match change {
                Change::Valuation(row) => Some(row),
                _ => None,
            })
    }

    /// The prices of an item, those recorded first and then those fetched, each by date.
    pub fn prices_of<'a>(&'a self, item: &'a ItemId) -> impl Iterator<Item = &'a Price> {
        let recorded = self
            .rows(self.places(item, |book| &book.price_rows))
            .filter_map(|change| match change {
                Change::Price(row) => Some(row),
                _ => None,
            });
        let fetched = self.fetched.iter().filter(move |price| {
            price.item == *item && !self.book.voided.contains(&(&price.id).into())
        });
        recorded.chain(fetched)
    }

    /// The prices that a provider gave and nobody voided.
    pub fn fetched_prices(&self) -> impl Iterator<Item = &Price> {
        self.fetched
            .iter()
            .filter(|price| !self.book.voided.contains(&(&price.id).into()))
    }

    /// When and why an item left the balance sheet, if it did.
    #[must_use]
    pub fn archive_of(&self, item: &ItemId) -> Option<&Archive> {
        self.book.item(item)?.archived.as_ref()
    }

    /// Whether anything was recorded on an item, or a price fetched for it: then its currency is fixed.
    #[must_use]
    pub fn has_history(&self, item: &ItemId) -> bool {
        self.book
            .item(item)
            .is_some_and(crate::replay::ItemBook::has_history)
    }

    /// The links in force.
    pub fn links(&self) -> impl Iterator<Item = &Link> {
        self.book.links.iter()
    }

    /// The goals, by id, archived ones included.
    pub fn goals(&self) -> impl Iterator<Item = &Goal> {
        self.book.goals.values()
    }

    /// The tracked losses, by id, archived ones included.
    pub fn losses(&self) -> impl Iterator<Item = &Loss> {
        self.book.losses.values()
    }

    /// The date of the first row that says something about what is held.
    #[must_use]
    pub fn first_row(&self) -> Option<Date> {
        self.book.first_row()
    }

    /// The reconciliations of an item, by statement date.
    pub fn reconciliations(&self, item: &ItemId) -> impl Iterator<Item = &Reconciliation> {
        self.reconciliations_at(self.places(item, |book| &book.reconciliations))
    }

    pub(crate) fn reconciliations_at<'a, 'p>(
        &'a self,
        places: &'p [Place],
    ) -> impl Iterator<Item = &'a Reconciliation> + use<'a, 'p> {
        self.rows(places).filter_map(|change| match change {
            Change::Reconciliation(row) => Some(row),
            _ => None,
        })
    }

    /// The sales of an item, in the order in which they take effect.
    #[must_use]
    pub fn sales(&self, item: &ItemId) -> &[Sale] {
        self.book
            .item(item)
            .map_or(&[], |book| book.holding.sales())
    }

    /// The lots that an item holds at the close of a day, in the order in which they leave.
    ///
    /// # Errors
    /// `not_found`.
    pub fn lots(&self, item: &ItemId, date: Date) -> Result<Vec<Lot>, Refusal> {
        let mut lots = self.held_lots(item, date)?;
        let changed = self.ownership(item).iter().filter_map(|period| period.from);
        if let (LotsOfNewOwners::Redated, Some(day)) = (self.rules.owners.lots, changed.max()) {
            lots.iter_mut().for_each(|lot| lot.acquired_on = day);
        }
        Ok(lots)
    }

    fn held_lots(&self, item: &ItemId, date: Date) -> Result<Vec<Lot>, Refusal> {
        let book = self
            .book
            .item(item)
            .ok_or_else(|| Refusal::not_found("item", item))?;
        let last = book.holding.closes().last().map(|close| close.date);
        if last.is_none_or(|last| last <= date) {
            return Ok(book.holding.lots().cloned().collect());
        }
        let then = self.until(date)?;
        let book = then.book.item(item);
        Ok(book
            .map(|book| book.holding.lots().cloned().collect())
            .unwrap_or_default())
    }

    /// The ledger as its rows of a day and before make it.
    pub(crate) fn until(&self, date: Date) -> Result<Self, Refusal> {
        let scope = Scope {
            until: Some(date),
            drop_failing: false,
        };
        let then = Self::replayed(self.base, self.batches.clone(), &self.rules, scope)?;
        Ok(then.with_shared_prices(Arc::clone(&self.fetched)))
    }

    /// The ledger as it was known when the first row of a later day was recorded: the deliberate defect of a server that
    /// keeps its points.
    pub(crate) fn known_by(&self, date: Date) -> Result<Self, Refusal> {
        let later = |batch: &Arc<Batch>| {
            let mut days = batch.changes.iter().map(Change::date);
            days.any(|day| day.is_some_and(|day| day > date))
        };
        let known = self.batches.iter().position(later);
        let known = known.map_or(self.batches.len(), |first| first + 1);
        let batches = self.batches.iter().take(known).cloned().collect();
        self.again(batches, false)
    }

    /// The net worth alone.
    pub(crate) fn net_worth_on(
        &self,
        date: Date,
        rates: &dyn RateSource,
    ) -> Result<crate::decimal::Exact, Refusal> {
        Ok(self.net_worth(&NetWorthQuery::on(date), rates)?.net_worth)
    }
}

/// The refusal for a row that was recorded earlier and fails now: names it, and what it fails with.
pub(crate) fn would_not_replay(refusal: Refusal) -> Refusal {
    let Some(row) = &refusal.row else {
        return refusal;
    };
    let on = row
        .date
        .map(|date| format!(" of {date}"))
        .unwrap_or_default();
    let message = format!(
        "{} {}{on}, recorded earlier, would fail: {}. Take that one back first",
        row.list.name(),
        row.id,
        refusal.message
    );
    Refusal {
        code: RefusalCode::WouldNotReplay,
        cause: Some(refusal.code),
        message,
        ..refusal
    }
}

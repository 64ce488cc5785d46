//! What can be said of a change before any replay.

use super::Draft;
use super::imports::clash;
use crate::batch::{Change, SetOwners};
use crate::changes::{GoalChange, ItemUpdate, LinkChange, LossChange};
use crate::ids::{ItemId, RowId};
use crate::ledger::Ledger;
use crate::model::{Date, Item};
use crate::refusal::{Refusal, RefusalCode};
use crate::replay::declare::{changed_goal, changed_loss, is_archived, updated};
use crate::replay::steps::{check_cash_item, check_price, check_transfer, check_valuation};
use crate::replay::table;
use crate::rules::{
    AbsentLink, ArchivedRows, CurrencyChange, FutureDates, NoChange, PastSplit, RepeatedLink, Rules,
};
use std::collections::{BTreeSet, HashMap};

/// What can be said of a row before any replay, so that the first bad row in the order of the draft is
/// named and not the first in the order of dates.
pub(super) struct Checks<'a> {
    ledger: &'a Ledger,
    drafted: HashMap<&'a ItemId, &'a Item>,
    rows: BTreeSet<RowId>,
    today: Date,
    latest: Option<Date>,
}

impl<'a> Checks<'a> {
    pub(super) fn new(ledger: &'a Ledger, draft: &'a Draft) -> Self {
        let drafted = draft.changes.iter().filter_map(|change| match change {
            Change::Item(item) => Some((&item.id, item)),
            _ => None,
        });
        let voids = draft
            .changes
            .iter()
            .any(|change| matches!(change, Change::Void(_)));
        let stored = ledger
            .batches()
            .iter()
            .filter(|_| voids)
            .flat_map(|batch| &batch.changes);
        let active = |id: &RowId| !ledger.book().voided.contains(id);
        let fetched = ledger
            .fetched_prices()
            .filter(|_| voids)
            .map(|price| (&price.id).into());
        Self {
            ledger,
            drafted: drafted.collect(),
            rows: stored
                .filter_map(Change::row_id)
                .filter(active)
                .chain(fetched)
                .collect(),
            today: draft.today,
            latest: match ledger.rules().changes.future_dates {
                FutureDates::Refused => draft.today.tomorrow().ok(),
                FutureDates::Taken => None,
            },
        }
    }

    pub(super) fn item(&self, item: &ItemId, field: &str) -> Result<&'a Item, Refusal> {
        let known = self
            .ledger
            .item(item)
            .or_else(|| self.drafted.get(item).copied());
        known.ok_or_else(|| Refusal::not_found(field, item))
    }

    pub(super) fn check(&self, change: &Change) -> Result<(), Refusal> {
        let (date, field) = match change {
            Change::Archive(archive) => (Some(archive.on), "on"),
            Change::SetOwners(change) => (change.from, "from"),
            row => (row.date(), "date"),
        };
        if let (Some(date), Some(latest)) = (date, self.latest)
            && date > latest
        {
            let message = format!("{date} lies in the future; rows are dated up to {latest}");
            return Err(Refusal::new(RefusalCode::DateInFuture, message).at(field));
        }
        match change {
            Change::Transaction(row) => {
                let item = self.item(&row.item, "item")?;
                table::checked(row, item, &self.rules().rows)?;
                if let Some(cash_item) = &row.cash_item {
                    let currency = row.currency.unwrap_or(item.currency);
                    check_cash_item(self.item(cash_item, "cash_item")?, currency)?;
                }
            }
            Change::Transfer(row) => {
                let from = self.item(&row.from_item, "from_item")?;
                check_transfer(row, from, self.item(&row.to_item, "to_item")?)?;
            }
            Change::Valuation(row) => {
                check_valuation(row, self.item(&row.item, "item")?, &self.rules().rows)?;
            }
            Change::Price(row) => {
                check_price(row, self.item(&row.item, "item")?, &self.rules().rows)?;
            }
            Change::Reconciliation(row) => {
                self.item(&row.item, "item")?;
            }
            Change::SetOwners(change) => {
                self.item(&change.item, "item")?;
                self.check_past_split(change)?;
            }
            Change::UpdateItem(update) => self.check_update(update)?,
            Change::Archive(archive) => {
                self.item(&archive.item, "item")?;
            }
            Change::Link(link) => self.check_link(link)?,
            Change::Goal(goal) => self.check_goal(goal)?,
            Change::Loss(loss) => self.check_loss(loss)?,
            Change::Void(void) => {
                if let Some(row) = void.rows.iter().find(|row| !self.rows.contains(row)) {
                    return Err(Refusal::not_found("rows", row));
                }
            }
            Change::Party(_) | Change::Account(_) | Change::Item(_) => {}
        }
        Ok(())
    }
    /// Refuses a row on an archived item.
    pub(super) fn not_archived(&self, change: &Change) -> Result<(), Refusal> {
        if change.row_id().is_none() || self.rules().items.archived_rows == ArchivedRows::Taken {
            return Ok(());
        }
        let book = self.ledger.book();
        let archived = change.items().filter_map(|item| book.item(item));
        match archived.into_iter().find(|book| book.archived.is_some()) {
            Some(book) => Err(is_archived(book)),
            None => Ok(()),
        }
    }

    fn rules(&self) -> &Rules {
        self.ledger.rules()
    }

    fn check_past_split(&self, change: &SetOwners) -> Result<(), Refusal> {
        let past = change.from.is_some_and(|from| from < self.today) && !change.correction;
        if past && self.rules().owners.past_split == PastSplit::NeedsCorrection {
            let message = "the owners of days that have passed change only with correction true";
            return Err(Refusal::new(RefusalCode::CorrectionRequired, message).at("correction"));
        }
        Ok(())
    }

    fn check_update(&self, update: &ItemUpdate) -> Result<(), Refusal> {
        let item = self.item(&update.item, "item")?;
        let changed = updated(item, update, self.rules())?;
        if changed == *item && self.rules().items.no_change == NoChange::Refused {
            let message = "nothing would change: every field has that value already";
            return Err(Refusal::invalid("item", message));
        }
        let locked = match self.rules().items.currency_change {
            CurrencyChange::BeforeHistory => self.ledger.has_history(&update.item),
            CurrencyChange::AtAnyTime => false,
            CurrencyChange::Never => true,
        };
        if changed.currency != item.currency && locked {
            let message = format!(
                "{} has a history in {}; record what is in {} on an item of its own",
                item.name, item.currency, changed.currency
            );
            return Err(Refusal::new(RefusalCode::CurrencyLocked, message).at("currency"));
        }
        if changed.account != item.account
            && let Some(reference) = clash(self.ledger, &update.item, changed.account.as_ref())
        {
            let message = format!("that account has another row with the reference {reference}");
            return Err(Refusal::invalid("account", message));
        }
        Ok(())
    }

    fn check_link(&self, change: &LinkChange) -> Result<(), Refusal> {
        self.item(&change.from, "from")?;
        self.item(&change.to, "to")?;
        let known = self.ledger.links().any(|link| {
            (&link.from, &link.to, link.relation) == (&change.from, &change.to, change.relation)
        });
        match (known, change.remove) {
            (false, true) if self.rules().links.absent == AbsentLink::Refused => {
                Err(Refusal::not_found("relation", "such a link"))
            }
            (true, false) if self.rules().links.repeated == RepeatedLink::Refused => Err(
                Refusal::invalid("relation", "the two are linked so already"),
            ),
            _ => Ok(()),
        }
    }

    fn check_goal(&self, change: &GoalChange) -> Result<(), Refusal> {
        let known = self.ledger.goals().find(|goal| goal.id == change.goal);
        match known {
            Some(goal) if !change.create && changed_goal(goal, change, self.rules()) == *goal => {
                Err(nothing_changes("goal"))
            }
            _ => Ok(()),
        }
    }

    fn check_loss(&self, change: &LossChange) -> Result<(), Refusal> {
        if let Some(year) = change.year.filter(|year| *year > self.today.year()) {
            let message = format!("{year} lies in the future");
            return Err(Refusal::invalid("year", message));
        }
        let known = self.ledger.losses().find(|loss| loss.id == change.loss);
        match known {
            Some(loss) if !change.create && changed_loss(loss, change, self.rules())? == *loss => {
                Err(nothing_changes("loss"))
            }
            _ => Ok(()),
        }
    }
}

fn nothing_changes(field: &str) -> Refusal {
    Refusal::invalid(
        field,
        "nothing would change: every field has that value already",
    )
}

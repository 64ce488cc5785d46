//! Changes without a date of their own: each counts from where it stands in the order recorded.

use super::{Book, ItemBook, ownership};
use crate::batch::Change;
use crate::changes::{Archive, GoalChange, ItemUpdate, LinkChange, LossChange};
use crate::decimal::{Decimal, Exact};
use crate::ids::{AccountId, ItemId, PartyId};
use crate::model::{Goal, Item, ItemKind, Link, Loss, OwnerShare, Relation, Side};
use crate::refusal::{Refusal, RefusalCode};
use crate::rules::{
    ItemUpdates, KindDefaults, LinkKinds, LinkRemoval, LossOveruse, LossParty, OffsetLinks,
    OwningParties, PlanUpdates, Rules, UsedLosses,
};

impl Book {
    pub(super) fn declare(&mut self, change: &Change, rules: &Rules) -> Result<(), Refusal> {
        match change {
            Change::Party(party) => {
                self.parties.insert(party.id.clone(), party.clone());
            }
            Change::Account(account) => {
                if let Some(party) = &account.party {
                    self.check_party(party, "party")?;
                }
                self.accounts.insert(account.id.clone(), account.clone());
            }
            Change::Item(item) => self.add_item(item, rules)?,
            Change::UpdateItem(update) => self.update_item(update, rules)?,
            Change::Archive(archive) => self.archive(archive)?,
            Change::Link(link) => self.link(link, rules)?,
            Change::Goal(goal) => self.set_goal(goal, rules)?,
            Change::Loss(loss) => self.set_loss(loss, rules)?,
            Change::SetOwners(change) => {
                self.check_owners(&change.owners, rules)?;
                let book = self.declared(&change.item, "item")?;
                ownership::change(&mut book.ownership, change, rules)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn add_item(&mut self, item: &Item, rules: &Rules) -> Result<(), Refusal> {
        if self.index.contains_key(&item.id) {
            let message = format!("{} exists already", item.id);
            return Err(Refusal::invalid("id", message));
        }
        if let Some(account) = &item.account {
            self.check_account(account)?;
        }
        if !item.owners.is_empty() {
            self.check_owners(&item.owners, rules)?;
        }
        self.index.insert(item.id.clone(), self.items.len());
        self.items.push(ItemBook::new(opened(item, rules)));
        Ok(())
    }

    fn update_item(&mut self, update: &ItemUpdate, rules: &Rules) -> Result<(), Refusal> {
        if let Some(Some(account)) = &update.account {
            self.check_account(account)?;
        }
        let book = self.declared(&update.item, "item")?;
        book.item = updated(&book.item, update, rules)?;
        Ok(())
    }

    fn archive(&mut self, archive: &Archive) -> Result<(), Refusal> {
        let book = self.declared(&archive.item, "item")?;
        if book.archived.is_some() {
            return Err(is_archived(book));
        }
        book.archived = Some(archive.clone());
        Ok(())
    }

    fn link(&mut self, change: &LinkChange, rules: &Rules) -> Result<(), Refusal> {
        let from = self.declared(&change.from, "from")?.item.kind;
        let to = self.declared(&change.to, "to")?.item.kind;
        let link = Link {
            from: change.from.clone(),
            to: change.to.clone(),
            relation: change.relation,
        };
        if change.remove {
            match rules.links.removal {
                LinkRemoval::NamedLink => {
                    self.links.remove(&link);
                }
                LinkRemoval::EveryLinkOfIt => {
                    self.links.retain(|known| known.from != link.from);
                }
            }
            return Ok(());
        }
        if rules.links.kinds == LinkKinds::Fitting {
            check_kinds(&link, from, to)?;
        }
        if link.relation == Relation::Offset && rules.links.offsets == OffsetLinks::OneLoan {
            let other = self.links.iter().find(|known| {
                known.relation == Relation::Offset && known.from == link.from && known.to != link.to
            });
            if let Some(other) = other {
                let message = format!(
                    "the account is an offset of {} already; remove that link first",
                    other.to
                );
                return Err(Refusal::invalid("from", message));
            }
        }
        self.links.insert(link);
        Ok(())
    }

    fn set_goal(&mut self, change: &GoalChange, rules: &Rules) -> Result<(), Refusal> {
        let known = self.goals.get(&change.goal);
        let goal = match (known, change.create) {
            (Some(known), false) => changed_goal(known, change, rules),
            (None, true) => new_goal(change)?,
            (None, false) => return Err(Refusal::not_found("goal", &change.goal)),
            (Some(_), true) => {
                let message = format!("{} exists already", change.goal);
                return Err(Refusal::invalid("goal", message));
            }
        };
        self.goals.insert(goal.id.clone(), goal);
        Ok(())
    }

    fn set_loss(&mut self, change: &LossChange, rules: &Rules) -> Result<(), Refusal> {
        let known = self.losses.get(&change.loss);
        let loss = match (known, change.create) {
            (Some(known), false) => changed_loss(known, change, rules)?,
            (None, true) => new_loss(change)?,
            (None, false) => return Err(Refusal::not_found("loss", &change.loss)),
            (Some(_), true) => {
                let message = format!("{} exists already", change.loss);
                return Err(Refusal::invalid("loss", message));
            }
        };
        if rules.losses.party == LossParty::OfTheWorkspace {
            self.check_party(&loss.party, "party")?;
        }
        let overused = Exact::from(loss.used) > Exact::from(loss.amount);
        if overused && rules.losses.overuse == LossOveruse::Refused {
            let message = format!("{} is used of a loss of {}", loss.used, loss.amount);
            return Err(Refusal::new(RefusalCode::LossOverused, message).at("used"));
        }
        self.losses.insert(loss.id.clone(), loss);
        Ok(())
    }

    fn declared(&mut self, item: &ItemId, field: &str) -> Result<&mut ItemBook, Refusal> {
        let place = self.place_of(item);
        place
            .and_then(|place| self.items.get_mut(place))
            .ok_or_else(|| Refusal::not_found(field, item))
    }

    fn check_account(&self, account: &AccountId) -> Result<(), Refusal> {
        if self.accounts.contains_key(account) {
            Ok(())
        } else {
            Err(Refusal::not_found("account", account))
        }
    }

    fn check_party(&self, party: &PartyId, field: &str) -> Result<(), Refusal> {
        if self.parties.contains_key(party) {
            Ok(())
        } else {
            Err(Refusal::not_found(field, party))
        }
    }

    fn check_owners(&self, owners: &[OwnerShare], rules: &Rules) -> Result<(), Refusal> {
        ownership::checked(owners, rules)?;
        if rules.owners.parties == OwningParties::Anybody {
            return Ok(());
        }
        owners
            .iter()
            .try_for_each(|owner| self.check_party(&owner.party, "owners"))
    }
}

/// The refusal of a row on an item that is archived, or of a second archive.
pub(crate) fn is_archived(book: &ItemBook) -> Refusal {
    let on = book.archived.as_ref().map(|archive| archive.on);
    let on = on.map(|on| format!(" on {on}")).unwrap_or_default();
    let message = format!(
        "{} was archived{on}; undo that batch to bring it back",
        book.item.name
    );
    Refusal::new(RefusalCode::ItemArchived, message).at("item")
}

/// A new item, with what it is where nobody says.
fn opened(item: &Item, rules: &Rules) -> Item {
    let mut item = item.clone();
    match rules.items.defaults {
        KindDefaults::OfItsKind => {}
        KindDefaults::RetirementInvestable => {
            let retired = item.kind == ItemKind::Retirement;
            item.investable = item.investable.or(retired.then_some(true));
        }
        KindDefaults::ClassOther => {
            item.class = item.class.or_else(|| Some("other".to_owned()));
        }
    }
    item
}

/// The item with the fields that an update says.
pub(crate) fn updated(item: &Item, update: &ItemUpdate, rules: &Rules) -> Result<Item, Refusal> {
    let mut item = item.clone();
    if rules.items.updates == ItemUpdates::OtherTextsCleared {
        (item.subtype, item.notes, item.opened_on) = (None, None, None);
    }
    if let Some(name) = &update.name {
        item.name.clone_from(name);
    }
    if let Some(class) = &update.class {
        item.class.clone_from(class);
        if rules.items.updates == ItemUpdates::ClassTakesFlag {
            item.investable = Some(false);
        }
    }
    if let Some(subtype) = &update.subtype {
        item.subtype.clone_from(subtype);
    }
    if let Some(account) = &update.account
        && rules.items.updates != ItemUpdates::AccountUnread
    {
        item.account.clone_from(account);
    }
    item.currency = update.currency.unwrap_or(item.currency);
    item.opened_on = update.opened_on.unwrap_or(item.opened_on);
    item.closed_on = update.closed_on.unwrap_or(item.closed_on);
    if rules.items.updates != ItemUpdates::FlagUnread {
        item.investable = update.investable.unwrap_or(item.investable);
    }
    if let Some(notes) = &update.notes {
        item.notes.clone_from(notes);
    }
    if let Some(attributes) = &update.attributes {
        if rules.items.updates == ItemUpdates::AttributesMerged {
            item.attributes.extend(attributes.clone());
        } else {
            item.attributes.clone_from(attributes);
        }
    }
    match (item.opened_on, item.closed_on) {
        (Some(opened_on), Some(closed_on)) if closed_on < opened_on => {
            let message = format!("closed on {closed_on}, before it was opened on {opened_on}");
            Err(Refusal::invalid("closed_on", message))
        }
        _ => Ok(item),
    }
}

/// Refuses a link between kinds that it does not fit.
fn check_kinds(link: &Link, from: ItemKind, to: ItemKind) -> Result<(), Refusal> {
    if link.from == link.to {
        return Err(Refusal::invalid("to", "an item is not linked to itself"));
    }
    let (wanted_from, fits_to, wanted_to) = match link.relation {
        Relation::SecuredBy => (ItemKind::Loan, to == ItemKind::Property, "a property"),
        Relation::Offset => (ItemKind::Cash, to == ItemKind::Loan, "a loan"),
        Relation::Funds => (ItemKind::Loan, to.side() == Side::Asset, "something owned"),
    };
    let message = format!(
        "{} leads from a {} to {wanted_to}",
        link.relation.name(),
        wanted_from.name()
    );
    if from != wanted_from {
        return Err(Refusal::invalid("from", message));
    }
    if !fits_to {
        return Err(Refusal::invalid("to", message));
    }
    Ok(())
}

fn needed<T>(value: Option<T>, field: &str) -> Result<T, Refusal> {
    value.ok_or_else(|| Refusal::invalid(field, format!("a new one needs {field}")))
}

fn new_goal(change: &GoalChange) -> Result<Goal, Refusal> {
    Ok(Goal {
        id: change.goal.clone(),
        name: needed(change.name.clone(), "name")?,
        kind: needed(change.kind, "kind")?,
        target: needed(change.target, "target")?,
        currency: needed(change.currency, "currency")?,
        by: change.by.flatten(),
        archived: change.archived.unwrap_or(false),
    })
}

pub(crate) fn changed_goal(known: &Goal, change: &GoalChange, rules: &Rules) -> Goal {
    let by = match rules.goals.updates {
        PlanUpdates::NamedFields => known.by,
        PlanUpdates::OthersCleared => None,
    };
    Goal {
        id: known.id.clone(),
        name: change.name.clone().unwrap_or_else(|| known.name.clone()),
        kind: change.kind.unwrap_or(known.kind),
        target: change.target.unwrap_or(known.target),
        currency: change.currency.unwrap_or(known.currency),
        by: change.by.unwrap_or(by),
        archived: change.archived.unwrap_or(known.archived),
    }
}

fn new_loss(change: &LossChange) -> Result<Loss, Refusal> {
    Ok(Loss {
        id: change.loss.clone(),
        party: needed(change.party.clone(), "party")?,
        kind: needed(change.kind, "kind")?,
        year: needed(change.year, "year")?,
        amount: needed(change.amount, "amount")?,
        used: change.used.unwrap_or_default(),
        note: change.note.clone().flatten(),
        archived: change.archived.unwrap_or(false),
    })
}

pub(crate) fn changed_loss(
    known: &Loss,
    change: &LossChange,
    rules: &Rules,
) -> Result<Loss, Refusal> {
    let cleared = rules.losses.updates == PlanUpdates::OthersCleared;
    let note = known.note.clone().filter(|_| !cleared);
    let used = match (change.used, rules.losses.used) {
        (None, _) if cleared => Decimal::ZERO,
        (None, _) => known.used,
        (Some(used), UsedLosses::Set) => used,
        (Some(used), UsedLosses::Added) => added(known.used, used)?,
    };
    Ok(Loss {
        id: known.id.clone(),
        party: change.party.clone().unwrap_or_else(|| known.party.clone()),
        kind: change.kind.unwrap_or(known.kind),
        year: change.year.unwrap_or(known.year),
        amount: change.amount.unwrap_or(known.amount),
        used,
        note: change.note.clone().unwrap_or(note),
        archived: change.archived.unwrap_or(known.archived),
    })
}

/// The sum as the wire writes it.
fn added(one: Decimal, other: Decimal) -> Result<Decimal, Refusal> {
    let sum = Exact::from(one).plus(Exact::from(other))?;
    crate::decimal::parse(&sum.to_string())
        .map_err(|error| Refusal::new(RefusalCode::Overflow, error.to_string()))
}

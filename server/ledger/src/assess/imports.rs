//! Which rows of a draft are known already: what makes an import repeatable.

use super::{Difference, RowClass};
use crate::batch::Batch;
use crate::batch::{Change, RowList};
use crate::decimal::{Decimal, Exact};
use crate::ids::{AccountId, ItemId, RowId};
use crate::ledger::Ledger;
use crate::model::{Currency, Date, Item};
use crate::rows::LotChoice;
use crate::rules::{
    Conflicts, ContentComparison, Duplicates, ImportRules, ReferenceComparison, ReferenceScope,
    Twins, WithinBatch,
};
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

/// A reference is unique for an account (or none) and a list of rows.
type Key = (Option<AccountId>, RowList, String);
/// What counts when two rows are compared: notes do not.
type Content = Vec<(&'static str, Option<Said>)>;

/// What a row says in one field. Equal numbers are equal whatever their spelling; a person is shown the spelling.
#[derive(Debug, Clone)]
struct Said {
    /// What is compared.
    value: String,
    /// What is shown, as it was given.
    text: String,
}

impl Said {
    fn plain(text: String) -> Self {
        Self {
            value: text.clone(),
            text,
        }
    }
}

impl PartialEq for Said {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for Said {}

impl Hash for Said {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

/// What is recorded, as far as a draft can run into it.
pub(super) struct Imports<'a> {
    ledger: &'a Ledger,
    drafted: HashMap<&'a ItemId, &'a Item>,
    known: HashMap<Key, &'a Change>,
    seen: HashMap<(RowList, Content), String>,
    rules: ImportRules,
}

/// How a row stands to what is recorded.
pub(super) struct Classified<'a> {
    pub class: RowClass,
    /// Whether it is written all the same; by the contract exactly when it is new.
    pub written: bool,
    /// The stored row it is known by.
    pub stored: Option<&'a Change>,
    pub differences: Vec<Difference>,
    /// A row without a reference that looks just like it.
    pub looks_like: Option<String>,
}

impl<'a> Imports<'a> {
    pub(super) fn new(ledger: &'a Ledger, draft: &'a [Change]) -> Self {
        let drafted = draft
            .iter()
            .filter_map(|change| match change {
                Change::Item(item) => Some((&item.id, item)),
                _ => None,
            })
            .collect();
        let mut imports = Self {
            ledger,
            drafted,
            known: HashMap::new(),
            seen: HashMap::new(),
            rules: ledger.rules().imports,
        };
        // Looking for twins costs a comparison with every row of the items at hand; only rows that no
        // reference tells apart need it.
        let mut unnamed = draft.iter().filter(|change| is_import_row(change));
        let looks_for_twins = imports.rules.twins == Twins::One
            || unnamed.any(|change| change.external_ref().is_none());
        let items: BTreeSet<_> = draft.iter().flat_map(Change::items).collect();
        for change in ledger.batches().iter().flat_map(|batch| &batch.changes) {
            let Some(id) = change.row_id().filter(|_| is_import_row(change)) else {
                continue;
            };
            if ledger.book().voided.contains(&id) {
                continue;
            }
            let touched = looks_for_twins && change.items().any(|item| items.contains(item));
            imports.remember(change, touched);
        }
        imports
    }

    /// How a row stands to what is recorded, and to the rows of the draft before it.
    pub(super) fn classify(&mut self, change: &'a Change) -> Classified<'a> {
        let new = |looks_like| Classified {
            class: RowClass::New,
            written: true,
            stored: None,
            differences: Vec::new(),
            looks_like,
        };
        if !is_import_row(change) {
            return new(None);
        }
        let known = self
            .key(change)
            .and_then(|key| self.known.get(&key).copied());
        if let Some(stored) = known {
            return self.compared(change, stored);
        }
        let twin = self
            .seen
            .get(&(change.list(), self.content(change)))
            .cloned();
        if self.rules.twins == Twins::One && twin.is_some() {
            return Classified {
                class: RowClass::Duplicate,
                written: false,
                ..new(None)
            };
        }
        let looks_like = twin.filter(|_| change.external_ref().is_none());
        self.remember_drafted(change);
        new(looks_like)
    }

    fn compared(&self, change: &'a Change, stored: &'a Change) -> Classified<'a> {
        let differences = self.differences(stored, change);
        let (class, written) = if differences.is_empty() {
            match self.rules.duplicates {
                Duplicates::Skipped => (RowClass::Duplicate, false),
                Duplicates::Recorded => (RowClass::New, true),
            }
        } else {
            match self.rules.conflicts {
                Conflicts::Kept => (RowClass::Conflict, false),
                Conflicts::Overwritten => (RowClass::Conflict, true),
                Conflicts::Skipped => (RowClass::Duplicate, false),
                Conflicts::Recorded => (RowClass::New, true),
            }
        };
        let differences = if class == RowClass::Conflict {
            differences
        } else {
            Vec::new()
        };
        Classified {
            class,
            written,
            stored: Some(stored),
            differences,
            looks_like: None,
        }
    }

    fn remember_drafted(&mut self, change: &'a Change) {
        if self.rules.within_batch == WithinBatch::Compared {
            self.remember(change, true);
        }
    }

    fn remember(&mut self, change: &'a Change, as_twin: bool) {
        if let Some(key) = self.key(change) {
            self.known.insert(key, change);
        }
        if as_twin {
            self.seen
                .insert((change.list(), self.content(change)), change.name());
        }
    }

    fn key(&self, change: &Change) -> Option<Key> {
        let reference = change.external_ref()?.to_owned();
        let reference = match self.rules.references {
            ReferenceComparison::Exact => reference,
            ReferenceComparison::Folded => reference.trim().to_lowercase(),
        };
        let account = match self.rules.reference_scope {
            ReferenceScope::Account => change
                .items()
                .next()
                .and_then(|item| self.item(item)?.account.clone()),
            ReferenceScope::Workspace => None,
        };
        Some((account, change.list(), reference))
    }

    fn item(&self, item: &ItemId) -> Option<&Item> {
        self.ledger
            .item(item)
            .or_else(|| self.drafted.get(item).copied())
    }

    fn differences(&self, stored: &Change, given: &Change) -> Vec<Difference> {
        if self.rules.content == ContentComparison::ReferenceOnly {
            return Vec::new();
        }
        self.content(stored)
            .into_iter()
            .zip(self.content(given))
            .filter(|(stored, given)| stored.1 != given.1)
            .map(|(stored, given)| Difference {
                field: given.0.to_owned(),
                stored: stored.1.map(|said| said.text),
                given: given.1.map(|said| said.text),
            })
            .collect()
    }

    fn content(&self, change: &Change) -> Content {
        let value = |decimal: Decimal| match self.rules.content {
            ContentComparison::Text => decimal.to_string(),
            _ => Exact::from(decimal).to_string(),
        };
        let number = |given: Option<Decimal>| {
            given.map(|decimal| Said {
                value: value(decimal),
                text: decimal.to_string(),
            })
        };
        let plain = |text: &dyn ToString| Some(Said::plain(text.to_string()));
        let date = |date: Date| {
            let compared = self.rules.content != ContentComparison::WithoutDate;
            compared.then(|| Said::plain(date.to_string()))
        };
        let currency = |given: Option<Currency>, item: &ItemId| {
            plain(&given.or_else(|| Some(self.item(item)?.currency))?)
        };
        let lots = |choices: &[LotChoice]| {
            let mut named: Vec<_> = choices
                .iter()
                .map(|choice| Said {
                    value: format!("{} {}", choice.lot, value(choice.units)),
                    text: format!("{} {}", choice.lot, choice.units),
                })
                .collect();
            named.sort_unstable_by(|one, other| one.value.cmp(&other.value));
            let joined = |part: fn(&Said) -> &str| {
                let parts: Vec<&str> = named.iter().map(part).collect();
                parts.join(", ")
            };
            (!named.is_empty()).then(|| Said {
                value: joined(|said| &said.value),
                text: joined(|said| &said.text),
            })
        };
        match change {
            Change::Transaction(row) => vec![
                ("type", plain(&row.kind.name())),
                ("item", plain(&row.item)),
                ("date", date(row.date)),
                ("units", number(row.units)),
                ("amount", number(row.amount)),
                ("fees", number(row.fees.filter(|fees| !fees.is_zero()))),
                ("currency", currency(row.currency, &row.item)),
                ("fx_rate", number(row.fx_rate)),
                ("to", number(row.to)),
                ("from", number(row.from)),
                ("lots", lots(&row.lots)),
            ],
            Change::Transfer(row) => vec![
                ("from_item", plain(&row.from_item)),
                ("to_item", plain(&row.to_item)),
                ("date", plain(&row.date)),
                ("units", number(row.units)),
                ("amount", number(row.amount)),
                ("to_amount", number(row.to_amount)),
                ("lots", lots(&row.lots)),
            ],
            Change::Valuation(row) => vec![
                ("item", plain(&row.item)),
                ("date", plain(&row.date)),
                ("value", number(Some(row.value))),
                ("currency", currency(row.currency, &row.item)),
            ],
            Change::Price(row) => vec![
                ("item", plain(&row.item)),
                ("date", plain(&row.date)),
                ("price", number(Some(row.price))),
                ("currency", currency(row.currency, &row.item)),
            ],
            _ => Vec::new(),
        }
    }
}

/// Whether a change is a row that may come twice.
fn is_import_row(change: &Change) -> bool {
    matches!(
        change.list(),
        RowList::Transactions | RowList::Transfers | RowList::Valuations | RowList::Prices
    )
}

/// The first row whose reference stands on an earlier one too, in one account and list, although it did not `before`.
pub(crate) fn repeated_reference<'a>(
    before: &Ledger,
    after: &'a Ledger,
) -> Option<(&'a Batch, &'a Change)> {
    let known = repeated(before);
    let found = repeated(after)
        .into_iter()
        .find(|(id, _)| !known.iter().any(|(earlier, _)| earlier == id));
    found.map(|(_, place)| place)
}

/// The rows that count and whose reference stands on an earlier one too.
fn repeated(ledger: &Ledger) -> Vec<(RowId, (&Batch, &Change))> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for batch in ledger.batches() {
        for change in &batch.changes {
            let (Some(reference), Some(row)) = (change.external_ref(), change.row_id()) else {
                continue;
            };
            if ledger.book().voided.contains(&row) {
                continue;
            }
            let item = change.items().next().and_then(|item| ledger.item(item));
            let account = item.and_then(|item| item.account.as_ref());
            if !seen.insert((account, change.list(), reference)) {
                found.push((row, (batch.as_ref(), change)));
            }
        }
    }
    found
}

/// A reference that would stand twice in one account and list if `item` moved to `account`.
pub(super) fn clash(ledger: &Ledger, item: &ItemId, account: Option<&AccountId>) -> Option<String> {
    let mut moving = BTreeSet::new();
    let mut there = BTreeSet::new();
    for change in ledger.batches().iter().flat_map(|batch| &batch.changes) {
        let (Some(reference), Some(row)) = (change.external_ref(), change.row_id()) else {
            continue;
        };
        let Some(of) = change.items().next() else {
            continue;
        };
        if ledger.book().voided.contains(&row) {
            continue;
        }
        if of == item {
            moving.insert((change.list(), reference));
        } else if ledger
            .item(of)
            .is_some_and(|other| other.account.as_ref() == account)
        {
            there.insert((change.list(), reference));
        }
    }
    let found = moving.intersection(&there).next();
    found.map(|(_, reference)| (*reference).to_owned())
}

//! How records and figures of the ledger look in answers. Decimals are strings, every amount has its currency beside it.

use proofmark_ledger::assess::{NetWorthChange, RowRate};
use proofmark_ledger::ids::{ItemId, PartyId};
use proofmark_ledger::model::{Account, Currency, Date, Item, OwnerShare, Party};
use proofmark_ledger::rows::{AppliedRate, Comparison, Reconciliation};
use proofmark_ledger::{
    Change, Ledger, MissingItem, NetWorth, Position, RowRef, RowVerdict, Warning,
};
use serde_json::{Map, Value, json};

use super::history::{Book, Recorded};
use super::identifiers::figure;

/// `value` without the members that are null.
pub(super) fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => Value::Object(
            members
                .into_iter()
                .filter(|(_, value)| !value.is_null())
                .collect::<Map<_, _>>(),
        ),
        other => other,
    }
}

/// A value of the ledger that serialises to the contract's own names.
pub(super) fn plain(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

pub(super) fn party(party: &Party) -> Value {
    json!({ "id": party.id, "name": party.name, "kind": party.kind })
}

pub(super) fn account(account: &Account) -> Value {
    json!({
        "id": account.id,
        "name": account.name,
        "kind": account.kind,
        "institution": account.institution,
        "currency": account.currency,
        "party": account.party,
    })
}

pub(super) fn batch(recorded: &Recorded) -> Value {
    let provenance = &recorded.provenance;
    let mut shown = json!({
        "id": recorded.batch.id,
        "created_at": recorded.at.to_string(),
        "tool": provenance.tool,
        "source": provenance.source,
        "user": provenance.user,
        "client": provenance.client,
        "status": if recorded.undone_at.is_some() { "undone" } else { "committed" },
        "counts": plain(&provenance.counts),
    });
    if let (Some(at), Some(members)) = (recorded.undone_at, shown.as_object_mut()) {
        members.insert("undone_at".to_owned(), Value::String(at.to_string()));
    }
    shown
}

pub(super) fn net_worth_change(change: &NetWorthChange) -> Value {
    json!({
        "before": figure(change.before),
        "after": figure(change.after),
        "change": figure(change.change),
        "currency": change.currency,
    })
}

/// A place in a list of the call; rows of earlier batches have none.
fn place(row: &RowRef) -> Value {
    match row.index {
        Some(index) => json!({ "list": row.list.name(), "index": index }),
        None => Value::Null,
    }
}

pub(super) fn verdict(row: &RowVerdict) -> Value {
    let mut shown = json!({
        "list": row.list.name(),
        "index": row.index,
        "class": row.class,
        "id": row.id,
    });
    if let Some(members) = shown.as_object_mut() {
        if let Some(reference) = &row.external_ref {
            members.insert("external_ref".to_owned(), json!(reference));
        }
        if !row.differences.is_empty() {
            let differences: Vec<Value> = row
                .differences
                .iter()
                .map(|difference| {
                    json!({ "field": difference.field, "stored": difference.stored, "offered": difference.given })
                })
                .collect();
            members.insert("differences".to_owned(), Value::Array(differences));
        }
    }
    shown
}

pub(super) fn applied_rate(rate: &AppliedRate) -> Value {
    json!({
        "from": rate.from,
        "to": rate.to,
        "rate": figure(rate.rate),
        "rate_date": rate.rate_date.to_string(),
        "source": rate.source,
    })
}

pub(super) fn row_rate(rate: &RowRate) -> Value {
    let mut shown = applied_rate(&rate.rate);
    if let Some(members) = shown.as_object_mut() {
        members.insert("row".to_owned(), place(&rate.row));
        members.insert("amount".to_owned(), figure(rate.amount));
        members.insert("base_amount".to_owned(), figure(rate.base_amount));
    }
    without_nulls(shown)
}

/// A warning about `changes`; one about a balance names the last row that took part in it.
pub(super) fn warning(warning: &Warning, changes: &[Change], book: &Book) -> Value {
    let currency = |item| book.ledger.item(item).map(|item| item.currency);
    let details = match warning {
        Warning::NegativeBalance {
            item,
            date,
            balance,
        } => json!({
            "item": item,
            "date": date.to_string(),
            "balance": figure(*balance),
            "currency": currency(item).or_else(|| drafted_currency(changes, item.as_str())),
            "row": row_on(changes, item.as_str(), *date),
        }),
        Warning::PossibleDuplicate { row, same_as } => {
            json!({ "row": place(row), "same_as": same_as })
        }
        Warning::GainChanges {
            sale,
            item,
            date,
            before,
            after,
        } => json!({
            "sale": sale,
            "item": item,
            "date": date.to_string(),
            "before": figure(*before),
            "after": figure(*after),
            "currency": currency(item),
        }),
    };
    let mut shown = json!({ "code": warning.code(), "message": warning.message() });
    if let (Some(members), Value::Object(details)) = (shown.as_object_mut(), without_nulls(details))
    {
        members.extend(details);
    }
    shown
}

fn drafted_currency(changes: &[Change], id: &str) -> Option<Currency> {
    changes.iter().find_map(|change| match change {
        Change::Item(item) if item.id.as_str() == id => Some(item.currency),
        _ => None,
    })
}

/// The last row on `item` up to `date`, by its place in its list.
fn row_on(changes: &[Change], item: &str, date: Date) -> Value {
    let mut counts = std::collections::HashMap::new();
    let mut found = Value::Null;
    for change in changes {
        let count = counts.entry(change.list()).or_insert(0_usize);
        let index = *count;
        *count += 1;
        if change.date().is_some_and(|on| on <= date)
            && change.items().any(|id| id.as_str() == item)
        {
            found = json!({ "list": change.list().name(), "index": index });
        }
    }
    found
}

/// A recorded check, with the figures that it recorded.
pub(super) fn reconciliation(
    row: &Reconciliation,
    currency: Currency,
    book: &Book,
    open: Option<bool>,
) -> Value {
    let empty = json!({ "status": null, "statement": row.figure.printed().to_string() });
    let mut shown = json!({
        "id": row.id,
        "batch": book.writer(row.id.as_str()).map(|recorded| recorded.batch.id.to_string()),
        "item": row.item,
        "date": row.date.to_string(),
        "figure": row.figure.name(),
        "currency": currency,
        "open": open,
    });
    let result = row.result.as_ref().map_or(empty, comparison);
    if let (Some(members), Value::Object(result)) = (shown.as_object_mut(), result) {
        members.extend(result);
    }
    without_nulls(shown)
}

pub(super) fn comparison(result: &Comparison) -> Value {
    json!({
        "status": result.status,
        "statement": result.statement.to_string(),
        "calculated": figure(result.calculated),
        "difference": figure(result.difference),
    })
}

pub(super) fn position(position: &Position, base: Currency) -> Value {
    let mut shown = json!({
        "currency": position.currency,
        "base_currency": base,
        "value": position.value.map(figure),
        "value_base": position.value_base.map(figure),
    });
    if let Some(members) = shown.as_object_mut() {
        if let Some(units) = position.units {
            members.insert("units".to_owned(), figure(units));
            members.insert(
                "price".to_owned(),
                position.price.map_or(Value::Null, figure),
            );
        }
        for (name, date) in [
            ("price_date", position.price_date),
            ("value_date", position.value_date),
        ] {
            if let Some(date) = date {
                members.insert(name.to_owned(), Value::String(date.to_string()));
            }
        }
        if let Some(cost) = position.cost_base {
            members.insert("cost_base".to_owned(), figure(cost));
            let gain = position.unrealised_gain.map_or(Value::Null, figure);
            members.insert("unrealised_gain".to_owned(), gain);
        }
    }
    shown
}

/// An item as lists show it, at the close of the day of `position`.
pub(super) fn item(item: &Item, at: &Position, ledger: &Ledger) -> Value {
    let archive = ledger
        .archive_of(&item.id)
        .filter(|archive| archive.on <= at.date);
    let mut shown = json!({
        "id": item.id,
        "name": item.name,
        "kind": item.kind,
        "side": item.kind.side(),
        "class": item.class(),
        "subtype": item.subtype,
        "currency": item.currency,
        "account": item.account,
        "symbol": item.symbol,
        "exchange": item.exchange,
        "coingecko_id": item.coingecko_id,
        "opened_on": item.opened_on.map(|date| date.to_string()),
        "closed_on": item.closed_on.map(|date| date.to_string()),
        "flags": { "investable": item.is_investable() },
        "owners": owners(&item.id, at.date, ledger),
        "notes": item.notes,
        "attributes": item.attributes,
        "position": position(at, ledger.base()),
        "stale": at.stale_since.is_some(),
        "archived": archive.is_some(),
    });
    for (name, date) in [
        ("stale_since", at.stale_since),
        ("archived_on", archive.map(|archive| archive.on)),
    ] {
        if let (Some(date), Some(members)) = (date, shown.as_object_mut()) {
            members.insert(name.to_owned(), Value::String(date.to_string()));
        }
    }
    shown
}

/// Who owns an item on a date, and since when.
pub(super) fn owners(item: &ItemId, date: Date, ledger: &Ledger) -> Vec<Value> {
    let since = ledger
        .ownership(item)
        .iter()
        .filter_map(|period| period.from)
        .filter(|from| *from <= date)
        .max();
    shares(ledger.owners_on(item, date), since, ledger)
}

/// Every split of an item, oldest first.
pub(super) fn ownership(item: &ItemId, ledger: &Ledger) -> Vec<Value> {
    let periods = ledger.ownership(item).iter();
    periods
        .map(|period| {
            json!({
                "from": period.from.map(|from| from.to_string()),
                "owners": shares(&period.owners, period.from, ledger),
            })
        })
        .collect()
}

fn shares(owners: &[OwnerShare], since: Option<Date>, ledger: &Ledger) -> Vec<Value> {
    let shown = owners.iter().map(|owner| {
        without_nulls(json!({
            "party": owner.party,
            "name": party_name(&owner.party, ledger),
            "percent": owner.percent.to_string(),
            "since": since.map(|date| date.to_string()),
        }))
    });
    shown.collect()
}

/// What a party is called; nothing for one that is not there.
pub(super) fn party_name(party: &PartyId, ledger: &Ledger) -> String {
    let known = ledger.parties().find(|known| known.id == *party);
    known.map(|party| party.name.clone()).unwrap_or_default()
}

/// What an item is called; nothing for one that is not there.
pub(super) fn item_name(item: &ItemId, book: &Book) -> String {
    let known = book.ledger.item(item);
    known.map(|item| item.name.clone()).unwrap_or_default()
}

/// Held items that a total lacks.
pub(super) fn missing(items: &[MissingItem], book: &Book) -> Vec<Value> {
    let shown = items.iter().map(|missing| {
        json!({
            "item": missing.item,
            "name": item_name(&missing.item, book),
            "reason": missing.reason,
        })
    });
    shown.collect()
}

/// The balance sheet of a day.
pub(super) fn net_worth(sheet: &NetWorth, book: &Book) -> Value {
    let stale: Vec<Value> = sheet
        .stale
        .iter()
        .map(|item| {
            json!({
                "item": item.item,
                "name": item_name(&item.item, book),
                "value_date": item.value_date.to_string(),
                "since": item.since.to_string(),
            })
        })
        .collect();
    let mut shown = json!({
        "date": sheet.date.to_string(),
        "currency": sheet.currency,
        "assets": figure(sheet.assets),
        "liabilities": figure(sheet.liabilities),
        "net_worth": figure(sheet.net_worth),
        "investable": figure(sheet.investable),
        "cash": figure(sheet.cash),
        "partial": sheet.partial,
        "missing": missing(&sheet.missing, book),
        "stale": stale,
        "rates": sheet.rates.iter().map(applied_rate).collect::<Vec<_>>(),
    });
    if let (Some(lines), Some(members)) = (&sheet.breakdown, shown.as_object_mut()) {
        members.insert("breakdown".to_owned(), plain(lines));
    }
    shown
}

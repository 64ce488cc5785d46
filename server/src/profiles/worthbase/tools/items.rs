//! `list_items` and `get_item`: what is owned and owed, with its position and its history.

use std::collections::BTreeSet;

use proofmark_ledger::ids::ItemId;
use proofmark_ledger::model::Item;
use proofmark_ledger::rows::{LotChoice, Price, Transaction, Transfer};
use proofmark_ledger::rules::LinkEnds;
use proofmark_ledger::{Change, Ledger, Lot, Sale};
use serde_json::{Value, json};

use super::super::Worthbase;
use super::super::access::Desk;
use super::super::arguments::{not_found, text};
use super::super::cursor::Binding;
use super::super::history::Book;
use super::super::identifiers::figure;
use super::super::rates::Rates;
use super::super::shown::{self, applied_rate, plain, without_nulls};
use super::batches::limit;
use super::net_worth::date;
use super::recording::set;
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;
use crate::rules::ItemBatches;

/// Items in the order recorded, with their position of today.
pub(in super::super) async fn list_items(
    server: &Worthbase,
    desk: &Desk,
    arguments: &JsonObject,
) -> Result<Value, Fault> {
    let book = server.books.load(&desk.membership.workspace).await?;
    let today = desk.visitor.today();
    let filters = Filters::read(arguments, &book)?;
    let spelling = filters.spelling();
    let binding = Binding {
        person: &desk.visitor.person.id,
        workspace: desk.workspace(),
        tool: "list_items",
        filters: &spelling,
    };
    let after = text(arguments, "cursor")
        .map(|cursor| server.cursors.open(binding, cursor))
        .transpose()?;
    let limit = limit(arguments);
    let mut fitting: Vec<&Item> = book
        .ledger
        .items()
        .skip_while(|item| {
            after
                .as_deref()
                .is_some_and(|after| item.id.as_str() != after)
        })
        .skip(usize::from(after.is_some()))
        .filter(|item| filters.fit(item, &book, today))
        .take(limit + 1)
        .collect();
    let more = fitting.len() > limit;
    fitting.truncate(limit);
    let rates = Rates::load(&server.bank, &book.ledger, &[]).await;
    let items = fitting
        .iter()
        .map(|item| {
            let position = book.ledger.position(&item.id, today, &*rates.table);
            Ok(shown::item(
                item,
                &position.map_err(|refusal| rates.refused(&refusal))?,
                &book.ledger,
            ))
        })
        .collect::<Result<Vec<_>, Fault>>()?;
    let mut answer = json!({ "workspace": desk.workspace(), "items": items });
    if let (true, Some(last)) = (more, fitting.last()) {
        set(
            &mut answer,
            "next_cursor",
            json!(server.cursors.seal(binding, last.id.as_str())),
        );
    }
    Ok(answer)
}

/// What a list is narrowed to.
struct Filters<'a> {
    kind: Option<&'a str>,
    class: Option<&'a str>,
    party: Option<&'a str>,
    account: Option<&'a str>,
    include_archived: bool,
}

impl<'a> Filters<'a> {
    fn read(arguments: &'a JsonObject, book: &Book) -> Result<Self, Fault> {
        let filters = Self {
            kind: text(arguments, "kind"),
            class: text(arguments, "class"),
            party: text(arguments, "party"),
            account: text(arguments, "account"),
            include_archived: arguments
                .get("include_archived")
                .and_then(Value::as_bool)
                .unwrap_or(false),
        };
        if filters
            .party
            .is_some_and(|id| !book.ledger.parties().any(|party| party.id.as_str() == id))
        {
            return Err(not_found("party"));
        }
        if filters.account.is_some_and(|id| {
            !book
                .ledger
                .accounts()
                .any(|account| account.id.as_str() == id)
        }) {
            return Err(not_found("account"));
        }
        Ok(filters)
    }

    fn spelling(&self) -> String {
        json!([
            self.kind,
            self.class,
            self.party,
            self.account,
            self.include_archived
        ])
        .to_string()
    }

    fn fit(&self, item: &Item, book: &Book, today: proofmark_ledger::model::Date) -> bool {
        let owned_by = |party: &str| {
            book.ledger
                .owners_on(&item.id, today)
                .iter()
                .any(|owner| owner.party.as_str() == party)
        };
        let archived = book.ledger.archive_of(&item.id);
        let listed = self.include_archived || archived.is_none_or(|archive| archive.on > today);
        listed
            && self.kind.is_none_or(|kind| item.kind.name() == kind)
            && self.class.is_none_or(|class| item.class() == class)
            && self.party.is_none_or(owned_by)
            && self.account.is_none_or(|account| {
                item.account
                    .as_ref()
                    .is_some_and(|own| own.as_str() == account)
            })
    }
}

/// One item in full.
pub(in super::super) async fn get_item(
    server: &Worthbase,
    desk: &Desk,
    arguments: &JsonObject,
) -> Result<Value, Fault> {
    let book = server.books.load(&desk.membership.workspace).await?;
    let ledger = &book.ledger;
    let id = ItemId::from(text(arguments, "item").unwrap_or_default());
    let item = ledger.item(&id).ok_or_else(|| not_found("item"))?;
    let day = date(arguments, desk.visitor.today())?;
    let rates = Rates::load(&server.bank, ledger, &[]).await;
    let position = ledger
        .position(&id, day, &*rates.table)
        .map_err(|refusal| rates.refused(&refusal))?;
    let lots = ledger
        .lots(&id, day)
        .map_err(|refusal| rates.refused(&refusal))?;
    let open: BTreeSet<&str> = ledger
        .open_mismatches(&*rates.table)
        .into_iter()
        .map(|row| row.id.as_str())
        .collect();
    let mut answer = shown::item(item, &position, ledger);
    let lists = [
        (
            "transactions",
            ledger
                .transactions_of(&id)
                .map(|row| transaction(row, item, &book))
                .collect::<Vec<_>>(),
        ),
        (
            "transfers",
            ledger
                .transfers_of(&id)
                .map(|row| transfer(row, &book))
                .collect(),
        ),
        (
            "valuations",
            ledger
                .valuations_of(&id)
                .map(|row| of_batch(&book, row.id.as_str(), item, plain(row)))
                .collect(),
        ),
        (
            "prices",
            ledger
                .prices_of(&id)
                .map(|row| price(row, item, &book))
                .collect(),
        ),
        ("lots", lots.iter().map(|lot| open_lot(lot, item)).collect()),
        ("sales", ledger.sales(&id).iter().map(sale).collect()),
        (
            "reconciliations",
            ledger
                .reconciliations(&id)
                .map(|row| {
                    shown::reconciliation(
                        row,
                        item.currency,
                        &book,
                        Some(open.contains(row.id.as_str())),
                    )
                })
                .collect(),
        ),
        ("links", links(ledger, &id, server.rules.ledger.links.shown)),
        ("ownership", shown::ownership(&id, ledger)),
        (
            "batches",
            writers(&book, &id, server.rules.writes.item_batches),
        ),
    ];
    for (name, list) in lists {
        set(&mut answer, name, Value::Array(list));
    }
    set(&mut answer, "workspace", json!(desk.workspace()));
    Ok(answer)
}

/// The links that an item is an end of.
fn links(ledger: &Ledger, item: &ItemId, ends: LinkEnds) -> Vec<Value> {
    let own = ledger
        .links()
        .filter(|link| link.from == *item || (link.to == *item && ends == LinkEnds::Both));
    own.map(plain).collect()
}

/// A price, recorded by somebody or fetched from a provider.
fn price(row: &Price, item: &Item, book: &Book) -> Value {
    let mut shown = of_batch(book, row.id.as_str(), item, plain(row));
    set(&mut shown, "origin", json!(row.origin));
    shown
}

/// The active batches that wrote something about `item`, newest first.
fn writers(book: &Book, item: &ItemId, named: ItemBatches) -> Vec<Value> {
    let rows: BTreeSet<String> = book
        .ledger
        .batches()
        .iter()
        .flat_map(|batch| &batch.changes)
        .filter(|change| change.items().any(|touched| touched == item))
        .filter_map(Change::row_id)
        .map(|row| row.to_string())
        .chain(book.fetched_for(item))
        .collect();
    book.listed()
        .rev()
        .filter(|recorded| recorded.undone_at.is_none())
        .filter(|recorded| {
            recorded.batch.changes.iter().any(|change| match change {
                Change::Void(void) => void.rows.iter().any(|row| rows.contains(row.as_str())),
                change if change.row_id().is_none() && named == ItemBatches::RowsOnly => false,
                change => change.items().any(|touched| touched == item),
            })
        })
        .map(shown::batch)
        .collect()
}

/// A row as it was recorded, with its batch, and its currency where the row leaves it to the item.
fn of_batch(book: &Book, id: &str, item: &Item, mut row: Value) -> Value {
    if let Some(members) = row.as_object_mut() {
        members.shift_remove("item");
        members.shift_remove("origin");
        members
            .entry("currency")
            .or_insert_with(|| json!(item.currency));
        if let Some(recorded) = book.writer(id) {
            members.insert("batch".to_owned(), json!(recorded.batch.id));
        }
    }
    row
}

/// A transaction, with the rates it was recorded with. One that posts money on this item from another names that one.
fn transaction(row: &Transaction, item: &Item, book: &Book) -> Value {
    let mut shown = of_batch(book, row.id.as_str(), item, plain(row));
    if row.item != item.id {
        set(&mut shown, "item", json!(row.item));
        let currency = row
            .currency
            .or_else(|| book.ledger.item(&row.item).map(|item| item.currency));
        set(&mut shown, "currency", json!(currency));
    }
    if let Some(members) = shown.as_object_mut() {
        members.shift_remove("rate");
        members.shift_remove("item_rate");
    }
    let rates: Vec<Value> = [&row.rate, &row.item_rate]
        .into_iter()
        .flatten()
        .map(applied_rate)
        .collect();
    if !rates.is_empty() {
        set(&mut shown, "rates", Value::Array(rates));
    }
    shown
}

fn transfer(row: &Transfer, book: &Book) -> Value {
    let from = book.ledger.item(&row.from_item).map(|item| item.currency);
    let to = book.ledger.item(&row.to_item).map(|item| item.currency);
    without_nulls(json!({
        "id": row.id,
        "batch": book.writer(row.id.as_str()).map(|recorded| recorded.batch.id.to_string()),
        "from_item": row.from_item,
        "to_item": row.to_item,
        "date": row.date.to_string(),
        "units": row.units.map(|units| units.to_string()),
        "amount": row.amount.map(|amount| amount.to_string()),
        "currency": from,
        "to_amount": row.to_amount.map(|amount| amount.to_string()),
        "to_currency": to,
        "lots": (!row.lots.is_empty()).then(|| row.lots.iter().map(lot_choice).collect::<Vec<_>>()),
        "external_ref": row.external_ref,
        "note": row.note,
    }))
}

fn lot_choice(choice: &LotChoice) -> Value {
    json!({ "lot": choice.lot, "units": choice.units.to_string() })
}

fn open_lot(lot: &Lot, item: &Item) -> Value {
    json!({
        "lot": lot.lot,
        "acquired_on": lot.acquired_on.to_string(),
        "units": figure(lot.units),
        "cost_base": figure(lot.cost_base),
        "currency": item.currency,
    })
}

fn sale(sale: &Sale) -> Value {
    let lots: Vec<Value> = sale
        .lots
        .iter()
        .map(|lot| {
            json!({
                "lot": lot.lot,
                "acquired_on": lot.acquired_on.to_string(),
                "units": figure(lot.units),
                "cost_base": figure(lot.cost_base),
                "net_proceeds": figure(lot.net_proceeds),
                "gain": figure(lot.gain),
                "currency": sale.currency,
                "net_proceeds_base": figure(lot.net_proceeds_base),
                "cost_base_base": figure(lot.cost_base_base),
                "gain_base": figure(lot.gain_base),
                "base_currency": lot.base_currency,
            })
        })
        .collect();
    without_nulls(json!({
        "transaction": sale.transaction,
        "date": sale.date.to_string(),
        "units": sale.units.map(figure),
        "net_proceeds": figure(sale.net_proceeds),
        "cost_base": figure(sale.cost_base),
        "gain": figure(sale.gain),
        "currency": sale.currency,
        "gain_base": figure(sale.gain_base),
        "base_currency": sale.base_currency,
        "lots": lots,
    }))
}

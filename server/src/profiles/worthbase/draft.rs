//! From the arguments of `record` to a draft: keys become new ids, rows become changes.

use std::collections::HashMap;

use proofmark_ledger::model::{Account, Currency, Date, Item};
use proofmark_ledger::rows::{
    Price, PriceOrigin, Reconciliation, Transaction, Transfer, Valuation,
};
use proofmark_ledger::{Change, Draft};
use serde::{Deserialize, Serialize};

use super::arguments::missing;
use super::currencies::check;
use super::identifiers::{is_id, new_id};
use super::rows::{ItemRow, RecordArguments, TransactionRow};
use crate::mcp::fault::Fault;

/// What a draft creates, by the name the caller gave it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Created {
    pub accounts: Vec<Named>,
    pub items: Vec<Named>,
    pub parties: Vec<Named>,
}

/// A created record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Named {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    pub name: String,
}

/// Keys of one batch and the ids they stand for.
#[derive(Debug, Default)]
struct Keys(HashMap<String, String>);

impl Keys {
    /// Gives a new record its id, under `key` where it has one.
    fn define(&mut self, prefix: &str, key: Option<&String>, field: &str) -> Result<String, Fault> {
        let id = new_id(prefix);
        let Some(key) = key else {
            return Ok(id);
        };
        if is_id(key) {
            return Err(missing(
                field,
                "A key is a name of your own; this one looks like an id. Use another.",
            ));
        }
        match self.0.insert(key.clone(), id.clone()) {
            None => Ok(id),
            Some(_) => Err(missing(
                field,
                "This key is defined twice in the batch. Give every record its own.",
            )),
        }
    }

    /// The id that `text` stands for: a key of this batch, or itself an id.
    fn resolve(&self, text: &str, field: impl FnOnce() -> String) -> Result<String, Fault> {
        match self.0.get(text) {
            Some(id) => Ok(id.clone()),
            None if is_id(text) => Ok(text.to_owned()),
            None => Err(Fault::new(
                "not_found",
                "Nothing in this workspace has this id or key. Use an id that a read tool shows, or a key of the same batch.",
            )
            .at(field())),
        }
    }
}

/// Builds the draft of `arguments`, as the batch it may become, and says what it creates.
///
/// # Errors
/// `invalid_input` or `not_found` on the field at fault.
pub(super) fn draft(
    arguments: RecordArguments,
    base: Currency,
    today: Date,
    row_limit: usize,
) -> Result<(Draft, Created), Fault> {
    let sizes = [
        ("accounts", arguments.accounts.len()),
        ("items", arguments.items.len()),
        ("transactions", arguments.transactions.len()),
        ("transfers", arguments.transfers.len()),
        ("valuations", arguments.valuations.len()),
        ("prices", arguments.prices.len()),
        ("reconciliations", arguments.reconciliations.len()),
    ];
    let rows: usize = sizes.iter().map(|(_, size)| size).sum();
    if rows == 0 {
        return Err(missing(
            "transactions",
            "The batch is empty. Give at least one account, item, transaction, transfer, valuation, price or reconciliation.",
        ));
    }
    if rows > row_limit {
        let largest = sizes
            .iter()
            .max_by_key(|(_, size)| size)
            .map_or("transactions", |(list, _)| list);
        return Err(missing(
            largest,
            &format!(
                "A batch holds at most {row_limit} rows and this one has {rows}. Split it by document or period."
            ),
        ));
    }
    let mut created = Created::default();
    let mut changes = Vec::with_capacity(rows);
    let (mut accounts, mut items) = (Keys::default(), Keys::default());
    for (index, row) in arguments.accounts.into_iter().enumerate() {
        let id = accounts.define("acc", row.key.as_ref(), &format!("accounts[{index}].key"))?;
        known_currency(row.currency, || format!("accounts[{index}].currency"))?;
        created.accounts.push(Named {
            id: id.clone(),
            key: row.key,
            name: row.name.clone(),
        });
        changes.push(Change::Account(Account {
            id: id.into(),
            name: row.name,
            kind: row.kind,
            institution: row.institution,
            currency: row.currency,
            party: row.party.map(Into::into),
        }));
    }
    // Keys come first: a row may name an item that stands later in the call.
    let ids = arguments
        .items
        .iter()
        .enumerate()
        .map(|(index, row)| items.define("itm", row.key.as_ref(), &format!("items[{index}].key")))
        .collect::<Result<Vec<_>, _>>()?;
    for (index, (row, id)) in arguments.items.into_iter().zip(ids).enumerate() {
        known_currency(row.currency, || format!("items[{index}].currency"))?;
        created.items.push(Named {
            id: id.clone(),
            key: row.key.clone(),
            name: row.name.clone(),
        });
        let account = row
            .account
            .as_deref()
            .map(|account| accounts.resolve(account, || format!("items[{index}].account")))
            .transpose()?;
        changes.push(Change::Item(item(row, id, account, base)));
    }
    for (index, row) in arguments.transactions.into_iter().enumerate() {
        known_currency(row.currency, || format!("transactions[{index}].currency"))?;
        changes.push(Change::Transaction(transaction(row, index, &items)?));
    }
    for (index, row) in arguments.transfers.into_iter().enumerate() {
        changes.push(Change::Transfer(Transfer {
            id: new_id("txn").into(),
            from_item: items
                .resolve(&row.from_item, || format!("transfers[{index}].from_item"))?
                .into(),
            to_item: items
                .resolve(&row.to_item, || format!("transfers[{index}].to_item"))?
                .into(),
            date: row.date,
            units: row.units,
            amount: row.amount,
            to_amount: row.to_amount,
            lots: row.lots,
            external_ref: row.external_ref,
            note: row.note,
        }));
    }
    for (index, row) in arguments.valuations.into_iter().enumerate() {
        known_currency(row.currency, || format!("valuations[{index}].currency"))?;
        changes.push(Change::Valuation(Valuation {
            id: new_id("val").into(),
            item: items
                .resolve(&row.item, || format!("valuations[{index}].item"))?
                .into(),
            date: row.date,
            value: row.value,
            currency: row.currency,
            external_ref: row.external_ref,
            note: row.note,
        }));
    }
    for (index, row) in arguments.prices.into_iter().enumerate() {
        known_currency(row.currency, || format!("prices[{index}].currency"))?;
        changes.push(Change::Price(Price {
            id: new_id("prc").into(),
            item: items
                .resolve(&row.item, || format!("prices[{index}].item"))?
                .into(),
            date: row.date,
            price: row.price,
            currency: row.currency,
            external_ref: row.external_ref,
            origin: PriceOrigin::Manual,
        }));
    }
    for (index, row) in arguments.reconciliations.into_iter().enumerate() {
        let at_row = |fault: Fault| {
            let field = format!(
                "reconciliations[{index}].{}",
                fault.field.as_deref().unwrap_or("units")
            );
            fault.at(field)
        };
        changes.push(Change::Reconciliation(Reconciliation {
            id: new_id("rec").into(),
            item: items
                .resolve(&row.item, || format!("reconciliations[{index}].item"))?
                .into(),
            date: row.date,
            figure: row.figure().map_err(at_row)?,
            source: None,
            result: None,
        }));
    }
    Ok((
        Draft {
            batch: new_id("bat").into(),
            today,
            changes,
        },
        created,
    ))
}

fn item(row: ItemRow, id: String, account: Option<String>, base: Currency) -> Item {
    Item {
        id: id.into(),
        name: row.name,
        kind: row.kind,
        class: row.class,
        subtype: row.subtype,
        account: account.map(Into::into),
        currency: row.currency.unwrap_or(base),
        owners: row.owners,
        symbol: row.symbol,
        exchange: row.exchange,
        coingecko_id: row.coingecko_id,
        opened_on: row.opened_on,
        closed_on: None,
        investable: row.flags.investable,
        notes: row.notes,
        attributes: row.attributes,
    }
}

fn transaction(row: TransactionRow, index: usize, items: &Keys) -> Result<Transaction, Fault> {
    let item = items.resolve(&row.item, || format!("transactions[{index}].item"))?;
    let cash_item = row
        .cash_item
        .as_deref()
        .map(|cash| items.resolve(cash, || format!("transactions[{index}].cash_item")))
        .transpose()?;
    Ok(Transaction {
        units: row.units,
        amount: row.amount,
        fees: row.fees,
        currency: row.currency,
        fx_rate: row.fx_rate,
        to: row.to,
        from: row.from,
        lots: row.lots,
        acquired_on: row.acquired_on,
        cash_item: cash_item.map(Into::into),
        external_ref: row.external_ref,
        note: row.note,
        ..Transaction::new(new_id("txn").into(), item.into(), row.kind, row.date)
    })
}

fn known_currency(currency: Option<Currency>, field: impl FnOnce() -> String) -> Result<(), Fault> {
    currency.map_or(Ok(()), |currency| check(currency.code(), &field()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn built(arguments: Value) -> Result<(Draft, Created), Fault> {
        let today = "2026-10-30".parse().unwrap();
        draft(
            serde_json::from_value(arguments).unwrap(),
            "AUD".parse().unwrap(),
            today,
            3,
        )
    }

    #[test]
    fn no_row_is_in_a_currency_that_is_none() {
        let item = "itm_01ARZ3NDEKTSV4RRFFQ69G5FAV";
        let rows = [
            (
                "transactions",
                json!({"item": item, "type": "deposit", "date": "2024-01-02", "amount": "1"}),
            ),
            (
                "valuations",
                json!({"item": item, "date": "2024-01-02", "value": "1"}),
            ),
            (
                "prices",
                json!({"item": item, "date": "2024-01-02", "price": "1"}),
            ),
        ];
        for (list, mut row) in rows {
            row["currency"] = json!("ZZZ");
            let fault = built(json!({ list: [row] })).unwrap_err();
            assert_eq!(fault.code, "invalid_input");
            assert_eq!(fault.field, Some(format!("{list}[0].currency")));
        }
    }

    #[test]
    fn keys_become_ids_wherever_they_stand() {
        let (draft, created) = built(json!({
            "accounts": [{"key": "broker", "name": "Broker", "kind": "brokerage"}],
            "items": [{"key": "vti", "name": "VTI", "kind": "security", "account": "broker"}],
            "transactions": [{"item": "vti", "type": "buy", "date": "2024-01-02", "units": "1.50", "amount": "300"}],
        }))
        .unwrap();
        let (Change::Account(account), Change::Item(item), Change::Transaction(row)) =
            (&draft.changes[0], &draft.changes[1], &draft.changes[2])
        else {
            panic!("expected account, item, transaction");
        };
        assert_eq!(item.account.as_ref(), Some(&account.id));
        assert_eq!(row.item, item.id);
        assert_eq!(row.units.unwrap().to_string(), "1.50");
        assert_eq!(created.items[0].id, item.id.as_str());
        assert_eq!(created.items[0].key.as_deref(), Some("vti"));
    }

    #[test]
    fn what_cannot_be_a_batch_is_refused_with_its_field() {
        let cash = |key: &str| json!({"key": key, "name": "Cash", "kind": "cash"});
        for (arguments, code, field) in [
            (json!({}), "invalid_input", "transactions"),
            (
                json!({"items": [cash("a"), cash("a")]}),
                "invalid_input",
                "items[1].key",
            ),
            (
                json!({"items": [cash(&new_id("itm"))]}),
                "invalid_input",
                "items[0].key",
            ),
            (
                json!({"items": [cash("a"), cash("b"), cash("c"), cash("d")]}),
                "invalid_input",
                "items",
            ),
            (
                json!({"prices": [{"item": "x", "date": "2024-01-02", "price": "1"}]}),
                "not_found",
                "prices[0].item",
            ),
            (
                json!({"items": [{"name": "Gold", "kind": "other", "currency": "ZZZ"}]}),
                "invalid_input",
                "items[0].currency",
            ),
            (
                json!({"items": [cash("a")], "reconciliations": [{"item": "a", "date": "2024-01-02"}]}),
                "invalid_input",
                "reconciliations[0].units",
            ),
        ] {
            let fault = built(arguments.clone()).unwrap_err();
            assert_eq!(
                (fault.code.as_ref(), fault.field.as_deref()),
                (code, Some(field)),
                "{arguments}"
            );
        }
    }
}

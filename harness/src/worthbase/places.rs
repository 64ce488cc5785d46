//! Every place where a tool takes an id: what a book holds one of each kind of, and the call that names it there.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use ulid::Ulid;

use super::Call;

/// The kinds of id that a book gives out, by the name a place uses, with their prefixes.
pub const KINDS: [(&str, &str); 17] = [
    ("cash", "itm"),
    ("spare", "itm"),
    ("security", "itm"),
    ("property", "itm"),
    ("loan", "itm"),
    ("account", "acc"),
    ("party", "pty"),
    ("transaction", "txn"),
    ("valuation", "val"),
    ("price", "prc"),
    ("lot", "lot"),
    ("batch", "bat"),
    ("preview", "prv"),
    ("goal", "gol"),
    ("loss", "los"),
    ("invite", "inv"),
    ("member", "usr"),
];

/// One id of each kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ids(BTreeMap<&'static str, String>);

impl Ids {
    /// Ids of every kind that nobody was ever given.
    #[must_use]
    pub fn never_given_out() -> Self {
        let fresh = KINDS.map(|(kind, prefix)| (kind, format!("{prefix}_{}", Ulid::new())));
        Self(fresh.into())
    }

    /// Keeps an id.
    pub fn keep(&mut self, kind: &'static str, id: impl Into<String>) {
        self.0.insert(kind, id.into());
    }

    /// The id of a kind; empty where the book holds none.
    #[must_use]
    pub fn of(&self, kind: &str) -> &str {
        self.0.get(kind).map_or("", String::as_str)
    }

    /// Every id changed in one way.
    #[must_use]
    pub fn each(&self, change: impl Fn(&str) -> String) -> Self {
        let changed = self.0.iter().map(|(kind, id)| (*kind, change(id)));
        Self(changed.collect())
    }

    /// All ids.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.0.values().map(String::as_str)
    }
}

/// The call that names `theirs` at `place` and is right in everything else for the book of `own`; none where there is no
/// such place. With `own` in both it is a call that must be accepted.
#[must_use]
pub fn call_at(place: &str, own: &Ids, theirs: &Ids) -> Option<Call> {
    reading(place, own, theirs)
        .or_else(|| changing(place, own, theirs))
        .or_else(|| recording(place, own, theirs))
}

fn reading(place: &str, own: &Ids, theirs: &Ids) -> Option<Call> {
    let period = |member: &str, id: &str| json!({ "from": "2024-01-01", "to": "2024-06-30", "interval": "month", member: id });
    Some(match place {
        "get_item" => Call::get_item(theirs.of("cash")),
        "get_performance, item" => {
            Call::raw("get_performance", json!({ "item": theirs.of("security") }))
        }
        "get_performance, party" => {
            Call::raw("get_performance", json!({ "party": theirs.of("party") }))
        }
        "get_net_worth, party" => Call::get_net_worth(None, None, Some(theirs.of("party"))),
        "get_history, party" => Call::raw("get_history", period("party", theirs.of("party"))),
        "list_items, party" => Call::raw("list_items", json!({ "party": theirs.of("party") })),
        "list_items, account" => {
            Call::raw("list_items", json!({ "account": theirs.of("account") }))
        }
        "simulate_sale, item" => Call::raw(
            "simulate_sale",
            json!({ "item": theirs.of("security"), "price": "10" }),
        ),
        "simulate_sale, lot" => Call::raw(
            "simulate_sale",
            json!({ "item": own.of("security"), "price": "10", "units": "1",
                "lots": [{ "lot": theirs.of("lot"), "units": "1" }] }),
        ),
        "undo, asked" => Call::preview_undo(theirs.of("batch")),
        _ => return None,
    })
}

fn changing(place: &str, own: &Ids, theirs: &Ids) -> Option<Call> {
    let void = |list: &str, kind: &str| Call::raw("void", json!({ list: [theirs.of(kind)] }));
    let owners = |item: &str, party: &str| {
        Call::raw(
            "set_owners",
            json!({ "item": item, "owners": [{ "party": party, "percent": "100" }] }),
        )
    };
    let link = |from: &str, to: &str| {
        Call::raw(
            "link_items",
            json!({ "from": from, "to": to, "relation": "secured_by" }),
        )
    };
    Some(match place {
        "commit" => Call::commit(theirs.of("preview")),
        "undo" => Call::undo(theirs.of("batch")),
        "reconcile" => Call::reconcile(theirs.of("cash"), "2024-03-31", "value", "1"),
        "update_item, item" => Call::raw(
            "update_item",
            json!({ "item": theirs.of("cash"), "notes": "changed" }),
        ),
        "update_item, account" => Call::raw(
            "update_item",
            json!({ "item": own.of("spare"), "account": theirs.of("account") }),
        ),
        "set_owners, item" => owners(theirs.of("spare"), own.of("party")),
        "set_owners, party" => owners(own.of("spare"), theirs.of("party")),
        "link_items, from" => link(theirs.of("loan"), own.of("property")),
        "link_items, to" => link(own.of("loan"), theirs.of("property")),
        "archive_item" => Call::raw("archive_item", json!({ "item": theirs.of("spare") })),
        "void, transaction" => void("transactions", "transaction"),
        "void, valuation" => void("valuations", "valuation"),
        "void, price" => void("prices", "price"),
        "set_goal" => Call::raw(
            "set_goal",
            json!({ "goal": theirs.of("goal"), "name": "changed" }),
        ),
        "set_loss" => Call::raw(
            "set_loss",
            json!({ "loss": theirs.of("loss"), "note": "changed" }),
        ),
        "set_loss, party" => Call::raw(
            "set_loss",
            json!({ "party": theirs.of("party"), "kind": "capital", "year": 2021, "amount": "1" }),
        ),
        "save_party" => Call::raw(
            "save_party",
            json!({ "party": theirs.of("party"), "name": "Changed", "kind": "trust" }),
        ),
        "save_account" => Call::raw(
            "save_account",
            json!({ "account": theirs.of("account"), "name": "Changed", "kind": "bank" }),
        ),
        "save_account, party" => Call::raw(
            "save_account",
            json!({ "name": "Further", "kind": "bank", "party": theirs.of("party") }),
        ),
        "members, invite" => Call::revoke_invite(theirs.of("invite")),
        "members, member" => Call::set_role(theirs.of("member"), "admin"),
        "members, party" => Call::set_party(own.of("member"), theirs.of("party")),
        _ => return None,
    })
}

/// Places inside `record`, which only previews.
fn recording(place: &str, own: &Ids, theirs: &Ids) -> Option<Call> {
    let list = |name: &str, row: Value| Some(Call::raw("record", json!({ name: [row] })));
    let transaction = |item: &str| json!({ "item": item, "type": "deposit", "date": "2024-03-01", "amount": "1.00" });
    let measure =
        |item: &str, member: &str| json!({ "item": item, "date": "2024-03-01", member: "1.00" });
    let transfer = |from: &str, to: &str| json!({ "from_item": from, "to_item": to, "date": "2024-03-01", "amount": "1.00" });
    let sale = |cash: Option<&str>, lot: Option<&str>| {
        let mut row = json!({ "item": own.of("security"), "type": "sell", "date": "2024-03-01", "units": "1", "amount": "10.00" });
        if let Some(cash) = cash {
            row["cash_item"] = json!(cash);
        }
        if let Some(lot) = lot {
            row["lots"] = json!([{ "lot": lot, "units": "1" }]);
        }
        row
    };
    match place {
        "record, item of a transaction" => list("transactions", transaction(theirs.of("cash"))),
        "record, cash item" => list("transactions", sale(Some(theirs.of("cash")), None)),
        "record, lot" => list("transactions", sale(None, Some(theirs.of("lot")))),
        "record, item of a valuation" => {
            list("valuations", measure(theirs.of("property"), "value"))
        }
        "record, item of a price" => list("prices", measure(theirs.of("security"), "price")),
        "record, item of a check" => list("reconciliations", measure(theirs.of("cash"), "value")),
        "record, transfer from" => list("transfers", transfer(theirs.of("cash"), own.of("spare"))),
        "record, transfer to" => list("transfers", transfer(own.of("cash"), theirs.of("spare"))),
        "record, account of an item" => list(
            "items",
            json!({ "name": "Jar", "kind": "cash", "account": theirs.of("account"),
                "owners": [{ "party": own.of("party"), "percent": "100" }] }),
        ),
        "record, owner of an item" => list(
            "items",
            json!({ "name": "Jar", "kind": "cash",
                "owners": [{ "party": theirs.of("party"), "percent": "100" }] }),
        ),
        _ => None,
    }
}

/// A name of the book's own that no other book may show.
#[must_use]
pub fn marked(mark: &str, what: &str) -> String {
    format!("{mark} {what}")
}

/// One of everything, as the arguments of one `record`: items, rows of every list, under names with `mark`. Amounts are
/// given by the caller, so that every book has figures of its own.
#[must_use]
pub fn one_of_everything(mark: &str, amount: &str, account: &str, party: &str) -> Call {
    let item = |key: &str, kind: &str| {
        json!({ "key": key, "name": marked(mark, key), "kind": kind, "notes": marked(mark, "note"),
            "owners": [{ "party": party, "percent": "100" }] })
    };
    let mut cash = item("cash", "cash");
    cash["account"] = json!(account);
    let row = |item: &str, kind: &str| {
        json!({ "item": item, "type": kind, "date": "2024-01-02", "amount": amount,
            "external_ref": format!("{item}-1"), "note": marked(mark, "row") })
    };
    let mut buy = row("security", "buy");
    buy["units"] = json!("10");
    let mut small = row("cash", "deposit");
    small["external_ref"] = json!("cash-2");
    small["amount"] = json!("1");
    Call::raw(
        "record",
        json!({
            "source": { "kind": "csv", "name": marked(mark, "file.csv") },
            "items": [cash, item("spare", "cash"), item("security", "security"), item("property", "property"), item("loan", "loan")],
            "transactions": [row("cash", "deposit"), small, buy, row("loan", "opening_balance")],
            "valuations": [{ "item": "property", "date": "2024-01-02", "value": amount }],
            "prices": [{ "item": "security", "date": "2024-01-02", "price": amount }],
            "dry_run": false,
        }),
    )
}

/// Every question about a whole book.
#[must_use]
pub fn questions() -> Vec<Call> {
    let mut calls = vec![
        Call::get_overview(),
        Call::raw("list_items", json!({ "include_archived": true })),
        Call::raw("list_batches", json!({})),
        Call::raw("get_performance", json!({})),
        Call::raw("get_debt_report", json!({})),
        Call::raw("get_goals", json!({})),
        Call::raw("get_losses", json!({})),
        Call::list_members(),
    ];
    for by in ["class", "kind", "party", "account", "item"] {
        calls.push(Call::get_net_worth(None, Some(by), None));
        calls.push(Call::raw(
            "get_history",
            json!({ "from": "2024-01-01", "to": "2024-06-30", "interval": "quarter", "by": by }),
        ));
    }
    calls
}

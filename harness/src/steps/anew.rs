//! Steps that enter a book anew from what it shows: what is shown must be enough to give the same figures.

use std::collections::BTreeMap;

use cucumber::{then, when};
use serde_json::{Map, Value, json};

use super::{
    book::{before, open, store},
    people::{Who, desk, meet},
    writing::Day,
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Batch, Call, Desk, Figure, Period,
        result::{Changed, SavedParty},
    },
};

/// Fields of a shown row that are rows' own; ids, batches and what the server worked out are not entered again.
const ROW_FIELDS: [&str; 14] = [
    "type",
    "date",
    "units",
    "amount",
    "fees",
    "currency",
    "fx_rate",
    "to",
    "from",
    "acquired_on",
    "to_amount",
    "value",
    "price",
    "external_ref",
];

/// The raw items of a book, in the order listed.
async fn raw_items(desk: &Desk) -> Result<Vec<Value>, Failure> {
    let mut raw = Vec::new();
    for item in desk.items().await? {
        raw.push(desk.send(&Call::get_item(&item.id)).await?.accepted()?);
    }
    Ok(raw)
}

/// Somebody opens a book of their own in the same currency and enters everything that another book shows: parties, items
/// with their owners, rows in the order of their dates, links.
#[when(expr = "{person} enters all that {person}'s book shows into a new one")]
async fn enters_anew(scene: &mut Scene, who: Who, other: Who) -> Result<(), Failure> {
    let other = meet(scene, &other).await?;
    let theirs = desk(scene, &other)?;
    let source = before(scene, &other)?.clone();
    let currency = theirs.net_worth(None, None, None).await?.currency;
    let raw = raw_items(&theirs).await?;
    let name = meet(scene, &who).await?;
    open(scene, &name, &format!("{name}'s copy"), &currency).await?;
    let mine = desk(scene, &name)?;
    let own = before(scene, &name)?.parties.values().next().cloned();
    let mut parties = BTreeMap::new();
    for (party, id) in &source.parties {
        // The first person's own party is the copy's own; the others are made.
        let new = match own.clone().filter(|_| *party == other) {
            Some(own) => own,
            None => {
                let saved: SavedParty = mine
                    .send(&Call::add_party(party, "trust"))
                    .await?
                    .accepted()?;
                saved.party.id
            }
        };
        parties.insert(id.clone(), new);
    }
    let batch = copied(&raw, &parties)?;
    let recorded = store(scene, &name, &batch).await?;
    let new_id = |old: &Value| {
        let found = raw.iter().find(|item| item["id"] == *old)?;
        let created = recorded.created.items.iter();
        let created = created
            .clone()
            .find(|item| found["name"] == item.name.as_str());
        created.map(|item| item.id.clone())
    };
    let mut linked = Vec::new();
    for link in raw.iter().flat_map(|item| list(item, "links")) {
        if linked.contains(&link) {
            continue;
        }
        linked.push(link);
        if let (Some(from), Some(to), Some(relation)) = (
            new_id(&link["from"]),
            new_id(&link["to"]),
            link["relation"].as_str(),
        ) {
            let call = Call::link(&from, &to, relation);
            let _: Changed = mine.send(&call).await?.accepted()?;
        }
    }
    Ok(())
}

fn list<'a>(item: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    item[name].as_array().into_iter().flatten()
}

/// One batch of everything that the items show.
fn copied(raw: &[Value], parties: &BTreeMap<String, String>) -> Result<Batch, Failure> {
    let mut batch = Batch::new();
    let mut rows: Vec<(&'static str, Value)> = Vec::new();
    let mut moved = Vec::new();
    let mut key = 0;
    let keys: BTreeMap<&str, String> = raw
        .iter()
        .filter_map(|item| {
            key += 1;
            Some((item["id"].as_str()?, format!("copy-{key}")))
        })
        .collect();
    let key_of = |id: &Value| id.as_str().and_then(|id| keys.get(id)).cloned();
    for item in raw {
        let owners = list(item, "owners").map(|owner| {
            let party = owner["party"].as_str().and_then(|id| parties.get(id));
            json!({ "party": party, "percent": owner["percent"] })
        });
        batch.push(
            "items",
            json!({
                "key": key_of(&item["id"]), "name": item["name"], "kind": item["kind"], "currency": item["currency"],
                "owners": owners.collect::<Value>(),
            }),
        );
        for (shown, name) in [
            ("transactions", "transactions"),
            ("valuations", "valuations"),
            ("prices", "prices"),
        ] {
            for row in list(item, shown) {
                let mut row = fields(row);
                row.insert("item".to_owned(), json!(key_of(&item["id"])));
                rows.push((name, Value::Object(row)));
            }
        }
        for transfer in list(item, "transfers") {
            if moved.contains(&&transfer["id"]) {
                continue;
            }
            moved.push(&transfer["id"]);
            let mut row = fields(transfer);
            row.remove("currency");
            row.insert(
                "from_item".to_owned(),
                json!(key_of(&transfer["from_item"])),
            );
            row.insert("to_item".to_owned(), json!(key_of(&transfer["to_item"])));
            rows.push(("transfers", Value::Object(row)));
        }
    }
    if rows.is_empty() {
        return Err(Failure::expected("rows to enter anew").actual("none"));
    }
    rows.sort_by(|(_, one), (_, other)| one["date"].as_str().cmp(&other["date"].as_str()));
    for (list, row) in rows {
        batch.push(list, row);
    }
    Ok(batch)
}

fn fields(row: &Value) -> Map<String, Value> {
    let members = row.as_object().cloned().unwrap_or_default();
    let own = members
        .into_iter()
        .filter(|(name, value)| ROW_FIELDS.contains(&name.as_str()) && !value.is_null());
    own.collect()
}

/// What two books show in common, by the names of their items: net worth, lots, performance and debts.
async fn figures(desk: &Desk, day: &str) -> Result<Vec<(String, Vec<Figure>)>, Failure> {
    let mut seen = Vec::new();
    let worth = desk.net_worth(Some(day), Some("item"), None).await?;
    seen.push((
        "net worth".to_owned(),
        vec![worth.assets, worth.liabilities, worth.net_worth, worth.cash],
    ));
    let mut names = BTreeMap::new();
    for item in desk.items().await? {
        let detail = desk.item(&item.id).await?;
        for lot in &detail.lots {
            let figures = vec![lot.units.clone(), lot.cost_base.clone()];
            seen.push((
                format!("lot of {} of {}", lot.acquired_on, item.name),
                figures,
            ));
        }
        for sale in &detail.sales {
            let figures = vec![sale.net_proceeds.clone(), sale.gain.clone()];
            seen.push((format!("sale on {} of {}", sale.date, item.name), figures));
        }
        names.insert(item.id, item.name);
    }
    let name = |id: &str| names.get(id).cloned().unwrap_or_default();
    for part in worth.breakdown {
        seen.push((
            format!("value of {}", part.name),
            part.value.into_iter().collect(),
        ));
    }
    let performance = desk.performance(Period::until(day), None, None).await?;
    for one in performance.items {
        let returns = one.returns;
        let figures = [returns.gain, returns.xirr, Some(returns.money_in)];
        seen.push((
            format!("performance of {}", name(&one.item)),
            figures.into_iter().flatten().collect(),
        ));
    }
    let debts = desk.debts(Some(day)).await?;
    for property in debts.properties {
        let figures = [Some(property.secured_debt), property.equity, property.lvr];
        seen.push((
            format!("debt on {}", name(&property.item)),
            figures.into_iter().flatten().collect(),
        ));
    }
    for loan in debts.loans {
        let figures = [loan.balance, loan.net_of_offset];
        seen.push((
            format!("loan {}", name(&loan.item)),
            figures.into_iter().flatten().collect(),
        ));
    }
    seen.push(("total debt".to_owned(), vec![debts.totals.total_debt]));
    seen.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(seen)
}

/// Two books show the same figures on a day, as numbers, item by item.
#[then(expr = "{person}'s book and {person}'s show the same figures on {day}")]
async fn same_figures(scene: &mut Scene, who: Who, other: Who, day: Day) -> Result<(), Failure> {
    let (name, other) = (meet(scene, &who).await?, meet(scene, &other).await?);
    let copy = figures(&desk(scene, &name)?, &day.0).await?;
    let original = figures(&desk(scene, &other)?, &day.0).await?;
    for (expected, actual) in original.iter().zip(&copy) {
        if expected != actual {
            return Err(Failure::expected(format!("{expected:?}")).actual(format!("{actual:?}")));
        }
    }
    if original.len() == copy.len() {
        return Ok(());
    }
    Err(Failure::expected(format!("{} figures", original.len())).actual(copy.len()))
}

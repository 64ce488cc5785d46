//! `void`: rows that count no more, as a batch that can be undone.

use std::collections::HashSet;

use proofmark_ledger::batch::Void;
use proofmark_ledger::ids::RowId;
use proofmark_ledger::{Change, Draft, RowList};
use serde_json::{Value, json};

use super::super::Worthbase;
use super::super::access::Desk;
use super::super::arguments::{missing, not_found, text};
use super::super::draft::Created;
use super::super::history::Book;
use super::super::identifiers::new_id;
use super::super::rates::Rates;
use super::super::shown;
use super::super::writing::Intent;
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;
use crate::rules::{FetchedVoid, Rules, UnknownRows, VoidReach};

/// Applies at once; refused as a whole if one id is unknown or the ledger would no longer replay.
pub(in super::super) async fn void(
    server: &Worthbase,
    desk: &Desk,
    arguments: &JsonObject,
) -> Result<Value, Fault> {
    let book = server.books.load(&desk.membership.workspace).await?;
    let rows = rows(&book, arguments, &server.rules)?;
    if rows.is_empty() {
        return Err(missing(
            "transactions",
            "Name at least one transaction, valuation or price to void.",
        ));
    }
    let reason = text(arguments, "reason").map(str::to_owned);
    let draft_of = |rows: Vec<RowId>| Draft {
        batch: new_id("bat").into(),
        today: desk.visitor.today(),
        changes: vec![Change::Void(Void {
            rows,
            reason: reason.clone(),
        })],
    };
    if server.rules.writes.void_reach == VoidReach::OneByOne {
        let rates = Rates::load(&server.bank, &book.ledger, &[]).await;
        for row in &rows {
            let alone = book
                .ledger
                .assess(&draft_of(vec![row.clone()]), &*rates.table);
            alone.map_err(|refusal| rates.refused(&refusal))?;
        }
    }
    let draft = draft_of(rows.clone());
    let intent = Intent {
        draft,
        created: Created::default(),
        source: None,
    };
    let written = server.write(desk, "void", &intent, None).await?;
    let warnings: Vec<Value> = written
        .assessment
        .warnings
        .iter()
        .map(|warning| shown::warning(warning, &intent.draft.changes, &written.before))
        .collect();
    Ok(json!({
        "workspace": desk.workspace(),
        "batch": written.assessment.batch.id,
        "voided": rows,
        "warnings": warnings,
        "net_worth": shown::net_worth_change(&written.assessment.net_worth),
    }))
}

/// The rows named, each once and each one that counts now.
fn rows(book: &Book, arguments: &JsonObject, rules: &Rules) -> Result<Vec<RowId>, Fault> {
    let active = book
        .ledger
        .batches()
        .iter()
        .flat_map(|batch| &batch.changes);
    let fetched = book.ledger.fetched_prices();
    let fetched = fetched.filter(|_| rules.prices.fetched_void == FetchedVoid::Voidable);
    let mut known: HashSet<(RowList, String)> = fetched
        .map(|price| (RowList::Prices, price.id.to_string()))
        .collect();
    let mut voided: HashSet<&str> = HashSet::new();
    for change in active {
        match change {
            Change::Void(void) => voided.extend(void.rows.iter().map(AsRef::as_ref)),
            row => {
                known.insert((row.list(), row.name()));
            }
        }
    }
    let lists = [
        (
            "transactions",
            vec![RowList::Transactions, RowList::Transfers],
        ),
        ("valuations", vec![RowList::Valuations]),
        ("prices", vec![RowList::Prices]),
    ];
    let mut rows: Vec<RowId> = Vec::new();
    for (list, kinds) in lists {
        let ids = arguments
            .get(list)
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        for (index, id) in ids.enumerate() {
            let id = id.as_str().unwrap_or_default();
            let there = kinds
                .iter()
                .any(|kind| known.contains(&(*kind, id.to_owned())));
            if !there || voided.contains(id) {
                if rules.writes.unknown_rows == UnknownRows::LeftOut {
                    continue;
                }
                return Err(not_found(&format!("{list}[{index}]")));
            }
            if !rows.iter().any(|row| row.as_str() == id) {
                rows.push(id.into());
            }
        }
    }
    Ok(rows)
}

//! `undo`: takes a whole batch back, by a log entry that marks it.

use std::collections::BTreeSet;

use proofmark_ledger::ids::BatchId;
use proofmark_ledger::{Batch, Change};
use serde_json::{Value, json};

use super::super::Worthbase;
use super::super::access::{Desk, failed};
use super::super::arguments::{not_found, text};
use super::super::history::{Book, Provenance};
use super::super::identifiers::figure;
use super::super::rates::Rates;
use super::super::shown;
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;
use crate::rules::{DryRunDefault, SecondUndo, UnknownUndo};
use crate::store::{AppendError, EntryKind, NewEntry};

/// How often an undo is judged again because something else was written first.
const ROUNDS: usize = 100;

/// Previews by default; judged on the ledger as it is when it is carried out.
pub(in super::super) async fn undo(
    server: &Worthbase,
    desk: &Desk,
    arguments: &JsonObject,
) -> Result<Value, Fault> {
    let id = text(arguments, "batch").unwrap_or_default();
    let previews = server.rules.writes.undo_default == DryRunDefault::Previews;
    let dry_run = arguments
        .get("dry_run")
        .and_then(Value::as_bool)
        .unwrap_or(previews);
    let workspace = &desk.membership.workspace;
    for round in 0..ROUNDS {
        let book = match round {
            0 => server.books.load(workspace).await?,
            // Something else was written since the call came in.
            _ => server.books.load_latest(workspace).await?,
        };
        let Some(recorded) = book.batch(id) else {
            return match server.rules.writes.unknown_undo {
                UnknownUndo::Refused => Err(not_found("batch")),
                UnknownUndo::Succeeds => nothing_undone(server, desk, &book, id).await,
            };
        };
        if recorded.undone_at.is_some() {
            return match server.rules.writes.second_undo {
                SecondUndo::Refused => Err(Fault::new(
                    "already_undone",
                    "This batch was undone before; nothing of it counts any more. list_batches shows what can be undone.",
                )
                .at("batch")),
                SecondUndo::Succeeds => nothing_undone(server, desk, &book, id).await,
            };
        }
        let batch = std::sync::Arc::clone(&recorded.batch);
        let rates = Rates::load(&server.bank, &book.ledger, &[]).await;
        let removal = book
            .ledger
            .assess_without(&BatchId::from(id), desk.visitor.today(), &*rates.table)
            .map_err(|refusal| rates.refused(&refusal))?;
        let (removed, restored) = taken_back(&book, &batch);
        let warnings: Vec<Value> = removal
            .warnings
            .iter()
            .map(|warning| shown::warning(warning, &[], &book))
            .collect();
        let answer = json!({
            "workspace": desk.workspace(),
            "batch": id,
            "status": if dry_run { "committed" } else { "undone" },
            "removed": removed,
            "restored": restored,
            "warnings": warnings,
            "net_worth": shown::net_worth_change(&removal.net_worth),
        });
        if dry_run {
            return Ok(answer);
        }
        let entry = NewEntry {
            kind: EntryKind::Undo,
            batch: id.to_owned(),
            at: desk.visitor.now,
            provenance: serde_json::to_string(&Provenance::of(&desk.visitor, "undo"))
                .map_err(failed)?,
            changes: None,
            preview: None,
        };
        match server
            .store
            .append(desk.workspace(), book.head, &entry)
            .await
        {
            Ok(_) => return Ok(answer),
            Err(AppendError::HeadMoved) => {}
            Err(error) => return Err(failed(error)),
        }
    }
    Err(Fault::internal())
}

async fn nothing_undone(
    server: &Worthbase,
    desk: &Desk,
    book: &Book,
    id: &str,
) -> Result<Value, Fault> {
    let now = server.today_worth(desk, book).await?;
    Ok(json!({
        "workspace": desk.workspace(),
        "batch": id,
        "status": "undone",
        "removed": [],
        "restored": [],
        "warnings": [],
        "net_worth": { "before": figure(now), "after": figure(now), "change": "0", "currency": book.ledger.base() },
    }))
}

/// What would be gone without `batch`, and what would count again.
fn taken_back(book: &Book, batch: &Batch) -> (Vec<Value>, Vec<Value>) {
    let others: BTreeSet<String> = book
        .ledger
        .batches()
        .iter()
        .filter(|other| other.id != batch.id)
        .flat_map(|other| &other.changes)
        .filter(|change| {
            matches!(
                change,
                Change::Party(_) | Change::Account(_) | Change::Goal(_) | Change::Loss(_)
            )
        })
        .map(Change::name)
        .collect();
    let (mut removed, mut restored) = (Vec::new(), Vec::new());
    for change in &batch.changes {
        if let Change::Void(void) = change {
            restored.extend(
                void.rows
                    .iter()
                    .map(|row| json!({ "kind": "row", "id": row })),
            );
            continue;
        }
        let (kind, name) = match change {
            Change::Party(party) => ("party", Some(&party.name)),
            Change::Account(account) => ("account", Some(&account.name)),
            Change::Item(item) => ("item", Some(&item.name)),
            Change::Transaction(_) => ("transaction", None),
            Change::Transfer(_) => ("transfer", None),
            Change::Valuation(_) => ("valuation", None),
            Change::Price(_) => ("price", None),
            Change::Reconciliation(_) => ("reconciliation", None),
            Change::UpdateItem(_) => ("update", None),
            Change::Archive(_) => ("archive", None),
            Change::Link(_) => ("link", None),
            Change::Goal(_) => ("goal", None),
            Change::Loss(_) => ("loss", None),
            _ => ("owners", None),
        };
        let id = change.name();
        let changes_back = !matches!(
            change,
            Change::Party(_) | Change::Account(_) | Change::Goal(_) | Change::Loss(_)
        ) && change.row_id().is_none()
            && !matches!(change, Change::Item(_));
        // What an earlier batch made goes back to what it was; so does an item without this change.
        let list = if others.contains(&id) || changes_back {
            &mut restored
        } else {
            &mut removed
        };
        list.push(shown::without_nulls(
            json!({ "kind": kind, "id": id, "name": name }),
        ));
    }
    (removed, restored)
}

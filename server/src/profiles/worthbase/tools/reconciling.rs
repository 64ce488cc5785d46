//! `reconcile`: one figure of a statement against the ledger's own, recorded either way.

use proofmark_ledger::rows::Reconciliation;
use proofmark_ledger::{Change, Draft};
use serde_json::{Value, json};

use super::super::Worthbase;
use super::super::access::Desk;
use super::super::arguments::read;
use super::super::draft::Created;
use super::super::identifiers::new_id;
use super::super::rows::ReconciliationRow;
use super::super::shown;
use super::super::writing::Intent;
use super::parties::without_place;
use super::recording::set;
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;

/// Applies at once; changes no figure.
pub(in super::super) async fn reconcile(
    server: &Worthbase,
    desk: &Desk,
    arguments: JsonObject,
) -> Result<Value, Fault> {
    let source = arguments.get("source").cloned();
    let asked: ReconciliationRow = read(arguments)?;
    let row = Reconciliation {
        id: new_id("rec").into(),
        item: asked.item.as_str().into(),
        date: asked.date,
        figure: asked.figure()?,
        source: None,
        result: None,
    };
    let draft = Draft {
        batch: new_id("bat").into(),
        today: desk.visitor.today(),
        changes: vec![Change::Reconciliation(row)],
    };
    let intent = Intent {
        draft,
        created: Created::default(),
        source,
    };
    let written = server
        .write(desk, "reconcile", &intent, None)
        .await
        .map_err(|fault| without_place(fault, "reconciliations[0]"))?;
    let after = &written.assessment.after;
    let mut answer = written
        .assessment
        .batch
        .changes
        .iter()
        .find_map(|change| match change {
            Change::Reconciliation(row) => {
                let currency = after.item(&row.item)?.currency;
                Some(shown::reconciliation(row, currency, &written.before, None))
            }
            _ => None,
        })
        .ok_or_else(Fault::internal)?;
    set(&mut answer, "workspace", json!(desk.workspace()));
    set(&mut answer, "batch", json!(written.assessment.batch.id));
    set(
        &mut answer,
        "net_worth",
        shown::net_worth_change(&written.assessment.net_worth),
    );
    Ok(answer)
}

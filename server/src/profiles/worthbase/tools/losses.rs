//! `get_losses` and `set_loss`: losses carried forward, which no net worth knows of.

use proofmark_ledger::changes::LossChange;
use proofmark_ledger::model::{Currency, Loss};
use proofmark_ledger::{Change, Ledger, LossTotal};
use serde_json::{Value, json};

use super::super::Worthbase;
use super::super::access::{Desk, failed};
use super::super::arguments::read;
use super::super::identifiers::{figure, new_id};
use super::super::shown::party_name;
use super::parties::{apply, saved};
use super::recording::set;
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;

/// The losses that are not archived, with what is left per party and kind.
pub(in super::super) async fn get_losses(server: &Worthbase, desk: &Desk) -> Result<Value, Fault> {
    let book = server.books.load(&desk.membership.workspace).await?;
    let ledger = &book.ledger;
    let base = ledger.base();
    let losses = ledger
        .open_losses()
        .map(|loss| shown_loss(loss, ledger))
        .collect::<Result<Vec<_>, _>>()?;
    let totals: Vec<Value> = ledger
        .loss_totals()
        .map_err(failed)?
        .iter()
        .map(|totals| {
            let mut shown = total(&totals.total, base);
            set(&mut shown, "party", json!(totals.party));
            set(&mut shown, "name", json!(party_name(&totals.party, ledger)));
            let kinds: Vec<Value> = totals
                .kinds
                .iter()
                .map(|(kind, of_kind)| {
                    let mut shown = total(of_kind, base);
                    set(&mut shown, "kind", json!(kind));
                    shown
                })
                .collect();
            set(&mut shown, "kinds", Value::Array(kinds));
            shown
        })
        .collect();
    Ok(json!({
        "workspace": desk.workspace(),
        "currency": base,
        "losses": losses,
        "totals": totals,
    }))
}

/// Records a loss, or changes the fields that are given.
pub(in super::super) async fn set_loss(
    server: &Worthbase,
    desk: &Desk,
    mut arguments: JsonObject,
) -> Result<Value, Fault> {
    let create = !arguments.contains_key("loss");
    arguments.shift_remove("workspace");
    if create {
        arguments.insert("loss".to_owned(), Value::String(new_id("los")));
        arguments.insert("create".to_owned(), Value::Bool(true));
    }
    if let Some(archive) = arguments.shift_remove("archive") {
        arguments.insert("archived".to_owned(), archive);
    }
    let change: LossChange = read(arguments)?;
    let id = change.loss.clone();
    let written = apply(server, desk, "set_loss", Change::Loss(change), "losses[0]").await?;
    let after = &written.assessment.after;
    let loss = after.losses().find(|loss| loss.id == id);
    let shown = shown_loss(loss.ok_or_else(Fault::internal)?, after)?;
    Ok(saved(desk, "loss", shown, &written))
}

fn total(total: &LossTotal, currency: Currency) -> Value {
    json!({
        "amount": figure(total.amount),
        "used": figure(total.used),
        "remaining": figure(total.remaining),
        "currency": currency,
    })
}

fn shown_loss(loss: &Loss, ledger: &Ledger) -> Result<Value, Fault> {
    let mut shown = json!({
        "id": loss.id,
        "party": loss.party,
        "party_name": party_name(&loss.party, ledger),
        "kind": loss.kind,
        "year": loss.year,
        "amount": loss.amount.to_string(),
        "used": loss.used.to_string(),
        "remaining": figure(loss.remaining().map_err(failed)?),
        "currency": ledger.base(),
        "archived": loss.archived,
    });
    if let Some(note) = &loss.note {
        set(&mut shown, "note", json!(note));
    }
    Ok(shown)
}

//! How a refusal of the ledger reads on the wire.

use proofmark_ledger::{Refusal, RefusalCode};
use serde_json::json;

use crate::mcp::fault::Fault;

/// The fault of `refusal`: its code, how to fix it, the path to the field, and the failing row where that is another one.
pub(super) fn refused(refusal: &Refusal) -> Fault {
    let mut fault = Fault::new(refusal.code.name(), message(refusal));
    fault.field = refusal
        .path()
        .filter(|_| refusal.code != RefusalCode::WouldNotReplay);
    let stored = refusal
        .row
        .as_ref()
        .filter(|row| row.index.is_none() && !row.id.is_empty());
    if let Some(row) = stored.filter(|_| refusal.code == RefusalCode::WouldNotReplay) {
        fault = fault.with(
            "row",
            json!({
                "list": row.list.name(),
                "id": row.id,
                "date": row.date.map(|date| date.to_string()),
                "batch": refusal.batch.as_ref().map(ToString::to_string),
                "code": refusal.cause.map(RefusalCode::name),
            }),
        );
    }
    fault
}

/// An id that is not there is answered by one constant text, so that a foreign id reads like one never issued.
fn message(refusal: &Refusal) -> String {
    match refusal.code {
        RefusalCode::NotFound => {
            "Nothing in this workspace has this id or key. Use an id that a read tool shows, or a key of the same batch.".to_owned()
        }
        _ => {
            let mut text = refusal.message.clone();
            if let Some(first) = text.get_mut(0..1) {
                first.make_ascii_uppercase();
            }
            if !text.ends_with('.') {
                text.push('.');
            }
            text
        }
    }
}

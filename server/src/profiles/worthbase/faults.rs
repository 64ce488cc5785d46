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
            sentence(&refusal.message)
        }
    }
}

/// A message as a sentence. An id or a name of a field at its beginning stays as it is, or it would be another one.
fn sentence(message: &str) -> String {
    let mut text = message.to_owned();
    let is_name = message
        .split_whitespace()
        .next()
        .is_some_and(|word| word.contains('_'));
    if let Some(first) = text.get_mut(0..1).filter(|_| !is_name) {
        first.make_ascii_uppercase();
    }
    if !text.ends_with('.') {
        text.push('.');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::sentence;

    #[test]
    fn an_id_at_the_beginning_of_a_message_stays_the_id_it_is() {
        let id = "lot_01M8QKFK6EWN3Q3625CGGQ6Z6P";
        assert_eq!(
            sentence(&format!("{id} is not held")),
            format!("{id} is not held.")
        );
        assert_eq!(
            sentence("only 10 units are held."),
            "Only 10 units are held."
        );
        assert_eq!(sentence("the lots add up to 5"), "The lots add up to 5.");
    }
}

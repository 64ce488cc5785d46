//! Ids: prefixed ULIDs, made here and nowhere else.

use proofmark_ledger::decimal::Exact;
use ulid::Ulid;

/// Makes a new id such as `itm_01ARZ3NDEKTSV4RRFFQ69G5FAV`.
pub(super) fn new_id(prefix: &str) -> String {
    format!("{prefix}_{}", Ulid::new())
}

/// Whether `text` has the shape of an id: a prefix of two or three lower-case letters, and 26 characters of Crockford's base 32.
pub(super) fn is_id(text: &str) -> bool {
    text.split_once('_').is_some_and(|(prefix, unique)| {
        (2..=3).contains(&prefix.len())
            && prefix.bytes().all(|byte| byte.is_ascii_lowercase())
            && unique.len() == 26
            && Ulid::from_string(unique).is_ok()
    })
}

/// A figure on the wire: a decimal string.
pub(super) fn figure(value: Exact) -> serde_json::Value {
    serde_json::Value::String(value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_prefix_and_a_ulid() {
        let id = new_id("itm");
        assert!(is_id(&id), "{id}");
        assert_ne!(id, new_id("itm"));
        for text in [
            "itm",
            "itm_1",
            "shares_01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "VTI",
            "my_key",
            "",
        ] {
            assert!(!is_id(text), "{text}");
        }
    }
}

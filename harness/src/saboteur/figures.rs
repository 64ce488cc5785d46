//! Edits of the decimal strings in what a tool says.

use serde_json::{Value, json};

fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    !whole.is_empty()
        && whole.bytes().all(|byte| byte.is_ascii_digit())
        && !fraction.is_empty()
        && fraction.bytes().all(|byte| byte.is_ascii_digit())
}

fn each_decimal(document: &mut Value, edit: &impl Fn(&str) -> Value) {
    match document {
        Value::String(text) if is_decimal(text) => *document = edit(text),
        Value::Object(members) => members
            .values_mut()
            .for_each(|member| each_decimal(member, edit)),
        Value::Array(elements) => elements
            .iter_mut()
            .for_each(|element| each_decimal(element, edit)),
        _ => {}
    }
}

/// Turns every decimal string into a JSON number.
pub fn numbers_for_decimals(document: &mut Value) {
    each_decimal(document, &|text| {
        // The very loss of digits that the requirement forbids.
        text.parse::<f64>()
            .map_or_else(|_| json!(text), |number| json!(number))
    });
}

/// Cuts the zeros at the end of every decimal string.
pub fn cut_trailing_zeros(document: &mut Value) {
    each_decimal(document, &|text| match text.contains('.') {
        true => json!(text.trim_end_matches('0').trim_end_matches('.')),
        false => json!(text),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_decimals_become_numbers() {
        let mut said = json!({"amount": "0.10", "date": "2024-06-30", "id": "itm_01", "n": "-"});
        numbers_for_decimals(&mut said);
        assert_eq!(
            said,
            json!({"amount": 0.1, "date": "2024-06-30", "id": "itm_01", "n": "-"})
        );
    }

    #[test]
    fn trailing_zeros_are_cut_behind_the_point_only() {
        let mut said = json!(["0.00350000", "100", "1.00"]);
        cut_trailing_zeros(&mut said);
        assert_eq!(said, json!(["0.0035", "100", "1"]));
    }
}

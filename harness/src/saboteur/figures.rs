//! Edits of the decimal strings in what a tool says.

use serde_json::{Map, Value, json};

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

/// Turns every JSON number into a decimal string, except limits and years, which are no decimals.
pub fn texts_for_numbers(document: &mut Value) {
    each_member(document, &|name, value| {
        if let Value::Number(number) = value
            && !INTEGERS.contains(&name)
        {
            *value = json!(number.to_string());
        }
    });
}

/// Turns texts of digits into the numbers they show, where whole numbers belong.
pub fn integers_for_texts(document: &mut Value) {
    each_member(document, &|name, value| {
        let number: Option<i64> = value.as_str().and_then(|text| text.parse().ok());
        if let (true, Some(number)) = (INTEGERS.contains(&name), number) {
            *value = json!(number);
        }
    });
}

/// Members that hold whole numbers.
const INTEGERS: [&str; 2] = ["limit", "year"];

fn each_member(document: &mut Value, edit: &impl Fn(&str, &mut Value)) {
    match document {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                edit(name, member);
                each_member(member, edit);
            }
        }
        Value::Array(elements) => elements
            .iter_mut()
            .for_each(|element| each_member(element, edit)),
        _ => {}
    }
}

/// Takes the sign from every negative decimal string.
pub fn without_signs(document: &mut Value) {
    each_decimal(document, &|text| json!(text.trim_start_matches('-')));
}

/// Gives every zero a sign.
pub fn sign_zeros(document: &mut Value) {
    each_decimal(document, &|text| {
        let zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
        json!(if zero {
            format!("-{text}")
        } else {
            text.to_owned()
        })
    });
}

/// Writes small figures with an exponent.
pub fn exponents(document: &mut Value) {
    each_decimal(document, &|text| match text.strip_prefix("0.000000") {
        Some(rest) => json!(format!("0.{rest}e-6")),
        None => json!(text),
    });
}

/// Multiplies some members by a hundred.
pub fn scale(members: &mut Map<String, Value>, names: &[&str]) {
    for name in names {
        if let Some(Value::String(text)) = members.get_mut(*name)
            && is_decimal(text)
        {
            let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
            let fraction = format!("{fraction:0<3}");
            let (moved, rest) = fraction.split_at(2);
            let digits = format!("{whole}{moved}");
            let digits = digits.trim_start_matches('0');
            let whole = if digits.is_empty() { "0" } else { digits };
            *text = format!("{whole}.{rest}");
        }
    }
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
    fn signs_exponents_and_scales_change_the_figure_alone() {
        let mut said = json!({"value": "12.5", "lvr": "0.6875", "zero": "0", "dust": "0.0000007"});
        sign_zeros(&mut said);
        exponents(&mut said);
        if let Some(members) = said.as_object_mut() {
            scale(members, &["value", "lvr"]);
        }
        let expected = json!({"value": "1250.0", "lvr": "68.75", "zero": "-0", "dust": "0.7e-6"});
        assert_eq!(said, expected);
    }

    #[test]
    fn whole_numbers_and_decimals_are_told_apart_by_name() {
        let mut sent = json!({"limit": "10", "amount": 1.5, "rows": [{"amount": "-1"}]});
        integers_for_texts(&mut sent);
        texts_for_numbers(&mut sent);
        without_signs(&mut sent);
        assert_eq!(
            sent,
            json!({"limit": 10, "amount": "1.5", "rows": [{"amount": "1"}]})
        );
    }

    #[test]
    fn trailing_zeros_are_cut_behind_the_point_only() {
        let mut said = json!(["0.00350000", "100", "1.00"]);
        cut_trailing_zeros(&mut said);
        assert_eq!(said, json!(["0.0035", "100", "1"]));
    }
}

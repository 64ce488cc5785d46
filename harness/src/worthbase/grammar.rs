//! How figures must look in any answer: decimal strings of the output grammar, never JSON numbers, and money beside its
//! currency.

use serde_json::{Map, Value};

use super::{Answer, Figure};

/// Members that hold money, so that a currency must stand beside them.
const MONEY: [&str; 21] = [
    "amount",
    "assets",
    "base_amount",
    "before",
    "after",
    "calculated",
    "cash",
    "change",
    "cost_base",
    "difference",
    "fees",
    "gain",
    "investable",
    "liabilities",
    "net_proceeds",
    "net_worth",
    "price",
    "statement",
    "to_amount",
    "unrealised_gain",
    "value",
];
/// Members that hold a decimal that is no money.
const OTHER_DECIMALS: [&str; 4] = ["units", "rate", "fx_rate", "percent"];
/// The money of a rate needs no `currency`: its two currencies stand in `from` and `to`.
const RATE_MEMBERS: [&str; 3] = ["from", "to", "rate"];

/// What is wrong with the figures of one answer, one sentence each; empty if nothing is.
#[must_use]
pub fn faults_in(answer: &Answer) -> Vec<String> {
    let mut faults = Vec::new();
    walk(&answer.body, answer.tool, false, &mut faults);
    let copy: Option<Value> = serde_json::from_str(&answer.text).ok();
    if answer.structured.is_some() && copy.as_ref() != answer.structured.as_deref() {
        faults.push(format!(
            "{}: the text copy and the structured content differ",
            answer.tool
        ));
    }
    faults
}

/// Members whose parts are counts, and so integers: `counts`, `item_counts`.
fn is_count(path: &str) -> bool {
    path.ends_with("counts")
}

/// `currency_known`: whether an enclosing object names the currency.
fn walk(value: &Value, path: &str, currency_known: bool, faults: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            let currency_known = currency_known || names_currency(fields);
            for (name, member) in fields {
                check_member(name, member, path, currency_known, faults);
                walk(member, &format!("{path}.{name}"), currency_known, faults);
            }
        }
        Value::Array(members) => {
            for (place, member) in members.iter().enumerate() {
                walk(member, &format!("{path}[{place}]"), currency_known, faults);
            }
        }
        Value::Number(number) if !number.is_u64() => {
            faults.push(format!("{path} is the JSON number {number}"))
        }
        _ => {}
    }
}

fn names_currency(fields: &Map<String, Value>) -> bool {
    fields.contains_key("currency")
        || RATE_MEMBERS
            .iter()
            .all(|member| fields.contains_key(*member))
}

fn check_member(
    name: &str,
    member: &Value,
    path: &str,
    currency_known: bool,
    faults: &mut Vec<String>,
) {
    let is_money = MONEY.contains(&name);
    let is_base = name == "value_base";
    if is_count(path) || (!is_money && !is_base && !OTHER_DECIMALS.contains(&name)) {
        return;
    }
    match member {
        Value::Number(number) => faults.push(format!("{path}.{name} is the JSON number {number}")),
        Value::String(text) => {
            if let Err(problem) = text.parse::<Figure>() {
                faults.push(format!("{path}.{name}: {problem}"));
            }
            if is_money && !currency_known {
                faults.push(format!("{path}.{name} is {text} without a currency"));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;

    fn faults(body: Value) -> Vec<String> {
        faults_in(&Answer {
            tool: "get_item",
            is_error: false,
            text: body.to_string().into(),
            structured: Some(Arc::new(body.clone())),
            body: Arc::new(body),
        })
    }

    #[test]
    fn decimal_strings_beside_their_currency_are_right() {
        let body = json!({ "currency": "AUD", "position": { "units": "1.50", "value": null }, "rates": [{ "from": "USD",
            "to": "AUD", "rate": "1.5", "amount": "1" }], "item_counts": { "assets": 3 } });
        assert_eq!(faults(body), Vec::<String>::new());
    }

    #[test]
    fn a_number_in_place_of_a_decimal_is_found_wherever_it_hides() {
        assert_eq!(
            faults(json!({ "currency": "AUD", "lots": [{ "units": 10 }] })).len(),
            1
        );
        assert!(!faults(json!({ "anything": 1.5 })).is_empty());
    }

    #[test]
    fn money_without_currency_and_a_broken_decimal_are_found() {
        assert_eq!(
            faults(json!({ "value": "1" })),
            ["get_item.value is 1 without a currency"]
        );
        assert_eq!(faults(json!({ "units": "1e5" })).len(), 1);
        assert_eq!(faults(json!({ "units": "-0" })).len(), 1);
    }

    #[test]
    fn a_text_copy_with_other_digits_is_found() {
        let body = json!({ "units": "1" });
        let answer = Answer {
            tool: "get_item",
            is_error: false,
            text: r#"{"units":"2"}"#.into(),
            structured: Some(Arc::new(body.clone())),
            body: Arc::new(body),
        };
        assert_eq!(faults_in(&answer).len(), 1);
    }
}

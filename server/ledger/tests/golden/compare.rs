//! Comparing an answer with what a case expects, under the case's own tolerances.

use proofmark_ledger::decimal::Exact;
use serde_json::Value;

/// Whether the answer holds everything that is expected; further fields of the answer do not matter.
pub fn matches(case: &Value, expected: &Value, actual: &Value) -> Result<(), String> {
    at("", &case["compare"], expected, actual)
}

fn at(path: &str, compare: &Value, expected: &Value, actual: &Value) -> Result<(), String> {
    let differs = || Err(format!("{path}: expected {expected}, actual {actual}"));
    match (expected, actual) {
        (Value::Object(fields), Value::Object(_)) => fields.iter().try_for_each(|(name, field)| {
            let path = if path.is_empty() {
                name.clone()
            } else {
                format!("{path}.{name}")
            };
            at(&path, compare, field, &actual[name])
        }),
        (Value::Array(expected_rows), Value::Array(rows)) => {
            if expected_rows.len() != rows.len() {
                return differs();
            }
            let path = format!("{path}[]");
            expected_rows
                .iter()
                .zip(rows)
                .try_for_each(|(row, actual)| at(&path, compare, row, actual))
        }
        (Value::String(text), Value::String(actual_text)) => {
            match (text.parse::<Exact>(), actual_text.parse::<Exact>()) {
                (Ok(number), Ok(actual)) if close(number, actual, tolerance(path, compare)) => {
                    Ok(())
                }
                (Err(_), Err(_)) if text == actual_text => Ok(()),
                _ => differs(),
            }
        }
        _ if expected == actual => Ok(()),
        _ => differs(),
    }
}

/// The tolerance that a case states for a path: by the path, one above it, or its last name.
fn tolerance<'a>(path: &str, compare: &'a Value) -> Option<&'a Value> {
    let last = path.rsplit('.').next().unwrap_or(path);
    let stated = compare.as_object()?.iter().find(|(stated, _)| {
        let below = path.strip_prefix(stated.as_str());
        below.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '['])) || last == *stated
    });
    stated.map(|(_, tolerance)| tolerance)
}

fn close(expected: Exact, actual: Exact, tolerance: Option<&Value>) -> bool {
    let magnitude = |figure: Exact| figure.max(figure.negated().expect("no overflow"));
    let distance = magnitude(actual.minus(expected).expect("no overflow"));
    let number = |value: &Value| value.as_str().map(decimal);
    let allowed = match tolerance {
        Some(stated) if stated.get("abs").is_some() => number(&stated["abs"]),
        Some(stated) if stated.get("rel").is_some() => number(&stated["rel"])
            .map(|ratio| magnitude(expected).times(ratio).expect("no overflow")),
        _ => None,
    };
    distance <= allowed.unwrap_or(Exact::ZERO)
}

/// A number of a case, which may be written as `1e-9`.
fn decimal(text: &str) -> Exact {
    let Some((digits, exponent)) = text.split_once("e-") else {
        return text.parse().expect("a decimal");
    };
    let places: usize = exponent.parse().expect("an exponent");
    format!("0.{}{digits}", "0".repeat(places - 1))
        .parse()
        .expect("a decimal")
}

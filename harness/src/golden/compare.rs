//! Compares what a server showed with what a case expects: figures as exact decimals or within the case's own tolerance,
//! everything else literally.

use std::fmt;

use rust_decimal::Decimal;
use serde_json::{Map, Value};

use super::{case::Case, invariant};
use crate::worthbase::Figure;

/// Why an example does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Disagreement {
    /// Something differs, with the place in the expectation.
    #[error("{path}: expected {expected}, got {actual}")]
    Differs {
        /// Place, such as `sales[0].gain`.
        path: String,
        /// What the case says.
        expected: String,
        /// What the server showed.
        actual: String,
    },
    /// An invariant does not hold.
    #[error("{0}")]
    Invariant(#[from] invariant::Broken),
}

/// Fields whose very words are the contract's own: a server without it may name or leave them otherwise.
const CONTRACT_NAMES: [&str; 3] = ["code", "xirr_reason", "short_period"];
/// Ending of a field that lists what is allowed beside the expected figure.
const ALTERNATIVES: &str = "_alternatives";

/// A place in the expectation: the path as written and, for the rules of a case, with empty brackets.
#[derive(Clone, Default)]
struct Place {
    shown: String,
    pattern: String,
}

impl Place {
    fn field(&self, name: &str) -> Self {
        let join = |base: &str| {
            if base.is_empty() {
                name.to_owned()
            } else {
                format!("{base}.{name}")
            }
        };
        Self {
            shown: join(&self.shown),
            pattern: join(&self.pattern),
        }
    }

    fn element(&self, index: usize) -> Self {
        Self {
            shown: format!("{}[{index}]", self.shown),
            pattern: format!("{}[]", self.pattern),
        }
    }
}

/// Compares `observed` with what `case` expects. `contract` says whether the target claims the contract that the case
/// cites: names of error codes are compared only then. What the server shows beyond the expectation is left alone.
///
/// # Errors
/// The first [`Disagreement`].
pub fn agrees(case: &Case, observed: &Value, contract: bool) -> Result<(), Disagreement> {
    let comparison = Comparison { case, contract };
    let allowed = case.expect.get("any_of").and_then(Value::as_array);
    match allowed {
        Some(allowed) => comparison.any_of(allowed, observed)?,
        None => comparison.value(&Place::default(), &case.expect, observed)?,
    }
    let never = case
        .expect
        .get("never")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    for forbidden in never {
        if comparison
            .value(&Place::default(), forbidden, observed)
            .is_ok()
        {
            return Err(differs(
                &Place::default(),
                format!("never {forbidden}"),
                observed,
            ));
        }
    }
    if let Some(invariant) = case.compare.get("invariant").and_then(Value::as_str) {
        invariant::holds(invariant, observed)?;
    }
    Ok(())
}

struct Comparison<'a> {
    case: &'a Case,
    contract: bool,
}

impl Comparison<'_> {
    fn any_of(&self, allowed: &[Value], observed: &Value) -> Result<(), Disagreement> {
        let fits = |one: &Value| self.value(&Place::default(), one, observed).is_ok();
        if allowed.iter().any(fits) {
            return Ok(());
        }
        Err(differs(
            &Place::default(),
            format!("one of {}", Value::Array(allowed.to_vec())),
            observed,
        ))
    }

    fn value(&self, place: &Place, expected: &Value, observed: &Value) -> Result<(), Disagreement> {
        match (expected, observed) {
            (Value::Object(expected), Value::Object(observed)) => {
                self.fields(place, expected, observed)
            }
            (Value::Array(expected), Value::Array(actual)) if expected.len() == actual.len() => {
                let pairs = expected.iter().zip(actual).enumerate();
                pairs.into_iter().try_for_each(|(index, (one, other))| {
                    self.value(&place.element(index), one, other)
                })
            }
            (Value::String(expected), Value::String(actual)) => self.text(place, expected, actual),
            _ if expected == observed => Ok(()),
            _ => Err(differs(place, expected, observed)),
        }
    }

    fn fields(
        &self,
        place: &Place,
        expected: &Map<String, Value>,
        observed: &Map<String, Value>,
    ) -> Result<(), Disagreement> {
        for (name, wanted) in expected {
            let named_by_contract = CONTRACT_NAMES.contains(&name.as_str());
            if name == "never"
                || name.ends_with(ALTERNATIVES)
                || (named_by_contract && !self.contract)
            {
                continue;
            }
            let place = place.field(name);
            match observed.get(name) {
                Some(actual) => {
                    let alternatives = expected.get(&format!("{name}{ALTERNATIVES}"));
                    let other = !self.contract && self.is_one_of(&place, alternatives, actual);
                    if !other {
                        self.value(&place, wanted, actual)?;
                    }
                }
                None => return Err(differs(&place, wanted, "nothing")),
            }
        }
        Ok(())
    }

    /// Whether a figure is one of those that the case allows beside its own, for targets without our contract.
    fn is_one_of(&self, place: &Place, alternatives: Option<&Value>, actual: &Value) -> bool {
        let alternatives = alternatives.and_then(Value::as_array);
        let mut alternatives = alternatives.into_iter().flatten();
        alternatives.any(|one| self.value(place, one, actual).is_ok())
    }

    fn text(&self, place: &Place, expected: &str, actual: &str) -> Result<(), Disagreement> {
        let rule = self.rule(&place.pattern);
        let literally = rule.and_then(Value::as_str) == Some("string-equal");
        let fits = match (expected.parse::<Figure>(), actual.parse::<Figure>()) {
            (Ok(wanted), Ok(shown)) if !literally => {
                wanted == shown || tolerated(rule, &wanted, &shown)
            }
            _ => expected == actual || days_apart(rule, expected, actual),
        };
        if fits {
            Ok(())
        } else {
            Err(differs(place, expected, actual))
        }
    }

    /// The rule of the longest path that is this place or holds it; `default` says only how numbers are read.
    fn rule(&self, pattern: &str) -> Option<&Value> {
        let holds = |path: &str| match pattern.strip_prefix(path) {
            Some(rest) => rest.is_empty() || rest.starts_with(['.', '[']),
            // A rule may name a field alone, wherever it stands.
            None => !path.contains(['.', '[']) && pattern.rsplit(['.', ']']).next() == Some(path),
        };
        let rules = self.case.compare.iter().filter(|(path, _)| holds(path));
        rules
            .max_by_key(|(path, _)| path.len())
            .map(|(_, rule)| rule)
    }
}

/// Whether the case allows the distance between two figures: `{abs}` in the figure's own unit, `{rel}` as a part of the
/// expected figure.
fn tolerated(rule: Option<&Value>, wanted: &Figure, shown: &Figure) -> bool {
    let Some(rule) = rule else { return false };
    let limit = |name: &str| rule.get(name)?.as_str().and_then(decimal);
    let absolute = limit("abs");
    let relative = limit("rel")
        .zip(decimal(wanted.text()))
        .and_then(|(rel, wanted)| rel.checked_mul(wanted.abs()));
    [absolute, relative].into_iter().flatten().any(|limit| {
        let tolerance = limit.round_dp(18).normalize().to_string().parse::<Figure>();
        tolerance.is_ok_and(|tolerance| shown.within(wanted, &tolerance))
    })
}

/// Whether the case allows the distance between two dates: `{days}`.
fn days_apart(rule: Option<&Value>, expected: &str, actual: &str) -> bool {
    let limit = rule.and_then(|rule| rule.get("days")?.as_i64());
    let day = |text: &str| text.parse::<jiff::civil::Date>().ok();
    match (limit, day(expected), day(actual)) {
        (Some(limit), Some(wanted), Some(shown)) => wanted
            .until(shown)
            .is_ok_and(|span| i64::from(span.get_days()).abs() <= limit),
        _ => false,
    }
}

/// A decimal, also in the scientific spelling that tolerances use.
fn decimal(text: &str) -> Option<Decimal> {
    text.parse::<Decimal>()
        .or_else(|_| Decimal::from_scientific(text))
        .ok()
}

fn differs(place: &Place, expected: impl fmt::Display, actual: impl fmt::Display) -> Disagreement {
    let path = if place.shown.is_empty() {
        "the answer".to_owned()
    } else {
        place.shown.clone()
    };
    Disagreement::Differs {
        path,
        expected: expected.to_string(),
        actual: actual.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn case(expect: Value, compare: Value) -> Case {
        serde_json::from_value(json!({
            "id": "t", "area": "t", "tier": "C", "core": true, "title": "t", "given": {}, "ask": { "tool": "t" },
            "expect": expect, "compare": compare,
        }))
        .unwrap()
    }

    #[track_caller]
    fn check(expect: Value, compare: Value, observed: Value, holds: bool) {
        assert_eq!(
            agrees(&case(expect, compare), &observed, true).is_ok(),
            holds
        );
    }

    #[test]
    fn figures_are_equal_as_numbers_and_to_the_last_digit() {
        check(
            json!({ "gain": "100.00" }),
            json!({}),
            json!({ "gain": "100" }),
            true,
        );
        check(
            json!({ "gain": "100" }),
            json!({}),
            json!({ "gain": "100.000000000000000001" }),
            false,
        );
        check(
            json!({ "gain": "100" }),
            json!({}),
            json!({ "gain": 100 }),
            false,
        );
    }

    #[test]
    fn a_tolerance_holds_for_its_path_and_everything_below_it() {
        let rules = json!({ "sales[].gain": { "abs": "0.01" }, "open_lots": { "abs": "0.5" } });
        check(
            json!({ "sales": [{ "gain": "1.00" }] }),
            rules.clone(),
            json!({ "sales": [{ "gain": "1.01" }] }),
            true,
        );
        check(
            json!({ "sales": [{ "gain": "1.00" }] }),
            rules.clone(),
            json!({ "sales": [{ "gain": "1.02" }] }),
            false,
        );
        check(
            json!({ "sales": [{ "cost": "1.00" }] }),
            rules.clone(),
            json!({ "sales": [{ "cost": "1.01" }] }),
            false,
        );
        check(
            json!({ "open_lots": { "X": [{ "u": "1" }] } }),
            rules,
            json!({ "open_lots": { "X": [{ "u": "1.4" }] } }),
            true,
        );
    }

    #[test]
    fn a_relative_tolerance_is_a_part_of_the_expected_figure() {
        let rules = json!({ "rate": { "rel": "1e-9" } });
        check(
            json!({ "fx": { "rate": "1.502008407" } }),
            rules.clone(),
            json!({ "fx": { "rate": "1.5020084073" } }),
            true,
        );
        check(
            json!({ "fx": { "rate": "1.502008407" } }),
            rules,
            json!({ "fx": { "rate": "1.5020085" } }),
            false,
        );
    }

    #[test]
    fn a_date_may_lie_as_many_days_apart_as_the_case_says() {
        let rules = json!({ "projected": { "days": 31 } });
        let expected = json!({ "projected": "2033-06-30" });
        check(
            expected.clone(),
            rules.clone(),
            json!({ "projected": "2033-07-31" }),
            true,
        );
        check(
            expected.clone(),
            rules.clone(),
            json!({ "projected": "2033-08-01" }),
            false,
        );
        check(expected, rules, json!({ "projected": null }), false);
    }

    #[test]
    fn another_rate_is_allowed_only_to_servers_without_the_contract() {
        let case = case(
            json!({ "xirr": null, "xirr_alternatives": ["0.1", "0.2"] }),
            json!({}),
        );
        let observed = json!({ "xirr": "0.2" });
        assert!(agrees(&case, &observed, true).is_err());
        assert!(agrees(&case, &observed, false).is_ok());
        assert!(agrees(&case, &json!({ "xirr": "0.15" }), false).is_err());
    }

    #[test]
    fn a_missing_field_and_a_list_of_another_length_differ_and_more_than_asked_does_not() {
        check(json!({ "a": "1" }), json!({}), json!({}), false);
        check(json!({ "a": [] }), json!({}), json!({ "a": ["1"] }), false);
        check(
            json!({ "a": "1" }),
            json!({}),
            json!({ "a": "1", "b": "2" }),
            true,
        );
        check(json!({ "a": null }), json!({}), json!({ "a": null }), true);
    }

    #[test]
    fn one_of_several_answers_is_enough_and_a_forbidden_one_never_passes() {
        let expect = json!({ "any_of": [{ "balance": "1.1" }, { "refused": true }], "never": [{ "balance": "1" }] });
        check(
            expect.clone(),
            json!({}),
            json!({ "balance": "1.10" }),
            true,
        );
        check(expect.clone(), json!({}), json!({ "refused": true }), true);
        check(expect, json!({}), json!({ "balance": "1" }), false);
    }

    #[test]
    fn codes_are_compared_only_where_the_contract_is_claimed() {
        let case = case(json!({ "refused": true, "code": "oversell" }), json!({}));
        let observed = json!({ "refused": true, "code": "NOT_ENOUGH" });
        assert!(agrees(&case, &observed, true).is_err());
        assert!(agrees(&case, &observed, false).is_ok());
    }

    #[test]
    fn a_spelling_is_compared_where_the_case_asks_for_it() {
        check(
            json!({ "echo": "0.10" }),
            json!({ "echo": "string-equal" }),
            json!({ "echo": "0.1" }),
            false,
        );
        check(
            json!({ "date": "2024-06-28" }),
            json!({}),
            json!({ "date": "2024-06-29" }),
            false,
        );
    }
}

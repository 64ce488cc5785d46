//! Invariants of golden cases: sums that must hold exactly, whatever tolerance single figures have.

use serde_json::Value;

use crate::worthbase::Figure;

/// Why an invariant does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// The sum is another.
    #[error("invariant {clause}: the server's figures add up to {total}")]
    Sum {
        /// The clause, as the case states it.
        clause: String,
        /// What the figures add up to.
        total: String,
    },
    /// A figure is missing or too wide to add.
    #[error("invariant {clause}: cannot be worked out from the server's figures")]
    Figures {
        /// The clause.
        clause: String,
    },
    /// The case states something that is not understood here: the case or the harness is at fault.
    #[error("invariant {clause}: not understood")]
    Unknown {
        /// The clause.
        clause: String,
    },
}

/// Checks every clause of `invariant`, joined by ` and `: `sum(sales[].gain)==1000.01`, `sold cost + remaining cost == N`,
/// `units 0 at the end`.
///
/// # Errors
/// The first clause that is [`Broken`].
pub fn holds(invariant: &str, observed: &Value) -> Result<(), Broken> {
    invariant
        .split(" and ")
        .try_for_each(|clause| holds_clause(clause.trim(), observed))
}

fn holds_clause(clause: &str, observed: &Value) -> Result<(), Broken> {
    let unknown = || Broken::Unknown {
        clause: clause.to_owned(),
    };
    if clause == "units 0 at the end" {
        return equals(clause, &figures(observed, &["position", "*", "units"]), "0");
    }
    let (sum, total) = clause.split_once("==").ok_or_else(unknown)?;
    let (sum, total) = (sum.trim(), total.trim());
    let parts = if sum == "sold cost + remaining cost" {
        let mut parts = figures(observed, &["sales", "*", "cost_base"]);
        parts.extend(figures(observed, &["position", "*", "cost_base"]));
        parts
    } else {
        let field = sum
            .strip_prefix("sum(sales[].")
            .and_then(|rest| rest.strip_suffix(')'))
            .ok_or_else(unknown)?;
        figures(observed, &["sales", "*", field])
    };
    equals(clause, &parts, total)
}

fn equals(clause: &str, parts: &[Option<Figure>], total: &str) -> Result<(), Broken> {
    let unreadable = || Broken::Figures {
        clause: clause.to_owned(),
    };
    let wanted: Figure = total.parse().map_err(|_| Broken::Unknown {
        clause: clause.to_owned(),
    })?;
    let parts: Option<Vec<&Figure>> = parts.iter().map(Option::as_ref).collect();
    let parts = parts
        .filter(|parts| !parts.is_empty())
        .ok_or_else(unreadable)?;
    let sum = Figure::sum(parts).map_err(|_| unreadable())?;
    if sum == wanted {
        Ok(())
    } else {
        Err(Broken::Sum {
            clause: clause.to_owned(),
            total: sum.to_string(),
        })
    }
}

/// The figures at a path; `*` stands for every element or member. A place without a figure gives `None`.
fn figures(value: &Value, path: &[&str]) -> Vec<Option<Figure>> {
    let Some((step, rest)) = path.split_first() else {
        return vec![value.as_str().and_then(|text| text.parse().ok())];
    };
    match (*step, value) {
        ("*", Value::Array(elements)) => elements
            .iter()
            .flat_map(|element| figures(element, rest))
            .collect(),
        ("*", Value::Object(members)) => members
            .values()
            .flat_map(|member| figures(member, rest))
            .collect(),
        (name, value) => value
            .get(name)
            .map_or_else(|| vec![None], |member| figures(member, rest)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn observed(second_cost: &str) -> Value {
        json!({
            "sales": [{ "cost_base": "1999.999999999999998", "gain": "1" }, { "cost_base": second_cost, "gain": "2" }],
            "position": { "X": { "units": "0", "cost_base": "0" } },
        })
    }

    #[test]
    fn sums_are_exact_to_the_last_digit() {
        let invariant =
            "sum(sales[].cost_base)==2000 and sum(sales[].gain)==3 and units 0 at the end";
        assert_eq!(
            holds(invariant, &observed("0.000000000000000002")),
            Err(Broken::Sum {
                clause: "sum(sales[].cost_base)==2000".to_owned(),
                total: "1999.999999999999998002".to_owned(),
            })
        );
        assert_eq!(holds(invariant, &observed("0.000000000000002")), Ok(()));
        assert_eq!(
            holds(
                "sold cost + remaining cost == 2000",
                &observed("0.000000000000002")
            ),
            Ok(())
        );
    }

    #[test]
    fn a_missing_figure_never_counts_as_nothing() {
        assert!(matches!(
            holds("sum(sales[].fee)==0", &observed("1")),
            Err(Broken::Figures { .. })
        ));
        assert!(matches!(
            holds("sum(sales[].gain)==0", &json!({ "sales": [] })),
            Err(Broken::Figures { .. })
        ));
    }

    #[test]
    fn an_invariant_that_nobody_understands_is_no_pass() {
        assert!(matches!(
            holds("all is well", &json!({})),
            Err(Broken::Unknown { .. })
        ));
    }
}

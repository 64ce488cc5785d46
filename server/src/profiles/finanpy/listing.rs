//! `listar_transacoes`: up to three exact filters, and the rows as the page shows them.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::amount::Amount;
use super::calendar;
use super::refusal::Refusal;
use super::registering::{EXPENSE, INCOME, UNCATEGORIZED};
use super::rules::{
    EmptyList, IgnoredFilter, ListingRules, PeriodForm, RowDate, RowShape, TypeFilterForm,
};
use super::store::{Filter, StoredRow};
use crate::mcp::JsonObject;

/// A row as it is answered.
#[derive(Debug, Serialize)]
pub struct Row {
    id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    identifier: Option<Option<String>>,
    r#type: Option<String>,
    amount: Shown,
    category: String,
    description: String,
    date: String,
}

/// An amount as a row shows it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Shown {
    /// With the digits of the decimal.
    Exact(Amount),
    /// What is stored is no amount; another program must have put it there.
    Nothing(Option<Box<RawValue>>),
    /// What only a defective rule shows.
    Text(String),
}

/// Checks the arguments of a call.
///
/// # Errors
/// The first filter that cannot be one.
pub fn check(arguments: &JsonObject, rules: &ListingRules) -> Result<Filter, Refusal> {
    let mut filter = Filter {
        join: rules.filters,
        category_match: rules.category_match,
        ..Filter::default()
    };
    filter.period = match arguments.get("period") {
        None | Some(Value::Null) => None,
        Some(Value::String(text))
            if calendar::is_month(text) || rules.period_form == PeriodForm::Unchecked =>
        {
            Some(text.clone())
        }
        Some(_) => return Err(Refusal::invalid_period()),
    };
    filter.category = match arguments.get("category") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text.clone()),
        Some(_) => return Err(Refusal::not_a_text("category")),
    };
    filter.kind = match arguments.get("type") {
        None | Some(Value::Null) => None,
        Some(Value::String(text))
            if [INCOME, EXPENSE].contains(&text.as_str())
                || rules.type_form == TypeFilterForm::Unchecked =>
        {
            Some(text.clone())
        }
        Some(_) => return Err(Refusal::bad_type()),
    };
    match rules.ignored {
        IgnoredFilter::None => {}
        IgnoredFilter::Period => filter.period = None,
        IgnoredFilter::Category => filter.category = None,
        IgnoredFilter::Type => filter.kind = None,
    }
    Ok(filter)
}

/// The answer: the rows, or what a defective rule makes of there being none.
///
/// # Errors
/// Only by a defective rule.
pub fn answer(rows: Vec<StoredRow>, rules: &ListingRules) -> Result<Option<Vec<Row>>, Refusal> {
    match (rows.is_empty(), rules.empty) {
        (true, EmptyList::Refusal) => Err(Refusal::internal()),
        (true, EmptyList::Null) => Ok(None),
        _ => Ok(Some(
            rows.into_iter().map(|row| shown(row, rules)).collect(),
        )),
    }
}

fn shown(row: StoredRow, rules: &ListingRules) -> Row {
    let amount = match (row.amount.and_then(Amount::from_stored), rules.row) {
        (Some(amount), RowShape::AmountAsText) => Shown::Text(amount.to_string()),
        (Some(amount), _) => Shown::Exact(amount),
        (None, _) => Shown::Nothing(row.amount.and_then(as_it_is)),
    };
    let date = row.date.unwrap_or_default();
    Row {
        id: row.id,
        identifier: (rules.row != RowShape::WithoutIdentifier).then_some(row.identifier),
        r#type: row.kind,
        amount,
        category: row.category.unwrap_or_else(|| UNCATEGORIZED.to_owned()),
        description: row.description.unwrap_or_default(),
        date: match rules.row_date {
            RowDate::Iso => date,
            RowDate::DayFirst => day_first(&date),
        },
    }
}

/// A double too large for an amount, with its own digits.
fn as_it_is(value: f64) -> Option<Box<RawValue>> {
    let number = serde_json::Number::from_f64(value)?;
    RawValue::from_string(number.to_string()).ok()
}

fn day_first(date: &str) -> String {
    date.split('-').rev().collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::profiles::finanpy::refusal::Code;

    fn filter(arguments: Value) -> Result<Filter, Refusal> {
        check(arguments.as_object().unwrap(), &ListingRules::default())
    }

    fn stored() -> StoredRow {
        StoredRow {
            id: 8,
            identifier: Some("nubank-2026-05-12-ifood".to_owned()),
            kind: Some("despesa".to_owned()),
            amount: Some(-49.9),
            category: Some("alimentacao".to_owned()),
            description: Some("iFood - Pizza".to_owned()),
            date: Some("2026-05-12".to_owned()),
        }
    }

    #[test]
    fn a_row_is_shown_as_on_the_page() {
        let rows = answer(vec![stored()], &ListingRules::default()).unwrap();
        assert_eq!(
            serde_json::to_string(&rows).unwrap(),
            r#"[{"id":8,"identifier":"nubank-2026-05-12-ifood","type":"despesa","amount":-49.90,"category":"alimentacao","description":"iFood - Pizza","date":"2026-05-12"}]"#
        );
        let none = answer(Vec::new(), &ListingRules::default()).unwrap();
        assert_eq!(serde_json::to_string(&none).unwrap(), "[]");
    }

    #[test]
    fn rows_of_other_programs_are_shown_as_they_are() {
        let mut row = stored();
        (row.identifier, row.amount, row.category, row.description) =
            (None, Some(1e300), None, None);
        let rows = answer(vec![row], &ListingRules::default()).unwrap();
        let rows = serde_json::to_value(rows).unwrap();
        assert_eq!(rows[0]["identifier"], Value::Null);
        assert_eq!(rows[0]["amount"], json!(1e300));
        assert_eq!(rows[0]["category"], "sem categoria");
    }

    #[test]
    fn each_filter_is_checked() {
        let read =
            filter(json!({"period": "2026-05", "category": "%", "type": "despesa"})).unwrap();
        assert_eq!(read.period.as_deref(), Some("2026-05"));
        assert_eq!(read.category.as_deref(), Some("%"));
        assert_eq!(read.kind.as_deref(), Some("despesa"));
        assert_eq!(filter(json!({"period": null})).unwrap(), Filter::default());
        for (arguments, code) in [
            (json!({"period": "05-2026"}), Code::InvalidPeriod),
            (json!({"period": ""}), Code::InvalidPeriod),
            (json!({"period": 202605}), Code::InvalidPeriod),
            (json!({"type": "x"}), Code::BadType),
            (json!({"type": ""}), Code::BadType),
            (json!({"category": 1}), Code::MissingField),
        ] {
            assert_eq!(
                filter(arguments.clone()).unwrap_err().code,
                code,
                "{arguments}"
            );
        }
    }
}

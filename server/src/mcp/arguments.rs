//! Arguments checked against a tool's input schema before the profile sees them; every refusal names the field and says how to fix it.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::paths::{Location, LocationSegment};
use serde_json::Value;

use super::JsonObject;
use super::fault::Fault;
use super::tool::ToolDefinition;

/// Most characters of an offending value that are shown back.
const SHOWN: usize = 60;

/// Checks `arguments` against the input schema of `tool`.
///
/// # Errors
/// `invalid_decimal` for a value that should be a decimal string, `invalid_input` for everything else, each with its `field`.
pub fn check(tool: &ToolDefinition, arguments: &JsonObject) -> Result<(), Fault> {
    let value = Value::Object(arguments.clone());
    match tool.input().iter_errors(&value).next() {
        None => Ok(()),
        Some(error) => Err(explain(tool, &error)),
    }
}

fn explain(tool: &ToolDefinition, error: &ValidationError<'_>) -> Fault {
    let error = innermost(error);
    let place = field(error.instance_path());
    let (field, problem) = match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            (
                member(&place, name),
                format!("`{name}` is missing. Add it."),
            )
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            let name = unexpected.first().map_or("", String::as_str);
            let known = known_members(tool, error);
            (
                member(&place, name),
                format!("`{name}` is not an argument here. {known}"),
            )
        }
        _ if is_decimal(error) => {
            let fix = match error.instance().as_ref() {
                Value::Number(number) => format!("Write the number as a string: \"{number}\"."),
                value => format!(
                    "{} is not a decimal. {}",
                    shown(value),
                    decimal_form(tool, error)
                ),
            };
            return Fault::new("invalid_decimal", format!("`{place}`: {fix}")).at(place);
        }
        kind => (
            place.clone(),
            format!("`{place}`: {}", expectation(kind, error.instance())),
        ),
    };
    Fault::new("invalid_input", problem).at(field)
}

/// The error that says most: of alternatives, that of the branch which fits furthest.
fn innermost<'a, 'e>(error: &'a ValidationError<'e>) -> &'a ValidationError<'e>
where
    'e: 'a,
{
    let (ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context }) =
        error.kind()
    else {
        return error;
    };
    // How far a branch got; a branch that only wanted null says least of all.
    let merit = |branch: &[ValidationError<'static>]| {
        let depth = branch
            .iter()
            .map(|inner| inner.instance_path().as_str().len())
            .max();
        (depth, !branch.iter().all(wants_null))
    };
    let mut best: Option<&Vec<ValidationError<'static>>> = None;
    for branch in context {
        if best.is_none_or(|known| merit(branch) > merit(known)) {
            best = Some(branch);
        }
    }
    let clear = best.filter(|branch| {
        let tied = context
            .iter()
            .filter(|other| merit(other) == merit(branch))
            .count();
        tied == 1
    });
    match clear.and_then(|branch| {
        branch
            .iter()
            .max_by_key(|inner| inner.instance_path().as_str().len())
    }) {
        Some(inner) => innermost(inner),
        None => error,
    }
}

fn wants_null(error: &ValidationError<'_>) -> bool {
    matches!(error.kind(), ValidationErrorKind::Type { kind: TypeKind::Single(kind) } if kind.to_string() == "null")
}

/// `transactions[3].units` from a JSON pointer.
fn field(path: &Location) -> String {
    path.iter()
        .fold(String::new(), |place, segment| match segment {
            LocationSegment::Property(name) => member(&place, &name),
            LocationSegment::Index(index) => format!("{place}[{index}]"),
        })
}

fn member(place: &str, name: &str) -> String {
    let name: String = name.chars().take(SHOWN).collect();
    if place.is_empty() {
        name
    } else {
        format!("{place}.{name}")
    }
}

/// The schema that holds the keyword which failed.
fn failed_schema<'t>(tool: &'t ToolDefinition, error: &ValidationError<'_>) -> Option<&'t Value> {
    let path = error.schema_path().as_str();
    let pointer = path.rsplit_once('/').map_or("", |(schema, _)| schema);
    let mut tokens = pointer
        .split('/')
        .skip(1)
        .map(|token| token.replace("~1", "/").replace("~0", "~"));
    let first = tokens.next()?;
    tokens.try_fold(tool.input_schema.get(&first)?, |value, token| match value {
        Value::Object(members) => members.get(&token),
        Value::Array(elements) => elements.get(token.parse::<usize>().ok()?),
        _ => None,
    })
}

/// Whether the value stands where the schema wants a definition whose name contains `decimal`.
fn is_decimal(error: &ValidationError<'_>) -> bool {
    let definition = |path: &str| {
        path.rsplit_once("/$defs/").is_some_and(|(_, rest)| {
            rest.split('/')
                .next()
                .unwrap_or_default()
                .contains("decimal")
        })
    };
    definition(error.schema_path().as_str()) || definition(error.evaluation_path().as_str())
}

/// What the definition itself says about the form of its decimals.
fn decimal_form<'t>(tool: &'t ToolDefinition, error: &ValidationError<'_>) -> &'t str {
    failed_schema(tool, error)
        .and_then(|schema| schema.get("description"))
        .and_then(Value::as_str)
        .unwrap_or("Write it with digits and at most one point, such as \"1234.56\".")
}

fn known_members(tool: &ToolDefinition, error: &ValidationError<'_>) -> String {
    let path = error.schema_path().as_str();
    let root = path.matches('/').count() == 1;
    let properties = if root {
        tool.input_schema.get("properties")
    } else {
        failed_schema(tool, error).and_then(|schema| schema.get("properties"))
    };
    match properties.and_then(Value::as_object) {
        Some(members) if !members.is_empty() => {
            format!(
                "Known are: {}.",
                members
                    .keys()
                    .map(String::as_str)
                    .collect::<Vec<_>>()
                    .join(", ")
            )
        }
        _ => "Leave it out.".to_owned(),
    }
}

fn expectation(kind: &ValidationErrorKind, value: &Value) -> String {
    let got = shown(value);
    match kind {
        ValidationErrorKind::Type { kind } => {
            let wanted = match kind {
                TypeKind::Single(kind) => kind.to_string(),
                TypeKind::Multiple(kinds) => kinds
                    .iter()
                    .map(|kind| kind.to_string())
                    .collect::<Vec<_>>()
                    .join(" or "),
            };
            format!("{got} is of the wrong type. Send {wanted}.")
        }
        ValidationErrorKind::Enum { options } => {
            let names: Vec<_> = options
                .as_array()
                .into_iter()
                .flatten()
                .map(shown)
                .collect();
            format!("{got} is not known here. Use one of {}.", names.join(", "))
        }
        ValidationErrorKind::Constant { expected_value } => {
            format!("{got} is not known here. Use {expected_value}.")
        }
        ValidationErrorKind::Format { format } if format == "date" => {
            format!("{got} is not a date of the calendar. Write it as YYYY-MM-DD.")
        }
        ValidationErrorKind::Format { format } => format!("{got} is not a valid {format}."),
        ValidationErrorKind::Pattern { pattern } => {
            format!("{got} does not have the right form. It must match {pattern}.")
        }
        ValidationErrorKind::MaxLength { limit } => {
            format!("longer than {limit} characters. Shorten it.")
        }
        ValidationErrorKind::MinLength { limit } => {
            format!("shorter than {limit} characters. Fill it in, or leave it out.")
        }
        ValidationErrorKind::MaxItems { limit } => {
            format!("more than {limit} entries. Split it into several calls.")
        }
        ValidationErrorKind::MinItems { limit } => {
            format!("fewer than {limit} entries. Add what is missing, or leave it out.")
        }
        ValidationErrorKind::MaxProperties { limit } => {
            format!("more than {limit} members. Send fewer.")
        }
        ValidationErrorKind::Minimum { limit } => {
            format!("{got} is too small. Send at least {limit}.")
        }
        ValidationErrorKind::Maximum { limit } => {
            format!("{got} is too large. Send at most {limit}.")
        }
        ValidationErrorKind::UniqueItems => "an entry stands twice. Send it once.".to_owned(),
        ValidationErrorKind::OneOfMultipleValid { .. }
        | ValidationErrorKind::OneOfNotValid { .. }
        | ValidationErrorKind::AnyOf { .. } => {
            "does not fit any of the forms in the tool's input schema. Choose exactly one of them."
                .to_owned()
        }
        other => format!(
            "does not satisfy `{}` of the tool's input schema.",
            other.keyword()
        ),
    }
}

/// A value as it is shown back: short, and quoted as JSON.
fn shown(value: &Value) -> String {
    match value {
        Value::Object(_) => "An object".to_owned(),
        Value::Array(_) => "A list".to_owned(),
        value => {
            let text = value.to_string();
            if text.chars().count() > SHOWN {
                format!("{}…", text.chars().take(SHOWN).collect::<String>())
            } else {
                text
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool() -> ToolDefinition {
        let shared = json!({
            "decimal": {"type": "string", "pattern": "^-?[0-9]+(\\.[0-9]+)?$", "description": "A decimal such as \"12.50\"."},
            "row": {
                "type": "object",
                "properties": {"units": {"$ref": "#/$defs/decimal"}, "date": {"type": "string", "format": "date"}},
                "required": ["units"],
                "additionalProperties": false
            }
        });
        let contract = json!({
            "name": "record", "title": "Record", "description": "Records.", "role": "editor", "subscription": true,
            "annotations": {"readOnlyHint": false, "destructiveHint": false, "idempotentHint": false, "openWorldHint": false},
            "inputSchema": {
                "type": "object",
                "properties": {
                    "rows": {"type": "array", "items": {"$ref": "#/$defs/row"}, "maxItems": 3},
                    "kind": {"enum": ["a", "b"]},
                    "price": {"anyOf": [{"$ref": "#/$defs/decimal"}, {"type": "null"}]}
                },
                "additionalProperties": false
            },
            "outputSchema": {"type": "object"}
        });
        ToolDefinition::parse(
            "record.json",
            &contract.to_string(),
            shared.as_object().unwrap(),
        )
        .unwrap()
    }

    fn refusal(arguments: Value) -> (String, String, String) {
        let fault = check(&tool(), arguments.as_object().unwrap()).unwrap_err();
        (
            fault.code.into_owned(),
            fault.field.unwrap_or_default(),
            fault.message,
        )
    }

    #[test]
    fn good_arguments_pass() {
        let arguments =
            json!({"rows": [{"units": "-1.50", "date": "2026-02-28"}], "kind": "a", "price": null});
        assert_eq!(check(&tool(), arguments.as_object().unwrap()), Ok(()));
    }

    #[test]
    fn every_refusal_names_the_field_at_fault() {
        for (arguments, code, field) in [
            (
                json!({"rows": [{"units": "1"}, {"units": 1.5}]}),
                "invalid_decimal",
                "rows[1].units",
            ),
            (
                json!({"rows": [{"units": "1,5"}]}),
                "invalid_decimal",
                "rows[0].units",
            ),
            (json!({"price": 3}), "invalid_decimal", "price"),
            (json!({"rows": [{}]}), "invalid_input", "rows[0].units"),
            (
                json!({"rows": [{"units": "1", "date": "2026-02-30"}]}),
                "invalid_input",
                "rows[0].date",
            ),
            (
                json!({"rows": [{"units": "1", "unit": "2"}]}),
                "invalid_input",
                "rows[0].unit",
            ),
            (json!({"rows": {}}), "invalid_input", "rows"),
            (json!({"kind": "c"}), "invalid_input", "kind"),
            (json!({"force": true}), "invalid_input", "force"),
        ] {
            let refused = refusal(arguments.clone());
            assert_eq!(
                (refused.0.as_str(), refused.1.as_str()),
                (code, field),
                "{arguments}: {}",
                refused.2
            );
            assert!(refused.2.len() > 15, "{}", refused.2);
        }
    }

    #[test]
    fn messages_say_how_to_fix_it() {
        assert!(refusal(json!({"price": 3})).2.contains("\"3\""));
        assert!(refusal(json!({"kind": "c"})).2.contains("\"a\", \"b\""));
        assert!(
            refusal(json!({"force": true}))
                .2
                .contains("rows, kind, price")
        );
    }
}

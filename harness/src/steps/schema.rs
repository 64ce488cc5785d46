//! What JSON Schemas of tools must be, what keeps them, and arguments that break one in exactly one way.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

/// Longest name of a tool (MCP tools, tool names).
const LONGEST_NAME: usize = 128;
/// How deep a sample follows nested schemas; a schema that nests deeper is left out.
const DEEPEST_SAMPLE: usize = 12;
/// Texts that keep the patterns money servers use: decimals, dates, currencies, ids, plain words.
const SAMPLE_TEXTS: [&str; 12] = [
    "x",
    "1",
    "1.00",
    "100",
    "2026-01-05",
    "EUR",
    "ws_01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "itm_01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "bat_01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "prv_01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "2026-01-05T00:00:00Z",
    "ada@example.com",
];

/// Whether `schema` is a valid schema of the dialect it names, 2020-12 if it names none.
///
/// # Errors
/// What is wrong with it.
pub fn judge_schema(schema: &Value) -> Result<(), String> {
    if !schema.is_object() {
        return Err(format!("not a JSON object: {schema}"));
    }
    jsonschema::meta::validate(schema).map_err(|error| error.to_string())?;
    jsonschema::validator_for(schema)
        .map(drop)
        .map_err(|error| error.to_string())
}

/// Whether `instance` keeps `schema`.
///
/// # Errors
/// The first violation, with its place.
pub fn judge_instance(schema: &Value, instance: &Value) -> Result<(), String> {
    let validator = jsonschema::validator_for(schema).map_err(|error| error.to_string())?;
    let result = validator.validate(instance);
    result.map_err(|error| format!("{error} at {:?}", error.instance_path().to_string()))
}

/// The first `$ref` that points to another document on the network.
pub fn network_reference(schema: &Value) -> Option<String> {
    match schema {
        Value::Object(members) => members
            .iter()
            .find_map(|(name, value)| match value.as_str() {
                Some(target) if name == "$ref" && target.contains("://") => Some(target.to_owned()),
                _ => network_reference(value),
            }),
        Value::Array(values) => values.iter().find_map(network_reference),
        _ => None,
    }
}

/// Whether every client can carry the name.
pub fn is_portable_name(name: &str) -> bool {
    let permitted = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    (1..=LONGEST_NAME).contains(&name.len()) && name.bytes().all(permitted)
}

/// Whether `content` is a list of typed blocks, text blocks with text.
pub fn are_content_blocks(content: &Value) -> bool {
    content.as_array().is_some_and(|blocks| {
        blocks.iter().all(|block| match block["type"].as_str() {
            Some("text") => block["text"].is_string(),
            Some(kind) => !kind.is_empty(),
            None => false,
        })
    })
}

/// Whether a part of a resource has an address and exactly one of text and bytes in Base64.
pub fn is_resource_part(part: &Value) -> bool {
    let text = part["text"].is_string();
    let blob = part["blob"]
        .as_str()
        .map(|blob| STANDARD.decode(blob).is_ok());
    part["uri"].is_string()
        && if text {
            blob.is_none()
        } else {
            blob == Some(true)
        }
}

/// Arguments that break `schema` in one way each, with words for the way: every required property left out, every
/// property with a value that no coercion mends, and one property too many where none may be added. A schema whose
/// sample this file cannot make has only the first kind, if any.
pub fn violations(schema: &Value) -> Vec<(String, Value)> {
    let Ok(validator) = jsonschema::validator_for(schema) else {
        return Vec::new();
    };
    let properties = schema["properties"]
        .as_object()
        .cloned()
        .unwrap_or_default();
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut sample = Map::new();
    for name in &required {
        match properties
            .get(*name)
            .and_then(|property| sample_of(property, schema, 0))
        {
            Some(value) => sample.insert((*name).to_owned(), value),
            None => return Vec::new(),
        };
    }
    if !validator.is_valid(&Value::Object(sample.clone())) {
        return Vec::new();
    }
    let mut violations = Vec::new();
    for name in &required {
        let mut lacking = sample.clone();
        lacking.shift_remove(*name);
        violations.push((format!("{name} left out"), Value::Object(lacking)));
    }
    for (name, property) in &properties {
        let mut wrong = sample.clone();
        wrong.insert(name.clone(), wrong_value(resolve(property, schema)));
        violations.push((format!("{name} of a wrong type"), Value::Object(wrong)));
    }
    if schema["additionalProperties"] == json!(false) {
        let mut extra = sample;
        extra.insert("proofmark_extra".to_owned(), json!("x"));
        violations.push(("a property too many".to_owned(), Value::Object(extra)));
    }
    violations.retain(|(_, arguments)| !validator.is_valid(arguments));
    violations
}

/// A value of a type that nothing turns into the right one: an object, or a word where an object belongs.
fn wrong_value(property: &Value) -> Value {
    match property["type"].as_str() {
        Some("object") => json!("abc"),
        _ => json!({ "proofmark": "wrong" }),
    }
}

/// The schema a local `$ref` stands for.
fn resolve<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    let target = schema["$ref"]
        .as_str()
        .and_then(|target| target.strip_prefix('#'));
    target
        .and_then(|target| root.pointer(target))
        .unwrap_or(schema)
}

/// A value that keeps `schema`, where this file can make one.
fn sample_of(schema: &Value, root: &Value, depth: usize) -> Option<Value> {
    if depth > DEEPEST_SAMPLE {
        return None;
    }
    let schema = resolve(schema, root);
    if let Some(value) = schema.get("const") {
        return Some(value.clone());
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.first().cloned();
    }
    for choice in ["anyOf", "oneOf", "allOf"] {
        if let Some(first) = schema[choice]
            .as_array()
            .and_then(|choices| choices.first())
        {
            return sample_of(first, root, depth + 1);
        }
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.first()?.as_str()?,
        kind => kind.as_str()?,
    };
    Some(match kind {
        "string" => json!(sample_text(schema)?),
        "integer" | "number" => schema.get("minimum").cloned().unwrap_or(json!(1)),
        "boolean" => json!(true),
        "array" => {
            let count = usize::try_from(schema["minItems"].as_u64().unwrap_or(0)).ok()?;
            let items: Option<Vec<Value>> = (0..count)
                .map(|_| sample_of(&schema["items"], root, depth + 1))
                .collect();
            Value::Array(items?)
        }
        "object" => {
            let mut object = Map::new();
            for name in schema["required"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
            {
                object.insert(
                    name.to_owned(),
                    sample_of(&schema["properties"][name], root, depth + 1)?,
                );
            }
            Value::Object(object)
        }
        _ => return None,
    })
}

fn sample_text(schema: &Value) -> Option<&'static str> {
    let mut plain = schema.clone();
    if let Some(members) = plain.as_object_mut() {
        // Only what the text alone must keep; a reference inside could not be followed here.
        members.retain(|name, _| {
            ["type", "pattern", "format", "minLength", "maxLength"].contains(&name.as_str())
        });
    }
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&plain)
        .ok()?;
    SAMPLE_TEXTS
        .into_iter()
        .find(|text| validator.is_valid(&json!(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool_input() -> Value {
        json!({
            "type": "object",
            "properties": {
                "date": { "type": "string", "format": "date" },
                "amount": { "$ref": "#/$defs/decimal" },
                "kind": { "enum": ["a", "b"] },
                "limit": { "type": "integer", "minimum": 1 },
            },
            "required": ["date", "amount"],
            "additionalProperties": false,
            "$defs": { "decimal": { "type": "string", "pattern": "^-?[0-9]+(\\.[0-9]+)?$" } },
        })
    }

    #[test]
    fn every_violation_breaks_the_schema_in_one_way() {
        let schema = tool_input();
        let ways: Vec<_> = violations(&schema)
            .into_iter()
            .map(|(way, _)| way)
            .collect();
        assert_eq!(
            ways,
            [
                "date left out",
                "amount left out",
                "date of a wrong type",
                "amount of a wrong type",
                "kind of a wrong type",
                "limit of a wrong type",
                "a property too many"
            ]
        );
        let validator = jsonschema::validator_for(&schema).unwrap();
        for (way, arguments) in violations(&schema) {
            assert_eq!(
                validator.iter_errors(&arguments).count(),
                1,
                "{way}: {arguments}"
            );
        }
    }

    #[test]
    fn an_open_schema_forbids_nothing() {
        assert!(violations(&json!({ "type": "object" })).is_empty());
    }

    #[test]
    fn a_schema_is_judged_by_its_own_dialect() {
        assert_eq!(judge_schema(&tool_input()), Ok(()));
        assert!(judge_schema(&json!({ "type": "objekt" })).is_err());
        assert!(judge_schema(&Value::Null).is_err());
        assert!(
            judge_schema(
                &json!({ "$schema": "http://json-schema.org/draft-07/schema#", "type": "object" })
            )
            .is_ok()
        );
        assert!(
            judge_instance(&tool_input(), &json!({ "date": "2026-01-05", "amount": 1 })).is_err()
        );
    }

    #[test]
    fn references_into_the_network_are_found() {
        assert_eq!(network_reference(&tool_input()), None);
        let schema = json!({ "$schema": "https://json-schema.org/draft/2020-12/schema", "items": [{ "$ref": "https://h/x" }] });
        assert_eq!(network_reference(&schema).as_deref(), Some("https://h/x"));
    }

    #[test]
    fn names_blocks_and_parts_are_told_from_bad_ones() {
        assert!(is_portable_name("get_net-worth.v2"));
        for bad in ["", "get net worth", "größe", &"a".repeat(129)] {
            assert!(!is_portable_name(bad), "{bad}");
        }
        assert!(are_content_blocks(
            &json!([{ "type": "text", "text": "x" }, { "type": "image" }])
        ));
        for bad in [
            json!(null),
            json!({}),
            json!([{ "text": "x" }]),
            json!([{ "type": "text" }]),
        ] {
            assert!(!are_content_blocks(&bad), "{bad}");
        }
        assert!(is_resource_part(&json!({ "uri": "a:b", "text": "" })));
        assert!(is_resource_part(&json!({ "uri": "a:b", "blob": "YQ==" })));
        for bad in [
            json!({ "uri": "a:b" }),
            json!({ "uri": "a:b", "blob": "*" }),
            json!({ "uri": "a:b", "text": "", "blob": "YQ==" }),
            json!({ "text": "" }),
        ] {
            assert!(!is_resource_part(&bad), "{bad}");
        }
    }
}

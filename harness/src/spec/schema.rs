//! A JSON Schema for people: one row for each member, with its type in words and its limits.

use serde_json::{Map, Value};

use super::{address, html::Html};

/// Members nested deeper are not listed; no contract nests as deep.
const DEPTH: usize = 6;

/// One member of an object.
#[derive(Debug, Clone)]
pub struct Row {
    /// How deep it stands, for its indentation: 0 to 6.
    pub depth: usize,
    /// Its name; of a variant, "one of" and its number.
    pub name: String,
    /// Whether this row is no member but the head of a variant.
    pub variant: bool,
    /// Whether it must be there.
    pub required: bool,
    /// Its type, in words.
    pub kind: Html,
    /// Limits and description.
    pub about: String,
}

/// Reads schemas of one contract.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    /// The contract's profile, which the page of its definitions is found by.
    pub profile: &'a str,
    /// The way to the folder of the site.
    pub root: &'a str,
}

impl Reader<'_> {
    /// The members of an object, those of its members behind them.
    #[must_use]
    pub fn rows(&self, schema: &Value) -> Vec<Row> {
        let mut rows = Vec::new();
        self.members(schema, 0, &mut rows);
        rows
    }

    /// The type of a schema, in words.
    #[must_use]
    pub fn kind(&self, schema: &Value) -> Html {
        if let Some(name) = reference(schema) {
            let address = format!("{}{}#{name}", self.root, address::definitions(self.profile));
            return Html::new().link(&address, &name.replace('_', " "));
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            let mut html = Html::of_text("one of ");
            for (number, value) in values.iter().enumerate() {
                if number > 0 {
                    html.push_text(", ");
                }
                html = html.element("code", &plain(value));
            }
            return html;
        }
        if let Some(value) = schema.get("const") {
            return Html::of_text("always ").element("code", &plain(value));
        }
        if schema.get("anyOf").is_some() || schema.get("oneOf").is_some() {
            return Html::of_text("one of several");
        }
        let kind = match schema.get("type") {
            Some(Value::String(kind)) => kind.as_str(),
            Some(Value::Array(kinds)) => {
                let kinds: Vec<&str> = kinds.iter().filter_map(Value::as_str).collect();
                return Html::of_text(&kinds.join(" or "));
            }
            _ => return Html::of_text("anything"),
        };
        match (kind, schema.get("items")) {
            ("array", Some(items)) => Html::of_text("list of ").piece(&self.kind(items)),
            ("array", None) => Html::of_text("list"),
            ("boolean", _) => Html::of_text("true or false"),
            (kind, _) => Html::of_text(kind),
        }
    }

    fn members(&self, schema: &Value, depth: usize, rows: &mut Vec<Row>) {
        if depth > DEPTH {
            return;
        }
        let required: Vec<&str> = schema
            .get("required")
            .and_then(Value::as_array)
            .map(|names| names.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        for (name, member) in schema
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(Map::iter)
        {
            rows.push(Row {
                depth,
                name: name.clone(),
                variant: false,
                required: required.contains(&name.as_str()),
                kind: self.kind(member),
                about: about(member),
            });
            self.inner(member, depth + 1, rows);
        }
        for keyword in ["anyOf", "oneOf"] {
            let variants = schema.get(keyword).and_then(Value::as_array);
            for (number, variant) in variants.into_iter().flatten().enumerate() {
                // `anyOf` of bare `required` lists is a rule about members, not a variant with members.
                if variant.get("properties").is_none() && reference(variant).is_none() {
                    continue;
                }
                rows.push(Row {
                    depth,
                    name: format!("variant {}", number + 1),
                    variant: true,
                    required: false,
                    kind: self.kind(variant),
                    about: about(variant),
                });
                self.members(variant, depth + 1, rows);
            }
        }
    }

    /// The members of a member, of the things in a list too.
    fn inner(&self, schema: &Value, depth: usize, rows: &mut Vec<Row>) {
        self.members(schema, depth, rows);
        if let Some(items) = schema.get("items") {
            self.members(items, depth, rows);
        }
    }
}

fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// The description, and the limits in words.
#[must_use]
pub fn about(schema: &Value) -> String {
    const LIMITS: [(&str, &str); 11] = [
        ("format", "format"),
        ("pattern", "pattern"),
        ("minimum", "at least"),
        ("maximum", "at most"),
        ("exclusiveMinimum", "more than"),
        ("exclusiveMaximum", "less than"),
        ("minLength", "characters at least"),
        ("maxLength", "characters at most"),
        ("minItems", "entries at least"),
        ("maxItems", "entries at most"),
        ("default", "default"),
    ];
    let limits: Vec<String> = LIMITS
        .iter()
        .filter_map(|(key, word)| {
            schema
                .get(*key)
                .map(|value| format!("{word} {}", plain(value)))
        })
        .collect();
    let description = schema
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or("");
    match (description, limits.is_empty()) {
        (description, true) => description.to_owned(),
        ("", false) => limits.join("; "),
        (description, false) => format!("{description} ({})", limits.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const READER: Reader<'_> = Reader {
        profile: "worthbase",
        root: "../../",
    };

    #[test]
    fn members_are_told_with_their_type_and_their_limits() {
        let rows = READER.rows(&json!({
            "properties": {
                "rows": {"type": "array", "maxItems": 3, "items": {
                    "type": "object", "required": ["id"], "properties": {"id": {"$ref": "#/$defs/item_id"}}}},
                "<b>": {"enum": ["<i>", 2], "description": "Pick <one>."},
            },
            "required": ["rows"],
        }));
        let told: Vec<(usize, &str, bool, &str)> = rows
            .iter()
            .map(|row| {
                (
                    row.depth,
                    row.name.as_str(),
                    row.required,
                    row.about.as_str(),
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                (0, "rows", true, "entries at most 3"),
                (1, "id", true, ""),
                (0, "<b>", false, "Pick <one>."),
            ]
        );
        assert_eq!(
            rows[1].kind.as_str(),
            "<a href=\"../../tools/worthbase/shared-definitions.html#item_id\">item id</a>"
        );
        assert!(!rows[2].kind.as_str().contains("<i>"), "{}", rows[2].kind);
    }
}

//! JSON for people: objects as labelled values, lists of records as tables.

use serde_json::{Map, Value};

use super::html::Html;

/// No value of a fixture is nested as deep; what is deeper is shown as JSON.
const DEPTH: usize = 8;

/// A value as HTML.
#[must_use]
pub fn shown(value: &Value) -> Html {
    block(value, 0)
}

/// A value that fits into a line, as text.
#[must_use]
pub fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some("none".to_owned()),
        Value::Bool(true) => Some("yes".to_owned()),
        Value::Bool(false) => Some("no".to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(text.clone()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

fn block(value: &Value, depth: usize) -> Html {
    if depth > DEPTH {
        return Html::new().element("code", &value.to_string());
    }
    match value {
        Value::Array(items) => list(items, depth),
        Value::Object(members) => object(members, depth),
        scalar => Html::new().element("span", &text(scalar).unwrap_or_default()),
    }
}

fn object(members: &Map<String, Value>, depth: usize) -> Html {
    let mut html = Html::new().markup("<dl class=\"values\">");
    for (name, value) in members {
        html = html
            .markup("<div>")
            .element("dt", &name.replace('_', " "))
            .markup("<dd>")
            .piece(&block(value, depth + 1))
            .markup("</dd></div>");
    }
    html.markup("</dl>")
}

fn list(items: &[Value], depth: usize) -> Html {
    if let Some(records) = records(items) {
        return table(&records);
    }
    let texts: Option<Vec<String>> = items.iter().map(text).collect();
    if let Some(texts) = texts {
        return Html::of_text(&texts.join(", "));
    }
    let mut html = Html::new().markup("<ol class=\"plain\">");
    for item in items {
        html = html
            .markup("<li>")
            .piece(&block(item, depth + 1))
            .markup("</li>");
    }
    html.markup("</ol>")
}

/// A list of objects whose members all fit into a cell.
fn records(items: &[Value]) -> Option<Vec<&Map<String, Value>>> {
    let records: Vec<&Map<String, Value>> =
        items.iter().map(Value::as_object).collect::<Option<_>>()?;
    let flat = records
        .iter()
        .all(|record| record.values().all(|value| cell(value).is_some()));
    (flat && !records.is_empty()).then_some(records)
}

/// A value that fits into a cell: a scalar, or an object or list of a few scalars.
fn cell(value: &Value) -> Option<String> {
    const FEW: usize = 4;
    match value {
        Value::Array(items) if items.len() <= FEW => Some(
            items
                .iter()
                .map(text)
                .collect::<Option<Vec<_>>>()?
                .join(", "),
        ),
        Value::Object(members) if members.len() <= FEW => {
            let parts: Option<Vec<String>> = members
                .iter()
                .map(|(name, value)| text(value).map(|value| format!("{name} {value}")))
                .collect();
            Some(parts?.join(", "))
        }
        scalar => text(scalar),
    }
}

fn table(records: &[&Map<String, Value>]) -> Html {
    let mut columns: Vec<&str> = Vec::new();
    for name in records.iter().flat_map(|record| record.keys()) {
        if !columns.contains(&name.as_str()) {
            columns.push(name);
        }
    }
    let mut html = Html::new().markup("<div class=\"scroll\"><table><thead><tr>");
    for column in &columns {
        html = html
            .markup("<th>")
            .text(&column.replace('_', " "))
            .markup("</th>");
    }
    html = html.markup("</tr></thead><tbody>");
    for record in records {
        html = html.markup("<tr>");
        for column in &columns {
            let text = record.get(*column).and_then(cell).unwrap_or_default();
            html = html
                .markup(if is_number(&text) {
                    "<td class=\"number\">"
                } else {
                    "<td>"
                })
                .text(&text)
                .markup("</td>");
        }
        html = html.markup("</tr>");
    }
    html.markup("</tbody></table></div>")
}

/// Whether a text is a figure, which stands at the right of its cell.
#[must_use]
pub fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+']).replace(',', "");
    digits.starts_with(|first: char| first.is_ascii_digit())
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
        && digits.matches('.').count() <= 1
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_list_of_records_is_a_table_and_its_figures_stand_right() {
        let html =
            shown(&json!([{"item": "<b>", "units": "10.5"}, {"item": "Y", "date": "2024-01-01"}]));
        let html = html.as_str();
        for part in [
            "<th>units</th>",
            "<td class=\"number\">10.5</td>",
            "&#60;b&#62;",
        ] {
            assert!(html.contains(part), "{part} is missing in {html}");
        }
    }

    #[test]
    fn only_figures_are_figures() {
        for (text, expected) in [
            ("1,000.50", true),
            ("-3", true),
            ("2024-01-01", false),
            ("", false),
            ("r1", false),
        ] {
            assert_eq!(is_number(text), expected, "{text}");
        }
    }
}

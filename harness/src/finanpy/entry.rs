//! The arguments of the two tools, as sentences and tables of the features write them.

use serde_json::{Map, Number, Value, json};

use crate::suite::Failure;

/// The fields of a transaction that a client can give.
pub const FIELDS: [&str; 6] = [
    "type",
    "amount",
    "category",
    "description",
    "date",
    "identifier",
];
/// Those that it must give.
pub const REQUIRED: [&str; 4] = ["type", "amount", "category", "description"];

/// The arguments of `registrar_transacao`, right or wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry(Map<String, Value>);

/// The arguments of `listar_transacoes`, right or wrong.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filters(Map<String, Value>);

impl Entry {
    /// The page's Uber ride, without an identifier.
    #[must_use]
    pub fn uber_ride() -> Self {
        let members = [
            ("type", json!("despesa")),
            ("amount", json!(73.90)),
            ("category", json!("transporte")),
            ("description", json!("Uber")),
            ("date", json!("2026-06-23")),
        ];
        Self(
            members
                .map(|(name, value)| (name.to_owned(), value))
                .into_iter()
                .collect(),
        )
    }

    /// A small expense that is told apart from others by its number.
    #[must_use]
    pub fn numbered(series: &str, number: u32) -> Self {
        let mut entry = Self::uber_ride();
        entry.set("description", json!(format!("{series} {number}")));
        // A cent for each number, so that amounts tell the transactions apart as well.
        let cents = f64::from(number + 1) / 100.0;
        entry.set(
            "amount",
            Number::from_f64(cents).map_or(json!(1), Value::Number),
        );
        entry
    }

    /// The transaction of a row of a table: an empty cell is a field left out, an amount is a JSON value.
    ///
    /// # Errors
    /// The table has a column that is no field.
    pub fn of_row(heading: &[String], row: &[String]) -> Result<Self, Failure> {
        let mut members = Map::new();
        for (name, cell) in heading.iter().zip(row) {
            if !FIELDS.contains(&name.as_str()) {
                return Err(Failure::harness(format!(
                    "a transaction has no field \"{name}\""
                )));
            }
            if cell.is_empty() {
                continue;
            }
            let value = match name.as_str() {
                "amount" => value_of(cell)?,
                _ => json!(cell),
            };
            members.insert(name.clone(), value);
        }
        Ok(Self(members))
    }

    /// Changes or adds a field.
    pub fn set(&mut self, field: &str, value: Value) {
        self.0.insert(field.to_owned(), value);
    }

    /// Leaves a field out.
    pub fn leave_out(&mut self, field: &str) {
        self.0.shift_remove(field);
    }

    /// The same with the fields of a sentence, such as `date "hoje" and amount -1`.
    ///
    /// # Errors
    /// The sentence cannot be read.
    pub fn with(mut self, sentence: &str) -> Result<Self, Failure> {
        for (field, value) in fields(sentence)? {
            self.set(&field, value);
        }
        Ok(self)
    }

    /// A field that was given as text.
    #[must_use]
    pub fn text(&self, field: &str) -> Option<&str> {
        self.0.get(field)?.as_str()
    }

    /// The fields that were left out although they are required.
    #[must_use]
    pub fn missing(&self) -> Vec<&'static str> {
        REQUIRED
            .into_iter()
            .filter(|field| !self.0.contains_key(*field))
            .collect()
    }

    /// As the tool takes it.
    #[must_use]
    pub fn arguments(&self) -> Value {
        Value::Object(self.0.clone())
    }
}

impl Filters {
    /// The filters of a sentence, such as `period "2026-05" and type "despesa"`; none for an empty one.
    ///
    /// # Errors
    /// The sentence cannot be read.
    pub fn of(sentence: &str) -> Result<Self, Failure> {
        Ok(Self(fields(sentence)?.into_iter().collect()))
    }

    /// One filter.
    #[must_use]
    pub fn one(name: &str, value: Value) -> Self {
        Self(Map::from_iter([(name.to_owned(), value)]))
    }

    /// As the tool takes it.
    #[must_use]
    pub fn arguments(&self) -> Value {
        Value::Object(self.0.clone())
    }
}

/// A cell or word as JSON.
///
/// # Errors
/// It is none.
pub fn value_of(text: &str) -> Result<Value, Failure> {
    serde_json::from_str(text)
        .map_err(|error| Failure::harness(format!("\"{text}\" is no JSON value: {error}")))
}

/// Reads `name value, name value and name value`, each value in JSON.
fn fields(sentence: &str) -> Result<Vec<(String, Value)>, Failure> {
    let mut found = Vec::new();
    let mut rest = sentence.trim();
    while !rest.is_empty() {
        let unreadable = || Failure::harness(format!("no field and value at \"{rest}\""));
        let (name, after) = rest.split_once(' ').ok_or_else(unreadable)?;
        let mut values = serde_json::Deserializer::from_str(after).into_iter::<Value>();
        let value = values.next().and_then(Result::ok).ok_or_else(unreadable)?;
        let end = values.byte_offset();
        found.push((name.to_owned(), value));
        rest = after[end..].trim_start();
        rest = rest.strip_prefix(", ").unwrap_or(rest);
        rest = rest.strip_prefix("and ").unwrap_or(rest);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_names_fields_and_their_json_values() {
        let found = fields(r#"period "2026-05", category "a, b and c" and amount -0.0"#).unwrap();
        assert_eq!(
            found,
            [
                ("period".to_owned(), json!("2026-05")),
                ("category".to_owned(), json!("a, b and c")),
                ("amount".to_owned(), json!(-0.0)),
            ]
        );
        assert_eq!(fields("").unwrap(), []);
        assert!(fields("date hoje").is_err());
    }

    #[test]
    fn an_empty_cell_is_a_field_left_out() {
        let heading = ["type", "amount", "date"].map(str::to_owned);
        let row = ["despesa", "1.005", ""].map(str::to_owned);
        let entry = Entry::of_row(&heading, &row).unwrap();
        assert_eq!(
            entry.arguments(),
            json!({ "type": "despesa", "amount": 1.005 })
        );
        assert_eq!(entry.missing(), ["category", "description"]);
    }
}

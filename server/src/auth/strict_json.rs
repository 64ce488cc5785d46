//! JSON objects read without mercy: a member that stands twice, or nesting without end, is never given a meaning by accident.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::choices::DuplicateMembers;

/// Deepest nesting of a text that is read.
const DEPTH_LIMIT: usize = 64;

/// Reads `text` as one JSON value.
///
/// # Errors
/// When it is not JSON in UTF-8, nests deeper than 64 levels, or has a member twice (unless the first is to count).
pub fn parse(text: &[u8], duplicates: DuplicateMembers) -> Result<Value, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let value = Strict {
        depth: 0,
        duplicates,
    }
    .deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

#[derive(Clone, Copy)]
struct Strict {
    depth: usize,
    duplicates: DuplicateMembers,
}

impl Strict {
    fn deeper<E: Error>(self) -> Result<Self, E> {
        if self.depth >= DEPTH_LIMIT {
            return Err(E::custom("nested too deeply"));
        }
        Ok(Self {
            depth: self.depth + 1,
            ..self
        })
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| E::custom("a number without a finite value"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut array = Vec::new();
        while let Some(element) = elements.next_element_seed(inner)? {
            array.push(element);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut object = Map::new();
        while let Some(Name(name)) = members.next_key()? {
            let value = members.next_value_seed(inner)?;
            if object.contains_key(&name) {
                match self.duplicates {
                    DuplicateMembers::Refused => {
                        return Err(A::Error::custom("a member stands twice"));
                    }
                    DuplicateMembers::FirstCounts => continue,
                }
            }
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

/// A member's name.
#[derive(Deserialize)]
struct Name(String);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_plain_object_is_read_as_it_stands() {
        let text = r#"{"a": [1, -2, 0.5, "x", null, true], "b": {"c": {}}}"#;
        assert_eq!(
            parse(text.as_bytes(), DuplicateMembers::Refused).unwrap(),
            json!({"a": [1, -2, 0.5, "x", null, true], "b": {"c": {}}})
        );
    }

    #[test]
    fn what_has_two_meanings_or_none_is_refused() {
        let deep = "[".repeat(5000) + &"]".repeat(5000);
        for text in [
            r#"{"a":1,"a":2}"#,
            r#"{"b":{"a":1,"\u0061":2}}"#,
            "{",
            "",
            "{} x",
            r#"{"a":1e400}"#,
            "\u{feff}{}",
            deep.as_str(),
        ] {
            assert!(
                parse(text.as_bytes(), DuplicateMembers::Refused).is_err(),
                "{:.20}",
                text
            );
        }
        assert!(parse(b"{\"a\":\"\xff\"}", DuplicateMembers::Refused).is_err());
    }

    #[test]
    fn the_first_of_two_counts_only_when_asked_for() {
        assert_eq!(
            parse(br#"{"a":1,"a":2}"#, DuplicateMembers::FirstCounts).unwrap(),
            json!({"a": 1})
        );
    }
}

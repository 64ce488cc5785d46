//! How rows carry decimals in JSON: as strings under the grammar, never as numbers.

use super::{Decimal, parse};
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserializer, Serializer};
use std::fmt;

/// Writes the decimal as the string it was read from.
///
/// # Errors
/// Only what the serializer itself reports.
pub fn serialize<S: Serializer>(value: &Decimal, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Reads a decimal string; a JSON number is refused.
///
/// # Errors
/// A value that is no string, or breaks the grammar.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Decimal, D::Error> {
    deserializer.deserialize_str(DecimalText)
}

/// The same for a field that may be absent.
pub mod optional {
    use super::{Decimal, DecimalText};
    use serde::{Deserializer, Serializer, de};
    use std::fmt;

    /// Writes the decimal, or null.
    ///
    /// # Errors
    /// Only what the serializer itself reports.
    pub fn serialize<S: Serializer>(
        value: &Option<Decimal>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => serializer.collect_str(value),
            None => serializer.serialize_none(),
        }
    }

    /// Reads a decimal string or null; a JSON number is refused.
    ///
    /// # Errors
    /// A value that is neither null nor a string of the grammar.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Decimal>, D::Error> {
        struct Optional;
        impl<'de> de::Visitor<'de> for Optional {
            type Value = Option<Decimal>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a decimal string or nothing")
            }
            fn visit_none<E: de::Error>(self) -> Result<Self::Value, E> {
                Ok(None)
            }
            fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
                Ok(None)
            }
            fn visit_some<D: Deserializer<'de>>(
                self,
                deserializer: D,
            ) -> Result<Self::Value, D::Error> {
                deserializer.deserialize_str(DecimalText).map(Some)
            }
        }
        deserializer.deserialize_option(Optional)
    }
}

struct DecimalText;

impl Visitor<'_> for DecimalText {
    type Value = Decimal;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a decimal string such as \"1234.50\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Decimal, E> {
        parse(text).map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
    }
}

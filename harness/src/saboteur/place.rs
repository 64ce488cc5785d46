//! Places in a JSON document, with a wildcard: where an edit of the proxy acts.
//!
//! A place is written like a JSON pointer (RFC 6901): `/items/0/owners`. A `*` stands for every member or element,
//! `**` for any number of levels, none included.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// One place, or several that look alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place(Vec<String>);

/// Why a text is no place.
#[derive(Debug, thiserror::Error)]
#[error("\"{0}\" is no place: it begins with `/` and names a member, such as /items/*/owners")]
pub struct NotAPlace(String);

impl Place {
    /// Reads a place.
    ///
    /// # Errors
    /// The text does not begin with `/`, or names nothing.
    pub fn parse(text: &str) -> Result<Self, NotAPlace> {
        let segments: Vec<String> = text
            .split('/')
            .skip(1)
            .map(|segment| segment.replace("~1", "/").replace("~0", "~"))
            .collect();
        let names_something = segments.last().is_some_and(|last| last != "**");
        if !text.starts_with('/') || !names_something {
            return Err(NotAPlace(text.to_owned()));
        }
        Ok(Self(segments))
    }

    /// Calls `act` on every container that this place leads to, with the name of the member or element in it. A plain
    /// last segment is passed on where the container does not have it yet, so that an edit can add a member.
    pub fn visit(&self, document: &mut Value, act: &mut dyn FnMut(&mut Value, &str)) {
        visit(document, &self.0, act);
    }

    /// Every value at this place.
    #[must_use]
    pub fn values(&self, document: &Value) -> Vec<Value> {
        let mut found = Vec::new();
        // The walk changes nothing; it is shared with edits, which do.
        let mut document = document.clone();
        self.visit(&mut document, &mut |container, name| {
            found.extend(child(container, name).cloned());
        });
        found
    }

    /// Calls `act` on every value at this place.
    pub fn edit(&self, document: &mut Value, act: &mut dyn FnMut(&mut Value)) {
        self.visit(document, &mut |container, name| {
            if let Some(value) = child_mut(container, name) {
                act(value);
            }
        });
    }

    /// Takes every value at this place out of its object or array.
    pub fn remove(&self, document: &mut Value) {
        self.visit(document, &mut |container, name| match container {
            Value::Object(members) => {
                members.shift_remove(name);
            }
            Value::Array(elements) => {
                if let Some(index) = name.parse().ok().filter(|index| *index < elements.len()) {
                    elements.remove(index);
                }
            }
            _ => {}
        });
    }

    /// Puts a value at this place, also where there was none.
    pub fn set(&self, document: &mut Value, to: &Value) {
        self.visit(document, &mut |container, name| match container {
            Value::Object(members) => {
                members.insert(name.to_owned(), to.clone());
            }
            _ => {
                if let Some(value) = child_mut(container, name) {
                    *value = to.clone();
                }
            }
        });
    }
}

fn visit(document: &mut Value, segments: &[String], act: &mut dyn FnMut(&mut Value, &str)) {
    let Some((first, rest)) = segments.split_first() else {
        return;
    };
    if first == "**" {
        visit(document, rest, act);
        for name in names(document) {
            if let Some(value) = child_mut(document, &name) {
                visit(value, segments, act);
            }
        }
        return;
    }
    let names = if first == "*" {
        names(document)
    } else {
        vec![first.clone()]
    };
    // From the end, so that an element that is taken out does not move the next ones.
    for name in names.iter().rev() {
        if rest.is_empty() {
            act(document, name);
        } else if let Some(value) = child_mut(document, name) {
            visit(value, rest, act);
        }
    }
}

fn names(document: &Value) -> Vec<String> {
    match document {
        Value::Object(members) => members.keys().cloned().collect(),
        Value::Array(elements) => (0..elements.len()).map(|index| index.to_string()).collect(),
        _ => Vec::new(),
    }
}

fn child<'a>(container: &'a Value, name: &str) -> Option<&'a Value> {
    match container {
        Value::Object(members) => members.get(name),
        Value::Array(elements) => elements.get(name.parse::<usize>().ok()?),
        _ => None,
    }
}

fn child_mut<'a>(container: &'a mut Value, name: &str) -> Option<&'a mut Value> {
    match container {
        Value::Object(members) => members.get_mut(name),
        Value::Array(elements) => elements.get_mut(name.parse::<usize>().ok()?),
        _ => None,
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for segment in &self.0 {
            write!(
                formatter,
                "/{}",
                segment.replace('~', "~0").replace('/', "~1")
            )?;
        }
        Ok(())
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn place(text: &str) -> Place {
        Place::parse(text).unwrap()
    }

    #[test]
    fn a_wildcard_stands_for_every_element() {
        let mut document = json!({"items": [{"a": 1, "b": 2}, {"a": 3}]});
        place("/items/*/a").remove(&mut document);
        assert_eq!(document, json!({"items": [{"b": 2}, {}]}));
        place("/items/*").remove(&mut document);
        assert_eq!(document, json!({"items": []}));
    }

    #[test]
    fn two_stars_stand_for_any_depth() {
        let document = json!({"id": 1, "x": {"id": 2, "y": [{"id": 3}]}});
        assert_eq!(place("/**/id").values(&document).len(), 3);
    }

    #[test]
    fn a_member_that_is_not_there_can_be_set_but_not_found() {
        let mut document = json!({"x": {}});
        assert!(place("/x/new").values(&document).is_empty());
        place("/x/new").set(&mut document, &json!(1));
        place("/y/new").set(&mut document, &json!(1));
        assert_eq!(document, json!({"x": {"new": 1}}));
    }

    #[test]
    fn what_names_nothing_is_no_place() {
        for text in ["", "items", "/items/**"] {
            assert!(Place::parse(text).is_err(), "{text}");
        }
        assert_eq!(place("/a~1b/*").to_string(), "/a~1b/*");
    }
}

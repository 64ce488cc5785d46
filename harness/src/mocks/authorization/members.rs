//! The members of a JSON object as raw text in order, so that a name may stand twice and a number be out of range.

/// An object in the making: names with the JSON text of their values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Members(Vec<(String, String)>);

impl Members {
    /// Gives `name` the value `json`: in its place, or at the end where there is none.
    pub fn set(&mut self, name: &str, json: impl Into<String>) {
        let json = json.into();
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, value)) => *value = json,
            None => self.0.push((name.to_owned(), json)),
        }
    }

    /// Gives `name` the string `text`.
    pub fn set_text(&mut self, name: &str, text: &str) {
        self.set(name, serde_json::Value::from(text).to_string());
    }

    /// Adds `name` at the end, whether or not it is there.
    pub fn add(&mut self, name: &str, json: impl Into<String>) {
        self.0.push((name.to_owned(), json.into()));
    }

    /// Takes every member of this name out.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(known, _)| known != name);
    }

    /// Gives members of the name `from` the name `to`.
    pub fn rename(&mut self, from: &str, to: &str) {
        for (name, _) in self.0.iter_mut().filter(|(name, _)| name == from) {
            to.clone_into(name);
        }
    }

    /// The object as JSON text.
    #[must_use]
    pub fn to_json(&self) -> String {
        let members: Vec<String> = self
            .0
            .iter()
            .map(|(name, json)| format!("{}:{json}", serde_json::Value::from(name.as_str())))
            .collect();
        format!("{{{}}}", members.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_order_and_allows_a_name_twice() {
        let mut members = Members::default();
        members.set_text("aud", "a\"b");
        members.set("exp", "1e400");
        members.add("aud", "[]");
        members.set("exp", "7");
        assert_eq!(members.to_json(), r#"{"aud":"a\"b","exp":7,"aud":[]}"#);
        members.rename("aud", "audience");
        members.remove("exp");
        assert_eq!(members.to_json(), r#"{"audience":"a\"b","audience":[]}"#);
    }
}

//! Changes beside the rows of a batch: what is known of an item, owners, links, archived items, goals and losses.

use serde_json::{Map, Value, json};

use super::Call;

impl Call {
    /// A party gets another name or kind.
    #[must_use]
    pub fn change_party(party: &str, name: &str, kind: &str) -> Self {
        Self::add_party(name, kind).with("party", json!(party))
    }

    /// An account gets another name or kind.
    #[must_use]
    pub fn change_account(account: &str, name: &str, kind: &str) -> Self {
        Self::add_account(name, kind).with("account", json!(account))
    }

    /// What is known of an item changes, in the named fields.
    #[must_use]
    pub fn update_item(item: &str, fields: Map<String, Value>) -> Self {
        let mut call = Self::new("update_item", json!({ "item": item }));
        call.arguments.extend(fields);
        call
    }

    /// The owners of an item are replaced from a day on; a correction replaces the past too.
    #[must_use]
    pub fn set_owners(item: &str, owners: &Value, from: Option<&str>, correction: bool) -> Self {
        let correction = correction.then_some(true);
        Self::new(
            "set_owners",
            json!({ "item": item, "owners": owners, "from": from, "correction": correction }),
        )
    }

    /// A loan is linked to what secures it or to what it funded, an offset account to its loan.
    #[must_use]
    pub fn link(from: &str, to: &str, relation: &str) -> Self {
        Self::new(
            "link_items",
            json!({ "from": from, "to": to, "relation": relation }),
        )
    }

    /// A link is taken away.
    #[must_use]
    pub fn unlink(from: &str, to: &str, relation: &str) -> Self {
        Self::link(from, to, relation).with("remove", json!(true))
    }

    /// An item leaves the balance sheet on a day.
    #[must_use]
    pub fn archive_item(item: &str, on: Option<&str>) -> Self {
        Self::new("archive_item", json!({ "item": item, "on": on }))
    }

    /// A goal is set, or changed where `fields` hold its id.
    #[must_use]
    pub fn set_goal(fields: Map<String, Value>) -> Self {
        Self::new("set_goal", Value::Object(fields))
    }

    /// A loss is tracked, or changed where `fields` hold its id.
    #[must_use]
    pub fn set_loss(fields: Map<String, Value>) -> Self {
        Self::new("set_loss", Value::Object(fields))
    }
}

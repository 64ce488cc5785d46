//! Changes beside the rows of a batch: owners, links, archived items, goals and losses.

use serde_json::{Map, Value, json};

use super::Call;

impl Call {
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

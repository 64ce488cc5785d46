//! The tool table of the profile, from the contract files.

use std::sync::{Arc, LazyLock};

use crate::mcp::tool::{ContractError, ToolTable};

macro_rules! contract {
    ($($name:literal)*) => {
        [$((concat!($name, ".json"), include_str!(concat!("../../../../fixtures/contracts/worthbase/", $name, ".json")))),*]
    };
}

/// File name and text of the shared definitions and of every tool, in the order in which tools are listed.
const FILES: [(&str, &str); 31] = contract! {
    "definitions"
    "whoami" "get_overview" "get_net_worth" "get_history" "list_items" "get_item" "get_performance"
    "get_debt_report" "get_goals" "get_losses" "simulate_sale" "list_batches"
    "search_instruments"
    "record" "commit" "undo" "reconcile" "update_item" "set_owners" "link_items" "archive_item" "void"
    "set_goal" "set_loss" "refresh_prices"
    "save_workspace" "save_party" "save_account" "members" "accept_invite"
};

/// The tools of the profile; their schemas are compiled once, however many servers run in this process.
pub(super) fn tool_table() -> Result<Arc<ToolTable>, &'static ContractError> {
    static TABLE: LazyLock<Result<Arc<ToolTable>, ContractError>> =
        LazyLock::new(|| ToolTable::load(FILES).map(Arc::new));
    TABLE.as_ref().map(Arc::clone)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    #[test]
    fn every_schema_is_valid_and_stands_alone() {
        let table = tool_table().unwrap();
        for tool in table.iter() {
            for schema in [&tool.input_schema, &tool.output_schema] {
                let schema = Value::Object((**schema).clone());
                assert!(jsonschema::meta::is_valid(&schema), "{}", tool.name);
                assert!(
                    jsonschema::draft202012::new(&schema).is_ok(),
                    "{}",
                    tool.name
                );
            }
            assert_eq!(
                tool.input_schema.get("additionalProperties"),
                Some(&Value::Bool(false)),
                "{}",
                tool.name
            );
        }
        assert_eq!(table.iter().count(), 30);
    }

    #[test]
    fn a_read_tool_destroys_nothing_and_a_description_says_what_to_confirm() {
        for tool in tool_table().unwrap().iter() {
            let read = tool.annotations.read_only_hint == Some(true);
            let named = [
                "whoami",
                "get_overview",
                "get_net_worth",
                "get_history",
                "list_items",
                "get_item",
                "get_performance",
                "get_debt_report",
                "get_goals",
                "get_losses",
                "simulate_sale",
                "list_batches",
                "search_instruments",
            ];
            assert_eq!(read, named.contains(&tool.name.as_str()), "{}", tool.name);
            assert!(
                !(read && tool.annotations.destructive_hint == Some(true)),
                "{}",
                tool.name
            );
            if ["commit", "undo", "archive_item", "void"].contains(&tool.name.as_str()) {
                assert!(tool.description.contains("confirm"), "{}", tool.name);
            }
        }
    }

    #[test]
    fn every_shared_definition_is_used() {
        let (_, definitions) = FILES[0];
        let names: BTreeSet<String> =
            serde_json::from_str::<serde_json::Map<String, Value>>(definitions)
                .unwrap()
                .keys()
                .cloned()
                .collect();
        let unused: Vec<_> = names
            .iter()
            .filter(|name| {
                !FILES
                    .iter()
                    .any(|(_, text)| text.contains(&format!("\"#/$defs/{name}\"")))
            })
            .collect();
        assert!(unused.is_empty(), "{unused:?}");
    }
}

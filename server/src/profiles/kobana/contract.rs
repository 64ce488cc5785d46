//! The tool table of the profile, from the contract files.

use std::sync::{Arc, LazyLock};

use crate::mcp::tool::{ContractError, ToolTable};

macro_rules! contract {
    ($($name:literal)*) => {
        [$((concat!($name, ".json"), include_str!(concat!("../../../../fixtures/contracts/kobana/", $name, ".json")))),*]
    };
}

/// File name and text of the shared definitions and of every tool, in the order in which tools are listed.
const FILES: [(&str, &str); 18] = contract! {
    "definitions"
    "finance_workspaces_list" "finance_schemas_get"
    "finance_payables_list" "finance_payables_get" "finance_payables_create" "finance_payables_update"
    "finance_payables_cancel" "finance_payables_send_to_bank"
    "finance_people_list" "finance_people_get" "finance_people_create" "finance_people_update"
    "finance_receivables_list" "finance_receivables_get" "finance_receivables_create"
    "finance_receivables_update" "finance_receivables_charge"
};

/// The tools of the profile; their schemas are compiled once, however many servers run in this process.
pub(super) fn tool_table() -> Result<Arc<ToolTable>, &'static ContractError> {
    static TABLE: LazyLock<Result<Arc<ToolTable>, ContractError>> =
        LazyLock::new(|| ToolTable::load(FILES).map(Arc::new));
    TABLE.as_ref().map(Arc::clone)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_tool_says_what_both_axes_ask_and_where_it_acts() {
        for tool in tool_table().unwrap().iter() {
            let axes = tool.axes.as_ref().unwrap();
            assert_eq!(axes.workspace, axes.permission.is_some(), "{}", tool.name);
            assert_eq!(axes.workspace, axes.resource.is_some(), "{}", tool.name);
            let property = &tool.input_schema["properties"]["workspace_id"];
            assert_eq!(axes.workspace, property != &json!(null), "{}", tool.name);
        }
    }
}

//! The tools of a contract, read from the files that the reference server and the suite take them from.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::SpecError;
use crate::embedded::Document;

/// The tools of one profile.
#[derive(Debug, Clone, Default)]
pub struct Contract {
    /// The folder they stand in, which is named after the profile.
    pub profile: String,
    /// Those that only read first, each group by name.
    pub tools: Vec<Tool>,
    /// Schemas that several tools use, by name.
    pub definitions: Map<String, Value>,
}

/// One tool. Contracts differ in what they state; what is absent is not shown.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    /// Its name on the wire.
    pub name: String,
    /// Its name for people.
    #[serde(default)]
    pub title: String,
    /// What a model reads about it.
    #[serde(default)]
    pub description: String,
    /// What it does to the world.
    #[serde(default)]
    pub annotations: Annotations,
    /// The least role that may call it.
    pub role: Option<Role>,
    /// Whether the workspace needs a subscription.
    pub subscription: Option<bool>,
    /// What it needs on two axes: its kind, its resource, its permission, whether it acts in a workspace.
    #[serde(default)]
    pub axes: Map<String, Value>,
    /// What it takes.
    #[serde(default)]
    pub input_schema: Value,
    /// What it answers.
    #[serde(default)]
    pub output_schema: Value,
}

/// What a tool says it does to the world; none where the contract says nothing.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[allow(clippy::struct_field_names, reason = "the names of the protocol")]
pub struct Annotations {
    /// It changes nothing.
    pub read_only_hint: Option<bool>,
    /// What it changes can be lost.
    pub destructive_hint: Option<bool>,
    /// Twice is as good as once.
    pub idempotent_hint: Option<bool>,
    /// It asks somebody outside.
    pub open_world_hint: Option<bool>,
}

/// The least role that may call a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Anybody who is signed in.
    Anyone,
    /// Members that read.
    Viewer,
    /// Members that write data.
    Editor,
    /// Members that also manage parties, accounts and members.
    Admin,
}

impl Tool {
    /// Whether it only reads.
    #[must_use]
    pub fn reads(&self) -> bool {
        self.annotations.read_only_hint == Some(true)
    }
}

/// Reads every contract, ordered by profile.
///
/// # Errors
/// When a file that has the members of a tool cannot be read as one.
pub fn read(documents: &[Document]) -> Result<Vec<Contract>, SpecError> {
    let mut contracts: BTreeMap<&str, Contract> = BTreeMap::new();
    for document in documents {
        // The schemas of the reports and of the directories stand in no folder: they are no tools.
        let Some((profile, _)) = document.path.split_once('/') else {
            continue;
        };
        let value: Value = serde_json::from_str(&document.text)
            .map_err(|source| SpecError::contract(&document.path, source))?;
        let contract = contracts.entry(profile).or_default();
        profile.clone_into(&mut contract.profile);
        if value.get("inputSchema").is_some() {
            let tool = serde_json::from_value(value)
                .map_err(|source| SpecError::contract(&document.path, source))?;
            contract.tools.push(tool);
        } else if document.path.ends_with("/definitions.json")
            && let Value::Object(definitions) = value
        {
            contract.definitions = definitions;
        }
    }
    let mut contracts: Vec<Contract> = contracts
        .into_values()
        .filter(|contract| !contract.tools.is_empty())
        .collect();
    for contract in &mut contracts {
        contract
            .tools
            .sort_by(|left, right| (!left.reads(), &left.name).cmp(&(!right.reads(), &right.name)));
    }
    Ok(contracts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_that_read_come_first_and_other_files_are_left_out() {
        let tool = |name: &str, reads: bool| {
            let text = format!(
                "{{\"name\":\"{name}\",\"annotations\":{{\"readOnlyHint\":{reads}}},\"inputSchema\":{{}}}}"
            );
            Document::new(&format!("p/{name}.json"), &text)
        };
        let other = Document::new("report.schema.json", "{}");
        let contracts = read(&[tool("b_write", false), tool("c_read", true), other]).unwrap();
        let names: Vec<&str> = contracts[0]
            .tools
            .iter()
            .map(|tool| tool.name.as_str())
            .collect();
        assert_eq!(names, ["c_read", "b_write"]);
    }
}

//! A decision table with two axes of authorization, condensed: the axes, the states, and the cells that tell rules apart.
//!
//! The whole table has more cells than anybody reads. What decides a cell stands in its axes, and the few cells named as
//! telling are those in which a server with a wrong rule answers otherwise.

use std::collections::BTreeMap;

use serde::{Deserialize, de::IgnoredAny};
use serde_json::{Map, Value};

use super::SpecError;
use crate::embedded::Document;

/// The file of the table itself.
const TABLE: &str = "decision-table.json";
/// The file of the telling cells.
const TELLING: &str = "telling-cells.json";

/// The table, condensed.
#[derive(Debug, Clone)]
pub struct DecisionTable {
    /// Every tool with what it needs.
    pub tools: Map<String, Value>,
    /// The tools, in the order of the columns.
    pub tool_order: Vec<String>,
    /// What each scope of a token allows a person who may everything; none where the token has no such claim.
    pub scopes: Vec<(Option<String>, Vec<Decided>)>,
    /// What each set of permissions allows with a token that leaves it open, and the permissions in it.
    pub permissions: Vec<(String, Vec<String>, Vec<Decided>)>,
    /// What the person is to the organisation and the workspace.
    pub membership_states: Map<String, Value>,
    /// What is answered before any tool is asked.
    pub http_states: Map<String, Value>,
    /// How many cells the whole table has.
    pub counts: Counts,
    /// The cells that tell wrong rules apart.
    pub telling: Vec<TellingCell>,
}

/// One decision of an axis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Decided {
    /// Whether the call is allowed.
    pub allowed: bool,
    /// How sure the source is: nothing, `~` for inferred, `?` for ambiguous.
    pub doubt: &'static str,
}

/// The file as it is written; its own legend explains the cells.
#[derive(Deserialize)]
struct File {
    tools: Map<String, Value>,
    tool_order: Vec<String>,
    scopes: Vec<Option<String>>,
    permission_sets: Map<String, Value>,
    membership_states: Map<String, Value>,
    #[serde(default)]
    http_states: Map<String, Value>,
    #[serde(default)]
    counts: Counts,
    /// Place of the scope, permission set, membership state, which tools are listed, a cell for each tool.
    rows: Vec<(usize, String, String, IgnoredAny, String)>,
}

impl File {
    /// The state in which nothing but scope and permission decides: an active member in a workspace they reach.
    fn plain_state(&self) -> Option<&String> {
        let plain = |facts: &Value| facts["active"] == true && facts["ws"] == "ok";
        let mut states = self.membership_states.iter();
        states.find(|(_, facts)| plain(facts)).map(|(name, _)| name)
    }

    /// The permission set that allows everything.
    fn everything(&self) -> Option<&String> {
        let all = |set: &Value| {
            set.as_array()
                .is_some_and(|set| set.iter().any(|one| one == "*"))
        };
        let mut sets = self.permission_sets.iter();
        sets.find(|(_, set)| all(set)).map(|(name, _)| name)
    }

    fn condensed(self) -> DecisionTable {
        let state = self.plain_state().cloned();
        let everything = self.everything().cloned();
        let mut scopes: Vec<Vec<Decided>> = vec![Vec::new(); self.scopes.len()];
        let mut permissions: BTreeMap<&str, Vec<Decided>> = BTreeMap::new();
        for (scope, set, in_state, _, cells) in &self.rows {
            if Some(in_state) != state.as_ref() {
                continue;
            }
            let decided: Vec<Decided> = cells.split(' ').map(decided).collect();
            let known = permissions.entry(set).or_default();
            known.resize(decided.len(), Decided::default());
            for (known, decided) in known.iter_mut().zip(&decided) {
                known.allowed |= decided.allowed;
            }
            if Some(set) == everything.as_ref()
                && let Some(place) = scopes.get_mut(*scope)
            {
                *place = decided;
            }
        }
        let permissions = self
            .permission_sets
            .iter()
            .map(|(name, set)| {
                let held = set
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str);
                let allowed = permissions.remove(name.as_str()).unwrap_or_default();
                (name.clone(), held.map(str::to_owned).collect(), allowed)
            })
            .collect();
        DecisionTable {
            scopes: self.scopes.into_iter().zip(scopes).collect(),
            permissions,
            tools: self.tools,
            tool_order: self.tool_order,
            membership_states: self.membership_states,
            http_states: self.http_states,
            counts: self.counts,
            telling: Vec::new(),
        }
    }
}

/// A cell: `ok` or the code of a refusal, other readings behind `+` or `|`, then `~` or `?` for a doubt.
fn decided(cell: &str) -> Decided {
    let outcome = cell.split(['+', '|', '~', '?']).next().unwrap_or("");
    Decided {
        allowed: outcome == "ok",
        doubt: match cell.chars().last() {
            Some('~') => "~",
            Some('?') => "?",
            _ => "",
        },
    }
}

/// How large the whole table is.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub struct Counts {
    /// Decisions.
    #[serde(default)]
    pub cells: u64,
    /// Callers.
    #[serde(default)]
    pub rows: u64,
}

/// A cell in which a wrong rule shows.
#[derive(Debug, Clone, Deserialize)]
pub struct TellingCell {
    /// What is called.
    pub tool: String,
    /// With which scope.
    pub scope: Option<String>,
    /// By a member with which permissions.
    pub permissions: String,
    /// In which state.
    pub state: String,
    /// What must be answered.
    pub expect: String,
    /// Names of the wrong rules that answer otherwise.
    #[serde(default)]
    pub catches: Vec<String>,
}

#[derive(Deserialize)]
struct TellingCells {
    cells: Vec<TellingCell>,
}

impl DecisionTable {
    /// Finds the table among the files of its profile; none where it is not there.
    ///
    /// # Errors
    /// When a file with the name of a table has another form.
    pub fn read(documents: &[Document]) -> Result<Option<Self>, SpecError> {
        let find = |name: &str| documents.iter().find(|document| document.path == name);
        let Some(file) = find(TABLE) else {
            return Ok(None);
        };
        let read: File = serde_json::from_str(&file.text)
            .map_err(|reason| SpecError::decision(&file.path, reason))?;
        let mut table = read.condensed();
        if let Some(file) = find(TELLING) {
            let cells: TellingCells = serde_json::from_str(&file.text)
                .map_err(|reason| SpecError::decision(&file.path, reason))?;
            table.telling = cells.cells;
        }
        Ok(Some(table))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_axes_are_the_cells_in_which_nothing_else_decides() {
        let table = json!({
            "tools": {}, "tool_order": ["list", "pay"], "scopes": ["read", null],
            "permission_sets": {"reader": ["r"], "owner": ["*"]},
            "membership_states": {"removed": {"active": false}, "here": {"active": true, "ws": "ok"}},
            "rows": [
                [0, "owner", "removed", "00", "M M"], [0, "owner", "here", "10", "ok|S? S~"],
                [1, "owner", "here", "00", "S+P S"], [0, "reader", "here", "10", "ok S"],
            ],
        });
        let documents = [Document::new("decision-table.json", &table.to_string())];
        let table = DecisionTable::read(&documents).unwrap().unwrap();
        let cell = |allowed, doubt| Decided { allowed, doubt };
        assert_eq!(
            table.scopes,
            [
                (
                    Some("read".to_owned()),
                    vec![cell(true, "?"), cell(false, "~")]
                ),
                (None, vec![cell(false, ""), cell(false, "")]),
            ]
        );
        assert_eq!(table.permissions[0].0, "reader");
        assert_eq!(table.permissions[0].2, [cell(true, ""), cell(false, "")]);
    }
}

//! A decision table with two axes of authorization, condensed: the axes, the states, and the cells that tell rules apart.
//!
//! The whole table has more cells than anybody reads. What decides a cell stands in its axes, and the few cells named as
//! telling are those in which a server with a wrong rule answers otherwise.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::SpecError;
use crate::embedded::Document;

/// The file of the table itself.
const TABLE: &str = "decision-table.json";
/// The file of the telling cells.
const TELLING: &str = "telling-cells.json";

/// The table.
#[derive(Debug, Clone, Deserialize)]
pub struct DecisionTable {
    /// Every tool with what it needs.
    pub tools: serde_json::Map<String, Value>,
    /// The tools, in the order of the columns.
    pub tool_order: Vec<String>,
    /// What each scope of a token allows.
    pub axis1: Vec<ScopeRow>,
    /// What each set of permissions allows.
    pub axis2: Map<String, Value>,
    /// The permissions of each set.
    #[serde(default)]
    pub permission_sets: BTreeMap<String, Vec<String>>,
    /// What the person is to the organisation and the workspace.
    #[serde(default)]
    pub membership_states: Map<String, Value>,
    /// What is answered before any tool is asked.
    #[serde(default)]
    pub http_states: Map<String, Value>,
    /// How many cells the whole table has.
    #[serde(default)]
    pub counts: Counts,
    /// The cells that tell wrong rules apart.
    #[serde(skip)]
    pub telling: Vec<TellingCell>,
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

/// A scope and the tools it allows.
#[derive(Debug, Clone, Deserialize)]
pub struct ScopeRow {
    /// As it stands in the token; none where the token has no such claim.
    pub scope: Option<String>,
    /// Why it is in the table.
    #[serde(default)]
    pub why: String,
    /// By tool.
    pub tools: BTreeMap<String, ScopeCell>,
}

/// Whether a scope allows a tool.
#[derive(Debug, Clone, Deserialize)]
pub struct ScopeCell {
    /// The decision.
    pub allowed: bool,
    /// `text` where the source says it; else how it was read.
    #[serde(default)]
    pub basis: String,
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
        let mut table: Self = serde_json::from_str(&file.text)
            .map_err(|source| SpecError::decision(&file.path, source))?;
        if let Some(file) = find(TELLING) {
            let cells: TellingCells = serde_json::from_str(&file.text)
                .map_err(|source| SpecError::decision(&file.path, source))?;
            table.telling = cells.cells;
        }
        Ok(Some(table))
    }
}

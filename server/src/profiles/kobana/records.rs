//! The records of every workspace, in memory: payables, people, receivables, each bounded.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};
use ulid::Ulid;

use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;

use super::rules::RecordReach;

/// Most records of one family in one workspace.
const RECORD_LIMIT: usize = 20_000;
/// Most workspaces that hold records.
const WORKSPACE_LIMIT: usize = 10_000;

/// A kind of record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Family {
    /// What the organisation owes.
    Payables,
    /// With whom it deals.
    People,
    /// What it is owed.
    Receivables,
}

impl Family {
    /// Every family, as resources and schemas show them.
    pub(super) const ALL: [Self; 3] = [Self::Payables, Self::People, Self::Receivables];

    /// Its name in tools and resources.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Payables => "payables",
            Self::People => "people",
            Self::Receivables => "receivables",
        }
    }

    /// The family called `name`.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.name() == name)
    }
}

/// Records by id; ids grow with time, so their order is the order of creation.
type Shelf = BTreeMap<String, JsonObject>;

/// All records.
#[derive(Debug, Default)]
pub(super) struct Records {
    shelves: Mutex<HashMap<(String, Family), Shelf>>,
    reach: RecordReach,
}

/// A page of records and the cursor of the next one.
pub(super) struct Page {
    /// The records.
    pub records: Vec<Value>,
    /// Where the next page begins, if there is one.
    pub next: Option<String>,
}

impl Records {
    /// No records yet, seen as `reach` says.
    pub(super) fn new(reach: RecordReach) -> Self {
        Self {
            shelves: Mutex::default(),
            reach,
        }
    }

    /// Up to `limit` records after `cursor`, oldest first.
    pub(super) fn list(
        &self,
        workspace: &str,
        family: Family,
        cursor: Option<&str>,
        limit: usize,
    ) -> Page {
        let shelves = self.lock();
        let mut found: Vec<(&String, &JsonObject)> = shelves
            .iter()
            .filter(|((place, kind), _)| *kind == family && self.sees(workspace, place))
            .flat_map(|(_, shelf)| shelf)
            .filter(|(id, _)| cursor.is_none_or(|cursor| id.as_str() > cursor))
            .collect();
        found.sort_by_key(|(id, _)| id.as_str());
        let more = found.len() > limit;
        found.truncate(limit);
        let next = found.last().filter(|_| more).map(|(id, _)| (*id).clone());
        Page {
            records: found
                .into_iter()
                .map(|(_, record)| Value::Object(record.clone()))
                .collect(),
            next,
        }
    }

    /// The ids that begin with `start`, at most `limit`.
    pub(super) fn ids(
        &self,
        workspace: Option<&str>,
        family: Family,
        start: &str,
        limit: usize,
    ) -> Vec<String> {
        let shelves = self.lock();
        let seen = |place: &str| workspace.is_none_or(|own| self.sees(own, place));
        let mut ids: Vec<String> = shelves
            .iter()
            .filter(|((place, kind), _)| *kind == family && seen(place))
            .flat_map(|(_, shelf)| shelf.keys())
            .filter(|id| id.starts_with(start))
            .cloned()
            .collect();
        ids.sort_unstable();
        ids.truncate(limit);
        ids
    }

    /// One record.
    ///
    /// # Errors
    /// When the workspace has none of this id.
    pub(super) fn get(
        &self,
        workspace: &str,
        family: Family,
        id: &str,
    ) -> Result<JsonObject, Fault> {
        let id = id.to_ascii_lowercase();
        let shelves = self.lock();
        shelves
            .iter()
            .filter(|((place, kind), _)| *kind == family && self.sees(workspace, place))
            .find_map(|(_, shelf)| shelf.get(&id))
            .cloned()
            .ok_or_else(not_found)
    }

    /// Adds a record and gives it with its id.
    ///
    /// # Errors
    /// When the workspace is full.
    pub(super) fn create(
        &self,
        workspace: &str,
        family: Family,
        fields: JsonObject,
    ) -> Result<JsonObject, Fault> {
        let id = new_id();
        let mut record = Map::new();
        record.insert("id".to_owned(), Value::from(id.as_str()));
        record.extend(fields);
        if family != Family::People {
            record.insert("status".to_owned(), Value::from("open"));
        }
        let mut shelves = self.lock();
        let full = |message: &str| Fault::new("limit_reached", message);
        let key = (workspace.to_owned(), family);
        if shelves.len() >= WORKSPACE_LIMIT && !shelves.contains_key(&key) {
            return Err(full("This server holds records of no more workspaces."));
        }
        let shelf = shelves.entry(key).or_default();
        if shelf.len() >= RECORD_LIMIT {
            return Err(full("This workspace holds no more records of this kind."));
        }
        shelf.insert(id, record.clone());
        Ok(record)
    }

    /// Changes a record that is in one of the states `from`, where it has a state, and gives it as it is then.
    ///
    /// # Errors
    /// When there is no such record, or it is in another state.
    pub(super) fn change(
        &self,
        workspace: &str,
        family: Family,
        id: &str,
        from: &str,
        fields: JsonObject,
    ) -> Result<JsonObject, Fault> {
        let mut shelves = self.lock();
        let record = shelves
            .get_mut(&(workspace.to_owned(), family))
            .and_then(|shelf| shelf.get_mut(&id.to_ascii_lowercase()))
            .ok_or_else(not_found)?;
        match record.get("status").and_then(Value::as_str) {
            Some(status) if status != from => Err(Fault::new(
                "invalid_state",
                format!("The record is {status}; only one that is {from} can be changed so."),
            )
            .at("id")),
            _ => {
                record.extend(fields);
                Ok(record.clone())
            }
        }
    }

    fn sees(&self, workspace: &str, place: &str) -> bool {
        workspace == place || self.reach == RecordReach::Every
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(String, Family), Shelf>> {
        // Every change is one insertion: what a panic elsewhere leaves behind is whole.
        self.shelves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn not_found() -> Fault {
    Fault::new(
        "not_found",
        "This workspace has no record of this id. The list shows the ids there are.",
    )
    .at("id")
}

/// A UUID that grows with time.
fn new_id() -> String {
    let digits = format!("{:032x}", Ulid::new().0);
    format!(
        "{}-{}-{}-{}-{}",
        &digits[..8],
        &digits[8..12],
        &digits[12..16],
        &digits[16..20],
        &digits[20..]
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fields(text: &str) -> JsonObject {
        json!({ "description": text }).as_object().unwrap().clone()
    }

    #[test]
    fn a_record_is_seen_in_its_own_workspace_only() {
        let records = Records::default();
        let made = records
            .create("a", Family::Payables, fields("Rent"))
            .unwrap();
        let id = made["id"].as_str().unwrap();
        assert_eq!(made["status"], "open");
        assert!(records.get("a", Family::Payables, id).is_ok());
        assert!(records.get("b", Family::Payables, id).is_err());
        assert!(
            records
                .change("b", Family::Payables, id, "open", fields("x"))
                .is_err()
        );
        assert!(
            records
                .list("b", Family::Payables, None, 10)
                .records
                .is_empty()
        );
        assert!(records.ids(Some("b"), Family::Payables, "", 10).is_empty());
    }

    #[test]
    fn pages_follow_each_other_without_gap_or_repeat() {
        let records = Records::default();
        for number in 0..5 {
            records
                .create("a", Family::People, fields(&number.to_string()))
                .unwrap();
        }
        let (mut seen, mut cursor) = (0, None);
        loop {
            let page = records.list("a", Family::People, cursor.as_deref(), 2);
            seen += page.records.len();
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen, 5);
    }

    #[test]
    fn a_record_leaves_its_state_once() {
        let records = Records::default();
        let made = records
            .create("a", Family::Payables, fields("Rent"))
            .unwrap();
        let id = made["id"].as_str().unwrap();
        let sent = json!({ "status": "sent" }).as_object().unwrap().clone();
        assert!(
            records
                .change("a", Family::Payables, id, "open", sent.clone())
                .is_ok()
        );
        let refusal = records
            .change("a", Family::Payables, id, "open", sent)
            .unwrap_err();
        assert_eq!(refusal.code, "invalid_state");
    }
}

//! One deliberate fault: a way in which a server could be wrong, that the suite has to notice.

use serde::{Deserialize, Serialize};

use super::Profile;

/// Where the fault is put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seam {
    /// A proxy changes what goes over the wire; works in front of any server.
    Wire,
    /// The reference server runs with another value of its rules.
    Rules,
}

/// One deliberate fault of the catalogue. Its id is the name of its table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// Such as `audience-unchecked`.
    #[serde(skip_deserializing)]
    pub id: String,
    /// What is wrong, in one sentence.
    pub title: String,
    /// Whose servers it is put into.
    pub profile: Profile,
    /// The requirements it breaks; the suite must find at least one of them violated.
    pub requirements: Vec<String>,
    /// Where it is put in.
    pub seam: Seam,
    /// For [`Seam::Rules`]: what differs from the correct rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<serde_json::Value>,
    /// For [`Seam::Wire`]: the name of the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wire: Option<String>,
    /// For [`Seam::Wire`]: the changes as data, where they need no code of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edits: Option<serde_json::Value>,
    /// A public report of a real server with this defect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
}

impl Fault {
    /// What is inconsistent in the row itself: the seam and what it needs have to fit.
    #[must_use]
    pub fn inconsistency(&self) -> Option<&'static str> {
        let on_the_wire = usize::from(self.wire.is_some()) + usize::from(self.edits.is_some());
        match (self.seam, self.rules.is_some(), on_the_wire) {
            (Seam::Rules, true, 0) | (Seam::Wire, false, 1) => None,
            (Seam::Rules, _, _) => {
                Some("a fault of seam \"rules\" has a table `rules` and neither `wire` nor `edits`")
            }
            (Seam::Wire, _, _) => {
                Some("a fault of seam \"wire\" has a name `wire` or a list `edits`, and no `rules`")
            }
        }
    }
}

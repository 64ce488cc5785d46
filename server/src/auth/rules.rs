//! The door's choices as one value: the default is correct, every other value is a named defect.

use serde::{Deserialize, Serialize};

/// What the door checks, and how.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DoorRules {}

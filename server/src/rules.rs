//! The server's choices as one value, whose default is correct.

use serde::{Deserialize, Serialize};

/// Every choice of the server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Who is let in.
    pub door: crate::auth::DoorRules,
}

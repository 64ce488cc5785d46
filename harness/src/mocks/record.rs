//! What the mocks were asked: bounded, searchable, and never printed with a credential in it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// One request that reached a mock. Header values and bodies stay inside the mock, where only a search sees them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedRequest {
    /// `GET`, `PUT`, …
    pub method: String,
    /// Path without the query, as it was sent.
    pub path: String,
    /// Query without the question mark, if there was one.
    pub query: Option<String>,
    /// Whether an `Authorization` header came with it; its value is not kept here.
    pub authorization: bool,
    /// Time of the steered clock when it arrived.
    pub at: Timestamp,
}

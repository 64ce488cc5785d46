//! Who is calling: a bearer header becomes a caller or a refusal, before anything else is looked at.

mod rules;

pub use rules::DoorRules;

/// The verified identity behind a request. It comes from the token alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The token's subject.
    pub subject: String,
    /// The client the token was issued to, where it says so.
    pub client_id: Option<String>,
    /// The granted scopes. In the worthbase profile they limit nothing.
    pub scopes: Vec<String>,
}

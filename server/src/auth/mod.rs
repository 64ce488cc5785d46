//! Who is calling: a bearer header becomes a caller or a refusal, before anything else of the request is looked at.

mod authorization_server;
mod challenge;
mod choices;
mod door;
mod key_cache;
mod keys;
mod rules;
pub(crate) mod strict_json;
mod token;
mod verify;

pub(crate) use authorization_server::AuthorizationServer;
pub use choices::*;
pub(crate) use door::{Door, guard};
pub(crate) use key_cache::CachedKeys;
pub use rules::DoorRules;
pub(crate) use verify::{Refusal, Verifier};

/// The verified identity behind a request. It comes from the token alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The token's subject.
    pub subject: String,
    /// The client the token was issued to, where it says so.
    pub client_id: Option<String>,
    /// The granted scopes. In the worthbase profile they limit nothing.
    pub scopes: Vec<String>,
    /// Whether the token has a claim about scopes at all.
    pub scope_given: bool,
    /// The organisation the token is for, where it names one.
    pub organization: Option<String>,
}

impl Caller {
    /// The subject of a caller that only a defective rule lets in.
    pub(crate) const ANONYMOUS: &str = "anonymous";
}

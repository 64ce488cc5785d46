//! The profile of company payables: what a token reaches and what a person may do, both asked at every call.

mod contract;
mod decision;
mod front;
mod handler;
mod records;
mod refusals;
pub mod rules;
mod scope;
mod texts;
mod tools;
mod visit;

use std::net::SocketAddr;
use std::sync::Arc;

use url::Url;

use crate::auth::{AuthorizationServer, DoorRules};
use crate::clock::Clock;
use crate::mcp::tool::{ContractError, ToolTable};
use crate::providers::{Bank, MemberDirectory};

pub(crate) use front::router;
use records::Records;
pub use rules::KobanaRules;

/// The profile.
#[derive(Debug)]
pub(crate) struct Kobana {
    tools: Arc<ToolTable>,
    records: Records,
    bank: Bank,
    rules: Arc<KobanaRules>,
}

/// What its front is built from.
pub(crate) struct KobanaFront {
    /// The socket that is listened on.
    pub address: SocketAddr,
    /// The canonical address of the server; its origin is the resource.
    pub resource: Url,
    /// Whose tokens are accepted.
    pub authorization_server: Arc<AuthorizationServer>,
    /// Who belongs where.
    pub directory: MemberDirectory,
    /// The time.
    pub clock: Clock,
    /// How tokens are checked.
    pub door: Arc<DoorRules>,
}

impl Kobana {
    /// The profile with no records yet.
    ///
    /// # Errors
    /// When a contract file is broken.
    pub(crate) fn open(
        bank: Bank,
        rules: Arc<KobanaRules>,
    ) -> Result<Arc<Self>, &'static ContractError> {
        Ok(Arc::new(Self {
            tools: contract::tool_table()?,
            records: Records::new(rules.workspace.records),
            bank,
            rules,
        }))
    }
}

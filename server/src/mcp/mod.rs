//! What every profile shares: the tool table, checked arguments, refusals, resources and prompts, and their way onto the wire.

use std::collections::BTreeMap;

use futures::future::BoxFuture;
use serde_json::{Map, Value};

pub(crate) mod arguments;
pub mod fault;
mod handler;
pub(crate) mod message;
pub mod tool;

use crate::auth::Caller;
use fault::Fault;
pub(crate) use handler::{
    Handler, REVISIONS, identified, is_stateless, one_page, published, unreadable_request,
};
use tool::{ToolDefinition, ToolTable};

/// The arguments of a tool call.
pub type JsonObject = Map<String, Value>;

/// The program that speaks for the caller: provenance of what it writes, never a right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// `clientInfo.name` of the request where there is one, else the token's `client_id`.
    pub name: String,
    /// `clientInfo.version`, empty where the request named none.
    pub version: String,
}

/// A text that a client can read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceDefinition {
    /// Its address, such as `guide://recording`.
    pub uri: String,
    /// Its short name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What it holds and when to read it.
    pub description: String,
    /// Its media type, such as `text/markdown`.
    pub media_type: String,
    /// The text itself.
    pub text: String,
}

/// An argument of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptArgumentDefinition {
    /// Its name.
    pub name: String,
    /// What belongs there.
    pub description: String,
    /// Whether the prompt can do without it.
    pub required: bool,
    /// Longest accepted value, in characters.
    pub max_length: usize,
}

/// A prompt that a client can offer to its user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptDefinition {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What it does.
    pub description: String,
    /// What it takes; anything else is refused.
    pub arguments: Vec<PromptArgumentDefinition>,
}

/// One finance server: its tools and texts, and what happens when a tool is called.
///
/// Before [`Profile::call`] the shared layer has found the tool and checked the arguments against its input schema; identity comes
/// from the verified token. Role and subscription are the profile's to check, from the tool's own declaration, once per call.
pub trait Profile: std::fmt::Debug + Send + Sync + 'static {
    /// The server's name towards clients, such as `worthbase`.
    fn name(&self) -> &str;
    /// The server's name for people.
    fn title(&self) -> &str;
    /// How an agent reads, writes and stays safe; sent by `initialize` and `server/discover`.
    fn instructions(&self) -> &str;
    /// Every tool, in the order in which they are listed.
    fn tools(&self) -> &ToolTable;
    /// Runs a tool for `caller`. The value is the tool's result, an object that satisfies its output schema.
    fn call<'a>(
        &'a self,
        caller: Caller,
        client: Client,
        tool: &'a ToolDefinition,
        arguments: JsonObject,
    ) -> BoxFuture<'a, Result<Value, Fault>>;
    /// Every resource.
    fn resources(&self) -> &[ResourceDefinition];
    /// Every prompt.
    fn prompts(&self) -> &[PromptDefinition];
    /// The text of a prompt of [`Profile::prompts`]; the arguments are already checked against its declaration and are data.
    fn prompt(&self, name: &str, arguments: &BTreeMap<String, String>) -> String;
}

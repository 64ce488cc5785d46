//! What stands between a healthy server and its client: one named change, or a list of edits that are data.

use std::sync::Arc;

use serde_json::Value;

use super::{
    WireFault,
    edit::Edit,
    exchange::{Answer, Request},
    fault::Context,
};

/// The defect that a proxy puts before a healthy server.
#[derive(Debug, Clone)]
pub enum Defect {
    /// One that needs code of its own.
    Named(WireFault),
    /// Changes that are data.
    Edits(Arc<[Edit]>),
}

impl Defect {
    /// Nothing wrong at all.
    #[must_use]
    pub fn none() -> Self {
        Self::Edits(Arc::new([]))
    }

    /// The defect of this name.
    ///
    /// # Errors
    /// No wire fault is called so.
    pub fn named(name: &str) -> Result<Self, String> {
        serde_json::from_value(Value::String(name.to_owned()))
            .map(Self::Named)
            .map_err(|error| format!("no wire fault is called \"{name}\": {error}"))
    }

    /// The defect that these edits make.
    ///
    /// # Errors
    /// A condition, a change or a place cannot be read.
    pub fn edits(edits: &Value) -> Result<Self, String> {
        let edits: Vec<Edit> = serde_json::from_value(edits.clone())
            .map_err(|error| format!("the edits cannot be read: {error}"))?;
        Ok(Self::Edits(edits.into()))
    }

    /// Changes a request before the healthy server sees it. Returns whether it did.
    pub async fn on_request(&self, request: &mut Request, context: &Context) -> bool {
        match self {
            Self::Named(fault) => fault.on_request(request, context).await,
            Self::Edits(edits) => edits
                .iter()
                .fold(false, |changed, edit| edit.on_request(request) | changed),
        }
    }

    /// Changes an answer before the client sees it; `served` is the request that the server saw. Returns whether it did.
    pub fn on_answer(&self, request: &Request, served: &Request, answer: &mut Answer) -> bool {
        match self {
            Self::Named(fault) => fault.on_answer(request, served, answer),
            Self::Edits(edits) => edits.iter().fold(false, |changed, edit| {
                edit.on_answer(request, answer) | changed
            }),
        }
    }

    /// What the defect does next, unseen by the client.
    #[must_use]
    pub fn follow_up(&self, request: &Request, answer: &Answer) -> Option<Request> {
        match self {
            Self::Named(fault) => fault.follow_up(request, answer),
            Self::Edits(edits) => edits
                .iter()
                .find_map(|edit| edit.follow_up(request, answer)),
        }
    }
}

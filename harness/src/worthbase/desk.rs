//! One person's desk: the session they speak through and the workspace their calls act in.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::{
    Answer, Call,
    result::{BatchPage, Item, ItemDetail, ItemPage, NetWorth, Overview, WrittenBatch},
};
use crate::{client::Session, suite::Failure};

/// A session and the workspace that calls through it name. Clones are the same desk.
#[derive(Debug, Clone)]
pub struct Desk {
    session: Arc<Session>,
    workspace: Option<String>,
    answers: Answers,
}

/// Every answer of a scenario, in the order they came, for checks over all of them. Clones share the same list.
#[derive(Debug, Clone, Default)]
pub struct Answers(Arc<Mutex<Vec<Answer>>>);

impl Answers {
    /// All answers so far.
    #[must_use]
    pub fn all(&self) -> Vec<Answer> {
        self.list().clone()
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.list().len()
    }

    /// Whether all after the first `count` are such as `fits` says.
    pub fn all_later(&self, count: usize, fits: impl Fn(&Answer) -> bool) -> bool {
        self.list().iter().skip(count).all(fits)
    }

    fn keep(&self, answer: &Answer) {
        self.list().push(answer.clone());
    }

    fn list(&self) -> MutexGuard<'_, Vec<Answer>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Desk {
    /// A desk whose calls act in `workspace`, or in the caller's default one where none is named.
    #[must_use]
    pub fn new(session: Arc<Session>, workspace: Option<String>, answers: Answers) -> Self {
        Self {
            session,
            workspace,
            answers,
        }
    }

    /// The same person's desk in another workspace.
    #[must_use]
    pub fn in_workspace(&self, workspace: &str) -> Self {
        Self {
            workspace: Some(workspace.to_owned()),
            ..self.clone()
        }
    }

    /// Sends a call and keeps its answer, accepted or refused.
    ///
    /// # Errors
    /// There was no tool answer: the transport failed, or the server answered with a protocol error.
    pub async fn send(&self, call: &Call) -> Result<Answer, Failure> {
        let mut arguments = call.arguments.clone();
        if let (true, Some(workspace)) = (call.in_workspace, &self.workspace) {
            arguments
                .entry("workspace")
                .or_insert_with(|| json!(workspace));
        }
        let expected = || Failure::expected(format!("an answer of the tool `{}`", call.tool));
        let answered = self.session.call(call.tool, Value::Object(arguments)).await;
        let answered = answered.map_err(|problem| expected().actual(problem))?;
        let from_text =
            || serde_json::from_str(&answered.text).unwrap_or_else(|_| json!(answered.text));
        let structured = answered.structured.map(Arc::new);
        let body = structured.clone().unwrap_or_else(|| Arc::new(from_text()));
        let answer = Answer {
            tool: call.tool,
            is_error: answered.is_error,
            body,
            text: answered.text.into(),
            structured,
        };
        self.answers.keep(&answer);
        Ok(answer)
    }

    /// `get_item`, which must be accepted.
    ///
    /// # Errors
    /// No answer, a refusal, or a result of another shape.
    pub async fn item(&self, item: &str) -> Result<ItemDetail, Failure> {
        self.send(&Call::get_item(item)).await?.accepted()
    }

    /// `get_overview`, which must be accepted.
    ///
    /// # Errors
    /// No answer, a refusal, or a result of another shape.
    pub async fn overview(&self) -> Result<Overview, Failure> {
        self.send(&Call::get_overview()).await?.accepted()
    }

    /// `get_net_worth`, which must be accepted.
    ///
    /// # Errors
    /// No answer, a refusal, or a result of another shape.
    pub async fn net_worth(
        &self,
        date: Option<&str>,
        by: Option<&str>,
        party: Option<&str>,
    ) -> Result<NetWorth, Failure> {
        self.send(&Call::get_net_worth(date, by, party))
            .await?
            .accepted()
    }

    /// All pages of `list_items`, archived items too.
    ///
    /// # Errors
    /// No answer, a refusal, or a result of another shape.
    pub async fn items(&self) -> Result<Vec<Item>, Failure> {
        let mut items = Vec::new();
        let mut cursor: Option<String> = None;
        loop {
            let page: ItemPage = self
                .send(&Call::list_items(cursor.as_deref()))
                .await?
                .accepted()?;
            items.extend(page.items);
            match page.next_cursor {
                Some(next) => cursor = Some(next),
                None => return Ok(items),
            }
        }
    }

    /// All pages of `list_batches`, newest first.
    ///
    /// # Errors
    /// No answer, a refusal, or a result of another shape.
    pub async fn batches(&self) -> Result<Vec<WrittenBatch>, Failure> {
        let mut batches = Vec::new();
        let mut cursor: Option<String> = None;
        loop {
            let page: BatchPage = self
                .send(&Call::list_batches(cursor.as_deref()))
                .await?
                .accepted()?;
            batches.extend(page.batches);
            match page.next_cursor {
                Some(next) => cursor = Some(next),
                None => return Ok(batches),
            }
        }
    }
}

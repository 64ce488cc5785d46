//! One person's desk: the session they speak through and the workspace their calls act in.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::{
    Answer, Call, Figure, Period,
    result::{
        BatchPage, DebtReport, Goals, History, Item, ItemDetail, ItemPage, Losses, NetWorth,
        Overview, Performance, Returns, WrittenBatch,
    },
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

    /// `get_history`, which must be accepted; each of its points is assets less liabilities.
    ///
    /// # Errors
    /// No answer, a refusal, a result of another shape, or a point whose figures contradict each other.
    pub async fn history(
        &self,
        period: Period<'_>,
        interval: &str,
        by: Option<&str>,
        party: Option<&str>,
    ) -> Result<History, Failure> {
        let call = Call::get_history(period, interval, by, party);
        let history: History = self.send(&call).await?.accepted()?;
        for point in &history.points {
            let difference = point.assets.minus(&point.liabilities);
            if difference.as_ref() != Ok(&point.net_worth) {
                return Err(Failure::expected(format!(
                    "on {} assets {} less liabilities {}",
                    point.date, point.assets, point.liabilities
                ))
                .actual(&point.net_worth));
            }
        }
        Ok(history)
    }

    /// `get_performance`, which must be accepted; each gain in it follows from the figures beside it, and an annual return
    /// that is not there has a reason.
    ///
    /// # Errors
    /// No answer, a refusal, a result of another shape, or a gain that does not follow from its parts.
    pub async fn performance(
        &self,
        period: Period<'_>,
        item: Option<&str>,
        party: Option<&str>,
    ) -> Result<Performance, Failure> {
        let call = Call::get_performance(period, item, party);
        let seen: Performance = self.send(&call).await?.accepted()?;
        let items = seen
            .items
            .iter()
            .map(|one| (one.item.as_str(), &one.returns));
        for (whose, returns) in items.chain([("the total", &seen.total)]) {
            gain_follows(whose, returns)?;
            reason_given(whose, returns)?;
        }
        Ok(seen)
    }

    /// `get_debt_report`, which must be accepted.
    ///
    /// # Errors
    /// No answer, a refusal, or a result of another shape.
    pub async fn debts(&self, date: Option<&str>) -> Result<DebtReport, Failure> {
        self.send(&Call::get_debt_report(date)).await?.accepted()
    }

    /// `get_goals`, which must be accepted.
    ///
    /// # Errors
    /// No answer, a refusal, or a result of another shape.
    pub async fn goals(&self, date: Option<&str>) -> Result<Goals, Failure> {
        self.send(&Call::get_goals(date)).await?.accepted()
    }

    /// `get_losses`, which must be accepted.
    ///
    /// # Errors
    /// No answer, a refusal, or a result of another shape.
    pub async fn losses(&self) -> Result<Losses, Failure> {
        self.send(&Call::get_losses()).await?.accepted()
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

/// Gain is end less start, less money in, plus money out, plus income; where an end has no value there is none.
fn gain_follows(whose: &str, returns: &Returns) -> Result<(), Failure> {
    let wide = |problem| Failure::expected("figures that can be added").actual(problem);
    let follows = returns.gain_of_parts().map_err(wide)?;
    if follows == returns.gain {
        return Ok(());
    }
    let shown = |gain: Option<&Figure>| gain.map_or("none".to_owned(), ToString::to_string);
    Err(Failure::expected(format!(
        "a gain of {whose} of {}, end less start less money in plus money out plus income",
        shown(follows.as_ref())
    ))
    .actual(format!("{} in {returns:?}", shown(returns.gain.as_ref()))))
}

/// An annual return, or the reason why there is none; never both, never neither.
fn reason_given(whose: &str, returns: &Returns) -> Result<(), Failure> {
    if returns.xirr.is_some() != returns.xirr_reason.is_some() {
        return Ok(());
    }
    Err(
        Failure::expected(format!("an annual return of {whose}, or why there is none"))
            .actual(format!("{returns:?}")),
    )
}

//! How anything is written: assessed on the present ledger, appended on the head it was assessed on, assessed again if that moved.

use std::sync::Arc;

use proofmark_ledger::assess::RowRate;
use proofmark_ledger::{Assessment, Change, Draft, Outcome, RowClass, RowVerdict};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Worthbase;
use super::access::{Desk, failed};
use super::aside::run_aside;
use super::draft::Created;
use super::history::{Book, Counts, Provenance};
use super::rates::Rates;
use super::shown;
use crate::mcp::fault::Fault;
use crate::rules::{ListedRows, MovedHead, Staleness};
use crate::store::{AppendError, EntryKind, NewEntry};

/// How often a write is computed again because something else was written first. Every round somebody's write succeeds.
const ROUNDS: usize = 100;

/// Something to write.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Intent {
    /// The changes, with the ids they have or will have.
    pub draft: Draft,
    /// What it creates, by the caller's names.
    pub created: Created,
    /// The document it is from.
    pub source: Option<Value>,
}

/// What a preview promised; it stands beside the intent in the store.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Promise {
    /// What is to be written.
    pub intent: Intent,
    /// What it would lead to.
    pub outcome: Outcome,
    /// The rates it was computed with.
    pub rates: Vec<RowRate>,
    /// The head it was computed on.
    pub head: i64,
    /// How many fetched prices there were.
    #[serde(default)]
    pub prices: usize,
}

/// What a write led to.
#[derive(Debug)]
pub(super) struct Written {
    /// What was assessed, and written as it was assessed.
    pub assessment: Assessment,
    /// The ledger before.
    pub before: Arc<Book>,
}

impl Worthbase {
    /// What recording `draft` would do to the ledger as it is now.
    pub(super) async fn assess(&self, desk: &Desk, draft: &Draft) -> Result<Written, Fault> {
        let before = self.books.load(&desk.membership.workspace).await?;
        self.assess_on(before, draft).await
    }

    async fn assess_on(&self, before: Arc<Book>, draft: &Draft) -> Result<Written, Fault> {
        let rates = Rates::load(&self.bank, &before.ledger, &draft.changes).await;
        let (book, table, draft) = (Arc::clone(&before), Arc::clone(&rates.table), draft.clone());
        let rows = before.rows() + draft.changes.len();
        let assessed = run_aside(rows, move || book.ledger.assess(&draft, &*table)).await?;
        let assessment = assessed.map_err(|refusal| rates.refused(&refusal))?;
        Ok(Written { assessment, before })
    }

    /// Writes `intent` as one batch. With a `promise` it is the commit of the preview of that id, and refused when it would lead
    /// to something else.
    pub(super) async fn write(
        &self,
        desk: &Desk,
        tool: &str,
        intent: &Intent,
        promise: Option<(&str, &Promise)>,
    ) -> Result<Written, Fault> {
        let workspace = &desk.membership.workspace;
        for round in 0..ROUNDS {
            let before = match round {
                0 => self.books.load(workspace).await?,
                // Somebody else has written since the call came in.
                _ => self.books.load_latest(workspace).await?,
            };
            let written = match (self.assess_on(before, &intent.draft).await, promise) {
                (Ok(written), _) => written,
                // A preview that can no longer be recorded at all is stale; the reason comes along.
                (Err(fault), Some((preview, _)))
                    if fault.code != "internal" && fault.code != "provider_unavailable" =>
                {
                    return Err(self.stale(preview, Some(&fault)).await?);
                }
                (Err(fault), _) => return Err(fault),
            };
            if let Some((preview, promise)) = promise
                && self.is_stale(promise, &written)
            {
                return Err(self.stale(preview, None).await?);
            }
            let entry = self.entry(
                desk,
                tool,
                intent,
                &written.assessment,
                promise.map(|(id, _)| id),
            )?;
            let mut head = written.before.head;
            loop {
                match self.store.append(desk.workspace(), head, &entry).await {
                    Ok(_) => return Ok(written),
                    Err(AppendError::AlreadyCommitted(batch)) => {
                        return Err(already_committed(&batch));
                    }
                    Err(AppendError::Store(error)) => return Err(failed(error)),
                    Err(AppendError::HeadMoved)
                        if self.rules.writes.moved_head == MovedHead::Ignored =>
                    {
                        head = self.books.load_latest(workspace).await?.head;
                    }
                    Err(AppendError::HeadMoved) => break,
                }
            }
        }
        tracing::warn!(rounds = ROUNDS, "a write found no quiet moment");
        Err(Fault::internal())
    }

    /// Why `preview` cannot be committed: it was, a moment ago, or something else has changed its result.
    async fn stale(&self, preview: &str, cause: Option<&Fault>) -> Result<Fault, Fault> {
        let kept = self.store.preview(preview).await.map_err(failed)?;
        if let Some(batch) = kept.and_then(|preview| preview.batch) {
            return Ok(already_committed(&batch));
        }
        Ok(match cause {
            Some(cause) => stale().with("cause", cause.body()),
            None => stale(),
        })
    }

    fn is_stale(&self, promise: &Promise, written: &Written) -> bool {
        match self.rules.writes.staleness {
            Staleness::Compared => {
                promise.outcome != written.assessment.outcome
                    || promise.rates != written.assessment.rates
            }
            Staleness::Ignored => false,
            Staleness::HeadMoved => promise.head != written.before.head,
            Staleness::PricesToo => {
                promise.prices != written.before.ledger.fetched_prices().count()
            }
        }
    }

    fn entry(
        &self,
        desk: &Desk,
        tool: &str,
        intent: &Intent,
        assessment: &Assessment,
        preview: Option<&str>,
    ) -> Result<NewEntry, Fault> {
        let provenance = Provenance {
            source: intent.source.clone(),
            counts: Counts::of(&assessment.batch, &assessment.rows),
            ..Provenance::of(&desk.visitor, tool)
        }
        .kept(self.rules.writes.provenance);
        Ok(NewEntry {
            kind: EntryKind::Batch,
            batch: assessment.batch.id.to_string(),
            at: desk.visitor.now,
            provenance: serde_json::to_string(&provenance).map_err(failed)?,
            changes: Some(serde_json::to_string(&assessment.batch.changes).map_err(failed)?),
            preview: preview.map(str::to_owned),
        })
    }

    /// What a preview and a write of rows have in common.
    pub(super) fn shown_write(&self, desk: &Desk, intent: &Intent, written: &Written) -> Value {
        let Written { assessment, before } = written;
        let changes = &intent.draft.changes;
        let mut warnings: Vec<Value> = assessment
            .warnings
            .iter()
            .map(|warning| shown::warning(warning, changes, before))
            .collect();
        let counts = Counts::of(&assessment.batch, &assessment.rows);
        if counts.conflict > 0 {
            warnings.push(json!({
                "code": "conflicts_skipped",
                "message": format!(
                    "{} of the rows say something else than a stored row of the same reference. They are not written and the stored rows stay; the other {} new rows are written.",
                    counts.conflict, counts.new
                ),
            }));
        }
        let rows: Vec<Value> = assessment
            .rows
            .iter()
            .filter_map(|row| self.listed(row))
            .collect();
        let checks: Vec<Value> = assessment
            .batch
            .changes
            .iter()
            .filter_map(|change| match change {
                Change::Reconciliation(row) => {
                    let currency = assessment.after.item(&row.item)?.currency;
                    Some(shown::reconciliation(row, currency, before, None))
                }
                _ => None,
            })
            .collect();
        json!({
            "workspace": desk.workspace(),
            "created": shown::plain(&intent.created),
            "rows": rows,
            "warnings": warnings,
            "rates": assessment.rates.iter().map(shown::row_rate).collect::<Vec<_>>(),
            "reconciliations": checks,
            "net_worth": shown::net_worth_change(&assessment.net_worth),
            "counts": shown::plain(&counts),
        })
    }

    fn listed(&self, row: &RowVerdict) -> Option<Value> {
        match (self.rules.writes.listed_rows, row.class) {
            (ListedRows::NewOnly, RowClass::Duplicate | RowClass::Conflict) => None,
            (ListedRows::DuplicatesAsNew, RowClass::Duplicate) => {
                Some(shown::verdict(&RowVerdict {
                    class: RowClass::New,
                    ..row.clone()
                }))
            }
            _ => Some(shown::verdict(row)),
        }
    }
}

fn stale() -> Fault {
    Fault::new(
        "preview_stale",
        "The ledger has changed since this preview so that the batch would now have another result. Nothing was written. Call record again with the same rows and show the user the new preview.",
    )
}

/// The refusal of a second commit.
pub(super) fn already_committed(batch: &str) -> Fault {
    Fault::new(
        "already_committed",
        "This preview was committed before and nothing was written again. The batch it became is named here.",
    )
    .with("batch", batch)
}

//! The history of a workspace: its log folded into a ledger, with who wrote what.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use proofmark_ledger::decimal;
use proofmark_ledger::ids::ItemId;
use proofmark_ledger::model::Currency;
use proofmark_ledger::rows::{Price, PriceOrigin};
use proofmark_ledger::{Batch, Change, Ledger, RowClass, RowVerdict};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::access::{Visitor, failed};
use super::aside::run_aside;
use crate::mcp::fault::Fault;
use crate::rules::{Provenance as ProvenanceRule, Rules, UndoScope};
use crate::store::{Entry, EntryKind, FetchedPrice, Store, Workspace};

/// How many folded workspaces are kept. They are derived data: dropping one costs a replay, nothing else.
const KEPT_BOOKS: usize = 256;

/// Who wrote a batch, with what, from which document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Provenance {
    /// The tool that wrote it.
    pub tool: String,
    /// The document, as the caller described it.
    pub source: Option<Value>,
    /// The person, named as they were called then.
    pub user: Option<Value>,
    /// The client program.
    pub client: Option<Value>,
    /// What it wrote and left out.
    pub counts: Counts,
}

impl Provenance {
    /// What is known of a write by `visitor` with `tool`: from the connection, never from the arguments.
    pub(super) fn of(visitor: &Visitor, tool: &str) -> Self {
        let version = Some(visitor.client.version.as_str()).filter(|version| !version.is_empty());
        Self {
            tool: tool.to_owned(),
            source: None,
            user: Some(json!({ "id": visitor.person.id, "name": visitor.person.name })),
            client: Some(json!({ "name": visitor.client.name, "version": version })),
            counts: Counts::default(),
        }
    }

    /// The same as it is kept under `rule`.
    pub(super) fn kept(mut self, rule: ProvenanceRule) -> Self {
        match rule {
            ProvenanceRule::FromConnection => {}
            ProvenanceRule::WithoutSource => self.source = None,
            ProvenanceRule::WithoutClient => self.client = None,
            ProvenanceRule::WithoutUser => self.user = None,
        }
        self
    }
}

/// What a batch wrote and left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Counts {
    /// Rows written.
    pub new: usize,
    /// Rows skipped because they are known.
    pub duplicate: usize,
    /// Rows left out because a known row says otherwise.
    pub conflict: usize,
    /// Accounts created or changed.
    pub accounts: usize,
    /// Items created.
    pub items: usize,
    /// Parties created or changed.
    pub parties: usize,
    /// Rows voided.
    pub voided: usize,
}

impl Counts {
    /// The counts of `batch`, whose rows were judged as `rows` says.
    pub(super) fn of(batch: &Batch, rows: &[RowVerdict]) -> Self {
        let of_class = |class| rows.iter().filter(|row| row.class == class).count();
        let mut counts = Self {
            new: of_class(RowClass::New),
            duplicate: of_class(RowClass::Duplicate),
            conflict: of_class(RowClass::Conflict),
            ..Self::default()
        };
        for change in &batch.changes {
            match change {
                Change::Account(_) => counts.accounts += 1,
                Change::Item(_) => counts.items += 1,
                Change::Party(_) => counts.parties += 1,
                Change::Void(void) => counts.voided += void.rows.len(),
                _ => {}
            }
        }
        counts
    }
}

/// A batch in the log.
#[derive(Debug, Clone)]
pub(super) struct Recorded {
    /// Its place in the log.
    pub number: i64,
    /// What it says.
    pub batch: Arc<Batch>,
    /// When it was written.
    pub at: Timestamp,
    /// By whom, with what, from what.
    pub provenance: Arc<Provenance>,
    /// When it was undone.
    pub undone_at: Option<Timestamp>,
    /// What the workspace began with: in no list, and never undone.
    pub founding: bool,
}

/// A workspace at one head.
#[derive(Debug)]
pub(super) struct Book {
    /// The number of the last log entry.
    pub head: i64,
    /// The fetched prices that it counts with, in the order fetched.
    prices: Arc<Vec<Price>>,
    /// The number of the last of them; -1 without any.
    priced: i64,
    /// Every batch, oldest first.
    pub batches: Vec<Recorded>,
    /// What the active ones add up to.
    pub ledger: Ledger,
    /// The batch that wrote a row.
    writers: HashMap<String, usize>,
}

impl Book {
    /// The batch called `id`, unless it is the founding one.
    pub(super) fn batch(&self, id: &str) -> Option<&Recorded> {
        self.listed()
            .find(|recorded| recorded.batch.id.as_str() == id)
    }

    /// The batches that people wrote, oldest first.
    pub(super) fn listed(&self) -> impl DoubleEndedIterator<Item = &Recorded> {
        self.batches.iter().filter(|recorded| !recorded.founding)
    }

    /// The ids of the prices that were fetched for `item`, voided ones too.
    pub(super) fn fetched_for(&self, item: &ItemId) -> impl Iterator<Item = String> {
        self.prices
            .iter()
            .filter(move |price| price.item == *item)
            .map(|price| price.id.to_string())
    }

    /// The batch that wrote the row `id`.
    pub(super) fn writer(&self, id: &str) -> Option<&Recorded> {
        self.writers
            .get(id)
            .and_then(|place| self.batches.get(*place))
    }

    /// How many changes it is folded from.
    pub(super) fn rows(&self) -> usize {
        rows_of(&self.batches)
    }

    fn fold(
        base: Currency,
        head: i64,
        batches: Vec<Recorded>,
        (priced, prices): (i64, Arc<Vec<Price>>),
        rules: &Rules,
    ) -> Result<Self, Fault> {
        let mut writers = HashMap::new();
        for (place, recorded) in batches.iter().enumerate() {
            let rows = recorded.batch.changes.iter().filter_map(Change::row_id);
            writers.extend(rows.map(|row| (row.to_string(), place)));
        }
        let active = batches
            .iter()
            .filter(|recorded| {
                let copies = rules.writes.undo_scope == UndoScope::OldCopies;
                !(copies && is_overwritten(recorded, &batches))
            })
            .filter_map(|recorded| remains(recorded, rules.writes.undo_scope));
        let ledger = Ledger::replay(base, active, &rules.ledger).map_err(|refusal| {
            tracing::error!(%refusal, "a committed log does not replay");
            Fault::internal()
        })?;
        let ledger = ledger.with_fetched_prices(prices.to_vec());
        Ok(Self {
            head,
            prices,
            priced,
            batches,
            ledger,
            writers,
        })
    }
}

fn rows_of(batches: &[Recorded]) -> usize {
    batches
        .iter()
        .map(|recorded| recorded.batch.changes.len())
        .sum()
}

/// Whether a change says something beside the rows of the ledger.
fn is_beside_rows(change: &Change) -> bool {
    matches!(
        change,
        Change::UpdateItem(_)
            | Change::SetOwners(_)
            | Change::Link(_)
            | Change::Archive(_)
            | Change::Goal(_)
            | Change::Loss(_)
            | Change::Reconciliation(_)
    )
}

/// What a batch of one change beside rows is about, where it is such a batch.
fn subject(batch: &Batch) -> Option<String> {
    let [change] = batch.changes.as_slice() else {
        return None;
    };
    match change {
        Change::Goal(goal) if !goal.create => Some(goal.goal.to_string()),
        Change::Loss(loss) if !loss.create => Some(loss.loss.to_string()),
        Change::UpdateItem(update) => Some(update.item.to_string()),
        Change::SetOwners(change) => Some(change.item.to_string()),
        _ => None,
    }
}

/// Whether an old copy of what `recorded` changed was put back by the undo of an earlier change of the same thing.
fn is_overwritten(recorded: &Recorded, batches: &[Recorded]) -> bool {
    let Some(about) = subject(&recorded.batch) else {
        return false;
    };
    batches.iter().any(|other| {
        other.number < recorded.number
            && other.undone_at.is_some()
            && subject(&other.batch).as_ref() == Some(&about)
    })
}

/// What of a batch still counts: all of it, or after an undo nothing.
fn remains(recorded: &Recorded, scope: UndoScope) -> Option<Arc<Batch>> {
    if recorded.undone_at.is_none() {
        return Some(Arc::clone(&recorded.batch));
    }
    let stays = |change: &&Change| match scope {
        UndoScope::Whole => false,
        UndoScope::KeepsAccountsAndItems => {
            matches!(change, Change::Account(_) | Change::Item(_))
        }
        // An item that is gone takes its prices along, in any server.
        UndoScope::KeepsPrices => matches!(
            change,
            Change::Price(_) | Change::Valuation(_) | Change::Item(_)
        ),
        UndoScope::KeepsTransfers => matches!(change, Change::Transfer(_) | Change::Item(_)),
        UndoScope::KeepsVoids => matches!(change, Change::Void(_)),
        UndoScope::KeepsChanges => is_beside_rows(change),
        UndoScope::OldCopies => false,
    };
    let changes: Vec<Change> = recorded
        .batch
        .changes
        .iter()
        .filter(stays)
        .cloned()
        .collect();
    (!changes.is_empty()).then(|| {
        Arc::new(Batch {
            id: recorded.batch.id.clone(),
            changes,
        })
    })
}

/// Folds workspaces, and keeps the ones used last.
#[derive(Debug)]
pub(super) struct Books {
    store: Store,
    rules: Arc<Rules>,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    books: HashMap<String, (u64, Arc<Book>)>,
    uses: u64,
}

impl Books {
    pub(super) fn new(store: Store, rules: Arc<Rules>) -> Self {
        Self {
            store,
            rules,
            kept: Mutex::default(),
        }
    }

    /// `workspace` as its log stood when `workspace` was read, or later. Where this is known already, nothing is read.
    ///
    /// # Errors
    /// `internal` when the store fails or the log does not replay.
    pub(super) async fn load(&self, workspace: &Workspace) -> Result<Arc<Book>, Fault> {
        match self.known(&workspace.id) {
            Some(known) if known.head >= workspace.head && known.priced >= workspace.priced => {
                Ok(known)
            }
            known => self.latest_after(workspace, known).await,
        }
    }

    /// `workspace` as its log stands now. Only entries that came since the last time are read.
    ///
    /// # Errors
    /// `internal` when the store fails or the log does not replay.
    pub(super) async fn load_latest(&self, workspace: &Workspace) -> Result<Arc<Book>, Fault> {
        let known = self.known(&workspace.id);
        self.latest_after(workspace, known).await
    }

    async fn latest_after(
        &self,
        workspace: &Workspace,
        known: Option<Arc<Book>>,
    ) -> Result<Arc<Book>, Fault> {
        let after = known.as_ref().map_or(-1, |book| book.head);
        let entries = self
            .store
            .entries_after(&workspace.id, after)
            .await
            .map_err(failed)?;
        let priced = known.as_ref().map_or(-1, |book| book.priced);
        let fetched = self
            .store
            .prices_after(&workspace.id, priced)
            .await
            .map_err(failed)?;
        if let (Some(known), true) = (&known, entries.is_empty() && fetched.is_empty()) {
            return Ok(Arc::clone(known));
        }
        let prices = with_more(known.as_ref(), &fetched)?;
        let priced = fetched.last().map_or(priced, |price| price.number);
        let base = workspace.base_currency.parse().map_err(failed)?;
        let mut batches = known.map(|book| book.batches.clone()).unwrap_or_default();
        let head = entries.last().map_or(after, |entry| entry.number);
        for entry in entries {
            take(&mut batches, entry)?;
        }
        let rules = Arc::clone(&self.rules);
        let rows = rows_of(&batches);
        let fold = move || Book::fold(base, head, batches, (priced, prices), &rules);
        let book = run_aside(rows, fold).await??;
        let book = Arc::new(book);
        self.keep(&workspace.id, &book);
        Ok(book)
    }

    fn known(&self, workspace: &str) -> Option<Arc<Book>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.uses += 1;
        let uses = kept.uses;
        kept.books.get_mut(workspace).map(|(used, book)| {
            *used = uses;
            Arc::clone(book)
        })
    }

    fn keep(&self, workspace: &str, book: &Arc<Book>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept
            .books
            .get(workspace)
            .is_some_and(|(_, known)| (known.head, known.priced) >= (book.head, book.priced))
        {
            return;
        }
        let uses = kept.uses;
        kept.books
            .insert(workspace.to_owned(), (uses, Arc::clone(book)));
        if kept.books.len() > KEPT_BOOKS
            && let Some(oldest) = kept
                .books
                .iter()
                .min_by_key(|(_, (used, _))| *used)
                .map(|(workspace, _)| workspace.clone())
        {
            kept.books.remove(&oldest);
        }
    }
}

/// The prices of a book and those fetched since.
fn with_more(
    known: Option<&Arc<Book>>,
    fetched: &[FetchedPrice],
) -> Result<Arc<Vec<Price>>, Fault> {
    let known = known
        .map(|book| Arc::clone(&book.prices))
        .unwrap_or_default();
    if fetched.is_empty() {
        return Ok(known);
    }
    let mut prices = known.to_vec();
    for price in fetched {
        prices.push(Price {
            id: price.id.as_str().into(),
            item: price.item.as_str().into(),
            date: price.date.parse().map_err(failed)?,
            price: decimal::parse(&price.price).map_err(failed)?,
            currency: Some(price.currency.parse().map_err(failed)?),
            external_ref: None,
            origin: PriceOrigin::Fetched,
        });
    }
    Ok(Arc::new(prices))
}

/// Adds a log entry to the batches read so far.
fn take(batches: &mut Vec<Recorded>, entry: Entry) -> Result<(), Fault> {
    if entry.kind == EntryKind::Undo {
        if let Some(undone) = batches
            .iter_mut()
            .find(|recorded| recorded.batch.id.as_str() == entry.batch)
        {
            undone.undone_at = Some(entry.at);
        }
        return Ok(());
    }
    let changes: Vec<Change> =
        serde_json::from_str(entry.changes.as_deref().unwrap_or("[]")).map_err(failed)?;
    batches.push(Recorded {
        number: entry.number,
        batch: Arc::new(Batch {
            id: entry.batch.into(),
            changes,
        }),
        at: entry.at,
        provenance: Arc::new(serde_json::from_str(&entry.provenance).map_err(failed)?),
        undone_at: None,
        founding: entry.kind == EntryKind::Founding,
    });
    Ok(())
}

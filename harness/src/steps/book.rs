//! Steps about a person's book: opening it, its parties, accounts and items, and what is recorded before a scenario's
//! point begins.

use std::collections::BTreeMap;

use cucumber::{gherkin::Step, given, then, when};
use serde_json::json;

use super::people::{Who, desk, desk_without_book, meet};
use crate::{
    suite::{Failure, Scene},
    worthbase::{
        Answer, Batch, Call, Line, Snapshot,
        desk::Answers,
        journal::{Names, TableProblem},
        result::{Recorded, SavedAccount, SavedParty, SavedWorkspace},
    },
};

/// What a scenario remembers about its books.
#[derive(Debug, Default)]
pub struct Book {
    /// Every book of the scenario, in the order they were opened.
    pub shelf: Vec<OpenBook>,
    /// Every answer of a worthbase tool.
    pub answers: Answers,
    /// Every book as it was when somebody last noted it down, or last tried something that must be refused.
    pub noted: Option<Vec<Snapshot>>,
    /// The books as they were last read, with how many answers there were then: as good as new until something is written.
    read: Option<(usize, Vec<Snapshot>)>,
    /// The batch that is being put together.
    pub draft: Batch,
}

/// A workspace with the names under which the scenario knows what is in it.
#[derive(Debug, Clone)]
pub struct OpenBook {
    /// Who made it.
    pub keeper: String,
    /// Id of the workspace.
    pub workspace: String,
    /// Names of items with their ids.
    pub items: BTreeMap<String, String>,
    /// Names of accounts with their ids.
    pub accounts: BTreeMap<String, String>,
    /// Names of parties with their ids.
    pub parties: BTreeMap<String, String>,
    /// Open lots by item and day of acquisition, read when a table names lots.
    pub lots: BTreeMap<(String, String), String>,
}

impl Names for OpenBook {
    fn item(&self, name: &str) -> Option<String> {
        self.items.get(name).cloned()
    }

    fn account(&self, name: &str) -> Option<String> {
        self.accounts.get(name).cloned()
    }

    fn party(&self, name: &str) -> Option<String> {
        self.parties.get(name).cloned()
    }

    fn lot(&self, item: &str, day: &str) -> Option<String> {
        self.lots.get(&(item.to_owned(), day.to_owned())).cloned()
    }
}

/// A currency code in a sentence.
#[derive(Debug, Clone, cucumber::Parameter)]
#[param(name = "currency", regex = "[A-Z]{3}")]
pub struct Currency(pub String);

impl std::str::FromStr for Currency {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

/// The book before somebody.
///
/// # Errors
/// No book is before them.
pub fn before<'a>(scene: &'a Scene, name: &str) -> Result<&'a OpenBook, Failure> {
    let place = scene.people.person(name)?.book;
    let book = place.and_then(|place| scene.book.shelf.get(place));
    book.ok_or_else(|| Failure::expected(format!("a book before {name}")).actual("none was opened"))
}

/// The book before somebody, to add names to it.
///
/// # Errors
/// No book is before them.
pub fn before_mut<'a>(scene: &'a mut Scene, name: &str) -> Result<&'a mut OpenBook, Failure> {
    let place = scene.people.person(name)?.book;
    let book = place.and_then(|place| scene.book.shelf.get_mut(place));
    book.ok_or_else(|| Failure::expected(format!("a book before {name}")).actual("none was opened"))
}

/// The lines of the table under a step; none without a table.
#[must_use]
pub fn lines(step: &Step) -> Vec<Line> {
    step.table
        .as_ref()
        .map(|table| Line::read_table(&table.rows))
        .unwrap_or_default()
}

/// A table of the feature file that cannot be read.
#[must_use]
pub fn unreadable(problem: TableProblem) -> Failure {
    Failure::expected("a table this step can read").actual(problem)
}

/// Tools that never write.
const READING_TOOLS: [&str; 11] = [
    "whoami",
    "get_overview",
    "get_net_worth",
    "list_items",
    "get_item",
    "list_batches",
    "get_history",
    "get_performance",
    "get_debt_report",
    "get_goals",
    "get_losses",
];

/// Notes down every book of the scenario, each as its keeper sees it.
///
/// A book that was read already is not read again while nothing was accepted since that could have changed it: what it
/// shows was just compared, and a change that nobody asked for is still seen by the next comparison.
///
/// # Errors
/// A reading tool refused.
pub async fn note_down(scene: &mut Scene) -> Result<(), Failure> {
    let known = scene.book.read.take();
    let noted = match known.filter(|(answers, books)| {
        books.len() == scene.book.shelf.len() && unwritten_since(scene, *answers)
    }) {
        Some((_, books)) => books,
        None => read_all(scene).await?,
    };
    scene.book.noted = Some(noted);
    Ok(())
}

/// Whether no writing tool was accepted since there were so many answers.
fn unwritten_since(scene: &Scene, answers: usize) -> bool {
    let wrote_nothing = |answer: &Answer| answer.is_error || READING_TOOLS.contains(&answer.tool);
    scene.book.answers.all_later(answers, wrote_nothing)
}

/// Reads every book of the scenario, each as its keeper sees it.
///
/// # Errors
/// A reading tool refused.
pub async fn read_all(scene: &Scene) -> Result<Vec<Snapshot>, Failure> {
    let mut snapshots = Vec::new();
    for book in &scene.book.shelf {
        let keeper = desk_without_book(scene, &book.keeper)?;
        snapshots.push(Snapshot::take(&keeper.in_workspace(&book.workspace)).await?);
    }
    Ok(snapshots)
}

/// Keeps the ids of what a batch created under the names of the scenario.
///
/// # Errors
/// No book is before the person.
pub fn learn_names(scene: &mut Scene, name: &str, recorded: &Recorded) -> Result<(), Failure> {
    let created = recorded.created.clone();
    let book = before_mut(scene, name)?;
    book.items
        .extend(created.items.into_iter().map(|item| (item.name, item.id)));
    book.accounts.extend(
        created
            .accounts
            .into_iter()
            .map(|account| (account.name, account.id)),
    );
    Ok(())
}

/// The batch being put together, with the rows of a table added to it; what was put together starts anew.
///
/// # Errors
/// The table cannot be read.
pub async fn batch_of(scene: &mut Scene, name: &str, lines: &[Line]) -> Result<Batch, Failure> {
    let mut batch = std::mem::take(&mut scene.book.draft);
    learn_lots(scene, name, lines).await?;
    let book = before(scene, name)?;
    for line in lines {
        batch.add_line(line, book).map_err(unreadable)?;
    }
    Ok(batch)
}

/// Reads the open lots of every item whose line names lots by their day.
///
/// # Errors
/// `get_item` refused.
pub async fn learn_lots(scene: &mut Scene, name: &str, lines: &[Line]) -> Result<(), Failure> {
    for line in lines.iter().filter(|line| line.cell("lots").is_some()) {
        let item = line.cell("item").unwrap_or_default().to_owned();
        let Some(id) = before(scene, name)?.item(&item) else {
            continue;
        };
        let detail = desk(scene, name)?.item(&id).await?;
        let book = before_mut(scene, name)?;
        book.lots.extend(
            detail
                .lots
                .into_iter()
                .map(|lot| ((item.clone(), lot.acquired_on), lot.lot)),
        );
    }
    Ok(())
}

/// Previews and commits a batch, which must be accepted both times.
///
/// # Errors
/// The server refuses, or answers in another shape.
pub async fn store(scene: &mut Scene, name: &str, batch: &Batch) -> Result<Recorded, Failure> {
    let desk = desk(scene, name)?;
    let preview: Recorded = desk.send(&Call::preview(batch)).await?.accepted()?;
    let id = preview.preview_id.unwrap_or_default();
    let answer = desk.send(&Call::commit(&id)).await?;
    let recorded: Recorded = answer.accepted()?;
    learn_names(scene, name, &recorded)?;
    scene.writing.remember_commit(answer, &recorded);
    Ok(recorded)
}

/// Somebody makes a workspace of their own in a base currency, named `NAME's book`, and it lies before them.
#[given(expr = "{person} keeps a book in {currency}")]
async fn keeps_a_book(scene: &mut Scene, who: Who, currency: Currency) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let title = format!("{name}'s book");
    open(scene, &name, &title, &currency.0).await
}

/// Somebody makes a further workspace, which then lies before them.
#[given(expr = "{person} keeps a book named {string} in {currency}")]
async fn keeps_a_named_book(
    scene: &mut Scene,
    who: Who,
    title: String,
    currency: Currency,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    open(scene, &name, &title, &currency.0).await
}

/// Somebody makes a workspace with the items of a table.
#[given(expr = "{person} keeps a book in {currency} with the items")]
async fn keeps_a_book_with(
    scene: &mut Scene,
    who: Who,
    currency: Currency,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let title = format!("{name}'s book");
    open(scene, &name, &title, &currency.0).await?;
    hold_items(scene, &name, &lines(step)).await
}

/// Makes a workspace for somebody, which then lies before them.
///
/// # Errors
/// The server refuses, or answers in another shape.
pub async fn open(
    scene: &mut Scene,
    name: &str,
    title: &str,
    currency: &str,
) -> Result<(), Failure> {
    let desk = desk_without_book(scene, name)?;
    let saved: SavedWorkspace = desk
        .send(&Call::create_workspace(title, Some(currency)))
        .await?
        .accepted()?;
    let overview = desk.in_workspace(&saved.workspace).overview().await?;
    let parties = overview
        .parties
        .into_iter()
        .map(|party| (party.name, party.id))
        .collect();
    scene.book.shelf.push(OpenBook {
        keeper: name.to_owned(),
        workspace: saved.workspace,
        items: BTreeMap::new(),
        accounts: BTreeMap::new(),
        parties,
        lots: BTreeMap::new(),
    });
    scene.people.lay_before(name, scene.book.shelf.len() - 1);
    Ok(())
}

/// The book before the keeper gets items: columns `item kind class currency account owners investable notes …`.
#[given(expr = "{person}'s book holds the items")]
async fn book_holds(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    hold_items(scene, &name, &lines(step)).await
}

async fn hold_items(scene: &mut Scene, name: &str, lines: &[Line]) -> Result<(), Failure> {
    let mut batch = Batch::new();
    let book = before(scene, name)?;
    for line in lines {
        batch.open_item(line, book).map_err(unreadable)?;
    }
    store(scene, name, &batch).await.map(drop)
}

/// The book knows further legal owners: columns `party kind`.
#[given(expr = "{person}'s book knows the parties")]
async fn book_knows_parties(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    for line in lines(step) {
        let party = line.needs("party").map_err(unreadable)?.to_owned();
        let kind = line.needs("kind").map_err(unreadable)?;
        let saved: SavedParty = desk(scene, &name)?
            .send(&Call::add_party(&party, kind))
            .await?
            .accepted()?;
        before_mut(scene, &name)?
            .parties
            .insert(party, saved.party.id);
    }
    Ok(())
}

/// The book knows accounts: columns `account kind`.
#[given(expr = "{person}'s book knows the accounts")]
async fn book_knows_accounts(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    for line in lines(step) {
        let account = line.needs("account").map_err(unreadable)?.to_owned();
        let kind = line.needs("kind").map_err(unreadable)?;
        let saved: SavedAccount = desk(scene, &name)?
            .send(&Call::add_account(&account, kind))
            .await?
            .accepted()?;
        before_mut(scene, &name)?
            .accounts
            .insert(account, saved.account.id);
    }
    Ok(())
}

/// The batch being put together opens an account of a kind.
#[given(expr = "the next batch opens the account {string} of kind {word}")]
fn draft_opens_account(scene: &mut Scene, account: String, kind: String) {
    scene.book.draft.open_account(&account, &kind);
}

/// The batch being put together opens items; its rows may name them.
#[given(expr = "{person}'s next batch opens the items")]
async fn draft_opens_items(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let mut draft = std::mem::take(&mut scene.book.draft);
    let book = before(scene, &name)?;
    for line in lines(step) {
        draft.open_item(&line, book).map_err(unreadable)?;
    }
    scene.book.draft = draft;
    Ok(())
}

/// The batch being put together comes from a document of a kind and a name.
#[given(expr = "the next batch comes from the {word} file {string}")]
fn draft_comes_from(scene: &mut Scene, kind: String, name: String) {
    scene
        .book
        .draft
        .set_source(json!({ "kind": kind, "name": name }));
}

/// Rows are in the book: previewed and committed, one batch.
#[given(expr = "{person} has recorded")]
#[when(expr = "{person} records")]
async fn has_recorded(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = batch_of(scene, &name, &lines(step)).await?;
    store(scene, &name, &batch).await.map(drop)
}

/// Rows are in the book, each in a batch of its own.
#[given(expr = "{person} has recorded one by one")]
async fn has_recorded_each(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    for line in lines(step) {
        let batch = batch_of(scene, &name, &[line]).await?;
        store(scene, &name, &batch).await?;
    }
    Ok(())
}

/// Rows are in the book, in a batch that the scenario calls by a name.
#[given(expr = "{person} has recorded {string}")]
#[when(expr = "{person} records {string}")]
async fn has_recorded_as(
    scene: &mut Scene,
    who: Who,
    label: String,
    step: &Step,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let batch = batch_of(scene, &name, &lines(step)).await?;
    let recorded = store(scene, &name, &batch).await?;
    scene
        .writing
        .batches
        .insert(label, recorded.batch.unwrap_or_default());
    Ok(())
}

/// Every figure that the reading tools show is kept, to be compared later.
#[given(expr = "{person} has noted down every figure")]
#[when(expr = "{person} notes down every figure")]
async fn has_noted_down(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    meet(scene, &who).await?;
    note_down(scene).await
}

/// Every book reads as it did when it was noted down, or before the attempt: figures, lists, ids and batches, as text.
#[then("nothing has changed")]
async fn nothing_has_changed(scene: &mut Scene) -> Result<(), Failure> {
    compare(scene, Snapshot::clone).await
}

/// Every figure is as noted down, digit for digit; who wrote what is set aside.
#[then("every figure is as noted down")]
async fn figures_as_noted(scene: &mut Scene) -> Result<(), Failure> {
    compare(scene, Snapshot::figures_alone).await
}

/// The book reads otherwise than when it was noted down: the twin of "nothing has changed".
#[then("the book has changed")]
async fn book_has_changed(scene: &mut Scene) -> Result<(), Failure> {
    let now = read_all(scene).await?;
    match &scene.book.noted {
        Some(noted) if *noted != now => Ok(()),
        _ => {
            Err(Failure::expected("a book that has changed")
                .actual("it reads as it was noted down"))
        }
    }
}

async fn compare(scene: &mut Scene, part: impl Fn(&Snapshot) -> Snapshot) -> Result<(), Failure> {
    let now = read_all(scene).await?;
    let noted = scene.book.noted.as_ref();
    let noted = noted.ok_or_else(|| {
        Failure::expected("a book that was noted down").actual("nothing was noted down")
    })?;
    for (earlier, later) in noted.iter().zip(&now) {
        if let Some(difference) = part(earlier).first_difference(&part(later)) {
            return Err(Failure::expected("every figure and list as before").actual(difference));
        }
    }
    scene.book.read = Some((scene.book.answers.count(), now));
    Ok(())
}

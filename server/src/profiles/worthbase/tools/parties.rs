//! `save_party` and `save_account`: who owns things and where they are kept, as batches that can be undone.

use proofmark_ledger::model::{Account, Party};
use proofmark_ledger::{Change, Draft};
use serde_json::{Value, json};

use super::super::Worthbase;
use super::super::access::Desk;
use super::super::arguments::{not_found, read, text};
use super::super::currencies::check;
use super::super::draft::Created;
use super::super::identifiers::new_id;
use super::super::shown;
use super::super::writing::{Intent, Written};
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;
use crate::rules::Saving;

/// Creates or changes a party.
pub(in super::super) async fn save_party(
    server: &Worthbase,
    desk: &Desk,
    mut arguments: JsonObject,
) -> Result<Value, Fault> {
    let id = match text(&arguments, "party") {
        None => new_id("pty"),
        Some(id) => {
            let book = server.books.load(&desk.membership.workspace).await?;
            let known = book.ledger.parties().any(|party| party.id.as_str() == id);
            if !known {
                return Err(not_found("party"));
            }
            match server.rules.writes.saving {
                Saving::Changes => id.to_owned(),
                Saving::MakesAnother => new_id("pty"),
            }
        }
    };
    arguments.shift_remove("workspace");
    arguments.shift_remove("party");
    arguments.insert("id".to_owned(), Value::String(id));
    let party: Party = read(arguments)?;
    let shown = shown::party(&party);
    let written = apply(
        server,
        desk,
        "save_party",
        Change::Party(party),
        "parties[0]",
    )
    .await?;
    Ok(saved(desk, "party", shown, &written))
}

/// Creates or changes an account. What is left out of a change stays as it was.
pub(in super::super) async fn save_account(
    server: &Worthbase,
    desk: &Desk,
    mut arguments: JsonObject,
) -> Result<Value, Fault> {
    if let Some(currency) = text(&arguments, "currency") {
        check(currency, "currency")?;
    }
    let stored = match text(&arguments, "account") {
        None => None,
        Some(id) => {
            let book = server.books.load(&desk.membership.workspace).await?;
            let known = book
                .ledger
                .accounts()
                .find(|account| account.id.as_str() == id)
                .cloned();
            Some(known.ok_or_else(|| not_found("account"))?)
        }
    };
    arguments.shift_remove("workspace");
    arguments.shift_remove("account");
    let changed = stored
        .as_ref()
        .filter(|_| server.rules.writes.saving == Saving::Changes);
    let id = changed.map_or_else(|| new_id("acc"), |account| account.id.to_string());
    arguments.insert("id".to_owned(), Value::String(id));
    let mut account: Account = read(arguments)?;
    if let Some(stored) = stored {
        account.institution = account.institution.or(stored.institution);
        account.currency = account.currency.or(stored.currency);
        account.party = account.party.or(stored.party);
    }
    let shown = shown::account(&account);
    let written = apply(
        server,
        desk,
        "save_account",
        Change::Account(account),
        "accounts[0]",
    )
    .await?;
    Ok(saved(desk, "account", shown, &written))
}

/// Writes one change at once, as a batch; a refusal names the tool's own argument, not its place in the batch.
pub(super) async fn apply(
    server: &Worthbase,
    desk: &Desk,
    tool: &str,
    change: Change,
    place: &str,
) -> Result<Written, Fault> {
    let draft = Draft {
        batch: new_id("bat").into(),
        today: desk.visitor.today(),
        changes: vec![change],
    };
    let intent = Intent {
        draft,
        created: Created::default(),
        source: None,
    };
    server
        .write(desk, tool, &intent, None)
        .await
        .map_err(|fault| without_place(fault, place))
}

/// What every write of one change answers, with what became of it under `name`.
pub(super) fn saved(desk: &Desk, name: &str, shown: Value, written: &Written) -> Value {
    let mut answer = json!({
        "workspace": desk.workspace(),
        "batch": written.assessment.batch.id,
        "net_worth": shown::net_worth_change(&written.assessment.net_worth),
    });
    super::recording::set(&mut answer, name, shown);
    answer
}

/// A fault whose field is a path inside a draft of one change, as the path of the tool's own argument.
pub(super) fn without_place(mut fault: Fault, place: &str) -> Fault {
    fault.field = fault
        .field
        .and_then(|field| match field.strip_prefix(place) {
            Some("") => None,
            Some(inside) => Some(inside.trim_start_matches('.').to_owned()),
            None => Some(field),
        });
    fault
}

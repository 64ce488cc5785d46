//! Steps about who may do what: every tool tried by a member, and ids of another book tried by a stranger.

use std::collections::BTreeMap;

use cucumber::{gherkin::Step, then, when};
use serde_json::{Map, Value, json};
use ulid::Ulid;

use super::{
    book::{OpenBook, before, lines, note_down},
    people::{Who, desk, desk_without_book, identity, meet},
    writing::{self, Day, Written, item_named},
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{Answer, Batch, Call, Period, Snapshot},
};

/// A call of a tool with arguments that are right for the book before the keeper, so that only the caller's rights can
/// stand in its way. The book holds a cash item called `Cash` and a batch called `the deposit`.
///
/// # Errors
/// No book lies before the keeper, or the tool has no such call.
pub fn sample_call(scene: &Scene, keeper: &str, tool: &str) -> Result<Call, Failure> {
    let book = before(scene, keeper)?;
    let cash = book.items.get("Cash").cloned().unwrap_or_default();
    let mut deposit = Batch::new();
    deposit.push(
        "transactions",
        json!({ "item": cash, "type": "deposit", "date": "2024-03-01", "amount": "1.00" }),
    );
    let call = match tool {
        "whoami" => Call::whoami(),
        "get_overview" => Call::get_overview(),
        "get_net_worth" => Call::get_net_worth(None, None, None),
        "list_items" => Call::list_items(None),
        "get_item" => Call::get_item(&cash),
        "list_batches" => Call::list_batches(None),
        "record" => Call::preview(&deposit),
        "record at once" => Call::record_at_once(&deposit),
        "record a new account" => {
            deposit.open_account("Vault", "bank");
            Call::preview(&deposit)
        }
        "commit" => Call::commit(scene.writing.preview_ids.last().map_or("", String::as_str)),
        "undo" => Call::undo(
            scene
                .writing
                .batches
                .get("the deposit")
                .map_or("", String::as_str),
        ),
        "ask about undo" => Call::preview_undo(
            scene
                .writing
                .batches
                .get("the deposit")
                .map_or("", String::as_str),
        ),
        "void" => Call::void(scene.writing.first_row.as_slice(), &[], &[], None),
        "reconcile" => Call::reconcile(&cash, "2024-03-31", "value", "100"),
        "get_history" => Call::get_history(
            Period::between("2024-01-01", "2024-03-31"),
            "month",
            None,
            None,
        ),
        "get_performance" => Call::get_performance(Period::until("2024-03-31"), None, None),
        "get_debt_report" => Call::get_debt_report(None),
        "get_goals" => Call::get_goals(None),
        "get_losses" => Call::get_losses(),
        "search_instruments" => Call::search_instruments("Acme"),
        "refresh_prices" => Call::refresh_prices(),
        "set_goal" => Call::set_goal(fields(json!({
            "name": "A million", "kind": "net_worth", "target": "1000000", "currency": "USD",
        }))),
        "set_loss" => Call::set_loss(fields(json!({
            "party": book.parties.values().next(), "kind": "business", "year": 2021, "amount": "100", "used": "0",
        }))),
        "simulate_sale" | "update_item" | "set_owners" | "link_items" | "archive_item" => {
            item_call(book, tool)
        }
        "save_party" => Call::add_party("Family Trust", "trust"),
        "save_account" => Call::add_account("Vault", "bank"),
        "rename the workspace" => Call::rename_workspace("Renamed"),
        "create a workspace" | "save_workspace" => {
            Call::create_workspace("A book of one's own", Some("USD"))
        }
        "members" => Call::invite(
            &format!("{}@example.com", Ulid::new().to_string().to_lowercase()),
            "viewer",
        ),
        other => return Err(Failure::expected("a tool with a sample call").actual(other)),
    };
    Ok(call)
}

fn fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// A call about a security called `Acme` and a loan called `Loan`.
fn item_call(book: &OpenBook, tool: &str) -> Call {
    let id = |item: &str| book.items.get(item).cloned().unwrap_or_default();
    let (acme, loan) = (id("Acme"), id("Loan"));
    match tool {
        "simulate_sale" => Call::simulate_sale(&acme),
        "update_item" => Call::update_item(&acme, fields(json!({ "notes": "seen" }))),
        "set_owners" => {
            let party = book.parties.values().next();
            let owners = json!([{ "party": party, "percent": "100.0" }]);
            Call::set_owners(&acme, &owners, None, false)
        }
        "link_items" => Call::link(&loan, &acme, "funds"),
        _ => Call::archive_item(&loan, None),
    }
}

/// A member tries every tool of the table (column `tool`) once, with arguments that are right. After each refusal the
/// overview and the list of batches must read as before.
#[when(expr = "{person} tries each tool in {person}'s book")]
async fn tries_each_tool(
    scene: &mut Scene,
    who: Who,
    host: Who,
    step: &Step,
) -> Result<(), Failure> {
    let keeper = meet(scene, &host).await?;
    let name = meet(scene, &who).await?;
    let mut outcomes = BTreeMap::new();
    let mut known: Option<Snapshot> = None;
    let keepers_desk = desk(scene, &keeper)?;
    for line in lines(step) {
        let tool = line.cell("tool").unwrap_or_default().to_owned();
        let earlier = match known.take() {
            Some(snapshot) => snapshot,
            None => Snapshot::glance(&keepers_desk).await?,
        };
        let call = sample_call(scene, &keeper, &tool)?;
        let answer = desk(scene, &name)?.send(&call).await?;
        if answer.is_error {
            let later = Snapshot::glance(&keepers_desk).await?;
            if let Some(difference) = earlier.first_difference(&later) {
                return Err(
                    Failure::expected(format!("{tool}, refused, changes nothing"))
                        .actual(difference),
                );
            }
            known = Some(later);
        }
        outcomes.insert(tool, answer);
    }
    scene.people.outcomes = outcomes;
    Ok(())
}

/// What became of each tool: columns `tool` and one for each role, with `yes` where the role may.
#[then(expr = "each tool answered as it does for a/an {word}")]
fn answered_by_role(scene: &mut Scene, role: String, step: &Step) -> Result<(), Failure> {
    let forbidden = |answer: &Answer| answer.refusal().map(|refusal| refusal.code);
    for line in lines(step) {
        let tool = line.cell("tool").unwrap_or_default();
        let may = line.cell(&role) == Some("yes");
        let answer = scene.people.outcomes.get(tool);
        let answer = answer
            .ok_or_else(|| Failure::expected(format!("{tool} was tried")).actual("it was not"))?;
        match (may, answer.is_error) {
            (true, false) => {}
            (true, true) => {
                return Err(Failure::expected(format!("a {role} may {tool}")).actual(&answer.body));
            }
            (false, false) => {
                return Err(Failure::expected(format!("a {role} may not {tool}"))
                    .actual(format!("accepted: {}", answer.body)));
            }
            (false, true) if scene.environment.target.contract.is_none() => {
                drop(forbidden(answer)?)
            }
            (false, true) => {
                let code = forbidden(answer)?;
                if code != "forbidden" {
                    return Err(
                        Failure::expected(format!("{tool} refused with `forbidden`")).actual(code),
                    );
                }
            }
        }
    }
    Ok(())
}

/// A transfer whose other end is an item of another person's book, which must be refused.
#[when(expr = "{person} tries to transfer {figure} from {string} to {string} of {person}'s book")]
async fn tries_foreign_transfer(
    scene: &mut Scene,
    who: Who,
    amount: Written,
    from: String,
    to: String,
    owner: Who,
) -> Result<(), Failure> {
    let owner = meet(scene, &owner).await?;
    let name = meet(scene, &who).await?;
    let from = before(scene, &name)?
        .items
        .get(&from)
        .cloned()
        .unwrap_or(from);
    let to = before(scene, &owner)?.items.get(&to).cloned().unwrap_or(to);
    let mut batch = Batch::new();
    batch.push(
        "transfers",
        json!({ "from_item": from, "to_item": to, "date": "2024-01-02", "amount": amount.0 }),
    );
    writing::attempt(scene, &name, &Call::preview(&batch)).await
}

/// A sale that names a lot by its day, perhaps of another item, which must be refused.
#[when(
    expr = "{person} tries to sell {figure} of {string} on {day} from {figure} of the lot of {day} on {string}"
)]
#[allow(clippy::too_many_arguments, reason = "the sentence names seven things")]
async fn tries_to_sell(
    scene: &mut Scene,
    who: Who,
    units: Written,
    item: String,
    day: Day,
    taken: Written,
    acquired: Day,
    lot_item: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let detail = item_named(scene, &name, &desk(scene, &name)?, &lot_item).await?;
    let lot = detail
        .lots
        .into_iter()
        .find(|lot| lot.acquired_on == acquired.0);
    let lot = lot.map_or_else(|| format!("lot_{}", Ulid::new()), |lot| lot.lot);
    let sold = before(scene, &name)?
        .items
        .get(&item)
        .cloned()
        .unwrap_or(item);
    let mut batch = Batch::new();
    batch.push(
        "transactions",
        json!({ "item": sold, "type": "sell", "date": day.0, "units": units.0, "amount": "600",
            "lots": [{ "lot": lot, "units": taken.0 }] }),
    );
    writing::attempt(scene, &name, &Call::preview(&batch)).await
}

/// A kind of id that belongs to somebody else's book, tried in a call that takes one.
async fn foreign_call(
    scene: &Scene,
    owner: &str,
    kind: &str,
    never: bool,
) -> Result<Call, Failure> {
    let book = before(scene, owner)?.clone();
    let keeper = desk_without_book(scene, owner)?.in_workspace(&book.workspace);
    let unknown = |prefix: &str| format!("{prefix}_{}", Ulid::new());
    let pick = |prefix: &str, id: Option<&String>| {
        if never {
            unknown(prefix)
        } else {
            id.cloned().unwrap_or_default()
        }
    };
    let cash = pick("itm", book.items.get("Cash"));
    let detail = keeper
        .item(book.items.get("Cash").map_or("", String::as_str))
        .await?;
    let transaction = detail.transactions.first().map(|row| row.id.clone());
    let row = |item: &str| json!({ "item": item, "type": "deposit", "date": "2024-03-01", "amount": "1.00" });
    let mut batch = Batch::new();
    let call = match kind {
        "item read" => Call::get_item(&cash),
        "item of a row" => {
            batch.push("transactions", row(&cash));
            Call::preview(&batch)
        }
        "item of a check" => Call::reconcile(&cash, "2024-03-31", "value", "1"),
        "account of a new item" => {
            let account = pick("acc", book.accounts.values().next());
            batch.push(
                "items",
                json!({ "name": "Jar", "kind": "cash", "account": account }),
            );
            Call::preview(&batch)
        }
        "party of a new item" => {
            let party = pick("pty", book.parties.values().next());
            let owners = json!([{ "party": party, "percent": "100" }]);
            batch.push(
                "items",
                json!({ "name": "Jar", "kind": "cash", "owners": owners }),
            );
            Call::preview(&batch)
        }
        "party of a report" => {
            let party = pick("pty", book.parties.values().next());
            Call::get_net_worth(None, None, Some(&party))
        }
        "transaction to void" => Call::void(&[pick("txn", transaction.as_ref())], &[], &[], None),
        "batch to undo" => Call::undo(&pick("bat", scene.writing.batches.get("the deposit"))),
        "batch to ask about" => {
            Call::preview_undo(&pick("bat", scene.writing.batches.get("the deposit")))
        }
        "preview to commit" => Call::commit(&pick("prv", scene.writing.preview_ids.last())),
        "invite to revoke" => Call::revoke_invite(&unknown("inv")),
        other => return Err(Failure::expected("a kind of id this step knows").actual(other)),
    };
    Ok(call)
}

/// Somebody uses an id of another person's book in their own, and then an id that was never given out; both must be
/// refused in the same words.
#[when(expr = "{person} tries to use the {string} of {person}'s book")]
async fn tries_foreign_id(
    scene: &mut Scene,
    who: Who,
    kind: String,
    owner: Who,
) -> Result<(), Failure> {
    let owner = meet(scene, &owner).await?;
    let name = meet(scene, &who).await?;
    let call = foreign_call(scene, &owner, &kind, false).await?;
    let never = foreign_call(scene, &owner, &kind, true).await?;
    note_down(scene).await?;
    let unknown = desk(scene, &name)?.send(&never).await?;
    let answer = desk(scene, &name)?.send(&call).await?;
    scene.people.unknown = Some(masked(&unknown, &never));
    scene.people.foreign = Some(masked(&answer, &call));
    scene.writing.last = Some(answer);
    Ok(())
}

/// The text of an answer with every id that was sent struck out, so that answers to different ids can be compared.
#[must_use]
pub fn masked(answer: &Answer, call: &Call) -> String {
    let mut text = answer.body.to_string();
    let sent = serde_json::Value::Object(call.arguments.clone()).to_string();
    for word in sent.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_') {
        if word.len() > 26 && word.contains('_') {
            text = text.replace(word, "(id)");
        }
    }
    text
}

/// The refusal of a foreign id is word for word the refusal of an id that was never given out.
#[then("the refusal reads like that of an id never given out")]
fn reads_like_unknown(scene: &mut Scene) -> Result<(), Failure> {
    match (&scene.people.foreign, &scene.people.unknown) {
        (Some(foreign), Some(unknown)) if foreign == unknown => Ok(()),
        (foreign, unknown) => {
            Err(Failure::expected(format!("{unknown:?}")).actual(format!("{foreign:?}")))
        }
    }
}

/// Somebody names the workspace of a book they do not belong to, and then one that does not exist.
#[when(expr = "{person} tries to open {person}'s book with {word}")]
async fn tries_foreign_book(
    scene: &mut Scene,
    who: Who,
    owner: Who,
    tool: String,
) -> Result<(), Failure> {
    let owner = meet(scene, &owner).await?;
    let name = meet(scene, &who).await?;
    let call = sample_call(scene, &owner, &tool)?;
    let workspace = before(scene, &owner)?.workspace.clone();
    note_down(scene).await?;
    let desk = desk_without_book(scene, &name)?;
    let never = format!("ws_{}", Ulid::new());
    let unknown = desk.in_workspace(&never).send(&call).await?;
    let answer = desk.in_workspace(&workspace).send(&call).await?;
    scene.people.unknown = Some(unknown.body.to_string().replace(&never, "(id)"));
    scene.people.foreign = Some(answer.body.to_string().replace(&workspace, "(id)"));
    scene.writing.last = Some(answer);
    Ok(())
}

/// A tool is called in the book before somebody, which must be refused.
#[when(expr = "{person} tries to use {word}")]
async fn tries_tool(scene: &mut Scene, who: Who, tool: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = sample_call(scene, &name, &tool)?;
    let answer = desk(scene, &name)?.send(&call).await?;
    scene.writing.last = Some(answer);
    Ok(())
}

/// A tool is called in the book before somebody with an argument that no tool has, which must be refused.
#[when(expr = "{person} tries to use {word} with the argument {string}")]
async fn tries_argument(
    scene: &mut Scene,
    who: Who,
    tool: String,
    argument: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = sample_call(scene, &name, &tool)?.with(&argument, json!(true));
    writing::attempt(scene, &name, &call).await
}

/// A tool is called with a workspace argument as it stands in the sentence (JSON), which must be refused.
#[when(expr = "{person} tries to use {word} in the workspace {string}")]
async fn tries_workspace(
    scene: &mut Scene,
    who: Who,
    tool: String,
    workspace: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let given = serde_json::from_str(&workspace).unwrap_or_else(|_| json!(workspace));
    let call = sample_call(scene, &name, &tool)?.with("workspace", given);
    writing::attempt(scene, &name, &call).await
}

/// A tool answers in the book before somebody.
#[then(expr = "{person} may use {word}")]
async fn may_use(scene: &mut Scene, who: Who, tool: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let call = sample_call(scene, &name, &tool)?;
    let _: serde_json::Value = desk(scene, &name)?.send(&call).await?.accepted()?;
    Ok(())
}

/// Without a workspace a tool acts in the caller's default one: the answer is the same as when it is named.
#[then(expr = "without a workspace each of {person}'s tools answers as in the default one")]
async fn default_workspace(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let default = identity(scene, &name).await?.default_workspace;
    let default = default.ok_or_else(|| Failure::expected("a default workspace").actual("none"))?;
    let desk = desk_without_book(scene, &name)?;
    for line in lines(step) {
        let call = sample_call(scene, &name, line.cell("tool").unwrap_or_default())?;
        let (without, within) = (
            desk.send(&call).await?,
            desk.in_workspace(&default).send(&call).await?,
        );
        if without.is_error || without.body != within.body {
            return Err(
                Failure::expected(format!("{}: {}", call.tool, within.body)).actual(&without.body)
            );
        }
    }
    Ok(())
}

//! What the tools do once both axes and the workspace allow them.

use serde_json::{Map, Value, json};

use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;
use crate::mcp::tool::ToolDefinition;
use crate::providers::{ChannelState, Order, ProviderError};

use super::Kobana;
use super::records::Family;
use super::rules::{ChannelCheck, DefaultFlag, WorkspaceList};
use super::visit::Visit;

/// Records of one page where nothing is asked for.
const PAGE: usize = 50;

/// Runs `tool`, whose arguments fit its schema, in `workspace`.
pub(super) async fn run(
    kobana: &Kobana,
    visit: &Visit,
    tool: &ToolDefinition,
    workspace: Option<&str>,
    mut arguments: JsonObject,
) -> Result<Value, Fault> {
    arguments.remove("workspace_id");
    match tool.name.as_str() {
        "finance_workspaces_list" => return Ok(workspaces(kobana, visit)),
        "finance_schemas_get" => return Ok(schemas(kobana, &arguments)),
        "finance_payables_send_to_bank" => channel(kobana, visit)?,
        _ => {}
    }
    let parts = tool
        .name
        .strip_prefix("finance_")
        .and_then(|name| name.split_once('_'));
    let Some((family, verb)) = parts.and_then(|(name, verb)| Some((Family::named(name)?, verb)))
    else {
        tracing::error!(tool = tool.name, "a tool of the table has no code");
        return Err(Fault::internal());
    };
    // Only a lookup that failed and was allowed in spite of it comes without a workspace.
    let workspace = workspace.unwrap_or_default();
    let records = &kobana.records;
    let id = text(&arguments, "id").unwrap_or_default().to_owned();
    let record = match verb {
        "list" => {
            let limit = arguments.get("limit").and_then(Value::as_u64);
            let limit = limit
                .and_then(|limit| usize::try_from(limit).ok())
                .unwrap_or(PAGE);
            let page = records.list(workspace, family, text(&arguments, "cursor"), limit);
            let mut result = json!({ "data": page.records });
            if let Some(next) = page.next {
                result["next_cursor"] = Value::from(next);
            }
            return Ok(result);
        }
        "get" => records.get(workspace, family, &id)?,
        "create" => {
            check(kobana, workspace, &arguments)?;
            records.create(workspace, family, arguments)?
        }
        "update" => {
            check(kobana, workspace, &arguments)?;
            arguments.remove("id");
            records.change(workspace, family, &id, "open", arguments)?
        }
        "cancel" => records.change(workspace, family, &id, "open", status("cancelled"))?,
        "send_to_bank" => move_money(kobana, workspace, family, &id, "sent").await?,
        "charge" => move_money(kobana, workspace, family, &id, "charged").await?,
        _ => {
            tracing::error!(tool = tool.name, "a tool of the table has no code");
            return Err(Fault::internal());
        }
    };
    Ok(json!({ "data": record }))
}

/// What a schema cannot say: amounts are above zero, and people are of the same workspace.
fn check(kobana: &Kobana, workspace: &str, arguments: &JsonObject) -> Result<(), Fault> {
    let nothing = |amount: &str| amount.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if text(arguments, "amount").is_some_and(nothing) {
        return Err(Fault::new("invalid_input", "`amount` must be more than zero.").at("amount"));
    }
    match text(arguments, "person_id") {
        Some(id) if kobana.records.get(workspace, Family::People, id).is_err() => Err(Fault::new(
            "not_found",
            "This workspace has no person of this id. finance_people_list shows those there are.",
        )
        .at("person_id")),
        _ => Ok(()),
    }
}

/// The record leaves its state before the bank is asked, so that two calls at once give one order, and comes back to it when
/// the bank refuses.
async fn move_money(
    kobana: &Kobana,
    workspace: &str,
    family: Family,
    id: &str,
    done: &str,
) -> Result<JsonObject, Fault> {
    let records = &kobana.records;
    let record = records.change(workspace, family, id, "open", status(done))?;
    let order = Order {
        id: text(&record, "id").unwrap_or_default().to_owned(),
        workspace_id: workspace.to_owned(),
        amount: text(&record, "amount").unwrap_or_default().to_owned(),
    };
    let answer: Result<(), ProviderError> = match family {
        Family::Receivables => kobana.bank.charge(&order).await,
        _ => kobana.bank.dispatch(&order).await,
    };
    match answer {
        Ok(()) => Ok(record),
        Err(error) => {
            records.change(workspace, family, id, done, status("open"))?;
            Err(error.into_fault("bank"))
        }
    }
}

/// The rule of the channel stands over both axes.
fn channel(kobana: &Kobana, visit: &Visit) -> Result<(), Fault> {
    let state = visit
        .standing
        .known
        .as_ref()
        .map_or(ChannelState::Closed, |known| {
            known.organization.channels.mcp.payables_send
        });
    let refuse = |code, message: &str| Err(Fault::new(code, message).with("channel", "mcp"));
    match (state, kobana.rules.answers.channel) {
        (ChannelState::Open, _) | (_, ChannelCheck::Skipped) => Ok(()),
        (ChannelState::Pending, ChannelCheck::PendingIsEnough) => Ok(()),
        (ChannelState::Pending, _) => refuse(
            "channel_pending",
            "Sending to the bank through agents was asked for and is not approved yet. Nothing was sent.",
        ),
        (ChannelState::Closed, _) => refuse(
            "channel_closed",
            "Sending to the bank through agents is closed. An admin asks for it under Security, Channels. Nothing was sent.",
        ),
    }
}

fn workspaces(kobana: &Kobana, visit: &Visit) -> Value {
    let rules = &kobana.rules;
    let Some((known, member)) = visit.member() else {
        return json!({ "data": [] });
    };
    let reached = known.reached(member);
    let default = match rules.workspace.flag {
        DefaultFlag::Effective => known.default(member, &visit.selectors, rules),
        DefaultFlag::First => reached.first().cloned(),
        DefaultFlag::IgnoresSelectors => known.default(member, &Default::default(), rules),
    };
    let shown = known.organization.workspaces.iter().filter(|workspace| {
        rules.workspace.list == WorkspaceList::Organization || reached.contains(&workspace.id)
    });
    let data: Vec<Value> = shown
        .map(|workspace| {
            let is_default = default.as_ref() == Some(&workspace.id);
            json!({ "id": workspace.id, "name": workspace.name, "default": is_default })
        })
        .collect();
    json!({ "data": data })
}

fn schemas(kobana: &Kobana, arguments: &JsonObject) -> Value {
    let wanted = text(arguments, "resource");
    let mut data = Map::new();
    for family in Family::ALL {
        let tool = kobana
            .tools
            .find(&format!("finance_{}_create", family.name()));
        if let Some(tool) = tool.filter(|_| wanted.is_none_or(|name| name == family.name())) {
            data.insert(
                family.name().to_owned(),
                Value::Object((*tool.input_schema).clone()),
            );
        }
    }
    json!({ "data": data })
}

fn status(status: &str) -> JsonObject {
    Map::from_iter([("status".to_owned(), Value::from(status))])
}

/// A member that is text.
pub(super) fn text<'a>(object: &'a JsonObject, name: &str) -> Option<&'a str> {
    object.get(name).and_then(Value::as_str)
}

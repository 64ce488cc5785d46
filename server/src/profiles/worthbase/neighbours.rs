//! What a wrong server lets a workspace know of others: every value but the first of [`Neighbours`], and stored text in
//! messages. A correct server never comes here.

use serde_json::{Value, json};

use super::Worthbase;
use super::access::failed;
use super::arguments::text;
use crate::auth::Caller;
use crate::mcp::fault::Fault;
use crate::mcp::tool::ToolDefinition;
use crate::mcp::{Client, JsonObject};
use crate::rules::{Neighbours, StoredTexts};

/// Letters of an id that count where nearly the same is enough: its prefix and all of its number but the last letters.
const NEARLY: usize = 26;
/// Letters of an id in all.
const LONG: usize = 30;

/// The same call once more, and what became of it the first time.
pub(super) struct Call<'a> {
    pub caller: &'a Caller,
    pub client: Client,
    pub tool: &'a ToolDefinition,
    pub arguments: JsonObject,
}

/// The answer to a call as a server gives it that mixes workspaces up, where the correct one gave `answer`.
pub(super) async fn mixed(
    server: &Worthbase,
    call: Call<'_>,
    answer: Result<Value, Fault>,
) -> Result<Value, Fault> {
    let answer = match server.rules.presentation.stored_texts {
        StoredTexts::InData => answer,
        StoredTexts::InMessages => with_name(server, &call.arguments, answer).await?,
    };
    let unknown = matches!(&answer, Err(fault) if fault.code == "not_found");
    match (server.rules.access.neighbours, answer) {
        (Neighbours::NamedInRefusals, Err(fault)) if unknown => {
            named(server, &call.arguments, fault).await
        }
        (Neighbours::OwnWorkspacesMixed, Err(fault)) if unknown => {
            elsewhere(server, call, fault).await
        }
        (Neighbours::NearlyTheSame, Err(fault)) if unknown => nearly(server, call, fault).await,
        (Neighbours::NestedDropped, Err(fault)) if unknown => without(server, call, fault).await,
        (Neighbours::Counted, Ok(answer)) if call.tool.name == "get_overview" => {
            counted(server, answer).await
        }
        (Neighbours::ReferencesShared, Ok(answer)) if call.tool.name == "record" => {
            shared(server, &call.arguments, answer).await
        }
        (_, answer) => answer,
    }
}

async fn with_name(
    server: &Worthbase,
    arguments: &JsonObject,
    answer: Result<Value, Fault>,
) -> Result<Result<Value, Fault>, Fault> {
    let workspace = text(arguments, "workspace").unwrap_or_default();
    let found = server.store.workspace(workspace).await.map_err(failed)?;
    let name = found.map(|found| found.name).unwrap_or_default();
    Ok(answer.map_err(|fault| Fault {
        message: format!("{} In {name}.", fault.message),
        ..fault
    }))
}

/// Every text among arguments that looks like an id, the workspace's own left out.
fn ids(arguments: &JsonObject) -> Vec<String> {
    fn collect(value: &Value, ids: &mut Vec<String>) {
        match value {
            Value::String(text) if text.len() >= LONG - 1 && text.contains('_') => {
                ids.push(text.clone());
            }
            Value::Array(elements) => elements.iter().for_each(|element| collect(element, ids)),
            Value::Object(members) => members.values().for_each(|member| collect(member, ids)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    let others = arguments.iter().filter(|(name, _)| *name != "workspace");
    others.for_each(|(_, value)| collect(value, &mut found));
    found
}

async fn named(server: &Worthbase, arguments: &JsonObject, fault: Fault) -> Result<Value, Fault> {
    for id in ids(arguments) {
        if let Some((_, name)) = server.store.holder_of(&id).await.map_err(failed)? {
            let message = format!("This belongs to {name}. Ask its admin for access.");
            return Err(Fault::new("forbidden", message));
        }
    }
    Err(fault)
}

async fn elsewhere(server: &Worthbase, call: Call<'_>, fault: Fault) -> Result<Value, Fault> {
    for id in ids(&call.arguments) {
        if let Some((workspace, _)) = server.store.holder_of(&id).await.map_err(failed)? {
            let mut arguments = call.arguments.clone();
            arguments.insert("workspace".to_owned(), json!(workspace));
            let again = server.answer(call.caller, call.client.clone(), call.tool, arguments);
            return Box::pin(again).await;
        }
    }
    Err(fault)
}

async fn nearly(server: &Worthbase, call: Call<'_>, fault: Fault) -> Result<Value, Fault> {
    let mut said = Value::Object(call.arguments.clone()).to_string();
    for id in ids(&call.arguments) {
        let beginning = id.get(..NEARLY).unwrap_or(&id);
        if let Some(known) = server
            .store
            .id_like(beginning, LONG)
            .await
            .map_err(failed)?
        {
            said = said.replace(&id, &known);
        }
    }
    let Ok(Value::Object(arguments)) = serde_json::from_str(&said) else {
        return Err(fault);
    };
    Box::pin(server.answer(call.caller, call.client, call.tool, arguments)).await
}

/// Leaves out accounts and cash items, which a careless server forgets to look up.
async fn without(server: &Worthbase, call: Call<'_>, fault: Fault) -> Result<Value, Fault> {
    fn leave_out(value: &mut Value) {
        match value {
            Value::Array(elements) => elements.iter_mut().for_each(leave_out),
            Value::Object(members) => {
                members.remove("account");
                members.remove("cash_item");
                members.values_mut().for_each(leave_out);
            }
            _ => {}
        }
    }
    if !matches!(call.tool.name.as_str(), "record" | "update_item") {
        return Err(fault);
    }
    let mut rest = Value::Object(call.arguments);
    leave_out(&mut rest);
    let arguments = rest.as_object().cloned().unwrap_or_default();
    Box::pin(server.answer(call.caller, call.client, call.tool, arguments)).await
}

async fn counted(server: &Worthbase, mut answer: Value) -> Result<Value, Fault> {
    let mut items = 0;
    for workspace in server.store.every_workspace().await.map_err(failed)? {
        items += server.books.load(&workspace).await?.ledger.items().count();
    }
    answer["item_counts"]["assets"] = json!(items);
    Ok(answer)
}

async fn shared(
    server: &Worthbase,
    arguments: &JsonObject,
    mut answer: Value,
) -> Result<Value, Fault> {
    let here = text(arguments, "workspace").unwrap_or_default().to_owned();
    for row in answer["rows"].as_array_mut().into_iter().flatten() {
        let Some(reference) = row["external_ref"].as_str() else {
            continue;
        };
        let quoted = json!(reference).to_string();
        let holder = server.store.holder_of(&quoted).await.map_err(failed)?;
        if holder.is_some_and(|(workspace, _)| workspace != here) {
            row["class"] = json!("duplicate");
        }
    }
    Ok(answer)
}

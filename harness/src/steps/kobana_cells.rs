//! The published decision table on the wire: the cells that tell rules apart.

use std::sync::LazyLock;

use cucumber::{given, then, when};
use serde::Deserialize;
use serde_json::json;

use super::kobana::{
    NEUTRAL, NO_RECORD, Outcome, call, enrol, give_token, harmless, outcome, rita_may, tools,
};
use super::tokens::mocks;
use crate::mocks::providers::members::MembershipState;
use crate::mocks::{Breakage, Provider};
use crate::suite::{Failure, Scene};

/// The permission sets of the decision table, as `fixtures/kobana/decision-table.json` names them.
#[derive(Debug, Deserialize)]
struct Table {
    permission_sets: std::collections::BTreeMap<String, Vec<String>>,
}

static TABLE: LazyLock<Result<Table, String>> = LazyLock::new(|| {
    let text = include_str!("../../../fixtures/kobana/decision-table.json");
    serde_json::from_str(text).map_err(|error| error.to_string())
});

fn table() -> Result<&'static Table, Failure> {
    TABLE.as_ref().map_err(Failure::harness)
}

/// Somebody with a permission set of the decision table in one of its states, holding a token with a scope of it; `absent`
/// leaves the claim out. The state also says which workspace a later call names.
#[given(expr = "a person with {word} in the state {word} and a token that says {string}")]
async fn person(
    scene: &mut Scene,
    set: String,
    state: String,
    scope: String,
) -> Result<(), Failure> {
    let permissions = table()?.permission_sets.get(&set);
    let permissions = permissions
        .ok_or_else(|| Failure::harness(format!("the table has no set \"{set}\"")))?
        .join(", ");
    arrange(scene, &permissions, &state).await?;
    let scope = (scope != "absent").then_some(scope.as_str());
    give_token(scene, scope).await
}

/// Puts the person into a state of the table.
async fn arrange(scene: &mut Scene, permissions: &str, state: &str) -> Result<(), Failure> {
    let places = match state {
        "active_one_workspace_default" => "Matriz",
        "active_no_workspace" => "nothing",
        _ => "Matriz, Filial Sul",
    };
    rita_may(scene, permissions.to_owned(), places.to_owned()).await?;
    let mut member = scene.office.member.clone();
    if let Some(member) = &mut member {
        member.state = match state {
            "suspended" => MembershipState::Suspended,
            "invited" => MembershipState::Invited,
            "removed" => MembershipState::Removed,
            "never_joined" => MembershipState::NeverJoined,
            _ => MembershipState::Active,
        };
    }
    if state == "not_member" {
        member = None;
    }
    enrol(scene, member).await?;
    scene.office.header = match state {
        "active_many_header_reachable" => Some(scene.office.workspace("Filial Sul")),
        "active_header_unreachable" => Some(scene.office.workspace("Filial Norte")),
        _ => None,
    };
    Ok(())
}

/// The arguments of a call in a state: it names the workspace that the state is about.
fn arguments(scene: &Scene, tool: &str, state: &str) -> serde_json::Value {
    let mut arguments = harmless(tool);
    let office = &scene.office;
    let place = match state {
        "active_many_arg_reachable" => Some(office.workspace("Filial Sul")),
        "active_arg_unreachable" => Some(office.workspace("Filial Norte")),
        "active_arg_nonexistent" => Some(NO_RECORD.to_owned()),
        "active_arg_other_org" => Some(office.elsewhere.clone()),
        _ => None,
    };
    if let Some(place) = place.filter(|_| !NEUTRAL.contains(&tool)) {
        arguments["workspace_id"] = json!(place);
    }
    arguments
}

/// The call that a cell of the table is about.
#[when(expr = "{word} is called in the state {word}")]
async fn called(scene: &mut Scene, tool: String, state: String) -> Result<(), Failure> {
    let failing = state == "lookup_failed";
    if failing {
        let breakage = Breakage::Status {
            code: 500,
            retry_after_seconds: None,
        };
        mocks(scene)?
            .break_provider(Provider::Directory, breakage)
            .await?;
    }
    let heard = call(scene, &tool, arguments(scene, &tool, &state)).await?;
    scene.office.heard = Some(heard);
    Ok(())
}

/// How a cell ends: `allowed`, one of some codes, or `any refusal`; and whether the tool is `listed` or `hidden`.
#[then(expr = "{word} ends with {string} and is {word}")]
async fn ends(
    scene: &mut Scene,
    tool: String,
    wanted: String,
    visible: String,
) -> Result<(), Failure> {
    let heard = scene.office.heard()?;
    let agrees = match outcome(heard)? {
        Outcome::Allowed => wanted == "allowed",
        Outcome::Refused(code) => {
            wanted == "any refusal" || wanted.split(" or ").any(|wish| wish == code)
        }
    };
    if !agrees {
        return Err(heard.failure(format!("the outcome {wanted}")));
    }
    let listed = tools(scene).await?.contains(&tool);
    if listed == (visible == "listed") {
        return Ok(());
    }
    Err(
        Failure::expected(format!("{tool} is {visible}")).actual(if listed {
            "it is listed"
        } else {
            "it is not listed"
        }),
    )
}

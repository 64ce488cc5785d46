//! Steps about what a token reaches and what a person may do: one organisation with its people, asked tool by tool.

use std::collections::BTreeSet;

use cucumber::{given, then, when};
use secrecy::SecretString;
use serde_json::{Value, json};
use ulid::Ulid;

use super::exchange::{Heard, listed, send};
use super::tokens::{mint, mocks};
use crate::client::Message;
use crate::mocks::TokenRecipe;
use crate::mocks::admin::Command;
use crate::mocks::providers::members::{Channel, Member, MembershipState, Organization, Workspace};
use crate::mocks::token::Alteration;
use crate::suite::{Failure, Scene};

/// A record that nobody has.
pub const NO_RECORD: &str = "00000000-0000-4000-8000-000000000000";
/// The workspaces of the scenario's own organisation.
const WORKSPACES: [&str; 3] = ["Matriz", "Filial Sul", "Filial Norte"];
/// The tools that belong to no family.
pub const NEUTRAL: [&str; 2] = ["finance_workspaces_list", "finance_schemas_get"];
/// The codes by which both axes refuse.
pub const AXIS_CODES: [&str; 5] = [
    "insufficient_scope",
    "insufficient_permission",
    "workspace_required",
    "workspace_access_denied",
    "membership_inactive",
];

/// Words for tools, as sentences name them.
const GROUPS: [(&str, &[&str]); 9] = [
    ("orientation", &NEUTRAL),
    (
        "reading payables",
        &["finance_payables_list", "finance_payables_get"],
    ),
    (
        "writing payables",
        &[
            "finance_payables_create",
            "finance_payables_update",
            "finance_payables_cancel",
        ],
    ),
    ("sending to the bank", &["finance_payables_send_to_bank"]),
    (
        "reading people",
        &["finance_people_list", "finance_people_get"],
    ),
    (
        "writing people",
        &["finance_people_create", "finance_people_update"],
    ),
    (
        "reading receivables",
        &["finance_receivables_list", "finance_receivables_get"],
    ),
    (
        "writing receivables",
        &["finance_receivables_create", "finance_receivables_update"],
    ),
    ("charging", &["finance_receivables_charge"]),
];

/// What a scenario knows about the organisation and about who asks.
#[derive(Debug, Default)]
pub struct Office {
    /// The organisation of the scenario.
    pub organization: Option<Organization>,
    /// A workspace of another organisation.
    pub elsewhere: String,
    /// The `sub` of the person who asks.
    pub subject: String,
    /// What the directory says of them.
    pub member: Option<Member>,
    /// Their token.
    pub token: Option<SecretString>,
    /// `X-Workspace-Id` of the connection.
    pub header: Option<String>,
    /// `?workspace_id=` of the connection.
    pub address: Option<String>,
    /// The last answer.
    pub heard: Option<Heard>,
    /// Records that the scenario made: description, id.
    pub records: Vec<(String, String)>,
}

impl Office {
    /// The id of a workspace that a sentence names; a text that names none stands for itself.
    pub fn workspace(&self, name: &str) -> String {
        let own = self.organization.iter().flat_map(|known| &known.workspaces);
        match own.into_iter().find(|workspace| workspace.name == name) {
            Some(workspace) => workspace.id.clone(),
            None if name == "a workspace of another organisation" => self.elsewhere.clone(),
            None if name == "a workspace of nobody" => NO_RECORD.to_owned(),
            None => name.to_owned(),
        }
    }

    fn id(&self) -> Result<String, Failure> {
        let organization = self.organization.as_ref();
        organization
            .map(|organization| organization.id.clone())
            .ok_or_else(|| Failure::harness("no sentence before makes an organisation"))
    }

    /// The token of the person who asks.
    ///
    /// # Errors
    /// No sentence before gives one.
    pub fn token(&self) -> Result<&SecretString, Failure> {
        self.token
            .as_ref()
            .ok_or_else(|| Failure::harness("no sentence before gives the person a token"))
    }

    /// The last answer.
    ///
    /// # Errors
    /// No sentence before asks anything.
    pub fn heard(&self) -> Result<&Heard, Failure> {
        self.heard
            .as_ref()
            .ok_or_else(|| Failure::harness("no sentence before calls a tool"))
    }
}

/// A fresh UUID.
pub fn uuid() -> String {
    let digits = format!("{:032x}", Ulid::new().0);
    let parts = [
        &digits[..8],
        &digits[8..12],
        &digits[12..16],
        &digits[16..20],
        &digits[20..],
    ];
    parts.join("-")
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Neither axis refused it.
    Allowed,
    /// A tool result with this code.
    Refused(String),
}

/// Reads how a call ended. Whatever is no tool result is a failure.
///
/// # Errors
/// The answer is no tool result, or a refusal without a code.
pub fn outcome(heard: &Heard) -> Result<Outcome, Failure> {
    let answer = heard.answer()?;
    let result = answer.result().filter(|_| answer.status == 200);
    let result = result.ok_or_else(|| heard.failure("a tool result with status 200"))?;
    if result["isError"] != json!(true) {
        return Ok(Outcome::Allowed);
    }
    let body = error_of(&result);
    let code = body["code"].as_str().filter(|_| {
        body["message"]
            .as_str()
            .is_some_and(|text| !text.is_empty())
    });
    let code = code.ok_or_else(|| heard.failure("a refusal with error.code and error.message"))?;
    if AXIS_CODES.contains(&code) || !is_of_the_tool(code) {
        Ok(Outcome::Refused(code.to_owned()))
    } else {
        Ok(Outcome::Allowed)
    }
}

/// Refusals that a tool makes after both axes let it run.
fn is_of_the_tool(code: &str) -> bool {
    ["not_found", "invalid", "channel", "limit", "provider"]
        .iter()
        .any(|start| code.starts_with(start))
}

/// The error member of a refusal, from structured content or from the text.
pub fn error_of(result: &Value) -> Value {
    let structured = &result["structuredContent"]["error"];
    if structured.is_object() {
        return structured.clone();
    }
    let text = result["content"][0]["text"].as_str().unwrap_or_default();
    let body: Value = serde_json::from_str(text).unwrap_or_default();
    body["error"].clone()
}

/// Arguments with which a tool can run and does no harm: the records they name do not exist.
pub fn harmless(tool: &str) -> Value {
    match tool.rsplit('_').next() {
        Some("create") if tool.contains("people") => json!({ "name": "Fornecedora Ltda" }),
        Some("create") => {
            json!({ "description": "Aluguel", "amount": "10.00", "due_date": "2026-11-10" })
        }
        Some("list") | Some("get") if NEUTRAL.contains(&tool) => json!({}),
        Some("list") => json!({}),
        _ => json!({ "id": NO_RECORD }),
    }
}

/// Calls a tool with the person's token and the connection's selectors.
///
/// # Errors
/// The harness cannot make a client.
pub async fn call(scene: &Scene, tool: &str, arguments: Value) -> Result<Heard, Failure> {
    ask(scene, tool, &Message::call(scene.revision, tool, arguments)).await
}

/// Sends any message with the person's token and the connection's selectors.
///
/// # Errors
/// The harness cannot make a client.
pub async fn ask(scene: &Scene, case: &str, message: &Message) -> Result<Heard, Failure> {
    let office = &scene.office;
    let token = office.token()?;
    send(scene, case, message, |mut request| {
        if let Some(workspace) = &office.header {
            request = request.header("X-Workspace-Id", workspace);
        }
        if let Some(workspace) = &office.address {
            request = request.query("workspace_id", workspace);
        }
        request.bearer(token)
    })
    .await
}

/// The names of the tools that are listed.
///
/// # Errors
/// The list is no result.
pub async fn tools(scene: &Scene) -> Result<BTreeSet<String>, Failure> {
    let heard = ask(
        scene,
        "the list of tools",
        &Message::list_tools(scene.revision),
    )
    .await?;
    let result = heard
        .answer()?
        .result()
        .ok_or_else(|| heard.failure("a list"))?;
    let tools = result["tools"].as_array().cloned().unwrap_or_default();
    let names = tools.iter().filter_map(|tool| tool["name"].as_str());
    Ok(names.map(str::to_owned).collect())
}

/// Makes an organisation with three workspaces and a stranger's workspace, once for each scenario.
async fn founded(scene: &mut Scene) -> Result<(), Failure> {
    if scene.office.organization.is_some() {
        return Ok(());
    }
    let made = |names: &[&str]| Organization {
        id: uuid(),
        workspaces: names
            .iter()
            .map(|name| Workspace {
                id: uuid(),
                name: (*name).to_owned(),
            })
            .collect(),
        payables_send: None,
    };
    let (own, other) = (made(&WORKSPACES), made(&["Loja"]));
    scene.office.elsewhere = other.workspaces[0].id.clone();
    for organization in [own.clone(), other] {
        mocks(scene)?
            .execute(Command::SetOrganization { organization })
            .await?;
    }
    scene.office.organization = Some(own);
    Ok(())
}

/// Tells the directory what it is to say of the person.
///
/// # Errors
/// The mocks cannot be reached.
pub async fn enrol(scene: &mut Scene, member: Option<Member>) -> Result<(), Failure> {
    let command = Command::SetMember {
        organization: scene.office.id()?,
        subject: scene.office.subject.clone(),
        member: member.clone(),
    };
    mocks(scene)?.execute(command).await?;
    scene.office.member = member;
    Ok(())
}

/// Gives the person a token with this scope; without one the claim is missing.
///
/// # Errors
/// The mint refuses.
pub async fn give_token(scene: &mut Scene, scope: Option<&str>) -> Result<(), Failure> {
    let token = mint(scene, &recipe(scene, scope)?).await?;
    scene.office.token = Some(token);
    Ok(())
}

/// A good token of the person.
///
/// # Errors
/// No sentence before makes an organisation.
pub fn recipe(scene: &Scene, scope: Option<&str>) -> Result<TokenRecipe, Failure> {
    let office = &scene.office;
    let recipe = TokenRecipe::good(&office.subject, &scene.environment.target.resource)
        .scope(scope.unwrap_or_default())
        .altered(Alteration::SetClaim {
            name: "org".to_owned(),
            json: json!(office.id()?).to_string(),
        });
    Ok(match scope {
        Some(_) => recipe,
        None => recipe.altered(Alteration::RemoveClaim {
            name: "scope".to_owned(),
        }),
    })
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(',').map(str::trim);
    words
        .filter(|word| !word.is_empty() && *word != "nothing")
        .map(str::to_owned)
        .collect()
}

/// An active member with these permissions (separated by commas, or `nothing`) who reaches these workspaces of the organisation.
#[given(expr = "Rita may {string} in {string}")]
pub async fn rita_may(
    scene: &mut Scene,
    permissions: String,
    places: String,
) -> Result<(), Failure> {
    founded(scene).await?;
    scene.office.subject = format!("rita-{}", Ulid::new());
    let places = words(&places);
    let member = Member {
        state: MembershipState::Active,
        permissions: words(&permissions),
        workspaces: places
            .iter()
            .map(|name| scene.office.workspace(name))
            .collect(),
    };
    enrol(scene, Some(member)).await?;
    give_token(scene, Some("all")).await
}

/// The scope of her token; `absent` leaves the claim out.
#[given(expr = "her token says {string}")]
pub async fn her_token_says(scene: &mut Scene, scope: String) -> Result<(), Failure> {
    let scope = (scope != "absent").then_some(scope.as_str());
    give_token(scene, scope).await
}

/// What she is in the organisation: `active`, `suspended`, `invited`, `removed`, `never joined`, `no member`, or a member with
/// other permissions.
#[given(expr = "she is {string} there")]
#[when(expr = "she is {string} there from now on")]
pub async fn she_is(scene: &mut Scene, state: String) -> Result<(), Failure> {
    let known = scene.office.member.clone();
    let state = match state.as_str() {
        "no member" => return enrol(scene, None).await,
        "active" => MembershipState::Active,
        "suspended" => MembershipState::Suspended,
        "invited" => MembershipState::Invited,
        "removed" => MembershipState::Removed,
        "never joined" => MembershipState::NeverJoined,
        other => return Err(Failure::harness(format!("nobody can be \"{other}\""))),
    };
    enrol(scene, known.map(|member| Member { state, ..member })).await
}

/// Her permissions from now on, separated by commas.
#[when(expr = "she may {string} from now on")]
pub async fn she_may(scene: &mut Scene, permissions: String) -> Result<(), Failure> {
    let permissions = words(&permissions);
    let member = scene.office.member.clone();
    enrol(
        scene,
        member.map(|member| Member {
            permissions,
            ..member
        }),
    )
    .await
}

/// The workspaces she reaches from now on.
#[when(expr = "she reaches {string} from now on")]
pub async fn she_reaches(scene: &mut Scene, places: String) -> Result<(), Failure> {
    let workspaces = words(&places)
        .iter()
        .map(|name| scene.office.workspace(name))
        .collect();
    let member = scene.office.member.clone();
    enrol(
        scene,
        member.map(|member| Member {
            workspaces,
            ..member
        }),
    )
    .await
}

/// The state of sending to the bank through agents: `closed`, `pending` or `open`.
#[given(expr = "sending to the bank through agents is {word}")]
#[when(expr = "sending to the bank through agents is {word} from now on")]
pub async fn channel(scene: &mut Scene, state: String) -> Result<(), Failure> {
    let state: Channel = serde_json::from_value(json!(state)).map_err(Failure::harness)?;
    let known = scene.office.organization.clone();
    let mut organization = known.ok_or_else(|| Failure::harness("there is no organisation"))?;
    organization.payables_send = Some(state);
    scene.office.organization = Some(organization.clone());
    mocks(scene)?
        .execute(Command::SetOrganization { organization })
        .await?;
    Ok(())
}

/// A call with arguments that do no harm, in the connection's default workspace.
#[when(expr = "she calls {word}")]
pub async fn she_calls(scene: &mut Scene, tool: String) -> Result<(), Failure> {
    let heard = call(scene, &tool, harmless(&tool)).await?;
    scene.office.heard = Some(heard);
    Ok(())
}

/// The same, in a workspace that the call names.
#[when(expr = "she calls {word} in {string}")]
pub async fn she_calls_in(scene: &mut Scene, tool: String, place: String) -> Result<(), Failure> {
    let mut arguments = harmless(&tool);
    arguments["workspace_id"] = json!(scene.office.workspace(&place));
    let heard = call(scene, &tool, arguments).await?;
    scene.office.heard = Some(heard);
    Ok(())
}

/// Neither axis refuses the call.
#[then("neither axis refuses it")]
pub async fn allowed(scene: &mut Scene) -> Result<(), Failure> {
    let heard = scene.office.heard()?;
    match outcome(heard)? {
        Outcome::Allowed => Ok(()),
        Outcome::Refused(_) => Err(heard.failure("no refusal by an axis")),
    }
}

/// A tool result with status 200, `isError`, and this code with a message; several codes are separated by `or`.
#[then(expr = "it is refused with {string}")]
pub async fn refused(scene: &mut Scene, codes: String) -> Result<(), Failure> {
    let heard = scene.office.heard()?;
    match outcome(heard)? {
        Outcome::Refused(code) if codes.split(" or ").any(|wanted| wanted == code) => Ok(()),
        _ => Err(heard.failure(format!("a refusal with {codes}"))),
    }
}

/// The refusal names a permission, in its message or beside it.
#[then(expr = "the refusal names the permission {string}")]
pub async fn names_permission(scene: &mut Scene, permission: String) -> Result<(), Failure> {
    let heard = scene.office.heard()?;
    let result = heard.answer()?.result().unwrap_or_default();
    match error_of(&result).to_string().contains(&permission) {
        true => Ok(()),
        false => Err(heard.failure(format!("a refusal that names {permission}"))),
    }
}

/// Calls every tool once, in a workspace she reaches, and looks at the list: exactly the tools of the sentence are listed and
/// run, every other is refused with one of these codes. The tools for orientation are judged where the sentence says
/// `orientation`, `everything` or `nothing`.
#[then(expr = "she may use exactly {string}, and every other tool is refused with {string}")]
pub async fn exactly(scene: &mut Scene, groups: String, codes: String) -> Result<(), Failure> {
    let wanted = tools_of(&groups)?;
    let neutral = ["orientation", "everything", "nothing"]
        .iter()
        .any(|word| groups.contains(word));
    let place = scene
        .office
        .member
        .as_ref()
        .and_then(|member| member.workspaces.first().cloned());
    let listed = tools(scene).await?;
    for tool in GROUPS.iter().flat_map(|(_, tools)| *tools) {
        let is_neutral = NEUTRAL.contains(tool);
        if is_neutral && !neutral {
            continue;
        }
        let may = wanted.contains(tool);
        if listed.contains(*tool) != may {
            let verb = if may { "listed" } else { "not listed" };
            return Err(Failure::expected(format!("{tool} is {verb}"))
                .actual(format!("the list holds {listed:?}")));
        }
        let mut arguments = harmless(tool);
        if let Some(place) = place.as_ref().filter(|_| !is_neutral) {
            arguments["workspace_id"] = json!(place);
        }
        let heard = call(scene, tool, arguments).await?;
        let agrees = match outcome(&heard)? {
            Outcome::Allowed => may,
            Outcome::Refused(code) => !may && codes.split(" or ").any(|wanted| wanted == code),
        };
        if !agrees {
            let wish = if may {
                "neither axis refuses it".to_owned()
            } else {
                format!("a refusal with {codes}")
            };
            return Err(heard.failure(wish));
        }
    }
    Ok(())
}

/// A tool that is listed runs, and one that is not is refused: whichever way the text is read, list and call say the same.
#[then(expr = "list and call agree on {string}")]
pub async fn agree(scene: &mut Scene, groups: String) -> Result<(), Failure> {
    let listed = tools(scene).await?;
    for tool in tools_of(&groups)? {
        let heard = call(scene, tool, harmless(tool)).await?;
        if (outcome(&heard)? == Outcome::Allowed) != listed.contains(tool) {
            return Err(heard.failure("the same answer as the list gives"));
        }
    }
    Ok(())
}

/// Nothing is listed: no tool, no prompt, no resource template.
#[then("nothing is listed")]
pub async fn nothing_listed(scene: &mut Scene) -> Result<(), Failure> {
    let token = scene.office.token()?;
    for (method, member) in [
        ("tools/list", "tools"),
        ("prompts/list", "prompts"),
        ("resources/templates/list", "resourceTemplates"),
    ] {
        let all = listed(scene, token, method, member).await?;
        if !all.is_empty() {
            return Err(Failure::expected(format!("an empty {method}")).actual(format!("{all:?}")));
        }
    }
    Ok(())
}

fn tools_of(groups: &str) -> Result<BTreeSet<&'static str>, Failure> {
    if groups == "everything" {
        return Ok(GROUPS
            .iter()
            .flat_map(|(_, tools)| tools.iter().copied())
            .collect());
    }
    let mut chosen = BTreeSet::new();
    for word in words(groups) {
        let whole = |verb: &str| word == format!("{verb} everything");
        let before = chosen.len();
        for (name, tools) in GROUPS {
            let all_of_verb = whole("reading") && name.starts_with("reading")
                || whole("writing") && name.starts_with("writing");
            if name == word || all_of_verb {
                chosen.extend(tools);
            }
        }
        if let Some((_, tools)) = GROUPS
            .iter()
            .find(|(_, tools)| tools.contains(&word.as_str()))
        {
            chosen.extend(tools.iter().filter(|tool| **tool == word));
        }
        if chosen.len() == before {
            return Err(Failure::harness(format!("no tools are called \"{word}\"")));
        }
    }
    Ok(chosen)
}

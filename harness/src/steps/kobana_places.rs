//! Steps about workspaces, records, the bank, and what stands before a message: selectors, hosts, paths, limits.

use cucumber::{given, then, when};
use http::Method;
use serde_json::{Value, json};

use super::exchange::{Heard, send, send_request};
use super::kobana::{Outcome, ask, call, error_of, give_token, outcome, recipe};
use super::tokens::{mint, mocks};
use crate::client::{Message, WireRequest};
use crate::mocks::token::Alteration;
use crate::mocks::{Breakage, Provider};
use crate::suite::{Failure, Scene};

/// More requests than any limit of a minute that a server for people has.
const MANY: usize = 2_000;

/// The header `X-Workspace-Id` of everything she asks.
#[given(expr = "her connection's header names {string}")]
#[when(expr = "her connection's header names {string}")]
async fn header(scene: &mut Scene, place: String) {
    scene.office.header = Some(scene.office.workspace(&place));
}

/// The parameter `workspace_id` of the address of everything she asks.
#[given(expr = "her connection's address names {string}")]
#[when(expr = "her connection's address names {string}")]
async fn address(scene: &mut Scene, place: String) {
    scene.office.address = Some(scene.office.workspace(&place));
}

/// Neither header nor address names a workspace.
#[when("her connection names no workspace")]
async fn unnamed(scene: &mut Scene) {
    (scene.office.header, scene.office.address) = (None, None);
}

/// A payable with this description, made in a workspace.
#[given(expr = "there is a payable {string} in {string}")]
async fn payable(scene: &mut Scene, description: String, place: String) -> Result<(), Failure> {
    let arguments = json!({
        "description": description, "amount": "120.50", "due_date": "2026-11-10",
        "workspace_id": scene.office.workspace(&place),
    });
    let heard = call(scene, "finance_payables_create", arguments).await?;
    let result = heard.answer()?.result().unwrap_or_default();
    let id = result["structuredContent"]["data"]["id"].as_str();
    let id = id
        .ok_or_else(|| heard.failure("a payable with an id"))?
        .to_owned();
    scene.office.records.push((description, id));
    Ok(())
}

fn record(scene: &Scene, description: &str) -> Result<String, Failure> {
    let found = scene
        .office
        .records
        .iter()
        .find(|(known, _)| known == description);
    found
        .map(|(_, id)| id.clone())
        .ok_or_else(|| Failure::harness(format!("no sentence before makes \"{description}\"")))
}

async fn payables(scene: &Scene, arguments: Value) -> Result<(Heard, Vec<String>), Failure> {
    let heard = call(scene, "finance_payables_list", arguments).await?;
    let result = heard.answer()?.result().unwrap_or_default();
    let data = result["structuredContent"]["data"].as_array().cloned();
    let data = data.ok_or_else(|| heard.failure("a list of payables"))?;
    let names = data
        .iter()
        .filter_map(|record| record["description"].as_str());
    let names = names.map(str::to_owned).collect();
    Ok((heard, names))
}

/// The payables of a call that names no workspace: descriptions separated by commas, in any order.
#[then(expr = "without an argument she sees the payables {string}")]
async fn sees(scene: &mut Scene, wanted: String) -> Result<(), Failure> {
    let (heard, names) = payables(scene, json!({})).await?;
    compare(&heard, names, &wanted)
}

/// The payables of a call that names this workspace.
#[then(expr = "in {string} she sees the payables {string}")]
async fn sees_in(scene: &mut Scene, place: String, wanted: String) -> Result<(), Failure> {
    let place = scene.office.workspace(&place);
    let (heard, names) = payables(scene, json!({ "workspace_id": place })).await?;
    compare(&heard, names, &wanted)
}

fn compare(heard: &Heard, mut names: Vec<String>, wanted: &str) -> Result<(), Failure> {
    let mut wanted: Vec<&str> = wanted
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect();
    wanted.sort_unstable();
    names.sort_unstable();
    match names == wanted {
        true => Ok(()),
        false => Err(heard.failure(format!("the payables {wanted:?}"))),
    }
}

/// A payable that was made before is asked for by its id, in a workspace that the call names.
#[when(expr = "she asks for the payable {string} in {string}")]
async fn asks_for(scene: &mut Scene, description: String, place: String) -> Result<(), Failure> {
    let arguments = json!({
        "id": record(scene, &description)?,
        "workspace_id": scene.office.workspace(&place),
    });
    let heard = call(scene, "finance_payables_get", arguments).await?;
    scene.office.heard = Some(heard);
    Ok(())
}

/// The last call found its record.
#[then("she gets it")]
async fn gets_it(scene: &mut Scene) -> Result<(), Failure> {
    let heard = scene.office.heard()?;
    let result = heard.answer()?.result().unwrap_or_default();
    match result["structuredContent"]["data"]["id"].is_string() && result["isError"] != json!(true)
    {
        true => Ok(()),
        false => Err(heard.failure("the record")),
    }
}

/// The last call found no record, and says so with a code that is none of the axes'.
#[then("it is not found")]
async fn not_found(scene: &mut Scene) -> Result<(), Failure> {
    let heard = scene.office.heard()?;
    let result = heard.answer()?.result().unwrap_or_default();
    let refused = result["isError"] == json!(true) && outcome(heard)? == Outcome::Allowed;
    match refused {
        true => Ok(()),
        false => Err(heard.failure("a refusal because there is no such record")),
    }
}

/// The workspaces that `finance_workspaces_list` shows, the default marked with a star: `Matriz*, Filial Sul`.
#[then(expr = "her workspaces are {string}")]
async fn workspaces(scene: &mut Scene, wanted: String) -> Result<(), Failure> {
    let heard = call(scene, "finance_workspaces_list", json!({})).await?;
    let result = heard.answer()?.result().unwrap_or_default();
    let data = result["structuredContent"]["data"].as_array().cloned();
    let data = data.ok_or_else(|| heard.failure("a list of workspaces"))?;
    let mut shown = Vec::new();
    for entry in &data {
        let (Some(name), Some(is_default), Some(id)) = (
            entry["name"].as_str(),
            entry["default"].as_bool(),
            entry["id"].as_str(),
        ) else {
            return Err(heard.failure("id, name and default of each workspace"));
        };
        if scene.office.workspace(name) != id {
            return Err(heard.failure(format!("the id of {name}")));
        }
        shown.push(format!("{name}{}", if is_default { "*" } else { "" }));
    }
    match shown.join(", ") == wanted {
        true => Ok(()),
        false => Err(heard.failure(format!("the workspaces {wanted}"))),
    }
}

/// A payable that was made before is sent to the bank.
#[when(expr = "she sends {string} to the bank from {string}")]
async fn sends(scene: &mut Scene, description: String, place: String) -> Result<(), Failure> {
    let arguments = json!({
        "id": record(scene, &description)?,
        "workspace_id": scene.office.workspace(&place),
    });
    let heard = call(scene, "finance_payables_send_to_bank", arguments).await?;
    scene.office.heard = Some(heard);
    Ok(())
}

/// A refusal that is none of the five by which the axes refuse.
#[then("it is refused for a reason of its own")]
async fn own_reason(scene: &mut Scene) -> Result<(), Failure> {
    let heard = scene.office.heard()?;
    let result = heard.answer()?.result().unwrap_or_default();
    let code = error_of(&result)["code"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let own = result["isError"] == json!(true) && !code.is_empty();
    match own && !super::kobana::AXIS_CODES.contains(&code.as_str()) {
        true => Ok(()),
        false => Err(heard.failure("a refusal with a code of its own")),
    }
}

/// How many orders of the scenario's own payables the bank got; the scenario has a bank of its own.
#[then(expr = "the bank got {int} order(s)")]
async fn orders(scene: &mut Scene, wanted: u64) -> Result<(), Failure> {
    let got = mocks(scene)?.request_count(Provider::Bank).await?;
    match got == wanted {
        true => Ok(()),
        false => Err(Failure::expected(format!("{wanted} orders")).actual(format!("{got}"))),
    }
}

/// A tool is on the list.
#[then(expr = "the tool {word} is listed")]
async fn is_listed(scene: &mut Scene, tool: String) -> Result<(), Failure> {
    let tools = super::kobana::tools(scene).await?;
    match tools.contains(&tool) {
        true => Ok(()),
        false => Err(Failure::expected(format!("{tool} is listed")).actual(format!("{tools:?}"))),
    }
}

/// The member directory answers 500 until it is up again.
#[when("the member directory is down")]
async fn directory_down(scene: &mut Scene) -> Result<(), Failure> {
    let breakage = Breakage::Status {
        code: 500,
        retry_after_seconds: None,
    };
    mocks(scene)?
        .break_provider(Provider::Directory, breakage)
        .await?;
    Ok(())
}

/// The member directory answers again.
#[when("the member directory is up again")]
async fn directory_up(scene: &mut Scene) -> Result<(), Failure> {
    mocks(scene)?.mend_provider(Provider::Directory).await?;
    Ok(())
}

/// One claim of her token is another, as JSON, or left out with `absent`.
#[given(expr = "the claim {word} of her token is {string}")]
async fn claim(scene: &mut Scene, name: String, json: String) -> Result<(), Failure> {
    let alteration = match json.as_str() {
        "absent" => Alteration::RemoveClaim { name },
        // A text stands in single quotes, because the sentence uses the others.
        _ => Alteration::SetClaim {
            name,
            json: json.replace('\'', "\""),
        },
    };
    let recipe = recipe(scene, Some("all"))?.altered(alteration);
    scene.office.token = Some(mint(scene, &recipe).await?);
    Ok(())
}

/// Her token lasts so many days.
#[given(expr = "her token says {string} and lasts {int} days")]
async fn long_token(scene: &mut Scene, scope: String, days: i64) -> Result<(), Failure> {
    let recipe = recipe(scene, Some(&scope))?.lifetime_seconds(days * 86_400);
    scene.office.token = Some(mint(scene, &recipe).await?);
    Ok(())
}

/// Her token is another one that the catalogue of tokens names.
#[given(expr = "her token is {string}")]
async fn catalogue_token(scene: &mut Scene, name: String) -> Result<(), Failure> {
    let recipe = recipe(scene, Some("all"))?
        .with(&name)
        .map_err(Failure::harness)?;
    scene.office.token = Some(mint(scene, &recipe).await?);
    Ok(())
}

/// Asks for one of the lists, or for a tool, a resource, a prompt or the opening: a method by its name.
#[when(expr = "she asks {word}")]
async fn asks(scene: &mut Scene, method: String) -> Result<(), Failure> {
    let heard = ask(scene, &method, &message(scene, &method)).await?;
    scene.office.heard = Some(heard);
    Ok(())
}

fn message(scene: &Scene, method: &str) -> Message {
    let params = match method {
        "opening" => return Message::opening(scene.revision),
        "tools/call" => json!({ "name": "finance_workspaces_list", "arguments": {} }),
        "resources/read" => {
            json!({ "uri": "kobana://finance/payables/00000000-0000-4000-8000-000000000000" })
        }
        _ => json!({}),
    };
    Message::request(scene.revision, json!(1), method, params)
}

/// Asks for the list of tools with a query in the address beside her good header.
#[when(expr = "she asks with {string} in the address")]
async fn with_query(scene: &mut Scene, query: String) -> Result<(), Failure> {
    let token = scene.office.token()?.clone();
    let mut endpoint = scene.environment.target.endpoint.clone();
    endpoint.set_query(Some(&query));
    let request = WireRequest::post(&endpoint, &Message::list_tools(scene.revision)).bearer(&token);
    let heard = send_request(scene, &query, json!(1), request).await?;
    scene.office.heard = Some(heard);
    Ok(())
}

/// Asks for the list of tools with a cookie that holds her good token, and without a header.
#[when(expr = "a cookie called {word} holds her token and nothing else does")]
async fn in_cookie(scene: &mut Scene, name: String) -> Result<(), Failure> {
    use secrecy::ExposeSecret as _;
    let cookie = format!("{name}={}", scene.office.token()?.expose_secret());
    let message = Message::list_tools(scene.revision);
    let heard = send(scene, "a token in a cookie", &message, |request| {
        request.header("Cookie", cookie)
    })
    .await?;
    scene.office.heard = Some(heard);
    Ok(())
}

/// Asks for the list of tools with another header line, and her good token.
#[when(expr = "she asks with the header {word} {string}")]
async fn with_header(scene: &mut Scene, name: String, value: String) -> Result<(), Failure> {
    let token = scene.office.token()?.clone();
    let mut message = Message::list_tools(scene.revision);
    if name.eq_ignore_ascii_case("mcp-protocol-version") {
        message = message.with_header(&name, &value);
        if scene.revision.is_modern() {
            message = message.with_meta(crate::client::message::META_VERSION, json!(value));
        }
    } else {
        message.headers.push((name.clone(), value));
    }
    let heard = send(scene, &name, &message, |request| request.bearer(&token)).await?;
    scene.office.heard = Some(heard);
    Ok(())
}

/// Asks for the list of tools without any token, at the address of her connection.
#[when("a stranger asks for the list of tools")]
async fn stranger(scene: &mut Scene) -> Result<(), Failure> {
    let message = Message::list_tools(scene.revision);
    let address = scene.office.address.clone();
    let heard = send(
        scene,
        "without a token",
        &message,
        |request| match address {
            Some(workspace) => request.query("workspace_id", &workspace),
            None => request,
        },
    )
    .await?;
    scene.office.heard = Some(heard);
    Ok(())
}

/// Any method at any path of the server's host, without a token.
#[when(expr = "somebody sends {word} to {string}")]
async fn somewhere(scene: &mut Scene, method: String, path: String) -> Result<(), Failure> {
    let method: Method = method.parse().map_err(Failure::harness)?;
    let mut url = scene.environment.target.endpoint.clone();
    url.set_path(&path);
    let heard = send_request(scene, &path, Value::Null, WireRequest::new(method, &url)).await?;
    scene.office.heard = Some(heard);
    Ok(())
}

/// A refusal over HTTP: status, and `{"error": {"code", "message"}}` in JSON, both texts not empty.
#[then(expr = "the answer is {int} {word}")]
async fn http_refusal(scene: &mut Scene, status: u16, code: String) -> Result<(), Failure> {
    let heard = scene.office.heard()?;
    let answer = heard.answer()?;
    let body: Value = serde_json::from_str(&answer.body).unwrap_or_default();
    let whole = answer.media_type() == "application/json"
        && body["error"]["code"] == json!(code)
        && body["error"]["message"]
            .as_str()
            .is_some_and(|text| !text.is_empty());
    match answer.status == status && whole {
        true => Ok(()),
        false => Err(heard.failure(format!("{status} with error.code {code} in JSON"))),
    }
}

/// Nothing here, in exactly the words of the page; a HEAD has no body.
#[then("the answer is the one for unknown paths")]
async fn unknown_path(scene: &mut Scene) -> Result<(), Failure> {
    let heard = scene.office.heard()?;
    let answer = heard.answer()?;
    let body: Value = serde_json::from_str(&answer.body).unwrap_or_default();
    let exact = json!({ "error": { "code": "NOT_FOUND", "message": "Not found." } });
    let right =
        (body == exact || answer.body.is_empty()) && answer.media_type() == "application/json";
    match answer.status == 404 && right {
        true => Ok(()),
        false => Err(heard.failure(format!("404 and {exact}"))),
    }
}

/// The challenge of the page: realm, error and the address of the metadata at the server's own host.
#[then("it carries the challenge of the page")]
async fn challenge(scene: &mut Scene) -> Result<(), Failure> {
    let heard = scene.office.heard()?;
    let challenge = heard.answer()?.bearer_challenge();
    let metadata = format!(
        "{}/.well-known/oauth-protected-resource",
        scene.environment.target.resource
    );
    let wanted = [
        ("realm", "kobana-finance-mcp"),
        ("error", "invalid_token"),
        ("resource_metadata", metadata.as_str()),
    ];
    let right = challenge.as_ref().is_some_and(|challenge| {
        wanted
            .iter()
            .all(|(name, value)| challenge.parameter(name) == Some(*value))
    });
    match right {
        true => Ok(()),
        false => Err(heard.failure(format!("a challenge with {wanted:?}"))),
    }
}

/// The metadata of the resource, member by member, and no member about scopes.
#[then("the metadata is that of the page")]
async fn metadata(scene: &mut Scene) -> Result<(), Failure> {
    let heard = scene.office.heard()?;
    let document = heard.answer()?.json().map_err(Failure::harness)?;
    let servers = document["authorization_servers"]
        .as_array()
        .map_or(0, Vec::len);
    let right = document["resource"] == json!(scene.environment.target.resource)
        && servers == 1
        && document["bearer_methods_supported"] == json!(["header"])
        && document["resource_documentation"].is_string()
        && document.get("scopes_supported").is_none();
    match right {
        true => Ok(()),
        false => Err(heard.failure("resource, one authorization server, bearer_methods_supported, resource_documentation, no scopes_supported")),
    }
}

/// The request was served.
#[then("it is served")]
async fn served(scene: &mut Scene) -> Result<(), Failure> {
    let heard = scene.office.heard()?;
    match heard.answer()?.status == 200 {
        true => Ok(()),
        false => Err(heard.failure("200")),
    }
}

/// 400 with -32022 and the versions there are.
#[then("the answer says that the version is unsupported and which are supported")]
async fn unsupported(scene: &mut Scene) -> Result<(), Failure> {
    let heard = scene.office.heard()?;
    let answer = heard.answer()?;
    let error = answer.error();
    let listed = error
        .as_ref()
        .and_then(|error| error.data.as_ref()?["supported"].as_array().cloned());
    let right = error.is_some_and(|error| error.code == -32022)
        && listed.is_some_and(|all| !all.is_empty());
    match answer.status == 400 && right {
        true => Ok(()),
        false => Err(heard.failure("400 with -32022 and data.supported")),
    }
}

/// She asks again and again until the limit is reached.
#[when("she asks until the limit is reached")]
async fn until_limit(scene: &mut Scene) -> Result<(), Failure> {
    for _ in 0..MANY {
        let heard = ask(scene, "one more", &Message::list_tools(scene.revision)).await?;
        let over = heard.answer()?.status != 200;
        scene.office.heard = Some(heard);
        if over {
            return Ok(());
        }
    }
    Err(Failure::expected("a limit").actual(format!("{MANY} requests were served")))
}

/// The answer says how long to wait; she waits so long by the steered clock and asks once more.
#[when("she waits as long as the answer says and asks again")]
async fn obeys(scene: &mut Scene) -> Result<(), Failure> {
    let heard = scene.office.heard()?;
    let wait = heard
        .answer()?
        .header("retry-after")
        .and_then(|text| text.parse::<u64>().ok());
    let wait = wait.ok_or_else(|| heard.failure("Retry-After with a number of seconds"))?;
    mocks(scene)?
        .advance(std::time::Duration::from_secs(wait))
        .await?;
    let heard = ask(
        scene,
        "after the wait",
        &Message::list_tools(scene.revision),
    )
    .await?;
    scene.office.heard = Some(heard);
    Ok(())
}

/// The authorization server answers 500 from now on, or answers again.
#[when(expr = "the authorization server is {word}")]
async fn authorization_server(scene: &mut Scene, state: String) -> Result<(), Failure> {
    let mocks = mocks(scene)?;
    match state.as_str() {
        "down" => {
            let breakage = Breakage::Status {
                code: 500,
                retry_after_seconds: None,
            };
            mocks
                .break_provider(Provider::Authorization, breakage)
                .await?;
        }
        _ => mocks.mend_provider(Provider::Authorization).await?,
    }
    Ok(())
}

/// She reads a payable as a resource, in the connection's default workspace.
#[when(expr = "she reads the payable {string} as a resource")]
async fn reads(scene: &mut Scene, description: String) -> Result<(), Failure> {
    let uri = format!("kobana://finance/payables/{}", record(scene, &description)?);
    let message = Message::request(
        scene.revision,
        json!(1),
        "resources/read",
        json!({ "uri": uri }),
    );
    let heard = ask(scene, "resources/read", &message).await?;
    scene.office.heard = Some(heard);
    Ok(())
}

/// The resource was read, and holds this text.
#[then(expr = "the resource holds {string}")]
async fn resource_holds(scene: &mut Scene, text: String) -> Result<(), Failure> {
    let heard = scene.office.heard()?;
    let result = heard.answer()?.result().unwrap_or_default();
    match result["contents"][0]["text"]
        .as_str()
        .is_some_and(|whole| whole.contains(&text))
    {
        true => Ok(()),
        false => Err(heard.failure(format!("a resource that holds {text}"))),
    }
}

/// There is no result; the error holds this word wherever it stands. An empty word asks for any error.
#[then(expr = "the answer is an error that says {string}")]
async fn error_says(scene: &mut Scene, word: String) -> Result<(), Failure> {
    let heard = scene.office.heard()?;
    let answer = heard.answer()?;
    match answer.error().is_some() && answer.body.contains(&word) {
        true => Ok(()),
        false => Err(heard.failure(format!("an error that says {word}"))),
    }
}

/// The completions of the id of a payable, by the descriptions of the records the scenario made; `nothing` for none.
#[then(expr = "completing a payable suggests {string}")]
async fn completes(scene: &mut Scene, wanted: String) -> Result<(), Failure> {
    let params = json!({
        "ref": { "type": "ref/resource", "uri": "kobana://finance/payables/{id}" },
        "argument": { "name": "id", "value": "" },
    });
    let message = Message::request(scene.revision, json!(1), "completion/complete", params);
    let heard = ask(scene, "completion/complete", &message).await?;
    let result = heard
        .answer()?
        .result()
        .ok_or_else(|| heard.failure("a completion"))?;
    let values = result["completion"]["values"].as_array().cloned();
    let values = values.ok_or_else(|| heard.failure("completion.values"))?;
    let mut wishes = Vec::new();
    for name in wanted
        .split(',')
        .map(str::trim)
        .filter(|name| *name != "nothing")
    {
        wishes.push(json!(record(scene, name)?));
    }
    match values == wishes {
        true => Ok(()),
        false => Err(heard.failure(format!("the suggestions {wanted}"))),
    }
}

/// The prompts that are listed: none, or some.
#[then(expr = "{word} prompts are listed")]
async fn prompts(scene: &mut Scene, wanted: String) -> Result<(), Failure> {
    let heard = ask(scene, "prompts/list", &message(scene, "prompts/list")).await?;
    let result = heard
        .answer()?
        .result()
        .ok_or_else(|| heard.failure("a list"))?;
    let count = result["prompts"].as_array().map_or(0, Vec::len);
    match (count == 0) == (wanted == "no") {
        true => Ok(()),
        false => Err(heard.failure(format!("{wanted} prompts"))),
    }
}

/// The bodies of the last answer and of one to the same call with another workspace are equal but for the id.
#[then(expr = "{word} in {string} gets the same answer")]
async fn same_answer(scene: &mut Scene, tool: String, place: String) -> Result<(), Failure> {
    let id = scene.office.workspace(&place);
    let mut arguments = super::kobana::harmless(&tool);
    arguments["workspace_id"] = json!(id);
    let second = call(scene, &tool, arguments).await?;
    let first = scene.office.heard()?.answer()?.result().unwrap_or_default();
    let other = second.answer()?.result().unwrap_or_default();
    match error_of(&first) == error_of(&other) && !error_of(&first).is_null() {
        true => Ok(()),
        false => Err(second.failure(format!("the same refusal as {}", error_of(&first)))),
    }
}

/// Every tool but the two for orientation takes an optional `workspace_id`, a UUID; those two take none. No tool takes an
/// organisation.
#[then("every tool takes a workspace as the page says, and none an organisation")]
async fn schemas(scene: &mut Scene) -> Result<(), Failure> {
    let heard = ask(scene, "tools/list", &Message::list_tools(scene.revision)).await?;
    let result = heard
        .answer()?
        .result()
        .ok_or_else(|| heard.failure("a list"))?;
    let tools = result["tools"].as_array().cloned().unwrap_or_default();
    if tools.is_empty() {
        return Err(heard.failure("tools"));
    }
    for tool in tools {
        let name = tool["name"].as_str().unwrap_or_default();
        let schema = &tool["inputSchema"];
        let mut property = schema["properties"]["workspace_id"].clone();
        if let Some(reference) = property["$ref"]
            .as_str()
            .and_then(|text| text.strip_prefix('#'))
        {
            property = schema.pointer(reference).cloned().unwrap_or_default();
        }
        let wanted = !super::kobana::NEUTRAL.contains(&name);
        let required = schema["required"]
            .as_array()
            .is_some_and(|all| all.contains(&json!("workspace_id")));
        let right = match wanted {
            true => property["type"] == "string" && property["format"] == "uuid" && !required,
            false => property.is_null(),
        };
        let organization = [
            "org",
            "org_id",
            "organization",
            "organization_id",
            "organizacao",
        ]
        .iter()
        .any(|word| !schema["properties"][word].is_null());
        if !right || organization {
            return Err(Failure::expected(format!(
                "{name} takes a workspace as the page says, and no organisation"
            ))
            .actual(schema));
        }
    }
    Ok(())
}

/// She gets a new token with this scope.
#[when(expr = "she takes a token that says {string}")]
async fn takes(scene: &mut Scene, scope: String) -> Result<(), Failure> {
    give_token(scene, Some(&scope)).await
}

/// The refusal over HTTP holds this word, wherever it stands in the body.
#[then(expr = "the refusal says {string}")]
async fn refusal_says(scene: &mut Scene, word: String) -> Result<(), Failure> {
    let heard = scene.office.heard()?;
    match heard.answer()?.body.contains(&word) {
        true => Ok(()),
        false => Err(heard.failure(format!("a body that says {word}"))),
    }
}

/// A call whose message claims permissions that nobody granted, beside its arguments.
#[when(expr = "she calls {word} and her message claims the permissions {string}")]
async fn forged(scene: &mut Scene, tool: String, permissions: String) -> Result<(), Failure> {
    let arguments = super::kobana::harmless(&tool);
    let message = Message::call(scene.revision, &tool, arguments)
        .with_meta("permissions", json!([permissions]))
        .with_meta("scope", json!("all"));
    let heard = ask(scene, &tool, &message).await?;
    scene.office.heard = Some(heard);
    Ok(())
}

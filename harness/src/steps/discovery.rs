//! Steps about metadata: where it is found, what it says of this server, and that it says the same to everybody.

use cucumber::{given, then, when};
use http::Method;
use serde_json::Value;
use url::Url;

use super::exchange::{Asked, Heard, message, send, send_request};
use super::metadata;
use super::tokens::mocks;
use super::verdicts_on_challenges::bearer_challenge;
use crate::client::{Revision, WireRequest};
use crate::mocks::{Breakage, Provider};
use crate::suite::{Failure, Scene};

/// Path under which a server describes itself as a protected resource (RFC 9728, section 3).
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// What a scenario remembers about metadata and challenges.
#[derive(Debug, Default)]
pub struct Discovery {
    /// The document the scenario is about.
    pub document: Option<Found>,
    /// Further copies of it, or documents of authorization servers.
    pub others: Vec<Found>,
}

/// A document at some address.
#[derive(Debug)]
pub struct Found {
    /// Where it was asked for.
    pub url: Url,
    /// What came back.
    pub heard: Heard,
}

impl Discovery {
    /// The document a sentence before fetched.
    ///
    /// # Errors
    /// None did.
    pub fn document(&self) -> Result<&Found, Failure> {
        self.document
            .as_ref()
            .ok_or_else(|| Failure::harness("no sentence before fetches the metadata"))
    }

    /// The further documents; never none.
    ///
    /// # Errors
    /// There are none.
    pub fn others(&self) -> Result<&[Found], Failure> {
        if self.others.is_empty() {
            // They stand at addresses that the server names; one that names none leaves none to fetch.
            return Err(Failure::expected(
                "further documents, at addresses that the metadata names",
            )
            .actual("it names none")
            .hint("name at least one authorization server in `authorization_servers`"));
        }
        Ok(&self.others)
    }
}

impl Found {
    /// The document as a JSON object.
    pub fn json(&self) -> Result<Value, Failure> {
        let answer = self.heard.answer()?;
        let document = answer.json().ok().filter(Value::is_object);
        match document {
            Some(document) if answer.status == 200 => Ok(document),
            _ => Err(self.heard.failure("200 with a JSON object")),
        }
    }
}

/// The endpoint's address with another path.
pub fn at(scene: &Scene, path: &str) -> Url {
    let mut url = scene.environment.target.endpoint.clone();
    url.set_path(path);
    url.set_query(None);
    url
}

/// The path the specification forms: the well-known prefix, then the path of the endpoint.
fn path_inserted(scene: &Scene) -> Url {
    let path = scene
        .environment
        .target
        .endpoint
        .path()
        .trim_end_matches('/')
        .to_owned();
    at(scene, &format!("{WELL_KNOWN}{path}"))
}

/// Fetches a document without a token.
///
/// # Errors
/// The harness cannot send.
pub async fn get(scene: &Scene, case: &str, url: &Url) -> Result<Found, Failure> {
    let request = WireRequest::get(url).header("Accept", "application/json");
    let heard = send_request(scene, case, Value::Null, request).await?;
    Ok(Found {
        url: url.clone(),
        heard,
    })
}

/// The address in the challenge of a request without a token, if there is one.
async fn address_in_challenge(scene: &Scene) -> Result<Option<Url>, Failure> {
    let probe = send(
        scene,
        "a request without a token",
        &message(scene, Asked::Tools).await?,
        |post| post,
    )
    .await?;
    let challenge = bearer_challenge(&probe)?;
    let Some(address) = challenge.parameter("resource_metadata") else {
        return Ok(None);
    };
    let url = Url::parse(address)
        .map_err(|error| probe.failure(format!("an absolute address ({error})")))?;
    Ok(Some(url))
}

/// Every place a client looks at: the challenge, then the two well-known paths.
async fn places(scene: &Scene) -> Result<Vec<(String, Url)>, Failure> {
    let named = address_in_challenge(scene).await?;
    let named = named.map(|url| ("the address in the challenge".to_owned(), url));
    let well_known = [
        (
            "the well-known address with the path".to_owned(),
            path_inserted(scene),
        ),
        (
            "the well-known address of the host".to_owned(),
            at(scene, WELL_KNOWN),
        ),
    ];
    Ok(named.into_iter().chain(well_known).collect())
}

/// All places, with what is found there.
#[when("somebody looks for the metadata in the challenge and at both well-known addresses")]
async fn look_everywhere(scene: &mut Scene) -> Result<(), Failure> {
    let mut found = Vec::new();
    for (case, url) in places(scene).await? {
        found.push(get(scene, &case, &url).await?);
    }
    scene.discovery.others = found;
    Ok(())
}

/// The first place that has a document.
#[when("a client fetches the metadata")]
async fn fetch(scene: &mut Scene) -> Result<(), Failure> {
    scene.discovery.document = Some(find(scene).await?);
    Ok(())
}

/// The first place that has a document.
///
/// # Errors
/// None has.
pub async fn find(scene: &Scene) -> Result<Found, Failure> {
    let mut last = None;
    for (case, url) in places(scene).await? {
        let found = get(scene, &case, &url).await?;
        if found
            .heard
            .answer()
            .is_ok_and(|answer| answer.status == 200)
        {
            return Ok(found);
        }
        last = Some(found);
    }
    let failure = Failure::expected("a metadata document in one of the three places");
    Err(failure.actual(last.map_or_else(String::new, |found| found.heard.failure("").to_string())))
}

/// The address in the challenge, and no other.
#[when("a client fetches the metadata that the challenge names")]
async fn fetch_named(scene: &mut Scene) -> Result<(), Failure> {
    let url = address_in_challenge(scene).await?;
    let url = url.ok_or_else(|| {
        Failure::expected("resource_metadata in the challenge").actual("no such parameter")
    })?;
    scene.discovery.document = Some(get(scene, "the address in the challenge", &url).await?);
    Ok(())
}

/// Absolute, and https wherever it can be.
#[then("the challenge names the metadata by an absolute https address")]
async fn named_absolutely(scene: &mut Scene) -> Result<(), Failure> {
    let url = address_in_challenge(scene).await?;
    match url {
        Some(url) if metadata::is_https_or_loopback(&url) => Ok(()),
        Some(url) => Err(Failure::expected("an https address of the metadata").actual(url)),
        None => {
            Err(Failure::expected("resource_metadata in the challenge").actual("no such parameter"))
        }
    }
}

/// On the server's own host, below the well-known path.
#[then("the challenge names a well-known address on the server's own host")]
async fn named_on_own_host(scene: &mut Scene) -> Result<(), Failure> {
    let url = address_in_challenge(scene).await?;
    let expected = Failure::expected(format!(
        "an address that begins with {}",
        at(scene, WELL_KNOWN)
    ));
    match url {
        Some(url) if url.as_str().starts_with(at(scene, WELL_KNOWN).as_str()) => Ok(()),
        other => Err(expected.actual(format!("{:?}", other.map(String::from)))),
    }
}

/// One of the routes is enough.
#[then("at least one of them leads to a document about a resource")]
fn one_leads_there(scene: &mut Scene) -> Result<(), Failure> {
    let others = scene.discovery.others()?;
    let leads = |found: &&Found| {
        found
            .json()
            .is_ok_and(|document| document["resource"].is_string())
    };
    match others.iter().find(leads) {
        Some(_) => Ok(()),
        None => Err(others[0]
            .heard
            .failure("a 200 JSON document with `resource` in one of the three places")),
    }
}

/// Where clients look: the address in the challenge, the path-inserted one, and from 2025-11-25 on that of the host.
#[then(
    "the metadata is found by the challenge, with the path inserted, or from 2025-11-25 on for the host"
)]
fn found_where_clients_look(scene: &mut Scene) -> Result<(), Failure> {
    let others = scene.discovery.others()?;
    let of_host = at(scene, WELL_KNOWN);
    let known = |found: &&Found| scene.revision > Revision::V2025_06_18 || found.url != of_host;
    let there = |found: &&Found| {
        found
            .json()
            .is_ok_and(|document| document["resource"].is_string())
    };
    match others.iter().filter(known).find(there) {
        Some(_) => Ok(()),
        None => Err(others[0]
            .heard
            .failure("a 200 JSON document with `resource` where clients look")),
    }
}

/// RFC 9728, section 3.2.
#[then("it is a JSON document with the media type of one")]
fn is_json(scene: &mut Scene) -> Result<(), Failure> {
    let found = scene.discovery.document()?;
    found.json()?;
    match found.heard.answer()?.media_type().as_str() {
        "application/json" => Ok(()),
        _ => Err(found.heard.failure("media type application/json")),
    }
}

/// RFC 9728, section 3.3: a client drops a document that speaks of another resource.
#[then("it describes exactly the address that clients use")]
fn describes_this_server(scene: &mut Scene) -> Result<(), Failure> {
    let found = scene.discovery.document()?;
    let endpoint = &scene.environment.target.endpoint;
    let resource = found.json()?["resource"].clone();
    match resource.as_str() {
        Some(resource) if metadata::is_same_resource(resource, endpoint) => Ok(()),
        _ => Err(found
            .heard
            .failure(format!("resource {endpoint}, not {resource}"))),
    }
}

/// The rules on single members, each named by its sentence in [`metadata::Rule`].
#[then(expr = "{metadata_rule}")]
fn keeps_rule(scene: &mut Scene, rule: metadata::Rule) -> Result<(), Failure> {
    let found = scene.discovery.document()?;
    let document = found.json()?;
    rule.check(&document, &scene.environment.target.endpoint)
        .map_err(|broken| found.heard.failure(broken))
}

/// Headers, a query and a token that must not change what everybody is told.
#[when(expr = "it is fetched again with forged names, an origin, a query and Ada's token")]
async fn fetch_forged(scene: &mut Scene) -> Result<(), Failure> {
    let url = scene.discovery.document()?.url.clone();
    let token = scene.tokens.holder("Ada")?.token.clone();
    let plain = || WireRequest::get(&url);
    let requests = [
        ("Host", plain().header("Host", "evil.example")),
        (
            "X-Forwarded-Host",
            plain().header("X-Forwarded-Host", "evil.example"),
        ),
        (
            "X-Forwarded-Proto",
            plain().header("X-Forwarded-Proto", "gopher"),
        ),
        (
            "Forwarded",
            plain().header("Forwarded", "host=evil.example;proto=https"),
        ),
        ("Origin", plain().header("Origin", "https://evil.example")),
        (
            "a query",
            plain().query("resource", "https://evil.example/mcp"),
        ),
        ("a token", plain().bearer(&token)),
    ];
    let mut others = Vec::new();
    for (case, request) in requests {
        let heard = send_request(
            scene,
            &format!("the metadata with {case}"),
            Value::Null,
            request,
        )
        .await?;
        others.push(Found {
            url: url.clone(),
            heard,
        });
    }
    scene.discovery.others = others;
    Ok(())
}

/// A refusal is no lie.
#[then("every copy says the same, or is refused")]
fn copies_agree(scene: &mut Scene) -> Result<(), Failure> {
    let first = metadata::without_signature(scene.discovery.document()?.json()?);
    for copy in scene.discovery.others()? {
        if copy.heard.answer()?.status.is_client_error() {
            continue;
        }
        if metadata::without_signature(copy.json()?) != first {
            return Err(copy.heard.failure(format!("the same document, {first}")));
        }
    }
    Ok(())
}

/// The documents that speak of this server are one document in several places. The place that only a probing client
/// finds may speak of the whole host instead.
#[then("those that describe this server say the same")]
fn places_agree(scene: &mut Scene) -> Result<(), Failure> {
    let endpoint = &scene.environment.target.endpoint;
    let mut first: Option<Value> = None;
    for found in scene.discovery.others()? {
        let Ok(document) = found.json() else { continue };
        if !document["resource"]
            .as_str()
            .is_some_and(|resource| metadata::is_same_resource(resource, endpoint))
        {
            continue;
        }
        let document = metadata::without_signature(document);
        match &first {
            None => first = Some(document),
            Some(first) if *first == document => {}
            Some(first) => return Err(found.heard.failure(format!("the same document, {first}"))),
        }
    }
    first.map(drop).ok_or_else(|| {
        Failure::expected("a document about this server").actual("none in any place")
    })
}

/// Every place has it, and it is one document.
#[then("both well-known addresses serve one and the same document")]
fn both_serve(scene: &mut Scene) -> Result<(), Failure> {
    let others = scene.discovery.others()?;
    let [.., with_path, of_host] = others else {
        return Err(Failure::expected("both addresses asked").actual(others.len()));
    };
    let (first, second) = (with_path.json()?, of_host.json()?);
    if first == second {
        Ok(())
    } else {
        Err(of_host.heard.failure(format!("the same document, {first}")))
    }
}

/// The metadata of a path nobody serves.
#[when(expr = "a client fetches the metadata of the path {string}")]
async fn fetch_elsewhere(scene: &mut Scene, path: String) -> Result<(), Failure> {
    let url = at(scene, &format!("{WELL_KNOWN}{path}"));
    scene.discovery.document = Some(get(scene, &format!("the metadata of {path}"), &url).await?);
    Ok(())
}

/// Whoever asks for what is not there is told so, and never gets a document made to measure.
#[then(expr = "there is none, and nothing that ends in {string}")]
fn there_is_none(scene: &mut Scene, path: String) -> Result<(), Failure> {
    let found = scene.discovery.document()?;
    let answer = found.heard.answer()?;
    let resource = answer.json().unwrap_or_default()["resource"].clone();
    let made_to_measure = resource
        .as_str()
        .is_some_and(|resource| resource.ends_with(&path));
    if answer.status.is_client_error() && !made_to_measure {
        Ok(())
    } else {
        Err(found.heard.failure("404"))
    }
}

/// Methods that change something, where nothing can be changed.
#[when("its address is asked by POST, PUT and DELETE, and by HEAD")]
async fn asked_by_other_methods(scene: &mut Scene) -> Result<(), Failure> {
    let url = scene.discovery.document()?.url.clone();
    let mut others = Vec::new();
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::HEAD] {
        let heard = send_request(
            scene,
            method.as_str(),
            Value::Null,
            WireRequest::new(method.clone(), &url),
        )
        .await?;
        others.push(Found {
            url: url.clone(),
            heard,
        });
    }
    scene.discovery.others = others;
    Ok(())
}

/// 405 with `Allow`, or as if nothing were there; `HEAD` as `GET` without a body.
#[then("the first three are refused with 405 or 404, and HEAD has no body")]
fn only_read(scene: &mut Scene) -> Result<(), Failure> {
    for found in scene.discovery.others()? {
        let answer = found.heard.answer()?;
        let right = match (found.heard.case.as_str(), answer.status.as_u16()) {
            ("HEAD", 200) => answer.body.is_empty(),
            ("HEAD", _) => false,
            (_, 405) => answer.header("allow").is_some(),
            (_, status) => status == 404,
        };
        if !right {
            return Err(found
                .heard
                .failure("405 with Allow or 404; for HEAD 200 without a body"));
        }
    }
    Ok(())
}

/// The authorization server is gone: its port is closed.
#[given("the authorization server is down")]
#[when("the authorization server goes down")]
async fn authorization_server_is_down(scene: &mut Scene) -> Result<(), Failure> {
    let broken = mocks(scene)?
        .break_provider(Provider::Authorization, Breakage::Refused)
        .await;
    Ok(broken?)
}

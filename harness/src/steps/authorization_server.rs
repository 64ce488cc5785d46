//! Steps about the authorization server as the server under test shows it: named, copied, and sometimes out of reach.

use cucumber::{then, when};
use serde_json::Value;
use url::Url;

use super::discovery::{at, find, get};
use super::metadata;
use super::tokens::mocks;
use crate::mocks::Provider;
use crate::suite::{Failure, Scene};

/// Path under which an authorization server describes itself (RFC 8414, section 3).
const AUTHORIZATION_SERVER: &str = "/.well-known/oauth-authorization-server";

/// The metadata of every listed authorization server, in the order of places the specification gives.
#[when("the metadata of each authorization server it names is fetched")]
async fn fetch_authorization_servers(scene: &mut Scene) -> Result<(), Failure> {
    let document = scene.discovery.document()?.json()?;
    let issuers = document["authorization_servers"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let mut others = Vec::new();
    for issuer in issuers.iter().filter_map(Value::as_str) {
        let mut last = None;
        for url in metadata::authorization_server_addresses(issuer) {
            let found = get(scene, issuer, &url).await?;
            let there = found
                .heard
                .answer()
                .is_ok_and(|answer| answer.status == 200);
            last = Some(found);
            if there {
                break;
            }
        }
        others.extend(last);
    }
    scene.discovery.others = others;
    Ok(())
}

/// RFC 8414, section 3.3: whose metadata names another issuer is an impostor.
#[then("each says that it is the one that was named")]
fn issuers_agree(scene: &mut Scene) -> Result<(), Failure> {
    for found in scene.discovery.others()? {
        if found.json()?["issuer"].as_str() != Some(found.heard.case.as_str()) {
            return Err(found.heard.failure("the same issuer in its own metadata"));
        }
    }
    Ok(())
}

/// Without it a client must refuse to go on.
#[then("each offers PKCE with S256")]
fn all_offer_pkce(scene: &mut Scene) -> Result<(), Failure> {
    for found in scene.discovery.others()? {
        metadata::Rule::Pkce
            .check(&found.json()?, &found.url)
            .map_err(|broken| found.heard.failure(broken))?;
    }
    Ok(())
}

/// Codes and tokens travel to these addresses.
#[then("each has https addresses only")]
fn all_https(scene: &mut Scene) -> Result<(), Failure> {
    for found in scene.discovery.others()? {
        metadata::Rule::HttpsEndpoints
            .check(&found.json()?, &found.url)
            .map_err(|broken| found.heard.failure(broken))?;
    }
    Ok(())
}

/// The copy of the authorization server's metadata on the resource's own host.
#[when("an older client asks the server's own host for the authorization server's metadata")]
async fn fetch_passthrough(scene: &mut Scene) -> Result<(), Failure> {
    let url = at(scene, AUTHORIZATION_SERVER);
    scene.discovery.document = Some(get(scene, "the copy on the server's own host", &url).await?);
    Ok(())
}

/// What the authorization server itself says, from the place its issuer leads to.
#[then("it is what the authorization server itself says")]
async fn same_as_at_the_source(scene: &mut Scene) -> Result<(), Failure> {
    let copy = scene.discovery.document()?;
    let resource = find(scene).await?.json()?;
    let issuer = resource["authorization_servers"][0]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let addresses = metadata::authorization_server_addresses(&issuer);
    let source = addresses
        .first()
        .ok_or_else(|| Failure::expected("an authorization server").actual(&resource))?;
    let source = get(scene, "the authorization server itself", source)
        .await?
        .json()?;
    let copied = copy.json()?;
    if copied != source {
        return Err(copy.heard.failure(format!(
            "the document of the authorization server, {source}"
        )));
    }
    if copied["issuer"].as_str() != Some(issuer.as_str()) {
        return Err(copy.heard.failure(format!("issuer {issuer}")));
    }
    Ok(())
}

/// An endpoint rewritten to the resource's host would send codes to the wrong place.
#[then("no address in it lies on the server's own host")]
fn no_own_address(scene: &mut Scene) -> Result<(), Failure> {
    let found = scene.discovery.document()?;
    let own = scene.environment.target.endpoint.origin();
    let document = found.json()?;
    let members = document.as_object().into_iter().flatten();
    let addresses = members.filter(|(name, _)| metadata::is_address(name));
    for (name, value) in addresses {
        let origin = value
            .as_str()
            .and_then(|text| Url::parse(text).ok())
            .map(|url| url.origin());
        if origin.is_none() || origin == Some(own.clone()) {
            return Err(found
                .heard
                .failure(format!("{name} at the authorization server")));
        }
    }
    Ok(())
}

/// Ways in which a careless copy could be made to ask somebody else.
#[when(
    "somebody asks for that copy with a longer path, a climbing path and foreign addresses in the query"
)]
async fn fetch_passthrough_crookedly(scene: &mut Scene) -> Result<(), Failure> {
    let own = at(scene, AUTHORIZATION_SERVER);
    scene.discovery.document = Some(get(scene, "the copy as it should be asked for", &own).await?);
    let mut others = Vec::new();
    for path in ["/..%2f..%2fusers/ada", "/evil", "/%2e%2e/%2e%2e/now"] {
        others.push(
            get(
                scene,
                path,
                &at(scene, &format!("{AUTHORIZATION_SERVER}{path}")),
            )
            .await?,
        );
    }
    for (name, value) in [
        ("url", "http://evil.example/"),
        ("issuer", "https://evil.example"),
    ] {
        let mut url = own.clone();
        url.query_pairs_mut().append_pair(name, value);
        others.push(get(scene, name, &url).await?);
    }
    scene.discovery.others = others;
    Ok(())
}

/// Nothing but the well-known document was asked of anybody.
#[then("no service was asked for anything but that document and the keys")]
async fn nothing_else_was_asked(scene: &mut Scene) -> Result<(), Failure> {
    let mocks = mocks(scene)?;
    for provider in Provider::ALL {
        let requests = mocks.requests(provider).await;
        let requests = requests?;
        for request in requests {
            let usual = request.path.starts_with("/.well-known/") && !request.path.contains("evil")
                || request.path.ends_with("/jwks");
            let plain = request.query.is_none()
                && !request.path.contains("..")
                && !request.path.contains("%2");
            if !(usual && plain) {
                let asked = format!("{} {} {:?}", request.method, request.path, request.query);
                return Err(Failure::expected("no request but for metadata and keys").actual(asked));
            }
        }
    }
    Ok(())
}

/// A copy that cannot be fetched is said to be out, and never an empty success.
#[then("it is answered with 502 or 503, or the last good document")]
fn honest_outage(scene: &mut Scene) -> Result<(), Failure> {
    let found = scene.discovery.document()?;
    let answer = found.heard.answer()?;
    let good = answer.status == 200
        && answer
            .json()
            .is_ok_and(|document| document["issuer"].is_string());
    if good || matches!(answer.status.as_u16(), 502 | 503) {
        Ok(())
    } else {
        Err(found.heard.failure("502, 503, or 200 with the document"))
    }
}

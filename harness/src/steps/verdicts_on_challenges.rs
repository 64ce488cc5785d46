//! Steps that judge refusals: the challenge in their head, and that neither head nor body gives anything away.

use std::collections::BTreeSet;

use cucumber::then;
use serde_json::Value;

use super::exchange::{Heard, listed};
use crate::client::{Challenge, WireAnswer};
use crate::suite::{Failure, Scene};

/// What a 401 must always have: a Bearer challenge with a parameter, in a header that the grammar can read.
///
/// # Errors
/// [`Failure`] with the header as it came.
pub fn bearer_challenge(heard: &Heard) -> Result<Challenge, Failure> {
    let answer = heard.answer()?;
    let challenges = answer.challenges().map_err(|error| {
        heard.failure(format!(
            "a WWW-Authenticate header by the grammar of HTTP ({error})"
        ))
    })?;
    let bearer = challenges
        .into_iter()
        .find(|challenge| challenge.is("Bearer"));
    bearer
        .filter(|challenge| !challenge.parameters.is_empty())
        .ok_or_else(|| heard.failure("a Bearer challenge with at least one parameter"))
}

/// Each of the others that is a 401 has a challenge; at least one is.
#[then("every 401 carries a Bearer challenge that the grammar of HTTP can read")]
fn every_401_has_a_challenge(scene: &mut Scene) -> Result<(), Failure> {
    let refusals = refusals(scene)?;
    refusals
        .into_iter()
        .try_for_each(|heard| bearer_challenge(heard).map(drop))
}

/// The others that are a 401; never none.
fn refusals(scene: &Scene) -> Result<Vec<&Heard>, Failure> {
    let others = scene.protocol.exchanges.others()?;
    let refused = |heard: &&Heard| {
        heard
            .answer
            .as_ref()
            .is_ok_and(|answer| answer.status == 401)
    };
    let refusals: Vec<&Heard> = others.iter().filter(refused).collect();
    if refusals.is_empty() {
        return Err(others[0].failure("refused with 401"));
    }
    Ok(refusals)
}

/// RFC 6750, section 3.1: somebody who said nothing made no mistake.
#[then("the challenge contains no error")]
fn challenge_without_error(scene: &mut Scene) -> Result<(), Failure> {
    for heard in refusals(scene)? {
        let challenge = bearer_challenge(heard)?;
        let named = ["error", "error_description", "error_uri"];
        if named.iter().any(|name| challenge.parameter(name).is_some()) {
            return Err(heard.failure("a challenge without any error parameter"));
        }
    }
    Ok(())
}

/// The reason a client reads to know that a new token would help.
#[then(expr = "the challenge says error {string}")]
fn challenge_says_error(scene: &mut Scene, error: String) -> Result<(), Failure> {
    for heard in refusals(scene)? {
        if bearer_challenge(heard)?.parameter("error") != Some(error.as_str()) {
            return Err(heard.failure(format!("a challenge with error=\"{error}\"")));
        }
    }
    Ok(())
}

/// RFC 6750, section 3: what may stand in `scope`, and in `error` and `error_description`.
#[then("no challenge leaves the characters that RFC 6750 permits")]
fn challenge_characters(scene: &mut Scene) -> Result<(), Failure> {
    let in_scope = |byte: u8| matches!(byte, 0x20 | 0x21 | 0x23..=0x5b | 0x5d..=0x7e);
    for heard in refusals(scene)? {
        let challenge = bearer_challenge(heard)?;
        for name in ["scope", "error", "error_description"] {
            let value = challenge.parameter(name).unwrap_or_default();
            if !value.bytes().all(in_scope) {
                return Err(heard.failure(format!(
                    "{name} within the characters of RFC 6750, not {value:?}"
                )));
            }
        }
    }
    Ok(())
}

/// A stateless client must not be sent for a refresh token it did not ask for.
#[then(expr = "no challenge asks for the scope {string}")]
fn challenge_scope_lacks(scene: &mut Scene, scope: String) -> Result<(), Failure> {
    for heard in refusals(scene)? {
        let challenge = bearer_challenge(heard)?;
        let asked = challenge.parameter("scope").unwrap_or_default();
        if asked.split(' ').any(|token| token == scope) {
            return Err(heard.failure(format!("a challenge that does not ask for {scope}")));
        }
    }
    Ok(())
}

/// Parameters a Bearer challenge may have (RFC 6750, section 3; RFC 9728, section 5.1).
const CHALLENGE_PARAMETERS: [&str; 6] = [
    "realm",
    "scope",
    "error",
    "error_description",
    "error_uri",
    "resource_metadata",
];

/// What a token says must never become part of the answer's own head: no refusal has a header that the first lacks, which
/// is that of an ordinary bad token, and no challenge has an invented parameter or another scope.
#[then("no refusal has a header, a challenge parameter or a scope that the first lacks")]
fn nothing_injected(scene: &mut Scene) -> Result<(), Failure> {
    let refusals = refusals(scene)?;
    let first_challenge = bearer_challenge(refusals[0])?;
    let first_headers = &refusals[0].answer()?.headers;
    for heard in &refusals {
        let challenge = bearer_challenge(heard)?;
        let mut names = challenge.parameters.iter().map(|(name, _)| name.as_str());
        let invented = names.find(|name| {
            !CHALLENGE_PARAMETERS.contains(name) && first_challenge.parameter(name).is_none()
        });
        if let Some(name) = invented {
            return Err(heard.failure(format!("no challenge parameter {name}")));
        }
        if challenge.parameter("scope") != first_challenge.parameter("scope") {
            return Err(heard.failure(format!("scope {:?}", first_challenge.parameter("scope"))));
        }
        let mut headers = heard.answer()?.headers.keys();
        if let Some(name) = headers.find(|name| !first_headers.contains_key(*name)) {
            return Err(heard.failure(format!("no header {name}")));
        }
    }
    Ok(())
}

/// The place to look for metadata is configuration; no request header moves it. A refusal without a challenge names none.
#[then("every challenge names the same address of the metadata")]
fn metadata_address_is_fixed(scene: &mut Scene) -> Result<(), Failure> {
    let proper = scene.protocol.exchanges.proper()?;
    let fixed = bearer_challenge(proper)?
        .parameter("resource_metadata")
        .map(str::to_owned);
    for heard in scene.protocol.exchanges.others()? {
        let answer = heard.answer()?;
        if !answer.status.is_client_error() {
            return Err(heard.failure("a refusal"));
        }
        if answer.status == 401 {
            let named = bearer_challenge(heard)?;
            if named.parameter("resource_metadata") != fixed.as_deref() {
                return Err(heard.failure(format!("resource_metadata {fixed:?}")));
            }
        }
    }
    Ok(())
}

/// A refusal tells a stranger nothing about what is behind it: no tool, no resource, nothing of the person.
#[then("no refusal names a tool, a resource or a person")]
async fn refusals_disclose_nothing(scene: &mut Scene) -> Result<(), Failure> {
    let holder = scene.tokens.holder("Ada")?;
    let mut secrets: Vec<String> = vec![holder.user.sub.clone(), holder.user.email.clone()];
    for (method, member, name) in [
        ("tools/list", "tools", "name"),
        ("resources/list", "resources", "uri"),
    ] {
        let all = listed(scene, &holder.token, method, member)
            .await
            .unwrap_or_default();
        secrets.extend(
            all.iter()
                .filter_map(|one| one[name].as_str().map(str::to_owned)),
        );
    }
    if secrets.len() < 3 {
        return Err(
            Failure::expected("at least one tool whose name could be given away")
                .actual("no tools listed"),
        );
    }
    for heard in refusals(scene)? {
        // Whole words: a tool named "commit" does not make every "committed" a leak.
        let body = &heard.answer()?.body;
        let words: BTreeSet<&str> = body
            .split(|c: char| !(c.is_ascii_alphanumeric() || "_-.:/@".contains(c)))
            .collect();
        if let Some(leaked) = secrets
            .iter()
            .find(|secret| words.contains(secret.as_str()))
        {
            return Err(heard.failure(format!("a body that does not name {leaked:?}")));
        }
    }
    Ok(())
}

/// The body of a refusal depends on nothing a stranger could probe with.
#[then("all refusals have the same body")]
fn refusals_are_alike(scene: &mut Scene) -> Result<(), Failure> {
    let refusals = refusals(scene)?;
    let first = without_id(refusals[0].answer()?);
    match refusals.iter().find(|heard| {
        heard
            .answer
            .as_ref()
            .is_ok_and(|answer| without_id(answer) != first)
    }) {
        Some(different) => {
            Err(different.failure(format!("the body of the first refusal, {first}")))
        }
        None => Ok(()),
    }
}

/// The body without what may lawfully differ: the echoed id.
fn without_id(answer: &WireAnswer) -> Value {
    match answer.json() {
        Ok(Value::Object(mut body)) => {
            body.shift_remove("id");
            Value::Object(body)
        }
        Ok(other) => other,
        Err(_) => Value::String(answer.body.clone()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use http::{HeaderMap, StatusCode};
    use serde_json::json;

    use super::*;

    fn heard(challenge: Option<&str>, body: &str) -> Heard {
        let mut headers = HeaderMap::new();
        if let Some(challenge) = challenge {
            headers.insert("www-authenticate", challenge.parse().unwrap());
        }
        let answer = WireAnswer {
            status: StatusCode::UNAUTHORIZED,
            headers,
            body: body.to_owned(),
        };
        Heard::new("a case", json!(1), Ok(answer), Instant::now())
    }

    #[test]
    fn a_challenge_is_bearer_and_has_a_parameter() {
        let good = "Basic realm=a, Bearer resource_metadata=\"https://h/x\"";
        assert!(bearer_challenge(&heard(Some(good), "")).is_ok());
        for bad in [
            None,
            Some("Bearer"),
            Some("Basic realm=a"),
            Some("Bearer realm=a, realm=b"),
            Some("Bearer realm=\"a"),
        ] {
            assert!(bearer_challenge(&heard(bad, "")).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_body_is_compared_without_its_id() {
        let body = |text: &str| without_id(heard(None, text).answer().unwrap());
        assert_eq!(
            body(r#"{"id":1,"error":"x"}"#),
            body(r#"{"id":2,"error":"x"}"#)
        );
        assert_ne!(
            body(r#"{"id":1,"error":"x"}"#),
            body(r#"{"id":1,"error":"y"}"#)
        );
        assert_ne!(body("x"), body("y"));
    }
}

//! Placeholders in recipes: what depends on the time, the target and the keys is named there, not written there.
//!
//! | placeholder | stands for |
//! |---|---|
//! | `{now}` `{now-3600}` `{now+300}` | seconds since 1970 by the mock clock |
//! | `{now_milliseconds-3600000}` | the same in milliseconds |
//! | `{audience}` | the resource the token is for |
//! | `{audience_origin}` | its scheme, host and port |
//! | `{audience_upper_path}` | it, with its path in capitals |
//! | `{audience_upper_host}` | it, with scheme and host in capitals |
//! | `{issuer}` `{issuer_upper}` `{issuer_other_scheme}` `{issuer_host}` | the issuer; in capitals; with the other of http and https; its host and port |
//! | `{subject}` `{client}` | as the recipe says |
//! | `{jwk:unpublished}` | a public key as JSON, of the keys in `fixtures/keys` |
//! | `{certificate}` | the certificate of the unpublished key |
//! | `{stray}` | an address nobody may ask, which serves the attacker's keys |

use jiff::Timestamp;
use url::Url;

use super::TokenRecipe;
use crate::mocks::MockError;
use crate::mocks::authorization::keys::{KeyName, unpublished_certificate};

/// What placeholders are filled from.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// The mock clock's time.
    pub now: Timestamp,
    /// The issuer, as good tokens spell it.
    pub issuer: &'a str,
    /// Address of the mock that nobody may ask.
    pub stray: &'a str,
}

/// `text` with its placeholders filled in. Braces around anything else are left as they are, because JSON has them too.
///
/// # Errors
/// If a key cannot be read.
pub fn fill(
    text: &str,
    recipe: &TokenRecipe,
    surroundings: &Surroundings<'_>,
) -> Result<String, MockError> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let (before, from) = rest.split_at(start);
        filled.push_str(before);
        let placeholder = from.find('}').map(|end| (&from[1..end], &from[end + 1..]));
        let value = match placeholder {
            Some((name, _)) => value_of(name, recipe, surroundings)?,
            None => None,
        };
        match (value, placeholder) {
            (Some(value), Some((_, after))) => {
                filled.push_str(&value);
                rest = after;
            }
            _ => {
                filled.push('{');
                rest = &from[1..];
            }
        }
    }
    filled.push_str(rest);
    Ok(filled)
}

fn value_of(
    name: &str,
    recipe: &TokenRecipe,
    surroundings: &Surroundings<'_>,
) -> Result<Option<String>, MockError> {
    if let Some(key) = name.strip_prefix("jwk:").and_then(KeyName::named) {
        return Ok(Some(key.public()?.to_string()));
    }
    if let Some(offset) = name.strip_prefix("now_milliseconds") {
        return Ok(moved(surroundings.now.as_millisecond(), offset));
    }
    if let Some(offset) = name.strip_prefix("now") {
        return Ok(moved(surroundings.now.as_second(), offset));
    }
    let audience = &recipe.audience;
    let issuer = surroundings.issuer;
    Ok(Some(match name {
        "audience" => audience.clone(),
        "audience_origin" => origin(audience),
        "audience_upper_path" => format!(
            "{}{}",
            origin(audience),
            audience[origin(audience).len()..].to_uppercase()
        ),
        "audience_upper_host" => format!(
            "{}{}",
            origin(audience).to_uppercase(),
            &audience[origin(audience).len()..]
        ),
        "issuer" => issuer.to_owned(),
        "issuer_upper" => issuer.to_uppercase(),
        "issuer_other_scheme" => match issuer.strip_prefix("https") {
            Some(rest) => format!("http{rest}"),
            None => issuer.replacen("http", "https", 1),
        },
        "issuer_host" => issuer
            .split_once("://")
            .map_or(issuer, |(_, host)| host)
            .to_owned(),
        "subject" => recipe.subject.clone(),
        "client" => recipe.client.clone(),
        "certificate" => unpublished_certificate(),
        "stray" => surroundings.stray.to_owned(),
        _ => return Ok(None),
    }))
}

/// `base` moved by an offset such as `+300`, `-3600` or nothing; none if it is something else.
fn moved(base: i64, offset: &str) -> Option<String> {
    if offset.is_empty() {
        return Some(base.to_string());
    }
    let offset: i64 = offset
        .starts_with(['+', '-'])
        .then(|| offset.parse().ok())??;
    Some(base.checked_add(offset)?.to_string())
}

/// Scheme, host and port of an address, which are a prefix of it as it is written; all of it if it is no address.
fn origin(address: &str) -> String {
    let written = address.find("://").map_or(address.len(), |scheme| {
        let host = scheme + "://".len();
        address[host..]
            .find(['/', '?', '#'])
            .map_or(address.len(), |end| host + end)
    });
    match Url::parse(address) {
        Ok(_) => address[..written].to_owned(),
        Err(_) => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str) -> String {
        let recipe = TokenRecipe::good("ada", "http://h.example:81/mcp");
        let surroundings = Surroundings {
            now: Timestamp::from_second(1000).unwrap(),
            issuer: "http://127.0.0.1:9",
            stray: "http://127.0.0.1:8/stray",
        };
        fill(text, &recipe, &surroundings).unwrap()
    }

    #[test]
    fn fills_what_it_knows_and_leaves_json_alone() {
        assert_eq!(
            filled(r#"{"a":{"b":"{audience}x"}}"#),
            r#"{"a":{"b":"http://h.example:81/mcpx"}}"#
        );
        assert_eq!(
            filled("{now-3600} {now+300}.5 {now} {nowhere}"),
            "-2600 1300.5 1000 {nowhere}"
        );
        assert_eq!(filled("{now_milliseconds-1}"), "999999");
        assert_eq!(
            filled("{audience_origin} {audience_upper_path}"),
            "http://h.example:81 http://h.example:81/MCP"
        );
        assert_eq!(filled("{audience_upper_host}"), "HTTP://H.EXAMPLE:81/mcp");
        assert_eq!(
            filled("{issuer_other_scheme} {issuer_host}"),
            "https://127.0.0.1:9 127.0.0.1:9"
        );
        assert_eq!(filled("{"), "{");
    }
}

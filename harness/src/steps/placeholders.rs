//! What stands in braces in the tables of the core features, for text that a table cannot hold or cannot know.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use url::Url;

use crate::client::Message;
use crate::client::socket::authority;
use crate::suite::Failure;

/// What placeholders are filled from.
pub struct Known<'a> {
    /// The endpoint of the server under test.
    pub endpoint: &'a Url,
    /// The proper request.
    pub message: &'a Message,
    /// Ada's good token, where she has one.
    pub ada: Option<&'a str>,
    /// Ben's.
    pub ben: Option<&'a str>,
}

/// The bytes a table cell stands for. A cell in double quotes keeps the spaces inside them.
///
/// | placeholder | stands for |
/// |---|---|
/// | `{token}` `{token of Ben}` | a good token |
/// | `{host}` `{port}` | host and port of the endpoint; the port alone |
/// | `{name}` `{name in base64}` | the tool a call names, plain and in Base64 |
/// | `{other in base64}` | the name of a tool nobody called, in Base64 |
/// | `{message}` `{params}` `{meta}` | the proper request as JSON text; its params; their `_meta` |
/// | `{version}` | the version the proper request names in its header |
/// | `{delete}` `{e acute}` `{byte 255}` `{nul}` | bytes a table cannot show |
/// | `{9 KB}` | 9 · 1024 letters |
/// | `{10000 lists}` | that many lists inside each other |
///
/// # Errors
/// A token is asked for that nobody holds.
pub fn fill(cell: &str, known: &Known<'_>) -> Result<Vec<u8>, Failure> {
    let text = cell
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(cell);
    // A JSON string is a body of its own, not a quoted cell.
    let text = if cell.contains('{') || !text.trim().eq(text) || text.is_empty() {
        text
    } else {
        cell
    };
    let mut filled = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let (before, from) = rest.split_at(start);
        filled.extend_from_slice(before.as_bytes());
        let named = from.find('}').map(|end| (&from[1..end], &from[end + 1..]));
        match named {
            Some((name, after)) if let Some(bytes) = value(name, known)? => {
                filled.extend(bytes);
                rest = after;
            }
            _ => {
                filled.push(b'{');
                rest = &from[1..];
            }
        }
    }
    filled.extend_from_slice(rest.as_bytes());
    Ok(filled)
}

/// The bytes of one placeholder; none for braces that are JSON.
fn value(name: &str, known: &Known<'_>) -> Result<Option<Vec<u8>>, Failure> {
    let token = |token: Option<&str>| {
        token
            .map(|token| Some(token.as_bytes().to_vec()))
            .ok_or_else(|| Failure::harness("no sentence before gives a token"))
    };
    let called = known.message.body["params"]["name"]
        .as_str()
        .unwrap_or_default();
    let text = match name {
        "token" => return token(known.ada),
        "token of Ben" => return token(known.ben),
        "byte 255" => return Ok(Some(vec![0xff])),
        "nul" => return Ok(Some(vec![0])),
        "delete" => "\u{7f}".to_owned(),
        "e acute" => "é".to_owned(),
        "host" => authority(known.endpoint),
        "port" => known
            .endpoint
            .port_or_known_default()
            .unwrap_or_default()
            .to_string(),
        "name" => called.to_owned(),
        "name in base64" => STANDARD.encode(called),
        "other in base64" => STANDARD.encode("proofmark_other_tool"),
        "message" => known.message.body.to_string(),
        "params" => params(known.message).to_string(),
        "meta" => match &known.message.body["params"]["_meta"] {
            Value::Null => "{}".to_owned(),
            meta => meta.to_string(),
        },
        "version" => {
            let mut headers = known.message.headers.iter();
            let version = headers.find(|(name, _)| name == "MCP-Protocol-Version");
            version.map(|(_, value)| value.clone()).unwrap_or_default()
        }
        other => match other.split_once(' ') {
            Some((count, "KB")) => repeated(count, 1024, "a"),
            Some((count, "lists")) => {
                format!("{}{}", repeated(count, 1, "["), repeated(count, 1, "]"))
            }
            _ => return Ok(None),
        },
    };
    Ok(Some(text.into_bytes()))
}

fn params(message: &Message) -> Value {
    match &message.body["params"] {
        Value::Null => Value::Object(serde_json::Map::new()),
        params => params.clone(),
    }
}

fn repeated(count: &str, unit: usize, text: &str) -> String {
    text.repeat(count.parse::<usize>().unwrap_or_default() * unit)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::client::Revision;

    fn filled(cell: &str) -> String {
        let endpoint: Url = "http://127.0.0.1:81/mcp".parse().unwrap();
        let message = Message::call(Revision::V2025_11_25, "whoami", json!({}));
        let known = Known {
            endpoint: &endpoint,
            message: &message,
            ada: Some("TOKEN"),
            ben: None,
        };
        String::from_utf8(fill(cell, &known).unwrap()).unwrap()
    }

    #[test]
    fn placeholders_are_filled_and_json_is_left_alone() {
        assert_eq!(filled("Bearer {token}"), "Bearer TOKEN");
        assert_eq!(filled("{host}"), "127.0.0.1:81");
        assert_eq!(filled("=?base64?{name in base64}?="), "=?base64?d2hvYW1p?=");
        assert_eq!(
            filled(r#"{"id":{},"a":{params}}"#),
            r#"{"id":{},"a":{"name":"whoami","arguments":{}}}"#
        );
        assert_eq!(filled("{2 KB}").len(), 2048);
        assert_eq!(filled("{3 lists}"), "[[[]]]");
    }

    #[test]
    fn quotes_keep_spaces_and_json_strings_keep_their_quotes() {
        assert_eq!(filled("\"Bearer \""), "Bearer ");
        assert_eq!(filled("\"\""), "");
        assert_eq!(filled("\"x\""), "\"x\"");
        assert_eq!(filled("\" {token}\""), " TOKEN");
    }

    #[test]
    fn a_token_nobody_holds_is_a_mistake_of_the_feature() {
        let endpoint: Url = "http://127.0.0.1:81/mcp".parse().unwrap();
        let message = Message::list_tools(Revision::V2025_11_25);
        let known = Known {
            endpoint: &endpoint,
            message: &message,
            ada: None,
            ben: None,
        };
        assert!(fill("{token}", &known).is_err());
    }
}

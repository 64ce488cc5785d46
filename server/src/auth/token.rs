//! The outer shape of a token: three parts, base64url, two JSON objects. Nothing in it is trusted yet.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE, URL_SAFE_NO_PAD};
use serde_json::{Map, Value};

use super::choices::Encoding;
use super::rules::DoorRules;
use super::strict_json;

/// Longest token that is looked at, in bytes. Real ones have about one thousand.
pub const TOKEN_LIMIT: usize = 8 * 1024;

/// Why a token is not acceptable. The reason goes to the log; the caller is told only that the token is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Invalid(pub &'static str);

/// A token taken apart. It holds no claim that was verified.
pub struct UnverifiedToken<'a> {
    /// The JOSE header.
    pub header: Map<String, Value>,
    /// The claims.
    pub claims: Map<String, Value>,
    /// What the signature is over: header and payload as they were sent.
    pub signed: &'a [u8],
    /// The signature.
    pub signature: Vec<u8>,
}

impl<'a> UnverifiedToken<'a> {
    /// Takes `text` apart.
    ///
    /// # Errors
    /// When it is too long, has not exactly three parts, is not base64url, or its first two parts are not JSON objects.
    pub fn parse(text: &'a str, rules: &DoorRules) -> Result<Self, Invalid> {
        if text.len() > TOKEN_LIMIT {
            return Err(Invalid("longer than 8 KiB"));
        }
        let mut parts = text.split('.');
        let (Some(header), Some(payload), Some(signature), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(Invalid("not three parts"));
        };
        Ok(Self {
            header: object(header, rules, "header")?,
            claims: object(payload, rules, "payload")?,
            signed: &text.as_bytes()[..header.len() + 1 + payload.len()],
            signature: decode(signature, rules.encoding)?,
        })
    }

    /// The header's `alg`.
    pub fn algorithm(&self) -> Result<&str, Invalid> {
        self.header
            .get("alg")
            .and_then(Value::as_str)
            .ok_or(Invalid("alg is no string"))
    }

    /// The header's `kid`. A token that names no key is refused: which key it meant would be a guess.
    pub fn key_id(&self) -> Result<&str, Invalid> {
        match self.header.get("kid").and_then(Value::as_str) {
            Some(name) if !name.is_empty() && name.len() <= 256 => Ok(name),
            _ => Err(Invalid("kid is no short string")),
        }
    }
}

fn object(
    part: &str,
    rules: &DoorRules,
    name: &'static str,
) -> Result<Map<String, Value>, Invalid> {
    match strict_json::parse(&decode(part, rules.encoding)?, rules.duplicate_members) {
        Ok(Value::Object(members)) => Ok(members),
        _ if name == "header" => Err(Invalid("the header is no JSON object")),
        _ => Err(Invalid("the payload is no JSON object")),
    }
}

fn decode(part: &str, encoding: Encoding) -> Result<Vec<u8>, Invalid> {
    let strict = URL_SAFE_NO_PAD.decode(part);
    match encoding {
        Encoding::Strict => strict,
        Encoding::Lenient => strict
            .or_else(|_| URL_SAFE.decode(part))
            .or_else(|_| STANDARD.decode(part)),
    }
    .map_err(|_| Invalid("not base64url"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encode(text: &str) -> String {
        URL_SAFE_NO_PAD.encode(text)
    }

    fn refusal(text: &str) -> Option<Invalid> {
        UnverifiedToken::parse(text, &DoorRules::default()).err()
    }

    #[test]
    fn three_encoded_parts_are_taken_apart() {
        let text = format!(
            "{}.{}.{}",
            encode(r#"{"alg":"RS256","kid":"k"}"#),
            encode(r#"{"sub":"ada"}"#),
            encode("sig")
        );
        let token = UnverifiedToken::parse(&text, &DoorRules::default()).unwrap();
        assert_eq!(
            (token.algorithm().unwrap(), token.key_id().unwrap()),
            ("RS256", "k")
        );
        assert_eq!(token.claims["sub"], "ada");
        assert_eq!(token.signature, b"sig");
        assert_eq!(token.signed, text.rsplit_once('.').unwrap().0.as_bytes());
    }

    #[test]
    fn another_number_of_parts_is_refused() {
        for text in ["", "a", "a.b", "a.b.c.d", "a.b.c.d.e.f"] {
            assert_eq!(refusal(text), Some(Invalid("not three parts")), "{text}");
        }
        for text in ["..", "..."] {
            assert!(refusal(text).is_some(), "{text}");
        }
    }

    #[test]
    fn other_encodings_and_other_json_are_refused() {
        let good = encode("{}");
        for payload in [
            "e30=",
            "e3 0",
            "e30\n",
            "a",
            "+/+/",
            &encode("[]"),
            &encode("7"),
            &encode(""),
            &encode("{\"a\":1,\"a\":2}"),
        ] {
            assert!(
                refusal(&format!("{good}.{payload}.{good}")).is_some(),
                "{payload:?}"
            );
        }
        assert!(refusal(&format!("{good}.{good}.{}", "a".repeat(TOKEN_LIMIT))).is_some());
    }
}

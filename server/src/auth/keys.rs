//! Published keys: which of a key set's entries can verify a token, and with which algorithm.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey};
use serde_json::{Map, Value};

use super::choices::{AlgorithmCheck, KeyStrength};
use super::rules::DoorRules;
use super::token::Invalid;

/// Most keys of one set that are kept; real sets have a handful.
const KEY_LIMIT: usize = 64;

/// A key that verifies signatures.
#[derive(Clone)]
pub struct PublishedKey {
    /// Its name.
    pub id: String,
    /// The one algorithm it is used with.
    pub algorithm: Algorithm,
    key: DecodingKey,
    /// The public key's own number, which a confused server might take for a shared secret.
    modulus: Vec<u8>,
}

/// The usable keys of a published set.
#[derive(Clone, Default)]
pub struct KeySet {
    keys: Vec<PublishedKey>,
}

impl KeySet {
    /// Reads a JWK set. Entries that cannot verify a signature are left out; they do not spoil the rest.
    ///
    /// # Errors
    /// When the text is no JSON object with an array `keys`, or holds no usable key at all.
    pub fn parse(text: &[u8], strength: KeyStrength) -> Result<Self, &'static str> {
        let document: Value =
            serde_json::from_slice(text).map_err(|_| "the key set is not JSON")?;
        let entries = document
            .get("keys")
            .and_then(Value::as_array)
            .ok_or("the key set has no array `keys`")?;
        let keys: Vec<_> = entries
            .iter()
            .filter_map(Value::as_object)
            .filter_map(|entry| PublishedKey::read(entry, strength))
            .take(KEY_LIMIT)
            .collect();
        if keys.is_empty() {
            Err("the key set has no usable key")
        } else {
            Ok(Self { keys })
        }
    }

    /// The keys called `id`. There may be several, of different kinds.
    pub fn named<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a PublishedKey> {
        self.keys.iter().filter(move |key| key.id == id)
    }

    /// Every key.
    pub fn all(&self) -> impl Iterator<Item = &PublishedKey> {
        self.keys.iter()
    }
}

impl PublishedKey {
    /// The key in a JWK, or `None` if it is not one that verifies signatures here: symmetric, for encryption, weak, or broken.
    pub fn read(entry: &Map<String, Value>, strength: KeyStrength) -> Option<Self> {
        let text = |name: &str| entry.get(name).and_then(Value::as_str);
        let bytes = |name: &str| text(name).and_then(|value| URL_SAFE_NO_PAD.decode(value).ok());
        let any = strength == KeyStrength::Any;
        let for_signatures = text("use").is_none_or(|usage| usage == "sig")
            && entry.get("key_ops").is_none_or(|operations| {
                operations
                    .as_array()
                    .is_some_and(|list| list.iter().any(|operation| operation == "verify"))
            });
        if !for_signatures && !any {
            return None;
        }
        let (algorithm, key, modulus) = match text("kty")? {
            "RSA" => {
                let (modulus, exponent) = (bytes("n")?, bytes("e")?);
                let significant = modulus
                    .iter()
                    .position(|byte| *byte != 0)
                    .map_or(&[][..], |start| &modulus[start..]);
                let bits = significant.len() * 8
                    - significant
                        .first()
                        .map_or(0, |byte| byte.leading_zeros() as usize);
                if !(any || (2048..=8192).contains(&bits)) {
                    return None;
                }
                (
                    Algorithm::RS256,
                    DecodingKey::from_rsa_raw_components(&modulus, &exponent),
                    modulus,
                )
            }
            "EC" if text("crv") == Some("P-256") => {
                let (x, y) = (bytes("x")?, bytes("y")?);
                if x.len() != 32 || y.len() != 32 {
                    return None;
                }
                (
                    Algorithm::ES256,
                    DecodingKey::from_ec_components(text("x")?, text("y")?).ok()?,
                    x,
                )
            }
            _ => return None,
        };
        let named = if algorithm == Algorithm::RS256 {
            "RS256"
        } else {
            "ES256"
        };
        if entry.contains_key("alg") && text("alg") != Some(named) && !any {
            return None;
        }
        Some(Self {
            id: text("kid").unwrap_or_default().to_owned(),
            algorithm,
            key,
            modulus,
        })
    }

    /// Whether `signature` over `signed` is by this key under the token's `algorithm`.
    pub fn verifies(
        &self,
        algorithm: &str,
        signed: &[u8],
        signature: &[u8],
        rules: &DoorRules,
    ) -> Result<bool, Invalid> {
        let chosen = self.choose(algorithm, rules)?;
        let encoded = URL_SAFE_NO_PAD.encode(signature);
        let verified = if matches!(
            chosen,
            Algorithm::HS256 | Algorithm::HS384 | Algorithm::HS512
        ) {
            DecodingKey::from_secret(&self.modulus)
                .and_then(|secret| jsonwebtoken::crypto::verify(&encoded, signed, &secret, chosen))
        } else {
            jsonwebtoken::crypto::verify(&encoded, signed, &self.key, chosen)
        };
        // An error here means that key and algorithm do not fit, which is one more way of not being signed by this key.
        Ok(verified.unwrap_or(false))
    }

    /// The algorithm to verify with: the key's own, which the token must name, unless the rules say otherwise.
    fn choose(&self, named: &str, rules: &DoorRules) -> Result<Algorithm, Invalid> {
        let named: Algorithm = named
            .parse()
            .map_err(|_| Invalid("an algorithm that is not accepted"))?;
        let symmetric = matches!(
            named,
            Algorithm::HS256 | Algorithm::HS384 | Algorithm::HS512
        );
        let accepted = match rules.algorithm {
            AlgorithmCheck::Pinned => named == self.algorithm,
            AlgorithmCheck::AnyOfFamily => !symmetric,
            AlgorithmCheck::PublicKeyAsSecret => symmetric || named == self.algorithm,
        };
        if accepted {
            Ok(named)
        } else {
            Err(Invalid("an algorithm that is not the key's"))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rsa(bits: usize) -> Value {
        json!({"kty": "RSA", "kid": "a", "n": URL_SAFE_NO_PAD.encode(vec![0xff; bits / 8]), "e": "AQAB"})
    }

    fn with(mut key: Value, name: &str, value: Value) -> Value {
        key[name] = value;
        key
    }

    fn usable(keys: Value) -> usize {
        KeySet::parse(
            json!({ "keys": keys }).to_string().as_bytes(),
            KeyStrength::Sufficient,
        )
        .map_or(0, |set| set.keys.len())
    }

    #[test]
    fn keys_that_cannot_verify_are_left_out_and_spoil_nothing() {
        let bad = [
            json!({"kty": "oct", "kid": "a", "k": "AAAA"}),
            json!({"kty": "RSA", "kid": "a", "e": "AQAB"}),
            json!({"kty": "quantum", "kid": "a"}),
            json!(7),
            rsa(1024),
            with(rsa(2048), "use", json!("enc")),
            with(rsa(2048), "key_ops", json!(["encrypt"])),
            with(rsa(2048), "alg", json!("RS512")),
            with(rsa(2048), "alg", json!(null)),
            json!({"kty": "EC", "crv": "P-256", "kid": "a", "x": "AA", "y": "AA"}),
        ];
        for key in bad {
            assert_eq!(usable(json!([key])), 0, "{key}");
            assert_eq!(usable(json!([key, rsa(2048)])), 1, "{key}");
        }
    }

    #[test]
    fn a_document_that_is_no_key_set_is_an_error() {
        for text in [
            "",
            "<html>",
            "[]",
            "{}",
            r#"{"keys": {}}"#,
            r#"{"keys": []}"#,
        ] {
            assert!(
                KeySet::parse(text.as_bytes(), KeyStrength::Sufficient).is_err(),
                "{text}"
            );
        }
    }
}

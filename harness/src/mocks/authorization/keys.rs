//! The keys of `fixtures/keys`, and which of them the authorization server publishes at the moment.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::mocks::MockError;

/// Public half of [`KeyName::Signing`], as an attacker finds it in the key set and uses it as a shared secret.
const SIGNING_PUBLIC_PEM: &str = include_str!("../../../../fixtures/keys/signing.public.pem");
const SIGNING_PUBLIC_PKCS1_PEM: &str =
    include_str!("../../../../fixtures/keys/signing.public.pkcs1.pem");

/// Self-signed certificate of [`KeyName::Unpublished`].
const UNPUBLISHED_CERTIFICATE_PEM: &str =
    include_str!("../../../../fixtures/keys/unpublished.crt.pem");

/// A key pair that Proofmark brings along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyName {
    /// RSA 2048, published from the start; good tokens are signed with it.
    Signing,
    /// RSA 2048, published when keys are rotated.
    Next,
    /// RSA 2048, never published: an attacker's key.
    Unpublished,
    /// EC P-256, never published.
    Ec,
}

impl KeyName {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Signing, Self::Next, Self::Unpublished, Self::Ec];

    /// The name in recipes and placeholders.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Signing => "signing",
            Self::Next => "next",
            Self::Unpublished => "unpublished",
            Self::Ec => "ec",
        }
    }

    /// The key of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|key| key.name() == name)
    }

    /// The `kid` it has where it is published.
    #[must_use]
    pub fn kid(self) -> String {
        format!("proofmark-{}", self.name())
    }

    /// The one algorithm it is meant for.
    #[must_use]
    pub fn algorithm(self) -> Algorithm {
        match self {
            Self::Signing | Self::Next | Self::Unpublished => Algorithm::RS256,
            Self::Ec => Algorithm::ES256,
        }
    }

    fn pem(self) -> &'static str {
        match self {
            Self::Signing => include_str!("../../../../fixtures/keys/signing.pem"),
            Self::Next => include_str!("../../../../fixtures/keys/next.pem"),
            Self::Unpublished => include_str!("../../../../fixtures/keys/unpublished.pem"),
            Self::Ec => include_str!("../../../../fixtures/keys/ec.pem"),
        }
    }

    /// The private key.
    ///
    /// # Errors
    /// If the PEM file is unusable.
    pub fn private(self) -> Result<EncodingKey, MockError> {
        let pem = self.pem().as_bytes();
        let key = match self.algorithm() {
            Algorithm::ES256 => EncodingKey::from_ec_pem(pem),
            _ => EncodingKey::from_rsa_pem(pem),
        };
        key.map_err(|error| self.unusable(&error))
    }

    /// Signs with RS256. The key is parsed and checked once, which takes longer than a signature.
    ///
    /// # Errors
    /// If the PEM file is unusable, or holds no RSA key.
    pub fn sign_rs256(self, message: &[u8]) -> Result<Vec<u8>, MockError> {
        static PARSED: [OnceLock<RsaKeyPair>; KeyName::ALL.len()] =
            [const { OnceLock::new() }; KeyName::ALL.len()];
        let place = &PARSED[self as usize];
        let pair = match place.get() {
            Some(pair) => pair,
            None => {
                let pair = RsaKeyPair::from_der(self.private()?.as_bytes())
                    .map_err(|error| self.unusable(&error))?;
                place.get_or_init(|| pair)
            }
        };
        let mut signature = vec![0; pair.public_modulus_len()];
        pair.sign(
            &RSA_PKCS1_SHA256,
            &SystemRandom::new(),
            message,
            &mut signature,
        )
        .map_err(|error| self.unusable(&error))?;
        Ok(signature)
    }

    /// The public key as a member of a key set: `kty`, its numbers, `kid`, `alg` and `use`.
    ///
    /// # Errors
    /// If the PEM file is unusable.
    pub fn public(self) -> Result<Value, MockError> {
        let jwk = Jwk::from_encoding_key(&self.private()?, self.algorithm())
            .map_err(|error| self.unusable(&error))?;
        let mut jwk = serde_json::to_value(jwk).map_err(|error| self.unusable(&error))?;
        jwk["kid"] = json!(self.kid());
        jwk["use"] = json!("sig");
        Ok(jwk)
    }

    fn unusable(self, error: &dyn std::fmt::Display) -> MockError {
        MockError::Fixture {
            name: format!("keys/{}.pem", self.name()),
            reason: error.to_string(),
        }
    }
}

/// A form in which the published public key can be mistaken for a shared secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PublicKeyForm {
    /// PEM of the `SubjectPublicKeyInfo`, with its last newline.
    Pem,
    /// The same without the last newline.
    PemWithoutNewline,
    /// PEM of the bare RSA key.
    Pkcs1Pem,
    /// DER of the `SubjectPublicKeyInfo`.
    Der,
    /// The member of the key set as JSON.
    Jwk,
    /// The modulus alone.
    Modulus,
    /// Nothing at all.
    Nothing,
}

impl PublicKeyForm {
    /// The bytes of the shared secret. HMAC fills keys up with zero bytes, so one zero byte is the empty secret.
    ///
    /// # Errors
    /// If a fixture is unusable.
    pub fn secret(self) -> Result<Vec<u8>, MockError> {
        Ok(match self {
            Self::Pem => SIGNING_PUBLIC_PEM.into(),
            Self::PemWithoutNewline => SIGNING_PUBLIC_PEM.trim_end().into(),
            Self::Pkcs1Pem => SIGNING_PUBLIC_PKCS1_PEM.into(),
            Self::Der => STANDARD
                .decode(pem_content(SIGNING_PUBLIC_PEM))
                .map_err(|error| unusable_fixture("keys/signing.public.pem", &error))?,
            Self::Jwk => KeyName::Signing.public()?.to_string().into_bytes(),
            Self::Modulus => {
                let jwk = KeyName::Signing.public()?;
                let modulus = jwk["n"].as_str().unwrap_or_default();
                URL_SAFE_NO_PAD
                    .decode(modulus)
                    .map_err(|error| unusable_fixture("keys/signing.pem", &error))?
            }
            Self::Nothing => vec![0],
        })
    }
}

fn unusable_fixture(name: &str, error: &dyn std::fmt::Display) -> MockError {
    MockError::Fixture {
        name: name.to_owned(),
        reason: error.to_string(),
    }
}

/// The base64 text between the lines of a PEM file.
fn pem_content(pem: &str) -> String {
    pem.lines()
        .filter(|line| !line.starts_with("-----"))
        .collect()
}

/// The certificate of the unpublished key as an `x5c` member: standard base64 of its DER.
#[must_use]
pub fn unpublished_certificate() -> String {
    pem_content(UNPUBLISHED_CERTIFICATE_PEM)
}

/// Which keys are published, and which one good tokens are signed with.
#[derive(Debug)]
pub struct KeyRing {
    state: Mutex<Ring>,
}

#[derive(Debug, Clone)]
struct Ring {
    published: Vec<KeyName>,
    signing: KeyName,
    /// A key document that is served instead of the published keys.
    document: Option<Value>,
    max_age_seconds: Option<u32>,
}

impl Default for KeyRing {
    fn default() -> Self {
        let ring = Ring {
            published: vec![KeyName::Signing],
            signing: KeyName::Signing,
            document: None,
            max_age_seconds: None,
        };
        Self {
            state: Mutex::new(ring),
        }
    }
}

impl KeyRing {
    /// The key good tokens are signed with.
    #[must_use]
    pub fn signing(&self) -> KeyName {
        self.lock().signing
    }

    /// Publishes the other key and signs with it from now on; the old one stays published if `keep_old`.
    pub fn rotate(&self, keep_old: bool) -> KeyName {
        let mut ring = self.lock();
        let old = ring.signing;
        let new = if old == KeyName::Signing {
            KeyName::Next
        } else {
            KeyName::Signing
        };
        ring.signing = new;
        ring.published = if keep_old { vec![old, new] } else { vec![new] };
        new
    }

    /// Serves `document` instead of the published keys, or those again when there is none.
    pub fn replace_document(&self, document: Option<Value>, max_age_seconds: Option<u32>) {
        let mut ring = self.lock();
        ring.document = document;
        ring.max_age_seconds = max_age_seconds;
    }

    /// The key set as it is served.
    ///
    /// # Errors
    /// If a fixture is unusable.
    pub fn document(&self) -> Result<Value, MockError> {
        let ring = self.lock().clone();
        match ring.document {
            Some(document) => Ok(document),
            None => {
                let keys: Vec<Value> = ring
                    .published
                    .into_iter()
                    .map(KeyName::public)
                    .collect::<Result<_, _>>()?;
                Ok(json!({ "keys": keys }))
            }
        }
    }

    /// How long a client may keep the key set, if the server says so.
    #[must_use]
    pub fn max_age_seconds(&self) -> Option<u32> {
        self.lock().max_age_seconds
    }

    fn lock(&self) -> MutexGuard<'_, Ring> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn publishes_public_halves_only() {
        let document = KeyRing::default().document().unwrap();
        let key = &document["keys"][0];
        assert_eq!(key["kid"], "proofmark-signing");
        assert_eq!(key["alg"], "RS256");
        assert_eq!(key["e"], "AQAB");
        for private in ["d", "p", "q", "dp", "dq", "qi"] {
            assert!(key.get(private).is_none(), "{private}");
        }
    }

    #[test]
    fn rotation_changes_the_signing_key_and_can_withdraw_the_old_one() {
        let ring = KeyRing::default();
        assert_eq!(ring.rotate(true), KeyName::Next);
        assert_eq!(
            ring.document().unwrap()["keys"].as_array().map(Vec::len),
            Some(2)
        );
        assert_eq!(ring.rotate(false), KeyName::Signing);
        assert_eq!(
            ring.document().unwrap()["keys"].as_array().map(Vec::len),
            Some(1)
        );
    }

    #[test]
    fn every_form_of_the_public_key_is_another_secret() {
        use PublicKeyForm::{Der, Jwk, Modulus, Nothing, Pem, PemWithoutNewline, Pkcs1Pem};
        let forms = [Pem, PemWithoutNewline, Pkcs1Pem, Der, Jwk, Modulus, Nothing];
        let secrets: std::collections::HashSet<_> =
            forms.iter().map(|form| form.secret().unwrap()).collect();
        assert_eq!(secrets.len(), forms.len());
        assert_eq!(Modulus.secret().unwrap().len(), 256);
    }
}

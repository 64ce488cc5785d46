//! Tests of the mint: a good token verifies with an independent library, and every variation differs from it.

use std::collections::HashSet;

use jiff::Timestamp;
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{DecodingKey, Validation, decode};
use serde_json::Value;

use super::*;
use crate::mocks::authorization::KeyRing;
use crate::mocks::token::{Expectation, variations};

const RESOURCE: &str = "http://127.0.0.1:4000/mcp";

/// One instant for all tokens of a test run, and the real one, because the verifier goes by the system's clock.
static NOW: std::sync::LazyLock<Timestamp> = std::sync::LazyLock::new(Timestamp::now);

fn surroundings() -> Surroundings<'static> {
    Surroundings {
        now: *NOW,
        issuer: "http://127.0.0.1:5000",
        stray: "http://127.0.0.1:6000/stray",
    }
}

fn minted(recipe: &TokenRecipe) -> String {
    mint(recipe, KeyName::Signing, &surroundings())
        .unwrap()
        .expose()
        .to_owned()
}

/// What a careful verifier makes of a token: its claims, or nothing.
fn verified(token: &str) -> Option<Value> {
    let keys: JwkSet = serde_json::from_value(KeyRing::default().document().unwrap()).unwrap();
    let kid = jsonwebtoken::decode_header(token).ok()?.kid?;
    let mut rules = Validation::new(Algorithm::RS256);
    rules.leeway = 0;
    rules.validate_nbf = true;
    rules.set_audience(&[RESOURCE]);
    rules.set_issuer(&["http://127.0.0.1:5000"]);
    rules.set_required_spec_claims(&["exp", "aud", "iss", "sub"]);
    let key = DecodingKey::from_jwk(keys.find(&kid)?).ok()?;
    decode::<Value>(token, &key, &rules)
        .ok()
        .map(|token| token.claims)
}

fn good() -> TokenRecipe {
    TokenRecipe::good("usr_ada", RESOURCE)
}

#[test]
fn a_good_token_verifies_and_says_what_it_should() {
    let claims = verified(&minted(&good())).unwrap();
    assert_eq!(claims["sub"], "usr_ada");
    assert_eq!(claims["scope"], "openid profile email offline_access");
    let lifetime = claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap();
    assert_eq!(lifetime, 300);
}

#[test]
fn two_good_tokens_differ_by_their_id() {
    assert_ne!(minted(&good()), minted(&good()));
}

#[test]
fn every_variation_can_be_minted_and_is_another_token() {
    let mut shapes = HashSet::new();
    for variation in variations().unwrap() {
        let recipe = good().with(&variation.slug).unwrap();
        let token = minted(&recipe);
        if variation.alterations.is_empty() {
            assert_eq!(variation.slug, "good");
            continue;
        }
        // The id and the signature change with every token, so what counts is the recipe and that it leaves a trace.
        assert!(
            shapes.insert(format!("{:?}", variation.alterations)),
            "{} says nothing new",
            variation.slug
        );
        assert!(
            differs_from_good(&token),
            "{} leaves no trace",
            variation.slug
        );
    }
}

/// Whether a token differs from a good one in more than its id and its signature.
fn differs_from_good(token: &str) -> bool {
    if verified(token).is_none() {
        return true;
    }
    let parts = |text: &str| -> Vec<Value> {
        let mut parts: Vec<Value> = text
            .split('.')
            .take(2)
            .map(|part| serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap())
            .collect();
        parts[1].as_object_mut().unwrap().remove("jti");
        parts
    };
    let texts = |text: &str| text.split('.').take(2).map(str::len).collect::<Vec<_>>();
    parts(token) != parts(&minted(&good())) || texts(token) != texts(&minted(&good()))
}

#[test]
fn what_a_library_verifier_can_see_is_what_the_catalogue_expects() {
    // jsonwebtoken does not look at everything the requirements name (typ, crit, types of optional claims), so only one
    // direction holds for defects; every token to be accepted must verify.
    for variation in variations().unwrap() {
        let token = minted(&good().with(&variation.slug).unwrap());
        if variation.expect == Expectation::Accept {
            assert!(
                verified(&token).is_some(),
                "{} should verify",
                variation.slug
            );
        }
    }
    for slug in [
        "expired",
        "not-yet-valid",
        "wrong-audience",
        "without-audience",
        "wrong-issuer",
        "alg-none",
        "hs256-public-pem",
        "signed-by-another-key",
        "signature-bit",
        "signature-missing",
        "tampered-subject",
        "rs512",
    ] {
        assert!(
            verified(&minted(&good().with(slug).unwrap())).is_none(),
            "{slug} verifies"
        );
    }
}

#[test]
fn a_token_signed_with_the_public_key_as_secret_verifies_for_whoever_is_fooled() {
    use crate::mocks::authorization::keys::PublicKeyForm;
    let token = minted(&good().with("hs256-public-pem").unwrap());
    let secret = DecodingKey::from_secret(&PublicKeyForm::Pem.secret().unwrap()).unwrap();
    let mut rules = Validation::new(Algorithm::HS256);
    rules.set_audience(&[RESOURCE]);
    assert!(decode::<Value>(&token, &secret, &rules).is_ok());
}

#[test]
fn after_a_rotation_the_new_key_signs() {
    let token = mint(&good(), KeyName::Next, &surroundings()).unwrap();
    let header = jsonwebtoken::decode_header(token.expose()).unwrap();
    assert_eq!(header.kid.as_deref(), Some("proofmark-next"));
}

#[test]
fn an_algorithm_nobody_knows_is_refused_with_its_name() {
    let recipe = good().altered(Alteration::Sign {
        algorithm: "RS1".to_owned(),
        key: KeyName::Signing,
    });
    let error = mint(&recipe, KeyName::Signing, &surroundings()).unwrap_err();
    assert!(error.to_string().contains("RS1"), "{error}");
}

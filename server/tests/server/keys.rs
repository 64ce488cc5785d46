//! Published keys: fetched rarely, renewed when they change, and never a reason to let somebody in.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures::future::join_all;
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey};
use proofmark_server::auth::DoorRules;
use reqwest::StatusCode;
use serde_json::{Value, json};
use wiremock::matchers::path;
use wiremock::{Mock, ResponseTemplate};

use crate::support::{SIGNING, UNPUBLISHED, World, after, header, jwk, set, sign};

#[tokio::test]
async fn many_cold_requests_share_one_fetch_and_garbage_causes_none() {
    let world = World::start().await;
    for token in ["garbage", "a.b.c", ""] {
        assert_eq!(world.status(token).await, StatusCode::UNAUTHORIZED);
    }
    assert_eq!(world.key_fetches().await, 0);
    let token = world.token("ada");
    let statuses = join_all((0..50).map(|_| world.status(&token))).await;
    assert!(
        statuses.iter().all(|status| *status == StatusCode::OK),
        "{statuses:?}"
    );
    assert_eq!(world.key_fetches().await, 1);
}

#[tokio::test]
async fn a_new_key_is_accepted_and_unknown_names_cannot_cause_many_fetches() {
    let world = World::start().await;
    let new = sign(
        &set(header(), "kid", json!("two")),
        &world.claims("ada"),
        UNPUBLISHED,
    );
    assert_eq!(world.status(&new).await, StatusCode::UNAUTHORIZED);
    world
        .publish(json!({"keys": [jwk(SIGNING, "one"), jwk(UNPUBLISHED, "two")]}))
        .await;
    assert_eq!(world.status(&new).await, StatusCode::OK);
    for number in 0..50 {
        let unknown = sign(
            &set(header(), "kid", json!(format!("k{number}"))),
            &world.claims("ada"),
            UNPUBLISHED,
        );
        assert_eq!(world.status(&unknown).await, StatusCode::UNAUTHORIZED);
    }
    assert!(
        world.key_fetches().await <= 4,
        "{}",
        world.key_fetches().await
    );
    assert_eq!(world.status(&world.token("ada")).await, StatusCode::OK);
}

#[tokio::test]
async fn a_withdrawn_key_stops_verifying_when_its_time_is_over() {
    let world = World::start().await;
    assert_eq!(world.status(&world.token("ada")).await, StatusCode::OK);
    world
        .publish(json!({"keys": [jwk(UNPUBLISHED, "two")]}))
        .await;
    assert_eq!(world.status(&world.token("ada")).await, StatusCode::OK);
    world.clock.set(after(901));
    assert_eq!(
        world.status(&world.token("ada")).await,
        StatusCode::UNAUTHORIZED
    );
}

#[tokio::test]
async fn without_keys_the_answer_is_503_and_service_recovers_by_itself() {
    let world = World::without_keys(DoorRules::default()).await;
    let token = world.token("ada");
    let response = world
        .post("2025-11-25", "tools/list", json!({}), Some(&token))
        .await;
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    let seconds: u64 = response.headers()["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!(!response.headers().contains_key("www-authenticate"));
    world.publish(json!({"keys": [jwk(SIGNING, "one")]})).await;
    // Waits as a client would: for no longer than it was told, asking again until then.
    let recovered = tokio::time::timeout(std::time::Duration::from_secs(seconds + 5), async {
        while world.status(&token).await != StatusCode::OK {
            tokio::task::yield_now().await;
        }
    });
    assert!(recovered.await.is_ok());
}

#[tokio::test]
async fn in_an_outage_known_keys_go_on_and_an_unknown_one_is_not_judged() {
    let world = World::start().await;
    assert_eq!(world.status(&world.token("ada")).await, StatusCode::OK);
    for answer in [
        ResponseTemplate::new(500),
        ResponseTemplate::new(200).set_body_string("<html>"),
        ResponseTemplate::new(200).set_body_json(json!({"keys": []})),
        ResponseTemplate::new(200).set_body_bytes(vec![b' '; 5 * 1024 * 1024]),
    ] {
        world.publish(json!({"keys": []})).await;
        world.authorization_server.reset().await;
        Mock::given(path("/keys"))
            .respond_with(answer)
            .mount(&world.authorization_server)
            .await;
        world
            .clock
            .set(world.clock.now() + jiff::SignedDuration::from_secs(901));
        assert_eq!(world.status(&world.token("ada")).await, StatusCode::OK);
    }
    let unknown = sign(
        &set(header(), "kid", json!("two")),
        &world.claims("ada"),
        UNPUBLISHED,
    );
    assert_eq!(
        world.status(&unknown).await,
        StatusCode::SERVICE_UNAVAILABLE
    );
}

#[tokio::test]
async fn metadata_of_another_issuer_leads_to_no_keys() {
    let world = World::without_keys(DoorRules::default()).await;
    let address = world.authorization_server.uri();
    let metadata = json!({"issuer": "https://evil.example", "jwks_uri": format!("{address}/keys")});
    Mock::given(path("/.well-known/oauth-authorization-server"))
        .respond_with(ResponseTemplate::new(200).set_body_json(metadata))
        .mount(&world.authorization_server)
        .await;
    assert_eq!(
        world.status(&world.token("ada")).await,
        StatusCode::SERVICE_UNAVAILABLE
    );
    assert_eq!(world.key_fetches().await, 0);
}

#[tokio::test]
async fn a_curve_key_verifies_its_own_algorithm_and_no_degenerate_signature() {
    let world = World::without_keys(DoorRules::default()).await;
    let pem = include_str!("../../../fixtures/keys/ec.pem");
    let key = EncodingKey::from_ec_pem(pem.as_bytes()).unwrap();
    let mut published =
        serde_json::to_value(Jwk::from_encoding_key(&key, Algorithm::ES256).unwrap()).unwrap();
    published["kid"] = json!("curve");
    // One name for two keys of different kinds: each token is judged by the key of its kind.
    world
        .publish(json!({"keys": [published, jwk(SIGNING, "curve")]}))
        .await;
    let encode = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let named = |algorithm: &str| json!({"alg": algorithm, "typ": "at+jwt", "kid": "curve"});
    let signed = format!(
        "{}.{}",
        encode(&named("ES256")),
        encode(&world.claims("ada"))
    );
    let good = jsonwebtoken::crypto::sign(signed.as_bytes(), &key, Algorithm::ES256).unwrap();
    assert_eq!(
        world.status(&format!("{signed}.{good}")).await,
        StatusCode::OK
    );
    let rsa = sign(&named("RS256"), &world.claims("ada"), SIGNING);
    assert_eq!(world.status(&rsa).await, StatusCode::OK);
    let bytes = URL_SAFE_NO_PAD.decode(&good).unwrap();
    for signature in [
        vec![0; 64],
        bytes[..63].to_vec(),
        [&bytes[..], &[0]].concat(),
    ] {
        let token = format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature));
        assert_eq!(world.status(&token).await, StatusCode::UNAUTHORIZED);
    }
}

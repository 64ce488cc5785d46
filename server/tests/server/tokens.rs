//! Which credentials let a caller in, and what every other one is told.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use proofmark_server::auth::{
    AlgorithmCheck, AudienceCheck, DoorRules, ExpiryCheck, SignatureCheck,
};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{
    SIGNING, UNPUBLISHED, World, after, challenge, header, jwk, read, set, sign, sign_text, without,
};

#[tokio::test]
async fn without_a_token_everything_is_401_with_a_challenge_and_no_error_code() {
    let world = World::start().await;
    let expected = format!(
        "Bearer resource_metadata=\"{}\"",
        world.at("/.well-known/oauth-protected-resource/mcp")
    );
    let endpoint = world.url();
    for (method, body) in [
        (
            Method::POST,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
        ),
        (Method::POST, "{"),
        (Method::POST, "[]"),
        (Method::POST, r#"{"jsonrpc":"2.0","id":1,"method":"nope"}"#),
        (Method::GET, ""),
        (Method::DELETE, ""),
    ] {
        let request = world
            .client
            .request(method.clone(), &endpoint)
            .header("content-type", "application/json");
        let response = request
            .header("accept", "text/html, application/json")
            .body(body)
            .send()
            .await
            .unwrap();
        assert_eq!(
            response.status(),
            StatusCode::UNAUTHORIZED,
            "{method} {body}"
        );
        assert_eq!(
            challenge(&response).as_deref(),
            Some(expected.as_str()),
            "{method} {body}"
        );
        let (_, body) = read(response).await;
        assert_eq!(body["error"], "unauthorized");
    }
}

#[tokio::test]
async fn a_good_token_is_served_and_names_the_caller() {
    let world = World::start().await;
    for header in [
        header(),
        set(header(), "typ", json!("application/at+jwt")),
        set(header(), "typ", json!("JWT")),
        without(header(), "typ"),
    ] {
        assert_eq!(
            world
                .status(&sign(&header, &world.claims("ada"), SIGNING))
                .await,
            StatusCode::OK,
            "{header}"
        );
    }
    let claims = world.claims("ada");
    for claims in [
        set(claims.clone(), "aud", json!([world.url()])),
        set(
            claims.clone(),
            "aud",
            json!(["https://other.example", world.url()]),
        ),
        set(
            claims.clone(),
            "exp",
            json!(after(300).as_second() as f64 + 0.5),
        ),
        set(claims.clone(), "nbf", json!(after(-10).as_second())),
        set(
            claims.clone(),
            "extra",
            json!({"deep": [1, 2, {"x": null}]}),
        ),
        set(claims.clone(), "scope", json!(7)),
    ] {
        assert_eq!(
            world.status(&sign(&header(), &claims, SIGNING)).await,
            StatusCode::OK,
            "{claims}"
        );
    }
    let (_, answer) = world
        .call(
            "2025-11-25",
            "tools/call",
            json!({"name": "who", "arguments": {}}),
        )
        .await;
    assert_eq!(answer["result"]["structuredContent"]["subject"], "ada");
    assert_eq!(answer["result"]["structuredContent"]["client"], "client-1");
}

#[tokio::test]
async fn every_defect_of_a_token_is_401_invalid_token() {
    let world = World::start().await;
    for (name, token) in defective(&world) {
        let response = world
            .post("2025-11-25", "tools/list", json!({}), Some(&token))
            .await;
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{name}");
        let text = challenge(&response).unwrap_or_default();
        assert!(
            text.starts_with("Bearer error=\"invalid_token\", error_description="),
            "{name}: {text}"
        );
        assert!(text.contains("resource_metadata="), "{name}: {text}");
    }
    assert_eq!(world.status(&world.token("ada")).await, StatusCode::OK);
}

/// Tokens that are good but for the one thing their name says.
fn defective(world: &World) -> Vec<(String, String)> {
    let claims = world.claims("ada");
    let resource = world.url();
    let issuer = world.authorization_server.uri();
    let now = after(0).as_second();
    let mut tokens: Vec<(String, String)> = Vec::new();
    let mut changed = |member: &str, values: Vec<Value>| {
        for value in values {
            let token = sign(
                &header(),
                &set(claims.clone(), member, value.clone()),
                SIGNING,
            );
            tokens.push((format!("{member} {value}"), token));
        }
    };
    changed(
        "aud",
        vec![
            json!(format!("{resource}2")),
            json!(format!("{resource}/")),
            json!(format!("x{resource}")),
            json!(resource.to_uppercase()),
            json!(resource.trim_end_matches("/mcp")),
            json!(""),
            json!([]),
            json!({}),
            json!(null),
            json!(7),
            json!(true),
            json!([7]),
            json!([[resource]]),
            json!(["https://other.example"]),
            json!(issuer),
            json!("client-1"),
        ],
    );
    changed(
        "iss",
        vec![
            json!(format!("{issuer}/")),
            json!(format!("{issuer}.evil.example")),
            json!([issuer]),
            json!(null),
            json!(""),
            json!("https://evil.example"),
        ],
    );
    changed(
        "exp",
        vec![
            json!(now - 61),
            json!(now - 3600),
            json!("9999999999"),
            json!(null),
            json!(true),
            json!([now + 60]),
            json!(-1),
            json!(0),
        ],
    );
    changed(
        "nbf",
        vec![json!(now + 61), json!(now + 3600), json!("0"), json!(null)],
    );
    changed("iat", vec![json!(now + 86_400), json!("0")]);
    changed(
        "sub",
        vec![json!(""), json!(7), json!(null), json!(["ada"])],
    );
    changed("cnf", vec![json!({"jkt": "x"})]);
    for member in ["aud", "iss", "exp", "sub"] {
        tokens.push((
            format!("no {member}"),
            sign(&header(), &without(claims.clone(), member), SIGNING),
        ));
    }
    for (member, value) in [
        ("alg", json!("none")),
        ("alg", json!("NONE")),
        ("alg", json!("HS256")),
        ("alg", json!("RS384")),
        ("alg", json!("PS256")),
        ("alg", json!("ES256")),
        ("alg", json!(7)),
        ("alg", json!(null)),
        ("typ", json!("dpop+jwt")),
        ("typ", json!("logout+jwt")),
        ("typ", json!(7)),
        ("crit", json!(["exp"])),
        ("crit", json!([])),
        ("b64", json!(false)),
        ("kid", json!("nope")),
        ("kid", json!("../../dev/null")),
        ("kid", json!("\", scope=\"x\r\nX-Injected: 1")),
        ("kid", json!("")),
        ("kid", json!(7)),
    ] {
        tokens.push((
            format!("header {member} {value}"),
            sign(&set(header(), member, value), &claims, SIGNING),
        ));
    }
    tokens.push((
        "no alg".to_owned(),
        sign(&without(header(), "alg"), &claims, SIGNING),
    ));
    tokens.push((
        "no kid".to_owned(),
        sign(&without(header(), "kid"), &claims, SIGNING),
    ));
    tokens.push((
        "another key".to_owned(),
        sign(&header(), &claims, UNPUBLISHED),
    ));
    let embedded = set(header(), "jwk", jwk(UNPUBLISHED, "one"));
    tokens.push((
        "embedded key".to_owned(),
        sign(&embedded, &claims, UNPUBLISHED),
    ));
    let text = claims.to_string();
    let twice = text.replacen('{', &format!("{{\"aud\":\"{resource}\","), 1);
    tokens.push((
        "aud twice".to_owned(),
        sign_text(&header().to_string(), &twice, SIGNING),
    ));
    for payload in ["abc", "[]", "7", "null", "", "{\"a\":", "\u{feff}{}"] {
        tokens.push((
            format!("payload {payload}"),
            sign_text(&header().to_string(), payload, SIGNING),
        ));
    }
    let good = world.token("ada");
    let parts: Vec<&str> = good.split('.').collect();
    let forged = URL_SAFE_NO_PAD.encode(set(claims.clone(), "sub", json!("eve")).to_string());
    tokens.push((
        "changed payload".to_owned(),
        format!("{}.{forged}.{}", parts[0], parts[2]),
    ));
    tokens.push((
        "no signature".to_owned(),
        format!("{}.{}.", parts[0], parts[1]),
    ));
    tokens.push((
        "short signature".to_owned(),
        good[..good.len() - 4].to_owned(),
    ));
    tokens.push(("padded".to_owned(), format!("{good}==")));
    tokens.push(("two parts".to_owned(), format!("{}.{}", parts[0], parts[1])));
    tokens.push(("four parts".to_owned(), format!("{good}.{}", parts[2])));
    tokens.push((
        "too long".to_owned(),
        sign(
            &header(),
            &set(claims, "x", json!("x".repeat(10_000))),
            SIGNING,
        ),
    ));
    tokens
}

#[tokio::test]
async fn times_are_judged_by_the_servers_clock_at_every_request() {
    let world = World::start().await;
    let token = world.token("ada");
    assert_eq!(world.status(&token).await, StatusCode::OK);
    world.clock.set(after(600 + 59));
    assert_eq!(world.status(&token).await, StatusCode::OK);
    world.clock.set(after(600 + 60));
    assert_eq!(world.status(&token).await, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn one_credential_in_one_header_is_the_only_way_in() {
    let world = World::start().await;
    let (ada, bob) = (world.token("ada"), world.token("bob"));
    let base = || world.message("2025-11-25", "tools/list", json!({}));
    for scheme in ["bearer", "BEARER", "Bearer "] {
        let status = base()
            .header("authorization", format!("{scheme} {ada}"))
            .send()
            .await
            .unwrap()
            .status();
        assert_eq!(status, StatusCode::OK, "{scheme}");
    }
    for line in [
        "Bearer".to_owned(),
        "Bearer a b".to_owned(),
        "bearer,".to_owned(),
        format!("Basic {ada}"),
        format!("DPoP {ada}"),
        ada.clone(),
        format!("Bearer {ada}, Bearer {bob}"),
        "a".repeat(9000),
    ] {
        let response = base().header("authorization", &line).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{line:.30}");
        assert!(challenge(&response).is_some(), "{line:.30}");
    }
    let two_lines = base()
        .bearer_auth(&ada)
        .header("authorization", format!("Bearer {bob}"));
    let both_places = base().bearer_auth(&ada).query(&[("access_token", &bob)]);
    for request in [two_lines, both_places] {
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::BAD_REQUEST);
        assert!(challenge(&response).unwrap().contains("invalid_request"));
    }
    let in_query = base()
        .query(&[("access_token", &ada)])
        .send()
        .await
        .unwrap();
    assert_eq!(in_query.status(), StatusCode::UNAUTHORIZED);
    let other_query = base()
        .bearer_auth(&ada)
        .query(&[("utm_source", "x")])
        .send()
        .await
        .unwrap();
    assert_eq!(other_query.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_defect_lets_exactly_its_own_token_in() {
    let default = DoorRules::default;
    let none = |world: &World| {
        let text = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
        format!(
            "{}.{}.",
            text(set(header(), "alg", json!("none"))),
            text(world.claims("ada"))
        )
    };
    let claim = |member: &'static str, value: fn(&World) -> Value| {
        move |world: &World| {
            sign(
                &header(),
                &set(world.claims("ada"), member, value(world)),
                SIGNING,
            )
        }
    };
    let foreign = |world: &World| sign(&header(), &world.claims("ada"), UNPUBLISHED);
    let longer = claim("aud", |world| json!(format!("{}2", world.url())));
    let expired = claim("exp", |_| json!(after(-7200).as_second()));
    type Make<'a> = Box<dyn Fn(&World) -> String + 'a>;
    let cases: Vec<(DoorRules, Make)> = vec![
        (
            DoorRules {
                audience: AudienceCheck::Prefix,
                ..default()
            },
            Box::new(longer),
        ),
        (
            DoorRules {
                expiry: ExpiryCheck::Ignored,
                ..default()
            },
            Box::new(expired),
        ),
        (
            DoorRules {
                signature: SignatureCheck::Ignored,
                ..default()
            },
            Box::new(foreign),
        ),
        (
            DoorRules {
                signature: SignatureCheck::NoneAccepted,
                ..default()
            },
            Box::new(none),
        ),
        (
            DoorRules {
                algorithm: AlgorithmCheck::AnyOfFamily,
                ..default()
            },
            Box::new(rs384),
        ),
        (
            DoorRules {
                algorithm: AlgorithmCheck::PublicKeyAsSecret,
                ..default()
            },
            Box::new(public_key_as_secret),
        ),
        (
            DoorRules {
                signature: SignatureCheck::EmbeddedKey,
                ..default()
            },
            Box::new(embedded),
        ),
    ];
    let correct = World::start().await;
    for (rules, make) in cases {
        assert_eq!(
            correct.status(&make(&correct)).await,
            StatusCode::UNAUTHORIZED,
            "{rules:?}"
        );
        let wrong = World::with(rules.clone()).await;
        assert_eq!(
            wrong.status(&make(&wrong)).await,
            StatusCode::OK,
            "{rules:?}"
        );
    }
}

/// HS256 with the modulus of the published key as the secret.
fn public_key_as_secret(world: &World) -> String {
    let text = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let header = set(header(), "alg", json!("HS256"));
    let signed = format!("{}.{}", text(&header), text(&world.claims("ada")));
    let modulus = jwk(SIGNING, "one")["n"]
        .as_str()
        .map(|n| URL_SAFE_NO_PAD.decode(n).unwrap());
    let key = jsonwebtoken::EncodingKey::from_secret(&modulus.unwrap()).unwrap();
    let signature =
        jsonwebtoken::crypto::sign(signed.as_bytes(), &key, jsonwebtoken::Algorithm::HS256)
            .unwrap();
    format!("{signed}.{signature}")
}

/// Signed by a key of its own, which it brings along.
fn embedded(world: &World) -> String {
    let header = set(header(), "jwk", jwk(UNPUBLISHED, "one"));
    sign(&header, &world.claims("ada"), UNPUBLISHED)
}

fn rs384(world: &World) -> String {
    let text = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!(
        "{}.{}",
        text(&set(header(), "alg", json!("RS384"))),
        text(&world.claims("ada"))
    );
    let key = jsonwebtoken::EncodingKey::from_rsa_pem(SIGNING.as_bytes()).unwrap();
    let signature =
        jsonwebtoken::crypto::sign(signed.as_bytes(), &key, jsonwebtoken::Algorithm::RS384)
            .unwrap();
    format!("{signed}.{signature}")
}

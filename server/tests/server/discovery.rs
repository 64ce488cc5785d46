//! Paths and names: metadata for clients that know nothing yet, and nothing for anybody who asks elsewhere.

use proofmark_server::auth::DoorRules;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{World, read};

#[tokio::test]
async fn both_resource_metadata_documents_say_the_same_whoever_asks() {
    let world = World::start().await;
    let expected = json!({
        "resource": world.url(),
        "authorization_servers": [world.authorization_server.uri()],
        "scopes_supported": ["openid", "profile", "email", "offline_access"],
        "bearer_methods_supported": ["header"]
    });
    for place in [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
    ] {
        let request = world
            .client
            .get(world.at(place))
            .header("x-forwarded-host", "evil.example")
            .query(&[("a", "b")]);
        let response = request
            .bearer_auth(world.token("ada"))
            .send()
            .await
            .unwrap();
        assert_eq!(response.headers()["content-type"], "application/json");
        assert_eq!(
            read(response).await,
            (StatusCode::OK, expected.clone()),
            "{place}"
        );
        let head = world.client.head(world.at(place)).send().await.unwrap();
        assert_eq!(head.status(), StatusCode::OK);
        assert!(head.bytes().await.unwrap().is_empty());
        for method in [Method::POST, Method::PUT, Method::DELETE] {
            let response = world
                .client
                .request(method, world.at(place))
                .send()
                .await
                .unwrap();
            assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
            assert_eq!(response.headers()["allow"], "GET, HEAD");
        }
    }
}

#[tokio::test]
async fn the_authorization_servers_metadata_is_passed_on_as_it_is() {
    let world = World::start().await;
    let there = format!(
        "{}/.well-known/oauth-authorization-server",
        world.authorization_server.uri()
    );
    let original = world
        .client
        .get(there)
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    let place = world.at("/.well-known/oauth-authorization-server");
    let copy = world
        .client
        .get(&place)
        .query(&[("url", "http://evil.example")])
        .send()
        .await
        .unwrap();
    assert_eq!(copy.headers()["content-type"], "application/json");
    assert_eq!(copy.text().await.unwrap(), original);
    world.authorization_server.reset().await;
    assert_eq!(
        world
            .client
            .get(&place)
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap(),
        original
    );
    let cold = World::without_keys(DoorRules::default()).await;
    let (status, body) = read(
        cold.client
            .get(cold.at("/.well-known/oauth-authorization-server"))
            .send()
            .await
            .unwrap(),
    )
    .await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(body["error"], "authorization_server_unavailable");
}

#[tokio::test]
async fn every_other_path_is_404_in_json() {
    let world = World::start().await;
    for place in [
        "/",
        "/api",
        "/openapi.json",
        "/mcp/",
        "/mcp2",
        "/MCP",
        "/mcp/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/nope",
        "/.well-known/oauth-authorization-server/x",
    ] {
        for request in [
            world.client.get(world.at(place)),
            world.client.post(world.at(place)),
        ] {
            let (status, body) = read(
                request
                    .bearer_auth(world.token("ada"))
                    .send()
                    .await
                    .unwrap(),
            )
            .await;
            assert_eq!(
                (status, &body["error"]),
                (StatusCode::NOT_FOUND, &Value::from("not_found")),
                "{place}"
            );
        }
    }
}

#[tokio::test]
async fn foreign_hosts_and_origins_are_refused_before_anything_else() {
    let world = World::start().await;
    for (name, value) in [
        ("host", "evil.example"),
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("origin", "http://localhost.evil.example"),
    ] {
        let request = world
            .message("2025-11-25", "tools/list", json!({}))
            .header(name, value);
        let (status, body) = read(
            request
                .bearer_auth(world.token("ada"))
                .send()
                .await
                .unwrap(),
        )
        .await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{name} {value}");
        assert_eq!(body["error"], format!("{name}_not_allowed"));
    }
    let own = format!("http://localhost:{}", world.server.address().port());
    let request = world
        .message("2025-11-25", "tools/list", json!({}))
        .header("origin", own);
    assert_eq!(
        request
            .bearer_auth(world.token("ada"))
            .send()
            .await
            .unwrap()
            .status(),
        StatusCode::OK
    );
}

#[tokio::test]
async fn language_models_find_a_summary_in_plain_text() {
    let world = World::start().await;
    for place in ["/llms.txt", "/llms-full.txt"] {
        let response = world.client.get(world.at(place)).send().await.unwrap();
        assert!(
            response.headers()["content-type"]
                .to_str()
                .unwrap()
                .starts_with("text/plain")
        );
        let text = response.text().await.unwrap();
        assert!(
            text.contains(&world.url()) && text.contains("- who:"),
            "{text}"
        );
    }
}

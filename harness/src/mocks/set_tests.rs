//! Tests of a running set of mocks: over HTTP, in memory, and that both are the same.

use super::*;
use crate::mocks::{Mocks, RecordedRequest, Subscription, SubscriptionStatus, User};

async fn started() -> Mocks {
    crate::crypto::install();
    Mocks::start(MockOptions::default()).await.unwrap()
}

async fn fetched(url: &str) -> (u16, Value) {
    let answer = reqwest::get(url).await.unwrap();
    (
        answer.status().as_u16(),
        answer.json().await.unwrap_or(Value::Null),
    )
}

#[tokio::test]
async fn the_authorization_server_publishes_itself_in_both_forms() {
    let mocks = started().await;
    let issuer = mocks.addresses().issuer_text().to_owned();
    let (status, oauth) =
        fetched(&format!("{issuer}/.well-known/oauth-authorization-server")).await;
    let (_, openid) = fetched(&format!("{issuer}/.well-known/openid-configuration")).await;
    assert_eq!(status, 200);
    assert_eq!(oauth, openid);
    assert_eq!(oauth["issuer"], issuer.as_str());
    assert_eq!(oauth["code_challenge_methods_supported"], json!(["S256"]));
    assert_eq!(oauth["client_id_metadata_document_supported"], true);
    let (_, keys) = fetched(oauth["jwks_uri"].as_str().unwrap()).await;
    assert_eq!(keys["keys"][0]["kid"], "proofmark-signing");
    assert_eq!(mocks.request_count(Provider::Keys).await.unwrap(), 1);
    assert_eq!(
        mocks.request_count(Provider::Authorization).await.unwrap(),
        3
    );
}

#[tokio::test]
async fn another_process_drives_the_same_mocks_by_the_same_commands() {
    let local = started().await;
    let remote = Mocks::connect(local.addresses().admin.clone())
        .await
        .unwrap();
    assert_eq!(remote.addresses(), local.addresses());

    remote.set_user(&User::new("usr_ada", "Ada")).await.unwrap();
    let (status, user) = fetched(&format!("{}users/usr_ada", local.addresses().directory)).await;
    assert_eq!((status, &user["email_verified"]), (200, &json!(true)));

    let later = remote
        .advance(std::time::Duration::from_secs(1800))
        .await
        .unwrap();
    assert_eq!(local.now().await.unwrap(), later);
    let (_, control) = fetched(&format!("{}now", local.addresses().control)).await;
    assert_eq!(control, json!({ "now": later }));

    let recipe = TokenRecipe::good("usr_ada", "http://127.0.0.1:1/mcp");
    let claims = |token: Token| -> Value {
        use base64::Engine as _;
        let payload = token.expose().split('.').nth(1).unwrap().to_owned();
        let mut claims: Value = serde_json::from_slice(
            &base64::engine::general_purpose::URL_SAFE_NO_PAD
                .decode(payload)
                .unwrap(),
        )
        .unwrap();
        claims["jti"] = Value::Null;
        claims
    };
    assert_eq!(
        claims(remote.mint(&recipe).await.unwrap()),
        claims(local.mint(&recipe).await.unwrap())
    );
    assert_eq!(
        remote.requests(Provider::Directory).await.unwrap(),
        local.requests(Provider::Directory).await.unwrap()
    );
}

#[tokio::test]
async fn a_refused_order_says_why_in_both_ways() {
    let local = started().await;
    let remote = Mocks::connect(local.addresses().admin.clone())
        .await
        .unwrap();
    let by_memory = local
        .break_provider(Provider::Keys, Breakage::Refused)
        .await
        .unwrap_err()
        .to_string();
    let by_http = remote
        .break_provider(Provider::Keys, Breakage::Refused)
        .await
        .unwrap_err()
        .to_string();
    assert!(by_memory.contains("key set"), "{by_memory}");
    assert!(by_http.contains("key set"), "{by_http}");
    let nonsense = reqwest::Client::new()
        .post(local.addresses().admin.clone())
        .json(&json!({ "command": "explode" }));
    assert_eq!(nonsense.send().await.unwrap().status(), 400);
}

#[tokio::test]
async fn a_workspace_lives_through_its_subscription() {
    let mocks = started().await;
    let url = format!("{}workspaces/ws_1", mocks.addresses().subscriptions);
    assert_eq!(fetched(&url).await.0, 404);
    let opened = reqwest::Client::new()
        .put(&url)
        .json(&json!({ "status": "trialing" }))
        .send()
        .await
        .unwrap();
    assert_eq!(opened.status(), 201);
    assert_eq!(fetched(&url).await.1["status"], "trialing");
    let past_due = Subscription {
        status: SubscriptionStatus::PastDue,
        ends_on: None,
    };
    mocks
        .set_subscription("ws_1", Some(past_due))
        .await
        .unwrap();
    assert_eq!(
        fetched(&url).await.1,
        json!({ "status": "past_due", "ends_on": null })
    );
}

#[tokio::test]
async fn broken_providers_are_broken_until_they_are_mended() {
    let mocks = started().await;
    let url = format!(
        "{}stats/eurofxref/eurofxref-daily.xml",
        mocks.addresses().ecb
    );
    mocks
        .break_provider(Provider::Ecb, Breakage::Refused)
        .await
        .unwrap();
    assert!(reqwest::get(&url).await.unwrap_err().is_connect());
    mocks
        .break_provider(
            Provider::Ecb,
            Breakage::Status {
                code: 500,
                retry_after_seconds: None,
            },
        )
        .await
        .unwrap();
    assert_eq!(reqwest::get(&url).await.unwrap().status(), 500);
    mocks.mend_provider(Provider::Ecb).await.unwrap();
    let body = reqwest::get(&url).await.unwrap().text().await.unwrap();
    assert!(body.contains("<Cube time='2026-10-30'>"), "{body}");
    let asked: Vec<RecordedRequest> = mocks.requests(Provider::Ecb).await.unwrap();
    assert_eq!(asked.len(), 2, "the refused connection never arrived");
}

#[tokio::test]
async fn a_token_that_was_forwarded_is_found() {
    let mocks = started().await;
    let token = mocks
        .mint(&TokenRecipe::good("usr_ada", "http://127.0.0.1:1/mcp"))
        .await
        .unwrap();
    assert!(mocks.leaks(&token).await.unwrap().is_empty());
    let url = format!("{}v8/finance/chart/AAPL", mocks.addresses().yahoo);
    reqwest::Client::new()
        .get(&url)
        .bearer_auth(token.expose())
        .send()
        .await
        .unwrap();
    let leaks = mocks.leaks(&token).await.unwrap();
    assert_eq!(leaks.len(), 1);
    assert!(leaks[0].authorization);
    assert!(!format!("{leaks:?}").contains(token.expose()));
}

#[tokio::test]
async fn keys_and_metadata_can_be_replaced_and_restored() {
    let mocks = started().await;
    let issuer = mocks.addresses().issuer_text().to_owned();
    let set = Command::SetKeyDocument {
        json: Some(r#"{"keys":[{jwk:ec},{"kty":"unknown"}]}"#.to_owned()),
        max_age_seconds: Some(1),
    };
    mocks.execute(set).await.unwrap();
    let answer = reqwest::get(mocks.addresses().jwks_uri.clone())
        .await
        .unwrap();
    assert_eq!(answer.headers()["cache-control"], "max-age=1");
    assert_eq!(
        answer.json::<Value>().await.unwrap()["keys"][0]["kty"],
        "EC"
    );
    let amended = Command::SetMetadata {
        member: "issuer".to_owned(),
        json: Some("\"{issuer}/x\"".to_owned()),
    };
    mocks.execute(amended).await.unwrap();
    let url = format!("{issuer}/.well-known/oauth-authorization-server");
    assert_eq!(fetched(&url).await.1["issuer"], format!("{issuer}/x"));
    mocks.execute(Command::RestoreMetadata).await.unwrap();
    assert_eq!(fetched(&url).await.1["issuer"], issuer.as_str());
}

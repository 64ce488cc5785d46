//! A server with a small profile of its own, a mock authorization server, and tokens good and bad.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures::FutureExt;
use futures::future::BoxFuture;
use jiff::Timestamp;
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey};
use proofmark_server::auth::{Caller, DoorRules};
use proofmark_server::clock::{Clock, SteeredClock};
use proofmark_server::mcp::fault::Fault;
use proofmark_server::mcp::tool::{ToolDefinition, ToolTable};
use proofmark_server::mcp::{
    Client, JsonObject, Profile, PromptArgumentDefinition, PromptDefinition, ResourceDefinition,
};
use proofmark_server::rules::Rules;
use proofmark_server::{ProviderAddresses, RunningServer, Settings, start_profile};
use reqwest::{Response, StatusCode};
use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

pub const SIGNING: &str = include_str!("../../../fixtures/keys/signing.pem");
pub const UNPUBLISHED: &str = include_str!("../../../fixtures/keys/unpublished.pem");
pub const REVISIONS: [&str; 3] = ["2025-06-18", "2025-11-25", "2026-07-28"];
pub const START: &str = "2026-03-01T12:00:00Z";

/// A server, what it depends on, and how to speak to it.
pub struct World {
    pub server: RunningServer,
    pub authorization_server: MockServer,
    pub clock: Arc<SteeredClock>,
    pub client: reqwest::Client,
}

impl World {
    pub async fn start() -> Self {
        Self::with(DoorRules::default()).await
    }

    pub async fn with(door: DoorRules) -> Self {
        let world = Self::without_keys(door).await;
        world.publish(json!({"keys": [jwk(SIGNING, "one")]})).await;
        world
    }

    /// A server whose authorization server publishes nothing yet.
    pub async fn without_keys(door: DoorRules) -> Self {
        proofmark_server::crypto::install();
        let authorization_server = MockServer::start().await;
        let (clock, steering) = Clock::steered(START.parse().unwrap());
        let nowhere = || "http://127.0.0.1:9".parse().unwrap();
        let providers = ProviderAddresses {
            directory: nowhere(),
            subscriptions: nowhere(),
            yahoo: nowhere(),
            coingecko: nowhere(),
            ecb: nowhere(),
        };
        let mut settings = Settings::new(authorization_server.uri(), providers);
        settings.clock = clock;
        settings.rules = Rules {
            door,
            ..Rules::default()
        };
        let server = start_profile(settings, Arc::new(Stub::new()))
            .await
            .unwrap();
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap();
        Self {
            server,
            authorization_server,
            clock: steering,
            client,
        }
    }

    /// Publishes metadata and `keys`, instead of what was published before.
    pub async fn publish(&self, keys: Value) {
        self.authorization_server.reset().await;
        let issuer = self.authorization_server.uri();
        let metadata = json!({
            "issuer": issuer,
            "jwks_uri": format!("{issuer}/keys"),
            "authorization_endpoint": format!("{issuer}/authorize"),
            "code_challenge_methods_supported": ["S256"]
        });
        Mock::given(method("GET"))
            .and(path("/.well-known/oauth-authorization-server"))
            .respond_with(ResponseTemplate::new(200).set_body_json(metadata))
            .mount(&self.authorization_server)
            .await;
        Mock::given(method("GET"))
            .and(path("/keys"))
            .respond_with(ResponseTemplate::new(200).set_body_json(keys))
            .mount(&self.authorization_server)
            .await;
    }

    /// How often keys were asked for since they were last published.
    pub async fn key_fetches(&self) -> usize {
        let requests = self.authorization_server.received_requests().await.unwrap();
        requests
            .iter()
            .filter(|request| request.url.path() == "/keys")
            .count()
    }

    pub fn url(&self) -> String {
        self.server.url().to_string()
    }

    pub fn at(&self, place: &str) -> String {
        format!("http://{}{place}", self.server.address())
    }

    /// The claims of a good token for `subject`.
    pub fn claims(&self, subject: &str) -> Value {
        let now = self.clock.now().as_second();
        json!({
            "iss": self.authorization_server.uri(), "aud": self.url(), "sub": subject, "client_id": "client-1",
            "iat": now - 10, "exp": now + 600, "jti": "x", "scope": "openid profile"
        })
    }

    pub fn token(&self, subject: &str) -> String {
        sign(&header(), &self.claims(subject), SIGNING)
    }

    /// Posts one message of `revision` with a good token.
    pub async fn call(&self, revision: &str, name: &str, params: Value) -> (StatusCode, Value) {
        read(
            self.post(revision, name, params, Some(&self.token("ada")))
                .await,
        )
        .await
    }

    pub async fn post(
        &self,
        revision: &str,
        name: &str,
        params: Value,
        token: Option<&str>,
    ) -> Response {
        let mut request = self.message(revision, name, params);
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        request.send().await.unwrap()
    }

    /// A message of `revision` with all headers that the revision wants, without a token.
    pub fn message(
        &self,
        revision: &str,
        name: &str,
        mut params: Value,
    ) -> reqwest::RequestBuilder {
        let mut request = self
            .client
            .post(self.url())
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", revision);
        if revision == "2026-07-28" {
            request = request.header("mcp-method", name);
            if let Some(target) = params
                .get("name")
                .or_else(|| params.get("uri"))
                .and_then(Value::as_str)
            {
                request = request.header("mcp-name", target);
            }
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": revision,
                "io.modelcontextprotocol/clientInfo": {"name": "tester", "version": "9"},
                "io.modelcontextprotocol/clientCapabilities": {}
            });
        }
        request.json(&json!({"jsonrpc": "2.0", "id": 1, "method": name, "params": params}))
    }

    /// Posts `body` as it is, with a good token.
    pub async fn raw(&self, body: impl Into<reqwest::Body>) -> (StatusCode, Value) {
        let request = self
            .client
            .post(self.url())
            .bearer_auth(self.token("ada"))
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json")
            .body(body);
        read(request.send().await.unwrap()).await
    }

    /// The status of a call with `token`.
    pub async fn status(&self, token: &str) -> StatusCode {
        self.post("2025-11-25", "tools/list", json!({}), Some(token))
            .await
            .status()
    }
}

/// Status and JSON body.
pub async fn read(response: Response) -> (StatusCode, Value) {
    let status = response.status();
    let text = response.text().await.unwrap();
    (
        status,
        serde_json::from_str(&text).unwrap_or(Value::String(text)),
    )
}

pub fn challenge(response: &Response) -> Option<String> {
    response
        .headers()
        .get("www-authenticate")
        .map(|value| value.to_str().unwrap().to_owned())
}

pub fn header() -> Value {
    json!({"alg": "RS256", "typ": "at+jwt", "kid": "one"})
}

/// `value` with `member` set.
pub fn set(mut value: Value, member: &str, to: Value) -> Value {
    value[member] = to;
    value
}

/// `value` without `member`.
pub fn without(mut value: Value, member: &str) -> Value {
    value.as_object_mut().unwrap().remove(member);
    value
}

/// A token signed with RS256 over these very texts.
pub fn sign_text(header: &str, claims: &str, pem: &str) -> String {
    let signed = format!(
        "{}.{}",
        URL_SAFE_NO_PAD.encode(header),
        URL_SAFE_NO_PAD.encode(claims)
    );
    let key = EncodingKey::from_rsa_pem(pem.as_bytes()).unwrap();
    let signature = jsonwebtoken::crypto::sign(signed.as_bytes(), &key, Algorithm::RS256).unwrap();
    format!("{signed}.{signature}")
}

pub fn sign(header: &Value, claims: &Value, pem: &str) -> String {
    sign_text(&header.to_string(), &claims.to_string(), pem)
}

/// The public half of `pem` under the name `id`.
pub fn jwk(pem: &str, id: &str) -> Value {
    let key = EncodingKey::from_rsa_pem(pem.as_bytes()).unwrap();
    let mut jwk =
        serde_json::to_value(Jwk::from_encoding_key(&key, Algorithm::RS256).unwrap()).unwrap();
    jwk["kid"] = json!(id);
    jwk["use"] = json!("sig");
    jwk
}

/// A profile with two tools, a resource and a prompt.
#[derive(Debug)]
struct Stub {
    tools: ToolTable,
    resources: Vec<ResourceDefinition>,
    prompts: Vec<PromptDefinition>,
}

impl Stub {
    fn new() -> Self {
        let definitions = json!({"decimal": {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?$", "description": "Write \"12.50\"."}});
        let tool = |name: &str, properties: Value| {
            json!({
                "name": name, "title": name, "description": "A tool of the test.", "role": "anyone", "subscription": false,
                "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false},
                "inputSchema": {"type": "object", "properties": properties, "additionalProperties": false},
                "outputSchema": {"type": "object", "properties": {"subject": {"type": "string"}}, "required": ["subject"]}
            })
            .to_string()
        };
        let who = tool(
            "who",
            json!({"text": {"type": "string"}, "amount": {"$ref": "#/$defs/decimal"}}),
        );
        let refuse = tool("refuse", json!({}));
        let files = [
            ("definitions.json", definitions.to_string()),
            ("who.json", who),
            ("refuse.json", refuse),
        ];
        Self {
            tools: ToolTable::load(files.iter().map(|(name, text)| (*name, text.as_str())))
                .unwrap(),
            resources: vec![ResourceDefinition {
                uri: "guide://stub".to_owned(),
                name: "stub".to_owned(),
                title: "Stub".to_owned(),
                description: "A guide.".to_owned(),
                media_type: "text/markdown".to_owned(),
                text: "# Stub".to_owned(),
            }],
            prompts: vec![PromptDefinition {
                name: "greet".to_owned(),
                title: "Greet".to_owned(),
                description: "Greets.".to_owned(),
                arguments: vec![PromptArgumentDefinition {
                    name: "name".to_owned(),
                    description: "Whom.".to_owned(),
                    required: false,
                    max_length: 20,
                }],
            }],
        }
    }
}

impl Profile for Stub {
    fn name(&self) -> &str {
        "stub"
    }

    fn title(&self) -> &str {
        "Stub"
    }

    fn instructions(&self) -> &str {
        "Ask who."
    }

    fn tools(&self) -> &ToolTable {
        &self.tools
    }

    fn call<'a>(
        &'a self,
        caller: Caller,
        client: Client,
        tool: &'a ToolDefinition,
        arguments: JsonObject,
    ) -> BoxFuture<'a, Result<Value, Fault>> {
        async move {
            match tool.name.as_str() {
                "who" => Ok(json!({"subject": caller.subject, "client": client.name, "arguments": arguments})),
                _ => Err(Fault::new("refused", "This tool always refuses.").at("nothing").with("more", 1)),
            }
        }
        .boxed()
    }

    fn resources(&self) -> &[ResourceDefinition] {
        &self.resources
    }

    fn prompts(&self) -> &[PromptDefinition] {
        &self.prompts
    }

    fn prompt(&self, _name: &str, arguments: &BTreeMap<String, String>) -> String {
        format!(
            "Greet {}",
            arguments.get("name").map_or("them", String::as_str)
        )
    }
}

/// An instant some seconds after the start of the clock.
pub fn after(seconds: i64) -> Timestamp {
    START.parse::<Timestamp>().unwrap() + jiff::SignedDuration::from_secs(seconds)
}

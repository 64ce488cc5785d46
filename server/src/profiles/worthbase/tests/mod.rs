//! The profile as its callers see it: tools by name, JSON in and out, with directories and rates played by mock servers.
//!
//! Every answer is checked against the tool's own output schema.

mod defects;
mod people;
mod prices;
mod reading;
mod recording;
mod reports;
mod undoing;
mod updating;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use wiremock::matchers::{method, path_regex};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use super::*;
use crate::clock::SteeredClock;
use crate::mcp::arguments::check;

/// Where the clock of a test begins.
const START: &str = "2026-10-30T12:00:00Z";

/// Two days of the European Central Bank.
const HISTORY: &str = "Date,USD,JPY,AUD,\n2026-10-30,1.2500,170.00,1.7000,\n2024-06-28,1.0705,171.94,1.6079,\n2024-06-27,1.0696,171.95,1.6090,\n2024-03-04,1.0846,163.19,1.6648,\n2024-03-01,1.0813,162.52,1.6575,\n";

/// A server, the services around it, and its clock.
struct Household {
    profile: Arc<dyn Profile>,
    clock: Arc<SteeredClock>,
    services: MockServer,
    subscriptions: Arc<Mutex<HashMap<String, String>>>,
}

impl Household {
    async fn new() -> Self {
        Self::with(json!({})).await
    }

    /// A server with these rules.
    async fn with(rules: Value) -> Self {
        Self::opened(rules, StoreLocation::Memory).await
    }

    /// A server whose source of exchange rates answers nothing.
    async fn without_rates() -> Self {
        Self::around(json!({}), StoreLocation::Memory, 500).await
    }

    async fn opened(rules: Value, store: StoreLocation) -> Self {
        Self::around(rules, store, 200).await
    }

    async fn around(rules: Value, store: StoreLocation, rates_status: u16) -> Self {
        crate::crypto::install();
        let services = MockServer::start().await;
        let subscriptions: Arc<Mutex<HashMap<String, String>>> = Arc::default();
        let known = Arc::clone(&subscriptions);
        Mock::given(path_regex("^/subscriptions/workspaces/"))
            .respond_with(move |request: &Request| {
                let workspace = request
                    .url
                    .path()
                    .rsplit('/')
                    .next()
                    .unwrap_or_default()
                    .to_owned();
                let mut known = known.lock().unwrap();
                let status = known
                    .entry(workspace)
                    .or_insert_with(|| "trialing".to_owned());
                ResponseTemplate::new(200).set_body_json(json!({"status": status, "ends_on": null}))
            })
            .mount(&services)
            .await;
        Mock::given(path_regex("^/directory/users/"))
            .respond_with(|request: &Request| {
                let sub = request.url.path().rsplit('/').next().unwrap_or_default();
                ResponseTemplate::new(200).set_body_json(json!({
                    "sub": sub,
                    "email": format!("{sub}@example.test"),
                    "email_verified": !sub.starts_with("unproven"),
                    "name": sub,
                }))
            })
            .mount(&services)
            .await;
        Mock::given(method("GET"))
            .and(path_regex("eurofxref-hist.csv$"))
            .respond_with(ResponseTemplate::new(rates_status).set_body_string(HISTORY))
            .mount(&services)
            .await;
        let (clock, steering) = Clock::steered(START.parse().unwrap());
        let client = reqwest::Client::new();
        let timeout = Duration::from_secs(5);
        let at = |path: &str| format!("{}/{path}", services.uri()).parse().unwrap();
        let profile = Worthbase::open(WorthbaseParts {
            store,
            users: UserDirectory::new(at("directory"), client.clone(), timeout),
            subscriptions: SubscriptionDirectory::new(at("subscriptions"), client.clone(), timeout),
            rates: Arc::new(EuropeanCentralBank::new(
                at("ecb"),
                client.clone(),
                timeout,
                clock.clone(),
            )),
            yahoo: YahooFinance::new(at("yahoo"), client.clone(), timeout),
            coingecko: CoinGecko::new(at("coingecko"), client, timeout),
            clock,
            rules: serde_json::from_value(rules).unwrap(),
        })
        .await
        .unwrap();
        Self {
            profile,
            clock: steering,
            services,
            subscriptions,
        }
    }

    fn advance(&self, minutes: i64) {
        let now: Timestamp = self.clock.now();
        self.clock.set(now + SignedDuration::from_mins(minutes));
    }

    fn set_subscription(&self, workspace: &str, status: &str) {
        self.subscriptions
            .lock()
            .unwrap()
            .insert(workspace.to_owned(), status.to_owned());
    }

    /// Calls `tool` as `who`. The arguments are checked as the shared layer does, the answer against the output schema.
    async fn call(&self, who: &str, tool: &str, arguments: Value) -> Result<Value, Fault> {
        let tool = self.profile.tools().find(tool).unwrap();
        let Value::Object(arguments) = arguments else {
            panic!("arguments are an object")
        };
        check(tool, &arguments)?;
        let caller = Caller {
            subject: who.to_owned(),
            client_id: Some("test".to_owned()),
            scopes: vec![],
            scope_given: false,
            organization: None,
        };
        let client = Client {
            name: "tests".to_owned(),
            version: "1".to_owned(),
        };
        let answer = self.profile.call(caller, client, tool, arguments).await;
        let body = match &answer {
            Ok(value) => value.clone(),
            Err(fault) => fault.body(),
        };
        let schema = Value::Object((*tool.output_schema).clone());
        let errors: Vec<String> = jsonschema::draft202012::new(&schema)
            .unwrap()
            .iter_errors(&body)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{}: {errors:?} in {body:#}", tool.name);
        answer
    }

    /// As [`Self::call`] for a call that must work.
    async fn ok(&self, who: &str, tool: &str, arguments: Value) -> Value {
        match self.call(who, tool, arguments).await {
            Ok(value) => value,
            Err(fault) => panic!("{tool}: {:#}", fault.body()),
        }
    }

    /// The code with which a call is refused.
    async fn code(&self, who: &str, tool: &str, arguments: Value) -> String {
        match self.call(who, tool, arguments).await {
            Ok(value) => panic!("{tool} worked: {value:#}"),
            Err(fault) => fault.code.to_string(),
        }
    }

    /// A workspace of `who`.
    async fn workspace(&self, who: &str, currency: &str) -> String {
        let saved = self
            .ok(
                who,
                "save_workspace",
                json!({"name": "Home", "base_currency": currency}),
            )
            .await;
        text_at(&saved, "/workspace")
    }

    /// Records at once and gives the id of the item with key `k`.
    async fn item(&self, who: &str, kind: &str, currency: &str) -> String {
        let items = json!([{"key": "k", "name": kind, "kind": kind, "currency": currency}]);
        let answer = self
            .ok(who, "record", json!({"items": items, "dry_run": false}))
            .await;
        text_at(&answer, "/created/items/0/id")
    }

    /// Previews a batch and gives the preview's id.
    async fn preview(&self, who: &str, batch: Value) -> String {
        text_at(&self.ok(who, "record", batch).await, "/preview_id")
    }

    async fn net_worth(&self, who: &str) -> String {
        text_at(
            &self.ok(who, "get_net_worth", json!({})).await,
            "/net_worth",
        )
    }
}

fn text_at(value: &Value, pointer: &str) -> String {
    match value.pointer(pointer).and_then(Value::as_str) {
        Some(text) => text.to_owned(),
        None => panic!("no text at {pointer} in {value:#}"),
    }
}

/// A transaction row.
fn row(item: &str, kind: &str, date: &str, amount: &str) -> Value {
    json!({"item": item, "type": kind, "date": date, "amount": amount})
}

/// A row of units.
fn units(item: &str, kind: &str, date: &str, units: &str, amount: &str) -> Value {
    json!({"item": item, "type": kind, "date": date, "units": units, "amount": amount})
}

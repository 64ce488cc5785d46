//! The front of the profile: its own host, its root, its metadata, and 404 in JSON for everything else.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::{MethodRouter, any_service, get};
use http::header::HOST;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};

use crate::auth::{AuthorizationServer, CachedKeys, DoorRules, Verifier};
use crate::http::{answers, envelope, metadata, names, protocol};

use super::handler::Server;
use super::refusals::Refuser;
use super::rules::{
    Addressing, Algorithms, Connecting, KobanaRules, Metadata, Origins, UnsupportedVersion,
};
use super::visit::{Reception, Visit, receive};
use super::{Kobana, KobanaFront};

/// Where people read more.
const DOCUMENTATION: &str = "https://docs.finance.kobana.com.br/pt/mcp/overview/introduction";

/// The identifier of the resource: its origin, without a slash at the end.
pub(crate) fn resource(front: &KobanaFront) -> String {
    front.resource.as_str().trim_end_matches('/').to_owned()
}

/// What hosts, paths and origins are judged by.
struct Gate {
    names: names::Names,
    refuser: Refuser,
    rules: Arc<KobanaRules>,
    paths: Vec<String>,
}

/// The router. A request is judged in this order: host, path, origin, token, limit, organisation, workspace, message.
pub(crate) fn router(front: KobanaFront, kobana: Arc<Kobana>) -> Router {
    let rules = Arc::clone(&kobana.rules);
    let identifier = resource(&front);
    let address = metadata::address(&front.resource);
    let refuser = || Refuser {
        metadata: address.clone(),
        rules: Arc::clone(&rules),
    };
    let issuer = front.authorization_server.issuer().to_owned();
    let reception = Arc::new(Reception {
        verifier: verifier(
            &front.authorization_server,
            identifier.clone(),
            &front.door,
            &rules,
        ),
        clock: front.clock,
        directory: front.directory,
        refuser: refuser(),
        rules: Arc::clone(&rules),
        counts: Default::default(),
        first: Default::default(),
    });
    let versions = match rules.front.version {
        UnsupportedVersion::Named => envelope::VersionRefusal::Named,
        UnsupportedVersion::InvalidRequest => envelope::VersionRefusal::InvalidRequest,
    };
    let endpoint = |path: &str, router: Router| {
        router.route(path, any_service(protocol(Server(Arc::clone(&kobana)))))
    };
    let mut router = endpoint("/", Router::new());
    let mut paths = vec!["/".to_owned()];
    if rules.front.addressing == Addressing::McpPathToo {
        router = endpoint("/mcp", router);
        paths.push("/mcp".to_owned());
    }
    router = router
        .route_layer(from_fn_with_state(versions, envelope::check))
        .route_layer(from_fn_with_state(Arc::clone(&rules), connect))
        .route_layer(from_fn_with_state(Arc::clone(&reception), receive));
    if rules.front.metadata != Metadata::Absent {
        let document = document(&identifier, &issuer, rules.front.metadata);
        router = router.route(metadata::PROTECTED_RESOURCE, served(document, &rules));
        paths.push(metadata::PROTECTED_RESOURCE.to_owned());
    }
    if rules.front.addressing == Addressing::ServerMetadataToo {
        let document = json!({ "issuer": issuer });
        router = router.route(metadata::AUTHORIZATION_SERVER, served(document, &rules));
        paths.push(metadata::AUTHORIZATION_SERVER.to_owned());
    }
    let gate = Gate {
        names: names::Names::new(front.address, &front.resource, Arc::clone(&front.door)),
        refuser: refuser(),
        rules,
        paths,
    };
    router.layer(from_fn_with_state(Arc::new(gate), pass))
}

fn verifier(
    server: &Arc<AuthorizationServer>,
    audience: String,
    door: &Arc<DoorRules>,
    rules: &KobanaRules,
) -> Verifier {
    Verifier {
        issuer: server.issuer().to_owned(),
        audience,
        algorithms: match rules.front.algorithms {
            Algorithms::Rs256 => &["RS256"],
            Algorithms::Published => &["RS256", "ES256"],
        },
        keys: CachedKeys::new(Arc::clone(server), door.key_cache, door.key_strength),
        rules: Arc::clone(door),
    }
}

fn document(resource: &str, issuer: &str, form: Metadata) -> Value {
    let resource = match form {
        Metadata::WithSlash => format!("{resource}/"),
        _ => resource.to_owned(),
    };
    let mut document = json!({
        "resource": resource,
        "authorization_servers": [issuer],
        "bearer_methods_supported": ["header"],
    });
    if form == Metadata::WithScopes {
        document["scopes_supported"] = json!(["read", "write"]);
    }
    if form != Metadata::WithoutDocumentation {
        document["resource_documentation"] = json!(DOCUMENTATION);
    }
    document
}

fn served(document: Value, rules: &Arc<KobanaRules>) -> MethodRouter {
    let follows = rules.front.metadata == Metadata::FollowsHost;
    get(async move |headers: HeaderMap| {
        let mut document = document.clone();
        let claimed = headers.get("x-forwarded-host").or(headers.get(HOST));
        if let (true, Some(host)) = (follows, claimed.and_then(|host| host.to_str().ok())) {
            document["resource"] = json!(format!("http://{host}"));
        }
        answers::json(StatusCode::OK, &document)
    })
    .fallback(metadata::only_get)
}

/// Host, path and origin, before anything else.
async fn pass(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let addressing = gate.rules.front.addressing;
    let not_found = || {
        gate.refuser
            .refuse(StatusCode::NOT_FOUND, "NOT_FOUND", "Not found.", headers)
    };
    if addressing != Addressing::AnyHost && !gate.names.serves_host(headers) {
        return not_found();
    }
    if !gate.paths.iter().any(|path| path == request.uri().path()) {
        return match addressing {
            Addressing::PageForUnknownPath => {
                let mut response = not_found();
                let page = http::HeaderValue::from_static("text/html; charset=utf-8");
                response
                    .headers_mut()
                    .insert(http::header::CONTENT_TYPE, page);
                response
            }
            Addressing::MethodNotAllowed if request.method() != http::Method::GET => {
                gate.refuser.refuse(
                    StatusCode::METHOD_NOT_ALLOWED,
                    "NOT_ALLOWED",
                    "Not allowed.",
                    headers,
                )
            }
            Addressing::UnknownPathNeedsToken => gate.refuser.unauthorized(false, headers),
            _ => not_found(),
        };
    }
    if gate.rules.front.origins == Origins::Own && !gate.names.serves_origin(headers) {
        return gate.refuser.refuse(
            StatusCode::FORBIDDEN,
            "FORBIDDEN",
            "origin_not_allowed: pages of other origins may not call this server.",
            headers,
        );
    }
    next.run(request).await
}

/// The defect that lets nobody connect without a workspace.
async fn connect(State(rules): State<Arc<KobanaRules>>, request: Request, next: Next) -> Response {
    let nowhere = request.extensions().get::<Visit>().is_some_and(|visit| {
        let default = visit
            .member()
            .and_then(|(known, member)| known.default(member, &visit.selectors, &rules));
        default.is_none()
    });
    if rules.front.connecting == Connecting::NeedsWorkspace && nowhere {
        return answers::json(
            StatusCode::BAD_REQUEST,
            &json!({ "error": { "code": "WORKSPACE_REQUIRED", "message": "Name a workspace." } }),
        );
    }
    next.run(request).await
}

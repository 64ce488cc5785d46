//! The front door: which paths there are, in which order a request is judged, and what everything else is told.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, any_service, get};
use http::StatusCode;
use http::header::CONTENT_TYPE;
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use url::Url;

use crate::auth::{
    AuthorizationServer, CachedKeys, Door, DoorRules, ResourceMetadata, ServerMetadata, Verifier,
    guard,
};
use crate::clock::Clock;
use crate::mcp::{Handler, Profile};

pub(crate) mod answers;
pub(crate) mod envelope;
pub(crate) mod metadata;
pub(crate) mod names;
mod texts;

pub(crate) use envelope::BODY_LIMIT;

/// Where the MCP endpoint is.
pub(crate) const ENDPOINT: &str = "/mcp";

/// What the front door is built from.
pub(crate) struct Front {
    /// The socket that is listened on.
    pub address: SocketAddr,
    /// The canonical address of the MCP endpoint.
    pub resource: Url,
    /// Whose tokens are accepted.
    pub authorization_server: Arc<AuthorizationServer>,
    /// What is behind the door.
    pub profile: Arc<dyn Profile>,
    /// The time.
    pub clock: Clock,
    /// How each check is done.
    pub rules: Arc<DoorRules>,
}

/// The router. A request is judged in this order: host and origin, path, token, method and envelope, protocol.
pub(crate) fn router(front: Front) -> Router {
    let Front {
        address,
        resource,
        authorization_server,
        profile,
        clock,
        rules,
    } = front;
    let door = Arc::new(Door {
        metadata: metadata::address(&resource),
        verifier: Verifier {
            issuer: authorization_server.issuer().to_owned(),
            audience: resource.to_string(),
            algorithms: &["RS256", "ES256"],
            keys: CachedKeys::new(
                Arc::clone(&authorization_server),
                rules.key_cache,
                rules.key_strength,
            ),
            rules: Arc::clone(&rules),
        },
        clock,
        rules: Arc::clone(&rules),
        first: OnceLock::new(),
    });
    let (summary, full) = (
        texts::summary(profile.as_ref(), resource.as_str()),
        texts::full(profile.as_ref(), resource.as_str()),
    );
    let mut router = Router::new()
        .route(ENDPOINT, any_service(protocol(Handler::new(profile))))
        .route_layer(from_fn_with_state(
            envelope::VersionRefusal::InvalidRequest,
            envelope::check,
        ))
        .route_layer(from_fn_with_state(Arc::clone(&door), guard))
        .route("/llms.txt", text(summary))
        .route("/llms-full.txt", text(full));
    router = discovery(router, &resource, &authorization_server, &door, &rules);
    router.fallback(not_found).layer(from_fn_with_state(
        Arc::new(names::Names::new(address, &resource, rules)),
        names::check,
    ))
}

/// Adds the metadata documents, which need no token.
fn discovery(
    mut router: Router,
    resource: &Url,
    server: &Arc<AuthorizationServer>,
    door: &Arc<Door>,
    rules: &Arc<DoorRules>,
) -> Router {
    let document = Arc::new(metadata::protected_resource(
        resource,
        server.issuer(),
        rules,
    ));
    let served = |document: &Arc<serde_json::Value>| -> MethodRouter {
        let route = get(metadata::document)
            .with_state(Arc::clone(document))
            .fallback(metadata::only_get);
        match rules.resource_metadata {
            ResourceMetadata::Protected => route.layer(from_fn_with_state(Arc::clone(door), guard)),
            _ => route,
        }
    };
    let path = resource.path().trim_end_matches('/');
    if rules.resource_metadata != ResourceMetadata::Absent {
        router = router.route(metadata::PROTECTED_RESOURCE, served(&document));
    }
    if !path.is_empty()
        && !matches!(
            rules.resource_metadata,
            ResourceMetadata::Absent | ResourceMetadata::RootOnly
        )
    {
        router = router.route(
            &format!("{}{path}", metadata::PROTECTED_RESOURCE),
            served(&document),
        );
    }
    if rules.server_metadata != ServerMetadata::Absent {
        let pass_through = metadata::PassThrough::new(
            Arc::clone(server),
            resource.origin().ascii_serialization(),
            Arc::clone(rules),
        );
        router = router.route(
            metadata::AUTHORIZATION_SERVER,
            get(metadata::pass_through)
                .with_state(Arc::new(pass_through))
                .fallback(metadata::only_get),
        );
    }
    router
}

/// The protocol library, stateless and in JSON. Host, origin and body limits are checked before it is reached.
pub(crate) fn protocol<H: ServerHandler + Clone>(
    handler: H,
) -> StreamableHttpService<H, NeverSessionManager> {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_sse_keep_alive(None)
        .with_max_request_body_bytes(envelope::BODY_LIMIT)
        .disable_allowed_hosts()
        .disable_allowed_origins();
    StreamableHttpService::new(
        move || Ok(handler.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    )
}

fn text(body: String) -> MethodRouter {
    get(async move || ([(CONTENT_TYPE, "text/plain; charset=utf-8")], body.clone()).into_response())
        .fallback(metadata::only_get)
}

async fn not_found() -> Response {
    answers::refusal(
        StatusCode::NOT_FOUND,
        "not_found",
        "There is nothing here. The MCP endpoint is /mcp.",
    )
}

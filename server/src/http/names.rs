//! Which `Host` and `Origin` are this server's own: protection against pages that were made to reach a loopback or internal server.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{HOST, ORIGIN};
use http::{HeaderMap, StatusCode};
use url::Url;

use super::answers::refusal;
use crate::auth::{DoorRules, HostCheck, OriginCheck};

/// The names under which the server may be addressed.
#[derive(Debug)]
pub struct Names {
    /// Authorities in lower case, such as `127.0.0.1:8080`.
    hosts: Vec<String>,
    /// Origins in lower case, such as `http://127.0.0.1:8080`.
    origins: Vec<String>,
    rules: Arc<DoorRules>,
}

impl Names {
    /// The names of a server that listens on `address` and is known as `resource`.
    pub fn new(address: SocketAddr, resource: &Url, rules: Arc<DoorRules>) -> Self {
        let port = address.port();
        let mut hosts = vec![address.to_string()];
        // Whoever listens on loopback, or on every address, is reached by the loopback names too.
        if address.ip().is_loopback() || address.ip().is_unspecified() {
            hosts.extend(["localhost", "127.0.0.1", "[::1]"].map(|name| format!("{name}:{port}")));
        }
        let mut origins: Vec<String> = hosts.iter().map(|host| format!("http://{host}")).collect();
        if let Some(host) = resource.host_str() {
            hosts.push(match resource.port() {
                Some(port) => format!("{host}:{port}"),
                None => host.to_owned(),
            });
            if let (None, Some(port)) = (resource.port(), resource.port_or_known_default()) {
                hosts.push(format!("{host}:{port}"));
            }
        }
        origins.push(resource.origin().ascii_serialization());
        Self {
            hosts,
            origins,
            rules,
        }
    }

    /// Whether a request is addressed to this server.
    pub fn serves_host(&self, headers: &HeaderMap) -> bool {
        let mut lines = headers.get_all(HOST).iter();
        let (Some(host), None) = (lines.next(), lines.next()) else {
            return false;
        };
        let known = |host: &str| {
            self.hosts
                .iter()
                .any(|name| name.eq_ignore_ascii_case(host))
        };
        self.rules.host == HostCheck::Ignored || host.to_str().is_ok_and(known)
    }

    /// Whether a request comes from a page of this server, or from none.
    pub fn serves_origin(&self, headers: &HeaderMap) -> bool {
        let mut lines = headers.get_all(ORIGIN).iter().peekable();
        if lines.peek().is_none() {
            return true;
        }
        lines.all(|line| {
            let Ok(origin) = line.to_str() else {
                return self.rules.origin == OriginCheck::Ignored;
            };
            match self.rules.origin {
                OriginCheck::Ignored => true,
                OriginCheck::NullAccepted if origin == "null" => true,
                OriginCheck::Prefix => self
                    .origins
                    .iter()
                    .any(|own| origin.starts_with(own.as_str())),
                _ => self
                    .origins
                    .iter()
                    .any(|own| own.eq_ignore_ascii_case(origin)),
            }
        })
    }
}

/// Refuses requests that are addressed to somebody else, or come from somebody else's page.
pub async fn check(State(names): State<Arc<Names>>, request: Request, next: Next) -> Response {
    if !names.serves_host(request.headers()) {
        return refusal(
            StatusCode::FORBIDDEN,
            "host_not_allowed",
            "This server is not known under the host name of the request.",
        );
    }
    if !names.serves_origin(request.headers()) {
        return refusal(
            StatusCode::FORBIDDEN,
            "origin_not_allowed",
            "Pages of other origins may not call this server.",
        );
    }
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn names() -> Names {
        let resource = Url::parse("https://mcp.example/mcp").unwrap();
        Names::new("127.0.0.1:8080".parse().unwrap(), &resource, Arc::default())
    }

    fn headers(name: http::HeaderName, values: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(&name, HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    #[test]
    fn only_own_hosts_are_served() {
        for host in [
            "127.0.0.1:8080",
            "localhost:8080",
            "LOCALHOST:8080",
            "[::1]:8080",
            "mcp.example",
            "mcp.example:443",
        ] {
            assert!(names().serves_host(&headers(HOST, &[host])), "{host}");
        }
        for hosts in [
            &["evil.example"][..],
            &["localhost"],
            &["127.0.0.1:9"],
            &["mcp.example.evil.example"],
            &[],
            &["localhost:8080", "evil.example"],
        ] {
            assert!(!names().serves_host(&headers(HOST, hosts)), "{hosts:?}");
        }
    }

    #[test]
    fn only_own_origins_are_served_and_none_at_all() {
        for origins in [
            &[][..],
            &["http://localhost:8080"],
            &["https://mcp.example"],
        ] {
            assert!(
                names().serves_origin(&headers(ORIGIN, origins)),
                "{origins:?}"
            );
        }
        for origin in [
            "null",
            "https://evil.example",
            "http://localhost.evil.example",
            "https://mcp.example.evil.example",
            "http://localhost:8080.evil.example",
            "http://mcp.example",
        ] {
            assert!(
                !names().serves_origin(&headers(ORIGIN, &[origin])),
                "{origin}"
            );
        }
    }
}

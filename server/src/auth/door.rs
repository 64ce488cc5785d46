//! The door itself: takes the credential out of a request's headers, has it verified, and lets the caller in or refuses.

use std::sync::{Arc, OnceLock};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::AUTHORIZATION;
use http::{HeaderMap, Uri};

use super::Caller;
use super::challenge::{Cause, refuse, unavailable};
use super::choices::{IdentitySource, MissingToken, SchemeMatch, SeveralTokens, TokenPlace};
use super::key_cache::RETRY_AFTER;
use super::rules::DoorRules;
use super::verify::{Refusal, Verifier, key_id_as_sent};
use crate::clock::Clock;

/// Everything the door needs.
pub struct Door {
    /// The address of the protected resource metadata, for the challenge.
    pub metadata: String,
    /// Checks tokens.
    pub verifier: Verifier,
    /// Tells the time that tokens are judged by.
    pub clock: Clock,
    /// How each check is done.
    pub rules: Arc<DoorRules>,
    /// Who came first; used only by the defect that never looks again.
    pub first: OnceLock<Caller>,
}

/// Lets a request with an acceptable token pass, with its [`Caller`] among the request's extensions, and refuses every other one
/// before its body is read.
pub async fn guard(State(door): State<Arc<Door>>, mut request: Request, next: Next) -> Response {
    match door.admit(request.headers(), request.uri()).await {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(refusal) => *refusal,
    }
}

impl Door {
    async fn admit(&self, headers: &HeaderMap, uri: &Uri) -> Result<Caller, Box<Response>> {
        let refused = |cause, echo: Option<&str>| {
            Box::new(refuse(cause, &self.metadata, &self.rules, headers, echo))
        };
        let token = match self.credential(headers, uri) {
            Ok(token) => token,
            Err(Cause::Missing) if self.rules.missing_token == MissingToken::Anonymous => {
                return Ok(Caller {
                    subject: Caller::ANONYMOUS.to_owned(),
                    client_id: None,
                    scopes: Vec::new(),
                    scope_given: false,
                    organization: None,
                });
            }
            Err(cause) => return Err(refused(cause, None)),
        };
        let now = self.clock.now().await.map_err(|error| {
            tracing::error!(%error, "the time cannot be told");
            Box::new(unavailable(RETRY_AFTER.as_secs()))
        })?;
        match self.verifier.verify(&token, now).await {
            Ok(caller) => Ok(self.identify(caller, headers)),
            Err(Refusal::Keys(_)) => Err(Box::new(unavailable(RETRY_AFTER.as_secs()))),
            Err(Refusal::Invalid(reason)) => {
                tracing::debug!(%reason, "token refused");
                Err(refused(
                    Cause::InvalidToken,
                    key_id_as_sent(&token).as_deref(),
                ))
            }
        }
    }

    /// The one token of a request.
    fn credential(&self, headers: &HeaderMap, uri: &Uri) -> Result<String, Cause> {
        let lines: Vec<_> = headers.get_all(AUTHORIZATION).iter().collect();
        let in_query = url::form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes())
            .find(|(name, _)| name == "access_token")
            .map(|(_, value)| value.into_owned());
        let line = match (lines.as_slice(), self.rules.several_tokens) {
            ([], _) => {
                return match (in_query, self.rules.token_place) {
                    (Some(token), TokenPlace::HeaderOrQuery) => Ok(token),
                    _ => Err(Cause::Missing),
                };
            }
            ([line], _) => line,
            ([first, ..], SeveralTokens::FirstTaken) => first,
            ([.., last], SeveralTokens::LastTaken) => last,
            _ => return Err(Cause::InvalidRequest),
        };
        if in_query.is_some() && self.rules.several_tokens == SeveralTokens::Refused {
            return Err(Cause::InvalidRequest);
        }
        let line = line.to_str().map_err(|_| Cause::InvalidToken)?;
        let (scheme, token) = line.split_once(' ').unwrap_or((line, ""));
        let accepted = match self.rules.scheme {
            SchemeMatch::AnyCase => scheme.eq_ignore_ascii_case("bearer"),
            SchemeMatch::ExactCase => scheme == "Bearer",
            SchemeMatch::AnyScheme => true,
        };
        let token = token.trim_matches(' ');
        match (accepted, token) {
            // Another scheme is no token at all; a bearer line without a usable token is a bad one.
            (false, _) => Err(Cause::Missing),
            (true, token) if !token.is_empty() && token.bytes().all(is_token_byte) => {
                Ok(token.to_owned())
            }
            (true, _) => Err(Cause::InvalidToken),
        }
    }

    fn identify(&self, caller: Caller, headers: &HeaderMap) -> Caller {
        match self.rules.identity {
            IdentitySource::Token => caller,
            IdentitySource::Header => match headers
                .get("x-user-id")
                .and_then(|value| value.to_str().ok())
            {
                Some(name) => Caller {
                    subject: name.to_owned(),
                    ..caller
                },
                None => caller,
            },
            IdentitySource::FirstToken => self.first.get_or_init(|| caller).clone(),
        }
    }
}

/// The characters of a bearer token (RFC 6750, `b64token`).
fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte)
}

//! A request before its message is read: token, limit, organisation, workspace selectors. What follows only sees a visit.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{AUTHORIZATION, COOKIE};
use http::{HeaderMap, StatusCode, Uri};
use jiff::Timestamp;

use crate::auth::{Caller, Refusal, Verifier};
use crate::clock::Clock;
use crate::providers::{Member, MemberDirectory, Workspace};

use super::decision::{Known, Selectors, Standing};
use super::refusals::Refuser;
use super::rules::{
    ForeignSelector, KobanaRules, MissingOrganization, RateLimit, TokensElsewhere,
    UnknownOrganization,
};
use super::scope::Scope;

/// How long one window of the limit lasts, in seconds.
const WINDOW: i64 = 60;
/// Most people whose requests are counted at once.
const COUNTED: usize = 65_536;
/// How long somebody is told to wait for the authorization server, in seconds.
const OUTAGE_WAIT: i64 = 5;
/// Names under which a token is looked for in the query of an address.
const TOKEN_NAMES: [&str; 8] = [
    "access_token",
    "token",
    "bearer_token",
    "auth_token",
    "id_token",
    "api_key",
    "apikey",
    "authorization",
];

/// Who is asking and where: decided once for each request.
#[derive(Debug, Clone)]
pub(super) struct Visit {
    /// Token and person.
    pub standing: Standing,
    /// The workspaces that the request names beside its message.
    pub selectors: Selectors,
}

impl Visit {
    /// The organisation and the person in it, where there is one.
    pub(super) fn member(&self) -> Option<(&Known, &Member)> {
        let known = self.standing.known.as_ref()?;
        Some((known, known.member.as_ref()?))
    }
}

/// Everything that is asked before a message is read.
pub(super) struct Reception {
    /// Checks tokens.
    pub verifier: Verifier,
    /// The time.
    pub clock: Clock,
    /// Who belongs where.
    pub directory: MemberDirectory,
    /// How refusals look.
    pub refuser: Refuser,
    /// The choices.
    pub rules: Arc<KobanaRules>,
    /// How many requests each person made in which window.
    pub counts: Mutex<HashMap<(String, String), (i64, u32)>>,
    /// The organisation of the first token; used only by the defect that falls back to it.
    pub first: OnceLock<String>,
}

/// Lets a request in, with its [`Visit`] among its extensions, or refuses it before its body is read.
pub(super) async fn receive(
    State(reception): State<Arc<Reception>>,
    mut request: Request,
    next: Next,
) -> Response {
    match reception.admit(request.headers(), request.uri()).await {
        Ok(visit) => {
            request.extensions_mut().insert(visit);
            next.run(request).await
        }
        Err(refusal) => *refusal,
    }
}

impl Reception {
    async fn admit(&self, headers: &HeaderMap, uri: &Uri) -> Result<Visit, Box<Response>> {
        let unauthorized = |sent| Box::new(self.refuser.unauthorized(sent, headers));
        let token = self.credential(headers, uri).map_err(unauthorized)?;
        let now = self.clock.now().await.map_err(|error| {
            tracing::error!(%error, "the time cannot be told");
            Box::new(self.refuser.unavailable(OUTAGE_WAIT, headers))
        })?;
        let caller = self
            .verifier
            .verify(&token, now)
            .await
            .map_err(|refusal| match refusal {
                Refusal::Keys(_) => Box::new(self.refuser.unavailable(OUTAGE_WAIT, headers)),
                Refusal::Invalid(reason) => {
                    tracing::debug!(%reason, "token refused");
                    unauthorized(true)
                }
            })?;
        let organization = match (&caller.organization, self.rules.front.missing_organization) {
            (Some(organization), _) => self.first.get_or_init(|| organization.clone()).clone(),
            (None, MissingOrganization::FirstSeen) => self
                .first
                .get()
                .cloned()
                .ok_or_else(|| unauthorized(true))?,
            (None, MissingOrganization::Refused) => return Err(unauthorized(true)),
        };
        let organization = caller.organization.clone().unwrap_or(organization);
        self.count(&organization, &caller.subject, now, headers)?;
        let known = self.known(&organization, &caller, headers).await?;
        let selectors = match &known {
            Some(known) => self.selectors(&known.organization.workspaces, headers, uri)?,
            None => Selectors::default(),
        };
        Ok(Visit {
            standing: Standing {
                scope: Scope::read(&caller.scopes, caller.scope_given, &self.rules.scope),
                known,
            },
            selectors,
        })
    }

    /// The one token of a request; otherwise whether one was sent at all.
    fn credential(&self, headers: &HeaderMap, uri: &Uri) -> Result<String, bool> {
        let elsewhere = self.rules.front.elsewhere;
        let in_address = url::form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes())
            .any(|(name, _)| match elsewhere {
                TokensElsewhere::CaseSensitive => TOKEN_NAMES.contains(&name.as_ref()),
                TokensElsewhere::IgnoredBesideHeader => false,
                _ => TOKEN_NAMES
                    .iter()
                    .any(|known| known.eq_ignore_ascii_case(&name)),
            });
        if in_address {
            return Err(true);
        }
        let mut lines = headers.get_all(AUTHORIZATION).iter();
        let line = match (lines.next(), lines.next()) {
            (Some(line), None) => line,
            (None, _) if elsewhere == TokensElsewhere::CookieAccepted => {
                return cookie(headers).ok_or(false);
            }
            (None, _) => return Err(false),
            (Some(_), Some(_)) => return Err(true),
        };
        let (scheme, token) = line
            .to_str()
            .ok()
            .and_then(|line| line.split_once(' '))
            .ok_or(true)?;
        let token = token.trim_matches(' ');
        if scheme.eq_ignore_ascii_case("bearer") && !token.is_empty() {
            Ok(token.to_owned())
        } else {
            Err(true)
        }
    }

    /// Counts a request; beyond the limit of a minute it is refused with the seconds until the next.
    fn count(
        &self,
        organization: &str,
        subject: &str,
        now: Timestamp,
        headers: &HeaderMap,
    ) -> Result<(), Box<Response>> {
        let (window, since) = (now.as_second() / WINDOW, now.as_second() % WINDOW);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() >= COUNTED {
            // Whoever is counted in an earlier window counts for nothing any more; a crowd in this one begins anew.
            counts.retain(|_, (counted, _)| *counted == window);
            if counts.len() >= COUNTED {
                counts.clear();
            }
        }
        let entry = counts
            .entry((organization.to_owned(), subject.to_owned()))
            .or_insert((window, 0));
        if entry.0 != window {
            *entry = (window, 0);
        }
        entry.1 = entry.1.saturating_add(1);
        if entry.1 <= self.rules.front.requests_per_minute
            || self.rules.front.limit == RateLimit::Absent
        {
            return Ok(());
        }
        Err(Box::new(self.refuser.too_many(WINDOW - since, headers)))
    }

    /// What the directory says; nothing when it cannot be asked, which refuses every tool later.
    async fn known(
        &self,
        organization: &str,
        caller: &Caller,
        headers: &HeaderMap,
    ) -> Result<Option<Known>, Box<Response>> {
        match self.directory.lookup(organization, &caller.subject).await {
            Ok(Some(membership)) => Ok(Some(Known {
                organization: membership.organization,
                member: membership.member,
            })),
            Ok(None) => match self.rules.front.organization {
                UnknownOrganization::Forbidden => Err(Box::new(self.refuser.refuse(
                    StatusCode::FORBIDDEN,
                    "UNKNOWN_ORGANIZATION",
                    "The organisation of the token is no customer.",
                    headers,
                ))),
                UnknownOrganization::Unauthorized => {
                    Err(Box::new(self.refuser.unauthorized(true, headers)))
                }
                UnknownOrganization::Allowed => Ok(None),
            },
            Err(error) => {
                tracing::warn!(%error, "the member directory gave no usable answer");
                Ok(None)
            }
        }
    }

    /// The workspaces that header and address name. Each must be one of the organisation's.
    fn selectors(
        &self,
        workspaces: &[Workspace],
        headers: &HeaderMap,
        uri: &Uri,
    ) -> Result<Selectors, Box<Response>> {
        let foreign = self.rules.workspace.foreign;
        let refused = || {
            Box::new(self.refuser.refuse(
                StatusCode::FORBIDDEN,
                "UNKNOWN_WORKSPACE",
                "The workspace that the request names is not one of the organisation.",
                headers,
            ))
        };
        let one = |values: Vec<Option<String>>, checked: bool| {
            let mut chosen: Option<String> = None;
            for value in values {
                let value = value.map(|value| value.to_ascii_lowercase());
                let well_formed = value.as_deref().is_some_and(|value| value.len() == 36);
                if foreign == ForeignSelector::MalformedIgnored && !well_formed {
                    continue;
                }
                let own = value.filter(|value| workspaces.iter().any(|own| own.id == *value));
                match own {
                    Some(own) if chosen.as_ref().is_none_or(|chosen| *chosen == own) => {
                        chosen = Some(own);
                    }
                    _ if !checked || foreign == ForeignSelector::Ignored => {}
                    _ => return Err(refused()),
                }
            }
            Ok(chosen)
        };
        let in_header = headers
            .get_all("x-workspace-id")
            .iter()
            .map(|value| value.to_str().ok().map(str::to_owned))
            .collect();
        let in_address = url::form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes())
            .filter(|(name, _)| name == "workspace_id")
            .map(|(_, value)| Some(value.into_owned()))
            .collect();
        Ok(Selectors {
            header: one(in_header, true)?,
            address: one(in_address, foreign != ForeignSelector::AddressUnchecked)?,
        })
    }
}

/// A token among the cookies, for the defect that takes it from there.
fn cookie(headers: &HeaderMap) -> Option<String> {
    let lines = headers.get_all(COOKIE).iter();
    lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| matches!(*name, "access_token" | "token" | "session"))
        .map(|(_, value)| value.to_owned())
}

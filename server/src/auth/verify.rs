//! From a token's text to a caller: signature, type, issuer, audience, times and subject, each by one rule.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::Caller;
use super::choices::{
    AlgorithmCheck, AudienceCheck, ConfirmationCheck, CriticalHeader, ExpiryCheck, IssuerCheck,
    KeyOutage, KeyStrength, SignatureCheck, SubjectCheck, TimeCheck, TypeCheck,
};
use super::key_cache::{CachedKeys, KeysUnobtainable};
use super::keys::PublishedKey;
use super::rules::DoorRules;
use super::token::{Invalid, UnverifiedToken};

/// Longest subject or client name that is accepted, in bytes.
const NAME_LIMIT: usize = 255;

/// Why a token was not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The token is at fault.
    #[error("invalid token: {0}")]
    Invalid(#[from] Invalid),
    /// The keys to judge it cannot be had.
    #[error(transparent)]
    Keys(#[from] KeysUnobtainable),
}

/// What tokens are checked against.
pub struct Verifier {
    /// The one issuer.
    pub issuer: String,
    /// The resource that tokens must be for.
    pub audience: String,
    /// The algorithms that tokens may be signed with.
    pub algorithms: &'static [&'static str],
    /// The issuer's keys.
    pub keys: CachedKeys,
    /// How each check is done.
    pub rules: Arc<DoorRules>,
}

impl Verifier {
    /// The caller behind `text`, as of `now`.
    ///
    /// # Errors
    /// When the token fails any check, or the keys it needs cannot be had.
    pub async fn verify(&self, text: &str, now: Timestamp) -> Result<Caller, Refusal> {
        let token = UnverifiedToken::parse(text, &self.rules)?;
        self.check_header(&token.header)?;
        self.check_signature(&token, now).await?;
        let claims = &token.claims;
        self.check_issuer(claims)?;
        self.check_audience(claims)?;
        self.check_times(claims, now)?;
        if claims.contains_key("cnf") && self.rules.confirmation == ConfirmationCheck::Refused {
            return Err(Invalid("bound to a key of its sender").into());
        }
        self.caller(claims).map_err(Refusal::from)
    }

    fn check_header(&self, header: &Map<String, Value>) -> Result<(), Invalid> {
        let media_type = header
            .get("typ")
            .map(|value| value.as_str().map(str::to_ascii_lowercase));
        let accepted = match (self.rules.token_type, media_type) {
            (TypeCheck::Ignored, _) => true,
            (TypeCheck::AccessToken, None) => true,
            (TypeCheck::AccessToken, Some(Some(name))) => {
                matches!(name.as_str(), "jwt" | "at+jwt" | "application/at+jwt")
            }
            (TypeCheck::AccessTokenOnly, Some(Some(name))) => {
                matches!(name.as_str(), "at+jwt" | "application/at+jwt")
            }
            _ => false,
        };
        if !accepted {
            return Err(Invalid("typ is not an access token's"));
        }
        if self.rules.critical_header == CriticalHeader::Refused
            && ["crit", "b64", "zip"]
                .iter()
                .any(|name| header.contains_key(*name))
        {
            return Err(Invalid("an extension that is not understood"));
        }
        Ok(())
    }

    async fn check_signature(
        &self,
        token: &UnverifiedToken<'_>,
        now: Timestamp,
    ) -> Result<(), Refusal> {
        let algorithm = token.algorithm()?;
        let unsigned = algorithm.trim().eq_ignore_ascii_case("none");
        let embedded = token.header.get("jwk").and_then(Value::as_object);
        match (self.rules.signature, embedded) {
            (SignatureCheck::Ignored, _) => return Ok(()),
            (SignatureCheck::NoneAccepted, _) if unsigned => return Ok(()),
            (SignatureCheck::EmbeddedKey, Some(entry)) => {
                let key = PublishedKey::read(entry, KeyStrength::Any)
                    .ok_or(Invalid("no usable key in the token"))?;
                let verified =
                    key.verifies(algorithm, token.signed, &token.signature, &self.rules)?;
                return if verified {
                    Ok(())
                } else {
                    Err(Invalid("the signature is not by the key").into())
                };
            }
            _ => {}
        }
        // Before any key is asked for: garbage must not cost a fetch.
        let listed =
            self.algorithms.contains(&algorithm) || self.rules.algorithm != AlgorithmCheck::Pinned;
        if !listed || unsigned {
            return Err(Invalid("an algorithm that is not accepted").into());
        }
        let id = token.key_id()?;
        let keys = match self.keys.for_token(id, now).await {
            Ok(keys) => keys,
            Err(KeysUnobtainable) => {
                return match self.rules.key_outage {
                    KeyOutage::Unavailable => Err(KeysUnobtainable.into()),
                    KeyOutage::Unauthorized => Err(Invalid("no keys").into()),
                    KeyOutage::Accepted => Ok(()),
                };
            }
        };
        let candidates: Vec<&PublishedKey> = match self.rules.signature {
            SignatureCheck::AnyPublishedKey => keys.all().collect(),
            _ => keys.named(id).collect(),
        };
        let mut refusal = Invalid("no published key of that name");
        for key in candidates {
            match key.verifies(algorithm, token.signed, &token.signature, &self.rules) {
                Ok(true) => return Ok(()),
                Ok(false) => refusal = Invalid("the signature is not by the key"),
                Err(error) => refusal = error,
            }
        }
        Err(refusal.into())
    }

    fn check_issuer(&self, claims: &Map<String, Value>) -> Result<(), Invalid> {
        let named = claims.get("iss").and_then(Value::as_str);
        let accepted = match (self.rules.issuer, named) {
            (IssuerCheck::Ignored, _) => true,
            (IssuerCheck::AbsentAccepted, None) => !claims.contains_key("iss"),
            (_, None) => false,
            (IssuerCheck::Exact | IssuerCheck::AbsentAccepted, Some(name)) => name == self.issuer,
            (IssuerCheck::SlashIgnored, Some(name)) => {
                name.trim_end_matches('/') == self.issuer.trim_end_matches('/')
            }
            (IssuerCheck::CaseIgnored, Some(name)) => name.eq_ignore_ascii_case(&self.issuer),
            (IssuerCheck::Prefix, Some(name)) => name.starts_with(&self.issuer),
        };
        if accepted {
            Ok(())
        } else {
            Err(Invalid("another issuer"))
        }
    }

    fn check_audience(&self, claims: &Map<String, Value>) -> Result<(), Invalid> {
        let fits = |name: &str| match self.rules.audience {
            AudienceCheck::Prefix => name.starts_with(&self.audience),
            AudienceCheck::Substring => name.contains(&self.audience),
            AudienceCheck::Origin => name.starts_with(origin(&self.audience)),
            _ => name == self.audience,
        };
        let accepted = match (self.rules.audience, claims.get("aud")) {
            (AudienceCheck::Ignored, _) => true,
            (AudienceCheck::AbsentAccepted, None) => true,
            (_, Some(Value::String(name))) => fits(name),
            (AudienceCheck::FirstElement, Some(Value::Array(names))) => {
                names.first().and_then(Value::as_str).is_some_and(fits)
            }
            (_, Some(Value::Array(names))) => {
                names.iter().all(Value::is_string)
                    && names.iter().filter_map(Value::as_str).any(fits)
            }
            _ => false,
        };
        if accepted {
            Ok(())
        } else {
            Err(Invalid("another audience"))
        }
    }

    fn check_times(&self, claims: &Map<String, Value>, now: Timestamp) -> Result<(), Invalid> {
        let now = now.as_duration().as_secs_f64();
        let leeway = f64::from(self.rules.leeway_seconds);
        let time = |name: &str| match claims.get(name) {
            None => Ok(None),
            Some(value) => value
                .as_f64()
                .filter(|seconds| seconds.is_finite())
                .map(Some)
                .ok_or(Invalid("a time that is no number")),
        };
        match self.rules.expiry {
            ExpiryCheck::Ignored => {}
            check => match time("exp")? {
                Some(expiry) if expiry + leeway <= now => return Err(Invalid("expired")),
                None if check == ExpiryCheck::Checked => return Err(Invalid("no exp")),
                _ => {}
            },
        }
        for (name, check, problem) in [
            ("nbf", self.rules.not_before, "not valid yet"),
            ("iat", self.rules.issued_at, "issued in the future"),
        ] {
            if check == TimeCheck::Checked && time(name)?.is_some_and(|start| start > now + leeway)
            {
                return Err(Invalid(problem));
            }
        }
        Ok(())
    }

    fn caller(&self, claims: &Map<String, Value>) -> Result<Caller, Invalid> {
        let subject = match claims.get("sub") {
            Some(Value::String(name)) if !name.is_empty() && name.len() <= NAME_LIMIT => {
                name.clone()
            }
            None if self.rules.subject == SubjectCheck::AbsentAccepted => {
                Caller::ANONYMOUS.to_owned()
            }
            _ => return Err(Invalid("sub is no short string")),
        };
        let client_id = ["client_id", "azp"]
            .iter()
            .find_map(|name| claims.get(*name)?.as_str())
            .filter(|name| !name.is_empty() && name.len() <= NAME_LIMIT)
            .map(str::to_owned);
        let scopes = match claims.get("scope").or_else(|| claims.get("scp")) {
            Some(Value::String(text)) => text
                .split(' ')
                .filter(|scope| !scope.is_empty())
                .map(str::to_owned)
                .collect(),
            Some(Value::Array(list)) => list
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            _ => Vec::new(),
        };
        let organization = claims
            .get("org")
            .and_then(Value::as_str)
            .filter(|name| !name.is_empty() && name.len() <= NAME_LIMIT)
            .map(str::to_owned);
        Ok(Caller {
            subject,
            client_id,
            scopes,
            scope_given: claims.contains_key("scope") || claims.contains_key("scp"),
            organization,
        })
    }
}

/// The scheme and authority at the beginning of an address.
fn origin(address: &str) -> &str {
    let authority = address.find("://").map_or(0, |at| at + 3);
    address[authority..]
        .find('/')
        .map_or(address, |path| &address[..authority + path])
}

/// The `kid` of a token as sent, for the one defect that shows it.
pub fn key_id_as_sent(text: &str) -> Option<String> {
    let header = URL_SAFE_NO_PAD.decode(text.split('.').next()?).ok()?;
    Some(
        serde_json::from_slice::<Value>(&header)
            .ok()?
            .get("kid")?
            .as_str()?
            .to_owned(),
    )
}

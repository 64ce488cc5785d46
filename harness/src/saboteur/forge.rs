//! Issues tokens that the healthy server accepts, so that a proxy can play a server that checks too little.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Map, Value};

use super::WireFault;
use crate::mocks::{Mocks, TokenRecipe, User, token::Alteration};

/// The person that a server without a door would take a stranger for.
const ENTITLED: &str = "saboteur-entitled";

/// Claims of a good token; one that the forged token lacks is left out of the mended one too.
const GOOD_CLAIMS: [&str; 7] = ["iss", "exp", "iat", "sub", "client_id", "jti", "scope"];

/// Mints through the mock authorization server that the healthy server trusts.
#[derive(Debug, Clone)]
pub struct Forge {
    mocks: Mocks,
    resource: String,
}

impl Forge {
    /// A forge for tokens whose audience is `resource`.
    #[must_use]
    pub fn new(mocks: Mocks, resource: String) -> Self {
        Self { mocks, resource }
    }

    /// A good token of somebody who is entitled, or none if the mocks do not answer.
    pub async fn entitled(&self) -> Option<String> {
        let user = User::new(ENTITLED, "Entitled");
        self.mocks.set_user(&user).await.ok()?;
        self.mint(&TokenRecipe::good(ENTITLED, &self.resource))
            .await
    }

    /// The same token without the one defect that `fault` overlooks; none if the token does not have it.
    pub async fn mend(&self, token: &str, fault: WireFault) -> Option<String> {
        let mut claims = claims_of(token)?;
        match fault {
            WireFault::AnyAudience => {
                let good = Value::String(self.resource.clone());
                (claims.get("aud") != Some(&good)).then_some(())?;
                claims.insert("aud".to_owned(), good);
            }
            WireFault::AnyIssuer => {
                let issuer = self.mocks.addresses().issuer_text();
                let good = Value::String(issuer.to_owned());
                (claims.get("iss") != Some(&good)).then_some(())?;
                claims.insert("iss".to_owned(), good);
            }
            WireFault::ExpiryIgnored => {
                let now = self.mocks.now().await.ok()?.as_second();
                (claims.get("exp")?.as_i64()? < now).then_some(())?;
                claims.insert("exp".to_owned(), Value::from(now + 300));
            }
            WireFault::SignatureIgnored => {}
            _ => return None,
        }
        self.mint(&recipe_from(&claims)?).await
    }

    /// Sends the client's token to a provider, as a server does that uses one client for all it calls.
    pub async fn pass_on(&self, token: &str) -> bool {
        let Ok(client) = crate::crypto::http_client().build() else {
            return false;
        };
        let provider = self.mocks.addresses().yahoo.clone();
        client.get(provider).bearer_auth(token).send().await.is_ok()
    }

    async fn mint(&self, recipe: &TokenRecipe) -> Option<String> {
        let token = self.mocks.mint(recipe).await.ok()?;
        Some(token.expose().to_owned())
    }
}

/// Fetches the addresses that a token's header names (`jku`, `x5u`), as a server does that looks for keys there.
pub async fn fetch_named_in(token: &str) -> bool {
    let header = token
        .split('.')
        .next()
        .and_then(|header| URL_SAFE_NO_PAD.decode(header).ok())
        .and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok())
        .unwrap_or_default();
    let Ok(client) = crate::crypto::http_client().build() else {
        return false;
    };
    let mut fetched = false;
    for name in ["jku", "x5u"] {
        if let Some(address) = header.get(name).and_then(Value::as_str) {
            fetched |= client.get(address).send().await.is_ok();
        }
    }
    fetched
}

/// The claims that a token shows, whoever signed it.
fn claims_of(token: &str) -> Option<Map<String, Value>> {
    let payload = token.split('.').nth(1)?;
    let bytes = URL_SAFE_NO_PAD.decode(payload).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// A recipe that signs exactly these claims.
fn recipe_from(claims: &Map<String, Value>) -> Option<TokenRecipe> {
    let subject = claims
        .get("sub")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let mut recipe = TokenRecipe::good(subject, "");
    for name in GOOD_CLAIMS.iter().chain(&["aud"]) {
        if !claims.contains_key(*name) {
            recipe = recipe.altered(Alteration::RemoveClaim {
                name: (*name).to_owned(),
            });
        }
    }
    for (name, value) in claims {
        recipe = recipe.altered(Alteration::SetClaim {
            name: name.clone(),
            json: value.to_string(),
        });
    }
    Some(recipe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn claims_are_read_whoever_signed() {
        let payload = URL_SAFE_NO_PAD.encode(json!({"sub": "ada", "exp": 1}).to_string());
        let claims = claims_of(&format!("e30.{payload}.")).unwrap();
        assert_eq!(claims["sub"], json!("ada"));
    }

    #[test]
    fn a_missing_claim_stays_missing() {
        let claims = json!({"sub": "ada"}).as_object().unwrap().clone();
        let recipe = recipe_from(&claims).unwrap();
        assert!(recipe.alterations.contains(&Alteration::RemoveClaim {
            name: "exp".to_owned()
        }));
    }

    #[test]
    fn a_value_that_is_no_token_has_no_claims() {
        assert!(claims_of("not-a-token").is_none());
    }
}

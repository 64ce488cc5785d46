//! The authorization server's metadata: RFC 8414, and the same document under the OpenID well-known name.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

/// Path of the RFC 8414 form.
pub const OAUTH_PATH: &str = "/.well-known/oauth-authorization-server";

/// Path of the OpenID form.
pub const OPENID_PATH: &str = "/.well-known/openid-configuration";

/// Path of the key set.
pub const KEYS_PATH: &str = "/jwks";

/// Members that a command changed: another value, or none to leave the member out.
#[derive(Debug, Default)]
pub struct Amendments(Mutex<BTreeMap<String, Option<Value>>>);

impl Amendments {
    /// Gives the member `name` another value, or leaves it out where there is none.
    pub fn set(&self, name: String, value: Option<Value>) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(name, value);
    }

    /// Serves the true document again.
    pub fn clear(&self) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }

    /// The document of `issuer` (without a slash at its end), with the changes made to it.
    #[must_use]
    pub fn document(&self, issuer: &str) -> Value {
        let mut document = document(issuer);
        let amendments = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(members) = document.as_object_mut() {
            for (name, value) in &*amendments {
                match value {
                    Some(value) => members.insert(name.clone(), value.clone()),
                    None => members.remove(name),
                };
            }
        }
        document
    }
}

fn document(issuer: &str) -> Value {
    json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "registration_endpoint": format!("{issuer}/register"),
        "jwks_uri": format!("{issuer}{KEYS_PATH}"),
        "scopes_supported": ["openid", "profile", "email", "offline_access"],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
        "client_id_metadata_document_supported": true,
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amendments_change_add_and_remove_members() {
        let amendments = Amendments::default();
        amendments.set("issuer".to_owned(), Some(json!("https://evil.example")));
        amendments.set("code_challenge_methods_supported".to_owned(), None);
        let document = amendments.document("http://127.0.0.1:1");
        assert_eq!(document["issuer"], "https://evil.example");
        assert!(document.get("code_challenge_methods_supported").is_none());
        amendments.clear();
        assert_eq!(
            amendments.document("http://127.0.0.1:1")["issuer"],
            "http://127.0.0.1:1"
        );
    }
}

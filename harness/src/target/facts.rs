//! Facts that a target declares about itself, where the texts allow more than one right answer.
//!
//! A fact decides which requirements apply. Where it is not declared and two answers are lawful, a breach warns and names
//! the fact instead of failing the run.

use serde::{Deserialize, Serialize};

use crate::catalogue::{Profile, Requirement};

use super::Access;

/// How a server knows its callers. Authorization is optional in MCP, so a server may have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Authorization {
    /// Tokens of an authorization server, by the authorization chapter of MCP.
    Oauth,
    /// Keys that somebody hands out; OAuth is not claimed.
    StaticKey,
    /// Everybody may ask.
    None,
}

/// An optional part of MCP that a server may leave out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Documents to read.
    Resources,
    /// Texts to begin a conversation with.
    Prompts,
    /// Results whose schema a tool declares.
    StructuredResults,
    /// A tool that says who is asking.
    Identity,
}

/// What a target declares.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// How it knows its callers.
    pub authorization: Option<Authorization>,
    /// The optional parts of MCP that it leaves out.
    pub without: Vec<Part>,
}

/// What a fact means for one requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bearing {
    /// It applies.
    Applies,
    /// The target declared that it does not offer this; the text says so.
    NotOffered(String),
    /// It may apply or not, and nobody said which; the text names the fact.
    Undeclared(String),
}

/// Requirements that hold only where callers have tokens of an authorization server.
const OAUTH: [&str; 8] = [
    "AUTH-", "PRM-", "ASM-", "JWKS-", "AUD-", "SCOPE-", "TOKEN-", "SEC-009",
];
/// The one of them that every guarded server keeps: who shows nothing is refused with 401.
const ANY_GUARD: &str = "AUTH-CHALLENGE-001";

impl Facts {
    /// What the facts mean for a requirement. A target that trusts our own authorization server claims OAuth by that.
    #[must_use]
    pub fn bearing(&self, requirement: &Requirement, access: Access) -> Bearing {
        if requirement.profile != Profile::Core {
            return Bearing::Applies;
        }
        let id = requirement.id.as_str();
        let identity = "tool that says who is asking";
        for (part, prefix, name) in [
            (Part::Resources, "RES-", "resources"),
            (Part::Prompts, "PROMPT-", "prompts"),
            (Part::StructuredResults, "TOOL-004", "structured results"),
            (Part::Identity, "AUTH-BEARER-010", identity),
            (Part::Identity, "TOKEN-CLAIM-005", identity),
            // It asks for every list with the same bad tokens.
            (Part::Resources, "SEC-009", "resources"),
            (Part::Prompts, "SEC-009", "prompts"),
        ] {
            if self.without.contains(&part) && id.starts_with(prefix) {
                return Bearing::NotOffered(format!("the target declares that it has no {name}"));
            }
        }
        if !OAUTH.iter().any(|prefix| id.starts_with(prefix)) {
            return Bearing::Applies;
        }
        match self.authorization {
            Some(Authorization::Oauth) => Bearing::Applies,
            None if access >= Access::MockAs => Bearing::Applies,
            Some(Authorization::StaticKey) if id == ANY_GUARD => Bearing::Applies,
            Some(Authorization::StaticKey) => Bearing::NotOffered(
                "the target declares static keys, so nothing of OAuth applies".to_owned(),
            ),
            Some(Authorization::None) => {
                Bearing::NotOffered("the target declares that everybody may ask".to_owned())
            }
            None => Bearing::Undeclared(
                "authorization is optional in MCP and nobody said whether this target claims it; declare `authorization` under [target] in proofmark.toml: \"oauth\", \"static-key\" or \"none\"".to_owned(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{catalogue::Catalogue, catalogue::tests::row, embedded::Document};

    fn bearing(facts: &Facts, id: &str, access: Access) -> Bearing {
        let text = row(id, "MUST", "").replace("\"worthbase\"", "\"core\"");
        let catalogue = Catalogue::read(&[Document::new("a.toml", &text)], &[], &[]).unwrap();
        facts.bearing(&catalogue.requirements[id], access)
    }

    #[test]
    fn nothing_of_oauth_is_asked_of_a_server_that_declares_other_ways() {
        let facts = |authorization| Facts {
            authorization: Some(authorization),
            ..Facts::default()
        };
        let url = Access::Url;
        for id in ["PRM-001", "TOKEN-EXP-001", "AUTH-CHALLENGE-002"] {
            for other in [Authorization::None, Authorization::StaticKey] {
                assert!(matches!(
                    bearing(&facts(other), id, url),
                    Bearing::NotOffered(_)
                ));
            }
            assert_eq!(
                bearing(&facts(Authorization::Oauth), id, url),
                Bearing::Applies
            );
        }
        let keys = facts(Authorization::StaticKey);
        assert_eq!(bearing(&keys, ANY_GUARD, url), Bearing::Applies);
        assert_eq!(bearing(&keys, "PROTO-001", url), Bearing::Applies);
    }

    #[test]
    fn an_undeclared_fact_is_named_unless_the_target_trusts_our_authorization_server() {
        let silent = Facts::default();
        let Bearing::Undeclared(reason) = bearing(&silent, "PRM-001", Access::Token) else {
            panic!("two answers are lawful");
        };
        assert!(reason.contains("`authorization`"), "{reason}");
        assert_eq!(
            bearing(&silent, "PRM-001", Access::MockAs),
            Bearing::Applies
        );
    }

    #[test]
    fn parts_that_are_left_out_are_not_judged() {
        let facts = Facts {
            without: vec![Part::Prompts],
            ..Facts::default()
        };
        let url = Access::Url;
        assert!(matches!(
            bearing(&facts, "PROMPT-001", url),
            Bearing::NotOffered(_)
        ));
        assert_eq!(bearing(&facts, "RES-001", url), Bearing::Applies);
    }
}

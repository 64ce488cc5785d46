//! The member directory: `GET /organizations/{org}/members/{sub}`, in the shape of `fixtures/contracts/member.schema.json`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::mocks::answer::{Answer, Question};
use crate::mocks::breakage::Breakage;

/// How a person belongs to an organisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MembershipState {
    /// May work.
    Active,
    /// Shut out for a time.
    Suspended,
    /// Asked to join and has not answered.
    Invited,
    /// Was a member once.
    Removed,
    /// Never entered the product.
    NeverJoined,
}

/// A person within an organisation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// Whether they may work.
    pub state: MembershipState,
    /// What they may do.
    pub permissions: Vec<String>,
    /// Ids of the workspaces they reach.
    pub workspaces: Vec<String>,
}

/// A workspace of an organisation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Workspace {
    /// Its id, a UUID.
    pub id: String,
    /// Its name for people.
    pub name: String,
}

/// Whether sending to the bank through agents is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// Nobody asked for it.
    #[default]
    Closed,
    /// Asked for, not approved.
    Pending,
    /// Approved.
    Open,
}

/// An organisation that is a customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Organization {
    /// Its id, a UUID.
    pub id: String,
    /// Its workspaces.
    pub workspaces: Vec<Workspace>,
    /// `channels.mcp.payables_send`; nothing leaves it unsaid.
    #[serde(default)]
    pub payables_send: Option<Channel>,
}

#[derive(Debug)]
struct Kept {
    organization: Organization,
    members: HashMap<String, Member>,
}

/// The organisations by their id.
#[derive(Debug, Clone, Default)]
pub struct Members(Arc<Mutex<HashMap<String, Kept>>>);

impl Members {
    /// Puts an organisation in, or changes one; its members stay.
    pub fn set_organization(&self, organization: Organization) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match kept.get_mut(&organization.id) {
            Some(known) => known.organization = organization,
            None => {
                let id = organization.id.clone();
                let members = HashMap::new();
                kept.insert(
                    id,
                    Kept {
                        organization,
                        members,
                    },
                );
            }
        }
    }

    /// Puts a person in, changes one, or takes one out; whether there is such an organisation.
    pub fn set_member(&self, organization: &str, subject: &str, member: Option<Member>) -> bool {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(known) = kept.get_mut(organization) else {
            return false;
        };
        match member {
            Some(member) => known.members.insert(subject.to_owned(), member),
            None => known.members.remove(subject),
        };
        true
    }

    /// Whether a question is for this directory.
    #[must_use]
    pub fn is_asked(question: &Question) -> bool {
        question.path.starts_with("/organizations/")
    }

    /// Answers a request.
    #[must_use]
    pub fn answer(&self, question: &Question, breakage: Option<&Breakage>) -> Answer {
        if question.method != "GET" {
            return Answer::json(405, &json!({ "error": "method_not_allowed" }));
        }
        if breakage == Some(&Breakage::Nothing) {
            return Answer::json(200, &json!({}));
        }
        let parts: Vec<&str> = question.path.trim_matches('/').split('/').collect();
        let ["organizations", organization, "members", _] = parts.as_slice() else {
            return Answer::not_found();
        };
        let prefix = format!("/organizations/{organization}/members/");
        let subject = question.segment_after(&prefix);
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (Some(known), Some(subject)) = (kept.get(*organization), subject) else {
            return Answer::not_found();
        };
        let mut shown = json!({
            "id": known.organization.id,
            "workspaces": known.organization.workspaces,
        });
        if let Some(channel) = known.organization.payables_send {
            shown["channels"] = json!({ "mcp": { "payables_send": channel } });
        }
        let member = known.members.get(&subject);
        Answer::json(200, &json!({ "organization": shown, "member": member }))
    }
}

//! Users and subscriptions as the two directories hold them, in the shapes of `fixtures/contracts`.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// What `GET {directory}/users/{sub}` answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct User {
    /// The `sub` of this person's tokens.
    pub sub: String,
    /// Address that invitations go to.
    pub email: String,
    /// Whether the person has shown that the address is theirs.
    pub email_verified: bool,
    /// Name for people to read.
    pub name: String,
}

impl User {
    /// A user with a verified address under `example.com`, made from the name and the subject.
    #[must_use]
    pub fn new(sub: &str, name: &str) -> Self {
        let local: String = name
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_lowercase();
        Self {
            sub: sub.to_owned(),
            email: format!(
                "{local}.{}@example.com",
                sub.to_lowercase()
                    .replace(|c: char| !c.is_ascii_alphanumeric(), "-")
            ),
            email_verified: true,
            name: name.to_owned(),
        }
    }
}

/// How a workspace is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubscriptionStatus {
    /// In its free first weeks; may be used.
    Trialing,
    /// Paid; may be used.
    Active,
    /// A payment is missing; refused.
    PastDue,
    /// Ended by the customer; refused.
    Canceled,
    /// Never paid after the trial; refused.
    Expired,
}

/// What `GET {subscriptions}/workspaces/{id}` answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subscription {
    /// Whether the workspace may be used.
    pub status: SubscriptionStatus,
    /// Last day that is paid for or free; none if it does not end by itself.
    pub ends_on: Option<Date>,
}

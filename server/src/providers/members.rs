//! What a person may do in an organisation: `GET {directory}/organizations/{org}/members/{sub}`, asked at every request.

use std::time::Duration;

use serde::Deserialize;
use url::Url;

use super::ProviderError;

/// Longest answer of the member directory that is read, in bytes.
const ANSWER_LIMIT: usize = 256 * 1024;

/// How a person belongs to an organisation. A word this server does not know opens nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
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
    /// Belongs to the organisation and never entered the product.
    NeverJoined,
    /// Any other word.
    #[serde(other)]
    Unknown,
}

/// A person within an organisation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Member {
    /// Whether they may work.
    pub state: MembershipState,
    /// What they may do: `*`, `family.*` or `family.action`.
    #[serde(default)]
    pub permissions: Vec<String>,
    /// Ids of the workspaces they reach.
    #[serde(default)]
    pub workspaces: Vec<String>,
}

/// A workspace of an organisation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Workspace {
    /// Its id, a UUID.
    pub id: String,
    /// Its name for people.
    pub name: String,
}

/// Whether an action may be done through a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChannelState {
    /// Nobody asked for it, or it was closed.
    #[default]
    Closed,
    /// Asked for and not approved.
    Pending,
    /// Approved.
    Open,
}

/// The actions that agents need a channel for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub struct McpChannels {
    /// Sending payables to the bank.
    #[serde(default)]
    pub payables_send: ChannelState,
}

/// The channels of an organisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub struct Channels {
    /// The one that agents act through.
    #[serde(default)]
    pub mcp: McpChannels,
}

/// An organisation that is a customer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Organization {
    /// Its id, a UUID.
    pub id: String,
    /// Its workspaces, in the order in which they are shown.
    #[serde(default)]
    pub workspaces: Vec<Workspace>,
    /// Its channels; closed where nothing is said.
    #[serde(default)]
    pub channels: Channels,
}

/// An organisation and what one person is in it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Membership {
    /// The organisation.
    pub organization: Organization,
    /// The person; nothing for somebody who is no member.
    pub member: Option<Member>,
}

/// The member directory.
#[derive(Debug, Clone)]
pub struct MemberDirectory {
    base: Url,
    client: reqwest::Client,
    timeout: Duration,
}

impl MemberDirectory {
    /// A directory at `base`, each question bounded by `timeout`.
    pub fn new(base: Url, client: reqwest::Client, timeout: Duration) -> Self {
        Self {
            base,
            client,
            timeout,
        }
    }

    /// What `subject` is in `organization`; nothing when the organisation is no customer (404).
    ///
    /// # Errors
    /// When the directory does not answer in its format and in time, or answers about another organisation.
    pub async fn lookup(
        &self,
        organization: &str,
        subject: &str,
    ) -> Result<Option<Membership>, ProviderError> {
        let url = super::join(
            &self.base,
            &["organizations", organization, "members", subject],
        );
        let body = match super::fetch(&self.client, url, self.timeout, ANSWER_LIMIT).await {
            Err(ProviderError::Status(404)) => return Ok(None),
            answer => answer?,
        };
        let membership: Membership = serde_json::from_slice(&body)
            .map_err(|error| ProviderError::Unreadable(error.to_string()))?;
        if membership.organization.id != organization {
            return Err(ProviderError::Unreadable(
                "the answer is about another organisation".to_owned(),
            ));
        }
        Ok(Some(membership))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_channel_nobody_speaks_of_is_closed_and_an_unknown_state_opens_nothing() {
        let text = r#"{"organization":{"id":"o"},"member":{"state":"on_leave"}}"#;
        let membership: Membership = serde_json::from_str(text).unwrap();
        assert_eq!(
            membership.organization.channels.mcp.payables_send,
            ChannelState::Closed
        );
        assert_eq!(membership.member.unwrap().state, MembershipState::Unknown);
    }
}

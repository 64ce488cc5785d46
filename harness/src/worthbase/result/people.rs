//! Who somebody is, and who belongs to a workspace.

use serde::Deserialize;

use super::Named;

/// `save_workspace`.
#[derive(Debug, Clone, Deserialize)]
pub struct SavedWorkspace {
    /// Id of the workspace.
    pub workspace: String,
    /// Name, as given.
    pub name: String,
    /// ISO 4217.
    pub base_currency: String,
}

/// `whoami`.
#[derive(Debug, Clone, Deserialize)]
pub struct Identity {
    /// The signed-in user.
    pub user: Named,
    /// Where tools act that are called without a workspace.
    pub default_workspace: Option<String>,
    /// The user's workspaces.
    pub workspaces: Vec<OwnWorkspace>,
    /// Invites that wait for the user.
    pub invites: Vec<WaitingInvite>,
}

/// A workspace in `whoami`.
#[derive(Debug, Clone, Deserialize)]
pub struct OwnWorkspace {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// `viewer`, `editor` or `admin`.
    pub role: String,
    /// ISO 4217.
    pub base_currency: String,
    /// Whether it is paid for.
    pub subscription: Subscription,
}

/// State of a subscription.
#[derive(Debug, Clone, Deserialize)]
pub struct Subscription {
    /// `trialing`, `active`, …
    pub status: String,
}

/// An invite as the invited user sees it.
#[derive(Debug, Clone, Deserialize)]
pub struct WaitingInvite {
    /// Id.
    pub id: String,
    /// Name of the workspace.
    pub workspace_name: String,
    /// The role it gives.
    pub role: String,
    /// Who invited.
    pub invited_by: String,
}

/// `members`.
#[derive(Debug, Clone, Deserialize)]
pub struct Membership {
    /// Who belongs to the workspace.
    pub members: Vec<Member>,
    /// Who is invited and has not answered.
    pub invites: Vec<OpenInvite>,
    /// The invite just made.
    pub invite: Option<MadeInvite>,
}

/// A member as the admin sees them.
#[derive(Debug, Clone, Deserialize)]
pub struct Member {
    /// Who.
    pub user: Named,
    /// `viewer`, `editor` or `admin`.
    pub role: String,
}

/// An invite as the admin sees it.
#[derive(Debug, Clone, Deserialize)]
pub struct OpenInvite {
    /// Id.
    pub id: String,
    /// The invited address.
    pub email: String,
    /// The role it gives.
    pub role: String,
}

/// An invite just made, with the code that accepts it.
#[derive(Debug, Clone, Deserialize)]
pub struct MadeInvite {
    /// Id.
    pub id: String,
    /// Secret code.
    pub code: String,
}

/// `accept_invite`.
#[derive(Debug, Clone, Deserialize)]
pub struct Joined {
    /// The workspace joined.
    pub workspace: String,
    /// The role in it.
    pub role: String,
}

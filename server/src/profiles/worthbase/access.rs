//! Who is calling, in which workspace, and whether they may: asked once per call, from the tool table's own declaration.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::identifiers::new_id;
use crate::auth::Caller;
use crate::clock::Clock;
use crate::mcp::Client;
use crate::mcp::fault::Fault;
use crate::mcp::tool::{Role, ToolDefinition};
use crate::providers::{Subscription, SubscriptionDirectory, UserDirectory};
use crate::rules::{
    AccessRules, DefaultWorkspace, DirectoryOutage, EditorRights, ForeignWorkspace, RoleLookup,
    SubscriptionCheck, UnusableWorkspace, ViewerRights,
};
use crate::store::{Membership, Person, Store};

/// The person behind a call.
#[derive(Debug, Clone)]
pub(super) struct Visitor {
    /// Who they are.
    pub person: Person,
    /// Their address if it is proven to be theirs, lower case.
    pub proven_email: Option<String>,
    /// Their address, lower case, proven or not.
    pub email: String,
    /// The program they use.
    pub client: Client,
    /// When the call arrived.
    pub now: Timestamp,
    /// Their workspaces as they were then, the one joined first at the head.
    memberships: Vec<Membership>,
}

impl Visitor {
    /// The day of the call, in UTC.
    pub(super) fn today(&self) -> Date {
        self.now.to_zoned(TimeZone::UTC).date()
    }
}

/// A visitor who was let into a workspace.
#[derive(Debug, Clone)]
pub(super) struct Desk {
    /// Who.
    pub visitor: Visitor,
    /// Where, with which role.
    pub membership: Membership,
    /// Whether `accounts` inside `record` are allowed.
    pub may_add_accounts: bool,
}

impl Desk {
    /// The workspace's id.
    pub(super) fn workspace(&self) -> &str {
        &self.membership.workspace.id
    }
}

/// Decides about every call.
#[derive(Debug)]
pub(super) struct Gate {
    store: Store,
    users: UserDirectory,
    subscriptions: SubscriptionDirectory,
    clock: Clock,
    rules: AccessRules,
    remembered: Mutex<Remembered>,
}

/// What the rules that remember have seen. Empty in a correct server.
#[derive(Debug, Default)]
struct Remembered {
    roles: HashMap<(String, String), String>,
    open: HashMap<String, bool>,
    defaults: HashMap<String, String>,
}

impl Gate {
    pub(super) fn new(
        store: Store,
        users: UserDirectory,
        subscriptions: SubscriptionDirectory,
        clock: Clock,
        rules: AccessRules,
    ) -> Self {
        Self {
            store,
            users,
            subscriptions,
            clock,
            rules,
            remembered: Mutex::default(),
        }
    }

    /// The person behind `caller`, as the user directory knows them now.
    pub(super) async fn identify(&self, caller: &Caller, client: Client) -> Result<Visitor, Fault> {
        let now = self.clock.now().await.map_err(|error| {
            tracing::error!(%error, "the clock gave no time");
            Fault::internal()
        })?;
        let user = self
            .users
            .lookup(&caller.subject)
            .await
            .map_err(|error| error.into_fault("user directory"))?
            .ok_or_else(|| {
                Fault::new(
                    "forbidden",
                    "The user directory does not know the person of this token. Sign in again.",
                )
            })?;
        let known = self
            .store
            .acquaintance(&caller.subject)
            .await
            .map_err(failed)?;
        let (person, memberships) = match known {
            Some((person, memberships))
                if person.email == user.email && person.name == user.name =>
            {
                (person, memberships)
            }
            // Nobody has called yet, or the directory has learnt something new.
            known => {
                let person = self
                    .store
                    .meet(&caller.subject, &new_id("usr"), &user.email, &user.name)
                    .await
                    .map_err(failed)?;
                let memberships = known.map(|(_, memberships)| memberships);
                (person, memberships.unwrap_or_default())
            }
        };
        let email = user.email.to_lowercase();
        Ok(Visitor {
            person,
            proven_email: user.email_verified.then(|| email.clone()),
            email,
            client,
            now,
            memberships,
        })
    }

    /// Lets `visitor` into the workspace they name (or their default one) for `tool`.
    pub(super) async fn admit(
        &self,
        visitor: Visitor,
        tool: &ToolDefinition,
        workspace: Option<&str>,
    ) -> Result<Desk, Fault> {
        let own = visitor.memberships.clone();
        let membership = self.one_of(&visitor.person.id, own, workspace).await?;
        let role = self.role(&visitor, &membership).await?;
        if !self.suffices(&role, tool) {
            return Err(forbidden(&role, tool));
        }
        if tool.subscription {
            self.require_subscription(&membership.workspace.id, tool)
                .await?;
        }
        let may_add_accounts = role == "admin"
            || self.rules.role == RoleLookup::Ignored
            || (role == "editor" && self.rules.editor != EditorRights::DataOnly);
        Ok(Desk {
            visitor,
            membership,
            may_add_accounts,
        })
    }

    /// The caller's membership of the named workspace, or of their default one, as it is after what this call has done.
    pub(super) async fn membership(
        &self,
        visitor: &Visitor,
        workspace: Option<&str>,
    ) -> Result<Membership, Fault> {
        let own = self
            .store
            .memberships(&visitor.person.id)
            .await
            .map_err(failed)?;
        self.one_of(&visitor.person.id, own, workspace).await
    }

    async fn one_of(
        &self,
        person: &str,
        mut own: Vec<Membership>,
        workspace: Option<&str>,
    ) -> Result<Membership, Fault> {
        let Some(wanted) = workspace else {
            if self.rules.default_workspace == DefaultWorkspace::FirstEver {
                return self.first_ever(person, own).await;
            }
            return self.default_of(own).ok_or_else(no_workspace);
        };
        if let Some(place) = own
            .iter()
            .position(|membership| membership.workspace.id == wanted)
        {
            return Ok(own.swap_remove(place));
        }
        if self.rules.foreign_workspace != ForeignWorkspace::LikeUnknown
            && let Some(foreign) = self.store.workspace(wanted).await.map_err(failed)?
        {
            return match self.rules.foreign_workspace {
                ForeignWorkspace::Open => Ok(Membership {
                    workspace: foreign,
                    role: "admin".to_owned(),
                    party: None,
                }),
                _ => Err(
                    Fault::new("forbidden", "This workspace belongs to somebody else.")
                        .at("workspace"),
                ),
            };
        }
        match self.rules.unusable_workspace {
            UnusableWorkspace::Default => self.default_of(own).ok_or_else(no_workspace),
            UnusableWorkspace::Refused => Err(unknown_workspace()),
        }
    }

    /// Which of a person's workspaces a call without one means.
    pub(super) fn default_of(&self, own: Vec<Membership>) -> Option<Membership> {
        let mut own = own.into_iter();
        match self.rules.default_workspace {
            DefaultWorkspace::JoinedFirst | DefaultWorkspace::FirstEver => own.next(),
            DefaultWorkspace::JoinedLast => own.last(),
        }
    }

    /// The defect of a default that outlives the membership.
    async fn first_ever(&self, person: &str, own: Vec<Membership>) -> Result<Membership, Fault> {
        let first = {
            let mut remembered = self
                .remembered
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let first = own.first().map(|first| first.workspace.id.clone());
            match (remembered.defaults.get(person), first) {
                (Some(known), _) => Some(known.clone()),
                (None, Some(first)) => {
                    remembered.defaults.insert(person.to_owned(), first.clone());
                    Some(first)
                }
                (None, None) => None,
            }
        };
        let known = own
            .into_iter()
            .find(|own| Some(&own.workspace.id) == first.as_ref());
        if let Some(known) = known {
            return Ok(known);
        }
        let left = match first {
            Some(first) => self.store.workspace(&first).await.map_err(failed)?,
            None => None,
        };
        let left = left.ok_or_else(no_workspace)?;
        Ok(Membership {
            workspace: left,
            role: "viewer".to_owned(),
            party: None,
        })
    }

    async fn role(&self, visitor: &Visitor, membership: &Membership) -> Result<String, Fault> {
        match self.rules.role {
            RoleLookup::ByWorkspace | RoleLookup::Ignored => Ok(membership.role.clone()),
            RoleLookup::FromDefaultWorkspace => {
                let own = self
                    .store
                    .memberships(&visitor.person.id)
                    .await
                    .map_err(failed)?;
                Ok(self
                    .default_of(own)
                    .map_or_else(|| membership.role.clone(), |default| default.role))
            }
            RoleLookup::Remembered => {
                let key = (visitor.person.id.clone(), membership.workspace.id.clone());
                let mut remembered = self
                    .remembered
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                Ok(remembered
                    .roles
                    .entry(key)
                    .or_insert_with(|| membership.role.clone())
                    .clone())
            }
        }
    }

    fn suffices(&self, role: &str, tool: &ToolDefinition) -> bool {
        if self.rules.role == RoleLookup::Ignored {
            return true;
        }
        let highest = match role {
            "admin" => Role::Admin,
            "editor" if self.rules.editor == EditorRights::Administers => Role::Admin,
            "editor" => Role::Editor,
            _ => match self.rules.viewer {
                ViewerRights::Writes => Role::Editor,
                ViewerRights::Previews if tool.name == "record" => Role::Editor,
                _ => Role::Viewer,
            },
        };
        highest >= tool.role
    }

    async fn require_subscription(
        &self,
        workspace: &str,
        tool: &ToolDefinition,
    ) -> Result<(), Fault> {
        let read = tool.annotations.read_only_hint == Some(true);
        let open = match self.rules.subscription {
            SubscriptionCheck::EveryCall => self.is_open(workspace).await?,
            SubscriptionCheck::Ignored => true,
            SubscriptionCheck::WritesOnly => read || self.is_open(workspace).await?,
            SubscriptionCheck::Remembered => {
                let seen = self
                    .remembered
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .open
                    .get(workspace)
                    .copied();
                match seen {
                    Some(open) => open,
                    None => {
                        let open = self.is_open(workspace).await?;
                        let mut remembered = self
                            .remembered
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner);
                        remembered.open.insert(workspace.to_owned(), open);
                        open
                    }
                }
            }
        };
        if open {
            Ok(())
        } else {
            Err(subscription_required())
        }
    }

    /// Whether `workspace` is paid for now.
    pub(super) async fn is_open(&self, workspace: &str) -> Result<bool, Fault> {
        match (
            self.subscriptions.status(workspace).await,
            self.rules.directory_outage,
        ) {
            (Ok(subscription), _) => {
                let now = self.clock.now().await.map_err(|_| Fault::internal())?;
                Ok(covers(&subscription, now.to_zoned(TimeZone::UTC).date()))
            }
            (Err(error), DirectoryOutage::Closed) => {
                Err(error.into_fault("subscription directory"))
            }
            (Err(_), DirectoryOutage::Open) => Ok(true),
        }
    }

    /// The subscription of `workspace`, where the directory says.
    pub(super) async fn subscription(&self, workspace: &str) -> Option<Subscription> {
        self.subscriptions.status(workspace).await.ok()
    }

    /// Opens the trial of a new workspace.
    pub(super) async fn open_trial(&self, workspace: &str) -> Result<Subscription, Fault> {
        self.subscriptions
            .open_trial(workspace)
            .await
            .map_err(|error| error.into_fault("subscription directory"))
    }
}

/// A trial ends with its last day; a paid subscription for as long as the directory calls it active.
fn covers(subscription: &Subscription, today: Date) -> bool {
    let ended = subscription.status == crate::providers::SubscriptionStatus::Trialing
        && subscription.ends_on.is_some_and(|last| today > last);
    subscription.is_open() && !ended
}

/// The refusal for a workspace that does not exist or is somebody else's: one constant answer.
pub(super) fn unknown_workspace() -> Fault {
    Fault::new(
        "workspace_not_found",
        "None of your workspaces has this id. Call whoami for those you belong to.",
    )
    .at("workspace")
}

fn no_workspace() -> Fault {
    Fault::new(
        "workspace_not_found",
        "You belong to no workspace yet. Create one with save_workspace, or accept an invite that whoami shows.",
    )
}

/// The refusal of an unpaid workspace.
pub(super) fn subscription_required() -> Fault {
    Fault::new(
        "subscription_required",
        "This workspace has no running trial or subscription, so nothing in it can be read or changed. Nothing is lost: renew it and call again.",
    )
}

fn forbidden(role: &str, tool: &ToolDefinition) -> Fault {
    let needed = if tool.role == Role::Admin {
        "admin"
    } else {
        "editor"
    };
    Fault::new(
        "forbidden",
        format!("{} needs the role {needed} in this workspace and you are {role}. Ask an admin of the workspace.", tool.name),
    )
    .with("role", role)
    .with("needed", needed)
}

/// A failure of the store: the cause goes to the log.
pub(super) fn failed(error: impl std::fmt::Display) -> Fault {
    tracing::error!(%error, "the store failed");
    Fault::internal()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::SubscriptionStatus;
    use jiff::civil::date;

    #[test]
    fn a_trial_is_over_on_the_day_after_its_last() {
        let trial = Subscription {
            status: SubscriptionStatus::Trialing,
            ends_on: Some(date(2026, 10, 30)),
        };
        assert!(covers(&trial, date(2026, 10, 30)));
        assert!(!covers(&trial, date(2026, 10, 31)));
        let paid = Subscription {
            status: SubscriptionStatus::Active,
            ..trial.clone()
        };
        assert!(covers(&paid, date(2026, 10, 31)));
        let ended = Subscription {
            status: SubscriptionStatus::Canceled,
            ..trial
        };
        assert!(!covers(&ended, date(2026, 10, 1)));
    }
}

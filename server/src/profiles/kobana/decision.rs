//! The decision about one call, pure: token, person and workspace in, a workspace or the one reason against it out.

use crate::mcp::tool::{Axes, Kind};
use crate::providers::{Member, MembershipState, Organization};

use super::rules::{
    AnswerRules, Codes, FailedLookup, FamilyPermission, KobanaRules, Listing, MembershipCheck,
    NeutralPermission, NeutralWorkspace, OnlyWorkspace, OwnerPermission, PermissionAxis,
    ReadPermission, ScopeAxis, WithoutWorkspace, WorkspaceCheck, WorkspaceOrder,
};
use super::scope::Scope;

/// Who is asking, as far as it could be found out.
#[derive(Debug, Clone)]
pub(super) struct Standing {
    /// What the token reaches.
    pub scope: Scope,
    /// The organisation and the person in it; nothing when the directory could not be asked.
    pub known: Option<Known>,
}

/// What the member directory said.
#[derive(Debug, Clone)]
pub(super) struct Known {
    /// The organisation.
    pub organization: Organization,
    /// The person; nothing for somebody who is no member.
    pub member: Option<Member>,
}

/// The workspaces that a request names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Selectors {
    /// `X-Workspace-Id`.
    pub header: Option<String>,
    /// `?workspace_id=`.
    pub address: Option<String>,
}

/// Why a tool does not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Denial {
    /// The token does not reach it.
    Scope,
    /// The person's permissions could not be found out.
    LookupFailed,
    /// The person is no active member.
    Membership,
    /// No workspace is named and there is no default.
    WorkspaceRequired,
    /// The workspace is not one the person reaches.
    WorkspaceDenied,
    /// The person lacks this permission; nothing where any would do.
    Permission(Option<String>),
}

impl Denial {
    /// The code that says who can mend it.
    pub(super) fn code(&self, rules: &AnswerRules) -> &'static str {
        match (self, rules.codes) {
            (_, Codes::Generic) => "forbidden",
            (Self::Scope, Codes::Swapped) => "insufficient_permission",
            (Self::Scope, _) => "insufficient_scope",
            (Self::LookupFailed, _) => "permissions_unavailable",
            (Self::Membership, Codes::MembershipAsPermission) => "insufficient_permission",
            (Self::Membership, _) => "membership_inactive",
            (Self::WorkspaceRequired, _) => "workspace_required",
            (Self::WorkspaceDenied, Codes::DeniedAsRequired) => "workspace_required",
            (Self::WorkspaceDenied, Codes::DeniedAsMembership) => "membership_inactive",
            (Self::WorkspaceDenied, _) => "workspace_access_denied",
            (Self::Permission(_), Codes::Swapped) => "insufficient_scope",
            (Self::Permission(_), _) => "insufficient_permission",
        }
    }
}

/// Decides about one call. The answer is the workspace to act in, nothing for a tool that needs none.
///
/// # Errors
/// The first of these that stands against it: scope, membership, workspace, permission.
pub(super) fn decide(
    tool: &Axes,
    standing: &Standing,
    argument: Option<&str>,
    selectors: &Selectors,
    rules: &KobanaRules,
) -> Result<Option<String>, Denial> {
    let axis = rules.scope.axis;
    let passes = axis == ScopeAxis::Skipped || axis == ScopeAxis::OwnerPasses && standing.owns();
    if !passes && !standing.scope.permits(tool, &rules.scope) {
        return Err(Denial::Scope);
    }
    let Some(known) = &standing.known else {
        return match rules.person.failed_lookup {
            FailedLookup::Refused => Err(Denial::LookupFailed),
            FailedLookup::Allowed => Ok(argument.map(str::to_owned)),
        };
    };
    let member = known.working(tool, rules).ok_or(Denial::Membership)?;
    let workspace = if tool.workspace || rules.workspace.neutral == NeutralWorkspace::Needed {
        Some(known.workspace(&member, argument, selectors, rules)?)
    } else {
        None
    };
    if holds(&member, tool, &standing.scope, rules) {
        Ok(workspace)
    } else {
        Err(Denial::Permission(
            tool.permission
                .as_deref()
                .map(|name| rules.person.name(name).to_owned()),
        ))
    }
}

/// Whether a tool is listed: both axes, and not for somebody who reaches no workspace it could act in.
pub(super) fn listed(tool: &Axes, standing: &Standing, rules: &KobanaRules) -> bool {
    let listing = rules.answers.listing;
    let axis = rules.scope.axis;
    let in_scope = standing.scope.permits(tool, &rules.scope)
        || axis == ScopeAxis::Skipped
        || axis == ScopeAxis::OwnerPasses && standing.owns()
        || listing == Listing::IgnoresScopes;
    let Some(known) = &standing.known else {
        return in_scope && rules.person.failed_lookup == FailedLookup::Allowed;
    };
    let member = match known.working(tool, rules) {
        Some(member) => Some(member),
        None if listing == Listing::IgnoresMembership => known.member.clone(),
        None => None,
    };
    let Some(member) = member else { return false };
    let permitted =
        holds(&member, tool, &standing.scope, rules) || listing == Listing::IgnoresPermissions;
    let somewhere = !tool.workspace || !known.reached(&member).is_empty();
    let hidden = listing == Listing::HidesAllowed && tool.kind == Kind::Money;
    in_scope && permitted && somewhere && !hidden
}

impl Standing {
    fn owns(&self) -> bool {
        let member = self.known.as_ref().and_then(|known| known.member.as_ref());
        member.is_some_and(|member| member.permissions.iter().any(|name| name == "*"))
    }
}

impl Known {
    /// The person, if they may work with this tool at all.
    fn working(&self, tool: &Axes, rules: &KobanaRules) -> Option<Member> {
        let check = rules.person.membership;
        let Some(member) = &self.member else {
            return (check == MembershipCheck::NotMembersToo).then(|| Member {
                state: MembershipState::Active,
                permissions: vec!["*".to_owned()],
                workspaces: self.all().collect(),
            });
        };
        let works = match member.state {
            MembershipState::Active => true,
            MembershipState::Suspended => {
                check == MembershipCheck::SuspendedToo
                    || check == MembershipCheck::SuspendedRead && tool.kind == Kind::Read
            }
            MembershipState::Invited => check == MembershipCheck::InvitedToo,
            MembershipState::Removed => check == MembershipCheck::RemovedToo,
            MembershipState::NeverJoined => check == MembershipCheck::NeverJoinedToo,
            MembershipState::Unknown => false,
        };
        works.then(|| member.clone())
    }

    fn all(&self) -> impl Iterator<Item = String> + '_ {
        let workspaces = self.organization.workspaces.iter();
        workspaces.map(|workspace| workspace.id.clone())
    }

    /// The organisation's workspaces that the person reaches.
    pub(super) fn reached(&self, member: &Member) -> Vec<String> {
        self.all()
            .filter(|id| member.workspaces.contains(id))
            .collect()
    }

    /// The workspace of a call that names none: header, address, the only one.
    pub(super) fn default(
        &self,
        member: &Member,
        selectors: &Selectors,
        rules: &KobanaRules,
    ) -> Option<String> {
        let (header, address) = (selectors.header.clone(), selectors.address.clone());
        let named = match rules.workspace.order {
            WorkspaceOrder::HeaderIgnored => address,
            WorkspaceOrder::AddressIgnored => header,
            _ => header.or(address),
        };
        named.or_else(|| {
            let reached = match rules.workspace.only {
                OnlyWorkspace::OnlyReached => self.reached(member),
                OnlyWorkspace::OnlyOfOrganization => self.all().collect(),
                OnlyWorkspace::Never => Vec::new(),
            };
            match (reached.as_slice(), rules.workspace.without) {
                ([only], _) => Some(only.clone()),
                ([first, ..], WithoutWorkspace::First) => Some(first.clone()),
                _ => None,
            }
        })
    }

    fn workspace(
        &self,
        member: &Member,
        argument: Option<&str>,
        selectors: &Selectors,
        rules: &KobanaRules,
    ) -> Result<String, Denial> {
        let argument = argument.map(str::to_ascii_lowercase);
        let first = match rules.workspace.order {
            WorkspaceOrder::HeaderFirst => selectors.header.clone(),
            WorkspaceOrder::AddressFirst => selectors.address.clone(),
            _ => None,
        };
        let by_default = first.is_none() && argument.is_none();
        let chosen = first
            .or_else(|| argument.clone())
            .or_else(|| self.default(member, selectors, rules))
            .ok_or(Denial::WorkspaceRequired)?;
        let passes = match rules.workspace.check {
            WorkspaceCheck::Reached => false,
            WorkspaceCheck::Unchecked => true,
            WorkspaceCheck::OtherOrganizationPasses => !self.all().any(|id| id == chosen),
            WorkspaceCheck::DefaultPasses => by_default,
        };
        if passes || self.reached(member).contains(&chosen) {
            Ok(chosen)
        } else {
            Err(Denial::WorkspaceDenied)
        }
    }
}

/// Whether the person's permissions would let the tool run.
fn holds(member: &Member, tool: &Axes, scope: &Scope, rules: &KobanaRules) -> bool {
    let person = &rules.person;
    match person.axis {
        PermissionAxis::Skipped => return true,
        PermissionAxis::AnyGivesAll => return !member.permissions.is_empty(),
        PermissionAxis::ScopeAllPasses if scope.has_all() => return true,
        _ => {}
    }
    let Some(needed) = tool.permission.as_deref() else {
        return person.neutral == NeutralPermission::None || !member.permissions.is_empty();
    };
    let needed = person.name(needed);
    let family = needed.split('.').next().unwrap_or_default();
    member.permissions.iter().any(|own| {
        if own == needed {
            return true;
        }
        if own == "*" {
            return person.owner == OwnerPermission::Everything;
        }
        if let Some(named) = own.strip_suffix(".*") {
            return match person.family {
                FamilyPermission::WholeFamily => named == family,
                FamilyPermission::Ignored => false,
                FamilyPermission::Everything => true,
                FamilyPermission::Prefix => needed.starts_with(named),
                FamilyPermission::WithoutMoney => named == family && tool.kind != Kind::Money,
            };
        }
        person.read == ReadPermission::Writes && own.strip_suffix(".read") == Some(family)
    })
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;

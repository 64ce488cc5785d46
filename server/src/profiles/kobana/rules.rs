//! The profile's choices as one value: the default is correct, every other value is a named defect.

mod choices;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use choices::*;

/// Every choice of the profile.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KobanaRules {
    /// The first axis: what the token reaches.
    pub scope: ScopeRules,
    /// The second axis: what the person may do.
    pub person: PersonRules,
    /// Where a call acts.
    pub workspace: WorkspaceRules,
    /// What is shown, and how refusals say it.
    pub answers: AnswerRules,
    /// What happens before a message is read.
    pub front: FrontRules,
}

/// The first axis.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScopeRules {
    /// Whether it is asked.
    pub axis: ScopeAxis,
    /// What moves money.
    pub money: MoneyScope,
    /// What `finance/all` is.
    pub all: AllResource,
    /// Tokens without resources.
    pub plain: PlainLevels,
    /// Levels that read.
    pub reading: ReadingLevels,
    /// Levels that write.
    pub writing: WritingLevels,
    /// How far levels reach.
    pub reach: LevelReach,
    /// Resources nobody knows.
    pub unknown: UnknownResource,
    /// Tokens that say nothing.
    pub silent: SilentScope,
    /// How words are compared.
    pub words: ScopeWords,
    /// Tools without a family.
    pub neutral: NeutralScope,
}

/// The second axis.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PersonRules {
    /// Whether it is asked.
    pub axis: PermissionAxis,
    /// What `*` is.
    pub owner: OwnerPermission,
    /// What `family.*` is.
    pub family: FamilyPermission,
    /// What `family.read` is.
    pub read: ReadPermission,
    /// Tools without a family.
    pub neutral: NeutralPermission,
    /// Who may work.
    pub membership: MembershipCheck,
    /// Lookups that fail.
    pub failed_lookup: FailedLookup,
    /// Other names for permissions: the contract's name to the directory's.
    pub names: BTreeMap<String, String>,
}

/// Where a call acts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WorkspaceRules {
    /// How it is checked.
    pub check: WorkspaceCheck,
    /// Which is meant.
    pub order: WorkspaceOrder,
    /// Calls without one.
    pub without: WithoutWorkspace,
    /// The only one.
    pub only: OnlyWorkspace,
    /// Tools without a family.
    pub neutral: NeutralWorkspace,
    /// Selectors that lead elsewhere.
    pub foreign: ForeignSelector,
    /// What the list shows.
    pub list: WorkspaceList,
    /// What the list marks.
    pub flag: DefaultFlag,
    /// Which records are seen.
    pub records: RecordReach,
}

/// What is shown, and how refusals say it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AnswerRules {
    /// Which tools are listed.
    pub listing: Listing,
    /// The codes of refusals.
    pub codes: Codes,
    /// The form of refusals.
    pub form: RefusalForm,
    /// The permission that is named.
    pub permission: NamedPermission,
    /// The channel of agents.
    pub channel: ChannelCheck,
    /// Resources, prompts and completions.
    pub reading: ReadingTexts,
    /// What tools say about their workspace.
    pub argument: WorkspaceArgument,
    /// When records are looked up.
    pub lookup: RecordLookup,
}

/// What happens before a message is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FrontRules {
    /// Tokens beside the header.
    pub elsewhere: TokensElsewhere,
    /// The challenge.
    pub challenge: Challenge,
    /// The bodies of refusals.
    pub body: RefusalBody,
    /// Organisations that are no customers.
    pub organization: UnknownOrganization,
    /// Tokens without an organisation.
    pub missing_organization: MissingOrganization,
    /// Algorithms of tokens.
    pub algorithms: Algorithms,
    /// Hosts and paths.
    pub addressing: Addressing,
    /// Origins of pages.
    pub origins: Origins,
    /// The resource's metadata.
    pub metadata: Metadata,
    /// How many requests of one person are served in a minute.
    pub requests_per_minute: u32,
    /// What happens beyond that.
    pub limit: RateLimit,
    /// The authorization server's silence.
    pub key_outage: KeyOutage,
    /// Versions of the protocol.
    pub version: UnsupportedVersion,
    /// Whether connecting needs a workspace.
    pub connecting: Connecting,
}

impl Default for FrontRules {
    fn default() -> Self {
        Self {
            elsewhere: TokensElsewhere::default(),
            challenge: Challenge::default(),
            body: RefusalBody::default(),
            organization: UnknownOrganization::default(),
            missing_organization: MissingOrganization::default(),
            algorithms: Algorithms::default(),
            addressing: Addressing::default(),
            origins: Origins::default(),
            metadata: Metadata::default(),
            requests_per_minute: 300,
            limit: RateLimit::default(),
            key_outage: KeyOutage::default(),
            version: UnsupportedVersion::default(),
            connecting: Connecting::default(),
        }
    }
}

impl PersonRules {
    /// What the directory calls the permission that the contract calls `name`.
    pub(super) fn name<'a>(&'a self, name: &'a str) -> &'a str {
        self.names.get(name).map_or(name, String::as_str)
    }
}

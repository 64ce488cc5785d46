//! The values that each choice of the two axes can take: first the correct one, then the deliberate defects.

use serde::{Deserialize, Serialize};

crate::rules::define_choices! {
    /// Whether the token's scope is asked for.
    ScopeAxis {
        /// At every call.
        Asked,
        /// Defect: never.
        Skipped,
        /// Defect: not for somebody who owns the organisation.
        OwnerPasses,
    }
    /// What moves money, with a token that names resources.
    MoneyScope {
        /// The resource made for it, with `write` or `all`.
        OwnResource,
        /// Defect: for payables also their own resource with `write` or `all`.
        PayablesWrite,
        /// Defect: for payables also their own resource with `all`.
        PayablesAll,
        /// Defect: for receivables also their own resource with `write` or `all`.
        ReceivablesWrite,
        /// Defect: `read` is enough.
        ReadIsEnough,
        /// Defect: `write` is not enough.
        AllOnly,
        /// Defect: the resource for dispatches opens nothing.
        DispatchesIgnored,
        /// Defect: either of the two resources moves any money.
        EitherResource,
        /// The other reading of the page: `finance/all` holds the two resources too.
        FinanceAllToo,
    }
    /// What `finance/all` is.
    AllResource {
        /// Every family.
        EveryFamily,
        /// Defect: an unknown resource.
        Ignored,
        /// Defect: every family, and any level writes.
        GrantsWrite,
    }
    /// What a token without resources may do.
    PlainLevels {
        /// `read` reads, `write` also writes, `all` also moves money.
        ByLevel,
        /// Defect: `read` writes.
        ReadWrites,
        /// Defect: `write` moves money.
        WriteMovesMoney,
        /// Defect: `all` moves none.
        AllMovesNoMoney,
    }
    /// Which levels read.
    ReadingLevels {
        /// `read`, `write` and `all`.
        Three,
        /// Defect: `read` alone.
        ReadAlone,
        /// Defect: `all` does not.
        WithoutAll,
        /// Defect: `export` does too.
        ExportToo,
    }
    /// Which levels write.
    WritingLevels {
        /// `write` and `all`.
        Two,
        /// Defect: `delete` does too.
        DeleteToo,
        /// Defect: `import` does too.
        ImportToo,
        /// Defect: `read` does too.
        ReadToo,
        /// Defect: cancelling needs `delete`.
        CancelNeedsDelete,
    }
    /// How far a level reaches in a token with resources.
    LevelReach {
        /// Within the resources that are named.
        WithinResources,
        /// Defect: everywhere.
        Everywhere,
        /// Defect: a resource without a level can be read.
        ImpliedRead,
    }
    /// What a resource is that nobody knows.
    UnknownResource {
        /// A resource, which narrows the token.
        Narrows,
        /// Defect: nothing, so that the token may have none.
        Ignored,
    }
    /// What a token says that says nothing.
    SilentScope {
        /// That it may do nothing.
        Nothing,
        /// Defect: without the claim, that it may do everything.
        AbsentIsEverything,
        /// Defect: with an empty claim, that it may do everything.
        EmptyIsEverything,
        /// Defect: with words nobody knows, that it may read.
        UnknownReads,
    }
    /// How words of a scope are compared.
    ScopeWords {
        /// As they are.
        Exact,
        /// Defect: in any case of letters.
        AnyCase,
        /// Defect: a word that holds a level is one.
        Substring,
        /// Defect: the beginning of a resource is the resource.
        ResourcePrefix,
        /// Defect: a level before the resources is overlooked.
        InOrder,
    }
    /// What the tools need that belong to no family.
    NeutralScope {
        /// Any known resource, or none, with a level that reads.
        AnyRead,
        /// The other reading of the page: `finance/all`, or no resource.
        AllResource,
    }
    /// Whether the person's permissions are asked for.
    PermissionAxis {
        /// At every call.
        Asked,
        /// Defect: never.
        Skipped,
        /// Defect: one permission gives all.
        AnyGivesAll,
        /// Defect: not for a token with `all`.
        ScopeAllPasses,
    }
    /// What `*` is.
    OwnerPermission {
        /// Every permission.
        Everything,
        /// Defect: a word like any other.
        Ignored,
    }
    /// What `family.*` is.
    FamilyPermission {
        /// Every permission of the family.
        WholeFamily,
        /// Defect: a word like any other.
        Ignored,
        /// Defect: every permission.
        Everything,
        /// Defect: every permission that begins with the same letters.
        Prefix,
        /// Defect: every permission of the family that moves no money.
        WithoutMoney,
    }
    /// What `family.read` is.
    ReadPermission {
        /// The permission to read.
        Reads,
        /// Defect: the whole family.
        Writes,
    }
    /// What the tools need that belong to no family.
    NeutralPermission {
        /// Any permission at all.
        Any,
        /// Defect: none.
        None,
    }
    /// Who may work beside active members.
    MembershipCheck {
        /// Nobody.
        ActiveOnly,
        /// Defect: the suspended.
        SuspendedToo,
        /// Defect: the suspended, as long as they read.
        SuspendedRead,
        /// Defect: the invited.
        InvitedToo,
        /// Defect: the removed.
        RemovedToo,
        /// Defect: those who never entered.
        NeverJoinedToo,
        /// Defect: those who are no members.
        NotMembersToo,
    }
    /// What a lookup of permissions means that fails.
    FailedLookup {
        /// A refusal of everything.
        Refused,
        /// Defect: everything is allowed.
        Allowed,
    }
    /// Whether the workspace of a call is checked.
    WorkspaceCheck {
        /// Against what the person reaches.
        Reached,
        /// Defect: not at all.
        Unchecked,
        /// Defect: not when the argument names one of another organisation.
        OtherOrganizationPasses,
        /// Defect: not when the connection's default names it.
        DefaultPasses,
    }
    /// Which workspace a call means that names none.
    WorkspaceOrder {
        /// The argument, the header, the parameter of the address, the only one that can be reached.
        ArgumentHeaderAddress,
        /// Defect: the header before the argument.
        HeaderFirst,
        /// Defect: the parameter of the address before the argument.
        AddressFirst,
        /// Defect: the header counts for nothing.
        HeaderIgnored,
        /// Defect: the parameter of the address counts for nothing.
        AddressIgnored,
    }
    /// What a call means that names no workspace where there is no default.
    WithoutWorkspace {
        /// Nothing: it is refused.
        Refused,
        /// Defect: the first one.
        First,
    }
    /// When the only workspace is the default.
    OnlyWorkspace {
        /// When the person reaches exactly one.
        OnlyReached,
        /// Defect: never.
        Never,
        /// Defect: when the organisation has exactly one.
        OnlyOfOrganization,
    }
    /// Whether the tools that belong to no family need a workspace.
    NeutralWorkspace {
        /// No.
        NotNeeded,
        /// Defect: yes.
        Needed,
    }
    /// A header or parameter that names a workspace of nobody or of another organisation.
    ForeignSelector {
        /// 403.
        Refused,
        /// Defect: it counts for nothing.
        Ignored,
        /// Defect: only the header is checked.
        AddressUnchecked,
        /// Defect: a value that is no UUID counts for nothing.
        MalformedIgnored,
    }
    /// Which workspaces `finance_workspaces_list` shows.
    WorkspaceList {
        /// Those the person reaches.
        Reached,
        /// Defect: all of the organisation.
        Organization,
    }
    /// Which of them is marked as default.
    DefaultFlag {
        /// The one that a call without argument means.
        Effective,
        /// Defect: the first.
        First,
        /// Defect: none but the only one.
        IgnoresSelectors,
    }
    /// Which tools are listed.
    Listing {
        /// Those that both axes allow.
        BothAxes,
        /// Defect: all that the person may.
        IgnoresScopes,
        /// Defect: all that the token may.
        IgnoresPermissions,
        /// Defect: those of people who are no active members too.
        IgnoresMembership,
        /// Defect: without one that is allowed.
        HidesAllowed,
        /// Defect: without the one whose channel is closed.
        HidesClosedChannel,
    }
    /// The codes of refusals.
    Codes {
        /// Each says who can mend it.
        WhoMends,
        /// Defect: scope and permission are exchanged.
        Swapped,
        /// Defect: a membership counts as a permission.
        MembershipAsPermission,
        /// Defect: a workspace that cannot be reached counts as none.
        DeniedAsRequired,
        /// Defect: a workspace that cannot be reached counts as a membership.
        DeniedAsMembership,
        /// Defect: one for all.
        Generic,
    }
    /// How axes refuse.
    RefusalForm {
        /// As a tool result.
        ToolResult,
        /// Defect: as an error of the protocol.
        ProtocolError,
    }
    /// The permission that a refusal names.
    NamedPermission {
        /// The one that is missing.
        Missing,
        /// Defect: none.
        None,
        /// Defect: another.
        Another,
    }
    /// Sending to the bank through the channel of agents.
    ChannelCheck {
        /// Only after approval.
        Approved,
        /// Defect: always.
        Skipped,
        /// Defect: as soon as it was asked for.
        PendingIsEnough,
    }
    /// Which records a workspace sees.
    RecordReach {
        /// Its own.
        OwnWorkspace,
        /// Defect: those of every workspace.
        Every,
    }
    /// What resources, prompts and completions go by.
    ReadingTexts {
        /// The rights of the tool that reads the same.
        LikeTools,
        /// Defect: resources are read without a look at the scope.
        ResourcesOpen,
        /// Defect: resources take the first workspace where there is no default.
        ResourcesPick,
        /// Defect: resources overlook the connection's default.
        ResourcesIgnoreDefault,
        /// Defect: prompts are shown to everybody.
        PromptsOpen,
        /// Defect: completions are suggested to everybody.
        CompletionsOpen,
        /// Defect: completions come from every workspace.
        CompletionsCross,
    }
    /// What tools say about their workspace.
    WorkspaceArgument {
        /// That it may be named, where there is one.
        Optional,
        /// Defect: that it must be named.
        Required,
        /// Defect: nothing.
        Absent,
    }
    /// When arguments are looked at.
    RecordLookup {
        /// After both axes.
        AfterAxes,
        /// Defect: a refusal says first whether the record exists.
        BeforeAxes,
    }
    /// Which tokens beside the header are refused.
    TokensElsewhere {
        /// Every parameter that looks like one.
        Refused,
        /// Defect: none that stands beside a good header.
        IgnoredBesideHeader,
        /// Defect: none in capitals.
        CaseSensitive,
        /// Defect: a cookie is a token too.
        CookieAccepted,
    }
    /// The challenge of a refusal.
    Challenge {
        /// Realm, error and metadata.
        Whole,
        /// Defect: another realm.
        OtherRealm,
        /// Defect: no error.
        WithoutError,
        /// Defect: no metadata.
        WithoutMetadata,
        /// Defect: none where a token was sent.
        OnlyWhenMissing,
        /// Defect: the address of the metadata follows the request's host.
        FollowsHost,
    }
    /// The bodies of refusals over HTTP.
    RefusalBody {
        /// An error with code and message, in JSON.
        CodeAndMessage,
        /// Defect: flat members.
        Flat,
        /// Defect: a page.
        Page,
        /// Defect: a code of its own for everything.
        OtherCode,
    }
    /// An organisation that is no customer.
    UnknownOrganization {
        /// 403.
        Forbidden,
        /// Defect: 401.
        Unauthorized,
        /// Defect: it is taken for one without workspaces.
        Allowed,
    }
    /// A token that names no organisation.
    MissingOrganization {
        /// 401.
        Refused,
        /// Defect: the organisation of the first token.
        FirstSeen,
    }
    /// Which algorithms sign tokens.
    Algorithms {
        /// RS256.
        Rs256,
        /// Defect: whatever the key set holds.
        Published,
    }
    /// Where the server is addressed.
    Addressing {
        /// Under its own host, at the root.
        OwnHostAndRoot,
        /// Defect: under any host.
        AnyHost,
        /// Defect: unknown paths are 405 for some methods.
        MethodNotAllowed,
        /// Defect: unknown paths are answered with a page.
        PageForUnknownPath,
        /// Defect: unknown paths need a token.
        UnknownPathNeedsToken,
        /// Defect: at `/mcp` too.
        McpPathToo,
        /// Defect: the authorization server's metadata is served here.
        ServerMetadataToo,
    }
    /// Which pages may call.
    Origins {
        /// Those of the server's own origin.
        Own,
        /// Defect: all.
        All,
    }
    /// The metadata of the resource.
    Metadata {
        /// As it is published.
        Published,
        /// Defect: with scopes.
        WithScopes,
        /// Defect: with a slash at the end of the resource.
        WithSlash,
        /// Defect: without documentation.
        WithoutDocumentation,
        /// Defect: the resource follows the request's host.
        FollowsHost,
        /// Defect: not served.
        Absent,
    }
    /// What happens beyond the limit of requests.
    RateLimit {
        /// 429 with the seconds to wait.
        TooManyRequests,
        /// Defect: nothing.
        Absent,
        /// Defect: 500.
        ServerError,
        /// Defect: 429 that does not say how long.
        WithoutRetryAfter,
    }
    /// What an authorization server means that does not answer.
    KeyOutage {
        /// 503 with the seconds to wait.
        Unavailable,
        /// Defect: 401.
        Unauthorized,
        /// Defect: 503 that does not say how long.
        WithoutRetryAfter,
    }
    /// What an unsupported version of the protocol means.
    UnsupportedVersion {
        /// 400 with -32022 and the versions there are.
        Named,
        /// Defect: 400 with -32600.
        InvalidRequest,
    }
    /// Whether connecting needs a workspace.
    Connecting {
        /// No.
        NeverNeedsWorkspace,
        /// Defect: yes.
        NeedsWorkspace,
    }
}

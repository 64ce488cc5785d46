//! The server's choices as one value: the default is correct, every other value is a named, deliberate defect.
//!
//! A choice is asked at one policy point each, so a wrong server is the same server with other data. The defects are data too: a
//! fault of the suite is a JSON text of this type.

use serde::{Deserialize, Serialize};

/// Every choice of the server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Who is let in.
    pub door: crate::auth::DoorRules,
    /// What the figures mean.
    pub ledger: proofmark_ledger::rules::Rules,
    /// Who may do what, and where.
    pub access: AccessRules,
    /// Previews, commits, undos and what is kept about them.
    pub writes: WriteRules,
    /// Members and invites.
    pub people: PeopleRules,
    /// How answers are written.
    pub presentation: PresentationRules,
}

/// Who may do what, and where.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AccessRules {
    /// Which membership a call is judged by.
    pub role: RoleLookup,
    /// What a viewer may do beside reading.
    pub viewer: ViewerRights,
    /// What an editor may do beside writing data.
    pub editor: EditorRights,
    /// How a workspace of others is answered.
    pub foreign_workspace: ForeignWorkspace,
    /// What a workspace argument that leads nowhere means.
    pub unusable_workspace: UnusableWorkspace,
    /// Which workspace a call without one means.
    pub default_workspace: DefaultWorkspace,
    /// Whether an unpaid workspace is closed.
    pub subscription: SubscriptionCheck,
    /// What a subscription directory that does not answer means.
    pub directory_outage: DirectoryOutage,
    /// What a cursor is good for.
    pub cursors: CursorScope,
}

/// Previews, commits, undos and what is kept about them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WriteRules {
    /// What a preview leaves behind.
    pub preview: PreviewEffect,
    /// What `record` does without `dry_run`.
    pub record_default: DryRunDefault,
    /// What `undo` does without `dry_run`.
    pub undo_default: DryRunDefault,
    /// When a preview no longer holds.
    pub staleness: Staleness,
    /// For how many minutes a preview can be committed.
    pub preview_minutes: i64,
    /// Who may commit a preview.
    pub preview_owner: PreviewOwner,
    /// A second commit of one preview.
    pub repeated_commit: RepeatedCommit,
    /// The ids that a preview announced.
    pub announced_ids: AnnouncedIds,
    /// A second undo of one batch.
    pub second_undo: SecondUndo,
    /// What an undo takes back.
    pub undo_scope: UndoScope,
    /// The order of `list_batches`.
    pub batch_order: BatchOrder,
    /// What is kept about who wrote a batch from what.
    pub provenance: Provenance,
    /// Which rows a preview lists.
    pub listed_rows: ListedRows,
    /// How many rows a batch may hold.
    pub row_limit: usize,
    /// An append on a head that has moved.
    pub moved_head: MovedHead,
}

impl Default for WriteRules {
    fn default() -> Self {
        Self {
            preview: PreviewEffect::default(),
            record_default: DryRunDefault::default(),
            undo_default: DryRunDefault::default(),
            staleness: Staleness::default(),
            preview_minutes: 30,
            preview_owner: PreviewOwner::default(),
            repeated_commit: RepeatedCommit::default(),
            announced_ids: AnnouncedIds::default(),
            second_undo: SecondUndo::default(),
            undo_scope: UndoScope::default(),
            batch_order: BatchOrder::default(),
            provenance: Provenance::default(),
            listed_rows: ListedRows::default(),
            row_limit: 10_000,
            moved_head: MovedHead::default(),
        }
    }
}

/// Members and invites.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PeopleRules {
    /// The last admin of a workspace.
    pub last_admin: LastAdmin,
    /// Who may use an invite.
    pub invitee: Invitee,
    /// How often an invite can be used.
    pub invite_uses: InviteUses,
    /// For how many days an invite can be used.
    pub invite_days: i64,
    /// The role an invite gives.
    pub invited_role: InvitedRole,
    /// Whether `whoami` shows waiting invites.
    pub waiting_invites: WaitingInvites,
}

impl Default for PeopleRules {
    fn default() -> Self {
        Self {
            last_admin: LastAdmin::default(),
            invitee: Invitee::default(),
            invite_uses: InviteUses::default(),
            invite_days: 7,
            invited_role: InvitedRole::default(),
            waiting_invites: WaitingInvites::default(),
        }
    }
}

/// How answers are written.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PresentationRules {
    /// How a decimal is written.
    pub decimals: DecimalStyle,
    /// Whether a currency stands beside amounts.
    pub currencies: CurrencyStyle,
    /// The code of a refusal.
    pub fault_code: FaultCode,
    /// The field of a refusal.
    pub fault_field: FaultField,
    /// The net worth that a write reports.
    pub net_worth_change: NetWorthChange,
    /// Text that people or documents wrote.
    pub texts: TextStyle,
}

macro_rules! choices {
    ($(
        $(#[$doc:meta])*
        $name:ident { $(#[$first_doc:meta])* $first:ident, $($(#[$other_doc:meta])* $other:ident),+ $(,)? }
    )*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $(#[$first_doc])*
            #[default]
            $first,
            $($(#[$other_doc])* $other,)+
        }
    )*};
}

choices! {
    /// Which membership a call is judged by.
    RoleLookup {
        /// The caller's in the workspace at hand, looked up at every call.
        ByWorkspace,
        /// Defect: the caller's in their default workspace.
        FromDefaultWorkspace,
        /// Defect: the caller's in that workspace when they were first seen there.
        Remembered,
        /// Defect: no role is asked for, membership is enough.
        Ignored,
    }
    /// What a viewer may do beside reading.
    ViewerRights {
        /// Nothing.
        ReadsOnly,
        /// Defect: preview `record`.
        Previews,
        /// Defect: write like an editor.
        Writes,
    }
    /// What an editor may do beside writing data.
    EditorRights {
        /// Nothing.
        DataOnly,
        /// Defect: create accounts inside `record`.
        AccountsInRecord,
        /// Defect: everything an admin may.
        Administers,
    }
    /// How a workspace of others is answered.
    ForeignWorkspace {
        /// Like one that does not exist.
        LikeUnknown,
        /// Defect: `forbidden`, which says that it exists.
        Forbidden,
        /// Defect: it can be read and written.
        Open,
    }
    /// What a workspace argument that leads nowhere means.
    UnusableWorkspace {
        /// A refusal.
        Refused,
        /// Defect: the caller's default workspace.
        Default,
    }
    /// Which workspace a call without one means.
    DefaultWorkspace {
        /// The one the caller joined first.
        JoinedFirst,
        /// Defect: the one the caller joined last.
        JoinedLast,
    }
    /// Whether an unpaid workspace is closed.
    SubscriptionCheck {
        /// It is, at every call.
        EveryCall,
        /// Defect: it is not.
        Ignored,
        /// Defect: for writes only.
        WritesOnly,
        /// Defect: what was true at the first call stays true.
        Remembered,
    }
    /// What a subscription directory that does not answer means.
    DirectoryOutage {
        /// No.
        Closed,
        /// Defect: yes.
        Open,
    }
    /// What a cursor is good for.
    CursorScope {
        /// The caller, workspace, tool and filters it was given for.
        Bound,
        /// Defect: anybody and anything.
        Unbound,
    }
    /// What a preview leaves behind.
    PreviewEffect {
        /// Nothing that any tool reads.
        NothingWritten,
        /// Defect: the batch itself.
        BatchWritten,
    }
    /// What a write does without `dry_run`.
    DryRunDefault {
        /// It previews.
        Previews,
        /// Defect: it writes.
        Writes,
    }
    /// When a preview no longer holds.
    Staleness {
        /// When its outcome on the present ledger is another.
        Compared,
        /// Defect: never.
        Ignored,
        /// Defect: whenever anything was written.
        HeadMoved,
    }
    /// Who may commit a preview.
    PreviewOwner {
        /// Its maker, in its workspace.
        Maker,
        /// Defect: any editor of its workspace.
        Workspace,
        /// Defect: anybody, from any workspace.
        Anybody,
    }
    /// A second commit of one preview.
    RepeatedCommit {
        /// Refused with the batch that the first one made.
        Refused,
        /// Defect: written again.
        WrittenAgain,
        /// Defect: refused as if there had never been such a preview.
        Forgotten,
    }
    /// The ids that a preview announced.
    AnnouncedIds {
        /// They are the ids after the commit.
        Kept,
        /// Defect: the commit makes new ones.
        MadeAnew,
    }
    /// A second undo of one batch.
    SecondUndo {
        /// Refused.
        Refused,
        /// Defect: answered as if it had done something.
        Succeeds,
    }
    /// What an undo takes back.
    UndoScope {
        /// The whole batch.
        Whole,
        /// Defect: accounts and items stay.
        KeepsAccountsAndItems,
        /// Defect: prices and valuations stay.
        KeepsPrices,
        /// Defect: transfers stay.
        KeepsTransfers,
    }
    /// The order of `list_batches`.
    BatchOrder {
        /// Newest first.
        NewestFirst,
        /// Defect: oldest first.
        OldestFirst,
    }
    /// What is kept about who wrote a batch from what.
    Provenance {
        /// Source, user and client of the write.
        FromConnection,
        /// Defect: no source.
        WithoutSource,
        /// Defect: no client.
        WithoutClient,
        /// Defect: no user.
        WithoutUser,
    }
    /// Which rows a preview lists.
    ListedRows {
        /// Every row handed in.
        Every,
        /// Defect: the new ones only.
        NewOnly,
        /// Defect: duplicates are listed as new.
        DuplicatesAsNew,
    }
    /// An append on a head that has moved.
    MovedHead {
        /// The result is computed again on the present ledger.
        ComputedAgain,
        /// Defect: the batch is appended all the same, without looking.
        Ignored,
    }
    /// The last admin of a workspace.
    LastAdmin {
        /// Can neither be removed nor demoted.
        Kept,
        /// Defect: can.
        Removable,
    }
    /// Who may use an invite.
    Invitee {
        /// The invited address, once proven to be the caller's.
        InvitedAddress,
        /// Defect: the invited address, proven or not.
        UnprovenAddress,
        /// Defect: whoever has the code.
        Anybody,
    }
    /// How often an invite can be used.
    InviteUses {
        /// Once, unless it was revoked.
        Once,
        /// Defect: as often as one likes, revoked or not.
        Unlimited,
    }
    /// The role an invite gives.
    InvitedRole {
        /// The one the admin chose.
        AsInvited,
        /// Defect: always admin.
        Admin,
    }
    /// Whether `whoami` shows waiting invites.
    WaitingInvites {
        /// It does.
        Shown,
        /// Defect: it does not.
        Hidden,
    }
    /// How a decimal is written.
    DecimalStyle {
        /// As a string with every digit.
        Text,
        /// Defect: as a JSON number.
        Number,
        /// Defect: as a string without trailing zeros.
        Trimmed,
        /// Defect: as a string with two places.
        TwoPlaces,
    }
    /// Whether a currency stands beside amounts.
    CurrencyStyle {
        /// It does.
        Beside,
        /// Defect: it does not.
        LeftOut,
    }
    /// The code of a refusal.
    FaultCode {
        /// One per cause.
        PerCause,
        /// Defect: the same for every cause.
        Generic,
        /// Defect: it says nothing.
        Empty,
    }
    /// The field of a refusal.
    FaultField {
        /// Named where one is at fault.
        Named,
        /// Defect: never named.
        Missing,
    }
    /// The net worth that a write reports.
    NetWorthChange {
        /// Before, after and after less before.
        Reported,
        /// Defect: the change has the wrong sign.
        WrongSign,
        /// Defect: before and after are swapped.
        Swapped,
        /// Defect: after is the same as before.
        NotReplayed,
        /// Defect: it is left out.
        Missing,
    }
    /// Text that people or documents wrote.
    TextStyle {
        /// Comes back as it was given.
        AsGiven,
        /// Defect: blanks at both ends are cut off.
        Trimmed,
        /// Defect: markup characters are escaped.
        Escaped,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_said_is_the_correct_server() {
        let rules: Rules = serde_json::from_str("{}").unwrap();
        assert_eq!(rules, Rules::default());
        assert_eq!(rules.writes.preview_minutes, 30);
        assert_eq!(rules.people.invite_days, 7);
    }

    #[test]
    fn a_defect_is_another_value() {
        let rules: Rules = serde_json::from_str(
            r#"{"writes":{"staleness":"head_moved"},"access":{"subscription":"ignored"}}"#,
        )
        .unwrap();
        assert_eq!(rules.writes.staleness, Staleness::HeadMoved);
        assert_eq!(rules.writes.preview_minutes, 30);
        assert_eq!(rules.access.subscription, SubscriptionCheck::Ignored);
    }

    #[test]
    fn a_misspelt_choice_is_refused() {
        assert!(serde_json::from_str::<Rules>(r#"{"writes":{"stale":"ignored"}}"#).is_err());
        assert!(serde_json::from_str::<Rules>(r#"{"writes":{"staleness":"sometimes"}}"#).is_err());
    }
}

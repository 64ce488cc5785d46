//! The server's choices as one value: the default is correct, every other value is a named, deliberate defect.
//!
//! A choice is asked at one policy point each, so a wrong server is the same server with other data. The defects are data too: a
//! fault of the suite is a JSON text of this type.

mod choices;

use serde::{Deserialize, Serialize};

pub(crate) use choices::define_choices;
pub use choices::*;

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
    /// Prices from providers.
    pub prices: PriceRules,
    /// How answers are written.
    pub presentation: PresentationRules,
    /// Company payables with two axes.
    pub kobana: crate::profiles::kobana::KobanaRules,
    /// The cash book over stdio.
    pub finanpy: crate::profiles::finanpy::FinanpyRules,
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
    /// What a workspace knows of others.
    pub neighbours: Neighbours,
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
    /// What a simulated sale leaves behind.
    pub simulation: SimulationEffect,
    /// What saving a party or an account that is there does.
    pub saving: Saving,
    /// An id to void that leads nowhere.
    pub unknown_rows: UnknownRows,
    /// How the rows of a void are judged.
    pub void_reach: VoidReach,
    /// A batch to undo that is not there.
    pub unknown_undo: UnknownUndo,
    /// Where the next page of batches begins.
    pub batch_pages: BatchPages,
    /// Asking for batches of a status.
    pub status_filter: StatusFilter,
    /// The batches that an item names.
    pub item_batches: ItemBatches,
    /// A key that a batch defines twice.
    pub repeated_keys: RepeatedKeys,
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
            simulation: SimulationEffect::default(),
            saving: Saving::default(),
            unknown_rows: UnknownRows::default(),
            void_reach: VoidReach::default(),
            unknown_undo: UnknownUndo::default(),
            batch_pages: BatchPages::default(),
            status_filter: StatusFilter::default(),
            item_batches: ItemBatches::default(),
            repeated_keys: RepeatedKeys::default(),
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
    /// How many invites a person may try to accept in a quarter of an hour.
    pub invite_tries: i64,
    /// The role an invite gives.
    pub invited_role: InvitedRole,
    /// Whether `whoami` shows waiting invites.
    pub waiting_invites: WaitingInvites,
    /// What an invite does to somebody who is a member already.
    pub second_invite: SecondInvite,
    /// How addresses are compared.
    pub addresses: Addresses,
    /// What `members` lists.
    pub list: MemberList,
}

impl Default for PeopleRules {
    fn default() -> Self {
        Self {
            last_admin: LastAdmin::default(),
            invitee: Invitee::default(),
            invite_uses: InviteUses::default(),
            invite_days: 7,
            invite_tries: 30,
            invited_role: InvitedRole::default(),
            waiting_invites: WaitingInvites::default(),
            second_invite: SecondInvite::default(),
            addresses: Addresses::default(),
            list: MemberList::default(),
        }
    }
}

/// Prices from providers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PriceRules {
    /// For how many minutes a run that was asked for stands in the way of the next.
    pub refresh_minutes: i64,
    /// Whose runs stand in each other's way.
    pub refresh_limit: RefreshLimit,
    /// When `refresh_prices` answers.
    pub refresh_answer: RefreshAnswer,
    /// How many searches a minute are answered.
    pub searches_per_minute: i64,
    /// Whose searches are counted together.
    pub search_limit: SearchLimit,
    /// How long a caller is told to wait.
    pub retry_after: RetryAfter,
    /// The run that nobody asks for.
    pub daily: DailyRun,
    /// A provider that gives no usable price.
    pub outage: ProviderOutage,
    /// A price in another currency than the item's.
    pub currency: QuoteCurrency,
    /// A price in pence or cents.
    pub minor_units: MinorUnits,
    /// The date of a fetched price.
    pub date: QuoteDate,
    /// The digits of a fetched price.
    pub digits: ProviderDigits,
    /// One item without a price among others.
    pub one_failure: OneFailure,
    /// What a search says of an instrument.
    pub listings: Listings,
    /// How the text of a search becomes part of an address.
    pub search_text: SearchText,
    /// What a search leaves behind.
    pub search_effect: SearchEffect,
    /// Whether a fetched price can be voided.
    pub fetched_void: FetchedVoid,
    /// For which items prices are fetched.
    pub fetched_items: FetchedItems,
}

impl Default for PriceRules {
    fn default() -> Self {
        Self {
            refresh_minutes: 15,
            refresh_limit: RefreshLimit::default(),
            refresh_answer: RefreshAnswer::default(),
            searches_per_minute: 30,
            search_limit: SearchLimit::default(),
            retry_after: RetryAfter::default(),
            daily: DailyRun::default(),
            outage: ProviderOutage::default(),
            currency: QuoteCurrency::default(),
            minor_units: MinorUnits::default(),
            date: QuoteDate::default(),
            digits: ProviderDigits::default(),
            one_failure: OneFailure::default(),
            listings: Listings::default(),
            search_text: SearchText::default(),
            search_effect: SearchEffect::default(),
            fetched_void: FetchedVoid::default(),
            fetched_items: FetchedItems::default(),
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
    /// Where such text may stand.
    pub stored_texts: StoredTexts,
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

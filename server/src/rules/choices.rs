//! The values that each choice can take: first the correct one, then the deliberate defects.

use serde::{Deserialize, Serialize};

/// Defines choices: enums whose first value is the correct one and the default.
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
pub(crate) use choices as define_choices;

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
        /// Defect: the one the caller joined first, even after they were removed from it.
        FirstEver,
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
    /// What a workspace knows of others.
    Neighbours {
        /// Nothing.
        Unknown,
        /// Defect: whose an id is stands in the refusal.
        NamedInRefusals,
        /// Defect: an id of another workspace of the caller is looked up there.
        OwnWorkspacesMixed,
        /// Defect: an id that is nearly one of the workspace's counts as that.
        NearlyTheSame,
        /// Defect: an id of others inside a write is left out, and the rest is written.
        NestedDropped,
        /// Defect: the overview counts the items of everybody.
        Counted,
        /// Defect: a reference that anybody recorded is a duplicate.
        ReferencesShared,
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
        /// Defect: also when prices were fetched meanwhile.
        PricesToo,
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
        /// Defect: voids stay.
        KeepsVoids,
        /// Defect: changes beside rows stay: fields, owners, links, archives, goals, losses, checks.
        KeepsChanges,
        /// Defect: later changes of the same item, goal or loss go too, as if an old copy were put back.
        OldCopies,
    }
    /// What saving a party or an account that is there does.
    Saving {
        /// Changes it.
        Changes,
        /// Defect: makes another one.
        MakesAnother,
    }
    /// An id to void that leads nowhere.
    UnknownRows {
        /// Refused.
        Refused,
        /// Defect: left out.
        LeftOut,
    }
    /// How the rows of a void are judged.
    VoidReach {
        /// Together.
        Together,
        /// Defect: one by one.
        OneByOne,
    }
    /// A batch to undo that is not there.
    UnknownUndo {
        /// Refused.
        Refused,
        /// Defect: answered as if it had been undone.
        Succeeds,
    }
    /// Where the next page of batches begins.
    BatchPages {
        /// After the last batch shown.
        AfterTheLast,
        /// Defect: after as many as were shown.
        AfterTheCount,
    }
    /// Asking for batches of a status.
    StatusFilter {
        /// Shows those.
        Kept,
        /// Defect: shows all.
        Unread,
    }
    /// The batches that an item names.
    ItemBatches {
        /// Every one that wrote something about it.
        Every,
        /// Defect: those that wrote rows.
        RowsOnly,
    }
    /// A key that a batch defines twice.
    RepeatedKeys {
        /// Refused.
        Refused,
        /// Defect: the last one counts.
        LastCounts,
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
    /// What a simulated sale leaves behind.
    SimulationEffect {
        /// Nothing.
        NothingWritten,
        /// Defect: the sale itself.
        SaleWritten,
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
    /// What an invite does to somebody who is a member already.
    SecondInvite {
        /// The higher of two roles stays.
        KeepsRole,
        /// Defect: the role of the invite counts.
        TakesRole,
    }
    /// How addresses are compared.
    Addresses {
        /// Without regard to case.
        AnyCase,
        /// Defect: letter for letter.
        ExactCase,
    }
    /// What `members` lists.
    MemberList {
        /// Members and open invites.
        Whole,
        /// Defect: no invites.
        WithoutInvites,
    }
    /// Whether `whoami` shows waiting invites.
    WaitingInvites {
        /// It does.
        Shown,
        /// Defect: it does not.
        Hidden,
    }
    /// Whose runs stand in each other's way.
    RefreshLimit {
        /// The workspace's, whoever asks.
        Workspace,
        /// Defect: the person's.
        Person,
        /// Defect: everybody's.
        Server,
        /// Defect: nobody's.
        None,
    }
    /// When `refresh_prices` answers.
    RefreshAnswer {
        /// At once; prices are fetched in the background.
        AtOnce,
        /// Defect: when all prices are there.
        WhenDone,
    }
    /// Whose searches are counted together.
    SearchLimit {
        /// The person's.
        Person,
        /// Defect: the workspace's.
        Workspace,
        /// Defect: nobody's.
        None,
    }
    /// How long a caller is told to wait.
    RetryAfter {
        /// Until it works again.
        Computed,
        /// Defect: a minute, whatever is true.
        Constant,
    }
    /// The run that nobody asks for.
    DailyRun {
        /// Once a day, beside the runs that are asked for.
        EveryDay,
        /// Defect: never.
        Never,
        /// Defect: it stands in the way of the next that is asked for.
        UsesUpTheLimit,
    }
    /// A provider that gives no usable price.
    ProviderOutage {
        /// The price stays as it was, and the run says so.
        KeepsPrice,
        /// Defect: the price becomes zero.
        Zero,
    }
    /// A price in another currency than the item's.
    QuoteCurrency {
        /// Refused, and the run says so.
        Checked,
        /// Defect: taken for the item's.
        Ignored,
    }
    /// A price in pence or cents.
    MinorUnits {
        /// Turned into pounds.
        Converted,
        /// Defect: taken for pounds.
        TakenForMajor,
    }
    /// The date of a fetched price.
    QuoteDate {
        /// The day of the trade.
        OfTheTrade,
        /// Defect: the day of the run.
        Today,
    }
    /// The digits of a fetched price.
    ProviderDigits {
        /// As they are written.
        AsWritten,
        /// Defect: through a binary fraction.
        ThroughFloat,
    }
    /// One item without a price among others.
    OneFailure {
        /// The others get theirs.
        Alone,
        /// Defect: none gets any.
        FailsAll,
    }
    /// What a search says of an instrument.
    Listings {
        /// Its kind, name, symbol, exchange or coin id, each in its place.
        Complete,
        /// Defect: no exchange.
        WithoutExchange,
        /// Defect: no id of a coin.
        WithoutCoinId,
        /// Defect: names also stand in a message of the server's own.
        NamesInMessage,
    }
    /// How the text of a search becomes part of an address.
    SearchText {
        /// Encoded, as one parameter.
        Encoded,
        /// Defect: as it was typed.
        AsTyped,
    }
    /// What a search leaves behind.
    SearchEffect {
        /// Nothing.
        NothingWritten,
        /// Defect: an item for what was found first.
        ItemWritten,
    }
    /// Whether a fetched price can be voided.
    FetchedVoid {
        /// It can, like any price.
        Voidable,
        /// Defect: it cannot.
        Kept,
    }
    /// For which items prices are fetched.
    FetchedItems {
        /// Those that are held.
        Held,
        /// Defect: all with a symbol or an id, sold out and archived ones too.
        Every,
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
        /// Defect: what is longer than a hundred letters is cut.
        Cut,
        /// Defect: letters with an accent of their own are exchanged for one that has it.
        Composed,
    }
    /// Where text that people or documents wrote may stand.
    StoredTexts {
        /// In data.
        InData,
        /// Defect: also in messages of the server's own.
        InMessages,
    }
}

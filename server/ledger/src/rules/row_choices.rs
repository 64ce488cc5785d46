//! The values of each choice about rows: the first is the contract, the others are defects that a server may have.

use super::choices;
use serde::{Deserialize, Serialize};

choices! {
    /// What comes first inside a day.
    WithinDay {
        /// Splits, additions, income and transfers, removals; ties as recorded.
        Contract,
        /// Defect: only the order recorded counts.
        AsRecorded,
        /// Defect: what takes away comes before what adds.
        RemovalsFirst,
        /// Defect: a split takes effect at the end of its day.
        SplitsLast,
    }
    /// Running balances.
    Sums {
        /// Every digit is kept, or the sum is refused.
        Exact,
        /// Defect: a sum is cut to 28 digits without a word.
        CutToTwentyEightDigits,
        /// Defect: a sum passes through a binary fraction.
        ThroughBinary,
    }
    /// A rate on a row that is in base currency.
    BaseRate {
        /// Refused, unless it is one.
        Refused,
        /// Defect: taken, and without meaning.
        Taken,
    }
    /// How many digits after the point are kept.
    Places {
        /// Eighteen.
        Eighteen,
        /// Defect: eight.
        Eight,
        /// Defect: four.
        Four,
        /// Defect: two, as if everything were cents.
        Two,
    }
    /// Which lot leaves first.
    LotMatching {
        /// The one acquired first.
        FirstInFirstOut,
        /// Defect: the one acquired last.
        LastInFirstOut,
        /// Defect: the one recorded first.
        AsRecorded,
        /// Defect: all lots at their average cost.
        Average,
    }
    /// Lots that the row names.
    NamedLots {
        /// They leave, and only they.
        Honoured,
        /// Defect: the general order applies instead.
        Ignored,
        /// Defect: what a named lot lacks is taken from others.
        ToppedUp,
    }
    /// Fees of a buy.
    FeesOnBuy {
        /// They join the cost base.
        InCostBase,
        /// Defect: they are left out.
        Ignored,
    }
    /// Fees of a sale.
    FeesOnSale {
        /// They reduce the proceeds.
        ReduceProceeds,
        /// Defect: they are left out.
        Ignored,
        /// Defect: they are added to the proceeds.
        AddToProceeds,
    }
    /// Money put into something valued as a whole.
    Improvements {
        /// It joins the cost base.
        InCostBase,
        /// Defect: it is left out.
        Ignored,
    }
    /// What part of a lot costs.
    PartialCost {
        /// Cost times units over the lot's units; the rest stays in the lot.
        ProRata,
        /// Defect: the unit cost is rounded to cents first.
        UnitCostInCents,
        /// Defect: every piece is computed alone, so the pieces need not add up.
        RoundedAlone,
    }
    /// More units than are held.
    Oversell {
        /// Refused.
        Refused,
        /// Defect: what is there leaves, the rest is forgotten.
        Clamped,
        /// Defect: only the units at the end are looked at.
        CheckedAtEnd,
    }
    /// Splits.
    Splits {
        /// Units change; cost and dates stay.
        UnitsOnly,
        /// Defect: the split is skipped.
        Ignored,
        /// Defect: the cost is multiplied too.
        CostToo,
        /// Defect: the lots are dated on the split.
        Redated,
    }
    /// Lots that move between two items.
    TransferredLots {
        /// They keep their cost and date.
        Carried,
        /// Defect: they arrive dated on the transfer.
        Redated,
        /// Defect: they arrive without a cost.
        CostLost,
    }
    /// Lots that come in without a counterpart.
    ArrivingLots {
        /// They bring their cost.
        WithCost,
        /// Defect: they cost nothing.
        CostLost,
    }
    /// What a lot is named after.
    LotIds {
        /// The row that made it.
        OfTheRow,
        /// Defect: its place among the lots at hand.
        ByPlace,
    }
    /// A type on a kind that does not know it.
    RowKinds {
        /// Refused.
        OwnOnly,
        /// Defect: on a balance it is taken for money that comes in.
        AnyOnBalances,
    }
    /// A field that the type does not know.
    RowFields {
        /// Refused.
        Checked,
        /// Defect: left unread.
        OthersUnread,
    }
    /// A price or valuation in another currency than the item's.
    FigureCurrency {
        /// Refused.
        Checked,
        /// Defect: taken for the item's currency.
        FaceValue,
    }
    /// Interest and fees of a cash item.
    CashIncome {
        /// They move its balance.
        MovesBalance,
        /// Defect: they are noted beside it.
        Beside,
    }
    /// A row on an item that was sold as a whole.
    SoldItems {
        /// Refused.
        Closed,
        /// Defect: taken.
        Open,
    }
    /// The money of a row that names a cash item.
    CashLeg {
        /// Posted there too, fees included.
        Posted,
        /// Defect: posted without the fees.
        WithoutFees,
        /// Defect: not posted.
        Ignored,
    }
    /// A date without a publication.
    MissingDay {
        /// The last publication before it.
        PreviousPublication,
        /// Defect: the next one after it.
        NextPublication,
        /// Defect: a rate of one.
        One,
    }
    /// How far back a publication may lie.
    LookBack {
        /// Seven days.
        SevenDays,
        /// Defect: any number of years.
        Unlimited,
    }
    /// Which way the two quotes are divided.
    CrossRate {
        /// The target's quote over the source's.
        ToOverFrom,
        /// Defect: the other way round.
        FromOverTo,
    }
    /// A rate that the row gives.
    ExplicitRate {
        /// It wins over the published one.
        Wins,
        /// Defect: the published one is used all the same.
        Ignored,
        /// Defect: it is read as units of the row's currency per base unit.
        Inverted,
    }
    /// The date whose rate a report converts by.
    ReportRate {
        /// The report's.
        ReportDate,
        /// Defect: the date of the price or valuation.
        FigureDate,
    }
    /// The date whose rate a cost in base currency is from.
    CostRate {
        /// The purchase's.
        OwnDate,
        /// Defect: the sale's.
        SaleDate,
    }
    /// A row in a currency that nobody quotes.
    Unquoted {
        /// Refused unless the row gives a rate.
        Refused,
        /// Defect: a rate of one.
        One,
    }
    /// Which rows a figure on a date includes.
    OnDate {
        /// All of that day.
        CloseOfDay,
        /// Defect: only those before it.
        OpenOfDay,
    }
    /// Which price or valuation counts.
    Figures {
        /// The latest on or before the date.
        LatestOnOrBefore,
        /// Defect: the latest there is, even from the future.
        LatestOfAll,
        /// Defect: only one of the very day.
        SameDayOnly,
        /// Defect: the first ever recorded.
        First,
    }
    /// Two prices of one date.
    SameDayPrice {
        /// A manual one beats a fetched one, else the later recorded wins.
        ManualThenLater,
        /// Defect: the earlier recorded wins.
        Earlier,
        /// Defect: a fetched one beats a manual one.
        FetchedFirst,
    }
    /// An item that has no price.
    WithoutPrice {
        /// It has no value, and is named as missing.
        Missing,
        /// Defect: its cost is its value.
        Cost,
        /// Defect: it is worth nothing.
        Zero,
    }
    /// What is owed.
    Liabilities {
        /// Reported positive, subtracted from the net worth.
        Subtracted,
        /// Defect: reported negative.
        ReportedNegative,
        /// Defect: added to the net worth.
        Added,
        /// Defect: left out of the net worth.
        LeftOut,
    }
    /// A total that lacks a part.
    Partial {
        /// Says so, and names the part.
        Said,
        /// Defect: looks complete.
        Unsaid,
    }
    /// A valuation of a balance.
    BalanceValuation {
        /// It resets the balance at the close of its day.
        Resets,
        /// Defect: it is ignored.
        Ignored,
        /// Defect: it is added to the balance.
        Adds,
        /// Defect: it resets the balance at the open of its day.
        ResetsAtOpen,
    }
    /// What counts as investable.
    Investable {
        /// Assets flagged so, gross of debts.
        FlaggedAssets,
        /// Defect: net of debts.
        NetOfDebts,
        /// Defect: every asset.
        EveryAsset,
    }
    /// An old figure.
    Stale {
        /// Named, still counted.
        Flagged,
        /// Defect: not named.
        Unsaid,
        /// Defect: no longer counted.
        LeftOut,
    }
    /// An item that calls itself closed.
    ClosedItems {
        /// Counts as before; the date is a label.
        Counted,
        /// Defect: is worth nothing any more.
        LeftOut,
    }
    /// Who may own.
    OwningParties {
        /// Parties of the workspace.
        OfTheWorkspace,
        /// Defect: whatever is named.
        Anybody,
    }
    /// The total of a household.
    HouseholdTotal {
        /// Everything, whoever owns it.
        Everything,
        /// Defect: the first owner's part of each item.
        FirstOwners,
    }
    /// Lots of an item that changes hands.
    LotsOfNewOwners {
        /// The same as before.
        Kept,
        /// Defect: acquired on the day of the change.
        Redated,
    }
    /// What the percentages add up to.
    OwnersTotal {
        /// Exactly one hundred.
        Exactly,
        /// Defect: one hundred give or take a hundredth.
        Roughly,
        /// Defect: not looked at.
        Unchecked,
    }
    /// From when a new split counts.
    NewSplit {
        /// From its date; the past only by a correction.
        FromItsDate,
        /// Defect: it rewrites the past.
        RewritesPast,
        /// Defect: it is added to the split before it.
        AddedToTheOld,
    }
    /// A split that counts from a day that has passed.
    PastSplit {
        /// Refused unless it calls itself a correction.
        NeedsCorrection,
        /// Defect: taken as it is.
        Taken,
    }
    /// A party's part of a figure.
    OwnerParts {
        /// Exact; the parts add up to the whole.
        Exact,
        /// Defect: each rounded to cents.
        Cents,
        /// Defect: the whole for every owner.
        Whole,
    }
    /// A row that is recorded already.
    Duplicates {
        /// Skipped and listed.
        Skipped,
        /// Defect: recorded again.
        Recorded,
    }
    /// A known reference with other content.
    Conflicts {
        /// Listed, never written.
        Kept,
        /// Defect: the stored row is replaced.
        Overwritten,
        /// Defect: taken for a duplicate.
        Skipped,
        /// Defect: recorded as a further row.
        Recorded,
    }
    /// The same reference twice in one batch.
    WithinBatch {
        /// The second is compared with the first.
        Compared,
        /// Defect: both are recorded.
        Recorded,
    }
    /// Equal rows under different references.
    Twins {
        /// Two rows.
        Two,
        /// Defect: one row.
        One,
    }
    /// Where a reference is unique.
    ReferenceScope {
        /// In one account.
        Account,
        /// Defect: in the workspace.
        Workspace,
    }
    /// How contents are compared.
    ContentComparison {
        /// As numbers: `10.0` is `10`.
        Numbers,
        /// Defect: as text.
        Text,
        /// Defect: any row with that reference is taken for equal.
        ReferenceOnly,
        /// Defect: the date is not compared.
        WithoutDate,
    }
    /// How references are compared.
    ReferenceComparison {
        /// As they stand.
        Exact,
        /// Defect: without regard to capitals and outer blanks.
        Folded,
    }
    /// A reference that an undo would bring back although another row has it now.
    RestoredReferences {
        /// The undo is refused.
        Refused,
        /// Defect: two rows have it.
        Taken,
    }
    /// Units of a statement.
    UnitsAgreement {
        /// Exact.
        Exact,
        /// Defect: to two places.
        TwoPlaces,
    }
    /// Value and cost base of a statement.
    MoneyAgreement {
        /// At the digits that the statement prints.
        PrintedDigits,
        /// Defect: every digit of the calculated figure.
        EveryDigit,
        /// Defect: within one whole unit of the currency.
        WithinOne,
    }
    /// What is taken from what.
    DifferenceSign {
        /// Statement less calculated.
        StatementLessCalculated,
        /// Defect: calculated less statement.
        CalculatedLessStatement,
    }
    /// What makes a preview stale.
    OutcomeScope {
        /// A different result for the rows previewed.
        OwnResult,
        /// Defect: only another class of a row.
        ClassesOnly,
        /// Defect: any change of the net worth, related or not.
        WholeWorkspace,
    }
    /// Later rows that need what is taken back.
    TakenBack {
        /// The undo or void is refused.
        Refused,
        /// Defect: they are dropped silently.
        Dropped,
    }
    /// A realised gain that a backdated row changes.
    GainChanges {
        /// The preview warns of it.
        Warned,
        /// Defect: it changes in silence.
        Unsaid,
    }
    /// Rows dated later than tomorrow.
    FutureDates {
        /// Refused.
        Refused,
        /// Defect: taken.
        Taken,
    }
    /// A transfer that is voided.
    VoidedTransfers {
        /// Counts on neither side.
        Gone,
        /// Defect: still arrives.
        StillArrives,
    }
    /// A balance below zero.
    NegativeBalance {
        /// Taken, with a warning.
        Warned,
        /// Defect: taken in silence.
        Unsaid,
    }
}

impl Places {
    /// As a number.
    #[must_use]
    pub fn places(self) -> u32 {
        match self {
            Self::Eighteen => 18,
            Self::Eight => 8,
            Self::Four => 4,
            Self::Two => 2,
        }
    }
}

impl LookBack {
    /// As days.
    #[must_use]
    pub fn days(self) -> i32 {
        match self {
            Self::SevenDays => crate::fx::LOOK_BACK_DAYS,
            Self::Unlimited => 36_500,
        }
    }
}

//! The values of each choice about items and reports: the first is the contract, the others are defects that a server may have.

use super::choices;
use serde::{Deserialize, Serialize};

choices! {
    /// A change of some fields of an item.
    ItemUpdates {
        /// The named fields change, the others stay.
        NamedFields,
        /// Defect: texts and dates that are not named are cleared.
        OtherTextsCleared,
        /// Defect: a new class takes the item out of what is investable.
        ClassTakesFlag,
        /// Defect: the account stays as it is.
        AccountUnread,
        /// Defect: the flag stays as it is.
        FlagUnread,
        /// Defect: attributes that are not named stay.
        AttributesMerged,
    }
    /// What a new item is, where nobody says.
    KindDefaults {
        /// What its kind says.
        OfItsKind,
        /// Defect: retirement money is investable.
        RetirementInvestable,
        /// Defect: every class is `other`.
        ClassOther,
    }
    /// A change that changes nothing.
    NoChange {
        /// Refused.
        Refused,
        /// Defect: written as a batch.
        Written,
    }
    /// A change of an item's currency.
    CurrencyChange {
        /// Only before any history.
        BeforeHistory,
        /// Defect: at any time.
        AtAnyTime,
        /// Defect: never.
        Never,
    }
    /// From when an archived item counts no more.
    ArchiveDate {
        /// From the archive date on.
        FromItsDay,
        /// Defect: from the day after.
        FromTheDayAfter,
        /// Defect: on no date at all, so that the past is rewritten.
        RewritesPast,
    }
    /// A row on an archived item.
    ArchivedRows {
        /// Refused.
        Refused,
        /// Defect: taken.
        Taken,
    }
    /// What may be linked to what.
    LinkKinds {
        /// A loan to a property, an account to a loan, a loan to what it funded.
        Fitting,
        /// Defect: anything to anything.
        Any,
    }
    /// How many loans an offset account belongs to.
    OffsetLinks {
        /// One.
        OneLoan,
        /// Defect: any number.
        ManyLoans,
    }
    /// What taking a link away takes away.
    LinkRemoval {
        /// The named link.
        NamedLink,
        /// Defect: every link that begins at the item.
        EveryLinkOfIt,
    }
    /// The same link once more.
    RepeatedLink {
        /// Refused.
        Refused,
        /// Defect: written as a batch.
        Written,
    }
    /// Where a link is shown.
    LinkEnds {
        /// At both its ends.
        Both,
        /// Defect: where it begins.
        FirstOnly,
    }
    /// A link in the net worth.
    LinksInNetWorth {
        /// Nothing.
        LeftOut,
        /// Defect: an offset account is taken off the assets too.
        OffsetsTakenOff,
    }
    /// Taking away a link that is not there.
    AbsentLink {
        /// Refused.
        Refused,
        /// Defect: said to be done.
        SaidToBeDone,
    }
    /// Which days are points.
    PeriodEnds {
        /// The calendar ends inside the range, both ends included.
        Calendar,
        /// Defect: the end of the range is left out.
        LastLeftOut,
        /// Defect: the day after each end.
        DayAfter,
        /// Defect: every thirty days.
        ThirtyDays,
    }
    /// A point before anything was recorded.
    BeforeFirstRow {
        /// Partial.
        Partial,
        /// Defect: a zero that looks real.
        RealZero,
    }
    /// What a point shows.
    HistoryPoints {
        /// What every row, whenever it was recorded, says of its day.
        Replayed,
        /// Defect: what was known when the first later row was recorded; nothing recorded afterwards moves it.
        Remembered,
    }
    /// What the change is measured from.
    HistoryChange {
        /// The first point.
        FromFirst,
        /// Defect: the second.
        FromSecond,
    }
    /// How long a year is.
    YearLength {
        /// 365 days, leap or not.
        Fixed365,
        /// Defect: 366 days where the period holds a 29 February.
        LeapAware,
        /// Defect: 360 days.
        Bank360,
    }
    /// What a period starts with.
    StartValue {
        /// The value at the close of the day before.
        CloseBefore,
        /// Defect: nothing.
        Nothing,
        /// Defect: the value at the close of its first day.
        CloseOfFirstDay,
    }
    /// Money between two items of the workspace.
    OwnTransfers {
        /// Flows of the items, and none of the total.
        NotInTotal,
        /// Defect: new money in the total too.
        NewMoney,
    }
    /// The date whose rate turns a flow.
    FlowRate {
        /// The flow's own.
        OwnDate,
        /// Defect: the end of the period.
        EndOfPeriod,
    }
    /// Income that stays in the workspace.
    RetainedIncome {
        /// Shown, and in the gain once.
        Once,
        /// Defect: added to the gain again.
        Twice,
    }
    /// Income in the gain.
    IncomeInGain {
        /// It counts.
        Counted,
        /// Defect: left out.
        LeftOut,
    }
    /// Fees beside amounts.
    FlowFees {
        /// They count in money in and out.
        Counted,
        /// Defect: left out.
        LeftOut,
    }
    /// A period that ends without a value.
    NoEndValue {
        /// No gain and no rate.
        NoFigure,
        /// Defect: worth nothing, as if all were lost.
        TotalLoss,
    }
    /// A return that does not exist.
    NoRate {
        /// Nothing, with the reason.
        Nothing,
        /// Defect: zero.
        Zero,
    }
    /// More than one return.
    SeveralRates {
        /// Nothing, with the reason.
        Nothing,
        /// Defect: the middle of the first two, which solves nothing.
        BetweenThem,
    }
    /// What is owed.
    DebtsInPerformance {
        /// Left out.
        LeftOut,
        /// Defect: counted like an asset.
        Counted,
    }
    /// An item that was archived.
    ArchivedGains {
        /// What it gained before stays in the total.
        Kept,
        /// Defect: gone from the total.
        Dropped,
    }
    /// Less than a year.
    ShortPeriod {
        /// Annualised, and marked.
        Annualised,
        /// Defect: the plain return in place of an annual one.
        PlainReturn,
    }
    /// Fees of a simulated sale.
    SimulatedFees {
        /// They reduce the proceeds.
        Counted,
        /// Defect: left out.
        LeftOut,
    }
    /// The price of a simulated sale that names none.
    SimulatedPrice {
        /// The latest on or before its day.
        OnOrBefore,
        /// Defect: the latest there is.
        LatestOfAll,
    }
    /// The lots that a simulated sale can take.
    SimulatedLots {
        /// Those held on its day.
        HeldThatDay,
        /// Defect: those held at the end of the record.
        HeldAtTheEnd,
    }
    /// Whose the gain of a simulated sale is.
    GainShares {
        /// The owners' of that day, by their shares.
        OwnersOfTheDay,
        /// Defect: the first owner's alone.
        FirstOwner,
        /// Defect: the present owners'.
        PresentOwners,
    }
    /// The debt of a loan to value ratio.
    LoanToValue {
        /// Gross of offsets.
        Gross,
        /// Defect: net of them.
        NetOfOffsets,
    }
    /// An offset larger than its loan.
    OffsetFloor {
        /// Lowers the balance to zero at most.
        AtZero,
        /// Defect: below zero.
        BelowZero,
    }
    /// A loan on several properties.
    SharedLoans {
        /// Shared out by value.
        ByValue,
        /// Defect: the whole of it on each.
        WholeOnEach,
    }
    /// A loan in another currency.
    ForeignDebts {
        /// Converted at the report date.
        Converted,
        /// Defect: taken for base currency.
        TakenForBase,
    }
    /// A property without a value.
    NoPropertyValue {
        /// No equity and no ratio.
        NoFigure,
        /// Defect: worth nothing.
        Zero,
    }
    /// What a loan paid for.
    LoanPurpose {
        /// A label.
        Label,
        /// Defect: secures the loan.
        Secures,
    }
    /// A balance that is adjusted.
    Adjustments {
        /// No flow: the difference was gained or lost.
        NoFlow,
        /// Defect: money that came or went.
        Money,
    }
    /// Debt above value.
    EquityFloor {
        /// Negative equity.
        None,
        /// Defect: no equity.
        AtZero,
    }
    /// A change of some fields of a goal or a loss.
    PlanUpdates {
        /// The named fields change, the others stay.
        NamedFields,
        /// Defect: dates, notes and use that are not named are cleared.
        OthersCleared,
    }
    /// What a trend is measured over.
    TrendPeriod {
        /// Twelve months, or from the first complete point.
        Complete,
        /// Defect: twelve months, from zero where nothing was recorded.
        FromZero,
    }
    /// When a goal is on pace.
    Pace {
        /// When it is projected to be reached in time.
        Projected,
        /// Defect: when half of it is reached.
        HalfReached,
    }
    /// Which way a debt goal runs.
    DebtGoals {
        /// Down to the target.
        Downwards,
        /// Defect: up to it, like a net worth.
        Upwards,
    }
    /// A trend that leads away from the target.
    LeadsAway {
        /// No projected date.
        NoDate,
        /// Defect: a date in the past.
        PastDate,
    }
    /// More used than lost.
    LossOveruse {
        /// Refused.
        Refused,
        /// Defect: taken.
        Taken,
    }
    /// Whose a loss may be.
    LossParty {
        /// A party's of the workspace.
        OfTheWorkspace,
        /// Defect: anybody's.
        Anybody,
    }
    /// What a new figure of use means.
    UsedLosses {
        /// It takes the place of the one before.
        Set,
        /// Defect: it is added to it.
        Added,
    }
    /// A loss that was archived.
    ArchivedLosses {
        /// In no list and no total.
        LeftOut,
        /// Defect: still in the totals.
        InTotals,
    }
    /// Losses in the net worth.
    LossesInNetWorth {
        /// Not counted.
        LeftOut,
        /// Defect: what is left of them is subtracted.
        Subtracted,
    }
}

//! Every choice of the ledger as one value: the default is the contract, every other value a real defect.
//!
//! A policy point asks its own field here and nothing else, so a deliberately wrong server is the same
//! server with other data. The defects are ones that users of finance software reported.

use serde::{Deserialize, Serialize};

/// The choices of the ledger, by area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// How figures are kept.
    pub arithmetic: ArithmeticRules,
    /// What comes first inside a day.
    pub within_day: WithinDay,
    /// Lots, sales, splits and transfers.
    pub lots: LotRules,
    /// Exchange rates.
    pub fx: FxRules,
    /// What things are worth on a date.
    pub worth: WorthRules,
    /// Who owns what.
    pub owners: OwnerRules,
    /// What an import takes for known.
    pub imports: ImportRules,
    /// Statement figures against the ledger's.
    pub reconcile: ReconcileRules,
    /// Previews, undo and void.
    pub changes: ChangeRules,
}

/// How figures are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ArithmeticRules {
    /// Running balances.
    pub sums: Sums,
    /// Units of a row.
    pub units: Places,
    /// Units times price, and pieces of a cost.
    pub products: Places,
}

/// Lots, sales, splits and transfers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LotRules {
    /// Which lot leaves first.
    pub matching: LotMatching,
    /// Lots that the row names.
    pub named_lots: NamedLots,
    /// Fees of a buy.
    pub fees_on_buy: FeesOnBuy,
    /// Fees of a sale.
    pub fees_on_sale: FeesOnSale,
    /// Money put into something valued as a whole.
    pub improvements: Improvements,
    /// What part of a lot costs.
    pub partial_cost: PartialCost,
    /// More units than are held.
    pub oversell: Oversell,
    /// Splits.
    pub splits: Splits,
    /// Lots that move between two items.
    pub transfers: TransferredLots,
    /// A row on an item that was sold as a whole.
    pub sold_items: SoldItems,
    /// The money of a row that names a cash item.
    pub cash_leg: CashLeg,
}

/// Exchange rates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FxRules {
    /// A date without a publication.
    pub missing_day: MissingDay,
    /// How far back a publication may lie.
    pub look_back: LookBack,
    /// Which way the two quotes are divided.
    pub cross_rate: CrossRate,
    /// A rate that the row gives.
    pub explicit_rate: ExplicitRate,
    /// The rate's own digits.
    pub rate_places: Places,
    /// The date whose rate a report converts by.
    pub report_rate: ReportRate,
    /// The date whose rate a cost in base currency is from.
    pub cost_rate: CostRate,
    /// A row in a currency that nobody quotes.
    pub unquoted: Unquoted,
}

/// What things are worth on a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WorthRules {
    /// Which rows a figure on a date includes.
    pub on_date: OnDate,
    /// Which price or valuation counts.
    pub figures: Figures,
    /// Two prices of one date.
    pub same_day_price: SameDayPrice,
    /// An item that has no price.
    pub without_price: WithoutPrice,
    /// What is owed.
    pub liabilities: Liabilities,
    /// A total that lacks a part.
    pub partial: Partial,
    /// A valuation of a balance.
    pub balance_valuation: BalanceValuation,
    /// What counts as investable.
    pub investable: Investable,
    /// An old figure.
    pub stale: Stale,
}

/// Who owns what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OwnerRules {
    /// What the percentages add up to.
    pub total: OwnersTotal,
    /// From when a new split counts.
    pub new_split: NewSplit,
    /// A party's part of a figure.
    pub parts: OwnerParts,
}

/// What an import takes for known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImportRules {
    /// A row that is recorded already.
    pub duplicates: Duplicates,
    /// A known reference with other content.
    pub conflicts: Conflicts,
    /// The same reference twice in one batch.
    pub within_batch: WithinBatch,
    /// Equal rows under different references.
    pub twins: Twins,
    /// Where a reference is unique.
    pub reference_scope: ReferenceScope,
    /// How contents are compared.
    pub content: ContentComparison,
}

/// Statement figures against the ledger's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReconcileRules {
    /// Units.
    pub units: UnitsAgreement,
    /// Value and cost base.
    pub money: MoneyAgreement,
    /// What is taken from what.
    pub difference: DifferenceSign,
}

/// Previews, undo and void.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChangeRules {
    /// What makes a preview stale.
    pub outcome: OutcomeScope,
    /// Later rows that need what is taken back.
    pub taken_back: TakenBack,
    /// A realised gain that a backdated row changes.
    pub gain_changes: GainChanges,
    /// Rows dated later than tomorrow.
    pub future_dates: FutureDates,
    /// A balance below zero.
    pub negative_balance: NegativeBalance,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_field_is_enough_to_name_a_defect() {
        let rules: Rules =
            serde_json::from_str(r#"{"lots":{"matching":"average"}}"#).expect("rules");
        assert_eq!(rules.lots.matching, LotMatching::Average);
        assert_eq!(
            Rules {
                lots: LotRules::default(),
                ..rules
            },
            Rules::default()
        );
    }

    #[test]
    fn a_misspelled_defect_is_an_error_not_a_correct_server() {
        for text in [
            r#"{"lots":{"machting":"average"}}"#,
            r#"{"lots":{"matching":"avreage"}}"#,
            r#"{"lot":{}}"#,
        ] {
            assert!(serde_json::from_str::<Rules>(text).is_err(), "{text}");
        }
    }
}

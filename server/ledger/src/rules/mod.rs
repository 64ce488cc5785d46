//! Every choice of the ledger as one value: the default is the contract, every other value a real defect.
//!
//! A policy point asks its own field here and nothing else, so a deliberately wrong server is the same
//! server with other data. The defects are ones that users of finance software reported.

mod report_choices;
mod row_choices;

pub use report_choices::*;
pub use row_choices::*;

use serde::{Deserialize, Serialize};

/// Choices as enums: the first value is the default, each name a word on the wire.
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

use choices;

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
    /// What a row may say, and on which kinds.
    pub rows: RowRules,
    /// What is known of an item, and archived ones.
    pub items: ItemRules,
    /// Links between items.
    pub links: LinkRules,
    /// What an import takes for known.
    pub imports: ImportRules,
    /// Statement figures against the ledger's.
    pub reconcile: ReconcileRules,
    /// Previews, undo and void.
    pub changes: ChangeRules,
    /// Points over time.
    pub history: HistoryRules,
    /// Gains and returns over a period.
    pub performance: PerformanceRules,
    /// Sales that somebody thinks about.
    pub simulations: SimulationRules,
    /// Loans and what secures them.
    pub debts: DebtRules,
    /// Goals.
    pub goals: GoalRules,
    /// Losses carried forward.
    pub losses: LossRules,
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
    /// Lots that come in without a counterpart.
    pub arrivals: ArrivingLots,
    /// What a lot is named after.
    pub ids: LotIds,
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
    /// A rate on a row that is in base currency.
    pub base_rate: BaseRate,
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
    /// An item that calls itself closed.
    pub closed: ClosedItems,
}

/// Who owns what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OwnerRules {
    /// What the percentages add up to.
    pub total: OwnersTotal,
    /// From when a new split counts.
    pub new_split: NewSplit,
    /// A split that counts from a day that has passed.
    pub past_split: PastSplit,
    /// A party's part of a figure.
    pub parts: OwnerParts,
    /// Who may own.
    pub parties: OwningParties,
    /// The total of a household.
    pub household: HouseholdTotal,
    /// Lots of an item that changes hands.
    pub lots: LotsOfNewOwners,
}

/// What a row may say, and on which kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RowRules {
    /// A type on a kind that does not know it.
    pub kinds: RowKinds,
    /// A field that the type does not know.
    pub fields: RowFields,
    /// A price or valuation in another currency than the item's.
    pub currencies: FigureCurrency,
    /// Interest and fees of a cash item.
    pub cash_income: CashIncome,
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
    /// How references are compared.
    pub references: ReferenceComparison,
    /// A reference that an undo would bring back although another row has it now.
    pub restored: RestoredReferences,
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
    /// A transfer that is voided.
    pub voided_transfers: VoidedTransfers,
}

/// What is known of an item, and archived ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ItemRules {
    /// What a new item is, where nobody says.
    pub defaults: KindDefaults,
    /// A change of some fields.
    pub updates: ItemUpdates,
    /// A change that changes nothing.
    pub no_change: NoChange,
    /// A change of currency.
    pub currency_change: CurrencyChange,
    /// From when an archived item counts no more.
    pub archive_date: ArchiveDate,
    /// A row on an archived item.
    pub archived_rows: ArchivedRows,
}

/// Links between items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LinkRules {
    /// What may be linked to what.
    pub kinds: LinkKinds,
    /// How many loans an offset account belongs to.
    pub offsets: OffsetLinks,
    /// What taking a link away takes away.
    pub removal: LinkRemoval,
    /// Taking away a link that is not there.
    pub absent: AbsentLink,
    /// The same link once more.
    pub repeated: RepeatedLink,
    /// Where a link is shown.
    pub shown: LinkEnds,
    /// A link in the net worth.
    pub worth: LinksInNetWorth,
}

/// Points over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HistoryRules {
    /// Which days are points.
    pub ends: PeriodEnds,
    /// A point before anything was recorded.
    pub before_first_row: BeforeFirstRow,
    /// What a point shows.
    pub points: HistoryPoints,
    /// What the change is measured from.
    pub change: HistoryChange,
}

/// Gains and returns over a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PerformanceRules {
    /// How long a year is.
    pub year: YearLength,
    /// What a period starts with.
    pub start_value: StartValue,
    /// Money between two items of the workspace.
    pub transfers: OwnTransfers,
    /// The date whose rate turns a flow.
    pub flow_rate: FlowRate,
    /// Income that stays in the workspace.
    pub retained_income: RetainedIncome,
    /// Income in the gain.
    pub income: IncomeInGain,
    /// Fees beside amounts.
    pub fees: FlowFees,
    /// A period that ends without a value.
    pub no_end_value: NoEndValue,
    /// A return that does not exist.
    pub no_rate: NoRate,
    /// More than one return.
    pub several_rates: SeveralRates,
    /// What is owed.
    pub debts: DebtsInPerformance,
    /// An item that was archived.
    pub archived: ArchivedGains,
    /// Less than a year.
    pub short_period: ShortPeriod,
    /// A balance that is adjusted.
    pub adjustments: Adjustments,
}

/// Sales that somebody thinks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SimulationRules {
    /// Fees.
    pub fees: SimulatedFees,
    /// The price of a sale that names none.
    pub price: SimulatedPrice,
    /// The lots that can be sold on a day.
    pub lots: SimulatedLots,
    /// Whose the gain is.
    pub gain_shares: GainShares,
}

/// Loans and what secures them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DebtRules {
    /// The debt of a loan to value ratio.
    pub lvr: LoanToValue,
    /// An offset larger than its loan.
    pub offset_floor: OffsetFloor,
    /// A loan on several properties.
    pub shared_loans: SharedLoans,
    /// A loan in another currency.
    pub foreign: ForeignDebts,
    /// A property without a value.
    pub no_value: NoPropertyValue,
    /// Debt above value.
    pub equity: EquityFloor,
    /// What a loan paid for.
    pub purpose: LoanPurpose,
}

/// Goals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GoalRules {
    /// A change of some fields.
    pub updates: PlanUpdates,
    /// What a trend is measured over.
    pub trend: TrendPeriod,
    /// When a goal is on pace.
    pub pace: Pace,
    /// Which way a debt goal runs.
    pub debt: DebtGoals,
    /// A trend that leads away from the target.
    pub leads_away: LeadsAway,
}

/// Losses carried forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LossRules {
    /// A change of some fields.
    pub updates: PlanUpdates,
    /// Whose a loss may be.
    pub party: LossParty,
    /// More used than lost.
    pub overuse: LossOveruse,
    /// What a new figure of use means.
    pub used: UsedLosses,
    /// A loss that was archived.
    pub archived: ArchivedLosses,
    /// Losses in the net worth.
    pub net_worth: LossesInNetWorth,
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

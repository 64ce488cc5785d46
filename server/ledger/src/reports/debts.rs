//! Loans, what secures and offsets them, and what that leaves of each property.

use super::RATIO_PLACES;
use crate::decimal::{Exact, Overflow};
use crate::fx::{self, RateError, RateSource};
use crate::ids::ItemId;
use crate::ledger::Ledger;
use crate::model::{Currency, Date, ItemKind, Relation};
use crate::refusal::Refusal;
use crate::replay::ItemBook;
use crate::rows::AppliedRate;
use crate::rules::{
    EquityFloor, ForeignDebts, LoanPurpose, LoanToValue, NoPropertyValue, OffsetFloor, SharedLoans,
};
use crate::worth::Position;
use serde::{Deserialize, Serialize};

/// Every loan and every property at the close of a day. Links are those of today.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DebtReport {
    /// The day.
    pub date: Date,
    /// Base currency of the workspace.
    pub currency: Currency,
    /// The loans that are on the balance sheet or have no row yet, in the order recorded.
    pub loans: Vec<LoanReport>,
    /// The properties that are on the balance sheet or have no row yet, in the order recorded.
    pub properties: Vec<PropertyReport>,
    /// What all loans together owe, each once, in base currency.
    pub total_debt: Exact,
    /// Whether a loan has no balance in base currency, so the total lacks it.
    pub partial: bool,
    /// The rates used, each once.
    pub rates: Vec<AppliedRate>,
}

/// A loan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoanReport {
    /// `itm_…`.
    pub item: ItemId,
    /// Currency of the loan.
    pub currency: Currency,
    /// What is owed; nothing before its first row.
    pub balance: Option<Exact>,
    /// The accounts that offset it.
    pub offsets: Vec<OffsetBalance>,
    /// What the offsets take off, before the floor at zero; nothing when one of them has no rate.
    pub offset: Option<Exact>,
    /// What is left after the offsets, never below zero.
    pub net_of_offset: Option<Exact>,
    /// The properties that secure it, archived ones too.
    pub secured_by: Vec<ItemId>,
    /// What it paid for.
    pub funds: Vec<ItemId>,
    /// The balance in base currency.
    pub value_base: Option<Exact>,
}

/// An account that offsets a loan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OffsetBalance {
    /// `itm_…`.
    pub item: ItemId,
    /// Currency of the account.
    pub currency: Currency,
    /// Its balance; an overdrawn account counts as zero.
    pub balance: Exact,
}

/// A property.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyReport {
    /// `itm_…`.
    pub item: ItemId,
    /// Currency of the property.
    pub currency: Currency,
    /// What it is worth; nothing without a valuation.
    pub value: Option<Exact>,
    /// The same in base currency; the figures below are in it too.
    pub value_base: Option<Exact>,
    /// What the loans that it secures owe, gross of offsets; its share of a loan on several properties.
    pub secured_debt: Exact,
    /// Value less secured debt; may be negative.
    pub equity: Option<Exact>,
    /// Secured debt over value, to ten places.
    pub lvr: Option<Exact>,
}

/// An item with its figures of the day.
struct Stand<'a> {
    book: &'a ItemBook,
    position: Position,
}

impl Ledger {
    /// Every loan and every property at the close of a day.
    ///
    /// # Errors
    /// `overflow` of a figure.
    pub fn debt_report(&self, date: Date, rates: &dyn RateSource) -> Result<DebtReport, Refusal> {
        let mut loans = Vec::new();
        let mut properties = Vec::new();
        for book in &self.book().items {
            let list = match book.item.kind {
                ItemKind::Loan => &mut loans,
                ItemKind::Property => &mut properties,
                _ => continue,
            };
            let gone = self.is_archived(book, date)
                || book.holding.sold_on().is_some_and(|sold| sold <= date);
            if !gone {
                let mut position = self.position_of(book, date, rates)?;
                if self.rules().debts.foreign == ForeignDebts::TakenForBase {
                    position.value_base = position.value;
                }
                list.push(Stand { book, position });
            }
        }
        let total_debt = Exact::sum(loans.iter().filter_map(|loan| loan.position.value_base))?;
        let reports = loans
            .iter()
            .map(|loan| self.loan_report(loan, date, rates))
            .collect::<Result<Vec<_>, _>>()?;
        let mut secured = vec![Exact::ZERO; properties.len()];
        for (loan, report) in loans.iter().zip(&reports) {
            self.share_out(loan, report, &properties, &mut secured)?;
        }
        let mut used: Vec<AppliedRate> = Vec::new();
        for stand in loans.iter().chain(&properties) {
            if let Some(rate) = stand
                .position
                .rate
                .as_ref()
                .filter(|rate| !used.contains(rate))
            {
                used.push(rate.clone());
            }
        }
        let unknown = |loan: &Stand<'_>| loan.position.held && loan.position.value_base.is_none();
        Ok(DebtReport {
            date,
            currency: self.base(),
            partial: loans.iter().any(unknown),
            properties: properties
                .iter()
                .zip(secured)
                .map(|(property, secured)| self.property_report(property, secured))
                .collect::<Result<_, Overflow>>()?,
            loans: reports,
            total_debt,
            rates: used,
        })
    }

    fn linked(&self, item: &ItemId, relation: Relation) -> impl Iterator<Item = &ItemId> {
        self.links()
            .filter(move |link| link.from == *item && link.relation == relation)
            .map(|link| &link.to)
    }

    fn loan_report(
        &self,
        loan: &Stand<'_>,
        date: Date,
        rates: &dyn RateSource,
    ) -> Result<LoanReport, Refusal> {
        let id = &loan.book.item.id;
        let offset_links = self
            .links()
            .filter(|link| link.to == *id && link.relation == Relation::Offset);
        let mut offsets = Vec::new();
        let mut offset = Some(Exact::ZERO);
        for link in offset_links {
            let Some(book) = self.book().item(&link.from) else {
                continue;
            };
            if self.is_archived(book, date) {
                continue;
            }
            let held = self.position_of(book, date, rates)?.value;
            let balance = held.unwrap_or_default().max(Exact::ZERO);
            let converted = self.in_currency(
                balance,
                book.item.currency,
                loan.book.item.currency,
                date,
                rates,
            )?;
            offset = match (offset, converted) {
                (Some(sum), Some(converted)) => Some(sum.plus(converted)?),
                _ => None,
            };
            offsets.push(OffsetBalance {
                item: link.from.clone(),
                currency: book.item.currency,
                balance,
            });
        }
        let net_of_offset = match (loan.position.value, offset) {
            (Some(balance), Some(offset)) => {
                let net = balance.minus(offset)?;
                Some(match self.rules().debts.offset_floor {
                    OffsetFloor::AtZero => net.max(Exact::ZERO),
                    OffsetFloor::BelowZero => net,
                })
            }
            _ => None,
        };
        Ok(LoanReport {
            item: id.clone(),
            currency: loan.book.item.currency,
            balance: loan.position.value,
            offsets,
            offset,
            net_of_offset,
            secured_by: match self.rules().debts.purpose {
                LoanPurpose::Label => self.linked(id, Relation::SecuredBy).cloned().collect(),
                LoanPurpose::Secures => self
                    .linked(id, Relation::SecuredBy)
                    .chain(self.linked(id, Relation::Funds))
                    .cloned()
                    .collect(),
            },
            funds: self.linked(id, Relation::Funds).cloned().collect(),
            value_base: loan.position.value_base,
        })
    }

    /// A figure in another currency at the rate of a day; nothing without one.
    pub(crate) fn in_currency(
        &self,
        figure: Exact,
        from: Currency,
        to: Currency,
        date: Date,
        rates: &dyn RateSource,
    ) -> Result<Option<Exact>, Refusal> {
        if from == to || figure.is_zero() {
            return Ok(Some(figure));
        }
        match fx::rate(from, to, date, rates, &self.rules().fx) {
            Ok(applied) => Ok(Some(figure.times(applied.rate)?)),
            Err(RateError::Missing { .. }) => Ok(None),
            Err(RateError::Overflow(overflow)) => Err(overflow.into()),
        }
    }

    /// Adds a loan to what its properties secure: by value where there are several, and the last takes the rest, so
    /// that the shares add up to the loan.
    fn share_out(
        &self,
        loan: &Stand<'_>,
        report: &LoanReport,
        properties: &[Stand<'_>],
        secured: &mut [Exact],
    ) -> Result<(), Refusal> {
        let rules = self.rules().debts;
        let mut owed = loan.position.value_base.unwrap_or_default();
        if rules.lvr == LoanToValue::NetOfOffsets {
            let net = report.net_of_offset.unwrap_or_default();
            let balance = loan.position.value.unwrap_or_default();
            owed = if balance.is_zero() {
                owed
            } else {
                owed.times_over(net, balance)?
            };
        }
        let places: Vec<usize> = (0..properties.len())
            .filter(|place| {
                properties
                    .get(*place)
                    .is_some_and(|property| report.secured_by.contains(&property.book.item.id))
            })
            .collect();
        let value = |place: usize| {
            let property = properties.get(place);
            property
                .and_then(|property| property.position.value_base)
                .unwrap_or_default()
        };
        let total = Exact::sum(places.iter().map(|place| value(*place)))?;
        let count = i64::try_from(places.len()).unwrap_or(i64::MAX);
        let mut left = owed;
        for (turn, place) in places.iter().enumerate() {
            let last = turn + 1 == places.len();
            let share = if rules.shared_loans == SharedLoans::WholeOnEach {
                owed
            } else if last {
                left
            } else if total.is_positive() {
                owed.times_over(value(*place), total)?
            } else {
                owed.over(Exact::whole(count))?
            };
            left = left.minus(share)?;
            if let Some(sum) = secured.get_mut(*place) {
                *sum = sum.plus(share)?;
            }
        }
        Ok(())
    }

    fn property_report(
        &self,
        property: &Stand<'_>,
        secured_debt: Exact,
    ) -> Result<PropertyReport, Overflow> {
        let rules = self.rules().debts;
        let mut value_base = property.position.value_base;
        if rules.no_value == NoPropertyValue::Zero {
            value_base = value_base.or(Some(Exact::ZERO));
        }
        let equity = value_base
            .map(|value| value.minus(secured_debt))
            .transpose()?;
        let lvr = match value_base {
            Some(value) if value.is_positive() => {
                Some(secured_debt.over(value)?.rounded(RATIO_PLACES)?)
            }
            _ => None,
        };
        Ok(PropertyReport {
            item: property.book.item.id.clone(),
            currency: property.book.item.currency,
            value: property.position.value,
            value_base,
            secured_debt,
            equity: match rules.equity {
                EquityFloor::None => equity,
                EquityFloor::AtZero => equity.map(|equity| equity.max(Exact::ZERO)),
            },
            lvr,
        })
    }
}

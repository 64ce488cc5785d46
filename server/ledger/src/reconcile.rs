//! Holding a figure that a statement prints against the ledger's own.

use crate::decimal::Exact;
use crate::fx::RateSource;
use crate::ids::ItemId;
use crate::ledger::Ledger;
use crate::model::{Date, Measure};
use crate::refusal::{Refusal, RefusalCode};
use crate::rows::{Agreement, Comparison, Figure, Reconciliation};
use crate::rules::{DifferenceSign, MoneyAgreement, UnitsAgreement};

impl Ledger {
    /// Compares a statement's figure with the ledger's at the close of a day; changes nothing.
    ///
    /// Units agree exactly, as numbers. Value and cost base, which are in the item's currency, agree when the
    /// calculated figure, rounded half-even to the digits that the statement prints, equals it.
    ///
    /// # Errors
    /// `not_found`, `invalid_input` for a figure that the item does not have, `price_missing`, `overflow`.
    pub fn compare(
        &self,
        item: &ItemId,
        date: Date,
        figure: &Figure,
        rates: &dyn RateSource,
    ) -> Result<Comparison, Refusal> {
        let book = self
            .book()
            .item(item)
            .ok_or_else(|| Refusal::not_found("item", item))?;
        let position = self.position_of(book, date, rates)?;
        let measure = book.item.kind.measured_by();
        let absent = || {
            let message = format!("a {} has no {}", book.item.kind.name(), figure.name());
            Refusal::invalid(figure.name(), message)
        };
        let calculated = match figure {
            Figure::Units(_) => position.units.ok_or_else(absent)?,
            Figure::CostBase(_) => position.cost_base.ok_or_else(absent)?,
            Figure::Value(_) => match position.value {
                Some(value) => value,
                None if position.missing.is_none() || measure == Measure::Balance => Exact::ZERO,
                None => {
                    let message = format!(
                        "{} has no price or valuation on or before {date}",
                        book.item.name
                    );
                    return Err(Refusal::new(RefusalCode::PriceMissing, message).at("value"));
                }
            },
        };
        let printed = figure.printed();
        let statement = Exact::from(printed);
        let rules = &self.rules().reconcile;
        let agrees = match (figure, rules.units, rules.money) {
            (Figure::Units(_), UnitsAgreement::Exact, _) => calculated == statement,
            (Figure::Units(_), UnitsAgreement::TwoPlaces, _) => {
                calculated.rounded(2)? == statement.rounded(2)?
            }
            (_, _, MoneyAgreement::PrintedDigits) => {
                calculated.rounded(printed.scale())? == statement
            }
            (_, _, MoneyAgreement::EveryDigit) => calculated == statement,
            (_, _, MoneyAgreement::WithinOne) => {
                let distance = calculated.minus(statement)?;
                distance <= Exact::ONE && distance.negated()? <= Exact::ONE
            }
        };
        Ok(Comparison {
            status: if agrees {
                Agreement::Match
            } else {
                Agreement::Mismatch
            },
            statement: printed,
            calculated,
            difference: match rules.difference {
                DifferenceSign::StatementLessCalculated => statement.minus(calculated)?,
                DifferenceSign::CalculatedLessStatement => calculated.minus(statement)?,
            },
        })
    }

    /// The reconciliations that are open: of each item and figure the last recorded one, if it was a mismatch
    /// or would be one now. A later match closes an earlier mismatch.
    pub fn open_mismatches(&self, rates: &dyn RateSource) -> Vec<&Reconciliation> {
        let mut open = Vec::new();
        for book in self
            .book()
            .items
            .iter()
            .filter(|book| book.archived.is_none())
        {
            // The rows lie by statement date; here the one recorded last decides.
            let mut places = book.reconciliations.clone();
            places.sort_unstable();
            let rows: Vec<_> = self.reconciliations_at(&places).collect();
            for name in ["units", "value", "cost_base"] {
                let last = rows.iter().rev().find(|row| row.figure.name() == name);
                open.extend(last.copied().filter(|row| self.is_open(row, rates)));
            }
        }
        open
    }

    fn is_open(&self, row: &Reconciliation, rates: &dyn RateSource) -> bool {
        let mismatch = |comparison: &Comparison| comparison.status == Agreement::Mismatch;
        row.result.as_ref().is_some_and(mismatch)
            || self
                .compare(&row.item, row.date, &row.figure, rates)
                .is_ok_and(|now| mismatch(&now))
    }
}

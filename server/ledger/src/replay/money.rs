//! The money of a row in the item's currency and in base currency, by the rates stored with the row.

use crate::decimal::{Exact, Overflow};
use crate::model::{Currency, Item};
use crate::refusal::{Refusal, RefusalCode};
use crate::rows::Transaction;
use crate::rules::{FeesOnBuy, FeesOnSale, Rules};

/// One sum of money, twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Money {
    /// In the item's currency.
    pub item: Exact,
    /// In base currency.
    pub base: Exact,
}

/// How the figures of a row are turned into the item's and the base currency.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Conversion {
    row_to_base: Exact,
    item_to_base: Exact,
    same_currency: bool,
}

impl Conversion {
    /// From the rates stored with the row.
    ///
    /// # Errors
    /// `fx_missing` when a rate that is needed is not stored.
    pub(crate) fn of(row: &Transaction, item: &Item, base: Currency) -> Result<Self, Refusal> {
        let currency = row.currency.unwrap_or(item.currency);
        let missing = |from: Currency| {
            let message = format!(
                "no rate from {from} to {base} around {}; give fx_rate",
                row.date
            );
            Refusal::new(RefusalCode::FxMissing, message).at("fx_rate")
        };
        let row_to_base = match &row.rate {
            Some(applied) => applied.rate,
            None if currency == base => Exact::ONE,
            None => return Err(missing(currency)),
        };
        let same_currency = currency == item.currency;
        let item_to_base = match &row.item_rate {
            Some(applied) => applied.rate,
            None if same_currency => row_to_base,
            None if item.currency == base => Exact::ONE,
            None => return Err(missing(item.currency)),
        };
        Ok(Self {
            row_to_base,
            item_to_base,
            same_currency,
        })
    }

    /// A figure of the row, converted; each conversion is rounded once.
    pub(crate) fn money(self, figure: Exact) -> Result<Money, Overflow> {
        let base = figure.times(self.row_to_base)?;
        let item = if self.same_currency {
            figure
        } else {
            figure.times_over(self.row_to_base, self.item_to_base)?
        };
        Ok(Money { item, base })
    }

    /// A figure in the item's currency, in base currency by this row's rate.
    pub(crate) fn item_to_base(self, figure: Exact) -> Result<Exact, Overflow> {
        figure.times(self.item_to_base)
    }
}

/// Amount and fees: what joins a cost base.
pub(crate) fn cost(row: &Transaction, rules: &Rules) -> Result<Exact, Overflow> {
    let amount = row.amount.map(Exact::from).unwrap_or_default();
    match rules.lots.fees_on_buy {
        FeesOnBuy::InCostBase => amount.plus(fees(row)),
        FeesOnBuy::Ignored => Ok(amount),
    }
}

/// Amount less fees: what a sale or an income brings. May be negative.
pub(crate) fn proceeds(row: &Transaction, rules: &Rules) -> Result<Exact, Overflow> {
    let amount = row.amount.map(Exact::from).unwrap_or_default();
    match rules.lots.fees_on_sale {
        FeesOnSale::ReduceProceeds => amount.minus(fees(row)),
        FeesOnSale::Ignored => Ok(amount),
        FeesOnSale::AddToProceeds => amount.plus(fees(row)),
    }
}

pub(crate) fn fees(row: &Transaction) -> Exact {
    row.fees.map(Exact::from).unwrap_or_default()
}

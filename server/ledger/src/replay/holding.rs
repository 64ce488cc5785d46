//! What one item holds while its rows are replayed, and what it held at the close of each day.

use super::lots::{Lot, LotBook};
use super::money::{self, Conversion, Money};
use super::sale::{Sale, SaleHead};
use super::table::Effect;
use crate::decimal::{Exact, Overflow};
use crate::ids::{LotId, RowId};
use crate::model::{Currency, Date, Item, Measure};
use crate::refusal::{Refusal, RefusalCode};
use crate::rows::{Transaction, TransactionKind, Valuation};
use crate::rules::{
    ArrivingLots, BalanceValuation, CostRate, Improvements, LotIds, Rules, SoldItems, Sums,
};
use std::collections::BTreeMap;

/// The close of a day on which something happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Close {
    pub date: Date,
    /// Units, or the balance; nothing of either for an item valued as a whole.
    pub quantity: Exact,
    /// Cost base in the item's currency.
    pub cost_base: Exact,
    /// Cost base in base currency.
    pub cost_base_base: Exact,
}

/// A running state and its history.
#[derive(Debug, Clone, Default)]
pub(crate) struct Holding {
    lots: LotBook,
    balance: Exact,
    whole_cost: Money,
    held_from: Option<Date>,
    sold_on: Option<Date>,
    closes: Vec<Close>,
    sales: Vec<Sale>,
    /// Cost in base currency of the units that left without a sale, by the row that took them.
    released: BTreeMap<RowId, Exact>,
}

/// What a row needs to know beside itself.
pub(crate) struct Context<'a> {
    pub item: &'a Item,
    pub base: Currency,
    pub rules: &'a Rules,
    /// The row's place in the order recorded.
    pub recorded: u64,
}

impl Holding {
    pub(crate) fn lots(&self) -> impl Iterator<Item = &Lot> {
        self.lots.iter()
    }

    /// What the units that a row took without a sale had cost, in base currency.
    pub(crate) fn released(&self, row: RowId) -> Exact {
        self.released.get(&row).copied().unwrap_or_default()
    }

    pub(crate) fn sales(&self) -> &[Sale] {
        &self.sales
    }

    pub(crate) fn closes(&self) -> &[Close] {
        &self.closes
    }

    /// The last close on or before a date.
    pub(crate) fn close_on(&self, date: Date) -> Option<Close> {
        let after = self.closes.partition_point(|close| close.date <= date);
        self.closes.get(after.checked_sub(1)?).copied()
    }

    /// First day on which something valued as a whole was acquired by a row.
    pub(crate) fn held_from(&self) -> Option<Date> {
        self.held_from
    }

    pub(crate) fn sold_on(&self) -> Option<Date> {
        self.sold_on
    }

    /// Whether more left than ever arrived, where that is looked at only in the end.
    pub(crate) fn is_short(&self) -> bool {
        self.lots.is_short()
    }

    pub(crate) fn apply(
        &mut self,
        row: &Transaction,
        effect: Effect,
        context: &Context<'_>,
    ) -> Result<(), Refusal> {
        self.refuse_if_sold(row.date, context.rules)?;
        let rules = context.rules;
        let conversion = || Conversion::of(row, context.item, context.base);
        match effect {
            Effect::AcquireUnits => {
                let lost = row.kind == TransactionKind::TransferIn
                    && rules.lots.arrivals == ArrivingLots::CostLost;
                let paid = if lost {
                    Exact::ZERO
                } else {
                    money::cost(row, rules)?
                };
                let cost = conversion()?.money(paid)?;
                let lot = Lot {
                    lot: match rules.lots.ids {
                        LotIds::OfTheRow => LotId::made_by(&row.id),
                        LotIds::ByPlace => LotId::at_place(self.lots.iter().count()),
                    },
                    acquired_on: row.acquired_on.unwrap_or(row.date),
                    units: units(row, rules)?,
                    cost_base: cost.item,
                    cost_base_base: cost.base,
                    recorded: context.recorded,
                };
                self.lots.add(lot, rules)?;
            }
            Effect::SellUnits => {
                let conversion = conversion()?;
                let mut pieces = self.lots.take(units(row, rules)?, &row.lots, rules)?;
                if rules.fx.cost_rate == CostRate::SaleDate {
                    for piece in &mut pieces {
                        piece.cost_base_base = conversion.item_to_base(piece.cost_base)?;
                    }
                }
                let net = conversion.money(money::proceeds(row, rules)?)?;
                self.sales
                    .push(Sale::of_lots(head(row, context), pieces, net)?);
            }
            Effect::ReleaseUnits => {
                let pieces = self.lots.take(units(row, rules)?, &row.lots, rules)?;
                self.remember_release((&row.id).into(), &pieces)?;
            }
            Effect::Split => {
                let ratio = |side: Option<_>| side.map(Exact::from).unwrap_or(Exact::ONE);
                self.lots
                    .split(ratio(row.to), ratio(row.from), row.date, rules)?;
            }
            Effect::AcquireWhole => {
                self.held_from.get_or_insert(row.date);
                self.add_to_whole_cost(conversion()?.money(money::cost(row, rules)?)?)?;
            }
            Effect::Improve => {
                let cost = conversion()?.money(money::cost(row, rules)?)?;
                if rules.lots.improvements == Improvements::InCostBase {
                    self.add_to_whole_cost(cost)?;
                }
            }
            Effect::SellWhole => self.sell_whole(row, conversion()?, context)?,
            Effect::Beside => {
                conversion()?;
            }
            Effect::RaiseBalance => {
                let amount = conversion()?.money(amount(row))?;
                self.move_balance(amount.item, rules)?;
            }
            Effect::LowerBalance => {
                let amount = conversion()?.money(amount(row))?;
                self.move_balance(amount.item.negated()?, rules)?;
            }
        }
        self.close(row.date, context.item.kind.measured_by())?;
        Ok(())
    }

    /// The other side of a row that names this cash item, or one side of a transfer of money.
    pub(crate) fn post(&mut self, amount: Exact, date: Date, rules: &Rules) -> Result<(), Refusal> {
        self.move_balance(amount, rules)?;
        Ok(self.close(date, Measure::Balance)?)
    }

    /// Takes units out for another item.
    pub(crate) fn hand_over(
        &mut self,
        row: RowId,
        units: Exact,
        named: &[crate::rows::LotChoice],
        date: Date,
        rules: &Rules,
    ) -> Result<Vec<Lot>, Refusal> {
        let pieces = self.lots.take(units, named, rules)?;
        self.remember_release(row, &pieces)?;
        self.close(date, Measure::Units)?;
        Ok(pieces)
    }

    fn remember_release(&mut self, row: RowId, pieces: &[Lot]) -> Result<(), Overflow> {
        let cost = Exact::sum(pieces.iter().map(|piece| piece.cost_base_base))?;
        self.released.insert(row, cost);
        Ok(())
    }

    /// Takes in units that another item handed over.
    pub(crate) fn receive(
        &mut self,
        pieces: Vec<Lot>,
        date: Date,
        rules: &Rules,
    ) -> Result<(), Refusal> {
        for piece in pieces {
            self.lots.add(piece, rules)?;
        }
        Ok(self.close(date, Measure::Units)?)
    }

    pub(crate) fn value(
        &mut self,
        row: &Valuation,
        item: &Item,
        rules: &Rules,
    ) -> Result<(), Refusal> {
        let measure = item.kind.measured_by();
        if measure == Measure::Value {
            // On the day of the sale a valuation may still say what the sale is measured against.
            if self.sold_on.is_some_and(|sold_on| row.date > sold_on) {
                self.refuse_if_sold(row.date, rules)?;
            }
            return Ok(());
        }
        match rules.worth.balance_valuation {
            BalanceValuation::Resets | BalanceValuation::ResetsAtOpen => {
                self.balance = row.value.into()
            }
            BalanceValuation::Ignored => return Ok(()),
            BalanceValuation::Adds => self.balance = self.balance.plus(row.value.into())?,
        }
        Ok(self.close(row.date, measure)?)
    }

    fn refuse_if_sold(&self, date: Date, rules: &Rules) -> Result<(), Refusal> {
        match self.sold_on {
            Some(sold_on) if rules.lots.sold_items == SoldItems::Closed => {
                let message = format!(
                    "the item was sold as a whole on {sold_on}; a row on {date} comes after it"
                );
                Err(Refusal::new(RefusalCode::AlreadySold, message).at("date"))
            }
            _ => Ok(()),
        }
    }

    fn sell_whole(
        &mut self,
        row: &Transaction,
        conversion: Conversion,
        context: &Context<'_>,
    ) -> Result<(), Refusal> {
        let mut cost = std::mem::take(&mut self.whole_cost);
        if context.rules.fx.cost_rate == CostRate::SaleDate {
            cost.base = conversion.item_to_base(cost.item)?;
        }
        let net = conversion.money(money::proceeds(row, context.rules)?)?;
        self.sales
            .push(Sale::of_whole(head(row, context), net, cost)?);
        self.sold_on = Some(row.date);
        Ok(())
    }

    fn add_to_whole_cost(&mut self, cost: Money) -> Result<(), Overflow> {
        self.whole_cost.item = self.whole_cost.item.plus(cost.item)?;
        self.whole_cost.base = self.whole_cost.base.plus(cost.base)?;
        Ok(())
    }

    fn move_balance(&mut self, by: Exact, rules: &Rules) -> Result<(), Overflow> {
        let balance = self.balance.plus(by)?;
        self.balance = match rules.arithmetic.sums {
            Sums::Exact => balance,
            Sums::ThroughBinary => {
                let binary = |figure: Exact| figure.to_string().parse::<f64>().unwrap_or_default();
                let sum = binary(self.balance) + binary(by);
                sum.to_string().parse().unwrap_or(balance)
            }
            Sums::CutToTwentyEightDigits => {
                balance.cut_to_significant(crate::decimal::SIGNIFICANT_DIGITS)
            }
        };
        Ok(())
    }

    fn close(&mut self, date: Date, measure: Measure) -> Result<(), Overflow> {
        let (quantity, cost_base, cost_base_base) = match measure {
            Measure::Units => (
                self.lots.units()?,
                self.lots.cost_base(),
                self.lots.cost_base_base(),
            ),
            Measure::Balance => (self.balance, Exact::ZERO, Exact::ZERO),
            Measure::Value => (Exact::ZERO, self.whole_cost.item, self.whole_cost.base),
        };
        let close = Close {
            date,
            quantity,
            cost_base,
            cost_base_base,
        };
        match self.closes.last_mut() {
            Some(last) if last.date == date => *last = close,
            _ => self.closes.push(close),
        }
        Ok(())
    }
}

fn units(row: &Transaction, rules: &Rules) -> Result<Exact, Overflow> {
    row.units
        .map(Exact::from)
        .unwrap_or_default()
        .rounded(rules.arithmetic.units.places())
}

fn amount(row: &Transaction) -> Exact {
    row.amount.map(Exact::from).unwrap_or_default()
}

fn head(row: &Transaction, context: &Context<'_>) -> SaleHead {
    SaleHead {
        transaction: row.id.clone(),
        date: row.date,
        currency: context.item.currency,
        base_currency: context.base,
    }
}

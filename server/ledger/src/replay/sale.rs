//! What a sale realised, lot by lot.

use super::lots::Lot;
use super::money::Money;
use crate::decimal::{Exact, Overflow};
use crate::ids::{LotId, TransactionId};
use crate::model::{Currency, Date};
use serde::{Deserialize, Serialize};

/// A sale and what it realised. Figures are in the item's currency; those that end in `_base` in base
/// currency, proceeds at the rate of the sale's date and each cost at the rate of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sale {
    /// The row.
    pub transaction: TransactionId,
    /// Its date.
    pub date: Date,
    /// Units sold; nothing for an item that is valued as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<Exact>,
    /// Currency of the item.
    pub currency: Currency,
    /// Amount less fees; may be negative.
    pub net_proceeds: Exact,
    /// Cost of what left.
    pub cost_base: Exact,
    /// Net proceeds less cost.
    pub gain: Exact,
    /// Base currency of the workspace.
    pub base_currency: Currency,
    /// Net proceeds in base currency.
    pub net_proceeds_base: Exact,
    /// Cost in base currency.
    pub cost_base_base: Exact,
    /// Gain in base currency.
    pub gain_base: Exact,
    /// The lots that left, in the order taken; none for an item that is valued as a whole.
    pub lots: Vec<SoldLot>,
}

/// The part of a sale that came out of one lot. Net proceeds are shared by units, the last takes the rest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoldLot {
    /// `lot_…`.
    pub lot: LotId,
    /// When it was acquired.
    pub acquired_on: Date,
    /// Units taken from it.
    pub units: Exact,
    /// What they cost.
    pub cost_base: Exact,
    /// What they brought.
    pub net_proceeds: Exact,
    /// The difference.
    pub gain: Exact,
    /// Proceeds in base currency.
    pub net_proceeds_base: Exact,
    /// Cost in base currency.
    pub cost_base_base: Exact,
    /// Gain in base currency.
    pub gain_base: Exact,
    /// Base currency of the workspace.
    pub base_currency: Currency,
}

/// Where and when a sale happens.
pub(crate) struct SaleHead {
    pub transaction: TransactionId,
    pub date: Date,
    pub currency: Currency,
    pub base_currency: Currency,
}

impl Sale {
    /// The sale of pieces of lots for these net proceeds.
    pub(crate) fn of_lots(head: SaleHead, pieces: Vec<Lot>, net: Money) -> Result<Self, Overflow> {
        let units = Exact::sum(pieces.iter().map(|piece| piece.units))?;
        let mut left = net;
        let mut lots = Vec::with_capacity(pieces.len());
        let last = pieces.len().saturating_sub(1);
        for (place, piece) in pieces.into_iter().enumerate() {
            let share = if place == last {
                left
            } else {
                Money {
                    item: net.item.times_over(piece.units, units)?,
                    base: net.base.times_over(piece.units, units)?,
                }
            };
            left = Money {
                item: left.item.minus(share.item)?,
                base: left.base.minus(share.base)?,
            };
            lots.push(SoldLot {
                lot: piece.lot,
                acquired_on: piece.acquired_on,
                units: piece.units,
                cost_base: piece.cost_base,
                net_proceeds: share.item,
                gain: share.item.minus(piece.cost_base)?,
                net_proceeds_base: share.base,
                cost_base_base: piece.cost_base_base,
                gain_base: share.base.minus(piece.cost_base_base)?,
                base_currency: head.base_currency,
            });
        }
        let cost = Money {
            item: Exact::sum(lots.iter().map(|lot| lot.cost_base))?,
            base: Exact::sum(lots.iter().map(|lot| lot.cost_base_base))?,
        };
        Self::new(head, Some(units), net, cost, lots)
    }

    /// The sale of something valued as a whole.
    pub(crate) fn of_whole(head: SaleHead, net: Money, cost: Money) -> Result<Self, Overflow> {
        Self::new(head, None, net, cost, Vec::new())
    }

    fn new(
        head: SaleHead,
        units: Option<Exact>,
        net: Money,
        cost: Money,
        lots: Vec<SoldLot>,
    ) -> Result<Self, Overflow> {
        Ok(Self {
            transaction: head.transaction,
            date: head.date,
            units,
            currency: head.currency,
            net_proceeds: net.item,
            cost_base: cost.item,
            gain: net.item.minus(cost.item)?,
            base_currency: head.base_currency,
            net_proceeds_base: net.base,
            cost_base_base: cost.base,
            gain_base: net.base.minus(cost.base)?,
            lots,
        })
    }
}

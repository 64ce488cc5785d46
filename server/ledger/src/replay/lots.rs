//! The lots of one item: what arrives, what leaves first, and what a part of a lot costs.

use crate::decimal::{Exact, Overflow};
use crate::ids::LotId;
use crate::model::Date;
use crate::refusal::{Refusal, RefusalCode};
use crate::rows::LotChoice;
use crate::rules::{LotMatching, NamedLots, Oversell, PartialCost, Rules, Splits};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Units acquired together: still held, or the part of them that leaves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lot {
    /// `lot_…`, named after the row that made it; kept when it moves to another item.
    pub lot: LotId,
    /// When it was acquired; kept by splits and transfers.
    pub acquired_on: Date,
    /// How many units.
    pub units: Exact,
    /// What they cost, in the item's currency, fees included.
    pub cost_base: Exact,
    /// The same in base currency, each cost at the rate of its own date.
    pub cost_base_base: Exact,
    /// The order recorded of the row that made it, which decides between lots of one date.
    #[serde(skip)]
    pub(crate) recorded: u64,
}

type Place = (Option<Date>, u64);

/// The lots that an item holds, in the order in which they leave.
#[derive(Debug, Clone, Default)]
pub(crate) struct LotBook {
    lots: BTreeMap<Place, Lot>,
    places: BTreeMap<LotId, Place>,
    units: Exact,
    cost_base: Exact,
    cost_base_base: Exact,
    /// Units that left without being there; only the rule that checks at the end lets any pile up.
    owed: Exact,
}

impl LotBook {
    pub(crate) fn units(&self) -> Result<Exact, Overflow> {
        self.units.minus(self.owed)
    }

    pub(crate) fn cost_base(&self) -> Exact {
        self.cost_base
    }

    pub(crate) fn cost_base_base(&self) -> Exact {
        self.cost_base_base
    }

    pub(crate) fn is_short(&self) -> bool {
        self.owed.is_positive()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Lot> {
        self.lots.values()
    }

    fn place(lot: &Lot, rules: &Rules) -> Place {
        match rules.lots.matching {
            LotMatching::AsRecorded => (None, lot.recorded),
            _ => (Some(lot.acquired_on), lot.recorded),
        }
    }

    /// Takes units in. Parts of one lot that come back together become one lot again.
    pub(crate) fn add(&mut self, mut lot: Lot, rules: &Rules) -> Result<(), Overflow> {
        if self.is_short() {
            let settled = self.owed.min(lot.units);
            self.owed = self.owed.minus(settled)?;
            lot.units = lot.units.minus(settled)?;
            if lot.units.is_zero() {
                return Ok(());
            }
        }
        self.units = self.units.plus(lot.units)?;
        self.cost_base = self.cost_base.plus(lot.cost_base)?;
        self.cost_base_base = self.cost_base_base.plus(lot.cost_base_base)?;
        let place = Self::place(&lot, rules);
        self.places.insert(lot.lot.clone(), place);
        match self.lots.get_mut(&place) {
            Some(held) => {
                held.units = held.units.plus(lot.units)?;
                held.cost_base = held.cost_base.plus(lot.cost_base)?;
                held.cost_base_base = held.cost_base_base.plus(lot.cost_base_base)?;
            }
            None => {
                self.lots.insert(place, lot);
            }
        }
        Ok(())
    }

    /// Takes units out: the named lots, or those whose turn it is. The pieces come in the order taken.
    pub(crate) fn take(
        &mut self,
        units: Exact,
        named: &[LotChoice],
        rules: &Rules,
    ) -> Result<Vec<Lot>, Refusal> {
        if rules.lots.matching == LotMatching::Average {
            self.average_out()?;
        }
        if named.is_empty() || rules.lots.named_lots == NamedLots::Ignored {
            return self.take_in_turn(units, rules);
        }
        let total = Exact::sum(named.iter().map(|choice| Exact::from(choice.units)))?;
        if total != units {
            let message = format!("the named lots add up to {total}, the row takes {units}");
            return Err(Refusal::new(RefusalCode::LotsDoNotAddUp, message).at("lots"));
        }
        let mut pieces = Vec::with_capacity(named.len());
        let mut lacking = Exact::ZERO;
        for choice in named {
            let held = self
                .places
                .get(&choice.lot)
                .and_then(|place| Some((*place, self.lots.get(place)?.units)));
            let Some((place, held)) = held else {
                let message = format!(
                    "{} is not held at that time; get_item shows the lots",
                    choice.lot
                );
                return Err(Refusal::new(RefusalCode::UnknownLot, message).at("lots"));
            };
            let mut wanted = Exact::from(choice.units);
            if wanted > held {
                if rules.lots.named_lots != NamedLots::ToppedUp {
                    let message = format!("{} holds {held} units, not {wanted}", choice.lot);
                    return Err(Refusal::new(RefusalCode::LotExceeded, message).at("lots"));
                }
                lacking = lacking.plus(wanted.minus(held)?)?;
                wanted = held;
            }
            pieces.extend(self.take_from(place, wanted, rules)?);
        }
        if lacking.is_positive() {
            pieces.extend(self.take_in_turn(lacking, rules)?);
        }
        Ok(pieces)
    }

    fn take_in_turn(&mut self, units: Exact, rules: &Rules) -> Result<Vec<Lot>, Refusal> {
        let mut left = units;
        if units > self.units {
            match rules.lots.oversell {
                Oversell::Refused => {
                    let message =
                        format!("{units} units leave, {} are held at that time", self.units);
                    return Err(Refusal::new(RefusalCode::Oversell, message).at("units"));
                }
                Oversell::Clamped => left = self.units,
                Oversell::CheckedAtEnd => {
                    self.owed = self.owed.plus(units.minus(self.units)?)?;
                    left = self.units;
                }
            }
        }
        let mut pieces = Vec::new();
        while left.is_positive() {
            let next = match rules.lots.matching {
                LotMatching::LastInFirstOut => self.lots.last_key_value(),
                _ => self.lots.first_key_value(),
            };
            let Some((place, held)) = next.map(|(place, lot)| (*place, lot.units)) else {
                break;
            };
            let taken = left.min(held);
            left = left.minus(taken)?;
            pieces.extend(self.take_from(place, taken, rules)?);
        }
        Ok(pieces)
    }

    /// Takes part of a lot, or all of it; the rest of the cost stays in the lot, so pieces add up.
    fn take_from(
        &mut self,
        place: Place,
        units: Exact,
        rules: &Rules,
    ) -> Result<Option<Lot>, Overflow> {
        let Some(lot) = self.lots.get_mut(&place) else {
            return Ok(None);
        };
        let mut piece = lot.clone();
        if units < lot.units || rules.lots.partial_cost == PartialCost::RoundedAlone {
            let part = |cost: Exact| part_of_cost(cost, units, lot.units, rules);
            piece.cost_base = part(lot.cost_base)?;
            piece.cost_base_base = part(lot.cost_base_base)?;
        }
        piece.units = units;
        lot.units = lot.units.minus(units)?;
        lot.cost_base = lot.cost_base.minus(piece.cost_base)?;
        lot.cost_base_base = lot.cost_base_base.minus(piece.cost_base_base)?;
        self.units = self.units.minus(units)?;
        self.cost_base = self.cost_base.minus(piece.cost_base)?;
        self.cost_base_base = self.cost_base_base.minus(piece.cost_base_base)?;
        if lot.units.is_zero()
            && let Some(emptied) = self.lots.remove(&place)
        {
            self.cost_base = self.cost_base.minus(emptied.cost_base)?;
            self.cost_base_base = self.cost_base_base.minus(emptied.cost_base_base)?;
            if self.places.get(&emptied.lot) == Some(&place) {
                self.places.remove(&emptied.lot);
            }
        }
        Ok(Some(piece))
    }

    /// `to` units for every `from` units of every lot; cost and dates stay.
    pub(crate) fn split(
        &mut self,
        to: Exact,
        from: Exact,
        on: Date,
        rules: &Rules,
    ) -> Result<(), Overflow> {
        if rules.lots.splits == Splits::Ignored {
            return Ok(());
        }
        let lots = std::mem::take(&mut self.lots);
        self.places.clear();
        (self.units, self.cost_base, self.cost_base_base) = (Exact::ZERO, Exact::ZERO, Exact::ZERO);
        for mut lot in lots.into_values() {
            let scaled = |figure: Exact| {
                figure
                    .times_over(to, from)?
                    .rounded(rules.arithmetic.units.places())
            };
            lot.units = scaled(lot.units)?;
            if rules.lots.splits == Splits::CostToo {
                lot.cost_base = scaled(lot.cost_base)?;
                lot.cost_base_base = scaled(lot.cost_base_base)?;
            }
            if rules.lots.splits == Splits::Redated {
                lot.acquired_on = on;
            }
            self.add(lot, rules)?;
        }
        Ok(())
    }

    /// Spreads the whole cost over all units alike.
    fn average_out(&mut self) -> Result<(), Overflow> {
        let (units, cost_base, cost_base_base) = (self.units, self.cost_base, self.cost_base_base);
        (self.cost_base, self.cost_base_base) = (Exact::ZERO, Exact::ZERO);
        for lot in self.lots.values_mut() {
            lot.cost_base = cost_base.times_over(lot.units, units)?;
            lot.cost_base_base = cost_base_base.times_over(lot.units, units)?;
            self.cost_base = self.cost_base.plus(lot.cost_base)?;
            self.cost_base_base = self.cost_base_base.plus(lot.cost_base_base)?;
        }
        Ok(())
    }
}

fn part_of_cost(cost: Exact, units: Exact, of: Exact, rules: &Rules) -> Result<Exact, Overflow> {
    let part = match rules.lots.partial_cost {
        PartialCost::ProRata => cost.times_over(units, of)?,
        PartialCost::UnitCostInCents => cost.over(of)?.rounded(2)?.times(units)?,
        PartialCost::RoundedAlone => cost.over(of)?.times(units)?,
    };
    part.rounded(rules.arithmetic.products.places())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use proptest::prelude::*;

    fn lot(name: &str, day: i8, units: Exact, cost: Exact, recorded: u64) -> Lot {
        Lot {
            lot: LotId::from(name),
            acquired_on: date(2024, 1, day),
            units,
            cost_base: cost,
            cost_base_base: cost,
            recorded,
        }
    }

    #[test]
    fn part_of_a_lot_leaves_and_comes_back_as_the_same_lot() {
        let rules = Rules::default();
        let mut book = LotBook::default();
        book.add(lot("a", 1, Exact::whole(3), Exact::whole(1000), 0), &rules)
            .expect("fits");
        let pieces = book.take(Exact::ONE, &[], &rules).expect("held");
        for piece in pieces {
            book.add(piece, &rules).expect("fits");
        }
        let held: Vec<_> = book.iter().cloned().collect();
        assert_eq!(held, [lot("a", 1, Exact::whole(3), Exact::whole(1000), 0)]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_however_lots_are_cut(
            lots in prop::collection::vec((1u32..1_000_000, 0u32..1_000_000), 1..8),
            cuts in prop::collection::vec(1u32..400_000, 0..20),
            ratio in (1i64..20, 1i64..20),
        ) {
            let rules = Rules::default();
            let seventh = |number: u32| Exact::whole(i64::from(number)).over(Exact::whole(7));
            let mut book = LotBook::default();
            let (mut units, mut cost) = (Exact::ZERO, Exact::ZERO);
            for (order, (lot_units, lot_cost)) in (0u64..).zip(&lots) {
                let (lot_units, lot_cost) = (seventh(*lot_units)?, seventh(*lot_cost)?);
                units = units.plus(lot_units)?;
                cost = cost.plus(lot_cost)?;
                book.add(lot(&format!("lot{order}"), 1, lot_units, lot_cost, order), &rules)?;
            }
            book.split(Exact::whole(ratio.0), Exact::whole(ratio.1), date(2024, 2, 1), &rules)?;
            prop_assert_eq!(book.cost_base(), cost);
            units = book.units()?;
            for cut in cuts {
                if let Ok(pieces) = book.take(seventh(cut)?, &[], &rules) {
                    units = units.minus(Exact::sum(pieces.iter().map(|piece| piece.units))?)?;
                    cost = cost.minus(Exact::sum(pieces.iter().map(|piece| piece.cost_base))?)?;
                }
                prop_assert_eq!(book.units()?, units);
                prop_assert_eq!(book.cost_base(), cost);
                prop_assert_eq!(Exact::sum(book.iter().map(|lot| lot.cost_base))?, cost);
            }
        }
    }
}

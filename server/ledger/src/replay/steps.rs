//! How one dated row takes effect on the items it names.

use super::holding::Context;
use super::money;
use super::table::{self, CashDirection, Effect};
use super::{Book, ItemBook, Place, Quote};
use crate::batch::Change;
use crate::decimal::Exact;
use crate::ids::ItemId;
use crate::model::{Currency, Item, ItemKind, Measure, Side};
use crate::refusal::{Refusal, RefusalCode};
use crate::rows::{Price, Transaction, Transfer, Valuation};
use crate::rules::{CashLeg, FigureCurrency, RowRules, Rules, TransferredLots};

impl Book {
    pub(super) fn take_effect(
        &mut self,
        change: &Change,
        place: Place,
        recorded: u64,
        base: Currency,
        rules: &Rules,
    ) -> Result<(), Refusal> {
        match change {
            Change::Transaction(row) => self.transact(row, place, recorded, base, rules),
            Change::Transfer(row) => self.transfer(row, place, rules),
            Change::Valuation(row) => self.value(row, place, recorded, rules),
            Change::Price(row) => {
                let book = self.named(&row.item, "item")?;
                check_price(row, &book.item, &rules.rows)?;
                book.price_rows.push(place);
                book.prices.push(Quote::price(
                    row.date,
                    row.price.into(),
                    row.origin,
                    recorded,
                    rules,
                ));
                Ok(())
            }
            Change::Reconciliation(row) => {
                self.named(&row.item, "item")?.reconciliations.push(place);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn named(&mut self, item: &ItemId, field: &str) -> Result<&mut ItemBook, Refusal> {
        let place = self.place_of(item);
        place
            .and_then(|place| self.items.get_mut(place))
            .ok_or_else(|| Refusal::not_found(field, item))
    }

    fn transact(
        &mut self,
        row: &Transaction,
        place: Place,
        recorded: u64,
        base: Currency,
        rules: &Rules,
    ) -> Result<(), Refusal> {
        let book = self.named(&row.item, "item")?;
        let entry = table::checked(row, &book.item, &rules.rows)?;
        let held = book.holding.held_from().is_some() || !book.values.is_empty();
        if entry.effect == Effect::SellWhole && !held {
            let message = format!("{} is not held on {}", book.item.name, row.date);
            return Err(Refusal::new(RefusalCode::Oversell, message).at("item"));
        }
        let context = Context {
            item: &book.item,
            base,
            rules,
            recorded,
        };
        book.holding.apply(row, entry.effect, &context)?;
        book.transactions.push(place);
        let currency = row.currency.unwrap_or(book.item.currency);
        if let Some(cash_item) = &row.cash_item {
            self.post_cash(row, cash_item, currency, entry.cash, place, rules)?;
        }
        Ok(())
    }

    /// The money of a row on the cash item that it names.
    fn post_cash(
        &mut self,
        row: &Transaction,
        cash_item: &ItemId,
        currency: Currency,
        direction: CashDirection,
        place: Place,
        rules: &Rules,
    ) -> Result<(), Refusal> {
        let book = self.named(cash_item, "cash_item")?;
        check_cash_item(&book.item, currency)?;
        let amount = row.amount.map(Exact::from).unwrap_or_default();
        let fees = if rules.lots.cash_leg == CashLeg::WithoutFees {
            Exact::ZERO
        } else {
            money::fees(row)
        };
        let posted = match direction {
            CashDirection::In => amount.minus(fees)?,
            CashDirection::Out => amount.plus(fees)?.negated()?,
            CashDirection::None => return Ok(()),
        };
        if rules.lots.cash_leg != CashLeg::Ignored {
            book.holding.post(posted, row.date, rules)?;
            book.transactions.push(place);
        }
        Ok(())
    }

    fn transfer(&mut self, row: &Transfer, place: Place, rules: &Rules) -> Result<(), Refusal> {
        let gone = self.voided.contains(&(&row.id).into());
        let from = self.named(&row.from_item, "from_item")?.item.clone();
        let to = self.named(&row.to_item, "to_item")?.item.clone();
        match check_transfer(row, &from, &to)? {
            Moved::Units(units) => {
                let source = self.named(&row.from_item, "from_item")?;
                let units = units.rounded(rules.arithmetic.units.places())?;
                let mut pieces = source.holding.hand_over(
                    (&row.id).into(),
                    units,
                    &row.lots,
                    row.date,
                    rules,
                )?;
                source.transfers.push(place);
                for piece in &mut pieces {
                    match rules.lots.transfers {
                        TransferredLots::Carried => {}
                        TransferredLots::Redated => piece.acquired_on = row.date,
                        TransferredLots::CostLost => {
                            (piece.cost_base, piece.cost_base_base) = (Exact::ZERO, Exact::ZERO);
                        }
                    }
                }
                let target = self.named(&row.to_item, "to_item")?;
                target.holding.receive(pieces, row.date, rules)?;
                target.transfers.push(place);
            }
            Moved::Money { leaves, arrives } => {
                // What leaves a liability is borrowed, what arrives on one is paid back.
                let source = self.named(&row.from_item, "from_item")?;
                let by = if from.kind.side() == Side::Asset {
                    leaves.negated()?
                } else {
                    leaves
                };
                if !gone {
                    source.holding.post(by, row.date, rules)?;
                    source.transfers.push(place);
                }
                let target = self.named(&row.to_item, "to_item")?;
                let by = if to.kind.side() == Side::Asset {
                    arrives
                } else {
                    arrives.negated()?
                };
                target.holding.post(by, row.date, rules)?;
                target.transfers.push(place);
            }
        }
        Ok(())
    }

    fn value(
        &mut self,
        row: &Valuation,
        place: Place,
        recorded: u64,
        rules: &Rules,
    ) -> Result<(), Refusal> {
        let book = self.named(&row.item, "item")?;
        check_valuation(row, &book.item, &rules.rows)?;
        book.holding.value(row, &book.item, rules)?;
        book.valuations.push(place);
        let strength = (0, i64::try_from(recorded).unwrap_or(i64::MAX));
        book.values.push(Quote {
            date: row.date,
            strength,
            figure: row.value.into(),
            fetched: false,
        });
        Ok(())
    }
}

/// What a transfer moves.
pub(crate) enum Moved {
    Units(Exact),
    Money { leaves: Exact, arrives: Exact },
}

/// Refuses a transfer whose fields or items do not go together.
pub(crate) fn check_transfer(row: &Transfer, from: &Item, to: &Item) -> Result<Moved, Refusal> {
    if from.id == to.id {
        return Err(Refusal::invalid(
            "to_item",
            "a transfer joins two different items",
        ));
    }
    let positive = |value: Option<crate::decimal::Decimal>, field: &str| match value {
        Some(value) if value.is_zero() || value.is_sign_negative() => {
            Err(Refusal::invalid(field, format!("{field} must be above 0")))
        }
        _ => Ok(()),
    };
    positive(row.units, "units")?;
    positive(row.amount, "amount")?;
    positive(row.to_amount, "to_amount")?;
    match (row.units, row.amount) {
        (Some(units), None) => {
            let both = [from, to]
                .iter()
                .all(|item| item.kind.measured_by() == Measure::Units);
            if !both || from.kind != to.kind {
                return Err(Refusal::invalid(
                    "to_item",
                    "units move between two items of the same instrument",
                ));
            }
            if from.currency != to.currency {
                let message = format!(
                    "the lots are in {}, the target is in {}",
                    from.currency, to.currency
                );
                return Err(Refusal::new(RefusalCode::CurrencyMismatch, message).at("to_item"));
            }
            if row.to_amount.is_some() {
                return Err(Refusal::invalid(
                    "to_amount",
                    "leave to_amount out: units move, not money",
                ));
            }
            Ok(Moved::Units(units.into()))
        }
        (None, Some(amount)) => {
            let money = |item: &Item| item.kind.measured_by() == Measure::Balance;
            let one_is_cash = from.kind == ItemKind::Cash || to.kind == ItemKind::Cash;
            if !money(from) || !money(to) || !one_is_cash {
                let message = "money moves between cash items, or between a cash item and a debt";
                return Err(Refusal::invalid("to_item", message));
            }
            if !row.lots.is_empty() {
                return Err(Refusal::invalid(
                    "lots",
                    "leave lots out: money moves, not units",
                ));
            }
            let leaves = Exact::from(amount);
            let arrives = match (row.to_amount.map(Exact::from), from.currency == to.currency) {
                (None, true) => leaves,
                (Some(arrives), true) if arrives == leaves => arrives,
                (Some(arrives), false) => arrives,
                (Some(_), true) => {
                    let message =
                        "what leaves arrives: the currencies are the same, so leave to_amount out";
                    return Err(Refusal::invalid("to_amount", message));
                }
                (None, false) => {
                    let message = format!(
                        "the currencies differ; give to_amount, what arrives in {}",
                        to.currency
                    );
                    return Err(
                        Refusal::new(RefusalCode::CurrencyMismatch, message).at("to_amount")
                    );
                }
            };
            Ok(Moved::Money { leaves, arrives })
        }
        _ => Err(Refusal::invalid(
            "units",
            "a transfer has either units or an amount",
        )),
    }
}

/// Refuses a price on an item that has none, or in another currency than the item's.
pub(crate) fn check_price(row: &Price, item: &Item, rules: &RowRules) -> Result<(), Refusal> {
    if item.kind.measured_by() != Measure::Units {
        let message = format!(
            "{} is a {}, which has no price per unit",
            item.name,
            item.kind.name()
        );
        return Err(Refusal::invalid("item", message));
    }
    if row.price.is_sign_negative() && !row.price.is_zero() {
        return Err(Refusal::invalid("price", "write a price as 0 or more"));
    }
    figure_currency(row.currency, item, rules)
}

/// Refuses a valuation of an item that is measured in units, or in another currency than the item's.
pub(crate) fn check_valuation(
    row: &Valuation,
    item: &Item,
    rules: &RowRules,
) -> Result<(), Refusal> {
    if item.kind.measured_by() == Measure::Units {
        let message = format!("{} is measured in units: record a price instead", item.name);
        return Err(Refusal::invalid("item", message));
    }
    if row.value.is_sign_negative() && !row.value.is_zero() {
        return Err(Refusal::invalid("value", "write a value as 0 or more"));
    }
    figure_currency(row.currency, item, rules)
}

/// Refuses a price or valuation in another currency than the item's.
fn figure_currency(
    currency: Option<Currency>,
    item: &Item,
    rules: &RowRules,
) -> Result<(), Refusal> {
    match rules.currencies {
        FigureCurrency::Checked => same_currency(currency, item),
        FigureCurrency::FaceValue => Ok(()),
    }
}

/// Refuses a cash item that is none, or in another currency than the row's money.
pub(crate) fn check_cash_item(item: &Item, currency: Currency) -> Result<(), Refusal> {
    if item.kind != ItemKind::Cash {
        return Err(Refusal::invalid(
            "cash_item",
            format!("{} is no cash item", item.name),
        ));
    }
    if item.currency != currency {
        let message = format!(
            "the row's money is in {currency}, {} is in {}",
            item.name, item.currency
        );
        return Err(Refusal::new(RefusalCode::CurrencyMismatch, message).at("cash_item"));
    }
    Ok(())
}

fn same_currency(currency: Option<Currency>, item: &Item) -> Result<(), Refusal> {
    match currency {
        Some(currency) if currency != item.currency => {
            let message = format!(
                "{} is in {}, the row in {currency}",
                item.name, item.currency
            );
            Err(Refusal::new(RefusalCode::CurrencyMismatch, message).at("currency"))
        }
        _ => Ok(()),
    }
}

//! Which item takes which type of transaction, which fields the row then has, and what it does.

use crate::decimal::Decimal;
use crate::model::{Item, ItemKind, Measure};
use crate::refusal::Refusal;
use crate::rows::{Transaction, TransactionKind};
use crate::rules::{CashIncome, RowFields, RowKinds, RowRules};

/// What a transaction does to the item it is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Units arrive in a new lot.
    AcquireUnits,
    /// Units leave for money.
    SellUnits,
    /// Units leave without a gain.
    ReleaseUnits,
    /// Units change, the holding does not.
    Split,
    /// Something valued as a whole is held from now on; the money joins its cost.
    AcquireWhole,
    /// Money joins the cost of something valued as a whole.
    Improve,
    /// Something valued as a whole leaves for money.
    SellWhole,
    /// Money beside the holding, which itself stays.
    Beside,
    /// The balance rises.
    RaiseBalance,
    /// The balance falls.
    LowerBalance,
}

/// Where the money of a row goes when it names a cash item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CashDirection {
    /// No money moves, so no cash item may be named.
    None,
    /// Amount less fees arrives.
    In,
    /// Amount and fees leave.
    Out,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AmountField {
    None,
    Positive,
    ZeroToo,
}

/// One cell of the table: what the row does and which fields it has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub effect: Effect,
    pub cash: CashDirection,
    amount: AmountField,
    fees: bool,
    units: bool,
    lots: bool,
    acquired_on: bool,
}

impl Entry {
    const fn new(effect: Effect, amount: AmountField, cash: CashDirection) -> Self {
        Self {
            effect,
            cash,
            amount,
            fees: false,
            units: false,
            lots: false,
            acquired_on: false,
        }
    }

    const fn with_fees(self) -> Self {
        Self { fees: true, ..self }
    }

    const fn with_units(self) -> Self {
        Self {
            units: true,
            ..self
        }
    }

    const fn with_lots(self) -> Self {
        Self { lots: true, ..self }
    }

    const fn with_acquired_on(self) -> Self {
        Self {
            acquired_on: true,
            ..self
        }
    }
}

/// The table of row types; nothing where the item does not take the type.
pub(crate) fn entry(item: ItemKind, row: TransactionKind) -> Option<Entry> {
    use AmountField::{None as NoAmount, Positive, ZeroToo};
    use CashDirection::{In, None as NoCash, Out};
    use TransactionKind as Row;
    let measure = item.measured_by();
    let entry = match (measure, row) {
        (Measure::Units, Row::OpeningBalance | Row::TransferIn) => {
            Entry::new(Effect::AcquireUnits, ZeroToo, NoCash)
                .with_units()
                .with_acquired_on()
        }
        (Measure::Units, Row::Buy) => Entry::new(Effect::AcquireUnits, Positive, Out)
            .with_units()
            .with_fees(),
        (Measure::Units, Row::Sell) => Entry::new(Effect::SellUnits, Positive, In)
            .with_units()
            .with_fees()
            .with_lots(),
        (Measure::Units, Row::TransferOut) => Entry::new(Effect::ReleaseUnits, NoAmount, NoCash)
            .with_units()
            .with_lots(),
        (Measure::Units, Row::Split) => Entry::new(Effect::Split, NoAmount, NoCash),
        (Measure::Value, Row::OpeningBalance) => Entry::new(Effect::AcquireWhole, ZeroToo, NoCash),
        (Measure::Value, Row::Buy) => Entry::new(Effect::AcquireWhole, Positive, Out).with_fees(),
        (Measure::Value, Row::Improvement) => {
            Entry::new(Effect::Improve, Positive, Out).with_fees()
        }
        (Measure::Value, Row::Sell) => Entry::new(Effect::SellWhole, Positive, In).with_fees(),
        (
            Measure::Units | Measure::Value,
            Row::Dividend | Row::Interest | Row::Rent | Row::Distribution,
        ) => Entry::new(Effect::Beside, Positive, In).with_fees(),
        (Measure::Units | Measure::Value, Row::Fee) => Entry::new(Effect::Beside, Positive, Out),
        (Measure::Balance, Row::OpeningBalance) => {
            Entry::new(Effect::RaiseBalance, ZeroToo, NoCash)
        }
        (Measure::Balance, Row::AdjustUp) => Entry::new(Effect::RaiseBalance, Positive, NoCash),
        (Measure::Balance, Row::AdjustDown) => Entry::new(Effect::LowerBalance, Positive, NoCash),
        (Measure::Balance, row) if item == ItemKind::Cash => match row {
            Row::Deposit | Row::Interest => Entry::new(Effect::RaiseBalance, Positive, NoCash),
            Row::Withdrawal | Row::Fee => Entry::new(Effect::LowerBalance, Positive, NoCash),
            _ => return None,
        },
        (Measure::Balance, row) => match row {
            Row::Drawdown => Entry::new(Effect::RaiseBalance, Positive, In),
            Row::Interest | Row::Fee => Entry::new(Effect::RaiseBalance, Positive, NoCash),
            Row::Repayment => Entry::new(Effect::LowerBalance, Positive, Out),
            _ => return None,
        },
        _ => return None,
    };
    Some(entry)
}

/// The cell as the rules read the table.
fn entry_by(item: ItemKind, row: TransactionKind, rules: &RowRules) -> Option<Entry> {
    let mut found = entry(item, row);
    let balance = item.measured_by() == Measure::Balance;
    if found.is_none() && balance && rules.kinds == RowKinds::AnyOnBalances {
        found = Some(Entry::new(
            Effect::RaiseBalance,
            AmountField::Positive,
            CashDirection::None,
        ));
    }
    let inside = matches!(row, TransactionKind::Interest | TransactionKind::Fee);
    if item == ItemKind::Cash && inside && rules.cash_income == CashIncome::Beside {
        return found.map(|entry| Entry {
            effect: Effect::Beside,
            ..entry
        });
    }
    found
}

/// The cell for a row, once its fields are those that the cell asks for.
///
/// # Errors
/// `invalid_input` with the field that is missing, out of place, or zero where it may not be.
pub(crate) fn checked(row: &Transaction, item: &Item, rules: &RowRules) -> Result<Entry, Refusal> {
    let name = row.kind.name();
    let Some(entry) = entry_by(item.kind, row.kind, rules) else {
        let message = format!(
            "{} is a {}, which takes no {name}",
            item.name,
            item.kind.name()
        );
        return Err(Refusal::invalid("type", message));
    };
    let unread = rules.fields == RowFields::OthersUnread;
    let place = |present: bool, wanted: bool, field: &str| match (present, wanted) {
        (true, false) if !unread => Err(Refusal::invalid(
            field,
            format!("leave {field} out: a {name} has none"),
        )),
        _ => Ok(()),
    };
    let units = row.units.filter(|_| entry.units || !unread);
    positive(units, entry.units, "units", name)?;
    match entry.amount {
        AmountField::None => place(row.amount.is_some(), false, "amount")?,
        AmountField::Positive => positive(row.amount, true, "amount", name)?,
        AmountField::ZeroToo => match row.amount {
            Some(amount) if !amount.is_sign_negative() || amount.is_zero() => {}
            _ => {
                return Err(Refusal::invalid(
                    "amount",
                    format!("a {name} needs an amount of 0 or more"),
                ));
            }
        },
    }
    let fees = row.fees.unwrap_or_default();
    place(!fees.is_zero(), entry.fees, "fees")?;
    if fees.is_sign_negative() && !fees.is_zero() {
        return Err(Refusal::invalid("fees", "write fees as 0 or more"));
    }
    let is_split = entry.effect == Effect::Split;
    positive(row.to, is_split, "to", name)?;
    positive(row.from, is_split, "from", name)?;
    place(!row.lots.is_empty(), entry.lots, "lots")?;
    if row
        .lots
        .iter()
        .any(|choice| choice.units.is_zero() || choice.units.is_sign_negative())
    {
        return Err(Refusal::invalid(
            "lots",
            "take more than 0 units from each lot, or leave it out",
        ));
    }
    place(row.acquired_on.is_some(), entry.acquired_on, "acquired_on")?;
    if row
        .acquired_on
        .is_some_and(|acquired_on| acquired_on > row.date)
    {
        return Err(Refusal::invalid(
            "acquired_on",
            "a lot is acquired on or before the date of its row",
        ));
    }
    place(
        row.cash_item.is_some(),
        entry.cash != CashDirection::None,
        "cash_item",
    )?;
    place(
        row.fx_rate.is_some(),
        entry.amount != AmountField::None,
        "fx_rate",
    )?;
    if row.fx_rate.is_some() {
        positive(row.fx_rate, true, "fx_rate", name)?;
    }
    Ok(entry)
}

fn positive(value: Option<Decimal>, wanted: bool, field: &str, name: &str) -> Result<(), Refusal> {
    match (value, wanted) {
        (Some(_), false) => Err(Refusal::invalid(
            field,
            format!("leave {field} out: a {name} has none"),
        )),
        (Some(value), true) if value.is_zero() || value.is_sign_negative() => {
            Err(Refusal::invalid(field, format!("{field} must be above 0")))
        }
        (None, true) => Err(Refusal::invalid(field, format!("a {name} needs {field}"))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use TransactionKind as Row;

    #[test]
    fn every_type_is_taken_by_some_item_and_no_item_takes_all() {
        let items = [
            ItemKind::Security,
            ItemKind::Property,
            ItemKind::Cash,
            ItemKind::Loan,
        ];
        let rows = [
            Row::OpeningBalance,
            Row::Buy,
            Row::Improvement,
            Row::Sell,
            Row::TransferIn,
            Row::TransferOut,
            Row::Split,
            Row::Dividend,
            Row::Interest,
            Row::Rent,
            Row::Distribution,
            Row::Fee,
            Row::Deposit,
            Row::Withdrawal,
            Row::Drawdown,
            Row::Repayment,
            Row::AdjustUp,
            Row::AdjustDown,
        ];
        for row in rows {
            let takers = items
                .iter()
                .filter(|item| entry(**item, row).is_some())
                .count();
            let expected = match row {
                Row::OpeningBalance | Row::Interest | Row::Fee => 4,
                Row::Buy | Row::Sell | Row::Dividend | Row::Rent | Row::Distribution => 2,
                Row::AdjustUp | Row::AdjustDown => 2,
                _ => 1,
            };
            assert_eq!(takers, expected, "{}", row.name());
        }
    }

    #[test]
    fn interest_leaves_cash_richer_and_a_loan_deeper() {
        let raises = |item| entry(item, Row::Interest).map(|entry| entry.effect);
        assert_eq!(raises(ItemKind::Cash), Some(Effect::RaiseBalance));
        assert_eq!(raises(ItemKind::Loan), Some(Effect::RaiseBalance));
        assert_eq!(raises(ItemKind::Security), Some(Effect::Beside));
    }
}

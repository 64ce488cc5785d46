//! The exchange rate of a row, fixed when it is recorded and stored with it.

use crate::batch::RowRef;
use crate::decimal::Exact;
use crate::fx::{self, RateError, RateSource};
use crate::model::{Currency, Item};
use crate::refusal::{Refusal, RefusalCode};
use crate::rows::{AppliedRate, RateOrigin, Transaction};
use crate::rules::{BaseRate, ExplicitRate, Rules, Unquoted};
use serde::{Deserialize, Serialize};

/// The rate of a new row and what it makes of the row's amount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowRate {
    /// The row.
    pub row: RowRef,
    /// The rate from the row's currency to the base currency.
    #[serde(flatten)]
    pub rate: AppliedRate,
    /// The row's amount.
    pub amount: Exact,
    /// The same in base currency.
    pub base_amount: Exact,
}

/// Stores with a row the rates that it needs.
///
/// # Errors
/// `fx_missing` when none is published and none is given.
pub(super) fn attach(
    row: &mut Transaction,
    item: &Item,
    base: Currency,
    source: &dyn RateSource,
    rules: &Rules,
) -> Result<(), Refusal> {
    (row.rate, row.item_rate) = (None, None);
    if row.amount.is_none() {
        return Ok(());
    }
    let published = |from: Currency| match fx::rate(from, base, row.date, source, &rules.fx) {
        Ok(applied) => Ok(applied),
        Err(RateError::Missing { .. }) if rules.fx.unquoted == Unquoted::One => Ok(AppliedRate {
            from,
            to: base,
            rate: Exact::ONE,
            rate_date: row.date,
            source: RateOrigin::Ecb,
        }),
        Err(missing @ RateError::Missing { .. }) => {
            let message = format!("{missing}; give fx_rate, {base} per one {from}");
            Err(Refusal::new(RefusalCode::FxMissing, message).at("fx_rate"))
        }
        Err(RateError::Overflow(overflow)) => Err(overflow.into()),
    };
    let currency = row.currency.unwrap_or(item.currency);
    let explicit = row.fx_rate.map(Exact::from);
    if currency == base {
        let stray = explicit.is_some_and(|rate| rate != Exact::ONE);
        if stray && rules.fx.base_rate == BaseRate::Refused {
            let message = format!("the row is in {base}, the base currency: leave fx_rate out");
            return Err(Refusal::invalid("fx_rate", message));
        }
    } else {
        let given = |rate| AppliedRate {
            from: currency,
            to: base,
            rate,
            rate_date: row.date,
            source: RateOrigin::Explicit,
        };
        row.rate = Some(match (explicit, rules.fx.explicit_rate) {
            (Some(rate), ExplicitRate::Wins) => given(rate),
            (Some(rate), ExplicitRate::Inverted) => given(Exact::ONE.over(rate)?),
            (Some(_), ExplicitRate::Ignored) | (None, _) => published(currency)?,
        });
    }
    if currency != item.currency && item.currency != base {
        row.item_rate = Some(published(item.currency)?);
    }
    Ok(())
}

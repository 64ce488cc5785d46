//! What one item is worth at the close of a day, and what that rests on.

use crate::decimal::Exact;
use crate::fx::{self, RateError, RateSource};
use crate::ids::ItemId;
use crate::ledger::Ledger;
use crate::model::{Currency, Date, Measure};
use crate::refusal::Refusal;
use crate::replay::holding::Close;
use crate::replay::{ItemBook, Quote};
use crate::rows::AppliedRate;
use crate::rules::{ArchiveDate, ClosedItems, Figures, OnDate, ReportRate, WithoutPrice};
use serde::{Deserialize, Serialize};

/// Older than so many days a price is stale.
const PRICE_DAYS: i32 = 7;
/// Older than so many days any other figure is stale.
const FIGURE_DAYS: i32 = 90;

/// An item at the close of a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// `itm_…`.
    pub item: ItemId,
    /// The day.
    pub date: Date,
    /// Currency of the item: price, value and cost base are in it.
    pub currency: Currency,
    /// Whether it is on the balance sheet: something was recorded by then, and it was not sold as a whole.
    pub held: bool,
    /// Units; only where it is measured in them.
    pub units: Option<Exact>,
    /// Latest price on or before the date.
    pub price: Option<Exact>,
    /// The date of that price.
    pub price_date: Option<Date>,
    /// What it is worth; for a debt what is owed, positive. Nothing when a figure is missing.
    pub value: Option<Exact>,
    /// The date of the figure that the value rests on: price, valuation, or last movement.
    pub value_date: Option<Date>,
    /// The value in base currency.
    pub value_base: Option<Exact>,
    /// The rate that turned it.
    pub rate: Option<AppliedRate>,
    /// What it cost, fees included; nothing for balances.
    pub cost_base: Option<Exact>,
    /// Value less cost base.
    pub unrealised_gain: Option<Exact>,
    /// What is missing for a value.
    pub missing: Option<MissingFigure>,
    /// First day on which the figure was too old, if it is.
    pub stale_since: Option<Date>,
}

/// What a value lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingFigure {
    /// No price on or before the date.
    Price,
    /// No valuation on or before the date.
    Valuation,
    /// No exchange rate around the date.
    Rate,
}

impl Ledger {
    /// An item at the close of a day.
    ///
    /// # Errors
    /// `not_found`, or `overflow` of a figure.
    pub fn position(
        &self,
        item: &ItemId,
        date: Date,
        rates: &dyn RateSource,
    ) -> Result<Position, Refusal> {
        let book = self
            .book()
            .item(item)
            .ok_or_else(|| Refusal::not_found("item", item))?;
        self.position_of(book, date, rates)
    }

    pub(crate) fn position_of(
        &self,
        book: &ItemBook,
        date: Date,
        rates: &dyn RateSource,
    ) -> Result<Position, Refusal> {
        let closed = book.item.closed_on.is_some_and(|closed| closed <= date);
        let left_out = closed && self.rules().worth.closed == ClosedItems::LeftOut;
        if left_out || self.is_archived(book, date) {
            let mut position = self.figure_of(book, date)?;
            // Units, lots and cost stay on record; there is no value on a balance sheet that it is not on.
            position.held = false;
            (position.value, position.value_date) = (None, None);
            (position.unrealised_gain, position.missing) = (None, None);
            return Ok(position);
        }
        self.position_regardless(book, date, rates)
    }

    /// An item at the close of a day, whether it was archived by then or not.
    pub(crate) fn position_regardless(
        &self,
        book: &ItemBook,
        date: Date,
        rates: &dyn RateSource,
    ) -> Result<Position, Refusal> {
        let mut position = self.figure_of(book, date)?;
        position.stale_since = stale_since(&position);
        let Some(value) = position.value else {
            return Ok(position);
        };
        if position.currency == self.base() {
            position.value_base = Some(value);
            return Ok(position);
        }
        let rate_date = match self.rules().fx.report_rate {
            ReportRate::ReportDate => date,
            ReportRate::FigureDate => position.value_date.unwrap_or(date),
        };
        match fx::rate(
            position.currency,
            self.base(),
            rate_date,
            rates,
            &self.rules().fx,
        ) {
            Ok(applied) => {
                position.value_base = Some(value.times(applied.rate)?);
                position.rate = Some(applied);
            }
            // Nothing is nothing in any currency.
            Err(RateError::Missing { .. }) if value.is_zero() => position.value_base = Some(value),
            Err(RateError::Missing { .. }) => position.missing = Some(MissingFigure::Rate),
            Err(RateError::Overflow(overflow)) => return Err(overflow.into()),
        }
        Ok(position)
    }

    /// Whether an item has left the balance sheet by the close of a day.
    pub(crate) fn is_archived(&self, book: &ItemBook, date: Date) -> bool {
        let Some(archive) = &book.archived else {
            return false;
        };
        match self.rules().items.archive_date {
            ArchiveDate::FromItsDay => archive.on <= date,
            ArchiveDate::FromTheDayAfter => archive.on < date,
            ArchiveDate::RewritesPast => true,
        }
    }

    /// The figure in the item's own currency.
    fn figure_of(&self, book: &ItemBook, date: Date) -> Result<Position, Refusal> {
        let rows_until = match self.rules().worth.on_date {
            OnDate::CloseOfDay => date,
            OnDate::OpenOfDay => date.yesterday().unwrap_or(date),
        };
        let close = book.holding.close_on(rows_until);
        let mut position = Position {
            item: book.item.id.clone(),
            date,
            currency: book.item.currency,
            held: close.is_some(),
            units: None,
            price: None,
            price_date: None,
            value: None,
            value_date: None,
            value_base: None,
            rate: None,
            cost_base: None,
            unrealised_gain: None,
            missing: None,
            stale_since: None,
        };
        match book.item.kind.measured_by() {
            Measure::Balance => {
                position.value = close.map(|close| close.quantity);
                position.value_date = close.map(|close| close.date);
            }
            Measure::Units => self.fill_units(&mut position, book, close)?,
            Measure::Value => self.fill_whole(&mut position, book, close, rows_until),
        }
        if let (Some(value), Some(cost_base)) = (position.value, position.cost_base) {
            position.unrealised_gain = Some(value.minus(cost_base)?);
        }
        Ok(position)
    }

    fn fill_units(
        &self,
        position: &mut Position,
        book: &ItemBook,
        close: Option<Close>,
    ) -> Result<(), Refusal> {
        let rules = self.rules();
        let units = close.map(|close| close.quantity).unwrap_or_default();
        position.units = Some(units);
        position.cost_base = Some(close.map(|close| close.cost_base).unwrap_or_default());
        let quote = latest(&book.prices, position.date, rules.worth.figures);
        position.price = quote.map(|quote| quote.figure);
        position.price_date = quote.map(|quote| quote.date);
        position.value_date = position.price_date;
        position.value = match quote {
            _ if units.is_zero() => Some(Exact::ZERO),
            Some(quote) => Some(
                units
                    .times(quote.figure)?
                    .rounded(rules.arithmetic.products.places())?,
            ),
            None => inferred(rules.worth.without_price, position.cost_base),
        };
        if position.value.is_none() {
            position.missing = Some(MissingFigure::Price);
        }
        Ok(())
    }

    fn fill_whole(
        &self,
        position: &mut Position,
        book: &ItemBook,
        close: Option<Close>,
        until: Date,
    ) {
        let rules = &self.rules().worth;
        let quote = latest(&book.values, until, rules.figures);
        let sold = book
            .holding
            .sold_on()
            .is_some_and(|sold_on| sold_on <= until);
        let acquired = book.holding.held_from().map(|held_from| held_from <= until);
        position.held = !sold && acquired.unwrap_or(quote.is_some());
        position.cost_base = Some(close.map(|close| close.cost_base).unwrap_or_default());
        if sold {
            position.value = Some(Exact::ZERO);
        } else if position.held {
            position.value_date = quote.map(|quote| quote.date);
            position.value = match quote {
                Some(quote) => Some(quote.figure),
                None => inferred(rules.without_price, position.cost_base),
            };
            if position.value.is_none() {
                position.missing = Some(MissingFigure::Valuation);
            }
        }
    }
}

/// The price or valuation that counts on a date; the quotes are in order.
pub(crate) fn latest(quotes: &[Quote], date: Date, rule: Figures) -> Option<Quote> {
    let until = |date: Date| {
        let after = quotes.partition_point(|quote| quote.date <= date);
        quotes.get(after.checked_sub(1)?).copied()
    };
    match rule {
        Figures::LatestOnOrBefore => until(date),
        Figures::LatestOfAll => quotes.last().copied(),
        Figures::SameDayOnly => until(date).filter(|quote| quote.date == date),
        Figures::First => quotes.first().copied().filter(|quote| quote.date <= date),
    }
}

/// What stands in for a value that nobody gave: by the contract nothing, a trade is not a price.
fn inferred(rule: WithoutPrice, cost_base: Option<Exact>) -> Option<Exact> {
    match rule {
        WithoutPrice::Missing => None,
        WithoutPrice::Cost => cost_base,
        WithoutPrice::Zero => Some(Exact::ZERO),
    }
}

fn stale_since(position: &Position) -> Option<Date> {
    let something = position.value.is_some_and(|value| !value.is_zero());
    let figure_date = position.value_date.filter(|_| something)?;
    let days = if position.units.is_some() {
        PRICE_DAYS
    } else {
        FIGURE_DAYS
    };
    let since = figure_date
        .checked_add(jiff::Span::new().days(days + 1))
        .ok()?;
    (since <= position.date).then_some(since)
}

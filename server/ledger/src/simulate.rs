//! What a sale would bring on a date, without selling anything.

use crate::decimal::{Decimal, Exact};
use crate::fx::{self, RateError, RateSource};
use crate::ids::{ItemId, PartyId, TransactionId};
use crate::ledger::Ledger;
use crate::model::{Currency, Date, Measure};
use crate::refusal::{Refusal, RefusalCode};
use crate::replay::declare::is_archived;
use crate::replay::money::Money;
use crate::replay::ownership;
use crate::replay::sale::{Sale, SaleHead};
use crate::replay::{ItemBook, Quote};
use crate::rows::{AppliedRate, LotChoice};
use crate::rules::{Figures, GainShares, Rules, SimulatedFees, SimulatedLots, SimulatedPrice};
use crate::worth::position::latest;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A sale that somebody thinks about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaleQuestion {
    /// What to sell.
    pub item: ItemId,
    /// When; the sale would be the last of that day.
    pub date: Date,
    /// How many units; all that are held when absent. Not for items valued as a whole.
    pub units: Option<Decimal>,
    /// Price per unit; the latest on or before the date when neither this nor the amount is given.
    pub price: Option<Decimal>,
    /// The whole amount, fees not included; for an item valued as a whole its latest valuation when absent.
    pub amount: Option<Decimal>,
    /// Fees; none when absent.
    pub fees: Option<Decimal>,
    /// The lots to sell, in place of first in, first out.
    pub lots: Vec<LotChoice>,
}

/// What the sale would bring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimulatedSale {
    /// Before fees, in the item's currency.
    pub gross_proceeds: Exact,
    /// The price per unit that it rests on; nothing where an amount was given, or the whole is sold.
    pub price: Option<Exact>,
    /// The date of the price or valuation that it rests on; nothing where the caller gave the figure.
    pub price_date: Option<Date>,
    /// What it would realise. Figures in base currency hold only where [`Self::rate`] is given or the item is
    /// in base currency.
    #[serde(flatten)]
    pub sale: Sale,
    /// The rate of that day, for an item in another currency; nothing when none is published.
    pub rate: Option<AppliedRate>,
    /// The gain of each owner on that day.
    pub parties: Vec<PartyGain>,
    /// What would be left.
    pub position_after: PositionAfter,
}

/// A party's part of a gain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartyGain {
    /// `pty_…`.
    pub party: PartyId,
    /// In the item's currency.
    pub gain: Exact,
}

/// What would be left after a sale.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionAfter {
    /// Units; nothing for an item valued as a whole.
    pub units: Option<Exact>,
    /// Cost base.
    pub cost_base: Exact,
    /// Worth at the latest price; nothing without one.
    pub value: Option<Exact>,
    /// Currency of the item.
    pub currency: Currency,
}

impl Ledger {
    /// What a sale would bring. Nothing is written, and there is no tax in it.
    ///
    /// # Errors
    /// What the sale itself would be refused with, and `price_missing` when nothing says what it would bring.
    pub fn simulate_sale(
        &self,
        question: &SaleQuestion,
        rates: &dyn RateSource,
    ) -> Result<SimulatedSale, Refusal> {
        let rules = self.rules().simulations;
        let then = match rules.lots {
            SimulatedLots::HeldThatDay => Cow::Owned(self.until(question.date)?),
            SimulatedLots::HeldAtTheEnd => Cow::Borrowed(self),
        };
        let found = then.book().item(&question.item);
        let book = found.ok_or_else(|| Refusal::not_found("item", &question.item))?;
        if self.is_archived(book, question.date) {
            return Err(is_archived(book));
        }
        if question.price.is_some() && question.amount.is_some() {
            return Err(Refusal::invalid(
                "amount",
                "give a price or an amount, not both",
            ));
        }
        let rate = self.rate_on(book, question.date, rates)?;
        let quote = self
            .quote(book, question)
            .filter(|_| question.price.is_none() && question.amount.is_none());
        let by_unit = book.item.kind.measured_by() == Measure::Units;
        let (gross, sale, after) = match book.item.kind.measured_by() {
            Measure::Units => self.sell_units(book, question, rate.as_ref())?,
            Measure::Value => self.sell_whole(book, question, rate.as_ref())?,
            Measure::Balance => {
                let message = format!("a {} is not sold", book.item.kind.name());
                return Err(Refusal::invalid("item", message));
            }
        };
        let owners = match rules.gain_shares {
            GainShares::PresentOwners => ownership::on(&book.ownership, Date::MAX),
            _ => ownership::on(&book.ownership, question.date),
        };
        let mut parts = ownership::parts(owners, sale.gain, self.rules())?;
        if rules.gain_shares == GainShares::FirstOwner {
            parts.truncate(1);
            parts.iter_mut().for_each(|(_, part)| *part = sale.gain);
        }
        Ok(SimulatedSale {
            gross_proceeds: gross,
            price: question
                .price
                .map(Exact::from)
                .or(quote.filter(|_| by_unit).map(|quote| quote.figure)),
            price_date: quote.map(|quote: Quote| quote.date),
            rate,
            parties: parts
                .into_iter()
                .map(|(party, gain)| PartyGain { party, gain })
                .collect(),
            position_after: after,
            sale,
        })
    }

    /// The figure that a sale rests on when the caller gives none.
    fn quote(&self, book: &ItemBook, question: &SaleQuestion) -> Option<Quote> {
        let figures = |book: &ItemBook, rule| match book.item.kind.measured_by() {
            Measure::Units => latest(&book.prices, question.date, rule),
            _ => latest(&book.values, question.date, rule),
        };
        match self.rules().simulations.price {
            SimulatedPrice::OnOrBefore => figures(book, self.rules().worth.figures),
            // The defect looks beyond the day, where the book of that day ends.
            SimulatedPrice::LatestOfAll => {
                figures(self.book().item(&question.item)?, Figures::LatestOfAll)
            }
        }
    }

    fn rate_on(
        &self,
        book: &ItemBook,
        date: Date,
        rates: &dyn RateSource,
    ) -> Result<Option<AppliedRate>, Refusal> {
        if book.item.currency == self.base() {
            return Ok(None);
        }
        match fx::rate(
            book.item.currency,
            self.base(),
            date,
            rates,
            &self.rules().fx,
        ) {
            Ok(applied) => Ok(Some(applied)),
            Err(RateError::Missing { .. }) => Ok(None),
            Err(RateError::Overflow(overflow)) => Err(overflow.into()),
        }
    }

    fn sell_units(
        &self,
        book: &ItemBook,
        question: &SaleQuestion,
        rate: Option<&AppliedRate>,
    ) -> Result<(Exact, Sale, PositionAfter), Refusal> {
        let held = book
            .holding
            .close_on(question.date)
            .map(|close| close.quantity);
        if question.units.is_some_and(|units| units.is_zero()) {
            return Err(Refusal::invalid("units", "units must be above 0"));
        }
        // Named lots say how much without saying it twice.
        let named = question.lots.iter().map(|choice| Exact::from(choice.units));
        let named = Exact::sum(named)?;
        let named = (!question.lots.is_empty()).then_some(named);
        let units = question.units.map(Exact::from).or(named).or(held);
        let units = units.unwrap_or_default();
        if !units.is_positive() {
            let message = format!("{} holds no units on {}", book.item.name, question.date);
            return Err(Refusal::new(RefusalCode::Oversell, message).at("units"));
        }
        let quote = self.quote(book, question);
        let price = question
            .price
            .map(Exact::from)
            .or(quote.map(|quote| quote.figure));
        let gross = match (question.amount, price) {
            (Some(amount), _) => amount.into(),
            (None, Some(price)) => units.times(price)?,
            (None, None) => return Err(price_missing(book, question.date)),
        };
        let mut holding = book.holding.clone();
        let row = crate::ids::RowId::from("simulated");
        let pieces = holding.hand_over(row, units, &question.lots, question.date, self.rules())?;
        let net = money(gross, question, rate, self.rules())?;
        let sale = Sale::of_lots(self.head(book, question.date), pieces, net)?;
        let close = holding.close_on(question.date);
        let left = close.map(|close| close.quantity).unwrap_or_default();
        let value = match quote {
            _ if left.is_zero() => Some(Exact::ZERO),
            Some(quote) => Some(left.times(quote.figure)?),
            None => None,
        };
        let after = PositionAfter {
            units: Some(left),
            cost_base: close.map(|close| close.cost_base).unwrap_or_default(),
            value,
            currency: book.item.currency,
        };
        Ok((gross, sale, after))
    }

    fn sell_whole(
        &self,
        book: &ItemBook,
        question: &SaleQuestion,
        rate: Option<&AppliedRate>,
    ) -> Result<(Exact, Sale, PositionAfter), Refusal> {
        for (given, field) in [
            (question.units.is_some(), "units"),
            (question.price.is_some(), "price"),
            (!question.lots.is_empty(), "lots"),
        ] {
            if given {
                let message = format!("{} is sold as a whole: leave {field} out", book.item.name);
                return Err(Refusal::invalid(field, message));
            }
        }
        if let Some(sold_on) = book.holding.sold_on() {
            let message = format!("{} was sold on {sold_on}", book.item.name);
            return Err(Refusal::new(RefusalCode::AlreadySold, message).at("item"));
        }
        if book.holding.held_from().is_none() && book.values.is_empty() {
            let message = format!("{} is not held on {}", book.item.name, question.date);
            return Err(Refusal::new(RefusalCode::Oversell, message).at("item"));
        }
        let quote = self.quote(book, question);
        let amount = question
            .amount
            .map(Exact::from)
            .or(quote.map(|quote| quote.figure));
        let gross = amount.ok_or_else(|| price_missing(book, question.date))?;
        let close = book.holding.close_on(question.date);
        let cost = Money {
            item: close.map(|close| close.cost_base).unwrap_or_default(),
            base: close.map(|close| close.cost_base_base).unwrap_or_default(),
        };
        let net = money(gross, question, rate, self.rules())?;
        let sale = Sale::of_whole(self.head(book, question.date), net, cost)?;
        let after = PositionAfter {
            units: None,
            cost_base: Exact::ZERO,
            value: Some(Exact::ZERO),
            currency: book.item.currency,
        };
        Ok((gross, sale, after))
    }

    fn head(&self, book: &ItemBook, date: Date) -> SaleHead {
        SaleHead {
            transaction: TransactionId::from("simulated"),
            date,
            currency: book.item.currency,
            base_currency: self.base(),
        }
    }
}

fn money(
    gross: Exact,
    question: &SaleQuestion,
    rate: Option<&AppliedRate>,
    rules: &Rules,
) -> Result<Money, Refusal> {
    let fees = match rules.simulations.fees {
        SimulatedFees::Counted => question.fees.map(Exact::from).unwrap_or_default(),
        SimulatedFees::LeftOut => Exact::ZERO,
    };
    let item = gross.minus(fees)?;
    Ok(Money {
        item,
        base: item.times(rate.map_or(Exact::ONE, |applied| applied.rate))?,
    })
}

fn price_missing(book: &ItemBook, date: Date) -> Refusal {
    let message = format!(
        "{} has no price on or before {date}: give one",
        book.item.name
    );
    Refusal::new(RefusalCode::PriceMissing, message).at("price")
}

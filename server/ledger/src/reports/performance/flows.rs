//! The flows of one item: what its rows, transfers and archive put in, take out and pay, each at the rate of its date.

use crate::decimal::Exact;
use crate::fx::RateSource;
use crate::ids::ItemId;
use crate::ledger::Ledger;
use crate::model::{Date, ItemKind, Measure};
use crate::refusal::Refusal;
use crate::replay::ItemBook;
use crate::replay::money::{self, Conversion};
use crate::replay::table::{CashDirection, entry};
use crate::rows::{Transaction, TransactionKind, Transfer};
use crate::rules::{Adjustments, FlowFees};
use crate::worth::MissingFigure;
use crate::worth::position::latest;

/// Money that moves into or out of an item, in base currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Flow {
    pub date: Date,
    pub direction: Direction,
    pub amount: Exact,
    /// The item of the workspace on the other side, where there is one.
    pub other: Option<ItemId>,
    /// What of the amount stays with those who are asked about when the other item is asked about too: all of it, unless a
    /// party owns less of the other side.
    pub inside: Exact,
    /// What was given for it where it came from. The two sides of a transfer may have different prices or rates, and what one
    /// owner gives another gets: both count it at this figure.
    pub given: Exact,
    /// What of [`Self::given`] goes to other owners or comes from them when the other item is asked about too.
    pub crossing: Exact,
}

impl Flow {
    fn new(date: Date, direction: Direction, amount: Exact, other: Option<ItemId>) -> Self {
        Self {
            date,
            direction,
            amount,
            other,
            inside: amount,
            given: amount,
            crossing: Exact::ZERO,
        }
    }
}

/// Which way a flow runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// Put in.
    In,
    /// Taken out.
    Out,
    /// Income that is paid out.
    Income,
    /// Income that stays inside.
    Retained,
}

/// The flows of an item.
pub(super) struct Collected {
    pub flows: Vec<Flow>,
    /// When a flow happened whose size nobody knows, and what it lacks.
    pub unknown: Option<(Date, MissingFigure)>,
}

impl Ledger {
    /// Every flow of an item. Rows after it was archived move nothing that is on the balance sheet.
    pub(super) fn flows(
        &self,
        book: &ItemBook,
        rates: &dyn RateSource,
    ) -> Result<Collected, Refusal> {
        let mut collected = Collected {
            flows: Vec::new(),
            unknown: None,
        };
        let archived_on = book.archived.as_ref().map(|archive| archive.on);
        let counts = |date: Date| archived_on.is_none_or(|on| date <= on);
        let id = &book.item.id;
        if let Some(flow) = self
            .first_valuation(book, rates)?
            .filter(|flow| counts(flow.date))
        {
            collected.flows.push(flow);
        }
        for row in self.transactions_of(id).filter(|row| counts(row.date)) {
            let flow = if row.item == *id {
                self.own_flow(row, book, rates)?
            } else {
                self.cash_flow(row)?
            };
            collected.flows.extend(flow);
        }
        for row in self.transfers_of(id).filter(|row| counts(row.date)) {
            let flow = self.transfer_flow(row, book, rates)?;
            collected.flows.extend(flow);
        }
        if let Some(on) = archived_on {
            let position = self.position_regardless(book, on, rates)?;
            match position.value_base.filter(|_| position.held) {
                Some(value) => collected
                    .flows
                    .push(Flow::new(on, Direction::Out, value, None)),
                None => collected.unknown = position.missing.map(|missing| (on, missing)),
            }
        }
        collected.flows.retain(|flow| !flow.amount.is_zero());
        Ok(collected)
    }

    /// An item that comes into the books by a valuation was put in at that value.
    fn first_valuation(
        &self,
        book: &ItemBook,
        rates: &dyn RateSource,
    ) -> Result<Option<Flow>, Refusal> {
        let Some(first) = book.values.first().copied() else {
            return Ok(None);
        };
        let rows = self.transactions_of(&book.item.id).map(|row| row.date);
        let moves = self.transfers_of(&book.item.id).map(|row| row.date);
        let acquired = match book.item.kind.measured_by() {
            Measure::Value => book.holding.held_from(),
            _ => rows.chain(moves).min().filter(|date| *date <= first.date),
        };
        if acquired.is_some() {
            return Ok(None);
        }
        let last = latest(&book.values, first.date, Default::default()).unwrap_or(first);
        let amount = self.to_base(last.figure, book, first.date, rates)?;
        Ok(amount.map(|amount| Flow::new(first.date, Direction::In, amount, None)))
    }

    /// What a row on the item itself moves.
    fn own_flow(
        &self,
        row: &Transaction,
        book: &ItemBook,
        rates: &dyn RateSource,
    ) -> Result<Option<Flow>, Refusal> {
        use TransactionKind as Kind;
        let rules = self.rules();
        // Only rows with an amount have a rate stored: a split or units that leave have none.
        let base = |figure: Exact| {
            let conversion = Conversion::of(row, &book.item, self.base())?;
            Ok::<_, Refusal>(conversion.money(figure)?.base)
        };
        let fees = match rules.performance.fees {
            FlowFees::Counted => money::fees(row),
            FlowFees::LeftOut => Exact::ZERO,
        };
        let amount = row.amount.map(Exact::from).unwrap_or_default();
        let is_cash = book.item.kind == ItemKind::Cash;
        let (direction, amount) = match row.kind {
            Kind::OpeningBalance | Kind::TransferIn => {
                let at_market = self.market_value(row, book, rates)?;
                (Direction::In, at_market.map_or_else(|| base(amount), Ok)?)
            }
            Kind::TransferOut => {
                let cost = book.holding.released((&row.id).into());
                let at_market = self.market_value(row, book, rates)?;
                (Direction::Out, at_market.unwrap_or(cost))
            }
            Kind::Buy | Kind::Improvement => (Direction::In, base(amount.plus(fees)?)?),
            Kind::Sell => (Direction::Out, base(amount.minus(fees)?)?),
            Kind::Interest if is_cash => (Direction::Retained, base(amount)?),
            Kind::Dividend | Kind::Interest | Kind::Rent | Kind::Distribution => {
                (Direction::Income, base(amount.minus(fees)?)?)
            }
            Kind::Fee if is_cash => return Ok(None),
            Kind::Fee | Kind::Deposit | Kind::Drawdown => (Direction::In, base(amount)?),
            Kind::Withdrawal | Kind::Repayment => (Direction::Out, base(amount)?),
            Kind::AdjustUp if rules.performance.adjustments == Adjustments::Money => {
                (Direction::In, base(amount)?)
            }
            Kind::AdjustDown if rules.performance.adjustments == Adjustments::Money => {
                (Direction::Out, base(amount)?)
            }
            Kind::Split | Kind::AdjustUp | Kind::AdjustDown => return Ok(None),
        };
        Ok(Some(Flow::new(
            row.date,
            direction,
            amount,
            row.cash_item.clone(),
        )))
    }

    /// What a row on another item moves on this cash item.
    fn cash_flow(&self, row: &Transaction) -> Result<Option<Flow>, Refusal> {
        let Some(item) = self.item(&row.item) else {
            return Ok(None);
        };
        let Some(entry) = entry(item.kind, row.kind) else {
            return Ok(None);
        };
        let conversion = Conversion::of(row, item, self.base())?;
        let amount = row.amount.map(Exact::from).unwrap_or_default();
        let (direction, moved) = match entry.cash {
            CashDirection::In => (Direction::In, amount.minus(money::fees(row))?),
            CashDirection::Out => (Direction::Out, amount.plus(money::fees(row))?),
            CashDirection::None => return Ok(None),
        };
        Ok(Some(Flow::new(
            row.date,
            direction,
            conversion.money(moved)?.base,
            Some(row.item.clone()),
        )))
    }

    /// What a transfer moves, at market value: of this item's own price, else of the other's, else at cost.
    fn transfer_flow(
        &self,
        row: &Transfer,
        book: &ItemBook,
        rates: &dyn RateSource,
    ) -> Result<Option<Flow>, Refusal> {
        let leaves = row.from_item == book.item.id;
        let other = if leaves { &row.to_item } else { &row.from_item };
        let amount = match row.units {
            Some(units) => {
                let of_other = self.book().item(other);
                let source = self.book().item(&row.from_item);
                let own = self.priced(units.into(), book, row.date, rates)?;
                let others = match (own, of_other) {
                    (None, Some(of_other)) => {
                        self.priced(units.into(), of_other, row.date, rates)?
                    }
                    _ => None,
                };
                let cost = source.map(|source| source.holding.released((&row.id).into()));
                own.or(others).or(cost)
            }
            None => {
                let moved = if leaves {
                    row.amount
                } else {
                    row.to_amount.or(row.amount)
                };
                let moved = moved.map(Exact::from).unwrap_or_default();
                self.to_base(moved, book, row.date, rates)?
            }
        };
        let Some(amount) = amount else {
            return Ok(None);
        };
        if leaves {
            let flow = Flow::new(row.date, Direction::Out, amount, Some(other.clone()));
            return Ok(Some(flow));
        }
        let source = self.book().item(&row.from_item);
        let left = source.map(|source| self.transfer_flow(row, source, rates));
        let left = left.transpose()?.flatten();
        Ok(Some(Flow {
            given: left.map_or(amount, |left| left.amount),
            ..Flow::new(row.date, Direction::In, amount, Some(other.clone()))
        }))
    }

    /// What the row's units, or the whole, were worth on its date; nothing without a price or valuation.
    fn market_value(
        &self,
        row: &Transaction,
        book: &ItemBook,
        rates: &dyn RateSource,
    ) -> Result<Option<Exact>, Refusal> {
        match book.item.kind.measured_by() {
            Measure::Units => {
                let units = row.units.map(Exact::from).unwrap_or_default();
                self.priced(units, book, row.date, rates)
            }
            Measure::Value => match latest(&book.values, row.date, Default::default()) {
                Some(quote) => self.to_base(quote.figure, book, row.date, rates),
                None => Ok(None),
            },
            Measure::Balance => Ok(None),
        }
    }

    fn priced(
        &self,
        units: Exact,
        book: &ItemBook,
        date: Date,
        rates: &dyn RateSource,
    ) -> Result<Option<Exact>, Refusal> {
        match latest(&book.prices, date, Default::default()) {
            Some(quote) => self.to_base(units.times(quote.figure)?, book, date, rates),
            None => Ok(None),
        }
    }

    fn to_base(
        &self,
        figure: Exact,
        book: &ItemBook,
        date: Date,
        rates: &dyn RateSource,
    ) -> Result<Option<Exact>, Refusal> {
        self.in_currency(figure, book.item.currency, self.base(), date, rates)
    }
}

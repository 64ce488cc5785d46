//! Gains and returns over a period, per item and in total, in base currency: each flow at the rate of its own date.

mod flows;
mod rate;

pub use rate::NoReturn;

use super::RATIO_PLACES;
use crate::decimal::{Exact, Overflow};
use crate::fx::RateSource;
use crate::ids::{ItemId, PartyId};
use crate::ledger::Ledger;
use crate::model::{Currency, Date, Side};
use crate::refusal::Refusal;
use crate::replay::ItemBook;
use crate::rows::AppliedRate;
use crate::rules::{
    ArchivedGains, DebtsInPerformance, FlowRate, IncomeInGain, NoEndValue, NoRate, OwnTransfers,
    PerformanceRules, RetainedIncome, SeveralRates, ShortPeriod, StartValue,
};
use crate::worth::{MissingFigure, MissingItem};
use flows::{Direction, Flow};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What is asked about a period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerformanceQuery {
    /// Its first day; the first row, and a start value of nothing, when absent.
    pub from: Option<Date>,
    /// Its last day.
    pub to: Date,
    /// Only this item.
    pub item: Option<ItemId>,
    /// Only this party's part, by the split of each date.
    pub party: Option<PartyId>,
}

/// Gains and returns of a period. Debts are no investments and left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Performance {
    /// Its first day; nothing when nothing was ever recorded.
    pub from: Option<Date>,
    /// Its last day.
    pub to: Date,
    /// Base currency of the workspace.
    pub currency: Currency,
    /// The items that something is to be said about, in the order recorded.
    pub items: Vec<ItemPerformance>,
    /// All of them; money that moves between two of them is no flow here.
    pub total: Returns,
    /// Whether an item has no value at the start or the end, so that neither has the total.
    pub partial: bool,
    /// Those items.
    pub missing: Vec<MissingItem>,
    /// The rates that turned start and end values, each once.
    pub rates: Vec<AppliedRate>,
}

/// An item over a period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemPerformance {
    /// `itm_…`.
    pub item: ItemId,
    /// Its figures.
    #[serde(flatten)]
    pub returns: Returns,
}

/// What a period brought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Returns {
    /// Value at the close of the day before the period.
    pub start_value: Option<Exact>,
    /// Value at the close of its last day.
    pub end_value: Option<Exact>,
    /// Money put in, fees included.
    pub money_in: Exact,
    /// Money taken out, less fees.
    pub money_out: Exact,
    /// Dividends, interest, rent and distributions, less their fees.
    pub income: Exact,
    /// The part of the income that stayed inside: it is in the end value already.
    pub retained_income: Exact,
    /// End less start, less money in, plus money out, plus the income that left.
    pub gain: Option<Exact>,
    /// Gain over start value and money in, to ten places; nothing where nothing was invested.
    pub simple_return: Option<Exact>,
    /// The money-weighted annual return.
    pub xirr: Option<Exact>,
    /// Why there is none.
    pub xirr_reason: Option<NoReturn>,
    /// Whether the flows span less than a year; the annual return is given all the same.
    pub short_period: bool,
}

/// An item's part in a period while it is put together.
struct Part<'a> {
    book: &'a ItemBook,
    start: Option<Exact>,
    end: Option<Exact>,
    flows: Vec<Flow>,
    missing: Option<MissingFigure>,
    held: bool,
}

impl Part<'_> {
    fn says_something(&self) -> bool {
        let zero = |value: Option<Exact>| value.is_some_and(Exact::is_zero);
        self.held || !self.flows.is_empty() || !zero(self.start) || !zero(self.end)
    }
}

impl Ledger {
    /// Gains and returns over a period, both of its days inside.
    ///
    /// # Errors
    /// `not_found` for an item or a party that is not there, `invalid_input` for a period that runs backwards,
    /// `overflow` of a figure.
    pub fn performance(
        &self,
        query: &PerformanceQuery,
        rates: &dyn RateSource,
    ) -> Result<Performance, Refusal> {
        if let Some(from) = query.from.filter(|from| *from > query.to) {
            let message = format!("{from} comes after {}", query.to);
            return Err(Refusal::invalid("from", message));
        }
        if let Some(party) = query.party.as_ref().filter(|party| !self.has_party(party)) {
            return Err(Refusal::not_found("party", party));
        }
        let rules = self.rules().performance;
        if let Some(id) = &query.item {
            let item = self
                .item(id)
                .ok_or_else(|| Refusal::not_found("item", id))?;
            if item.kind.side() == Side::Liability && rules.debts == DebtsInPerformance::LeftOut {
                let message = format!("a {} is no investment", item.kind.name());
                return Err(Refusal::invalid("item", message));
            }
        }
        let asked = |book: &&ItemBook| {
            let owned =
                book.item.kind.side() == Side::Asset || rules.debts == DebtsInPerformance::Counted;
            let kept = rules.archived == ArchivedGains::Kept || book.archived.is_none();
            let named = query.item.as_ref();
            named.is_none_or(|item| *item == book.item.id) && owned && kept
        };
        let mut used = Vec::new();
        let mut parts = Vec::new();
        for book in self.book().items.iter().filter(asked) {
            let part = self.part(book, query, rates, &mut used)?;
            if query.item.is_some() || part.says_something() {
                parts.push(part);
            }
        }
        let books = self.book().items.iter().filter(asked);
        let scope: BTreeSet<&ItemId> = books.map(|book| &book.item.id).collect();
        let missing: Vec<MissingItem> = parts.iter().filter_map(missing_item).collect();
        let items = parts
            .iter()
            .map(|part| {
                let period = Period::new(query, part.start, part.end);
                Ok(ItemPerformance {
                    item: part.book.item.id.clone(),
                    returns: period.returns(&part.flows, rules)?,
                })
            })
            .collect::<Result<Vec<_>, Overflow>>()?;
        let total = total(query, &parts, &scope, rules)?;
        let first = match &query.item {
            Some(item) => self.book().item(item).and_then(ItemBook::first_row),
            None => self.first_row(),
        };
        Ok(Performance {
            from: query.from.or(first),
            to: query.to,
            currency: self.base(),
            items,
            total,
            partial: !missing.is_empty(),
            missing,
            rates: used,
        })
    }

    fn part<'a>(
        &self,
        book: &'a ItemBook,
        query: &PerformanceQuery,
        rates: &dyn RateSource,
        used: &mut Vec<AppliedRate>,
    ) -> Result<Part<'a>, Refusal> {
        let rules = self.rules().performance;
        let before = query.from.map(|from| match rules.start_value {
            StartValue::CloseOfFirstDay => from,
            _ => from.yesterday().unwrap_or(from),
        });
        let mut missing = None;
        let mut held = false;
        let mut value_on = |date: Date| -> Result<Option<Exact>, Refusal> {
            let position = self.position_of(book, date, rates)?;
            held |= position.held;
            if !position.held {
                return Ok(Some(Exact::ZERO));
            }
            if let Some(rate) = position.rate.filter(|rate| !used.contains(rate)) {
                used.push(rate);
            }
            let Some(value) = position.value_base else {
                if rules.no_end_value == NoEndValue::TotalLoss {
                    return Ok(Some(Exact::ZERO));
                }
                missing = missing.or(position.missing);
                return Ok(None);
            };
            Ok(Some(self.part_of_party(book, value, date, query)?))
        };
        let start = match before {
            Some(before) if rules.start_value != StartValue::Nothing => value_on(before)?,
            _ => Some(Exact::ZERO),
        };
        let mut end = value_on(query.to)?;
        let collected = self.flows(book, rates)?;
        let mut flows = Vec::new();
        for mut flow in collected.flows {
            let inside = query.from.is_none_or(|from| flow.date >= from) && flow.date <= query.to;
            if inside {
                let whole = flow.amount;
                flow.amount = self.part_of_party(book, whole, flow.date, query)?;
                flow.inside = match flow.other.as_ref().and_then(|id| self.book().item(id)) {
                    Some(other) => {
                        let of_book = self.part_of_party(book, flow.given, flow.date, query)?;
                        let of_other = self.part_of_party(other, flow.given, flow.date, query)?;
                        flow.crossing = of_book.minus(of_book.min(of_other))?;
                        let theirs = self.part_of_party(other, whole, flow.date, query)?;
                        flow.amount.min(theirs)
                    }
                    None => flow.amount,
                };
                if rules.flow_rate == FlowRate::EndOfPeriod {
                    flow.amount = self.at_rate_of(query.to, &flow, book, rates)?;
                }
                flows.push(flow);
            }
        }
        // An archive without a value takes out nobody knows how much.
        if let Some((_, reason)) = collected
            .unknown
            .filter(|(on, _)| query.from.is_none_or(|from| *on >= from) && *on <= query.to)
        {
            missing = missing.or(Some(reason));
            end = None;
        }
        Ok(Part {
            book,
            start,
            end,
            flows,
            missing,
            held,
        })
    }

    /// A flow as it would be at the rate of another day.
    fn at_rate_of(
        &self,
        day: Date,
        flow: &Flow,
        book: &ItemBook,
        rates: &dyn RateSource,
    ) -> Result<Exact, Refusal> {
        let one = |date| self.in_currency(Exact::ONE, book.item.currency, self.base(), date, rates);
        Ok(match (one(day)?, one(flow.date)?) {
            (Some(then), Some(own)) => flow.amount.times_over(then, own)?,
            _ => flow.amount,
        })
    }

    /// The asked party's part of an item's figure on a date.
    fn part_of_party(
        &self,
        book: &ItemBook,
        figure: Exact,
        date: Date,
        query: &PerformanceQuery,
    ) -> Result<Exact, Overflow> {
        let Some(party) = &query.party else {
            return Ok(figure);
        };
        let owners = crate::replay::ownership::on(&book.ownership, date);
        let parts = crate::replay::ownership::parts(owners, figure, self.rules())?;
        let own = parts.into_iter().find(|(owner, _)| owner == party);
        Ok(own.map(|(_, part)| part).unwrap_or_default())
    }
}

fn missing_item(part: &Part<'_>) -> Option<MissingItem> {
    Some(MissingItem {
        item: part.book.item.id.clone(),
        reason: part.missing?,
    })
}

/// All parts together: what moves between two of them is no flow, and income that is paid into one of them stays
/// inside.
fn total(
    query: &PerformanceQuery,
    parts: &[Part<'_>],
    scope: &BTreeSet<&ItemId>,
    rules: PerformanceRules,
) -> Result<Returns, Overflow> {
    let sum = |values: Vec<Option<Exact>>| -> Result<Option<Exact>, Overflow> {
        let known: Option<Vec<Exact>> = values.into_iter().collect();
        known.map(Exact::sum).transpose()
    };
    let start = sum(parts.iter().map(|part| part.start).collect())?;
    let end = sum(parts.iter().map(|part| part.end).collect())?;
    let mut flows = Vec::new();
    for flow in parts.iter().flat_map(|part| &part.flows) {
        let inside = rules.transfers == OwnTransfers::NotInTotal
            && flow
                .other
                .as_ref()
                .is_some_and(|other| scope.contains(other));
        if !inside || flow.direction == Direction::Retained {
            flows.push(flow.clone());
            continue;
        }
        if flow.direction == Direction::Income {
            flows.push(Flow {
                direction: Direction::Retained,
                amount: flow.inside,
                ..flow.clone()
            });
        }
        // What the other side does not own as much of goes to somebody else, or comes from there.
        flows.push(Flow {
            amount: flow.crossing,
            ..flow.clone()
        });
    }
    Period::new(query, start, end).returns(&flows, rules)
}

/// The values at both ends of a period.
struct Period {
    start: Option<Exact>,
    /// The day before the period, which a start value has; nothing when it begins with the first row.
    opened: Option<Date>,
    end: Option<Exact>,
    to: Date,
}

impl Period {
    fn new(query: &PerformanceQuery, start: Option<Exact>, end: Option<Exact>) -> Self {
        Self {
            start,
            opened: query.from.map(|from| from.yesterday().unwrap_or(from)),
            end,
            to: query.to,
        }
    }

    fn returns(&self, flows: &[Flow], rules: PerformanceRules) -> Result<Returns, Overflow> {
        let sum = |direction: Direction| {
            let of_it = flows.iter().filter(|flow| flow.direction == direction);
            Exact::sum(of_it.map(|flow| flow.amount))
        };
        let (money_in, money_out) = (sum(Direction::In)?, sum(Direction::Out)?);
        let (paid, retained) = (sum(Direction::Income)?, sum(Direction::Retained)?);
        let gain = match (self.start, self.end) {
            (Some(start), Some(end)) => {
                let mut gain = end.minus(start)?.minus(money_in)?.plus(money_out)?;
                if rules.income == IncomeInGain::Counted {
                    gain = gain.plus(paid)?;
                }
                if rules.retained_income == RetainedIncome::Twice {
                    gain = gain.plus(retained)?;
                }
                Some(gain)
            }
            _ => None,
        };
        let invested = self.start.map(|start| start.plus(money_in)).transpose()?;
        let simple_return = match (gain, invested) {
            (Some(gain), Some(invested)) if !invested.is_zero() => {
                Some(gain.over(invested)?.rounded(RATIO_PLACES)?)
            }
            _ => None,
        };
        let mut returns = Returns {
            start_value: self.start,
            end_value: self.end,
            money_in,
            money_out,
            income: paid.plus(retained)?,
            retained_income: retained,
            gain,
            simple_return,
            xirr: None,
            xirr_reason: None,
            short_period: false,
        };
        self.annualise(&mut returns, flows, rules)?;
        Ok(returns)
    }

    /// Fills in the annual return, or why there is none.
    fn annualise(
        &self,
        returns: &mut Returns,
        flows: &[Flow],
        rules: PerformanceRules,
    ) -> Result<(), Overflow> {
        let (Some(start), Some(end)) = (self.start, self.end) else {
            returns.xirr_reason = Some(NoReturn::ValueMissing);
            return Ok(());
        };
        // From the owner's side: what goes in is negative.
        let mut owners: Vec<(Date, Exact)> = Vec::with_capacity(flows.len() + 2);
        if let Some(opened) = self.opened {
            owners.push((opened, start.negated()?));
        }
        for flow in flows {
            match flow.direction {
                Direction::In => owners.push((flow.date, flow.amount.negated()?)),
                Direction::Out | Direction::Income => owners.push((flow.date, flow.amount)),
                Direction::Retained => {}
            }
        }
        owners.push((self.to, end));
        returns.short_period = rate::is_short(&owners);
        let found = rate::annual(&owners, self.to, rules.year)?;
        (returns.xirr, returns.xirr_reason) = match (found, rules.no_rate, rules.several_rates) {
            (Ok(rate), ..) => (Some(rate), None),
            (Err(NoReturn::MultipleSolutions), _, SeveralRates::BetweenThem) => {
                (Some(rate::between(&owners, rules.year)?), None)
            }
            (Err(_), NoRate::Zero, _) => (Some(Exact::ZERO), None),
            (Err(reason), ..) => (None, Some(reason)),
        };
        if returns.short_period
            && returns.xirr.is_some()
            && rules.short_period == ShortPeriod::PlainReturn
        {
            returns.xirr = returns.simple_return;
        }
        Ok(())
    }
}

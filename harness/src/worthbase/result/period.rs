//! What the reports over a period show: points of net worth, gains and returns.

use serde::Deserialize;

use super::{Flagged, Part};
use crate::worthbase::{Figure, figure::TooWide};

/// `get_history`.
#[derive(Debug, Clone, Deserialize)]
pub struct History {
    /// Oldest first.
    pub points: Vec<Point>,
    /// From the first point to the last; none without points.
    pub change: Option<Movement>,
}

/// Net worth at the end of a month, quarter or year.
#[derive(Debug, Clone, Deserialize)]
pub struct Point {
    /// The day.
    pub date: String,
    /// What is owned.
    pub assets: Figure,
    /// What is owed, a positive figure.
    pub liabilities: Figure,
    /// Assets less liabilities.
    pub net_worth: Figure,
    /// Whether something has no value, or nothing is known of the day.
    pub partial: bool,
    /// What has no value.
    pub missing: Vec<Flagged>,
    /// The groups, where a grouping was asked for.
    #[serde(default)]
    pub breakdown: Vec<Part>,
}

/// How far a figure moved.
#[derive(Debug, Clone, Deserialize)]
pub struct Movement {
    /// Last less first.
    pub amount: Figure,
    /// That over the first; none where the first is not above zero.
    pub ratio: Option<Figure>,
}

/// `get_performance`.
#[derive(Debug, Clone, Deserialize)]
pub struct Performance {
    /// Each item that there is something to say about.
    pub items: Vec<ItemReturns>,
    /// All of them.
    pub total: Returns,
    /// Whether an item has no value at one of the ends.
    #[serde(default)]
    pub partial: bool,
    /// Those items.
    #[serde(default)]
    pub missing: Vec<Flagged>,
}

/// An item over a period.
#[derive(Debug, Clone, Deserialize)]
pub struct ItemReturns {
    /// Id of the item.
    pub item: String,
    /// Its figures.
    #[serde(flatten)]
    pub returns: Returns,
}

/// What a period brought, in the currency of the book.
#[derive(Debug, Clone, Deserialize)]
pub struct Returns {
    /// Value at the close of the day before.
    pub start_value: Option<Figure>,
    /// Value at the close of the last day.
    pub end_value: Option<Figure>,
    /// Money put in, fees included.
    pub money_in: Figure,
    /// Money taken out, less fees.
    pub money_out: Figure,
    /// Dividends, interest, rent, distributions.
    pub income: Figure,
    /// The part of the income that stayed inside, where the server tells it apart.
    pub retained_income: Option<Figure>,
    /// What was gained.
    pub gain: Option<Figure>,
    /// The gain over start value and money in.
    pub simple_return: Option<Figure>,
    /// The money-weighted annual return.
    pub xirr: Option<Figure>,
    /// Why there is none.
    pub xirr_reason: Option<String>,
    /// Whether the flows span less than a year.
    pub short_period: Option<bool>,
}

impl Returns {
    /// The gain that follows from the other figures: end less start, less money in, plus money out, plus the income that
    /// left. None where an end has no value.
    ///
    /// # Errors
    /// Figures too wide to add.
    pub fn gain_of_parts(&self) -> Result<Option<Figure>, TooWide> {
        let (Some(start), Some(end)) = (&self.start_value, &self.end_value) else {
            return Ok(None);
        };
        let inside = self.retained_income.clone().unwrap_or_else(Figure::zero);
        let plus = Figure::sum([end, &self.money_out, &self.income])?;
        let less = Figure::sum([start, &self.money_in, &inside])?;
        plus.minus(&less).map(Some)
    }
}

//! What things are worth on a date: one item, and the whole.

mod net_worth;
pub(crate) mod position;

pub use net_worth::{Breakdown, BreakdownLine, MissingItem, NetWorth, NetWorthQuery, StaleItem};
pub use position::{MissingFigure, Position};

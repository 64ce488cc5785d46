//! The providers that wiremock plays, in the real services' own answer formats.

pub mod bank;
pub mod coingecko;
pub mod directory;
pub mod ecb;
pub mod instruments;
pub mod members;
pub mod number;
pub mod subscriptions;
pub mod yahoo;

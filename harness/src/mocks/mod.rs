//! Everything a finance MCP server leans on, played by the harness: issuer, directories, prices, rates and the clock.
//!
//! A [`Mocks`] handle is all a step needs. It speaks one language, [`admin::Command`], whether the mocks live in this
//! process or in a `proofmark serve` somewhere else on the machine, so both are driven by the same code path.

pub mod admin;
pub mod answer;
pub mod authorization;
pub mod breakage;
pub mod clock;
mod control;
pub mod error;
pub mod gate;
pub mod handle;
pub mod people;
pub mod played;
pub mod providers;
pub mod record;
pub mod set;
pub mod timekeeper;
pub mod token;

pub use breakage::{Breakage, Provider};
pub use clock::MockClock;
pub use error::MockError;
pub use handle::Mocks;
pub use people::{Subscription, SubscriptionStatus, User};
pub use record::RecordedRequest;
pub use set::{Addresses, MockOptions, MockSet};
pub use timekeeper::Timekeeper;
pub use token::{Token, TokenRecipe};

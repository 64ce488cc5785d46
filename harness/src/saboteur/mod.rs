//! The saboteur: breaks a healthy server in one named way, to show that the suite notices.
//!
//! Two seams lead into a server. A *rules* fault is another value of the reference server's `Rules`; it needs no code
//! here. A *wire* fault is a proxy in front of any healthy server: [`proxy`] forwards, [`fault`] names what goes wrong,
//! [`exchange`] is what it goes wrong with, [`forge`] issues the tokens that a careless server would have accepted.

pub mod exchange;
pub mod fault;
pub mod forge;
pub mod proxy;

pub use fault::{Context, WireFault};
pub use forge::Forge;
pub use proxy::{Saboteur, Seat};

//! The saboteur: breaks a healthy server in one named way, to show that the suite notices.
//!
//! Two seams lead into a server. A *rules* fault is another value of the reference server's `Rules`; it needs no code
//! here. A *wire* fault is a proxy in front of any healthy server: [`proxy`] forwards, [`fault`] names what goes wrong,
//! [`exchange`] is what it goes wrong with ([`challenge`] and [`figures`] edit its parts), [`forge`] issues the tokens that a careless server would have accepted.
//! [`trial`] puts one fault of the catalogue in and runs the suite against it.

pub mod challenge;
pub mod exchange;
pub mod fault;
pub mod figures;
pub mod forge;
mod offers;
pub mod proxy;
mod reports;
pub mod trial;
mod wire_fault;

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

pub use fault::Context;
pub use forge::Forge;
pub use proxy::{Saboteur, Seat};
pub use trial::{FaultResult, FaultStatus, Trial};
pub use wire_fault::WireFault;

/// One wire fault to put before a target, and how often it has shown itself. Clones share the count.
#[derive(Debug, Clone)]
pub struct Sabotage {
    /// What goes wrong.
    pub fault: WireFault,
    altered: Arc<AtomicUsize>,
}

impl Sabotage {
    /// A fault that has not shown itself yet.
    #[must_use]
    pub fn new(fault: WireFault) -> Self {
        Self {
            fault,
            altered: Arc::default(),
        }
    }

    /// Notes that the fault changed an exchange.
    pub fn count(&self) {
        self.altered.fetch_add(1, Ordering::Relaxed);
    }

    /// How many exchanges the fault has changed. One that changed none was never reached.
    #[must_use]
    pub fn altered(&self) -> usize {
        self.altered.load(Ordering::Relaxed)
    }
}

//! The saboteur: breaks a healthy server in one named way, to show that the suite notices.
//!
//! Two seams lead into a server. A *rules* fault is another value of the reference server's `Rules`; it needs no code
//! here. A *wire* fault is a proxy in front of any healthy server: [`proxy`] forwards; most of what goes wrong there is data
//! ([`edit`], with [`place`] for where it acts), the rest has a name in [`fault`];
//! [`exchange`] is what it goes wrong with ([`challenge`] and [`figures`] edit its parts), [`forge`] issues the tokens that a careless server would have accepted.
//! [`trial`] puts one fault of the catalogue in and runs the suite against it.

pub mod challenge;
mod defect;
mod edit;
pub mod exchange;
pub mod fault;
pub mod figures;
pub mod forge;
mod offers;
mod place;
pub mod proxy;
mod reports;
pub mod trial;
mod wire_fault;

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

pub use defect::Defect;
pub use fault::Context;
pub use forge::Forge;
pub use proxy::{Saboteur, Seat};
pub use trial::{FaultResult, FaultStatus, Trial};
pub use wire_fault::WireFault;

/// One defect to put before a target, and how often it has shown itself. Clones share the count.
#[derive(Debug, Clone)]
pub struct Sabotage {
    /// What goes wrong.
    pub defect: Defect,
    altered: Arc<AtomicUsize>,
}

impl Sabotage {
    /// A defect that has not shown itself yet.
    #[must_use]
    pub fn new(defect: Defect) -> Self {
        Self {
            defect,
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

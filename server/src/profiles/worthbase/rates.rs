//! Exchange rates for one call: asked for only where a foreign currency is involved, and an outage refuses only what needs them.

use std::sync::Arc;

use proofmark_ledger::fx::EcbTable;
use proofmark_ledger::model::Currency;
use proofmark_ledger::{Change, Ledger, Refusal, RefusalCode};

use super::faults::refused;
use crate::mcp::fault::Fault;
use crate::providers::EuropeanCentralBank;

/// The rates at hand.
#[derive(Debug, Clone)]
pub(super) struct Rates {
    /// The published rates; none in an outage, or when only the base currency is involved.
    pub table: Arc<EcbTable>,
    outage: Option<Fault>,
}

impl Rates {
    /// The rates that `ledger` with `changes` may need.
    pub(super) async fn load(
        bank: &EuropeanCentralBank,
        ledger: &Ledger,
        changes: &[Change],
    ) -> Self {
        let base = ledger.base();
        let foreign = ledger.items().any(|item| item.currency != base)
            || ledger.goals().any(|goal| goal.currency != base)
            || changes
                .iter()
                .any(|change| currency(change).is_some_and(|currency| currency != base));
        if foreign {
            Self::fetch(bank).await
        } else {
            Self {
                table: Arc::default(),
                outage: None,
            }
        }
    }

    /// The published rates.
    pub(super) async fn fetch(bank: &EuropeanCentralBank) -> Self {
        match bank.table().await {
            Ok(table) => Self {
                table,
                outage: None,
            },
            Err(error) => Self {
                table: Arc::default(),
                outage: Some(error.into_fault("exchange rate provider")),
            },
        }
    }

    /// A refusal of the ledger as the caller sees it: a rate that is missing in an outage is the outage's fault.
    pub(super) fn refused(&self, refusal: &Refusal) -> Fault {
        match &self.outage {
            Some(outage) if refusal.code == RefusalCode::FxMissing => {
                let mut fault = outage.clone();
                fault.field = refusal.path();
                fault
            }
            _ => refused(refusal),
        }
    }
}

fn currency(change: &Change) -> Option<Currency> {
    match change {
        Change::Item(item) => Some(item.currency),
        Change::Transaction(row) => row.currency,
        _ => None,
    }
}

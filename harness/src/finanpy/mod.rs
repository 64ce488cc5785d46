//! The cash book as the page describes it: its calls, its answers, and the program behind them.
//!
//! Reading order: [`entry`] (what is registered), [`answer`] (what comes back), [`program`] (who is spoken to).

pub mod answer;
pub mod entry;
pub mod program;

pub use answer::{Registered, Reply, Row, Summary};
pub use entry::{Entry, Filters};
pub use program::{Offer, Place, Program};

/// Registers a transaction.
pub const REGISTER: &str = "registrar_transacao";
/// Lists transactions.
pub const LIST: &str = "listar_transacoes";
/// The month in figures.
pub const SUMMARY: &str = "finance://resumo_financeiro_atual";

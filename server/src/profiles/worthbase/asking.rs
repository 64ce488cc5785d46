//! How the ledger is asked for a report: with the rates at hand, on a thread that nobody else waits on.

use std::sync::Arc;

use proofmark_ledger::fx::EcbTable;
use proofmark_ledger::{Ledger, Refusal};

use super::Worthbase;
use super::access::Desk;
use super::aside::run_aside;
use super::history::Book;
use super::rates::Rates;
use crate::mcp::fault::Fault;

impl Worthbase {
    /// The book of the desk's workspace and what its ledger answers to `question`.
    pub(super) async fn ask<T, Q>(&self, desk: &Desk, question: Q) -> Result<(Arc<Book>, T), Fault>
    where
        T: Send + 'static,
        Q: FnOnce(&Ledger, &EcbTable) -> Result<T, Refusal> + Send + 'static,
    {
        let book = self.books.load(&desk.membership.workspace).await?;
        let rates = Rates::load(&self.bank, &book.ledger, &[]).await;
        let (asked, table) = (Arc::clone(&book), Arc::clone(&rates.table));
        let answer = run_aside(book.rows(), move || question(&asked.ledger, &table)).await?;
        let answer = answer.map_err(|refusal| rates.refused(&refusal))?;
        Ok((book, answer))
    }
}

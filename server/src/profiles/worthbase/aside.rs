//! Where work over a history is done: here when it is short, on a thread that nobody waits on when it may take long.

use super::access::failed;
use crate::mcp::fault::Fault;

/// Rows that are folded in less time than it takes to hand the work to another thread and back.
const SHORT: usize = 1000;

/// Does `work` over `rows` rows.
///
/// # Errors
/// `internal` when the work broke off on the other thread.
pub(super) async fn run_aside<T, Work>(rows: usize, work: Work) -> Result<T, Fault>
where
    T: Send + 'static,
    Work: FnOnce() -> T + Send + 'static,
{
    if rows <= SHORT {
        return Ok(work());
    }
    tokio::task::spawn_blocking(work).await.map_err(failed)
}

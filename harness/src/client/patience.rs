//! A client that waits when it is told that the database is busy: 200, 400, 800 ms, and then gives up.

use std::time::Duration;

/// The waits before the second, third and fourth attempt (Finanpy MCP page, "Erros e limites", DB_BUSY).
pub const WAITS: [Duration; 3] = [
    Duration::from_millis(200),
    Duration::from_millis(400),
    Duration::from_millis(800),
];

/// What came of it, and how long was waited on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patient<Answer> {
    /// The last answer.
    pub answer: Answer,
    /// The waits that were needed.
    pub waited: Vec<Duration>,
}

/// Calls until the answer is no longer `busy`, at most four times, with `wait` between the calls.
///
/// # Errors
/// Whatever a call or a wait fails with, at once.
pub async fn patiently<Answer, Error>(
    mut call: impl AsyncFnMut() -> Result<Answer, Error>,
    busy: impl Fn(&Answer) -> bool,
    mut wait: impl AsyncFnMut(Duration) -> Result<(), Error>,
) -> Result<Patient<Answer>, Error> {
    let mut waited = Vec::new();
    loop {
        let answer = call().await?;
        let pause = match WAITS.get(waited.len()) {
            Some(pause) if busy(&answer) => *pause,
            _ => return Ok(Patient { answer, waited }),
        };
        wait(pause).await?;
        waited.push(pause);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A database that is busy for so many calls; gives the number of calls and the waits.
    async fn try_with(busy_for: usize) -> (usize, Vec<u128>, bool) {
        let mut calls = 0;
        let patient = patiently(
            async || {
                calls += 1;
                Ok::<bool, ()>(calls <= busy_for)
            },
            |busy| *busy,
            async |_| Ok(()),
        )
        .await
        .unwrap();
        let waited = patient.waited.iter().map(Duration::as_millis).collect();
        (calls, waited, patient.answer)
    }

    #[tokio::test]
    async fn waits_grow_and_end_after_the_third() {
        assert_eq!(try_with(0).await, (1, vec![], false));
        assert_eq!(try_with(2).await, (3, vec![200, 400], false));
        assert_eq!(try_with(3).await, (4, vec![200, 400, 800], false));
        assert_eq!(try_with(100).await, (4, vec![200, 400, 800], true));
    }

    #[tokio::test]
    async fn a_failed_wait_ends_it() {
        let outcome = patiently(
            async || Ok::<bool, &str>(true),
            |busy| *busy,
            async |_| Err("stopped"),
        )
        .await;
        assert_eq!(outcome, Err("stopped"));
    }
}

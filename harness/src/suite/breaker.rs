//! The breaker: once the shared target has stopped answering, the rest of the run does not wait for it.

use std::{
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    time::Duration,
};

use crate::target::Target;

/// How many scenarios in a row may end without an answer before the rest is given up.
const LIMIT: u32 = 4;
/// How long a probe waits. A healthy server answers at once, if only to refuse.
const PATIENCE: Duration = Duration::from_secs(2);

/// Counts scenarios in a row that ended without an answer from the shared target.
#[derive(Debug, Default)]
pub struct Breaker {
    silent: AtomicU32,
    stopped: AtomicBool,
    shut: AtomicBool,
}

impl Breaker {
    /// Takes note of a scenario that ended with the target answering.
    pub fn answered(&self) {
        if !self.is_open() {
            self.silent.store(0, Ordering::Relaxed);
        }
    }

    /// Takes note of a scenario that ended without an answer.
    pub fn silent(&self) {
        self.silent.fetch_add(1, Ordering::Relaxed);
    }

    /// Stops the run by choice, at the first failure.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Takes note of whether the shared target serves nobody although nothing is broken.
    pub fn found_shut(&self, shut: bool) {
        self.shut.store(shut, Ordering::Relaxed);
    }

    /// Whether the shared target served nobody when it was last looked at between two scenarios.
    #[must_use]
    pub fn stays_shut(&self) -> bool {
        self.shut.load(Ordering::Relaxed)
    }

    /// Whether the target has stopped answering.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.silent.load(Ordering::Relaxed) >= LIMIT
    }

    /// Why the next scenario is not worth starting, if so.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        if self.stopped.load(Ordering::Relaxed) {
            Some("stopped at the first failure (--fail-fast)".to_owned())
        } else if self.is_open() {
            Some(format!(
                "the target stopped answering: {LIMIT} scenarios in a row had no answer"
            ))
        } else {
            None
        }
    }
}

/// Whether anything answers at the endpoint, with whatever status.
///
/// # Errors
/// What stood in the way, in words.
pub async fn probe(target: &Target) -> Result<(), String> {
    let client = crate::crypto::http_client()
        .timeout(PATIENCE)
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(|error| error.to_string())?;
    match client.get(target.endpoint.clone()).send().await {
        Ok(_) => Ok(()),
        Err(error) if error.is_timeout() => {
            Err(format!("no answer within {} s", PATIENCE.as_secs()))
        }
        Err(error) => Err(innermost(&error)),
    }
}

/// The last cause is the one that names the network's own reason.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_only_after_several_silent_scenarios_in_a_row() {
        let breaker = Breaker::default();
        for _ in 1..LIMIT {
            breaker.silent();
        }
        assert_eq!(breaker.reason(), None);
        breaker.answered();
        breaker.silent();
        assert!(!breaker.is_open());
        for _ in 0..LIMIT {
            breaker.silent();
        }
        breaker.answered();
        assert!(breaker.is_open() && breaker.reason().is_some());
    }
}

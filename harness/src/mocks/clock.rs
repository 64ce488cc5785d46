//! The steered clock: the one time that tokens, rates, prices and every server under test go by.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};

/// Where the clock stands when nothing else is asked for: noon UTC of the newest day in `fixtures/rates`, a Friday.
pub const START: &str = "2026-10-30T12:00:00Z";

/// Called with the new time whenever the clock is moved.
type Watcher = Box<dyn Fn(Timestamp) + Send + Sync>;

/// A clock that stands still until it is moved, so that no result depends on how fast a machine is. Beside a server that
/// goes by the machine's own clock it runs with that one; moving it then only puts it before or behind.
///
/// Clones share the same time.
#[derive(Clone)]
pub struct MockClock {
    state: Arc<Mutex<State>>,
}

struct State {
    /// The time it shows; of a running clock, the time it showed when it was last set.
    now: Timestamp,
    /// When a running clock was last set, by the machine's own clock.
    runs_since: Option<Timestamp>,
    watchers: Vec<Watcher>,
}

impl MockClock {
    /// A clock standing at `now`.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self {
            state: Arc::new(Mutex::new(State {
                now,
                runs_since: None,
                watchers: Vec::new(),
            })),
        }
    }

    /// A clock that shows the machine's own time and runs with it.
    #[must_use]
    pub fn running() -> Self {
        let clock = Self::at(Timestamp::now());
        clock.lock().runs_since = Some(Timestamp::now());
        clock
    }

    /// The time the clock shows.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let state = self.lock();
        match state.runs_since {
            None => state.now,
            Some(since) => {
                let passed = Timestamp::now().duration_since(since);
                state.now.checked_add(passed).unwrap_or(state.now)
            }
        }
    }

    /// Moves the clock to `now`, forwards or backwards, and tells everyone who watches it before returning.
    pub fn set(&self, now: Timestamp) {
        let mut state = self.lock();
        state.now = now;
        state.runs_since = state.runs_since.map(|_| Timestamp::now());
        for watcher in &state.watchers {
            watcher(now);
        }
    }

    /// Moves the clock by `by`, which may be negative, and gives the new time.
    ///
    /// # Errors
    /// If the result lies outside what a timestamp can hold; the clock then stays where it is.
    pub fn advance(&self, by: SignedDuration) -> Result<Timestamp, jiff::Error> {
        let moved = self.now().checked_add(by)?;
        self.set(moved);
        Ok(moved)
    }

    /// Calls `watcher` with the present time at once and with every later time the clock is set to.
    ///
    /// This is how a server in the same process follows the clock without asking over HTTP.
    pub fn watch(&self, watcher: impl Fn(Timestamp) + Send + Sync + 'static) {
        let mut state = self.lock();
        watcher(state.now);
        state.watchers.push(Box::new(watcher));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        // The time is one value: a panic elsewhere cannot leave it half-written.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for MockClock {
    fn default() -> Self {
        // The constant is checked by a test; the epoch would show at once in every date.
        Self::at(START.parse().unwrap_or(Timestamp::UNIX_EPOCH))
    }
}

impl fmt::Debug for MockClock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "MockClock({})", self.now())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;

    #[test]
    fn starts_at_noon_of_the_newest_day_of_rates() {
        assert_eq!(MockClock::default().now().to_string(), START);
    }

    #[test]
    fn a_running_clock_shows_the_machines_time_and_keeps_its_distance_when_it_is_moved() {
        let clock = MockClock::running();
        let apart = |expected: SignedDuration| {
            let distance = clock.now().duration_since(Timestamp::now());
            (distance - expected).abs() < SignedDuration::from_secs(5)
        };
        assert!(apart(SignedDuration::ZERO));
        clock.advance(SignedDuration::from_hours(2)).unwrap();
        assert!(apart(SignedDuration::from_hours(2)));
    }

    #[test]
    fn tells_watchers_at_once_and_at_every_move() -> Result<(), jiff::Error> {
        let clock = MockClock::default();
        let seen = Arc::new(AtomicI64::new(0));
        let sink = Arc::clone(&seen);
        clock.watch(move |now| sink.store(now.as_second(), Ordering::SeqCst));
        assert_eq!(seen.load(Ordering::SeqCst), clock.now().as_second());
        let later = clock.advance(SignedDuration::from_mins(31))?;
        assert_eq!(seen.load(Ordering::SeqCst), later.as_second());
        Ok(())
    }
}

//! Published keys kept for a while: one fetch at a time, a bounded number of fetches, and old keys rather than none in an outage.

use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::sync::Mutex;

use super::authorization_server::AuthorizationServer;
use super::choices::{KeyCache, KeyStrength};
use super::keys::KeySet;

/// How long keys are kept when their answer says nothing.
const DEFAULT_AGE: Duration = Duration::from_secs(300);
/// How long keys are kept at most: the time after which a withdrawn key verifies nothing any more.
const LONGEST_AGE: Duration = Duration::from_secs(900);
/// How long keys are kept at least, so that `max-age=0` does not mean one fetch per request.
const SHORTEST_AGE: Duration = Duration::from_secs(1);
/// How long old keys verify while new ones cannot be had.
const OUTAGE_LIMIT: Duration = Duration::from_secs(24 * 60 * 60);
/// How long a failed fetch is not repeated; it is also the `Retry-After` of the answer.
pub const RETRY_AFTER: Duration = Duration::from_secs(1);
/// The same while old keys still verify: an authorization server that hangs must not slow down everybody it is not needed for.
const RETRY_AFTER_WITH_OLD_KEYS: Duration = Duration::from_secs(30);
/// How many fetches unknown key names can cause at once; one more is earned every [`REFETCH_EVERY`].
const REFETCHES: u32 = 3;
/// See [`REFETCHES`].
const REFETCH_EVERY: Duration = Duration::from_secs(30);

/// Keys are needed and cannot be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the keys of the authorization server cannot be had")]
pub struct KeysUnobtainable;

/// The cache.
pub struct CachedKeys {
    server: Arc<AuthorizationServer>,
    policy: KeyCache,
    strength: KeyStrength,
    current: RwLock<Current>,
    fetching: Mutex<Budget>,
}

#[derive(Clone, Default)]
struct Current {
    good: Option<Good>,
    /// Counts attempts, so that who waited for a fetch can tell that it was made.
    attempts: u64,
    failed: Option<Moment>,
}

#[derive(Clone)]
struct Good {
    keys: Arc<KeySet>,
    fetched: Moment,
    age: Duration,
}

/// A moment by two clocks: the machine's, which always runs, and the server's, which a test may steer.
#[derive(Clone, Copy)]
struct Moment {
    machine: Instant,
    server: Timestamp,
}

impl Moment {
    fn new(now: Timestamp) -> Self {
        Self {
            machine: Instant::now(),
            server: now,
        }
    }

    /// Time since then, by whichever clock moved more; a clock that was turned back counts as long ago.
    fn age(&self, now: Timestamp) -> Duration {
        let steered = Duration::try_from(now.duration_since(self.server)).unwrap_or(LONGEST_AGE);
        self.machine.elapsed().max(steered)
    }
}

/// What unknown key names may still cost.
struct Budget {
    left: u32,
    since: Instant,
}

impl CachedKeys {
    /// An empty cache in front of `server`.
    pub fn new(server: Arc<AuthorizationServer>, policy: KeyCache, strength: KeyStrength) -> Self {
        Self {
            server,
            policy,
            strength,
            current: RwLock::default(),
            fetching: Mutex::new(Budget {
                left: REFETCHES,
                since: Instant::now(),
            }),
        }
    }

    /// Keys among which one called `id` should be, as of `now` on the server's clock.
    ///
    /// The set may lack `id`: then it is unknown to the authorization server too, as far as could be asked.
    ///
    /// # Errors
    /// When there are none and none can be fetched, or `id` is unknown here and the set cannot be fetched anew.
    pub async fn for_token(
        &self,
        id: &str,
        now: Timestamp,
    ) -> Result<Arc<KeySet>, KeysUnobtainable> {
        let seen = self.read();
        let usable = seen.good.as_ref().filter(|good| good.is_usable(now));
        let fresh = match (usable, self.policy) {
            (None, _) | (_, KeyCache::Never) => None,
            (Some(good), KeyCache::Forever) => Some(good),
            (Some(good), _) => Some(good).filter(|good| good.is_fresh(now)),
        };
        if let Some(good) = fresh {
            if good.keys.named(id).next().is_some() || self.policy == KeyCache::Forever {
                return Ok(Arc::clone(&good.keys));
            }
            return self
                .refetch_for_unknown(&seen, Arc::clone(&good.keys), now)
                .await;
        }
        match (self.fetch(&seen, now).await, usable) {
            (Ok(keys), _) => Ok(keys),
            // In an outage keys that were good go on verifying what they can; an unknown name may be a new key, so it is no refusal.
            (Err(_), Some(good)) if good.keys.named(id).next().is_some() => {
                Ok(Arc::clone(&good.keys))
            }
            (Err(error), _) => Err(error),
        }
    }

    /// One more fetch because a token names a key that is not in a fresh set, if the budget allows it.
    async fn refetch_for_unknown(
        &self,
        seen: &Current,
        known: Arc<KeySet>,
        now: Timestamp,
    ) -> Result<Arc<KeySet>, KeysUnobtainable> {
        if self.policy != KeyCache::RefetchUnbounded && !self.fetching.lock().await.spend() {
            // The last answer decides: if it failed, the key may exist all the same.
            return if self.read().failed.is_some() {
                Err(KeysUnobtainable)
            } else {
                Ok(known)
            };
        }
        self.fetch(seen, now).await
    }

    /// Fetches the set, or waits for the fetch that is under way and takes its outcome.
    async fn fetch(&self, seen: &Current, now: Timestamp) -> Result<Arc<KeySet>, KeysUnobtainable> {
        let _turn = self.fetching.lock().await;
        let current = self.read();
        let waited = current.attempts != seen.attempts && self.policy != KeyCache::Never;
        let old_keys = current
            .good
            .as_ref()
            .is_some_and(|good| good.is_usable(now));
        let pause = if old_keys {
            RETRY_AFTER_WITH_OLD_KEYS
        } else {
            RETRY_AFTER
        };
        let failed_lately = current.failed.is_some_and(|moment| moment.age(now) < pause);
        if failed_lately {
            return Err(KeysUnobtainable);
        }
        if let (true, Some(good)) = (waited, &current.good) {
            return Ok(Arc::clone(&good.keys));
        }
        let outcome = match self.server.keys().await {
            Ok(fetched) => KeySet::parse(&fetched.body, self.strength)
                .map(|keys| (Arc::new(keys), fetched.max_age))
                .map_err(str::to_owned),
            Err(error) => Err(error.to_string()),
        };
        let mut current = self
            .current
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        current.attempts += 1;
        match outcome {
            Ok((keys, max_age)) => {
                current.failed = None;
                current.good = Some(Good {
                    keys: Arc::clone(&keys),
                    fetched: Moment::new(now),
                    age: max_age
                        .unwrap_or(DEFAULT_AGE)
                        .clamp(SHORTEST_AGE, LONGEST_AGE),
                });
                Ok(keys)
            }
            Err(error) => {
                tracing::warn!(%error, "the published keys could not be fetched");
                current.failed = Some(Moment::new(now));
                Err(KeysUnobtainable)
            }
        }
    }

    fn read(&self) -> Current {
        self.current
            .read()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .clone()
    }
}

impl Good {
    fn is_fresh(&self, now: Timestamp) -> bool {
        self.fetched.age(now) < self.age
    }

    fn is_usable(&self, now: Timestamp) -> bool {
        self.fetched.age(now) < OUTAGE_LIMIT
    }
}

impl Budget {
    fn spend(&mut self) -> bool {
        let earned = u32::try_from(self.since.elapsed().as_secs() / REFETCH_EVERY.as_secs())
            .unwrap_or(u32::MAX);
        if earned > 0 {
            self.left = self.left.saturating_add(earned).min(REFETCHES);
            self.since = Instant::now();
        }
        let allowed = self.left > 0;
        self.left = self.left.saturating_sub(1);
        allowed
    }
}

//! The wealth ledger profile.

use std::sync::Arc;

use crate::StoreLocation;
use crate::clock::Clock;
use crate::mcp::Profile;
use crate::providers::{EuropeanCentralBank, SubscriptionDirectory, UserDirectory};
use crate::rules::Rules;

/// What the profile is built from.
#[derive(Debug)]
pub struct WorthbaseParts {
    /// Where its data lives.
    pub store: StoreLocation,
    /// Who a subject is.
    pub users: UserDirectory,
    /// Who has paid.
    pub subscriptions: SubscriptionDirectory,
    /// Exchange rates.
    pub rates: Arc<EuropeanCentralBank>,
    /// The time.
    pub clock: Clock,
    /// The choices.
    pub rules: Rules,
}

/// Why the profile could not be opened.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct OpenError(pub String);

/// The profile.
#[derive(Debug)]
pub struct Worthbase;

impl Worthbase {
    /// Opens the store and builds the profile.
    ///
    /// # Errors
    /// When the store cannot be opened or a contract file is broken.
    pub async fn open(_parts: WorthbaseParts) -> Result<Arc<dyn Profile>, OpenError> {
        Err(OpenError(
            "the worthbase profile is not in this build".to_owned(),
        ))
    }
}

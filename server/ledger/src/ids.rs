//! Names of things: one type per kind of id, so a party can never be handed where an item is meant.
//!
//! The caller makes them (prefixed ULIDs) and the ledger never looks inside, with one exception: a
//! [`LotId`] is derived from the row that made the lot, so a replay gives the same lot the same name.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    )*};
}

ids! {
    /// A workspace, `ws_…`.
    WorkspaceId
    /// A party, `pty_…`.
    PartyId
    /// An account, `acc_…`.
    AccountId
    /// An item, `itm_…`.
    ItemId
    /// A transaction, `txn_…`.
    TransactionId
    /// A transfer between two items, `txn_…`.
    TransferId
    /// A valuation, `val_…`.
    ValuationId
    /// A price, `prc_…`.
    PriceId
    /// A reconciliation, `rec_…`.
    ReconciliationId
    /// A batch, `bat_…`.
    BatchId
    /// A lot, `lot_…`.
    LotId
    /// A goal, `gol_…`.
    GoalId
    /// A tracked loss, `los_…`.
    LossId
    /// A row of any list, where only its identity matters (`void`).
    RowId
}

macro_rules! row_ids {
    ($($name:ident)*) => {$(
        impl From<&$name> for RowId {
            fn from(id: &$name) -> Self {
                Self(id.0.clone())
            }
        }
    )*};
}

row_ids! { TransactionId TransferId ValuationId PriceId ReconciliationId }

impl LotId {
    /// The lot at a place among others: a name that another lot has once a row before it is gone.
    pub(crate) fn at_place(place: usize) -> Self {
        Self(format!("lot_{place:026}"))
    }

    /// The lot that a transaction makes: the transaction's own id under the prefix of lots.
    #[must_use]
    pub fn made_by(transaction: &TransactionId) -> Self {
        let unique = transaction
            .0
            .split_once('_')
            .map_or(transaction.0.as_str(), |(_, unique)| unique);
        Self(format!("lot_{unique}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lot_is_named_after_the_row_that_made_it() {
        assert_eq!(
            LotId::made_by(&TransactionId::from("txn_01H")).as_str(),
            "lot_01H"
        );
        assert_eq!(
            LotId::made_by(&TransactionId::from("b1")).as_str(),
            "lot_b1"
        );
    }
}

//! What people track beside what they own and owe: links between items, goals, losses carried forward.

use crate::decimal::{self, Decimal};
use crate::ids::{GoalId, ItemId, LossId, PartyId};
use crate::model::{Currency, Date};
use serde::{Deserialize, Serialize};

/// What a link between two items says. No link changes a net worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// The loan is secured by the property.
    SecuredBy,
    /// The account is an offset of the loan.
    Offset,
    /// The loan paid for the item; a label only.
    Funds,
}

impl Relation {
    /// The relation as it stands on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SecuredBy => "secured_by",
            Self::Offset => "offset",
            Self::Funds => "funds",
        }
    }
}

/// A link that is in force.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Link {
    /// Where it begins: the loan, or the offset account.
    pub from: ItemId,
    /// Where it leads: the property, the loan, what was funded.
    pub to: ItemId,
    /// What it says.
    pub relation: Relation,
}

/// What a goal measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GoalKind {
    /// The net worth, which is to rise.
    NetWorth,
    /// The balances of all loans, which are to fall.
    Debt,
}

/// A goal as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Goal {
    /// `gol_…`.
    pub id: GoalId,
    /// As the user wrote it.
    pub name: String,
    /// What it measures.
    pub kind: GoalKind,
    /// The figure to reach.
    #[serde(with = "decimal::text")]
    pub target: Decimal,
    /// What the target is in.
    pub currency: Currency,
    /// By when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Date>,
    /// Whether it is put away.
    #[serde(default)]
    pub archived: bool,
}

/// What sort of loss is carried forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LossKind {
    /// Of a business.
    Business,
    /// Of a sale.
    Capital,
    /// Of a let property.
    Rental,
}

/// A tracked loss as it stands. It is in no net worth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// `los_…`.
    pub id: LossId,
    /// Whose loss it is.
    pub party: PartyId,
    /// What sort of loss.
    pub kind: LossKind,
    /// The year it arose in.
    pub year: i16,
    /// How much was lost, in base currency.
    #[serde(with = "decimal::text")]
    pub amount: Decimal,
    /// How much of it has been used; never more than the amount.
    #[serde(with = "decimal::text")]
    pub used: Decimal,
    /// Free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Whether it is put away.
    #[serde(default)]
    pub archived: bool,
}

//! Changes to what is known of items, goals and losses. Each says only what it changes, so that undoing an older
//! one leaves a newer one on another field, or on the same, in force.

use crate::decimal::{self, Decimal};
use crate::ids::{AccountId, GoalId, ItemId, LossId, PartyId};
use crate::model::{Currency, Date, GoalKind, LossKind, Relation};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// New values for fields of an item; what is absent stays. The outer option of a field is "said at all", the inner
/// one its value, where nothing takes the value away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemUpdate {
    /// The item.
    pub item: ItemId,
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The label for allocation; nothing for the one of its kind.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "said"
    )]
    pub class: Option<Option<String>>,
    /// A finer label.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "said"
    )]
    pub subtype: Option<Option<String>>,
    /// The account it is kept in.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "said"
    )]
    pub account: Option<Option<AccountId>>,
    /// What its figures are in; only while it has no history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// When it was opened; information only.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "said"
    )]
    pub opened_on: Option<Option<Date>>,
    /// When it was closed; information only.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "said"
    )]
    pub closed_on: Option<Option<Date>>,
    /// Whether it counts as investable; nothing for the default of its kind.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "said"
    )]
    pub investable: Option<Option<bool>>,
    /// Free text.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "said"
    )]
    pub notes: Option<Option<String>>,
    /// Free fields, all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attributes: Option<BTreeMap<String, String>>,
}

impl ItemUpdate {
    /// An update that changes nothing yet.
    #[must_use]
    pub fn of(item: ItemId) -> Self {
        Self {
            item,
            name: None,
            class: None,
            subtype: None,
            account: None,
            currency: None,
            opened_on: None,
            closed_on: None,
            investable: None,
            notes: None,
            attributes: None,
        }
    }
}

/// An item leaves the balance sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Archive {
    /// The item.
    pub item: ItemId,
    /// First day on which it counts no more.
    pub on: Date,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A link between two items is made, or taken away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkChange {
    /// Where it begins: the loan, or the offset account.
    pub from: ItemId,
    /// Where it leads: the property, the loan, what was funded.
    pub to: ItemId,
    /// What it says.
    pub relation: Relation,
    /// Whether it is taken away.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub remove: bool,
}

/// A goal is set, changed or archived.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoalChange {
    /// `gol_…`.
    pub goal: GoalId,
    /// Whether this is what creates it; such a change says every field that a goal needs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub create: bool,
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it measures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<GoalKind>,
    /// The figure to reach.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "decimal::text::optional"
    )]
    pub target: Option<Decimal>,
    /// What the target is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// By when.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "said"
    )]
    pub by: Option<Option<Date>>,
    /// Whether it is put away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archived: Option<bool>,
}

/// A tracked loss is recorded, changed or archived.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LossChange {
    /// `los_…`.
    pub loss: LossId,
    /// Whether this is what records it; such a change says every field that a loss needs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub create: bool,
    /// Whose loss it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub party: Option<PartyId>,
    /// What sort of loss.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<LossKind>,
    /// The year it arose in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<i16>,
    /// How much was lost.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "decimal::text::optional"
    )]
    pub amount: Option<Decimal>,
    /// How much of it has been used; takes the place of what was used before.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "decimal::text::optional"
    )]
    pub used: Option<Decimal>,
    /// Free text.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "said"
    )]
    pub note: Option<Option<String>>,
    /// Whether it is put away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archived: Option<bool>,
}

/// Reads a field that is there: null takes its value away, which is not the same as saying nothing.
fn said<'de, T, D>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Option::deserialize(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_takes_away_and_silence_keeps() {
        let text = r#"{"item":"itm_1","class":null,"notes":"n"}"#;
        let update: ItemUpdate = serde_json::from_str(text).expect("an update");
        assert_eq!(
            (&update.class, &update.subtype, &update.notes),
            (&Some(None), &None, &Some(Some("n".to_owned())))
        );
        assert_eq!(serde_json::to_string(&update).expect("text"), text);
    }
}

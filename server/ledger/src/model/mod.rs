//! What a workspace is made of: parties, accounts, items and who owns them, and what is tracked beside them.

mod plans;

pub use plans::{Goal, GoalKind, Link, Loss, LossKind, Relation};

use crate::decimal::{self, Decimal};
use crate::ids::{AccountId, ItemId, PartyId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

pub use jiff::civil::Date;

/// Reads a calendar date of the contract: `YYYY-MM-DD`, and a day that exists.
#[must_use]
pub fn parse_date(text: &str) -> Option<Date> {
    let shape = text.len() == 10
        && text.bytes().enumerate().all(|(place, byte)| match place {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if shape { text.parse().ok() } else { None }
}

/// A currency by its ISO 4217 code: three upper-case ASCII letters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Currency([u8; 3]);

impl Currency {
    /// The euro, which every published rate is given against.
    pub const EUR: Self = Self(*b"EUR");

    /// The three letters.
    #[must_use]
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// A text that is no currency code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a currency is three upper-case letters, such as EUR")]
pub struct CurrencyError;

impl FromStr for Currency {
    type Err = CurrencyError;

    fn from_str(text: &str) -> Result<Self, CurrencyError> {
        match <[u8; 3]>::try_from(text.as_bytes()) {
            Ok(letters) if letters.iter().all(u8::is_ascii_uppercase) => Ok(Self(letters)),
            _ => Err(CurrencyError),
        }
    }
}

impl TryFrom<String> for Currency {
    type Error = CurrencyError;

    fn try_from(text: String) -> Result<Self, CurrencyError> {
        text.parse()
    }
}

impl From<Currency> for String {
    fn from(currency: Currency) -> Self {
        currency.code().to_owned()
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code())
    }
}

/// Somebody who owns things.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Party {
    /// `pty_…`.
    pub id: PartyId,
    /// As the user wrote it.
    pub name: String,
    /// What sort of party.
    pub kind: PartyKind,
}

/// What sort of party owns things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartyKind {
    /// A person.
    Individual,
    /// A company.
    Company,
    /// A trust.
    Trust,
    /// A self-managed retirement fund.
    Smsf,
    /// A partnership.
    Partnership,
}

/// Where items are kept: a broker, a bank, a wallet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// `acc_…`.
    pub id: AccountId,
    /// As the user wrote it.
    pub name: String,
    /// What sort of account.
    pub kind: AccountKind,
    /// Who runs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub institution: Option<String>,
    /// Its own currency, a default for its items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// Whose account it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub party: Option<PartyId>,
}

/// What sort of account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccountKind {
    /// A securities account.
    Brokerage,
    /// A bank account.
    Bank,
    /// A crypto exchange.
    Exchange,
    /// A wallet.
    Wallet,
    /// A retirement fund.
    RetirementFund,
    /// A loan account.
    Loan,
}

/// Something owned or owed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// `itm_…`.
    pub id: ItemId,
    /// As the user wrote it.
    pub name: String,
    /// The structural type: decides the side and which rows it takes. Fixed.
    pub kind: ItemKind,
    /// The label for allocation; [`ItemKind::default_class`] when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// A finer label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtype: Option<String>,
    /// The account it is kept in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountId>,
    /// What its figures are in.
    pub currency: Currency,
    /// Who owns how much of it from the beginning; percentages that add up to 100. Empty stands for the
    /// only party of the workspace.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub owners: Vec<OwnerShare>,
    /// Ticker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// Where the ticker trades.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<String>,
    /// The coin's name at the price provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coingecko_id: Option<String>,
    /// When it was opened; information only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened_on: Option<Date>,
    /// When it was closed; information only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_on: Option<Date>,
    /// Whether it counts as investable; [`ItemKind::investable`] when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub investable: Option<bool>,
    /// Free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// Free fields.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, String>,
}

impl Item {
    /// The label it is grouped under.
    #[must_use]
    pub fn class(&self) -> &str {
        self.class
            .as_deref()
            .unwrap_or_else(|| self.kind.default_class())
    }

    /// Whether it counts as investable.
    #[must_use]
    pub fn is_investable(&self) -> bool {
        self.investable.unwrap_or_else(|| self.kind.investable())
    }
}

/// Whether something is owned or owed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Owned.
    Asset,
    /// Owed; stored and reported as a positive figure.
    Liability,
}

/// What gives an item its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Units times a price; the units lie in lots.
    Units,
    /// A valuation of the whole.
    Value,
    /// A running balance.
    Balance,
}

/// The structural type of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    /// A share, a fund, a bond.
    Security,
    /// A coin.
    Crypto,
    /// Money.
    Cash,
    /// Land and houses.
    Property,
    /// A business or a part of one.
    Business,
    /// Anything else that is owned.
    Other,
    /// Money in a retirement fund.
    Retirement,
    /// Money borrowed.
    Loan,
    /// Anything else that is owed.
    OtherLiability,
}

impl ItemKind {
    /// Whether such an item is owned or owed.
    #[must_use]
    pub fn side(self) -> Side {
        match self {
            Self::Loan | Self::OtherLiability => Side::Liability,
            _ => Side::Asset,
        }
    }

    /// What gives it its value.
    #[must_use]
    pub fn measured_by(self) -> Measure {
        match self {
            Self::Security | Self::Crypto => Measure::Units,
            Self::Cash | Self::Loan | Self::OtherLiability => Measure::Balance,
            Self::Property | Self::Business | Self::Other | Self::Retirement => Measure::Value,
        }
    }

    /// The class of an item that names none.
    #[must_use]
    pub fn default_class(self) -> &'static str {
        match self {
            Self::Security => "equity",
            Self::Loan | Self::OtherLiability => "debt",
            other => other.name(),
        }
    }

    /// Whether such an item is investable unless it says otherwise.
    #[must_use]
    pub fn investable(self) -> bool {
        matches!(self, Self::Security | Self::Crypto | Self::Cash)
    }

    /// The kind as it stands on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Security => "security",
            Self::Crypto => "crypto",
            Self::Cash => "cash",
            Self::Property => "property",
            Self::Business => "business",
            Self::Other => "other",
            Self::Retirement => "retirement",
            Self::Loan => "loan",
            Self::OtherLiability => "other_liability",
        }
    }
}

/// How much of an item belongs to a party.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnerShare {
    /// Who.
    pub party: PartyId,
    /// Of a hundred.
    #[serde(with = "decimal::text")]
    pub percent: Decimal,
}

/// Who owned an item from a date on; nothing for "from the beginning".
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OwnershipPeriod {
    /// First day of this split.
    pub from: Option<Date>,
    /// The split, in the order given.
    pub owners: Vec<OwnerShare>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_ten_characters_and_a_day_that_exists() {
        assert!(parse_date("2024-02-29").is_some());
        for text in [
            "2023-02-29",
            "20240229",
            "2024-2-9",
            "2024-01-01T00:00",
            "2024-01-1\n",
            "",
        ] {
            assert_eq!(parse_date(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_currency_is_three_capital_letters() {
        assert_eq!(
            "AUD"
                .parse::<Currency>()
                .map(|code| code.to_string())
                .as_deref(),
            Ok("AUD")
        );
        for text in ["aud", "AU", "AUDX", "A1D", ""] {
            assert_eq!(text.parse::<Currency>(), Err(CurrencyError), "{text:?}");
        }
    }
}

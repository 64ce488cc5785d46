//! The whole balance sheet at the close of a day, and its partitions.

use super::position::{MissingFigure, Position};
use crate::decimal::{Exact, Overflow};
use crate::fx::RateSource;
use crate::ids::{ItemId, PartyId};
use crate::ledger::Ledger;
use crate::model::{Currency, Date, ItemKind, Relation, Side};
use crate::refusal::Refusal;
use crate::replay::{ItemBook, ownership};
use crate::rows::AppliedRate;
use crate::rules::{
    HouseholdTotal, Investable, Liabilities, LinksInNetWorth, LossesInNetWorth, Partial, Stale,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is asked about the whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetWorthQuery {
    /// The day; figures are of its close.
    pub date: Date,
    /// Only this party's part.
    pub party: Option<PartyId>,
    /// How to break the total down.
    pub by: Option<Breakdown>,
}

impl NetWorthQuery {
    /// The whole on a day.
    #[must_use]
    pub fn on(date: Date) -> Self {
        Self {
            date,
            party: None,
            by: None,
        }
    }
}

/// How a total is broken down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Breakdown {
    /// By the label for allocation.
    Class,
    /// By structural type.
    Kind,
    /// By owner.
    Party,
    /// By account.
    Account,
    /// By item.
    Item,
}

/// The balance sheet at the close of a day, in base currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetWorth {
    /// The day.
    pub date: Date,
    /// Base currency of the workspace.
    pub currency: Currency,
    /// What is owned.
    pub assets: Exact,
    /// What is owed, positive.
    pub liabilities: Exact,
    /// Assets less liabilities.
    pub net_worth: Exact,
    /// Assets flagged investable, gross of debts.
    pub investable: Exact,
    /// Cash items.
    pub cash: Exact,
    /// Whether a held item has no value here, so the totals lack it.
    pub partial: bool,
    /// Those items.
    pub missing: Vec<MissingItem>,
    /// The partition asked for: the assets among its lines add up to the assets, the liabilities to the
    /// liabilities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breakdown: Option<Vec<BreakdownLine>>,
    /// Items whose figure is old; it counts all the same.
    pub stale: Vec<StaleItem>,
    /// The rates used, each once.
    pub rates: Vec<AppliedRate>,
}

/// A held item without a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingItem {
    /// `itm_…`.
    pub item: ItemId,
    /// What it lacks.
    pub reason: MissingFigure,
}

/// An item whose figure is old.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaleItem {
    /// `itm_…`.
    pub item: ItemId,
    /// The date of its figure.
    pub value_date: Date,
    /// First day on which it was too old.
    pub since: Date,
}

/// A group of a partition; one line for each side that the group has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BreakdownLine {
    /// Class, kind or id; nothing for items that are in no account or have no owner.
    pub key: Option<String>,
    /// What to call it.
    pub name: String,
    /// Owned or owed.
    pub side: Side,
    /// In base currency, positive on both sides; nothing when no member has a value.
    pub value: Option<Exact>,
    /// Base currency of the workspace.
    pub currency: Currency,
    /// Date of the price used; only by item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_date: Option<Date>,
    /// Date of the figure used; only by item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_date: Option<Date>,
}

/// An item's part in the whole.
struct Share<'a> {
    book: &'a ItemBook,
    position: Position,
    /// The part that was asked for; the whole item without a party.
    value: Option<Exact>,
    /// What each owner has of it; nothing when the item has no owners.
    parts: Vec<(PartyId, Exact)>,
}

impl Share<'_> {
    fn side(&self) -> Side {
        self.book.item.kind.side()
    }
}

impl Ledger {
    /// The balance sheet at the close of a day.
    ///
    /// # Errors
    /// `not_found` for a party that is not there, `overflow` of a figure.
    pub fn net_worth(
        &self,
        query: &NetWorthQuery,
        rates: &dyn RateSource,
    ) -> Result<NetWorth, Refusal> {
        if let Some(party) = query.party.as_ref().filter(|party| !self.has_party(party)) {
            return Err(Refusal::not_found("party", party));
        }
        let rules = &self.rules().worth;
        let mut shares = self.shares(query, rates)?;
        if rules.stale == Stale::LeftOut {
            shares.retain(|share| share.position.stale_since.is_none());
        }
        let sum = |wanted: &dyn Fn(&Share<'_>) -> bool| -> Result<Exact, Overflow> {
            Exact::sum(
                shares
                    .iter()
                    .filter(|share| wanted(share))
                    .filter_map(|share| share.value),
            )
        };
        let assets = sum(&|share| share.side() == Side::Asset)?;
        let owed = sum(&|share| share.side() == Side::Liability)?;
        let flagged = sum(&|share| share.side() == Side::Asset && share.book.item.is_investable())?;
        let missing = match rules.partial {
            Partial::Said => shares.iter().filter_map(missing_item).collect(),
            Partial::Unsaid => Vec::new(),
        };
        Ok(NetWorth {
            date: query.date,
            currency: self.base(),
            assets,
            liabilities: match rules.liabilities {
                Liabilities::ReportedNegative => owed.negated()?,
                _ => owed,
            },
            net_worth: match rules.liabilities {
                Liabilities::Subtracted | Liabilities::ReportedNegative => assets.minus(owed)?,
                Liabilities::Added => assets.plus(owed)?,
                Liabilities::LeftOut => assets,
            }
            .minus(self.losses_counted()?)?
            .minus(self.offsets_counted(&shares)?)?,
            investable: match rules.investable {
                Investable::FlaggedAssets => flagged,
                Investable::NetOfDebts => flagged.minus(owed)?,
                Investable::EveryAsset => assets,
            },
            cash: sum(&|share| share.book.item.kind == ItemKind::Cash)?,
            partial: !missing.is_empty(),
            missing,
            breakdown: query
                .by
                .map(|by| self.breakdown(by, query, &shares))
                .transpose()?,
            stale: match rules.stale {
                Stale::Flagged => shares.iter().filter_map(stale_item).collect(),
                Stale::Unsaid | Stale::LeftOut => Vec::new(),
            },
            rates: rates_used(&shares),
        })
    }

    /// What losses take off the net worth: nothing, by the contract.
    fn losses_counted(&self) -> Result<Exact, Overflow> {
        if self.rules().losses.net_worth == LossesInNetWorth::LeftOut {
            return Ok(Exact::ZERO);
        }
        self.losses().try_fold(Exact::ZERO, |sum, loss| {
            sum.plus(Exact::from(loss.amount).minus(loss.used.into())?)
        })
    }

    /// What offset accounts take off the net worth: nothing, by the contract.
    fn offsets_counted(&self, shares: &[Share<'_>]) -> Result<Exact, Overflow> {
        if self.rules().links.worth == LinksInNetWorth::LeftOut {
            return Ok(Exact::ZERO);
        }
        let offsets = self
            .links()
            .filter(|link| link.relation == Relation::Offset);
        let accounts = offsets.filter_map(|link| {
            let account = shares.iter().find(|share| share.book.item.id == link.from);
            account.and_then(|account| account.value)
        });
        Exact::sum(accounts)
    }

    pub(crate) fn has_party(&self, party: &PartyId) -> bool {
        self.book().parties.contains_key(party)
    }

    /// Every item that is on the balance sheet, with the part that was asked for.
    fn shares(
        &self,
        query: &NetWorthQuery,
        rates: &dyn RateSource,
    ) -> Result<Vec<Share<'_>>, Refusal> {
        let mut shares = Vec::new();
        for book in &self.book().items {
            let position = self.position_of(book, query.date, rates)?;
            if !position.held {
                continue;
            }
            let owners = ownership::on(&book.ownership, query.date);
            let parts = match position.value_base {
                Some(value) => ownership::parts(owners, value, self.rules())?,
                None => Vec::new(),
            };
            let value = match &query.party {
                None if self.rules().owners.household == HouseholdTotal::FirstOwners => {
                    parts.first().map(|(_, part)| *part)
                }
                None => position.value_base,
                Some(party) if owners.iter().any(|owner| owner.party == *party) => parts
                    .iter()
                    .find(|(owner, _)| owner == party)
                    .map(|(_, part)| *part),
                Some(_) => continue,
            };
            shares.push(Share {
                book,
                position,
                value,
                parts,
            });
        }
        Ok(shares)
    }

    fn breakdown(
        &self,
        by: Breakdown,
        query: &NetWorthQuery,
        shares: &[Share<'_>],
    ) -> Result<Vec<BreakdownLine>, Refusal> {
        let mut lines = Lines {
            by,
            currency: self.base(),
            lines: BTreeMap::new(),
        };
        for share in shares {
            let item = &share.book.item;
            match by {
                Breakdown::Class => {
                    lines.add(Some(item.class()), item.class(), share, share.value)?
                }
                Breakdown::Kind => {
                    lines.add(Some(item.kind.name()), item.kind.name(), share, share.value)?;
                }
                Breakdown::Item => {
                    lines.add(Some(item.id.as_str()), &item.name, share, share.value)?;
                }
                Breakdown::Account => {
                    let account = item
                        .account
                        .as_ref()
                        .and_then(|id| self.book().accounts.get(id));
                    let key = account.map(|account| account.id.as_str());
                    let name = account.map_or("", |account| account.name.as_str());
                    lines.add(key, name, share, share.value)?;
                }
                Breakdown::Party if share.parts.is_empty() => {
                    lines.add(None, "", share, share.value)?;
                }
                Breakdown::Party => {
                    for (party, part) in &share.parts {
                        if query.party.as_ref().is_none_or(|wanted| wanted == party) {
                            let known = self.book().parties.get(party);
                            let name = known.map_or("", |party| party.name.as_str());
                            lines.add(Some(party.as_str()), name, share, Some(*part))?;
                        }
                    }
                }
            }
        }
        Ok(lines.lines.into_values().collect())
    }
}

/// A partition while it is put together.
struct Lines {
    by: Breakdown,
    currency: Currency,
    lines: BTreeMap<(Option<String>, Side), BreakdownLine>,
}

impl Lines {
    fn add(
        &mut self,
        key: Option<&str>,
        name: &str,
        share: &Share<'_>,
        value: Option<Exact>,
    ) -> Result<(), Overflow> {
        let key = key.map(str::to_owned);
        let line = self
            .lines
            .entry((key.clone(), share.side()))
            .or_insert_with(|| BreakdownLine {
                key,
                name: name.to_owned(),
                side: share.side(),
                value: None,
                currency: self.currency,
                price_date: None,
                value_date: None,
            });
        if let Some(value) = value {
            line.value = Some(line.value.unwrap_or_default().plus(value)?);
        }
        if self.by == Breakdown::Item {
            line.price_date = share.position.price_date;
            line.value_date = share.position.value_date;
        }
        Ok(())
    }
}

fn missing_item(share: &Share<'_>) -> Option<MissingItem> {
    Some(MissingItem {
        item: share.book.item.id.clone(),
        reason: share.position.missing?,
    })
}

fn stale_item(share: &Share<'_>) -> Option<StaleItem> {
    Some(StaleItem {
        item: share.book.item.id.clone(),
        value_date: share.position.value_date?,
        since: share.position.stale_since?,
    })
}

fn rates_used(shares: &[Share<'_>]) -> Vec<AppliedRate> {
    let mut rates: Vec<AppliedRate> = Vec::new();
    for applied in shares
        .iter()
        .filter_map(|share| share.position.rate.as_ref())
    {
        if !rates.contains(applied) {
            rates.push(applied.clone());
        }
    }
    rates
}

//! `get_net_worth`: the balance sheet of a day, of one workspace or of the caller's share in all of them.

use proofmark_ledger::decimal::Exact;
use proofmark_ledger::fx;
use proofmark_ledger::model::{Currency, Date, parse_date};
use proofmark_ledger::{NetWorth, NetWorthQuery, Refusal};
use serde_json::{Value, json};

use super::super::Worthbase;
use super::super::access::{Desk, Visitor, failed};
use super::super::arguments::{missing, text};
use super::super::faults::refused;
use super::super::history::Book;
use super::super::identifiers::figure;
use super::super::rates::Rates;
use super::super::shown;
use super::recording::set;
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;
use crate::store::Membership;

/// One workspace.
pub(in super::super) async fn get_net_worth(
    server: &Worthbase,
    desk: &Desk,
    arguments: &JsonObject,
) -> Result<Value, Fault> {
    let book = server.books.load(&desk.membership.workspace).await?;
    let rates = Rates::load(&server.bank, &book.ledger, &[]).await;
    let query = NetWorthQuery {
        date: date(arguments, desk.visitor.today())?,
        party: text(arguments, "party").map(Into::into),
        by: match arguments.get("by") {
            Some(by) => Some(serde_json::from_value(by.clone()).map_err(failed)?),
            None => None,
        },
    };
    let sheet = book
        .ledger
        .net_worth(&query, &*rates.table)
        .map_err(|refusal| rates.refused(&refusal))?;
    let mut answer = shown::net_worth(&sheet, &book);
    set(&mut answer, "workspace", json!(desk.workspace()));
    if let Some(party) = &query.party {
        set(&mut answer, "party", json!(party));
    }
    Ok(answer)
}

/// The date asked for, or `today`.
pub(super) fn date(arguments: &JsonObject, today: Date) -> Result<Date, Fault> {
    match text(arguments, "date") {
        None => Ok(today),
        Some(date) => parse_date(date)
            .ok_or_else(|| missing("date", "Write a day that exists as YYYY-MM-DD.")),
    }
}

/// The caller's own share of a workspace.
struct Share {
    membership: Membership,
    /// The figures, or why the workspace is left out.
    sheet: Result<(NetWorth, Value), &'static str>,
}

/// Every workspace of the caller: their own party's share, in total in the default workspace's currency.
pub(in super::super) async fn get_own_share(
    server: &Worthbase,
    visitor: &Visitor,
    arguments: &JsonObject,
) -> Result<Value, Fault> {
    for field in ["by", "party"] {
        if arguments.contains_key(field) {
            return Err(missing(
                field,
                "With workspace all, leave by and party out, or ask one workspace.",
            ));
        }
    }
    let day = date(arguments, visitor.today())?;
    let default = server.gate.membership(visitor, None).await?;
    let currency: Currency = default.workspace.base_currency.parse().map_err(failed)?;
    let mut shares = Vec::new();
    for membership in server
        .store
        .memberships(&visitor.person.id)
        .await
        .map_err(failed)?
    {
        shares.push(share(server, membership, day).await?);
    }
    let foreign = shares.iter().any(|share| {
        share
            .sheet
            .as_ref()
            .is_ok_and(|(sheet, _)| sheet.currency != currency)
    });
    let rates = if foreign {
        Some(Rates::fetch(&server.bank).await)
    } else {
        None
    };
    let mut total = Total::new(currency);
    let mut workspaces = Vec::new();
    for share in &shares {
        let workspace = &share.membership.workspace;
        let mut entry = json!({
            "workspace": workspace.id,
            "name": workspace.name,
            "included": share.sheet.is_ok(),
            "party": share.membership.party,
        });
        match &share.sheet {
            Ok((sheet, shown)) => {
                total
                    .add(sheet, shown, day, rates.as_ref(), &server.rules.ledger.fx)
                    .map_err(|refusal| refused(&refusal))?;
                set(&mut entry, "net_worth", shown.clone());
            }
            Err(reason) => set(&mut entry, "reason", json!(reason)),
        }
        workspaces.push(entry);
    }
    let mut answer = total.shown(day).map_err(|refusal| refused(&refusal))?;
    set(&mut answer, "workspaces", Value::Array(workspaces));
    Ok(answer)
}

async fn share(server: &Worthbase, membership: Membership, date: Date) -> Result<Share, Fault> {
    if !server.gate.is_open(&membership.workspace.id).await? {
        return Ok(Share {
            membership,
            sheet: Err("subscription_required"),
        });
    }
    let Some(party) = membership.party.clone() else {
        return Ok(Share {
            membership,
            sheet: Err("no_party"),
        });
    };
    let book = server.books.load(&membership.workspace).await?;
    let rates = Rates::load(&server.bank, &book.ledger, &[]).await;
    let query = NetWorthQuery {
        party: Some(party.into()),
        ..NetWorthQuery::on(date)
    };
    let sheet = book
        .ledger
        .net_worth(&query, &*rates.table)
        .map_err(|refusal| rates.refused(&refusal))?;
    let shown = shown::net_worth(&sheet, &book);
    Ok(Share {
        membership,
        sheet: Ok((sheet, shown)),
    })
}

/// The shares added up in one currency.
struct Total {
    currency: Currency,
    /// Assets, liabilities, investable, cash.
    figures: [Exact; 4],
    partial: bool,
    missing: Vec<Value>,
    stale: Vec<Value>,
    rates: Vec<Value>,
}

impl Total {
    fn new(currency: Currency) -> Self {
        Self {
            currency,
            figures: [Exact::ZERO; 4],
            partial: false,
            missing: vec![],
            stale: vec![],
            rates: vec![],
        }
    }

    /// Adds a share at the rate of `date`; without a rate the total is partial.
    fn add(
        &mut self,
        sheet: &NetWorth,
        shown: &Value,
        date: Date,
        rates: Option<&Rates>,
        rules: &proofmark_ledger::rules::FxRules,
    ) -> Result<(), Refusal> {
        self.partial |= sheet.partial;
        for (list, name) in [
            (&mut self.missing, "missing"),
            (&mut self.stale, "stale"),
            (&mut self.rates, "rates"),
        ] {
            list.extend(
                shown
                    .get(name)
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten()
                    .cloned(),
            );
        }
        let rate = if sheet.currency == self.currency {
            Exact::ONE
        } else {
            let source = rates.map(|rates| &*rates.table);
            let applied =
                source.map(|source| fx::rate(sheet.currency, self.currency, date, source, rules));
            let Some(Ok(applied)) = applied else {
                self.partial = true;
                return Ok(());
            };
            self.rates.push(shown::applied_rate(&applied));
            applied.rate
        };
        let parts = [
            sheet.assets,
            sheet.liabilities,
            sheet.investable,
            sheet.cash,
        ];
        for (sum, part) in self.figures.iter_mut().zip(parts) {
            *sum = sum.plus(part.times(rate)?)?;
        }
        Ok(())
    }

    fn shown(self, date: Date) -> Result<Value, Refusal> {
        let [assets, liabilities, investable, cash] = self.figures;
        Ok(json!({
            "workspace": "all",
            "date": date.to_string(),
            "currency": self.currency,
            "assets": figure(assets),
            "liabilities": figure(liabilities),
            "net_worth": figure(assets.minus(liabilities)?),
            "investable": figure(investable),
            "cash": figure(cash),
            "partial": self.partial,
            "missing": self.missing,
            "stale": self.stale,
            "rates": self.rates,
        }))
    }
}

impl Worthbase {
    /// The net worth of the day of the call.
    pub(super) async fn today_worth(&self, desk: &Desk, book: &Book) -> Result<Exact, Fault> {
        let rates = Rates::load(&self.bank, &book.ledger, &[]).await;
        let sheet = book
            .ledger
            .net_worth(&NetWorthQuery::on(desk.visitor.today()), &*rates.table)
            .map_err(|refusal| rates.refused(&refusal))?;
        Ok(sheet.net_worth)
    }
}

//! `get_overview`: what an agent looks at first.

use proofmark_ledger::NetWorthQuery;
use proofmark_ledger::model::{Item, Side};
use serde_json::{Value, json};

use super::super::Worthbase;
use super::super::access::Desk;
use super::super::rates::Rates;
use super::super::shown;
use super::batches::newest_first;
use crate::mcp::fault::Fault;

/// How many recent batches the overview shows.
const RECENT: usize = 10;

/// Everything of a workspace at a glance, as of today.
pub(in super::super) async fn get_overview(
    server: &Worthbase,
    desk: &Desk,
) -> Result<Value, Fault> {
    let workspace = &desk.membership.workspace;
    let book = server.books.load(workspace).await?;
    let ledger = &book.ledger;
    let rates = Rates::load(&server.bank, ledger, &[]).await;
    let sheet = ledger
        .net_worth(&NetWorthQuery::on(desk.visitor.today()), &*rates.table)
        .map_err(|refusal| rates.refused(&refusal))?;
    let sheet = shown::net_worth(&sheet, &book);
    let today = desk.visitor.today();
    let archived = |item: &Item| {
        ledger
            .archive_of(&item.id)
            .is_some_and(|archive| archive.on <= today)
    };
    let count = |side| {
        let present = ledger.items().filter(|item| !archived(item));
        present.filter(|item| item.kind.side() == side).count()
    };
    let put_away = ledger.items().filter(|item| archived(item)).count();
    let open: Vec<Value> = ledger
        .open_mismatches(&*rates.table)
        .into_iter()
        .filter_map(|row| {
            Some(shown::reconciliation(
                row,
                ledger.item(&row.item)?.currency,
                &book,
                Some(true),
            ))
        })
        .collect();
    let recent: Vec<Value> = newest_first(&book, server.rules.writes.batch_order)
        .into_iter()
        .take(RECENT)
        .map(shown::batch)
        .collect();
    Ok(json!({
        "workspace": workspace.id,
        "name": workspace.name,
        "base_currency": workspace.base_currency,
        "parties": ledger.parties().map(shown::party).collect::<Vec<_>>(),
        "accounts": ledger.accounts().map(shown::account).collect::<Vec<_>>(),
        "item_counts": { "assets": count(Side::Asset), "liabilities": count(Side::Liability), "archived": put_away },
        "stale_items": sheet["stale"],
        "net_worth": sheet,
        "open_mismatches": open,
        "price_run": server.prices.shown_run(workspace, desk.visitor.now).await?,
        "recent_batches": recent,
    }))
}

//! `list_batches`: what was written, by whom, from what.

use serde_json::{Value, json};

use super::super::Worthbase;
use super::super::access::Desk;
use super::super::arguments::{missing, text};
use super::super::cursor::Binding;
use super::super::history::{Book, Recorded};
use super::super::shown;
use super::recording::set;
use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;
use crate::rules::{BatchOrder, BatchPages, StatusFilter};

/// Entries on a page that names no limit.
pub(super) const PAGE: usize = 50;

/// Pages begin after a batch, not at a count, so writes in between lose and repeat nothing.
pub(in super::super) async fn list_batches(
    server: &Worthbase,
    desk: &Desk,
    arguments: &JsonObject,
) -> Result<Value, Fault> {
    let status = text(arguments, "status")
        .filter(|_| server.rules.writes.status_filter == StatusFilter::Kept);
    let binding = Binding {
        person: &desk.visitor.person.id,
        workspace: desk.workspace(),
        tool: "list_batches",
        filters: status.unwrap_or_default(),
    };
    let after = match text(arguments, "cursor") {
        None => None,
        Some(cursor) => {
            let position = server.cursors.open(binding, cursor)?;
            Some(
                position
                    .parse::<i64>()
                    .map_err(|_| missing("cursor", "This cursor is not one of this list."))?,
            )
        }
    };
    let limit = limit(arguments);
    let order = server.rules.writes.batch_order;
    let book = server.books.load(&desk.membership.workspace).await?;
    let beyond = |number: i64, after: i64| match order {
        BatchOrder::NewestFirst => number < after,
        BatchOrder::OldestFirst => number > after,
    };
    let counted = server.rules.writes.batch_pages == BatchPages::AfterTheCount;
    let mut page: Vec<&Recorded> = newest_first(&book, order)
        .into_iter()
        .filter(|recorded| match status {
            Some("committed") => recorded.undone_at.is_none(),
            Some("undone") => recorded.undone_at.is_some(),
            _ => true,
        })
        .filter(|recorded| counted || after.is_none_or(|after| beyond(recorded.number, after)))
        .skip(after.filter(|_| counted).unwrap_or_default().unsigned_abs() as usize)
        .take(limit + 1)
        .collect();
    let more = page.len() > limit;
    page.truncate(limit);
    let mut answer = json!({
        "workspace": desk.workspace(),
        "batches": page.iter().copied().map(shown::batch).collect::<Vec<_>>(),
    });
    if let (true, Some(last)) = (more, page.last()) {
        let shown = i64::try_from(page.len()).unwrap_or_default();
        let position = if counted {
            after.unwrap_or_default() + shown
        } else {
            last.number
        };
        set(
            &mut answer,
            "next_cursor",
            json!(server.cursors.seal(binding, &position.to_string())),
        );
    }
    Ok(answer)
}

/// The listed batches of `book` in `order`.
pub(super) fn newest_first(book: &Book, order: BatchOrder) -> Vec<&Recorded> {
    match order {
        BatchOrder::NewestFirst => book.listed().rev().collect(),
        BatchOrder::OldestFirst => book.listed().collect(),
    }
}

/// How many entries the caller wants on a page.
pub(super) fn limit(arguments: &JsonObject) -> usize {
    arguments
        .get("limit")
        .and_then(Value::as_u64)
        .and_then(|limit| usize::try_from(limit).ok())
        .unwrap_or(PAGE)
}

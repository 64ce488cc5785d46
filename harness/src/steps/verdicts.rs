//! Steps that judge what a preview, a commit or an undo said.

use cucumber::{gherkin::Step, then};

use super::{
    book::{Currency, before, lines, unreadable},
    people::{Who, desk, meet},
    table::{Cell, agrees, compare_table},
    writing::{Day, Written, item_named},
};
use crate::{
    suite::{Failure, Scene},
    worthbase::result::{LedgerWrite, Recorded, Removed, RowPlace, Undone, Warning},
};

/// The last answer as a preview or commit.
fn recorded(scene: &Scene) -> Result<Recorded, Failure> {
    scene.writing.answer()?.accepted()
}

/// How many of the rows handed in are new, known already, or known with other content.
#[then(expr = "the preview/commit counts {int} new, {int} duplicate and {int} conflicting row(s)")]
fn counts_rows(
    scene: &mut Scene,
    new: usize,
    duplicate: usize,
    conflict: usize,
) -> Result<(), Failure> {
    let rows = recorded(scene)?.rows;
    let of = |class: &str| rows.iter().filter(|row| row.class == class).count();
    let found = (of("new"), of("duplicate"), of("conflict"));
    if found == (new, duplicate, conflict) && rows.len() == new + duplicate + conflict {
        return Ok(());
    }
    let expected = format!("{new} new, {duplicate} duplicate, {conflict} conflict");
    Err(Failure::expected(expected).actual(format!(
        "{} new, {} duplicate, {} conflict in {rows:?}",
        found.0, found.1, found.2
    )))
}

/// Each row handed in, once: columns `list row class reference differs in`.
#[then(expr = "the preview/commit lists the rows")]
fn lists_rows(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let rows = recorded(scene)?.rows;
    let seen = rows.iter().map(|row| {
        let fields: Vec<&str> = row
            .differences
            .iter()
            .map(|difference| difference.field.as_str())
            .collect();
        vec![
            Cell::text("list", &row.list),
            Cell::text("row", row.index.to_string()),
            Cell::text("class", &row.class),
            Cell::text("reference", row.external_ref.clone().unwrap_or_default()),
            Cell::text("differs in", fields.join(", ")),
        ]
    });
    compare_table(&lines(step), &seen.collect::<Vec<_>>())
}

/// The last conflict shows what is stored and what was handed in.
#[then(expr = "the conflict shows {string} stored as {string} and offered as {string}")]
fn conflict_shows(
    scene: &mut Scene,
    field: String,
    stored: String,
    offered: String,
) -> Result<(), Failure> {
    let rows = recorded(scene)?.rows;
    let differences: Vec<_> = rows.iter().flat_map(|row| &row.differences).collect();
    let items = || scene.book.shelf.iter().flat_map(|book| &book.items);
    let is = |shown: Option<&String>, written: &str| {
        let named = items().any(|(name, id)| name == written && Some(id) == shown);
        named || shown.is_some_and(|shown| shown == written)
    };
    let found = differences.iter().any(|difference| {
        difference.field == field
            && is(difference.stored.as_ref(), &stored)
            && is(difference.offered.as_ref(), &offered)
    });
    if found {
        return Ok(());
    }
    Err(
        Failure::expected(format!("{field}: {stored} stored, {offered} offered"))
            .actual(format!("{differences:?}")),
    )
}

/// Net worth of today around a write, as its answer shows it.
#[then(
    expr = "the preview/commit/undo/void/change/archive shows net worth going from {figure} to {figure} {currency}, a change of {figure}"
)]
fn shows_net_worth(
    scene: &mut Scene,
    from: Written,
    to: Written,
    currency: Currency,
    change: Written,
) -> Result<(), Failure> {
    let answer = scene.writing.answer()?;
    let shown = answer.accepted::<LedgerWrite>()?.net_worth;
    let right = agrees(&from.0, &shown.before)?
        && agrees(&to.0, &shown.after)?
        && agrees(&change.0, &shown.change)?
        && shown.currency == currency.0;
    if right {
        return Ok(());
    }
    let expected = format!(
        "{} to {} {}, a change of {}",
        from.0, to.0, currency.0, change.0
    );
    Err(Failure::expected(expected).actual(format!(
        "{} to {} {}, {}",
        shown.before, shown.after, shown.currency, shown.change
    )))
}

/// The exchange rates used: columns `from to rate date source amount base amount`; an explicit rate has no date.
#[then(expr = "the preview/commit reports the rates")]
fn reports_rates(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let rates = recorded(scene)?.rates;
    let seen = rates.iter().map(|rate| {
        vec![
            Cell::text("from", &rate.from),
            Cell::text("to", &rate.to),
            Cell::figure("rate", Some(&rate.rate)),
            Cell::text("date", rate.rate_date.clone().unwrap_or_default()),
            Cell::text("source", &rate.source),
            Cell::figure("amount", rate.amount.as_ref()),
            Cell::figure("base amount", rate.base_amount.as_ref()),
        ]
    });
    compare_table(&lines(step), &seen.collect::<Vec<_>>())
}

/// A source of rates that is down is no rate: the rows were refused, or converted at a rate that the server held already.
#[then(expr = "they are refused with {string}, or converted at the published {string}")]
fn refused_or_held(scene: &mut Scene, code: String, published: String) -> Result<(), Failure> {
    let answer = scene.writing.answer()?;
    if answer.is_error {
        let refusal = answer.refusal()?;
        let own_code = scene.environment.target.contract.is_none();
        if own_code || refusal.code == code {
            return Ok(());
        }
        return Err(Failure::expected(format!("refused with `{code}`")).actual(refusal.code));
    }
    let rates = answer.accepted::<Recorded>()?.rates;
    for rate in &rates {
        if !agrees(&published, &rate.rate)? {
            return Err(Failure::expected(format!("the rate {published}")).actual(&rate.rate));
        }
    }
    if rates.is_empty() {
        return Err(Failure::expected(format!("the rate {published}")).actual("no rate"));
    }
    Ok(())
}

/// What the batch creates, with ids of the right kind: columns `kind name`.
#[then(expr = "the preview/commit announces")]
fn announces(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let created = recorded(scene)?.created;
    let accounts = created
        .accounts
        .iter()
        .map(|account| ("account", "acc_", account));
    let items = created.items.iter().map(|item| ("item", "itm_", item));
    let mut seen = Vec::new();
    for (kind, prefix, thing) in accounts.chain(items) {
        if !thing.id.starts_with(prefix) || thing.key.as_deref().is_none_or(str::is_empty) {
            return Err(
                Failure::expected(format!("a key and an id with prefix {prefix}"))
                    .actual(format!("{thing:?}")),
            );
        }
        seen.push(vec![
            Cell::text("kind", kind),
            Cell::text("name", &thing.name),
        ]);
    }
    compare_table(&lines(step), &seen)
}

/// The commit created what its preview announced, under the same ids, and classed every row alike.
#[then("the commit did what the preview showed")]
fn commit_as_previewed(scene: &mut Scene) -> Result<(), Failure> {
    let committed = recorded(scene)?;
    let preview = scene.writing.preview.as_ref();
    let preview = preview
        .ok_or_else(|| Failure::expected("a preview before").actual("nothing was previewed"))?;
    let alike = committed.created == preview.created
        && committed.rows == preview.rows
        && committed.net_worth == preview.net_worth
        && committed.rates.len() == preview.rates.len()
        && committed
            .rates
            .iter()
            .zip(&preview.rates)
            .all(|(one, other)| one.rate == other.rate);
    if alike {
        return Ok(());
    }
    Err(Failure::expected(format!("{preview:?}")).actual(format!("{committed:?}")))
}

/// The last preview and the one before say the same but for ids and times.
#[then("both previews say the same")]
fn previews_alike(scene: &mut Scene) -> Result<(), Failure> {
    let answers = scene.book.answers.all();
    let mut previews = answers
        .iter()
        .rev()
        .filter(|answer| answer.tool == "record");
    let (Some(later), Some(earlier)) = (previews.next(), previews.next()) else {
        return Err(Failure::expected("two previews").actual("fewer"));
    };
    let ids_differ = later.body["preview_id"] != earlier.body["preview_id"];
    let (later, earlier) = (without_ids(&later.body), without_ids(&earlier.body));
    if ids_differ && later == earlier {
        return Ok(());
    }
    Err(Failure::expected(earlier).actual(later))
}

/// The body of a preview with every id cut down to its prefix and without the time when it ends.
fn without_ids(body: &serde_json::Value) -> String {
    let mut body = body.clone();
    if let Some(fields) = body.as_object_mut() {
        fields.remove("expires_at");
    }
    let text = body.to_string();
    let parts = text.split('"').map(|part| match part.split_once('_') {
        Some((prefix, ulid)) if ulid.len() == 26 => prefix,
        _ => part,
    });
    parts.collect::<Vec<_>>().join("\"")
}

/// The last answer warns of something, by its code.
#[then(expr = "the preview/commit warns of {string}")]
fn warns_of(scene: &mut Scene, code: String) -> Result<(), Failure> {
    let warnings = recorded(scene)?.warnings;
    if warnings.iter().any(|warning| warning.code == code) {
        return Ok(());
    }
    Err(Failure::expected(format!("a warning `{code}`")).actual(format!("{warnings:?}")))
}

/// The last answer warns of something about one row, by its code, list and place.
#[then(expr = "the preview/commit warns of {string} on row {int} of the {word}")]
fn warns_of_row(
    scene: &mut Scene,
    code: String,
    index: usize,
    list: String,
) -> Result<(), Failure> {
    let warnings = recorded(scene)?.warnings;
    let place = Some(RowPlace { list, index });
    if warnings
        .iter()
        .any(|warning| warning.code == code && warning.row == place)
    {
        return Ok(());
    }
    Err(
        Failure::expected(format!("a warning `{code}` on {place:?}"))
            .actual(format!("{warnings:?}")),
    )
}

/// The last answer warns of nothing.
#[then(expr = "the preview/commit warns of nothing")]
fn warns_of_nothing(scene: &mut Scene) -> Result<(), Failure> {
    let warnings = recorded(scene)?.warnings;
    if warnings.is_empty() {
        return Ok(());
    }
    Err(Failure::expected("no warning").actual(format!("{warnings:?}")))
}

/// The last answer (a preview, commit or undo) says that a gain already realised changes.
#[then(
    expr = "{person} is warned that the gain of the sale of {day} on {string} changes from {figure} to {figure}"
)]
async fn warned_of_gain(
    scene: &mut Scene,
    who: Who,
    day: Day,
    item: String,
    from: Written,
    to: Written,
) -> Result<(), Failure> {
    #[derive(serde::Deserialize)]
    struct Warned {
        warnings: Vec<Warning>,
    }
    let name = meet(scene, &who).await?;
    let warnings = scene.writing.answer()?.accepted::<Warned>()?.warnings;
    let detail = item_named(scene, &name, &desk(scene, &name)?, &item).await?;
    let sale = detail
        .sales
        .iter()
        .find(|sale| sale.date == day.0)
        .map(|sale| sale.transaction.clone());
    for warning in warnings
        .iter()
        .filter(|warning| warning.sale.is_some() && warning.sale == sale)
    {
        if let (Some(before), Some(after)) = (&warning.before, &warning.after)
            && agrees(&from.0, before)?
            && agrees(&to.0, after)?
        {
            return Ok(());
        }
    }
    let expected = format!(
        "a warning that the gain of {sale:?} changes from {} to {}",
        from.0, to.0
    );
    Err(Failure::expected(expected).actual(format!("{warnings:?}")))
}

/// What an undo takes away, or would take away: columns `kind number`.
#[then("the undo lists what goes")]
fn undo_lists(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let removed: Vec<Removed> = scene.writing.answer()?.accepted::<Undone>()?.removed;
    for line in lines(step) {
        let kind = line.needs("kind").map_err(unreadable)?;
        let number = line.needs("number").map_err(unreadable)?;
        let found: Vec<&Removed> = removed
            .iter()
            .filter(|record| record.kind == kind)
            .collect();
        if found.len().to_string() != number {
            return Err(
                Failure::expected(format!("{number} × {kind}")).actual(format!("{removed:?}"))
            );
        }
    }
    let listed: usize = lines(step)
        .iter()
        .filter_map(|line| line.cell("number")?.parse::<usize>().ok())
        .sum();
    if listed == removed.len() {
        return Ok(());
    }
    Err(Failure::expected(format!("{listed} records and no other")).actual(format!("{removed:?}")))
}

/// Every id that the last preview announced is unknown: the same answer as for an id that was never given out.
#[then(expr = "{person} finds nothing under the announced ids")]
async fn announced_ids_unknown(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let preview = scene.writing.preview.clone();
    let items = preview
        .map(|preview| preview.created.items)
        .unwrap_or_default();
    if items.is_empty() {
        return Err(
            Failure::expected("a preview that announces an item").actual("none is announced")
        );
    }
    let desk = desk(scene, &name)?;
    for item in items {
        let answer = desk
            .send(&crate::worthbase::Call::get_item(&item.id))
            .await?;
        let never = desk
            .send(&crate::worthbase::Call::get_item(&format!(
                "itm_{}",
                ulid::Ulid::new()
            )))
            .await?;
        let (announced, never) = (answer.refusal()?, never.refusal()?);
        if announced.code != never.code {
            return Err(
                Failure::expected(format!("refused like an unknown id: {}", never.code))
                    .actual(announced.code),
            );
        }
    }
    Ok(())
}

/// The items of the last commit are found under the ids that the preview announced, with their names.
#[then(expr = "{person} finds the items under the announced ids")]
async fn announced_ids_known(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let items = scene
        .writing
        .preview
        .clone()
        .map(|preview| preview.created.items)
        .unwrap_or_default();
    before(scene, &name)?;
    for item in items {
        let detail = desk(scene, &name)?.item(&item.id).await?;
        if detail.item.name != item.name {
            return Err(
                Failure::expected(format!("{:?} under {}", item.name, item.id))
                    .actual(format!("{:?}", detail.item.name)),
            );
        }
    }
    Ok(())
}

//! Steps that link items: a loan to what secures it or to what it funded, an account to the loan it offsets.

use cucumber::{gherkin::Step, given, then, when};

use super::{
    book::{before, lines},
    items::{item_id, write},
    people::{Who, meet},
    reading::item_of,
    table::{Cell, compare_table},
    writing::attempt,
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{Call, result::Link},
};

/// The ends and the relation of a link, as its call takes them.
fn ends(
    scene: &Scene,
    name: &str,
    from: &str,
    to: &str,
    relation: &str,
) -> Result<(String, String, String), Failure> {
    Ok((
        item_id(scene, name, from)?,
        item_id(scene, name, to)?,
        relation.replace(' ', "_"),
    ))
}

/// Two items are linked: a loan to a property as `secured by`, an account to a loan as its `offset`, a loan to something
/// that it `funds`.
#[given(expr = "{person} has linked {string} to {string} as {string}")]
#[when(expr = "{person} links {string} to {string} as {string}")]
async fn links(
    scene: &mut Scene,
    who: Who,
    from: String,
    to: String,
    relation: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let (from, to, relation) = ends(scene, &name, &from, &to, &relation)?;
    let call = Call::link(&from, &to, &relation);
    write(scene, &name, &call).await.map(drop)
}

/// Two items are to be linked in a way that must do nothing: refused, or accepted as the nothing it is.
#[when(expr = "{person} tries to link {string} to {string} as {string}")]
async fn tries_to_link(
    scene: &mut Scene,
    who: Who,
    from: String,
    to: String,
    relation: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let (from, to, relation) = ends(scene, &name, &from, &to, &relation)?;
    attempt(scene, &name, &Call::link(&from, &to, &relation)).await
}

/// A link is taken away.
#[when(expr = "{person} unlinks {string} from {string} as {string}")]
async fn unlinks(
    scene: &mut Scene,
    who: Who,
    from: String,
    to: String,
    relation: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let (from, to, relation) = ends(scene, &name, &from, &to, &relation)?;
    let call = Call::unlink(&from, &to, &relation);
    write(scene, &name, &call).await.map(drop)
}

/// A link is to be taken away, which must be refused.
#[when(expr = "{person} tries to unlink {string} from {string} as {string}")]
async fn tries_to_unlink(
    scene: &mut Scene,
    who: Who,
    from: String,
    to: String,
    relation: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let (from, to, relation) = ends(scene, &name, &from, &to, &relation)?;
    attempt(scene, &name, &Call::unlink(&from, &to, &relation)).await
}

/// The links of an item, at either end: columns `from relation to`; without a table it has none.
#[then(expr = "{person}'s {string} has the links")]
#[then(expr = "{person}'s {string} has no links")]
async fn links_are(scene: &mut Scene, who: Who, item: String, step: &Step) -> Result<(), Failure> {
    let detail = item_of(scene, &who, &item).await?;
    let name = meet(scene, &who).await?;
    let items = before(scene, &name)?.items.clone();
    let called = |id: &String| {
        let known = items.iter().find(|(_, known)| *known == id);
        known.map_or(id.clone(), |(name, _)| name.clone())
    };
    let row = |link: &Link| {
        vec![
            Cell::text("from", called(&link.from)),
            Cell::text("relation", link.relation.replace('_', " ")),
            Cell::text("to", called(&link.to)),
        ]
    };
    compare_table(
        &lines(step),
        &detail.links.iter().map(row).collect::<Vec<_>>(),
    )
}

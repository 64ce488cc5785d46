//! Steps about changes beside rows: links between items, new owners, items that leave the balance sheet.

use cucumber::{gherkin::Step, given, when};

use super::{
    book::{before, lines, unreadable},
    people::{Who, desk, meet},
    writing::Day,
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{Call, journal::owners_of, result::Changed},
};

/// The id of an item, or the name itself where nobody knows it.
fn id_of(scene: &Scene, name: &str, item: &str) -> Result<String, Failure> {
    let known = before(scene, name)?.items.get(item).cloned();
    Ok(known.unwrap_or_else(|| item.to_owned()))
}

/// Items are linked: columns `from relation to`, the relation being `secured by`, `offset` or `funds`.
#[given(expr = "{person} has linked")]
#[when(expr = "{person} links")]
async fn links(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    for line in lines(step) {
        let from = id_of(scene, &name, line.needs("from").map_err(unreadable)?)?;
        let to = id_of(scene, &name, line.needs("to").map_err(unreadable)?)?;
        let relation = line
            .needs("relation")
            .map_err(unreadable)?
            .replace(' ', "_");
        let call = Call::link(&from, &to, &relation);
        let _: Changed = desk(scene, &name)?.send(&call).await?.accepted()?;
    }
    Ok(())
}

/// The owners of an item were others from a day on that has passed: `Ada 40, Trust 60`.
#[given(expr = "{person} has corrected the owners of {string} to {string} from {day}")]
#[when(expr = "{person} corrects the owners of {string} to {string} from {day}")]
async fn corrects_owners(
    scene: &mut Scene,
    who: Who,
    item: String,
    owners: String,
    from: Day,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let id = id_of(scene, &name, &item)?;
    let owners = owners_of(&owners, before(scene, &name)?).map_err(unreadable)?;
    let call = Call::set_owners(&id, &owners, Some(&from.0), true);
    let _: Changed = desk(scene, &name)?.send(&call).await?.accepted()?;
    Ok(())
}

/// An item leaves the balance sheet on a day.
#[given(expr = "{person} has archived {string} on {day}")]
#[when(expr = "{person} archives {string} on {day}")]
async fn archives(scene: &mut Scene, who: Who, item: String, on: Day) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let id = id_of(scene, &name, &item)?;
    let call = Call::archive_item(&id, Some(&on.0));
    let _: Changed = desk(scene, &name)?.send(&call).await?.accepted()?;
    Ok(())
}

//! Steps about the identity of lots: the ids a holding shows, before and after what happens to it.

use std::collections::BTreeMap;

use cucumber::{given, then};

use super::{people::Who, reading::item_of};
use crate::suite::{Failure, Scene};

/// What a scenario remembers about lots.
#[derive(Debug, Default)]
pub struct Lots {
    /// Day of acquisition and id of each lot when they were noted, by item.
    noted: BTreeMap<String, Vec<(String, String)>>,
}

async fn ids(scene: &mut Scene, who: &Who, item: &str) -> Result<Vec<(String, String)>, Failure> {
    let lots = item_of(scene, who, item).await?.lots;
    Ok(lots
        .into_iter()
        .map(|lot| (lot.acquired_on, lot.lot))
        .collect())
}

/// The ids of the open lots of an item are kept, to be compared later.
#[given(expr = "{person} has noted the lots of {string}")]
async fn notes_lots(scene: &mut Scene, who: Who, item: String) -> Result<(), Failure> {
    let noted = ids(scene, &who, &item).await?;
    scene.lots.noted.insert(item, noted);
    Ok(())
}

/// The open lots have the ids they had when they were noted, each on its day.
#[then(expr = "the open lots of {person}'s {string} have the ids noted")]
async fn same_lots(scene: &mut Scene, who: Who, item: String) -> Result<(), Failure> {
    let now = ids(scene, &who, &item).await?;
    let noted = scene.lots.noted.get(&item).cloned().unwrap_or_default();
    if !noted.is_empty() && noted == now {
        return Ok(());
    }
    Err(Failure::expected(format!("lots {noted:?}")).actual(format!("{now:?}")))
}

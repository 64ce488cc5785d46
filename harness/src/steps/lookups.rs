//! Steps about ids that lead their owner to a record, and nobody else anywhere.

use std::collections::BTreeSet;

use cucumber::{given, then};
use serde_json::{Value, json};
use ulid::Ulid;

use super::{
    people::{Who, desk, desk_without_book, meet},
    strangers::desk_in,
};
use crate::{
    suite::{Failure, Scene},
    worthbase::{Answer, Call, Desk, places::questions},
};

/// Every id in the answers of this scenario so far. Previews and lots are left out: a preview is looked up by a commit and
/// a lot only by a sale, and both have rules of their own; what a preview announces is no record yet.
fn shown(scene: &Scene) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for answer in scene.book.answers.all() {
        if !answer.is_error && answer.body.get("preview_id").is_none() {
            collect(&answer.body, &mut ids);
        }
    }
    ids.retain(|id| lookup(id).is_some());
    ids
}

/// Texts that look like ids, wherever they stand.
fn collect(value: &Value, ids: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            let number = text.split_once('_').map(|(_, number)| number);
            if number.is_some_and(|number| number.len() == 26 && Ulid::from_string(number).is_ok())
            {
                ids.insert(text.clone());
            }
        }
        Value::Object(members) => members.values().for_each(|member| collect(member, ids)),
        Value::Array(elements) => elements.iter().for_each(|element| collect(element, ids)),
        _ => {}
    }
}

/// The call that names an id of this kind and changes nothing where it must be refused.
fn lookup(id: &str) -> Option<Call> {
    Some(match id.split_once('_')?.0 {
        "itm" => Call::get_item(id),
        "txn" => Call::raw("void", json!({ "transactions": [id] })),
        "val" => Call::raw("void", json!({ "valuations": [id] })),
        "prc" => Call::raw("void", json!({ "prices": [id] })),
        "bat" => Call::preview_undo(id),
        "pty" => Call::get_net_worth(None, None, Some(id)),
        "acc" => Call::raw("list_items", json!({ "account": id })),
        "gol" => Call::raw("set_goal", json!({ "goal": id, "name": "changed" })),
        "los" => Call::raw("set_loss", json!({ "loss": id, "note": "changed" })),
        "inv" => Call::revoke_invite(id),
        "usr" => Call::set_role(id, "viewer"),
        "ws" => Call::get_overview().with("workspace", json!(id)),
        _ => return None,
    })
}

/// Everything a person can see of the book before them, item by item.
async fn everything(desk: &Desk) -> Result<BTreeSet<String>, Failure> {
    let mut found = BTreeSet::new();
    for call in questions().iter().chain(&[Call::whoami()]) {
        collect(&desk.send(call).await?.body, &mut found);
    }
    let items: Vec<String> = found
        .iter()
        .filter(|id| id.starts_with("itm_"))
        .cloned()
        .collect();
    for item in items {
        let answer = desk.send(&Call::get_item(&item)).await?;
        answer.is_accepted()?;
        collect(&answer.body, &mut found);
    }
    Ok(found)
}

/// Everything a person can see of a book, item by item; every id shown until now is noted.
#[given(expr = "{person} has read everything of {string}")]
async fn has_read_everything(scene: &mut Scene, who: Who, title: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    everything(&desk_in(scene, &name, &title)?).await?;
    scene.strangers.shown = shown(scene);
    Ok(())
}

/// Every id that was shown leads its owner to a record; somebody else is answered as if it had never been given out.
#[then(expr = "every id that {person} was shown leads her to a record, and {person} nowhere")]
async fn ids_lead_home(scene: &mut Scene, owner: Who, stranger: Who) -> Result<(), Failure> {
    let ids = scene.strangers.shown.clone();
    let owner = meet(scene, &owner).await?;
    let stranger = meet(scene, &stranger).await?;
    if ids.is_empty() {
        return Err(Failure::expected("ids to look up").actual("none"));
    }
    let found = everything(&desk(scene, &owner)?).await?;
    if let Some(lost) = ids.iter().find(|id| !found.contains(*id)) {
        return Err(Failure::expected("every id that was shown leads to a record").actual(lost));
    }
    for id in &ids {
        let theirs = refused(scene, &stranger, id).await?;
        let prefix = id.split_once('_').map_or("", |(prefix, _)| prefix);
        let never = refused(scene, &stranger, &format!("{prefix}_{}", Ulid::new())).await?;
        if theirs != never {
            return Err(Failure::expected(format!(
                "{id} is answered to a stranger like an id never given out: {never}"
            ))
            .actual(theirs));
        }
    }
    Ok(())
}

/// The code with which a stranger is refused.
async fn refused(scene: &Scene, stranger: &str, id: &str) -> Result<String, Failure> {
    let Some(call) = lookup(id) else {
        return Err(Failure::harness(format!("no call looks up {id}")));
    };
    // An id of a workspace is an argument of its own; everything else is asked for in the stranger's own book.
    let desk = if id.starts_with("ws_") {
        desk_without_book(scene, stranger)?
    } else {
        desk(scene, stranger)?
    };
    let answer: Answer = desk.send(&call).await?;
    Ok(answer.refusal()?.code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_wherever_they_stand() {
        let id = format!("itm_{}", Ulid::new());
        let mut ids = BTreeSet::new();
        collect(
            &json!({ "items": [{ "name": "itm_short", "owner": id }], "note": "a_b" }),
            &mut ids,
        );
        assert_eq!(ids.into_iter().collect::<Vec<_>>(), [id]);
    }
}

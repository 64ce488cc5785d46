//! Steps about a store that cannot be written for a while: the disk is full, as far as the server is concerned.

use cucumber::{then, when};

use super::people::{Who, desk, meet};
use crate::{
    suite::{Failure, Scene},
    worthbase::Call,
};

fn disk(scene: &mut Scene, full: bool) -> Result<(), Failure> {
    let running = scene.running.as_mut().ok_or_else(|| {
        Failure::harness("the scenario has no server process of its own whose disk could be full")
    })?;
    running.fill_disk(full).map_err(|problem| {
        Failure::harness(format!("the server's disk could not be steered: {problem}"))
    })
}

/// From now on the server cannot write a byte to any file.
#[when("the server's disk is full")]
fn is_full(scene: &mut Scene) -> Result<(), Failure> {
    disk(scene, true)
}

/// The commit is answered, but not as done: a refusal, or a failure of the server.
#[then(expr = "{person} cannot commit the preview")]
async fn cannot_commit(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let preview = scene.writing.preview.clone();
    let id = preview.and_then(|preview| preview.preview_id);
    let id = id.ok_or_else(|| Failure::harness("nothing was previewed before this sentence"))?;
    match desk(scene, &name)?.send(&Call::commit(&id)).await {
        Ok(answer) if !answer.is_error => Err(Failure::expected(
            "a commit that is not answered as done while nothing can be written",
        )
        .actual(format!("accepted: {}", answer.body))),
        // A refusal of the tool, or an error of the protocol or of HTTP.
        _ => Ok(()),
    }
}

/// The server can write again.
#[when("the server's disk has room again")]
fn has_room(scene: &mut Scene) -> Result<(), Failure> {
    disk(scene, false)
}

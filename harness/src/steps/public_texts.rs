//! Steps about texts that a server shows to everybody.

use cucumber::then;

use super::discovery::{at, get};
use crate::suite::{Failure, Scene};

/// A text that anybody can read: 200, a media type of text, and something in it.
#[then(expr = "anybody can read the text at {string}")]
async fn can_be_read(scene: &mut Scene, path: String) -> Result<(), Failure> {
    let url = at(scene, &path);
    let found = get(scene, &format!("the text at {path}"), &url).await?;
    let answer = found.heard.answer()?;
    let text = answer.status.as_u16() == 200
        && answer.media_type().starts_with("text/")
        && !answer.body.trim().is_empty();
    if text {
        Ok(())
    } else {
        Err(found.heard.failure("200 with a text"))
    }
}

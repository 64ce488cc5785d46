//! Steps about people who go on with another client.

use std::sync::Arc;

use cucumber::{given, when};

use super::people::{Who, meet, sign_in_with};
use crate::suite::{Failure, Scene};

/// From now on a person speaks through a client of this name, on a connection and with a token of its own.
#[given(expr = "{person} has gone on with a client called {string}")]
#[when(expr = "{person} goes on with a client called {string}")]
async fn goes_on_with(scene: &mut Scene, who: Who, client: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let user = scene.people.person(&name)?.user.clone();
    let (session, token) = sign_in_with(scene, &user, Some(&client)).await?;
    if let Some(person) = scene.people.persons.get_mut(&name) {
        person.session = Arc::new(session);
        person.tokens.push(token);
    }
    Ok(())
}

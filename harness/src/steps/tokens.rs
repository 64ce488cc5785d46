//! Steps about tokens: who holds which, and what happens when they are presented.

use std::collections::BTreeMap;

use cucumber::{given, then, when};
use futures::future::join_all;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use ulid::Ulid;

use super::exchange::{Asked, Heard, listed, message, send};
use crate::client::{Message, WireRequest};
use crate::mocks::token::{Alteration, catalogue};
use crate::mocks::{Mocks, Provider, TokenRecipe, User};
use crate::suite::{Failure, Scene};
use crate::target::{Authorization, TokenRole};

/// How many broken tokens the robustness scenario makes out of a good one.
const BROKEN_TOKENS: usize = 200;

/// What a scenario remembers about tokens and who may call.
#[derive(Debug, Default)]
pub struct Tokens {
    holders: BTreeMap<String, Holder>,
    /// Tokens that differ from the good one, with the words that say in what.
    others: Vec<(String, SecretString)>,
    /// How long presenting a flood of tokens took.
    pub presented_for: std::time::Duration,
}

/// Somebody with a good token.
#[derive(Debug)]
pub struct Holder {
    /// What the user directory says of them.
    pub user: User,
    /// Their good token.
    pub token: SecretString,
}

impl Tokens {
    /// Somebody a sentence before gave a good token.
    ///
    /// # Errors
    /// None did.
    pub fn holder(&self, name: &str) -> Result<&Holder, Failure> {
        self.holders
            .get(name)
            .ok_or_else(|| Failure::harness(format!("no sentence before gives {name} a token")))
    }

    /// Any good token of the scenario.
    pub fn any_good(&self) -> Option<&SecretString> {
        self.holders.values().next().map(|holder| &holder.token)
    }

    /// Adds a token that differs from the good one, with words that say in what.
    pub fn add(&mut self, case: String, token: SecretString) {
        self.others.push((case, token));
    }

    /// Gives somebody a new good token; the old one becomes one of the others.
    pub fn replace(&mut self, name: &str, new: SecretString, case: &str, old: SecretString) {
        self.renew(name, new);
        self.others.push((case.to_owned(), old));
    }

    /// Gives somebody a new good token; the old one is forgotten.
    pub fn renew(&mut self, name: &str, new: SecretString) {
        if let Some(holder) = self.holders.get_mut(name) {
            holder.token = new;
        }
    }

    /// The other tokens.
    ///
    /// # Errors
    /// There are none, so that a sentence about them would say nothing.
    pub fn others(&self) -> Result<&[(String, SecretString)], Failure> {
        if self.others.is_empty() {
            return Err(Failure::harness("no sentence before makes another token"));
        }
        Ok(&self.others)
    }
}

/// The mocks, which mint tokens and keep the user directory.
///
/// # Errors
/// The access to the target does not include them; such a scenario is not selected then.
pub fn mocks(scene: &Scene) -> Result<&Mocks, Failure> {
    let missing = || {
        Failure::harness(
            "this scenario needs a target that trusts the harness's authorization server",
        )
    };
    scene.environment.mocks.as_ref().ok_or_else(missing)
}

/// Mints a token and hides it from every record.
///
/// # Errors
/// The mint refuses the recipe.
pub async fn mint(scene: &Scene, recipe: &TokenRecipe) -> Result<SecretString, Failure> {
    let token = mocks(scene)?.mint(recipe).await?;
    let token = SecretString::from(token.expose().to_owned());
    scene.recorder.hide(&token);
    Ok(token)
}

fn recipe(scene: &Scene, subject: &str) -> TokenRecipe {
    TokenRecipe::good(subject, &scene.environment.target.resource)
}

/// What a server that asks for no token is sent in place of one; it has no reason to look at it.
const NO_TOKEN_NEEDED: &str = "proofmark-needs-no-token";

/// The token that somebody brought for a person, hidden from every record.
fn brought(scene: &Scene, name: &str) -> Result<SecretString, Failure> {
    let role = if name == "Ada" {
        TokenRole::User
    } else {
        TokenRole::Other
    };
    let environment = &scene.environment;
    if let Some(token) = environment.tokens.get(&role) {
        scene.recorder.hide(token);
        return Ok(token.clone());
    }
    if environment.facts.authorization == Some(Authorization::None) {
        return Ok(SecretString::from(NO_TOKEN_NEEDED));
    }
    Err(Failure::harness(format!(
        "nobody brought a token for {name}; --token does"
    )))
}

async fn give_token(
    scene: &mut Scene,
    name: &str,
    adjust: impl FnOnce(&mut TokenRecipe),
) -> Result<(), Failure> {
    let user = User::new(&format!("{}-{}", name.to_lowercase(), Ulid::new()), name);
    let mut recipe = recipe(scene, &user.sub);
    adjust(&mut recipe);
    let token = match &scene.environment.mocks {
        Some(mocks) => {
            mocks.set_user(&user).await?;
            mint(scene, &recipe).await?
        }
        // A brought token is as its issuer made it, so nothing about it can be asked for.
        None if recipe == self::recipe(scene, &user.sub) => brought(scene, name)?,
        None => mint(scene, &recipe).await?,
    };
    scene
        .tokens
        .holders
        .insert(name.to_owned(), Holder { user, token });
    Ok(())
}

/// A person with an entry in the user directory and a token with nothing wrong in it.
#[given(regex = r"^(Ada|Ben) holds a good token$")]
async fn holds_a_good_token(scene: &mut Scene, name: String) -> Result<(), Failure> {
    give_token(scene, &name, |_| {}).await
}

/// The same, with a shorter life.
#[given(expr = "Ada holds a good token that lasts {int} seconds")]
async fn holds_a_short_token(scene: &mut Scene, seconds: i64) -> Result<(), Failure> {
    give_token(scene, "Ada", |recipe| recipe.lifetime_seconds = seconds).await
}

/// The same, with another scope.
#[given(expr = "Ben is Ada with a token of scope {string}")]
async fn same_person_with_scope(scene: &mut Scene, scope: String) -> Result<(), Failure> {
    let user = scene.tokens.holder("Ada")?.user.clone();
    let mut narrow = recipe(scene, &user.sub);
    narrow.scope = scope;
    let token = mint(scene, &narrow).await?;
    scene
        .tokens
        .holders
        .insert("Ben".to_owned(), Holder { user, token });
    Ok(())
}

/// A token of the same person that differs from her good one in one thing, named as in `fixtures/tokens`.
#[given(regex = r"^Ada also holds a token that (.+)$")]
async fn holds_a_variation(scene: &mut Scene, variation: String) -> Result<(), Failure> {
    let subject = scene.tokens.holder("Ada")?.user.sub.clone();
    let varied = recipe(scene, &subject).with(&variation)?;
    let token = mint(scene, &varied).await?;
    scene
        .tokens
        .others
        .push((format!("a token that {variation}"), token));
    Ok(())
}

/// A token of the same person with one claim or header parameter set to a JSON text. Header changes are signed by a key
/// nobody published, so that the token is never good by accident.
#[given(regex = r#"^Ada also holds a token whose (claim|header) "([^"]+)" is (.+)$"#)]
async fn holds_an_altered_token(
    scene: &mut Scene,
    part: String,
    name: String,
    json: String,
) -> Result<(), Failure> {
    let subject = scene.tokens.holder("Ada")?.user.sub.clone();
    let case = format!("a token whose {part} {name} is {json}");
    let altered = if part == "claim" {
        recipe(scene, &subject).altered(Alteration::SetClaim { name, json })
    } else {
        let foreign = recipe(scene, &subject).with("kid-unknown");
        foreign?.altered(Alteration::SetHeader { name, json })
    };
    let token = mint(scene, &altered).await?;
    scene.tokens.others.push((case, token));
    Ok(())
}

/// Every defect of `fixtures/tokens`, one token each.
#[given("Ada also holds a token with each known defect")]
async fn holds_every_defect(scene: &mut Scene) -> Result<(), Failure> {
    let subject = scene.tokens.holder("Ada")?.user.sub.clone();
    let defects: Vec<_> = catalogue::defects()?.collect();
    for defect in defects {
        let varied = recipe(scene, &subject).with(&defect.slug)?;
        let token = mint(scene, &varied).await?;
        scene
            .tokens
            .others
            .push((format!("a token that {}", defect.sentence), token));
    }
    Ok(())
}

/// Texts made from the good token by cutting, doubling, replacing and swapping at every possible place; the same ones in
/// every run, so that a failure can be seen again.
#[given("Ada also holds 200 broken copies of it")]
fn holds_broken_copies(scene: &mut Scene) -> Result<(), Failure> {
    let good = scene.tokens.holder("Ada")?.token.expose_secret().to_owned();
    for number in 0..BROKEN_TOKENS {
        let broken = SecretString::from(broken_copy(&good, number));
        scene.recorder.hide(&broken);
        scene
            .tokens
            .others
            .push((format!("broken copy {number} of a good token"), broken));
    }
    Ok(())
}

/// A copy of `good` broken in the way and at the place that `number` chooses; never equal to `good`.
fn broken_copy(good: &str, number: usize) -> String {
    let length = good.len();
    // A stride with no common divisor with usual lengths spreads the places over the whole token.
    let place = (number * 37) % length;
    let (before, after) = good.split_at(place);
    match number % 8 {
        0 => before.to_owned() + "!",
        1 => format!("{before}.{after}"),
        2 => format!("{before}\u{7e}{after}"),
        3 => after.to_owned() + before + "~",
        4 => format!("{before}AAAA{after}"),
        5 => format!("{before}{before}{after}x"),
        6 => format!("{before}%00{after}"),
        _ => good.chars().rev().collect::<String>() + &"=".repeat(number % 5),
    }
}

/// Presents the others with the same request as the good one, which comes last.
#[when(regex = r"^(?:Ada|she) presents (?:both|each of them)$")]
async fn presents_each(scene: &mut Scene) -> Result<(), Failure> {
    present_for(scene, Asked::Tools).await
}

/// The same with another request.
#[when(expr = "Ada presents each of them for {asked}")]
async fn presents_each_for(scene: &mut Scene, asked: Asked) -> Result<(), Failure> {
    present_for(scene, asked).await
}

async fn present_for(scene: &mut Scene, asked: Asked) -> Result<(), Failure> {
    let request = message(scene, asked).await?;
    let mut others = Vec::new();
    for (case, token) in scene.tokens.others()? {
        others.push(send(scene, case, &request, |post| post.bearer(token)).await?);
    }
    settle(scene, &request, others).await
}

/// Sends the proper request after the others and keeps them all for the verdicts.
async fn settle(scene: &mut Scene, request: &Message, others: Vec<Heard>) -> Result<(), Failure> {
    let token = &scene.tokens.holder("Ada")?.token;
    let proper = send(scene, "the good token", request, |post| post.bearer(token)).await?;
    scene.protocol.exchanges.proper = Some(proper);
    scene.protocol.exchanges.others = others;
    Ok(())
}

/// One request without credentials, and the same with the good token.
#[when(expr = "{asked} is sent without a token, and with Ada's")]
async fn sent_without_a_token(scene: &mut Scene, asked: Asked) -> Result<(), Failure> {
    let request = message(scene, asked).await?;
    let bare = send(scene, "no token", &request, |post| post).await?;
    settle(scene, &request, vec![bare]).await
}

/// Calls of every tool there is, so that answers could differ by what exists.
#[when("a call of every listed tool is sent without a token")]
async fn calls_without_a_token(scene: &mut Scene) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    let mut others = Vec::new();
    for tool in listed(scene, &token, "tools/list", "tools").await? {
        let name = tool["name"].as_str().unwrap_or_default();
        let call = Message::call(scene.revision, name, json!({}));
        others.push(send(scene, name, &call, |post| post).await?);
    }
    settle(scene, &Message::list_tools(scene.revision), others).await
}

/// The good token where a URL is logged and a header is not.
#[when("the list of tools is asked for with Ada's token in the query, and in the header")]
async fn token_in_the_query(scene: &mut Scene) -> Result<(), Failure> {
    let request = message(scene, Asked::Tools).await?;
    let token = scene.tokens.holder("Ada")?.token.expose_secret().to_owned();
    let query = send(scene, "the token in the query", &request, |post| {
        post.query("access_token", &token)
    })
    .await?;
    settle(scene, &request, vec![query]).await
}

/// Two credentials at once: one person's header, another's query.
#[when("the list of tools is asked for with Ada's token in the header and Ben's in the query")]
async fn tokens_by_two_methods(scene: &mut Scene) -> Result<(), Failure> {
    let request = message(scene, Asked::Tools).await?;
    let ada = scene.tokens.holder("Ada")?.token.clone();
    let ben = scene.tokens.holder("Ben")?.token.expose_secret().to_owned();
    let both = send(scene, "two tokens by two methods", &request, |post| {
        post.query("access_token", &ben).bearer(&ada)
    })
    .await?;
    settle(scene, &request, vec![both]).await
}

/// The good token in a form body, and beside the message in a JSON body.
#[when("Ada's token is sent in a form body, in a JSON body, and in the header")]
async fn token_in_the_body(scene: &mut Scene) -> Result<(), Failure> {
    let request = message(scene, Asked::Tools).await?;
    let token = scene.tokens.holder("Ada")?.token.expose_secret().to_owned();
    let form = send(scene, "the token in a form body", &request, |post| {
        post.without_header("content-type")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .body(format!("access_token={token}"))
    })
    .await?;
    let mut body = request.body.clone();
    body["access_token"] = Value::String(token);
    let json = send(scene, "the token in a JSON body", &request, |post| {
        post.body(body.to_string())
    })
    .await?;
    settle(scene, &request, vec![form, json]).await
}

/// The same token many times at the same moment. All but one are "the others".
#[when(expr = "Ada presents her token {int} times at once")]
async fn presents_at_once(scene: &mut Scene, times: usize) -> Result<(), Failure> {
    let request = message(scene, Asked::Tools).await?;
    let token = &scene.tokens.holder("Ada")?.token;
    let sent = (1..=times).map(|number| {
        let case = format!("request {number} of {times}");
        let (scene, request) = (&*scene, &request);
        async move { send(scene, &case, request, |post| post.bearer(token)).await }
    });
    let others = join_all(sent)
        .await
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    settle(scene, &request, others).await
}

/// The good token now, and again after the steered clock has moved.
#[when(expr = "she presents it, and again after {int} seconds")]
async fn presents_after(scene: &mut Scene, seconds: u64) -> Result<(), Failure> {
    let request = message(scene, Asked::Tools).await?;
    let token = scene.tokens.holder("Ada")?.token.clone();
    let now = send(scene, "the token while it is valid", &request, |post| {
        post.bearer(&token)
    })
    .await?;
    mocks(scene)?
        .advance(std::time::Duration::from_secs(seconds))
        .await?;
    let later = send(scene, "the token after its time", &request, |post| {
        post.bearer(&token)
    })
    .await?;
    scene.protocol.exchanges.proper = Some(now);
    scene.protocol.exchanges.others = vec![later];
    Ok(())
}

/// A token for a foreign server, with request headers that pretend this is that server.
#[when(expr = "she presents both to the server under the name {string}")]
async fn presents_under_another_name(scene: &mut Scene, name: String) -> Result<(), Failure> {
    let request = message(scene, Asked::Tools).await?;
    let mut others = Vec::new();
    for (case, token) in scene.tokens.others()? {
        for header in ["Host", "X-Forwarded-Host"] {
            let adorn = |post: WireRequest| post.bearer(token).header(header, &name);
            others.push(send(scene, &format!("{case}, {header}: {name}"), &request, adorn).await?);
        }
    }
    settle(scene, &request, others).await
}

/// Each other token ten times: an answer must not depend on chance.
#[when("she presents both ten times")]
async fn presents_ten_times(scene: &mut Scene) -> Result<(), Failure> {
    let request = message(scene, Asked::Tools).await?;
    let mut others = Vec::new();
    for (case, token) in scene.tokens.others()? {
        for _ in 0..10 {
            others.push(send(scene, case, &request, |post| post.bearer(token)).await?);
        }
    }
    settle(scene, &request, others).await
}

/// All answers of the others have one status, and it is one a careful server may choose.
#[then("every other gets the same answer: served, or refused with 401")]
fn all_alike(scene: &mut Scene) -> Result<(), Failure> {
    let others = scene.protocol.exchanges.others()?;
    let first = others[0].answer()?.status;
    if first != 200 && first != 401 {
        return Err(others[0].failure("status 200 or 401"));
    }
    match others.iter().find(|heard| {
        !heard
            .answer
            .as_ref()
            .is_ok_and(|answer| answer.status == first)
    }) {
        Some(different) => Err(different.failure(format!("status {first}, as the first time"))),
        None => Ok(()),
    }
}

/// A token's own header may point anywhere; a careful server never goes there.
#[then(expr = "nobody asked for {string} at the address the token names")]
async fn nobody_followed(scene: &mut Scene, path: String) -> Result<(), Failure> {
    let asked = mocks(scene)?.requests(Provider::Stray).await?;
    match asked.iter().find(|request| request.path.ends_with(&path)) {
        None => Ok(()),
        Some(request) => Err(Failure::expected(format!(
            "no request for {path} at an address out of a token"
        ))
        .actual(format!("{} {}", request.method, request.path))
        .hint("take keys only from the configured authorization server")),
    }
}

/// The same for every path.
#[then("nobody asked for anything at the address the tokens name")]
async fn nobody_went_there(scene: &mut Scene) -> Result<(), Failure> {
    let asked = mocks(scene)?.requests(Provider::Stray).await?;
    match asked.first() {
        None => Ok(()),
        Some(request) => Err(Failure::expected("no request at an address out of a token")
            .actual(format!("{} {}", request.method, request.path))
            .hint("take keys only from the configured authorization server")),
    }
}

/// A call that answers who the caller is, for rules about identity: the one tool name the core features know.
pub fn who_am_i(scene: &Scene) -> Message {
    Message::call(scene.revision, "whoami", json!({}))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;

    /// A defect under the wrong rule would prove nothing, and a misspelt one would only be found by running.
    #[test]
    fn every_token_in_the_features_is_known_and_stands_under_a_rule_it_serves() {
        let catalogue = Catalogue::embedded().unwrap();
        let mut seen = 0;
        for scenario in &catalogue.scenarios {
            for step in &scenario.steps {
                let Some(name) = step.value.strip_prefix("Ada also holds a token that ") else {
                    continue;
                };
                let variation = catalogue::variation(name).unwrap();
                let of_tokens = ["core/tokens.feature", "core/audience.feature"];
                if of_tokens.contains(&scenario.file.as_str()) {
                    let serves = |id: &String| variation.requirements.contains(id);
                    assert!(
                        scenario.requirements.iter().any(serves),
                        "{name} in {}",
                        scenario.id
                    );
                    seen += 1;
                }
            }
        }
        assert!(seen > 150, "only {seen} tokens in the features");
    }

    #[test]
    fn no_broken_copy_is_the_token_itself_and_all_can_be_sent() {
        let good = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl";
        for number in 0..BROKEN_TOKENS {
            let broken = broken_copy(good, number);
            assert_ne!(broken, good, "copy {number}");
            assert!(
                http::HeaderValue::from_str(&broken).is_ok(),
                "copy {number}"
            );
        }
    }
}

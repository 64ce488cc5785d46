//! Steps about connections: whose identity a request has, and what bodies and framing do to those who come next.

use std::time::Instant;

use cucumber::{then, when};
use futures::future::join_all;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use super::exchange::{Heard, NO_SUCH_TOOL, send};
use super::tokens::who_am_i;
use crate::client::{Message, RawRequest, Socket};
use crate::suite::{Failure, Scene};

/// One connection: the good token, no token, the good token again.
#[when("Ada's token and then none are used on one connection, and hers again")]
async fn one_connection_two_credentials(scene: &mut Scene) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    one_connection(
        scene,
        &[("no token after a good one".to_owned(), None)],
        &token,
    )
    .await
}

/// One connection: the good token, then each of the others, the good token again.
#[when("Ada's token and then each of them are used on one connection, and hers again")]
async fn one_connection_many_tokens(scene: &mut Scene) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    let others: Vec<_> = scene
        .tokens
        .others()?
        .iter()
        .map(|(case, token)| (case.clone(), Some(token.clone())))
        .collect();
    one_connection(scene, &others, &token).await
}

async fn one_connection(
    scene: &mut Scene,
    others: &[(String, Option<SecretString>)],
    good: &SecretString,
) -> Result<(), Failure> {
    let endpoint = scene.environment.target.endpoint.clone();
    let list = Message::list_tools(scene.revision);
    let request = |token: Option<&SecretString>| {
        let plain = RawRequest::post(&endpoint, &list);
        match token {
            Some(token) => {
                plain.header("Authorization", format!("Bearer {}", token.expose_secret()))
            }
            None => plain,
        }
    };
    let mut socket = connect(scene).await?;
    let mut heard = Vec::new();
    let first = [("the good token at first".to_owned(), Some(good.clone()))];
    for (case, token) in first.iter().chain(others) {
        let started = Instant::now();
        let answer = socket.ask(&request(token.as_ref())).await;
        heard.push(Heard::new(case, json!(1), answer, started));
    }
    scene.protocol.exchanges.proper = Some(heard.remove(0));
    scene.protocol.exchanges.others = heard;
    let started = Instant::now();
    let again = socket.ask(&request(Some(good))).await;
    let again = Heard::new("the good token again", json!(1), again, started);
    if !again.answer()?.status.is_success() {
        return Err(again.failure("served on the same connection"));
    }
    Ok(())
}

/// A connection to the endpoint.
///
/// # Errors
/// The server does not accept one.
pub async fn connect(scene: &Scene) -> Result<Socket, Failure> {
    Socket::open(
        &scene.environment.target.endpoint,
        &scene.recorder,
        scene.environment.request_timeout,
    )
    .await
    .map_err(|error| Failure::expected("a connection to the endpoint").actual(error))
}

/// Who-am-I calls of two people, alternating on one connection and all at once on many.
#[when(
    expr = "Ada and Ben ask {int} times each who they are, in turn on one connection and at once on many"
)]
async fn ask_who_they_are(scene: &mut Scene, times: usize) -> Result<(), Failure> {
    let endpoint = scene.environment.target.endpoint.clone();
    let call = who_am_i(scene);
    let names = ["Ada", "Ben"];
    let mut others = Vec::new();
    let mut socket = connect(scene).await?;
    for _ in 0..times {
        for name in names {
            let token = scene.tokens.holder(name)?.token.expose_secret();
            let request = RawRequest::post(&endpoint, &call)
                .header("Authorization", format!("Bearer {token}"));
            let started = Instant::now();
            let answer = socket.ask(&request).await;
            others.push(Heard::new(name, json!(1), answer, started));
        }
    }
    let at_once = (0..times * 2).map(|number| {
        let (scene, call, name) = (&*scene, &call, names[number % 2]);
        async move {
            let token = &scene.tokens.holder(name)?.token;
            send(scene, name, call, |post| post.bearer(token)).await
        }
    });
    others.extend(
        join_all(at_once)
            .await
            .into_iter()
            .collect::<Result<Vec<_>, _>>()?,
    );
    scene.protocol.exchanges.others = others;
    Ok(())
}

/// The answer to each who-am-I call speaks of the one whose token it carried, and of nobody else.
#[then("every answer names the one who asked, and nobody else")]
fn each_is_told_their_own_name(scene: &mut Scene) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        let body = &heard.answer()?.body;
        let other = if heard.case == "Ada" { "Ben" } else { "Ada" };
        let theirs = |name: &str| -> Result<bool, Failure> {
            let user = &scene.tokens.holder(name)?.user;
            Ok(body.contains(&user.email) || body.contains(&user.sub))
        };
        if !theirs(&heard.case)? || theirs(other)? {
            return Err(heard.failure(format!("an answer about {} only", heard.case)));
        }
    }
    Ok(())
}

/// Claims about identity that come from anywhere but the token.
#[when("Ada asks who she is and claims to be Ben, in headers, in _meta and in an argument")]
async fn claims_to_be_ben(scene: &mut Scene) -> Result<(), Failure> {
    let (ada, ben) = (scene.tokens.holder("Ada")?, scene.tokens.holder("Ben")?);
    let call = who_am_i(scene);
    let with_headers = send(scene, "Ada", &call, |post| {
        let claim = &ben.user.sub;
        post.bearer(&ada.token)
            .header("X-User-Id", claim)
            .header("X-Forwarded-User", claim)
    })
    .await?;
    let in_meta = call.clone().with_meta("user", json!(ben.user.sub));
    let with_meta = send(scene, "Ada", &in_meta, |post| post.bearer(&ada.token)).await?;
    let mut argued = call.clone();
    argued.body["params"]["arguments"]["user_id"] = json!(ben.user.sub);
    let with_argument = send(scene, "Ada", &argued, |post| post.bearer(&ada.token)).await?;
    let refused = with_argument
        .answer()?
        .result()
        .is_none_or(|result| result["isError"] == json!(true));
    let mut others = vec![with_headers, with_meta];
    // An unknown argument may be refused; only an answer must be about Ada.
    if !refused {
        others.push(with_argument);
    }
    scene.protocol.exchanges.others = others;
    Ok(())
}

/// Twenty clients that stop in the middle of their request.
#[when(expr = "{int} clients stop in the middle of a request, and Ada asks for the list of tools")]
async fn half_sent(scene: &mut Scene, clients: usize) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    let endpoint = scene.environment.target.endpoint.clone();
    let list = Message::list_tools(scene.revision);
    let request = RawRequest::post(&endpoint, &list)
        .header("Authorization", format!("Bearer {}", token.expose_secret()));
    let mut stuck = Vec::new();
    for _ in 0..clients {
        let mut socket = connect(scene).await?;
        let sent = socket.send_half(&request).await;
        sent.map_err(|error| Failure::expected("half a request sent").actual(error))?;
        stuck.push(socket);
    }
    let proper = send(scene, "the list of tools meanwhile", &list, |post| {
        post.bearer(&token)
    })
    .await?;
    scene.protocol.exchanges.proper = Some(proper);
    Ok(())
}

/// A body far longer than any message, with its length declared and in chunks.
#[when(expr = "Ada sends a body of {int} megabytes, declared and in chunks, and the list of tools")]
async fn oversized_body(scene: &mut Scene, megabytes: usize) -> Result<(), Failure> {
    let token = scene.tokens.holder("Ada")?.token.clone();
    let list = Message::list_tools(scene.revision);
    let mut padded = list.body.clone();
    padded["params"]["padding"] = Value::String("a".repeat(megabytes * 1024 * 1024));
    let body = padded.to_string();
    let declared = send(scene, &format!("{megabytes} MB, declared"), &list, |post| {
        post.bearer(&token).body(body.clone())
    })
    .await?;
    let chunked = send(
        scene,
        &format!("{megabytes} MB, in chunks"),
        &list,
        |post| post.bearer(&token).chunked_body(body),
    )
    .await?;
    scene.protocol.exchanges.others = vec![declared, chunked];
    let proper = send(scene, "the list of tools afterwards", &list, |post| {
        post.bearer(&token)
    })
    .await?;
    scene.protocol.exchanges.proper = Some(proper);
    Ok(())
}

/// One body framed twice, so that two servers in a row could see two different requests.
#[when("a request is framed by a length and by chunks at once, and another by two unlike lengths")]
async fn framed_twice(scene: &mut Scene) -> Result<(), Failure> {
    let endpoint = scene.environment.target.endpoint.clone();
    let list = Message::list_tools(scene.revision);
    let body = list.body.to_string();
    let plain = RawRequest::post(&endpoint, &list);
    let mut both = plain.clone().header("Transfer-Encoding", "chunked");
    both.body = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len()).into_bytes();
    let two = plain.header("Content-Length", (body.len() - 1).to_string());
    let mut others = Vec::new();
    for (case, request) in [("a length and chunks", both), ("two unlike lengths", two)] {
        let mut socket = connect(scene).await?;
        let started = Instant::now();
        let answer = socket.ask(&request).await;
        let heard = Heard::new(case, json!(1), answer, started);
        if !socket.is_closed_by_server().await {
            return Err(heard.failure("the connection is closed after the answer"));
        }
        others.push(heard);
    }
    scene.protocol.exchanges.others = others;
    Ok(())
}

/// RFC 9112, section 6.3: chunks win over a length, two unlike lengths are an error, and neither connection goes on.
#[then(
    "the first is refused with 400 or read by its chunks, the second is refused with 400, and both connections are closed"
)]
fn framing_is_safe(scene: &mut Scene) -> Result<(), Failure> {
    let [both, two] = scene.protocol.exchanges.others()? else {
        return Err(Failure::harness("no sentence before frames two requests"));
    };
    // Read by its chunks, the request is whole and without a token: the refusal of the door.
    if !matches!(both.answer()?.status.as_u16(), 400 | 401) {
        return Err(both.failure("400, or 401 as for the whole request"));
    }
    if two.answer()?.status == 400 {
        Ok(())
    } else {
        Err(two.failure("400"))
    }
}

/// Ten megabytes may be read, a hundred may not; neither is a reason to break.
#[then(
    "every other is served or refused without a server error, and a hundred megabytes are refused"
)]
fn oversized_is_harmless(scene: &mut Scene) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        // A server may close the connection instead of reading on.
        let Ok(answer) = &heard.answer else { continue };
        let served = answer.status.is_success();
        if !(served || matches!(answer.status.as_u16(), 400 | 413))
            || (served && heard.case.contains("100 MB"))
        {
            return Err(heard.failure("refused with 400 or 413, or by closing the connection"));
        }
    }
    Ok(())
}

/// The address of this machine that others on its network use, if it has one. Nothing is sent to find it.
fn outer_address() -> Option<std::net::IpAddr> {
    let socket = std::net::UdpSocket::bind("0.0.0.0:0").ok()?;
    // Connecting a datagram socket only chooses the way out; the address is one reserved for documentation.
    socket.connect("192.0.2.1:9").ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_loopback() && !address.is_unspecified()).then_some(address)
}

/// A server meant for one machine must not be open to its network. A machine without a network has no such address.
#[then("nothing answers at the outer address of the machine")]
async fn not_reachable_from_outside(scene: &mut Scene) -> Result<(), Failure> {
    let endpoint = &scene.environment.target.endpoint;
    if !super::metadata::is_https_or_loopback(endpoint) || endpoint.scheme() != "http" {
        return Err(Failure::harness(
            "this rule is about servers on the machine itself, which are spoken to over a loopback address",
        ));
    }
    let Some(address) = outer_address() else {
        return Ok(());
    };
    let mut outer = endpoint.clone();
    let changed = outer.set_ip_host(address);
    changed.map_err(|()| Failure::harness(format!("{endpoint} has no host to replace")))?;
    match Socket::open(&outer, &scene.recorder, scene.environment.request_timeout).await {
        Err(_) => Ok(()),
        Ok(_) => Err(
            Failure::expected("a closed port at every address but loopback")
                .actual(format!("{outer} is open")),
        ),
    }
}

/// Requests of five kinds, good and bad: first each alone, then many of them at once.
#[when(expr = "Ada sends good and bad requests one after another, and then {int} at once")]
async fn mixed_load(scene: &mut Scene, count: usize) -> Result<(), Failure> {
    let good = scene.tokens.holder("Ada")?.token.clone();
    let bad = scene.tokens.others()?[0].1.clone();
    let list = Message::list_tools(scene.revision);
    let unknown = Message::request(scene.revision, json!(1), "proofmark/unknown", json!({}));
    let no_tool = Message::call(scene.revision, NO_SUCH_TOOL, json!({}));
    let kinds = [
        ("the list of tools", &list, Some(&good)),
        ("an unknown method", &unknown, Some(&good)),
        ("an unknown tool", &no_tool, Some(&good)),
        ("a bad token", &list, Some(&bad)),
        ("no token", &list, None),
    ];
    let scene_now = &*scene;
    let ask = |(case, message, token): (&'static str, &Message, Option<&SecretString>)| {
        let (message, token) = (message.clone(), token.cloned());
        async move {
            send(scene_now, case, &message, |post| match &token {
                Some(token) => post.bearer(token),
                None => post,
            })
            .await
        }
    };
    let mut alone = Vec::new();
    for kind in kinds {
        alone.push(ask(kind).await?);
    }
    let at_once = (0..count).map(|number| ask(kinds[number % kinds.len()]));
    let others = join_all(at_once)
        .await
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    let proper = ask(kinds[0]).await?;
    scene.protocol.exchanges.alone = alone;
    scene.protocol.exchanges.others = others;
    scene.protocol.exchanges.proper = Some(proper);
    Ok(())
}

/// Status and body are those of the same request alone.
#[then("every other is answered as it was alone")]
fn as_alone(scene: &mut Scene) -> Result<(), Failure> {
    let exchanges = &scene.protocol.exchanges;
    for heard in exchanges.others()? {
        let twin = exchanges
            .alone
            .iter()
            .find(|alone| alone.case == heard.case);
        let twin =
            twin.ok_or_else(|| Failure::harness("no sentence before sends each request alone"))?;
        let (answer, expected) = (heard.answer()?, twin.answer()?);
        if (answer.status, &answer.body) != (expected.status, &expected.body) {
            return Err(heard.failure(format!("as alone: {}", expected.summary())));
        }
    }
    Ok(())
}

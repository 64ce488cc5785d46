//! Steps about versions: what is agreed at the opening, and what each request says of itself.

use std::collections::BTreeMap;

use cucumber::gherkin::Step;
use cucumber::{then, when};
use serde_json::{Value, json};

use super::exchange::{Asked, message};
use super::http::rows;
use super::protocol::{as_ada, result_for_ada, settle};
use crate::client::message::META_VERSION;
use crate::client::{Message, Revision};
use crate::suite::{Failure, Scene};

/// Revisions that were published, the ones before the harness's own included.
const PUBLISHED: [&str; 5] = [
    "2024-11-05",
    "2025-03-26",
    "2025-06-18",
    "2025-11-25",
    "2026-07-28",
];

/// Opening in each version of the table, and in that of this run.
#[when("Ada opens in each of these versions, and in the one of this run")]
async fn opens_in_versions(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let mut others = Vec::new();
    for row in rows(step)? {
        others.push(as_ada(scene, &row[0], &Message::initialize_with(&row[0])).await?);
    }
    scene.protocol.exchanges.others = others;
    let proper = as_ada(
        scene,
        scene.revision.date(),
        &Message::initialize(scene.revision),
    )
    .await?;
    scene.protocol.exchanges.proper = Some(proper);
    Ok(())
}

/// The version of this run is spoken, so it is what the server agrees to.
#[then("the proper request is answered in the version of this run")]
fn opened_in_this_version(scene: &mut Scene) -> Result<(), Failure> {
    let heard = scene.protocol.exchanges.proper()?;
    let version = heard.answer()?.result().unwrap_or_default()["protocolVersion"].clone();
    if version == scene.revision.date() {
        Ok(())
    } else {
        Err(heard.failure(format!("version {}", scene.revision)))
    }
}

/// Whatever the server offers instead, it must speak: opening in that version gives it back.
#[then("every other is answered in a version that the server then speaks")]
async fn opened_in_spoken_version(scene: &mut Scene) -> Result<(), Failure> {
    let mut offered = BTreeMap::new();
    for heard in scene.protocol.exchanges.others()? {
        let version = heard.answer()?.result().unwrap_or_default()["protocolVersion"].clone();
        match version.as_str() {
            Some(version) if PUBLISHED.contains(&version) => {
                offered.insert(version.to_owned(), heard.case.clone())
            }
            _ => return Err(heard.failure("a result with a published version")),
        };
    }
    for (version, case) in offered {
        let again = as_ada(
            scene,
            &format!("{version}, offered for {case}"),
            &Message::initialize_with(&version),
        )
        .await?;
        if again.answer()?.result().unwrap_or_default()["protocolVersion"] != version {
            return Err(again.failure(format!(
                "version {version}, which the server offered itself"
            )));
        }
    }
    Ok(())
}

/// The list of tools with version headers and `_meta` that disagree: columns `header message`.
#[when(
    "Ada asks for the list of tools with these versions in header and message, and as it should be"
)]
async fn unlike_versions(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let mut others = Vec::new();
    for row in rows(step)? {
        let [header, body] = row.as_slice() else {
            return Err(Failure::harness(format!(
                "not a row of header and message: {row:?}"
            )));
        };
        let list = Message::list_tools(scene.revision)
            .with_header("MCP-Protocol-Version", header)
            .with_meta(META_VERSION, json!(body));
        others.push(as_ada(scene, &format!("header {header}, message {body}"), &list).await?);
    }
    settle(scene, others).await
}

/// The error of an unsupported version tells the client how to go on.
#[then("the error names the versions served and the one asked for")]
fn version_error_helps(scene: &mut Scene) -> Result<(), Failure> {
    for heard in scene.protocol.exchanges.others()? {
        let data = heard
            .answer()?
            .error()
            .and_then(|error| error.data)
            .unwrap_or_default();
        let supported = data["supported"].as_array();
        let names = supported
            .is_some_and(|versions| !versions.is_empty() && versions.iter().all(Value::is_string));
        let asked = data["requested"]
            .as_str()
            .is_some_and(|asked| heard.case.contains(asked));
        if !(names && asked) {
            return Err(heard.failure("data with `supported` and `requested`"));
        }
    }
    Ok(())
}

/// Every version the server names, in its discovery and in the error for an unknown one.
#[when("Ada speaks each version that the server names")]
async fn speaks_named_versions(scene: &mut Scene) -> Result<(), Failure> {
    let discovered =
        result_for_ada(scene, "the opening", &Message::opening(scene.revision)).await?;
    let unknown = Message::list_tools(scene.revision)
        .with_header("MCP-Protocol-Version", "1900-01-01")
        .with_meta(META_VERSION, json!("1900-01-01"));
    let refusal = as_ada(scene, "an unknown version", &unknown).await?;
    let in_error = refusal
        .answer()?
        .error()
        .and_then(|error| error.data)
        .unwrap_or_default();
    let lists = [&discovered["supportedVersions"], &in_error["supported"]];
    let versions: std::collections::BTreeSet<&str> = lists
        .iter()
        .flat_map(|list| list.as_array().into_iter().flatten())
        .filter_map(Value::as_str)
        .collect();
    let mut others = Vec::new();
    for version in versions {
        let request = match version.parse::<Revision>() {
            Ok(revision) => Message::list_tools(revision),
            Err(_) => Message::initialize_with(version),
        };
        let heard = as_ada(scene, version, &request).await?;
        let agreed = heard.answer()?.result().unwrap_or_default()["protocolVersion"].clone();
        if agreed.is_string() && agreed != version {
            return Err(heard.failure(format!("version {version}, which the server names")));
        }
        others.push(heard);
    }
    settle(scene, others).await
}

/// A member of `_meta` that every stateless request carries, left out: one column.
#[when("Ada leaves out each of these members of _meta, and nothing")]
async fn leaves_out_meta(scene: &mut Scene, step: &Step) -> Result<(), Failure> {
    let mut others = Vec::new();
    for row in rows(step)? {
        let list = Message::list_tools(scene.revision);
        let list = if row[0] == "all of it, a text instead" {
            let mut text = list;
            text.body["params"]["_meta"] = json!("2026-07-28");
            text
        } else {
            list.without_meta(&format!("io.modelcontextprotocol/{}", row[0]))
        };
        others.push(as_ada(scene, &format!("_meta without {}", row[0]), &list).await?);
    }
    settle(scene, others).await
}

/// Requests that name a tool, a resource and a prompt, without the header that repeats the name.
#[when("Ada leaves out Mcp-Name in a tool call, a read of a resource and a request for a prompt")]
async fn leaves_out_names(scene: &mut Scene) -> Result<(), Failure> {
    let request =
        |method: &str, params: Value| Message::request(scene.revision, json!(3), method, params);
    let requests = [
        message(scene, Asked::Call).await?,
        request("resources/read", json!({ "uri": "proofmark://no/such" })),
        request("prompts/get", json!({ "name": "proofmark_nothing" })),
    ];
    let mut others = Vec::new();
    for request in requests {
        let case = format!(
            "{} without Mcp-Name",
            request.body["method"].as_str().unwrap_or_default()
        );
        others.push(as_ada(scene, &case, &request.without_header("Mcp-Name")).await?);
    }
    settle(scene, others).await
}

/// A server that still serves 2025-03-26 may take a request without the header for one of that time.
#[then(
    "a server that speaks no version before 2025-06-18 refuses the other with 400 and error -32020"
)]
async fn headerless_is_refused(scene: &mut Scene) -> Result<(), Failure> {
    let old = as_ada(
        scene,
        "an opening in 2025-03-26",
        &Message::initialize_with("2025-03-26"),
    )
    .await?;
    let speaks_old = old.answer()?.result().unwrap_or_default()["protocolVersion"] == "2025-03-26";
    for heard in scene.protocol.exchanges.others()? {
        let answer = heard.answer()?;
        let refused =
            answer.status == 400 && answer.error().is_some_and(|error| error.code == -32020);
        if !(refused || speaks_old) {
            return Err(heard.failure("400 with error -32020, since the message names its version"));
        }
    }
    Ok(())
}

//! Tests of starting and ending targets, with shell commands and the reference server in this process.

use std::time::Duration;

use super::*;
use crate::mocks::{MockOptions, Mocks};

async fn mocks() -> Mocks {
    crate::crypto::install();
    Mocks::start(MockOptions::default()).await.unwrap()
}

fn command(line: &str) -> Launcher {
    Launcher::Command {
        line: line.to_owned(),
        name: None,
        contract: None,
    }
}

async fn error_of(line: &str, options: &LaunchOptions) -> TargetError {
    command(line)
        .start(Some(&mocks().await), options)
        .await
        .unwrap_err()
}

#[tokio::test]
async fn the_reference_server_starts_in_this_process_and_stops() {
    let mocks = mocks().await;
    let mut running = Launcher::Reference
        .start(Some(&mocks), &LaunchOptions::default())
        .await
        .unwrap();
    let target = running.target().clone();
    assert_eq!(
        (target.kind, target.access),
        (Kind::Reference, Access::Control)
    );
    assert_eq!(target.resource, target.endpoint.as_str());
    let status = reqwest::Client::new()
        .post(target.endpoint.clone())
        .send()
        .await
        .unwrap()
        .status();
    assert_eq!(status, 401, "a request without a token");
    assert!(matches!(
        running.kill().await,
        Err(TargetError::SameProcess("killed"))
    ));
    running.stop().await.unwrap();
    assert!(
        reqwest::get(target.endpoint)
            .await
            .unwrap_err()
            .is_connect()
    );
}

#[tokio::test]
async fn rules_that_do_not_exist_are_refused() {
    let options = LaunchOptions {
        rules: Some(serde_json::json!({ "no": "rule" })),
        ..LaunchOptions::default()
    };
    let error = Launcher::Reference
        .start(Some(&mocks().await), &options)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("rules"), "{error}");
}

#[tokio::test]
async fn an_address_where_nobody_listens_is_unreachable() {
    let port = process::free_port().await.unwrap();
    let endpoint = url::Url::parse(&format!("http://127.0.0.1:{port}/mcp")).unwrap();
    let launcher = Launcher::Url {
        endpoint,
        name: None,
        contract: None,
    };
    let error = launcher
        .start(None, &LaunchOptions::default())
        .await
        .unwrap_err();
    assert!(
        matches!(error, TargetError::Unreachable { .. }),
        "{error:?}"
    );
    assert!(error.to_string().contains(&port.to_string()), "{error}");
}

#[tokio::test]
async fn a_running_server_is_taken_as_it_is_and_never_ended() {
    let mocks = mocks().await;
    let running = Launcher::Reference
        .start(Some(&mocks), &LaunchOptions::default())
        .await
        .unwrap();
    let endpoint = running.target().endpoint.clone();
    let launcher = Launcher::Url {
        endpoint: endpoint.clone(),
        name: None,
        contract: None,
    };
    let options = LaunchOptions {
        access: Some(Access::Control),
        ..LaunchOptions::default()
    };
    let mut again = launcher.start(Some(&mocks), &options).await.unwrap();
    assert_eq!(
        (again.target().kind, again.target().access),
        (Kind::Url, Access::Control)
    );
    assert!(matches!(
        again.kill().await,
        Err(TargetError::NotOurs("killed"))
    ));
    again.stop().await.unwrap();
    assert_eq!(
        reqwest::Client::new()
            .post(endpoint)
            .send()
            .await
            .unwrap()
            .status(),
        401
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_command_that_dies_shows_its_last_output() {
    let line = r#"sh -c 'echo one; echo "no such database: {data}" >&2; exit 3'"#;
    let error = error_of(line, &LaunchOptions::default()).await;
    let TargetError::CommandDied { status, output, .. } = &error else {
        panic!("{error:?}")
    };
    assert!(status.contains('3'), "{status}");
    assert!(output.contains("no such database: /"), "{output}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_command_that_stays_silent_is_not_ready_and_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let options = LaunchOptions {
        data: Some(folder.path().to_owned()),
        ready_within: Duration::from_millis(400),
        ..LaunchOptions::default()
    };
    let error = error_of(
        "sh -c 'echo $$ > {data}/pid; echo waiting; sleep 600 & wait'",
        &options,
    )
    .await;
    let TargetError::NotReady { output, .. } = &error else {
        panic!("{error:?}")
    };
    assert_eq!(output, "waiting");
    let pid = std::fs::read_to_string(folder.path().join("pid")).unwrap();
    assert!(
        !group_lives(pid.trim()),
        "the shell or its child still runs"
    );
}

/// Whether any process of the group that `leader` leads is left, as the system's own tables say.
#[cfg(unix)]
fn group_lives(leader: &str) -> bool {
    let group = format!("-{leader}");
    std::process::Command::new("sh")
        .args(["-c", "kill -0 -- \"$1\" 2>/dev/null", "sh", &group])
        .status()
        .unwrap()
        .success()
}

#[tokio::test]
async fn commands_that_cannot_work_are_refused_with_the_reason() {
    let options = LaunchOptions::default();
    let missing = error_of("no-such-program-anywhere --port {port}", &options).await;
    assert!(
        matches!(missing, TargetError::CommandNotStarted { .. }),
        "{missing:?}"
    );
    let open_quotation = error_of("server 'unfinished", &options).await;
    assert!(
        matches!(open_quotation, TargetError::CommandMalformed { .. }),
        "{open_quotation:?}"
    );
    let misspelled = error_of("server --port {prot}", &options).await;
    assert!(
        matches!(misspelled, TargetError::UnknownPlaceholder { .. }),
        "{misspelled:?}"
    );
    let without_mocks = command("server").start(None, &options).await.unwrap_err();
    assert!(
        matches!(without_mocks, TargetError::MocksMissing(Kind::Command)),
        "{without_mocks:?}"
    );
}

//! The suite on servers that are wrong as a whole: it is never green, it always ends by itself, it says why.

use std::{
    net::SocketAddr,
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

use axum::{Router, body::Bytes, http::StatusCode, response::IntoResponse};
use proofmark::mocks::{MockOptions, Mocks};
use tokio::{
    io::AsyncReadExt,
    net::{TcpListener, TcpStream},
    process::Command,
};

/// No run of this file may take longer, whatever the server does.
const PATIENCE: Duration = Duration::from_secs(60);

/// How one run of the program ended.
struct Ending {
    code: i32,
    said: String,
}

/// Runs the suite against the server, with the mocks behind it, so that every scenario in reach is tried.
async fn run_against(address: SocketAddr) -> Ending {
    proofmark::crypto::install();
    let mocks = Mocks::start(MockOptions::default()).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("proofmark.toml");
    std::fs::write(
        &config,
        format!("[mocks]\nadmin = \"{}\"\n", mocks.addresses().admin),
    )
    .unwrap();
    let ending = run(address, &config).await;
    drop(mocks);
    ending
}

async fn run(address: SocketAddr, config: &Path) -> Ending {
    let started = Instant::now();
    let child = Command::new(env!("CARGO_BIN_EXE_proofmark"))
        .args(["run", "--color", "never", "--timeout", "1s"])
        .args(["--url", &format!("http://{address}/mcp")])
        .arg("--config")
        .arg(config)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let output = tokio::time::timeout(PATIENCE, child.wait_with_output())
        .await
        .unwrap_or_else(|_| panic!("the run did not end within {PATIENCE:?}"))
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(started.elapsed() < PATIENCE);
    Ending {
        code: output.status.code().unwrap_or(-1),
        said,
    }
}

async fn serve(router: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

/// Accepts connections and hands each to `treat`.
async fn accept<Treatment>(treat: fn(TcpStream) -> Treatment) -> SocketAddr
where
    Treatment: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            tokio::spawn(treat(connection));
        }
    });
    address
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_always_answers_500_violates() {
    let always_500 = Router::new().fallback(|| async { StatusCode::INTERNAL_SERVER_ERROR });
    let ending = run_against(serve(always_500).await).await;
    assert_eq!(ending.code, 1, "{}", ending.said);
    assert!(ending.said.contains("500"), "{}", ending.said);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_answers_200_to_everything_is_never_green() {
    let always_200 = Router::new().fallback(|| async {
        axum::Json(serde_json::json!({"jsonrpc": "2.0", "id": 1, "result": {}}))
    });
    let ending = run_against(serve(always_200).await).await;
    assert_eq!(ending.code, 1, "{}", ending.said);
    assert!(
        ending.said.contains("AUTH-CHALLENGE-001"),
        "{}",
        ending.said
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_mirrors_the_request_violates() {
    let mirror = Router::new().fallback(|body: Bytes| async {
        ([("content-type", "application/json")], body).into_response()
    });
    let ending = run_against(serve(mirror).await).await;
    assert_eq!(ending.code, 1, "{}", ending.said);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_hangs_is_never_green_and_the_run_ends() {
    let hangs = accept(|mut connection| async move {
        let mut read = [0; 1024];
        while connection
            .read(&mut read)
            .await
            .is_ok_and(|count| count > 0)
        {}
        std::future::pending::<()>().await;
    })
    .await;
    let ending = run_against(hangs).await;
    assert_eq!(ending.code, 3, "{}", ending.said);
    assert!(ending.said.contains("answer"), "{}", ending.said);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_says_nothing_is_never_green() {
    let silent = accept(|connection| async move { drop(connection) }).await;
    let ending = run_against(silent).await;
    assert_eq!(ending.code, 3, "{}", ending.said);
}

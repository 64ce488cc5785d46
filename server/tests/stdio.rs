//! The cash book as a client meets it: the real program on its standard streams, in both protocol eras.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;

/// 22:30 of 23 June in São Paulo.
const NIGHT: &str = "2026-06-24T01:30:00Z";
/// How long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
const STATELESS: &str = "2026-07-28";
const REVISIONS: [&str; 3] = ["2025-06-18", "2025-11-25", STATELESS];

/// The program, and the client's side of its streams.
struct Program {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Lines<BufReader<ChildStdout>>,
    /// Everything on stderr, once it has ended.
    log: JoinHandle<String>,
    revision: &'static str,
    requests: i64,
}

impl Program {
    fn start(folder: &Path, revision: &'static str) -> Self {
        let mut child = command(folder).kill_on_drop(true).spawn().unwrap();
        let mut stderr = child.stderr.take().unwrap();
        let log = tokio::spawn(async move {
            let mut text = String::new();
            stderr.read_to_string(&mut text).await.unwrap();
            text
        });
        Self {
            log,
            stdin: child.stdin.take(),
            stdout: BufReader::new(child.stdout.take().unwrap()).lines(),
            child,
            revision,
            requests: 0,
        }
    }

    /// Started, and through the handshake of its era.
    async fn ready(folder: &Path, revision: &'static str) -> Self {
        let mut program = Self::start(folder, revision);
        if revision == STATELESS {
            let found = program.request("server/discover", json!({})).await;
            let versions = found["result"]["supportedVersions"].as_array().unwrap();
            assert!(versions.contains(&json!(revision)), "{found}");
        } else {
            let client = json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
            let begun = program.request("initialize", client).await;
            assert_eq!(begun["result"]["protocolVersion"], revision, "{begun}");
            program
                .write(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
                .await;
        }
        program
    }

    async fn write(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(line.as_bytes()).await.unwrap();
        stdin.write_all(b"\n").await.unwrap();
        stdin.flush().await.unwrap();
    }

    /// The next line on stdout, which must be a message.
    async fn read(&mut self) -> Value {
        let line = tokio::time::timeout(PATIENCE, self.stdout.next_line())
            .await
            .expect("no answer in time")
            .unwrap()
            .expect("stdout ended");
        let message: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        assert!(message.get("method").is_none(), "{line}");
        message
    }

    fn message(&mut self, method: &str, mut params: Value) -> Value {
        self.requests += 1;
        if self.revision == STATELESS {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": self.revision,
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}
            });
        }
        json!({"jsonrpc": "2.0", "id": self.requests, "method": method, "params": params})
    }

    async fn request(&mut self, method: &str, params: Value) -> Value {
        let message = self.message(method, params);
        self.write(&message.to_string()).await;
        let answer = self.read().await;
        assert_eq!(answer["id"], message["id"], "{answer}");
        answer
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        let answer = self.request("tools/call", params).await;
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    /// The answer of `registrar_transacao`, whose text and structured content must agree.
    async fn register(&mut self, changes: Value) -> Value {
        let mut arguments = json!({"type": "despesa", "amount": 73.90, "category": "transporte", "description": "Uber para Maria"});
        for (name, value) in changes.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        let result = self.call("registrar_transacao", arguments).await;
        let text: Value =
            serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"]);
        text
    }

    async fn list(&mut self, filter: Value) -> Vec<Value> {
        let result = self.call("listar_transacoes", filter).await;
        let text: Value =
            serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        let structured = if self.revision == STATELESS {
            &result["structuredContent"]
        } else {
            &result["structuredContent"]["result"]
        };
        assert_eq!(&text, structured, "{result}");
        text.as_array().expect("a list").clone()
    }

    /// Closes its stdin and waits for its end: what stood on stderr, and whether it went well. Nothing more may stand on stdout.
    async fn end(mut self) -> (String, bool) {
        drop(self.stdin.take());
        let status = tokio::time::timeout(PATIENCE, self.child.wait())
            .await
            .expect("the program did not end with its stdin")
            .unwrap();
        assert_eq!(self.stdout.next_line().await.unwrap(), None);
        (self.log.await.unwrap(), status.success())
    }
}

fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_proofmark-server"));
    command
        .args(["--stdio", "--data"])
        .arg(folder)
        .env_clear()
        .env("LANG", "C")
        .env("TZ", "UTC")
        .env("PROOFMARK_NOW", NIGHT)
        .env("RUST_LOG", "trace")
        // Not the folder of the data.
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

async fn hold(folder: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(folder.join("finance.db"));
    let mut other = SqliteConnection::connect_with(&options).await.unwrap();
    sqlx::raw_sql("BEGIN EXCLUSIVE")
        .execute(&mut other)
        .await
        .unwrap();
    other
}

#[tokio::test]
async fn both_eras_have_the_two_tools_and_the_resource_of_the_page() {
    for revision in REVISIONS {
        let folder = TempDir::new().unwrap();
        let mut program = Program::ready(folder.path(), revision).await;
        let tools = program.request("tools/list", json!({})).await;
        let tools = tools["result"]["tools"].as_array().unwrap().clone();
        let names: Vec<_> = tools.iter().map(|tool| &tool["name"]).collect();
        assert_eq!(names, ["registrar_transacao", "listar_transacoes"]);
        assert_eq!(
            tools[0]["inputSchema"]["required"],
            json!(["type", "amount", "category", "description"])
        );

        let ride = program
            .register(json!({"date": "2026-06-23", "identifier": "manual-2026-06-23-uber-001"}))
            .await;
        assert_eq!(
            ride,
            json!({"sucesso": true, "id": 1, "normalizado": {"amount": 73.90, "date": "2026-06-23", "type": "despesa"}, "avisos": []})
        );
        let again = program
            .register(json!({"amount": 5, "identifier": "manual-2026-06-23-uber-001"}))
            .await;
        assert_eq!(
            again,
            json!({"sucesso": false, "code": "DUPLICATE", "id_existente": 1, "mensagem": "Transação com este identifier já existe."})
        );
        // Half past ten in the evening there, the next day in UTC.
        let today = program.register(json!({})).await;
        assert_eq!(today["normalizado"]["date"], "2026-06-23");

        let filter = json!({"period": "2026-06", "category": "transporte", "type": "despesa"});
        let rows = program.list(filter).await;
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0]["amount"], json!(-73.9));
        assert!(program.list(json!({"period": "2026-05"})).await.is_empty());

        let resources = program.request("resources/list", json!({})).await;
        assert_eq!(
            resources["result"]["resources"][0]["uri"],
            "finance://resumo_financeiro_atual"
        );
        let uri = json!({"uri": "finance://resumo_financeiro_atual"});
        let read = program.request("resources/read", uri).await;
        let text = read["result"]["contents"][0]["text"].as_str().unwrap();
        assert_eq!(
            serde_json::from_str::<Value>(text).unwrap(),
            json!({"period": "2026-06", "total_income": 0.0, "total_expense": 147.8, "balance": -147.8, "expenses_by_category": {"transporte": 147.8}})
        );

        let (log, well) = program.end().await;
        assert!(well, "{log}");
        // Whatever the log level, what people wrote is not in the log.
        assert!(!log.contains("Maria"), "{log}");
    }
}

#[tokio::test]
async fn the_servers_own_checks_answer_before_the_protocols() {
    for revision in REVISIONS {
        let folder = TempDir::new().unwrap();
        let mut program = Program::ready(folder.path(), revision).await;
        for (changes, code) in [
            (json!({"amount": null}), "INVALID_AMOUNT"),
            (json!({"amount": true}), "INVALID_AMOUNT"),
            (json!({"amount": "abc"}), "INVALID_AMOUNT"),
            (json!({"amount": -1}), "INVALID_AMOUNT"),
            (json!({"type": "Receita"}), "BAD_TYPE"),
            (json!({"date": "2026-06-24"}), "INVALID_DATE"),
            (json!({"category": null}), "MISSING_FIELD"),
        ] {
            let answer = program.register(changes.clone()).await;
            assert_eq!(answer["code"], code, "{changes}");
        }
        let nothing = program.call("registrar_transacao", json!({})).await;
        assert_eq!(nothing["isError"], true);
        assert_eq!(nothing["structuredContent"]["code"], "MISSING_FIELD");
        let period = json!({"period": "05-2026"});
        let period = program.call("listar_transacoes", period).await;
        assert_eq!(period["structuredContent"]["code"], "INVALID_PERIOD");
        // A number that is none on the wire already.
        program
            .write(r#"{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"registrar_transacao","arguments":{"amount":NaN}}}"#)
            .await;
        assert_eq!(program.read().await["error"]["code"], -32700);
        assert!(program.list(json!({})).await.is_empty());
        program.end().await;
    }
}

#[tokio::test]
async fn amounts_are_rounded_on_their_digits() {
    let folder = TempDir::new().unwrap();
    let mut program = Program::ready(folder.path(), "2025-11-25").await;
    for (given, kept) in [
        (0.125, 0.13),
        (2.675, 2.68),
        (1.005, 1.01),
        (0.135, 0.14),
        (1.115, 1.12),
    ] {
        let answer = program.register(json!({"amount": given})).await;
        assert_eq!(answer["normalizado"]["amount"], json!(kept));
    }
    let amounts: Vec<_> = program
        .list(json!({}))
        .await
        .iter()
        .map(|row| row["amount"].clone())
        .collect();
    assert_eq!(json!(amounts), json!([-0.13, -2.68, -1.01, -0.14, -1.12]));
    program.end().await;
}

#[tokio::test]
async fn no_line_ends_the_process() {
    for revision in REVISIONS {
        let folder = TempDir::new().unwrap();
        let mut program = Program::start(folder.path(), revision);
        // Before the session has begun, too; and what needs no answer gets none.
        program
            .write(
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#,
            )
            .await;
        program
            .write(r#"{"jsonrpc":"2.0","id":7,"result":{}}"#)
            .await;
        program.write("").await;
        for line in ["x", "{"] {
            program.write(line).await;
            assert_eq!(program.read().await["error"]["code"], -32700);
        }
        program.write("[]").await;
        assert_eq!(program.read().await["error"]["code"], -32600);
        let client = json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        if revision != STATELESS {
            program.request("initialize", client).await;
        }
        assert!(program.list(json!({})).await.is_empty());
        let mebibyte = "x".repeat(1024 * 1024);
        program.write(&mebibyte).await;
        assert_eq!(program.read().await["error"]["code"], -32700);
        program.write(&mebibyte.repeat(6)).await;
        assert_eq!(program.read().await["error"]["code"], -32600);
        // A long description is a message like any other.
        let long = "ç".repeat(500_000);
        assert_eq!(
            program.register(json!({"description": long})).await["sucesso"],
            true
        );
        let unknown = program.request("nonsense/method", json!({})).await;
        assert_eq!(unknown["error"]["code"], -32601);
        let unfit = program.request("tools/call", json!({"name": 7})).await;
        assert_eq!(unfit["error"]["code"], -32602);
        assert_eq!(program.list(json!({})).await.len(), 1);
        program.end().await;
    }
}

#[tokio::test]
async fn nothing_is_said_unasked_and_the_end_of_stdin_is_the_end() {
    for revision in REVISIONS {
        let folder = TempDir::new().unwrap();
        let (log, well) = Program::start(folder.path(), revision).end().await;
        assert!(well, "{log}");
        assert!(folder.path().join("finance.db").exists());
        let mut program = Program::ready(folder.path(), revision).await;
        // A request right before the end is still answered.
        let message = program.message("tools/list", json!({}));
        program.write(&message.to_string()).await;
        drop(program.stdin.take());
        assert_eq!(program.read().await["id"], message["id"]);
        assert!(program.end().await.1);
    }
}

#[tokio::test]
async fn many_requests_at_once_are_matched_by_their_ids() {
    for revision in REVISIONS {
        let folder = TempDir::new().unwrap();
        let mut program = Program::ready(folder.path(), revision).await;
        let mut ids = Vec::new();
        for number in 0..20 {
            let arguments = json!({"type": "receita", "amount": number + 1, "category": "c", "description": "d", "identifier": format!("n{number}")});
            let params = json!({"name": "registrar_transacao", "arguments": arguments});
            let message = program.message("tools/call", params);
            ids.push((message["id"].clone(), json!(f64::from(number + 1))));
            program.write(&message.to_string()).await;
        }
        for _ in 0..20 {
            let answer = program.read().await;
            let place = ids.iter().position(|(id, _)| *id == answer["id"]).unwrap();
            let (_, amount) = ids.remove(place);
            let kept = &answer["result"]["structuredContent"]["normalizado"]["amount"];
            assert_eq!(kept.as_f64(), amount.as_f64(), "{answer}");
        }
        assert_eq!(program.list(json!({})).await.len(), 20);
        program.end().await;
    }
}

#[tokio::test]
async fn a_held_database_is_db_busy_and_works_again_afterwards() {
    for revision in ["2025-11-25", STATELESS] {
        let folder = TempDir::new().unwrap();
        let mut program = Program::ready(folder.path(), revision).await;
        let mut other = hold(folder.path()).await;
        let started = Instant::now();
        assert_eq!(program.register(json!({})).await["code"], "DB_BUSY");
        let list = program.call("listar_transacoes", json!({})).await;
        assert_eq!(
            (&list["isError"], &list["structuredContent"]["code"]),
            (&json!(true), &json!("DB_BUSY"))
        );
        let uri = json!({"uri": "finance://resumo_financeiro_atual"});
        let read = program.request("resources/read", uri).await;
        assert_eq!(read["error"]["data"]["code"], "DB_BUSY");
        assert!(started.elapsed() < Duration::from_secs(15));
        sqlx::raw_sql("COMMIT").execute(&mut other).await.unwrap();
        assert!(program.list(json!({})).await.is_empty());
        assert_eq!(program.register(json!({})).await["sucesso"], true);
        program.end().await;
        // The lock went with the process.
        drop(hold(folder.path()).await);
    }
}

#[tokio::test]
async fn two_processes_on_one_file_lose_nothing_and_keep_an_identifier_once() {
    let folder = TempDir::new().unwrap();
    let writer = async |name: &'static str, revision: &'static str| {
        let mut program = Program::ready(folder.path(), revision).await;
        let (mut own, mut shared) = (0, 0);
        for number in 0..30 {
            for identifier in [format!("{name}-{number}"), format!("shared-{number}")] {
                let answer = loop {
                    let answer = program.register(json!({"identifier": identifier})).await;
                    // What the page asks of a client, without the pauses.
                    if answer["code"] != "DB_BUSY" {
                        break answer;
                    }
                };
                match (answer["sucesso"] == true, identifier.starts_with("shared")) {
                    (true, true) => shared += 1,
                    (true, false) => own += 1,
                    (false, _) => assert_eq!(answer["code"], "DUPLICATE", "{answer}"),
                }
            }
        }
        program.end().await;
        (own, shared)
    };
    let (one, other) = tokio::join!(writer("one", "2025-06-18"), writer("other", STATELESS));
    assert_eq!((one.0, other.0, one.1 + other.1), (30, 30, 30));
    let mut program = Program::ready(folder.path(), STATELESS).await;
    assert_eq!(program.list(json!({})).await.len(), 90);
    program.end().await;
}

#[tokio::test]
async fn a_defect_of_the_process_can_be_seen() {
    let folder = TempDir::new().unwrap();
    let output = command(folder.path())
        .args([
            "--rules",
            r#"{"finanpy": {"process": {"greeting": "banner", "file_mode": "world_readable"}}}"#,
        ])
        .stdin(Stdio::null())
        .output()
        .await
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "Finanpy MCP Server: pronto!\n"
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(folder.path().join("finance.db"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o644);
    }
}

#[tokio::test]
async fn a_statement_is_imported_by_the_program() {
    let folder = TempDir::new().unwrap();
    let statement = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../fixtures/statements/nubank-2026-05.csv"
    );
    let mut reports = Vec::new();
    for _ in 0..2 {
        let output = Command::new(env!("CARGO_BIN_EXE_proofmark-server"))
            .args(["import", statement, "--format", "json", "--data"])
            .arg(folder.path())
            .output()
            .await
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(
            output.stderr.is_empty(),
            "no progress line without a terminal"
        );
        reports.push(serde_json::from_slice::<Value>(&output.stdout).unwrap());
    }
    let rows = reports[0]["imported"].as_u64().unwrap();
    assert!(rows > 10, "{}", reports[0]);
    assert_eq!(reports[0]["broken"], json!([]));
    assert_eq!(
        (&reports[1]["imported"], &reports[1]["known"]),
        (&json!(0), &json!(rows))
    );
    let mut program = Program::ready(folder.path(), "2025-11-25").await;
    let listed = program.list(json!({"period": "2026-05"})).await;
    assert_eq!(listed.len() as u64, rows);
    assert!(
        listed[0]["description"]
            .as_str()
            .unwrap()
            .contains("débito")
    );
    program.end().await;

    let missing = Command::new(env!("CARGO_BIN_EXE_proofmark-server"))
        .args(["import", "/nonexistent.csv", "--data"])
        .arg(folder.path())
        .output()
        .await
        .unwrap();
    assert!(!missing.status.success());
    assert!(String::from_utf8_lossy(&missing.stderr).contains("/nonexistent.csv"));
}

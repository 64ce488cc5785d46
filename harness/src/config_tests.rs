//! Tests of reading `proofmark.toml`: what it can say, and how a broken one is told.

use super::*;

fn parsed(text: &str) -> Result<Config, String> {
    Config::parse(Path::new("proofmark.toml"), text).map_err(|error| error.to_string())
}

#[test]
fn everything_can_be_said_and_written_back() {
    let text = r#"
        [target]
        name = "mine"
        url = "https://h.example/mcp"
        contract = "worthbase/1"
        access = "mock-as"
        [mocks]
        admin = "http://127.0.0.1:4000/admin"
        [run]
        profiles = ["worthbase"]
        revisions = ["2025-11-25"]
        tags = "@TOKEN-EXP-001"
        jobs = 4
        timeout = "1500ms"
        strict = true
    "#;
    let config = parsed(text).unwrap();
    assert_eq!(config.run.timeout, Some(Span(Duration::from_millis(1500))));
    assert_eq!(config.target.access, Some(Access::MockAs));
    assert!(matches!(config.launcher(), Launcher::Url { .. }));
    assert_eq!(parsed(&toml::to_string(&config).unwrap()).unwrap(), config);
}

#[test]
fn nothing_said_means_the_reference_server() {
    assert!(matches!(
        parsed("").unwrap().launcher(),
        Launcher::Reference
    ));
}

#[test]
fn a_broken_file_is_told_with_line_column_key_and_advice() {
    for (text, expected) in [
        (
            "[target]\nname = \"x\"\nurll = \"http://h/mcp\"\n",
            &["proofmark.toml:3:1", "`target.urll`", "did you mean `url`?"][..],
        ),
        (
            "[target]\nurl = \"h.example/mcp\"\n",
            &["proofmark.toml:2:7", "`target.url`", "http://"],
        ),
        (
            "[target]\nurl = \"ftp://h/mcp\"\n",
            &["proofmark.toml:2:7", "`target.url`", "\"ftp\""],
        ),
        ("[run]\njobs = 0\n", &["proofmark.toml:2:8", "`run.jobs`"]),
        (
            "[run]\ntimeout = \"soon\"\n",
            &["proofmark.toml:2:11", "`run.timeout`", "such as 30s"],
        ),
        (
            "[run]\nrevisions = [\"2024-01-01\"]\n",
            &["proofmark.toml:2:", "`run.revisions`", "2025-06-18"],
        ),
        (
            "[target]\nname = \"x\n",
            &["proofmark.toml:2:", "`target.name`"],
        ),
        ("[tarte]\n", &["proofmark.toml:1:2", "`tarte`"]),
        (
            "[target]\nurl = \"http://h/mcp\"\ncommand = \"x\"\n",
            &[
                "proofmark.toml:3:1",
                "`target.command`",
                "not both",
                "remove one",
            ],
        ),
    ] {
        let message = parsed(text).unwrap_err();
        for part in expected {
            assert!(message.contains(part), "{part} is missing in: {message}");
        }
    }
}

#[test]
fn a_missing_file_is_told_with_its_path() {
    let message = Config::load(Path::new("no/such/proofmark.toml"))
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("no/such/proofmark.toml") && message.contains("--config"),
        "{message}"
    );
}

#[test]
fn lengths_of_time_need_a_unit() {
    assert_eq!("2m".parse(), Ok(Span(Duration::from_secs(120))));
    for wrong in [
        "",
        "30",
        "s",
        "-1s",
        "0s",
        "1.5s",
        "99999999999999999999s",
        "1h",
    ] {
        assert!(wrong.parse::<Span>().is_err(), "{wrong}");
    }
}

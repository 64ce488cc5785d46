//! Writes the two files that put a server of somebody else's under test: `proofmark.toml` and a CI workflow.

use std::{
    io::{BufRead as _, IsTerminal as _, Write as _},
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use url::Url;

use super::{Refusal, stage::web_address};
use crate::{
    config::{Config, TargetConfig},
    exit::Exit,
    target::{Authorization, TokenRole, TokenSource},
};

/// The workflow for GitHub, as it is written.
const GITHUB: &str = include_str!("../../../ci/examples/github.yml");
/// The pipeline for GitLab, as it is written.
const GITLAB: &str = include_str!("../../../ci/examples/gitlab.yml");

/// Options of the command.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  proofmark init                       (asks)\n  proofmark init --url https://money.example/mcp --authorization oauth --token env:MCP_TOKEN --ci github\n  proofmark init --command 'my-server --port {port} --issuer {issuer}' --authorization oauth --ci gitlab"
)]
pub struct Arguments {
    /// A server that runs already: the address where it speaks MCP
    #[arg(long, value_name = "URL", value_parser = web_address, conflicts_with_all = ["command", "stdio"])]
    url: Option<Url>,
    /// A command that starts the server, with placeholders such as {port} {issuer} {jwks_uri}
    #[arg(long, value_name = "COMMAND", conflicts_with = "stdio")]
    command: Option<String>,
    /// A command that starts a program which speaks over stdio
    #[arg(long, value_name = "COMMAND")]
    stdio: Option<String>,
    /// Name for reports
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// How the server knows its callers: oauth, static-key or none
    #[arg(long, value_name = "WAY", value_parser = authorization)]
    authorization: Option<Authorization>,
    /// Where the token is: env:NAME, cmd:COMMAND or file:PATH
    #[arg(long, value_name = "SOURCE")]
    token: Option<TokenSource>,
    /// A workflow to write beside it
    #[arg(long, value_enum)]
    ci: Option<Ci>,
    /// The folder to write into
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// Write over files that are there
    #[arg(long)]
    force: bool,
}

/// A CI service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Ci {
    /// .github/workflows/proofmark.yml
    Github,
    /// .gitlab/proofmark.yml
    Gitlab,
    /// None
    None,
}

fn authorization(text: &str) -> Result<Authorization, String> {
    match text {
        "oauth" => Ok(Authorization::Oauth),
        "static-key" => Ok(Authorization::StaticKey),
        "none" => Ok(Authorization::None),
        _ => Err("use oauth, static-key or none".to_owned()),
    }
}

/// Runs the command to its end.
///
/// # Errors
/// When there is nothing to write about, a file is there already, or it cannot be written (exit 2).
pub fn run(mut arguments: Arguments) -> anyhow::Result<Exit> {
    let says_nothing =
        arguments.url.is_none() && arguments.command.is_none() && arguments.stdio.is_none();
    if says_nothing {
        if !std::io::stdin().is_terminal() {
            return Err(Refusal::usage(
                "say what is to be tested: --url, --command or --stdio (or run it on a terminal, where it asks)",
            )
            .into());
        }
        ask(&mut arguments)?;
    }
    let config = config(&arguments)?;
    let text = format!(
        "# What Proofmark tests and how. `proofmark run --config proofmark.toml` runs it.\n\n{}",
        toml::to_string(&config)?
    );
    let mut files = vec![(PathBuf::from("proofmark.toml"), text)];
    match arguments.ci {
        Some(Ci::Github) => {
            files.push((".github/workflows/proofmark.yml".into(), GITHUB.to_owned()))
        }
        Some(Ci::Gitlab) => files.push((".gitlab/proofmark.yml".into(), GITLAB.to_owned())),
        Some(Ci::None) | None => {}
    }
    if !arguments.force {
        let there = files
            .iter()
            .map(|(path, _)| arguments.folder.join(path))
            .find(|path| path.exists());
        if let Some(path) = there {
            let message = format!(
                "{} is there already; --force writes over it",
                path.display()
            );
            return Err(Refusal::usage(message).into());
        }
    }
    for (path, text) in &files {
        write(&arguments.folder.join(path), text)?;
        println!("wrote {}", path.display());
    }
    println!("\nNow run it:\n  proofmark run --config proofmark.toml");
    Ok(Exit::Conforms)
}

fn write(path: &Path, text: &str) -> Result<(), Refusal> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, text))
        .map_err(|error| Refusal::usage(format!("cannot write {}: {error}", path.display())))
}

fn config(arguments: &Arguments) -> Result<Config, Refusal> {
    let mut config = Config {
        target: TargetConfig {
            name: arguments.name.clone(),
            url: arguments.url.clone(),
            command: arguments.command.clone(),
            stdio: arguments.stdio.clone(),
            authorization: arguments.authorization,
            ..TargetConfig::default()
        },
        ..Config::default()
    };
    match &arguments.token {
        Some(TokenSource::Value(_)) => {
            return Err(Refusal::usage(
                "a token does not belong into a file that is shared; write env:NAME, cmd:COMMAND or file:PATH",
            ));
        }
        Some(source) => {
            config.tokens.insert(TokenRole::User, source.clone());
        }
        None => {}
    }
    Ok(config)
}

/// Asks on the terminal for what the flags did not say. An empty answer takes the choice that stands in brackets.
fn ask(arguments: &mut Arguments) -> anyhow::Result<()> {
    let target = answer("The address of your server, or the command that starts it: ")?;
    if target.is_empty() {
        return Err(Refusal::usage("nothing to test was named, so nothing was written").into());
    }
    match web_address(&target) {
        Ok(url) => arguments.url = Some(url),
        Err(_) if answer("Does the program speak over stdio? y/[n]: ")? == "y" => {
            arguments.stdio = Some(target);
        }
        Err(_) => arguments.command = Some(target),
    }
    if arguments.authorization.is_none() && arguments.stdio.is_none() {
        let way = answer("How does it know its callers? [oauth], static-key or none: ")?;
        let way = if way.is_empty() { "oauth" } else { &way };
        arguments.authorization = Some(authorization(way).map_err(Refusal::usage)?);
    }
    let needs_token =
        arguments.url.is_some() && arguments.authorization != Some(Authorization::None);
    if arguments.token.is_none() && needs_token {
        let source =
            answer("Where is a token for it? env:NAME, file:PATH, cmd:COMMAND or [nowhere]: ")?;
        if !source.is_empty() {
            arguments.token = Some(source.parse().map_err(Refusal::usage)?);
        }
    }
    if arguments.ci.is_none() {
        let ci = answer("A workflow for github, gitlab or [none]: ")?;
        arguments.ci = match ci.as_str() {
            "" | "none" => None,
            "github" => Some(Ci::Github),
            "gitlab" => Some(Ci::Gitlab),
            other => return Err(Refusal::usage(format!("\"{other}\" is none of them")).into()),
        };
    }
    Ok(())
}

fn answer(question: &str) -> std::io::Result<String> {
    print!("{question}");
    std::io::stdout().flush()?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(folder: &Path) -> Arguments {
        Arguments {
            url: Some("https://money.example/mcp".parse().unwrap()),
            command: None,
            stdio: None,
            name: None,
            authorization: Some(Authorization::Oauth),
            token: Some("env:MCP_TOKEN".parse().unwrap()),
            ci: Some(Ci::Github),
            folder: folder.to_owned(),
            force: false,
        }
    }

    #[test]
    fn what_it_writes_can_be_read_and_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        run(arguments(folder.path())).unwrap();
        let config = Config::load(&folder.path().join("proofmark.toml")).unwrap();
        assert_eq!(config.target.authorization, Some(Authorization::Oauth));
        assert_eq!(config.tokens[&TokenRole::User].to_string(), "env:MCP_TOKEN");
        assert!(
            folder
                .path()
                .join(".github/workflows/proofmark.yml")
                .exists()
        );
        let refused = run(arguments(folder.path())).unwrap_err().to_string();
        assert!(refused.contains("--force"), "{refused}");
    }

    #[test]
    fn a_token_itself_is_never_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut arguments = arguments(folder.path());
        arguments.token = Some("canary".parse().unwrap());
        assert!(run(arguments).is_err());
        assert!(!folder.path().join("proofmark.toml").exists());
    }
}

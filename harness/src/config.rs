//! The configuration file of a target, `proofmark.toml`: what it declares about itself, and how to run against it.
//!
//! ```toml
//! [target]
//! name = "my server"
//! url = "http://127.0.0.1:8080/mcp"      # or: command = "my-server --port {port} --issuer {issuer}"
//!                                        # or: stdio = "my-program --data {data}", import = "my-import {file} {data}"
//! contract = "worthbase/1"
//! access = "control"
//! authorization = "oauth"                # or "static-key", "none"
//! without = ["prompts"]                  # optional parts of MCP that it does not have
//!
//! [tokens]
//! user = "env:MY_TOKEN"                  # or cmd:COMMAND, file:PATH
//!
//! [mocks]
//! admin = "http://127.0.0.1:4000/admin"
//!
//! [run]
//! profiles = ["worthbase"]
//! revisions = ["2026-07-28"]
//! timeout = "30s"
//! ```

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;
use url::Url;

use crate::client::Revision;
use crate::target::{Access, Authorization, Facts, Launcher, Part, TokenRole, TokenSource};

/// Everything a `proofmark.toml` can say. Each part may be left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The server under test.
    pub target: TargetConfig,
    /// Tokens for it, by the role of the person.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tokens: BTreeMap<TokenRole, TokenSource>,
    /// The mocks it trusts.
    pub mocks: MocksConfig,
    /// How the suite is run.
    pub run: RunConfig,
}

/// `[target]`: the server under test. Without `url`, `command` and `stdio` it is the built-in one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TargetConfig {
    /// Name for reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where MCP is spoken, for a server that runs already.
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "web_address"
    )]
    pub url: Option<Url>,
    /// How to start the server, with placeholders such as `{port}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// How to start a program that speaks over its standard streams, with placeholders such as `{data}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdio: Option<String>,
    /// How that program imports the statement `{file}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub import: Option<String>,
    /// The contract it claims to keep, such as `worthbase/1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract: Option<String>,
    /// How much control over it there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access: Option<Access>,
    /// How it knows its callers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authorization: Option<Authorization>,
    /// The optional parts of MCP that it does not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<Part>,
}

impl TargetConfig {
    /// What the target declares about itself.
    #[must_use]
    pub fn facts(&self) -> Facts {
        Facts {
            authorization: self.authorization,
            without: self.without.clone(),
        }
    }
}

/// `[mocks]`: mocks that another process started, such as `proofmark serve`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MocksConfig {
    /// Their admin interface.
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "web_address"
    )]
    pub admin: Option<Url>,
}

/// `[run]`: the options of `proofmark run`; the command line wins.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunConfig {
    /// Profiles to run; all the target can serve when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<String>,
    /// MCP revisions to speak; all when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub revisions: Vec<Revision>,
    /// Tag expression that chooses scenarios.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<String>,
    /// Scenarios that run at the same time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jobs: Option<NonZeroUsize>,
    /// Longest time of one request, such as `30s` or `500ms`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Span>,
    /// Whether a SHOULD that is not kept fails too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub strict: bool,
    /// File of known failures, from the folder in which `proofmark` is run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<PathBuf>,
}

/// A length of time as people write it: a whole number and `ms`, `s` or `m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span(pub Duration);

impl std::str::FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unit = text.trim_start_matches(|character: char| character.is_ascii_digit());
        let number: Option<u64> = text[..text.len() - unit.len()].parse().ok();
        let milliseconds = match unit {
            "ms" => Some(1),
            "s" => Some(1000),
            "m" => Some(60_000),
            _ => None,
        };
        match number
            .zip(milliseconds)
            .and_then(|(number, milliseconds)| number.checked_mul(milliseconds))
        {
            Some(0) => Err(format!(
                "\"{text}\" is no time at all; write a whole number above zero and ms, s or m"
            )),
            Some(milliseconds) => Ok(Self(Duration::from_millis(milliseconds))),
            None => Err(format!(
                "\"{text}\" is no length of time; write a whole number and ms, s or m, such as 30s"
            )),
        }
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}ms", self.0.as_millis()))
    }
}

/// A `proofmark.toml` that cannot be used (exit 2).
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file cannot be read at all.
    #[error("cannot read {}: {source}; check the path after --config", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// Something in it is wrong.
    #[error("{}:{line}:{column}: {}{reason}{}", path.display(), in_key(key), advice(hint))]
    Broken {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The key, such as `target.url`, where there is one.
        key: Option<String>,
        /// What is wrong.
        reason: String,
        /// What to do about it, where that can be told.
        hint: Option<String>,
    },
}

impl Config {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read or used; the message names line, column and key.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path).map_err(|source| ConfigError::Unreadable {
            path: path.to_owned(),
            source,
        })?;
        Self::parse(path, &text)
    }

    /// Reads the text of a file; `path` is for messages only.
    ///
    /// # Errors
    /// If it cannot be used; the message names line, column and key.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let config: Self = toml::from_str(text).map_err(|error| broken(path, text, &error))?;
        let target = &config.target;
        let ways = [
            ("url", target.url.is_some()),
            ("command", target.command.is_some()),
            ("stdio", target.stdio.is_some()),
        ];
        let said: Vec<&str> = ways
            .into_iter()
            .filter_map(|(key, said)| said.then_some(key))
            .collect();
        if let [first, second, ..] = said.as_slice() {
            let (line, column) = place_of(text, "target", second);
            return Err(ConfigError::Broken {
                path: path.to_owned(),
                line,
                column,
                key: Some(format!("target.{second}")),
                reason: format!("a target has either a {first} or a {second}, not both"),
                hint: Some("remove one of the two".to_owned()),
            });
        }
        Ok(config)
    }

    /// How its target is started.
    #[must_use]
    pub fn launcher(&self) -> Launcher {
        let TargetConfig {
            name,
            url,
            command,
            stdio,
            import,
            contract,
            ..
        } = self.target.clone();
        if let Some(line) = stdio {
            return Launcher::Stdio {
                line,
                import,
                name,
                contract,
            };
        }
        match (url, command) {
            (Some(endpoint), _) => Launcher::Url {
                endpoint,
                name,
                contract,
            },
            (None, Some(line)) => Launcher::Command {
                line,
                name,
                contract,
            },
            (None, None) => Launcher::Reference,
        }
    }
}

fn web_address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Url>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let url = Url::parse(&text).map_err(|error| {
        D::Error::custom(format!(
            "\"{text}\" is no address ({error}); write http://… or https://…"
        ))
    })?;
    match url.scheme() {
        "http" | "https" if url.has_host() => Ok(Some(url)),
        scheme => Err(D::Error::custom(format!(
            "\"{scheme}\" is no web address; write http://… or https://…"
        ))),
    }
}

fn broken(path: &Path, text: &str, error: &toml::de::Error) -> ConfigError {
    let at = error.span().map_or(0, |span| span.start.min(text.len()));
    let (line, column) = line_and_column(text, at);
    let reason = error.message().to_owned();
    ConfigError::Broken {
        path: path.to_owned(),
        line,
        column,
        key: key_at(text, line),
        hint: nearest(&reason).map(|known| format!("did you mean `{known}`?")),
        reason,
    }
}

fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}

/// The dotted key that stands in `line`, counted from 1.
fn key_at(text: &str, line: usize) -> Option<String> {
    let mut table = None;
    for current in text.lines().take(line) {
        let current = current.trim();
        if let Some(header) = current
            .strip_prefix('[')
            .and_then(|rest| rest.split(']').next())
        {
            table = Some(header.trim_matches(['[', ' ']).to_owned());
        }
    }
    let key = text
        .lines()
        .nth(line.checked_sub(1)?)?
        .split_once('=')
        .map(|(key, _)| key.trim().to_owned());
    match (table, key) {
        (Some(table), Some(key)) => Some(format!("{table}.{key}")),
        (table, key) => key.or(table),
    }
}

/// Line and column of a key of a table; the first line if it is written in some other way.
fn place_of(text: &str, table: &str, key: &str) -> (usize, usize) {
    let wanted = format!("{table}.{key}");
    let count = text.lines().count();
    (1..=count)
        .find(|line| key_at(text, *line).as_deref() == Some(&wanted))
        .map_or((1, 1), |line| (line, 1))
}

/// For an unknown field: the known one that is spelled most like it. The parser's message holds them all in backticks.
fn nearest(reason: &str) -> Option<String> {
    let mut names = reason
        .strip_prefix("unknown field ")?
        .split('`')
        .skip(1)
        .step_by(2);
    let unknown = names.next()?;
    names
        .map(|known| (strsim::damerau_levenshtein(unknown, known), known))
        .filter(|(distance, _)| *distance <= 2)
        .min()
        .map(|(_, known)| known.to_owned())
}

fn in_key(key: &Option<String>) -> String {
    key.as_ref()
        .map(|key| format!("`{key}`: "))
        .unwrap_or_default()
}

fn advice(hint: &Option<String>) -> String {
    hint.as_ref()
        .map(|hint| format!("; {hint}"))
        .unwrap_or_default()
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;

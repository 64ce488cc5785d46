//! Tokens that somebody brings for a target: where they come from, and whose they are.

use std::{fmt, path::PathBuf, process::Stdio, str::FromStr, time::Duration};

use secrecy::SecretString;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use tokio::process::Command;

/// How long a command that prints a token may take; it may ask a vault.
const PATIENCE: Duration = Duration::from_secs(30);
/// The longest token that is taken, in bytes; more is not a token.
const LONGEST: usize = 64 * 1024;

/// Who a token is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TokenRole {
    /// The person most scenarios are about.
    User,
    /// Another person, who has nothing to do with the first.
    Other,
}

/// Where a token is to be found.
#[derive(Clone, PartialEq, Eq)]
pub enum TokenSource {
    /// `env:NAME`
    Environment(String),
    /// `cmd:COMMAND`: what it prints.
    Command(String),
    /// `file:PATH`
    File(PathBuf),
    /// The token itself.
    Value(String),
}

/// A token for a role, as the command line gives it: `user=env:MY_TOKEN`. Without a role it is the user's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenArgument {
    /// Whose it is.
    pub role: TokenRole,
    /// Where it is.
    pub source: TokenSource,
}

/// A token that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The variable is not set.
    #[error("the variable {0} is not set, so there is no token in it")]
    Unset(String),
    /// The file cannot be read.
    #[error("cannot read the token in {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The command gave none. What it printed is not repeated: it may be a part of the token.
    #[error("the command for the token {0}")]
    Command(String),
    /// What was found is no token.
    #[error(
        "what was found at {0} is no token: it is empty, too long, or has signs that no header can carry"
    )]
    NoToken(TokenSource),
}

/// Never the token itself.
impl fmt::Display for TokenSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Environment(name) => write!(formatter, "env:{name}"),
            Self::Command(line) => write!(formatter, "cmd:{line}"),
            Self::File(path) => write!(formatter, "file:{}", path.display()),
            Self::Value(_) => formatter.write_str("[token]"),
        }
    }
}

impl fmt::Debug for TokenSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl FromStr for TokenSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let source = match text.split_once(':') {
            Some(("env", name)) => Self::Environment(name.to_owned()),
            Some(("cmd", line)) => Self::Command(line.to_owned()),
            Some(("file", path)) => Self::File(path.into()),
            _ => Self::Value(text.to_owned()),
        };
        let empty = match &source {
            Self::Environment(text) | Self::Command(text) | Self::Value(text) => text.is_empty(),
            Self::File(path) => path.as_os_str().is_empty(),
        };
        if empty {
            return Err(
                "a token is env:NAME, cmd:COMMAND, file:PATH or the token itself".to_owned(),
            );
        }
        Ok(source)
    }
}

impl FromStr for TokenArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (role, rest) = match text.split_once('=') {
            Some(("user", rest)) => (TokenRole::User, rest),
            Some(("other", rest)) => (TokenRole::Other, rest),
            // Tokens themselves may end in equals signs.
            _ => (TokenRole::User, text),
        };
        Ok(Self {
            role,
            source: rest.parse()?,
        })
    }
}

impl<'de> Deserialize<'de> for TokenSource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let source: Self = String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)?;
        match source {
            Self::Value(_) => Err(D::Error::custom(
                "a token does not belong into a file that is shared; write env:NAME, cmd:COMMAND or file:PATH",
            )),
            source => Ok(source),
        }
    }
}

impl Serialize for TokenSource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl TokenSource {
    /// Fetches the token.
    ///
    /// # Errors
    /// If it is not there, or what is there is no token. No message repeats what was found.
    pub async fn fetch(&self) -> Result<SecretString, TokenError> {
        let text = match self {
            Self::Environment(name) => {
                std::env::var(name).map_err(|_| TokenError::Unset(name.clone()))?
            }
            Self::File(path) => {
                std::fs::read_to_string(path).map_err(|source| TokenError::File {
                    path: path.clone(),
                    source,
                })?
            }
            Self::Command(line) => printed(line).await?,
            Self::Value(value) => value.clone(),
        };
        let token = text.trim();
        let fits = !token.is_empty()
            && token.len() <= LONGEST
            && token.bytes().all(|byte| byte.is_ascii_graphic());
        if !fits {
            return Err(TokenError::NoToken(self.clone()));
        }
        Ok(SecretString::from(token.to_owned()))
    }
}

/// What a command prints. It is run as its words say, without a shell.
async fn printed(line: &str) -> Result<String, TokenError> {
    let failed = |reason: String| TokenError::Command(reason);
    let words =
        shell_words::split(line).map_err(|error| failed(format!("is malformed: {error}")))?;
    let (program, arguments) = words
        .split_first()
        .ok_or_else(|| failed("is empty".to_owned()))?;
    let run = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(PATIENCE, run)
        .await
        .map_err(|_| failed(format!("did not end within {} s", PATIENCE.as_secs())))?
        .map_err(|error| failed(format!("cannot be run: {program}: {error}")))?;
    if !output.status.success() {
        return Err(failed(format!(
            "failed: {program} ended with {}",
            output.status
        )));
    }
    String::from_utf8(output.stdout).map_err(|_| failed("printed no text".to_owned()))
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret as _;

    use super::*;

    #[tokio::test]
    async fn a_token_comes_from_where_its_source_says() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        std::fs::write(&file, "abc.def\n").unwrap();
        for text in [
            format!("file:{}", file.display()),
            format!("other=file:{}", file.display()),
            "cmd:echo abc.def".to_owned(),
            "user=abc.def".to_owned(),
            "abc.def".to_owned(),
        ] {
            let argument: TokenArgument = text.parse().unwrap();
            let token = argument.source.fetch().await.unwrap();
            assert_eq!(token.expose_secret(), "abc.def", "{text}");
            let role = if text.starts_with("other") {
                TokenRole::Other
            } else {
                TokenRole::User
            };
            assert_eq!(argument.role, role);
        }
        let padded: TokenArgument = "YWJjZA==".parse().unwrap();
        assert_eq!(padded.source, TokenSource::Value("YWJjZA==".to_owned()));
    }

    #[tokio::test]
    async fn what_is_no_token_is_refused_and_never_repeated() {
        for text in [
            "env:PROOFMARK_NOBODY_SETS_THIS",
            "cmd:false",
            "cmd:echo two words",
            "file:/no/such",
        ] {
            let source: TokenSource = text.parse().unwrap();
            let message = source.fetch().await.unwrap_err().to_string();
            assert!(!message.contains("[token]"), "{message}");
        }
        let secret: TokenSource = "canary".parse().unwrap();
        assert_eq!(format!("{secret:?} {secret}"), "[token] [token]");
        assert!("env:".parse::<TokenSource>().is_err());
    }
}

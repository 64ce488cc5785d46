//! What a command may name in braces, and finds in its environment under `PROOFMARK_…`.

use std::path::Path;
use std::time::Duration;

use url::Url;

use super::TargetError;
use crate::mocks::Addresses;

/// The values a started server needs, by placeholder name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placeholders(Vec<(&'static str, String)>);

impl Placeholders {
    /// The values for a server on `port` that keeps what must survive in `data`. Addresses are written without a slash at
    /// their end, so that `{directory}/users` is what it looks like.
    #[must_use]
    pub fn new(port: u16, addresses: &Addresses, data: &Path, upstream_timeout: Duration) -> Self {
        let plain = |url: &Url| url.as_str().trim_end_matches('/').to_owned();
        Self(vec![
            ("port", port.to_string()),
            ("issuer", plain(&addresses.issuer)),
            ("jwks_uri", plain(&addresses.jwks_uri)),
            ("resource", resource(port)),
            ("directory", plain(&addresses.directory)),
            ("subscriptions", plain(&addresses.subscriptions)),
            ("yahoo", plain(&addresses.yahoo)),
            ("coingecko", plain(&addresses.coingecko)),
            ("ecb", plain(&addresses.ecb)),
            ("bank", plain(&addresses.bank)),
            ("control", plain(&addresses.control)),
            ("data", data.display().to_string()),
            (
                "upstream_timeout",
                format!("{}ms", upstream_timeout.as_millis()),
            ),
        ])
    }

    /// The same values for a server that is spoken to at another address than the one it listens on.
    #[must_use]
    pub fn with_resource(mut self, resource: &Url) -> Self {
        for (name, value) in &mut self.0 {
            if *name == "resource" {
                *value = resource.to_string();
            }
        }
        self
    }

    /// The values for a program that speaks over its standard streams: it has no port, and its time either comes from
    /// `control` or stands still at `now`.
    #[must_use]
    pub fn local(control: &Url, data: &Path) -> Self {
        Self(vec![
            ("data", data.display().to_string()),
            ("control", control.as_str().trim_end_matches('/').to_owned()),
        ])
    }

    /// The same values and one more.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.0.push((name, value.to_owned()));
        self
    }

    /// `argument` with its placeholders filled in. A word in braces that could be one and is none is refused, because a
    /// misspelled placeholder would otherwise reach the server as text; other braces stay.
    ///
    /// # Errors
    /// [`TargetError::UnknownPlaceholder`].
    pub fn fill(&self, argument: &str) -> Result<String, TargetError> {
        let mut filled = String::with_capacity(argument.len());
        let mut rest = argument;
        while let Some(start) = rest.find('{') {
            filled.push_str(&rest[..start]);
            let inside = &rest[start + 1..];
            let name = inside
                .find('}')
                .map(|end| &inside[..end])
                .filter(|name| is_name(name));
            let Some(name) = name else {
                filled.push('{');
                rest = inside;
                continue;
            };
            let value = self
                .0
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| value);
            filled.push_str(value.ok_or_else(|| self.unknown(name))?);
            rest = &inside[name.len() + 1..];
        }
        filled.push_str(rest);
        Ok(filled)
    }

    /// The same values as environment variables.
    pub fn environment(&self) -> impl Iterator<Item = (String, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (format!("PROOFMARK_{}", name.to_uppercase()), value.as_str()))
    }

    fn unknown(&self, name: &str) -> TargetError {
        let known: Vec<String> = self
            .0
            .iter()
            .map(|(known, _)| format!("{{{known}}}"))
            .collect();
        TargetError::UnknownPlaceholder {
            name: name.to_owned(),
            known: known.join(" "),
        }
    }
}

/// Canonical address of the MCP endpoint of a server that was told to listen on `port`.
#[must_use]
pub fn resource(port: u16) -> String {
    format!("http://127.0.0.1:{port}/mcp")
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|character| character.is_ascii_lowercase() || character == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placeholders() -> Placeholders {
        let url = |port: u16| Url::parse(&format!("http://127.0.0.1:{port}")).unwrap();
        let addresses = Addresses {
            issuer: url(1),
            jwks_uri: url(1).join("/jwks").unwrap(),
            directory: url(2),
            subscriptions: url(3),
            yahoo: url(4),
            coingecko: url(5),
            ecb: url(6),
            bank: url(6),
            control: url(7),
            admin: url(7).join("/admin").unwrap(),
        };
        Placeholders::new(
            4000,
            &addresses,
            Path::new("/tmp/my data"),
            Duration::from_millis(300),
        )
    }

    #[test]
    fn fills_names_and_leaves_other_braces() {
        let filled = |text| placeholders().fill(text).unwrap();
        assert_eq!(filled("--port={port}"), "--port=4000");
        assert_eq!(filled("{directory}/users"), "http://127.0.0.1:2/users");
        assert_eq!(filled("{data}/book.db"), "/tmp/my data/book.db");
        assert_eq!(filled(r#"{"port": {port}}"#), r#"{"port": 4000}"#);
        assert_eq!(filled("${HOME} {"), "${HOME} {");
    }

    #[test]
    fn a_misspelled_placeholder_is_named_with_those_there_are() {
        let message = placeholders().fill("{prot}").unwrap_err().to_string();
        assert!(
            message.contains("{prot}") && message.contains("{port}"),
            "{message}"
        );
    }

    #[test]
    fn the_environment_has_the_same_values() {
        let all: Vec<(String, String)> = placeholders()
            .environment()
            .map(|(name, value)| (name, value.to_owned()))
            .collect();
        assert!(all.contains(&(
            "PROOFMARK_RESOURCE".to_owned(),
            "http://127.0.0.1:4000/mcp".to_owned()
        )));
        assert!(all.contains(&("PROOFMARK_UPSTREAM_TIMEOUT".to_owned(), "300ms".to_owned())));
    }
}

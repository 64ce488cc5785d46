//! What `serve` tells the person who started it. Tokens are printed here on purpose: they are what the sandbox is for.

use std::fmt;
use std::io::Write as _;
use std::path::PathBuf;

use jiff::Timestamp;
use url::Url;

use super::seed::Person;
use crate::mocks::{Addresses, Token};

/// Everything a developer needs to connect.
pub struct Announcement {
    /// Where MCP is spoken.
    pub endpoint: Url,
    /// Where the mocks listen.
    pub addresses: Addresses,
    /// The time by the steered clock.
    pub now: Timestamp,
    /// The file that lets `proofmark run` drive the mocks.
    pub config: PathBuf,
    /// Who can sign in, each with a token that lasts.
    pub people: Vec<(Person, Token)>,
}

impl fmt::Display for Announcement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "MCP server     {}", self.endpoint)?;
        writeln!(formatter, "issuer         {}", self.addresses.issuer_text())?;
        writeln!(formatter, "admin of mocks {}", self.addresses.admin)?;
        writeln!(
            formatter,
            "time           {} (stands still until it is moved)",
            self.now
        )?;
        for (person, token) in &self.people {
            writeln!(
                formatter,
                "\n{}, {} of \"{}\":\n  {}",
                person.name,
                person.role,
                super::seed::HOUSEHOLD,
                token.expose()
            )?;
        }
        if let Some((person, token)) = self.people.first() {
            writeln!(
                formatter,
                "\nConnect Claude Code as {}:\n  claude mcp add --transport http proofmark {} --header \"Authorization: Bearer {}\"",
                person.name,
                self.endpoint,
                token.expose()
            )?;
        }
        writeln!(
            formatter,
            "\nRun the suite against it:\n  proofmark run --url {} --config {}",
            self.endpoint,
            self.config.display()
        )?;
        write!(formatter, "\nStop with Ctrl-C.")
    }
}

/// Prints it to the standard output. Whoever started the sandbox may have closed that; it is open all the same.
pub fn print(announcement: &Announcement) {
    let mut stdout = std::io::stdout();
    let _ = writeln!(stdout, "{announcement}").and_then(|()| stdout.flush());
}

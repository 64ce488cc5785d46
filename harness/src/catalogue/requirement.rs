//! One written requirement: a sentence with a level and a source that somebody can dispute.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{client::Revision, target::Access};

/// The family of servers a requirement or scenario speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Any remote MCP server that keeps money records behind OAuth.
    Core,
    /// A ledger of personal wealth.
    Worthbase,
    /// Company payables with two axes of authorization.
    Kobana,
    /// A local cash book over stdio.
    Finanpy,
    /// Feature files that somebody brought with `--features`, outside a folder named after a profile.
    Own,
}

impl Profile {
    /// The profiles a user can name.
    pub const NAMED: [Self; 4] = [Self::Core, Self::Worthbase, Self::Kobana, Self::Finanpy];
    /// The profiles whose requirements are in force: each MUST of theirs needs a scenario.
    pub const IMPLEMENTED: [Self; 4] = [Self::Core, Self::Worthbase, Self::Kobana, Self::Finanpy];

    /// One line about the servers of the profile.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Core => "any remote MCP server that keeps money records behind OAuth",
            Self::Worthbase => {
                "a ledger of personal wealth: previews, batches, decimals, exchange rates"
            }
            Self::Kobana => "company payables with two axes of authorization",
            Self::Finanpy => "a local cash book over stdio",
            Self::Own => "your own feature files",
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Core => "core",
            Self::Worthbase => "worthbase",
            Self::Kobana => "kobana",
            Self::Finanpy => "finanpy",
            Self::Own => "own",
        })
    }
}

impl FromStr for Profile {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::NAMED
            .into_iter()
            .find(|profile| profile.to_string() == text)
            .ok_or(())
    }
}

/// How binding a requirement is, in the words of RFC 2119.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Level {
    /// A breach fails the run.
    Must,
    /// A breach warns, and fails with `--strict`.
    Should,
    /// A breach only warns.
    May,
}

impl fmt::Display for Level {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Must => "MUST",
            Self::Should => "SHOULD",
            Self::May => "MAY",
        })
    }
}

/// Who has to keep the requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The server as one that is protected by tokens.
    ResourceServer,
    /// The server as one that speaks MCP and keeps records.
    Server,
    /// An OAuth client; judged on the harness's own, never on a server.
    Client,
}

/// Where a profile's promise comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tier {
    /// The service's own page says it, or it follows.
    P,
    /// The page is silent; the field has a convention.
    C,
    /// Our choice, binding only for a server that claims our contract.
    X,
}

/// One requirement of the catalogue. Its id is the name of its table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    /// Such as `PREVIEW-001`.
    #[serde(skip_deserializing)]
    pub id: String,
    /// How binding it is.
    pub level: Level,
    /// Whose promise it is.
    pub profile: Profile,
    /// Who has to keep it.
    pub role: Role,
    /// The revisions of the protocol in which it holds.
    pub revisions: Vec<Revision>,
    /// Where a profile's promise comes from; none for rows of a public specification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<Tier>,
    /// The least access that can show it.
    pub needs: Access,
    /// The sentence itself.
    pub statement: String,
    /// Where it is written.
    pub source: String,
    /// How it is shown, in the shorthand of `features/requirements/README.md`.
    pub check: String,
    /// Names of deliberate faults that break it, built or still to be built.
    pub faults: Vec<String>,
    /// Golden cases that show it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub golden: Vec<String>,
    /// Readings and doubts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// Why no test can show it; such a row stands outside the count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excluded: Option<String>,
}

impl Requirement {
    /// Whether a server can be judged by it at all.
    #[must_use]
    pub fn judges_servers(&self) -> bool {
        self.excluded.is_none() && self.role != Role::Client
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_reads_back_from_its_name() {
        for profile in Profile::NAMED {
            assert_eq!(profile.to_string().parse(), Ok(profile));
        }
        assert_eq!("own".parse::<Profile>(), Err(()));
    }
}

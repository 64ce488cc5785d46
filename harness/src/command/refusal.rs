//! Why a command does not do what was asked, with the exit code that says whose fault it is.

use std::fmt;

use crate::{
    baseline::BaselineError,
    catalogue::CatalogueError,
    config::ConfigError,
    exit::Exit,
    mocks::MockError,
    report::{ReportError, reading::ReadError},
    spec::SpecError,
    target::TargetError,
};

/// A command that ends early, with a message for the user.
#[derive(Debug)]
pub struct Refusal {
    exit: Exit,
    message: String,
}

impl Refusal {
    /// The user asked for something that does not exist or makes no sense.
    #[must_use]
    pub fn usage(message: impl fmt::Display) -> Self {
        Self {
            exit: Exit::Usage,
            message: message.to_string(),
        }
    }

    /// What was asked for cannot be shown.
    #[must_use]
    pub fn incomplete(message: impl fmt::Display) -> Self {
        Self {
            exit: Exit::Incomplete,
            message: message.to_string(),
        }
    }

    /// A name that does not exist, with those that look like it.
    #[must_use]
    pub fn unknown<'a>(
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
        list: &str,
    ) -> Self {
        let similar = similar(name, known);
        let advice = if similar.is_empty() {
            format!("`{list}` shows them all")
        } else {
            format!("did you mean {}?", similar.join(" or "))
        };
        Self::usage(format!("there is no {what} \"{name}\"; {advice}"))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

/// How the program ends after an error: by what the error is, wherever it stands in the chain of causes.
#[must_use]
pub fn exit_of(error: &anyhow::Error) -> Exit {
    for cause in error.chain() {
        if let Some(refusal) = cause.downcast_ref::<Refusal>() {
            return refusal.exit;
        }
        if cause.is::<TargetError>() {
            return Exit::Incomplete;
        }
        if cause.is::<MockError>() {
            return Exit::HarnessFault;
        }
        // A report goes where the user said; a feature file that cannot be read is the user's own.
        let of_the_user = cause.is::<ConfigError>()
            || cause.is::<BaselineError>()
            || cause.is::<ReportError>()
            || cause.is::<ReadError>()
            || cause.is::<CatalogueError>()
            || matches!(cause.downcast_ref(), Some(SpecError::File { .. }));
        if of_the_user {
            return Exit::Usage;
        }
    }
    Exit::HarnessFault
}

/// How alike two names have to be for one to be proposed in place of the other, from 0 to 1.
const ALIKE: f64 = 0.8;
/// How many names are proposed.
const PROPOSED: usize = 3;

/// The known names that look most like one that is not known.
fn similar<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let name = name.to_lowercase();
    let mut candidates: Vec<(f64, &str)> = known
        .into_iter()
        .map(|candidate| {
            let lower = candidate.to_lowercase();
            let score = if lower.contains(&name) {
                1.0
            } else {
                strsim::jaro_winkler(&name, &lower)
            };
            (score, candidate)
        })
        .filter(|(score, _)| *score >= ALIKE)
        .collect();
    candidates.sort_by(|left, right| right.0.total_cmp(&left.0));
    candidates
        .into_iter()
        .take(PROPOSED)
        .map(|(_, candidate)| candidate.to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    use super::*;

    #[test]
    fn an_unknown_name_comes_with_those_that_look_like_it() {
        let refusal = Refusal::unknown("profile", "worthbse", ["core", "worthbase"], "list");
        assert_eq!(
            refusal.to_string(),
            "there is no profile \"worthbse\"; did you mean worthbase?"
        );
        let refusal = Refusal::unknown("profile", "zzz", ["core"], "proofmark list profiles");
        assert_eq!(
            refusal.to_string(),
            "there is no profile \"zzz\"; `proofmark list profiles` shows them all"
        );
    }

    #[test]
    fn an_error_ends_the_program_by_whose_fault_it_is() {
        let refused = |error: Result<(), anyhow::Error>| exit_of(&error.unwrap_err());
        assert_eq!(refused(Err(Refusal::usage("x").into())), Exit::Usage);
        assert_eq!(
            refused(Err(Refusal::incomplete("x")).context("while starting")),
            Exit::Incomplete
        );
        let target = TargetError::Reference("port taken".to_owned());
        assert_eq!(refused(Err(target.into())), Exit::Incomplete);
        let mock = MockError::Refused("no such order".to_owned());
        assert_eq!(refused(Err(mock.into())), Exit::HarnessFault);
        assert_eq!(
            refused(Err(anyhow::anyhow!("a surprise"))),
            Exit::HarnessFault
        );
    }
}

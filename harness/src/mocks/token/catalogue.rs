//! The catalogue of token variations in `fixtures/tokens/variations.toml`: every good and every defective token by name.

use std::sync::LazyLock;

use serde::Deserialize;

use super::Alteration;
use crate::mocks::MockError;

const FILE: &str = "tokens/variations.toml";

static VARIATIONS: LazyLock<Result<Vec<Variation>, String>> =
    LazyLock::new(|| parse(include_str!("../../../../fixtures/tokens/variations.toml")));

/// What a careful server does with a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expectation {
    /// Refuses it with 401: the token has a defect.
    Refuse,
    /// Accepts it: a positive twin.
    Accept,
    /// May do either; it only must not fail.
    Either,
}

/// One named variation of a good token.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variation {
    /// Short name, unique.
    pub slug: String,
    /// What is the matter with the token, so that `a token that <sentence>` can be read aloud.
    pub sentence: String,
    /// The requirements that speak of it.
    pub requirements: Vec<String>,
    /// What a careful server does.
    #[serde(default = "refuse")]
    pub expect: Expectation,
    /// What is changed. None at all only for the good token itself.
    pub alterations: Vec<Alteration>,
}

fn refuse() -> Expectation {
    Expectation::Refuse
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    variation: Vec<Variation>,
}

fn parse(text: &str) -> Result<Vec<Variation>, String> {
    toml::from_str::<File>(text)
        .map(|file| file.variation)
        .map_err(|error| error.to_string())
}

/// All variations, in the order of the file.
///
/// # Errors
/// If the file does not parse.
pub fn variations() -> Result<&'static [Variation], MockError> {
    match &*VARIATIONS {
        Ok(variations) => Ok(variations),
        Err(reason) => Err(MockError::Fixture {
            name: FILE.to_owned(),
            reason: reason.clone(),
        }),
    }
}

/// The variations that a careful server refuses.
///
/// # Errors
/// If the file does not parse.
pub fn defects() -> Result<impl Iterator<Item = &'static Variation>, MockError> {
    Ok(variations()?
        .iter()
        .filter(|variation| variation.expect == Expectation::Refuse))
}

/// The variation of this slug or sentence.
///
/// # Errors
/// If there is none, or the file does not parse.
pub fn variation(name: &str) -> Result<&'static Variation, MockError> {
    variations()?
        .iter()
        .find(|variation| variation.slug == name || variation.sentence == name)
        .ok_or_else(|| MockError::UnknownDefect(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_and_sentences_are_unique_and_plain() {
        let all = variations().unwrap();
        let slugs: HashSet<_> = all.iter().map(|variation| &variation.slug).collect();
        let sentences: HashSet<_> = all.iter().map(|variation| &variation.sentence).collect();
        assert_eq!((slugs.len(), sentences.len()), (all.len(), all.len()));
        for variation in all {
            assert!(
                variation
                    .slug
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
            );
            assert!(
                !variation.sentence.contains('"'),
                "{}: a quotation mark would end the step",
                variation.slug
            );
            assert!(
                !variation.requirements.is_empty(),
                "{} serves no requirement",
                variation.slug
            );
        }
        assert!(
            defects().unwrap().count() >= 60,
            "{} defects",
            defects().unwrap().count()
        );
    }
}

//! Scenarios: read from feature files, with what their tags say about where and when they can run.

use std::collections::BTreeMap;

use cucumber::{
    feature::Ext as _,
    gherkin::{self, GherkinEnv, Step},
};

use super::Profile;
use crate::{client::Revision, embedded::Document, target::Access};

/// One scenario, or one row of an outline.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// `<profile>/<file stem>/<slug of the name>`; a row whose name does not tell it apart has its values behind it.
    pub id: String,
    /// Whose servers it speaks of, by the folder of the file.
    pub profile: Profile,
    /// Title of the feature.
    pub feature: String,
    /// The rule it stands under.
    pub rule: Option<String>,
    /// Its name.
    pub name: String,
    /// Path of the file below `features/`.
    pub file: String,
    /// Line in the file; of an outline, the line of the row.
    pub line: usize,
    /// The requirements it proves.
    pub requirements: Vec<String>,
    /// All tags, those of the feature and the rule included, without `@`.
    pub tags: Vec<String>,
    /// The access it needs.
    pub access: Access,
    /// Whether it kills or restarts the server, which only the one who started it can.
    pub process: bool,
    /// Whether its server is two processes on one store behind one address.
    pub two_processes: bool,
    /// Whether it moves the clock, breaks a provider or stops the server, and so needs one of its own.
    pub isolated: bool,
    /// Whether it needs a server that nobody has asked anything yet.
    pub fresh: bool,
    /// Whether its server waits a second at most for a provider, because the scenario waits with it.
    pub impatient: bool,
    /// Whether it is left out without `--all`.
    pub heavy: bool,
    /// Whether it speaks of our own contract.
    pub contract: bool,
    /// Whether it calls tools that write, which nobody wants on a server in use.
    pub writes: bool,
    /// Whether it imports a statement, for which not every target has a command.
    pub import: bool,
    /// The revisions it can be run in, by its tags.
    pub revisions: Vec<Revision>,
    /// Whether it runs in all of them, not in one that its turn gives it: a scenario about the protocol does.
    pub every_revision: bool,
    /// The steps of both backgrounds and its own.
    pub steps: Vec<Step>,
}

/// What a tag means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tag<'a> {
    /// `@PREVIEW-001`
    Requirement(&'a str),
    /// `@needs-token` and its like.
    Access(Access),
    /// `@needs-process`
    Process,
    /// `@two-processes`
    TwoProcesses,
    /// `@rev-2026-07-28`
    Revision(Revision),
    /// `@every-revision`
    EveryRevision,
    /// `@isolated`
    Isolated,
    /// `@fresh`
    Fresh,
    /// `@impatient`
    Impatient,
    /// `@heavy`
    Heavy,
    /// `@contract`
    Contract,
    /// `@needs-import`
    Import,
    /// `@writes`
    Writes,
    /// Hides time or failures; no scenario may carry it.
    Forbidden,
    /// A tag of somebody's own, only good for `--tags`.
    Other,
}

impl<'a> Tag<'a> {
    /// Reads a tag without its `@`.
    #[must_use]
    pub fn read(tag: &'a str) -> Self {
        match tag {
            "every-revision" => Self::EveryRevision,
            "isolated" => Self::Isolated,
            "fresh" => Self::Fresh,
            "impatient" => Self::Impatient,
            "heavy" => Self::Heavy,
            "contract" => Self::Contract,
            "needs-url" => Self::Access(Access::Url),
            "needs-token" => Self::Access(Access::Token),
            "needs-mock-as" => Self::Access(Access::MockAs),
            "needs-control" => Self::Access(Access::Control),
            "needs-process" => Self::Process,
            "two-processes" => Self::TwoProcesses,
            "needs-import" => Self::Import,
            "writes" => Self::Writes,
            "wip" | "allow.skipped" | "serial" => Self::Forbidden,
            _ if tag.starts_with("retry") => Self::Forbidden,
            _ if is_requirement_id(tag) => Self::Requirement(tag),
            _ => match tag.strip_prefix("rev-").map(str::parse) {
                Some(Ok(revision)) => Self::Revision(revision),
                _ => Self::Other,
            },
        }
    }
}

/// Capitals and digits in groups, a number of three digits at the end: `TOKEN-ALG-001`.
fn is_requirement_id(tag: &str) -> bool {
    let Some((prefix, number)) = tag.rsplit_once('-') else {
        return false;
    };
    number.len() == 3
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && prefix.starts_with(|first: char| first.is_ascii_uppercase())
        && prefix
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-')
}

/// A feature file that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {reason}")]
pub struct FeatureError {
    /// Path of the file below `features/`.
    pub path: String,
    /// What the parser says, with the line.
    pub reason: String,
}

/// Reads the scenarios of one feature file, outlines expanded to one scenario a row.
///
/// # Errors
/// When the text is no Gherkin, or an outline names a column its table does not have.
pub fn read(document: &Document) -> Result<Vec<Scenario>, FeatureError> {
    let error = |reason: String| FeatureError {
        path: document.path.clone(),
        reason,
    };
    // The parser wants a line break at the end of the last row.
    let text = format!("{}\n", document.text);
    let feature = gherkin::Feature::parse(text, GherkinEnv::default())
        .map_err(|cause| error(cause.to_string()))?
        .expand_examples()
        .map_err(|cause| error(cause.to_string()))?;
    let mut found = Vec::new();
    for scenario in &feature.scenarios {
        found.push((build(document, &feature, None, scenario), scenario));
    }
    for rule in &feature.rules {
        for scenario in &rule.scenarios {
            found.push((build(document, &feature, Some(rule), scenario), scenario));
        }
    }
    Ok(tell_rows_apart(found))
}

fn build(
    document: &Document,
    feature: &gherkin::Feature,
    rule: Option<&gherkin::Rule>,
    scenario: &gherkin::Scenario,
) -> Scenario {
    let mut tags = Vec::new();
    for tag in feature
        .tags
        .iter()
        .chain(rule.iter().flat_map(|rule| &rule.tags))
        .chain(&scenario.tags)
    {
        let tag = tag.trim_start_matches('@').to_owned();
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    let steps = [
        feature.background.as_ref(),
        rule.and_then(|rule| rule.background.as_ref()),
    ]
    .into_iter()
    .flatten()
    .flat_map(|background| &background.steps)
    .chain(&scenario.steps)
    .cloned()
    .collect();
    let profile = profile_of(&document.path);
    let stem = file_stem(&document.path);
    let meanings: Vec<Tag<'_>> = tags.iter().map(|tag| Tag::read(tag)).collect();
    let has = |wanted: &Tag<'_>| meanings.contains(wanted);
    let two_processes = has(&Tag::TwoProcesses);
    let process = has(&Tag::Process) || two_processes;
    let limits: Vec<Revision> = Revision::ALL
        .into_iter()
        .filter(|revision| has(&Tag::Revision(*revision)))
        .collect();
    Scenario {
        id: format!("{profile}/{stem}/{}", slug(&scenario.name)),
        profile,
        feature: feature.name.clone(),
        rule: rule.map(|rule| rule.name.clone()),
        name: scenario.name.clone(),
        file: document.path.clone(),
        line: scenario.position.line,
        requirements: meanings
            .iter()
            .filter_map(|tag| match tag {
                Tag::Requirement(id) => Some((*id).to_owned()),
                _ => None,
            })
            .collect(),
        access: meanings
            .iter()
            .filter_map(|tag| match tag {
                Tag::Access(access) => Some(*access),
                _ => None,
            })
            .max()
            .unwrap_or(Access::MockAs),
        process,
        two_processes,
        // A server that is killed must be nobody else's, and a cash book is always started for one scenario.
        isolated: process || profile == Profile::Finanpy || has(&Tag::Isolated) || has(&Tag::Fresh),
        fresh: has(&Tag::Fresh),
        impatient: has(&Tag::Impatient),
        heavy: has(&Tag::Heavy),
        contract: has(&Tag::Contract),
        import: has(&Tag::Import),
        writes: has(&Tag::Writes) || matches!(profile, Profile::Worthbase | Profile::Kobana),
        every_revision: profile == Profile::Core || has(&Tag::EveryRevision) || !limits.is_empty(),
        revisions: if limits.is_empty() {
            Revision::ALL.to_vec()
        } else {
            limits
        },
        steps,
        tags,
    }
}

/// Rows of an outline whose name is the same get their values behind the id.
fn tell_rows_apart(found: Vec<(Scenario, &gherkin::Scenario)>) -> Vec<Scenario> {
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for (scenario, _) in &found {
        *uses.entry(scenario.id.clone()).or_default() += 1;
    }
    found
        .into_iter()
        .map(|(mut scenario, source)| {
            if uses.get(&scenario.id).is_some_and(|times| *times > 1) {
                let row = source
                    .examples
                    .first()
                    .and_then(|examples| examples.table.as_ref())
                    .and_then(|table| table.rows.get(1));
                if let Some(row) = row {
                    scenario.id = format!("{}-{}", scenario.id, slug(&row.join(" ")));
                }
            }
            scenario
        })
        .collect()
}

fn profile_of(path: &str) -> Profile {
    path.split_once('/')
        .and_then(|(folder, _)| folder.parse().ok())
        .unwrap_or(Profile::Own)
}

fn file_stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".feature").unwrap_or(name)
}

/// Words of a text joined by hyphens, in small letters.
#[must_use]
pub fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_alphanumeric() {
            slug.extend(character.to_lowercase());
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenarios(text: &str) -> Vec<Scenario> {
        read(&Document::new("worthbase/preview.feature", text)).unwrap()
    }

    #[test]
    fn tags_are_inherited_and_say_what_a_scenario_needs() {
        let found = scenarios(
            "@needs-token\nFeature: Preview\n  Background:\n    Given a\n  @PREVIEW-001 @rev-2026-07-28\n  Rule: Nothing is written\n    @needs-process @heavy\n    Scenario: It is killed\n      When b\n",
        );
        let scenario = &found[0];
        assert_eq!(scenario.id, "worthbase/preview/it-is-killed");
        assert_eq!(scenario.requirements, ["PREVIEW-001"]);
        assert_eq!(scenario.revisions, [Revision::V2026_07_28]);
        assert_eq!(scenario.access, Access::Token);
        assert!(scenario.process && scenario.isolated && scenario.heavy && !scenario.contract);
        assert_eq!(scenario.rule.as_deref(), Some("Nothing is written"));
        let steps: Vec<&str> = scenario
            .steps
            .iter()
            .map(|step| step.value.as_str())
            .collect();
        assert_eq!(steps, ["a", "b"]);
    }

    #[test]
    fn rows_of_an_outline_are_told_apart_by_their_title_or_their_values() {
        let quoted = scenarios(
            "Feature: F\n  Scenario Outline: <kind> is refused\n    When <kind>\n    Examples:\n      | kind |\n      | a b |\n      | c |",
        );
        assert_eq!(quoted[0].id, "worthbase/preview/a-b-is-refused");
        let unquoted = scenarios(
            "Feature: F\n  Scenario Outline: Refused\n    When <kind>\n    Examples:\n      | kind | note |\n      | a | 1 |\n      | c | 2 |",
        );
        assert_eq!(unquoted[1].id, "worthbase/preview/refused-c-2");
    }

    #[test]
    fn a_broken_file_is_named_with_the_reason() {
        let error = read(&Document::new("core/x.feature", "Scenario without feature")).unwrap_err();
        assert_eq!(error.path, "core/x.feature");
        let error = read(&Document::new(
            "core/x.feature",
            "Feature: F\n  Scenario Outline: S\n    When <missing>\n    Examples:\n      | kind |\n      | a |\n",
        ))
        .unwrap_err();
        assert!(error.reason.contains("missing"), "{error}");
    }

    #[test]
    fn only_the_shape_of_an_id_makes_a_requirement_tag() {
        assert_eq!(
            Tag::read("TOKEN-ALG-001"),
            Tag::Requirement("TOKEN-ALG-001")
        );
        assert_eq!(Tag::read("token-alg-001"), Tag::Other);
        assert_eq!(Tag::read("PREVIEW-1"), Tag::Other);
        assert_eq!(Tag::read("rev-2020-01-01"), Tag::Other);
        assert_eq!(Tag::read("retry(2)"), Tag::Forbidden);
    }

    #[test]
    fn a_slug_keeps_words_and_digits() {
        assert_eq!(
            slug("A deposit of 40.25 – into \"Cash\"!"),
            "a-deposit-of-40-25-into-cash"
        );
    }
}

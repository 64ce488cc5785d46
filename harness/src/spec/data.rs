//! Everything the pages are made of: the very data the suite runs on, read once.

use std::collections::BTreeMap;

use cucumber::gherkin::{Feature, GherkinEnv};
use serde::Deserialize;
use serde_json::Value;

use super::{
    SpecError, address,
    contract::{self, Contract},
    decision::DecisionTable,
};
use crate::{
    catalogue::{Catalogue, Fault, FeatureError, Profile, Scenario},
    embedded::{self, Document},
    golden,
};

/// What the site is made of.
#[derive(Debug, Clone)]
pub struct Specification {
    /// Requirements, scenarios and faults.
    pub catalogue: Catalogue,
    /// The feature files, as they are written, in the order of their paths.
    pub features: Vec<FeatureFile>,
    /// The faults by the files they stand in.
    pub fault_areas: Vec<FaultArea>,
    /// The tools of each contract.
    pub contracts: Vec<Contract>,
    /// Worked examples by the files they stand in.
    pub figures: Vec<FigureArea>,
    /// Tables of decisions that are larger than a feature can show.
    pub decisions: Option<DecisionTable>,
    /// What the prefixes of requirements stand for.
    pub titles: BTreeMap<String, String>,
    /// Places of scenarios and rows in their files, with where they are in the catalogue.
    places: BTreeMap<(String, usize), usize>,
}

/// One feature file, outlines not expanded.
#[derive(Debug, Clone)]
pub struct FeatureFile {
    /// Path below `features/`.
    pub path: String,
    /// Whose servers it speaks of.
    pub profile: Profile,
    /// As it is written.
    pub feature: Feature,
    /// The whole text.
    text: String,
}

impl FeatureFile {
    /// A description as it is written below the line of its heading: the parser leaves its empty lines out, between which
    /// the paragraphs are.
    #[must_use]
    pub fn description(&self, heading: usize, description: Option<&String>) -> String {
        let mut left = description.map_or(0, |text| {
            text.lines().filter(|line| !line.trim().is_empty()).count()
        });
        let written = self.text.lines().skip(heading);
        let lines: Vec<&str> = written
            .take_while(|line| {
                let wanted = left > 0;
                left = left.saturating_sub(usize::from(!line.trim().is_empty()));
                wanted
            })
            .collect();
        lines.join("\n")
    }
}

/// The faults of one file.
#[derive(Debug, Clone)]
pub struct FaultArea {
    /// The name of the file: `ledger-lots`.
    pub name: String,
    /// Ids, in the order of the file.
    pub faults: Vec<String>,
}

/// The worked examples of one file.
#[derive(Debug, Clone)]
pub struct FigureArea {
    /// The name of the file: `lots`.
    pub name: String,
    /// In the order of the file.
    pub cases: Vec<FigureCase>,
}

/// One worked example as it is written.
#[derive(Debug, Clone, Deserialize)]
pub struct FigureCase {
    /// Unique name, such as `lots-fifo-fees`.
    pub id: String,
    /// What it shows, in one line.
    pub title: String,
    /// The book.
    pub given: Value,
    /// The question.
    pub ask: Value,
    /// The answer.
    pub expect: Value,
    /// How figures are compared.
    pub compare: Value,
    /// Which independent tool gave the figures.
    #[serde(default)]
    pub oracle: Value,
    /// Public reports of real defects that it would catch.
    #[serde(default)]
    pub covers: Vec<String>,
    /// Anything else to know.
    #[serde(default)]
    pub notes: String,
}

#[derive(Deserialize)]
struct FigureFile {
    cases: Vec<FigureCase>,
}

/// The texts a specification is read from.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    /// Requirements in TOML.
    pub requirements: Vec<Document>,
    /// Faults in TOML.
    pub faults: Vec<Document>,
    /// Gherkin.
    pub features: Vec<Document>,
    /// Contract files.
    pub contracts: Vec<Document>,
    /// Worked examples in JSON.
    pub figures: Vec<Document>,
    /// The decision table and its telling cells in JSON.
    pub decisions: Vec<Document>,
    /// The page about requirements, with the table of prefixes.
    pub about_requirements: String,
}

impl Texts {
    /// Those that the program carries.
    #[must_use]
    pub fn embedded() -> Self {
        Self {
            requirements: embedded::requirements(),
            faults: embedded::faults(),
            features: embedded::features(),
            contracts: embedded::contracts(),
            figures: golden::documents(),
            decisions: embedded::decisions(),
            about_requirements: embedded::about_requirements().text,
        }
    }
}

impl Specification {
    /// The specification that the program carries.
    ///
    /// # Errors
    /// When a file of it is broken, which the build's tests do not let happen.
    pub fn embedded() -> Result<Self, SpecError> {
        Self::read(&Texts::embedded())
    }

    /// Reads a specification from its texts.
    ///
    /// # Errors
    /// At the first text that is broken.
    pub fn read(texts: &Texts) -> Result<Self, SpecError> {
        let catalogue = Catalogue::read(&texts.requirements, &texts.faults, &texts.features)?;
        let places = catalogue
            .scenarios
            .iter()
            .enumerate()
            .map(|(number, scenario)| ((scenario.file.clone(), scenario.line), number))
            .collect();
        Ok(Self {
            features: texts
                .features
                .iter()
                .map(feature)
                .collect::<Result<_, _>>()?,
            fault_areas: texts
                .faults
                .iter()
                .map(fault_area)
                .collect::<Result<_, _>>()?,
            contracts: contract::read(&texts.contracts)?,
            figures: texts
                .figures
                .iter()
                .map(figure_area)
                .collect::<Result<_, _>>()?,
            decisions: DecisionTable::read(&texts.decisions)?,
            titles: titles(&texts.about_requirements),
            places,
            catalogue,
        })
    }

    /// The scenario, or the row of an outline, at a line of a file.
    #[must_use]
    pub fn scenario_at(&self, file: &str, line: usize) -> Option<&Scenario> {
        let place = self.places.get(&(file.to_owned(), line))?;
        self.catalogue.scenarios.get(*place)
    }

    /// The prefixes of the requirements of a profile, in order.
    #[must_use]
    pub fn prefixes(&self) -> Vec<&str> {
        let mut prefixes: Vec<&str> = self
            .catalogue
            .requirements
            .keys()
            .map(|id| address::prefix(id))
            .collect();
        prefixes.dedup();
        prefixes.sort_unstable();
        prefixes.dedup();
        prefixes
    }

    /// What a prefix stands for; the prefix itself where nobody wrote it down.
    #[must_use]
    pub fn title<'a>(&'a self, prefix: &'a str) -> &'a str {
        self.titles.get(prefix).map_or(prefix, String::as_str)
    }

    /// Where a fault stands.
    #[must_use]
    pub fn fault_address(&self, fault: &Fault) -> String {
        let area = self
            .fault_areas
            .iter()
            .find(|area| area.faults.contains(&fault.id))
            .map_or("", |area| area.name.as_str());
        address::fault(area, &fault.id)
    }

    /// Where a worked example stands.
    #[must_use]
    pub fn figure_address(&self, id: &str) -> Option<String> {
        self.figures
            .iter()
            .find(|area| area.cases.iter().any(|case| case.id == id))
            .map(|area| address::figure(&area.name, id))
    }
}

fn feature(document: &Document) -> Result<FeatureFile, SpecError> {
    let feature =
        Feature::parse(format!("{}\n", document.text), GherkinEnv::default()).map_err(|cause| {
            SpecError::from(crate::catalogue::CatalogueError::from(FeatureError {
                path: document.path.clone(),
                reason: cause.to_string(),
            }))
        })?;
    let profile = document
        .path
        .split_once('/')
        .and_then(|(folder, _)| folder.parse().ok())
        .unwrap_or(Profile::Own);
    Ok(FeatureFile {
        path: document.path.clone(),
        profile,
        feature,
        text: document.text.clone(),
    })
}

/// The name of a file, without its folder and its ending.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn fault_area(document: &Document) -> Result<FaultArea, SpecError> {
    let table: toml::Table = toml::from_str(&document.text).map_err(|source| {
        crate::catalogue::CatalogueError::Table {
            path: document.path.clone(),
            source: Box::new(source),
        }
    })?;
    Ok(FaultArea {
        name: stem(&document.path).to_owned(),
        faults: table.keys().cloned().collect(),
    })
}

fn figure_area(document: &Document) -> Result<FigureArea, SpecError> {
    let file: FigureFile = serde_json::from_str(&document.text)
        .map_err(|source| SpecError::figure(&document.path, source))?;
    Ok(FigureArea {
        name: stem(&document.path).to_owned(),
        cases: file.cases,
    })
}

/// The rows `| PREFIX | what it stands for |` of the page about requirements.
fn titles(page: &str) -> BTreeMap<String, String> {
    let cells = |line: &str| -> Option<(String, String)> {
        let mut cells = line.trim().strip_prefix('|')?.strip_suffix('|')?.split('|');
        let prefix = cells.next()?.trim().trim_matches('`');
        let title = cells.next()?.trim();
        let shaped = prefix.starts_with(|first: char| first.is_ascii_uppercase())
            && prefix
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte == b'-');
        (shaped && cells.next().is_none()).then(|| (prefix.to_owned(), title.to_owned()))
    };
    page.lines().filter_map(cells).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_the_rows_that_begin_with_a_prefix() {
        let titles = titles(
            "| key | meaning |\n|---|---|\n| `TOKEN-ALG` | Algorithms of tokens |\n| W1 | a | b |\n",
        );
        assert_eq!(titles.len(), 1);
        assert_eq!(titles["TOKEN-ALG"], "Algorithms of tokens");
    }

    #[test]
    fn a_description_keeps_its_paragraphs() {
        let text = "@a\nFeature: F\n\n  One\n  two.\n\n  Three.\n\n  Scenario: S\n    Given a\n";
        let file = feature(&Document::new("core/f.feature", text)).unwrap();
        let heading = file.feature.position.line;
        let description = file.description(heading, file.feature.description.as_ref());
        assert_eq!(description, "\n  One\n  two.\n\n  Three.");
        assert_eq!(file.description(heading, None), "");
    }

    #[test]
    fn every_scenario_is_found_by_its_place() {
        let specification = Specification::embedded().unwrap();
        for scenario in &specification.catalogue.scenarios {
            let found = specification.scenario_at(&scenario.file, scenario.line);
            assert_eq!(found.map(|found| &found.id), Some(&scenario.id));
        }
    }
}

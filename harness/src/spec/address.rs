//! Where everything stands: one page for each feature, prefix of requirements, area of faults, tool and area of figures.
//!
//! Addresses are relative, so that the site works from a folder, and are made of names that the specification itself
//! keeps: a link to a requirement stays good as long as its id.

use crate::catalogue::Scenario;

/// The first page.
pub const HOME: &str = "index.html";
/// The catalogue of requirements.
pub const REQUIREMENTS: &str = "requirements.html";
/// Who may do what.
pub const ACCESS: &str = "access.html";
/// The tools of every contract.
pub const TOOLS: &str = "tools.html";
/// The worked examples.
pub const FIGURES: &str = "figures.html";
/// The deliberate faults.
pub const FAULTS: &str = "faults.html";
/// What no scenario shows.
pub const UNTESTED: &str = "untested.html";
/// What failed in the run, if one was given.
pub const FAILURES: &str = "failures.html";

/// The prefix of a requirement's id: `TOKEN-ALG` of `TOKEN-ALG-001`.
#[must_use]
pub fn prefix(id: &str) -> &str {
    id.rsplit_once('-').map_or(id, |(prefix, _)| prefix)
}

/// The page of a prefix.
#[must_use]
pub fn requirements(prefix: &str) -> String {
    format!("requirements/{}.html", prefix.to_lowercase())
}

/// A requirement on its page.
#[must_use]
pub fn requirement(id: &str) -> String {
    format!("{}#{id}", requirements(prefix(id)))
}

/// The page of a feature file: `features/core/audience.html` of `core/audience.feature`.
#[must_use]
pub fn feature(file: &str) -> String {
    let stem = file.strip_suffix(".feature").unwrap_or(file);
    format!("features/{stem}.html")
}

/// The anchor of a scenario on the page of its feature: the last part of its id.
#[must_use]
pub fn anchor(id: &str) -> &str {
    id.rsplit('/').next().unwrap_or(id)
}

/// A scenario, or a row of an outline, on the page of its feature.
#[must_use]
pub fn scenario(scenario: &Scenario) -> String {
    format!("{}#{}", feature(&scenario.file), anchor(&scenario.id))
}

/// The page of an area of faults.
#[must_use]
pub fn faults(area: &str) -> String {
    format!("faults/{area}.html")
}

/// A fault on the page of its area.
#[must_use]
pub fn fault(area: &str, id: &str) -> String {
    format!("{}#{id}", faults(area))
}

/// The page of a tool.
#[must_use]
pub fn tool(profile: &str, name: &str) -> String {
    format!("tools/{profile}/{name}.html")
}

/// What the tools of a contract share.
#[must_use]
pub fn definitions(profile: &str) -> String {
    format!("tools/{profile}/shared-definitions.html")
}

/// The page of an area of worked examples.
#[must_use]
pub fn figures(area: &str) -> String {
    format!("figures/{area}.html")
}

/// A worked example on its page.
#[must_use]
pub fn figure(area: &str, id: &str) -> String {
    format!("{}#{id}", figures(area))
}

/// The way from a page to the folder of the site: `../../` from `features/core/audience.html`.
#[must_use]
pub fn root(page: &str) -> String {
    "../".repeat(page.matches('/').count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_made_of_the_names_of_the_specification() {
        assert_eq!(
            requirement("TOKEN-ALG-001"),
            "requirements/token-alg.html#TOKEN-ALG-001"
        );
        assert_eq!(
            feature("core/audience.feature"),
            "features/core/audience.html"
        );
        assert_eq!(anchor("core/audience/a-b"), "a-b");
        assert_eq!(root("features/core/audience.html"), "../../");
        assert_eq!(root(HOME), "");
    }
}

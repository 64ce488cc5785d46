//! Two runs side by side: which requirements and scenarios got better, which got worse, which came and which went.

use std::{collections::BTreeMap, fmt::Write as _};

use serde::Serialize;

use super::{Style, reading::ReadReport};
use crate::suite::{RequirementStatus, ScenarioStatus};

/// What changed from one run to another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Requirements.
    pub requirements: Changes,
    /// Runs of scenarios.
    pub scenarios: Changes,
}

/// What changed, in four kinds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Changes {
    /// A promise is broken now that was not, or is shown no longer.
    pub worse: Vec<Change>,
    /// The other way round.
    pub better: Vec<Change>,
    /// Only the second run has it.
    pub added: Vec<Change>,
    /// Only the first run has it.
    pub removed: Vec<Change>,
}

/// One thing that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Requirement, or scenario with its revision.
    pub id: String,
    /// How it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// How it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The sentence itself, of a requirement.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub statement: String,
}

/// A state with its place between broken and proven.
struct State {
    rank: u8,
    word: &'static str,
    statement: String,
}

/// Compares two reports of runs.
#[must_use]
pub fn compare(before: &ReadReport, after: &ReadReport) -> Comparison {
    Comparison {
        requirements: changes(&requirements(before), &requirements(after)),
        scenarios: changes(&scenarios(before), &scenarios(after)),
    }
}

impl Comparison {
    /// Whether anything got worse: a state that sank, or something new that is broken from the start.
    #[must_use]
    pub fn is_worse(&self) -> bool {
        [&self.requirements, &self.scenarios].iter().any(|changes| {
            !changes.worse.is_empty()
                || changes
                    .added
                    .iter()
                    .any(|change| matches!(change.after.as_deref(), Some("violated" | "failed")))
        })
    }

    /// The comparison for people, with a line break at its end.
    #[must_use]
    pub fn render(&self, before: &ReadReport, after: &ReadReport, style: Style) -> String {
        let mut text = String::new();
        for (label, report) in [("before", before), ("after", after)] {
            let _ = writeln!(
                text,
                "{label:<7} {} ({}), {}: {} proven, {} violated of {}",
                report.target.name,
                report.target.url,
                report.started,
                report.count("proven"),
                report.count("violated"),
                report.count("total")
            );
        }
        for (what, changes) in [
            ("requirements", &self.requirements),
            ("runs of scenarios", &self.scenarios),
        ] {
            for (heading, list) in [
                (style.bad(format!("worse: {what}")), &changes.worse),
                (style.good(format!("better: {what}")), &changes.better),
                (style.doubtful(format!("new: {what}")), &changes.added),
                (style.doubtful(format!("gone: {what}")), &changes.removed),
            ] {
                section(&mut text, &heading, list);
            }
        }
        let end = if self.is_worse() {
            style.bad("something got worse (exit 1)")
        } else if *self == Self::default() {
            "nothing changed (exit 0)".to_owned()
        } else {
            style.good("nothing got worse (exit 0)")
        };
        let _ = writeln!(text, "\n{end}");
        text
    }
}

fn section(text: &mut String, heading: &str, list: &[Change]) {
    if list.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{heading}");
    for change in list {
        let how = match (&change.before, &change.after) {
            (Some(before), Some(after)) => format!("{before} -> {after}"),
            (Some(only), None) | (None, Some(only)) => only.clone(),
            (None, None) => String::new(),
        };
        let _ = writeln!(text, "  {}  {how}  {}", change.id, change.statement);
    }
}

fn changes(before: &BTreeMap<String, State>, after: &BTreeMap<String, State>) -> Changes {
    let mut changes = Changes::default();
    for (id, now) in after {
        let Some(then) = before.get(id) else {
            changes.added.push(Change {
                id: id.clone(),
                before: None,
                after: Some(now.word.to_owned()),
                statement: now.statement.clone(),
            });
            continue;
        };
        let change = Change {
            id: id.clone(),
            before: Some(then.word.to_owned()),
            after: Some(now.word.to_owned()),
            statement: now.statement.clone(),
        };
        match now.rank.cmp(&then.rank) {
            std::cmp::Ordering::Less => changes.worse.push(change),
            std::cmp::Ordering::Greater => changes.better.push(change),
            std::cmp::Ordering::Equal => {}
        }
    }
    for (id, then) in before {
        if !after.contains_key(id) {
            changes.removed.push(Change {
                id: id.clone(),
                before: Some(then.word.to_owned()),
                after: None,
                statement: then.statement.clone(),
            });
        }
    }
    changes
}

fn requirements(report: &ReadReport) -> BTreeMap<String, State> {
    let states = report.requirements.iter().map(|row| {
        let (rank, word) = match row.status {
            RequirementStatus::Violated => (0, "violated"),
            RequirementStatus::Warned => (1, "warned"),
            // What does not apply is not shown either.
            RequirementStatus::NotProven => (2, "not proven"),
            RequirementStatus::NotApplicable => (2, "not applicable"),
            RequirementStatus::Proven => (3, "proven"),
        };
        let state = State {
            rank,
            word,
            statement: row.statement.clone(),
        };
        (row.id.clone(), state)
    });
    states.collect()
}

fn scenarios(report: &ReadReport) -> BTreeMap<String, State> {
    let states = report.scenarios.iter().map(|run| {
        let (rank, word) = match run.status {
            ScenarioStatus::Failed => (0, "failed"),
            ScenarioStatus::NotProven => (1, "not proven"),
            ScenarioStatus::Passed => (2, "passed"),
        };
        let id = match &run.revision {
            Some(revision) => format!("{} in MCP {revision}", run.id),
            None => run.id.clone(),
        };
        let state = State {
            rank,
            word,
            statement: String::new(),
        };
        (id, state)
    });
    states.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report(requirements: &[(&str, &str)]) -> ReadReport {
        let rows: Vec<_> = requirements
            .iter()
            .map(|(id, status)| json!({ "id": id, "level": "MUST", "status": status }))
            .collect();
        serde_json::from_value(json!({
            "proofmark": "0.1.0", "started": "2026-01-01T00:00:00Z",
            "target": { "name": "t", "url": "u" }, "verdict": "conforms",
            "summary": { "requirements": { "total": rows.len() } },
            "requirements": rows, "scenarios": [],
        }))
        .unwrap()
    }

    #[test]
    fn what_sank_is_worse_and_what_rose_is_better() {
        let before = report(&[
            ("A-001", "proven"),
            ("A-002", "violated"),
            ("A-003", "proven"),
            ("A-004", "not_proven"),
            ("A-005", "proven"),
        ]);
        let after = report(&[
            ("A-001", "violated"),
            ("A-002", "proven"),
            ("A-003", "not_proven"),
            ("A-004", "not_applicable"),
            ("A-006", "proven"),
        ]);
        let comparison = compare(&before, &after);
        let ids = |list: &[Change]| {
            list.iter()
                .map(|change| change.id.clone())
                .collect::<Vec<_>>()
        };
        let rows = &comparison.requirements;
        assert_eq!(ids(&rows.worse), ["A-001", "A-003"]);
        assert_eq!(ids(&rows.better), ["A-002"]);
        assert_eq!(ids(&rows.added), ["A-006"]);
        assert_eq!(ids(&rows.removed), ["A-005"]);
        assert!(comparison.is_worse());
        assert!(!compare(&before, &before).is_worse());
        let text = comparison.render(&before, &after, Style::PLAIN);
        assert!(text.contains("A-001  proven -> violated"), "{text}");
    }

    #[test]
    fn a_new_requirement_that_is_broken_is_worse() {
        let comparison = compare(&report(&[]), &report(&[("A-001", "violated")]));
        assert!(comparison.is_worse());
        let comparison = compare(&report(&[]), &report(&[("A-001", "proven")]));
        assert!(!comparison.is_worse());
    }
}

//! A badge for a README: what the last run said, as a picture or as the data that shields.io draws one from.

use serde_json::{Value, json};

use super::reading::ReadReport;
use crate::suite::Verdict;

/// The left half.
const LABEL: &str = "proofmark";
/// About the width of one letter at this size, in pixels; there is no font here to measure with.
const LETTER: usize = 7;
/// Room beside the letters of one half, in pixels.
const MARGIN: usize = 10;

/// What a badge says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Badge {
    /// The right half.
    pub message: String,
    /// Its colour, by the name that shields.io knows it by.
    pub color: &'static str,
    /// The same colour for a picture.
    fill: &'static str,
}

impl Badge {
    /// The badge of a run. It never says more than the run did: how many of how many requirements were proven.
    #[must_use]
    pub fn of(report: &ReadReport) -> Self {
        let (proven, total) = (report.count("proven"), report.count("total"));
        let known = report.count("known_failures");
        let (message, color, fill) = match report.verdict {
            Verdict::Conforms if known > 0 => (
                format!("{proven} of {total} proven, {known} known failures"),
                "yellow",
                "#a07a00",
            ),
            Verdict::Conforms => (
                format!("{proven} of {total} proven"),
                "brightgreen",
                "#2a7d2e",
            ),
            Verdict::Violated => (
                format!("{} of {total} violated", report.count("violated")),
                "red",
                "#b3261e",
            ),
            Verdict::Incomplete => ("incomplete".to_owned(), "lightgrey", "#6b6b6b"),
            Verdict::HarnessFault => ("no verdict".to_owned(), "lightgrey", "#6b6b6b"),
        };
        Self {
            message,
            color,
            fill,
        }
    }

    /// The endpoint document of shields.io.
    #[must_use]
    pub fn shields(&self) -> Value {
        json!({
            "schemaVersion": 1,
            "label": LABEL,
            "message": self.message,
            "color": self.color,
            "isError": self.color == "red",
        })
    }

    /// The picture, with its words as text for who cannot see it.
    #[must_use]
    pub fn svg(&self) -> String {
        let width = |text: &str| text.chars().count() * LETTER + MARGIN;
        let (left, right) = (width(LABEL), width(&self.message));
        let whole = left + right;
        let (first, second) = (left / 2, left + right / 2);
        let (message, fill) = (&self.message, self.fill);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{whole}\" height=\"20\" role=\"img\" aria-label=\"{LABEL}: {message}\">\n\
             <title>{LABEL}: {message}</title>\n\
             <rect width=\"{whole}\" height=\"20\" rx=\"3\" fill=\"#3f3f46\"/>\n\
             <path d=\"M{left} 0h{inner}a3 3 0 0 1 3 3v14a3 3 0 0 1 -3 3h-{inner}z\" fill=\"{fill}\"/>\n\
             <g fill=\"#fff\" text-anchor=\"middle\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\n\
             <text x=\"{first}\" y=\"14\">{LABEL}</text>\n\
             <text x=\"{second}\" y=\"14\">{message}</text>\n\
             </g>\n</svg>\n",
            inner = right - 3
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(verdict: &str, counts: Value) -> ReadReport {
        serde_json::from_value(json!({
            "proofmark": "0.1.0", "started": "2026-01-01T00:00:00Z",
            "target": { "name": "t", "url": "u" }, "verdict": verdict,
            "summary": { "requirements": counts }, "requirements": [], "scenarios": [],
        }))
        .unwrap()
    }

    #[test]
    fn a_badge_is_green_only_for_a_run_that_conforms() {
        let counts = json!({ "total": 9, "proven": 7, "violated": 2, "known_failures": 0 });
        for (verdict, color, message) in [
            ("conforms", "brightgreen", "7 of 9 proven"),
            ("violated", "red", "2 of 9 violated"),
            ("incomplete", "lightgrey", "incomplete"),
            ("harness_fault", "lightgrey", "no verdict"),
        ] {
            let badge = Badge::of(&report(verdict, counts.clone()));
            assert_eq!((badge.color, badge.message.as_str()), (color, message));
            assert!(badge.svg().contains(message));
            assert_eq!(badge.shields()["schemaVersion"], 1);
        }
        let known = json!({ "total": 9, "proven": 7, "violated": 2, "known_failures": 2 });
        let badge = Badge::of(&report("conforms", known));
        assert_eq!(badge.color, "yellow");
    }
}

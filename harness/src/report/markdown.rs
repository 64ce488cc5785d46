//! The Markdown report, for the summary page of a CI run: the verdict first, then each broken requirement with all it takes
//! to understand it, then what is not known and why.

use std::{collections::BTreeMap, fmt::Write as _};

use crate::{
    exit::Exit,
    suite::{
        RequirementResult, RequirementStatus, RunOutcome, ScenarioResult, StepFailure, Verdict,
    },
};

/// How many broken requirements are explained; a summary page takes a megabyte and a reader less.
const EXPLAINED: usize = 50;
/// How many characters of one text are shown.
const CHARACTERS_SHOWN: usize = 2000;
/// How many exchanges of a failed scenario are shown.
const EXCHANGES_SHOWN: usize = 2;

/// The report as text, with a line break at its end.
#[must_use]
pub fn render(outcome: &RunOutcome) -> String {
    let mut text = String::new();
    head(&mut text, outcome);
    let broken: Vec<&RequirementResult> = [RequirementStatus::Violated, RequirementStatus::Warned]
        .into_iter()
        .flat_map(|status| {
            outcome
                .requirements
                .iter()
                .filter(move |row| row.status == status && !row.known_failure)
        })
        .collect();
    for row in broken.iter().take(EXPLAINED) {
        block(&mut text, outcome, row);
    }
    if broken.len() > EXPLAINED {
        let _ = writeln!(
            text,
            "{} more are in the other reports.\n",
            broken.len() - EXPLAINED
        );
    }
    own_scenarios(&mut text, outcome);
    baseline(&mut text, outcome);
    unknown(
        &mut text,
        outcome,
        RequirementStatus::NotProven,
        "Not proven",
    );
    unknown(
        &mut text,
        outcome,
        RequirementStatus::NotApplicable,
        "Not applicable",
    );
    text
}

fn head(text: &mut String, outcome: &RunOutcome) {
    let (sign, verdict) = match outcome.verdict {
        Verdict::Conforms => ("✅", "conforms"),
        Verdict::Violated => ("❌", "violated"),
        Verdict::Incomplete => ("⚠️", "incomplete"),
        Verdict::HarnessFault => ("⚠️", "the harness is at fault"),
    };
    let target = &outcome.target;
    let _ = writeln!(
        text,
        "## {sign} Proofmark: {verdict} (exit {})\n",
        Exit::from(outcome.verdict) as u8
    );
    let revisions: Vec<String> = target.revisions.iter().map(ToString::to_string).collect();
    let _ = write!(
        text,
        "{} at {} · access {}",
        plain(&target.name),
        code(&target.url),
        target.access
    );
    if !revisions.is_empty() {
        let _ = write!(text, " · MCP {}", revisions.join(", "));
    }
    text.push_str("\n\n");
    if let Some(reason) = &outcome.reason {
        let _ = writeln!(text, "Nothing ran: {}\n", plain(reason));
    }
    let rows = outcome.requirement_counts();
    let runs = outcome.scenario_counts();
    let _ = writeln!(
        text,
        "| requirements | proven | violated | warned | not proven | known failures | not applicable |\n\
         |---|---|---|---|---|---|---|\n\
         | {} | {} | {} | {} | {} | {} | {} |\n\n\
         {} runs of scenarios, {} requests, {:.1} s.\n",
        rows.total,
        rows.proven,
        rows.violated,
        rows.warned,
        rows.not_proven,
        rows.known_failures,
        rows.not_applicable,
        runs.total,
        outcome.requests(),
        outcome.duration.as_secs_f32(),
    );
}

fn block(text: &mut String, outcome: &RunOutcome, row: &RequirementResult) {
    let sign = if row.status == RequirementStatus::Violated {
        "❌"
    } else {
        "⚠️"
    };
    let _ = writeln!(
        text,
        "### {sign} {} {}\n\n{}\n\nSource: {}\n",
        row.id,
        row.level,
        plain(&row.statement),
        plain(&row.source)
    );
    if let Some(reason) = &row.reason {
        let _ = writeln!(text, "Only a warning: {}\n", plain(reason));
    }
    let failed = outcome.failed().find(|result| {
        result.requirements.contains(&row.id) && !result.known_for.contains(&row.id)
    });
    if let Some(result) = failed {
        scenario(text, outcome, result);
    }
}

fn scenario(text: &mut String, outcome: &RunOutcome, result: &ScenarioResult) {
    let revision = result
        .revision
        .map_or(String::new(), |revision| format!(" in MCP {revision}"));
    let _ = writeln!(text, "{}{revision}\n", code(&result.id));
    if let Some(failure) = &result.failure {
        explanation(text, failure);
    }
    let _ = writeln!(text, "Run just this again:\n");
    fenced(text, &outcome.rerun_of(result));
}

fn explanation(text: &mut String, failure: &StepFailure) {
    let mut told = format!(
        "at        {}\nexpected  {}\nactual    {}",
        failure.step,
        shortened(&failure.expected),
        shortened(&failure.actual)
    );
    if let Some(hint) = &failure.hint {
        let _ = write!(told, "\nfix       {}", shortened(hint));
    }
    fenced(text, &told);
    let skipped = failure.exchange.len().saturating_sub(EXCHANGES_SHOWN);
    let exchange: Vec<String> = failure
        .exchange
        .iter()
        .skip(skipped)
        .map(|line| shortened(line))
        .collect();
    if !exchange.is_empty() {
        text.push_str("<details><summary>What was sent and received</summary>\n\n");
        fenced(text, &exchange.join("\n"));
        text.push_str("</details>\n\n");
    }
}

/// Failed scenarios of somebody's own that prove no requirement.
fn own_scenarios(text: &mut String, outcome: &RunOutcome) {
    for result in outcome.failed() {
        if result.requirements.is_empty() && !result.known_failure {
            let _ = writeln!(text, "### ❌ {}\n", plain(&result.name));
            scenario(text, outcome, result);
        }
    }
}

fn baseline(text: &mut String, outcome: &RunOutcome) {
    let Some(compared) = &outcome.baseline else {
        return;
    };
    if !compared.problems.is_empty() {
        text.push_str("### ❌ The baseline is out of date\n\n");
        for problem in &compared.problems {
            let _ = writeln!(text, "- {}", plain(&problem.message));
        }
        text.push('\n');
    }
    let known: Vec<&str> = outcome
        .requirements
        .iter()
        .filter(|row| row.known_failure)
        .map(|row| row.id.as_str())
        .collect();
    if !known.is_empty() {
        let _ = writeln!(
            text,
            "Known failures, accepted by {}: {}\n",
            code(&compared.path.display().to_string()),
            known.join(", ")
        );
    }
}

fn unknown(text: &mut String, outcome: &RunOutcome, status: RequirementStatus, heading: &str) {
    let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in &outcome.requirements {
        if row.status == status {
            by_reason
                .entry(row.reason.as_deref().unwrap_or("no reason is known"))
                .or_default()
                .push(&row.id);
        }
    }
    let count: usize = by_reason.values().map(Vec::len).sum();
    if count == 0 {
        return;
    }
    let _ = writeln!(
        text,
        "<details><summary>{heading}: {count} requirements</summary>\n"
    );
    for (reason, ids) in by_reason {
        let _ = writeln!(text, "- {}: {}", plain(reason), ids.join(", "));
    }
    text.push_str("\n</details>\n\n");
}

/// A block of text as it is, behind a fence that no line of it can close.
fn fenced(text: &mut String, body: &str) {
    let mut fence = "```".to_owned();
    while body.contains(&fence) {
        fence.push('`');
    }
    let _ = writeln!(text, "{fence}text\n{body}\n{fence}\n");
}

/// A text on one line whose signs are signs: what a server says formats nothing.
fn plain(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '\n' | '\r' => safe.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '!' => {
                safe.push('\\');
                safe.push(character);
            }
            _ => safe.push(character),
        }
    }
    safe
}

fn code(text: &str) -> String {
    format!("`{}`", text.replace(['`', '\n'], " "))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(CHARACTERS_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_says_formats_nothing_and_closes_no_fence() {
        assert_eq!(
            plain("<b>*x*</b>\n| [a](b)"),
            "&lt;b&gt;\\*x\\*&lt;/b&gt; \\| \\[a\\](b)"
        );
        let mut text = String::new();
        fenced(&mut text, "```\n# heading");
        assert!(
            text.starts_with("````text\n") && text.ends_with("````\n\n"),
            "{text}"
        );
    }
}

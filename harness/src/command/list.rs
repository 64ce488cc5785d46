//! Lists requirements, scenarios, faults, steps and profiles.

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::{Voice, run::profile};
use crate::{
    catalogue::{Catalogue, Profile},
    exit::Exit,
    report::printing::print,
    suite::Vocabulary,
};

/// Options of the command.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  proofmark list requirements --profile worthbase\n  proofmark list scenarios --format json"
)]
pub struct Arguments {
    /// What to list
    #[arg(value_enum)]
    what: What,
    /// For people or for machines
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Only what belongs to this profile (repeatable)
    #[arg(long = "profile", value_name = "NAME")]
    profiles: Vec<String>,
}

/// What can be listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// What is promised
    Requirements,
    /// What proves it
    Scenarios,
    /// What would break it
    Faults,
    /// The sentences that scenarios are made of
    Steps,
    /// The families of servers
    Profiles,
}

/// How data is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Lines for people
    #[default]
    Text,
    /// An array for machines
    Json,
}

/// One line of a list.
struct Line {
    id: String,
    detail: String,
    title: String,
    data: Value,
}

/// Runs the command to its end.
///
/// # Errors
/// When a profile does not exist.
pub fn run(arguments: &Arguments, voice: Voice) -> anyhow::Result<Exit> {
    let catalogue = Catalogue::embedded()?;
    let profiles: Vec<Profile> = arguments
        .profiles
        .iter()
        .map(|name| profile(name))
        .collect::<Result<_, _>>()?;
    let wanted = |of: Profile| profiles.is_empty() || profiles.contains(&of);
    let lines = match arguments.what {
        What::Requirements => requirements(&catalogue, &wanted),
        What::Scenarios => scenarios(&catalogue, &wanted),
        What::Faults => faults(&catalogue, &wanted),
        What::Steps => steps(&Vocabulary::of_the_harness()),
        What::Profiles => list_profiles(&catalogue, &wanted),
    };
    match arguments.format {
        Format::Json => {
            let data: Vec<Value> = lines.into_iter().map(|line| line.data).collect();
            print(serde_json::to_string_pretty(&data)? + "\n")?;
        }
        Format::Text => {
            let style = voice.style();
            let width = lines
                .iter()
                .map(|line| line.id.chars().count())
                .max()
                .unwrap_or(0);
            let mut text = String::new();
            for line in &lines {
                // The width is counted before colours are added, which have none.
                let padding = " ".repeat(width.saturating_sub(line.id.chars().count()));
                let detail = style.faint(&line.detail);
                let id = style.strong(&line.id);
                text += &format!("{id}{padding}  {detail}  {}\n", line.title);
            }
            print(text)?;
        }
    }
    Ok(Exit::Conforms)
}

fn requirements(catalogue: &Catalogue, wanted: &dyn Fn(Profile) -> bool) -> Vec<Line> {
    catalogue
        .requirements
        .values()
        .filter(|requirement| wanted(requirement.profile))
        .map(|requirement| {
            let id = requirement.id.as_str();
            let scenarios: Vec<&str> = catalogue
                .scenarios_of(id)
                .map(|scenario| scenario.id.as_str())
                .collect();
            let faults: Vec<&str> = catalogue
                .faults_of(id)
                .map(|fault| fault.id.as_str())
                .collect();
            Line {
                id: id.to_owned(),
                detail: format!("{:<6} {:<9}", requirement.level, requirement.profile),
                title: requirement.statement.clone(),
                data: json!({
                    "id": id, "profile": requirement.profile, "title": requirement.statement,
                    "level": requirement.level, "source": requirement.source, "needs": requirement.needs,
                    "revisions": requirement.revisions, "scenarios": scenarios, "faults": faults,
                }),
            }
        })
        .collect()
}

fn scenarios(catalogue: &Catalogue, wanted: &dyn Fn(Profile) -> bool) -> Vec<Line> {
    catalogue
        .scenarios
        .iter()
        .filter(|scenario| wanted(scenario.profile))
        .map(|scenario| Line {
            id: scenario.id.clone(),
            detail: scenario.requirements.join(" "),
            title: scenario.name.clone(),
            data: json!({
                "id": scenario.id, "profile": scenario.profile, "title": scenario.name,
                "feature": scenario.feature, "rule": scenario.rule, "requirements": scenario.requirements,
                "needs": scenario.access, "revisions": scenario.revisions, "isolated": scenario.isolated,
                "heavy": scenario.heavy, "file": scenario.file, "line": scenario.line,
            }),
        })
        .collect()
}

fn faults(catalogue: &Catalogue, wanted: &dyn Fn(Profile) -> bool) -> Vec<Line> {
    catalogue
        .faults
        .values()
        .filter(|fault| wanted(fault.profile))
        .map(|fault| Line {
            id: fault.id.clone(),
            detail: fault.requirements.join(" "),
            title: fault.title.clone(),
            data: json!({
                "id": fault.id, "profile": fault.profile, "title": fault.title, "seam": fault.seam,
                "requirements": fault.requirements, "report": fault.report,
            }),
        })
        .collect()
}

fn steps(vocabulary: &Vocabulary) -> Vec<Line> {
    let mut lines: Vec<Line> = vocabulary
        .phrases()
        .iter()
        .map(|phrase| Line {
            id: phrase.keyword().to_owned(),
            detail: String::new(),
            title: phrase.text(),
            data: json!({
                "id": format!("{} {}", phrase.keyword(), phrase.text()), "profile": null,
                "title": phrase.text(), "keyword": phrase.keyword(), "place": phrase.place(),
            }),
        })
        .collect();
    lines.sort_by(|left, right| (&left.id, &left.title).cmp(&(&right.id, &right.title)));
    lines
}

fn list_profiles(catalogue: &Catalogue, wanted: &dyn Fn(Profile) -> bool) -> Vec<Line> {
    Profile::NAMED
        .into_iter()
        .filter(|profile| wanted(*profile))
        .map(|profile| {
            let requirements = catalogue
                .requirements
                .values()
                .filter(|requirement| requirement.profile == profile)
                .count();
            let scenarios = catalogue
                .scenarios
                .iter()
                .filter(|scenario| scenario.profile == profile)
                .count();
            Line {
                id: profile.to_string(),
                detail: format!("{requirements:>4} requirements, {scenarios:>4} scenarios"),
                title: profile.title().to_owned(),
                data: json!({
                    "id": profile, "profile": profile, "title": profile.title(),
                    "requirements": requirements, "scenarios": scenarios,
                }),
            }
        })
        .collect()
}

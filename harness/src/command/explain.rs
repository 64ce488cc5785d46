//! Explains one requirement, scenario or fault.

use clap::Args;
use serde_json::{Value, json};

use super::{Refusal, Voice, list::Format};
use crate::{
    catalogue::{Catalogue, Fault, Requirement, Scenario},
    exit::Exit,
    report::{Style, printing::print},
    spec::address,
    suite::vocabulary::spoken,
};

/// Options of the command.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  proofmark explain PREVIEW-001")]
pub struct Arguments {
    /// Id of a requirement, scenario or fault
    id: String,
    /// For people or for machines
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command to its end.
///
/// # Errors
/// When nothing has the id.
pub fn run(arguments: &Arguments, voice: Voice) -> anyhow::Result<Exit> {
    let catalogue = Catalogue::embedded()?;
    let page = find(&catalogue, &arguments.id)?;
    match arguments.format {
        Format::Text => print(page.text(voice.style()))?,
        Format::Json => print(serde_json::to_string_pretty(&page.data)? + "\n")?,
    }
    Ok(Exit::Conforms)
}

/// An explanation: a title, labelled values, and the same as data.
struct Page {
    title: String,
    fields: Vec<(&'static str, String)>,
    data: Value,
}

impl Page {
    fn text(&self, style: Style) -> String {
        let mut text = format!("{}\n", style.strong(&self.title));
        for (label, value) in self.fields.iter().filter(|(_, value)| !value.is_empty()) {
            for (number, line) in value.lines().enumerate() {
                let label = if number == 0 { label } else { "" };
                text += &format!("  {} {line}\n", style.faint(format!("{label:<12}")));
            }
        }
        text
    }
}

fn find(catalogue: &Catalogue, id: &str) -> Result<Page, Refusal> {
    if let Some(requirement) = catalogue.requirements.get(id) {
        return Ok(requirement_page(catalogue, requirement));
    }
    if let Some(fault) = catalogue.faults.get(id) {
        return Ok(fault_page(fault));
    }
    if let Some(scenario) = catalogue
        .scenarios
        .iter()
        .find(|scenario| scenario.id == id)
    {
        return Ok(scenario_page(scenario));
    }
    let known = catalogue
        .requirements
        .keys()
        .chain(catalogue.faults.keys())
        .map(String::as_str)
        .chain(
            catalogue
                .scenarios
                .iter()
                .map(|scenario| scenario.id.as_str()),
        );
    Err(Refusal::unknown(
        "requirement, scenario or fault",
        id,
        known,
        "proofmark list requirements",
    ))
}

fn requirement_page(catalogue: &Catalogue, requirement: &Requirement) -> Page {
    let id = requirement.id.as_str();
    let scenarios: Vec<String> = catalogue
        .scenarios_of(id)
        .map(|scenario| format!("{} ({}:{})", scenario.id, scenario.file, scenario.line))
        .collect();
    let faults: Vec<String> = catalogue
        .faults_of(id)
        .map(|fault| format!("{}: {}", fault.id, fault.title))
        .collect();
    let revisions: Vec<String> = requirement
        .revisions
        .iter()
        .map(ToString::to_string)
        .collect();
    let data = json!({
        "id": id, "kind": "requirement", "profile": requirement.profile, "title": requirement.statement,
        "requirement": requirement,
        "scenarios": catalogue.scenarios_of(id).map(|scenario| &scenario.id).collect::<Vec<_>>(),
        "faults": catalogue.faults_of(id).map(|fault| &fault.id).collect::<Vec<_>>(),
    });
    Page {
        title: format!("{id} {} ({})", requirement.level, requirement.profile),
        fields: vec![
            ("statement", requirement.statement.clone()),
            ("source", requirement.source.clone()),
            ("revisions", revisions.join(", ")),
            ("needs", format!("access {}", requirement.needs)),
            ("shown by", requirement.check.clone()),
            ("notes", requirement.notes.clone().unwrap_or_default()),
            ("scenarios", scenarios.join("\n")),
            ("broken by", faults.join("\n")),
            (
                "page",
                format!("{} of `proofmark spec`", address::requirement(id)),
            ),
            ("try", format!("proofmark run --requirement {id}")),
        ],
        data,
    }
}

fn scenario_page(scenario: &Scenario) -> Page {
    let steps: Vec<String> = scenario
        .steps
        .iter()
        .map(|step| {
            let mut text = spoken(step);
            for row in step.table.iter().flat_map(|table| &table.rows) {
                text += &format!("\n  | {} |", row.join(" | "));
            }
            text
        })
        .collect();
    let mut needs = format!("access {}", scenario.access);
    if scenario.process {
        needs += ", a server that the suite starts and stops itself";
    }
    if scenario.heavy {
        needs += ", --all";
    }
    Page {
        title: scenario.name.clone(),
        fields: vec![
            ("id", scenario.id.clone()),
            ("feature", scenario.feature.clone()),
            ("rule", scenario.rule.clone().unwrap_or_default()),
            ("proves", scenario.requirements.join(", ")),
            ("needs", needs),
            ("file", format!("{}:{}", scenario.file, scenario.line)),
            ("steps", steps.join("\n")),
            ("try", format!("proofmark run --scenario {}", scenario.id)),
        ],
        data: json!({
            "id": scenario.id, "kind": "scenario", "profile": scenario.profile, "title": scenario.name,
            "requirements": scenario.requirements, "steps": steps,
        }),
    }
}

fn fault_page(fault: &Fault) -> Page {
    let change = match (&fault.rules, &fault.wire, &fault.edits) {
        (Some(rules), _, _) => format!("the reference server with rules {rules}"),
        (None, Some(wire), _) => format!("on the wire: {wire}"),
        (None, None, Some(edits)) => format!("on the wire: {edits}"),
        (None, None, None) => String::new(),
    };
    Page {
        title: format!("{} ({})", fault.id, fault.profile),
        fields: vec![
            ("fault", fault.title.clone()),
            ("breaks", fault.requirements.join(", ")),
            ("put in", change),
            ("seen in", fault.report.clone().unwrap_or_default()),
            ("try", format!("proofmark selftest --fault {}", fault.id)),
        ],
        data: json!({
            "id": fault.id, "kind": "fault", "profile": fault.profile, "title": fault.title, "fault": fault,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{catalogue::tests::row, embedded::Document};

    fn catalogue() -> Catalogue {
        let fault = "[anything-goes]\ntitle = \"Nothing is refused.\"\nprofile = \"worthbase\"\nrequirements = [\"A-001\"]\nseam = \"wire\"\nwire = \"anything\"\n";
        let feature =
            "Feature: F\n  @A-001\n  Scenario: It holds\n    Then it holds\n      | a | b |\n";
        Catalogue::read(
            &[Document::new("a.toml", &row("A-001", "MUST", ""))],
            &[Document::new("f.toml", fault)],
            &[Document::new("worthbase/f.feature", feature)],
        )
        .unwrap()
    }

    #[test]
    fn a_requirement_names_what_proves_and_what_breaks_it() {
        let text = find(&catalogue(), "A-001").unwrap().text(Style::PLAIN);
        for part in [
            "A-001 MUST (worthbase)",
            "worthbase/f/it-holds (worthbase/f.feature:3)",
            "anything-goes: Nothing is refused.",
            "proofmark run --requirement A-001",
        ] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[test]
    fn a_scenario_shows_its_steps_and_a_fault_what_it_breaks() {
        let text = find(&catalogue(), "worthbase/f/it-holds")
            .unwrap()
            .text(Style::PLAIN);
        assert!(
            text.contains("Then it holds\n") && text.contains("| a | b |"),
            "{text}"
        );
        let text = find(&catalogue(), "anything-goes")
            .unwrap()
            .text(Style::PLAIN);
        assert!(text.contains("breaks       A-001"), "{text}");
    }

    #[test]
    fn an_unknown_id_is_refused_with_a_proposal() {
        let refusal = find(&catalogue(), "A-002").map(|_| ()).unwrap_err();
        assert!(
            refusal.to_string().contains("did you mean A-001?"),
            "{refusal}"
        );
    }
}

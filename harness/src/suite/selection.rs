//! The selection: which scenarios a run consists of, and why the others are left out.

use cucumber::{gherkin::tagexpr::TagOperation, tag::Ext as _};

use crate::{
    catalogue::{Catalogue, Profile, Requirement, Scenario, Tier},
    client::Revision,
    suite::Stage,
    target::{Access, Bearing, Facts, Kind, Target},
};

/// What the user chose. Empty lists choose everything.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Whose servers.
    pub profiles: Vec<Profile>,
    /// Requirements by id.
    pub requirements: Vec<String>,
    /// Scenarios by id, or by a part of their id or name, in any case of letters.
    pub scenarios: Vec<String>,
    /// An expression such as `@isolated and not @heavy`.
    pub tags: Option<TagOperation>,
    /// Revisions of the protocol to speak.
    pub revisions: Vec<Revision>,
    /// Whether the heavy scenarios run too.
    pub heavy: bool,
    /// Whether scenarios about the protocol take turns too, where one run shall show that they notice a fault at all.
    pub brief: bool,
}

/// What can be shown about a target at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// How much control over the target there is.
    pub access: Access,
    /// Whether the suite starts the target itself and so can kill it.
    pub process: bool,
    /// Whether the target claims our own contract.
    pub contract: bool,
    /// Whether it is spoken to over HTTP.
    pub http: bool,
    /// Whether it is a program, or comes with one, that speaks over its standard streams.
    pub stdio: bool,
    /// Whether that program has a command that imports a statement.
    pub import: bool,
    /// Whether it offers the payables service beside another one.
    pub kobana: bool,
    /// Whether scenarios may call tools that write.
    pub writes: bool,
    /// What the target declares about itself.
    pub facts: Facts,
}

impl Reach {
    /// What can be shown about this target.
    #[must_use]
    pub fn of(target: &Target) -> Self {
        Self {
            access: target.access,
            process: target.kind != Kind::Url,
            contract: target.contract.is_some(),
            http: target.kind != Kind::Stdio,
            stdio: matches!(target.kind, Kind::Reference | Kind::Stdio),
            import: target.kind == Kind::Reference,
            kobana: target.kind == Kind::Reference,
            // Who trusts our authorization server is there to be tested; anybody else may be in use.
            writes: target.kind != Kind::Url || target.access >= Access::MockAs,
            facts: Facts::default(),
        }
    }

    /// What can be shown about the target of this stage.
    #[must_use]
    pub fn of_stage(stage: &Stage) -> Self {
        let of_the_target = Self::of(&stage.shared.target);
        Self {
            import: stage.launcher.imports(),
            writes: stage.shared.writes || of_the_target.writes,
            facts: stage.shared.facts.clone(),
            ..of_the_target
        }
    }

    /// Everything that can be shown about any target.
    #[must_use]
    pub fn everything() -> Self {
        Self {
            access: Access::Control,
            process: true,
            contract: true,
            http: true,
            stdio: true,
            import: true,
            kobana: true,
            writes: true,
            facts: Facts::default(),
        }
    }

    /// Whether the target can serve this profile at all.
    fn serves(&self, profile: Profile) -> bool {
        match profile {
            Profile::Finanpy => self.stdio,
            Profile::Core | Profile::Worthbase | Profile::Kobana => self.http,
            Profile::Own => true,
        }
    }
}

/// One scenario in one revision.
#[derive(Debug, Clone, Copy)]
pub struct PlannedRun<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The revision it speaks.
    pub revision: Revision,
}

/// Why a chosen scenario does not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeftOut {
    /// It is heavy.
    Heavy,
    /// It needs more than there is; the text says what.
    OutOfReach(String),
    /// It speaks of our own contract, which the target does not claim.
    NoContract,
    /// It speaks of something that the target declares not to offer; the text says so.
    NotOffered(String),
}

impl LeftOut {
    /// The reason in words.
    #[must_use]
    pub fn reason(&self) -> String {
        match self {
            Self::Heavy => "heavy: runs with --all".to_owned(),
            Self::NotOffered(reason) => reason.clone(),
            Self::OutOfReach(needed) => format!("out of reach: needs {needed}"),
            Self::NoContract => {
                "speaks of the worthbase/1 contract, which this target does not claim".to_owned()
            }
        }
    }
}

/// A run before it is run.
#[derive(Debug, Clone)]
pub struct Plan<'a> {
    /// What runs, in the order of the catalogue, each scenario in all its revisions.
    pub runs: Vec<PlannedRun<'a>>,
    /// What was chosen but does not run.
    pub left_out: Vec<(&'a Scenario, LeftOut)>,
    /// The requirements that the run speaks about.
    pub requirements: Vec<&'a Requirement>,
}

impl Selection {
    /// Plans a run against a target within reach.
    #[must_use]
    pub fn plan<'a>(&self, catalogue: &'a Catalogue, reach: &Reach) -> Plan<'a> {
        let mut runs = Vec::new();
        let mut left_out = Vec::new();
        let chosen: Vec<&Scenario> = catalogue
            .scenarios
            .iter()
            .filter(|scenario| self.chooses(scenario))
            // Who names nothing wants all that the target can serve.
            .filter(|scenario| self.names_something() || reach.serves(scenario.profile))
            // A server that is spoken to over HTTP is taken for one of payables only where somebody says so.
            .filter(|scenario| {
                scenario.profile != Profile::Kobana || reach.kobana || self.names_something()
            })
            .collect();
        for scenario in &chosen {
            let revisions: Vec<Revision> = scenario
                .revisions
                .iter()
                .copied()
                .filter(|revision| self.revisions.is_empty() || self.revisions.contains(revision))
                .filter(|revision| applies_in(catalogue, scenario, *revision))
                .collect();
            if revisions.is_empty() {
                continue;
            }
            let revisions = if self.takes_turns(catalogue, scenario, &revisions) {
                vec![turn(scenario, &revisions)]
            } else {
                revisions
            };
            match self.obstacle(catalogue, scenario, reach) {
                Some(obstacle) => left_out.push((*scenario, obstacle)),
                None => runs.extend(
                    revisions
                        .into_iter()
                        .map(|revision| PlannedRun { scenario, revision }),
                ),
            }
        }
        let requirements = catalogue
            .requirements
            .values()
            .filter(|requirement| requirement.judges_servers())
            .filter(|requirement| self.speaks_about(requirement, &chosen))
            .collect();
        Plan {
            runs,
            left_out,
            requirements,
        }
    }

    /// Whether a part of the scenarios was picked out, so that a requirement may be shown in part only.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        !self.scenarios.is_empty() || self.tags.is_some()
    }

    /// Whether profiles, requirements or scenarios were named, so that each of them is worth an answer.
    fn names_something(&self) -> bool {
        !(self.profiles.is_empty() && self.requirements.is_empty() && self.scenarios.is_empty())
    }

    fn chooses(&self, scenario: &Scenario) -> bool {
        let profile = self.profiles.is_empty()
            || scenario.profile == Profile::Own
            || self.profiles.contains(&scenario.profile);
        let requirement = self.requirements.is_empty()
            || scenario
                .requirements
                .iter()
                .any(|id| self.requirements.contains(id));
        let name =
            self.scenarios.is_empty() || self.scenarios.iter().any(|text| names(text, scenario));
        let tags = self
            .tags
            .as_ref()
            .is_none_or(|expression| expression.eval(scenario.tags.iter()));
        profile && requirement && name && tags
    }

    /// Whether a scenario runs in one of these revisions only: what it says of money, people and books, no revision of
    /// the protocol changes. With `--all` or named revisions everything runs in all of them.
    fn takes_turns(
        &self,
        catalogue: &Catalogue,
        scenario: &Scenario,
        revisions: &[Revision],
    ) -> bool {
        let holds_in_all = |requirement: &Requirement| {
            revisions
                .iter()
                .all(|revision| requirement.revisions.contains(revision))
        };
        self.revisions.is_empty()
            && !self.heavy
            && (self.brief || !scenario.every_revision)
            && scenario
                .requirements
                .iter()
                .filter_map(|id| catalogue.requirements.get(id))
                .all(holds_in_all)
    }

    fn obstacle(
        &self,
        catalogue: &Catalogue,
        scenario: &Scenario,
        reach: &Reach,
    ) -> Option<LeftOut> {
        if let Some(reason) = not_offered(catalogue, scenario, reach) {
            return Some(LeftOut::NotOffered(reason));
        }
        if scenario.contract && !reach.contract {
            return Some(LeftOut::NoContract);
        }
        if !reach.serves(scenario.profile) {
            let needed = if reach.http {
                "a program that speaks over stdio (--stdio)"
            } else {
                "a server that speaks over HTTP (--url or --command)"
            };
            return Some(LeftOut::OutOfReach(needed.to_owned()));
        }
        if scenario.import && !reach.import {
            return Some(LeftOut::OutOfReach(
                "a command that imports a statement (--import)".to_owned(),
            ));
        }
        if scenario.profile == Profile::Finanpy && scenario.access > reach.access {
            let needed = match scenario.access {
                Access::Control => "a clock that can be steered: {control} or {now} in the command",
                _ => "a data folder of its own for each scenario: {data} in the command",
            };
            return Some(LeftOut::OutOfReach(format!(
                "{needed}, or --access {}",
                scenario.access
            )));
        }
        if scenario.access > reach.access {
            return Some(LeftOut::OutOfReach(format!(
                "access `{}`, there is `{}`",
                scenario.access, reach.access
            )));
        }
        if scenario.fresh && !reach.process {
            return Some(LeftOut::OutOfReach(
                "a server that was just started, which the suite does itself (--command)"
                    .to_owned(),
            ));
        }
        if scenario.process && !reach.process {
            return Some(LeftOut::OutOfReach(
                "a server that the suite starts and stops itself (--command)".to_owned(),
            ));
        }
        if scenario.writes && !reach.writes {
            return Some(LeftOut::OutOfReach(
                "leave to write to a server in use (--allow-writes)".to_owned(),
            ));
        }
        (scenario.heavy && !self.heavy).then_some(LeftOut::Heavy)
    }

    fn speaks_about(&self, requirement: &Requirement, chosen: &[&Scenario]) -> bool {
        let named = chosen
            .iter()
            .any(|scenario| scenario.requirements.contains(&requirement.id));
        let revision = self.revisions.is_empty()
            || requirement
                .revisions
                .iter()
                .any(|revision| self.revisions.contains(revision));
        let whole_profile = !self.is_partial()
            && (self.profiles.is_empty() || self.profiles.contains(&requirement.profile));
        revision
            && if self.requirements.is_empty() {
                named || whole_profile && chosen.iter().any(|s| s.profile == requirement.profile)
            } else {
                self.requirements.contains(&requirement.id)
            }
    }
}

/// Whether a text given by the user names a scenario: its id, or a part of its id or name.
#[must_use]
pub fn names(text: &str, scenario: &Scenario) -> bool {
    let wanted = text.to_lowercase();
    scenario.id == wanted
        || scenario.id.contains(&wanted)
        || scenario.name.to_lowercase().contains(&wanted)
}

/// A scenario runs in a revision only if one of its requirements holds there; one without requirements runs in all.
fn applies_in(catalogue: &Catalogue, scenario: &Scenario, revision: Revision) -> bool {
    let mut known = scenario
        .requirements
        .iter()
        .filter_map(|id| catalogue.requirements.get(id))
        .peekable();
    known.peek().is_none() || known.any(|requirement| requirement.revisions.contains(&revision))
}

/// Why a scenario says nothing about a target: nothing that it proves is offered there.
fn not_offered(catalogue: &Catalogue, scenario: &Scenario, reach: &Reach) -> Option<String> {
    let mut reason = None;
    for requirement in scenario
        .requirements
        .iter()
        .filter_map(|id| catalogue.requirements.get(id))
    {
        match reach.facts.bearing(requirement, reach.access) {
            Bearing::NotOffered(why) => reason = Some(why),
            Bearing::Applies | Bearing::Undeclared(_) => return None,
        }
    }
    reason
}

/// The revision whose turn it is: always the same for one scenario, and about as often each over many.
fn turn(scenario: &Scenario, revisions: &[Revision]) -> Revision {
    let sum: usize = scenario.id.bytes().map(usize::from).sum();
    revisions[sum % revisions.len()]
}

/// Whether a requirement does not apply to a target because it is a choice of our own contract.
#[must_use]
pub fn is_choice_of_ours(requirement: &Requirement) -> bool {
    requirement.tier == Some(Tier::X)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{catalogue::tests::row, embedded::Document};

    const FEATURE: &str = "Feature: F\n  @A-001\n  Scenario: Light\n  @A-001 @heavy\n  Scenario: Heavy\n  @B-001 @needs-process\n  Scenario: Killed\n  @B-001 @contract @rev-2026-07-28\n  Scenario: Ours\n";

    fn catalogue() -> Catalogue {
        let rows = row("A-001", "MUST", "") + &row("B-001", "SHOULD", "");
        Catalogue::read(
            &[Document::new("a.toml", &rows)],
            &[],
            &[Document::new("worthbase/f.feature", FEATURE)],
        )
        .unwrap()
    }

    fn planned(plan: &Plan<'_>) -> Vec<String> {
        plan.runs
            .iter()
            .map(|run| format!("{} {}", run.scenario.name, run.revision))
            .collect()
    }

    #[test]
    fn with_all_a_scenario_runs_in_every_revision_in_which_a_requirement_of_it_holds() {
        let catalogue = catalogue();
        let everything = Selection {
            heavy: true,
            ..Selection::default()
        };
        let plan = everything.plan(&catalogue, &Reach::everything());
        assert_eq!(
            planned(&plan),
            [
                "Light 2025-11-25",
                "Light 2026-07-28",
                "Heavy 2025-11-25",
                "Heavy 2026-07-28",
                "Killed 2025-11-25",
                "Killed 2026-07-28",
                "Ours 2026-07-28"
            ]
        );
        assert_eq!(plan.left_out.len(), 0);
        assert_eq!(plan.requirements.len(), 2);
    }

    #[test]
    fn by_default_a_scenario_about_the_domain_runs_in_one_revision_and_one_about_the_protocol_in_all()
     {
        let rows = row("A-001", "MUST", "");
        let feature = "@A-001\nFeature: F\n  Scenario: Money\n  Scenario: Moneys\n  @every-revision\n  Scenario: Offer\n";
        let read = |path: &str| {
            Catalogue::read(
                &[Document::new("a.toml", &rows)],
                &[],
                &[Document::new(path, feature)],
            )
            .unwrap()
        };
        let domain = read("worthbase/f.feature");
        assert_eq!(
            planned(&Selection::default().plan(&domain, &Reach::everything())),
            [
                "Money 2026-07-28",
                "Moneys 2025-11-25",
                "Offer 2025-11-25",
                "Offer 2026-07-28"
            ]
        );
        let core = read("core/f.feature");
        let plan = Selection::default().plan(&core, &Reach::everything());
        assert_eq!(plan.runs.len(), 6);
        let brief = Selection {
            brief: true,
            ..Selection::default()
        };
        assert_eq!(brief.plan(&core, &Reach::everything()).runs.len(), 3);
    }

    #[test]
    fn a_scenario_takes_no_turns_where_one_of_its_requirements_holds_in_some_revisions_only() {
        let newest = row("A-001", "MUST", "").replace("\"2025-11-25\", ", "");
        let rows = newest + &row("B-001", "MUST", "");
        let catalogue = Catalogue::read(
            &[Document::new("a.toml", &rows)],
            &[],
            &[Document::new(
                "worthbase/f.feature",
                "@A-001 @B-001\nFeature: F\n  Scenario: Money\n",
            )],
        )
        .unwrap();
        let plan = Selection::default().plan(&catalogue, &Reach::everything());
        assert_eq!(planned(&plan), ["Money 2025-11-25", "Money 2026-07-28"]);
    }

    #[test]
    fn what_the_access_cannot_show_is_left_out_with_what_it_needs() {
        let catalogue = catalogue();
        let reach = Reach {
            access: Access::Token,
            process: false,
            contract: false,
            ..Reach::everything()
        };
        let plan = Selection {
            heavy: true,
            ..Selection::default()
        }
        .plan(&catalogue, &reach);
        assert_eq!(planned(&plan), [""; 0]);
        let reasons: Vec<String> = plan.left_out.iter().map(|(_, why)| why.reason()).collect();
        assert_eq!(
            reasons[0],
            "out of reach: needs access `mock-as`, there is `token`"
        );
        assert!(reasons[3].contains("worthbase/1"));
    }

    #[test]
    fn a_profile_runs_only_where_its_wire_is_and_is_told_of_only_when_it_was_named() {
        let rows =
            row("A-001", "MUST", "").replace("worthbase", "finanpy") + &row("B-001", "MUST", "");
        let feature = "Feature: F\n  @A-001\n  Scenario: Over stdio\n  @A-001 @needs-import\n  Scenario: Imported\n";
        let catalogue = Catalogue::read(
            &[Document::new("a.toml", &rows)],
            &[],
            &[
                Document::new("finanpy/f.feature", feature),
                Document::new(
                    "worthbase/f.feature",
                    "Feature: F\n  @B-001\n  Scenario: Over HTTP\n",
                ),
            ],
        )
        .unwrap();
        let only = |http, stdio, import| Reach {
            http,
            stdio,
            import,
            ..Reach::everything()
        };
        let names = |plan: &Plan<'_>| -> Vec<String> {
            let mut names: Vec<String> = plan
                .runs
                .iter()
                .map(|run| run.scenario.name.clone())
                .collect();
            names.dedup();
            names
        };
        let all = Selection::default();
        let url = all.plan(&catalogue, &only(true, false, false));
        assert_eq!(names(&url), ["Over HTTP"]);
        assert_eq!((url.left_out.len(), url.requirements.len()), (0, 1));
        let program = all.plan(&catalogue, &only(false, true, false));
        assert_eq!(names(&program), ["Over stdio"]);
        assert!(program.left_out[0].1.reason().contains("--import"));
        let named = Selection {
            profiles: vec![Profile::Finanpy],
            ..Selection::default()
        };
        let left_out = named.plan(&catalogue, &only(true, false, false)).left_out;
        assert_eq!(left_out.len(), 2);
        assert!(left_out[0].1.reason().contains("--stdio"));
    }

    #[test]
    fn filters_combine() {
        let catalogue = catalogue();
        let selection = Selection {
            scenarios: vec!["OURS".to_owned(), "worthbase/f/killed".to_owned()],
            tags: Some("not @contract".parse().unwrap()),
            revisions: vec![Revision::V2026_07_28],
            ..Selection::default()
        };
        let plan = selection.plan(&catalogue, &Reach::everything());
        assert_eq!(planned(&plan), ["Killed 2026-07-28"]);
        assert_eq!(plan.requirements.len(), 1);
    }
}

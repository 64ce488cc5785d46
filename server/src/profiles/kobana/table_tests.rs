//! The published decision table, cell by cell, and every rule defect: each changes a cell of it.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::Value;

use super::*;
use crate::providers::Workspace;

const ONE: &str = "11111111-1111-4111-8111-111111111111";
const TWO: &str = "22222222-2222-4222-8222-222222222222";
const UNREACHED: &str = "33333333-3333-4333-8333-333333333333";
const NOWHERE: &str = "44444444-4444-4444-8444-444444444444";

static TABLE: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!(
        "../../../../fixtures/kobana/decision-table.json"
    ))
    .unwrap()
});

fn axes(name: &str) -> Axes {
    super::super::contract::tool_table()
        .unwrap()
        .find(name)
        .unwrap()
        .axes
        .clone()
        .unwrap()
}

fn known(state: &str, permissions: Vec<String>) -> Option<Known> {
    let workspaces = match state {
        "active_one_workspace_default" => vec![ONE],
        "active_no_workspace" => vec![],
        _ => vec![ONE, TWO],
    };
    let membership = match state {
        "lookup_failed" => return None,
        "suspended" => MembershipState::Suspended,
        "invited" => MembershipState::Invited,
        "removed" => MembershipState::Removed,
        "never_joined" => MembershipState::NeverJoined,
        _ => MembershipState::Active,
    };
    Some(Known {
        organization: Organization {
            id: "org".to_owned(),
            workspaces: [ONE, TWO, UNREACHED]
                .map(|id| Workspace {
                    id: id.to_owned(),
                    name: "W".to_owned(),
                })
                .into(),
            channels: crate::providers::Channels::default(),
        },
        member: (state != "not_member").then(|| Member {
            state: membership,
            permissions,
            workspaces: workspaces.into_iter().map(str::to_owned).collect(),
        }),
    })
}

/// Every cell in which a server with these rules does something else than the table allows.
fn differences(rules: &KobanaRules) -> Vec<String> {
    let order: Vec<(String, Axes)> = TABLE["tool_order"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| {
            (
                name.as_str().unwrap().to_owned(),
                axes(name.as_str().unwrap()),
            )
        })
        .collect();
    let codes: HashMap<&str, &str> = HashMap::from([
        ("ok", "ok"),
        ("S", "insufficient_scope"),
        ("P", "insufficient_permission"),
        ("R", "workspace_required"),
        ("D", "workspace_access_denied"),
        ("M", "membership_inactive"),
        ("X", "any"),
    ]);
    let mut wrong = Vec::new();
    for row in TABLE["rows"].as_array().unwrap() {
        let claim = TABLE["scopes"][row[0].as_u64().unwrap() as usize].as_str();
        let words: Vec<String> = claim
            .unwrap_or_default()
            .split(' ')
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        let (set, state) = (row[1].as_str().unwrap(), row[2].as_str().unwrap());
        let permissions = serde_json::from_value(TABLE["permission_sets"][set].clone()).unwrap();
        let standing = Standing {
            scope: Scope::read(&words, claim.is_some(), &rules.scope),
            known: known(state, permissions),
        };
        let argument = match state {
            "active_many_arg_reachable" => Some(TWO),
            "active_arg_unreachable" => Some(UNREACHED),
            "active_arg_nonexistent" | "active_arg_other_org" => Some(NOWHERE),
            _ => None,
        };
        let header = match state {
            "active_many_header_reachable" => Some(TWO.to_owned()),
            "active_header_unreachable" => Some(UNREACHED.to_owned()),
            _ => None,
        };
        let selectors = Selectors {
            header,
            address: None,
        };
        let bits = row[3].as_str().unwrap().as_bytes();
        let cells = row[4].as_str().unwrap().split(' ');
        for (((name, tool), cell), bit) in order.iter().zip(cells).zip(bits) {
            let decided = decide(tool, &standing, argument, &selectors, rules);
            let outcome = match &decided {
                Ok(_) => "ok",
                Err(denial) => denial.code(&rules.answers),
            };
            let allowed = cell
                .trim_end_matches(['~', '?'])
                .split(['+', '|'])
                .flat_map(|part| match part.len() {
                    2 if part != "ok" => part.chars().map(|code| code.to_string()).collect(),
                    3.. => part.chars().map(|code| code.to_string()).collect(),
                    _ => vec![part.to_owned()],
                })
                .any(|code| match codes[code.as_str()] {
                    "any" => outcome != "ok",
                    code => code == outcome,
                });
            let visible = listed(tool, &standing, rules);
            if !allowed || visible != (*bit == b'1') {
                wrong.push(format!(
                    "{claim:?} {set} {state} {name}: {outcome} (listed {visible}), table {cell} {}",
                    char::from(*bit)
                ));
            }
        }
    }
    wrong
}

#[test]
fn the_correct_rules_agree_with_every_cell() {
    let wrong = differences(&KobanaRules::default());
    assert!(
        wrong.is_empty(),
        "{} cells, such as {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(12)]
    );
}

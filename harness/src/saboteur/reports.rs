//! Edits of the reports: what a careless server asks of itself, and what it makes of its own figures.

use serde_json::{Map, Value, json};

use super::{
    WireFault,
    exchange::{Answer, Request, each_object},
    fault::remove,
};

/// Changes what is asked of a report. Returns whether it did.
pub fn edit_request(fault: WireFault, request: &mut Request) -> bool {
    let tool = request.tool().unwrap_or_default();
    let asks = |name: &str| tool == name;
    match fault {
        WireFault::HistorySwapsDates if asks("get_history") => request.edit_arguments(|asked| {
            let (from, to) = (asked["from"].clone(), asked["to"].clone());
            if from.as_str() > to.as_str() {
                (asked["from"], asked["to"]) = (to, from);
            }
        }),
        WireFault::SimulatesOneUnit if asks("simulate_sale") => request.edit_arguments(|asked| {
            if asked.get("units").is_none() && asked.get("amount").is_none() {
                asked["units"] = json!("1");
            }
        }),
        WireFault::PartsAreWhole if asks("simulate_sale") => {
            drop_arguments(request, &["units", "percent"])
        }
        WireFault::AmountBeatsPrice if asks("simulate_sale") => request.edit_arguments(|asked| {
            if asked.get("amount").is_some() {
                remove(asked, "price");
            }
        }),
        WireFault::PlanKindsUnchecked => request.edit_arguments(|asked| {
            let known = match tool.as_str() {
                "set_goal" => ["net_worth", "debt", "debt"],
                "set_loss" => ["business", "capital", "rental"],
                _ => return,
            };
            if let Some(kind) = asked.get("kind").and_then(Value::as_str)
                && !known.contains(&kind)
            {
                asked["kind"] = json!(known[1]);
            }
        }),
        WireFault::UnknownGroupIgnored if asks("get_net_worth") => {
            request.edit_arguments(|asked| {
                let known = ["class", "kind", "party", "account", "item"];
                if asked
                    .get("by")
                    .and_then(Value::as_str)
                    .is_some_and(|by| !known.contains(&by))
                {
                    remove(asked, "by");
                }
            })
        }
        _ => false,
    }
}

fn drop_arguments(request: &mut Request, names: &[&str]) -> bool {
    request.edit_arguments(|asked| names.iter().for_each(|name| remove(asked, name)))
}

/// Changes what a report says. Returns whether it did.
pub fn edit_answer(fault: WireFault, request: &Request, answer: &mut Answer) -> bool {
    let tool = request.tool().unwrap_or_default();
    let edit: fn(&mut Value) = match (fault, tool.as_str()) {
        (WireFault::TaxEstimated, "simulate_sale") => |said| {
            if said.get("gain").is_some() {
                said["estimated_tax"] = json!("0");
            }
        },
        (WireFault::UnlinkedLoanHidden, "get_debt_report") => |said| {
            retain(said, "loans", |loan| {
                let linked = |list: &str| loan[list].as_array().is_some_and(|all| !all.is_empty());
                linked("secured_by") || linked("offsets")
            });
        },
        (WireFault::LossKindsTogether, "get_losses") => |said| {
            for totals in elements(said, "totals") {
                let whole = totals["remaining"].clone();
                for kind in elements(totals, "kinds") {
                    kind["remaining"] = whole.clone();
                }
            }
        },
        (WireFault::UsedNotTakenOff, "get_losses") => |said| {
            for loss in elements(said, "losses") {
                loss["remaining"] = loss["amount"].clone();
            }
        },
        (WireFault::ReachedNotOnPace, "get_goals") => |said| {
            for goal in elements(said, "goals") {
                if goal["reached"] == json!(true) {
                    goal["on_pace"] = json!(false);
                }
            }
        },
        (WireFault::OnPaceWithoutDate, "get_goals") => |said| {
            for goal in elements(said, "goals") {
                if goal.get("by").is_none() {
                    goal["on_pace"] = json!(true);
                }
            }
        },
        (WireFault::EmptyRangeMovesByZero, "get_history") => |said| {
            if said["points"] == json!([]) {
                said["change"] = json!({ "amount": "0", "ratio": "0", "currency": "USD" });
            }
        },
        (WireFault::NothingInvestedIsZero, "get_performance") => |said| {
            each_object(said, &|members: &mut Map<String, Value>| {
                if let Some(rate) = members
                    .get_mut("simple_return")
                    .filter(|rate| rate.is_null())
                {
                    *rate = json!("0");
                }
            });
        },
        (WireFault::ReadsDiffer, "get_net_worth") => |said| {
            said["answer"] = json!(format!("{}", ulid::Ulid::new()));
        },
        (WireFault::WriteSaysTheWhole, _) => |said| {
            if let Some(after) = said.pointer("/net_worth/after").cloned() {
                said["net_worth"]["change"] = after;
            }
        },
        _ => return false,
    };
    answer.edit_tool_result(edit)
}

/// The elements of a list in a document; none where there is no such list.
fn elements<'a>(said: &'a mut Value, list: &str) -> impl Iterator<Item = &'a mut Value> {
    let list = said.get_mut(list).and_then(Value::as_array_mut);
    list.into_iter().flatten()
}

fn retain(said: &mut Value, list: &str, keep: impl Fn(&Value) -> bool) {
    if let Some(list) = said.get_mut(list).and_then(Value::as_array_mut) {
        list.retain(keep);
    }
}

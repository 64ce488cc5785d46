//! Edits of what a server offers to read: the guide, the prompts, the list of batches.

use serde_json::{Map, Value, json};

use super::{
    WireFault,
    exchange::{Answer, Request},
    figures,
};

/// How an example begins and ends in the guide.
const EXAMPLE: &str = "```json\n";
const END: &str = "```";

/// Changes the text of a resource.
pub fn edit_guide(fault: WireFault, request: &Request, result: &mut Map<String, Value>) {
    let reader = request.bearer().unwrap_or_default().to_owned();
    let parts = result.get_mut("contents").and_then(Value::as_array_mut);
    for part in parts.into_iter().flatten() {
        let Some(text) = part["text"].as_str() else {
            continue;
        };
        part["text"] = json!(match fault {
            WireFault::GuideEmpty => "# Recording".to_owned(),
            WireFault::GuideWithoutExamples => each_example(text, |_| None),
            WireFault::GuideWithNumbers => each_example(text, |example| {
                let mut example: Value = serde_json::from_str(example).ok()?;
                figures::numbers_for_decimals(&mut example);
                serde_json::to_string_pretty(&example).ok()
            }),
            WireFault::GuideWithoutAliases => text
                .lines()
                .filter(|line| !line.starts_with('|'))
                .map(|line| format!("{line}\n"))
                .collect(),
            WireFault::GuideNamesReader => {
                let tail = reader
                    .get(reader.len().saturating_sub(8)..)
                    .unwrap_or_default();
                format!("{text}\nRead by {tail}.\n")
            }
            _ => text.to_owned(),
        });
    }
}

/// The guide with each example replaced, or taken out.
fn each_example(text: &str, edit: impl Fn(&str) -> Option<String>) -> String {
    let mut parts = text.split(EXAMPLE);
    let mut edited = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (example, rest) = part.split_once(END).unwrap_or((part, ""));
        if let Some(example) = edit(example) {
            edited.push_str(EXAMPLE);
            edited.push_str(&example);
            edited.push_str(END);
        }
        edited.push_str(rest);
    }
    edited
}

/// Changes the text of a prompt. Returns whether it did.
pub fn edit_prompt(fault: WireFault, request: &Request, answer: &mut Answer) -> bool {
    let asked = request.json().unwrap_or_default();
    let name = asked["params"]["name"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let described = asked.pointer("/params/arguments/description").is_some();
    match fault {
        WireFault::PromptRequiresDescription if name == "import_document" && !described => answer
            .edit_json(|document| {
                if let Some(members) = document.as_object_mut() {
                    members.remove("result");
                    let error = json!({"code": -32602, "message": "description is required"});
                    members.insert("error".into(), error);
                }
            }),
        WireFault::PromptCommitsUnasked if name == "import_document" => {
            answer.edit_result(|result| each_line(result, &["ask whether", "confirmed"]))
        }
        WireFault::UpdateWithoutStale if name == "monthly_update" => {
            answer.edit_result(|result| each_line(result, &["stale"]))
        }
        _ => false,
    }
}

/// Leaves out the lines of a prompt that hold one of `words`.
fn each_line(result: &mut Map<String, Value>, words: &[&str]) {
    let messages = result.get_mut("messages").and_then(Value::as_array_mut);
    for message in messages.into_iter().flatten() {
        if let Some(text) = message["content"]["text"].as_str() {
            let kept: String = text
                .lines()
                .filter(|line| !words.iter().any(|word| line.contains(word)))
                .map(|line| format!("{line}\n"))
                .collect();
            message["content"]["text"] = json!(format!("{kept}Call `record`, then `commit`."));
        }
    }
}

/// Leaves out the batches that were undone.
pub fn hide_undone(said: &mut Value) {
    if let Some(batches) = said.get_mut("batches").and_then(Value::as_array_mut) {
        batches.retain(|batch| batch["status"] != "undone");
    }
}

/// Members of arguments that hold an id, with the prefix it must have.
const PREFIXES: [(&str, &str); 4] = [
    ("item", "itm"),
    ("party", "pty"),
    ("account", "acc"),
    ("batch", "bat"),
];

/// Gives every id the prefix of the place it stands in.
pub fn fitting_prefixes(document: &mut Value) {
    if let Some(elements) = document.as_array_mut() {
        elements.iter_mut().for_each(fitting_prefixes);
    }
    let Some(members) = document.as_object_mut() else {
        return;
    };
    for (name, member) in members.iter_mut() {
        let prefix = PREFIXES.iter().find(|(known, _)| known == name);
        let number = member.as_str().and_then(|id| id.split_once('_'));
        match (prefix, number) {
            (Some((_, prefix)), Some((_, number))) => *member = json!(format!("{prefix}_{number}")),
            _ => fitting_prefixes(member),
        }
    }
}

/// Writes every currency in capital letters.
pub fn capital_currencies(document: &mut Value) {
    if let Some(elements) = document.as_array_mut() {
        elements.iter_mut().for_each(capital_currencies);
    }
    let Some(members) = document.as_object_mut() else {
        return;
    };
    for (name, member) in members.iter_mut() {
        match member.as_str() {
            Some(code) if name == "currency" => *member = json!(code.to_uppercase()),
            _ => capital_currencies(member),
        }
    }
}

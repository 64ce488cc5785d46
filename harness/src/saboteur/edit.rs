//! Wire faults that are nothing but data: on which exchanges the proxy acts, and what it changes there.
//!
//! ```toml
//! edits = [{ tool = "list_items", change = { remove = "/items/*/owners" } }]
//! ```

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use http::{HeaderName, HeaderValue, StatusCode, header};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    exchange::{Answer, Request},
    place::Place,
};

/// One change to every exchange that it fits. Conditions that are not given always hold.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// Only calls of this tool.
    #[serde(default)]
    tool: Option<String>,
    /// Only messages of this JSON-RPC method.
    #[serde(default)]
    method: Option<String>,
    /// Only requests of this HTTP method.
    #[serde(default)]
    verb: Option<String>,
    /// Only requests whose path begins so.
    #[serde(default)]
    path: Option<String>,
    /// Only requests with a bearer token, or only those without.
    #[serde(default)]
    token: Option<bool>,
    /// Only requests whose token has so many parts between its points.
    #[serde(default)]
    token_parts: Option<usize>,
    /// Only requests whose token is longer than so many characters.
    #[serde(default)]
    token_longer: Option<usize>,
    /// Only requests whose token claims these values; `"*"` stands for any value.
    #[serde(default)]
    claims: BTreeMap<String, Value>,
    /// Only requests that have header lines of these names with these texts in them; an empty text is in every line.
    #[serde(default)]
    lines: BTreeMap<String, String>,
    /// Only requests that have no header line of this name.
    #[serde(default)]
    no_line: Option<String>,
    /// Only requests with this text in their body.
    #[serde(default)]
    says: Option<String>,
    /// Only requests after so many others that fit as well.
    #[serde(default)]
    after: usize,
    #[serde(skip)]
    met: Arc<AtomicUsize>,
    /// Only calls whose arguments have these values; `"*"` stands for any value.
    #[serde(default)]
    given: BTreeMap<String, Value>,
    /// Only calls whose arguments have nothing at these places.
    #[serde(default)]
    without: Vec<Place>,
    /// Only answers of this HTTP status.
    #[serde(default)]
    status: Option<u16>,
    /// Only tool results that are refusals, or only those that are none.
    #[serde(default)]
    refused: Option<bool>,
    /// Only refusals with this code, or protocol errors with this number.
    #[serde(default)]
    code: Option<Value>,
    /// Only answers with these values in what the tool said; `"*"` stands for any value.
    #[serde(default)]
    shown: BTreeMap<String, Value>,
    /// Which part of the exchange is changed.
    #[serde(default)]
    part: Part,
    /// What is changed.
    change: Change,
}

/// The part of an exchange that a change of a document acts on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Part {
    /// What a tool said, in its structured content and its text copy alike.
    #[default]
    Result,
    /// The whole JSON document of the answer.
    Answer,
    /// The arguments of a tool call, before the server sees them.
    Arguments,
    /// The whole JSON document of the request, before the server sees it.
    Message,
}

/// What is changed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Change {
    /// The values are not there.
    Remove(Place),
    /// The values are another one.
    Set { at: Place, to: Value },
    /// The values are others each time.
    Stamp(Place),
    /// The values are those that stand elsewhere in the same document (its first, where there are several).
    Copy { at: Place, from: Place },
    /// Values that are null are a zero.
    Zero(Place),
    /// Arrays stand in the other order.
    Reverse(Place),
    /// Arrays lack their first element.
    DropFirst(Place),
    /// Arrays lack their last element.
    DropLast(Place),
    /// Arrays have their first element twice.
    Double(Place),
    /// Decimals and integers are greater by so much.
    Add { at: Place, by: Decimal },
    /// Decimals are so many times as large, rounded to their places.
    Multiply { at: Place, by: Decimal },
    /// Decimals are rounded to so many places.
    Round { at: Place, places: u32 },
    /// Texts have one part replaced by another.
    Replace { at: Place, text: String, by: String },
    /// The whole document is another one.
    Become(Value),
    /// A refusal, or whatever was said, becomes a success that says this.
    Accept(Value),
    /// A success becomes a refusal with this code.
    Refuse(String),
    /// The answer is a protocol error with this number.
    Fail(i64),
    /// The answer has this result.
    Answer(Value),
    /// The answer has another HTTP status.
    Status(u16),
    /// The answer has a header line more, or another.
    Header { name: String, value: String },
    /// The answer lacks a header line.
    DropHeader(String),
    /// The request lacks a header line when the server sees it.
    HideHeader(String),
    /// A header line of the request is in small letters when the server sees it.
    LowerHeader(String),
    /// `Mcp-Method` and `Mcp-Name` say what the body says when the server sees them.
    AlignHeaders,
    /// The answer has another body.
    Body { text: String, media_type: String },
    /// The server gets the request twice; the client sees the first answer.
    Twice,
    /// The server also does what the same person did not ask for, in the same workspace: a tool call whose texts that
    /// begin with `$/` stand for the value at that place in the arguments of the call before it.
    Also { tool: String, arguments: Value },
}

impl Edit {
    /// Changes a request before the healthy server sees it. Returns whether it did.
    pub(super) fn on_request(&self, request: &mut Request) -> bool {
        let acts_here = matches!(self.part, Part::Arguments | Part::Message)
            || matches!(
                self.change,
                Change::HideHeader(_) | Change::LowerHeader(_) | Change::AlignHeaders
            );
        if !acts_here || !self.fits_request(request) || !self.late_enough() {
            return false;
        }
        match (&self.change, self.part) {
            (Change::HideHeader(name), _) => request.headers.remove(name.as_str()).is_some(),
            (Change::LowerHeader(name), _) => {
                let lower = request
                    .headers
                    .get(name.as_str())
                    .and_then(|value| value.to_str().ok())
                    .map(str::to_lowercase);
                lower.is_some_and(|lower| set_header(request, name, &lower))
            }
            (Change::AlignHeaders, _) => {
                let message = request.json().unwrap_or_default();
                let name = ["/params/name", "/params/uri"]
                    .iter()
                    .find_map(|place| message.pointer(place)?.as_str());
                let method = message.get("method").and_then(Value::as_str);
                [("mcp-method", method), ("mcp-name", name)]
                    .into_iter()
                    .fold(false, |changed, (header, value)| {
                        value.is_some_and(|value| set_header(request, header, value)) | changed
                    })
            }
            (_, Part::Arguments) => request.edit_arguments(|said| self.change.apply(said)),
            (_, Part::Message) => {
                let Some(mut message) = request.json() else {
                    return false;
                };
                let before = message.clone();
                self.change.apply(&mut message);
                let changed = message != before;
                if changed {
                    request.set_json(&message);
                }
                changed
            }
            _ => false,
        }
    }

    /// Changes an answer before the client sees it. Returns whether it did.
    pub(super) fn on_answer(&self, request: &Request, answer: &mut Answer) -> bool {
        let acts_before = matches!(self.part, Part::Arguments | Part::Message);
        if acts_before
            || !self.fits_request(request)
            || !self.fits_answer(answer)
            || !self.late_enough()
        {
            return false;
        }
        match &self.change {
            Change::Status(status) => {
                let Ok(status) = StatusCode::from_u16(*status) else {
                    return false;
                };
                std::mem::replace(&mut answer.status, status) != status
            }
            Change::Header { name, value } => {
                let line = (name.parse::<HeaderName>(), HeaderValue::from_str(value));
                let (Ok(name), Ok(value)) = line else {
                    return false;
                };
                answer.headers.insert(name, value.clone()) != Some(value)
            }
            Change::DropHeader(name) => answer.headers.remove(name.as_str()).is_some(),
            Change::Body { text, media_type } => {
                let Ok(media_type) = HeaderValue::from_str(media_type) else {
                    return false;
                };
                answer.headers.insert(header::CONTENT_TYPE, media_type);
                answer.headers.remove(header::CONTENT_LENGTH);
                answer.body = text.clone().into();
                true
            }
            Change::Accept(said) => {
                answer.status = StatusCode::OK;
                answer.set_json(&tool_answer(request, said, false));
                true
            }
            Change::Refuse(code) => {
                let said = json!({"code": code, "message": "This cannot be done."});
                answer.set_json(&tool_answer(request, &said, true));
                true
            }
            Change::Fail(code) => {
                answer.set_json(&json!({"jsonrpc": "2.0", "id": id_of(request),
                    "error": {"code": code, "message": "This cannot be done."}}));
                true
            }
            Change::Answer(result) => {
                answer.set_json(&json!({"jsonrpc": "2.0", "id": id_of(request), "result": result}));
                true
            }
            Change::HideHeader(_)
            | Change::LowerHeader(_)
            | Change::AlignHeaders
            | Change::Twice
            | Change::Also { .. } => false,
            change if self.part == Part::Answer => {
                answer.edit_json(|document| change.apply(document))
            }
            change => answer.edit_tool_result(|said| change.apply(said)),
        }
    }

    /// What the defect does next, unseen by the client.
    pub(super) fn follow_up(&self, request: &Request, answer: &Answer) -> Option<Request> {
        let fits = || self.fits_request(request) && self.fits_answer(answer);
        match &self.change {
            Change::Twice => fits().then(|| request.clone()),
            Change::Also { tool, arguments } => {
                fits().then(|| also(request, tool, arguments)).flatten()
            }
            _ => None,
        }
    }

    fn fits_request(&self, request: &Request) -> bool {
        let is =
            |wanted: &Option<String>, found: Option<String>| wanted.is_none() || *wanted == found;
        let given = || {
            request
                .json()
                .and_then(|message| message.pointer("/params/arguments").cloned())
                .unwrap_or(Value::Null)
        };
        let here = |place: &Place| !place.values(&given()).is_empty();
        is(&self.tool, self.tool.as_ref().and_then(|_| request.tool()))
            && is(
                &self.method,
                self.method.as_ref().and_then(|_| request.rpc_method()),
            )
            && is(&self.verb, Some(request.method.to_string()))
            && self
                .path
                .as_deref()
                .is_none_or(|path| request.uri.path().starts_with(path))
            && self
                .token
                .is_none_or(|token| token == request.bearer().is_some())
            && self.fits_token(request)
            && self.fits_headers(request)
            && self
                .says
                .as_deref()
                .is_none_or(|text| String::from_utf8_lossy(&request.body).contains(text))
            && (self.given.is_empty() || holds(&self.given, &given()))
            && !self.without.iter().any(here)
    }

    fn fits_token(&self, request: &Request) -> bool {
        let token = request.bearer().unwrap_or_default();
        let parts = || token.split('.').count();
        self.token_parts.is_none_or(|wanted| wanted == parts())
            && self.token_longer.is_none_or(|length| token.len() > length)
            && (self.claims.is_empty()
                || claims_of(token).is_some_and(|claims| holds(&self.claims, &claims)))
    }

    fn fits_headers(&self, request: &Request) -> bool {
        let has = |(name, text): (&String, &String)| {
            request
                .headers
                .get(name.as_str())
                .and_then(|value| value.to_str().ok())
                .is_some_and(|value| value.contains(text.as_str()))
        };
        self.lines.iter().all(has)
            && self
                .no_line
                .as_deref()
                .is_none_or(|name| !request.headers.contains_key(name))
    }

    /// Whether enough fitting exchanges came before; this one is counted.
    fn late_enough(&self) -> bool {
        self.after == 0 || self.met.fetch_add(1, Ordering::Relaxed) >= self.after
    }

    fn fits_answer(&self, answer: &Answer) -> bool {
        let asks_for_more = self.refused.is_some() || self.code.is_some() || !self.shown.is_empty();
        if self.status.is_some_and(|status| answer.status != status) {
            return false;
        }
        if !asks_for_more {
            return true;
        }
        let Some(document) = answer.json() else {
            return false;
        };
        let said = document.pointer("/result/structuredContent");
        let refused = document.pointer("/result/isError") == Some(&Value::Bool(true));
        let code = said
            .filter(|_| refused)
            .and_then(|said| said.get("code"))
            .or_else(|| document.pointer("/error/code"));
        self.refused.is_none_or(|wanted| wanted == refused)
            && (self.code.is_none() || self.code.as_ref() == code)
            && (self.shown.is_empty() || said.is_some_and(|said| holds(&self.shown, said)))
    }
}

/// Whether a document has each of these values at one of the places that its text means.
fn holds(wanted: &BTreeMap<String, Value>, document: &Value) -> bool {
    wanted.iter().all(|(place, wanted)| {
        let found = Place::parse(place)
            .map(|place| place.values(document))
            .unwrap_or_default();
        found
            .iter()
            .any(|value| value == wanted || (wanted == "*" && !value.is_null()))
    })
}

/// What the token claims, unverified: the proxy only wants to recognise it.
fn claims_of(token: &str) -> Option<Value> {
    let payload = URL_SAFE_NO_PAD.decode(token.split('.').nth(1)?).ok()?;
    serde_json::from_slice(&payload).ok()
}

/// Gives a header line that the request has another value. Returns whether it is another one now.
fn set_header(request: &mut Request, name: &str, value: &str) -> bool {
    let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), HeaderValue::from_str(value)) else {
        return false;
    };
    match request.headers.get_mut(&name) {
        Some(line) if *line != value => {
            *line = value;
            true
        }
        _ => false,
    }
}

fn id_of(request: &Request) -> Value {
    request
        .json()
        .and_then(|message| message.get("id").cloned())
        .unwrap_or(Value::Null)
}

/// A call of another tool by the same person in the same workspace.
fn also(request: &Request, tool: &str, arguments: &Value) -> Option<Request> {
    let mut message = request.json()?;
    let given = message.pointer("/params/arguments")?.clone();
    let mut arguments = arguments.clone();
    fill(&mut arguments, &given);
    if let (Some(members), Some(workspace)) = (arguments.as_object_mut(), given.get("workspace")) {
        members.insert("workspace".to_owned(), workspace.clone());
    }
    *message.pointer_mut("/params/name")? = json!(tool);
    *message.pointer_mut("/params/arguments")? = arguments;
    let mut call = request.clone();
    call.set_json(&message);
    if let (Ok(name), true) = (
        HeaderValue::from_str(tool),
        call.headers.contains_key("mcp-name"),
    ) {
        call.headers.insert("mcp-name", name);
    }
    Some(call)
}

/// Puts the values that were given where a text names their place.
fn fill(template: &mut Value, given: &Value) {
    match template {
        Value::String(text) => {
            let value = text
                .strip_prefix('$')
                .and_then(|place| given.pointer(place));
            if let Some(value) = value {
                *template = value.clone();
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(|element| fill(element, given)),
        Value::Object(members) => members.values_mut().for_each(|member| fill(member, given)),
        _ => {}
    }
}

/// A tool result as the client would see it from a server that said this.
fn tool_answer(request: &Request, said: &Value, refused: bool) -> Value {
    json!({"jsonrpc": "2.0", "id": id_of(request), "result": {
        "resultType": "complete",
        "content": [{"type": "text", "text": said.to_string()}],
        "structuredContent": said,
        "isError": refused,
    }})
}

impl Change {
    /// Changes a document. What acts on the exchange as a whole leaves it as it is.
    fn apply(&self, document: &mut Value) {
        match self {
            Self::Remove(place) => place.remove(document),
            Self::Set { at, to } => at.set(document, to),
            Self::Stamp(place) => place.set(document, &json!(ulid::Ulid::new().to_string())),
            Self::Copy { at, from } => {
                if let Some(value) = from.values(document).first() {
                    at.set(document, value);
                }
            }
            Self::Zero(place) => place.edit(document, &mut |value| {
                if value.is_null() {
                    *value = json!("0");
                }
            }),
            Self::Reverse(place) => each_array(place, document, |elements| elements.reverse()),
            Self::DropFirst(place) => each_array(place, document, |elements| {
                if !elements.is_empty() {
                    elements.remove(0);
                }
            }),
            Self::DropLast(place) => each_array(place, document, |elements| {
                elements.pop();
            }),
            Self::Double(place) => each_array(place, document, |elements| {
                if let Some(first) = elements.first().cloned() {
                    elements.push(first);
                }
            }),
            Self::Add { at, by } => at.edit(document, &mut |value| {
                change_number(value, |number| number.checked_add(*by));
            }),
            Self::Multiply { at, by } => at.edit(document, &mut |value| {
                change_number(value, |number| {
                    Some(number.checked_mul(*by)?.round_dp(number.scale()))
                });
            }),
            Self::Round { at, places } => at.edit(document, &mut |value| {
                change_number(value, |number| Some(number.round_dp(*places)));
            }),
            Self::Replace { at, text, by } => at.edit(document, &mut |value| {
                if let Value::String(old) = value {
                    *old = old.replace(text, by);
                }
            }),
            Self::Become(other) => *document = other.clone(),
            _ => {}
        }
    }
}

fn each_array(place: &Place, document: &mut Value, act: impl Fn(&mut Vec<Value>)) {
    place.edit(document, &mut |value| {
        if let Value::Array(elements) = value {
            act(elements);
        }
    });
}

/// Changes a decimal string or an integer; anything else stays.
fn change_number(value: &mut Value, change: impl Fn(Decimal) -> Option<Decimal>) {
    match value {
        Value::String(text) => {
            if let Some(number) = text.parse().ok().and_then(change) {
                *text = number.to_string();
            }
        }
        Value::Number(number) => {
            let changed = number
                .as_i64()
                .and_then(|number| change(Decimal::from(number)))
                .and_then(|number| i64::try_from(number).ok());
            if let Some(changed) = changed {
                *value = json!(changed);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;

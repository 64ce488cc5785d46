//! The tool table: what a tool is called, takes, returns and demands, loaded from contract files.

use std::collections::BTreeSet;
use std::sync::Arc;

use rmcp::model::ToolAnnotations;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::JsonObject;

/// Who may call a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Any signed-in person; no workspace is involved, or the tool checks membership itself.
    Anyone,
    /// Members that read.
    Viewer,
    /// Members that write data.
    Editor,
    /// Members that also manage parties, accounts and members.
    Admin,
}

/// What kind of step a tool takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// It shows something.
    Read,
    /// It changes a record.
    Write,
    /// It moves money.
    Money,
}

/// What a tool asks of the token and of the person, for profiles with two axes of authorization.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axes {
    /// What kind of step it takes.
    pub kind: Kind,
    /// The resource that the token must name, where it names any; nothing for a tool that belongs to no family.
    pub resource: Option<String>,
    /// The permission that the person must hold, such as `payables.create`; nothing where any will do.
    pub permission: Option<String>,
    /// Whether it acts in a workspace.
    pub workspace: bool,
}

/// Why a contract file could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum ContractError {
    /// The file is not JSON, or a member is missing, unknown or of the wrong type.
    #[error("contract {file}: {source}")]
    Unreadable {
        /// The file's name.
        file: String,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// A schema is no valid JSON Schema, or refers to a definition that is nowhere.
    #[error("contract {file}: {problem}")]
    Schema {
        /// The file's name.
        file: String,
        /// What is wrong.
        problem: String,
    },
}

/// A contract file as it is written.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Contract {
    name: String,
    title: String,
    description: String,
    annotations: ContractAnnotations,
    #[serde(default = "anyone")]
    role: Role,
    #[serde(default)]
    subscription: bool,
    axes: Option<Axes>,
    input_schema: JsonObject,
    output_schema: JsonObject,
}

/// The role where a contract asks for none.
fn anyone() -> Role {
    Role::Anyone
}

/// All four annotations are stated, none is left to a client's default.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ContractAnnotations {
    read_only_hint: bool,
    destructive_hint: bool,
    idempotent_hint: bool,
    open_world_hint: bool,
}

/// One tool.
///
/// File format (JSON): `name title description annotations{readOnlyHint destructiveHint idempotentHint openWorldHint}
/// role("anyone"|"viewer"|"editor"|"admin") subscription(bool) axes{kind resource permission workspace} inputSchema outputSchema`;
/// role and subscription, or axes, as the profile judges callers. Schemas may use `#/$defs/NAME` of the
/// definitions shared by all tools; what they use is copied into them, so that each published schema stands alone.
#[derive(Debug, Clone)]
pub struct ToolDefinition {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What it does and how to use it.
    pub description: String,
    /// Read-only, destructive, idempotent, open-world.
    pub annotations: ToolAnnotations,
    /// The input schema as published.
    pub input_schema: Arc<JsonObject>,
    /// The output schema as published: `anyOf` the result and the fault.
    pub output_schema: Arc<JsonObject>,
    /// Who may call it.
    pub role: Role,
    /// Whether the workspace must have an open subscription.
    pub subscription: bool,
    /// What it asks of token and person, in a profile with two axes.
    pub axes: Option<Axes>,
    input: Arc<jsonschema::Validator>,
}

impl ToolDefinition {
    /// Reads the contract `text` of `file`, taking shared definitions from `shared`.
    ///
    /// # Errors
    /// When the text is no contract or one of its schemas is not valid.
    pub fn parse(file: &str, text: &str, shared: &JsonObject) -> Result<Self, ContractError> {
        let contract: Contract =
            serde_json::from_str(text).map_err(|source| ContractError::Unreadable {
                file: file.to_owned(),
                source,
            })?;
        let broken = |problem: String| ContractError::Schema {
            file: file.to_owned(),
            problem,
        };
        let input_schema = standalone(contract.input_schema, shared).map_err(&broken)?;
        let output_schema = standalone(
            with_fault(contract.output_schema, contract.axes.is_some()),
            shared,
        )
        .map_err(&broken)?;
        let compile = |schema: &JsonObject| {
            jsonschema::draft202012::options()
                .should_validate_formats(true)
                .build(&Value::Object(schema.clone()))
                .map_err(|error| broken(error.to_string()))
        };
        let input = compile(&input_schema)?;
        compile(&output_schema)?;
        let hints = contract.annotations;
        Ok(Self {
            annotations: ToolAnnotations::with_title(contract.title.clone())
                .read_only(hints.read_only_hint)
                .destructive(hints.destructive_hint)
                .idempotent(hints.idempotent_hint)
                .open_world(hints.open_world_hint),
            name: contract.name,
            title: contract.title,
            description: contract.description,
            input_schema: Arc::new(input_schema),
            output_schema: Arc::new(output_schema),
            role: contract.role,
            subscription: contract.subscription,
            axes: contract.axes,
            input: Arc::new(input),
        })
    }

    /// The compiled input schema.
    pub(crate) fn input(&self) -> &jsonschema::Validator {
        &self.input
    }
}

/// The tools of a profile, in the order in which they are listed.
#[derive(Debug, Clone, Default)]
pub struct ToolTable {
    tools: Vec<ToolDefinition>,
}

impl ToolTable {
    /// Loads `(file name, text)` pairs. The file `definitions.json` is an object of shared definitions (name to schema); every other
    /// file is one tool. Tools are listed in the order of the pairs.
    ///
    /// # Errors
    /// When a file is broken or two have the same tool name.
    pub fn load<'a>(
        files: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, ContractError> {
        let files: Vec<_> = files.into_iter().collect();
        let mut shared = JsonObject::new();
        for (file, text) in files.iter().filter(|(file, _)| *file == "definitions.json") {
            shared = serde_json::from_str(text).map_err(|source| ContractError::Unreadable {
                file: (*file).to_owned(),
                source,
            })?;
        }
        let mut table = Self::default();
        for (file, text) in files.iter().filter(|(file, _)| *file != "definitions.json") {
            let tool = ToolDefinition::parse(file, text, &shared)?;
            if table.find(&tool.name).is_some() {
                return Err(ContractError::Schema {
                    file: (*file).to_owned(),
                    problem: format!("a second tool named {}", tool.name),
                });
            }
            table.tools.push(tool);
        }
        Ok(table)
    }

    /// The tool called `name`.
    pub fn find(&self, name: &str) -> Option<&ToolDefinition> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// Every tool.
    pub fn iter(&self) -> impl Iterator<Item = &ToolDefinition> {
        self.tools.iter()
    }
}

/// The output schema that also admits a fault: clients check structured content against it even when the result is an error.
/// `nested` says whether the fault stands in a member `error`.
fn with_fault(mut ok: JsonObject, nested: bool) -> JsonObject {
    let definitions = ok.remove("$defs");
    ok.remove("$schema");
    let fault = json!({
        "title": "Fault",
        "description": "A refusal; the result has isError true.",
        "type": "object",
        "properties": {
            "code": { "type": "string", "pattern": "^[a-z][a-z0-9_]*$" },
            "message": { "type": "string", "minLength": 1 },
            "field": { "type": "string" }
        },
        "required": ["code", "message"]
    });
    let fault = if nested {
        json!({ "type": "object", "properties": { "error": fault }, "required": ["error"] })
    } else {
        fault
    };
    let mut schema = Map::new();
    schema.insert(
        "$schema".to_owned(),
        json!("https://json-schema.org/draft/2020-12/schema"),
    );
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("anyOf".to_owned(), json!([ok, fault]));
    if let Some(definitions) = definitions {
        schema.insert("$defs".to_owned(), definitions);
    }
    schema
}

/// `schema` with every shared definition it uses, directly or through another, copied into its `$defs`.
fn standalone(mut schema: JsonObject, shared: &JsonObject) -> Result<JsonObject, String> {
    let mut own = match schema.remove("$defs") {
        Some(Value::Object(own)) => own,
        Some(_) => return Err("$defs is not an object".to_owned()),
        None => Map::new(),
    };
    let mut wanted = BTreeSet::new();
    schema
        .values()
        .chain(own.values())
        .for_each(|value| collect_references(value, &mut wanted));
    while let Some(name) = wanted.pop_first() {
        if own.contains_key(&name) {
            continue;
        }
        let definition = shared
            .get(&name)
            .ok_or_else(|| format!("#/$defs/{name} is defined nowhere"))?;
        collect_references(definition, &mut wanted);
        own.insert(name, definition.clone());
    }
    if !own.is_empty() {
        own.sort_keys();
        schema.insert("$defs".to_owned(), Value::Object(own));
    }
    Ok(schema)
}

/// Adds to `wanted` each `NAME` of a `{"$ref": "#/$defs/NAME"}` inside `value`.
fn collect_references(value: &Value, wanted: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            if let Some(name) = members
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|text| text.strip_prefix("#/$defs/"))
            {
                wanted.insert(name.to_owned());
            }
            members
                .values()
                .for_each(|member| collect_references(member, wanted));
        }
        Value::Array(elements) => elements
            .iter()
            .for_each(|element| collect_references(element, wanted)),
        _ => {}
    }
}

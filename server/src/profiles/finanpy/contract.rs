//! The two tools as they are listed, from the contract files.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use serde::Deserialize;
use serde_json::{Value, json};

use super::rules::{Announced, FinanpyRules, RequiredFields};
use crate::mcp::JsonObject;

/// The tool that writes.
pub const REGISTER: &str = "registrar_transacao";
/// The tool that lists.
pub const LIST: &str = "listar_transacoes";

/// The member under which revisions that know only objects carry the list.
pub const WRAPPER: &str = "result";

const FILES: [&str; 2] = [
    include_str!("../../../../fixtures/contracts/finanpy/registrar_transacao.json"),
    include_str!("../../../../fixtures/contracts/finanpy/listar_transacoes.json"),
];

/// A contract file as it is written. A tool whose result is no object says apart what its refusals are.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Contract {
    name: String,
    title: String,
    description: String,
    annotations: Annotations,
    input_schema: JsonObject,
    output_schema: JsonObject,
    refusal_schema: Option<JsonObject>,
}

/// All four are stated, none is left to a client's default.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Annotations {
    read_only_hint: bool,
    destructive_hint: bool,
    idempotent_hint: bool,
    open_world_hint: bool,
}

/// The tools in the shapes of both eras.
#[derive(Debug)]
pub struct Contracts {
    any_value: Vec<Tool>,
    objects_only: Vec<Tool>,
}

impl Contracts {
    /// Reads the contract files.
    ///
    /// # Errors
    /// When one is not what it should be.
    pub fn load(rules: &FinanpyRules) -> Result<Self, serde_json::Error> {
        let mut contracts = Self {
            any_value: Vec::new(),
            objects_only: Vec::new(),
        };
        for text in FILES {
            let mut contract: Contract = serde_json::from_str(text)?;
            if contract.name == LIST && rules.process.announced == Announced::WithoutListing {
                continue;
            }
            if contract.name == REGISTER {
                require(&mut contract.input_schema, rules.registering.required);
            }
            contracts
                .any_value
                .push(tool(&contract, any_value(&contract)));
            contracts
                .objects_only
                .push(tool(&contract, objects_only(&contract)));
        }
        Ok(contracts)
    }

    /// The tools; `any_value` for a revision in which a result need not be an object.
    pub fn tools(&self, any_value: bool) -> &[Tool] {
        if any_value {
            &self.any_value
        } else {
            &self.objects_only
        }
    }
}

fn tool(contract: &Contract, output_schema: JsonObject) -> Tool {
    let hints = &contract.annotations;
    Tool::new(
        contract.name.clone(),
        contract.description.clone(),
        Arc::new(contract.input_schema.clone()),
    )
    .with_title(contract.title.clone())
    .with_raw_output_schema(Arc::new(output_schema))
    .with_annotations(
        ToolAnnotations::with_title(contract.title.clone())
            .read_only(hints.read_only_hint)
            .destructive(hints.destructive_hint)
            .idempotent(hints.idempotent_hint)
            .open_world(hints.open_world_hint),
    )
}

/// The result or its refusal. Clients check refusals against the output schema too.
fn any_value(contract: &Contract) -> JsonObject {
    match &contract.refusal_schema {
        None => contract.output_schema.clone(),
        Some(refusal) => object(json!({ "anyOf": [contract.output_schema, refusal] })),
    }
}

/// The same, with the result inside an object.
fn objects_only(contract: &Contract) -> JsonObject {
    match &contract.refusal_schema {
        None => contract.output_schema.clone(),
        Some(refusal) => {
            let wrapped = json!({
                "type": "object",
                "properties": { WRAPPER: contract.output_schema },
                "required": [WRAPPER]
            });
            object(json!({ "type": "object", "anyOf": [wrapped, refusal] }))
        }
    }
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(members) => members,
        _ => JsonObject::new(),
    }
}

/// Changes which arguments are demanded, where a defective rule says so.
fn require(schema: &mut JsonObject, rule: RequiredFields) {
    let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) else {
        return;
    };
    match rule {
        RequiredFields::Four => {}
        RequiredFields::DateToo => required.push("date".into()),
        RequiredFields::IdentifierToo => required.push("identifier".into()),
        RequiredFields::WithoutCategory => required.retain(|field| field != "category"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contracts(rules: Value) -> Contracts {
        Contracts::load(&serde_json::from_value(rules).unwrap()).unwrap()
    }

    #[test]
    fn there_are_two_tools_with_valid_schemas_in_both_eras() {
        let contracts = contracts(json!({}));
        for any_value in [true, false] {
            let tools = contracts.tools(any_value);
            let names: Vec<_> = tools.iter().map(|tool| tool.name.as_ref()).collect();
            assert_eq!(names, [REGISTER, LIST]);
            for tool in tools {
                let output = tool.output_schema.as_deref().unwrap();
                for schema in [tool.input_schema.as_ref(), output] {
                    assert!(jsonschema::meta::is_valid(&Value::Object(schema.clone())));
                }
                assert_eq!(any_value && tool.name == LIST, output.get("type").is_none());
            }
        }
    }

    #[test]
    fn exactly_four_arguments_are_demanded() {
        let required = |rules| contracts(rules).tools(true)[0].input_schema["required"].clone();
        assert_eq!(
            required(json!({})),
            json!(["type", "amount", "category", "description"])
        );
        assert_eq!(
            required(json!({"registering": {"required": "without_category"}})),
            json!(["type", "amount", "description"])
        );
    }

    #[test]
    fn results_and_refusals_satisfy_the_schemas() {
        let contracts = contracts(json!({}));
        let rows = json!([{"id": 1, "identifier": null, "type": "receita", "amount": 50.0, "category": "sem categoria", "description": "Resgate RDB", "date": "2026-05-05"}]);
        let refusal =
            json!({"sucesso": false, "code": "INVALID_PERIOD", "campo": "period", "mensagem": "…"});
        let wrapped = json!({ WRAPPER: rows });
        for (any_value, good, bad) in [(true, &rows, &wrapped), (false, &wrapped, &rows)] {
            let schema = contracts.tools(any_value)[1]
                .output_schema
                .as_deref()
                .unwrap();
            let schema = jsonschema::draft202012::new(&Value::Object(schema.clone())).unwrap();
            assert!(schema.is_valid(good) && schema.is_valid(&refusal) && !schema.is_valid(bad));
        }
    }
}

//! Arguments of a tool call: already checked against the input schema, read here.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::mcp::JsonObject;
use crate::mcp::fault::Fault;

/// The string argument `name`.
pub(super) fn text<'a>(arguments: &'a JsonObject, name: &str) -> Option<&'a str> {
    arguments.get(name).and_then(Value::as_str)
}

/// The whole of `arguments` as `T`. The schema has been checked, so what does not fit is something only the type knows.
///
/// # Errors
/// `invalid_input` that says what does not fit.
pub(super) fn read<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, Fault> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| {
        Fault::new(
            "invalid_input",
            format!("An argument could not be read: {error}."),
        )
    })
}

/// The refusal of an argument that is missing for what was asked.
pub(super) fn missing(field: &str, message: &str) -> Fault {
    Fault::new("invalid_input", message.to_owned()).at(field)
}

/// The refusal of an id that is not in the workspace at hand, whether it exists elsewhere or nowhere.
pub(super) fn not_found(field: &str) -> Fault {
    Fault::new(
        "not_found",
        "Nothing in this workspace has this id. Use an id that a read tool shows.",
    )
    .at(field)
}

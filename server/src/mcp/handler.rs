//! A profile as the protocol library wants it: lists, calls, texts and prompts of both protocol eras.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult,
    ErrorCode, ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult,
    Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, MetaObject, PaginatedRequestParams, Prompt, PromptArgument, PromptMessage,
    ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource,
    ResourceContents, Role, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};

use super::fault::Fault;
use super::tool::ToolDefinition;
use super::{Client, JsonObject, Profile, PromptDefinition, arguments};
use crate::auth::Caller;

/// The revisions of the protocol that are served, oldest first.
pub const REVISIONS: &[ProtocolVersion] = &[
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_11_25,
    ProtocolVersion::V_2026_07_28,
];

/// Longest client name or version that is kept, in characters.
const CLIENT_LIMIT: usize = 200;

/// Methods of which the library knows the parameters. It hands over a request with other parameters as if the method were unknown.
const KNOWN_METHODS: [&str; 9] = [
    "tools/call",
    "tools/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "prompts/list",
    "prompts/get",
    "server/discover",
    "completion/complete",
];

/// Serves one profile.
#[derive(Debug, Clone)]
pub struct Handler {
    profile: Arc<dyn Profile>,
}

impl Handler {
    /// A handler in front of `profile`.
    pub fn new(profile: Arc<dyn Profile>) -> Self {
        Self { profile }
    }

    fn identity(&self) -> Implementation {
        Implementation::new(self.profile.name(), env!("CARGO_PKG_VERSION"))
            .with_title(self.profile.title())
    }

    fn meta(&self, context: &RequestContext<RoleServer>) -> Option<MetaObject> {
        identified(&self.identity(), context)
    }

    async fn run(
        &self,
        caller: Caller,
        client: Client,
        tool: &ToolDefinition,
        arguments: JsonObject,
    ) -> CallToolResult {
        let result = match arguments::check(tool, &arguments) {
            Ok(()) => self.profile.call(caller, client, tool, arguments).await,
            Err(fault) => Err(fault),
        };
        match result {
            Ok(value) => CallToolResult::structured(value),
            Err(fault) => Fault::into_result(fault),
        }
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(
            ServerCapabilities::builder()
                .enable_tools()
                .enable_resources()
                .enable_prompts()
                .build(),
        )
        .with_server_info(self.identity())
        .with_instructions(self.profile.instructions())
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(REVISIONS)
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        one_page(page)?;
        let mut result =
            ListToolsResult::with_all_items(self.profile.tools().iter().map(published).collect());
        result.meta = self.meta(&context);
        Ok(result)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.profile.tools().find(name).map(published)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = self.profile.tools().find(&request.name).ok_or_else(|| {
            ErrorData::invalid_params("Unknown tool. tools/list names the tools there are.", None)
        })?;
        let caller = caller(&context)?;
        let client = client(&context, &caller);
        let result = self
            .run(caller, client, tool, request.arguments.unwrap_or_default())
            .await;
        Ok(result.with_meta(self.meta(&context)).into())
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        one_page(page)?;
        let resources = self.profile.resources().iter().map(|resource| {
            Resource::new(resource.uri.clone(), resource.name.clone())
                .with_title(resource.title.clone())
                .with_description(resource.description.clone())
                .with_mime_type(resource.media_type.clone())
        });
        let mut result = ListResourcesResult::with_all_items(resources.collect());
        result.meta = self.meta(&context);
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        one_page(page)?;
        let mut result = ListResourceTemplatesResult::with_all_items(Vec::new());
        result.meta = self.meta(&context);
        Ok(result)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let resource = self
            .profile
            .resources()
            .iter()
            .find(|resource| resource.uri == request.uri)
            .ok_or_else(|| {
                ErrorData::resource_not_found(
                    "Unknown resource. resources/list names the resources there are.",
                    None,
                )
            })?;
        let contents = ResourceContents::text(resource.text.clone(), resource.uri.clone())
            .with_mime_type(resource.media_type.clone());
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn list_prompts(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        one_page(page)?;
        let prompts = self.profile.prompts().iter().map(|prompt| {
            let arguments = prompt.arguments.iter().map(|argument| {
                PromptArgument::new(argument.name.clone())
                    .with_description(argument.description.clone())
                    .with_required(argument.required)
            });
            Prompt::new(
                prompt.name.clone(),
                Some(prompt.description.clone()),
                Some(arguments.collect()),
            )
            .with_title(prompt.title.clone())
        });
        let mut result = ListPromptsResult::with_all_items(prompts.collect());
        result.meta = self.meta(&context);
        Ok(result)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let prompt = self
            .profile
            .prompts()
            .iter()
            .find(|prompt| prompt.name == request.name)
            .ok_or_else(|| {
                ErrorData::invalid_params(
                    "Unknown prompt. prompts/list names the prompts there are.",
                    None,
                )
            })?;
        let arguments = prompt_arguments(prompt, request.arguments.unwrap_or_default())?;
        let text = self.profile.prompt(&prompt.name, &arguments);
        Ok(
            GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)])
                .with_description(prompt.description.clone())
                .into(),
        )
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(unreadable_request(&request.method))
    }
}

/// The answer to a request that the library could not read: it knows the method with other parameters, or not at all.
pub(crate) fn unreadable_request(method: &str) -> ErrorData {
    if KNOWN_METHODS.contains(&method) {
        let text = format!("The parameters of {method} do not have the right form.");
        return ErrorData::invalid_params(text, None);
    }
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "Unknown method.", None)
}

/// Whether a request speaks the stateless revision.
pub(crate) fn is_stateless(context: &RequestContext<RoleServer>) -> bool {
    context
        .protocol_version()
        .is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

/// `_meta` that names the server, which only the stateless revision knows.
pub(crate) fn identified(
    server: &Implementation,
    context: &RequestContext<RoleServer>,
) -> Option<MetaObject> {
    is_stateless(context).then(|| {
        let mut meta = MetaObject::default();
        if let Ok(identity) = serde_json::to_value(server) {
            meta.insert("io.modelcontextprotocol/serverInfo".to_owned(), identity);
        }
        meta
    })
}

/// A tool as it is listed.
pub(crate) fn published(tool: &ToolDefinition) -> Tool {
    Tool::new(
        tool.name.clone(),
        tool.description.clone(),
        Arc::clone(&tool.input_schema),
    )
    .with_title(tool.title.clone())
    .with_raw_output_schema(Arc::clone(&tool.output_schema))
    .with_annotations(tool.annotations.clone())
}

/// Every list is one page, so there is no cursor that could be right.
pub(crate) fn one_page(page: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match page.and_then(|page| page.cursor) {
        None => Ok(()),
        Some(_) => Err(ErrorData::invalid_params(
            "Unknown cursor. The list is one page; ask for it without a cursor.",
            None,
        )),
    }
}

/// The caller that the door put among the request's extensions.
fn caller(context: &RequestContext<RoleServer>) -> Result<Caller, ErrorData> {
    context
        .extensions
        .get::<http::request::Parts>()
        .and_then(|parts| parts.extensions.get::<Caller>().cloned())
        .ok_or_else(|| {
            tracing::error!("a request reached a tool without having passed the door");
            ErrorData::internal_error("Something failed inside the server.", None)
        })
}

/// The program that speaks: what the request itself says, else the client that the token was issued to.
fn client(context: &RequestContext<RoleServer>, caller: &Caller) -> Client {
    let short = |text: &str| {
        text.chars()
            .filter(|character| !character.is_control())
            .take(CLIENT_LIMIT)
            .collect::<String>()
    };
    match context.meta.client_info() {
        Some(info) => Client {
            name: short(&info.name),
            version: short(&info.version),
        },
        None => Client {
            name: short(caller.client_id.as_deref().unwrap_or("unknown")),
            version: String::new(),
        },
    }
}

/// A prompt's arguments, each declared, a string, and of bounded length.
fn prompt_arguments(
    prompt: &PromptDefinition,
    given: JsonObject,
) -> Result<BTreeMap<String, String>, ErrorData> {
    let refuse = |field: &str, problem: String| {
        Err(ErrorData::invalid_params(
            problem,
            Some(json!({ "field": field })),
        ))
    };
    let mut arguments = BTreeMap::new();
    for (name, value) in given {
        let Some(declared) = prompt
            .arguments
            .iter()
            .find(|argument| argument.name == name)
        else {
            return refuse(
                &name,
                format!(
                    "The prompt {} has no such argument. Leave it out.",
                    prompt.name
                ),
            );
        };
        match value {
            Value::String(text) if text.chars().count() <= declared.max_length => {
                arguments.insert(name, text);
            }
            Value::String(_) => {
                return refuse(
                    &name,
                    format!(
                        "The argument is longer than {} characters. Shorten it.",
                        declared.max_length
                    ),
                );
            }
            _ => return refuse(&name, "The argument must be a string.".to_owned()),
        }
    }
    match prompt
        .arguments
        .iter()
        .find(|argument| argument.required && !arguments.contains_key(&argument.name))
    {
        Some(missing) => refuse(
            &missing.name,
            format!("The argument {} is missing. Add it.", missing.name),
        ),
        None => Ok(arguments),
    }
}

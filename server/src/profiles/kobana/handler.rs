//! The profile as the protocol library wants it: what is listed and what runs follow the visitor.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    CompletionInfo, CustomRequest, CustomResult, ErrorData, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    Prompt, PromptArgument, PromptMessage, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, Reference, ResourceContents, ResourceTemplate, Role,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};

use crate::mcp::fault::Fault;
use crate::mcp::tool::ToolDefinition;
use crate::mcp::{
    JsonObject, REVISIONS, arguments, identified, one_page, published, unreadable_request,
};
use crate::providers::ChannelState;

use super::decision::{Denial, decide, listed};
use super::records::Family;
use super::rules::{
    Listing, NamedPermission, ReadingTexts, RecordLookup, RefusalForm, WithoutWorkspace,
    WorkspaceArgument, WorkspaceOrder,
};
use super::texts::{self, PromptText};
use super::tools::text;
use super::visit::Visit;
use super::{Kobana, tools};

/// Most values that one completion suggests; the protocol's own limit.
const SUGGESTIONS: usize = 100;
const JSON: &str = "application/json";

/// Serves the profile.
#[derive(Debug, Clone)]
pub(super) struct Server(pub Arc<Kobana>);

impl Server {
    fn identity() -> Implementation {
        Implementation::new("kobana-finance", env!("CARGO_PKG_VERSION"))
            .with_title("Kobana Financeiro Inteligente")
    }

    /// The workspace a tool may act in for this visitor.
    fn decide(
        &self,
        tool: &ToolDefinition,
        visit: &Visit,
        argument: Option<&str>,
    ) -> Result<Option<String>, Denial> {
        match &tool.axes {
            Some(axes) => decide(
                axes,
                &visit.standing,
                argument,
                &visit.selectors,
                &self.0.rules,
            ),
            None => Err(Denial::Scope),
        }
    }

    fn lists(&self, tool: &ToolDefinition, visit: &Visit) -> bool {
        let hidden = self.0.rules.answers.listing == Listing::HidesClosedChannel
            && tool.name == "finance_payables_send_to_bank"
            && visit.standing.known.as_ref().is_none_or(|known| {
                known.organization.channels.mcp.payables_send != ChannelState::Open
            });
        let axes = tool.axes.as_ref();
        !hidden && axes.is_some_and(|axes| listed(axes, &visit.standing, &self.0.rules))
    }

    /// A tool as it is listed.
    fn published(&self, tool: &ToolDefinition) -> Tool {
        const NAME: &str = "workspace_id";
        let mut shown = published(tool);
        let form = self.0.rules.answers.argument;
        if form != WorkspaceArgument::Optional {
            let mut schema = (*shown.input_schema).clone();
            if let (WorkspaceArgument::Absent, Some(properties)) = (
                form,
                schema.get_mut("properties").and_then(Value::as_object_mut),
            ) {
                properties.remove(NAME);
            } else {
                schema.insert("required".to_owned(), json!([NAME]));
            }
            shown.input_schema = Arc::new(schema);
        }
        shown
    }

    async fn run(
        &self,
        visit: &Visit,
        tool: &ToolDefinition,
        arguments: JsonObject,
    ) -> Result<Value, Fault> {
        // A workspace that is no text counts as one that cannot be reached, and never as none.
        let argument = arguments.get("workspace_id");
        let argument = argument.map(|value| value.as_str().unwrap_or_default().to_owned());
        let workspace = match self.decide(tool, visit, argument.as_deref()) {
            Ok(workspace) => workspace,
            Err(denial) => {
                self.look_first(visit, tool, &arguments)?;
                return Err(self.refusal(&denial));
            }
        };
        arguments::check(tool, &arguments)?;
        tools::run(&self.0, visit, tool, workspace.as_deref(), arguments).await
    }

    /// The defect that tells strangers whether a record exists.
    fn look_first(
        &self,
        visit: &Visit,
        tool: &ToolDefinition,
        arguments: &JsonObject,
    ) -> Result<(), Fault> {
        let oracle = self.0.rules.answers.lookup == RecordLookup::BeforeAxes;
        let family = Family::ALL
            .into_iter()
            .find(|family| tool.name.contains(family.name()));
        match (family, text(arguments, "id"), visit.member()) {
            (Some(family), Some(id), Some((known, member))) if oracle => known
                .reached(member)
                .iter()
                .find_map(|workspace| self.0.records.get(workspace, family, id).ok())
                .map(drop)
                .ok_or_else(|| Fault::new("not_found", "There is no such record.")),
            _ => Ok(()),
        }
    }

    fn refusal(&self, denial: &Denial) -> Fault {
        let rules = &self.0.rules.answers;
        let mut fault = Fault::new(denial.code(rules), texts::denial(denial));
        if let Denial::Permission(Some(missing)) = denial {
            let named = match rules.permission {
                NamedPermission::Missing => Some(missing.as_str()),
                NamedPermission::None => None,
                NamedPermission::Another => Some("settings.read"),
            };
            if let Some(named) = named {
                fault.message = format!(
                    "The person lacks the permission {named}. An admin of the organisation can grant it."
                );
                fault = fault.with("permission", named);
            }
        }
        fault
    }

    /// The workspace that a text is read in, by the rights of the tool that reads the same.
    fn place(&self, visit: &Visit, family: Family) -> Result<String, Fault> {
        let reading = self.0.rules.answers.reading;
        let name = format!("finance_{}_get", family.name());
        let tool = self.0.tools.find(&name).ok_or_else(Fault::internal)?;
        let mut rules = (*self.0.rules).clone();
        match reading {
            ReadingTexts::ResourcesPick => rules.workspace.without = WithoutWorkspace::First,
            ReadingTexts::ResourcesIgnoreDefault => {
                rules.workspace.order = WorkspaceOrder::HeaderIgnored;
            }
            ReadingTexts::ResourcesOpen => {
                rules.scope.axis = super::rules::ScopeAxis::Skipped;
            }
            _ => {}
        }
        let axes = tool.axes.as_ref().ok_or_else(Fault::internal)?;
        decide(axes, &visit.standing, None, &visit.selectors, &rules)
            .map_err(|denial| self.refusal(&denial))
            .map(Option::unwrap_or_default)
    }

    fn may_read(&self, visit: &Visit, family: Family) -> bool {
        let tool = self.0.tools.find(&format!("finance_{}_get", family.name()));
        tool.is_some_and(|tool| self.lists(tool, visit))
    }

    /// The prompts that the visitor may use.
    fn prompts(&self, visit: &Visit) -> impl Iterator<Item = &'static PromptText> {
        let open = self.0.rules.answers.reading == ReadingTexts::PromptsOpen;
        texts::PROMPTS
            .iter()
            .filter(move |prompt| open || self.may_read(visit, prompt.family))
    }

    fn suggestions(&self, visit: &Visit, family: Family, start: &str) -> Vec<String> {
        let records = &self.0.records;
        match self.0.rules.answers.reading {
            ReadingTexts::CompletionsCross if self.may_read(visit, family) => {
                records.ids(None, family, start, SUGGESTIONS)
            }
            ReadingTexts::CompletionsOpen => records.ids(None, family, start, SUGGESTIONS),
            _ => match self.place(visit, family) {
                Ok(place) => records.ids(Some(&place), family, start, SUGGESTIONS),
                Err(_) => Vec::new(),
            },
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(
            ServerCapabilities::builder()
                .enable_tools()
                .enable_resources()
                .enable_prompts()
                .enable_completions()
                .build(),
        )
        .with_server_info(Self::identity())
        .with_instructions(texts::INSTRUCTIONS)
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
        let visit = visit(&context)?;
        let tools = self.0.tools.iter().filter(|tool| self.lists(tool, visit));
        let mut result =
            ListToolsResult::with_all_items(tools.map(|tool| self.published(tool)).collect());
        result.meta = identified(&Self::identity(), &context);
        Ok(result)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.0.tools.find(name).map(published)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = self.0.tools.find(&request.name).ok_or_else(|| {
            ErrorData::invalid_params("Unknown tool. tools/list names the tools there are.", None)
        })?;
        let visit = visit(&context)?;
        let arguments = request.arguments.unwrap_or_default();
        let result = match self.run(visit, tool, arguments).await {
            Ok(value) => CallToolResult::structured(value),
            Err(fault) if self.0.rules.answers.form == RefusalForm::ProtocolError => {
                return Err(ErrorData::invalid_params(
                    fault.message.clone(),
                    Some(fault.body()),
                ));
            }
            Err(fault) => CallToolResult::structured_error(json!({ "error": fault.body() })),
        };
        Ok(result
            .with_meta(identified(&Self::identity(), &context))
            .into())
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        one_page(page)?;
        // Records are found through their templates; there may be thousands.
        let mut result = ListResourcesResult::with_all_items(Vec::new());
        result.meta = identified(&Self::identity(), &context);
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        one_page(page)?;
        let visit = visit(&context)?;
        let templates = Family::ALL
            .into_iter()
            .filter(|family| self.may_read(visit, *family))
            .map(|family| {
                let name = family.name();
                ResourceTemplate::new(format!("kobana://finance/{name}/{{id}}"), name)
                    .with_description("One record of the connection's default workspace.")
                    .with_mime_type(JSON)
            });
        let mut result = ListResourceTemplatesResult::with_all_items(templates.collect());
        result.meta = identified(&Self::identity(), &context);
        Ok(result)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let visit = visit(&context)?;
        let unknown = || {
            ErrorData::resource_not_found(
                "Unknown resource. resources/templates/list says what can be read.",
                None,
            )
        };
        let path = request.uri.strip_prefix("kobana://finance/");
        let (family, id) = path
            .and_then(|path| path.split_once('/'))
            .ok_or_else(unknown)?;
        let family = Family::named(family).ok_or_else(unknown)?;
        let place = self.place(visit, family).map_err(|fault| {
            ErrorData::invalid_params(
                format!("{}: {}", fault.code, fault.message),
                Some(fault.body()),
            )
        })?;
        let record = self
            .0
            .records
            .get(&place, family, id)
            .map_err(|_| unknown())?;
        let text = Value::Object(record).to_string();
        let contents = ResourceContents::text(text, request.uri).with_mime_type(JSON);
        let mut result = ReadResourceResult::new(vec![contents]);
        result.meta = identified(&Self::identity(), &context);
        Ok(result.into())
    }

    async fn list_prompts(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        one_page(page)?;
        let visit = visit(&context)?;
        let prompts = self.prompts(visit).map(|prompt| {
            let argument = PromptArgument::new(texts::PROMPT_ARGUMENT)
                .with_description("The record to begin with.")
                .with_required(false);
            Prompt::new(prompt.name, Some(prompt.description), Some(vec![argument]))
        });
        let mut result = ListPromptsResult::with_all_items(prompts.collect());
        result.meta = identified(&Self::identity(), &context);
        Ok(result)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let visit = visit(&context)?;
        let prompt = self
            .prompts(visit)
            .find(|prompt| prompt.name == request.name)
            .ok_or_else(|| {
                ErrorData::invalid_params(
                    "Unknown prompt. prompts/list names the prompts there are.",
                    None,
                )
            })?;
        let given = request.arguments.unwrap_or_default();
        let message = match text(&given, texts::PROMPT_ARGUMENT) {
            Some(id) if id.len() == 36 => format!("{} Begin with the record {id}.", prompt.text),
            _ => prompt.text.to_owned(),
        };
        let mut result = GetPromptResult::new(vec![PromptMessage::new_text(Role::User, message)])
            .with_description(prompt.description);
        result.meta = identified(&Self::identity(), &context);
        Ok(result.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let visit = visit(&context)?;
        let family = match &request.r#ref {
            Reference::Resource(reference) => reference
                .uri
                .strip_prefix("kobana://finance/")
                .and_then(|path| path.strip_suffix("/{id}"))
                .and_then(Family::named),
            Reference::Prompt(reference) => texts::PROMPTS
                .iter()
                .find(|prompt| prompt.name == reference.name)
                .map(|prompt| prompt.family),
            _ => None,
        };
        let family = family.ok_or_else(|| {
            ErrorData::invalid_params("There is no such resource or prompt to complete.", None)
        })?;
        let values = self.suggestions(visit, family, &request.argument.value);
        let info = CompletionInfo::with_all_values(values)
            .map_err(|problem| ErrorData::internal_error(problem, None))?;
        let mut result = CompleteResult::new(info);
        result.meta = identified(&Self::identity(), &context);
        Ok(result)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(unreadable_request(&request.method))
    }
}

/// The visit that reception put among the request's extensions.
fn visit(context: &RequestContext<RoleServer>) -> Result<&Visit, ErrorData> {
    context
        .extensions
        .get::<http::request::Parts>()
        .and_then(|parts| parts.extensions.get::<Visit>())
        .ok_or_else(|| {
            tracing::error!("a request was read that reception has not seen");
            ErrorData::internal_error("Something failed inside the server.", None)
        })
}

//! The cash book as the protocol library wants it, in both protocol eras.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorData, Implementation, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};

use super::contract::{Contracts, LIST, REGISTER, WRAPPER};
use super::refusal::Refusal;
use super::rules::{Announced, ListText, RefusalForm};
use super::{Answer, Finanpy, OpenError, Unanswered};
use crate::mcp::{REVISIONS, identified, is_stateless, one_page, unreadable_request};

/// The resource's address.
const SUMMARY: &str = "finance://resumo_financeiro_atual";
const SUMMARY_NAME: &str = "resumo_financeiro_atual";
const SUMMARY_DESCRIPTION: &str = "Snapshot consolidado das finanças do mês corrente (America/Sao_Paulo): period, total_income, total_expense, balance e expenses_by_category. Consulte antes de responder perguntas sobre saldo, total gasto ou total recebido no mês.";
const JSON: &str = "application/json";

/// Serves one cash book to one client.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    book: Arc<Finanpy>,
    contracts: Arc<Contracts>,
}

impl Server {
    /// A server of `book`.
    pub(crate) fn new(book: Arc<Finanpy>) -> Result<Self, OpenError> {
        let contracts = Arc::new(Contracts::load(&book.rules)?);
        Ok(Self { book, contracts })
    }

    fn identity() -> Implementation {
        Implementation::new("finanpy", env!("CARGO_PKG_VERSION")).with_title("Finanpy")
    }

    fn result(
        &self,
        outcome: Result<Answer, Unanswered>,
        wrapped: bool,
    ) -> Result<CallToolResult, ErrorData> {
        match outcome {
            Ok(answer) => {
                let value = if wrapped {
                    json!({ WRAPPER: answer.value })
                } else {
                    answer.value
                };
                let text = match self.book.rules.listing.text {
                    ListText::OfTheStructured if wrapped => value.to_string(),
                    ListText::Bare | ListText::OfTheStructured => answer.text,
                };
                let mut result = CallToolResult::structured(value);
                result.content = vec![ContentBlock::text(text)];
                Ok(result)
            }
            Err(Unanswered::Refused(refusal)) => Ok(refused(&refusal, self.book.rules.refusals)),
            Err(Unanswered::Protocol(text)) => Err(ErrorData::invalid_params(text, None)),
        }
    }
}

fn refused(refusal: &Refusal, form: RefusalForm) -> CallToolResult {
    match (form, serde_json::to_value(refusal)) {
        (RefusalForm::Json, Ok(body)) => CallToolResult::structured_error(body),
        (RefusalForm::Traceback, _) => CallToolResult::error(vec![ContentBlock::text(
            "Traceback (most recent call last):\n  File \"mcp_server.py\", line 42, in registrar_transacao\nValueError",
        )]),
        _ => CallToolResult::error(vec![ContentBlock::text(refusal.mensagem.clone())]),
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(
            ServerCapabilities::builder()
                .enable_tools()
                .enable_resources()
                .build(),
        )
        .with_server_info(Self::identity())
        .with_instructions(include_str!("instructions.md"))
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
        let tools = self.contracts.tools(is_stateless(&context));
        let mut result = ListToolsResult::with_all_items(tools.to_vec());
        result.meta = identified(&Self::identity(), &context);
        Ok(result)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let tools = self.contracts.tools(true);
        tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        // The name only: arguments hold what people wrote.
        tracing::info!(tool = %request.name, "called");
        let arguments = request.arguments.unwrap_or_default();
        let result = match (self.get_tool(&request.name), request.name.as_ref()) {
            (Some(_), REGISTER) => self.result(self.book.register(&arguments).await, false),
            (Some(_), LIST) => {
                let wrapped = !is_stateless(&context);
                self.result(self.book.list(&arguments).await, wrapped)
            }
            _ => Err(ErrorData::invalid_params(
                "Ferramenta desconhecida. tools/list mostra as que existem.",
                None,
            )),
        }?;
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
        let resources = match self.book.rules.process.announced {
            Announced::Everything | Announced::WithoutListing => vec![
                Resource::new(SUMMARY, SUMMARY_NAME)
                    .with_title("Resumo financeiro atual")
                    .with_description(SUMMARY_DESCRIPTION)
                    .with_mime_type(JSON),
            ],
            Announced::WithoutResource | Announced::ResourceAsTemplate => Vec::new(),
        };
        let mut result = ListResourcesResult::with_all_items(resources);
        result.meta = identified(&Self::identity(), &context);
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        one_page(page)?;
        let templates = match self.book.rules.process.announced {
            Announced::ResourceAsTemplate => vec![
                ResourceTemplate::new(SUMMARY, SUMMARY_NAME)
                    .with_description(SUMMARY_DESCRIPTION)
                    .with_mime_type(JSON),
            ],
            _ => Vec::new(),
        };
        let mut result = ListResourceTemplatesResult::with_all_items(templates);
        result.meta = identified(&Self::identity(), &context);
        Ok(result)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let there = self.book.rules.process.announced != Announced::WithoutResource;
        if request.uri != SUMMARY || !there {
            return Err(ErrorData::resource_not_found(
                "Recurso desconhecido. resources/list mostra os que existem.",
                None,
            ));
        }
        let text = self.book.summary().await.map_err(|refusal| {
            let details = serde_json::to_value(&refusal).unwrap_or(Value::Null);
            ErrorData::internal_error(refusal.mensagem, Some(details))
        })?;
        let contents = ResourceContents::text(text, SUMMARY).with_mime_type(JSON);
        let mut result = ReadResourceResult::new(vec![contents]);
        result.meta = identified(&Self::identity(), &context);
        Ok(result.into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(unreadable_request(&request.method))
    }
}

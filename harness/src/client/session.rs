//! A polite client: one MCP session through rmcp, in either era, with every call recorded and bounded in time.

use std::future::Future;
use std::time::{Duration, Instant};

use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ContentBlock,
    GetPromptRequestParams, Implementation, JsonObject, ProtocolVersion, ReadResourceRequestParams,
};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, ClientServiceExt as _, RunningService, ServiceError,
};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{IntoTransport, StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientHandler, RoleClient};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use url::Url;

use super::message::CLIENT_NAME;
use super::{Recorder, Revision};

/// An open session of one person in one revision.
#[derive(Debug)]
pub struct Session {
    service: RunningService<RoleClient, Introduction>,
    recorder: Recorder,
    timeout: Duration,
}

/// What a tool answered: a result, or a refusal of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolAnswer {
    /// Name of the tool that answered.
    pub tool: String,
    /// Whether the tool refused.
    pub is_error: bool,
    /// The structured result or refusal.
    pub structured: Option<Value>,
    /// All text blocks, joined by line breaks.
    pub text: String,
}

/// The JSON body of a tool's refusal.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultBody {
    /// Machine-readable reason, for instance `preview_stale`.
    pub code: String,
    /// How to fix it, in words.
    pub message: String,
    /// Path of the argument at fault, where one is.
    pub field: Option<String>,
    /// Every other member.
    pub rest: JsonObject,
}

/// One tool as the server lists it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolDescription {
    /// Name to call it by.
    pub name: String,
    /// What it says it does.
    pub description: Option<String>,
    /// JSON Schema of the arguments.
    pub input_schema: Value,
    /// JSON Schema of the structured result.
    pub output_schema: Option<Value>,
    /// Hints such as `readOnlyHint`; null if there are none.
    pub annotations: Value,
}

/// Why a session gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// 401 with a challenge.
    #[error("{call} was refused with 401, challenge: {challenge}")]
    Unauthorized {
        /// What was asked.
        call: String,
        /// The `WWW-Authenticate` header.
        challenge: String,
    },
    /// A JSON-RPC error.
    #[error("{call} was answered with protocol error {code}: {message}")]
    Protocol {
        /// What was asked.
        call: String,
        /// JSON-RPC error code.
        code: i64,
        /// Text of the error.
        message: String,
        /// Further data of the error.
        data: Option<Value>,
    },
    /// No answer in time.
    #[error("{call} had no answer within {seconds} s")]
    Timeout {
        /// What was asked.
        call: String,
        /// How long was waited.
        seconds: f32,
    },
    /// Anything else between the two ends: refused connection, answer that is no MCP.
    #[error("{call} failed: {reason}")]
    Transport {
        /// What was asked.
        call: String,
        /// What the client library says.
        reason: String,
    },
    /// The tool refused where a result was needed.
    #[error("{tool} refused: {text}")]
    Refused {
        /// Name of the tool.
        tool: String,
        /// Its words.
        text: String,
    },
    /// The answer lacks what its contract promises.
    #[error("{tool} answered without {missing}: {text}")]
    Incomplete {
        /// Name of the tool.
        tool: String,
        /// What is missing.
        missing: &'static str,
        /// Its words.
        text: String,
    },
}

/// How long a connection is kept for the next call: shorter than servers commonly wait before they close one, since a
/// call that meets a closing connection cannot be sent again.
const CONNECTION_KEPT: Duration = Duration::from_secs(2);

thread_local! {
    // Connections are driven by the runtime they were opened in, and a thread that plays scenarios may have its own.
    static CLIENT: Result<reqwest::Client, String> = crate::crypto::http_client()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .pool_idle_timeout(CONNECTION_KEPT)
        .build()
        .map_err(|error| error.to_string());
}

/// The HTTP client of all sessions on this thread; its connections are used again, as those of any client in the field
/// are.
///
/// # Errors
/// Why it cannot be made.
fn http_client() -> Result<reqwest::Client, String> {
    CLIENT.with(Clone::clone)
}

/// A tool's result for the record: its text, which is the copy of the whole, or all of it where there is none.
fn told(result: &CallToolResult) -> String {
    match text_of(&result.content) {
        text if text.is_empty() => serde_json::to_string(result).unwrap_or_default(),
        text if result.is_error == Some(true) => format!("refused: {text}"),
        text => text,
    }
}

/// What the harness says of itself when it opens a session.
#[derive(Debug)]
struct Introduction {
    version: ProtocolVersion,
    name: String,
}

impl ClientHandler for Introduction {
    fn get_info(&self) -> ClientConfig {
        let implementation = Implementation::new(self.name.clone(), env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), implementation)
            .with_protocol_version(self.version.clone())
    }
}

impl Session {
    /// Opens a session: the handshake, or `server/discover` in the stateless revision. `timeout` bounds each later call too.
    ///
    /// # Errors
    /// [`SessionError`], never a fallback to another revision.
    pub async fn open(
        endpoint: &Url,
        token: &SecretString,
        revision: Revision,
        recorder: &Recorder,
        timeout: Duration,
    ) -> Result<Self, SessionError> {
        Self::open_as(CLIENT_NAME, endpoint, token, revision, recorder, timeout).await
    }

    /// Opens a session as [`Session::open`] does, for a client that calls itself `name`.
    ///
    /// # Errors
    /// As [`Session::open`].
    pub async fn open_as(
        name: &str,
        endpoint: &Url,
        token: &SecretString,
        revision: Revision,
        recorder: &Recorder,
        timeout: Duration,
    ) -> Result<Self, SessionError> {
        recorder.hide(token);
        let call = format!("opening a session with {endpoint} in {revision}");
        let client = http_client().map_err(|reason| SessionError::Transport {
            call: call.clone(),
            reason,
        })?;
        let config = StreamableHttpClientTransportConfig::with_uri(endpoint.as_str())
            .auth_header(token.expose_secret());
        let transport = StreamableHttpClientTransport::with_client(client, config);
        Self::begin(transport, name, call, revision, recorder, timeout).await
    }

    /// Starts `command` and opens a session over its standard streams; the program ends with the session. `ready` bounds
    /// the opening, `timeout` each later call.
    ///
    /// # Errors
    /// [`SessionError`], never a fallback to another revision.
    pub async fn over_stdio(
        command: tokio::process::Command,
        revision: Revision,
        recorder: &Recorder,
        ready: Duration,
        timeout: Duration,
    ) -> Result<Self, SessionError> {
        let program = command.as_std().get_program().display().to_string();
        let call = format!("opening a session with {program} in {revision}");
        let transport = TokioChildProcess::builder(command)
            .stderr(std::process::Stdio::null())
            .spawn();
        let (transport, _) = transport.map_err(|error| SessionError::Transport {
            call: call.clone(),
            reason: error.to_string(),
        })?;
        let mut session =
            Self::begin(transport, CLIENT_NAME, call, revision, recorder, ready).await?;
        session.timeout = timeout;
        Ok(session)
    }

    async fn begin<T, Failed, Kind>(
        transport: T,
        name: &str,
        call: String,
        revision: Revision,
        recorder: &Recorder,
        timeout: Duration,
    ) -> Result<Self, SessionError>
    where
        T: IntoTransport<RoleClient, Failed, Kind>,
        Failed: std::error::Error + Send + Sync + 'static,
    {
        let version = protocol_version(revision);
        let lifecycle = if revision.is_modern() {
            ClientLifecycleMode::Discover {
                preferred_versions: vec![version.clone()],
            }
        } else {
            ClientLifecycleMode::Initialize
        };
        let opening = Introduction {
            version,
            name: name.to_owned(),
        }
        .serve_with_lifecycle(transport, lifecycle);
        let service = match tokio::time::timeout(timeout, opening).await {
            Err(_) => Err(SessionError::Timeout {
                call: call.clone(),
                seconds: timeout.as_secs_f32(),
            }),
            Ok(Err(error)) => Err(opening_error(&call, &error)),
            Ok(Ok(service)) => Ok(service),
        };
        match service {
            Err(error) => {
                recorder.keep(call, error.to_string());
                if matches!(error, SessionError::Timeout { .. }) {
                    recorder.note_silence();
                }
                Err(error)
            }
            Ok(service) => {
                let spoken = service
                    .peer_info()
                    .map(|server| server.protocol_version.to_string());
                recorder.keep(
                    call,
                    format!("open, speaking {}", spoken.unwrap_or_default()),
                );
                Ok(Session {
                    service,
                    recorder: recorder.clone(),
                    timeout,
                })
            }
        }
    }

    /// Calls a tool. A refusal by the tool is an answer, not an error.
    ///
    /// # Errors
    /// [`SessionError`] for 401, protocol errors, timeouts and broken transport.
    pub async fn call(&self, tool: &str, arguments: Value) -> Result<ToolAnswer, SessionError> {
        let call = format!("{tool} {arguments}");
        let mut request = CallToolRequestParams::new(tool.to_owned());
        if let Value::Object(arguments) = arguments {
            request = request.with_arguments(arguments);
        }
        let result = self
            .ask(&call, self.service.call_tool(request), told)
            .await?;
        Ok(ToolAnswer {
            tool: tool.to_owned(),
            is_error: result.is_error == Some(true),
            text: text_of(&result.content),
            structured: result.structured_content,
        })
    }

    /// Every tool the server lists for this person, all pages.
    ///
    /// # Errors
    /// [`SessionError`].
    pub async fn list_tools(&self) -> Result<Vec<ToolDescription>, SessionError> {
        let tools = self
            .ask("tools/list", self.service.list_all_tools(), |tools| {
                format!("{} tools", tools.len())
            })
            .await?;
        let described = tools.into_iter().map(|tool| ToolDescription {
            name: tool.name.into_owned(),
            description: tool.description.map(std::borrow::Cow::into_owned),
            input_schema: Value::Object((*tool.input_schema).clone()),
            output_schema: tool
                .output_schema
                .map(|schema| Value::Object((*schema).clone())),
            annotations: serde_json::to_value(&tool.annotations).unwrap_or_default(),
        });
        Ok(described.collect())
    }

    /// The text of a resource, its parts joined by line breaks.
    ///
    /// # Errors
    /// [`SessionError`].
    pub async fn read_resource(&self, uri: &str) -> Result<String, SessionError> {
        let contents = self.read_contents(uri).await?;
        let texts: Vec<&str> = contents
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect();
        Ok(texts.join("\n"))
    }

    /// The parts of a resource, as they came.
    ///
    /// # Errors
    /// [`SessionError`].
    pub async fn read_contents(&self, uri: &str) -> Result<Vec<Value>, SessionError> {
        let request = ReadResourceRequestParams::new(uri);
        let call = format!("resources/read {uri}");
        let result = self
            .ask(&call, self.service.read_resource(request), |result| {
                serde_json::to_string(result).unwrap_or_default()
            })
            .await?;
        let contents = serde_json::to_value(&result.contents).unwrap_or_default();
        Ok(contents.as_array().cloned().unwrap_or_default())
    }

    /// The text of a prompt's messages, joined by line breaks.
    ///
    /// # Errors
    /// [`SessionError`].
    pub async fn get_prompt(
        &self,
        name: &str,
        arguments: JsonObject,
    ) -> Result<String, SessionError> {
        let mut request = GetPromptRequestParams::new(name);
        if !arguments.is_empty() {
            request = request.with_arguments(arguments);
        }
        let call = format!("prompts/get {name}");
        let result = self
            .ask(&call, self.service.get_prompt(request), |result| {
                serde_json::to_string(result).unwrap_or_default()
            })
            .await?;
        let messages = serde_json::to_value(&result.messages).unwrap_or_default();
        let parts = messages.as_array().into_iter().flatten();
        let texts: Vec<&str> = parts
            .filter_map(|part| part["content"]["text"].as_str())
            .collect();
        Ok(texts.join("\n"))
    }

    /// What the server told the agent when the session opened.
    pub fn instructions(&self) -> Option<String> {
        self.service
            .peer_info()
            .and_then(|server| server.instructions.clone())
    }

    /// The server's own name, where it says one.
    pub fn server_name(&self) -> Option<String> {
        let server = self.service.peer_info()?;
        server.server_info.as_ref().map(|info| info.name.clone())
    }

    /// Waits for one answer no longer than the timeout and records the exchange.
    async fn ask<T>(
        &self,
        call: &str,
        answer: impl Future<Output = Result<T, ServiceError>>,
        describe: impl Fn(&T) -> String,
    ) -> Result<T, SessionError> {
        let started = Instant::now();
        let answer = match tokio::time::timeout(self.timeout, answer).await {
            Err(_) => Err(SessionError::Timeout {
                call: call.to_owned(),
                seconds: started.elapsed().as_secs_f32(),
            }),
            Ok(answer) => answer.map_err(|error| service_error(call, error)),
        };
        match &answer {
            Ok(answer) => self.recorder.keep(call, describe(answer)),
            Err(error) => {
                self.recorder.keep(call, error.to_string());
                if matches!(error, SessionError::Timeout { .. }) {
                    self.recorder.note_silence();
                }
            }
        }
        answer
    }
}

impl ToolAnswer {
    /// The structured result of a call that succeeded.
    ///
    /// # Errors
    /// [`SessionError::Refused`] if the tool refused, [`SessionError::Incomplete`] if there is no structured content.
    pub fn body(&self) -> Result<&Value, SessionError> {
        if self.is_error {
            return Err(SessionError::Refused {
                tool: self.tool.clone(),
                text: self.text.clone(),
            });
        }
        self.structured
            .as_ref()
            .ok_or_else(|| SessionError::Incomplete {
                tool: self.tool.clone(),
                missing: "structured content",
                text: self.text.clone(),
            })
    }

    /// The refusal of a call that was refused with a JSON body; `None` for a success and for a refusal in prose.
    pub fn fault(&self) -> Option<FaultBody> {
        if !self.is_error {
            return None;
        }
        let body = self
            .structured
            .clone()
            .or_else(|| serde_json::from_str(&self.text).ok())?;
        let Value::Object(mut rest) = body else {
            return None;
        };
        let mut text = |name: &str| match rest.shift_remove(name) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        Some(FaultBody {
            code: text("code")?,
            message: text("message")?,
            field: text("field"),
            rest,
        })
    }
}

fn protocol_version(revision: Revision) -> ProtocolVersion {
    match revision {
        Revision::V2025_06_18 => ProtocolVersion::V_2025_06_18,
        Revision::V2025_11_25 => ProtocolVersion::V_2025_11_25,
        Revision::V2026_07_28 => ProtocolVersion::V_2026_07_28,
    }
}

fn text_of(content: &[ContentBlock]) -> String {
    let texts: Vec<&str> = content
        .iter()
        .filter_map(|block| block.as_text().map(|text| text.text.as_str()))
        .collect();
    texts.join("\n")
}

fn opening_error(call: &str, error: &ClientInitializeError) -> SessionError {
    let call = call.to_owned();
    if let Some(challenge) = error.auth_challenge() {
        return SessionError::Unauthorized {
            call,
            challenge: challenge.to_owned(),
        };
    }
    match error {
        ClientInitializeError::JsonRpcError(error) => protocol_error(call, error),
        other => SessionError::Transport {
            call,
            reason: other.to_string(),
        },
    }
}

fn service_error(call: &str, error: ServiceError) -> SessionError {
    let call = call.to_owned();
    if let Some(challenge) = error.auth_challenge() {
        return SessionError::Unauthorized {
            call,
            challenge: challenge.to_owned(),
        };
    }
    match error {
        ServiceError::McpError(error) => protocol_error(call, &error),
        other => SessionError::Transport {
            call,
            reason: other.to_string(),
        },
    }
}

fn protocol_error(call: String, error: &rmcp::model::ErrorData) -> SessionError {
    SessionError::Protocol {
        call,
        code: i64::from(error.code.0),
        message: error.message.to_string(),
        data: error.data.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer(is_error: bool, structured: Option<Value>, text: &str) -> ToolAnswer {
        ToolAnswer {
            tool: "record".to_owned(),
            is_error,
            structured,
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_refusal_is_read_from_the_structured_part_or_from_the_text() {
        let body = json!({ "code": "oversell", "message": "You hold 3 units.", "field": "transactions[0].units", "held": "3" });
        let structured = answer(true, Some(body.clone()), "").fault().unwrap();
        let text = answer(true, None, &body.to_string()).fault().unwrap();
        assert_eq!(structured, text);
        assert_eq!(structured.code, "oversell");
        assert_eq!(structured.field.as_deref(), Some("transactions[0].units"));
        assert_eq!(structured.rest["held"], "3");
    }

    #[test]
    fn a_refusal_has_no_body_and_a_success_has_no_fault() {
        let refused = answer(true, Some(json!({ "code": "a", "message": "b" })), "no");
        assert!(matches!(refused.body(), Err(SessionError::Refused { .. })));
        let success = answer(false, Some(json!({ "code": "a", "message": "b" })), "");
        assert_eq!(success.fault(), None);
        assert!(success.body().is_ok());
        assert!(matches!(
            answer(false, None, "").body(),
            Err(SessionError::Incomplete { .. })
        ));
    }

    #[test]
    fn prose_is_no_fault_body() {
        assert_eq!(answer(true, None, "something went wrong").fault(), None);
    }
}

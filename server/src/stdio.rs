//! The standard streams as a way to a client: one message per line, nothing but messages on stdout, and no line ends the process.

mod outgoing;

use std::io;
use std::sync::Arc;

use futures::future::OptionFuture;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, GetMeta as _, JsonRpcMessage, ProtocolVersion,
};
use rmcp::service::{RoleServer, RxJsonRpcMessage, ServiceExt as _, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::auth::{DuplicateMembers, strict_json};
use crate::mcp::REVISIONS;
use crate::mcp::message::{self, INVALID_REQUEST, Malformed, PARSE_ERROR};
use crate::profiles::finanpy::{
    BadLine, Discovery, EndOfInput, Finanpy, FinanpyParts, FinanpyRules, Greeting, Network,
    OpenError, Server,
};
use outgoing::Outgoing;

/// Longest line that is read, in bytes; as long as a body over HTTP.
const LINE_LIMIT: usize = crate::http::BODY_LIMIT;
/// How many messages wait while the ones before them are being started.
const WAITING: usize = 64;

/// Why serving on the standard streams ended before the client left.
#[derive(Debug, thiserror::Error)]
pub enum StdioError {
    /// The cash book could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The client sent something that its lifecycle does not allow. Its content is left out: it may hold what people wrote.
    #[error("the session could not begin")]
    Session,
    /// A stream failed.
    #[error("a standard stream failed")]
    Stream(#[from] io::Error),
}

/// Serves the cash book on this process's own stdin and stdout until stdin ends.
///
/// # Errors
/// When the cash book cannot be opened or a stream fails.
pub async fn serve(parts: FinanpyParts) -> Result<(), StdioError> {
    let (reader, writer) = rmcp::transport::io::stdio_pipes();
    serve_on(parts, reader, writer).await
}

async fn serve_on<R, W>(parts: FinanpyParts, reader: R, mut writer: W) -> Result<(), StdioError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let rules = parts.rules.clone();
    let book = Arc::new(Finanpy::open(parts).await?);
    let server = Server::new(Arc::clone(&book))?;
    greet(&mut writer, rules.process.greeting).await?;
    // Held until the end; there is none unless a defective rule wants it.
    let _port = OptionFuture::from(
        (rules.process.network == Network::OpensPort).then(|| TcpListener::bind(("127.0.0.1", 0))),
    )
    .await
    .transpose()?;
    let ended = match server.serve(Lines::new(reader, writer, &rules)).await {
        Ok(session) => session.waiting().await.map(drop).map_err(io::Error::other),
        // The client left before it began.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(_) => return Err(StdioError::Session),
    };
    book.close().await;
    if rules.process.end_of_input == EndOfInput::Stays {
        std::future::pending::<()>().await;
    }
    Ok(ended?)
}

/// What only a defective rule says before it is asked.
async fn greet<W: AsyncWrite + Unpin>(writer: &mut W, greeting: Greeting) -> io::Result<()> {
    let line = match greeting {
        Greeting::Nothing => return Ok(()),
        Greeting::Banner => "Finanpy MCP Server: pronto!\n".to_owned(),
        Greeting::Manifest => {
            let tools = json!([{"name": "registrar_transacao"}, {"name": "listar_transacoes"}]);
            let message = json!({"jsonrpc": "2.0", "method": "notifications/manifest", "params": {"tools": tools}});
            format!("{message}\n")
        }
    };
    writer.write_all(line.as_bytes()).await?;
    writer.flush().await
}

/// A transport of lines. A task of its own reads them, so that a read is never given up half-way.
struct Lines<W> {
    incoming: mpsc::Receiver<ClientJsonRpcMessage>,
    outgoing: Arc<Outgoing<W>>,
}

impl<W: AsyncWrite + Send + Unpin + 'static> Lines<W> {
    fn new<R>(reader: R, writer: W, rules: &FinanpyRules) -> Self
    where
        R: AsyncRead + Send + Unpin + 'static,
    {
        let (sender, incoming) = mpsc::channel(WAITING);
        let outgoing = Arc::new(Outgoing::new(writer, rules));
        let reading = Reading {
            reader: BufReader::new(reader),
            outgoing: Arc::clone(&outgoing),
            begun: false,
            bad_line: rules.process.bad_line,
            discovery: rules.process.discovery,
        };
        tokio::spawn(reading.run(sender));
        Self { incoming, outgoing }
    }
}

impl<W: AsyncWrite + Send + Unpin + 'static> Transport<RoleServer> for Lines<W> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let outgoing = Arc::clone(&self.outgoing);
        async move { outgoing.say(&message).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        self.incoming.recv().await
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.outgoing.close().await
    }
}

/// The reading side.
struct Reading<R, W> {
    reader: BufReader<R>,
    outgoing: Arc<Outgoing<W>>,
    /// Whether the library has chosen the session's era. Before that anything but a request would end it.
    begun: bool,
    bad_line: BadLine,
    discovery: Discovery,
}

/// One line of input.
#[derive(Debug, PartialEq)]
enum Line {
    /// Without its end.
    Whole(Vec<u8>),
    /// Longer than is read; it is skipped to its end.
    TooLong,
}

impl<R, W> Reading<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin,
{
    async fn run(mut self, messages: mpsc::Sender<ClientJsonRpcMessage>) {
        loop {
            let line = match next_line(&mut self.reader, LINE_LIMIT).await {
                Ok(Some(line)) => line,
                Ok(None) => return,
                Err(error) => {
                    tracing::error!(%error, "stdin failed");
                    return;
                }
            };
            match understand(&line) {
                Ok(None) => {}
                Ok(Some(message)) => {
                    match (is_discovery(&message), self.discovery) {
                        (true, Discovery::Silent) => continue,
                        (true, Discovery::EndsProcess) => return,
                        (true, Discovery::Answered) | (false, _) => {}
                    }
                    if let JsonRpcMessage::Request(request) = &message {
                        self.outgoing.expect(&request.id);
                    }
                    if self.begin_with(&message) && messages.send(message).await.is_err() {
                        return;
                    }
                }
                Err(_) if self.bad_line == BadLine::EndsProcess => return,
                Err(wrong) => {
                    let answer = json!({
                        "jsonrpc": "2.0",
                        "id": wrong.id,
                        "error": { "code": wrong.code, "message": wrong.text }
                    });
                    if let Err(error) = self.outgoing.say(&answer).await {
                        tracing::error!(%error, "stdout failed");
                        return;
                    }
                }
            }
        }
    }

    /// Whether a message may go on. Before the session has begun the library takes any notification or response for a broken client
    /// and ends; here they are dropped.
    fn begin_with(&mut self, message: &ClientJsonRpcMessage) -> bool {
        if self.begun {
            return true;
        }
        let JsonRpcMessage::Request(request) = message else {
            return false;
        };
        self.begun = match &request.request {
            ClientRequest::InitializeRequest(_) => true,
            ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
            other => {
                let meta = other.get_meta();
                meta.missing_required_keys(&ProtocolVersion::V_2026_07_28)
                    .is_empty()
                    && meta
                        .protocol_version()
                        .is_some_and(|version| REVISIONS.contains(&version))
            }
        };
        true
    }
}

fn is_discovery(message: &ClientJsonRpcMessage) -> bool {
    matches!(message, JsonRpcMessage::Request(request) if matches!(request.request, ClientRequest::DiscoverRequest(_)))
}

/// Reads up to the next line break, or to the end of the stream.
async fn next_line<R: AsyncRead + Unpin>(
    reader: &mut BufReader<R>,
    limit: usize,
) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let available = reader.fill_buf().await?;
        if available.is_empty() {
            return Ok(match (too_long, line.is_empty()) {
                (true, _) => Some(Line::TooLong),
                (false, true) => None,
                (false, false) => Some(Line::Whole(line)),
            });
        }
        let end = available.iter().position(|byte| *byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        if line.len() + part.len() > limit {
            too_long = true;
            line = Vec::new();
        }
        if !too_long {
            line.extend_from_slice(part);
        }
        let read = end.map_or(available.len(), |end| end + 1);
        reader.consume(read);
        if end.is_some() {
            return Ok(Some(if too_long {
                Line::TooLong
            } else {
                Line::Whole(line)
            }));
        }
    }
}

/// The message of a line; none for a blank line, and for a notification or response that means nothing here.
fn understand(line: &Line) -> Result<Option<ClientJsonRpcMessage>, Malformed> {
    let wrong = |code, text| Malformed {
        code,
        text,
        id: None,
    };
    let Line::Whole(bytes) = line else {
        return Err(wrong(INVALID_REQUEST, "The line is longer than 4 MiB."));
    };
    if bytes.trim_ascii().is_empty() {
        return Ok(None);
    }
    let value = strict_json::parse(bytes, DuplicateMembers::Refused).map_err(|error| {
        if error.is_data() {
            wrong(
                INVALID_REQUEST,
                "The message has a member twice, or nests too deeply.",
            )
        } else {
            wrong(PARSE_ERROR, "The line is not JSON in UTF-8.")
        }
    })?;
    message::check(&value)?;
    let id = value.get("id").cloned();
    let is_request = id.is_some() && value.get("method").is_some();
    match serde_json::from_value(value) {
        Ok(message) => Ok(Some(message)),
        Err(_) if is_request => Err(Malformed {
            code: INVALID_REQUEST,
            text: "The message does not have the form of its method.",
            id,
        }),
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(line: &[u8]) -> i32 {
        understand(&Line::Whole(line.to_vec())).unwrap_err().code
    }

    #[tokio::test]
    async fn lines_are_read_up_to_the_limit_and_one_too_long_is_skipped() {
        let text = b"first\r\n\n0123456789\n01234567890\nlast";
        let mut reader = BufReader::with_capacity(4, text.as_slice());
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut reader, 10).await.unwrap() {
            lines.push(line);
        }
        let whole = |text: &str| Line::Whole(text.as_bytes().to_vec());
        assert_eq!(
            lines,
            [
                whole("first\r"),
                whole(""),
                whole("0123456789"),
                Line::TooLong,
                whole("last")
            ]
        );
    }

    #[test]
    fn what_is_no_message_is_named() {
        for line in ["x", "{", "nonsense {", "{\"a\":NaN}", "{\"a\":1e309}"] {
            assert_eq!(code(line.as_bytes()), PARSE_ERROR, "{line}");
        }
        assert_eq!(code(b"\xff\xfe"), PARSE_ERROR);
        for line in [
            "[]",
            "7",
            "{}",
            r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
        ] {
            assert_eq!(code(line.as_bytes()), INVALID_REQUEST, "{line}");
        }
        assert_eq!(
            understand(&Line::TooLong).unwrap_err().code,
            INVALID_REQUEST
        );
    }

    #[test]
    fn blank_lines_and_unknown_notifications_are_nothing() {
        for line in ["", "  ", "\r"] {
            let understood = understand(&Line::Whole(line.as_bytes().to_vec()));
            assert!(matches!(understood, Ok(None)), "{line:?}");
        }
        let request = br#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#;
        assert!(matches!(
            understand(&Line::Whole(request.to_vec())),
            Ok(Some(JsonRpcMessage::Request(_)))
        ));
    }
}

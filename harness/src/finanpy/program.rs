//! A running cash book and the conversation with it: raw lines, or a real client where that is the point.

use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Entry, Filters, LIST, REGISTER, Reply, SUMMARY};
use crate::client::{
    Lines, LinesError, Message, Recorder, Revision, Session, SessionError, ToolAnswer,
};
use crate::mocks::Timekeeper;
use crate::suite::Failure;
use crate::target::{LocalProcess, LocalProgram, TargetError};

/// The revision with a handshake that a client of both eras falls back to.
const OLDER_ERA: Revision = Revision::V2025_11_25;

/// Where one scenario's programs run: an empty data folder, a clock of its own, and a folder that is neither.
#[derive(Debug)]
pub struct Place {
    /// How the program is started.
    pub program: LocalProgram,
    /// The clock it goes by.
    pub time: Timekeeper,
    /// Removed with everything in it when the scenario ends.
    pub data: TempDir,
    /// A folder to start from that is not the data folder.
    pub elsewhere: TempDir,
}

/// A program that runs, and how it is spoken to.
#[derive(Debug)]
pub struct Program {
    process: Option<LocalProcess>,
    channel: Channel,
    revision: Revision,
    next: u64,
    open: bool,
    ready_within: Duration,
    patience: Duration,
}

#[derive(Debug)]
enum Channel {
    Raw(Lines),
    Real(Session),
}

/// What a program offers.
#[derive(Debug, Clone, Default)]
pub struct Offer {
    /// Its tools, as they are listed.
    pub tools: Vec<Value>,
    /// Its resources, as they are listed.
    pub resources: Vec<Value>,
    /// Its resource templates, as they are listed.
    pub templates: Vec<Value>,
}

impl Place {
    /// Starts a program that speaks `revision` where it can; the conversation is opened with the first call.
    ///
    /// # Errors
    /// It cannot be started.
    pub async fn start(
        &self,
        revision: Revision,
        recorder: &Recorder,
        patience: Duration,
    ) -> Result<Program, Failure> {
        let now = self.time.clock().now();
        let (process, streams) = self.program.start(now).map_err(not_started)?;
        let lines = Lines::over(streams.input, streams.output, streams.errors, recorder);
        Ok(self.running(Some(process), Channel::Raw(lines), revision, patience))
    }

    /// Starts a program that a real client speaks to, and opens the conversation.
    ///
    /// # Errors
    /// It cannot be started, or the client cannot open the conversation.
    pub async fn start_with_real_client(
        &self,
        revision: Revision,
        recorder: &Recorder,
        patience: Duration,
    ) -> Result<Program, Failure> {
        let now = self.time.clock().now();
        let ready = self.program.ready_within();
        let mut opened = Err(Failure::harness("no revision was tried"));
        // A server of the older era is spoken to in its own way, as clients of both eras do.
        let older = revision.is_modern().then_some(OLDER_ERA);
        for revision in std::iter::once(revision).chain(older) {
            let command = self.program.command(now).map_err(not_started)?;
            opened = Session::over_stdio(command, revision, recorder, ready, patience)
                .await
                .map_err(|error| {
                    Failure::expected("a real client can open the conversation").actual(error)
                });
            if opened.is_ok() {
                break;
            }
        }
        let mut program = self.running(None, Channel::Real(opened?), revision, patience);
        program.open = true;
        Ok(program)
    }

    fn running(
        &self,
        process: Option<LocalProcess>,
        channel: Channel,
        revision: Revision,
        patience: Duration,
    ) -> Program {
        Program {
            process,
            channel,
            revision,
            next: 0,
            open: false,
            ready_within: self.program.ready_within(),
            patience,
        }
    }
}

impl Program {
    /// Opens the conversation: with `server/discover` in the stateless revision, falling back to `initialize` where the
    /// server refuses it, as the specification asks of clients that speak both eras.
    ///
    /// # Errors
    /// There is no answer, or no usable one.
    pub async fn open(&mut self) -> Result<(), Failure> {
        if self.open {
            return Ok(());
        }
        if self.revision.is_modern() {
            let ready = self.ready_within;
            let id = self.take_id();
            let opening = Message::opening(self.revision).with_id(json!(id)).body;
            let answer = self.ask(&opening, ready).await?;
            let versions = &answer["result"]["supportedVersions"];
            let spoken = versions
                .as_array()
                .is_some_and(|versions| versions.contains(&json!(self.revision.date())));
            if spoken {
                self.open = true;
                return Ok(());
            }
            self.revision = OLDER_ERA;
        }
        self.shake_hands().await
    }

    async fn shake_hands(&mut self) -> Result<(), Failure> {
        let ready = self.ready_within;
        let id = self.take_id();
        let opening = Message::initialize(self.revision).with_id(json!(id)).body;
        let answer = self.ask(&opening, ready).await?;
        if !answer["result"]["protocolVersion"].is_string() {
            return Err(
                Failure::expected("initialize to be answered with a protocolVersion")
                    .actual(answer),
            );
        }
        let initialized = Message::notification(self.revision, "notifications/initialized").body;
        let patience = self.patience;
        self.lines()?
            .send(&initialized, patience)
            .await
            .map_err(no_answer)?;
        self.open = true;
        Ok(())
    }

    /// The revision that is spoken; an older one than was asked for where the server knows only that.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// How long it may take to start.
    #[must_use]
    pub fn ready_within(&self) -> Duration {
        self.ready_within
    }

    /// Registers a transaction.
    ///
    /// # Errors
    /// There is no answer at all.
    pub async fn register(&mut self, entry: &Entry) -> Result<Reply, Failure> {
        self.call(REGISTER, entry.arguments()).await
    }

    /// Lists transactions.
    ///
    /// # Errors
    /// There is no answer at all.
    pub async fn list(&mut self, filters: &Filters) -> Result<Reply, Failure> {
        self.call(LIST, filters.arguments()).await
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> Result<Reply, Failure> {
        self.open().await?;
        if let Channel::Real(session) = &self.channel {
            return match session.call(tool, arguments).await {
                Ok(answer) => Ok(Reply::Tool(answer)),
                Err(SessionError::Protocol { code, message, .. }) => {
                    Ok(Reply::Protocol { code, message })
                }
                Err(error) => Err(Failure::expected("an answer").actual(error)),
            };
        }
        let request = self.request_for(tool, arguments);
        let patience = self.patience;
        let answer = self.ask(&request, patience).await?;
        Ok(reply(tool, &answer))
    }

    /// Registers a transaction whose amount is this text, whether it is JSON or not. Nobody waits for the answer: a line
    /// that cannot be read may be passed over.
    ///
    /// # Errors
    /// The line cannot be sent.
    pub async fn register_raw(&mut self, entry: &Entry, amount: &str) -> Result<(), Failure> {
        const MARK: &str = "\"the amount\"";
        self.open().await?;
        let mut entry = entry.clone();
        entry.set("amount", json!("the amount"));
        let request = self.request_for(REGISTER, entry.arguments());
        let line = request.to_string().replace(MARK, amount);
        self.send_bytes(format!("{line}\n").as_bytes()).await
    }

    /// Registers transactions without waiting for an answer, and then waits for all of them.
    ///
    /// # Errors
    /// One of them has no answer.
    pub async fn register_at_once(&mut self, entries: &[Entry]) -> Result<Vec<Reply>, Failure> {
        self.open().await?;
        let requests: Vec<Value> = entries
            .iter()
            .map(|entry| self.request_for(REGISTER, entry.arguments()))
            .collect();
        let patience = self.patience;
        let lines = self.lines()?;
        for request in &requests {
            lines.send(request, patience).await.map_err(no_answer)?;
        }
        let mut replies = Vec::new();
        for request in &requests {
            let answer = lines
                .answer_to(&request["id"], &request.to_string(), patience)
                .await
                .map_err(no_answer)?;
            replies.push(reply(REGISTER, &answer));
        }
        Ok(replies)
    }

    /// The text of the summary.
    ///
    /// # Errors
    /// There is no answer, or it is an error.
    pub async fn summary(&mut self) -> Result<String, Failure> {
        self.open().await?;
        if let Channel::Real(session) = &self.channel {
            return session
                .read_resource(SUMMARY)
                .await
                .map_err(|error| Failure::expected("the summary").actual(error));
        }
        let result = self
            .result("resources/read", json!({ "uri": SUMMARY }))
            .await?;
        let text = result["contents"][0]["text"].as_str().map(str::to_owned);
        text.ok_or_else(|| Failure::expected("the summary as text").actual(&result))
    }

    /// What the program offers.
    ///
    /// # Errors
    /// There is no answer, or it is an error.
    pub async fn offer(&mut self) -> Result<Offer, Failure> {
        self.open().await?;
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let tools = self.result("tools/list", json!({})).await?;
        let resources = self.result("resources/list", json!({})).await?;
        // A server without templates need not know the method.
        let templates = self.request("resources/templates/list", json!({})).await?;
        Ok(Offer {
            tools: list(&tools["tools"]),
            resources: list(&resources["resources"]),
            templates: list(&templates["result"]["resourceTemplates"]),
        })
    }

    /// Whether it still lists its tools.
    ///
    /// # Errors
    /// It does not.
    pub async fn still_answers(&mut self) -> Result<(), Failure> {
        self.open().await?;
        let result = self.result("tools/list", json!({})).await?;
        if result["tools"].is_array() {
            return Ok(());
        }
        Err(Failure::expected("the list of tools").actual(&result))
    }

    async fn result(&mut self, method: &str, params: Value) -> Result<Value, Failure> {
        let answer = self.request(method, params).await?;
        let result = answer.get("result").cloned();
        result.ok_or_else(|| Failure::expected(format!("a result of {method}")).actual(&answer))
    }

    async fn request(&mut self, method: &str, params: Value) -> Result<Value, Failure> {
        let id = self.take_id();
        let request = Message::request(self.revision, json!(id), method, params).body;
        let patience = self.patience;
        self.ask(&request, patience).await
    }

    fn request_for(&mut self, tool: &str, arguments: Value) -> Value {
        let id = self.take_id();
        Message::call(self.revision, tool, arguments)
            .with_id(json!(id))
            .body
    }

    /// The first request of a conversation has the id 1.
    fn take_id(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    async fn ask(&mut self, request: &Value, within: Duration) -> Result<Value, Failure> {
        self.lines()?.ask(request, within).await.map_err(no_answer)
    }

    /// Sends bytes as they are.
    ///
    /// # Errors
    /// The program does not read them.
    pub async fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let patience = self.patience;
        self.lines()?
            .send_bytes(bytes, patience)
            .await
            .map_err(no_answer)
    }

    /// The raw lines.
    ///
    /// # Errors
    /// A real client has them, which shows none.
    pub fn lines(&mut self) -> Result<&mut Lines, Failure> {
        match &mut self.channel {
            Channel::Raw(lines) => Ok(lines),
            Channel::Real(_) => Err(Failure::harness("a real client shows no raw lines")),
        }
    }

    /// The process; none while a real client has it.
    pub fn process(&mut self) -> Option<&mut LocalProcess> {
        self.process.as_mut()
    }

    /// Ends it with all its children.
    pub async fn end(mut self) {
        if let Some(process) = &mut self.process {
            process.kill().await;
        }
    }
}

fn reply(tool: &str, answer: &Value) -> Reply {
    if let Some(error) = answer.get("error") {
        return Reply::Protocol {
            code: error["code"].as_i64().unwrap_or_default(),
            message: error["message"].as_str().unwrap_or_default().to_owned(),
        };
    }
    let result = &answer["result"];
    let texts: Vec<&str> = result["content"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|block| block["text"].as_str())
        .collect();
    Reply::Tool(ToolAnswer {
        tool: tool.to_owned(),
        is_error: result["isError"] == true,
        structured: result
            .get("structuredContent")
            .filter(|value| !value.is_null())
            .cloned(),
        text: texts.join("\n"),
    })
}

fn no_answer(error: LinesError) -> Failure {
    Failure::expected("the program to keep the conversation going").actual(error)
}

fn not_started(error: TargetError) -> Failure {
    Failure::expected("the program to start").actual(error)
}

/// Starts the program once and sees whether it answers at all.
///
/// # Errors
/// What stood in the way, in words.
pub async fn probe(place: &Place, patience: Duration) -> Result<(), String> {
    let mut program = place
        .start(OLDER_ERA, &Recorder::default(), patience)
        .await
        .map_err(|failure| failure.actual)?;
    let answered = program.open().await.map_err(|failure| failure.actual);
    program.end().await;
    answered
}

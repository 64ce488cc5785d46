//! Raw lines to and from a program's standard streams, with control over every byte, for what a client library hides.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader,
};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use super::Recorder;

/// Longest line that is read; what comes after it counts as the next line, which is then no message.
const LONGEST_LINE_BYTES: u64 = 8 * 1024 * 1024;
/// How much of standard output is kept in all.
const HEARD_BYTES: usize = 64 * 1024 * 1024;
/// How much of standard error is kept: the first of it, where the reason for a failed start stands.
const ERROR_BYTES: usize = 256 * 1024;
/// How long the last words of a program that has ended are waited for.
const LAST_ERRORS: Duration = Duration::from_millis(500);
/// How much of standard error is shown in a failure.
const SHOWN_CHARACTERS: usize = 600;

/// The streams of one program. Lines are read in the background, whoever waits for them.
pub struct Lines {
    input: Option<Box<dyn AsyncWrite + Send + Unpin>>,
    heard: Arc<Heard>,
    recorder: Recorder,
    readers: Vec<JoinHandle<()>>,
}

/// One line of standard output.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The bytes without the line break.
    pub bytes: Vec<u8>,
    /// What they mean as JSON, if they do.
    pub message: Option<Value>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LinesError {
    /// Nobody answered in time.
    #[error("no answer to {call} within {seconds} s; standard error: {errors}")]
    Timeout {
        /// What was asked.
        call: String,
        /// How long was waited.
        seconds: u64,
        /// The start of standard error.
        errors: String,
    },
    /// The program closed its standard output.
    #[error(
        "the program closed standard output before it answered {call}; standard error: {errors}"
    )]
    Closed {
        /// What was asked.
        call: String,
        /// The start of standard error.
        errors: String,
    },
    /// The program does not read, or is gone.
    #[error("{call} could not be sent: {reason}; standard error: {errors}")]
    Unsent {
        /// What was to be sent.
        call: String,
        /// What the operating system said.
        reason: String,
        /// The start of standard error.
        errors: String,
    },
}

#[derive(Default)]
struct Heard {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    lines: Vec<Line>,
    bytes: usize,
    errors: Vec<u8>,
    closed: bool,
    errors_closed: bool,
}

impl Lines {
    /// Takes over the streams of a program; every exchange goes to `recorder`.
    pub fn over(
        input: impl AsyncWrite + Send + Unpin + 'static,
        output: impl AsyncRead + Send + Unpin + 'static,
        errors: impl AsyncRead + Send + Unpin + 'static,
        recorder: &Recorder,
    ) -> Self {
        let heard = Arc::new(Heard::default());
        let readers = vec![
            tokio::spawn(read_lines(output, Arc::clone(&heard))),
            tokio::spawn(read_errors(errors, Arc::clone(&heard))),
        ];
        Self {
            input: Some(Box::new(input)),
            heard,
            recorder: recorder.clone(),
            readers,
        }
    }

    /// Sends bytes as they are, with no line break added.
    ///
    /// # Errors
    /// [`LinesError::Unsent`], also when the program does not read for `within`.
    pub async fn send_bytes(&mut self, bytes: &[u8], within: Duration) -> Result<(), LinesError> {
        let call = shortened(bytes);
        let unsent = |reason: String, heard: &Heard| LinesError::Unsent {
            call: call.clone(),
            reason,
            errors: heard.shown_errors(),
        };
        let Some(input) = &mut self.input else {
            return Err(unsent("standard input was closed".to_owned(), &self.heard));
        };
        let sending = async {
            input.write_all(bytes).await?;
            input.flush().await
        };
        match tokio::time::timeout(within, sending).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => {
                self.heard.last_errors().await;
                Err(unsent(error.to_string(), &self.heard))
            }
            Err(_) => Err(unsent(
                format!("the program did not read it within {} s", within.as_secs()),
                &self.heard,
            )),
        }
    }

    /// Sends a message as one line.
    ///
    /// # Errors
    /// As [`Lines::send_bytes`].
    pub async fn send(&mut self, message: &Value, within: Duration) -> Result<(), LinesError> {
        let line = format!("{message}\n");
        self.send_bytes(line.as_bytes(), within).await
    }

    /// Waits for the response with this id, however many others come before it.
    ///
    /// # Errors
    /// [`LinesError::Timeout`] or [`LinesError::Closed`]; `call` names the request in them.
    pub async fn answer_to(
        &self,
        id: &Value,
        call: &str,
        within: Duration,
    ) -> Result<Value, LinesError> {
        let mut seen = 0;
        let waiting = async {
            loop {
                let changed = self.heard.changed.notified();
                {
                    let state = self.heard.state();
                    let mut fresh = state.lines[seen..].iter();
                    if let Some(found) = fresh.find_map(|line| response(line, id)) {
                        return Some(found);
                    }
                    seen = state.lines.len();
                    if state.closed {
                        return None;
                    }
                }
                changed.await;
            }
        };
        match tokio::time::timeout(within, waiting).await {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => Err(LinesError::Closed {
                call: call.to_owned(),
                errors: self.heard.last_errors().await,
            }),
            Err(_) => Err(LinesError::Timeout {
                call: call.to_owned(),
                seconds: within.as_secs(),
                errors: self.heard.shown_errors(),
            }),
        }
    }

    /// Sends a request and waits for its response.
    ///
    /// # Errors
    /// As [`Lines::send_bytes`] and [`Lines::answer_to`].
    pub async fn ask(&mut self, request: &Value, within: Duration) -> Result<Value, LinesError> {
        let line = format!("{request}\n");
        self.ask_in_words(&line, &request["id"], within).await
    }

    /// Sends a request that is written out by hand, line break included, and waits for the response to `id`.
    ///
    /// # Errors
    /// As [`Lines::ask`].
    pub async fn ask_in_words(
        &mut self,
        line: &str,
        id: &Value,
        within: Duration,
    ) -> Result<Value, LinesError> {
        let call = shortened(line.as_bytes());
        let answer = match self.send_bytes(line.as_bytes(), within).await {
            Ok(()) => self.answer_to(id, &call, within).await,
            Err(error) => Err(error),
        };
        match &answer {
            Ok(answer) => self.recorder.keep(line.trim_end(), answer.to_string()),
            Err(error) => self.recorder.keep(line.trim_end(), error.to_string()),
        }
        answer
    }

    /// Closes the program's standard input, which asks it to end.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Waits until the program has closed its standard output; whether it has by then.
    pub async fn silent_within(&self, limit: Duration) -> bool {
        let waiting = async {
            loop {
                let changed = self.heard.changed.notified();
                if self.heard.state().closed {
                    return;
                }
                changed.await;
            }
        };
        tokio::time::timeout(limit, waiting).await.is_ok()
    }

    /// Every line of standard output so far.
    #[must_use]
    pub fn heard(&self) -> Vec<Line> {
        self.heard.state().lines.clone()
    }

    /// Standard error so far, from its beginning.
    #[must_use]
    pub fn errors(&self) -> String {
        String::from_utf8_lossy(&self.heard.state().errors).into_owned()
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        for reader in &self.readers {
            reader.abort();
        }
    }
}

impl std::fmt::Debug for Lines {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Lines({} heard)", self.heard.state().lines.len())
    }
}

impl Heard {
    /// A reader that panicked leaves lines that are still worth reading.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a program that has ended said last. The two streams are read side by side, so the end of one may be noticed
    /// before the words on the other; a child that holds the stream open is not waited for long.
    async fn last_errors(&self) -> String {
        let read_to_the_end = async {
            loop {
                let changed = self.changed.notified();
                if self.state().errors_closed {
                    return;
                }
                changed.await;
            }
        };
        // Whatever has been read by then is shown.
        let _ = tokio::time::timeout(LAST_ERRORS, read_to_the_end).await;
        self.shown_errors()
    }

    fn shown_errors(&self) -> String {
        let text = String::from_utf8_lossy(&self.state().errors).into_owned();
        let text = text.trim();
        let skipped = text.chars().count().saturating_sub(SHOWN_CHARACTERS);
        match text {
            "" => "(nothing)".to_owned(),
            // The last lines of a traceback say what happened.
            text => text.chars().skip(skipped).collect(),
        }
    }
}

impl Line {
    /// Why this line is no JSON-RPC message; none if it is one.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let shown = || shortened(&self.bytes);
        let Some(message) = &self.message else {
            return Some(match std::str::from_utf8(&self.bytes) {
                Ok(_) => format!("a line that is no JSON: {}", shown()),
                Err(_) => format!("a line that is no UTF-8: {}", shown()),
            });
        };
        // Batches were part of the protocol once and are no more.
        if message["jsonrpc"] != "2.0" {
            return Some(format!("a line that is no JSON-RPC 2.0: {}", shown()));
        }
        let has = |name: &str| message.get(name).is_some();
        let good = if has("method") {
            message["method"].is_string() && !has("result") && !has("error")
        } else {
            has("id") && has("result") != has("error")
        };
        (!good).then(|| format!("neither request nor response nor notification: {}", shown()))
    }

    /// Whether it asks for an answer.
    #[must_use]
    pub fn is_request(&self) -> bool {
        self.message
            .as_ref()
            .is_some_and(|message| message.get("method").is_some() && message.get("id").is_some())
    }
}

fn response(line: &Line, id: &Value) -> Option<Value> {
    let message = line.message.as_ref()?;
    let answers = message.get("result").is_some() || message.get("error").is_some();
    (answers && message.get("id") == Some(id)).then(|| message.clone())
}

async fn read_lines(output: impl AsyncRead + Unpin, heard: Arc<Heard>) {
    let mut reader = BufReader::new(output);
    loop {
        let mut bytes = Vec::new();
        // A line without end must not fill the memory.
        let read = (&mut reader)
            .take(LONGEST_LINE_BYTES)
            .read_until(b'\n', &mut bytes)
            .await;
        if !read.is_ok_and(|count| count > 0) {
            break;
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        // Two bytes at the end of a line are one line break on some machines.
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        let message = serde_json::from_slice(&bytes).ok();
        let mut state = heard.state();
        state.bytes += bytes.len();
        let full = state.bytes > HEARD_BYTES;
        state.lines.push(Line { bytes, message });
        drop(state);
        heard.changed.notify_waiters();
        if full {
            break;
        }
    }
    heard.state().closed = true;
    heard.changed.notify_waiters();
}

async fn read_errors(mut errors: impl AsyncRead + Unpin, heard: Arc<Heard>) {
    let mut chunk = vec![0; 16 * 1024];
    while let Ok(count) = errors.read(&mut chunk).await {
        if count == 0 {
            break;
        }
        let mut state = heard.state();
        let room = ERROR_BYTES.saturating_sub(state.errors.len());
        // What there is no room for is read all the same, so that the program is never stopped by a full pipe.
        state.errors.extend_from_slice(&chunk[..count.min(room)]);
    }
    heard.state().errors_closed = true;
    heard.changed.notify_waiters();
}

fn shortened(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(400)]);
    let text = text.trim_end();
    match bytes.len() {
        0 => "an empty line".to_owned(),
        length if length > 400 => format!("{text}… ({length} bytes)"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tokio::io::{DuplexStream, duplex};

    use super::*;

    const SOON: Duration = Duration::from_secs(5);

    /// Lines whose other end is in the test's hands: what was sent, what is said, what is logged.
    fn lines() -> (Lines, DuplexStream, DuplexStream, DuplexStream) {
        let (input, sent) = duplex(1024 * 1024);
        let (said, output) = duplex(1024 * 1024);
        let (logged, errors) = duplex(1024 * 1024);
        let lines = Lines::over(input, output, errors, &Recorder::default());
        (lines, sent, said, logged)
    }

    #[tokio::test]
    async fn an_answer_is_found_by_its_id_among_other_lines() {
        let (mut lines, _sent, mut said, _logged) = lines();
        said.write_all(
            b"hello\n{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"ok\":true}}\n",
        )
        .await
        .unwrap();
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
        let answer = lines.ask(&request, SOON).await.unwrap();
        assert_eq!(answer["result"]["ok"], true);
        let faults: Vec<bool> = lines
            .heard()
            .iter()
            .map(|line| line.fault().is_some())
            .collect();
        assert_eq!(faults, [true, false, false, false]);
        assert!(lines.heard()[2].is_request());
    }

    #[tokio::test]
    async fn a_program_that_is_gone_is_told_with_what_it_logged() {
        let (mut lines, _sent, said, mut logged) = lines();
        logged.write_all(b"Traceback: no such table").await.unwrap();
        drop(logged);
        drop(said);
        assert!(lines.silent_within(SOON).await);
        while lines.errors().is_empty() {
            tokio::task::yield_now().await;
        }
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
        let error = lines.ask(&request, SOON).await.unwrap_err();
        assert!(matches!(error, LinesError::Closed { .. }), "{error:?}");
        assert!(error.to_string().contains("no such table"), "{error}");
    }

    #[tokio::test]
    async fn silence_is_a_timeout_and_a_closed_input_cannot_be_written_to() {
        let (mut lines, _sent, _said, _logged) = lines();
        let none = lines
            .answer_to(&json!(1), "a request", Duration::from_millis(20))
            .await;
        assert!(matches!(none, Err(LinesError::Timeout { .. })), "{none:?}");
        lines.close();
        let unsent = lines.send_bytes(b"x\n", SOON).await;
        assert!(
            matches!(unsent, Err(LinesError::Unsent { .. })),
            "{unsent:?}"
        );
    }

    #[tokio::test]
    async fn bytes_arrive_as_they_were_sent() {
        let (mut lines, mut sent, _said, _logged) = lines();
        lines.send_bytes(b"\xff{\n\n", SOON).await.unwrap();
        lines.close();
        let mut arrived = Vec::new();
        sent.read_to_end(&mut arrived).await.unwrap();
        assert_eq!(arrived, b"\xff{\n\n");
    }

    #[test]
    fn a_line_is_a_message_only_by_the_letter() {
        let fault = |text: &str| {
            Line {
                bytes: text.as_bytes().to_vec(),
                message: serde_json::from_str(text).ok(),
            }
            .fault()
        };
        for good in [
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/message"}"#,
        ] {
            assert_eq!(fault(good), None, "{good}");
        }
        for bad in [
            "",
            "Starting server",
            "{}",
            r#"{"jsonrpc":"2.0"}"#,
            r#"{"jsonrpc":"2.0","id":1}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#,
            r#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#,
        ] {
            assert!(fault(bad).is_some(), "{bad}");
        }
    }
}

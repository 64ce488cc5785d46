//! The writing side of the standard streams: one message is one line, and nothing else is ever written.

use std::io;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use serde_json::{Value, json};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::Mutex;

use crate::profiles::finanpy::{
    AnswerIds, FinanpyRules, LineForm, ServerRequests, StructuredList, WRAPPER,
};

/// What is written to, by whoever has something to say, one message at a time.
pub(super) struct Outgoing<W> {
    stream: Mutex<Option<W>>,
    form: LineForm,
    ids: AnswerIds,
    requests: ServerRequests,
    lists: StructuredList,
    /// Ids of requests that are not answered yet; kept only where a defective rule gives answers other ids.
    open: std::sync::Mutex<Vec<Value>>,
    asked: AtomicBool,
}

impl<W: AsyncWrite + Unpin> Outgoing<W> {
    pub(super) fn new(stream: W, rules: &FinanpyRules) -> Self {
        let process = &rules.process;
        Self {
            stream: Mutex::new(Some(stream)),
            form: process.line_form,
            ids: process.answer_ids,
            requests: process.requests,
            lists: rules.listing.structured,
            open: std::sync::Mutex::default(),
            asked: AtomicBool::new(false),
        }
    }

    /// Takes note of a request that will be answered.
    pub(super) fn expect(&self, id: &impl Serialize) {
        if self.ids == AnswerIds::LatestFirst
            && let Ok(id) = serde_json::to_value(id)
        {
            self.open().push(id);
        }
    }

    /// Writes one message.
    ///
    /// # Errors
    /// When it cannot be written, or the stream was closed.
    pub(super) async fn say(&self, message: &impl Serialize) -> io::Result<()> {
        let text = match (self.ids, self.lists) {
            (AnswerIds::OfTheirRequests, StructuredList::OfTheRevision) => {
                serde_json::to_string(message)?
            }
            _ => self.altered(serde_json::to_value(message)?),
        };
        let mut bytes = line(text, self.form);
        if self.requests == ServerRequests::AsksForRoots
            && !self.asked.swap(true, Ordering::Relaxed)
        {
            let request = json!({ "jsonrpc": "2.0", "id": "roots-1", "method": "roots/list" });
            bytes.extend(line(request.to_string(), self.form));
        }
        let mut stream = self.stream.lock().await;
        let Some(stream) = stream.as_mut() else {
            return Err(io::ErrorKind::NotConnected.into());
        };
        stream.write_all(&bytes).await?;
        stream.flush().await
    }

    /// Closes the stream. What is said afterwards is an error.
    ///
    /// # Errors
    /// When what was written cannot be handed over.
    pub(super) async fn close(&self) -> io::Result<()> {
        match self.stream.lock().await.take() {
            Some(mut stream) => stream.shutdown().await,
            None => Ok(()),
        }
    }

    /// What only defective rules make of a message. The protocol library leaves bare lists out of `structuredContent` where a
    /// revision knows only objects, so that one that has them has to be made here.
    fn altered(&self, mut message: Value) -> String {
        if message.get("method").is_none()
            && let Some(id) = self.open().pop()
        {
            message["id"] = id;
        }
        if self.lists == StructuredList::AlwaysBare
            && let Some(structured) = message.pointer_mut("/result/structuredContent")
            && structured[WRAPPER].is_array()
        {
            *structured = structured[WRAPPER].take();
        }
        message.to_string()
    }

    fn open(&self) -> std::sync::MutexGuard<'_, Vec<Value>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A message as a line. JSON text has no line break of its own.
fn line(text: String, form: LineForm) -> Vec<u8> {
    let mut bytes = match form {
        LineForm::OneLine => text.into_bytes(),
        LineForm::RawBreaks => text.replace("\\n", "\n").into_bytes(),
        LineForm::Latin1 => text
            .chars()
            .map(|character| u8::try_from(u32::from(character)).unwrap_or(b'?'))
            .collect(),
    };
    bytes.push(b'\n');
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn said(rules: FinanpyRules, requests: &[i32], messages: &[Value]) -> String {
        let (ours, theirs) = tokio::io::duplex(4096);
        let outgoing = Outgoing::new(ours, &rules);
        for id in requests {
            outgoing.expect(id);
        }
        for message in messages {
            outgoing.say(message).await.unwrap();
        }
        outgoing.close().await.unwrap();
        assert!(outgoing.say(&json!({})).await.is_err());
        let mut bytes = Vec::new();
        let mut theirs = theirs;
        tokio::io::AsyncReadExt::read_to_end(&mut theirs, &mut bytes)
            .await
            .unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[tokio::test]
    async fn a_message_is_one_line_with_its_own_id() {
        let messages = [
            json!({"id": 1, "result": "Pão\nde Açúcar"}),
            json!({"id": 2, "result": {}}),
        ];
        let text = said(FinanpyRules::default(), &[1, 2], &messages).await;
        assert_eq!(
            text,
            "{\"id\":1,\"result\":\"Pão\\nde Açúcar\"}\n{\"id\":2,\"result\":{}}\n"
        );
    }

    #[tokio::test]
    async fn defects_give_other_ids_and_other_bytes() {
        let answers = [json!({"id": 1, "result": 1}), json!({"id": 2, "result": 2})];
        let mut rules = FinanpyRules::default();
        rules.process.answer_ids = AnswerIds::LatestFirst;
        let text = said(rules, &[1, 2], &answers).await;
        assert_eq!(text, "{\"id\":2,\"result\":1}\n{\"id\":1,\"result\":2}\n");
        let mut rules = FinanpyRules::default();
        rules.process.requests = ServerRequests::AsksForRoots;
        assert_eq!(
            said(rules, &[], &answers)
                .await
                .matches("roots/list")
                .count(),
            1
        );
        assert_eq!(
            line("\"a\\nb\"".to_owned(), LineForm::RawBreaks),
            b"\"a\nb\"\n"
        );
        assert_eq!(line("ão🍞".to_owned(), LineForm::Latin1), b"\xe3o?\n");
    }
}

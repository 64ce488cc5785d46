//! The last lines a started server wrote, so that an error can show them; never with a token in them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::task::JoinHandle;

/// Lines that are kept.
const LINES: usize = 40;

/// Characters that are kept of a line.
const LINE_LENGTH: usize = 500;

/// How long the rest of the output is waited for when a server has ended: its children may hold the pipes open.
const DRAIN: Duration = Duration::from_millis(500);

/// Collects what a process writes until its pipes are closed.
#[derive(Debug, Default)]
pub struct Output {
    lines: Arc<Mutex<VecDeque<String>>>,
    readers: Vec<JoinHandle<()>>,
}

impl Output {
    /// Reads `pipe` to its end in the background.
    pub fn follow(&mut self, pipe: impl AsyncRead + Unpin + Send + 'static) {
        let lines = Arc::clone(&self.lines);
        self.readers.push(tokio::spawn(async move {
            let mut reader = BufReader::new(pipe);
            let mut line = Vec::new();
            // Bytes, because a server may write in any encoding.
            while reader
                .read_until(b'\n', &mut line)
                .await
                .is_ok_and(|count| count > 0)
            {
                let text = String::from_utf8_lossy(&line);
                let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                lines.push_back(redacted(text.trim_end()));
                if lines.len() > LINES {
                    lines.pop_front();
                }
                line.clear();
            }
        }));
    }

    /// The last lines so far.
    #[must_use]
    pub fn last(&self) -> String {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        match lines.is_empty() {
            true => "(it wrote nothing)".to_owned(),
            false => lines
                .iter()
                .map(String::as_str)
                .collect::<Vec<_>>()
                .join("\n"),
        }
    }

    /// The last lines of a process that has ended.
    pub async fn of_the_dead(&mut self) -> String {
        let readers = std::mem::take(&mut self.readers);
        // Whatever has been read by then is shown; a reader that goes on reads into nothing.
        let _ = tokio::time::timeout(DRAIN, futures::future::join_all(readers)).await;
        self.last()
    }
}

/// `line`, shortened, with everything that looks like a token replaced.
fn redacted(line: &str) -> String {
    let token_character =
        |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
    let mut shown = String::with_capacity(line.len());
    for piece in line.split_inclusive(|character| !token_character(character)) {
        let word = piece.trim_end_matches(|character| !token_character(character));
        // Every JWT begins with the base64 of `{"`.
        if word.starts_with("eyJ") {
            shown.push_str("[token]");
            shown.push_str(&piece[word.len()..]);
        } else {
            shown.push_str(piece);
        }
    }
    match shown.char_indices().nth(LINE_LENGTH) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_long_lines_are_cut() {
        assert_eq!(
            redacted("auth: Bearer eyJhbGciOi.eyJzdWIi.c2ln, ok"),
            "auth: Bearer [token], ok"
        );
        assert_eq!(redacted("plain = line"), "plain = line");
        assert_eq!(redacted(&"é".repeat(2000)).chars().count(), LINE_LENGTH + 1);
    }

    #[tokio::test]
    async fn keeps_the_last_lines() {
        let mut output = Output::default();
        let text: String = (0..100).map(|number| format!("line {number}\n")).collect();
        output.follow(std::io::Cursor::new(text.into_bytes()));
        let last = output.of_the_dead().await;
        assert!(
            last.starts_with("line 60\n") && last.ends_with("line 99"),
            "{last}"
        );
    }
}

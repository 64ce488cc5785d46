//! What a scenario said and heard, kept for its failure block: bounded, and read without any token only.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use secrecy::{ExposeSecret, SecretString};

/// How many exchanges are kept; the last ones explain a failure, the first ones are dropped.
const EXCHANGES_KEPT: usize = 12;
/// How many characters of one side of an exchange are kept.
const CHARACTERS_KEPT: usize = 1_500;
/// What stands where a token stood.
const REDACTED: &str = "[token]";
/// Shortest piece of a known token that is looked for: its signature, for instance, is longer.
const SHORTEST_PART: usize = 12;

/// The exchanges of one scenario. Clones share the same record.
#[derive(Clone, Default)]
pub struct Recorder {
    record: Arc<Mutex<Record>>,
}

#[derive(Default)]
struct Record {
    /// As they were on the wire; only [`Recorder::lines`] lets them out, without any token. Most are never read, and
    /// cleaning them all would take longer than the exchanges themselves.
    exchanges: VecDeque<Exchange>,
    /// Requests sent, also those whose exchange was dropped.
    requests: u64,
    /// Whether the last request had no answer in time.
    silent: bool,
    /// Tokens in use, so that they can be found in any text.
    secrets: Vec<SecretString>,
}

/// Both sides of one exchange.
struct Exchange {
    sent: String,
    received: String,
}

impl Recorder {
    /// Remembers a token whose whole text, and whose every long part, must never be written anywhere.
    pub fn hide(&self, token: &SecretString) {
        let mut record = self.record();
        let known = record
            .secrets
            .iter()
            .any(|secret| secret.expose_secret() == token.expose_secret());
        if !known {
            record.secrets.push(token.clone());
        }
    }

    /// Keeps one exchange: what was sent and what came back.
    pub fn keep(&self, sent: impl Into<String>, received: impl Into<String>) {
        let mut record = self.record();
        if record.exchanges.len() == EXCHANGES_KEPT {
            record.exchanges.pop_front();
        }
        record.exchanges.push_back(Exchange {
            sent: sent.into(),
            received: received.into(),
        });
        record.requests += 1;
        record.silent = false;
    }

    /// Notes that the exchange kept last had no answer at all.
    pub fn note_silence(&self) {
        self.record().silent = true;
    }

    /// Whether the last request had no answer at all: the target may have stopped answering.
    pub fn ends_in_silence(&self) -> bool {
        self.record().silent
    }

    /// The kept exchanges, oldest first: `> sent`, a line break, `< received`; both cut, and no token in them.
    pub fn lines(&self) -> Vec<String> {
        let record = self.record();
        let clean = |text: &str| shorten(&redact(text, &record.secrets));
        record
            .exchanges
            .iter()
            .map(|exchange| {
                format!(
                    "> {}\n< {}",
                    clean(&exchange.sent),
                    clean(&exchange.received)
                )
            })
            .collect()
    }

    /// How many requests the scenario sent.
    pub fn requests(&self) -> u64 {
        self.record().requests
    }

    /// The text without any token this recorder knows and without anything that looks like one.
    pub fn redacted(&self, text: &str) -> String {
        redact(text, &self.record().secrets)
    }

    /// A panic in another step leaves a record that is still worth reading.
    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Recorder {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Recorder({} requests)", self.requests())
    }
}

/// Replaces every known secret, every long part of one, and everything that has the shape of a signed token.
fn redact(text: &str, secrets: &[SecretString]) -> String {
    let mut clean = text.to_owned();
    for secret in secrets {
        let whole = secret.expose_secret();
        if whole.len() >= SHORTEST_PART {
            clean = clean.replace(whole, REDACTED);
        }
        for part in whole.split('.').filter(|part| part.len() >= SHORTEST_PART) {
            clean = clean.replace(part, REDACTED);
        }
    }
    redact_token_shapes(&clean)
}

/// A JSON Web Token begins with the Base64 of `{"`: `eyJ`. That finds also the deliberately broken ones.
fn redact_token_shapes(text: &str) -> String {
    let of_a_token =
        |character: char| character.is_ascii_alphanumeric() || "-_.+/=".contains(character);
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("eyJ") {
        let (before, from_token) = rest.split_at(start);
        clean.push_str(before);
        let end = from_token
            .find(|character| !of_a_token(character))
            .unwrap_or(from_token.len());
        let (token, after) = from_token.split_at(end);
        clean.push_str(if token.len() >= SHORTEST_PART {
            REDACTED
        } else {
            token
        });
        rest = after;
    }
    clean.push_str(rest);
    clean
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(CHARACTERS_KEPT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… ({} bytes in all)", &text[..end], text.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_token_and_its_parts_never_reach_the_record() {
        let recorder = Recorder::default();
        recorder.hide(&SecretString::from("opaque-canary-0001.second-part-0002"));
        recorder.keep(
            "POST with opaque-canary-0001.second-part-0002",
            "the server echoes second-part-0002",
        );
        let kept = recorder.lines().join("\n");
        assert!(!kept.contains("canary") && !kept.contains("second-part"));
        assert_eq!(kept.matches(REDACTED).count(), 2);
    }

    #[test]
    fn an_unknown_token_is_found_by_its_shape() {
        let recorder = Recorder::default();
        assert_eq!(
            recorder.redacted("Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ. and eyJ"),
            "Bearer [token] and eyJ"
        );
    }

    #[test]
    fn an_answer_after_a_silence_ends_it() {
        let recorder = Recorder::default();
        recorder.keep("request", "no answer within 10 s");
        recorder.note_silence();
        assert!(recorder.ends_in_silence());
        recorder.keep("request", "200");
        assert!(!recorder.ends_in_silence());
    }

    #[test]
    fn only_the_last_exchanges_are_kept_and_all_are_counted() {
        let recorder = Recorder::default();
        for number in 0..20 {
            recorder.keep(format!("request {number}"), "long ".repeat(1_000));
        }
        assert_eq!(recorder.requests(), 20);
        let exchanges = recorder.lines();
        assert_eq!(exchanges.len(), EXCHANGES_KEPT);
        assert!(exchanges[0].starts_with("> request 8\n"));
        assert!(exchanges[0].len() < CHARACTERS_KEPT + 100);
    }
}

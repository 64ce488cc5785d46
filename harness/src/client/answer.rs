//! One HTTP answer as it came, and the protocol messages found in it.

use http::{HeaderMap, StatusCode};
use serde_json::Value;

use super::challenge::{self, Challenge, ChallengeError};

/// How much of a body a summary shows: more than a record keeps, so that a token cut off here is not the end of a record.
const SUMMARY_CHARACTERS: usize = 4_096;

/// Status, headers and bounded body of an answer. JSON and event streams are both read into messages.
#[derive(Clone, Debug)]
pub struct WireAnswer {
    /// HTTP status.
    pub status: StatusCode,
    /// Headers as they came, repeated ones included.
    pub headers: HeaderMap,
    /// Body as text; bytes that are no UTF-8 are replaced, and at most 8 MiB are read.
    pub body: String,
}

/// A response of which only matters whether it has a result.
#[derive(serde::Deserialize)]
struct Outcome {
    result: Option<serde::de::IgnoredAny>,
}

/// The error member of a JSON-RPC answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ProtocolError {
    /// Numeric code, for instance -32601.
    pub code: i64,
    /// Text for people.
    pub message: String,
    /// Whatever else the server says.
    pub data: Option<Value>,
}

/// The body is not what the media type of the answer announces.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// Neither JSON nor an event stream.
    #[error("the answer is {status} with media type {media_type:?}, not JSON-RPC: {start:?}")]
    NotProtocol {
        /// HTTP status.
        status: u16,
        /// Media type, empty if there is none.
        media_type: String,
        /// First characters of the body.
        start: String,
    },
    /// Announced as JSON, but does not parse.
    #[error("the body is announced as JSON and does not parse: {reason}")]
    NotJson {
        /// What the parser says.
        reason: String,
    },
    /// A stream without a response in it, or a JSON body that holds none.
    #[error("no JSON-RPC response in the answer: {start:?}")]
    NoResponse {
        /// First characters of the body.
        start: String,
    },
}

impl WireAnswer {
    /// A header that stands once; of several, the first.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The media type in lower case without parameters; empty if there is none.
    pub fn media_type(&self) -> String {
        let whole = self.header("content-type").unwrap_or_default();
        let media_type = whole.split(';').next().unwrap_or_default();
        media_type.trim().to_ascii_lowercase()
    }

    /// Whether the answer is a stream of events.
    pub fn is_event_stream(&self) -> bool {
        self.media_type() == "text/event-stream"
    }

    /// The body as JSON, whatever the media type says.
    ///
    /// # Errors
    /// [`AnswerError::NotJson`].
    pub fn json(&self) -> Result<Value, AnswerError> {
        serde_json::from_str(&self.body).map_err(|error| AnswerError::NotJson {
            reason: error.to_string(),
        })
    }

    /// Every JSON-RPC message of the answer, in order.
    ///
    /// # Errors
    /// [`AnswerError`] if the media type is neither of the two or the text does not parse.
    pub fn messages(&self) -> Result<Vec<Value>, AnswerError> {
        match self.media_type().as_str() {
            "application/json" => Ok(vec![self.json()?]),
            "text/event-stream" => event_data(&self.body)
                .iter()
                .map(|data| {
                    serde_json::from_str(data).map_err(|error| AnswerError::NotJson {
                        reason: error.to_string(),
                    })
                })
                .collect(),
            other => Err(AnswerError::NotProtocol {
                status: self.status.as_u16(),
                media_type: other.to_owned(),
                start: self.start(),
            }),
        }
    }

    /// The JSON-RPC response: the last message that has a result or an error.
    ///
    /// # Errors
    /// [`AnswerError`] if there is none.
    pub fn response(&self) -> Result<Value, AnswerError> {
        let responses = self.messages()?.into_iter().rev();
        responses
            .into_iter()
            .find(|message| message.get("result").is_some() || message.get("error").is_some())
            .ok_or_else(|| AnswerError::NoResponse {
                start: self.start(),
            })
    }

    /// The result of the response, if it is one that succeeded as a protocol message.
    pub fn result(&self) -> Option<Value> {
        match self.response().ok()? {
            Value::Object(mut response) => response.remove("result"),
            _ => None,
        }
    }

    /// Whether the answer is a response with a result. The result is read over and not kept: a list of tools is long,
    /// and most scenarios about the door ask only whether it came.
    pub fn has_result(&self) -> bool {
        if self.media_type() != "application/json" {
            return self.result().is_some();
        }
        serde_json::from_str::<Outcome>(&self.body).is_ok_and(|outcome| outcome.result.is_some())
    }

    /// The error of the response, if it has a well-formed one.
    pub fn error(&self) -> Option<ProtocolError> {
        let response = self.response().ok()?;
        let error = response.get("error")?;
        Some(ProtocolError {
            code: error.get("code")?.as_i64()?,
            message: error.get("message")?.as_str()?.to_owned(),
            data: error.get("data").cloned(),
        })
    }

    /// Every challenge of every `WWW-Authenticate` line.
    ///
    /// # Errors
    /// [`ChallengeError`] if one line leaves the grammar or is not visible ASCII.
    pub fn challenges(&self) -> Result<Vec<Challenge>, ChallengeError> {
        let mut challenges = Vec::new();
        for value in self.headers.get_all("www-authenticate") {
            challenges.extend(challenge::parse(&String::from_utf8_lossy(
                value.as_bytes(),
            ))?);
        }
        Ok(challenges)
    }

    /// The Bearer challenge, if the answer has exactly that; `None` also if the header does not parse.
    pub fn bearer_challenge(&self) -> Option<Challenge> {
        let challenges = self.challenges().ok()?;
        challenges
            .into_iter()
            .find(|challenge| challenge.is("Bearer"))
    }

    /// The answer in one line for a failure block: status, the telling headers, the start of the body.
    pub fn summary(&self) -> String {
        let mut text = self.status.as_u16().to_string();
        for name in [
            "content-type",
            "www-authenticate",
            "allow",
            "location",
            "retry-after",
        ] {
            for value in self.headers.get_all(name) {
                text.push_str(&format!(
                    " {name}: {}",
                    String::from_utf8_lossy(value.as_bytes())
                ));
            }
        }
        if self.body.is_empty() {
            text.push_str(" (no body)");
        } else {
            text.push(' ');
            // A failure block shows the start; copying a whole table of tools for every request costs more than sending it.
            text.extend(self.body.chars().take(SUMMARY_CHARACTERS));
        }
        text
    }

    fn start(&self) -> String {
        self.body.chars().take(200).collect()
    }
}

/// The data of each event: its `data:` lines joined, comments and other fields left out (HTML Standard, section 9.2.6).
fn event_data(stream: &str) -> Vec<String> {
    let mut events = Vec::new();
    let mut lines: Vec<&str> = Vec::new();
    for line in stream.lines().chain(std::iter::once("")) {
        if line.is_empty() {
            let data = lines.join("\n");
            if !data.trim().is_empty() {
                events.push(data);
            }
            lines.clear();
        } else if let Some(data) = line.strip_prefix("data:") {
            lines.push(data.strip_prefix(' ').unwrap_or(data));
        }
    }
    events
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(media_type: &str, body: &str) -> WireAnswer {
        let mut headers = HeaderMap::new();
        headers.insert("content-type", media_type.parse().unwrap());
        WireAnswer {
            status: StatusCode::OK,
            headers,
            body: body.to_owned(),
        }
    }

    #[test]
    fn a_response_is_read_from_json_and_from_a_stream_alike() {
        let json = answer(
            "Application/JSON; charset=utf-8",
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        );
        let stream = answer(
            "text/event-stream",
            ": hello\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"id\":1,\"result\":{}}\n\n",
        );
        assert_eq!(json.response().unwrap(), stream.response().unwrap());
        assert_eq!(stream.messages().unwrap().len(), 2);
        assert!(json.has_result() && stream.has_result());
    }

    #[test]
    fn a_page_is_no_protocol_answer() {
        let page = answer("text/html", "<html>");
        assert!(matches!(
            page.response(),
            Err(AnswerError::NotProtocol { .. })
        ));
        assert_eq!(page.result(), None);
        assert!(!page.has_result());
    }

    #[test]
    fn an_error_without_a_numeric_code_is_none() {
        let good = answer(
            "application/json",
            r#"{"id":1,"error":{"code":-32601,"message":"no"}}"#,
        );
        let bad = answer(
            "application/json",
            r#"{"id":1,"error":{"code":"-32601","message":"no"}}"#,
        );
        assert_eq!(good.error().unwrap().code, -32601);
        assert_eq!(bad.error(), None);
        assert!(!good.has_result());
    }

    #[test]
    fn challenges_of_several_lines_are_gathered() {
        let mut refusal = answer("text/plain", "");
        refusal
            .headers
            .append("www-authenticate", "Basic realm=a".parse().unwrap());
        refusal
            .headers
            .append("www-authenticate", "Bearer scope=\"x\"".parse().unwrap());
        assert_eq!(refusal.challenges().unwrap().len(), 2);
        assert_eq!(
            refusal.bearer_challenge().unwrap().parameter("scope"),
            Some("x")
        );
    }
}

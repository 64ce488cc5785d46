//! One TCP connection spoken to byte by byte, for rules about connections and HTTP framing that no HTTP client lets
//! one break or observe. Plain HTTP only: the harness does not take TLS apart.

use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use url::Url;

use super::{Message, Recorder, WireAnswer, WireError};

/// Longest answer read; a server that sends more is cut off.
const LONGEST_ANSWER_BYTES: usize = 8 * 1024 * 1024;

/// An open connection on which requests follow each other.
#[derive(Debug)]
pub struct Socket {
    stream: TcpStream,
    /// Read from the network and not yet part of an answer.
    pending: Vec<u8>,
    url: Url,
    recorder: Recorder,
    timeout: Duration,
}

/// A request written out as bytes; names and values go onto the wire exactly as given.
#[derive(Clone, Debug)]
pub struct RawRequest {
    /// Method, a space, the target, a space, the version.
    pub line: String,
    /// Names and values in order.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body, not framed in any way.
    pub body: Vec<u8>,
}

impl RawRequest {
    /// A well-formed POST of a message, with `Host` and `Content-Length`, and without credentials.
    pub fn post(url: &Url, message: &Message) -> Self {
        let body = message.body.to_string().into_bytes();
        let mut headers = vec![
            ("Host".to_owned(), authority(url).into_bytes()),
            (
                "Content-Length".to_owned(),
                body.len().to_string().into_bytes(),
            ),
        ];
        let own = message.headers.iter();
        headers.extend(own.map(|(name, value)| (name.clone(), value.clone().into_bytes())));
        RawRequest {
            line: format!("POST {} HTTP/1.1", target(url)),
            headers,
            body,
        }
    }

    /// The same request with one more header line.
    pub fn header(mut self, name: &str, value: impl Into<Vec<u8>>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// The same request without any line of this header.
    pub fn without_header(mut self, name: &str) -> Self {
        self.headers
            .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = format!("{}\r\n", self.line).into_bytes();
        for (name, value) in &self.headers {
            bytes.extend_from_slice(name.as_bytes());
            bytes.extend_from_slice(b": ");
            bytes.extend_from_slice(value);
            bytes.extend_from_slice(b"\r\n");
        }
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(&self.body);
        bytes
    }

    /// What a failure block may show: no header value, since any of them may be a credential.
    fn summary(&self) -> String {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        format!(
            "{} (on a socket; headers {}; {} bytes of body)",
            self.line,
            names.join(", "),
            self.body.len()
        )
    }
}

impl Socket {
    /// Connects to the server of `url`. `timeout` bounds connecting and each later answer.
    ///
    /// # Errors
    /// [`WireError::Unsendable`] for anything but plain HTTP, else [`WireError::Connection`] or [`WireError::Timeout`].
    pub async fn open(
        url: &Url,
        recorder: &Recorder,
        timeout: Duration,
    ) -> Result<Self, WireError> {
        if url.scheme() != "http" {
            return Err(WireError::Unsendable(format!(
                "a raw socket speaks plain http, not {}",
                url.scheme()
            )));
        }
        let host = url
            .host_str()
            .unwrap_or_default()
            .trim_matches(['[', ']'])
            .to_owned();
        let port = url.port_or_known_default().unwrap_or(80);
        let connecting = TcpStream::connect((host, port));
        let stream = match tokio::time::timeout(timeout, connecting).await {
            Err(_) => return Err(late(url, timeout)),
            Ok(Err(error)) => return Err(broken(url, &error)),
            Ok(Ok(stream)) => stream,
        };
        Ok(Socket {
            stream,
            pending: Vec::new(),
            url: url.clone(),
            recorder: recorder.clone(),
            timeout,
        })
    }

    /// Sends a request and reads its answer.
    ///
    /// # Errors
    /// [`WireError`] if the connection ends or stays silent before the answer is whole.
    pub async fn ask(&mut self, request: &RawRequest) -> Result<WireAnswer, WireError> {
        let answer = match self.send(&request.bytes()).await {
            // A server may answer and close before it has read everything; its answer is still worth reading.
            Ok(()) | Err(WireError::Connection { .. }) => self.read_answer().await,
            Err(error) => Err(error),
        };
        let received = match &answer {
            Ok(answer) => answer.summary(),
            Err(error) => error.to_string(),
        };
        self.recorder.keep(request.summary(), received);
        answer
    }

    /// Sends bytes and waits for nothing, for instance half a request.
    ///
    /// # Errors
    /// [`WireError`] if the connection is gone or takes no more.
    pub async fn send(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        match tokio::time::timeout(self.timeout, self.stream.write_all(bytes)).await {
            Err(_) => Err(late(&self.url, self.timeout)),
            Ok(written) => written.map_err(|error| broken(&self.url, &error)),
        }
    }

    /// Sends the head of a request and a part of its body, and leaves the server waiting for the rest.
    ///
    /// # Errors
    /// As [`Socket::send`].
    pub async fn send_half(&mut self, request: &RawRequest) -> Result<(), WireError> {
        let bytes = request.bytes();
        let half = bytes.len() - request.body.len() / 2;
        self.send(&bytes[..half]).await
    }

    /// Whether the server closes the connection within the timeout; what it still sends before is dropped.
    pub async fn is_closed_by_server(&mut self) -> bool {
        let mut rest = [0_u8; 4_096];
        let end = async {
            loop {
                match self.stream.read(&mut rest).await {
                    Ok(0) | Err(_) => return,
                    Ok(_) => {}
                }
            }
        };
        tokio::time::timeout(self.timeout, end).await.is_ok()
    }

    async fn read_answer(&mut self) -> Result<WireAnswer, WireError> {
        match tokio::time::timeout(self.timeout, self.read_whole_answer()).await {
            Err(_) => Err(late(&self.url, self.timeout)),
            Ok(answer) => answer,
        }
    }

    async fn read_whole_answer(&mut self) -> Result<WireAnswer, WireError> {
        let head_end = loop {
            if let Some(end) = find(&self.pending, b"\r\n\r\n") {
                break end;
            }
            if self.read_more().await? == 0 {
                return Err(self.malformed("the connection ended before the answer's headers"));
            }
        };
        let head: Vec<u8> = self.pending.drain(..head_end + 4).collect();
        let (status, headers) =
            parse_head(&head).ok_or_else(|| self.malformed("the answer is not HTTP/1.1"))?;
        let chunked = headers
            .get("transfer-encoding")
            .is_some_and(|coding| coding.as_bytes().eq_ignore_ascii_case(b"chunked"));
        let length = headers
            .get("content-length")
            .and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        let body = match (status.as_u16(), chunked, length) {
            (204 | 304, ..) => Vec::new(),
            (_, true, _) => self.read_chunks().await?,
            (_, false, Some(length)) => self.take(length.min(LONGEST_ANSWER_BYTES)).await?,
            (_, false, None) => self.read_to_end().await?,
        };
        Ok(WireAnswer {
            status,
            headers,
            body: String::from_utf8_lossy(&body).into_owned(),
        })
    }

    async fn read_chunks(&mut self) -> Result<Vec<u8>, WireError> {
        let mut body = Vec::new();
        loop {
            let line = self.take_line().await?;
            let size = line.split(';').next().unwrap_or_default().trim();
            let size = usize::from_str_radix(size, 16)
                .map_err(|_| self.malformed("a chunk without a size"))?;
            if size == 0 {
                // Trailers, if any, end with an empty line.
                while !self.take_line().await?.is_empty() {}
                return Ok(body);
            }
            if body.len() + size > LONGEST_ANSWER_BYTES {
                return Err(self.malformed("the answer is too long"));
            }
            body.extend(self.take(size).await?);
            self.take(2).await?;
        }
    }

    async fn read_to_end(&mut self) -> Result<Vec<u8>, WireError> {
        while self.read_more().await? > 0 && self.pending.len() < LONGEST_ANSWER_BYTES {}
        Ok(std::mem::take(&mut self.pending))
    }

    async fn take_line(&mut self) -> Result<String, WireError> {
        loop {
            if let Some(end) = find(&self.pending, b"\r\n") {
                let line: Vec<u8> = self.pending.drain(..end + 2).collect();
                return Ok(String::from_utf8_lossy(&line[..end]).into_owned());
            }
            if self.read_more().await? == 0 {
                return Err(self.malformed("the connection ended inside the answer"));
            }
        }
    }

    async fn take(&mut self, count: usize) -> Result<Vec<u8>, WireError> {
        while self.pending.len() < count {
            if self.read_more().await? == 0 {
                return Err(self.malformed("the connection ended inside the answer"));
            }
        }
        Ok(self.pending.drain(..count).collect())
    }

    async fn read_more(&mut self) -> Result<usize, WireError> {
        let mut chunk = [0_u8; 16 * 1024];
        let count = self
            .stream
            .read(&mut chunk)
            .await
            .map_err(|error| broken(&self.url, &error))?;
        self.pending.extend_from_slice(&chunk[..count]);
        Ok(count)
    }

    fn malformed(&self, reason: &str) -> WireError {
        WireError::Connection {
            method: http::Method::POST,
            url: self.url.clone(),
            reason: reason.to_owned(),
        }
    }
}

/// Host and, where it is not the usual one, port.
pub fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

fn target(url: &Url) -> String {
    match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
}

fn parse_head(head: &[u8]) -> Option<(StatusCode, HeaderMap)> {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.split("\r\n").filter(|line| !line.is_empty());
    let mut first = lines.next()?.split(' ');
    if !first.next()?.starts_with("HTTP/1.") {
        return None;
    }
    let status = StatusCode::from_bytes(first.next()?.as_bytes()).ok()?;
    let mut headers = HeaderMap::new();
    for line in lines {
        let (name, value) = line.split_once(':')?;
        headers.append(
            HeaderName::from_bytes(name.as_bytes()).ok()?,
            HeaderValue::from_bytes(value.trim().as_bytes()).ok()?,
        );
    }
    Some((status, headers))
}

fn late(url: &Url, timeout: Duration) -> WireError {
    WireError::Timeout {
        method: http::Method::POST,
        url: url.clone(),
        seconds: timeout.as_secs_f32(),
    }
}

fn broken(url: &Url, error: &std::io::Error) -> WireError {
    WireError::Connection {
        method: http::Method::POST,
        url: url.clone(),
        reason: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;
    use crate::client::Revision;

    /// A server of one connection that answers each read with the next of `answers`, then closes.
    async fn server(answers: &'static [&'static str]) -> Url {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            for answer in answers {
                let mut request = [0_u8; 4_096];
                let count = stream.read(&mut request).await.unwrap();
                assert!(count > 0, "the client closed before it had its answer");
                stream.write_all(answer.as_bytes()).await.unwrap();
            }
        });
        url.parse().unwrap()
    }

    fn request(url: &Url) -> RawRequest {
        RawRequest::post(url, &Message::list_tools(Revision::V2025_11_25))
    }

    #[tokio::test]
    async fn answers_of_any_framing_follow_each_other_on_one_connection() {
        let url = server(&[
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst",
            "HTTP/1.1 401 No\r\ntransfer-encoding: chunked\r\nX-A: 1\r\nX-A: 2\r\n\r\n3\r\nsec\r\n3;x\r\nond\r\n0\r\n\r\n",
            "HTTP/1.1 400 Bad\r\n\r\nuntil the end",
        ])
        .await;
        let mut socket = Socket::open(&url, &Recorder::default(), Duration::from_secs(5))
            .await
            .unwrap();
        assert_eq!(socket.ask(&request(&url)).await.unwrap().body, "first");
        let second = socket.ask(&request(&url)).await.unwrap();
        assert_eq!(
            (second.status.as_u16(), second.body.as_str()),
            (401, "second")
        );
        assert_eq!(second.headers.get_all("x-a").iter().count(), 2);
        assert_eq!(
            socket.ask(&request(&url)).await.unwrap().body,
            "until the end"
        );
        assert!(socket.is_closed_by_server().await);
    }

    #[tokio::test]
    async fn a_connection_that_ends_too_early_is_an_error() {
        let url = server(&["HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort"]).await;
        let mut socket = Socket::open(&url, &Recorder::default(), Duration::from_secs(5))
            .await
            .unwrap();
        assert!(matches!(
            socket.ask(&request(&url)).await,
            Err(WireError::Connection { .. })
        ));
    }

    #[tokio::test]
    async fn a_silent_server_is_a_timeout() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url: Url = format!("http://{}/mcp", listener.local_addr().unwrap())
            .parse()
            .unwrap();
        let mut socket = Socket::open(&url, &Recorder::default(), Duration::from_millis(50))
            .await
            .unwrap();
        assert!(matches!(
            socket.ask(&request(&url)).await,
            Err(WireError::Timeout { .. })
        ));
    }

    #[test]
    fn a_summary_shows_no_header_value() {
        let url: Url = "http://127.0.0.1:1/mcp?x=1".parse().unwrap();
        let summary = request(&url)
            .header("Authorization", "Bearer canary")
            .summary();
        assert!(summary.contains("POST /mcp?x=1 HTTP/1.1") && summary.contains("Authorization"));
        assert!(!summary.contains("canary"));
    }
}

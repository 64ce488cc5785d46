//! Prose: Markdown of the features, and plain sentences in which ids, sources and addresses become links.

use std::collections::BTreeSet;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, html};

use super::{address, html::Html};

/// Schemes that a link in somebody's prose may have.
const SCHEMES: [&str; 2] = ["https://", "http://"];
/// Characters that end a sentence, not an address.
const PUNCTUATION: [char; 7] = ['.', ',', ';', ':', ')', '!', '?'];

/// Turns prose into HTML, with the ids it may link to.
#[derive(Debug, Clone, Default)]
pub struct Prose {
    requirements: BTreeSet<String>,
}

/// What a word of a sentence is.
enum Word<'a> {
    Requirement(&'a str),
    Address(&'a str),
    Plain(&'a str),
}

impl Prose {
    /// Prose that may speak of these requirements.
    pub fn new(requirements: impl IntoIterator<Item = String>) -> Self {
        Self {
            requirements: requirements.into_iter().collect(),
        }
    }

    /// Paragraphs in Markdown. Raw HTML in them is shown, not used; a link leads to the web or within the site.
    #[must_use]
    pub fn markdown(text: &str) -> Html {
        let text = without_indent(text);
        let events = Parser::new_ext(&text, Options::ENABLE_TABLES).map(|event| match event {
            Event::Html(raw) | Event::InlineHtml(raw) => Event::Text(raw),
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            }) => Event::Start(Tag::Link {
                link_type,
                dest_url: harmless(dest_url),
                title,
                id,
            }),
            // A picture would be a request to somebody else's server.
            Event::Start(Tag::Image {
                link_type,
                dest_url,
                title,
                id,
            }) => Event::Start(Tag::Link {
                link_type,
                dest_url: harmless(dest_url),
                title,
                id,
            }),
            Event::End(pulldown_cmark::TagEnd::Image) => Event::End(pulldown_cmark::TagEnd::Link),
            other => other,
        });
        let mut rendered = String::new();
        html::push_html(&mut rendered, events);
        Html::of_markdown(rendered)
    }

    /// A sentence, in which ids of requirements and addresses are links and what stands between backticks is code. `root`
    /// leads to the folder of the site.
    #[must_use]
    pub fn sentence(&self, text: &str, root: &str) -> Html {
        let mut html = Html::new();
        let paired = text.matches('`').count().is_multiple_of(2);
        for (number, part) in text.split('`').enumerate() {
            if number % 2 == 1 && paired {
                html = html.element("code", part);
                continue;
            }
            if number > 0 && !paired {
                html.push_text("`");
            }
            for piece in part.split_inclusive([' ', '\n', '(']) {
                self.word(&mut html, piece, root);
            }
        }
        html
    }

    /// Where a requirement is written: RFCs and the specification of MCP are links to the place.
    #[must_use]
    pub fn source(&self, text: &str, root: &str) -> Html {
        let mut html = Html::new();
        for (number, part) in text.split("; ").enumerate() {
            if number > 0 {
                html.push_text("; ");
            }
            html = match address_of_source(part) {
                Some(address) => html.link(&address, part),
                None => html.piece(&self.sentence(part, root)),
            };
        }
        html
    }

    fn word(&self, html: &mut Html, piece: &str, root: &str) {
        let end = piece
            .trim_end_matches([' ', '\n', '('])
            .trim_end_matches(PUNCTUATION)
            .len();
        let (word, rest) = piece.split_at(end);
        match self.kind(word) {
            Word::Requirement(id) => {
                *html =
                    std::mem::take(html).link(&format!("{root}{}", address::requirement(id)), id);
            }
            Word::Address(address) => {
                let shown = address
                    .split_once("://")
                    .map_or(address, |(_, place)| place);
                *html = std::mem::take(html).link(address, shown);
            }
            Word::Plain(word) => html.push_text(word),
        }
        html.push_text(rest);
    }

    fn kind<'a>(&self, word: &'a str) -> Word<'a> {
        if self.requirements.contains(word) {
            Word::Requirement(word)
        } else if is_address(word) {
            Word::Address(word)
        } else {
            Word::Plain(word)
        }
    }
}

/// Whether a word is an address on the web, not a scheme alone.
fn is_address(word: &str) -> bool {
    SCHEMES.iter().any(|scheme| {
        let place = word.strip_prefix(scheme);
        place.is_some_and(|place| place.starts_with(|first: char| first.is_ascii_alphanumeric()))
    })
}

fn harmless(address: CowStr<'_>) -> CowStr<'_> {
    let web = SCHEMES.iter().any(|scheme| address.starts_with(scheme));
    let within = !address.contains(':') && !address.starts_with("//");
    if web || within {
        address
    } else {
        CowStr::Borrowed("#")
    }
}

/// Gherkin keeps the indentation of a description, which Markdown would take for code.
fn without_indent(text: &str) -> String {
    let indent = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let lines: Vec<&str> = text
        .lines()
        .map(|line| line.get(indent..).unwrap_or("").trim_end())
        .collect();
    lines.join("\n")
}

/// The address of a public source: `RFC 9110 s10.2.3`, `MCP 2025-11-25 server/tools, Error Handling`.
fn address_of_source(source: &str) -> Option<String> {
    if let Some(rest) = source.strip_prefix("RFC ") {
        let (number, rest) = rest.split_at(
            rest.find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len()),
        );
        if number.is_empty() {
            return None;
        }
        let page = format!("https://www.rfc-editor.org/rfc/rfc{number}");
        let section = rest.strip_prefix(" s").map_or("", |section| {
            let end = section
                .find(|c: char| !c.is_ascii_digit() && c != '.')
                .unwrap_or(section.len());
            section[..end].trim_end_matches('.')
        });
        return Some(match section {
            "" => page,
            section => format!("{page}#section-{section}"),
        });
    }
    let rest = source.strip_prefix("MCP ")?;
    let (revision, place) = match rest.split_once(' ') {
        Some((date, place)) if is_date(date) => (date, place),
        _ => ("2025-11-25", rest),
    };
    let place = place.split([',', ' ', '(']).next().unwrap_or("");
    let known = ["basic", "server", "client", "schema", "changelog"];
    known
        .iter()
        .any(|root| {
            place == *root
                || place
                    .strip_prefix(root)
                    .is_some_and(|rest| rest.starts_with('/'))
        })
        .then(|| format!("https://modelcontextprotocol.io/specification/{revision}/{place}"))
}

fn is_date(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(place, byte)| {
            if matches!(place, 4 | 7) {
                byte == b'-'
            } else {
                byte.is_ascii_digit()
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_shows_raw_html_and_drops_addresses_that_run() {
        let html = Prose::markdown(
            "    Hello *you* <script>alert(1)</script>.\n\n    [a](javascript:alert(1)) ![b](https://x.example/p.png)",
        );
        let html = html.as_str();
        assert!(html.contains("<em>you</em>"), "{html}");
        for forbidden in ["<script", "javascript:", "<img", "<pre"] {
            assert!(!html.contains(forbidden), "{forbidden} is in {html}");
        }
    }

    #[test]
    fn ids_and_addresses_in_a_sentence_are_links() {
        let prose = Prose::new(["AUD-001".to_owned()]);
        let html = prose.sentence(
            "As AUD-001, (AUD-002) and https://a.example/b?c=<d>.",
            "../",
        );
        let html = html.as_str();
        assert!(
            html.contains("<a href=\"../requirements/aud.html#AUD-001\">AUD-001</a>,"),
            "{html}"
        );
        assert!(
            html.contains("(AUD-002)") && !html.contains("<d>"),
            "{html}"
        );
    }

    #[test]
    fn a_scheme_alone_is_no_address() {
        let prose = Prose::default();
        assert_eq!(
            prose.sentence("an https:// address", "").as_str(),
            "an https:// address"
        );
    }

    #[test]
    fn backticks_in_pairs_make_code() {
        let prose = Prose::default();
        assert_eq!(
            prose.sentence("needs `a<b`", "").as_str(),
            "needs <code>a&#60;b</code>"
        );
        assert_eq!(prose.sentence("one ` alone", "").as_str(), "one ` alone");
    }

    #[test]
    fn a_public_source_has_its_address() {
        for (source, address) in [
            (
                "RFC 9110 s10.2.3",
                Some("https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3"),
            ),
            ("RFC 9111", Some("https://www.rfc-editor.org/rfc/rfc9111")),
            (
                "MCP 2026-07-28 server/tools, Capabilities",
                Some("https://modelcontextprotocol.io/specification/2026-07-28/server/tools"),
            ),
            ("Worthbase MCP page, Questions", None),
        ] {
            assert_eq!(address_of_source(source).as_deref(), address, "{source}");
        }
    }
}

//! Reads `WWW-Authenticate` by the grammar of HTTP (RFC 9110, sections 11.2, 11.3 and 11.6.1).
//!
//! Several challenges may share one line, and the commas between them look like the commas between the parameters of
//! one; the parser decides as the grammar does: a token followed by `=` is a parameter, any other token opens a
//! challenge. A lenient reader would hide exactly what the checks look for.

use std::fmt;

/// One challenge: a scheme with its parameters, or with a single opaque value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// The scheme as written; compare it with [`Challenge::is`].
    pub scheme: String,
    /// Parameters in the order they came, values unquoted.
    pub parameters: Vec<(String, String)>,
    /// The opaque value of schemes that carry one instead of parameters.
    pub token68: Option<String>,
}

/// Why a header value is not a list of challenges.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem} at byte {position} of {text:?}")]
pub struct ChallengeError {
    /// What the grammar does not allow.
    pub problem: Problem,
    /// Where, counted from 0.
    pub position: usize,
    /// The whole header value.
    pub text: String,
}

/// The ways a challenge can break the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The header value is empty.
    Empty,
    /// A scheme or parameter name was due.
    ExpectedToken,
    /// `=` was due after a parameter name.
    ExpectedEquals,
    /// A token or a quoted string was due after `=`.
    ExpectedValue,
    /// A quoted string has no end.
    UnclosedQuote,
    /// A quoted string holds a control character.
    ControlCharacter,
    /// Something stands where only a comma or the end may.
    ExpectedComma,
    /// One challenge names a parameter twice.
    Repeated,
    /// A parameter follows the opaque value of the same challenge.
    Mixed,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Problem::Empty => "no challenge",
            Problem::ExpectedToken => "no token where a scheme or a parameter name must stand",
            Problem::ExpectedEquals => "no \"=\" after a parameter name",
            Problem::ExpectedValue => "no value after \"=\"",
            Problem::UnclosedQuote => "a quoted string that never ends",
            Problem::ControlCharacter => "a control character in a quoted string",
            Problem::ExpectedComma => "no comma between two elements",
            Problem::Repeated => "a parameter named twice in one challenge",
            Problem::Mixed => "a parameter after the opaque value of the same challenge",
        })
    }
}

impl Challenge {
    /// Whether the scheme is this one; schemes are compared without regard to case.
    pub fn is(&self, scheme: &str) -> bool {
        self.scheme.eq_ignore_ascii_case(scheme)
    }

    /// The value of a parameter; names are compared without regard to case.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        let found = self
            .parameters
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// Every challenge of one header value.
///
/// # Errors
/// [`ChallengeError`] with the place where the value leaves the grammar, also for a parameter that one challenge names twice.
pub fn parse(text: &str) -> Result<Vec<Challenge>, ChallengeError> {
    let mut reader = Reader { text, position: 0 };
    let mut challenges: Vec<Challenge> = Vec::new();
    loop {
        reader.skip_list_separators();
        if reader.at_end() {
            break;
        }
        let start = reader.position;
        let name = reader.token()?;
        let spaces = reader.skip_spaces();
        match challenges.last_mut() {
            // A token before "=" continues the open challenge; a scheme is never followed by "=".
            Some(open) if reader.next_is('=') => {
                if open.token68.is_some() {
                    return Err(reader.error(Problem::Mixed, start));
                }
                let value = reader.parameter_value()?;
                reader.add_parameter(open, name, value, start)?;
            }
            _ => {
                let mut challenge = Challenge {
                    scheme: name,
                    parameters: Vec::new(),
                    token68: None,
                };
                if spaces > 0 && !reader.at_end() && !reader.next_is(',') {
                    reader.first_element(&mut challenge)?;
                }
                challenges.push(challenge);
            }
        }
        reader.end_of_element()?;
    }
    if challenges.is_empty() {
        return Err(reader.error(Problem::Empty, 0));
    }
    Ok(challenges)
}

struct Reader<'a> {
    text: &'a str,
    position: usize,
}

impl Reader<'_> {
    /// What stands right after the scheme: the opaque value, or the first parameter.
    fn first_element(&mut self, challenge: &mut Challenge) -> Result<(), ChallengeError> {
        if let Some(value) = self.token68() {
            challenge.token68 = Some(value);
            return Ok(());
        }
        let start = self.position;
        let name = self.token()?;
        self.skip_spaces();
        if !self.next_is('=') {
            return Err(self.error(Problem::ExpectedEquals, self.position));
        }
        let value = self.parameter_value()?;
        self.add_parameter(challenge, name, value, start)
    }

    /// An opaque value counts only if it reaches to the comma or the end; otherwise it was the start of a parameter.
    fn token68(&mut self) -> Option<String> {
        let rest = &self.text[self.position..];
        let body = rest
            .find(|character: char| {
                !character.is_ascii_alphanumeric() && !"-._~+/".contains(character)
            })
            .unwrap_or(rest.len());
        let padding = rest[body..].len() - rest[body..].trim_start_matches('=').len();
        let after = rest[body + padding..].trim_start_matches([' ', '\t']);
        if body == 0 || !(after.is_empty() || after.starts_with(',')) {
            return None;
        }
        self.position += body + padding;
        Some(rest[..body + padding].to_owned())
    }

    fn add_parameter(
        &self,
        challenge: &mut Challenge,
        name: String,
        value: String,
        start: usize,
    ) -> Result<(), ChallengeError> {
        if challenge.parameter(&name).is_some() {
            return Err(self.error(Problem::Repeated, start));
        }
        challenge.parameters.push((name, value));
        Ok(())
    }

    fn parameter_value(&mut self) -> Result<String, ChallengeError> {
        self.position += 1; // the "=" the caller saw
        self.skip_spaces();
        if self.next_is('"') {
            return self.quoted_string();
        }
        self.token()
            .map_err(|error| self.error(Problem::ExpectedValue, error.position))
    }

    fn quoted_string(&mut self) -> Result<String, ChallengeError> {
        let start = self.position;
        let mut value = String::new();
        let mut escaped = false;
        for (offset, character) in self.text[start + 1..].char_indices() {
            let here = start + 1 + offset;
            if character.is_control() && character != '\t' {
                return Err(self.error(Problem::ControlCharacter, here));
            }
            match character {
                '\\' if !escaped => escaped = true,
                '"' if !escaped => {
                    self.position = here + 1;
                    return Ok(value);
                }
                _ => {
                    escaped = false;
                    value.push(character);
                }
            }
        }
        Err(self.error(Problem::UnclosedQuote, start))
    }

    fn token(&mut self) -> Result<String, ChallengeError> {
        let rest = &self.text[self.position..];
        let end = rest
            .find(|character: char| !is_token_character(character))
            .unwrap_or(rest.len());
        if end == 0 {
            return Err(self.error(Problem::ExpectedToken, self.position));
        }
        self.position += end;
        Ok(rest[..end].to_owned())
    }

    fn end_of_element(&mut self) -> Result<(), ChallengeError> {
        self.skip_spaces();
        if self.at_end() || self.next_is(',') {
            Ok(())
        } else {
            Err(self.error(Problem::ExpectedComma, self.position))
        }
    }

    /// Empty list elements are allowed (RFC 9110, section 5.6.1).
    fn skip_list_separators(&mut self) {
        let rest = self.text[self.position..].trim_start_matches([' ', '\t', ',']);
        self.position = self.text.len() - rest.len();
    }

    fn skip_spaces(&mut self) -> usize {
        let before = self.position;
        let rest = self.text[before..].trim_start_matches([' ', '\t']);
        self.position = self.text.len() - rest.len();
        self.position - before
    }

    fn next_is(&self, character: char) -> bool {
        self.text[self.position..].starts_with(character)
    }

    fn at_end(&self) -> bool {
        self.position == self.text.len()
    }

    fn error(&self, problem: Problem, position: usize) -> ChallengeError {
        ChallengeError {
            problem,
            position,
            text: self.text.to_owned(),
        }
    }
}

/// `tchar` of RFC 9110, section 5.6.2.
fn is_token_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> Problem {
        parse(text).unwrap_err().problem
    }

    #[test]
    fn a_bearer_challenge_gives_its_parameters_unquoted() {
        let challenges = parse(
            r#"Bearer resource_metadata="https://h/a,b", scope = "a b" ,error=invalid_token"#,
        )
        .unwrap();
        assert_eq!(challenges.len(), 1);
        assert!(challenges[0].is("bearer"));
        assert_eq!(
            challenges[0].parameter("Resource_Metadata"),
            Some("https://h/a,b")
        );
        assert_eq!(challenges[0].parameter("scope"), Some("a b"));
        assert_eq!(challenges[0].parameter("error"), Some("invalid_token"));
    }

    #[test]
    fn challenges_on_one_line_are_told_apart() {
        let challenges = parse(
            r#"Basic, Negotiate YWJj==, Bearer realm="a \"b\"", , Digest nonce=1, qop="auth""#,
        )
        .unwrap();
        let schemes: Vec<_> = challenges
            .iter()
            .map(|challenge| challenge.scheme.as_str())
            .collect();
        assert_eq!(schemes, ["Basic", "Negotiate", "Bearer", "Digest"]);
        assert_eq!(challenges[1].token68.as_deref(), Some("YWJj=="));
        assert_eq!(challenges[2].parameter("realm"), Some("a \"b\""));
        assert_eq!(challenges[3].parameters.len(), 2);
    }

    #[test]
    fn what_leaves_the_grammar_is_named() {
        assert_eq!(problem(""), Problem::Empty);
        assert_eq!(problem("Bearer realm=\"open"), Problem::UnclosedQuote);
        assert_eq!(problem("Bearer realm=\"a\nb\""), Problem::ControlCharacter);
        assert_eq!(
            problem("Bearer realm=\"a\" scope=\"b\""),
            Problem::ExpectedComma
        );
        assert_eq!(
            problem("Bearer realm=\"a\", realm=\"b\""),
            Problem::Repeated
        );
        assert_eq!(problem("Bearer realm=\"a\", REALM=b"), Problem::Repeated);
        assert_eq!(problem("Bearer realm=, scope=b"), Problem::Mixed);
        assert_eq!(
            problem("Bearer realm=a, scope=, x=b"),
            Problem::ExpectedValue
        );
        assert_eq!(problem("=Bearer"), Problem::ExpectedToken);
        assert_eq!(problem("Bearer realm \"a\""), Problem::ExpectedEquals);
        assert_eq!(
            problem("Bearer resource_metadata=https://h/x"),
            Problem::ExpectedComma
        );
    }

    #[test]
    fn two_challenges_may_share_a_parameter_name() {
        assert_eq!(parse("Bearer realm=a, DPoP realm=b").unwrap().len(), 2);
    }
}

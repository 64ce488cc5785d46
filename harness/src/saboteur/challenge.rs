//! Edits of the `WWW-Authenticate` line that a healthy server sends with a refusal.

use http::{HeaderMap, HeaderValue, header};

/// Applies `edit` to the challenge of a refusal. Returns whether it changed.
pub fn edit(headers: &mut HeaderMap, change: impl Fn(&str) -> String) -> bool {
    let Some(line) = headers
        .get(header::WWW_AUTHENTICATE)
        .and_then(|line| line.to_str().ok())
    else {
        return false;
    };
    let edited = change(line);
    if edited == line {
        return false;
    }
    match HeaderValue::from_str(&edited) {
        Ok(value) => {
            headers.insert(header::WWW_AUTHENTICATE, value);
            true
        }
        Err(_) => false,
    }
}

/// Cuts scheme and authority from the quoted URL of `resource_metadata`.
pub fn relative_metadata(line: &str) -> String {
    replace_metadata_url(line, |url| url.path().to_owned())
}

/// Puts another authority into the quoted URL of `resource_metadata`.
pub fn replace_authority(line: &str, authority: &str) -> String {
    replace_metadata_url(line, |url| format!("http://{authority}{}", url.path()))
}

fn replace_metadata_url(line: &str, edit: impl Fn(&url::Url) -> String) -> String {
    const PARAMETER: &str = "resource_metadata=\"";
    let Some(start) = line.find(PARAMETER).map(|at| at + PARAMETER.len()) else {
        return line.to_owned();
    };
    let Some(length) = line[start..].find('"') else {
        return line.to_owned();
    };
    match url::Url::parse(&line[start..start + length]) {
        Ok(url) => format!(
            "{}{}{}",
            &line[..start],
            edit(&url),
            &line[start + length..]
        ),
        Err(_) => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_metadata_url_keeps_the_rest_of_the_challenge() {
        let line =
            r#"Bearer resource_metadata="http://127.0.0.1:9/.well-known/x", error="invalid_token""#;
        assert_eq!(
            relative_metadata(line),
            r#"Bearer resource_metadata="/.well-known/x", error="invalid_token""#
        );
    }
}

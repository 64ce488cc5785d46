//! Reports in files: which kinds there are, and how one is named on the command line.

use std::{
    fs, io,
    path::{Path, PathBuf},
    str::FromStr,
};

use super::{RecordedRun, json, junit, markdown};
use crate::{catalogue::Catalogue, spec, suite::RunOutcome};

/// A kind of report in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// [`json`]
    Json,
    /// [`junit`]
    Junit,
    /// [`markdown`]
    Markdown,
    /// [`spec::report`]
    Html,
}

/// A report the user asked for: `junit=target/report.xml`. The path `-` is the standard output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// What kind.
    pub kind: Kind,
    /// Where to.
    pub path: PathBuf,
}

/// A report could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The file or its folder cannot be written.
    #[error("the report {path} cannot be written: {source}")]
    File {
        /// The file.
        path: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// The outcome cannot be put into the format.
    #[error("the report cannot be made: {0}")]
    Format(String),
}

impl FromStr for Destination {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, path) = text
            .split_once('=')
            .ok_or("a report is KIND=PATH, such as junit=report.xml")?;
        let kind = match kind {
            "json" => Kind::Json,
            "junit" => Kind::Junit,
            "markdown" => Kind::Markdown,
            "html" => Kind::Html,
            other => {
                return Err(format!(
                    "there is no report \"{other}\"; there are json, junit, markdown and html"
                ));
            }
        };
        if path.is_empty() {
            return Err("the path of the report is missing".to_owned());
        }
        Ok(Self {
            kind,
            path: path.into(),
        })
    }
}

impl Destination {
    /// Whether the report goes to the standard output, which then belongs to it alone.
    #[must_use]
    pub fn is_standard_output(&self) -> bool {
        self.path == Path::new("-")
    }

    /// Writes the report, and the folder it goes into. The page for people also shows what the requirements of the
    /// catalogue say, and how to `rerun` what failed.
    ///
    /// # Errors
    /// When the file system does not let it.
    pub fn write(
        &self,
        outcome: &RunOutcome,
        catalogue: &Catalogue,
        rerun: &str,
    ) -> Result<(), ReportError> {
        let text = match self.kind {
            Kind::Json => json::render(outcome).map_err(|error| error.to_string()),
            Kind::Junit => junit::render(outcome).map_err(|error| error.to_string()),
            Kind::Markdown => Ok(markdown::render(outcome)),
            Kind::Html => spec::report::render(&RecordedRun::of(outcome), catalogue, rerun)
                .map_err(|error| error.to_string()),
        }
        .map_err(ReportError::Format)?;
        self.write_text(&text)
    }

    /// Writes a text to the file or the standard output.
    ///
    /// # Errors
    /// When the file system does not let it.
    pub fn write_text(&self, text: &str) -> Result<(), ReportError> {
        if self.is_standard_output() {
            return super::printing::print(text).map_err(|source| ReportError::File {
                path: "(standard output)".to_owned(),
                source,
            });
        }
        let written = match self.path.parent() {
            Some(folder) => fs::create_dir_all(folder),
            None => Ok(()),
        }
        .and_then(|()| fs::write(&self.path, text));
        written.map_err(|source| ReportError::File {
            path: self.path.display().to_string(),
            source,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_destination_is_a_kind_and_a_path() {
        let destination: Destination = "junit=a/b=c.xml".parse().unwrap();
        assert_eq!(destination.path, Path::new("a/b=c.xml"));
        assert_eq!(destination.kind, Kind::Junit);
        assert!(
            "json=-"
                .parse::<Destination>()
                .unwrap()
                .is_standard_output()
        );
    }

    #[test]
    fn what_is_no_destination_is_refused_with_a_reason() {
        for (text, reason) in [
            ("junit", "KIND=PATH"),
            ("pdf=x", "there are json, junit, markdown and html"),
            ("json=", "missing"),
        ] {
            let error = text.parse::<Destination>().unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }
}

//! What the program carries inside itself: features, requirements, faults and contracts, so that it needs no checkout.

use std::{fs, io, path::Path};

use include_dir::{Dir, include_dir};

static SPECIFICATION: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../features");
static KOBANA: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../fixtures/kobana");
static CONTRACTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../fixtures/contracts");

/// One text of the specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Path below `features/`, with `/` between folders: `worthbase/preview.feature`.
    pub path: String,
    /// The whole text.
    pub text: String,
}

impl Document {
    /// A document made in place, as tests do.
    #[must_use]
    pub fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }
}

/// Every feature file, ordered by path.
#[must_use]
pub fn features() -> Vec<Document> {
    documents(&SPECIFICATION, "", ".feature")
}

/// Every file of requirements, ordered by path.
#[must_use]
pub fn requirements() -> Vec<Document> {
    documents(&SPECIFICATION, "requirements/", ".toml")
}

/// Every file of deliberate faults, ordered by path.
#[must_use]
pub fn faults() -> Vec<Document> {
    documents(&SPECIFICATION, "faults/", ".toml")
}

/// What stands beside the requirements for people: their shorthand and the titles of their prefixes.
#[must_use]
pub fn about_requirements() -> Document {
    Document {
        path: "requirements/README.md".to_owned(),
        text: SPECIFICATION
            .get_file("requirements/README.md")
            .and_then(|file| file.contents_utf8())
            .unwrap_or_default()
            .to_owned(),
    }
}

/// Every contract file, ordered by path: `worthbase/commit.json`. The schemas of the reports stand in no folder.
#[must_use]
pub fn contracts() -> Vec<Document> {
    documents(&CONTRACTS, "", ".json")
}

/// The decision table of the kobana profile and its telling cells, by the names of their files.
#[must_use]
pub fn decisions() -> Vec<Document> {
    documents(&KOBANA, "", ".json")
}

/// The feature files of a folder on disk and of the folders in it, for people who bring their own.
///
/// # Errors
/// When the folder or a file in it cannot be read as text.
pub fn features_in(directory: &Path) -> io::Result<Vec<Document>> {
    let mut found = Vec::new();
    collect_from_disk(directory, "", &mut found)?;
    found.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(found)
}

fn documents(directory: &Dir<'_>, folder: &str, extension: &str) -> Vec<Document> {
    let mut found = Vec::new();
    collect_embedded(directory, &mut |path, text| {
        if path.starts_with(folder) && path.ends_with(extension) {
            found.push(Document::new(path, text));
        }
    });
    found.sort_by(|left, right| left.path.cmp(&right.path));
    found
}

fn collect_embedded(directory: &Dir<'_>, keep: &mut impl FnMut(&str, &str)) {
    for file in directory.files() {
        // Everything under `features/` is text; a file that is not cannot be a specification.
        if let Some(text) = file.contents_utf8() {
            keep(&file.path().to_string_lossy().replace('\\', "/"), text);
        }
    }
    for folder in directory.dirs() {
        collect_embedded(folder, keep);
    }
}

fn collect_from_disk(directory: &Path, prefix: &str, found: &mut Vec<Document>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect_from_disk(&entry.path(), &format!("{path}/"), found)?;
        } else if path.ends_with(".feature") {
            found.push(Document {
                text: fs::read_to_string(entry.path())?,
                path,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_of_a_folder_are_found_at_every_depth_and_in_order() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("core")).unwrap();
        for name in ["z.feature", "core/a.feature", "core/notes.md"] {
            fs::write(folder.path().join(name), "Feature: x").unwrap();
        }
        let paths: Vec<String> = features_in(folder.path())
            .unwrap()
            .into_iter()
            .map(|document| document.path)
            .collect();
        assert_eq!(paths, ["core/a.feature", "z.feature"]);
    }
}

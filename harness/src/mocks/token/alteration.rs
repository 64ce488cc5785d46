//! The alterations a recipe can carry: each changes exactly one thing about an otherwise good token.

use serde::{Deserialize, Serialize};

/// One change to a good token. Those on claims and header happen before signing, those on the signature after.
///
/// `json` is raw JSON text, so that it can hold what a JSON value cannot (a number beyond range, say); placeholders such
/// as `{now-3600}` and `{audience}` in it are filled in by the mint, see [`super::recipe`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Alteration {
    /// Gives a claim another value, or adds it.
    SetClaim {
        /// The claim.
        name: String,
        /// Its value as JSON text.
        json: String,
    },
    /// Leaves a claim out.
    RemoveClaim {
        /// The claim.
        name: String,
    },
}

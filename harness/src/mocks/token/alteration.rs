//! The alterations a recipe can carry: each changes exactly one thing about an otherwise good token.

use serde::{Deserialize, Serialize};

use crate::mocks::authorization::keys::{KeyName, PublicKeyForm};

/// One change to a good token. Those on claims and header happen before signing, the others after it.
///
/// `json` and `text` are raw, so that they can hold what a JSON value cannot (a number beyond range, a name twice);
/// placeholders such as `{now-3600}` and `{audience}` in them are filled in, see [`super::template`].
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
    /// Adds a claim at the end, also where there is one of this name already.
    AddClaim {
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
    /// Gives a claim another name and keeps its value.
    RenameClaim {
        /// The name it has.
        from: String,
        /// The name it gets.
        to: String,
    },
    /// Adds a claim of so many characters.
    FillClaim {
        /// The claim.
        name: String,
        /// How many.
        characters: usize,
    },
    /// Adds so many claims nobody knows, some of them objects.
    UnknownClaims {
        /// How many.
        count: usize,
    },
    /// Gives a header parameter another value, or adds it.
    SetHeader {
        /// The parameter.
        name: String,
        /// Its value as JSON text.
        json: String,
    },
    /// Adds a header parameter at the end, also where there is one of this name already.
    AddHeader {
        /// The parameter.
        name: String,
        /// Its value as JSON text.
        json: String,
    },
    /// Leaves a header parameter out.
    RemoveHeader {
        /// The parameter.
        name: String,
    },
    /// Gives a header parameter a value of so many characters.
    FillHeader {
        /// The parameter.
        name: String,
        /// How many.
        characters: usize,
    },
    /// Puts another text in the place of the header.
    HeaderText {
        /// The text.
        text: String,
    },
    /// Puts another text in the place of the payload.
    PayloadText {
        /// The text.
        text: String,
    },
    /// Writes the payload in another form before it is signed.
    PayloadForm {
        /// Which.
        form: PayloadForm,
    },
    /// Signs with another key and algorithm, and names the algorithm in the header; `kid` stays.
    Sign {
        /// The algorithm, such as `RS512`.
        algorithm: String,
        /// The key.
        key: KeyName,
    },
    /// Signs with HMAC and the published public key as shared secret, and names the algorithm in the header.
    SignWithPublicKey {
        /// `HS256`, `HS384` or `HS512`.
        algorithm: String,
        /// How the key becomes a secret.
        form: PublicKeyForm,
    },
    /// Spells one part differently in base64, and signs what was spelled so.
    Spell {
        /// The part.
        part: Part,
        /// How.
        spelling: Spelling,
    },
    /// After signing: gives a claim another value and keeps the signature.
    TamperClaim {
        /// The claim.
        name: String,
        /// Its value as JSON text.
        json: String,
    },
    /// After signing: gives a header parameter another value and keeps the signature.
    TamperHeader {
        /// The parameter.
        name: String,
        /// Its value as JSON text.
        json: String,
    },
    /// After signing: puts something else in the place of the signature.
    Signature {
        /// What.
        with: OtherSignature,
    },
    /// After signing: cuts characters off the end of the signature.
    CutSignature {
        /// How many.
        characters: usize,
    },
    /// At the very end: puts the parts together in another way; `{header}`, `{payload}` and `{signature}` stand for them.
    Assemble {
        /// The token.
        text: String,
    },
}

/// A part of a token that is written in base64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The first.
    Header,
    /// The second.
    Payload,
}

/// A way of writing base64 that is not the one a token is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spelling {
    /// With `=` at its end.
    Padded,
    /// With `+` and `/`, which it is made to contain.
    StandardAlphabet,
    /// With one character more than base64 can have.
    ImpossibleLength,
    /// With a space in the middle.
    Space,
    /// With a percent-encoded newline in the middle.
    PercentNewline,
}

/// A form of the payload other than JSON text in UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PayloadForm {
    /// UTF-16, little-endian, with its byte order mark.
    Utf16,
    /// UTF-8 with a byte order mark.
    ByteOrderMark,
    /// With a byte in a string that no UTF-8 has.
    InvalidUtf8,
    /// Without its last characters.
    CutShort,
    /// Compressed with DEFLATE.
    Deflated,
    /// Five thousand arrays inside each other.
    DeepArrays,
    /// An unsigned token that says the same.
    UnsignedToken,
    /// A signed good token.
    SignedToken,
    /// Not in base64 where it is signed, as RFC 7797 describes; in base64 where it is sent.
    UnencodedWhenSigned,
}

/// What stands in the place of the signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OtherSignature {
    /// Nothing; the dot before it stays.
    Empty,
    /// The same with one bit changed.
    OneBitChanged,
    /// 256 bytes that never were a signature.
    Invented,
    /// 64 zero bytes, which careless elliptic curve code accepts.
    Zeros,
    /// The signature of another good token.
    OfAnotherToken,
}

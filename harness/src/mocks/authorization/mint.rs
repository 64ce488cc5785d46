//! The mint: turns a recipe into the text of a token, good or wrong in exactly the way that is asked for.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, crypto};
use ulid::Ulid;

use super::keys::KeyName;
use super::members::Members;
use crate::mocks::MockError;
use crate::mocks::token::alteration::{Alteration, OtherSignature, Part, PayloadForm, Spelling};
use crate::mocks::token::template::{Surroundings, fill};
use crate::mocks::token::{Token, TokenRecipe};

/// Arrays inside each other in [`PayloadForm::DeepArrays`].
const DEPTH: usize = 5000;

/// Makes the token of `recipe`, signed with `key` unless the recipe says otherwise.
///
/// # Errors
/// If the recipe names an algorithm that the key cannot sign with, or a fixture is unusable.
pub fn mint(
    recipe: &TokenRecipe,
    key: KeyName,
    surroundings: &Surroundings<'_>,
) -> Result<Token, MockError> {
    let mut draft = Draft::good(recipe, key, surroundings)?;
    for alteration in &recipe.alterations {
        draft.alter(alteration)?;
    }
    draft.finish().map(Token::new)
}

/// Who signs, and with which algorithm.
#[derive(Clone)]
enum Signer {
    /// A key with the algorithm it is meant for.
    Proper(KeyName),
    /// Any other choice.
    Other {
        algorithm: Algorithm,
        key: EncodingKey,
    },
}

impl Signer {
    /// The signature of `message`, as a token spells it.
    fn sign(&self, message: &[u8]) -> Result<String, MockError> {
        match self {
            Self::Proper(name) if name.algorithm() == Algorithm::RS256 => {
                name.sign_rs256(message).map(|signature| encode(&signature))
            }
            Self::Proper(name) => {
                crypto::sign(message, &name.private()?, name.algorithm()).map_err(refused)
            }
            Self::Other { algorithm, key } => {
                crypto::sign(message, key, *algorithm).map_err(refused)
            }
        }
    }
}

/// A token in the making.
struct Draft<'a> {
    recipe: &'a TokenRecipe,
    surroundings: &'a Surroundings<'a>,
    good_key: KeyName,
    header: Members,
    payload: Members,
    header_text: Option<Vec<u8>>,
    payload_text: Option<Vec<u8>>,
    spellings: Vec<(Part, Spelling)>,
    signed_unencoded: bool,
    signer: Signer,
    afterwards: Vec<Alteration>,
}

impl<'a> Draft<'a> {
    fn good(
        recipe: &'a TokenRecipe,
        key: KeyName,
        surroundings: &'a Surroundings<'a>,
    ) -> Result<Self, MockError> {
        let now = surroundings.now.as_second();
        let mut header = Members::default();
        header.set("alg", format!("\"{:?}\"", key.algorithm()));
        header.set("typ", "\"at+jwt\"");
        header.set_text("kid", &key.kid());
        let mut payload = Members::default();
        payload.set_text("iss", surroundings.issuer);
        payload.set_text("aud", &recipe.audience);
        payload.set(
            "exp",
            (now.saturating_add(recipe.lifetime_seconds)).to_string(),
        );
        payload.set("iat", now.to_string());
        payload.set_text("sub", &recipe.subject);
        payload.set_text("client_id", &recipe.client);
        payload.set_text("jti", &Ulid::new().to_string());
        payload.set_text("scope", &recipe.scope);
        Ok(Self {
            recipe,
            surroundings,
            good_key: key,
            header,
            payload,
            header_text: None,
            payload_text: None,
            spellings: Vec::new(),
            signed_unencoded: false,
            signer: Signer::Proper(key),
            afterwards: Vec::new(),
        })
    }

    fn fill(&self, text: &str) -> Result<String, MockError> {
        fill(text, self.recipe, self.surroundings)
    }

    fn alter(&mut self, alteration: &Alteration) -> Result<(), MockError> {
        match alteration {
            Alteration::SetClaim { name, json } => self.payload.set(name, self.fill(json)?),
            Alteration::AddClaim { name, json } => self.payload.add(name, self.fill(json)?),
            Alteration::RemoveClaim { name } => self.payload.remove(name),
            Alteration::RenameClaim { from, to } => self.payload.rename(from, to),
            Alteration::FillClaim { name, characters } => {
                self.payload.set_text(name, &"x".repeat(*characters))
            }
            Alteration::UnknownClaims { count } => {
                for index in 0..*count {
                    let json = if index % 2 == 0 {
                        format!("{index}")
                    } else {
                        format!("{{\"inner\":[{index},null]}}")
                    };
                    self.payload
                        .add(&format!("https://example.com/claim-{index}"), json);
                }
            }
            Alteration::SetHeader { name, json } => self.header.set(name, self.fill(json)?),
            Alteration::AddHeader { name, json } => self.header.add(name, self.fill(json)?),
            Alteration::RemoveHeader { name } => self.header.remove(name),
            Alteration::FillHeader { name, characters } => {
                self.header.set_text(name, &"k".repeat(*characters))
            }
            Alteration::HeaderText { text } => {
                self.header_text = Some(self.fill(text)?.into_bytes())
            }
            Alteration::PayloadText { text } => {
                self.payload_text = Some(self.fill(text)?.into_bytes())
            }
            Alteration::PayloadForm {
                form: PayloadForm::UnencodedWhenSigned,
            } => self.signed_unencoded = true,
            Alteration::PayloadForm { form } => self.payload_text = Some(self.formed(*form)?),
            Alteration::Sign { algorithm, key } => {
                self.sign_with(algorithm, key.private()?)?;
                if *algorithm == format!("{:?}", key.algorithm()) {
                    self.signer = Signer::Proper(*key);
                }
            }
            Alteration::SignWithPublicKey { algorithm, form } => {
                let secret = EncodingKey::from_secret(&form.secret()?).map_err(refused)?;
                self.sign_with(algorithm, secret)?;
            }
            Alteration::Spell { part, spelling } => self.spellings.push((*part, *spelling)),
            Alteration::TamperClaim { .. }
            | Alteration::TamperHeader { .. }
            | Alteration::Signature { .. }
            | Alteration::CutSignature { .. }
            | Alteration::Assemble { .. } => self.afterwards.push(alteration.clone()),
        }
        Ok(())
    }

    fn sign_with(&mut self, algorithm: &str, key: EncodingKey) -> Result<(), MockError> {
        let known = algorithm
            .parse()
            .map_err(|_| MockError::Mint(format!("nothing signs with \"{algorithm}\"")))?;
        self.header.set_text("alg", algorithm);
        self.signer = Signer::Other {
            algorithm: known,
            key,
        };
        Ok(())
    }

    fn formed(&self, form: PayloadForm) -> Result<Vec<u8>, MockError> {
        let text = self.payload.to_json();
        Ok(match form {
            PayloadForm::Utf16 => "\u{feff}"
                .encode_utf16()
                .chain(text.encode_utf16())
                .flat_map(u16::to_le_bytes)
                .collect(),
            PayloadForm::ByteOrderMark => format!("\u{feff}{text}").into_bytes(),
            PayloadForm::InvalidUtf8 => {
                let mut bytes = text.trim_end_matches('}').as_bytes().to_vec();
                bytes.extend_from_slice(b",\"note\":\"\xff\"}");
                bytes
            }
            PayloadForm::CutShort => text.as_bytes()[..text.len() - 2].to_vec(),
            PayloadForm::Deflated => deflated(text.as_bytes())?,
            PayloadForm::DeepArrays => {
                format!("{}{}", "[".repeat(DEPTH), "]".repeat(DEPTH)).into_bytes()
            }
            PayloadForm::UnsignedToken => {
                let mut header = Members::default();
                header.set_text("alg", "none");
                format!(
                    "{}.{}.",
                    encode(header.to_json().as_bytes()),
                    encode(text.as_bytes())
                )
                .into_bytes()
            }
            PayloadForm::SignedToken => self.another_good_token()?.into_bytes(),
            PayloadForm::UnencodedWhenSigned => text.into_bytes(),
        })
    }

    fn another_good_token(&self) -> Result<String, MockError> {
        let recipe = TokenRecipe {
            alterations: Vec::new(),
            ..self.recipe.clone()
        };
        mint(&recipe, self.good_key, self.surroundings).map(|token| token.expose().to_owned())
    }

    fn finish(self) -> Result<String, MockError> {
        let mut header_bytes = self
            .header_text
            .clone()
            .unwrap_or_else(|| self.header.to_json().into_bytes());
        let mut payload_bytes = self
            .payload_text
            .clone()
            .unwrap_or_else(|| self.payload.to_json().into_bytes());
        for (part, spelling) in &self.spellings {
            let bytes = if *part == Part::Header {
                &mut header_bytes
            } else {
                &mut payload_bytes
            };
            make_room_for(*spelling, bytes);
        }
        let mut header = encode(&header_bytes);
        let mut payload = encode(&payload_bytes);
        for (part, spelling) in &self.spellings {
            match part {
                Part::Header => header = spelled(*spelling, &header_bytes),
                Part::Payload => payload = spelled(*spelling, &payload_bytes),
            }
        }
        let mut message = format!("{header}.").into_bytes();
        message.extend_from_slice(if self.signed_unencoded {
            &payload_bytes
        } else {
            payload.as_bytes()
        });
        let mut signature = self.signer.sign(&message)?;

        let mut assembled = None;
        for alteration in &self.afterwards {
            match alteration {
                Alteration::TamperClaim { name, json } => {
                    let mut tampered = self.payload.clone();
                    tampered.set(name, self.fill(json)?);
                    payload = encode(tampered.to_json().as_bytes());
                }
                Alteration::TamperHeader { name, json } => {
                    let mut tampered = self.header.clone();
                    tampered.set(name, self.fill(json)?);
                    header = encode(tampered.to_json().as_bytes());
                }
                Alteration::Signature { with } => signature = self.instead_of(&signature, *with)?,
                Alteration::CutSignature { characters } => {
                    signature.truncate(signature.len().saturating_sub(*characters));
                }
                Alteration::Assemble { text } => assembled = Some(text),
                // Everything else was done before signing.
                _ => {}
            }
        }
        Ok(match assembled {
            Some(text) => self
                .fill(text)?
                .replace("{header}", &header)
                .replace("{payload}", &payload)
                .replace("{signature}", &signature),
            None => format!("{header}.{payload}.{signature}"),
        })
    }

    fn instead_of(&self, signature: &str, with: OtherSignature) -> Result<String, MockError> {
        Ok(match with {
            OtherSignature::Empty => String::new(),
            OtherSignature::OneBitChanged => {
                let mut bytes = URL_SAFE_NO_PAD.decode(signature).map_err(refused)?;
                let middle = bytes.len() / 2;
                if let Some(byte) = bytes.get_mut(middle) {
                    *byte ^= 1;
                }
                encode(&bytes)
            }
            OtherSignature::Invented => encode(&[0xA5; 256]),
            OtherSignature::Zeros => encode(&[0; 64]),
            OtherSignature::OfAnotherToken => self
                .another_good_token()?
                .rsplit('.')
                .next()
                .unwrap_or_default()
                .to_owned(),
        })
    }
}

fn refused(error: impl std::fmt::Display) -> MockError {
    MockError::Mint(error.to_string())
}

fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Adds a member whose base64 shows the difference that `spelling` makes, and blanks at the end until it fits.
fn make_room_for(spelling: Spelling, bytes: &mut Vec<u8>) {
    match spelling {
        // One byte over a multiple of three is written with two `=`.
        Spelling::Padded => {
            while bytes.len() % 3 != 1 {
                bytes.push(b' ');
            }
        }
        // `>` and `?` three times in a row become `+` or `/` at any alignment.
        Spelling::StandardAlphabet => {
            if bytes.last() == Some(&b'}') {
                bytes.pop();
                bytes.extend_from_slice(br#","mark":">>>>>>??????~~~~~~"}"#);
            }
        }
        // A multiple of three is written in a multiple of four, to which one character more is impossible.
        Spelling::ImpossibleLength => {
            while !bytes.len().is_multiple_of(3) {
                bytes.push(b' ');
            }
        }
        Spelling::Space | Spelling::PercentNewline => {}
    }
}

fn spelled(spelling: Spelling, bytes: &[u8]) -> String {
    let usual = encode(bytes);
    let middle = usual.len() / 2;
    match spelling {
        Spelling::Padded => URL_SAFE.encode(bytes),
        Spelling::StandardAlphabet => STANDARD_NO_PAD.encode(bytes),
        Spelling::ImpossibleLength => format!("{usual}A"),
        Spelling::Space => format!("{} {}", &usual[..middle], &usual[middle..]),
        Spelling::PercentNewline => format!("{}%0A{}", &usual[..middle], &usual[middle..]),
    }
}

/// `bytes` as a DEFLATE stream of one stored block, which any inflater reads (RFC 1951, 3.2.4).
fn deflated(bytes: &[u8]) -> Result<Vec<u8>, MockError> {
    let length = u16::try_from(bytes.len())
        .map_err(|_| MockError::Mint("a payload too long to compress".to_owned()))?;
    let mut stream = vec![1];
    stream.extend_from_slice(&length.to_le_bytes());
    stream.extend_from_slice(&(!length).to_le_bytes());
    stream.extend_from_slice(bytes);
    Ok(stream)
}

#[cfg(test)]
#[path = "mint_tests.rs"]
mod tests;

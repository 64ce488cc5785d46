//! Opaque cursors: where the next page begins, for the caller, workspace, tool and filters they were given for and nobody else.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rustls::crypto::SecureRandom;
use sha2::{Digest as _, Sha256};

use crate::mcp::fault::Fault;
use crate::rules::CursorScope;

/// Bytes of the seal in front of a cursor's content.
const SEAL: usize = 16;

/// Seals and opens cursors. The key lives as long as the store it is derived from, so a cursor survives a restart and serves every
/// process on the same file.
#[derive(Debug, Clone)]
pub(super) struct Cursors {
    key: Vec<u8>,
    scope: CursorScope,
}

/// What a cursor is bound to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Binding<'a> {
    /// The caller's person id.
    pub person: &'a str,
    /// The workspace.
    pub workspace: &'a str,
    /// The tool.
    pub tool: &'a str,
    /// Its filters, in any stable spelling.
    pub filters: &'a str,
}

impl Cursors {
    pub(super) fn new(key: Vec<u8>, scope: CursorScope) -> Self {
        Self { key, scope }
    }

    /// A cursor that leads to the entry after `position`.
    pub(super) fn seal(&self, binding: Binding<'_>, position: &str) -> String {
        let mut bytes = self.digest(binding, position)[..SEAL].to_vec();
        // The position is masked with the seal's own stream, so that a cursor shows nothing of what it stands for.
        bytes.extend(self.masked(&bytes.clone(), position.as_bytes()));
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The position in `cursor`.
    ///
    /// # Errors
    /// `invalid_input` on `cursor` when it was not given for this binding.
    pub(super) fn open(&self, binding: Binding<'_>, cursor: &str) -> Result<String, Fault> {
        let refused = || {
            Fault::new(
                "invalid_input",
                "This cursor was not given for this list. Use next_cursor of the page before with the same filters, or leave it out to begin again.",
            )
            .at("cursor")
        };
        let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| refused())?;
        let (seal, masked) = bytes.split_at_checked(SEAL).ok_or_else(refused)?;
        let position = String::from_utf8(self.masked(seal, masked)).map_err(|_| refused())?;
        let bound = self.digest(binding, &position)[..SEAL] == *seal;
        if bound || self.scope == CursorScope::Unbound {
            Ok(position)
        } else {
            Err(refused())
        }
    }

    fn digest(&self, binding: Binding<'_>, position: &str) -> [u8; 32] {
        let mut digest = Sha256::new();
        for part in [
            binding.person,
            binding.workspace,
            binding.tool,
            binding.filters,
            position,
        ] {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part.as_bytes());
        }
        // The key stands at both ends, so that nothing can be appended to what was sealed.
        let inner = digest.finalize();
        Sha256::new()
            .chain_update(&self.key)
            .chain_update(inner)
            .chain_update(&self.key)
            .finalize()
            .into()
    }

    fn masked(&self, seal: &[u8], bytes: &[u8]) -> Vec<u8> {
        bytes
            .chunks(32)
            .enumerate()
            .flat_map(|(block, chunk)| {
                let stream = Sha256::new()
                    .chain_update(&self.key)
                    .chain_update(seal)
                    .chain_update((block as u64).to_be_bytes())
                    .finalize();
                chunk
                    .iter()
                    .zip(stream)
                    .map(|(byte, mask)| byte ^ mask)
                    .collect::<Vec<_>>()
            })
            .collect()
    }
}

/// Random bytes that nobody can guess; `None` when the system has none to give.
pub(super) fn random<const N: usize>() -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let source: &'static dyn SecureRandom =
        rustls::crypto::aws_lc_rs::default_provider().secure_random;
    source.fill(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINE: Binding<'static> = Binding {
        person: "usr_1",
        workspace: "ws_1",
        tool: "list_items",
        filters: "",
    };

    #[test]
    fn a_cursor_opens_only_where_it_was_given() {
        let cursors = Cursors::new(vec![7; 32], CursorScope::Bound);
        let cursor = cursors.seal(
            MINE,
            "itm_01ARZ3NDEKTSV4RRFFQ69G5FAV and more than one block of it",
        );
        assert!(cursors.open(MINE, &cursor).unwrap().ends_with("of it"));
        assert!(
            !String::from_utf8_lossy(&URL_SAFE_NO_PAD.decode(&cursor).unwrap()).contains("itm_")
        );
        for other in [
            Binding {
                person: "usr_2",
                ..MINE
            },
            Binding {
                workspace: "ws_2",
                ..MINE
            },
            Binding {
                tool: "list_batches",
                ..MINE
            },
            Binding {
                filters: "kind=cash",
                ..MINE
            },
        ] {
            assert_eq!(
                cursors.open(other, &cursor).unwrap_err().code,
                "invalid_input"
            );
        }
        for garbage in ["", "garbage", "AAAA", &cursor[1..]] {
            assert_eq!(
                cursors.open(MINE, garbage).unwrap_err().field.as_deref(),
                Some("cursor")
            );
        }
        let unbound = Cursors::new(vec![7; 32], CursorScope::Unbound);
        assert!(
            unbound
                .open(
                    Binding {
                        person: "usr_2",
                        ..MINE
                    },
                    &cursor
                )
                .is_ok()
        );
    }
}

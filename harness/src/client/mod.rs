//! The harness as a client: a polite one ([`Session`], through rmcp) and one with full control over every byte it
//! sends ([`Wire`]).
//!
//! Reading order: [`revision`] names the protocol revisions, [`message`] builds what each of them sends, [`wire`]
//! sends it (and [`socket`] byte by byte) and reads the answer back as [`answer`], [`challenge`] reads `WWW-Authenticate`, [`session`] is the
//! everyday way to call tools, and [`recorder`] keeps what was said for the failure block, with every token redacted.

pub mod answer;
pub mod challenge;
pub mod message;
pub mod patience;
pub mod recorder;
pub mod revision;
pub mod session;
pub mod socket;
pub mod stdio;
pub mod wire;

pub use answer::{ProtocolError, WireAnswer};
pub use challenge::{Challenge, ChallengeError};
pub use message::Message;
pub use recorder::Recorder;
pub use revision::Revision;
pub use session::{FaultBody, Session, SessionError, ToolAnswer, ToolDescription};
pub use socket::{RawRequest, Socket};
pub use stdio::{Line, Lines, LinesError};
pub use wire::{Wire, WireError, WireRequest};

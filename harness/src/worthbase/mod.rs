//! The worthbase tools as a client sees them: one place for the arguments of each tool, one for the shape of each result.
//!
//! Reading order: [`call`] (what is sent, a constructor for each tool; [`questions`] and [`changes`] hold those for
//! reports and for changes beside rows), [`journal`] (a table of rows becomes one
//! `record`), [`answer`] (accepted or refused), [`result`] (the fields that are read), [`figure`] (a decimal), [`desk`]
//! (one person's calls in one workspace), [`snapshot`] (everything the tools show, for "nothing has changed"), [`places`] (where tools take ids).
//!
//! Names of tools, arguments and results stand in `call` and its two neighbours, `journal` and `result` alone, so that another server's names
//! can be translated there.

pub mod answer;
pub mod call;
pub mod changes;
pub mod desk;
pub mod figure;
pub mod grammar;
pub mod journal;
pub mod places;
pub mod questions;
pub mod result;
pub mod snapshot;

pub use answer::{Answer, Refusal};
pub use call::Call;
pub use desk::Desk;
pub use figure::Figure;
pub use journal::{Batch, Line};
pub use questions::Period;
pub use snapshot::Snapshot;

//! The wealth ledger: batches in, figures out.
//!
//! Pure by construction: no async, no I/O, no clock, no randomness. Dates, ids and exchange rates are
//! handed in. A workspace is its list of committed batches; its state is the replay of that list, a
//! preview is the replay with one more, an undo the replay with one less.
//!
//! In reading order:
//!
//! 1. [`decimal`]: what a number is at the door, and [`decimal::Exact`], what figures are computed in.
//! 2. [`ids`], [`model`], [`rows`], [`batch`]: the words, from a party to a batch.
//! 3. [`rules`]: every choice, with its default and the defects that are its other values.
//! 4. [`fx`]: exchange rates.

pub mod batch;
pub mod decimal;
pub mod fx;
pub mod ids;
pub mod model;
pub mod refusal;
pub mod rows;
pub mod rules;

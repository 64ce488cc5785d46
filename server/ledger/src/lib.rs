//! The wealth ledger.

//! Where batches are kept.

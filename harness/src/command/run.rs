//! Runs the suite against a target and reports.

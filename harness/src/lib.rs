//! Proofmark proves that a finance MCP server keeps its written promises.
//!
//! Reading order: [`catalogue`] (what is promised, and what would break it), [`suite`] (how scenarios run and what a
//! verdict is), [`steps`] (the language of the scenarios), [`client`] (how a server is spoken to), [`mocks`] and
//! [`target`] (what surrounds the server under test), [`report`] (what is said in the end), [`spec`] (all of it as web
//! pages), [`saboteur`] (how the suite's eyes are tested), [`command`] (the command line).
//!
//! The harness knows a server only by its wire: one file alone, the built-in target, names the server crate.

pub mod agent;
pub mod baseline;
pub mod catalogue;
pub mod client;
pub mod command;
pub mod config;
pub mod crypto;
pub mod embedded;
pub mod exit;
pub mod finanpy;
pub mod golden;
pub mod mocks;
pub mod report;
pub mod saboteur;
pub mod spec;
pub mod steps;
pub mod suite;
pub mod target;
pub mod worthbase;

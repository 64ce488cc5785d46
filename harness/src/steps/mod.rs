//! The language of the scenarios: one file for each area, each with its own part of the scene.

pub mod book;
pub mod discovery;
pub mod durability;
pub mod people;
pub mod protocol;
pub mod reading;
pub mod statements;
pub mod table;
pub mod tokens;
pub mod verdicts;
pub mod worked_examples;
pub mod writing;

//! The language of the scenarios: one file for each area, each with its own part of the scene.

pub mod access;
pub mod book;
pub mod checking;
pub mod discovery;
pub mod durability;
pub mod members;
pub mod people;
pub mod protocol;
pub mod races;
pub mod reading;
pub mod rows;
pub mod safety;
pub mod statements;
pub mod table;
pub mod tokens;
pub mod undoing;
pub mod verdicts;
pub mod worked_examples;
pub mod workspaces;
pub mod writing;

//! The suite: which scenarios run, how each runs, and what a verdict is.

mod environment;
mod failure;
mod scene;

pub use environment::Environment;
pub use failure::Failure;
pub use scene::Scene;

//! Token recipes: a good access token, plus alterations that each change exactly one thing.

pub mod alteration;
pub mod catalogue;
pub mod recipe;
pub mod secret;
pub mod template;

pub use alteration::Alteration;
pub use catalogue::{Expectation, Variation, defects, variation, variations};
pub use recipe::TokenRecipe;
pub use secret::Token;
